// The facts of the store that the rules need for a payload. A payload that describes its own
// locations and products needs none.
import { sourceNumbersOf } from '../contract/completion.ts'
import { exemptKeysOf } from '../contract/exempt-place.ts'
import type { MasterProduct } from '../contract/product.ts'
import type { ProductLine } from '../contract/product-line.ts'
import { allPlaceFieldsOf, linePlacesOf } from '../contract/record-kinds.ts'
import { isGiven } from '../contract/shape/field.ts'
import { isStated, isStatedCode } from '../contract/shape/placeholder.ts'
import type { Loose } from '../contract/shape/read-shape.ts'
import { isAddressOnly, isIdentified } from './location.ts'
import { missingDescriptionFields, wantsKeyDataElements } from './product.ts'
import { isSourceFound } from './product-line.ts'
import { allLinesOf, type Context, linesIn, textIn, vendorKey } from './rule.ts'

/** A code of a vendor, to be looked up in master data. */
interface VendorCode {
  readonly vendor: string
  readonly code: string
}

/** An identifier that §2 calls unique, and its holder. */
interface WantedIdentifier extends VendorCode {
  readonly field: 'eventId' | 'alternateItemCode' | 'alternateLocationCode'
  readonly value: string
  /**
   * GTIN of the product, GLN of the location: the same number is the same thing, whatever its
   * codes.
   */
  readonly number: string | undefined
}

export interface FactsWanted {
  readonly identifiers: readonly WantedIdentifier[]
  readonly payloadId: string | undefined
  /**
   * Locations whose own entry does not identify or describe them, and possible sources of a lot
   * code.
   */
  readonly locations: readonly VendorCode[]
  /** GLNs and DUNS numbers of lot code sources that the payload does not describe. */
  readonly numbers?: readonly VendorCode[] | undefined
  /**
   * Items that no list of the payload describes completely; for a master product payload, its own
   * item codes.
   */
  readonly items: readonly VendorCode[]
  /**
   * Keys of exempt places. They are asked with other facts: a receipt that describes all by itself
   * needs them only if it has gaps.
   */
  readonly exemptPlaces?: readonly string[] | undefined
  /** True when more is needed than is looked up: the rest counts as not set up. */
  readonly isCut: boolean
}

/** The context of a payload before facts are looked up. */
type FactlessContext = Omit<
  Context,
  'at' | 'facts' | 'settings' | 'placesInForce' | 'exemptionOf' | 'firstHolders' | 'isStored'
>

/**
 * Most locations, and most items, looked up for one payload: 1,000 vendors times 1,000 bare
 * locations would be a million. Others count as not set up.
 */
const factsWantedMax = 20_000

export function factsWanted(context: FactlessContext): FactsWanted {
  const { events, products, locationByCode, productByCode, described, describedLocations, payloadId } = context
  const { eventKind } = context
  const placeFields = eventKind === undefined ? [] : allPlaceFieldsOf(eventKind)
  const linePlaces = linePlacesOf(eventKind)
  const locations = new WantedCodes()
  const items = new WantedCodes()
  const numbers = new WantedCodes()

  const unidentified = context.locations.filter(({ value }) => !isIdentified(value) || isAddressOnly(value))
  const incomplete = products.filter(({ value }) => wantsKeyDataElements(value) && !saysAll(value))
  for (const { value: event } of events) {
    const vendor = event.dataProviderVendorId
    for (const { value } of unidentified) locations.add(vendor, value.locationCode)
    for (const { value } of incomplete) items.add(vendor, value.itemCode)
    const lines = allLinesOf(event, eventKind)
    const unexplained = lines.filter((line) => line !== undefined && !isSourceFound(line, described))
    if (unexplained.length > 0) {
      for (const { value } of locationsThatExplain(unexplained, context.locations))
        locations.add(vendor, value.locationCode)
      for (const number of sourceNumbersOf(unexplained)) numbers.add(vendor, number)
    }
    const addUndescribed = (code: string | undefined) => {
      const entry = isGiven(code) ? locationByCode.get(code) : undefined
      if (entry !== undefined && !describedLocations.has(entry.value)) locations.add(vendor, code)
    }
    for (const field of placeFields) addUndescribed(textIn(event, field))
    for (const { list, field } of linePlaces)
      for (const line of linesIn(event, list)) addUndescribed(line && textIn(line, field))
    for (const line of lines) {
      const entry = productByCode.get(line?.vendorItemCode ?? '')
      if (entry === undefined || (isGiven(line?.caseGtin) && !isStatedCode(entry.value.gtin)))
        items.add(vendor, line?.vendorItemCode)
    }
  }
  if (events.length === 0) for (const { value } of products) items.add(value.dataProviderVendorId, value.itemCode)

  return {
    payloadId: isGiven(payloadId) ? payloadId : undefined,
    locations: locations.all(),
    numbers: numbers.isEmpty ? undefined : numbers.all(),
    items: items.all(),
    exemptPlaces: locations.isEmpty && items.isEmpty && numbers.isEmpty ? undefined : exemptKeysIn(context),
    identifiers: identifiersOf(context).slice(0, factsWantedMax),
    isCut: locations.isCut || items.isCut || numbers.isCut,
  }
}

