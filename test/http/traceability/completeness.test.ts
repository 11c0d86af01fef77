// Completeness: every number is the sum of records that can be listed, and nothing is counted that
// is not the caller's.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { countedEventsMax, groupings } from '../../../src/operations/traceability/completeness.ts'
import { gapRules } from '../../../src/rules/key-data-elements.ts'
import { changed, eventPayload, type Payload, paths, productPayload } from '../../support/records/payloads.ts'
import { isShortRun } from '../../support/runs.ts'
import { type Call, type Service, startService } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const path = '/traceability/completeness'
const gapsPath = '/traceability/gaps'

/** What one event of the tests is like. */
interface Made {
  readonly vendor: string
  readonly shipTo: string
  readonly at: string
  /** Item of each line. */
  readonly items: readonly string[]
  /** Lines without lot code, by place. */
  readonly withoutLot: readonly number[]
  /** Items whose product has no packaging size. */
  readonly withoutSize: readonly string[]
  readonly shipFromUndescribed: boolean
}

function payloadOf({ vendor, shipTo, at, items, withoutLot, withoutSize, shipFromUndescribed }: Made): Payload {
  return eventPayload((payload) => {
    const [product] = payload.productMasterDataList
    const [{ harvestDate: _, packagingDate: __, ...line }] = payload.eventList.productList
    payload.productMasterDataList = [...new Set(items)].map((itemCode) => {
      const { packSize, ...rest } = { ...product, itemCode, itemDescription: `Item ${itemCode}` }
      return withoutSize.includes(itemCode) ? rest : { ...rest, packSize }
    })
    Object.assign(payload.locationMasterList[1], { locationCode: shipTo, locationName: `Place ${shipTo}` })
    // A location of its own, so that no other event completes it in master data.
    const shipFrom = `${vendor} ${at}`
    Object.assign(payload.locationMasterList[0], { locationCode: shipFrom })
    if (shipFromUndescribed) delete payload.locationMasterList[0].phoneNumber
    Object.assign(payload.eventList, {
      dataProviderVendorId: vendor,
      dataProviderVendorName: `Vendor ${vendor}`,
      shipFromLocationCode: shipFrom,
      shipToLocationCode: shipTo,
      eventDateTime: at,
      productList: items.map((vendorItemCode, n) => {
        const { caseLotNumber, ...rest } = { ...line, vendorItemCode }
        return withoutLot.includes(n) ? rest : { ...rest, caseLotNumber }
      }),
    })
  })
}

/**
 * Sixty events over five months of 2025, three vendors, four places, five items; about half of them
 * lack something.
 */
const made: readonly Made[] = Array.from({ length: 60 }, (_, n) => ({
  vendor: `V-${n % 3}`,
  shipTo: `DC-${n % 4}`,
  at: `2025-0${1 + (n % 5)}-${String(1 + (n % 28)).padStart(2, '0')}T0${n % 10}:30:00${n % 2 ? 'Z' : '-08:00'}`,
  items: Array.from({ length: 1 + (n % 4) }, (_, line) => `I-${(n + line * (n % 3)) % 5}`),
  withoutLot: n % 4 === 1 ? [0, 2] : [],
  withoutSize: n % 6 === 0 ? [`I-${n % 5}`] : [],
  shipFromUndescribed: n % 11 === 5,
}))

const lineOf = (event: Made) =>
  event.items.map((item, n) => ({
    event,
    item,
    month: event.at.slice(0, 7),
    rules: [
      ...(event.withoutLot.includes(n) ? ['product-line/lot-code'] : []),
      ...(event.withoutSize.includes(item) ? ['product/packaging-size'] : []),
      ...(event.shipFromUndescribed ? ['receiving-event/ship-from-description'] : []),
    ],
  }))
type Line = ReturnType<typeof lineOf>[number]

/** The same numbers, counted line by line. */
function countsOf(lines: readonly Line[], lacks: (line: Line) => boolean = ({ rules }) => rules.length > 0) {
  const incomplete = lines.filter(lacks)
  const completeLines = lines.length - incomplete.length
  return {
    events: new Set(lines.map(({ event }) => event)).size,
    eventsWithGaps: new Set(incomplete.map(({ event }) => event)).size,
    lines: lines.length,
    completeLines,
    share: lines.length === 0 ? null : Math.floor((completeLines / lines.length) * 10_000) / 10_000,
  }
}

