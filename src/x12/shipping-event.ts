// From a ship notice to shipping events: one for each order and pair of places. What the notice
// does not say comes from the settings of its sender, and nothing is guessed. Decided in 0082.
import { countryCodeOf } from '../contract/country.ts'
import { isCalendarDate } from '../contract/date-and-time.ts'
import { pointerStep } from '../contract/finding.ts'
import { isDigits } from '../contract/identifiers.ts'
import type { LineDateField, ShipNoticeSender } from '../contract/ship-notice-sender.ts'
import { findTimeZone, localOffset } from '../intake/local-time.ts'
import { equipmentKinds, transports, usualDates, usualUnits, zoneNames, zoneOffsets } from './codes.ts'
import {
  type Consignment,
  missing,
  type NoticeDate,
  type NoticeLine,
  type Party,
  type Placed,
  type Qualified,
  type ShipNotice,
} from './ship-notice.ts'
import { errorAt, type Place, quoted, warningAt, type X12Finding } from './x12-finding.ts'

/** The payload of a shipping event made from a notice; its shape is checked like any other. */
export interface NoticeEvent {
  readonly payload: {
    readonly productMasterDataList: readonly Fields[]
    readonly locationMasterList: readonly Fields[]
    readonly eventList: Fields & { readonly productList: readonly Fields[] }
  }
  /** The HL segment of the shipment. */
  readonly at: Place
  /** Where the values of the payload stand in the file, by JSON Pointer. */
  readonly places: ReadonlyMap<string, Place>
}

type Fields = Readonly<Record<string, unknown>>

export interface NoticeEvents {
  readonly events: readonly NoticeEvent[]
  readonly findings: readonly X12Finding[]
}

export function shippingEventsOf(notice: ShipNotice, sender: ShipNoticeSender): NoticeEvents {
  const mapping: SenderMapping = {
    sender,
    places: new Map(sender.places?.map((place) => [place.code, place])),
    items: new Map(sender.items?.map(({ code, vendorItemCode }) => [code, vendorItemCode])),
    units: new Map(sender.units?.map(({ code, shipQuantityUom }) => [code, shipQuantityUom])),
    dates: new Map(sender.dates?.map(({ code, field }) => [code, field])),
  }
  const findings: X12Finding[] = []
  if (notice.shipments.length === 0)
    findings.push(missing(notice.set.segments.at(-1), 'HL level with LIN and SN1', 'Send a level for each item.'))
  const events = notice.shipments.flatMap((shipment) => eventsOf(notice, shipment, mapping, findings))
  return { events, findings }
}

interface SenderMapping {
  readonly sender: ShipNoticeSender
  readonly places: ReadonlyMap<string, { readonly locationCode: string; readonly locationName?: string }>
  readonly items: ReadonlyMap<string, string>
  readonly units: ReadonlyMap<string, string>
  readonly dates: ReadonlyMap<string, LineDateField>
}

/** Lines that are one event. */
interface EventLines {
  readonly from: Party
  readonly to: Party
  readonly order: Placed | undefined
  readonly lines: NoticeLine[]
}

function eventsOf(
  notice: ShipNotice,
  shipment: Consignment,
  mapping: SenderMapping,
  findings: X12Finding[],
): NoticeEvent[] {
  const groups = new Map<string, EventLines>()
  for (const line of shipment.lines) {
    const [from, to] = [partyOf(line, shipment, 'SF'), partyOf(line, shipment, 'ST')]
    if (from === undefined || to === undefined) {
      findings.push(
        errorAt(shipment.at, {
          message: `The notice does not name the place that ${from === undefined ? 'ships (N1*SF)' : 'receives (N1*ST)'}.`,
          remedy: 'Send N1*SF and N1*ST with the codes of the places.',
          code: '3',
        }),
      )
      return []
    }
    const key = JSON.stringify([from.role.segment, to.role.segment, line.purchaseOrder?.text])
    const eventLines = groups.get(key) ?? { from, to, order: line.purchaseOrder, lines: [] }
    groups.set(key, eventLines)
    eventLines.lines.push(line)
  }
  const shipped = shippedAt(notice, shipment, mapping.sender, findings)
  if (shipped === undefined) return []
  return [...groups.values()].map((eventLines) => eventOf(notice, shipment, eventLines, shipped, mapping, findings))
}

const partyOf = ({ parties }: NoticeLine, shipment: Consignment, role: string): Party | undefined =>
  parties.find((ofLevel) => ofLevel.has(role))?.get(role) ?? shipment.parties.get(role)

