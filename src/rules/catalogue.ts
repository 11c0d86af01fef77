// Every rule there is, by the subject it reads, in the order in which findings are reported.
import { type EventKindName, eventKindNames } from '../contract/record-kinds.ts'
import type { EventSubject } from './event-rules.ts'
import * as dates from './line-dates.ts'
import * as location from './location.ts'
import { oneLotPerLine } from './lot-code.ts'
import * as payload from './payload.ts'
import * as product from './product.ts'
import * as line from './product-line.ts'
import * as event from './receiving-event.ts'
import type { Context, LineSubject, Rule } from './rule.ts'
import { shapeRules } from './shape.ts'
import * as shipping from './shipping-event.ts'

export const payloadRules = [
  payload.payloadIdUnique,
  payload.transmissionDateTimeForm,
  payload.transmissionDatePlausible,
  payload.textVisible,
  product.itemCodeConflicting,
  product.itemCodeRepeated,
  location.codeConflicting,
  location.codeRepeated,
  location.twoLocations,
  location.oneRecordPerCode,
] as const

export const productRules = [
  product.ftlCategoryGiven,
  product.ftlCategoryListed,
  product.offListWithoutCategory,
  product.gtinDigits,
  product.gtinCheckDigit,
  product.itemUpcDigits,
  product.itemUpcCheckDigit,
  product.innerPackUpcDigits,
  product.innerPackUpcCheckDigit,
  product.identifiersAssigned,
  product.textVisible,
  product.weightPositive,
  product.weightUnit,
  product.netWithinGross,
  product.oneRecordPerItemCode,
  product.alternateItemCodeUnique,
  product.productName,
  product.commodity,
  product.packagingSize,
  product.packagingStyle,
] as const

export const locationRules = [
  location.identified,
  location.phoneWithAddress,
  location.glnDigits,
  location.glnCheckDigit,
  location.dunsDigits,
  location.identifiersAssigned,
  location.textVisible,
  location.alternateLocationCodeUnique,
  location.geoOneForm,
  location.coordinatesForm,
  location.fenceForm,
  location.phoneFormat,
  location.typeListed,
  location.glnAssignerListed,
] as const

const receivingEventRules = [
  event.shipFromListed,
  event.shipToListed,
  event.carrierCodeLetters,
  event.receivedInPast,
  event.yearsPlausible,
  event.orderedBeforeReceipt,
  event.eventIdUnique,
  event.endsDiffer,
  event.ladingQuantityPositive,
  event.textVisible,
  event.dateReceived,
  event.dateReceivedLocal,
  event.shipFromDescription,
  event.shipToDescription,
  event.referenceDocument,
] as const

const shippingEventRules = [
  shipping.shipFromListed,
  shipping.shipToListed,
  shipping.carrierCodeLetters,
  shipping.shippedInPast,
  shipping.yearsPlausible,
  shipping.orderedBeforeShipping,
  shipping.eventIdUnique,
  shipping.endsDiffer,
  shipping.ladingQuantityPositive,
  shipping.textVisible,
  shipping.dateShipped,
  shipping.dateShippedLocal,
  shipping.shipToDescription,
  shipping.shipFromDescription,
  shipping.referenceDocument,
] as const

const productLineRules = [
  line.lotNumberGiven,
  line.tlcSourceGiven,
  line.caseGtinDigits,
  line.caseGtinCheckDigit,
  line.palletIdDigits,
  line.palletIdCheckDigit,
  line.itemUpcDigits,
  line.itemUpcCheckDigit,
  line.tlcSourceGlnDigits,
  line.tlcSourceGlnCheckDigit,
  line.tlcSourceDunsDigits,
  line.identifiersAssigned,
  line.textVisible,
  line.caseGtinOfProduct,
  line.quantityPositive,
  dates.yearsPlausible,
  dates.madeBeforeReceipt,
  dates.madeInOrder,
  dates.goodAfterMade,
  dates.goodAtReceipt,
  line.tlcSourceFfrnForm,
  line.tlcSourceFeiForm,
  line.tlcSourceUrlForm,
  line.countryLetters,
  line.countryKnown,
  line.productIdUnique,
  line.itemCodeListed,
  oneLotPerLine,
  line.lotCodeBarcode,
  line.lotCode,
  line.quantityUnit,
  line.productDescription,
  line.tlcSourcePlace,
] as const

const shippedInstead: ReadonlyMap<unknown, (typeof productLineRules)[number]> = new Map([
  [dates.madeBeforeReceipt, dates.madeBeforeShipping],
  [dates.goodAtReceipt, dates.goodAtShipping],
])

/** Rules of one kind of event: about its payload, the event, and each of its lines. */
export interface EventRules {
  readonly payload: readonly Rule<Context>[]
  readonly event: readonly Rule<EventSubject>[]
  readonly line: readonly Rule<LineSubject>[]
}

export const eventRules: Readonly<Record<EventKindName, EventRules>> = {
  receivingEvent: {
    payload: [event.onePayloadPerEventDateTime],
    event: receivingEventRules,
    line: productLineRules,
  },
  shippingEvent: {
    payload: [shipping.oneEventPerDocuments],
    event: shippingEventRules,
    line: productLineRules.map((rule) => shippedInstead.get(rule) ?? rule),
  },
}

/** The rules that judge events of a kind. */
export const rulesOf = (kind: EventKindName): readonly Rule<never>[] => [
  ...payloadRules,
  ...eventRules[kind].payload,
  ...productRules,
  ...locationRules,
  ...eventRules[kind].event,
  ...eventRules[kind].line,
]

/** Every rule, once. The reference pages and the tests derive from this list. */
export const catalogue: readonly Rule<never>[] = [
  ...Object.values(shapeRules),
  ...new Set(eventKindNames.flatMap(rulesOf)),
]

const byId = new Map(catalogue.map((rule) => [rule.id, rule]))

/**
 * The rule with this id, if it is still in the catalogue: a stored finding may outlive its rule.
 */
export const ruleOf = (id: string): Rule<never> | undefined => byId.get(id)
