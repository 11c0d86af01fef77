// Every rule there is, by the subject it reads, in the order in which findings are reported.
import {
  type DeliveryKindName,
  type EventKind,
  type EventKindName,
  elementsOf,
  eventKindNames,
  eventKinds,
  isDeliveryKind,
  type LineList,
  linePlacesOf,
  ofEventKinds,
} from '../contract/record-kinds.ts'
import * as chain from './event.ts'
import * as chainLine from './event-line.ts'
import type { EventSubject } from './event-rules.ts'
import * as dates from './line-dates.ts'
import * as location from './location.ts'
import { oneLotPerLine } from './lot-code.ts'
import * as payload from './payload.ts'
import type { ProductSubject } from './product.ts'
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

/** Rules of one kind of event: about its payload, the event, and the lines of each list. */
export interface EventRules {
  readonly payload: readonly Rule<Context>[]
  readonly product: readonly Rule<ProductSubject>[]
  readonly event: readonly Rule<EventSubject>[]
  readonly lines: Readonly<Record<string, readonly Rule<LineSubject>[]>>
}

const deliveryRules: Readonly<Record<DeliveryKindName, EventRules>> = {
  receivingEvent: {
    payload: [location.twoLocations, event.onePayloadPerEventDateTime],
    product: productRules,
    event: receivingEventRules,
    lines: { productList: productLineRules },
  },
  shippingEvent: {
    payload: [location.twoLocations, shipping.oneEventPerDocuments],
    product: productRules,
    event: shippingEventRules,
    lines: { productList: productLineRules.map((rule) => shippedInstead.get(rule) ?? rule) },
  },
}

const chainEventRules = [
  chain.locationListed,
  chain.eventInPast,
  chain.yearsPlausible,
  chainLine.eventDates,
  chain.eventIdUnique,
  chain.lotsDiffer,
  chain.textVisible,
  chain.dateGiven,
  chain.dateLocal,
  chain.locationDescription,
  chain.referenceDocument,
  chain.elementStated,
  chain.seedsStated,
] as const

/** Of deliveries: the contract wants a lot code and its source on each line. */
const ofDeliveries: ReadonlySet<unknown> = new Set([line.lotNumberGiven, line.tlcSourceGiven])
const changedInstead: ReadonlyMap<unknown, (typeof productLineRules)[number]> = new Map([
  [dates.madeBeforeReceipt, dates.madeBeforeEvent],
  [dates.goodAtReceipt, dates.goodAtEvent],
])
const lotLineRules: readonly Rule<LineSubject>[] = productLineRules
  .filter((rule) => !ofDeliveries.has(rule))
  .map((rule) => changedInstead.get(rule) ?? rule)

/** Instead of these, the dates of some lists are declared with their order. */
const ofDates: readonly unknown[] = [
  dates.yearsPlausible,
  dates.madeBeforeEvent,
  dates.madeInOrder,
  dates.goodAfterMade,
  dates.goodAtEvent,
]

/** Description of packed food; what is not packed yet has a commodity. */
const packedOnly: ReadonlySet<unknown> = new Set([
  product.productName,
  product.commodity,
  product.packagingSize,
  product.packagingStyle,
])
const productRulesOf = (kind: EventKind) =>
  productRules.filter((rule) => !packedOnly.has(rule) || elementsOf(kind, 'product').length > 0)

/** The source of a lot that an event makes is its place, unless the line names another. */
const lineRulesOf = (
  kind: EventKind,
  { lots, hasItems = true, dates }: LineList,
  list: string,
): readonly Rule<LineSubject>[] => {
  const has = (is: 'lotCode' | 'product') => elementsOf(kind, is).some((one) => 'list' in one && one.list === list)
  const isOf: ReadonlyMap<unknown, boolean> = new Map([
    [line.tlcSourcePlace, lots === 'made'],
    [line.productIdUnique, list === 'productList'],
    [line.lotCode, has('lotCode')],
    [line.productDescription, has('product')],
    ...ofDates.map((rule) => [rule, dates === undefined] as const),
  ])
  return [
    ...(hasItems ? lotLineRules.filter((rule) => isOf.get(rule) ?? true) : [line.textVisible]),
    ...(dates === undefined ? [] : [chainLine.lineDates]),
    ...(hasItems && elementsOf(kind, 'commodity').length > 0 ? [chainLine.commodityStated] : []),
    ...(linePlacesOf(kind).some((place) => place.list === list) ? [chainLine.lineLocationListed] : []),
    ...(chainLine.hasStatedElements(kind.name, list) ? [chainLine.lineElementStated] : []),
    ...(chainLine.hasOrigins(kind.name, list) ? [chainLine.oneOrigin] : []),
  ]
}

export const eventRules: Readonly<Record<EventKindName, EventRules>> = ofEventKinds((name) =>
  isDeliveryKind(name)
    ? deliveryRules[name]
    : {
        payload: [chain.oneEventPerIdentity],
        product: productRulesOf(eventKinds[name]),
        event: chainEventRules,
        lines: Object.fromEntries(
          Object.entries(eventKinds[name].lists).map(([list, declared]) => [
            list,
            lineRulesOf(eventKinds[name], declared, list),
          ]),
        ),
      },
)

/** The rules that judge events of a kind. */
export const rulesOf = (kind: EventKindName): readonly Rule<never>[] => [
  ...payloadRules,
  ...eventRules[kind].payload,
  ...eventRules[kind].product,
  ...locationRules,
  ...eventRules[kind].event,
  ...Object.values(eventRules[kind].lines).flat(),
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
