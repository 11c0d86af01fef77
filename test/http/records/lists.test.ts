// Lists: every filter finds what it says and nothing else; pages neither skip nor repeat.
// Source: decision 0016.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listViewsMax } from '../../../src/operations/records/list-views.ts'
import { readWorkbook } from '../../support/files/read-workbook.ts'
import { eventPayload, locationPayload, type Payload, paths, productPayload } from '../../support/records/payloads.ts'
import { type Call, calling, type Service, startService } from '../../support/servers/service.ts'

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
          billOfLadingNumber: `BOL-${n}`,
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
    ['billOfLadingNumber=BOL-1', [1]],
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
    ['eventStartDate=2026-02-02&eventEndDate=2026-02-02', [1]],
    ['dataProviderVendorId=V-1&lotCode=LOT-2', []],
    ['dataProviderVendorId=V-1&lotCode=LOT-1&itemCode=ITEM-1', [1]],
    ['dataProviderVendorId=V-2&dataProviderVendorId=V-0&dataProviderVendorId=V-9', [2, 0]],
    ['lotCode=LOT-1&lotCode=LOT-B1&lotCode=LOT-0', [1, 0]],
    ['lotCode=LOT-1&lotCode=LOT-0&itemCode=ITEM-0&itemCode=ITEM-2', [0]],
    ['dataProviderVendorId=V-2,V-0', []],
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

describe('sorted lists', () => {
  /** Six events of three vendors, received in another order than submitted. */
  const times = [4, 1, 6, 3, 5, 2].map((day) => `2026-02-0${day}T10:00:00Z`)
  const vendors = ['Ä-2', 'B-1', 'Ä-2', 'A-0', 'B-1', 'A-0']
  let own: Call
  const made: string[] = []
  const create = async (eventDateTime: string, dataProviderVendorId: string) =>
    (
      await own('POST', paths.receivingEvent, {
        body: eventPayload(({ eventList }) => Object.assign(eventList, { eventDateTime, dataProviderVendorId })),
      })
    ).body.request_ids[0]
  beforeAll(async () => {
    own = (await service.provider()).call
    for (const [n, time] of times.entries()) made.push(await create(time, vendors[n] ?? ''))
  })
  const walk = async (query: string, between?: () => Promise<unknown>): Promise<string[]> => {
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const reply: Payload = await own(
        'GET',
        `${paths.receivingEvent}?${query}&limit=2${cursor && `&cursor=${cursor}`}`,
      )
      expect(reply.status, reply.text).toBe(200)
      seen.push(...reply.body.content.map(({ id }: Payload) => id))
      cursor = reply.body.nextCursor
      await between?.()
    }
    return seen
  }
  const byTime = [2, 4, 0, 3, 5, 1]

  test('newest received first, or oldest, page by page', async () => {
    expect(await walk('sort=eventDateTime')).toEqual(byTime.map((n) => made[n]))
    expect(await walk('sort=eventDateTime&direction=ascending')).toEqual([...byTime].reverse().map((n) => made[n]))
    expect(await walk('sort=created&direction=ascending')).toEqual(made)
  })

  test('by a text, with any letters, and by id where it is equal', async () => {
    const ascending = await walk('sort=dataProviderVendorId&direction=ascending')
    expect(await walk('sort=dataProviderVendorId')).toEqual([...ascending].reverse())
    expect(ascending.map((id) => vendors[made.indexOf(id)]).filter((one, n, all) => one !== all[n - 1])).toHaveLength(3)
    expect(await walk('sort=eventDateTime&dataProviderVendorId=%C3%84-2')).toEqual([made[2], made[0]])
  })

  test('neither skip nor repeat while records are created and replaced', async () => {
    const days = [...Array(20).keys()]
    const walked = await walk('sort=eventDateTime&eventEndDateTime=2026-02-07T00:00:00Z', async () => {
      await create(`2026-03-${String(10 + (days.shift() ?? 0))}T10:00:00Z`, 'later')
      const [first = ''] = made
      const { body } = await own('GET', `${paths.receivingEvent}/${first}`)
      await own('PUT', `${paths.receivingEvent}/${first}`, { body })
    })
    expect(walked).toEqual(byTime.map((n) => made[n]))
  })

  test('a cursor belongs to its order, and one that was made up is refused', async () => {
    const sorted = `${paths.receivingEvent}?sort=eventDateTime&limit=1`
    const { nextCursor, content } = (await own('GET', sorted)).body
    for (const wrong of [
      `${paths.receivingEvent}?limit=1&cursor=${nextCursor}`,
      `${sorted}&direction=ascending&cursor=${nextCursor}`,
      `${paths.receivingEvent}?sort=purchaseOrderNumber&cursor=${nextCursor}`,
    ])
      expect(await own('GET', wrong), wrong).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining('cursor belongs to sort=eventDateTime and direction=descending.') },
      })
    const usual = (await own('GET', `${paths.receivingEvent}?limit=1`)).body.nextCursor
    expect((await own('GET', `${sorted}&cursor=${usual}`)).body.detail).toContain('belongs to sort=created')
    const text = Buffer.from(nextCursor, 'base64url').toString()
    // The value follows the id, whose end may look like a part of it.
    const end = text.indexOf(content[0].id) + content[0].id.length
    for (const key of ['', 'soon', '9'.repeat(20), 'Infinity', '\u0000'])
      expect(
        (await own('GET', `${sorted}&cursor=${Buffer.from(text.slice(0, end) + key).toString('base64url')}`)).status,
        key,
      ).toBe(400)
  })

  test('total says how many match, and only who asks pays for it', async () => {
    const { body } = await own('GET', `${paths.receivingEvent}?dataProviderVendorId=A-0&limit=1&total=true`)
    expect(body.total).toEqual({ records: 2, orMore: false })
    expect((await own('GET', `${paths.receivingEvent}?limit=1`)).body).not.toHaveProperty('total')
    const unpaged = `${paths.receivingEvent}?limit=1&total=true`
    const { nextCursor } = (await own('GET', unpaged)).body
    expect((await own('GET', `${paths.receivingEvent}?limit=1&cursor=${nextCursor}`)).status).toBe(200)
  })
})

