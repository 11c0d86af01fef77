// A provider with records, partners, places and grants at random, and an idea of its own of what
// each partner may see: written from decision 0077, and not from the code that copies.
import type { Payload } from './payloads.ts'

/** Numbers that look random, and are the same for the same seed. */
export function drawing(seed: number) {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number): number => Math.floor(next() * count)
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T
  let [marked, hours] = [0, 0]
  return {
    below,
    pick,
    /** Each text of a record has one that no other text has, so that it is found wherever it goes. */
    mark: () => `ZQ${seed}X${++marked}Z`,
    /** A time that no other event has, whatever its offset. */
    time: () => {
      const hour = new Date(Date.UTC(2026, 1, 1, ++hours)).toISOString().slice(0, 13)
      return next() < 0.7 ? `${hour}:00:00-05:00` : `${hour}:30:00Z`
    },
    chance: (share: number) => next() < share,
    some: <T>(from: readonly T[], share: number) => from.filter(() => next() < share),
  }
}
type Drawing = ReturnType<typeof drawing>

const vendors = ['V-1', 'V-2', 'V-3']
const codes = ['L-0', 'L-1', 'L-2', 'L-3', 'L-4']
const glns = ['0614141000012', '0614141000029', '0614141000036']
const items = ['I-1', 'I-2', 'I-3']
/** The first two are one lot. */
export const lots = ['Lot 1-A', 'LOT1A', 'B-2', 'C-3']

export const marks = /zq\d+x\d+z/gi

const ofEvent = [
  'methodOfPayment',
  'businessUnit',
  'appointmentNumber',
  'loadPlanningNumber',
  'billOfLadingNumber',
  'asnNumber',
  'equipmentNumber',
  'carrierTrackingNumber',
  'eventId',
]
const ofLine = ['businessUnit', 'productId', 'palletLpn', 'iotDevice', 'poLineNumber', 'palletPackagingDescriptionCode']
const ofLocation = ['businessUnit', 'market', 'region', 'parentLocationId']
const withholdable = [
  ...new Set([
    'payloadId',
    'shipmentLadingQuantity',
    'shipmentLadingUom',
    'purchaserItemCode',
    ...ofEvent,
    ...ofLine,
    ...ofLocation,
  ]),
]

const marksFor = (random: Drawing, names: readonly string[]): Payload =>
  Object.fromEntries(random.some(names, 0.4).map((name) => [name, random.mark()]))

const location = (random: Drawing, locationCode: string): Payload => ({
  locationCode,
  locationName: random.mark(),
  ...(random.chance(0.6) ? { gln: random.pick(glns) } : { duns: '123456789' }),
  ...marksFor(random, ofLocation),
})

const product = (random: Drawing, itemCode: string): Payload => ({
  itemCode,
  itemDescription: random.mark(),
  ...(random.chance(0.5) && { brandName: random.mark(), packStyle: 'carton', packSize: '24 ct' }),
  ...marksFor(random, ['businessUnit']),
})

/** A new event, or another one with the same key. */
export function drawEvent(
  random: Drawing,
  purchaseOrderNumber = random.mark(),
  eventDateTime = random.time(),
): Payload {
  const from = random.pick(codes)
  const to = random.pick(codes.filter((code) => code !== from))
  // One that no line names and one that is no end are never for a partner.
  const listed = random.chance(0.3) ? codes.filter((code) => code !== from && code !== to).slice(0, 1) : []
  const productList = Array.from({ length: 1 + random.below(3) }, () => ({
    vendorItemCode: random.pick(items),
    vendorItemDescription: random.mark(),
    ...(random.chance(0.3) && { purchaserItemCode: random.pick(items) }),
    shipQuantity: 1 + random.below(9),
    shipQuantityUom: 'case',
    caseLotNumber: random.pick(lots),
    tlcSourceReferenceOther: random.mark(),
    ...marksFor(random, ofLine),
  }))
  return {
    ...(random.chance(0.5) && { payloadId: random.mark() }),
    productMasterDataList: items.filter(() => random.chance(0.8)).map((item) => product(random, item)),
    locationMasterList: [from, to, ...listed].map((code) => location(random, code)),
    eventList: {
      dataProviderVendorId: random.pick(vendors),
      purchaseOrderNumber,
      eventDateTime,
      shipFromLocationCode: from,
      shipToLocationCode: to,
      ...(random.chance(0.3) && { shipmentLadingQuantity: 40, shipmentLadingUom: 'case' }),
      ...marksFor(random, ofEvent),
      productList,
    },
  }
}