/** Collects fields of one object, and where each stands in the file. */
class Collected {
  readonly fields: Record<string, unknown> = {}
  readonly #places: Map<string, Place>
  readonly #at: string

  constructor(places: Map<string, Place>, at: string) {
    this.#places = places
    this.#at = at
  }

  put(field: string, from: Place | undefined, value: unknown): void {
    if (value === undefined || value === '' || field in this.fields) return
    this.fields[field] = value
    if (from !== undefined) this.#places.set(`${this.#at}${pointerStep(field)}`, from)
  }

  /** The text as it is written. */
  putText(field: string, text: Placed | undefined): void {
    this.put(field, text, text?.text)
  }
}

function eventOf(
  notice: ShipNotice,
  shipment: Consignment,
  { from, to, order, lines }: EventLines,
  shipped: Placed,
  mapping: SenderMapping,
  findings: X12Finding[],
): NoticeEvent {
  const { sender } = mapping
  const places = new Map<string, Place>()
  places.set('', shipment.at)
  const event = new Collected(places, '/eventList')
  const locationMasterList = [from, to].map((party, i) => locationOf(party, i, mapping, places, findings))
  const [fromCode, toCode] = locationMasterList.map(({ locationCode }) => locationCode)
  event.put('dataProviderVendorId', undefined, sender.dataProviderVendorId)
  event.put('dataProviderVendorName', undefined, sender.dataProviderVendorName)
  event.putText('eventDateTime', shipped)
  event.put('shipFromLocationCode', from.code ?? from.role, fromCode)
  event.put('shipToLocationCode', to.code ?? to.role, toCode)
  event.putText('purchaseOrderNumber', order)
  event.put('purchaseOrderDate', lines[0]?.orderDate, readDate(lines[0]?.orderDate, findings))
  event.putText('asnNumber', notice.number)
  const reference = (...qualifiers: string[]): Qualified | undefined =>
    qualifiers
      .map((wanted) =>
        [...(lines[0]?.references ?? []), ...shipment.references].find(({ qualifier }) => qualifier === wanted),
      )
      .find((found) => found !== undefined)
  event.putText('billOfLadingNumber', reference('BM', 'MB'))
  event.putText('carrierTrackingNumber', reference('CN', '2I'))
  event.putText('loadPlanningNumber', reference('LO'))
  event.putText('appointmentNumber', reference('AO'))
  const delivery = ['017', '067', '002']
    .map((code) => shipment.dates.find(({ qualifier }) => qualifier === code))
    .find(Boolean)
  event.put('expectedDeliveryDate', delivery, readDate(delivery, findings))
  const { carrier } = shipment
  // Codes of two and three letters are SCACs, too; the contract has room for those of four.
  if (/^[A-Z]{4}$/.test(carrier?.text ?? '')) event.putText('standardCarrierAlphaCode', carrier)
  event.put(
    'carrierShipmentMethod',
    shipment.transport,
    transports[shipment.transport?.text ?? ''] ?? shipment.transport?.text,
  )
  event.put(
    'equipmentDescription',
    shipment.equipment,
    equipmentKinds[shipment.equipment?.text ?? ''] ?? shipment.equipment?.text,
  )
  event.putText('equipmentNumber', shipment.equipmentNumber)
  const [lading, packaging] = shipment.lading
  event.put('shipmentLadingQuantity', lading, readQuantity(lading, findings))
  if (lading !== undefined)
    event.put('shipmentLadingUom', packaging, unitOf(packaging?.text.slice(0, 3) ?? '', mapping))
  const productList = lines.map((line, i) => {
    const fields = new Collected(places, `/eventList/productList/${i}`)
    places.set(`/eventList/productList/${i}`, line.hl)
    putLine(line, fields, shipment, from, mapping, findings)
    return fields.fields
  })
  return {
    payload: {
      productMasterDataList: productsOf(lines, productList, places),
      locationMasterList,
      eventList: { ...event.fields, productList },
    },
    at: shipment.at,
    places,
  }
}

