// How EPCIS writes names and words in JSON-LD: bare, as a CURIE, as a full URI or as a URN. Source:
// decision 0083; CBV 2.0, 7 and 8.
import { pointerStep } from '../contract/shape/finding.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** A value and its place in the document as sent. */
export interface Found {
  readonly value: unknown
  readonly pointer: string
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const spellingsOf = (name: string): readonly string[] =>
  name === 'id' || name === 'type' ? [name, `@${name}`] : [name, `epcis:${name}`, `https://ref.gs1.org/epcis/${name}`]

/** A member of an object by its name in EPCIS. */
export function memberOf({ value, pointer }: Found, name: string): Found | undefined {
  if (!isObject(value)) return undefined
  for (const spelling of spellingsOf(name))
    if (Object.hasOwn(value, spelling) && value[spelling] != null)
      return { value: value[spelling], pointer: pointer + pointerStep(spelling) }
  return undefined
}

/** `epcis:action`, `@id` and `action`, `id` are one name; names of others keep their prefix. */
export const plainName = (key: string): string => key.replace(/^(?:@|epcis:|https:\/\/ref\.gs1\.org\/epcis\/)/, '')

/** The entries of a list. JSON-LD may write a list of one as its only entry. */
export function entriesOf(found: Found | undefined): readonly Found[] {
  if (found === undefined) return []
  const { value, pointer } = found
  if (Array.isArray(value)) return value.map((entry, i) => ({ value: entry, pointer: `${pointer}/${i}` }))
  if (isObject(value) && Array.isArray(value['@list']))
    return entriesOf({ value: value['@list'], pointer: `${pointer}/@list` })
  return [found]
}

/** The text of a value: written as text, or as an object with an id or a value. */
export function textOf(found: Found | undefined): string | undefined {
  if (found === undefined) return undefined
  const { value } = found
  if (typeof value === 'number') return String(value)
  const written = isObject(value) ? (value.id ?? value['@id'] ?? value['@value']) : value
  const text = typeof written === 'string' ? written.trim() : ''
  return text === '' ? undefined : shortened(text)
}

/** Longest text that is read in full. No field takes a tenth of it. */
const textLengthMax = 1_000

/**
 * A long text without its middle: a text of the header can be in the records of all events, which
 * would be many times as large as the document.
 */
const shortened = (text: string): string =>
  text.length > textLengthMax ? `${text.slice(0, textLengthMax / 2)}…${text.slice(-textLengthMax / 2)}` : text

/**
 * A word of the Core Business Vocabulary as JSON-LD writes it bare: `receiving` for
 * `urn:epcglobal:cbv:bizstep:receiving`, `cbv:BizStep-receiving` and
 * `https://ref.gs1.org/cbv/BizStep-receiving`. Any other text stays as it is.
 */
export const wordOf = (text: string): string =>
  /^urn:epcglobal:cbv:(?:bizstep|disp|btt|sdt|er):(\w+)$/i.exec(text)?.[1] ??
  /(?:^|[/#:])(?:BizStep|Disp|BTT|SDT|ER)-(\w+)$/.exec(text)?.[1] ??
  text

/** The text after the last of these characters; the whole text without one. */
export const lastPartOf = (text: string, dividers: string): string =>
  text.slice(Math.max(...[...dividers].map((divider) => text.lastIndexOf(divider))) + 1)

/** The name without prefix: `lotNumber` of `cbvmda:lotNumber` and of `…:cbv:mda#lotNumber`. */
export const localNameOf = (name: string): string => lastPartOf(name, ':#/')
