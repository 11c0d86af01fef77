// One lot in every form in which senders write it: what every reader of lots has to find.
import fc from 'fast-check'
import { withCheckDigit } from '../../../src/contract/text/identifiers.ts'

/** GTINs of 14 digits, with their check digit. */
export const gtins = fc
  .integer({ min: 0, max: 9_999_999_999_999 })
  .map((n) => String(n).padStart(13, '0'))
  .map(withCheckDigit)

/**
 * Lot codes of up to 12 letters, digits, dashes, slashes and dots, which begin and end with a
 * letter or digit.
 */
export const gs1LotCodes = fc.stringMatching(/^[A-Z0-9](?:[A-Za-z0-9\-/.+%&]{0,10}[A-Za-z0-9])?$/)

/** `urn:epc:class:lgtin:` with a company prefix of 7 digits. */
const lgtinUrn = (gtin: string, lotCode: string) =>
  `urn:epc:class:lgtin:${gtin.slice(1, 8)}.${gtin[0]}${gtin.slice(8, 13)}.${encodeURIComponent(lotCode)}`

/** The forms that name item and lot, each with what it is called. */
export const gs1Forms = (gtin: string, lotCode: string): readonly (readonly [form: string, written: string])[] => [
  ['element string', `(01)${gtin}(10)${lotCode}`],
  ['element string with blanks and dates', ` (01) ${gtin} (17)260320 (10) ${lotCode} (21)7`],
  ['element string with the lot first', `(10)${lotCode}(01)${gtin}`],
  ['scanned data', `01${gtin}10${lotCode}`],
  ['scanned data with symbology identifier', `]C101${gtin}10${lotCode}`],
  ['scanned data with FNC1', `]d2\u001d01${gtin}1726032010${lotCode}\u001d21ABC`],
  ['scanned data with FNC1 in words', `01${gtin}10${lotCode}<GS>21ABC`],
  ['scanned data with FNC1 in braces', `01${gtin}10${lotCode}{GS}21ABC`],
  ['Digital Link', `https://id.gs1.org/01/${gtin}/10/${encodeURIComponent(lotCode)}`],
  ['Digital Link of another host', `http://shop.example/p/01/${gtin}/10/${encodeURIComponent(lotCode)}/21/5?17=260320`],
  ['Digital Link with a query', `https://id.gs1.org/01/${gtin}?10=${encodeURIComponent(lotCode)}`],
  ['LGTIN URN', lgtinUrn(gtin, lotCode)],
  ...(/[+,;|]/.test(lotCode) ? [] : [['labels', `GTIN: ${gtin} + Lot: ${lotCode}`] as const]),
]

/**
 * Other writings of a lot code: equal to it only when folded, or the code itself where it has
 * nothing to change.
 */
export const otherWritings = (lotCode: string): readonly string[] => [
  lotCode.toLowerCase(),
  ` ${lotCode} `,
  [...lotCode].join(' '),
  [...lotCode].join('\u2013'),
  lotCode.replaceAll('-', ''),
  lotCode.replaceAll('-', '\u2010'),
  `LOT#${lotCode}`,
]
