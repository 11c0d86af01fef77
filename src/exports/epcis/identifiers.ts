// The URIs of an EPCIS export: GS1 Digital Links where a GS1 key is known, else URIs of our own. Source: decision 0032.
import { checkDigitOf, gs1LotPattern, isDigits } from '../../contract/identifiers.ts'

/** Nothing has to answer at this address: `.example` belongs to nobody (RFC 2606). It makes names that are nobody else's. */
const home = 'https://lotkeeper.example'

/** Prefix and namespace of everything EPCIS has no place for. */
export const namespace = { prefix: 'lotkeeper', uri: `${home}/epcis/` } as const

/** Percent-encoded but for letters, digits, `-`, `.`, `_` and `~`, so that it can stand in every part of a URI and in a URN. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const digitalLink = (path: string): string => `https://id.gs1.org/${path}`

/** True for as many digits as one of the lengths, the last of which is the GS1 check digit. */
const isGs1Key = (text: string, length: number): boolean =>
  isDigits(text, [length]) && checkDigitOf(text) === text.slice(-1)

export const isGln = (text: string): boolean => isGs1Key(text, 13)
export const isGtin = (text: string): boolean => isGs1Key(text, 14)
export const isSscc = (text: string): boolean => isGs1Key(text, 18)

/** False too for `.` and `..`: as a step of a path they mean another path, even percent-encoded. */
export const isGs1Lot = (text: string): boolean => gs1LotPattern.test(text) && !/^\.{1,2}$/.test(text)

export const locationLink = (gln: string): string => digitalLink(`414/${gln}`)
export const palletLink = (sscc: string): string => digitalLink(`00/${sscc}`)
export const classLink = (gtin: string, lot: string | undefined): string =>
  digitalLink(lot === undefined ? `01/${gtin}` : `01/${gtin}/10/${encoded(lot)}`)

/**
 * A URI of our own. Codes are unique within a vendor of a provider, so both stand in it. Kind and codes share one step of the
 * path, parted by colons, which in a code are encoded: so no two lists of codes are alike, and no step is `..`.
 */
export const ownUri = (
  provider: string,
  kind: 'party' | 'location' | 'class' | 'transaction',
  codes: readonly string[],
): string => `${home}/id/${provider}/${[kind, ...codes.map(encoded)].join(':')}`

/** A business document under the GLN of who numbered it: the form the GS1 vocabulary has for numbers of one's own systems. */
export const transactionOfGln = (gln: string, number: string): string =>
  `urn:epcglobal:cbv:bt:${gln}:${encoded(number)}`
