// The account that docs/screenshots/pages shows: thirteen weeks of deliveries of six vendors, with
// the mistakes that they make and what people did about them. The same in each run.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { lotkeeper } from '../src/client/client.ts'
import type { TraceabilityPlanContent } from '../src/client/generated/shapes.ts'
import type { ReceivingEventPayload, ShippingEventPayload } from '../src/contract/payloads.ts'
import { exampleNotice } from '../test/samples/ship-notices.ts'
import type { Certificate } from '../test/support/servers/certificate.ts'

const plan = JSON.parse(
  readFileSync(new URL('../examples/traceability-plan.json', import.meta.url), 'utf8'),
) as TraceabilityPlanContent

interface Item {
  readonly itemCode: string
  readonly description: string
  readonly gtin: string
  readonly category: string
  readonly brand: string
  readonly packStyle: string
  readonly packSize: string
}

interface Vendor {
  readonly id: string
  readonly name: string
  readonly place: { readonly code: string; readonly name: string; readonly gln: string }
  readonly address: readonly [street: string, city: string, state: string, postalCode: string]
  readonly phone: string
  /** Begins its lot codes. */
  readonly lots: string
  readonly items: readonly Item[]
  /** Weekdays of its deliveries, of which the first week is 0. */
  readonly delivers: (week: number) => readonly number[]
  /** What the delivery lacks. */
  readonly lacks: (week: number) => 'pack size' | 'source' | 'phone' | undefined
}

const always =
  (...days: readonly number[]) =>
  () =>
    days
const item = (
  itemCode: string,
  description: string,
  gtin: string,
  category: string,
  [brand, packStyle, packSize]: readonly [string, string, string],
): Item => ({ itemCode, description, gtin: withCheckDigit(gtin), category, brand, packStyle, packSize })