test('events are found by their gaps, their warnings, and the categories of their products', async () => {
  const { call: own } = await service.provider()
  const bodies: readonly ((payload: Payload) => void)[] = [
    () => undefined,
    ({ productMasterDataList }) => {
      for (const product of productMasterDataList) delete product.packSize
    },
    ({ eventList }) => {
      eventList.productList[0].shipQuantity = -5
    },
    ({ productMasterDataList }) => {
      productMasterDataList[0].ftlCategory = 'a "category", {of} our own\\'
    },
  ]
  const made: string[] = []
  for (const change of bodies)
    made.push((await own('POST', paths.receivingEvent, { body: eventPayload(change) })).body.request_ids[0])
  const list = async (query: string) =>
    (await own('GET', `${paths.receivingEvent}?${query}`)).body.content.map(({ id }: Payload) => made.indexOf(id))
  expect(await list('hasGaps=true')).toEqual([1])
  expect(await list('hasGaps=false')).toEqual([3, 2, 0])
  expect(await list('gapRule=product/packaging-size')).toEqual([1])
  expect(await list('gapRule=product-line/lot-code')).toEqual([])
  expect(await list('hasWarnings=true')).toEqual([3, 2])
  expect(await list('hasWarnings=false&hasGaps=false')).toEqual([0])
  expect(await list(`ftlCategory=${encodeURIComponent('a "category", {of} our own\\')}`)).toEqual([3])
  await own('PUT', `${paths.receivingEvent}/${made[1]}`, { body: eventPayload() })
  await own('PUT', `${paths.receivingEvent}/${made[2]}`, { body: eventPayload() })
  expect(await list('hasGaps=true')).toEqual([])
  expect(await list('hasWarnings=true')).toEqual([3])
})

