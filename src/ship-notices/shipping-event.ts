// From a ship notice to shipping events: one for each order and pair of places. Missing values come
// from the settings of the sender, and nothing is guessed. Decided in 0082.
import { errorAt, nameOf, type Place, quoted, warningAt, type X12Finding } from 'lotkeeper-x12/finding'
import type { Placed, Qualified, QualifiedDate } from 'lotkeeper-x12/segment-values'
import type { LineDateField, ShipNoticeSender } from '../contract/ship-notice-sender.ts'
import { countryCodeOf } from '../contract/text/country.ts'
import { isDigits } from '../contract/text/identifiers.ts'
import { equipmentKinds, freightPayments, transports, usualDates, usualUnits } from './codes.ts'
import { Collected, TakenElements } from './collected.ts'
import { keepIfNeeded, leftValues } from './left-values.ts'
import { type DateReading, firstDate, readDate, shippedAt } from './notice-dates.ts'
import { codesOf, referenceFields } from './notice-elements.ts'
import {
  codeOfPlace,
  locationOf,
  type NoticePlace,
  type PlaceReading,
  placeOf,
  putSource,
  type StoredPlaces,
} from './notice-places.ts'
import { remediesOf } from './notice-remedies.ts'
import {
  type Carriage,
  type Consignment,
  isScac,
  missing,
  type NoticeLine,
  readCarriage,
  type ShipNotice,
} from './ship-notice.ts'

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
  /** Remedies for findings of rules, where a notice or its sender can do more. */
  readonly remedies: ReadonlyMap<string, string>
}

type Fields = Readonly<Record<string, unknown>>

export interface NoticeEvents {
  readonly events: readonly NoticeEvent[]
  readonly findings: readonly X12Finding[]
  /** Values of the notice that none of the events has. No fault of the notice. */
  readonly left: readonly X12Finding[]
}

export function shippingEventsOf(
  notice: ShipNotice,
  sender: ShipNoticeSender,
  stored: StoredPlaces = new Map(),
): NoticeEvents {
  const findings: X12Finding[] = []
  const said = new Set<string>()
  const reading: Reading = {
    sender,
    stored,
    places: new Map(sender.places?.map((place) => [place.code, place])),
    items: new Map(sender.items?.map(({ code, vendorItemCode }) => [code, vendorItemCode])),
    units: new Map(sender.units?.map(({ code, shipQuantityUom }) => [code, shipQuantityUom])),
    dates: new Map(sender.dates?.map(({ code, field }) => [code, field])),
    findings,
    taken: new TakenElements(),
    say: (key, finding) => {
      if (!said.has(key)) findings.push(finding())
      said.add(key)
    },
  }
  if (notice.shipments.length === 0)
    findings.push(missing(notice.set.segments.at(-1), 'HL level with LIN and SN1', 'Send a level for each item.'))
  const events = notice.shipments.flatMap((shipment) => eventsOf(notice, shipment, reading))
  for (const place of [...notice.accounted, ...notice.findings, ...findings]) reading.taken.take(place)
  // Of a notice that makes no event, nothing is stored anyway.
  const left = events.length === 0 ? [] : leftValues(notice.set.segments, reading.taken)
  return { events, findings, left }
}

/** Codes of the places that ship, whose stored locations say who assigned the lot codes. */
export function shipFromCodesOf(notice: ShipNotice, sender: ShipNoticeSender): string[] {
  const { shipFromLocationCode, tlcSourceIsShipFrom, places = [] } = sender
  if (!tlcSourceIsShipFrom) return []
  const codes = new Set<string>(shipFromLocationCode === undefined ? [] : [shipFromLocationCode])
  for (const { segments } of notice.shipments.length === 0 ? [] : [notice.set])
    for (const { id, elements } of segments)
      if (id === 'N1' && elements[0]?.trim() === 'SF')
        for (const text of [elements[3]?.trim() ?? '', elements[1]?.trim() ?? ''])
          if (text !== '') codes.add(places.find(({ code }) => code === text)?.locationCode ?? text)
  return [...codes]
}