export const drawProduct = (random: Drawing): Payload => ({
  productMasterDataList: { ...product(random, random.pick(items)), dataProviderVendorId: random.pick(vendors) },
})

/** The time zone of a location code at one vendor or, where it is empty, at all; undefined to set none. */
export const drawTimeZone = (random: Drawing): Payload => ({
  dataProviderVendorId: random.chance(0.4) ? '' : random.pick(vendors),
  locationCode: random.pick(codes),
  timeZone: random.pick(['Asia/Tokyo', 'Pacific/Honolulu', undefined]),
})

export const drawLocation = (random: Drawing, vendor = random.pick(vendors), code = random.pick(codes)): Payload => ({
  locationMasterList: { ...location(random, code), dataProviderVendorId: vendor },
})

const inSeconds = (seconds: number): string =>
  new Date(Date.now() + seconds * 1_000).toISOString().replace(/\.\d+Z$/, 'Z')
const daySeconds = 86_400

function drawGrant(random: Drawing): Payload {
  const more = { withHistory: random.chance(0.3), withheld: random.some(withholdable, 0.4) }
  if (random.chance(0.25)) return { lotCode: random.pick(lots), endDateTime: inSeconds(3 * daySeconds), ...more }
  return {
    direction: random.pick(['shipTo', 'shipTo', 'shipFrom']),
    ...(random.chance(0.3) && { dataProviderVendorIds: [random.pick(vendors), random.pick(vendors)] }),
    ...(random.chance(0.3) && { itemCodes: [random.pick(items)] }),
    ...(random.chance(0.3) && { firstEventDate: `2026-02-0${1 + random.below(3)}` }),
    ...(random.chance(0.2) && { endDateTime: inSeconds(30 * daySeconds) }),
    ...more,
  }
}

/** Places and grants of a partner. */
export interface Sharing {
  readonly places: readonly Payload[]
  readonly grants: readonly Payload[]
}

export function drawSharing(random: Drawing): Sharing {
  const places = Array.from({ length: 1 + random.below(2) }, () =>
    random.chance(0.4)
      ? { gln: random.pick(glns) }
      : { locationCode: random.pick(codes), ...(random.chance(0.3) && { dataProviderVendorId: random.pick(vendors) }) },
  )
  return {
    places,
    grants: Array.from({ length: random.below(3) + (random.chance(0.8) ? 1 : 0) }, () => drawGrant(random)),
  }
}

/** The same with a grant that ends in a second or two. */
export const withAnEnd = (random: Drawing, { places, grants }: Sharing): Sharing => ({
  places,
  grants: [...grants, { ...drawGrant(random), endDateTime: inSeconds(2 + random.below(2)) }],
})

/** Ends of grants between two moments, in milliseconds since 1970, in order. */
export const endsOf = ({ grants }: Sharing, from: number, to: number): number[] =>
  grants
    .flatMap(({ endDateTime }) => (endDateTime === undefined ? [] : [Date.parse(endDateTime)]))
    .filter((end) => end > from && end <= to)
    .sort((a, b) => a - b)

/** Without the grants that have ended. */
export const inForce = ({ places, grants }: Sharing, at: number): Sharing => ({
  places,
  grants: grants.filter(({ endDateTime }) => endDateTime === undefined || Date.parse(endDateTime) > at),
})

/** With the grants that open earlier versions only. */
export const historyOf = ({ places, grants }: Sharing): Sharing => ({
  places,
  grants: grants.filter(({ withHistory }) => withHistory),
})