test('values of a filter are counted among what the other filters leave, with their names', async () => {
  const values = async (query: string) => {
    const reply = await call('GET', `/lists/receiving-events/values?${query}`)
    expect(reply.status, reply.text).toBe(200)
    return reply.body.content.map(({ value, label, records }: Payload) => [value, label, records])
  }
  const { eventList, locationMasterList } = eventPayload()
  const vendor = eventList.dataProviderVendorName ?? null
  expect(await values('')).toEqual([0, 1, 2].map((n) => [`V-${n}`, vendor, 1]))
  expect(await values('of=shipToLocationCode&dataProviderVendorId=V-1')).toEqual([
    ['TO-1', locationMasterList[1].locationName, 1],
  ])
  expect(await values('of=dataProviderVendorId&dataProviderVendorId=V-1&limit=2')).toHaveLength(2)
  const two = 'dataProviderVendorId=V-1&dataProviderVendorId=V-2'
  expect(await values(`of=itemCode&containing=buyer&${two}`)).toEqual([1, 2].map((n) => [`BUYER-${n}`, null, 1]))
  expect(await values(`of=itemCode&containing=buyer&${two}&lotCode=LOT-0&lotCode=LOT-2`)).toEqual([
    ['BUYER-2', null, 1],
  ])
  expect(await values('of=itemCode&containing=buyer')).toEqual([0, 1, 2].map((n) => [`BUYER-${n}`, null, 1]))
  expect(await values('of=gapRule')).toEqual([])
  const { call: own } = await service.provider()
  await own('POST', paths.receivingEvent, {
    body: eventPayload(({ productMasterDataList }) => {
      for (const product of productMasterDataList) delete product.packSize
    }),
  })
  const rules = `/lists/receiving-events/values?of=gapRule&containing=packaging`
  expect((await own('GET', rules)).body).toEqual({
    content: [{ value: 'product/packaging-size', label: 'Product description: packaging size', records: 1 }],
    isWhole: true,
  })
  expect((await own('GET', '/lists/locations/values')).body.content).toEqual([
    { value: eventList.dataProviderVendorId, label: null, records: 2 },
  ])
})

test('a list is saved as it is shown: its rows and order, the columns asked for, and no formula', async () => {
  const { call: own, key } = await service.provider()
  for (const [n, purchaseOrderNumber] of ['PO-1', '=HYPERLINK("http://evil")', 'PO-3'].entries())
    await own('POST', paths.receivingEvent, {
      body: eventPayload(({ eventList, productMasterDataList }) => {
        eventList.eventDateTime = `2026-02-0${3 - n}T10:00:00-05:00`
        eventList.purchaseOrderNumber = purchaseOrderNumber
        if (n === 2) delete productMasterDataList[0].packSize
      }),
    })
  const at = '/lists/receiving-events/file?sort=eventDateTime&columns=purchaseOrder&columns=lines&columns=findings'
  const csv = await own('GET', `${at}&format=csv`)
  expect(csv.headers.get('content-disposition')).toMatch(/receiving-events-\d{4}-\d\d-\d\d\.csv/)
  const judgedAt = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(csv.text)?.[0]
  expect(csv.text.replace('\uFEFF', '').split('\r\n')).toEqual([
    'Purchase order,Lines,Findings,Findings judged',
    `PO-1,3,,${judgedAt}`,
    `"'=HYPERLINK(""http://evil"")",3,,${judgedAt}`,
    `PO-3,3,1 gap,${judgedAt}`,
    '',
  ])
  const reply = await fetch(`${service.url}${at}&hasGaps=false`, {
    headers: { authorization: `Bearer ${await key('reader')}` },
  })
  const sheets = await readWorkbook(new Uint8Array(await reply.arrayBuffer()))
  expect(sheets.get('Receiving events')).toEqual([
    ['Purchase order', 'Lines', 'Findings', 'Findings judged'],
    ['PO-1', '3', '', expect.stringMatching(/Z$/)],
    ['=HYPERLINK("http://evil")', '3', '', expect.stringMatching(/Z$/)],
  ])
  const administrator = calling(service.url, await key('administrator'))
  const some = await own('GET', `${at}&format=csv&purchaseOrderNumber=PO-3&purchaseOrderNumber=PO-1`)
  expect(some.text.split('\r\n')).toHaveLength(4)
  const { content } = (await administrator('GET', '/access-log?operation=saveReceivingEventList')).body
  expect(content).toMatchObject([
    { records: 2, asked: { purchaseOrderNumber: ['PO-3', 'PO-1'] } },
    { records: 2 },
    { records: 3, asked: { format: 'csv', sort: 'eventDateTime' } },
  ])
  expect((await own('GET', '/lists/receiving-events/file?columns=price')).status).toBe(400)
})

