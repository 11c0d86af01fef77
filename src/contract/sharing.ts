// The records that a partner sees: which events are opened, and which fields are removed. Not shown
// in the contract; decided in 0077.
import type { Static } from 'typebox'
import { foldLotCode, isSameLot, readLotCode } from './lots/lot-code.ts'
import type { ReceivingEventPayload } from './payloads.ts'
import type { ProductLine } from './product-line.ts'
import { instantOf } from './shape/date-and-time.ts'
import {
  boolean,
  choice,
  date,
  dateTime,
  isGiven,
  list,
  object,
  optional,
  stringLengthMax,
  text,
} from './shape/field.ts'

const section = '8'

/** Entries of one partner. */
export const placesMax = 500
export const grantsMax = 20
const namesMax = 100
/** Days for which a lot can be opened in a recall. */
export const lotDaysMax = 30

/** Which end of an event is a place of the partner. */
const directions = ['shipTo', 'shipFrom'] as const

/**
 * Fields that can be withheld, wherever an object has them, and why. No key data element of 21 CFR
 * 1.1345(a)(1) to (7), which 1.1340(b) has a shipper hand over, is among them.
 */
export const withholdable = {
  methodOfPayment: 'commercial',
  payloadId: 'internal',
  transmissionDateTime: 'internal',
  businessUnit: 'internal',
  market: 'internal',
  region: 'internal',
  parentLocationId: 'internal',
  locationType: 'internal',
  isPrimaryLocation: 'internal',
  appointmentNumber: 'internal',
  loadPlanningNumber: 'internal',
  productId: 'internal',
  palletLpn: 'internal',
  iotDevice: 'internal',
  eventId: 'identifier',
  purchaserItemCode: 'identifier',
  poLineNumber: 'identifier',
  palletId: 'identifier',
  billOfLadingNumber: 'reference document',
  asnNumber: 'reference document',
  purchaseOrderDate: 'reference document',
  standardCarrierAlphaCode: 'carriage',
  carrierShipmentMethod: 'carriage',
  carrierTrackingNumber: 'carriage',
  equipmentDescription: 'carriage',
  equipmentNumber: 'carriage',
  expectedDeliveryDate: 'carriage',
  shipmentLadingQuantity: 'quantity',
  shipmentLadingUom: 'quantity',
  palletPackagingDescriptionCode: 'quantity',
  palletHigh: 'quantity',
  palletTie: 'quantity',
  grossWeight: 'quantity',
  grossWeightUOM: 'quantity',
  netWeight: 'quantity',
  netWeightUOM: 'quantity',
} as const
export type WithholdableField = keyof typeof withholdable

export const withholdableFields = Object.keys(withholdable) as WithholdableField[]

/** Withheld by a grant without a list of its own: internal fields of the provider. */
export const withheldByDefault: readonly WithholdableField[] = withholdableFields.filter((field) =>
  ['commercial', 'internal'].includes(withholdable[field]),
)

export const Place = object('Place', {
  gln: optional(
    text({
      meaning: 'GLN of the place: all location codes whose location has it. Without it, `locationCode`.',
      example: '0614141000029',
      section,
    }),
  ),
  locationCode: optional(text({ meaning: 'Location code of the place.', example: 'DC-07', section })),
  dataProviderVendorId: optional(
    text({
      meaning: 'Only the location code of this vendor; without it, the code of any vendor.',
      example: 'V-1001',
      section,
    }),
  ),
})
export type Place = Static<typeof Place>

