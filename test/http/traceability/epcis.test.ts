// EPCIS export over HTTP: every version of what is found, once, page by page, whatever else is
// written. Source: decision 0032.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventPayload, type Payload, paths, productPayload } from '../../support/records/payloads.ts'
import { type Call, type Reply, type Service, startService } from '../../support/servers/service.ts'

const path = '/traceability/epcis'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const caller = async (): Promise<Call> => (await service.provider()).call

/** Creates an event whose lines name no pallets, unless `edit` does: it says one thing in EPCIS. */
async function create(call: Call, edit: (payload: Payload) => void = () => undefined) {
  const body = eventPayload((payload) => {
    for (const line of payload.eventList.productList) delete line.palletId
    edit(payload)
  })
  const reply = await call('POST', paths.receivingEvent, { body })
  expect(reply.status, reply.text).toBe(201)
  return { id: reply.body.request_ids[0] as string, body }
}

/** Replaces the record: its first quantity becomes this one. */
async function replace(call: Call, { id, body }: { id: string; body: Payload }, quantity: number) {
  body.eventList.productList[0].shipQuantity = quantity
  const reply = await call('PUT', `${paths.receivingEvent}/${id}`, { body })
  expect(reply.status, reply.text).toBe(200)
}

const eventsOf = (reply: Reply): Payload[] => {
  expect(reply.status, reply.text).toBe(200)
  return reply.body.epcisBody.queryResults.resultsBody.eventList
}

const nextOf = ({ headers }: Reply): string | undefined =>
  /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]

/** Every page from an address on; between pages something else happens. */
async function pagesFrom(call: Call, address: string, between: () => Promise<unknown> = async () => undefined) {
  const pages: Payload[][] = []
  for (let next: string | undefined = address; next !== undefined; ) {
    const reply: Reply = await call('GET', next)
    pages.push(eventsOf(reply))
    next = nextOf(reply)
    if (next !== undefined) await between()
  }
  return pages
}

const named = (event: Payload): string => `${event['lotkeeper:recordId']} ${event['lotkeeper:version']}`

