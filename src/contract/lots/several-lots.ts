// Several lots in the text of one lot code: `L1, L2`, `L3/L4`, `L1-L5`, `ALPHA, BETA`. Real codes
// contain the same signs: `24/131`, `A-12/3`, `P&G 123`. So a weaker sign needs parts that look
// more alike.
// Source: decision 0049.
import { isGiven, stringLengthMax } from '../shape/field.ts'
import { readLotCode } from './lot-code.ts'
import { isPlaceholderLot } from './lot-placeholder.ts'
import {
  labelsAsSigns,
  month,
  numberedThing,
  numbersAsSigns,
  withoutAmountsBetween,
  withoutCount,
  withoutLowerWords,
  withoutWords,
} from './lot-words.ts'

/** Most lots of a range that are named; of a longer range, its first and its last. */
export const rangeLotsMax = 100

/** Longest text that is read: a lot code of the longest, as characters of two units. */
const writtenLengthMax = 2 * stringLengthMax

/** Nearly every lot code: no sign between lots, and no range. */
const isOne = /^[A-Za-z\d]+(?:[_.][A-Za-z\d]+)*$/

/** Nearly every lot code has only these characters, which Unicode normalization leaves alone. */
const isAscii = /^[ -~\t\r\n]*$/

/** Each of several lots has a digit, but for the ends of `24131A, B`. */
const maybeSeveral = /\d\D+\d|\d[-_.]?[a-z][,;&+/ ].*[a-z]$/i

/** A code without signs but dashes, dots and `_` can only be a range, or lots with one of these. */
const isOneOrRange = /^[\w.-]+$/

/** `GV26063-14`: the last lot of a range has three digits or more (`areEndsOfRange`). */
const endsShort = /^\w*-\d{1,2}$/

/**
 * The lots that a text seems to name, each once, in their order, without the words around them;
 * none for a text of one lot. A range has each of its lots.
 */
export function severalLots(written: string): readonly string[] {
  const lots = namedLots(written)
  return lots.length > 1 ? lots : []
}

/** The same, and the one lot of a text that names it twice. */
export function namedLots(text: string): readonly string[] {
  // Patterns here take longer than in proportion to a text, which is why they read short ones only.
  if (text.length > writtenLengthMax) return []
  if (isOne.test(text)) return lotsBetweenPoints(text)
  // Full-width digits are digits.
  const written = isAscii.test(text) ? text : text.normalize('NFKC')
  if (!maybeSeveral.test(written)) return /\d/.test(written) ? mixedLots(written) : lotsOfLetters(written)
  const { lotCode } = readLotCode(written)
  if (lotCode.length > stringLengthMax || lotCode.includes('://')) return []
  if (isOneOrRange.test(lotCode)) return endsShort.test(lotCode) ? [] : rangeOrChainIn(lotCode)
  const plain = lotCode
    .replaceAll(lineBreak, ';')
    .replaceAll(/&amp;/gi, '&')
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(listInBrackets, ' ; $1 ; ')
    .replace(betweenWords, '$1 to ')
  // A date or a remark may have a sign between lots: it goes first.
  const bare = labelsAsSigns(withoutLowerWords(withoutWords(numbersAsSigns(withoutAmountsBetween(plain)))))
  const named = lotsIn(bare)
  const lots = named.length > 0 ? named : lotsInBrackets(plain)
  return [...new Set(lots.length > 0 || !pluralLabel.test(plain) ? lots : lotsOfPlural(bare))]
}

/** `Lots 12/13`: the label says that there are several. */
const pluralLabel = /^(?:traceability |case )?(?:lots|lotes|batches|partidas)(?![A-Za-z])/i

/** Any sign is between lots that look a little alike: `Lots A12/B7`, `Lots 5 to 8`. */
function lotsOfPlural(text: string): readonly string[] {
  const [, first = '', last = ''] = /^(\d{1,4}) ?(?:-|–|to|thru) ?(\d{1,4})$/i.exec(text) ?? []
  if (first !== '' && first.length === last.length) return lotsFrom(first, last, 'plural')
  const parts = text.split(/[\s,;/\\&+|]+/).filter((part) => part !== '' && !/^(?:and|y|et|und|e)$/i.test(part))
  const lengths = parts.map(({ length }) => length)
  const areAlike =
    parts.every((part) => /^(?:[A-Z]{0,6}[-_.]?\d+[A-Z]?|[A-Z])$/i.test(part)) &&
    new Set(parts.map((part) => /^[a-z]/i.test(part))).size === 1 &&
    Math.max(...lengths) - Math.min(...lengths) <= 1
  return parts.length > 1 && areAlike ? parts : []
}