const vendors: readonly Vendor[] = [
  {
    id: 'V-1001',
    name: 'Green Valley Farms',
    place: { code: 'GV-COOLER-1', name: 'Green Valley Cooler', gln: withCheckDigit('061414100001') },
    address: ['1200 Harvest Road', 'Salinas', 'CA', '93901'],
    phone: '+1.831.555.0100',
    lots: 'GV',
    items: [
      item('ROM-24', 'Romaine hearts 24 ct', '1061414100041', 'leafy greens', ['Green Valley', 'carton', '24 x 10 oz']),
      item('SPI-4', 'Baby spinach 4 x 2.5 lb', '1061414100042', 'leafy greens', [
        'Green Valley',
        'carton',
        '4 x 2.5 lb',
      ]),
      item('CIL-30', 'Cilantro bunched 30 ct', '1061414100052', 'herbs', ['Green Valley', 'carton', '30 bunches']),
    ],
    delivers: always(1, 3),
    lacks: (week) => (week < 4 ? 'pack size' : undefined),
  },
  {
    id: 'V-1002',
    name: 'Coastal Tomato Company',
    place: { code: 'CT-PACK', name: 'Coastal Tomato Packing House', gln: withCheckDigit('085001200001') },
    address: ['480 Packinghouse Road', 'Immokalee', 'FL', '34142'],
    phone: '+1.239.555.0148',
    lots: 'CT',
    items: [
      item('TOM-25', 'Round tomatoes 25 lb', '1085001200101', 'tomatoes', ['Coastal', 'carton', '25 lb']),
      item('PEP-12', 'Bell peppers 12 ct', '1085001200102', 'peppers', ['Coastal', 'carton', '12 ct']),
      item('CUC-36', 'Cucumbers 36 ct', '1085001200103', 'cucumbers', ['Coastal', 'carton', '36 ct']),
    ],
    delivers: always(2, 4),
    lacks: () => undefined,
  },
  {
    id: 'V-1003',
    name: 'Blue Harbor Seafood',
    place: { code: 'BH-DOCK', name: 'Blue Harbor Pier 3', gln: withCheckDigit('085002700001') },
    address: ['3 Fish Pier', 'Portland', 'ME', '04101'],
    phone: '+1.207.555.0122',
    lots: 'BH',
    items: [
      item('SAL-10', 'Atlantic salmon fillet 10 lb', '1085002700201', 'finfish', ['Blue Harbor', 'case', '10 lb']),
      item('COD-10', 'Atlantic cod loin 10 lb', '1085002700202', 'finfish', ['Blue Harbor', 'case', '10 lb']),
    ],
    delivers: always(1, 4),
    lacks: (week) => (week % 3 === 1 ? 'source' : undefined),
  },
  {
    id: 'V-1004',
    name: 'Meadowbrook Dairy',
    place: { code: 'MB-PLANT', name: 'Meadowbrook Creamery', gln: withCheckDigit('085003300001') },
    address: ['77 Creamery Lane', 'Monroe', 'WI', '53566'],
    phone: '+1.608.555.0119',
    lots: 'MB',
    items: [
      item('MOZ-8', 'Fresh mozzarella 8 x 1 lb', '1085003300301', 'cheeses', ['Meadowbrook', 'case', '8 x 1 lb']),
      item('QUE-12', 'Queso fresco 12 x 10 oz', '1085003300302', 'cheeses', ['Meadowbrook', 'case', '12 x 10 oz']),
    ],
    delivers: always(3),
    lacks: () => undefined,
  },
  {
    id: 'V-1005',
    name: 'Sunrise Egg Farm',
    place: { code: 'SE-FARM', name: 'Sunrise Packing Room', gln: withCheckDigit('085004100001') },
    address: ['915 Old Mill Road', 'Lancaster', 'PA', '17601'],
    phone: '+1.717.555.0163',
    lots: 'SE',
    items: [item('EGG-15', 'Large eggs 15 dozen', '1085004100401', 'shell eggs', ['Sunrise', 'case', '15 dozen'])],
    // Nothing comes any more.
    delivers: (week) => (week < 9 ? [2] : []),
    lacks: () => undefined,
  },
  {
    id: 'V-1006',
    name: 'Tropico Imports',
    place: { code: 'TI-MIA', name: 'Tropico Cold Storage', gln: withCheckDigit('085005800001') },
    address: ['2001 Port Boulevard', 'Miami', 'FL', '33132'],
    phone: '+1.305.555.0181',
    lots: 'TI',
    items: [
      item('MAN-9', 'Mangoes 9 ct', '1085005800501', 'tropical tree fruits', ['Tropico', 'carton', '9 ct']),
      item('PAP-8', 'Papayas 8 ct', '1085005800502', 'tropical tree fruits', ['Tropico', 'carton', '8 ct']),
    ],
    delivers: always(2, 5),
    lacks: (week) => (week > 8 ? 'source' : week > 5 && week % 2 === 0 ? 'phone' : undefined),
  },
]

const receivers = [
  ['DC-07', 'Distribution Center 7', '88 Freight Avenue', 'Columbus', 'OH', '43217', '+1.614.555.0170'],
  ['DC-12', 'Distribution Center 12', '410 Perimeter Road', 'Atlanta', 'GA', '30336', '+1.404.555.0112'],
  ['DC-21', 'Distribution Center 21', '6200 Smith Road', 'Denver', 'CO', '80216', '+1.303.555.0121'],
] as const

/** Number and check digit, as GS1 computes it. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, n) => total + Number(digit) * (n % 2 === 0 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const weeks = 13
/** The day of the pictures, at which the clock of the service stays. */
export const picturesAt = Date.parse('2026-03-13T15:20:00Z')
/** A Monday: the clock of the service goes forward from here. */
export const accountBegins = Date.parse('2025-12-15T00:00:00Z')

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const time = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')
/** The same instant as clocks of the east show it in winter. */
const localTime = (ms: number): string => time(ms - 5 * 3_600_000).replace('Z', '-05:00')

interface Delivery extends ReceivingEventPayload {
  readonly sentMs: number
}

