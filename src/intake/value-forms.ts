// Whether the values of a column look like those of a field: a GLN has 13 digits and a check digit,
// a date is a date. A fitting field is proposed; nothing is refused here.
import { digitCounts, hasRightCheckDigit, isDigits } from '../contract/text/identifiers.ts'
import { quantityIn } from './quantity-with-unit.ts'
import type { Column } from './template.ts'
import { readWrittenDate } from './written-date.ts'

/** `value` is trimmed and not empty. */
type Form = (value: string) => boolean

const hasLetter: Form = (value) => /\p{L}/u.test(value)
const isWeb: Form = (value) => /^(?:https?:\/\/|www\.)|^[\w-]+(?:\.[\w-]+)+\/\S*$/i.test(value)
const isNumber: Form = (value) => /^[+-]?[\d.,\s]*\d(?:e[+-]?\d+)?$/i.test(value)

/** A number is a day only within this century: 40 is none, though a spreadsheet would say so. */
const isDay: Form = (value) => {
  if (/^\d{1,2}:\d{2}/.test(value)) return false
  return (['mdy', 'dmy'] as const).some((order) => {
    const read = readWrittenDate(value, order)
    return !('problem' in read) && /^20\d\d/.test(read.date)
  })
}
/** A date of digits alone may as well be a code. */
const isDateOnly: Form = (value) => /\D/.test(value) && isDay(value)

/** Names of kinds of numbers and documents, which stand beside the number itself. */
const isKindOfNumber: Form = (value) =>
  /^(?:gln|gtin|duns|ffrn|fei|ggn|url|sscc|upc|web ?(?:link|address)|fda(?: food)?(?: facility)? reg\w*\.?(?: number| no\.?)?|(?:bol|po|asn|invoice|(?:advanced? )?ship(?:ping|ment)? not\w+|bill of lading|purchase order|packing list|work order)(?: (?:number|#))?(?: \((?:bol|po|asn)\))?)$/i.test(
    value,
  )

const digitsOf =
  (...lengths: readonly number[]): Form =>
  (value) =>
    isDigits(value, lengths)

/** The same, of which the last is the check digit. */
const checkedDigitsOf =
  (...lengths: readonly number[]): Form =>
  (value) =>
    isDigits(value, lengths) && hasRightCheckDigit(value)

/** A code of letters and digits, and no sentence. */
const isCode: Form = (value) =>
  value.length <= 60 && value.split(/\s+/).length <= 4 && !isDateOnly(value) && !isWeb(value) && !isKindOfNumber(value)
const isText: Form = (value) => hasLetter(value) && !isWeb(value) && !isDateOnly(value) && !isKindOfNumber(value)
const isUnit: Form = (value) => /^\p{L}[\p{L}. /-]{0,24}$/u.test(value)
/** A code of a place or item: no spaces, or digits in it. */
const isShortCode: Form = (value) => isCode(value) && (!/\s/.test(value) || /\d/.test(value)) && !isGln(value)

/** "[ROM-24] Romaine hearts" has the code of an item and its name. */
const isItemCode: Form = (value) => isShortCode(value) && !value.startsWith('[')

const isGln = checkedDigitsOf(...digitCounts.gln)
/** A spreadsheet removes zeros in front, and the check digit stays the same. */
const isGlnOfSheet: Form = (value) => isGln(value) || checkedDigitsOf(9, 10, 11, 12)(value)
const isPhone: Form = (value) =>
  /^[+(]?[\d\s().+/-]{6,}(?:(?:x|ext\.?)\s*\d+)?$/i.test(value) &&
  !isGln(value) &&
  value.replaceAll(/\D/g, '').length >= 7
const isPostalCode: Form = (value) => /\d/.test(value) && /^[a-z\d][a-z\d -]{2,9}$/i.test(value)
const isState: Form = (value) => /^\p{L}[\p{L} .'-]{1,29}$/u.test(value)
const isTown: Form = (value) => /^\p{L}[^\d@]{1,59}$/u.test(value) && !isWeb(value)
const isReferenceDocument: Form = (value) => isCode(value) || isText(value)

/** By the last name of a field. */
const forms: Readonly<Record<string, Form>> = {
  gln: isGlnOfSheet,
  tlcSourceReferenceGln: isGlnOfSheet,
  gtin: checkedDigitsOf(...digitCounts.gtin),
  caseGtin: checkedDigitsOf(...digitCounts.caseGtin),
  itemUpc: checkedDigitsOf(...digitCounts.itemUpc),
  palletId: checkedDigitsOf(...digitCounts.palletId),
  duns: (value) => digitsOf(...digitCounts.duns)(value.replaceAll('-', '')),
  tlcSourceReferenceDuns: (value) => digitsOf(...digitCounts.duns)(value.replaceAll('-', '')),
  tlcSourceReferenceFfrn: digitsOf(11),
  tlcSourceReferenceFei: digitsOf(7, 10),
  tlcSourceReferenceUrl: isWeb,
  phoneNumber: isPhone,
  tlcSourcePhoneNumber: isPhone,
  city: isTown,
  tlcSourceCity: isTown,
  state: isState,
  tlcSourceState: isState,
  postalCode: isPostalCode,
  tlcSourcePostalCode: isPostalCode,
  country: isState,
  tlcSourceCountry: isState,
  countryOfOrigin: isState,
  locationName: (value) => isText(value) && !isPhone(value),
  tlcSourceName: (value) => isText(value) && !isPhone(value),
  dataProviderVendorName: isText,
  vendorItemDescription: isText,
  streetAddress1: isText,
  streetAddress2: isReferenceDocument,
  tlcSourceAddress1: isText,
  tlcSourceAddress2: isReferenceDocument,
  shipQuantity: (value) => isNumber(value) || quantityIn(value) !== undefined,
  shipQuantityUom: isUnit,
  brandName: isText,
  productCommodity: isText,
  productVariety: isText,
  packSize: isReferenceDocument,
  packStyle: isText,
  shipFromLocationCode: isShortCode,
  shipToLocationCode: isShortCode,
  vendorItemCode: isItemCode,
  dataProviderVendorId: isShortCode,
  referenceDocumentType: isText,
  referenceDocumentNumber: isReferenceDocument,
}
// The kind of a document is a kind: it is the one column in which such words are the values.
const kindForms: Readonly<Record<string, Form>> = { referenceDocumentType: hasLetter, ftlCategory: hasLetter }

const byColumnForm: Readonly<Record<Column['form'], Form>> = {
  text: isCode,
  number: isNumber,
  boolean: (value) => /^(?:true|false|yes|no|y|n|0|1)$/i.test(value),
  date: isDay,
  dateTime: isDay,
  list: () => true,
  pairs: () => true,
}

/** True when a value may be one of this column. */
export function fitsColumn({ name, path, form }: Pick<Column, 'name' | 'path' | 'form'>, value: string): boolean {
  const field = path.at(-1) ?? name
  return (kindForms[field] ?? forms[field] ?? byColumnForm[form])(value)
}