/** The state while a notice is read. */
interface Reading extends PlaceReading, DateReading {
  readonly items: ReadonlyMap<string, string>
  readonly units: ReadonlyMap<string, string>
  readonly dates: ReadonlyMap<string, LineDateField>
}

/** Lines that are one event. */
interface EventLines {
  readonly from: NoticePlace
  readonly to: NoticePlace
  readonly order: Placed | undefined
  readonly lines: NoticeLine[]
}

/** The same with what their shipment says of them. */
interface ShippedLines extends EventLines {
  readonly shipment: Consignment
  readonly carriage: Carriage
  readonly shipped: Placed
}

function eventsOf(notice: ShipNotice, shipment: Consignment, reading: Reading): NoticeEvent[] {
  const groups = new Map<string, EventLines>()
  for (const line of shipment.lines) {
    const from = placeOf(line, shipment, 'SF', reading)
    const to = from && placeOf(line, shipment, 'ST', reading)
    if (from === undefined || to === undefined) return []
    const key = JSON.stringify([from.party?.role.segment, to.party?.role.segment, line.purchaseOrder?.text])
    const eventLines = groups.get(key) ?? { from, to, order: line.purchaseOrder, lines: [] }
    groups.set(key, eventLines)
    eventLines.lines.push(line)
  }
  const shippedOf = new Map<number | undefined, Placed | undefined>()
  const events: NoticeEvent[] = []
  for (const eventLines of groups.values()) {
    const carriage = readCarriage([...(eventLines.lines[0]?.order ?? []), ...shipment.segments])
    const dated = firstDate(carriage.dates, shippedCodes)?.segment
    if (!shippedOf.has(dated)) shippedOf.set(dated, shippedAt(notice, shipment.at, carriage.dates, reading))
    const shipped = shippedOf.get(dated)
    if (shipped === undefined) return []
    for (const { qualifier, segment, time, zone } of carriage.dates)
      if (shippedCodes.includes(qualifier) && segment === shipped.segment)
        for (const part of [time, zone]) if (part !== undefined) reading.taken.take(part)
    events.push(eventOf(notice, { ...eventLines, shipment, carriage, shipped }, reading))
  }
  return events
}

const shippedCodes = codesOf('DTM', 'eventDateTime')
const deliveryCodes = codesOf('DTM', 'expectedDeliveryDate')

function eventOf(
  notice: ShipNotice,
  { shipment, carriage, shipped, from, to, order, lines }: ShippedLines,
  reading: Reading,
): NoticeEvent {
  const { sender, findings, taken } = reading
  const places = new Map<string, Place>()
  places.set('', shipment.at)
  const event = new Collected(places, taken, '/eventList')
  const locationMasterList = [from, to].map((place, i) => locationOf(place, i, places, reading))
  event.put('dataProviderVendorId', undefined, sender.dataProviderVendorId)
  event.put('dataProviderVendorName', undefined, sender.dataProviderVendorName)
  event.putText('eventDateTime', shipped)
  event.put('shipFromLocationCode', from.party?.code ?? from.at, codeOfPlace(from, reading))
  event.put('shipToLocationCode', to.party?.code ?? to.at, codeOfPlace(to, reading))
  event.putText('purchaseOrderNumber', order)
  event.put('purchaseOrderDate', lines[0]?.orderDate, readDate(lines[0]?.orderDate, findings))
  event.putText('asnNumber', notice.number)
  const references = [...(lines[0]?.references ?? []), ...carriage.references]
  for (const [field, qualifiers] of referenceFields)
    event.putText(
      field,
      qualifiers
        .map((wanted) => references.find(({ qualifier }) => qualifier === wanted))
        .find((found) => found !== undefined),
    )
  const delivery = firstDate(carriage.dates, deliveryCodes)
  event.put('expectedDeliveryDate', delivery, readDate(delivery, findings))
  putCarriage(event, carriage, reading)
  const productList = lines.map((line, i) => {
    const fields = new Collected(places, taken, `/eventList/productList/${i}`)
    places.set(`/eventList/productList/${i}`, line.hl)
    putLine(line, fields, { shipment, from }, reading)
    return fields.fields
  })
  return {
    payload: {
      productMasterDataList: productsOf(lines, productList, places, taken),
      locationMasterList,
      eventList: { ...event.fields, productList },
    },
    at: shipment.at,
    places,
    remedies: remediesOf(lines[0], shipment, sender),
  }
}

