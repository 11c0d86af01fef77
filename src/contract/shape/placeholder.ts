// Texts that fill a field and say nothing: "n/a", "TBD", "see paperwork", 0000. The whole text
// counts, never a part of it: "NA-2291" is a lot code and "None Such Farm" is a name.
// Source: decision 0051.
import { isGiven } from './field.ts'

const splitList = (texts: string): ReadonlySet<string> => new Set(texts.split(',').map((text) => text.trim()))

/**
 * Whole texts, in lower case and without dots. The last line is for vendors in Mexico and Central
 * America.
 */
const words = splitList(`
  na, n/a, not applicable, not available, not avail, unavailable, nil, none, null, undefined, unk, unkn, unknown, not known,
  not provided, not given, not stated, not specified, unspecified, not recorded, not supplied, not assigned, unassigned,
  not listed, not on file, not found, missing, blank, empty, none given, none provided, none listed, no data, no info,
  no information, no value, no lot, no lot code, no lot number, no lot no, no code, no number, unknown lot, lot unknown,
  tbd, tba, tbc, to be determined, to be decided, to be announced, to be advised, to be confirmed, to be provided, to follow,
  pending, placeholder, dummy, ditto, same as above, as above, attached, as attached, on file, on request, upon request,
  no aplica, no disponible, desconocido, ninguno, pendiente, sin lote, sin dato, sin datos, s/n, s/l`)

/** Places that a text beginning with "see" refers to. */
const pointedTo = splitList(`
  above, asn, attached, attachment, attachments, below, bill, bol, box, carton, case, cases, comment, comments, doc, docs,
  document, documents, file, invoice, label, labels, note, notes, packaging, packing, pallet, paper, papers, paperwork, po,
  purchase, reference, remarks, sheet, shipping, supplier, tag, vendor`)

/** Longest text that can be a placeholder. */
const placeholderLengthMax = 60

/** A word with a blank behind it, at the beginning. */
const firstOfSeveral = /^[A-Za-z]+ /

/** Beginnings of placeholders of several words. A blank may precede a slash: `n / a`. */
const beginnings: ReadonlySet<string> = new Set(['see', ...[...words].map((text) => text.split(/[ /]/)[0] ?? '')])

/**
 * The text of a spreadsheet for a missing value. NaN of a program only as spelled so: Nan is a
 * province of Thailand.
 */
const errorOfSpreadsheet = /^(#REF!|#VALUE!|#NAME\?|#NULL!|#NUM!|#DIV\/0!)$/

/**
 * True when the whole text stands for no value: a word such as "unknown" or "n/a", marks without
 * letters or digits, or only x.
 */
export function isPlaceholder(text: string): boolean {
  if (text.length > placeholderLengthMax) return false
  if (text.startsWith('#') && errorOfSpreadsheet.test(text)) return true
  // Rejects nearly every code (it has a digit), unit (one word) and name (another first word)
  // early.
  if (/\d/.test(text)) return /see/i.test(text) && pointsElsewhere(withoutMarks(text))
  if (/^[A-Za-z]+$/.test(text)) return text === 'NaN' || isPlaceholderPart(text.toLowerCase())
  if (firstOfSeveral.test(text)) {
    const first = text.slice(0, text.indexOf(' '))
    if (!beginnings.has(first.toLowerCase()) && !/^x+$/i.test(first)) return false
  }
  const whole = withoutMarks(text)
  if (whole === '') return !/\p{So}/u.test(text)
  return whole.split(/[-–—,;:()]/).every((part) => isPlaceholderPart(part.trim()))
}

/**
 * The same for a code or number: also digits that are all zero, and four or more digits that are
 * all equal.
 */
export const isPlaceholderCode = (code: string): boolean => hasEqualDigits(code) || isPlaceholder(code)

/** True when a field has a meaning: it is neither absent nor blank nor a placeholder. */
export const isStated = (text: string | undefined): text is string => isGiven(text) && !isPlaceholder(text)

/** The same for a field that holds a code or number. */
export const isStatedCode = (code: string | undefined): code is string => isGiven(code) && !isPlaceholderCode(code)

/**
 * The same for a postal code or phone number: only zeros say nothing, for 44444 is Newton Falls in
 * Ohio.
 */
export const isStatedNumber = (number: string | undefined): number is string =>
  isStated(number) && !/^0+$/.test(bareDigits(number))

/**
 * The days at which the calendars of programs begin and end, `yyyy-MM-dd`: programs write them for
 * an empty date.
 */
const endsOfCalendars = splitList(`
  0001-01-01, 1753-01-01, 1899-12-30, 1899-12-31, 1900-01-01, 1900-01-02, 1904-01-01, 1970-01-01,
  2999-12-31, 9999-01-01, 9999-12-31`)

/** True for a date, `yyyy-MM-dd`, that stands for no date. */
export const isPlaceholderDate = (date: string): boolean => endsOfCalendars.has(date)

/** The same for a part of a text without its marks: it is empty, or has no meaning. */
export const isPlaceholderPart = (text: string): boolean =>
  text === '' || words.has(text) || /^x+$/.test(text) || pointsElsewhere(text)

function pointsElsewhere(text: string): boolean {
  if (!text.startsWith('see ')) return false
  const [, first = '', second = ''] = text.split(/[^\p{L}]/u)
  return pointedTo.has(first) || (['the', 'our', 'your'].includes(first) && pointedTo.has(second))
}

/**
 * In lower case, from the first letter or digit to the last, each blank one blank, no dots, no
 * blanks around a slash.
 */
export function withoutMarks(text: string): string {
  const lower = text.normalize('NFKC').toLowerCase()
  const [inner = ''] = /[\p{L}\p{N}](.*[\p{L}\p{N}])?/su.exec(lower) ?? []
  return inner
    .replaceAll('.', '')
    .split(/[/\\]/)
    .map((part) => part.split(/\s/).filter(Boolean).join(' '))
    .join('/')
}

/**
 * 11 November, and the days 222 and 333 of a year: four equal digits that lot codes made of dates
 * really have.
 */
const datesOfEqualDigits = splitList('1111, 2222, 3333')

const bareDigits = (code: string): string => code.replace(/[\s./+()-]/g, '')

const separators = ' \t./+()-'

/**
 * True for digits that are all zero, and for four or more that are all equal. The second character
 * decides for nearly every code.
 */
export function hasEqualDigits(code: string): boolean {
  let first = ''
  let count = 0
  for (const character of code) {
    if (separators.includes(character)) continue
    if (character < '0' || character > '9' || (count > 0 && character !== first)) return false
    first = character
    count++
  }
  return count > 0 && (first === '0' || (count >= 4 && !datesOfEqualDigits.has(first.repeat(count))))
}
