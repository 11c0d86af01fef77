// What is expected of vendors, and how they keep to it: targets, completeness over time, what is
// alerted, scorecards. Source: decision 0068.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayAfter } from '../../../src/contract/shape/date-and-time.ts'
import { download } from '../../support/files/download.ts'
import { readWorkbook } from '../../support/files/read-workbook.ts'
import { lookAt } from '../../support/records/alert-looks.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { type Call, calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

async function parties() {
  const provider = await service.provider()
  return { provider, call: provider.call, administrator: calling(service.url, await provider.key('administrator')) }
}

/** The same for all of a test, and its noon is past: looks are made at its end. */
const endOfDay = new Date(`${dayAfter(new Date().toISOString().slice(0, 10), -1)}T23:59:00Z`)
const today = endOfDay.toISOString().slice(0, 10)

interface Delivery {
  readonly vendor: string
  readonly date: string
  /** Lines of the sample that lack their packaging size. */
  readonly incomplete?: boolean
}

let minute = 0
async function deliver(call: Call, { vendor, date, incomplete = false }: Delivery): Promise<string> {
  const body = eventPayload((payload) => {
    payload.eventList.dataProviderVendorId = vendor
    payload.eventList.dataProviderVendorName = `Name of ${vendor}`
    payload.eventList.eventDateTime = `${date}T12:${String(minute++ % 60).padStart(2, '0')}:00Z`
    payload.eventList.purchaseOrderNumber = `PO ${vendor} ${date}`
    if (incomplete) for (const product of payload.productMasterDataList) delete product.packSize
  })
  const reply = await call('POST', paths.receivingEvent, { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}

const set = (call: Call, ...targets: object[]) => call('PUT', '/vendor-targets', { body: { targets } })
const ask = async (call: Call, address: string): Promise<Payload> => {
  const reply = await call('GET', address)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
/** What a look finds, now or at another time. */
async function alerts({ id, call }: TestProvider, now?: Date): Promise<Payload[]> {
  await lookAt(service.database.pool, id, {}, now)
  return (await ask(call, '/alerts?open=true')).content.toSorted(byVendor)
}
const byVendor = (one: Payload, other: Payload) => (vendorIn(one) < vendorIn(other) ? -1 : 1)
const vendorIn = ({ dataProviderVendorId }: Payload): string => dataProviderVendorId ?? ''

describe('targets', () => {
  test('of a vendor hold before those of all vendors, and those before the ones of the program', async () => {
    const { call, administrator } = await parties()
    expect(await ask(call, '/vendor-targets')).toEqual({
      content: [],
      ofAll: { completeShare: 0.95, silentDays: null, refusalFactor: 3 },
    })
    const reply = await set(administrator, { silentDays: 30 }, { dataProviderVendorId: 'V-1', completeShare: 0.5 })
    expect(reply.body).toEqual({ set: 2 })
    const { content, ofAll } = await ask(call, '/vendor-targets')
    expect(content).toMatchObject([
      { dataProviderVendorId: null, completeShare: null, silentDays: 30, refusalFactor: null },
      { dataProviderVendorId: 'V-1', completeShare: 0.5, silentDays: null, refusalFactor: null },
    ])
    expect(ofAll).toEqual({ completeShare: 0.95, silentDays: 30, refusalFactor: 3 })
    // An entry replaces all of its vendor, and one without targets removes them.
    await set(administrator, { dataProviderVendorId: 'V-1', silentDays: 7 }, {})
    expect((await ask(call, '/vendor-targets')).content).toMatchObject([
      { dataProviderVendorId: 'V-1', completeShare: null, silentDays: 7 },
    ])
    const log = (await administrator('GET', '/access-log?operation=setVendorTargets')).body.content
    expect(log).toMatchObject([{ asked: { vendors: 2 } }, { asked: { vendors: 2 } }])
  })

  test.each([
    [{ completeShare: 1.01 }, 'completeShare of all vendors is 1.01'],
    [{ completeShare: -0.1 }, 'from 0 to 1'],
    [{ silentDays: 0 }, 'silentDays of all vendors is 0'],
    [{ silentDays: 1.5 }, 'whole number'],
    [{ dataProviderVendorId: 'V-1', refusalFactor: 0.5 }, 'refusalFactor of vendor "V-1" is 0.5'],
    [{ dataProviderVendorId: ' ' }, 'is blank'],
  ])('out of range are refused as a whole: %j', async (target, detail) => {
    const { call, administrator } = await parties()
    const reply = await set(administrator, { dataProviderVendorId: 'V-9', silentDays: 1 }, target)
    expect(reply.status).toBe(422)
    expect(reply.body.detail).toContain(detail)
    expect((await ask(call, '/vendor-targets')).content).toEqual([])
  })
})

test('targets, alerts, gaps and their causes name a vendor as its newest event does', async () => {
  const { provider, call, administrator } = await parties()
  await deliver(call, { vendor: 'V-A', date: '2026-03-01', incomplete: true })
  await call('POST', paths.receivingEvent, {
    body: eventPayload(({ eventList }) => {
      Object.assign(eventList, { dataProviderVendorId: 'V-A', dataProviderVendorName: 'Anew Farms' })
    }),
  })
  await set(
    administrator,
    {},
    { dataProviderVendorId: 'V-A', silentDays: 1 },
    { dataProviderVendorId: 'V-NEVER', silentDays: 1 },
  )
  const named = (content: Payload[]) => [
    ...new Set(content.map((one) => `${one.dataProviderVendorId}: ${one.dataProviderVendorName}`)),
  ]
  expect(named(await alerts(provider)).sort()).toEqual(['V-A: Anew Farms', 'V-NEVER: null'])
  expect(named((await ask(call, '/vendor-targets')).content)).toEqual(['V-A: Anew Farms', 'V-NEVER: null'])
  expect(named((await ask(call, '/traceability/gaps')).content)).toEqual(['V-A: Anew Farms'])
  expect(named((await ask(call, '/traceability/gap-causes')).causes)).toEqual(['V-A: Anew Farms'])
})

describe('completeness over time', () => {
  test('sums lines by bucket and vendor, with the target of each, as completeness counts them', async () => {
    const { call, administrator } = await parties()
    await set(administrator, { dataProviderVendorId: 'V-B', completeShare: 0.8 })
    // 2026-03-01 is a Sunday: the last day of a week.
    const deliveries: Delivery[] = [
      { vendor: 'V-A', date: '2026-02-27' },
      { vendor: 'V-A', date: '2026-03-01', incomplete: true },
      { vendor: 'V-A', date: '2026-03-02' },
      { vendor: 'V-B', date: '2026-03-02', incomplete: true },
      { vendor: 'V-B', date: '2026-03-02', incomplete: true },
    ]
    for (const delivery of deliveries) await deliver(call, delivery)
    const history = (query: string) => ask(call, `/traceability/completeness-history?${query}`)
    const counted = await ask(call, '/traceability/completeness')
    const months = await history('bucket=month')
    expect(months).toMatchObject({ bucket: 'month', target: 0.95, vendorCount: 2 })
    expect(months.buckets.map(({ lines, completeLines }: Payload) => [lines, completeLines])).toEqual(
      counted.trend.map(({ lines, completeLines }: Payload) => [lines, completeLines]),
    )
    expect(months.total).toMatchObject({ lines: counted.total.lines, completeLines: counted.total.completeLines })
    expect(
      months.vendors.map(({ dataProviderVendorId, label, target }: Payload) => [dataProviderVendorId, label, target]),
    ).toEqual([
      ['V-B', 'Name of V-B', 0.8],
      ['V-A', 'Name of V-A', 0.95],
    ])
    const weeks = await history('bucket=week&eventStartDate=2026-02-25&eventEndDate=2026-03-03')
    expect(weeks.buckets.map(({ startDate, endDate }: Payload) => [startDate, endDate])).toEqual([
      ['2026-02-25', '2026-03-01'],
      ['2026-03-02', '2026-03-03'],
    ])
    const days = await history('bucket=day&dataProviderVendorId=V-A')
    expect(days.vendors[0].buckets.map(({ startDate, share }: Payload) => [startDate, share])).toEqual([
      ['2026-02-27', 1],
      ['2026-03-01', expect.any(Number)],
      ['2026-03-02', 1],
    ])
    expect(days.vendors[0].buckets[1].share).toBeLessThan(1)
    // The address of a bucket leads to the events behind it.
    const gaps = await ask(call, days.vendors[0].buckets[1].records)
    expect(gaps.content.map(({ purchaseOrderNumber }: Payload) => purchaseOrderNumber)).toEqual(['PO V-A 2026-03-01'])
    expect((await history('bucket=month&limit=1')).vendors).toHaveLength(1)
  })

  test('of too many days at once is refused with what to ask instead, and of no events is empty', async () => {
    const { call } = await parties()
    const reply = await call(
      'GET',
      '/traceability/completeness-history?bucket=day&eventStartDate=2026-01-01&eventEndDate=2026-06-30',
    )
    expect(reply.status).toBe(400)
    expect(reply.body.detail).toContain('weeks or months')
    expect(await ask(call, '/traceability/completeness-history')).toMatchObject({ buckets: [], vendors: [] })
  })
})

describe('alerts', () => {
  test('name vendors below their target, and none that reach it', async () => {
    const { provider, call, administrator } = await parties()
    await deliver(call, { vendor: 'V-LOW', date: today, incomplete: true })
    await deliver(call, { vendor: 'V-OK', date: today })
    // Before the days that count.
    await deliver(call, { vendor: 'V-OK', date: dayAfter(today, -31), incomplete: true })
    const [below, ...others] = await alerts(provider, endOfDay)
    expect(others).toEqual([])
    expect(below).toMatchObject({
      type: 'alert.completenessBelowTarget',
      dataProviderVendorId: 'V-LOW',
      data: { target: 0.95 },
    })
    expect(below.data.incompleteLines).toBeGreaterThan(0)
    expect((await ask(call, below.data.records)).content).toHaveLength(1)
    await set(administrator, { dataProviderVendorId: 'V-LOW', completeShare: 0 })
    expect(await alerts(provider, endOfDay)).toEqual([])
  })

  test('name expected vendors that are silent, also one that never delivered, and no vendor that is not expected', async () => {
    const { provider, call, administrator } = await parties()
    await deliver(call, { vendor: 'V-OLD', date: dayAfter(today, -10) })
    await deliver(call, { vendor: 'V-NEW', date: dayAfter(today, -9) })
    expect(await alerts(provider, endOfDay)).toEqual([])
    await set(
      administrator,
      ...['V-OLD', 'V-NEW', 'V-NEVER'].map((vendor) => ({ dataProviderVendorId: vendor, silentDays: 10 })),
    )
    const silent = { type: 'alert.vendorSilent', endedDateTime: null }
    expect(await alerts(provider, endOfDay)).toMatchObject([
      { ...silent, dataProviderVendorId: 'V-NEVER', data: { lastEventDate: null, silentDays: 10 } },
      { ...silent, dataProviderVendorId: 'V-OLD', data: { lastEventDate: dayAfter(today, -10), silentDays: 10 } },
    ])
    // A target for all vendors expects those that ever delivered.
    await set(
      administrator,
      { silentDays: 9 },
      ...['V-OLD', 'V-NEW', 'V-NEVER'].map((vendor) => ({ dataProviderVendorId: vendor })),
    )
    expect((await alerts(provider, endOfDay)).map(vendorIn)).toEqual(['V-NEW', 'V-OLD'])
  })

  test('name refusals above those of a usual week, in all and by vendor', async () => {
    const { provider, call, administrator } = await parties()
    const refuse = async (vendor: unknown) => {
      const body = eventPayload((payload) => {
        payload.eventList.dataProviderVendorId = vendor
        payload.eventList.eventDateTime = 'yesterday'
      })
      expect((await call('POST', paths.receivingEvent, { body })).status).toBe(422)
    }
    for (let n = 0; n < 5; n++) await refuse('V-BAD')
    await refuse(7)
    await refuse('\u0000')
    await expect.poll(async () => (await ask(call, '/refusals')).content.length).toBe(7)
    const above = { type: 'alert.refusalsAboveNormal', endedDateTime: null }
    expect(await alerts(provider)).toMatchObject([
      { ...above, dataProviderVendorId: null, data: { refusals: 7, usual: 1, factor: 3 } },
      { ...above, dataProviderVendorId: 'V-BAD', data: { refusals: 5, usual: 1, factor: 3 } },
    ])
    // Two a week were usual.
    await service.database.pool.query(
      `INSERT INTO refusal (provider_id, id, refused_at, request_id, key_id, operation, outcome, detail, findings, finding_count, "dataProviderVendorId")
       SELECT $1, gen_random_uuid(), now() - interval '20 days', gen_random_uuid(), 'k', 'createReceivingEvents', 'refused', '', '[]', 0, 'V-BAD'
       FROM generate_series(1, 8)`,
      [provider.id],
    )
    // Setting targets has the next look count again, whatever the last one saw.
    await set(administrator, { refusalFactor: 3 })
    expect(await alerts(provider)).toMatchObject([
      { ...above, dataProviderVendorId: null, data: { refusals: 7, usual: 2, factor: 3 } },
    ])
    await set(administrator, { refusalFactor: 4 }, { dataProviderVendorId: 'V-BAD', refusalFactor: 2 })
    expect(await alerts(provider)).toMatchObject([
      { ...above, dataProviderVendorId: 'V-BAD', data: { refusals: 5, usual: 2, factor: 2 } },
    ])
  })
})

describe('a scorecard', () => {
  async function withVendor(): Promise<{ provider: TestProvider; call: Call; ids: string[] }> {
    const { provider, call, administrator } = await parties()
    const ids = []
    for (let day = 1; day <= 5; day++)
      ids.push(await deliver(call, { vendor: 'V-1', date: `2026-03-0${day}`, incomplete: true }))
    await deliver(call, { vendor: 'V-1', date: '2026-02-01' })
    await deliver(call, { vendor: 'V-2', date: '2026-03-01', incomplete: true })
    await set(administrator, { dataProviderVendorId: 'V-1', completeShare: 0.99, silentDays: 366 })
    return { provider, call, ids }
  }

  test('says how complete the lines of a vendor are, what they lack with the latest examples, and nothing of others', async () => {
    const { call, ids } = await withVendor()
    const wrong = eventPayload((payload) => {
      payload.eventList.dataProviderVendorId = 'V-1'
      payload.eventList.eventDateTime = 'yesterday'
    })
    await call('POST', paths.receivingEvent, { body: wrong })
    await expect.poll(async () => (await ask(call, '/refusals')).content.length).toBe(1)
    const card = await ask(call, '/traceability/scorecard?dataProviderVendorId=V-1')
    const counted = await ask(call, '/traceability/completeness?dataProviderVendorId=V-1')
    const { records: _, ...total } = counted.total
    expect(card).toMatchObject({
      label: 'Name of V-1',
      target: { completeShare: 0.99, silentDays: 366, refusalFactor: 3 },
      total,
      trend: counted.trend,
      refusalCount: 1,
    })
    expect(card.refusals[0].detail).toContain('yesterday')
    const [gap] = card.missing
    expect(gap).toMatchObject({
      rule: 'product/packaging-size',
      cites: '21 CFR 1.1345(a)(3)',
      remedy: expect.any(String),
    })
    expect(gap.examples.map(({ id }: Payload) => id)).toEqual([ids[4], ids[3], ids[2]])
    const february = await ask(
      call,
      '/traceability/scorecard?dataProviderVendorId=V-1&eventStartDate=2026-02-01&eventEndDate=2026-02-28',
    )
    expect(february).toMatchObject({ total: { share: 1 }, missing: [] })
  })

  test('says whether the vendor is silent', async () => {
    const { call, administrator } = await parties()
    await set(administrator, { dataProviderVendorId: 'V-1', silentDays: 10 })
    for (const [days, isSilent] of [
      [20, true],
      [2, false],
    ] as const) {
      const lastEventDate = dayAfter(today, -days)
      await deliver(call, { vendor: 'V-1', date: lastEventDate })
      const card = await ask(call, '/traceability/scorecard?dataProviderVendorId=V-1')
      expect(card).toMatchObject({ lastEventDate, isSilent })
    }
  })

  test('is not there for a vendor without events and refusals', async () => {
    const { call } = await withVendor()
    const reply = await call('GET', '/traceability/scorecard?dataProviderVendorId=V-3')
    expect(reply.status).toBe(404)
    expect(reply.body.detail).toContain('"V-3"')
    expect((await call('GET', '/traceability/scorecard')).body.detail).toContain('Name the vendor')
  })

  test('comes with a workbook of each incomplete line of that vendor', async () => {
    const { provider, call } = await withVendor()
    const card = await ask(call, '/traceability/scorecard?dataProviderVendorId=V-1')
    const { bytes, status, headers } = await download(
      service,
      provider,
      '/traceability/scorecard-lines?dataProviderVendorId=V-1',
    )
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toContain('incomplete-lines-V-1-')
    const sheets = await readWorkbook(bytes)
    const [headings = [], ...rows] = sheets.get('Lines') ?? []
    const column = (name: string) => rows.map((row) => row[headings.indexOf(name)])
    const lacking = card.missing.reduce((sum: number, { lines }: Payload) => sum + lines, 0)
    expect(rows).toHaveLength(lacking)
    expect([...new Set(column('What is missing'))]).toEqual(card.missing.map(({ kde }: Payload) => kde))
    expect([...new Set(column('Purchase order'))]).toEqual([1, 2, 3, 4, 5].map((day) => `PO V-1 2026-03-0${day}`))
    expect(column('Date received')[0]).toBe('03/01/2026')
    expect(sheets.get('Introduction')?.flat()).toContain('V-1')
  })
})