/** `between L1 and L5`, `from L1 to L5`: a range. */
const betweenWords = /^between (.+?) and /i
const fromWords = /^(?:from|von|desde|del?|dal?) /i

/** Line breaks, as programs write them too. */
const lineBreak = /<(?:br|BR) ?\/?>|\\[rn](?![a-z])/g

/** `(L1)(L2)`, `L1 (L2)`: what looks like the text before it is no remark. */
function lotsInBrackets(text: string): readonly string[] {
  if (!/[([{]/.test(text)) return []
  const parts = text
    .split(/[()[\]{}]+/)
    .map((part) => part.trim())
    .filter(isGiven)
  return new Set(parts).size > 1 && parts.every(isLot) && areOfOneKind(parts) ? parts : []
}

/** `(L1, L2)`: text in brackets is no remark. */
const listInBrackets = /[([{]([^()[\]{}]*[,;|&+][^()[\]{}]*)[)\]}]/g

function lotsIn(text: string): readonly string[] {
  for (const joint of signs) {
    const lots = lotsAt(text, joint)
    if (lots.length > 0) return lots
  }
  return []
}

/** The signs between lots, and whether the lots look alike enough for each. */
interface Joint {
  readonly between: RegExp
  readonly areLots: (lots: readonly string[]) => boolean
  /** For a part that may be only the end of a code: `L101, 102`. */
  readonly completes?: (part: string, before: string) => string
  /** Whether a part of capitals alone is a lot: `L1; ALPHA`. */
  readonly withLetters?: boolean
}

function lotsAt(text: string, joint: Joint | 'range'): readonly string[] {
  if (joint === 'range') return rangeOrChainIn(text)
  const { between, areLots, completes = (part) => part } = joint
  if (!between.test(text)) return []
  let last = ''
  const parts = text
    .split(between)
    .map(partOf)
    .filter(isGiven)
    .map((part) => (last = completes(part, last)))
  const lots = parts.map((part) => lotsOfPart(part, joint)).filter((some) => some.length > 0)
  const firsts = lots.map(([first = '']) => first)
  // The same lot twice is one.
  return firsts.length < 2 || (new Set(firsts).size > 1 && !areLots(firsts)) ? [] : lots.flat()
}

/** The lots that a part names: several, as of a range, or one, or none. */
function lotsOfPart(part: string, { withLetters = false }: Pick<Joint, 'withLetters'>): readonly string[] {
  const within = isOne.test(part) ? [] : lotsIn(part)
  if (within.length > 0) return within
  return isLot(part) || (withLetters && isLotOfCapitals(part)) ? [part] : []
}

/** One word of capitals, which neither describes goods nor stands for a lot that is not known. */
const isLotOfCapitals = (part: string): boolean =>
  /^[A-Z]{3,20}(?:[-_.][A-Z]{1,20})?$/.test(part) && !describing.test(part) && !isPlaceholderLot(part)

/** `L1; ALPHA`: one lot with digits, and others in capitals alone. */
const mixedLots = (written: string): readonly string[] =>
  strongest.between.test(written) ? lotsAt(labelsAsSigns(withoutWords(written)), strongest) : []

/** A part without its words, or the lot of its GS1 text. */
function partOf(part: string): string {
  const text = part.trim()
  // Too short for the elements of a barcode.
  if (text.length < 16 && isOne.test(text)) return withoutCount(text)
  const read = readLotCode(text)
  if (read.form !== 'text') return read.lotCode
  // Without its words a part can be the elements of a barcode: `(10)A1>`.
  const bare = withoutWords(text)
  return withoutCount(bare === text ? bare : readLotCode(bare).lotCode)
}

/** A lot code has a digit; a date, a time and `Line 2` have one too, and words have none. */
const isLot = (part: string): boolean =>
  /^(?=.*\d).{2,60}$/.test(part) &&
  !elseThanLot.test(part) &&
  !/(?<![A-Za-zÀ-ÿ\d])[a-zà-ÿ]{3,}(?![A-Za-zÀ-ÿ\d])/.test(part)

const elseThanLot = new RegExp(
  `^(?:\\d{1,4}[-/.]\\d{1,2}(?:[-/.]\\d{1,4})?|\\d{1,2}[:h]\\d\\d(?::\\d\\d)?(?: ?[ap]m)?|${month} ?\\d{1,4}|\\d{4}-\\d\\d-\\d\\dt.*|` +
    `${numberedThing})$`,
  'i',
)

const areLong = (lots: readonly string[]): boolean => lots.every((lot) => lot.length >= 3)

/** Equal but for their letters and digits: `A12` and `B07`. */
const maskOf = (lot: string): string => lot.replaceAll(/[A-Za-z]/g, 'A').replaceAll(/\d/g, '9')
const haveOneMask = (lots: readonly string[]): boolean => new Set(lots.map(maskOf)).size === 1

/** The text before the first digit: the same letters, or in digits alone nothing. */
const beginningOf = (lot: string): string => /^\D*/.exec(lot)?.[0].toUpperCase() ?? ''
const beginAlike = (lots: readonly string[]): boolean =>
  new Set(lots.map(beginningOf)).size === 1 && (beginningOf(lots[0] ?? '') !== '' || haveOneMask(lots))

/**
 * Lots of about one length that begin with the same letters; or of five or more characters in one
 * form, of which the first half is the same.
 */
function areOfOneKind(lots: readonly string[]): boolean {
  const [first = ''] = lots
  const lengths = lots.map(({ length }) => length)
  if (/[a-z]/i.test(beginningOf(first)) && beginAlike(lots)) return Math.max(...lengths) - Math.min(...lengths) <= 1
  const half = first.slice(0, Math.floor(first.length / 2))
  return first.length >= 5 && haveOneMask(lots) && lots.every((lot) => lot.startsWith(half))
}

/** `101,102,103`: no number with thousands is meant. */
const areInSequence = (lots: readonly string[]): boolean =>
  lots.every((lot, i) => /^\d{2,}$/.test(lot) && (i === 0 || Number(lot) === Number(lots[i - 1]) + 1))

/** `1234/1235`, and not `2024/2025` or `12/13`. */
const isNoYear = (lot: string): boolean => /^(?!19|20)\d{4}/.test(lot)

/** `AB123/CD456`. */
const areLettersAndDigits = (lots: readonly string[]): boolean =>
  haveOneMask(lots) && /^(?=.{5})(?=.*[a-z])/i.test(lots[0] ?? '')

const ending = /^(.*[A-Za-z].*?|)(\d+)$/

/** `24131A, B` is 24131A and 24131B. */
const isNextLetter = (part: string, before: string): boolean =>
  /^[A-Za-z]$/.test(part) &&
  /\d.{2}.*[\d-][A-Za-z]$/.test(before) &&
  part.charCodeAt(0) === before.charCodeAt(before.length - 1) + 1

/** `L101, 102, 3` is L101, L102 and L103: digits alone end the code before them. */
function completed(part: string, before: string): string {
  if (isNextLetter(part, before)) return before.slice(0, -1) + part
  const [, stem = '', tail = ''] = ending.exec(before) ?? []
  if (stem === '' || !/^\d+$/.test(part) || part.length > tail.length) return part
  const end = tail.slice(0, tail.length - part.length) + part
  return Number(end) > Number(tail) ? stem + end : part
}

/** `L101/102`, and not `A-12/3` or `W12/26`: only the next number. */
function nextOf(part: string, before: string): string {
  if (isNextLetter(part, before)) return before.slice(0, -1) + part
  const [, stem = '', tail = ''] = ending.exec(before) ?? []
  const isNext =
    stem !== '' && /^\d{3,}$/.test(part) && part.length === tail.length && Number(part) === Number(tail) + 1
  return isNext ? stem + part : part
}

const pointsBetween: Joint = { between: /[_.]/, areLots: areOfOneKind }

/** `L1.L2` and `L1_L2`, and not `26.063.1`: nearly every code fails at the second beginning. */
function lotsBetweenPoints(written: string): readonly string[] {
  const at = written.search(pointsBetween.between)
  return at >= 0 && written.charAt(at + 1).toUpperCase() === written.charAt(0).toUpperCase()
    ? lotsAt(written, pointsBetween)
    : []
}

const strongest: Joint = {
  between: /[;|\r\n\t\v\f\u2028\u2029\u3001\u00b7\u2022\u30fb]+/,
  areLots: () => true,
  completes: completed,
  withLetters: true,
}

/** The strongest first: the parts of two lots with a comma are searched for weaker signs. */
const signs: readonly (Joint | 'range')[] = [
  strongest,
  {
    between: /,(?!\d)|(?<!\d),|\s(?:and|And|AND|und|UND|et|ET|plus|y|e|en|og|och|ve|и|و)\s|[和及与]|および|및/,
    areLots: (lots) => areLong(lots) || haveOneMask(lots) || beginAlike(lots),
    completes: completed,
  },
  {
    between: /[&+]|\s[/\\]+\s|\s(?:or|Or|OR|oder|ou|o)\s/,
    areLots: (lots) => areLong(lots) || beginAlike(lots),
    completes: completed,
  },
  { between: /,/, areLots: (lots) => areOfOneKind(lots) || areInSequence(lots), completes: completed },
  'range',
  {
    between: /[/\\]/,
    areLots: (lots) => areOfOneKind(lots) || areLettersAndDigits(lots) || (areInSequence(lots) && lots.every(isNoYear)),
    completes: nextOf,
  },
  { between: /\s*[\^>*:=@#!?]+\s*/, areLots: areOfOneKind },
  {
    between: /\s+/,
    areLots: (lots) =>
      areOfOneKind(lots) &&
      (beginningOf(lots[0] ?? '') !== '' || areInSequence(lots) || lots.every(({ length }) => length >= 6)),
  },
]

/** Signs between lots of letters alone, of which a tight slash needs long ones. */
const betweenLetters = /\s*[;,|&+\r\n\t]+\s*|\s+[/\\]\s+|\s(?:and|AND|or|OR|y|et|und|UND|oder|e)\s/
const slash = /[/\\]/
const lotOfLetters = /^(?:[A-Z]{2,20}|[A-Z][a-z]{2,19}|[a-z]{3,20})(?:[-_.][A-Za-z]{1,20})?$/

/** Words that describe goods or name a company. */
const describing =
  /^(?:organic|fresh|frozen|raw|washed|whole|cut|sliced|diced|chopped|mixed|conventional|natural|local|ripe|large|medium|small|jumbo|red|green|white|yellow|orange|black|purple|usa|inc|llc|ltd|co|corp|sons|bros|farms?)$/i

/** `ALPHA, BETA`: lots without digits, one word each; of one letter only with a label. */
function lotsOfLetters(written: string): readonly string[] {
  if (written.length > stringLengthMax || isPlaceholderLot(written)) return []
  const labelled = labelsAsSigns(written)
  const text = withoutWords(labelled)
  const parts = text.split(betweenLetters).filter(isGiven)
  const lots = parts.length > 1 ? parts : text.split(slash)
  const areLots =
    (lots.every((lot) => lotOfLetters.test(lot) && !describing.test(lot)) &&
      (lots.every(({ length }) => length >= 3) || (haveOneMask(lots) && parts.length > 1))) ||
    ((labelled !== written || pluralLabel.test(written)) && lots.every((lot) => /^[A-Z]$/.test(lot)))
  return areLots ? [...new Set(lots)] : []
}

/** Signs of a range, and between three or more lots. */
const dash = '(?:-+>?|[~\u2010-\u2015\u2192\u2212\u2026\u301c]|\\.{2,3})'
const dashes = new RegExp(dash, 'g')

function rangeOrChainIn(text: string): readonly string[] {
  const lots = rangeIn(text)
  return lots.length > 0 ? lots : chainIn(text)
}

/** `L1-L2-L3`: three lots or more, of which each begins like the first. */
function chainIn(text: string): readonly string[] {
  const parts = text.split(dashes).map((part) => part.trim())
  return parts.length > 2 && new Set(parts).size === parts.length && parts.every(isLot) && areOfOneKind(parts)
    ? parts
    : []
}

const throughWords = /\s(?:thru|through|up to|to|till|until|bis|hasta|al|à|a)\s/i

/** Both ends of a range are digits or letters: nearly every code with a dash fails here. */
const maybeRange = new RegExp(`\\d ?${dash}.*\\d$|[a-z] ?${dash}.*[a-z]$`, 'i')

/** Most dashes of a text that are tried: a range has few. */
const dashesMax = 10

/** `L1-L5`, `L1 thru L5`, `24131A – 24131C`: the lots from the first to the last. */
function rangeIn(text: string): readonly string[] {
  if (throughWords.test(text)) {
    const [first = '', last = '', ...others] = text.replace(fromWords, '').split(throughWords)
    return others.length > 0 ? [] : lotsFrom(partOf(first), partOf(last), 'words')
  }
  if (!maybeRange.test(text)) return []
  const found = [...text.matchAll(dashes)]
  if (found.length > dashesMax) return []
  for (const { 0: dash, index } of found) {
    const [before, behind] = [text.slice(0, index), text.slice(index + dash.length)]
    const isApart = / $/.test(before) && behind.startsWith(' ')
    const lots = lotsFrom(partOf(before.trimEnd()), partOf(behind.trimStart()), isApart ? 'a dash apart' : 'a dash')
    if (lots.length > 0) return lots
  }
  return []
}

/** The signs between the ends of a range: the stronger, the less alike they must be. */
type RangeSign = 'plural' | 'words' | 'a dash apart' | 'a dash'

function lotsFrom(first: string, last: string, sign: RangeSign): readonly string[] {
  const [, stem = '', from = ''] = /^(.*?)(\d+)$/.exec(first) ?? []
  const [, lastStem = '', to = ''] = /^(.*?)(\d+)$/.exec(last) ?? []
  if (from === '' || to === '') return lettersFrom(first, last)
  const inWords = sign === 'words' || sign === 'plural'
  // `L1 thru 5`, `L001-005`; `GV26063-14` is one code.
  const isShort =
    lastStem === '' && /[a-z]/i.test(stem) && (inWords ? to.length <= from.length : areEndsOfRange(from, to, sign))
  const end = isShort ? from.slice(0, from.length - to.length) + to : to
  if (!isShort && stem.toUpperCase() !== lastStem.toUpperCase()) return []
  const count = Number(end) - Number(from) + 1
  if (!(count > 1) || !Number.isSafeInteger(Number(end))) return []
  if (
    !/[a-z]/i.test(stem) &&
    !(inWords
      ? (first.length >= 3 || sign === 'plural') && haveOneMask([first, last])
      : stem === '' && count <= rangeLotsMax && areEndsOfRange(first, last, sign))
  )
    return []
  if (count > rangeLotsMax) return [first, stem + end]
  const width = from.length === end.length || from.startsWith('0') ? from.length : 0
  return Array.from({ length: count }, (_, i) => stem + String(Number(from) + i).padStart(width, '0'))
}

/**
 * `24131-24135`, `1001-1005`, `001 - 005`, and not `2026-2027` or `10-20`: as many digits, of which
 * the first half is the same; of three digits without blanks around the dash the first two.
 */
function areEndsOfRange(from: string, to: string, sign: RangeSign): boolean {
  const { length } = from
  const isApart = sign === 'a dash apart'
  if (length < 3 || length !== to.length || Number(to) <= Number(from)) return false
  if (length === 4 && ![from, to].every(isNoYear)) return false
  return to.startsWith(from.slice(0, length === 3 && !isApart ? 2 : Math.floor(length / 2)))
}

/** `24131A-24131C`. */
function lettersFrom(first: string, last: string): readonly string[] {
  const [, stem, from = ''] = /^(.*\d[-_. ]?)([A-Z])$/i.exec(first) ?? []
  const [, lastStem, to = ''] = /^(.*\d[-_. ]?)([A-Z])$/i.exec(last) ?? []
  const count = to.charCodeAt(0) - from.charCodeAt(0) + 1
  if (stem === undefined || stem !== lastStem || !(count > 1) || count > 26) return []
  return Array.from({ length: count }, (_, i) => stem + String.fromCharCode(from.charCodeAt(0) + i))
}
