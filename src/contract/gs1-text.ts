// GS1 texts that name an item and a lot: element strings, scanned data, Digital Link addresses. Source: GS1 General
// Specifications 7.8, GS1 Digital Link URI Syntax. Read in one pass; what cannot be read is undefined and stays the text it was.
import { checkDigitOf } from './identifiers.ts'

/** What a GS1 text names. */
export interface Gs1Lot {
  readonly form: 'elementString' | 'scanData' | 'digitalLink'
  /** AI 01 or 02, as 14 digits; absent where the text names a lot and no item. */
  readonly gtin?: string
  /** AI 10. */
  readonly lotCode: string
}

/** A GTIN of 8, 12, 13 or 14 digits as 14: zeros in front change neither what it names nor its check digit. */
export const gtin14Of = (text: string): string | undefined =>
  /^(\d{8}|\d{12,14})$/.test(text) ? text.padStart(14, '0') : undefined

/** As it is printed below a barcode, and as many store it for a lot code: `(01)10614141000415(10)GV26063-A`. */
export const elementStringOf = (gtin: string, lotCode: string): string => `(01)${gtin}(10)${lotCode}`

/** Reads a text that names a lot in one of the forms of GS1. */
export function readGs1Lot(text: string): Gs1Lot | undefined {
  const trimmed = text.trim()
  if (trimmed.startsWith('(')) return readElementString(trimmed)
  if (/^https?:\/\//i.test(trimmed)) return readDigitalLink(trimmed)
  return readScanData(trimmed)
}

const lotOf = (form: Gs1Lot['form'], elements: ReadonlyMap<string, string>): Gs1Lot | undefined => {
  const lotCode = elements.get('10')
  if (lotCode === undefined || lotCode === '') return undefined
  const item = elements.get('01') ?? elements.get('02')
  const gtin = item === undefined ? undefined : gtin14Of(item)
  if (item !== undefined && gtin === undefined) return undefined
  return { form, ...(gtin !== undefined && { gtin }), lotCode }
}

/** Two to four digits in parentheses begin an element: a lot code that holds such itself cannot be told from two elements. */
function readElementString(text: string): Gs1Lot | undefined {
  const [before, ...parts] = text.split(/\((\d{2,4})\)/)
  if (before !== '') return undefined
  const elements = new Map<string, string>()
  for (let i = 0; i < parts.length; i += 2) {
    const ai = parts[i] ?? ''
    if (elements.has(ai)) return undefined
    elements.set(ai, (parts[i + 1] ?? '').trim())
  }
  return lotOf('elementString', elements)
}

const separator = '\u001d'

/** Digits an element takes in all, with its identifier, by the first two of them; all others end at a separator. */
const fixedLengths: ReadonlyMap<string, number> = new Map([
  ['00', 20],
  ...['01', '02', '03'].map((ai) => [ai, 16] as const),
  ['04', 18],
  ...['11', '12', '13', '14', '15', '16', '17', '18', '19'].map((ai) => [ai, 8] as const),
  ['20', 4],
  ...['31', '32', '33', '34', '35', '36'].map((ai) => [ai, 10] as const),
  ['41', 16],
])

/** Longest lot number a barcode holds: AI 10 is up to 20 characters. */
const scannedLotMax = 20

/**
 * Data as a scanner sends it, with or without a symbology identifier, FNC1 as the separator GS. Taken for such only with a
 * GTIN whose check digit is right: many a lot code begins with digits.
 */
function readScanData(text: string): Gs1Lot | undefined {
  const elements = new Map<string, string>()
  for (let at = /^\][A-Za-z]\d/.test(text) ? 3 : 0; at < text.length; ) {
    if (text[at] === separator) {
      at++
      continue
    }
    const ai = text.slice(at, at + 2)
    const fixed = fixedLengths.get(ai)
    const next = fixed === undefined ? text.indexOf(separator, at) : at + fixed
    const end = next < 0 ? text.length : next
    const value = text.slice(at + 2, end)
    if (!/^\d\d$/.test(ai) || elements.has(ai) || end > text.length) return undefined
    if (fixed !== undefined && !/^\d+$/.test(value)) return undefined
    // Identifiers of three and four digits stand under their first two; only those of two digits are looked for.
    if (fixed === undefined ? ai === '10' : ai === '01' || ai === '02') elements.set(ai, value)
    at = end
  }
  const read = lotOf('scanData', elements)
  return read?.gtin !== undefined && read.lotCode.length <= scannedLotMax && read.gtin.endsWith(checkDigitOf(read.gtin))
    ? read
    : undefined
}

/** `https://id.gs1.org/01/10614141000415/10/GV26063-A`, on any host and below any path; the lot code percent-encoded. */
function readDigitalLink(text: string): Gs1Lot | undefined {
  const [path = ''] = text.split(/[?#]/, 1)
  const segments = path.split('/').slice(3)
  const from = segments.findIndex((segment, i) => ['01', 'gtin'].includes(segment) && gtin14Of(segments[i + 1] ?? ''))
  if (from < 0) return undefined
  const elements = new Map<string, string>([['01', segments[from + 1] ?? '']])
  for (let i = from + 2; i < segments.length; i += 2)
    if (['10', 'lot'].includes(segments[i] ?? '')) elements.set('10', decoded(segments[i + 1] ?? ''))
  return lotOf('digitalLink', elements)
}

/** Percent-encoding resolved; text that is not encoded rightly is taken as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
