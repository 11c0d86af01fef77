// Reads a URI of EPCIS: GS1 Digital Links, EPC URNs and the URNs of GDST. Source: EPC Tag Data
// Standard 6, GS1 Digital Link URI Syntax; decision 0083.
import { codeTable } from '../contract/text/code-table.ts'
import { gtin14Of, readGs1Elements } from '../contract/text/gs1-text.ts'
import { withCheckDigit } from '../contract/text/identifiers.ts'
import { decodePercent } from '../contract/text/percent-encoding.ts'
import { lastPartOf } from './words.ts'

/** The received or shipped goods: an item, its lot if known, and its serial number. */
export interface Goods {
  /** As sent. */
  readonly uri: string
  /** 14 digits. */
  readonly gtin?: string | undefined
  /** The item in an identifier that is not of GS1. */
  readonly itemCode?: string | undefined
  readonly lotCode?: string | undefined
  readonly serial?: string | undefined
  /** SSCC, when it is a pallet or another logistic unit. */
  readonly sscc?: string | undefined
  /** The same item without lot and serial number, as master data name it. */
  readonly item: string
}

export interface PlaceName {
  readonly uri: string
  /** 13 digits. */
  readonly gln?: string | undefined
}

/** Parts of the URNs of the Tag Data Standard, by application identifier. */
function elementsOfUrn(uri: string): ReadonlyMap<string, string> | undefined {
  const [, scheme = '', rest = ''] = /^urn:epc:(?:id|idpat|class):([a-z]+):(.+)$/i.exec(uri) ?? []
  const [prefix = '', reference = '', ...last] = rest.split('.')
  const end = decodeSegment(last.join('.'))
  // A pattern has a star where an identifier has a value.
  const named = (ai: string) => (end === '' || end === '*' ? [] : [[ai, end] as const])
  if (!/^\d{6,12}$/.test(prefix) || !/^\d*$/.test(reference)) return undefined
  const isLong = (digits: number) => prefix.length + reference.length === digits
  const indicated = withCheckDigit(reference.slice(0, 1) + prefix + reference.slice(1))
  switch (scheme.toLowerCase()) {
    case 'sgtin':
      return isLong(13) ? new Map([['01', indicated], ...named('21')]) : undefined
    case 'lgtin':
      return isLong(13) ? new Map([['01', indicated], ...named('10')]) : undefined
    case 'sscc':
      return isLong(17) ? new Map([['00', indicated]]) : undefined
    case 'sgln':
    case 'pgln':
      return isLong(12) ? new Map([['414', withCheckDigit(prefix + reference)]]) : undefined
    case 'gdti':
      return isLong(12) ? new Map([['253', withCheckDigit(prefix + reference) + end]]) : undefined
    default:
      return undefined
  }
}

/** The application identifiers of an address that are read here. */
const linkNames: ReadonlyMap<string, string> = new Map([
  ...['00', '01', '10', '21', '414', '253'].map((ai) => [ai, ai] as const),
  // A party is known by its GLN as a place is.
  ['417', '414'],
  ['gtin', '01'],
  ['lot', '10'],
  ['ser', '21'],
  ['sscc', '00'],
  ['gln', '414'],
])

const keyDigits = codeTable<RegExp>({
  '00': /^\d{18}$/,
  '01': /^(\d{8}|\d{12,14})$/,
  '414': /^\d{13}$/,
  '253': /^\d{13}/,
})

/** Digital Links on any host and below any path, from the first key on. */
function elementsOfLink(uri: string): ReadonlyMap<string, string> | undefined {
  const [path = ''] = uri.split(/[?#]/, 1)
  const segments = path.split('/').slice(3)
  const nameAt = (i: number) => linkNames.get((segments[i] ?? '').toLowerCase())
  const from = segments.findIndex((_, i) => keyDigits[nameAt(i) ?? '']?.test(segments[i + 1] ?? ''))
  if (from < 0) return undefined
  const elements = new Map<string, string>()
  for (let i = from; i + 1 < segments.length; i += 2) {
    const name = nameAt(i)
    if (name !== undefined && !elements.has(name)) elements.set(name, decodeSegment(segments[i + 1] ?? ''))
  }
  return elements
}

const decodeSegment = (text: string): string => decodePercent(text) ?? text

function elementsOf(uri: string): ReadonlyMap<string, string> | undefined {
  if (/^urn:/i.test(uri)) return elementsOfUrn(uri)
  if (/^https?:/i.test(uri)) return elementsOfLink(uri)
  return uri.startsWith('(') ? readGs1Elements(uri) : undefined
}

/** `urn:gdst:example.org:product:lot:class:processor.2u.v1-0122`: company, item and lot. */
const gdstGoods = /^urn:gdst:([^:]+):product:(?:(lot|serial):(?:class|obj):(.+)\.([^.]+)|class:(.+))$/i

export function readGoods(uri: string): Goods {
  const elements = elementsOf(uri)
  const sscc = elements?.get('00')
  if (sscc !== undefined) return { uri, sscc, item: sscc }
  const gtin = gtin14Of(elements?.get('01') ?? '')
  if (gtin !== undefined) return { uri, gtin, lotCode: elements?.get('10'), serial: elements?.get('21'), item: gtin }
  const [, domain, form = '', item, last, bare] = gdstGoods.exec(uri) ?? []
  if (domain === undefined) return { uri, itemCode: uri, item: uri }
  const itemCode = item ?? bare ?? uri
  return {
    uri,
    itemCode,
    ...(form.toLowerCase() === 'lot' && { lotCode: last }),
    ...(form.toLowerCase() === 'serial' && { serial: last }),
    item: `urn:gdst:${domain}:product:class:${itemCode}`,
  }
}

export const readPlace = (uri: string): PlaceName => ({ uri, gln: elementsOf(uri)?.get('414') ?? glnIn(uri) })

/** Some write the number alone. */
const glnIn = (text: string): string | undefined => (/^\d{13}$/.test(text) ? text : undefined)

/** The code of a place without a GLN: the last part of a GDST URN, else the URI. */
export const codeOfPlace = ({ gln, uri }: PlaceName): string =>
  gln ?? /^urn:gdst:[^:]+:(?:location:loc|party):(.+)$/i.exec(uri)?.[1] ?? uri

/** The number of a business document: in most URIs the last part. */
export function numberOfDocument(uri: string): string {
  const gdti = elementsOf(uri)?.get('253')?.slice(13)
  if (gdti) return gdti
  return decodeSegment(lastPartOf(uri.endsWith('/') ? uri.slice(0, -1) : uri, ':/=#') || uri)
}

/** The key of master data of the header, the same for every form of a name. */
export const masterDataKey = (uri: string): string => {
  const elements = elementsOf(uri)
  const gtin = gtin14Of(elements?.get('01') ?? '')
  if (gtin !== undefined) return elements?.has('10') ? `${gtin} ${elements.get('10')}` : gtin
  return elements?.get('414') ?? uri
}