/** Carrier, trailer, lading, and who pays. */
function putCarriage(event: Collected, carriage: Carriage, reading: Reading): void {
  const { carrier, transport, equipment, payment } = carriage
  if (isScac(carrier?.text ?? '')) event.putText('standardCarrierAlphaCode', carrier)
  event.put('carrierShipmentMethod', transport, transports[transport?.text ?? ''] ?? transport?.text)
  event.put('equipmentDescription', equipment, equipmentKinds[equipment?.text ?? ''] ?? equipment?.text)
  event.putText('equipmentNumber', carriage.equipmentNumber)
  event.put('methodOfPayment', payment, freightPayments[payment?.text ?? ''] ?? payment?.text)
  const [lading, packaging] = carriage.lading
  event.put('shipmentLadingQuantity', lading, readQuantity(lading, reading.findings))
  if (lading !== undefined) putPackaging(event, packaging, reading)
}

/** `PLT94`: three letters of the packaging, and two digits of its material. */
function putPackaging(event: Collected, packaging: Placed | undefined, reading: Reading): void {
  const [, code = packaging?.text ?? '', material] = /^([A-Z]{3})(\d\d)$/.exec(packaging?.text ?? '') ?? []
  event.put('shipmentLadingUom', packaging, unitOf(code, reading))
  if (packaging !== undefined && material !== undefined)
    reading.findings.push(
      warningAt(packaging, {
        message: `${nameOf(packaging)} is ${quoted(packaging.text)}. The packaging is stored; a shipping event has no field for its material, ${quoted(material)}.`,
        remedy: keepIfNeeded,
      }),
    )
}

/** An entry for each item that has a description; others are looked up in master data. */
function productsOf(
  lines: readonly NoticeLine[],
  productList: readonly Fields[],
  places: Map<string, Place>,
  taken: TakenElements,
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
      ...packSizeOf(line, taken),
    })
  }
  return [...products.values()]
}

/** `PO4*24*10*OZ` is 24 of 10 oz each. */
function packSizeOf(line: NoticeLine | undefined, taken: TakenElements): { readonly packSize?: string } {
  const [count, size, unit] = line?.pack ?? []
  if (count === undefined || size === undefined || unit === undefined) return {}
  for (const place of [count, size, unit]) taken.take(place)
  return { packSize: `${count.text} x ${size.text} ${usualUnits[unit.text] ?? unit.text}` }
}

