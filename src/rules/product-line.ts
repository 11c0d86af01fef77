// Rules about a product line. Source: §2.5; 21 CFR 1.1345(a).

import { differingSourceText, numberedPlaceOf, type PlacesByNumber, sourcePlaceOf } from '../contract/completion.ts'
import { isDescribed } from '../contract/location-description.ts'
import { isPlaceholderLot } from '../contract/lots/lot-placeholder.ts'
import { severalLots } from '../contract/lots/several-lots.ts'
import { type ProductLine, tlcSourcePlaceFields, tlcSourceReferenceFields } from '../contract/product-line.ts'
import { ownDateOf } from '../contract/shape/date-and-time.ts'
import { isGiven } from '../contract/shape/field.ts'
import {
  isPlaceholder,
  isPlaceholderCode,
  isStated,
  isStatedCode,
  isStatedNumber,
} from '../contract/shape/placeholder.ts'
import { isRefused, type Loose } from '../contract/shape/read-shape.ts'
import { quote } from '../contract/shape/shape-words.ts'
import { countryOf, hasPostalCodes, hasStates, isCountryCode } from '../contract/text/country.ts'
import { hiddenCharacters } from '../contract/text/hidden-characters.ts'
import { gs1LotPattern, hasRightCheckDigit, isDigits } from '../contract/text/identifiers.ts'
import { isTooOld } from './dates.ts'
import { visibleTextRule } from './hidden-characters.ts'
import { assignedRule, checkDigitRule, digitsRule } from './identifier-rules.ts'
import { alikeCode, alikeWords } from './known-codes.ts'
import { missingDescriptionFields, wantsElementsOf } from './product.ts'
import { type Context, type DescribedNumbers, type LineSubject, type Rule, rulesAbout, vendorKey } from './rule.ts'
import { repeatedSays, reportRepeated } from './unique-identifiers.ts'
import { type Missing, missingPart, missingWords, type Written, writtenIn, writtenWords } from './written.ts'

const rule = rulesAbout<LineSubject>()

const caseGtin = {
  group: 'product-line',
  slug: 'case-gtin',
  field: 'caseGtin',
  scheme: 'GTIN-14',
  section: '2.5',
  of: ({ line }: LineSubject) => line,
} as const
const palletId = { ...caseGtin, slug: 'pallet-id', field: 'palletId', scheme: 'SSCC-18' } as const
const itemUpc = {
  ...caseGtin,
  slug: 'item-upc',
  field: 'itemUpc',
  scheme: 'GTIN-8, GTIN-12 or GTIN-13',
} as const
const sourceGln = {
  ...caseGtin,
  slug: 'tlc-source-gln',
  field: 'tlcSourceReferenceGln',
  scheme: 'GLN',
} as const
const sourceDuns = {
  ...caseGtin,
  slug: 'tlc-source-duns',
  field: 'tlcSourceReferenceDuns',
  scheme: 'DUNS number',
} as const

export const caseGtinDigits = digitsRule(caseGtin)
export const caseGtinCheckDigit = checkDigitRule(caseGtin)
export const palletIdDigits = digitsRule(palletId)
export const palletIdCheckDigit = checkDigitRule(palletId)
export const itemUpcDigits = digitsRule(itemUpc)
export const itemUpcCheckDigit = checkDigitRule(itemUpc)
export const tlcSourceGlnDigits = digitsRule(sourceGln)
export const tlcSourceGlnCheckDigit = checkDigitRule(sourceGln)
export const tlcSourceDunsDigits = digitsRule(sourceDuns)
/** Except the numbers of the lot code source, which are a gap below. */
export const identifiersAssigned = assignedRule('product-line', '2.5', [caseGtin, palletId, itemUpc])

export const textVisible = visibleTextRule<LineSubject>('product-line', '2.5', ({ line }) => line)

export const quantityPositive = rule({
  id: 'product-line/quantity-positive',
  severity: 'warning',
  cites: '§2.5 shipQuantity',
  summary: 'The quantity is more than 0.',
  remedy: 'Send the quantity of the goods, and leave out a line without any.',
  says: { notPositive: (quantity: number) => `shipQuantity is ${quantity}. It must be more than 0.` },
  check({ line: { shipQuantity } }, { at }, report) {
    if (shipQuantity !== undefined && shipQuantity <= 0)
      report({ pointer: `${at}/shipQuantity`, says: 'notPositive', values: [shipQuantity] })
  },
})