export const Grant = object('Grant', {
  direction: optional(
    choice(directions, {
      meaning:
        '`shipTo` opens events that are shipped to a place of the partner, `shipFrom` those shipped from one. Left out where `lotCode` is given.',
      example: 'shipTo',
      section,
    }),
  ),
  lotCode: optional(
    text({
      meaning:
        'Opens one lot in a recall, in whatever spelling: its lines in events that have a place of the partner at either end. It needs `endDateTime`.',
      example: 'GV26063-A',
      section,
    }),
  ),
  dataProviderVendorIds: optional(
    list(
      text({ meaning: 'A vendor.', example: 'V-1001', section }),
      { meaning: 'Only events of these vendors; without it, of all.', example: ['V-1001'], section },
      { minItems: 1, maxItems: namesMax },
    ),
  ),
  itemCodes: optional(
    list(
      text({ meaning: 'An item code of vendor or purchaser.', example: 'ROM-24', section }),
      { meaning: 'Only lines of these items; without it, all lines.', example: ['ROM-24'], section },
      { minItems: 1, maxItems: namesMax },
    ),
  ),
  firstEventDate: optional(
    date({
      meaning: 'Only events of this date or later, as `eventDateTime` has it.',
      example: '2026-03-04',
      section,
    }),
  ),
  endDateTime: optional(
    dateTime({
      meaning: `When the grant ends. Without it, it goes on. For a lot at most ${lotDaysMax} days ahead.`,
      example: '2026-12-31T23:59:59Z',
      section,
    }),
  ),
  withHistory: optional(
    boolean({
      meaning: 'Whether earlier versions of the events are shared as well. Without it: no.',
      example: false,
      section,
    }),
  ),
  withheld: optional(
    list(
      choice(withholdableFields, { meaning: 'A field that is withheld.', example: 'methodOfPayment', section }),
      {
        meaning: 'Fields that are withheld. Without it, commercial and internal ones; an empty list withholds nothing.',
        example: ['methodOfPayment'],
        section,
      },
      { maxItems: withholdableFields.length },
    ),
  ),
})
export type Grant = Static<typeof Grant>

/** The grants and places of a partner. */
export interface Sharing {
  readonly places: readonly Place[]
  readonly grants: readonly Grant[]
}

/** The opened part of an event. */
export interface Opened {
  /** Lines that are shared, by their index, each with the fields that are withheld of it. */
  readonly lines: ReadonlyMap<number, ReadonlySet<string>>
  /** Fields withheld of the event and its locations. */
  readonly withheld: ReadonlySet<string>
}

/** GLN of a stored location: null when it has none, undefined when the location is not stored. */
export type GlnOf = (dataProviderVendorId: string, locationCode: string) => string | null | undefined

/**
 * The predicate. `glnOf` is asked only where a place is named by its GLN. Where it knows no
 * location, the entry of the event's own list counts.
 */
export function openerOf(
  { places, grants }: Sharing,
  glnOf: GlnOf,
): (payload: ReceivingEventPayload, now: Date) => Opened | undefined {
  const isNamed = new Set(places.map((place) => placeName(place)))
  const hasGlns = places.some(({ gln }) => isGiven(gln))
  return ({ eventList: event, locationMasterList }, now) => {
    const isPlace = (locationCode: string): boolean => {
      const dataProviderVendorId = event.dataProviderVendorId
      if (isNamed.has(placeName({ locationCode }))) return true
      if (isNamed.has(placeName({ locationCode, dataProviderVendorId }))) return true
      if (!hasGlns) return false
      const stored = glnOf(dataProviderVendorId, locationCode)
      const gln =
        stored === undefined ? locationMasterList.find((own) => own.locationCode === locationCode)?.gln : stored
      return isGiven(gln) && isNamed.has(placeName({ gln }))
    }
    const isAt = { shipTo: isPlace(event.shipToLocationCode), shipFrom: isPlace(event.shipFromLocationCode) }
    if (!isAt.shipTo && !isAt.shipFrom) return undefined
    const fitting = grants.filter((grant) => {
      if (isEnded(grant, now)) return false
      if (isGiven(grant.lotCode)) return true
      return (
        grant.direction !== undefined &&
        isAt[grant.direction] &&
        (grant.dataProviderVendorIds?.includes(event.dataProviderVendorId) ?? true) &&
        !(grant.firstEventDate !== undefined && event.eventDateTime.slice(0, 10) < grant.firstEventDate)
      )
    })
    const opening = new Set<Grant>()
    const lines = new Map<number, ReadonlySet<string>>()
    for (const [i, line] of event.productList.entries()) {
      const openers = fitting.filter((grant) => fitsLine(grant, line))
      if (openers.length > 0) lines.set(i, withheldByAll(openers))
      for (const grant of openers) opening.add(grant)
    }
    return lines.size === 0 ? undefined : { lines, withheld: withheldByAll([...opening]) }
  }
}