function putLine(
  line: NoticeLine,
  fields: Collected,
  { shipment, from }: { readonly shipment: Consignment; readonly from: NoticePlace },
  reading: Reading,
): void {
  const { sender, findings } = reading
  const coded = (qualifiers: readonly string[]): Qualified | undefined =>
    qualifiers
      .map((wanted) => line.items.find(({ qualifier }) => qualifier === wanted))
      .find((found) => found !== undefined)
  const gtins = line.items.filter(
    ({ qualifier, text }) => numberedItems.has(qualifier) && isDigits(text, [8, 12, 13, 14]),
  )
  const caseGtin = gtins.find(({ text }) => text.length === 14)
  const itemUpc = gtins.find(({ text }) => text.length < 14)
  const mappedItem = line.items.find(({ text }) => reading.items.has(text))
  const own = coded(vendorItems)
  const purchasers = coded(purchaserItems)
  const item = mappedItem ?? own ?? caseGtin ?? itemUpc ?? purchasers
  if (item === undefined)
    findings.push(
      errorAt(line.hl, {
        message: 'The line names no item: its LIN has no code that is read (VN, UK, UP, EN, BP, IN and the like).',
        remedy: 'Have the sender name the item in LIN.',
        code: '3',
      }),
    )
  fields.put('vendorItemCode', item, (mappedItem && reading.items.get(mappedItem.text)) ?? item?.text)
  if (line.quantity === undefined)
    findings.push(
      errorAt(line.hl, { message: 'The line has no quantity.', remedy: 'Have the sender send SN102.', code: '3' }),
    )
  fields.put('shipQuantity', line.quantity, readQuantity(line.quantity, findings))
  putUnit(line, fields, reading)
  fields.putText('vendorItemDescription', line.description)
  const sscc = line.pallet
  // The application identifier 00 of a label stands before the 18 digits.
  fields.put('palletId', sscc, /^00\d{18}$/.test(sscc?.text ?? '') ? sscc?.text.slice(2) : sscc?.text)
  const [kind, tiers, blocks] = line.palletForm
  fields.putText('palletPackagingDescriptionCode', kind)
  fields.put('palletHigh', tiers, readQuantity(tiers, findings))
  fields.put('palletTie', blocks, readQuantity(blocks, findings))
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
  putOrigin(line, fields, findings)
  for (const date of line.dates) putDate(fields, date.qualifier, date, reading)
  const expires = line.references.find(({ qualifier, text }) => qualifier === 'EXP' && /^\d{8}$/.test(text))
  fields.put('expirationDate', expires, readDate(expires, findings))
  putSource(fields, { line, shipment, from }, reading)
  // Half a source from the notice and half from the settings would be no place at all.
  const hasSource = Object.keys(fields.fields).some((field) => field.startsWith('tlcSource'))
  for (const [field, value] of Object.entries(sender.lineDefaults ?? {}))
    if (
      field === 'countryOfOrigin' ? line.origin === undefined : !hasSource // The word of the notice counts.
    )
      fields.put(field, undefined, value)
}

function putUnit({ unit, hl }: NoticeLine, fields: Collected, reading: Reading): void {
  const { shipQuantityUom } = reading.sender
  if (unit === undefined && shipQuantityUom !== undefined) {
    fields.put('shipQuantityUom', hl, shipQuantityUom)
    reading.say('no unit', () =>
      warningAt(hl, {
        message: `The quantity has no unit (SN103). That of the settings is used, ${quoted(shipQuantityUom)}.`,
        remedy: 'Have the sender send SN103.',
        code: '1',
      }),
    )
  } else fields.put('shipQuantityUom', unit ?? hl, unitOf(unit?.text ?? '', reading))
}

function putOrigin({ origin }: NoticeLine, fields: Collected, findings: X12Finding[]): void {
  if (origin === undefined) return
  const [code = '', state] = origin.text.split('-', 2)
  const country = countryCodeOf(code)
  fields.put('countryOfOrigin', origin, country)
  if (country !== undefined && state !== undefined)
    findings.push(
      warningAt(origin, {
        message: `${nameOf(origin)} is ${quoted(origin.text)}. The country is stored; a shipping event has no field for the rest.`,
        remedy: keepIfNeeded,
      }),
    )
  if (country === undefined)
    findings.push(
      warningAt(origin, {
        message: `${nameOf(origin)} is ${quoted(origin.text)}, which is no country. The line has no country of origin.`,
        remedy: 'Have the sender send a country code, e.g. US.',
        code: '7',
      }),
    )
}

/** Whose codes of the item they are, by their qualifiers. */
const vendorItems = codesOf('LIN', 'productList.vendorItemCode')
const purchaserItems = codesOf('LIN', 'productList.purchaserItemCode')
const numberedItems = new Set(codesOf('LIN', 'productList.caseGtin'))

function putDate(fields: Collected, code: string, date: QualifiedDate, { dates, findings }: Reading): void {
  const field = dates.get(code) ?? usualDates[code]
  if (field !== undefined) fields.put(field, date, readDate(date, findings))
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

const unitOf = (code: string, { units }: Reading): string => units.get(code) ?? usualUnits[code] ?? code