/** An entry for each item that has a description; others are looked up in master data. */
function productsOf(
  lines: readonly NoticeLine[],
  productList: readonly Fields[],
  places: Map<string, Place>,
): Fields[] {
  const products = new Map<unknown, Fields>()
  for (const [i, { vendorItemCode, vendorItemDescription, caseGtin }] of productList.entries()) {
    if (vendorItemCode === undefined || vendorItemDescription === undefined || products.has(vendorItemCode)) continue
    const line = lines[i]
    if (line !== undefined) places.set(`/productMasterDataList/${products.size}`, line.description ?? line.hl)
    products.set(vendorItemCode, {
      itemCode: vendorItemCode,
      itemDescription: vendorItemDescription,
      ...(caseGtin !== undefined && { gtin: caseGtin }),
      ...packSizeOf(line),
    })
  }
  return [...products.values()]
}

/** `PO4*24*10*OZ` is 24 of 10 oz each. */
function packSizeOf(line: NoticeLine | undefined): { readonly packSize?: string } {
  const [count, size, unit] = line?.pack ?? []
  if (count === undefined || size === undefined || unit === undefined) return {}
  return { packSize: `${count.text} x ${size.text} ${usualUnits[unit.text] ?? unit.text}` }
}

function locationOf(
  party: Party,
  index: number,
  { places: known }: SenderMapping,
  places: Map<string, Place>,
  findings: X12Finding[],
): Record<string, unknown> {
  const location = new Collected(places, `/locationMasterList/${index}`)
  places.set(`/locationMasterList/${index}`, party.role)
  const { code, name, qualifier } = party
  const mapped = known.get(code?.text ?? '') ?? known.get(name?.text ?? '')
  if (code === undefined && mapped === undefined)
    findings.push(
      errorAt(party.role, {
        message: `N1*${party.role.text} has no code (N104)${name === undefined ? '' : ` beside the name ${quoted(name.text)}`}.`,
        remedy:
          'Have the sender send the code of the place, or assign its name to a location code in the settings of the sender.',
        code: '1',
      }),
    )
  if (mapped !== undefined) {
    location.put('locationCode', code ?? name, mapped.locationCode)
    location.put('locationName', name, mapped.locationName ?? name?.text ?? mapped.locationCode)
    return location.fields
  }
  location.putText('locationCode', code)
  location.put('locationName', name ?? code, name?.text ?? code?.text)
  if (qualifier === 'UL') location.putText('gln', code)
  if (qualifier === '1' || (qualifier === '9' && isDigits(code?.text ?? '', [9]))) location.putText('duns', code)
  if (party.streets.length > 0 || party.city !== undefined) {
    const address = new Collected(places, `/locationMasterList/${index}/address`)
    address.putText('streetAddress1', party.streets[0])
    address.putText('streetAddress2', party.streets[1])
    address.putText('city', party.city)
    address.putText('state', party.state)
    address.putText('postalCode', party.postalCode)
    address.putText('country', party.country)
    location.put('address', party.streets[0] ?? party.city, address.fields)
  }
  if (party.phone !== undefined) location.put('phoneNumber', party.phone, phoneOf(party.phone.text))
  return location.fields
}

/** Ten digits are a number of North America. */
function phoneOf(written: string): string {
  const [, area, exchange, line] = /^(?:\+?1)?(\d{3})(\d{3})(\d{4})$/.exec(written.replaceAll(/[ ().-]/g, '')) ?? []
  return area === undefined ? written : `+1.${area}.${exchange}.${line}`
}