describe('the answer', () => {
  test('is a query document of EPCIS 2.0 in JSON-LD, with the headers of the standard', async () => {
    const call = await caller()
    await create(call)
    const reply = await call('GET', path)
    expect(reply.headers.get('content-type')).toBe('application/ld+json')
    expect(reply.headers.get('gs1-epcis-version')).toBe('2.0.0')
    expect(reply.headers.get('gs1-cbv-version')).toBe('2.0.0')
    expect(reply.headers.get('link')).toBeNull()
    expect(reply.body).toMatchObject({
      type: 'EPCISQueryDocument',
      schemaVersion: '2.0',
      epcisBody: { queryResults: { queryName: 'SimpleEventQuery' } },
    })
    expect(reply.body['@context'][0]).toBe('https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld')
    expect(reply.body['@context'][1]).toEqual({ lotkeeper: 'https://w3id.org/lotkeeper/epcis/' })
    expect(eventsOf(reply)).toHaveLength(1)
  })

  test('of nothing is a whole document without events', async () => {
    const reply = await (await caller())('GET', path)
    expect(eventsOf(reply)).toEqual([])
    expect(nextOf(reply)).toBeUndefined()
  })

  test('has each version once; those replaced lead to the one after them, and the last declares no error', async () => {
    const call = await caller()
    const record = await create(call)
    await replace(call, record, 11)
    await replace(call, record, 12)
    const events = eventsOf(await call('GET', path))
    expect(events.map(named)).toEqual([1, 2, 3].map((version) => `${record.id} ${version}`))
    expect(events.slice(1).map(({ quantityList }) => quantityList[0].quantity)).toEqual([11, 12])
    expect(events.map(({ errorDeclaration }) => errorDeclaration?.correctiveEventIDs)).toEqual([
      [events[1].eventID],
      [events[2].eventID],
      undefined,
    ])
    expect(events.map(({ errorDeclaration }) => errorDeclaration?.declarationTime)).toEqual([
      events[1].recordTime,
      events[2].recordTime,
      undefined,
    ])
  })

  test('says when each version was stored as its history does', async () => {
    const call = await caller()
    const { id } = await create(call)
    const [event] = eventsOf(await call('GET', path))
    const history = await call('GET', `${paths.receivingEvent}/${id}/versions`)
    expect(event.recordTime).toBe(history.body.content[0].submittedDateTime)
  })

  test('is the same event whenever it is asked for', async () => {
    const call = await caller()
    await create(call)
    expect(eventsOf(await call('GET', path))).toEqual(eventsOf(await call('GET', path)))
  })

  test('takes the GTIN from a master product where the event has none', async () => {
    const call = await caller()
    const product = productPayload(({ productMasterDataList }) => {
      Object.assign(productMasterDataList, {
        itemCode: 'ROM-24',
        dataProviderVendorId: 'V-1001',
        gtin: '10614141000415',
      })
    })
    expect((await call('POST', paths.masterProduct, { body: product })).status).toBe(201)
    await create(call, (payload) => {
      payload.productMasterDataList = []
      payload.eventList.productList = [payload.eventList.productList[0]]
      delete payload.eventList.productList[0].caseGtin
    })
    const [event] = eventsOf(await call('GET', path))
    expect(event.quantityList[0].epcClass).toMatch(/^https:\/\/id\.gs1\.org\/01\/10614141000415\/10\//)
    expect(event['lotkeeper:productMasterDataList'][0]['lotkeeper:itemCode']).toBe('ROM-24')
  })

  test('does not change when master data does: what is known later is not known of what was stored before', async () => {
    const call = await caller()
    const product = productPayload(({ productMasterDataList }) => {
      Object.assign(productMasterDataList, { itemCode: 'ROM-24', dataProviderVendorId: 'V-1001', gtin: undefined })
    })
    const made = await call('POST', paths.masterProduct, { body: product })
    const { body } = await create(call, (payload) => {
      payload.productMasterDataList = []
      payload.eventList.productList = [
        { ...payload.eventList.productList[0], caseGtin: undefined, shipQuantityUom: 'each' },
      ]
      for (const entry of payload.locationMasterList) delete entry.gln
      payload.locationMasterList[1] = { locationCode: 'DC-07', locationName: 'DC 7', duns: '123456789' }
    })
    const before = eventsOf(await call('GET', path))
    expect(before[0]?.quantityList[0]).toMatchObject({ quantity: expect.any(Number) })

    product.productMasterDataList.gtin = '10614141000415'
    expect((await call('PUT', `${paths.masterProduct}/${made.body.request_ids[0]}`, { body: product })).status).toBe(
      200,
    )
    product.productMasterDataList.itemCode = 'ROM-25'
    expect((await call('PUT', `${paths.masterProduct}/${made.body.request_ids[0]}`, { body: product })).status).toBe(
      200,
    )
    body.eventList.eventDateTime = '2026-03-09T08:00:00Z'
    body.locationMasterList[1].gln = '0614141000029'
    expect((await call('POST', paths.receivingEvent, { body })).status).toBe(201)
    const [later, ...after] = eventsOf(await call('GET', path))
    expect(after).toEqual(before)
    expect(later?.readPoint.id).toBe('https://id.gs1.org/414/0614141000029')
  })

  test('as an EPCISDocument has the same events, in documents of less than 100,000 bytes', async () => {
    const call = await caller()
    for (let i = 0; i < 40; i++) await create(call)
    const whole = eventsOf(await call('GET', `${path}?perPage=100`))
    const documents: Payload[] = []
    for (let next: string | undefined = `${path}?documentType=EPCISDocument&perPage=100`; next !== undefined; ) {
      const reply: Reply = await call('GET', next)
      expect(reply.status).toBe(200)
      expect(Buffer.byteLength(reply.text)).toBeLessThan(100_000)
      expect(reply.body).toMatchObject({ type: 'EPCISDocument', schemaVersion: '2.0' })
      documents.push(reply.body)
      next = nextOf(reply)
    }
    expect(documents.length).toBeGreaterThan(1)
    expect(documents.flatMap(({ epcisBody }) => epcisBody.eventList)).toEqual(whole)
  })

  test('of pallets continues within a version when a page is full', async () => {
    const call = await caller()
    await create(call, ({ eventList }) => {
      const [line] = eventList.productList
      eventList.productList = ['106141411234567897', '106141411234567903', '106141411234567910'].map((palletId) => ({
        ...line,
        palletId,
      }))
    })
    await create(call)
    const whole = eventsOf(await call('GET', path))
    expect(whole.filter(({ type }) => type === 'AggregationEvent').length).toBeGreaterThanOrEqual(3)
    const pages = await pagesFrom(call, `${path}?perPage=2`)
    expect(pages.flat()).toEqual(whole)
    expect(pages.slice(0, -1).every(({ length }) => length === 2)).toBe(true)
  })

  test('with hash ids names events by what they say, and corrections by what the next version says', async () => {
    const call = await caller()
    const record = await create(call)
    await replace(call, record, 11)
    await replace(call, record, 12)
    const hashed = eventsOf(await call('GET', `${path}?eventId=hash`)).filter(({ type }) => type === 'ObjectEvent')
    const ids = hashed.map(({ eventID }) => eventID)
    expect(ids.every((id) => /^ni:\/\/\/sha-256;[0-9a-f]{64}\?ver=CBV2\.0$/.test(id))).toBe(true)
    expect(new Set(ids).size).toBe(3)
    expect(hashed.map(({ errorDeclaration }) => errorDeclaration?.correctiveEventIDs)).toEqual([
      [ids[1]],
      [ids[2]],
      undefined,
    ])
    const pages = await pagesFrom(call, `${path}?eventId=hash&perPage=1`)
    expect(
      pages
        .flat()
        .map(({ eventID }) => eventID)
        .filter((id) => ids.includes(id)),
    ).toEqual(ids)
  })

  test('says what it cannot say in EPCIS: no GTIN, an odd lot, an odd unit', async () => {
    const call = await caller()
    await create(call, ({ eventList, productMasterDataList }) => {
      productMasterDataList[0].gtin = undefined
      const [line] = eventList.productList
      delete line.caseGtin
      eventList.productList = [
        line,
        { ...line, caseGtin: '10614141000415', caseLotNumber: 'a lot, twenty-one long' },
        { ...line, caseGtin: '10614141000415', shipQuantityUom: 'armful' },
      ]
    })
    const [event] = eventsOf(await call('GET', path))
    expect(event['lotkeeper:notExpressed'].map((one: Payload) => one['lotkeeper:pointer'])).toEqual([
      '/eventList/productList/0/vendorItemCode',
      '/eventList/productList/1/caseLotNumber',
      '/eventList/productList/2/shipQuantityUom',
    ])
    expect(event['lotkeeper:productList'][1]['lotkeeper:caseLotNumber']).toBe('a lot, twenty-one long')
    expect(event.quantityList[2]).not.toHaveProperty('quantity')
  })

  test("has nothing of another provider, also not by that one's token", async () => {
    const theirs = await caller()
    const record = await create(theirs)
    await replace(theirs, record, 5)
    const next = nextOf(await theirs('GET', `${path}?perPage=1`)) ?? ''
    expect(eventsOf(await theirs('GET', next))).toHaveLength(1)
    const ours = await caller()
    expect(eventsOf(await ours('GET', path))).toEqual([])
    expect(eventsOf(await ours('GET', next))).toEqual([])
  })
})

describe('what is found', () => {
  let call: Call
  const ids: string[] = []
  /** Received late in the evening at the receiver, which is the next day in UTC. */
  const times = ['2026-03-01T23:30:00-08:00', '2026-03-02T23:30:00-08:00', '2026-03-03T00:30:00+14:00']
  beforeAll(async () => {
    call = await caller()
    for (const [n, time] of times.entries()) {
      const { id } = await create(call, ({ eventList, locationMasterList, productMasterDataList }) => {
        Object.assign(eventList, { eventDateTime: time, dataProviderVendorId: `V-${n}`, shipToLocationCode: `TO-${n}` })
        locationMasterList[1].locationCode = `TO-${n}`
        productMasterDataList[0].itemCode = `ITEM-${n}`
        const [line] = eventList.productList
        eventList.productList = [
          { ...line, vendorItemCode: `ITEM-${n}`, caseLotNumber: `LOT-${n}` },
          { ...line, vendorItemCode: `ITEM-${n}`, caseLotNumber: `OTHER-${n}` },
        ]
      })
      ids.push(id)
    }
  })

  test.each([
    ['eventStartDate=2026-03-02', [1, 2]],
    ['eventEndDate=2026-03-02', [0, 1]],
    ['eventStartDate=2026-03-03&eventEndDate=2026-03-03', [2]],
    ['eventStartDate=2026-03-04', []],
    ['dataProviderVendorId=V-1', [1]],
    ['shipToLocationCode=TO-2', [2]],
    ['itemCode=ITEM-0', [0]],
    ['lotCode=OTHER-1', [1]],
    ['lotCode=LOT-1&itemCode=ITEM-1&eventStartDate=2026-03-02&eventEndDate=2026-03-02', [1]],
    ['lotCode=LOT-1&itemCode=ITEM-2', []],
  ])('by %s is what it says, by the date at the receiver', async (query, expected) => {
    const events = eventsOf(await call('GET', `${path}?${query}`))
    expect(events.map((event) => ids.indexOf(event['lotkeeper:recordId'])).sort()).toEqual(expected)
  })

  test('by one lot is the whole event, the lines of other lots too', async () => {
    const [event] = eventsOf(await call('GET', `${path}?lotCode=LOT-1`))
    expect(event['lotkeeper:productList'].map((line: Payload) => line['lotkeeper:caseLotNumber'])).toEqual([
      'LOT-1',
      'OTHER-1',
    ])
    expect(event.quantityList).toHaveLength(2)
  })

  test('goes by the record as it is now: a lot that was corrected away is not found, and the lot it became is, with its past', async () => {
    const own = await caller()
    const record = await create(own, ({ eventList }) => {
      eventList.productList[0].caseLotNumber = 'WRONG'
    })
    record.body.eventList.productList[0].caseLotNumber = 'RIGHT'
    await replace(own, record, 3)
    expect(eventsOf(await own('GET', `${path}?lotCode=WRONG`))).toEqual([])
    expect(eventsOf(await own('GET', `${path}?lotCode=RIGHT`))).toHaveLength(2)
  })
})

describe('pages', () => {
  test('have as many events as asked for, and together each event once', async () => {
    const call = await caller()
    for (let i = 0; i < 4; i++) await create(call)
    const record = await create(call)
    for (const quantity of [1, 2, 3]) await replace(call, record, quantity)
    const pages = await pagesFrom(call, `${path}?perPage=3`)
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 2])
    expect(pages.flat()).toEqual(eventsOf(await call('GET', path)))
    expect(new Set(pages.flat().map(({ eventID }) => eventID)).size).toBe(8)
  })

  test('keep the filters they began with', async () => {
    const call = await caller()
    for (let i = 0; i < 3; i++)
      await create(call, ({ eventList }) => Object.assign(eventList, { dataProviderVendorId: `V-${i % 2}` }))
    const pages = await pagesFrom(call, `${path}?dataProviderVendorId=V-0&perPage=1`)
    expect(pages.flat().map((event) => event['lotkeeper:dataProviderVendorId'])).toEqual(['V-0', 'V-0'])
  })

  test('neither skip nor repeat while others create and replace, also what moves to another date', async () => {
    const call = await caller()
    const records: Awaited<ReturnType<typeof create>>[] = []
    for (let i = 0; i < 6; i++) records.push(await create(call))
    const before = eventsOf(await call('GET', path)).map(named)
    let n = 0
    const pages = await pagesFrom(call, `${path}?perPage=2`, async () => {
      await create(call)
      for (const record of records) {
        record.body.eventList.eventDateTime = new Date(Date.UTC(2026, n++ % 3, 15, 0, n))
          .toISOString()
          .replace('.000Z', 'Z')
        await replace(call, record, n)
      }
    })
    const met = pages.flat()
    expect(
      met
        .map(named)
        .filter((one) => before.includes(one))
        .sort(),
    ).toEqual([...before].sort())
    expect(new Set(met.map(({ eventID }) => eventID)).size).toBe(met.length)
    for (const { id } of records) {
      const versions = met.filter((event) => event['lotkeeper:recordId'] === id)
      expect(versions.map((event) => event['lotkeeper:version'])).toEqual(versions.map((_, i) => i + 1))
    }
  })

  test('of a record with more versions than a page holds go through all of them', async () => {
    const call = await caller()
    const record = await create(call)
    for (let i = 0; i < 6; i++) await replace(call, record, 100 + i)
    const pages = await pagesFrom(call, `${path}?perPage=2`)
    expect(pages.flat().map((event) => event['lotkeeper:version'])).toEqual([1, 2, 3, 4, 5, 6, 7])
  })
})