/** One delivery as its vendor sends it. */
function delivery(vendor: Vendor, week: number, day: number, number: number): Delivery {
  const date = accountBegins + (week * 7 + day - 1) * dayMs
  const receivedMs = date + (13 + (number % 5)) * 3_600_000 + (number % 6) * 600_000
  const [code, name, street, city, state, postalCode, phone] = receivers[number % receivers.length] ?? receivers[0]
  const lacking = vendor.lacks(week)
  const items = vendor.items.filter((_, n) => n === 0 || (number + n) % 3 !== 0)
  const [ownStreet, ownCity, ownState, ownPostalCode] = vendor.address
  const yearDay = Math.floor((date - Date.UTC(2025, 0, 1)) / dayMs) % 365
  return {
    sentMs: receivedMs + 47 * 60_000,
    payloadId: `${vendor.lots}-${dateOf(date)}-${number}`,
    transmissionDateTime: time(receivedMs + 40 * 60_000),
    productMasterDataList: items.map(({ itemCode, description, gtin, category, brand, packStyle, packSize }) => ({
      itemCode,
      itemDescription: description,
      gtin,
      isFtlItem: true,
      ftlCategory: category,
      brandName: brand,
      packStyle,
      ...(lacking !== 'pack size' && { packSize }),
      productCommodity: description.split(' ').slice(0, 2).join(' '),
    })),
    locationMasterList: [
      {
        locationCode: vendor.place.code,
        locationName: vendor.place.name,
        gln: vendor.place.gln,
        address: {
          streetAddress1: ownStreet,
          city: ownCity,
          state: ownState,
          postalCode: ownPostalCode,
          country: 'USA',
        },
        locationType: 'Supplier',
        phoneNumber: vendor.phone,
      },
      {
        locationCode: code,
        locationName: name,
        address: { streetAddress1: street, city, state, postalCode, country: 'USA' },
        locationType: 'Customer',
        ...(lacking !== 'phone' && { phoneNumber: phone }),
      },
    ],
    eventList: {
      dataProviderVendorId: vendor.id,
      dataProviderVendorName: vendor.name,
      purchaseOrderNumber: `PO-${88_000 + number * 7}`,
      purchaseOrderDate: dateOf(date - 4 * dayMs),
      eventDateTime: localTime(receivedMs),
      shipFromLocationCode: vendor.place.code,
      shipToLocationCode: code,
      billOfLadingNumber: `BOL-${55_000 + number * 3}`,
      asnNumber: `ASN-${771_000 + number}`,
      productList: items.map(({ itemCode, gtin }, n) => ({
        vendorItemCode: itemCode,
        shipQuantity: 24 + ((number * 5 + n * 16) % 9) * 8,
        shipQuantityUom: 'case',
        poLineNumber: String(n + 1),
        caseGtin: gtin,
        caseLotNumber: `${vendor.lots}${String(yearDay).padStart(3, '0')}-${'ABC'[n]}`,
        packagingDate: dateOf(date - dayMs),
        countryOfOrigin: vendor.id === 'V-1006' ? 'MEX' : 'USA',
        // The number alone does not say where the source is.
        ...(lacking === 'source'
          ? { tlcSourceReferenceDuns: '079254871' }
          : { tlcSourceReferenceGln: vendor.place.gln }),
      })),
    },
  }
}

/** Vendors that also tell what they ship, and since when. */
const shippers = ['V-1001', 'V-1002', 'V-1003']
const shipmentsBegin = Date.parse('2026-02-02T00:00:00Z')

/** What the vendor shipped of a delivery on the day before: now and then not what arrived. */
function shipmentOf({ sentMs, payloadId, eventList, ...lists }: Delivery, n: number): ShippingEventPayload {
  const isShort = n % 11 === 4
  return {
    ...lists,
    payloadId: `S-${payloadId}`,
    eventList: {
      ...eventList,
      eventDateTime: localTime(sentMs - 21 * hourMs),
      productList: eventList.productList.map((line, i) =>
        isShort && i === 0 ? { ...line, shipQuantity: line.shipQuantity + 8 } : line,
      ),
    },
  }
}

/** Of the distribution centers, which send on to stores. */
const grocer = ['V-3000', 'Lakeside Grocers'] as const
const stores = [
  ['00114', 'Lakeside Store 114', '310 Blackstone Avenue', 'Boulder', 'CO', '80302', '+1.303.555.0114', 24],
  ['00220', 'Lakeside Store 220', '900 Canyon Road', 'Aurora', 'CO', '80012', '+1.303.555.0220', 32],
] as const