test('findings of a list, its file and a record are judged alike, at a stated moment', async () => {
  const { call: own } = await service.provider()
  for (const n of [1, 2])
    await own('POST', paths.receivingEvent, {
      body: eventPayload(({ eventList, productMasterDataList }) => {
        eventList.eventDateTime = `2026-02-0${n}T10:00:00-05:00`
        if (n === 2) delete productMasterDataList[0].packSize
      }),
    })
  const at = '/lists/receiving-events/file?format=csv&columns=findings'
  const [, ...before] = (await own('GET', at)).text.trim().split('\r\n')
  expect(before[0]).toMatch(/^1 gap,/)
  const { productMasterDataList, eventList } = eventPayload()
  const began = new Date().toISOString()
  // The master product has what the payload lacks, so the gap is filled.
  await own('POST', paths.masterProduct, {
    body: {
      payloadId: 'P-filled',
      transmissionDateTime: eventList.eventDateTime,
      productMasterDataList: { ...productMasterDataList[0], dataProviderVendorId: eventList.dataProviderVendorId },
    },
  })
  const [, ...after] = (await own('GET', at)).text.trim().split('\r\n')
  expect(after).toEqual([expect.stringMatching(/^,/), expect.stringMatching(/^,/)])
  for (const sorted of ['', '&sort=eventDateTime']) {
    const { content, judged } = (await own('GET', `${paths.receivingEvent}?judged=now${sorted}`)).body
    expect(judged.judgedDateTime >= began).toBe(true)
    const none = { error: 0, warning: 0, gap: 0 }
    expect(judged.records).toEqual(content.map(({ id }: { id: string }) => ({ id, severities: none })))
  }
  expect((await own('GET', paths.receivingEvent)).body).not.toHaveProperty('judged')
  expect((await own('GET', `${paths.receivingEvent}?judged=now&voided=only`)).status).toBe(400)
})

test('a cursor of several values belongs to these values, and goes on behind its record', async () => {
  const two = `${paths.receivingEvent}?dataProviderVendorId=V-1&dataProviderVendorId=V-2&limit=1`
  const first = (await call('GET', two)).body
  const next = (await call('GET', `${two}&cursor=${first.nextCursor}`)).body
  expect([...first.content, ...next.content].map(({ id }: Payload) => id)).toEqual([ids[2], ids[1]])
  expect(next.nextCursor).toBeNull()
  const other = two.replace('V-1', 'V-0')
  expect((await call('GET', `${other}&cursor=${first.nextCursor}`)).status).toBe(400)
  expect((await call('GET', `${two}&total=true`)).body.total).toEqual({ records: 2, orMore: false })
})

test('views are those of a key and what others share, one of a name; nobody else reads or deletes one', async () => {
  const { call: own, key } = await service.provider()
  const other = calling(service.url, await key('reader'))
  const names = async (by: Call) =>
    (await by('GET', '/list-views')).body.content.map(({ name, own, query }: Payload) => [name, own, query])
  const view = (name: string, query: string, shared?: boolean) => ({ list: 'location', name, query, shared })
  const { body: mine } = await own('POST', '/list-views', { body: view('B', 'a=1') })
  await own('POST', '/list-views', { body: view('B', 'a=2') })
  const { body: shared } = await own('POST', '/list-views', { body: view('A', '', true) })
  expect(await names(own)).toEqual([
    ['A', true, ''],
    ['B', true, 'a=2'],
  ])
  expect(await names(other)).toEqual([['A', false, '']])
  expect((await other('DELETE', `/list-views/${mine.id}`)).status).toBe(404)
  expect((await other('DELETE', `/list-views/${shared.id}`)).status).toBe(200)
  expect(await names(own)).toEqual([['B', true, 'a=2']])
  for (const wrong of [view(' ', ''), { ...view('C', ''), list: 'price' }, view('D', 'x'.repeat(4_001))])
    expect((await own('POST', '/list-views', { body: wrong })).status).toBe(422)
  for (let n = 1; n < listViewsMax; n++) await own('POST', '/list-views', { body: view(`V${n}`, '') })
  expect((await own('POST', '/list-views', { body: view('one more', '') })).status).toBe(422)
  expect((await own('POST', '/list-views', { body: view('B', 'a=3') })).status).toBe(200)
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
    'hasGaps=true&hasGaps=false',
    `${Array.from({ length: 101 }, (_, n) => `lotCode=${n}`).join('&')}`,
    'eventStartDateTime=2026-02-01',
    'eventStartDateTime=2026-02-01T00:00:00+01:00',
    'cursor=%00',
    'sort=asnNumber',
    'direction=down',
    'hasGaps=yes',
    'lotCode=%00',
  ])('%s is refused and not ignored', async (query) => {
    const reply = await call('GET', `${paths.receivingEvent}?${query}`)
    expect(reply.status).toBe(400)
    expect(reply.body.detail).toContain(query.split('=')[0])
  })
})