export const productIdUnique = rule({
  id: 'product-line/product-id-unique',
  severity: 'warning',
  cites: '§2.5 productId',
  summary: 'No two lines of a payload have the same `productId`.',
  remedy: 'Give every line its own id, so that a response about it can be distinguished from others.',
  says: repeatedSays('productId'),
  check({ line: { productId } }, context, report) {
    if (!isGiven(productId)) return
    const { at, events } = context
    const holders = function* () {
      for (const { at: eventAt, value } of events)
        for (const [n, line] of (value.productList ?? []).entries()) {
          const lineAt = `${eventAt}/productList/${n}`
          yield { at: lineAt, value: line?.productId ?? '', sameAs: lineAt }
        }
    }
    reportRepeated(
      { field: 'productId', value: productId, place: { at } },
      { entries: events, holdersIn: holders, context },
      report,
    )
  },
})

/** An invalid value has its own finding. */
const isCaseGtin = (text: string | undefined): text is string =>
  isGiven(text) && isDigits(text, [14]) && hasRightCheckDigit(text) && !isPlaceholderCode(text)

/**
 * §2.5 connects the two: a case GTIN of received cases is stored with the product of the item code.
 */
export const caseGtinOfProduct = rule({
  id: 'product-line/case-gtin-of-product',
  severity: 'warning',
  cites: '§2.5 vendorItemCode, caseGtin',
  summary: 'The case GTIN of a line is that of its product, where the product has one.',
  remedy: 'Compare the case label with the product: the item code or one of the GTINs is probably wrong.',
  needs: ['masterProducts'],
  says: {
    mismatch: (gtin: string, code: string, own: string) =>
      `caseGtin is ${gtin}; product ${JSON.stringify(code)} has the GTIN ${own}.`,
  },
  check({ line: { vendorItemCode: code, caseGtin: gtin }, event }, { at, productByCode, facts }, report) {
    if (!isGiven(code) || !isGiven(gtin)) return
    const stated = productByCode.get(code)?.value.gtin
    const stored = facts.masterProducts.get(vendorKey(event.dataProviderVendorId ?? '', code))
    const own = isStatedCode(stated) ? stated : stored?.gtin
    if (own !== gtin && isCaseGtin(own) && isCaseGtin(gtin))
      report({ pointer: `${at}/caseGtin`, says: 'mismatch', values: [gtin, code, own] })
  },
})

/**
 * Compared with the event's own calendar date, as written with its offset, not with the clock of
 * the server (decision 0008). A date that is too old excuses nothing: the day of writing counts.
 */
function isLotNumberRequired({ event: { eventDateTime } }: LineSubject, { facts, settings }: ClockedContext): boolean {
  if (!isGiven(eventDateTime)) return false
  const { now } = facts
  if (!isTooOld(eventDateTime, { areDatesOfProgram: settings.areDatesOfProgram }))
    return ownDateOf(eventDateTime) >= settings.lotNumberRequiredFrom
  return now === undefined || new Date(now).toISOString() >= settings.lotNumberRequiredFrom
}

type ClockedContext = Pick<Context<never>, 'facts' | 'settings'>

/** Of a delivery that is written, `lot-number-given` reports a missing lot number. */
const isReportedAsError = (
  subject: LineSubject,
  context: ClockedContext & Pick<Context<never>, 'isStored' | 'eventKind'>,
): boolean => !context.isStored && context.eventKind?.elements === undefined && isLotNumberRequired(subject, context)

/** True when the payload does not state whether the item of a line is on the list. */
export function isItemOpen({ line: { vendorItemCode: code } }: LineSubject, { productByCode }: ItemContext): boolean {
  const entry = isGiven(code) ? productByCode.get(code) : undefined
  return isGiven(code) && !isGiven(entry?.value.isFtlItem)
}

/** The master product of the item of a line. */
const masterProductOf = ({ line, event }: LineSubject, { facts }: Pick<LineContext, 'facts'>) =>
  facts.masterProducts.get(vendorKey(event.dataProviderVendorId ?? '', line.vendorItemCode ?? ''))

type ItemContext = Pick<Context, 'productByCode'>

type LineContext = ItemContext & Pick<Context<'masterProducts'>, 'facts'>

/**
 * True when the payload, or else the master product, states that the item is not on the Food
 * Traceability List: it needs no key data elements.
 */