/** Some cases of a delivery, sent on to a store on the next day. */
function transferTo(
  [code, name, street, city, state, postalCode, phone, cases]: (typeof stores)[number],
  { sentMs, locationMasterList, eventList, ...from }: Delivery,
): ReceivingEventPayload {
  const receivedMs = sentMs + dayMs + cases * 300_000
  const { billOfLadingNumber: _, asnNumber: __, ...event } = eventList
  return {
    ...from,
    payloadId: `TR-${code}`,
    locationMasterList: [
      ...(locationMasterList ?? []),
      {
        locationCode: code,
        locationName: name,
        address: { streetAddress1: street, city, state, postalCode, country: 'USA' },
        locationType: 'Internal',
        phoneNumber: phone,
      },
    ],
    eventList: {
      ...event,
      dataProviderVendorId: grocer[0],
      dataProviderVendorName: grocer[1],
      purchaseOrderNumber: `TR-${code}-0312`,
      eventDateTime: localTime(Math.round(receivedMs / 600_000) * 600_000),
      shipFromLocationCode: event.shipToLocationCode,
      shipToLocationCode: code,
      billOfLadingNumber: `LG-${77_000 + cases}`,
      productList: event.productList.slice(0, 1).map((line) => ({ ...line, shipQuantity: cases })),
    },
  }
}

interface Options {
  readonly url: string
  /** Of an administrator of an empty account. */
  readonly key: string
  /** Sets the clock of the service. */
  readonly setClock: (ms: number) => Promise<void>
  /** Of erp.example.com, which the service finds here. */
  readonly certificate: Certificate
}

/** What the pictures open by their id. */
export interface ShownAccount {
  readonly event: string
  readonly shipment: string
  readonly lotCode: string
  readonly correction: string
  readonly mockRecall: string
  readonly webhook: string
  /** Ends the receiver of the webhooks. */
  close(): void
}

