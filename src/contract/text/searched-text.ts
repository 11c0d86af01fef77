// Text as a search compares it: without case, accents and signs; and its grams, by which an index
// finds the text that has a part in it (decision 0064).

/** Letters that no decomposition turns into plain ones. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ Æ: 'AE', Œ: 'OE', Ø: 'O', Ł: 'L', Đ: 'D', Ð: 'D', Þ: 'TH', ẞ: 'SS', ı: 'I' },
}
const isPlain = /^[\x20-\x7e]*$/

/** The words of a text: `Kühlhaus Nr. 7` is `KUHLHAUS NR 7`. */
export function foldWords(text: string): string {
  if (isPlain.test(text))
    return text
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]+/g, ' ')
      .trim()
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .normalize('NFC')
    .toUpperCase()
    .replaceAll(/[ÆŒØŁĐÐÞẞı]/g, (letter) => plainLetters[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** A code without its signs: `GV-26330-D` is `GV26330D`. */
export const foldCode = (text: string): string => foldWords(text).replaceAll(' ', '')

const asciiGram = 4
const otherGram = 2
const runs = /[\x21-\x7e]+|[^\x20-\x7e]+/g
const isAscii = (run: string): boolean => run < '\x7f'
/** Where the letters of a code end and its digits begin, or the other way round. */
const turns = /(?<=[A-Z])(?=\d)|(?<=\d)(?=[A-Z])| /

/** The edges of a word are grams of their own, so that three of its characters are found there. */
function addEdges(run: string, grams: Set<string>): void {
  const size = isAscii(run) ? asciiGram : otherGram
  grams.add(` ${run}`.slice(0, size))
  if (isAscii(run) && run.length >= asciiGram - 1) grams.add(`${run.slice(1 - asciiGram)} `)
}

function addInner(run: string, grams: Set<string>): void {
  const size = isAscii(run) ? asciiGram : otherGram
  for (let i = 0; i + size <= run.length; i++) grams.add(run.slice(i, i + size))
}

/** Adds the grams of a folded text: of words, or of a code with the words it was folded from. */
export function addGramsOf(folded: string, words: string, grams: Set<string>): void {
  for (const [run] of folded.matchAll(runs)) {
    addInner(run, grams)
    addEdges(run, grams)
  }
  if (words !== folded || !words.includes(' '))
    for (const part of words.split(turns)) for (const [run] of part.matchAll(runs)) addEdges(run, grams)
}

/** What is looked for: text that has all of these parts, and the grams that such a text has. */
export interface Wanted {
  readonly parts: readonly string[]
  readonly grams: readonly string[]
}

/** Words that people put before a number, and that the number itself may not have. */
const labels = new Set(
  'PO P O PURCHASE ORDER BOL B BL BILL OF LADING ASN SHIP NOTICE LOT BATCH TLC SSCC PALLET LPN GTIN UPC GLN DUNS ITEM SKU NO NR NUMBER VENDOR'.split(
    ' ',
  ),
)

/**
 * What may be meant by a text, the nearest first: the text as one code, the number without the
 * words before it, its digits alone and without the zeros in front, all of its words, and these
 * as they may be written in the record.
 */
export function wantedBy(text: string): readonly Wanted[] {
  const words = foldWords(text).split(' ').filter(Boolean)
  const rest = words.filter((word, i) => !labels.has(word) || words.slice(0, i).some((before) => !labels.has(before)))
  const code = rest.join('')
  const digits = /^[A-Z]{0,4}0*([1-9]\d{3,})$/.exec(code)?.[1] ?? /^0*([1-9]\d{2,})$/.exec(code)?.[1]
  const meant = new Map<string, Wanted>()
  const others = words.flatMap(otherSpelling)
  for (const parts of [[words.join('')], [code], digits === undefined ? [] : [digits], words, others])
    for (const grams of parts.length === 0 ? [] : gramsOfParts(parts)) {
      const key = `${parts.join(' ')}\n${grams.join('\n')}`
      if (!meant.has(key)) meant.set(key, { parts, grams })
    }
  return [...meant.values()]
}

/** Another spelling of a word: MULLER for MUELLER, CUCUMBER for CUCUMBERS, PIER 45 for PIER45. */
const otherSpelling = (word: string): readonly string[] =>
  /^[A-Z]{5,}$/.test(word)
    ? [word.replaceAll(/([AOU])E(?=[^AEIOU])/g, '$1').replace(/(?<!S)S$/, '')]
    : (/^([A-Z]{4,})(\d+)$/.exec(word)?.slice(1) ?? [word])

/**
 * True of a folded text with all of these parts. One of several that is shorter than the edges of
 * words begins a word: the S of ASN-S is not that of ASN-R.
 */
export const hasParts = (folded: string, parts: readonly string[]): boolean =>
  parts.every((part) =>
    parts.length > 1 && isAscii(part) && part.length < asciiGram - 1
      ? ` ${folded}`.includes(` ${part}`)
      : folded.includes(part),
  )

/** The grams that a text with these parts has; short parts give alternatives, or none. */
function gramsOfParts(parts: readonly string[]): readonly (readonly string[])[] {
  const grams = new Set<string>()
  const short: string[] = []
  for (const part of parts)
    for (const [run] of part.matchAll(runs)) {
      if (run.length >= (isAscii(run) ? asciiGram : otherGram)) addInner(run, grams)
      else if (run.length === (isAscii(run) ? asciiGram : otherGram) - 1) short.push(run)
    }
  if (grams.size > 0) return [[...grams]]
  return short.flatMap((run) => (isAscii(run) ? [[` ${run}`], [`${run} `]] : [[` ${run}`]]))
}

/** A gram as a number: of a provider, so that a look at the index reads no other's. */
export function gramNumber(provider: string, gram: string): number {
  let hash = 0x811c9dc5
  const text = provider + gram
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}
