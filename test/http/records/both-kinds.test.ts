// Whoever receives and ships gets answers about both: what looks for events, lists voids, counts
// lines for FDA, makes its files and drills a recall knows shipping events as it knows receiving
// events. Source: decision 0080.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { download } from '../../support/files/download.ts'
import { readCsv, readWorkbook, textIn, unzipped } from '../../support/files/read-workbook.ts'
import { allowMs } from '../../support/patience.ts'
import { eventPayload, type Payload, paths, shippingPayload } from '../../support/records/payloads.ts'
import { calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
/** Received LOT-1 once and shipped it twice; the other lots are of one event each. */
let provider: TestProvider
const ids: Record<string, string> = {}

async function send(to: TestProvider, path: string, body: Payload): Promise<string> {
  const reply = await to.call('POST', path, { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}

const ofLot =
  (lot: string, edit: (event: Payload) => void = () => undefined) =>
  (payload: Payload) => {
    const { eventList } = payload
    eventList.productList = [{ ...eventList.productList[0], caseLotNumber: lot }]
    edit(eventList)
  }

const voidAs = async (path: string, id: string, reason: string) =>
  expect((await provider.call('POST', `${path}/${id}/void`, { body: { reason } })).status).toBe(200)

/** Replaces a shipping event by one with another lot. */
async function relot(id: string, lot: string) {
  const { body } = await provider.call('GET', `${paths.shippingEvent}/${id}`)
  body.eventList.productList[0].caseLotNumber = lot
  expect((await provider.call('PUT', `${paths.shippingEvent}/${id}`, { body })).status).toBe(200)
}

beforeAll(async () => {
  service = await startService()
  provider = await service.provider()
  const numbered = (po: string, asn: string) => (event: Payload) => {
    event.purchaseOrderNumber = po
    event.asnNumber = asn
  }
  const receive = (lot: string, edit?: (event: Payload) => void) =>
    send(provider, paths.receivingEvent, eventPayload(ofLot(lot, edit)))
  const ship = (lot: string, edit?: (event: Payload) => void) =>
    send(provider, paths.shippingEvent, shippingPayload(ofLot(lot, edit)))
  ids.received = await receive('LOT-1', numbered('BOTH-1', 'ASN-R'))
  ids.firstShipped = await ship('LOT-1', numbered('BOTH-1', 'ASN-S'))
  ids.shipped = await ship('LOT-1', (event) => {
    numbered('BOTH-2', 'ASN-S')(event)
    event.eventId = 'SHIPMENT-7'
    delete event.purchaseOrderNumber
  })
  ids.corrected = await ship('WRONG-1')
  await relot(ids.corrected, 'RIGHT-1')
  ids.voidedReceipt = await receive('NEVER-R')
  ids.voidedShipment = await ship('NEVER-S', (event) => delete event.purchaseOrderNumber)
  await voidAs(paths.receivingEvent, ids.voidedReceipt, 'Refused at the dock')
  await voidAs(paths.shippingEvent, ids.voidedShipment, 'Never left')
})
afterAll(() => service?.close())

const hits = async (text: string) =>
  (await provider.call('GET', `/search?text=${encodeURIComponent(text)}`)).body.content.map((hit: Payload) => [
    hit.kind,
    hit.value,
    hit.record,
    hit.records,
    hit.id,
  ])

test('a search finds shipping events by the values that find receiving events, each with its records', async () => {
  expect(await hits('LOT-1')).toEqual([
    ['lotCode', 'LOT-1', 'receivingEvent', 1, ids.received],
    ['lotCode', 'LOT-1', 'shippingEvent', 2, ids.shipped],
  ])
  expect(await hits('both-1')).toEqual([
    ['purchaseOrderNumber', 'BOTH-1', 'receivingEvent', 1, ids.received],
    ['purchaseOrderNumber', 'BOTH-1', 'shippingEvent', 1, ids.firstShipped],
  ])
  expect(await hits('ASN-S')).toEqual([['asnNumber', 'ASN-S', 'shippingEvent', 2, ids.shipped]])
  expect(await hits('SHIPMENT-')).toEqual([['eventId', 'SHIPMENT-7', 'shippingEvent', 1, ids.shipped]])
  expect(await hits('V-1001')).toEqual([
    ['dataProviderVendorId', 'V-1001', 'receivingEvent', 1, ids.received],
    ['dataProviderVendorId', 'V-1001', 'shippingEvent', 3, ids.corrected],
  ])
  const items = (await hits('ROM-24')).filter(([kind]: string[]) => kind === 'itemCode')
  expect(items.map(([, , record, records]: unknown[]) => [record, records])).toEqual([
    ['receivingEvent', 1],
    ['shippingEvent', 3],
  ])
  expect(await hits('wrong-1')).toEqual([['earlierLotCode', 'WRONG-1', 'shippingEvent', 1, ids.corrected]])
  const [hit] = (await provider.call('GET', `/search?text=${ids.voidedShipment}`)).body.content
  expect(hit).toMatchObject({ record: 'shippingEvent', voided: true, dataProviderVendorId: 'V-1001' })
  const { body } = await provider.call('GET', `${paths.shippingEvent}/${ids.shipped}`)
  const [shipped] = (await provider.call('GET', '/search?text=SHIPMENT-7')).body.content
  expect(shipped).toMatchObject({ eventDate: body.eventList.eventDateTime.slice(0, 10), voided: false })
  // Another provider has none of it.
  const { call } = await service.provider()
  expect((await call('GET', '/search?text=LOT-1')).body.content).toEqual([])
})

test('voids of both kinds are one list, the latest first, page by page, until a replacement brings the event back', async () => {
  const voids = async (query = '') => (await provider.call('GET', `/voids?${query}`)).body
  const first = await voids('limit=1')
  expect(first.content).toMatchObject([
    { kind: 'shippingEvent', id: ids.voidedShipment, version: 2, reason: 'Never left', purchaseOrderNumber: null },
  ])
  const second = await voids(`limit=1&cursor=${first.nextCursor}`)
  expect(second).toMatchObject({ content: [{ kind: 'receivingEvent', id: ids.voidedReceipt }], nextCursor: null })
  const id = await send(provider, paths.shippingEvent, shippingPayload(ofLot('BACK-1')))
  await voidAs(paths.shippingEvent, id, 'Wrong')
  expect((await voids()).content.map((one: Payload) => one.id)).toEqual([id, ids.voidedShipment, ids.voidedReceipt])
  const { body } = await provider.call('GET', `${paths.shippingEvent}/${id}`)
  await provider.call('PUT', `${paths.shippingEvent}/${id}`, { body })
  expect((await voids()).content).toHaveLength(2)
  await voidAs(paths.shippingEvent, id, 'Wrong after all')
})

test('a lot code that a shipping event lost leads to it, also where it was voided', async () => {
  const { status, body } = await provider.call('GET', '/traceability/lots/WRONG-1')
  expect(status).toBe(404)
  expect(body.records).toMatchObject([
    { kind: 'shippingEvent', id: ids.corrected, lotCodes: ['RIGHT-1'], voided: false },
  ])
  const lost = (await provider.call('GET', '/traceability/fda-lines?lotCode=NEVER-S')).body
  expect(lost.earlierLots).toMatchObject([
    { kind: 'shippingEvent', id: ids.voidedShipment, lotCodes: [], voided: true },
  ])
})

test('lines for FDA are counted of both kinds, whether whole events or single lines match', async () => {
  const counted = async (query: string) => (await provider.call('GET', `/traceability/fda-lines?${query}`)).body
  const whole = { events: 1, lines: 1, shippingEvents: 3, shippingLines: 3, correctedEvents: 1 }
  expect(await counted('')).toMatchObject(whole)
  expect(await counted('dataProviderVendorId=V-1001&eventStartDate=2026-01-01')).toMatchObject(whole)
  expect(await counted('productText=romaine')).toMatchObject(whole)
  expect(await counted('eventEndDate=2020-01-01')).toMatchObject({ events: 0, shippingEvents: 0, correctedEvents: 0 })
  expect(await counted('lotCode=RIGHT-1')).toMatchObject({ events: 0, shippingEvents: 1, correctedEvents: 1 })
  const administrator = calling(service.url, await provider.key('administrator'))
  const link = await administrator('POST', '/package-links?lotCode=LOT-1', { body: { label: 'FDA' } })
  expect(link.body, link.text).toMatchObject({ events: 3, lines: 3 })
})

test('a CSV has the sheet that was asked for, and counts its records; a workbook has all', async () => {
  const path = '/traceability/fda-spreadsheet?lotCode=LOT-1'
  for (const [sheet, name, count] of [
    ['', 'fda-receiving', 1],
    ['&sheet=receiving', 'fda-receiving', 1],
    ['&sheet=shipping', 'fda-shipping', 2],
  ] as const) {
    const { headers, bytes } = await download(service, provider, `${path}&format=csv${sheet}`)
    expect(headers.get('content-disposition')).toContain(`filename="${name}-lot-LOT-1.csv"`)
    expect(headers.get('record-count')).toBe(String(count))
    const [headings, ...rows] = readCsv(textIn(bytes).slice(1))
    expect(headings?.[23]).toMatch(name === 'fda-shipping' ? /Shipping Date/ : /Received/i)
    expect(rows.map(([lot]) => lot)).toEqual(Array.from({ length: count }, () => 'LOT-1'))
  }
  const none = await download(service, provider, '/traceability/fda-spreadsheet?format=csv&sheet=shipping&lotCode=X')
  expect([none.headers.get('record-count'), readCsv(textIn(none.bytes)).length]).toEqual(['0', 1])
  const both = await download(service, provider, path)
  expect(both.headers.get('record-count')).toBe('3')
  const { status, body } = await provider.call('GET', `${path}&sheet=shipping`)
  expect([status, body.detail]).toEqual([400, expect.stringContaining('a workbook has all')])
})

test('a package lists voided shipping events in a file of their own, under the headings of their sheet', async () => {
  const { bytes } = await download(service, provider, '/traceability/fda-package?lotCode=NEVER-S&lotCode=NEVER-R')
  const files = unzipped(bytes)
  const manifest = JSON.parse(textIn(files['manifest.json']))
  expect(manifest.counts).toMatchObject({ events: 0, voidedRecords: 2 })
  const page = textIn(files['explanation.html'])
  for (const [file, id, reason, noun] of [
    ['fda-voided-lot-', ids.voidedReceipt, 'Refused at the dock', 'receiving event'],
    ['fda-voided-shipping-lot-', ids.voidedShipment, 'Never left', 'shipping event'],
  ] as const) {
    const name = Object.keys(files).find((one) => one.startsWith(file)) ?? ''
    expect(manifest.files.map((one: Payload) => one.name)).toContain(name)
    expect(page).toContain(`<td>${name}</td>`)
    expect(page).toMatch(new RegExp(`<td>${id}</td><td>[^<]+</td><td>${reason}</td><td>${noun}</td>`))
    const [headings, ...rows] = readCsv(textIn(files[name]).slice(1))
    expect(headings?.[26]).toMatch(noun === 'shipping event' ? /Shipping Date/ : /Received/i)
    expect(rows.map((row) => [row[0], row[2]])).toEqual([[id, reason]])
  }
  const whole = unzipped((await download(service, provider, '/traceability/fda-package?lotCode=LOT-1')).bytes)
  const counts = JSON.parse(textIn(whole['manifest.json'])).counts
  expect(counts).toMatchObject({ events: 1, shippingEvents: 2, shippingLines: 2, lots: 1, voidedRecords: 0 })
  expect(textIn(whole['explanation.html'])).toContain('<h1>Receiving and shipping records: explanation</h1>')
  const workbook = Object.entries(whole).find(([name]) => name.endsWith('.xlsx'))?.[1] ?? bytes
  expect((await readWorkbook(workbook)).get('Shipping')).toHaveLength(3)
})

async function drilled(of: TestProvider, body: object) {
  const started = await of.call('POST', '/mock-recalls', { body })
  expect(started.status, started.text).toBe(201)
  const address = `/mock-recalls/${started.body.id}`
  const state = async () => (await of.call('GET', address)).body.state
  await expect.poll(state, { timeout: allowMs(20_000) }).not.toBe('running')
  return (await of.call('GET', address)).body
}

test('a mock recall finds what was shipped of the lot, with what its lines lack', async () => {
  const { state, report } = await drilled(provider, { lotCode: 'LOT-1' })
  expect(state).toBe('done')
  expect(report.found).toMatchObject({ events: 1, lines: 1, shippingEvents: 2, shippingLines: 2, incompleteLines: 0 })

  // A firm that only ships draws from its shipping events.
  const shipper = await service.provider()
  const id = await send(
    shipper,
    paths.shippingEvent,
    shippingPayload((payload) => {
      ofLot('OWN-1')(payload)
      for (const product of payload.productMasterDataList) delete product.packSize
    }),
  )
  const drawn = await drilled(shipper, { seed: 'any' })
  expect(drawn).toMatchObject({ state: 'done', lotCode: 'OWN-1' })
  expect(drawn.report.drawn).toMatchObject({ events: 1, record: 'shippingEvent', event: id })
  expect(drawn.report.found).toMatchObject({
    ...{ events: 0, lines: 0, shippingEvents: 1, shippingLines: 1, incompleteLines: 1 },
    missing: [{ kde: 'Product description: packaging size', cites: '21 CFR 1.1340(a)(3)', lines: 1 }],
  })
})

test('a vendor that only ships has the name that its shipping events give it', async () => {
  const shipper = await service.provider()
  const named = (vendor: string, name: string) =>
    shippingPayload(({ eventList }) => {
      eventList.dataProviderVendorId = vendor
      eventList.dataProviderVendorName = name
    })
  await send(shipper, paths.shippingEvent, named('V-SHIPS', 'Orchard Lane'))
  const targets = [{ dataProviderVendorId: 'V-SHIPS', completeShare: 0.9 }]
  const administrator = calling(service.url, await shipper.key('administrator'))
  expect((await administrator('PUT', '/vendor-targets', { body: { targets } })).status).toBe(200)
  const { content } = (await shipper.call('GET', '/vendor-targets')).body
  expect(content).toMatchObject([{ dataProviderVendorId: 'V-SHIPS', dataProviderVendorName: 'Orchard Lane' }])
})

test('the feed narrowed to a lot has the changes of shipping events', async () => {
  const { content } = (await provider.call('GET', '/changes?lotCode=WRONG-1&kind=shippingEvent')).body
  expect(content.map(({ type, id }: Payload) => [type, id])).toEqual([
    ['shippingEvent.created', ids.corrected],
    ['shippingEvent.replaced', ids.corrected],
  ])
})