export function isOffList(subject: LineSubject, context: LineContext): boolean {
  const { vendorItemCode: code } = subject.line
  if (!isGiven(code)) return false
  const entry = context.productByCode.get(code)?.value
  const master = context.facts.masterProducts.size === 0 ? undefined : masterProductOf(subject, context)
  return !wantsElementsOf(entry, master)
}

export const lotNumberGiven = rule({
  id: 'product-line/lot-number-given',
  severity: 'error',
  cites: '§2.5 caseLotNumber',
  summary: 'A line of an event from the required date on has the lot number of its cases.',
  remedy: 'Send caseLotNumber exactly as printed on the case label.',
  says: {
    missing: (from: string) => `caseLotNumber is missing; it is required of events from ${from} on.`,
    missingUndated: (from: string, eventDateTime: string) =>
      `caseLotNumber is missing. It is required of events from ${from} on, and eventDateTime ${JSON.stringify(eventDateTime)} cannot be the time of an earlier one.`,
  },
  check(subject, context, report) {
    if (isGiven(subject.line.caseLotNumber) || !isLotNumberRequired(subject, context)) return
    const pointer = `${context.at}/caseLotNumber`
    const { lotNumberRequiredFrom: from } = context.settings
    const { eventDateTime = '' } = subject.event
    if (ownDateOf(eventDateTime) >= from) report({ pointer, says: 'missing', values: [from] })
    else report({ pointer, says: 'missingUndated', values: [from, eventDateTime] })
  },
})

export const lotCode = rule({
  id: 'product-line/lot-code',
  severity: 'gap',
  cites: '21 CFR 1.1345(a)(1)',
  summary: 'The line carries the traceability lot code.',
  remedy: 'Ask the vendor for the lot code and replace the record with it in caseLotNumber.',
  onScreen: 'Ask the vendor for the lot code, and enter it in the line.',
  needs: ['masterProducts'],
  says: {
    missing: () => 'The line has no traceability lot code.',
    placeholder: (text: string) => `caseLotNumber is ${JSON.stringify(text)}, which is no traceability lot code.`,
  },
  check(subject, context, report) {
    const { caseLotNumber } = subject.line
    // From the required date on, `lot-number-given` reports a missing lot number of a write, as an
    // error.
    const isMissing = !isGiven(caseLotNumber)
    if (isMissing ? isReportedAsError(subject, context) : !isPlaceholderLot(caseLotNumber)) return
    if (isOffList(subject, context)) return
    const pointer = `${context.at}/caseLotNumber`
    if (isMissing) report({ pointer, says: 'missing', values: [] })
    else report({ pointer, says: 'placeholder', values: [caseLotNumber] })
  },
})

/** The contract requires the quantity to be a number. */
export const quantityUnit = rule({
  id: 'product-line/quantity-unit',
  severity: 'gap',
  cites: '21 CFR 1.1345(a)(2)',
  summary: 'The quantity has a unit of measure.',
  remedy: 'Send the unit in shipQuantityUom, for example case.',
  needs: ['masterProducts'],
  says: {
    placeholder: (unit: string) => `shipQuantityUom is ${JSON.stringify(unit)}, which is no unit of measure.`,
  },
  check(subject, context, report) {
    const { shipQuantityUom: unit } = subject.line
    if (!isGiven(unit) || !isPlaceholder(unit) || isOffList(subject, context)) return
    report({ pointer: `${context.at}/shipQuantityUom`, says: 'placeholder', values: [unit] })
  },
})

/** Most characters in a message. */
const charactersNamedMax = 5

/** The characters of a lot code that a GS1 barcode cannot encode, or else its length. */
function barcodeFault(lotCode: string): string {
  const foreign = [...new Set(lotCode)].filter((character) => !gs1LotPattern.test(character))
  const named = foreign.slice(0, charactersNamedMax).map((character) => JSON.stringify(character))
  return foreign.length === 0
    ? `has ${lotCode.length} characters, and a GS1 barcode carries 20`
    : `has ${named.join(', ')}${foreign.length > named.length ? ' and others' : ''}, which a GS1 barcode cannot carry`
}

/**
 * A warning: the lot code is stored as it is, but a label that cannot encode it will scan as
 * something else. A character that cannot be seen has a warning of its own.
 */