function putLine(
  line: NoticeLine,
  fields: Collected,
  shipment: Consignment,
  from: Party,
  mapping: SenderMapping,
  findings: X12Finding[],
): void {
  const coded = (...qualifiers: string[]): Qualified | undefined =>
    qualifiers
      .map((wanted) => line.items.find(({ qualifier }) => qualifier === wanted))
      .find((found) => found !== undefined)
  const gtins = line.items.filter(
    ({ qualifier, text }) => numberQualifiers.has(qualifier) && isDigits(text, [8, 12, 13, 14]),
  )
  const caseGtin = gtins.find(({ text }) => text.length === 14)
  const itemUpc = gtins.find(({ text }) => text.length < 14)
  const mappedItem = line.items.find(({ text }) => mapping.items.has(text))
  const own = coded('VN', 'VA', 'VP', 'VC')
  const purchasers = coded('BP', 'IN', 'SK', 'CB', 'PI')
  const item = mappedItem ?? own ?? caseGtin ?? itemUpc ?? purchasers
  if (item === undefined)
    findings.push(
      errorAt(line.hl, {
        message: 'The line names no item: its LIN has no code that is read (VN, UK, UP, EN, BP, IN and the like).',
        remedy: 'Have the sender name the item in LIN.',
        code: '3',
      }),
    )
  fields.put('vendorItemCode', item, (mappedItem && mapping.items.get(mappedItem.text)) ?? item?.text)
  if (line.quantity === undefined)
    findings.push(
      errorAt(line.hl, { message: 'The line has no quantity.', remedy: 'Have the sender send SN102.', code: '3' }),
    )
  fields.put('shipQuantity', line.quantity, readQuantity(line.quantity, findings))
  fields.put('shipQuantityUom', line.unit ?? line.hl, unitOf(line.unit?.text ?? '', mapping))
  fields.putText('vendorItemDescription', line.description)
  const sscc = line.pallet
  // The application identifier 00 of a label stands before the 18 digits.
  fields.put('palletId', sscc, /^00\d{18}$/.test(sscc?.text ?? '') ? sscc?.text.slice(2) : sscc?.text)
  fields.putText('poLineNumber', line.lineNumber)
  fields.putText('purchaserItemCode', purchasers)
  fields.putText('caseGtin', caseGtin)
  fields.putText('itemUpc', itemUpc)
  const [lot, ...otherLots] = line.lots
  if (otherLots.length > 0)
    findings.push(
      errorAt(otherLots[0] as Placed, {
        message: `The line has ${line.lots.length} lot codes and one quantity: ${line.lots
          .slice(0, 3)
          .map(({ text }) => quoted(text))
          .join(', ')}.`,
        remedy: 'Have the sender send a level with its own SN1 for each lot code.',
        code: '7',
      }),
    )
  fields.putText('caseLotNumber', lot)
  fields.put('countryOfOrigin', line.origin, countryCodeOf(line.origin?.text.split('-', 1)[0] ?? ''))
  for (const date of line.dates) putDate(fields, date.qualifier, date, mapping, findings)
  const expires = line.references.find(({ qualifier, text }) => qualifier === 'EXP' && /^\d{8}$/.test(text))
  fields.put('expirationDate', expires, readDate(expires, findings))
  putSource(fields, line, shipment, from, mapping)
  // Half a source from the notice and half from the settings would be no place at all.
  const hasSource = Object.keys(fields.fields).some((field) => field.startsWith('tlcSource'))
  for (const [field, value] of Object.entries(mapping.sender.lineDefaults ?? {}))
    if (!hasSource || !field.startsWith('tlcSource')) fields.put(field, undefined, value)
}

/** Qualifiers of GTINs and UPCs, which also stand under each other's. */
const numberQualifiers = new Set(['UK', 'UP', 'EN', 'EO', 'UA', 'UD', 'UI', 'UN', 'GT', 'GE'])

function putDate(
  fields: Collected,
  code: string,
  date: NoticeDate,
  mapping: SenderMapping,
  findings: X12Finding[],
): void {
  const field = mapping.dates.get(code) ?? usualDates[code]
  if (field !== undefined) fields.put(field, date, readDate(date, findings))
}

function putSource(
  fields: Collected,
  line: NoticeLine,
  shipment: Consignment,
  from: Party,
  { sender }: SenderMapping,
): void {
  const named = sender.tlcSourceRole === undefined ? undefined : partyOf(line, shipment, sender.tlcSourceRole)
  const source = named ?? (sender.tlcSourceIsShipFrom ? from : undefined)
  if (source === undefined) return
  const { qualifier, code } = source
  const digits = code?.text ?? ''
  if (qualifier === 'UL') fields.putText('tlcSourceReferenceGln', code)
  else if ((qualifier === '1' || qualifier === '9') && isDigits(digits, [9]))
    fields.putText('tlcSourceReferenceDuns', code)
  else if (qualifier === 'FA') fields.putText('tlcSourceReferenceFfrn', code)
  fields.putText('tlcSourceName', source.name)
  fields.putText('tlcSourceAddress1', source.streets[0])
  fields.putText('tlcSourceAddress2', source.streets[1])
  fields.putText('tlcSourceCity', source.city)
  fields.putText('tlcSourceState', source.state)
  fields.putText('tlcSourcePostalCode', source.postalCode)
  fields.putText('tlcSourceCountry', source.country)
  if (source.phone !== undefined) fields.put('tlcSourcePhoneNumber', source.phone, phoneOf(source.phone.text))
}

