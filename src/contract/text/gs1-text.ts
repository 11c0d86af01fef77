// GS1 texts that name an item and a lot: element strings, scanned data, Digital Link addresses,
// LGTIN URNs. Source: GS1 General Specifications 7.8, GS1 Digital Link URI Syntax, GS1 EPC Tag Data
// Standard 6.3 and 7.3. Each is read in one pass. A text in none of these forms is undefined, and
// its reader keeps it as it is.
import { hasRightCheckDigit, withCheckDigit } from './identifiers.ts'
import { decodePercent } from './percent-encoding.ts'

/** The identifiers in a GS1 text. */
export interface Gs1Lot {
  readonly form: 'elementString' | 'scanData' | 'digitalLink' | 'lgtinUrn'
  /**
   * AI 01 or 02, as 14 digits; absent where the text names a lot and no item, or an item that is no
   * GTIN.
   */
  readonly gtin?: string
  /** AI 10. */
  readonly lotCode: string
}

/**
 * A GTIN of 8, 12, 13 or 14 digits as 14: zeros in front change neither its meaning nor its check
 * digit.
 */
export const gtin14Of = (text: string): string | undefined =>
  /^(\d{8}|\d{12,14})$/.test(text) ? text.padStart(14, '0') : undefined

/** Without the mark of the barcode that some scanners put in front, such as `]C1`. */
const withoutSymbology = (written: string): string => written.trim().replace(/^\][A-Za-z]\d/, '')

const isAddress = (text: string): boolean => /^https?:\/\//i.test(text)

/** Reads a text that names a lot in one of the forms of GS1. */
export function readGs1Lot(written: string): Gs1Lot | undefined {
  const text = withoutSymbology(written)
  if (text.startsWith('(')) return lotOf('elementString', elementsInBrackets(text))
  if (isAddress(text)) return readDigitalLink(text)
  if (/^urn:/i.test(text)) return readLgtinUrn(text)
  return (
    readScanData(text) ?? (/\s/.test(text) ? readScanData(text.replaceAll(/\s/g, '')) : undefined) ?? readBareLink(text)
  )
}

/** Without a scheme, only a valid check digit shows that a text is a Digital Link. */
const readBareLink = (text: string): Gs1Lot | undefined =>
  /^[a-z\d-]+\.[a-z\d.-]+\//i.test(text) ? withRightGtin(readDigitalLink(`https://${text}`)) : undefined

/**
 * The elements of a text in one of the forms of GS1, by application identifier. In scanned data,
 * identifiers of three and four digits are under their first two. Undefined when the text has none
 * of the forms.
 */
export function readGs1Elements(written: string): ReadonlyMap<string, string> | undefined {
  const text = withoutSymbology(written)
  if (text.startsWith('(')) return elementsInBrackets(text)
  if (isAddress(text)) return elementsOfLink(text)
  return scannedElements(text.replaceAll(/\s/g, ''))
}

const lotOf = (form: Gs1Lot['form'], elements: ReadonlyMap<string, string> | undefined): Gs1Lot | undefined => {
  if (elements === undefined) return undefined
  const lotCode = elements.get('10')
  // A percent-encoded lot can be blank, or hold the one character that no database stores.
  if (lotCode === undefined || lotCode.trim() === '' || lotCode.includes('\u0000')) return undefined
  const item = elements.get('01') ?? elements.get('02')
  const gtin = item === undefined ? undefined : gtin14Of(item)
  return { form, ...(gtin !== undefined && { gtin }), lotCode }
}

/** A lot whose GTIN has a valid check digit, which few texts have by chance. */
const withRightGtin = (lot: Gs1Lot | undefined): Gs1Lot | undefined =>
  lot?.gtin !== undefined && hasRightCheckDigit(lot.gtin) ? lot : undefined

const separator = '\u001d'

/**
 * FNC1 as programs write it where they do not write the character itself: `<GS>`, `{FNC1}`, `[GS]`,
 * `\u001d`, `\x1d`, `␝`.
 */
const withSeparators = (text: string): string =>
  text.replaceAll(/[<{[](?:GS|FNC1)[>}\]]|\\u001d|\\x1d|\u241d/gi, separator)

/** Two to four digits in parentheses begin an element, also inside a lot code. */
function elementsInBrackets(text: string): ReadonlyMap<string, string> | undefined {
  const [before, ...parts] = withSeparators(text).split(/\((\d{2,4})\)/)
  if (before !== '') return undefined
  const elements = new Map<string, string>()
  for (let i = 0; i < parts.length; i += 2) {
    const ai = parts[i] ?? ''
    if (elements.has(ai)) return undefined
    const value = (parts[i + 1] ?? '').replaceAll(separator, '').trim()
    elements.set(ai, ai === '01' || ai === '02' ? value.replaceAll(/\s/g, '') : value)
  }
  return elements
}

/**
 * Digits of elements of fixed length, including the identifier, by its first two digits. All other
 * elements end at a separator.
 */
const fixedLengths: ReadonlyMap<string, number> = new Map([
  ['00', 20],
  ...['01', '02', '03'].map((ai) => [ai, 16] as const),
  ['04', 18],
  ...['11', '12', '13', '14', '15', '16', '17', '18', '19'].map((ai) => [ai, 8] as const),
  ['20', 4],
  ...['31', '32', '33', '34', '35', '36'].map((ai) => [ai, 10] as const),
  ['41', 16],
])