describe('what is refused', () => {
  test.each([
    ['eventStartDate=2026-03-02&eventEndDate=2026-03-01', /eventEndDate 2026-03-01 is before eventStartDate/],
    ['eventStartDate=2026-02-30', /eventStartDate must be a calendar date/],
    ['documentType=epcisdocument', /documentType must be one of EPCISQueryDocument, EPCISDocument/],
    ['eventId=sha', /eventId must be one of uuid, hash/],
    ['perPage=101', /perPage must be a whole number from 1 to 100/],
    ['perPage=0', /perPage/],
    ['nextPageToken=abc', /nextPageToken belongs to another export/],
    ['nextPageToken=%2F', /nextPageToken is not a cursor/],
    ['GE_eventTime=2026-03-01T00:00:00Z', /"GE_eventTime" is not a query parameter here/],
  ])('%s', async (query, detail) => {
    const reply = await (await caller())('GET', `${path}?${query}`)
    expect(reply.status).toBe(400)
    expect(reply.body.type).toBe('/docs/problems/badQuery')
    expect(reply.body.detail).toMatch(detail)
  })

  test('a token of other filters, of a list, or bent to another record', async () => {
    const call = await caller()
    const record = await create(call)
    await replace(call, record, 5)
    const next = nextOf(await call('GET', `${path}?perPage=1`)) ?? ''
    const token = new URL(next, 'http://localhost').searchParams.get('nextPageToken') ?? ''
    await create(call)
    const { nextCursor } = (await call('GET', `${paths.receivingEvent}?limit=1`)).body
    const position = Buffer.from(token, 'base64url').toString()
    const bent = Buffer.from(`${position.slice(0, -3)}'; --`).toString('base64url')
    for (const query of [
      `eventId=hash&nextPageToken=${token}`,
      `lotCode=X&nextPageToken=${token}`,
      `nextPageToken=${nextCursor}`,
      `nextPageToken=${bent}`,
    ])
      expect((await call('GET', `${path}?${query}`)).status, query).toBe(400)
  })

  test('a token that names a record that is no receiving event leads to nothing of it', async () => {
    const call = await caller()
    const record = await create(call)
    await replace(call, record, 5)
    const product = (await call('POST', paths.masterProduct, { body: productPayload() })).body.request_ids[0]
    const next = nextOf(await call('GET', `${path}?perPage=1`)) ?? ''
    const token = new URL(next, 'http://localhost').searchParams.get('nextPageToken') ?? ''
    const other = Buffer.from(token, 'base64url').toString().replace(`${record.id}.2`, `${product}.1`)
    const reply = await call('GET', `${path}?nextPageToken=${Buffer.from(other).toString('base64url')}`)
    expect(eventsOf(reply).map((event) => event['lotkeeper:recordId'])).not.toContain(product)
  })
})