export async function fillAccount({ url, key, setClock, certificate }: Options): Promise<ShownAccount> {
  const administrator = lotkeeper({ url, key })
  await setClock(accountBegins)
  const keyOf = async (role: 'reader' | 'writer' | 'administrator', label: string, personName?: string) =>
    (await administrator.createKey({ body: { role, label, ...(personName !== undefined && { personName }) } })).body
  const erp = await keyOf('writer', 'ERP system')
  const quality = await keyOf('writer', 'quality office', 'Ana Lopez')
  const auditor = await keyOf('reader', 'auditor 2025', 'Tom Becker')
  const people = lotkeeper({ url, key: quality.key })
  const api = lotkeeper({ url, key: erp.key })

  for (const { id, name, items } of vendors.filter(({ id }) => ['V-1002', 'V-1004'].includes(id)))
    for (const { itemCode, description, gtin, category, brand, packStyle, packSize } of items)
      await api.createMasterProducts({
        body: {
          transmissionDateTime: time(accountBegins),
          productMasterDataList: {
            itemCode,
            itemDescription: description,
            dataProviderVendorId: id,
            dataProviderVendorName: name,
            gtin,
            isFtlItem: true,
            ftlCategory: category,
            brandName: brand,
            packStyle,
            packSize,
          },
        },
      })

  // Deliveries, in the order in which they were sent.
  let count = 0
  const deliveries = Array.from({ length: weeks }, (_, week) =>
    vendors.flatMap((vendor) => vendor.delivers(week).map((day) => delivery(vendor, week, day, ++count))),
  )
    .flat()
    .sort((a, b) => a.sentMs - b.sentMs)
    .filter(({ sentMs }) => sentMs < picturesAt - 5 * hourMs)
  const ids: string[] = []
  // While somebody follows the changes, a checkpoint is made at once.
  let after: string | undefined
  const follow = async () => {
    after = (await api.listChanges({ after, limit: 200, wait: 5 })).body.nextPosition
  }
  for (const [n, { sentMs, ...body }] of deliveries.entries()) {
    await setClock(sentMs)
    const { request_ids } = (await api.createReceivingEvents({ body })).body
    ids.push(request_ids[0] ?? '')
    // Now and then a delivery is sent without its lot code first, which is refused.
    if (n % 17 === 5 || (body.eventList.dataProviderVendorId === 'V-1006' && n > 110)) {
      const eventDateTime = localTime(sentMs)
      const productList = body.eventList.productList.map(({ caseLotNumber: _, ...line }) => line)
      await api
        .createReceivingEvents({ body: { ...body, eventList: { ...body.eventList, eventDateTime, productList } } })
        .catch(() => undefined)
    }
    if (n === 60) await people.startMockRecall({ body: { seed: '2026-Q1' } })
    if (n % 12 === 0) await follow()
  }

  // What three vendors shipped of it; one delivery never arrived.
  const shipments: string[] = []
  const shipped = deliveries.filter(
    ({ sentMs, eventList }) => sentMs > shipmentsBegin && shippers.includes(eventList.dataProviderVendorId),
  )
  for (const [n, one] of shipped.entries())
    shipments.push((await api.createShippingEvents({ body: shipmentOf(one, n) })).body.request_ids[0] ?? '')
  const lost = shipped.at(-9)
  if (lost !== undefined)
    await people.voidReceivingEvent({
      id: ids[deliveries.indexOf(lost)] ?? '',
      body: { reason: 'Refused at the dock: too warm' },
    })
  await follow()

  // What people set and did on the day of the pictures.
  await setClock(picturesAt - 4 * hourMs)
  await people.voidShippingEvent({ id: shipments.at(-14) ?? '', body: { reason: 'Loaded on the next truck instead' } })
  await administrator.replaceTraceabilityPlan({ body: plan })
  await administrator.setVendorTargets({
    body: {
      targets: [
        { completeShare: 0.95, silentDays: 21, refusalFactor: 3 },
        { dataProviderVendorId: 'V-1001', completeShare: 0.98, silentDays: 7 },
        { dataProviderVendorId: 'V-1006', completeShare: 0.9 },
      ],
    },
  })
  await administrator.setTimeZones({
    body: {
      timeZones: [
        { locationCode: 'DC-07', timeZone: 'America/New_York' },
        { locationCode: 'DC-12', timeZone: 'America/New_York' },
        { locationCode: 'DC-21', timeZone: 'America/Denver' },
      ],
    },
  })
  await administrator.setLegalHold({
    body: { reason: 'FDA request of 2026-03-09', eventStartDate: '2026-02-01', eventEndDate: '2026-02-28' },
  })
  await administrator.setShipNoticeSenders({
    body: {
      senders: [
        {
          senderId: 'COASTALTOM',
          dataProviderVendorId: 'V-1002',
          timeZone: 'America/New_York',
          tlcSourceIsShipFrom: true,
          units: [{ code: 'CT', shipQuantityUom: 'case' }],
        },
        {
          senderId: '0812345678901',
          dataProviderVendorId: 'V-1003',
          places: [
            { code: '07', locationCode: 'DC-07' },
            { code: '21', locationCode: 'DC-21' },
          ],
        },
      ],
    },
  })
  await administrator.setCaptureSenders({
    body: { senders: [{ dataProviderVendorId: 'V-1004', shipQuantityUom: 'case', tlcSourceIsShipFrom: true }] },
  })
  // Of a sender that nobody has set up yet.
  await api.importShipNotices({ body: { interchange: exampleNotice } })
  await administrator.revokeKey({ id: auditor.keyId })
  await keyOf('reader', 'auditor 2026', 'Tom Becker')
  await keyOf('administrator', 'operations', 'Priya Shah')

  const [event = ''] = ids.slice(-3)
  const { body: record } = await people.readReceivingEvent({ id: event })
  const { id: _, ...payload } = record as unknown as ReceivingEventPayload & { readonly id: string }
  const productList = payload.eventList.productList.map((line, n) =>
    n === 0 ? { ...line, shipQuantity: line.shipQuantity - 8 } : line,
  )
  await people.replaceReceivingEvent({
    id: event,
    body: { ...payload, eventList: { ...payload.eventList, productList } },
  })
  await people.voidReceivingEvent({ id: ids.at(-20) ?? '', body: { reason: 'Entered twice' } })
  await people.voidReceivingEvent({ id: ids.at(-31) ?? '', body: { reason: 'Belongs to another company' } })

  await setClock(picturesAt - 3.5 * hourMs)
  const settled = async (id: string) => {
    for (;;) {
      const { body } = await people.readCorrection({ id })
      if (body.state !== 'previewing' && body.state !== 'applying') return body
      await pause(100)
    }
  }
  const applied = await people.createCorrection({
    body: {
      reason: 'Pack size confirmed by Green Valley Farms',
      where: { dataProviderVendorId: ['V-1001'], itemCode: ['ROM-24'], eventEndDate: '2025-12-31' },
      changes: [{ field: 'product.packSize', set: '24 x 10 oz' }],
    },
  })
  const { outcomes } = await settled(applied.body.id)
  await people.applyCorrection({ id: applied.body.id, body: { ready: outcomes.ready } })
  await settled(applied.body.id)

  const traced = deliveries.findLast(({ eventList }) => eventList.dataProviderVendorId === 'V-1001')
  const lotCode = traced?.eventList.productList[0]?.caseLotNumber ?? ''
  if (traced !== undefined)
    for (const store of stores) await api.createReceivingEvents({ body: transferTo(store, traced) })
  await administrator.createPackageLink({ lotCode, body: { label: 'FDA, request 2026-0114', expiresInHours: 72 } })
  const { body: drill } = await people.startMockRecall({ body: { lotCode } })
  await people.exportFdaPackage({ eventStartDate: '2026-02-01', eventEndDate: '2026-02-28' })

  // A receiver that answers, and had its troubles.
  let status = 503
  const receiver = createServer(certificate, (request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(status).end(status === 204 ? '' : '{"error":"database is locked"}'))
  })
  receiver.listen(8443, '127.0.0.1')
  await once(receiver, 'listening')
  const webhookOf = async (path: string, description: string, types: readonly string[]) =>
    (
      await administrator.createWebhook({
        body: { url: `https://erp.example.com:8443/${path}`, description, types: [...types] },
      })
    ).body.id
  const webhook = await webhookOf('lotkeeper', 'ERP system', ['receivingEvent.*', 'masterProduct.*'])
  await webhookOf('chat', 'chat of the quality office', ['alert.*'])
  await administrator.testWebhook({ id: webhook, body: {} })
  status = 204
  await setClock(picturesAt - 2.5 * hourMs)
  await administrator.testWebhook({ id: webhook, body: {} })

  await setClock(picturesAt - 2 * hourMs)
  const last = deliveries.slice(-4).map(({ sentMs: _, ...body }, n) => ({
    ...body,
    payloadId: `${body.payloadId}-late`,
    eventList: {
      ...body.eventList,
      eventDateTime: localTime(picturesAt - (5 - n) * 33 * 60_000),
      purchaseOrderNumber: `PO-${89_400 + n}`,
      billOfLadingNumber: `BOL-${56_200 + n}`,
      asnNumber: `ASN-${772_300 + n}`,
    },
  }))
  for (const [n, body] of last.entries()) {
    await setClock(picturesAt - (110 - n * 20) * 60_000)
    await api.createReceivingEvents({ body })
  }
  await setClock(picturesAt)
  const { body: preview } = await people.createCorrection({
    body: {
      reason: 'Source of the lot code as Tropico Imports told us on the phone',
      where: { dataProviderVendorId: ['V-1006'] },
      changes: [{ field: 'line.tlcSourceReferenceGln', set: vendors[5]?.place.gln ?? '' }],
    },
  })
  await settled(preview.id)
  // The service looks for alerts about once a minute.
  for (let seconds = 0; seconds < 120; seconds++) {
    if ((await people.listAlerts({ open: true })).body.content.length > 0) break
    await pause(1_000)
  }
  const shipment = shipments.at(-2) ?? ''
  return {
    event,
    shipment,
    lotCode,
    correction: preview.id,
    mockRecall: drill.id,
    webhook,
    close: () => receiver.close(),
  }
}