export const lotCodeBarcode = rule({
  id: 'product-line/lot-code-barcode',
  severity: 'warning',
  cites: '§2.5 caseLotNumber',
  summary: 'The lot code is one that a GS1 barcode can carry: at most 20 characters of GS1 character set 82.',
  remedy: 'Compare it with the case label; a longer text often holds the item or the date as well.',
  says: { unfit: (lotCode: string) => `caseLotNumber ${barcodeFault(lotCode)}.` },
  check({ line: { caseLotNumber } }, { at }, report) {
    if (!isGiven(caseLotNumber) || gs1LotPattern.test(caseLotNumber) || isPlaceholderLot(caseLotNumber)) return
    // The signs between several lots have their own warning.
    if (hiddenCharacters(caseLotNumber).length === 0 && severalLots(caseLotNumber).length === 0)
      report({ pointer: `${at}/caseLotNumber`, says: 'unfit', values: [caseLotNumber] })
  },
})

const referenceFields = Object.keys(tlcSourceReferenceFields) as (keyof typeof tlcSourceReferenceFields)[]
const placeFields = Object.keys(tlcSourcePlaceFields) as (keyof typeof tlcSourcePlaceFields)[]
/** The second address line is "if applicable". */
const neededPlaceFields = placeFields.filter((field) => field !== 'tlcSourceAddress2')

const hasReference = (line: Loose<ProductLine>): boolean => referenceFields.some((field) => isGiven(line[field]))

export const tlcSourceGiven = rule({
  id: 'product-line/tlc-source-given',
  severity: 'error',
  cites: '§2.5 traceability lot code source',
  summary: 'A line refers to the source of its lot code, or describes it completely.',
  remedy: `Send one of ${referenceFields.join(', ')}; or all of ${neededPlaceFields.join(', ')}.`,
  onScreen:
    'Enter one reference to the source, such as TLC source GLN. Or enter its name, address and phone number, in all fields of the line.',
  says: {
    nothing: () => 'The line neither refers to the source of its lot code nor describes it.',
    missing: (fields: readonly string[]) =>
      `${fields.join(', ')} ${fields.length === 1 ? 'is' : 'are'} missing: without a TLC source reference the source is described completely.`,
  },
  check({ line }, { at }, report) {
    if (hasReference(line)) return
    const isWrong = (field: (typeof placeFields)[number]) => isRefused(line, field)
    if (!placeFields.some((field) => isWrong(field) || isGiven(line[field])))
      report({ pointer: at, says: 'nothing', values: [] })
    else {
      const missing = neededPlaceFields.filter((field) => !isWrong(field) && !isGiven(line[field]))
      if (missing.length > 0) report({ pointer: `${at}/${missing[0]}`, says: 'missing', values: [missing] })
    }
  },
})

/**
 * References that lead FDA to a place: its own registers and a web address, each with its form,
 * also in words.
 */
const followedReferences = [
  ['tlcSourceReferenceFfrn', 'ffrn', (text: string) => isDigits(text, [11]), '11 digits', '14532865782'],
  ['tlcSourceReferenceFei', 'fei', (text: string) => isDigits(text, [7, 10]), '7 or 10 digits', '3004567890'],
  ['tlcSourceReferenceUrl', 'url', isWebAddress, 'a web address', 'https://trace.example.com/source/gv-1'],
] as const

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#.]+\.[^\s/?#]+([/?#]\S*)?$/i.test(text)
}

/**
 * A warning: the contract does not state the form (decision 0051). A placeholder is a gap below.
 */
const referenceFormRule = ([
  field,
  slug,
  hasForm,
  form,
  example,
]: (typeof followedReferences)[number]): Rule<LineSubject> =>
  rule({
    id: `product-line/tlc-source-${slug}-form`,
    severity: 'warning',
    cites: `§2.5 ${field}`,
    summary: `\`${field}\` is ${form}.`,
    remedy: `Send, for example, ${example}; or leave the field out. Without the form FDA cannot follow the reference.`,
    says: { form: (text: string) => `${field} is ${JSON.stringify(text)}; expected is ${form}.` },
    check({ line }, { at }, report) {
      const text = line[field]
      if (isStatedCode(text) && !hasForm(text.trim()))
        report({ pointer: `${at}/${field}`, says: 'form', values: [text] })
    },
  })

export const [tlcSourceFfrnForm, tlcSourceFeiForm, tlcSourceUrlForm] = [
  referenceFormRule(followedReferences[0]),
  referenceFormRule(followedReferences[1]),
  referenceFormRule(followedReferences[2]),
]

type SourceField = (typeof referenceFields)[number] | (typeof placeFields)[number]

const sourceFields: readonly SourceField[] = [...referenceFields, ...neededPlaceFields]

const sourceCountry = (line: Loose<ProductLine>): string => countryOf(line.tlcSourceCountry ?? '') ?? 'US'

