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
  return {
    below,
    pick,
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

/** Each text of a record has one that no other text has, so that it is found wherever it goes. */
export const marks = /zq\d+z/gi
let marked = 0
const mark = (): string => `ZQ${++marked}Z`

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
  Object.fromEntries(random.some(names, 0.4).map((name) => [name, mark()]))

const location = (random: Drawing, locationCode: string): Payload => ({
  locationCode,
  locationName: mark(),
  ...(random.chance(0.6) ? { gln: random.pick(glns) } : { duns: '123456789' }),
  ...marksFor(random, ofLocation),
})

const product = (random: Drawing, itemCode: string): Payload => ({
  itemCode,
  itemDescription: mark(),
  ...(random.chance(0.5) && { brandName: mark(), packStyle: 'carton', packSize: '24 ct' }),
  ...marksFor(random, ['businessUnit']),
})

let hours = 0

/** A new event; `eventDateTime` is one that no other has. */
export function drawEvent(random: Drawing, purchaseOrderNumber = mark(), eventDateTime?: string): Payload {
  const from = random.pick(codes)
  const to = random.pick(codes.filter((code) => code !== from))
  // One that no line names and one that is no end are never for a partner.
  const listed = random.chance(0.3) ? codes.filter((code) => code !== from && code !== to).slice(0, 1) : []
  const productList = Array.from({ length: 1 + random.below(3) }, () => ({
    vendorItemCode: random.pick(items),
    vendorItemDescription: mark(),
    ...(random.chance(0.3) && { purchaserItemCode: random.pick(items) }),
    shipQuantity: 1 + random.below(9),
    shipQuantityUom: 'case',
    caseLotNumber: random.pick(lots),
    tlcSourceReferenceOther: mark(),
    ...marksFor(random, ofLine),
  }))
  return {
    ...(random.chance(0.5) && { payloadId: mark() }),
    productMasterDataList: items.filter(() => random.chance(0.8)).map((item) => product(random, item)),
    locationMasterList: [from, to, ...listed].map((code) => location(random, code)),
    eventList: {
      dataProviderVendorId: random.pick(vendors),
      purchaseOrderNumber,
      eventDateTime: eventDateTime ?? new Date(Date.UTC(2026, 1, 1, ++hours)).toISOString().replace('.000Z', '-05:00'),
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

export const drawLocation = (random: Drawing, vendor = random.pick(vendors), code = random.pick(codes)): Payload => ({
  locationMasterList: { ...location(random, code), dataProviderVendorId: vendor },
})

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().replace(/\.\d+Z$/, 'Z')

function drawGrant(random: Drawing): Payload {
  const more = { withHistory: random.chance(0.3), withheld: random.some(withholdable, 0.4) }
  if (random.chance(0.25)) return { lotCode: random.pick(lots), endDateTime: inDays(3), ...more }
  return {
    direction: random.pick(['shipTo', 'shipTo', 'shipFrom']),
    ...(random.chance(0.3) && { dataProviderVendorIds: [random.pick(vendors), random.pick(vendors)] }),
    ...(random.chance(0.3) && { itemCodes: [random.pick(items)] }),
    ...(random.chance(0.3) && { firstEventDate: `2026-02-0${1 + random.below(3)}` }),
    ...(random.chance(0.2) && { endDateTime: inDays(30) }),
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

/** GLN of the stored location of a vendor; undefined when none is stored. */
export type StoredGln = (vendor: string, code: string) => string | null | undefined

const sameLot = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((code) => code.toUpperCase().replaceAll(/[ -]/g, ''))
  return a === b
}

const without = (fields: Payload, withheld: readonly string[]): Payload =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !withheld.includes(name)))

const inAll = (lists: readonly (readonly string[])[]): readonly string[] =>
  (lists[0] ?? []).filter((name) => lists.every((list) => list.includes(name)))

/** The event as a partner may see it; undefined when it may not. */
export function seenOf(event: Payload, { places, grants }: Sharing, glnOf: StoredGln): Payload | undefined {
  const { productList, ...fields } = event.eventList
  const { dataProviderVendorId: vendor, shipFromLocationCode, shipToLocationCode } = fields
  const ends = [shipFromLocationCode, shipToLocationCode]
  const isTheirs = (code: string): boolean => {
    const stored = glnOf(vendor, code)
    const own = event.locationMasterList.find((entry: Payload) => entry.locationCode === code)?.gln
    const gln = stored === undefined ? own : stored
    return places.some((place) =>
      place.gln === undefined
        ? place.locationCode === code && (place.dataProviderVendorId ?? vendor) === vendor
        : place.gln === gln,
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
