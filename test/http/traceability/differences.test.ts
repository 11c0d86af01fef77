// Differences between what was shipped and what was received, over HTTP: what is read of the
// records, which of them count, and how they are counted, paged and saved. What is compared is in
// test/tracing/delivery-comparison.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventPayload, type Payload, paths, shippingPayload } from '../../support/records/payloads.ts'
import { type Call, calling, type Service, startService } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const path = '/traceability/differences'
const march = 'eventStartDate=2026-03-01&eventEndDate=2026-03-31'

interface Delivery {
  readonly at?: string
  readonly vendor?: string
  readonly order?: string
  readonly to?: string
  readonly edit?: (payload: Payload) => void
}

/** Stores an event with one line of 56 cases, and returns its id. */
async function store(call: Call, kind: 'receivingEvent' | 'shippingEvent', about: Delivery = {}): Promise<string> {
  const { at = '2026-03-04T12:00:00Z', vendor = 'V-1', order = 'PO-1', to, edit } = about
  const payload = kind === 'receivingEvent' ? eventPayload() : shippingPayload()
  const { eventList: event, locationMasterList } = payload
  event.dataProviderVendorId = vendor
  event.dataProviderVendorName = `Farm ${vendor}`
  event.eventDateTime = at
  event.purchaseOrderNumber = order
  event.billOfLadingNumber = order.replace('PO', 'BOL')
  delete event.asnNumber
  event.productList = [
    { ...event.productList[0], shipQuantity: 56, shipQuantityUom: 'case', caseLotNumber: 'L-1', palletId: undefined },
  ]
  if (to !== undefined) {
    const place = locationMasterList.find((entry: Payload) => entry.locationCode === event.shipToLocationCode)
    locationMasterList.push({ ...place, locationCode: to, gln: undefined })
    event.shipToLocationCode = to
  }
  edit?.(payload)
  const reply = await call('POST', paths[kind], { body: payload })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}

const shipped = (call: Call, about?: Delivery) => store(call, 'shippingEvent', about)
let second = 0
const received = (call: Call, about?: Delivery) =>
  // No two at one moment.
  store(call, 'receivingEvent', { at: `2026-03-05T12:00:${String(second++ % 60).padStart(2, '0')}Z`, ...about })
const quantity = (amount: number) => (payload: Payload) => {
  payload.eventList.productList[0].shipQuantity = amount
}

