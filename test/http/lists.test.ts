// Lists: every filter finds what it says and nothing else; pages neither skip nor repeat.
// Source: decision 0016.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventPayload, locationPayload, type Payload, paths, productPayload } from '../support/payloads.ts'
import { type Call, type Service, startService } from '../support/service.ts'

let service: Service
let call: Call
/** Three events that differ in everything a filter reads. */
const ids: string[] = []
const times = ['2026-02-01T10:00:00Z', '2026-02-02T10:00:00Z', '2026-02-03T10:00:00Z']
let between = ''

beforeAll(async () => {
  service = await startService()
  call = (await service.provider()).call
  for (const [n, time] of times.entries()) {
    const reply = await call('POST', paths.receivingEvent, {
      body: eventPayload(({ eventList, locationMasterList, productMasterDataList }) => {
        Object.assign(eventList, {
          eventDateTime: time,
          dataProviderVendorId: `V-${n}`,
          purchaseOrderNumber: `PO-${n}`,
          asnNumber: `ASN-${n}`,
          shipFromLocationCode: `FROM-${n}`,
          shipToLocationCode: `TO-${n}`,
        })
        locationMasterList[0].locationCode = `FROM-${n}`
        locationMasterList[1].locationCode = `TO-${n}`
        productMasterDataList[0].itemCode = `ITEM-${n}`
        eventList.productList = [
          {
            ...eventList.productList[0],
            vendorItemCode: `ITEM-${n}`,
            purchaserItemCode: `BUYER-${n}`,
            caseLotNumber: `LOT-${n}`,
          },
          { ...eventList.productList[0], vendorItemCode: `ITEM-${n}`, caseLotNumber: `LOT-B${n}` },
        ]
      }),
    })
    expect(reply.status, reply.text).toBe(201)
    ids.push(reply.body.request_ids[0])
    if (n === 1) {
      const { rows } = await service.database.pool.query(
        `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS now`,
      )
      between = rows[0].now
    }
  }
})
afterAll(() => service?.close())