function readQuantity(written: Placed | undefined, findings: X12Finding[]): number | undefined {
  if (written === undefined) return undefined
  if (/^\d{1,15}(?:\.\d{0,6})?$|^\.\d{1,6}$/.test(written.text)) return Number(written.text)
  findings.push(
    errorAt(written, {
      message: `${nameOf(written)} is ${quoted(written.text)}. It must be a number, e.g. 40.`,
      remedy: 'Have the sender send the quantity as digits, with a decimal point if needed.',
      code: '7',
    }),
  )
  return undefined
}

const nameOf = ({ segmentId, element }: Placed): string => `${segmentId}${String(element).padStart(2, '0')}`

const unitOf = (code: string, { units }: SenderMapping): string => units.get(code) ?? usualUnits[code] ?? code

/** `20260904` as 2026-09-04, and `260904` of this century. */
function readDate(written: Placed | undefined, findings: X12Finding[]): string | undefined {
  if (written === undefined) return undefined
  const digits = /^\d{6}$/.test(written.text) ? `20${written.text}` : written.text
  const date = /^\d{8}$/.test(digits) ? `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}` : ''
  if (isCalendarDate(date)) return date
  findings.push(
    errorAt(written, {
      message: `${nameOf(written)} is ${quoted(written.text)}. A date has the form CCYYMMDD, e.g. 20260304.`,
      remedy: 'Have the sender send a date of the calendar.',
      code: '8',
    }),
  )
  return undefined
}

/** When the goods left: DTM with 011 or 370, else the date and time of the notice. */
function shippedAt(
  notice: ShipNotice,
  shipment: Consignment,
  sender: ShipNoticeSender,
  findings: X12Finding[],
): Placed | undefined {
  const stated = ['011', '370'].map((code) => shipment.dates.find(({ qualifier }) => qualifier === code)).find(Boolean)
  const date = stated ?? notice.date
  if (date === undefined) {
    findings.push(
      errorAt(shipment.at, {
        message: 'The notice does not say when the goods were shipped.',
        remedy: 'Have the sender send DTM*011 with date and time.',
        code: '3',
      }),
    )
    return undefined
  }
  const day = readDate(date, findings)
  if (day === undefined) return undefined
  const isOfNotice = stated === undefined || (stated.time === undefined && stated.text === notice.date?.text)
  const time = stated?.time ?? (isOfNotice ? notice.time : undefined)
  if (stated?.time === undefined)
    findings.push(
      warningAt(date, {
        message: `${stated === undefined ? 'The notice has no DTM*011' : 'DTM*011 has no time'}. ${time === undefined ? 'The event is dated to the beginning of the day.' : 'The time of the notice (BSN04) is used.'}`,
        remedy: 'Have the sender send DTM*011 with date and time.',
      }),
    )
  const clock = readTime(time, findings)
  if (clock === undefined) return undefined
  const offset = offsetOf(stated?.zone ?? '', day, clock, sender)
  if (offset === undefined) {
    findings.push(
      errorAt(date, {
        message: `The time ${day} ${clock} has no time zone.`,
        remedy: 'Enter the time zone in the settings of the sender, or have the sender send DTM04.',
        code: '1',
      }),
    )
    return undefined
  }
  return { ...date, text: /:00$|^Z$/.test(offset) ? `${day}T${clock}${offset}` : inUtc(`${day}T${clock}${offset}`) }
}

/** `0930` and `093015` as 09:30:00 and 09:30:15. */
function readTime(written: Placed | undefined, findings: X12Finding[]): string | undefined {
  if (written === undefined) return '00:00:00'
  const [, hour, minute, second = '00'] = /^([01]\d|2[0-3])([0-5]\d)([0-5]\d)?\d{0,2}$/.exec(written.text) ?? []
  if (hour !== undefined) return `${hour}:${minute}:${second}`
  findings.push(
    errorAt(written, {
      message: `${nameOf(written)} is ${quoted(written.text)}. A time has the form HHMM, e.g. 0930.`,
      remedy: 'Have the sender send a time of day.',
      code: '9',
    }),
  )
  return undefined
}

function offsetOf(code: string, date: string, time: string, { timeZone }: ShipNoticeSender): string | undefined {
  const zone = zoneNames[code] ?? timeZone
  if (code in zoneOffsets) return zoneOffsets[code]
  return zone === undefined || findTimeZone(zone) === undefined ? undefined : localOffset(zone, date, time).offset
}

const inUtc = (dateTime: string): string => `${new Date(dateTime).toISOString().slice(0, 19)}Z`
