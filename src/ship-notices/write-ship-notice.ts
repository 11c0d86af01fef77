// Writes shipping events as ship notices (X12 856), in the order S-O-T-I, with the lot code in LIN.
// Source: guides of GS1 US and PTI; decision 0082.

import { type Envelope, type WrittenSegment, writeInterchange } from 'lotkeeper-x12/write-segments'
import type { ShippingEventPayload } from '../contract/payloads.ts'
import { equipmentKinds, gtinQualifiers, transports, usualDates, usualUnits, zoneOffsets } from './codes.ts'

/** Role of the party that assigned a lot code: the plant. */
export const sourceRole = 'MP'

export interface WrittenNotices {
  readonly text: string
  /** Values of each event that a notice has no place for, as JSON Pointers. */
  readonly left: readonly (readonly string[])[]
}

/** Notices of events, in one interchange. */
export function writeShipNotices(
  envelope: Omit<Envelope, 'group' | 'version'>,
  events: readonly ShippingEventPayload[],
): WrittenNotices {
  const written = events.map(writeOne)
  return {
    text: writeInterchange(
      { ...envelope, group: 'SH', version: '004010' },
      written.map(({ segments }) => ({ id: '856', segments })),
    ),
    left: written.map(({ left }) => left),
  }
}

type Line = ShippingEventPayload['eventList']['productList'][number]
type Location = ShippingEventPayload['locationMasterList'][number]

/** Takes values out of an object, so that the unused ones remain. */
class Taken {
  readonly #fields: Readonly<Record<string, unknown>>
  readonly #taken = new Set<string>()
  readonly #at: string

  constructor(fields: object, at: string) {
    this.#fields = fields as Readonly<Record<string, unknown>>
    this.#at = at
  }

  take(field: string): string | undefined {
    const value = this.#fields[field]
    this.#taken.add(field)
    return value === undefined || value === null ? undefined : String(value)
  }

  /** The code that stands for the value; a value without one is left. */
  takeCoded(field: string, codes: Readonly<Record<string, string>>): string | undefined {
    const value = this.#fields[field]
    const code = Object.entries(codes).find(([, meaning]) => meaning === value)?.[0]
    if (code !== undefined) this.#taken.add(field)
    return code
  }