/** Scanned data begin with a digit, or with a separator in one of its writings. */
const scanBegins = /^[\d^<{[\\\p{Cc}\u241d]/u

/** Longest lot number a barcode holds: AI 10 is up to 20 characters. */
const scannedLotMax = 20

/**
 * Data as a scanner sends it, with FNC1 as the separator GS or as `^`, which no element can hold. A
 * valid GTIN is required, because many lot codes begin with digits.
 */
function readScanData(written: string): Gs1Lot | undefined {
  const read = withRightGtin(lotOf('scanData', scannedElements(written)))
  return read !== undefined && read.lotCode.length <= scannedLotMax ? read : undefined
}

/**
 * Values of AI 10 in texts that are in none of the forms: `[10]A1`, `(10)A1 (10)A2`, scanned data
 * with a mistyped GTIN or without one. A 10 in front of a code is not enough.
 */
export function lotsOfElements(text: string): readonly string[] {
  if (!text.includes('10')) return []
  const inBrackets = [...text.matchAll(/[([{<]10[)\]}>]([^()[\]{}<>]+)/g)].map(([, lot = '']) => lot.trim())
  if (inBrackets.length > 0) return inBrackets
  const elements = scannedElements(withoutSymbology(text).replaceAll(/\s/g, '').replaceAll(typedSeparator, separator))
  const lot = elements?.get('10')
  return lot === undefined || text.trim() === `10${lot}` ? [] : [lot]
}

/**
 * FNC1 as software for labels has it typed, before an identifier or at the end. A lot code may hold
 * these signs.
 */
const typedSeparator = /(?:>[;:])?>8(?=\d\d|$)|(?:~1|~d029|~029|_1|%1D|\^\]|\||#)(?=\d\d|$)/gi

/** Elements that name an item or its lot. Each may occur only once. */
const lotElements: ReadonlySet<string> = new Set(['01', '02', '10'])

function scannedElements(written: string): ReadonlyMap<string, string> | undefined {
  if (!scanBegins.test(written)) return undefined
  const text = withSeparators(written).replaceAll('^', separator)
  const elements = new Map<string, string>()
  for (let at = 0; at < text.length; ) {
    if (text[at] === separator) {
      at++
      continue
    }
    const ai = text.slice(at, at + 2)
    const fixed = fixedLengths.get(ai)
    const next = fixed === undefined ? text.indexOf(separator, at) : at + fixed
    const end = next < 0 ? text.length : next
    const value = text.slice(at + 2, end)
    if (!/^\d\d$/.test(ai) || (lotElements.has(ai) && elements.has(ai)) || end > text.length) return undefined
    if (fixed !== undefined && !/^\d+$/.test(value)) return undefined
    elements.set(ai, value)
    at = end
  }
  return elements
}

/** Names in a Digital Link: of the item, the lot and its dates. */
const linkNames: ReadonlyMap<string, string> = new Map([
  ...['01', '10', '11', '13', '15', '16', '17', '7007'].map((ai) => [ai, ai] as const),
  ['gtin', '01'],
  ['lot', '10'],
])

/**
 * `https://id.gs1.org/01/10614141000415/10/GV26063-A`, on any host and below any path; the lot code
 * percent-encoded. Some write the lot, or the item too, into the query: the path comes first.
 */
const readDigitalLink = (text: string): Gs1Lot | undefined => lotOf('digitalLink', elementsOfLink(text))

function elementsOfLink(text: string): ReadonlyMap<string, string> | undefined {
  const [address = ''] = text.split('#', 1)
  const [path = '', ...queries] = address.split('?')
  const segments = path.split('/').slice(3)
  const elements = new Map<string, string>()
  const keep = (name: string, value: string) => {
    const key = linkNames.get(name.toLowerCase())
    if (key === undefined || elements.has(key)) return
    if (key !== '01' || gtin14Of(value) !== undefined) elements.set(key, decodeSegment(value))
  }
  const from = segments.findIndex(
    (segment, i) => linkNames.get(segment.toLowerCase()) === '01' && gtin14Of(segments[i + 1] ?? '') !== undefined,
  )
  if (from >= 0) for (let i = from; i < segments.length; i += 2) keep(segments[i] ?? '', segments[i + 1] ?? '')
  for (const part of queries.join('?').split('&')) {
    const [name = '', ...value] = part.split('=')
    keep(name, value.join('='))
  }
  return elements.has('01') ? elements : undefined
}

/** Text with a fault in it stays as it is. */
const decodeSegment = (segment: string): string => decodePercent(segment) ?? segment

/**
 * `urn:epc:class:lgtin:0614141.100041.GV26063-A`: company prefix, then indicator and item
 * reference, then the lot. The indicator is the first digit of the GTIN, and the check digit is
 * made.
 */
function readLgtinUrn(text: string): Gs1Lot | undefined {
  const [, prefix = '', item = '', lot = ''] =
    /^urn:epc:(?:class|id):lgtin:(\d{6,12})\.(\d{1,7})\.([^\s]+)$/i.exec(text) ?? []
  if (prefix.length + item.length !== 13) return undefined
  const digits = `${item.slice(0, 1)}${prefix}${item.slice(1)}`
  const elements = [
    ['01', withCheckDigit(digits)],
    ['10', decodeSegment(lot)],
  ] as const
  return lotOf('lgtinUrn', new Map(elements))
}