/**
 * Whether a field about the source is given. In a country without states or postal codes, any text
 * is.
 */
function isSourceFieldStated(line: Loose<ProductLine>, field: SourceField): boolean {
  const text = line[field]
  switch (field) {
    case 'tlcSourceState':
      return isStated(text) || (isGiven(text) && !hasStates(sourceCountry(line)))
    case 'tlcSourcePostalCode':
      return isStatedNumber(text) || (isGiven(text) && !hasPostalCodes(sourceCountry(line)))
    case 'tlcSourcePhoneNumber':
      return isStatedNumber(text)
    default:
      return field.startsWith('tlcSourceReference') ? isStatedCode(text) : isStated(text)
  }
}

/**
 * The location description of the source, or a reference to one. A GLN or DUNS number leads to one
 * when the payload describes a location with it.
 */
export const tlcSourcePlace = rule({
  id: 'product-line/tlc-source-place',
  severity: 'gap',
  cites: '21 CFR 1.1345(a)(7)',
  summary: 'The place that assigned the lot code can be found from the line.',
  remedy:
    'Send the name, address and phone of the source; or a registration number or web link; or describe the location with this GLN or DUNS number in full, in locationMasterList or as a stored location of the vendor.',
  onScreen:
    'Enter name, address and phone number of the source, or a registration number or web link. Or complete the location with this GLN or DUNS number, under Locations.',
  needs: ['masterLocations', 'locationsByNumber', 'masterProducts'],
  says: {
    number: () => 'The lot code source is referred to by a number that does not say where it is.',
    differs: (text: string) =>
      `The line says a part of its lot code source, ${JSON.stringify(text)}, and the location with its number says otherwise.`,
    placeholders: (written: readonly Written[]) =>
      `The line does not say where the lot code was assigned: ${writtenWords(written)}.`,
  },
  check(subject, context, report) {
    const { line } = subject
    if (isSourceFound(line, context.described) || isOffList(subject, context)) return
    const places = context.placesInForce(subject.event.dataProviderVendorId ?? '', context.facts)
    const isNumberKnown = numberedPlaceOf(line, places) !== undefined
    if (isNumberKnown && isDescribed(sourcePlaceOf(line, places))) return
    const written = sourceFields.filter((field) => isGiven(line[field]))
    const placeholders = written.filter((field) => !isSourceFieldStated(line, field))
    const pointer = `${context.at}/${placeholders[0] ?? written[0] ?? ''}`
    const differing = isNumberKnown ? differingSourceText(line, places) : undefined
    if (differing !== undefined) report({ pointer, says: 'differs', values: [differing] })
    else if (placeholders.length === 0) report({ pointer, says: 'number', values: [] })
    else report({ pointer, says: 'placeholders', values: [writtenIn(line, placeholders)] })
  },
})

const noPlaces: PlacesByNumber = new Map()

/**
 * A placeholder is none, also of a part that only foreign places need. Most lines have no name of
 * their source, and are not read further.
 */
const describesItsSource = (line: Loose<ProductLine>): boolean =>
  isGiven(line.tlcSourceName) &&
  neededPlaceFields.every((field) => !isGiven(line[field]) || isSourceFieldStated(line, field)) &&
  isDescribed(sourcePlaceOf(line, noPlaces))

/** True when the payload's own locations describe the place of the source. */
export function isSourceFound(line: Loose<ProductLine>, described: DescribedNumbers): boolean {
  for (const [field, , hasForm] of followedReferences) {
    const text = line[field]
    if (isStatedCode(text) && hasForm(text.trim())) return true
  }
  if (describesItsSource(line)) return true
  // `tlc-source-given` reports a line that leaves its source out, or parts of it, as an error.
  if (!hasReference(line) && !neededPlaceFields.every((field) => isGiven(line[field]))) return true
  return !placeFields.some((field) => isGiven(line[field])) && explains(line, described)
}

const explains = (
  { tlcSourceReferenceGln: gln, tlcSourceReferenceDuns: duns }: Loose<ProductLine>,
  described: DescribedNumbers,
): boolean => (isStatedCode(gln) && described.glns.has(gln)) || (isStatedCode(duns) && described.duns.has(duns))

const countryForm = /^[A-Za-z]{3}$/