  left(): string[] {
    return Object.keys(this.#fields)
      .filter((field) => !this.#taken.has(field))
      .map((field) => `${this.#at}/${field}`)
  }
}

function writeOne({ eventList, locationMasterList, productMasterDataList }: ShippingEventPayload): {
  readonly segments: readonly WrittenSegment[]
  readonly left: readonly string[]
} {
  const event = new Taken(eventList, '/eventList')
  const left: string[] = []
  const segments: WrittenSegment[] = []
  let levels = 0
  const level = (parent: number | undefined, code: string): number => {
    segments.push(['HL', ++levels, parent, code])
    return levels
  }
  const [date, time, zone] = writtenTime(event.take('eventDateTime') ?? '')
  segments.push(['BSN', '00', event.take('asnNumber') ?? 'NONE', date, time, '0001'])
  const shipment = level(undefined, 'S')
  const quantity = event.take('shipmentLadingQuantity')
  if (quantity !== undefined) segments.push(['TD1', event.takeCoded('shipmentLadingUom', packagings), quantity])
  const [carrier, transport] = [
    event.take('standardCarrierAlphaCode'),
    event.takeCoded('carrierShipmentMethod', transports),
  ]
  if (carrier ?? transport) segments.push(['TD5', 'B', '2', carrier, transport])
  const [equipment, number] = [event.takeCoded('equipmentDescription', equipmentKinds), event.take('equipmentNumber')]
  if (equipment ?? number) segments.push(['TD3', equipment, undefined, number])
  for (const [qualifier, field] of references) {
    const reference = event.take(field)
    if (reference !== undefined) segments.push(['REF', qualifier, reference])
  }
  segments.push(['DTM', '011', date, time, zone])
  const expected = event.take('expectedDeliveryDate')
  if (expected !== undefined) segments.push(['DTM', '017', writtenDate(expected)])
  for (const [role, field] of [
    ['SF', 'shipFromLocationCode'],
    ['ST', 'shipToLocationCode'],
  ] as const) {
    const code = event.take(field)
    const at = locationMasterList.findIndex(({ locationCode }) => locationCode === code)
    const location: Location = locationMasterList[at] ?? { locationCode: code ?? '', locationName: code ?? '' }
    segments.push(...partyOf(role, location, at, left))
  }
  const order = event.take('purchaseOrderNumber')
  const ordered = event.take('purchaseOrderDate')
  let parent = shipment
  if (order !== undefined) {
    parent = level(shipment, 'O')
    segments.push(['PRF', order, undefined, undefined, ordered && writtenDate(ordered)])
  }
  event.take('dataProviderVendorId')
  event.take('dataProviderVendorName')
  event.take('productList')
  const descriptions = new Map(
    productMasterDataList.map(({ itemCode, itemDescription }) => [itemCode, itemDescription]),
  )
  let pallet: { readonly id: string; readonly level: number } | undefined
  for (const [i, line] of eventList.productList.entries()) {
    if (line.palletId !== pallet?.id) {
      pallet = line.palletId === undefined ? undefined : { id: line.palletId, level: level(parent, 'T') }
      if (pallet !== undefined) segments.push(['MAN', 'GM', /^\d{18}$/.test(pallet.id) ? `00${pallet.id}` : pallet.id])
    }
    level(pallet?.level ?? parent, 'I')
    segments.push(...itemOf(line, i, descriptions.get(line.vendorItemCode), left))
  }
  segments.push(['CTT', levels])
  return { segments, left: [...event.left(), ...left] }
}

const packagings = { CTN: 'carton', PLT: 'pallet' } as const

const references = [
  ['BM', 'billOfLadingNumber'],
  ['CN', 'carrierTrackingNumber'],
  ['LO', 'loadPlanningNumber'],
  ['AO', 'appointmentNumber'],
] as const

function partyOf(role: string, location: Location, index: number, left: string[]): WrittenSegment[] {
  const { address = {}, ...others } = location
  const fields = new Taken(others, `/locationMasterList/${index}`)
  const [name, code, gln] = [fields.take('locationName'), fields.take('locationCode'), fields.take('gln')]
  const phone = fields.take('phoneNumber')
  left.push(...fields.left())
  return [
    ['N1', role, name, gln === undefined ? '92' : 'UL', gln ?? code],
    ...placeSegments(
      address.streetAddress1,
      address.streetAddress2,
      address.city,
      address.state,
      address.postalCode,
      address.country,
    ),
    ...(phone === undefined ? [] : [['PER', 'IC', undefined, 'TE', phone] as const]),
  ]
}

type Text = string | undefined

function placeSegments(street1: Text, street2: Text, ...[city, state, postalCode, country]: Text[]): WrittenSegment[] {
  return [
    ...(street1 === undefined ? [] : [['N3', street1, street2] as const]),
    ...(city === undefined ? [] : [['N4', city, state, postalCode, country] as const]),
  ]
}

function itemOf(line: Line, index: number, described: string | undefined, left: string[]): WrittenSegment[] {
  const fields = new Taken(line, `/eventList/productList/${index}`)
  fields.take('palletId')
  const pairs: (string | undefined)[] = ['VN', fields.take('vendorItemCode')]
  for (const field of ['caseGtin', 'itemUpc'] as const) {
    const number = line[field]
    const qualifier = gtinQualifiers[(number?.length ?? 0) as keyof typeof gtinQualifiers]
    if (qualifier !== undefined) pairs.push(qualifier, fields.take(field))
  }
  for (const [qualifier, field] of [
    ['BP', 'purchaserItemCode'],
    ['LT', 'caseLotNumber'],
  ] as const) {
    const text = fields.take(field)
    if (text !== undefined) pairs.push(qualifier, text)
  }
  const segments: WrittenSegment[] = [
    ['LIN', fields.take('poLineNumber'), ...pairs],
    [
      'SN1',
      undefined,
      fields.take('shipQuantity'),
      fields.takeCoded('shipQuantityUom', usualUnits) ?? line.shipQuantityUom,
    ],
  ]
  const description = fields.take('vendorItemDescription') ?? described
  if (description !== undefined) segments.push(['PID', 'F', undefined, undefined, undefined, description])
  for (const [qualifier, field] of Object.entries(usualDates)) {
    const date = fields.take(field)
    const isWritten = segments.some(([id, code]) => id === 'DTM' && usualDates[String(code)] === field)
    if (date !== undefined && !isWritten) segments.push(['DTM', qualifier, writtenDate(date)])
  }
  segments.push(...sourceOf(line, fields))
  left.push(...fields.left())
  return segments
}

/** The first reference that N1 has a qualifier for, and the place. */
function sourceOf(line: Line, fields: Taken): WrittenSegment[] {
  const reference = sourceReferences.find(([, field]) => line[field] !== undefined)
  const name = fields.take('tlcSourceName')
  if (reference === undefined && name === undefined) return []
  const [street1, street2, city, state, postalCode, country, phone] = sourceFields.map((field) => fields.take(field))
  return [
    ['N1', sourceRole, name, reference?.[0], reference && fields.take(reference[1])],
    ...placeSegments(street1, street2, city, state, postalCode, country),
    ...(phone === undefined ? [] : [['PER', 'IC', undefined, 'TE', phone] as const]),
  ]
}

const sourceReferences = [
  ['UL', 'tlcSourceReferenceGln'],
  ['FA', 'tlcSourceReferenceFfrn'],
  ['1', 'tlcSourceReferenceDuns'],
] as const

const sourceFields = [
  'tlcSourceAddress1',
  'tlcSourceAddress2',
  'tlcSourceCity',
  'tlcSourceState',
  'tlcSourcePostalCode',
  'tlcSourceCountry',
  'tlcSourcePhoneNumber',
] as const

const writtenDate = (date: string): string => date.replaceAll('-', '')

/** Date, time and zone; in UTC where X12 has no code for the offset. */
function writtenTime(dateTime: string): readonly [date: string, time: string, zone: string] {
  const zone = Object.entries(zoneOffsets).find(([, offset]) => offset === dateTime.slice(19))?.[0]
  const local = zone === undefined ? new Date(dateTime).toISOString() : dateTime
  return [writtenDate(local.slice(0, 10)), local.slice(11, 19).replaceAll(':', ''), zone ?? 'UT']
}