async function compared(call: Call, query = march): Promise<Payload> {
  const reply = await call('GET', `${path}?${query}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
const kindsIn = ({ content }: Payload): string[] => content.map(({ kind }: Payload) => kind)

describe('differences', () => {
  test('name both records and lines, and are counted by vendor, place and day', async () => {
    const { call } = await service.provider()
    const [from, to] = [await shipped(call), await received(call, { edit: quantity(50) })]
    await shipped(call, { order: 'PO-2', at: '2026-03-06T12:00:00Z' })
    await shipped(call, { order: 'PO-3' })
    await received(call, { order: 'PO-3' })
    const body = await compared(call)
    expect(body).toMatchObject({
      eventStartDate: '2026-03-01',
      eventEndDate: '2026-03-31',
      underWayDays: 7,
      shipped: { events: 3, lines: 3 },
      received: { events: 2, lines: 2 },
      underWayLines: 0,
      differences: 2,
      kinds: { quantity: 1, notReceived: 1, lot: 0 },
      groups: [{ key: 'V-1', label: 'Farm V-1', differences: 2, kinds: { quantity: 1, notReceived: 1 } }],
      nextCursor: null,
    })
    expect(body.content).toMatchObject([
      { kind: 'notReceived', date: '2026-03-06', purchaseOrderNumber: 'PO-2', received: null },
      {
        kind: 'quantity',
        date: '2026-03-04',
        message: 'Shipped 56 case, received 50 case.',
        shipped: { records: [{ id: from, pointer: '/eventList/productList/0' }], shipQuantity: 56 },
        received: { records: [{ id: to, pointer: '/eventList/productList/0' }], shipQuantity: 50 },
      },
    ])
    const groupsBy = async (by: string) =>
      (await compared(call, `${march}&by=${by}`)).groups.map(({ key, differences }: Payload) => [key, differences])
    expect(await groupsBy('date')).toEqual([
      ['2026-03-06', 1],
      ['2026-03-04', 1],
    ])
    expect(await groupsBy('shipToLocationCode')).toEqual([['DC-07', 2]])
  })

  test('are filtered by vendor, place, kind and days, and come page by page and as CSV', async () => {
    const { call } = await service.provider()
    for (const [i, vendor] of ['V-1', 'V-1', 'V-2'].entries()) {
      await shipped(call, { vendor, order: `PO-${i}`, at: `2026-03-0${i + 2}T12:00:00Z` })
      await received(call, {
        vendor,
        order: `PO-${i}`,
        at: `2026-03-0${i + 3}T12:00:00Z`,
        ...(i > 0 && { to: 'DC-9' }),
      })
      if (i === 0) await received(call, { vendor, order: 'PO-9', edit: quantity(1) })
    }
    const kinds = async (query: string) => kindsIn(await compared(call, `${march}&${query}`))
    expect(await kinds('dataProviderVendorId=V-2')).toEqual(['place'])
    expect(await kinds('kind=notShipped')).toEqual(['notShipped'])
    expect(await kinds('shipToLocationCode=DC-9')).toEqual(['place', 'place'])
    expect(kindsIn(await compared(call, 'eventStartDate=2026-03-03&eventEndDate=2026-03-03'))).toEqual(['place'])
    expect((await compared(call, `${march}&kind=date`)).kinds).toMatchObject({ place: 2, notShipped: 1 })

    const all = (await compared(call)).content
    const pages: Payload[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Payload = await compared(call, `${march}&limit=1${cursor && `&cursor=${cursor}`}`)
      pages.push(...page.content)
      cursor = page.nextCursor
    }
    expect(pages).toEqual(all)
    const other = await call('GET', `${path}?${march}&limit=1&kind=place`)
    expect((await call('GET', `${path}?${march}&cursor=${other.body.nextCursor}`)).status).toBe(400)

    const csv = await call('GET', `${path}?${march}&format=csv&kind=place`)
    expect(csv.headers.get('content-disposition')).toContain('differences-2026-03-01-to-2026-03-31.csv')
    const [head, ...rows] = csv.text.trim().split('\r\n')
    expect(head).toMatch(/^kind,date,dataProviderVendorId,/)
    expect(rows).toHaveLength(2)
    expect(rows[0]).toContain(all.find(({ kind }: Payload) => kind === 'place').shipped.records[0].id)
  })

  test('leave out what is voided, and see what is replaced', async () => {
    const { call } = await service.provider()
    const [from, to] = [await shipped(call), await received(call)]
    await received(call, { order: 'PO-0', at: '2026-02-01T12:00:00Z' })
    const extra = await shipped(call, { order: 'PO-2' })
    expect(kindsIn(await compared(call))).toEqual(['notReceived'])
    await call('POST', `${paths.shippingEvent}/${extra}/void`, { body: { reason: 'Entered twice' } })
    expect(kindsIn(await compared(call))).toEqual([])
    const { id: _, ...event } = (await call('GET', `${paths.shippingEvent}/${from}`)).body
    quantity(60)(event)
    expect((await call('PUT', `${paths.shippingEvent}/${from}`, { body: event })).status).toBe(200)
    expect(kindsIn(await compared(call))).toEqual(['quantity'])
    await call('POST', `${paths.receivingEvent}/${to}/void`, { body: { reason: 'Entered twice' } })
    expect(kindsIn(await compared(call))).toEqual(['notReceived'])
  })

  test('belong to the date shipped, and a delivery across the end of a period is whole', async () => {
    const { call } = await service.provider()
    await shipped(call, { at: '2026-03-31T12:00:00Z' })
    await received(call, { at: '2026-04-02T12:00:00Z', edit: quantity(50) })
    await shipped(call, { order: 'PO-2', at: '2026-03-30T12:00:00Z' })
    await received(call, { order: 'PO-2', at: '2026-04-12T12:00:00Z' })
    expect(kindsIn(await compared(call))).toEqual(['quantity', 'date'])
    expect(kindsIn(await compared(call, 'eventStartDate=2026-04-01&eventEndDate=2026-04-30'))).toEqual([])
    expect(kindsIn(await compared(call, `${march}&underWayDays=20`))).toEqual(['quantity'])
  })

  test('follow the time zone of a place', async () => {
    const provider = await service.provider()
    const { call } = provider
    await shipped(call, { at: '2026-03-31T12:00:00Z', to: 'DC-1' })
    await received(call, { at: '2026-04-01T02:00:00Z', to: 'DC-1' })
    expect(await compared(call)).toMatchObject({ content: [], received: { events: 0 } })
    const administrator = calling(service.url, await provider.key('administrator'))
    const body = { timeZones: [{ locationCode: 'DC-1', timeZone: 'America/New_York' }] }
    expect((await administrator('PUT', '/location-time-zones', { body })).status).toBe(200)
    expect(await compared(call)).toMatchObject({ content: [], received: { events: 1 } })
  })

  test('are none while goods may be under way', async () => {
    const { call } = await service.provider()
    const now = new Date().toISOString().slice(0, 19)
    await received(call, { order: 'PO-0' })
    await shipped(call, { order: 'PO-0' })
    await shipped(call, { at: `${now}Z` })
    expect(await compared(call, '')).toMatchObject({ content: [], underWayLines: 1, shipped: { events: 1 } })
    expect(kindsIn(await compared(call, 'underWayDays=0'))).toEqual([])
  })

  test('leave out receipts of vendors that never ship, and shipments to places that never receive', async () => {
    const { call } = await service.provider()
    await received(call, { vendor: 'V-silent' })
    await shipped(call, { vendor: 'V-out', order: 'PO-2', to: 'CUSTOMER' })
    expect(await compared(call)).toMatchObject({
      content: [],
      shipped: { events: 0 },
      received: { events: 0 },
      notCompared: { shippedEvents: 1, receivedEvents: 1 },
    })
    await shipped(call, { vendor: 'V-out', order: 'PO-3' })
    await shipped(call, { vendor: 'V-silent', order: 'PO-4', at: '2025-01-01T12:00:00Z' })
    expect(kindsIn(await compared(call)).sort()).toEqual(['notReceived', 'notShipped'])
  })

  test('are those of the provider who asks', async () => {
    const [{ call }, other] = [await service.provider(), await service.provider()]
    await shipped(call)
    await received(call)
    await shipped(other.call, { order: 'PO-2' })
    await received(other.call, { order: 'PO-3' })
    expect(await compared(call)).toMatchObject({ content: [], shipped: { events: 1 }, received: { events: 1 } })
  })

  test('of a period that is too long or ends before it begins are refused', async () => {
    const { call } = await service.provider()
    for (const query of [
      'eventStartDate=2024-01-01&eventEndDate=2026-01-01',
      'eventStartDate=2026-02-01&eventEndDate=2026-01-01',
      'underWayDays=91',
    ])
      expect((await call('GET', `${path}?${query}`)).status, query).toBe(400)
  })
})