/**
 * GLNs that the stored location of a vendor has, or had while answers are compared with more than
 * one state; null for none, and undefined when no location is stored.
 */
export type StoredGlns = (vendor: string, code: string) => readonly (string | null | undefined)[]

const sameLot = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((code) => code.toUpperCase().replaceAll(/[ -]/g, ''))
  return a === b
}

const without = (fields: Payload, withheld: readonly string[]): Payload =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !withheld.includes(name)))

const inAll = (lists: readonly (readonly string[])[]): readonly string[] =>
  (lists[0] ?? []).filter((name) => lists.every((list) => list.includes(name)))

/** The event as a partner may see it; undefined when it may not. */
export function seenOf(event: Payload, { places, grants }: Sharing, glnsOf: StoredGlns): Payload | undefined {
  const { productList, ...fields } = event.eventList
  const { dataProviderVendorId: vendor, shipFromLocationCode, shipToLocationCode } = fields
  const ends = [shipFromLocationCode, shipToLocationCode]
  const isTheirs = (code: string): boolean => {
    const own = event.locationMasterList.find((entry: Payload) => entry.locationCode === code)?.gln
    const known = glnsOf(vendor, code).map((stored) => (stored === undefined ? own : stored))
    return places.some((place) =>
      place.gln === undefined
        ? place.locationCode === code && (place.dataProviderVendorId ?? vendor) === vendor
        : known.includes(place.gln),
    )
  }
  const opens = (grant: Payload, line: Payload): boolean =>
    grant.lotCode === undefined
      ? isTheirs(fields[`${grant.direction}LocationCode`]) &&
        (grant.dataProviderVendorIds ?? [vendor]).includes(vendor) &&
        fields.eventDateTime.slice(0, 10) >= (grant.firstEventDate ?? '') &&
        (grant.itemCodes === undefined ||
          grant.itemCodes.some((item: string) => [line.vendorItemCode, line.purchaserItemCode].includes(item)))
      : ends.some(isTheirs) && sameLot(line.caseLotNumber ?? '', grant.lotCode)
  const open = productList
    .map((line: Payload) => ({ line, by: grants.filter((grant) => opens(grant, line)) }))
    .filter(({ by }: Payload) => by.length > 0)
    .map(({ line, by }: Payload) => ({ line, by, withheld: inAll(by.map((grant: Payload) => grant.withheld)) }))
  if (open.length === 0) return undefined
  const withheld = inAll(open.flatMap(({ by }: Payload) => by.map((grant: Payload) => grant.withheld)))
  const lines = open.map(({ line, withheld: ofThis }: Payload) => without(line, ofThis))
  const products = event.productMasterDataList.flatMap((entry: Payload) => {
    const naming = open.filter((_: Payload, i: number) =>
      [lines[i].vendorItemCode, lines[i].purchaserItemCode].includes(entry.itemCode),
    )
    return naming.length === 0 ? [] : [without(entry, inAll(naming.map(({ withheld: ofThis }: Payload) => ofThis)))]
  })
  const totals = lines.length < productList.length ? ['shipmentLadingQuantity', 'shipmentLadingUom'] : []
  const { productMasterDataList: _, locationMasterList, eventList: __, ...envelope } = event
  return {
    ...without(envelope, withheld),
    productMasterDataList: products,
    locationMasterList: locationMasterList
      .filter(({ locationCode }: Payload) => ends.includes(locationCode))
      .map((entry: Payload) => without(entry, withheld)),
    eventList: { ...without(fields, [...withheld, ...totals]), productList: lines },
  }
}

/** Withheld of master data: what any grant withholds. */
export const seenOfMasterData = (record: Payload, { grants }: Sharing): Payload => {
  const withheld = grants.flatMap((grant) => grant.withheld)
  return Object.fromEntries(
    Object.entries(without(record, withheld)).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null && !Array.isArray(value) ? without(value, withheld) : value,
    ]),
  )
}