const placeName = ({ gln, dataProviderVendorId, locationCode }: Place): string =>
  JSON.stringify(
    isGiven(gln) ? [gln.trim()] : [isGiven(dataProviderVendorId) ? dataProviderVendorId : null, locationCode],
  )

const fitsLine = (
  { lotCode, itemCodes }: Grant,
  { vendorItemCode, purchaserItemCode, caseLotNumber = '' }: ProductLine,
): boolean =>
  isGiven(lotCode)
    ? isGiven(caseLotNumber) && isLotOf(lotCode, caseLotNumber)
    : itemCodes === undefined ||
      [vendorItemCode, purchaserItemCode].some((code) => isGiven(code) && itemCodes.includes(code))

/** The same lot, or one that reads alike. A folded code that may be cut opens nothing. */
function isLotOf(granted: string, written: string): boolean {
  const [lot, other] = [readLotCode(granted), readLotCode(written)]
  if (isSameLot(lot, other)) return true
  const folded = foldLotCode(lot.lotCode)
  return [...folded].length < stringLengthMax && folded === foldLotCode(other.lotCode)
}

export const isEnded = ({ endDateTime }: Grant, now: Date): boolean =>
  endDateTime !== undefined && instantOf(endDateTime) <= now.getTime()

/** The earliest end of a grant that is still to come; undefined when none ends. */
export function nextEnd(grants: readonly Grant[], now: Date): Date | undefined {
  const ends = grants.flatMap(({ endDateTime }) => (endDateTime === undefined ? [] : [instantOf(endDateTime)]))
  const coming = ends.filter((end) => end > now.getTime())
  return coming.length === 0 ? undefined : new Date(Math.min(...coming))
}

const withheldOf = ({ withheld }: Grant): readonly string[] => withheld ?? withheldByDefault

const withheldByAll = ([first, ...others]: readonly Grant[]): ReadonlySet<string> =>
  new Set(first && withheldOf(first).filter((field) => others.every((grant) => withheldOf(grant).includes(field))))

/**
 * Withheld of master products and locations, which events of several grants name: every field that
 * one of the grants withholds.
 */
export const withheldOfMasterData = ({ grants }: Sharing, now: Date): ReadonlySet<string> =>
  new Set(grants.filter((grant) => !isEnded(grant, now)).flatMap(withheldOf))

/**
 * The event as the partner sees it: the lines that are opened, the products of these lines and the
 * two locations, since other entries of its lists may name other customers.
 */
export function maskEvent(
  { eventList: event, productMasterDataList, locationMasterList, ...envelope }: ReceivingEventPayload,
  { lines, withheld }: Opened,
): ReceivingEventPayload {
  const kept = [...lines].flatMap(([i, ofLine]) => {
    const line = event.productList[i]
    return line === undefined ? [] : [{ line: without(line, ofLine), ofLine }]
  })
  const products = productMasterDataList.flatMap((product) => {
    const naming = kept.filter(({ line }) => [line.vendorItemCode, line.purchaserItemCode].includes(product.itemCode))
    const [first, ...others] = naming.map(({ ofLine }) => ofLine)
    if (first === undefined) return []
    return [without(product, new Set([...first].filter((field) => others.every((fields) => fields.has(field)))))]
  })
  const { shipFromLocationCode, shipToLocationCode } = event
  const whole = without(event, withheld)
  const productList = kept.map(({ line }) => line)
  return {
    ...without(envelope, withheld),
    productMasterDataList: products,
    locationMasterList: locationMasterList
      .filter(({ locationCode }) => [shipFromLocationCode, shipToLocationCode].includes(locationCode))
      .map((location) => without(location, withheld)),
    eventList:
      kept.length === event.productList.length
        ? { ...whole, productList }
        : // The total is of lines that are not shared, too.
          { ...without(whole, totals), productList },
  }
}

const totals: ReadonlySet<string> = new Set(['shipmentLadingQuantity', 'shipmentLadingUom'])

/** A product or location of master data as the partner sees it. */
export const maskMasterData = <T extends object>(record: T, withheld: ReadonlySet<string>): T =>
  without(record, withheld)

const without = <T extends object>(fields: T, withheld: ReadonlySet<string>): T =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !withheld.has(name))) as T