/** Keys of the places that may exempt receipts of a payload, each once; undefined without any. */
export function exemptKeysIn({
  events,
  eventKind,
}: Pick<FactlessContext, 'events' | 'eventKind'>): readonly string[] | undefined {
  if (eventKind?.name !== 'receivingEvent') return undefined
  const keys = [...new Set(events.flatMap(({ value }) => exemptKeysOf(value)))]
  return keys.length === 0 ? undefined : keys.slice(0, factsWantedMax)
}

/** Collects distinct codes up to a limit. */
class WantedCodes {
  /** True when there were more. */
  isCut = false
  /** Created with the first code: most payloads need none. */
  #codes: Map<string, VendorCode> | undefined

  add(vendor: string | undefined, code: string | undefined): void {
    if (!isGiven(vendor) || !isGiven(code)) return
    const key = vendorKey(vendor, code)
    this.#codes ??= new Map()
    if (this.#codes.size < factsWantedMax) this.#codes.set(key, { vendor, code })
    else this.isCut ||= !this.#codes.has(key)
  }

  get isEmpty(): boolean {
    return this.#codes === undefined
  }

  all(): readonly VendorCode[] {
    return this.#codes === undefined ? [] : [...this.#codes.values()]
  }
}

function identifiersOf({ events, products, locations, vendors }: FactlessContext): WantedIdentifier[] {
  const identifiers: WantedIdentifier[] = []
  const add = (
    field: WantedIdentifier['field'],
    value: string | undefined,
    {
      vendor = '',
      code = '',
      number,
    }: { vendor?: string | undefined; code?: string | undefined; number?: string | undefined },
  ) => {
    if (isGiven(value)) identifiers.push({ field, value, vendor, code, number: isGiven(number) ? number : undefined })
  }
  for (const { value } of events) add('eventId', value.eventId, {})
  for (const { value } of products)
    add('alternateItemCode', value.alternateItemCode, {
      vendor: value.dataProviderVendorId ?? vendors[0],
      code: value.itemCode,
      number: value.gtin,
    })
  for (const { value } of locations)
    add('alternateLocationCode', value.alternateLocationCode, { code: value.locationCode, number: value.gln })
  return identifiers
}

/**
 * True when a master product can add nothing that a gap depends on. A category decides whether a
 * commodity is missing.
 */
const saysAll = (product: Loose<MasterProduct>): boolean =>
  isGiven(product.isFtlItem) &&
  (isStated(product.ftlCategory) || isStated(product.productCommodity)) &&
  missingDescriptionFields(product).length === 0

/** Locations with a number that these lines refer to, or that master data may give them. */
function locationsThatExplain(lines: readonly (Loose<ProductLine> | undefined)[], locations: Context['locations']) {
  const glns = new Set(lines.map((line) => line?.tlcSourceReferenceGln).filter(isGiven))
  const duns = new Set(lines.map((line) => line?.tlcSourceReferenceDuns).filter(isGiven))
  const fits = (own: string | undefined, wanted: ReadonlySet<string>) =>
    wanted.size > 0 && (!isGiven(own) || wanted.has(own))
  return locations.filter(({ value }) => fits(value.gln, glns) || fits(value.duns, duns))
}