test('shipping events are exported by themselves: goods that left the ship-from location, in transit', async () => {
  const call = await caller()
  await create(call)
  const shipped = async (edit: (payload: Payload) => void) => {
    const body = eventPayload((payload) => {
      payload.eventList.eventDateTime = '2026-03-03T16:10:00-08:00'
      edit(payload)
    })
    const reply = await call('POST', '/data-provider/events/shipping', { body })
    expect(reply.status, reply.text).toBe(201)
    return reply.body.request_ids[0] as string
  }
  const id = await shipped(({ eventList }) => {
    for (const line of eventList.productList) delete line.palletId
    delete eventList.purchaseOrderNumber
  })
  const path_ = `${path}?bizStep=shipping`
  const [event, ...others] = eventsOf(await call('GET', path_))
  expect(others).toEqual([])
  const [received] = eventsOf(await call('GET', path))
  expect(event).toMatchObject({
    type: 'ObjectEvent',
    bizStep: 'shipping',
    disposition: 'in_transit',
    eventTime: '2026-03-03T16:10:00-08:00',
    'lotkeeper:recordId': id,
  })
  expect(event?.bizLocation).toBeUndefined()
  const location = ({ type }: Payload) => type === 'location'
  expect(event?.readPoint.id).toBe(event?.sourceList.find(location).source)
  expect(event?.readPoint.id).toBe(received?.sourceList.find(location).source)
  expect(event?.destinationList).toEqual(received?.destinationList)
  const lot = event?.['lotkeeper:productList'][0]['lotkeeper:caseLotNumber']
  expect(eventsOf(await call('GET', `${path_}&lotCode=${lot}`))).toHaveLength(1)
  expect(eventsOf(await call('GET', `${path_}&lotCode=NONE&lotCode=${lot}`))).toHaveLength(1)
  await call('POST', `/data-provider/events/shipping/${id}/void`, { body: { reason: 'Never left' } })
  expect(eventsOf(await call('GET', path_))).toEqual([])
  expect(eventsOf(await call('GET', `${path_}&voided=only`))).toMatchObject([
    { bizStep: 'shipping', errorDeclaration: { reason: 'did_not_occur' } },
  ])
})
