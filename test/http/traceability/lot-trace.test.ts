// Tracing a lot over HTTP: what is found by which text, in which form, and nothing of anybody else.
// Source: decision 0028.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exampleChain } from '../../samples/example-chain.ts'
import { gs1Forms } from '../../support/records/lot-forms.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { type Call, type Reply, type Service, startService } from '../../support/servers/service.ts'

let service: Service
let call: Call

beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  call = (await service.provider()).call
})
afterAll(() => service?.close())

const gtin = '10614141000415'

async function create(body: Payload, by: Call = call): Promise<string> {
  const reply = await by('POST', paths.receivingEvent, { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}

/** An event with one line of each lot code, between two places by their codes. */
const carrying = (lotCodes: readonly string[], [from, to] = ['A', 'B'], line: object = {}): Payload =>
  eventPayload(({ eventList, locationMasterList }) => {
    const [sample] = eventList.productList
    eventList.productList = lotCodes.map((caseLotNumber) => ({ ...sample, caseLotNumber, ...line }))
    Object.assign(eventList, { shipFromLocationCode: from, shipToLocationCode: to })
    for (const [i, code] of [from, to].entries())
      Object.assign(locationMasterList[i], {
        locationCode: code,
        locationName: `Place ${code}`,
        gln: undefined,
        duns: '123456789',
      })
  })

const get = (lotCode: string, query = '', by: Call = call): Promise<Reply> =>
  by('GET', `/traceability/lots/${encodeURIComponent(lotCode)}${query}`)

async function traced(lotCode: string, query = ''): Promise<Payload> {
  const reply = await get(lotCode, query)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const kindsOf = ({ notes }: Payload): string[] => notes.map(({ kind }: Payload) => kind)

describe('the chain of the examples', () => {
  const payloads = [...exampleChain.values()]
    .filter(({ kind, body }) => kind === 'receivingEvent' && JSON.stringify(body).includes('"GV26063-A"'))
    .map(({ body }) => body)
  const ids: string[] = []

  beforeEach(async () => {
    ids.length = 0
    // The last first: the order of arrival is not that of the way.
    for (const payload of payloads.toReversed()) ids.unshift(await create(payload))
  })

  test('is one chain over four tiers, its mistakes noted, its events readable by their ids', async () => {
    const trace = await traced('GV26063-A')
    expect(trace.events.map(({ id }: Payload) => id)).toEqual(ids)
    expect(trace.totals).toMatchObject({ events: 8, lines: 9, sourcesOfCode: 3 })
    const names = new Map(trace.places.map(({ id, name }: Payload) => [id, name]))
    expect(trace.chains.map(({ places }: Payload) => places.map((id: string) => names.get(id)))).toContainEqual([
      'Green Valley Cooler',
      'Pacific Fresh Oakland',
      'Valley Grocers Distribution Center 7',
      'Valley Grocers Reno Hub',
      'Valley Grocers Store 220',
    ])
    expect(kindsOf(trace)).toEqual([
      'nearCodes',
      'sharedCode',
      'sourcePlaceMissing',
      'sourcePlaceMissing',
      'sourceChanged',
      'placeKeptApart',
      'sentMoreThanReceived',
      'unitNeverReceived',
    ])
    for (const { id, lines } of trace.events) {
      const { body } = await call('GET', `${paths.receivingEvent}/${id}`)
      for (const { pointer, lotCode } of lines) expect(valueAt(body, pointer).caseLotNumber).toBe(lotCode)
    }
  })

  test('of one source only, by identifier or by name', async () => {
    const [byGln, byName, byPlaceName] = await Promise.all(
      ['0614141000012', 'Golden%20Vista%20Packing', 'Green%20Valley%20Cooler'].map((source) =>
        traced('GV26063-A', `?tlcSource=${source}`),
      ),
    )
    expect(byGln.totals).toMatchObject({ events: 7, sources: 1, sourcesOfCode: 3 })
    expect(byName.totals).toMatchObject({ events: 1, sources: 1, sourcesOfCode: 3 })
    expect(byPlaceName.totals).toEqual(byGln.totals)
    const unknown = await get('GV26063-A', '?tlcSource=0000000000000')
    expect(unknown.status).toBe(404)
    expect(unknown.body.detail).toContain('Golden Vista Packing')
  })

  test('of one item only', async () => {
    const trace = await traced('GV26063-A', `?gtin=${gtin}`)
    expect(trace.totals.events).toBe(7)
    expect(kindsOf(trace)).toContain('otherItems')
  })

  test('as CSV: a row for each line', async () => {
    const reply = await get('GV26063-A', '?format=csv')
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="lot-GV26063-A.csv"')
    expect(reply.text.trimEnd().split('\r\n')).toHaveLength(10)
  })

  test('as a drawing, which is looked at and not saved', async () => {
    const reply = await get('GV26063-A', '?format=svg')
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toMatch(/^image\/svg\+xml/)
    expect(reply.headers.get('content-disposition')).toBeNull()
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(reply.text).toContain('Valley Grocers Reno Hub')
  })

  test('of some days only has a note that says so', async () => {
    const trace = await traced('GV26063-A', '?eventEndDate=2026-03-05')
    expect(trace.totals.events).toBe(2)
    expect(kindsOf(trace)).toContain('narrowed')
  })
})

describe('the lot code', () => {
  test('of one event is traced with two places', async () => {
    const id = await create(carrying(['ONE']))
    const trace = await traced('ONE')
    expect(trace).toMatchObject({
      lotCode: 'ONE',
      totals: { events: 1, lines: 1, places: 2 },
      events: [{ id, version: 1 }],
    })
  })

  test('is found as an element string, as scanned data and as a Digital Link', async () => {
    await create(carrying(['GV/1'], ['A', 'B'], { caseGtin: gtin }))
    for (const text of [
      `(01)${gtin}(10)GV/1`,
      `]C101${gtin}10GV/1`,
      `01${gtin}1726032010GV/1\u001d2112`,
      `https://id.gs1.org/01/${gtin}/10/GV%2F1`,
    ]) {
      const { lotCode, reading, totals } = await traced(text)
      expect([lotCode, reading.gtin, totals.lines], text).toEqual(['GV/1', gtin, 1])
    }
  })

  test('that is stored as an element string is found as such, and by item and lot', async () => {
    const stored = `(01)${gtin}(10)GV-2`
    await create(carrying([stored]))
    expect((await traced(stored)).reading.spellings).toEqual([{ lotCode: stored, lines: 1 }])
    expect((await traced('GV-2', `?gtin=${gtin}`)).totals.lines).toBe(1)
    expect((await traced('GV-2')).totals.lines).toBe(1)
  })

  test('that looks like an element string of another item finds nothing of this one', async () => {
    await create(carrying(['GV-3'], ['A', 'B'], { caseGtin: gtin }))
    const reply = await get('(01)10614141000521(10)GV-3')
    expect(reply.status).toBe(404)
    expect(reply.body.detail).toContain(gtin)
  })

  test.each(['GV-40', '0GV-5', '\u0000', 'x'.repeat(101), '😀'.repeat(100), "' OR 1=1 --", '(10)..', '%', '(10)'])(
    'that nobody has (%j) is unknown, and the answer says what was looked for',
    async (text) => {
      await create(carrying(['GV-4']))
      const { status, body } = await get(text)
      expect(status).toBe(404)
      expect(body.type).toBe('/docs/problems/unknownLot')
      expect(body.detail).toContain('reads alike')
    },
  )

  test('may be any text a line can have', async () => {
    const odd = '🥬 Los "7"/ä%20?#&'
    await create(carrying([odd]))
    expect((await traced(odd)).lotCode).toBe(odd)
  })

  test('of a replaced event follows the replacement', async () => {
    const id = await create(carrying(['OLD']))
    const replaced = await call('PUT', `${paths.receivingEvent}/${id}`, { body: carrying(['NEW']) })
    expect(replaced.status, replaced.text).toBe(200)
    expect((await get('OLD')).status).toBe(404)
    expect((await traced('NEW')).events).toMatchObject([{ id, version: 2 }])
  })
})

describe('one lot in every form in which senders write it', () => {
  const lotCode = 'MIX77'
  const forms = gs1Forms(gtin, lotCode).map(([, written]) => written)
  const writings = ['mix77', 'MIX 77', 'MIX-77', ' MIX77', 'Mix\u201377', 'LOT#MIX77']
  const lineOf = ({ events }: Payload) =>
    events.flatMap(({ lines }: Payload) => lines.map((line: Payload) => line.lotCode)).sort()
  const alikeOf = ({ readAlike }: Payload) => readAlike.map((line: Payload) => line.lotCode).sort()

  beforeEach(async () => {
    for (const written of [lotCode, ...forms, ...writings]) await create(carrying([written, 'OTHER-1']))
  })

  test('is found completely by each of them, and codes that read alike are separate', async () => {
    for (const asked of [lotCode, ...forms]) {
      const trace = await traced(asked)
      expect(trace.lotCode, asked).toBe(lotCode)
      expect(lineOf(trace), asked).toEqual([lotCode, ...forms].sort())
      expect(alikeOf(trace), asked).toEqual([...writings].sort())
      expect(kindsOf(trace), asked).toEqual(expect.arrayContaining(['readAlike', 'spellings']))
    }
  })

  test('is offered for every spelling of it', async () => {
    const trace = await traced('mix77')
    expect(lineOf(trace)).toEqual(['mix77'])
    expect(alikeOf(trace)).toEqual([lotCode, ...forms, ...writings.filter((writing) => writing !== 'mix77')].sort())
    const nobodyHas = await traced('m i x 7 7')
    expect(nobodyHas.totals).toMatchObject({ events: 0, lines: 0, places: 0, sources: 0 })
    expect(alikeOf(nobodyHas)).toEqual([lotCode, ...forms, ...writings].sort())
    expect((await get('m i x 7 7', '?format=svg')).text).toContain('read alike')
  })

  test('is found as CSV with what reads alike in rows that say so', async () => {
    const rows = (await get(lotCode, '?format=csv')).text.trimEnd().split('\r\n').slice(1)
    expect(rows.filter((row) => row.includes(',same,'))).toHaveLength(1 + forms.length)
    expect(rows.filter((row) => row.includes(',readsAlike,'))).toHaveLength(writings.length)
  })

  test('is found by the list of events, each event once', async () => {
    for (const asked of [lotCode, forms[0], forms[5]]) {
      const { status, body } = await call(
        'GET',
        `${paths.receivingEvent}?lotCode=${encodeURIComponent(asked ?? '')}&limit=200`,
      )
      expect(status).toBe(200)
      expect(body.content).toHaveLength(1 + forms.length)
    }
  })
})

test('a unit in several spellings is one total, with what was written in each', async () => {
  for (const [i, shipQuantityUom] of ['case', 'cases', 'CS', 'cs.'].entries())
    await create(carrying(['UNITS-1'], ['A', 'B'], { shipQuantity: 10 * (i + 1), shipQuantityUom }))
  const { totals, places } = await traced('UNITS-1')
  const all = {
    quantity: 100,
    unit: 'case',
    written: ['case', 'cases', 'CS', 'cs.'].map((unit, i) => ({ quantity: 10 * (i + 1), unit })),
  }
  expect(totals.moved).toEqual([all])
  expect(places.find(({ received }: Payload) => received.length > 0).received).toEqual([all])
  expect((await get('UNITS-1', '?format=svg')).text).toContain('100 case (10 case, 20 cases, 30 CS, 40 cs.)')
})

test('a lot code in two forms and two writings on lines of one event is one event', async () => {
  const id = await create(carrying(['TWO-1', `(01)${gtin}(10)TWO-1`, 'two1', 'TWO 1']))
  const trace = await traced('TWO-1')
  expect(trace.totals).toMatchObject({ events: 1, lines: 2 })
  expect(trace.readAlikeCount).toBe(2)
  const listed = await call('GET', `${paths.receivingEvent}?lotCode=TWO-1`)
  expect(listed.body.content.map((event: Payload) => event.id)).toEqual([id])
  const replaced = await call('PUT', `${paths.receivingEvent}/${id}`, { body: carrying(['two1']) })
  expect(replaced.status).toBe(200)
  expect((await traced('TWO-1')).totals.lines).toBe(0)
  expect((await traced('two1')).totals.lines).toBe(1)
})

test('a GTIN in the question leaves out lines whose own text names another item', async () => {
  const event = carrying([`(01)${gtin}(10)G-1`, '(01)10614141000521(10)G-1', 'G-1'], ['A', 'B'], {
    caseGtin: undefined,
  })
  for (const product of event.productMasterDataList) product.gtin = undefined
  await create(event)
  const trace = await traced(`https://id.gs1.org/01/${gtin}/10/G-1`)
  expect(trace.totals.lines).toBe(2)
  expect(kindsOf(trace)).toEqual(expect.arrayContaining(['otherItems', 'itemUnknown']))
})

test('a wrong query is refused', async () => {
  await create(carrying(['Q']))
  for (const query of ['gtin=123', 'format=pdf', 'eventStartDate=2026-03-05&eventEndDate=2026-03-01', 'lotCode=Q'])
    expect((await get('Q', `?${query}`)).status, query).toBe(400)
  expect((await get(`(01)${gtin}(10)Q`, '?gtin=10614141000521')).status).toBe(400)
})

test('what master data says of a place and of an item counts', async () => {
  const known = async (path: string, body: object) => expect((await call('POST', path, { body })).status).toBe(201)
  for (const vendor of ['V-1001', 'V-2'])
    await known(paths.location, {
      locationMasterList: {
        dataProviderVendorId: vendor,
        locationCode: vendor === 'V-2' ? 'B2' : 'B',
        locationName: 'Hub',
        gln: '0614141000029',
      },
    })
  await create(carrying(['M'], ['A', 'B']))
  const onward = carrying(['M'], ['B2', 'C'])
  onward.eventList.dataProviderVendorId = 'V-2'
  await create(onward)
  const { places, chains } = await traced('M')
  expect(places).toHaveLength(3)
  expect(chains).toEqual([{ source: 'S1', places: ['P1', 'P2', 'P3'] }])
})

test("another provider's lots are never seen", async () => {
  const other = (await service.provider()).call
  await create(carrying(['SECRET'], ['A', 'B']), other)
  await create(carrying(['MINE'], ['A', 'B']))
  expect((await get('SECRET')).status).toBe(404)
  expect((await get('SECRET', '', other)).status).toBe(200)
  await create(carrying(['SECRET'], ['B', 'C']))
  expect((await traced('SECRET')).totals).toMatchObject({ events: 1, places: 2 })
})

test('2,000 lines of one lot are traced, in an event of 5,000 lines and some others', async () => {
  const many = carrying([
    ...Array.from({ length: 1_500 }, () => 'MANY'),
    ...Array.from({ length: 3_500 }, (_, n) => `OTHER-${n}`),
  ])
  await create(many)
  for (let n = 0; n < 5; n++)
    await create(
      carrying(
        Array.from({ length: 100 }, () => 'MANY'),
        ['B', `C${n}`],
      ),
    )
  const trace = await traced('MANY')
  expect(trace.totals).toMatchObject({ events: 6, lines: 2_000, places: 7 })
  const [sample] = many.eventList.productList
  expect(trace.totals.moved).toEqual([{ quantity: 2_000 * sample.shipQuantity, unit: sample.shipQuantityUom }])
  expect((await get('MANY', '?format=csv')).text.trimEnd().split('\r\n')).toHaveLength(2_001)
})

/** What a JSON Pointer without escapes leads to. */
const valueAt = (body: Payload, pointer: string): Payload =>
  pointer
    .split('/')
    .slice(1)
    .reduce((at, step) => at[step], body)