const found = async (query: string): Promise<string[]> => {
  const reply = await call('GET', `${paths.receivingEvent}?${query}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.content.map(({ id }: Payload) => id)
}

describe('filters of receiving events', () => {
  test.each([
    ['dataProviderVendorId=V-1', [1]],
    ['purchaseOrderNumber=PO-2', [2]],
    ['asnNumber=ASN-0', [0]],
    ['shipFromLocationCode=FROM-1', [1]],
    ['shipToLocationCode=TO-1', [1]],
    ['itemCode=ITEM-2', [2]],
    ['itemCode=BUYER-0', [0]],
    ['lotCode=LOT-1', [1]],
    ['lotCode=LOT-B1', [1]],
    ['lotCode=ITEM-1', []],
    ['lotCode=lot-1', []],
    ['eventStartDateTime=2026-02-02T10:00:00Z', [2, 1]],
    ['eventStartDateTime=2026-02-02T05:00:00-05:00', [2, 1]],
    ['eventEndDateTime=2026-02-02T10:00:00Z', [1, 0]],
    ['eventStartDateTime=2026-02-02T00:00:00Z&eventEndDateTime=2026-02-02T23:00:00Z', [1]],
    ['eventEndDateTime=2026-02-03T11:00:00%2B01:00', [2, 1, 0]],
    ['dataProviderVendorId=V-1&lotCode=LOT-2', []],
    ['dataProviderVendorId=V-1&lotCode=LOT-1&itemCode=ITEM-1', [1]],
    ['submitStartDateTime=2026-01-01T00:00:00Z', [2, 1, 0]],
    ['submitEndDateTime=2026-01-01T00:00:00Z', []],
    ['', [2, 1, 0]],
  ])('%s', async (query, expected) => {
    expect(await found(query)).toEqual(expected.map((n) => ids[n]))
  })

  test('submitStartDateTime finds a record again after it was replaced', async () => {
    const { call: own } = await service.provider()
    const id = (await own('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0]
    await service.database.pool.query({
      text: `UPDATE record_version SET submitted_at = '2026-01-01T00:00:00Z' WHERE record_id = $1`,
      values: [id],
    })
    const since = `${paths.receivingEvent}?submitStartDateTime=${between}`
    expect((await own('GET', since)).body.content).toEqual([])
    await own('PUT', `${paths.receivingEvent}/${id}`, { body: eventPayload() })
    expect((await own('GET', since)).body.content).toHaveLength(1)
  })

  test('a replaced record is found by what it is now, and not by what it was', async () => {
    const { call: own } = await service.provider()
    const lot = (code: string) =>
      eventPayload((payload) => {
        payload.eventList.productList[0].caseLotNumber = code
      })
    const id = (await own('POST', paths.receivingEvent, { body: lot('BEFORE') })).body.request_ids[0]
    await own('PUT', `${paths.receivingEvent}/${id}`, { body: lot('AFTER') })
    expect((await own('GET', `${paths.receivingEvent}?lotCode=BEFORE`)).body.content).toEqual([])
    expect((await own('GET', `${paths.receivingEvent}?lotCode=AFTER`)).body.content).toHaveLength(1)
    expect((await own('GET', `${paths.receivingEvent}?lotCode=GV26063-B`)).body.content).toHaveLength(1)
  })
})

test('master products and locations are listed by vendor and code', async () => {
  const { call: own } = await service.provider()
  const product = productPayload((payload) => Object.assign(payload.productMasterDataList, { itemCode: 'P-1' }))
  const location = locationPayload((payload) => Object.assign(payload.locationMasterList, { locationCode: 'L-1' }))
  await own('POST', paths.masterProduct, { body: product })
  await own('POST', paths.masterProduct, { body: productPayload() })
  await own('POST', paths.location, { body: location })
  const list = async (path: string) => (await own('GET', path)).body.content
  expect(await list(`${paths.masterProduct}?itemCode=P-1&dataProviderVendorId=V-1001`)).toMatchObject([product])
  expect(await list(`${paths.masterProduct}?dataProviderVendorId=V-1001`)).toHaveLength(2)
  expect(await list(`${paths.masterProduct}?dataProviderVendorId=V-2`)).toEqual([])
  expect(await list(`${paths.location}?locationCode=L-1`)).toMatchObject([location])
  expect(await list(`${paths.location}?locationCode=L-2`)).toEqual([])
})

describe('pages', () => {
  test('neither skip nor repeat while records are created and replaced', async () => {
    const { call: own } = await service.provider()
    const there: string[] = []
    for (let i = 0; i < 11; i++)
      there.push((await own('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0])
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Payload = (await own('GET', `${paths.receivingEvent}?limit=3${cursor && `&cursor=${cursor}`}`)).body
      seen.push(...page.content.map(({ id }: Payload) => id))
      cursor = page.nextCursor
      await own('POST', paths.receivingEvent, { body: eventPayload() })
      await own('PUT', `${paths.receivingEvent}/${there[0]}`, { body: eventPayload() })
    }
    expect(seen).toEqual([...there].reverse())
  })

  test('end exactly: a page that is just full has no cursor', async () => {
    expect((await call('GET', `${paths.receivingEvent}?limit=3`)).body.nextCursor).toBeNull()
    expect((await call('GET', `${paths.receivingEvent}?limit=2`)).body.nextCursor).not.toBeNull()
  })

  test('a cursor belongs to its list and filters', async () => {
    const cursor = (await call('GET', `${paths.receivingEvent}?limit=1`)).body.nextCursor
    for (const wrong of [
      `${paths.receivingEvent}?limit=1&cursor=${cursor}&lotCode=LOT-1`,
      `${paths.masterProduct}?cursor=${cursor}`,
      `${paths.receivingEvent}?cursor=AAAA`,
    ])
      expect((await call('GET', wrong)).status, wrong).toBe(400)
    expect((await call('GET', `${paths.receivingEvent}?limit=2&cursor=${cursor}`)).status).toBe(200)
  })

  test.each([
    'limit=0',
    'limit=201',
    'limit=ten',
    'limit=',
    'lotcode=X',
    'lotCode=A&lotCode=B',
    'eventStartDateTime=2026-02-01',
    'eventStartDateTime=2026-02-01T00:00:00+01:00',
    'cursor=%00',
    'lotCode=%00',
  ])('%s is refused and not ignored', async (query) => {
    const reply = await call('GET', `${paths.receivingEvent}?${query}`)
    expect(reply.status).toBe(400)
    expect(reply.body.detail).toContain(query.split('=')[0])
  })
})