export const countryLetters = rule({
  id: 'product-line/country-letters',
  severity: 'error',
  cites: '§2.5 countryOfOrigin',
  summary: '`countryOfOrigin` is a three-letter country code.',
  remedy: 'Send the ISO 3166 three-letter code, for example USA or MEX.',
  says: { letters: (code: string) => `countryOfOrigin is ${JSON.stringify(code)}; a country code has three letters.` },
  check({ line: { countryOfOrigin: country } }, { at }, report) {
    if (isGiven(country) && !countryForm.test(country))
      report({ pointer: `${at}/countryOfOrigin`, says: 'letters', values: [country] })
  },
})

/** A warning: the contract requires three letters, and names no list. */
export const countryKnown = rule({
  id: 'product-line/country-known',
  severity: 'warning',
  cites: '§2.5 countryOfOrigin',
  summary: '`countryOfOrigin` is the code of a country.',
  remedy: 'Send the three-letter code of ISO 3166, for example USA or MEX.',
  says: {
    unknown: (code: string) => `countryOfOrigin is ${JSON.stringify(code)}, which is not a country in ISO 3166.`,
  },
  check({ line: { countryOfOrigin: country } }, { at }, report) {
    if (isGiven(country) && countryForm.test(country) && !isCountryCode(country))
      report({ pointer: `${at}/countryOfOrigin`, says: 'unknown', values: [country] })
  },
})

const unlistedWords = (code: string): string =>
  `No product with item code ${quote(code)} is in productMasterDataList or in the master products of the vendor.`

/** Warns: the item may be set up later, and the event is valid without (decision 0005). */
export const itemCodeListed = rule({
  id: 'product-line/item-code-listed',
  severity: 'warning',
  cites: '§2.5 vendorItemCode, §4.1',
  summary: '`vendorItemCode` is the code of a product in the payload or of a master product of the vendor.',
  remedy:
    'Add the product to productMasterDataList or create the master product: without it the line has no product description.',
  onScreen: 'Create the master product. Or describe the item under Descriptions of the products.',
  needs: ['masterProducts'],
  says: {
    unlisted: unlistedWords,
    alike: (code: string, alike: string) => `${unlistedWords(code)} ${alikeWords(code, alike)}`,
  },
  check({ line: { vendorItemCode: code }, event }, { at, productByCode, facts }, report) {
    if (!isGiven(code) || productByCode.has(code)) return
    if (facts.masterProducts.has(vendorKey(event.dataProviderVendorId ?? '', code))) return
    const pointer = `${at}/vendorItemCode`
    const alike = alikeCode(code, productByCode)
    if (alike === undefined) report({ pointer, says: 'unlisted', values: [code] })
    else report({ pointer, says: 'alike', values: [code, alike] })
  },
})

const inNoListWords = (code: string): string => `Item ${quote(code)} is in no product list and no master product`

/**
 * Products in the list of the payload have rules of their own (`product/packaging-size`,
 * `product/packaging-style`); these are items in no list. A vendorItemDescription on the line is a
 * name, not a packaging.
 */
export const productDescription = rule({
  id: 'product-line/product-description',
  severity: 'gap',
  cites: '21 CFR 1.1345(a)(3)',
  summary:
    'An item that is not in `productMasterDataList` has a product description as master product: name, packaging size, packaging style.',
  remedy:
    'Create or complete the master product of the vendor with packSize and packStyle, and productCommodity of fresh produce; or add the product to productMasterDataList.',
  onScreen:
    'Complete the master product: pack size and pack style, and the commodity of fresh produce. Or describe the item under Descriptions of the products.',
  needs: ['masterProducts'],
  says: {
    undescribed: (code: string) => `${inNoListWords(code)}: the line has no product description.`,
    unpackaged: (code: string) => `${inNoListWords(code)}: the line has no packaging size and no packaging style.`,
    incomplete: (code: string, parts: readonly Missing[]) =>
      `The master product of item ${quote(code)} has ${missingWords(parts)}.`,
  },
  check(subject, context, report) {
    const { vendorItemCode: code, vendorItemDescription: name } = subject.line
    if (!isGiven(code) || context.productByCode.has(code) || isOffList(subject, context)) return
    const pointer = `${context.at}/vendorItemCode`
    const master = masterProductOf(subject, context)
    if (master === undefined) {
      report({ pointer, says: isGiven(name) ? 'unpackaged' : 'undescribed', values: [code] })
      return
    }
    const missing = missingDescriptionFields(master)
    if (missing.length > 0)
      report({
        pointer,
        says: 'incomplete',
        values: [code, missing.map((field) => missingPart(field, master[field]))],
      })
  },
})