const keyOf: Record<string, (line: Line) => string> = {
  dataProviderVendorId: ({ event }) => event.vendor,
  shipToLocationCode: ({ event }) => event.shipTo,
  vendorItemCode: ({ item }) => item,
  month: ({ month }) => month,
  kind: () => 'receivingEvent',
}

const numbersOf = ({ events, eventsWithGaps, lines, completeLines, share }: Payload) => ({
  events,
  eventsWithGaps,
  lines,
  completeLines,
  share,
})

async function answered(call: Call, at: string): Promise<Payload> {
  const reply = await call('GET', at)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

/** Every event a list holds, read a few at a time. */
async function allOf(call: Call, at: string): Promise<Payload[]> {
  const found: Payload[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const joined = `${at}${at.includes('?') ? '&' : '?'}limit=7${cursor && `&cursor=${cursor}`}`
    const page: Payload = await answered(call, joined)
    found.push(...page.content)
    cursor = page.nextCursor
  }
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
  return found
}

const sumOf = (events: readonly Payload[], of: (event: Payload) => number): number =>
  events.reduce((sum, event) => sum + of(event), 0)

describe('over sixty events', () => {
  let call: Call
  let other: Call
  beforeAll(async () => {
    const [provider, another] = [await service.provider(), await service.provider()]
    call = provider.call
    other = another.call
    for (const event of made)
      expect((await call('POST', paths.receivingEvent, { body: payloadOf(event) })).status).toBe(201)
    // Of another provider, with the same codes and dates.
    expect((await other('POST', paths.receivingEvent, { body: payloadOf(made[1] as Made) })).status).toBe(201)
  })

  const selections = {
    '': () => true,
    'dataProviderVendorId=V-1': ({ event }: Line) => event.vendor === 'V-1',
    'shipToLocationCode=DC-2&dataProviderVendorId=V-0': ({ event }: Line) =>
      event.shipTo === 'DC-2' && event.vendor === 'V-0',
    'vendorItemCode=I-3': ({ item }: Line) => item === 'I-3',
    'eventStartDate=2025-02-10&eventEndDate=2025-04-12': ({ event }: Line) =>
      event.at >= '2025-02-10' && event.at < '2025-04-13',
    'eventStartDate=2025-03-01&vendorItemCode=I-1&dataProviderVendorId=V-2': ({ event, item }: Line) =>
      event.at >= '2025-03-01' && item === 'I-1' && event.vendor === 'V-2',
  }

  describe.each(Object.entries(selections))('selected by "%s"', (query, fits) => {
    const lines = made.flatMap(lineOf).filter(fits)

    test.each(groupings)('every number by %s is that of the lines, and of the records it leads to', async (by) => {
      const body = await answered(call, `${path}?by=${by}&limit=200&${query}`)
      expect(body.by).toBe(by)
      expect(numbersOf(body.total)).toEqual(countsOf(lines))
      expect(body.trend.map(({ month }: Payload) => month)).toEqual(
        [...new Set(lines.map(({ month }) => month))].sort(),
      )

      const groups = body.groups.map((group: Payload) => {
        const isElement = by === 'kde'
        const own = isElement ? lines : lines.filter((line) => keyOf[by]?.(line) === group.key)
        const lacks = isElement ? ({ rules }: Line) => rules.includes(group.key) : undefined
        expect(numbersOf(group), group.key).toEqual(countsOf(own, lacks))
        expect(sumOf(group.trend, (month) => month.lines)).toBe(group.lines)
        for (const { month, lines: count, completeLines, share } of group.trend) {
          const expected = countsOf(
            own.filter((line) => line.month === month),
            lacks,
          )
          expect({ lines: count, completeLines, share }).toEqual({
            lines: expected.lines,
            completeLines: expected.completeLines,
            share: expected.share,
          })
        }
        return { group, own }
      })
      if (by !== 'kde')
        expect(groups.map(({ group }: Payload) => group.key).sort()).toEqual(
          [...new Set(lines.map((line) => keyOf[by]?.(line)))].sort(),
        )
      expect(body.groupCount).toBe(body.groups.length)
      const worst = body.groups.map((group: Payload) => group.lines - group.completeLines)
      expect(worst).toEqual([...worst].sort((one, two) => two - one))

      // What is behind each number can be listed, and is exactly that.
      for (const { records, eventsWithGaps, lines: count, completeLines } of [
        body.total,
        ...(by === 'kde' ? [] : body.groups),
      ]) {
        const listed = await allOf(call, records)
        expect(listed.length, records).toBe(eventsWithGaps)
        expect(sumOf(listed, (event) => event.lines - event.completeLines)).toBe(count - completeLines)
      }
      for (const { missing } of body.groups)
        for (const { rule, records, events, lines: count } of missing) {
          const listed = await allOf(call, records)
          expect(listed.length, records).toBe(events)
          expect(sumOf(listed, ({ gaps }) => gaps.find((gap: Payload) => gap.rule === rule).lines)).toBe(count)
        }
    })
  })

  test('groups are named as their events name them, and what they lack as the regulation does', async () => {
    const [vendors, places, items, elements] = await Promise.all(
      ['dataProviderVendorId', 'shipToLocationCode', 'vendorItemCode', 'kde'].map((by) =>
        answered(call, `${path}?by=${by}`),
      ),
    )
    for (const { key, label } of vendors.groups) expect(label).toBe(`Vendor ${key}`)
    for (const { key, label } of places.groups) expect(label).toBe(`Place ${key}`)
    for (const { key, label } of items.groups) expect(label).toBe(`Item ${key}`)
    expect(elements.groups.find(({ key }: Payload) => key === 'product-line/lot-code').label).toBe(
      'Traceability lot code',
    )
    expect(vendors.groups[0].missing[0]).toMatchObject({
      rule: expect.any(String),
      kde: expect.stringMatching(/^[A-Z]/),
      cites: expect.stringMatching(/^21 CFR 1\.1345\(a\)/),
    })
  })

  test('only the worst groups are shown when fewer are asked for, and the totals stay', async () => {
    const all = await answered(call, `${path}?by=vendorItemCode`)
    const two = await answered(call, `${path}?by=vendorItemCode&limit=2`)
    expect(two).toEqual({ ...all, groups: all.groups.slice(0, 2), groupCount: 5 })
  })

  test('without dates the year that ends with the newest event is covered, and the answer says so', async () => {
    const newest = made
      .map(({ at }) => at.slice(0, 10))
      .sort()
      .at(-1)
    for (const at of [path, gapsPath]) {
      const body = await answered(call, at)
      expect([body.eventStartDate, body.eventEndDate]).toEqual(['2024-06-01', newest])
    }
    const since = await answered(call, `${path}?eventStartDate=2025-03-02`)
    expect([since.eventStartDate, since.eventEndDate]).toEqual(['2025-03-02', newest])
    const until = await answered(call, `${path}?eventEndDate=2025-03-02`)
    expect([until.eventStartDate, until.eventEndDate]).toEqual(['2024-04-01', '2025-03-02'])
    const after = await answered(call, `${path}?eventStartDate=2026-03-02`)
    expect([after.eventStartDate, after.eventEndDate]).toEqual(['2026-03-02', '2026-03-02'])
    expect(after.total.share).toBeNull()
  })

  test('an event in the future does not end the period that is covered without dates', async () => {
    const provider = await service.provider()
    for (const at of ['2025-05-02T10:00:00-05:00', '2199-01-01T00:00:00Z']) {
      const event = eventPayload((payload) => Object.assign(payload.eventList, { eventDateTime: at }))
      expect((await provider.call('POST', paths.receivingEvent, { body: event })).status).toBe(201)
    }
    const body = await answered(provider.call, path)
    expect([body.eventStartDate, body.eventEndDate]).toEqual(['2024-06-01', '2025-05-02'])
    expect(body.total.events).toBe(1)
  })

  test('of a provider whose events all lie in the future, the period ends with the newest of them', async () => {
    const { call: only } = await service.provider()
    const body = eventPayload((payload) => Object.assign(payload.eventList, { eventDateTime: '2199-01-01T00:00:00Z' }))
    const { text } = await only('POST', paths.receivingEvent, { body, headers: { prefer: 'return=representation' } })
    expect(text).toContain('receiving-event/received-in-past')
    expect((await answered(only, path)).eventEndDate).toBe('2199-01-01')
  })

  test('an event of placeholders is complete in nothing, and its findings of today say the same', async () => {
    const { call: only } = await service.provider()
    const none = 'see paperwork'
    const event = eventPayload((payload) => {
      const [line] = payload.eventList.productList
      const location = {
        locationName: none,
        phoneNumber: none,
        address: { streetAddress1: none, city: none, state: none, postalCode: none, country: none },
      }
      payload.locationMasterList = ['A', 'B'].map((locationCode) => ({ ...location, locationCode }))
      payload.productMasterDataList = [
        {
          itemCode: 'I',
          itemDescription: none,
          packSize: none,
          packStyle: none,
          isFtlItem: true,
          ftlCategory: 'herbs',
          productCommodity: none,
        },
      ]
      Object.assign(payload.eventList, {
        purchaseOrderNumber: none,
        eventDateTime: '1970-01-01T00:00:00Z',
        shipFromLocationCode: 'A',
        shipToLocationCode: 'B',
        productList: [
          {
            vendorItemCode: 'I',
            shipQuantity: line.shipQuantity,
            shipQuantityUom: none,
            caseLotNumber: none,
            tlcSourceReferenceFfrn: none,
          },
        ],
      })
      delete payload.eventList.billOfLadingNumber
      delete payload.eventList.asnNumber
    })
    const { status, body: made } = await only('POST', paths.receivingEvent, { body: event })
    expect(status).toBe(201)
    const { total, groups } = await answered(only, `${path}?by=kde&eventStartDate=1970-01-01&eventEndDate=1970-12-31`)
    expect(total).toMatchObject({ events: 1, eventsWithGaps: 1, lines: 1, completeLines: 0, share: 0 })
    const lacking = groups.filter(({ completeLines }: Payload) => completeLines === 0).map(({ key }: Payload) => key)
    expect(lacking.sort()).toEqual(gapRules.filter((rule) => rule !== 'product-line/product-description').sort())
    const { findings } = (await only('GET', `${paths.receivingEvent}/${made.request_ids[0]}/findings?judged=now`)).body
    const gaps = findings.filter(({ severity }: Payload) => severity === 'gap').map(({ rule }: Payload) => rule)
    expect([...new Set(gaps)].sort()).toEqual(lacking)
  })

  test('gaps are listed with the latest received first, and lead to what to do', async () => {
    const listed = await allOf(call, gapsPath)
    const expected = made
      .filter((event) => lineOf(event).some(({ rules }) => rules.length > 0))
      .sort((one, two) => Date.parse(two.at) - Date.parse(one.at))
    expect(listed.map(({ eventDate, dataProviderVendorId }) => [eventDate, dataProviderVendorId])).toEqual(
      expected.map(({ at, vendor }) => [at.slice(0, 10), vendor]),
    )
    const [first] = listed
    expect(first).toMatchObject({
      version: 1,
      purchaseOrderNumber: 'PO-88120',
      shipToLocationCode: expected[0]?.shipTo,
    })
    const findings = await answered(call, first.findings)
    expect(new Set(findings.findings.map(({ rule }: Payload) => rule))).toEqual(
      new Set(first.gaps.map(({ rule }: Payload) => rule)),
    )
  })

  test('another provider sees only its own events', async () => {
    const body = await answered(other, `${path}?by=month`)
    expect(numbersOf(body.total)).toEqual(countsOf(lineOf(made[1] as Made)))
    expect(await allOf(other, gapsPath)).toHaveLength(1)
    const [page] = [await answered(call, `${gapsPath}?limit=1`)]
    const elsewhere = await answered(other, `${gapsPath}?limit=1&cursor=${page.nextCursor}`)
    for (const { id } of elsewhere.content)
      expect((await other('GET', `${paths.receivingEvent}/${id}`)).status).toBe(200)
  })
})

const lacking: Made = {
  vendor: 'V-1',
  shipTo: 'DC-1',
  at: '2025-12-31T23:30:00-08:00',
  items: ['I-1', 'I-2'],
  withoutLot: [0],
  withoutSize: [],
  shipFromUndescribed: false,
}

test('where there is nothing yet, nothing is counted', async () => {
  const { call } = await service.provider()
  expect(await answered(call, `${path}?by=kde&dataProviderVendorId=V%201`)).toEqual({
    eventStartDate: null,
    eventEndDate: null,
    by: 'kde',
    total: {
      events: 0,
      eventsWithGaps: 0,
      lines: 0,
      completeLines: 0,
      share: null,
      records: `${gapsPath}?dataProviderVendorId=V+1`,
    },
    trend: [],
    groups: [],
    groupCount: 0,
    recounting: null,
  })
  expect(await answered(call, gapsPath)).toEqual({
    eventStartDate: null,
    eventEndDate: null,
    content: [],
    nextCursor: null,
    recounting: null,
  })
})

test('an event counts at its own date, and as its latest version is', async () => {
  const { call } = await service.provider()
  const { body } = await call('POST', paths.receivingEvent, { body: payloadOf(lacking) })
  const at = `${paths.receivingEvent}/${body.request_ids[0]}`
  // In UTC it is 2026 already.
  const query = `?by=month&eventStartDate=2025-12-31&eventEndDate=2025-12-31`
  expect(numbersOf((await answered(call, path + query)).total)).toMatchObject({ events: 1, lines: 2, completeLines: 1 })
  expect((await answered(call, `${path}?eventStartDate=2026-01-01`)).total.events).toBe(0)
  const filled = payloadOf({ ...lacking, withoutLot: [] })
  filled.locationMasterList[0].locationCode = `${lacking.vendor} ${lacking.at}`
  expect((await call('PUT', at, { body: filled })).status).toBe(200)
  expect((await answered(call, path + query)).total).toMatchObject({ eventsWithGaps: 0, completeLines: 2, share: 1 })
  expect((await answered(call, gapsPath)).content).toEqual([])
})

test('lines of items off the Food Traceability List are not counted, nor is an event of nothing else', async () => {
  const { call } = await service.provider()
  const body = payloadOf(lacking)
  Object.assign(body.productMasterDataList[0], { isFtlItem: false, ftlCategory: '' })
  await call('POST', paths.receivingEvent, { body })
  expect((await answered(call, path)).total).toMatchObject({ events: 1, lines: 1, completeLines: 1 })
  const all = payloadOf({ ...lacking, at: '2025-12-30T10:00:00Z' })
  for (const product of all.productMasterDataList) Object.assign(product, { isFtlItem: false, ftlCategory: '' })
  await call('POST', paths.receivingEvent, { body: all })
  expect((await answered(call, path)).total).toMatchObject({ events: 1, lines: 1 })
})

test('a page that is read on covers the period the first page did, though a newer event came', async () => {
  const { call } = await service.provider()
  for (const at of ['2025-01-01T00:00:00Z', '2025-06-01T00:00:00Z', '2025-12-01T00:00:00Z'])
    await call('POST', paths.receivingEvent, { body: payloadOf({ ...lacking, at }) })
  const first = await answered(call, `${gapsPath}?limit=1`)
  expect(first.eventStartDate).toBe('2025-01-01')
  const newer = { ...lacking, at: '2026-02-01T00:00:00Z', withoutLot: [], withoutSize: ['I-1'] }
  expect((await call('POST', paths.receivingEvent, { body: payloadOf(newer) })).status).toBe(201)
  const rest = await answered(call, `${gapsPath}?limit=5&cursor=${first.nextCursor}`)
  expect([rest.eventStartDate, rest.eventEndDate]).toEqual(['2025-01-01', '2025-12-01'])
  expect(rest.content.map(({ eventDate }: Payload) => eventDate)).toEqual(['2025-06-01', '2025-01-01'])
  expect((await answered(call, gapsPath)).content.map(({ eventDate }: Payload) => eventDate)).toEqual([
    '2026-02-01',
    '2025-12-01',
    '2025-06-01',
  ])
})

test('dates at the ends of the calendar are answered', async () => {
  const { call } = await service.provider()
  for (const at of ['0001-01-01T00:30:00+14:00', '9999-12-31T23:30:00-14:00']) {
    const body = payloadOf({ ...lacking, at, withoutLot: [], withoutSize: ['I-1'] })
    expect((await call('POST', paths.receivingEvent, { body })).status).toBe(201)
    const date = at.slice(0, 10)
    for (const query of [`?eventEndDate=${date}`, `?eventStartDate=${date}&eventEndDate=${date}`]) {
      expect((await answered(call, path + query)).total.events).toBe(1)
      expect(await allOf(call, gapsPath + query)).toHaveLength(1)
    }
  }
  // The one in the future does not count for the period.
  expect((await answered(call, path)).eventEndDate).toBe('0001-01-01')
})

test.each([
  [`${path}?eventStartDate=2025-03-01&eventEndDate=2025-02-28`, 'Swap them'],
  [`${gapsPath}?eventStartDate=2025-03-01&eventEndDate=2025-02-28`, 'Swap them'],
  [`${path}?eventStartDate=2023-12-31&eventEndDate=2025-12-01`, '25 calendar months. At most 24'],
  [`${gapsPath}?eventStartDate=2023-12-31&eventEndDate=2025-12-01`, 'closer together'],
  [
    `${path}?by=vendor`,
    'by must be one of dataProviderVendorId, shipToLocationCode, vendorItemCode, month, kde, kind.',
  ],
  [`${path}?lotCode=A`, '"lotCode" is not a query parameter here'],
  [`${path}?eventStartDate=2025-02-29`, 'eventStartDate must be a calendar date'],
  [`${gapsPath}?rule=product-line/item-code-listed`, 'rule is not a rule that reports gaps. Those are: product/name'],
  [`${gapsPath}?cursor=abc`, 'cursor belongs to another list'],
])('what cannot be answered is refused, with a way out: %s', async (at, says) => {
  const { call } = await service.provider()
  const reply = await call('GET', at)
  expect(reply.status).toBe(400)
  expect(reply.body.detail).toContain(says)
})

test('a cursor is good for its own filters only', async () => {
  const { call } = await service.provider()
  for (const at of ['2025-01-01T00:00:00Z', '2025-06-01T00:00:00Z'])
    await call('POST', paths.receivingEvent, { body: payloadOf({ ...lacking, at }) })
  const { nextCursor } = await answered(call, `${gapsPath}?limit=1&rule=product-line/lot-code`)
  expect((await call('GET', `${gapsPath}?rule=product-line/lot-code&cursor=${nextCursor}`)).status).toBe(200)
  expect((await call('GET', `${gapsPath}?cursor=${nextCursor}`)).status).toBe(400)
})

test.skipIf(isShortRun || inject('runningDatabase').kind === 'embedded')(
  'more events than are counted at once are refused at once, with a way out',
  async () => {
    const { id, call } = await service.provider()
    await service.database.pool.query(
      `INSERT INTO event
       SELECT $1, 'receivingEvent', ('01900000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, 'V-' || i % 100,
              timestamptz '2025-01-01T00:00:00Z' + i * interval '1 minute', 'D', 'S', 'P', NULL, 'V-' || i % 100, (timestamp '2025-01-01T00:00:00' + i * interval '1 minute')::date, 1, '[]'
       FROM generate_series(1, $2::integer) AS i`,
      [id, countedEventsMax + 1],
    )
    const reply = await call('GET', path)
    expect(reply.status).toBe(400)
    expect(reply.body.detail).toContain('has more than 250000 events. Ask for a shorter period')
    expect((await call('GET', `${path}?dataProviderVendorId=V-1`)).status).toBe(200)
    expect((await call('GET', `${path}?eventStartDate=2025-06-20`)).status).toBe(200)
  },
)

test('an event that is sent again unchanged is counted as judged today, and gets no version', async () => {
  const { call } = await service.provider()
  const undescribed = () => eventPayload((payload) => payload.productMasterDataList.shift())
  const [payload, another] = [undescribed(), undescribed()]
  const created = await call('POST', paths.receivingEvent, { body: payload })
  const at = `${paths.receivingEvent}/${created.body.request_ids[0]}`
  await call('POST', paths.receivingEvent, { body: another })
  expect((await answered(call, path)).total).toMatchObject({ lines: 6, completeLines: 2 })
  const product = productPayload(({ productMasterDataList: one }) => Object.assign(one, { itemCode: 'ROM-24' }))
  await call('POST', paths.masterProduct, { body: product })
  expect((await answered(call, path)).total.completeLines).toBe(2)
  expect((await call('PUT', at, { body: payload, headers: { 'if-match': '"7"' } })).status).toBe(412)
  expect((await call('PUT', `${at}?dryRun=true`, { body: payload })).status).toBe(200)
  expect((await answered(call, path)).total.completeLines).toBe(2)
  const again = await call('PUT', at, { body: payload })
  expect(again.headers.get('etag')).toBe('"1"')
  expect((await answered(call, path)).total).toMatchObject({ eventsWithGaps: 1, lines: 6, completeLines: 4 })
  // What was found when the version was submitted stays as it was.
  expect((await answered(call, `${at}/findings`)).findingCount).toBe(4)
})

test('a replacement that changes no gap changes no number', async () => {
  const { call } = await service.provider()
  const payload = payloadOf(lacking)
  const { body } = await call('POST', paths.receivingEvent, { body: payload })
  const before = await answered(call, path)
  changed.receivingEvent(payload)
  expect((await call('PUT', `${paths.receivingEvent}/${body.request_ids[0]}`, { body: payload })).status).toBe(200)
  expect(await answered(call, path)).toEqual(before)
  expect((await answered(call, gapsPath)).content[0].version).toBe(2)
})
