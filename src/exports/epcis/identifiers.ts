// The URIs of an EPCIS export: GS1 Digital Links where a GS1 key is known, else URIs of our own.
// Source: decision 0032.
import { gs1LotPattern, hasRightCheckDigit, isDigits } from '../../contract/text/identifiers.ts'

/**
 * The namespace of the prefix. `base` is the address under which the operator creates names:
 * `IDENTIFIER_BASE`, without a trailing slash.
 */
export const namespaceOf = (base: string): string => `${base}/epcis/`

/** The beginning of a provider's own URIs. Nothing has to answer there. */
export const providerUri = (base: string, provider: string): string => `${base}/id/${provider}`

/**
 * Percent-encoded except letters, digits, `-`, `.`, `_` and `~`, so that it is valid in every part
 * of a URI and in a URN.
 */
const encodeCode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const digitalLink = (path: string): string => `https://id.gs1.org/${path}`

/** True for digits of one of these lengths that end with their GS1 check digit. */
const isGs1Key = (text: string, length: number): boolean => isDigits(text, [length]) && hasRightCheckDigit(text)

export const isGln = (text: string): boolean => isGs1Key(text, 13)
export const isGtin = (text: string): boolean => isGs1Key(text, 14)
export const isSscc = (text: string): boolean => isGs1Key(text, 18)

/**
 * Also false for `.` and `..`: as a segment of a path they mean another path, even percent-encoded.
 */
export const isGs1Lot = (text: string): boolean => gs1LotPattern.test(text) && !/^\.{1,2}$/.test(text)

export const locationLink = (gln: string): string => digitalLink(`414/${gln}`)
export const palletLink = (sscc: string): string => digitalLink(`00/${sscc}`)
export const classLink = (gtin: string, lot: string | undefined): string =>
  digitalLink(lot === undefined ? `01/${gtin}` : `01/${gtin}/10/${encodeCode(lot)}`)

/**
 * A URI below `providerUri`. Codes are unique within a vendor of a provider, so it contains both.
 * Kind and codes share one path segment, separated by colons, which are encoded within a code. So
 * no two lists of codes give the same segment, and none is `..`.
 */
export const ownUri = (
  root: string,
  kind: 'party' | 'location' | 'class' | 'transaction' | 'transformation',
  codes: readonly string[],
): string => `${root}/${[kind, ...codes.map(encodeCode)].join(':')}`

/**
 * A business document under the GLN of its issuer: the form of the GS1 vocabulary for numbers of
 * private systems.
 */
export const transactionOfGln = (gln: string, number: string): string =>
  `urn:epcglobal:cbv:bt:${gln}:${encodeCode(number)}`
