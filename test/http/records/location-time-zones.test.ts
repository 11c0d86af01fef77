// Time zones of locations: the date received is the date there.
// Source: 21 CFR 1.1345(a)(6), decision 0055.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dateAt } from '../../../src/contract/shape/date-and-time.ts'
import { timeZonesFor } from '../../../src/handlers/records/judged-payload.ts'
import { storedEvents } from '../../../src/handlers/records/stored-kinds.ts'
import { readPayload } from '../../../src/rules/judge.ts'
import { vendorKey } from '../../../src/rules/rule.ts'
import { storeOn } from '../../../src/store/store.ts'
import { download } from '../../support/files/download.ts'
import { readCsv, textIn, unzipped } from '../../support/files/read-workbook.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { type Call, calling, type Service, startService } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

async function parties() {
  const provider = await service.provider()
  return { ...provider, administrator: calling(service.url, await provider.key('administrator')) }
}

const set = (call: Call, ...timeZones: object[]) => call('PUT', '/location-time-zones', { body: { timeZones } })

/** Ohio: half past ten in the evening of the 29th. */
const evening = '2026-05-30T02:30:00Z'

async function create(call: Call, edit: (payload: Payload) => void = () => undefined): Promise<string> {
  const body = eventPayload((payload) => {
    payload.eventList.eventDateTime = evening
    edit(payload)
  })
  const reply = await call('POST', paths.receivingEvent, { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}

/** Column X of FDA's sheet, row by row: the date received. */
async function datesReceived(call: Call, query = ''): Promise<string[]> {
  const reply = await call('GET', `/traceability/fda-spreadsheet?format=csv${query}`)
  expect(reply.status, reply.text).toBe(200)
  const [headings = [], ...rows] = readCsv(reply.text)
  const column = headings.findIndex((heading) => /date.*received/i.test(heading))
  expect(column).toBe(23)
  return rows.map((row) => row[column] ?? '')
}

const rule = 'receiving-event/date-received-local'
const findingsOf = async (call: Call, id: string, query = ''): Promise<Payload[]> =>
  (await call('GET', `${paths.receivingEvent}/${id}/findings${query}`)).body.findings.filter(
    (finding: Payload) => finding.rule === rule,
  )

describe('the date received', () => {
  test('of a time in UTC is that of UTC, with a warning, until the location has a time zone', async () => {
    const { call, administrator } = await parties()
    const id = await create(call)
    expect(new Set(await datesReceived(call))).toEqual(new Set(['05/30/2026']))
    const [warning] = await findingsOf(call, id)
    expect(warning).toMatchObject({ severity: 'warning', pointer: '/eventList/eventDateTime' })
    expect(warning?.message).toContain('2026-05-30, the date in UTC')

    expect((await set(administrator, { locationCode: 'DC-07', timeZone: 'America/New_York' })).body).toEqual({ set: 1 })
    expect(new Set(await datesReceived(call))).toEqual(new Set(['05/29/2026']))
    expect(await findingsOf(call, id, '?judged=now')).toEqual([])
    // What was found when it was stored stays as it was.
    expect(await findingsOf(call, id)).toEqual([warning])
  })

  test('is followed by every filter by date, count and tally', async () => {
    const { call, administrator } = await parties()
    await create(call)
    await set(administrator, { locationCode: 'DC-07', timeZone: 'America/New_York' })
    for (const [day, found] of [
      ['2026-05-29', true],
      ['2026-05-30', false],
    ] as const) {
      const period = `eventStartDate=${day}&eventEndDate=${day}`
      expect((await datesReceived(call, `&${period}`)).length > 0, day).toBe(found)
      const lot = await call('GET', `/traceability/lots/GV26062-A?${period}`)
      expect(lot.status === 200, `${day} ${lot.status}`).toBe(found)
      const days = await call('GET', `/traceability/event-days?${period}`)
      expect(days.body.content.map(({ eventDate }: Payload) => eventDate)).toEqual(found ? [day] : [])
      const { total } = (await call('GET', `/traceability/completeness?${period}`)).body
      expect(total.events, day).toBe(found ? 1 : 0)
      const epcis = await call('GET', `/traceability/epcis?${period}`)
      expect(epcis.body.epcisBody.queryResults.resultsBody.eventList.length > 0, day).toBe(found)
    }
  })

  test('is as written where the sender gave an offset and the location has no time zone', async () => {
    const { call } = await parties()
    const id = await create(call, ({ eventList }) => {
      eventList.eventDateTime = '2026-05-29T22:30:00-04:00'
    })
    expect(new Set(await datesReceived(call))).toEqual(new Set(['05/29/2026']))
    expect(await findingsOf(call, id)).toEqual([])
  })

  test('goes by the zone of the vendor before that of all vendors', async () => {
    const { call, administrator } = await parties()
    await create(call)
    await create(call, ({ eventList }) => {
      eventList.dataProviderVendorId = 'V-2'
    })
    await set(
      administrator,
      { locationCode: 'DC-07', timeZone: 'America/New_York' },
      { locationCode: 'DC-07', dataProviderVendorId: 'V-2', timeZone: 'Asia/Tokyo' },
    )
    expect(new Set(await datesReceived(call, '&dataProviderVendorId=V-1001'))).toEqual(new Set(['05/29/2026']))
    expect(new Set(await datesReceived(call, '&dataProviderVendorId=V-2'))).toEqual(new Set(['05/30/2026']))
  })

  test('of another provider does not follow', async () => {
    const [ours, theirs] = [await parties(), await parties()]
    await create(theirs.call)
    await set(ours.administrator, { locationCode: 'DC-07', timeZone: 'America/New_York' })
    expect(new Set(await datesReceived(theirs.call))).toEqual(new Set(['05/30/2026']))
    expect((await theirs.call('GET', '/location-time-zones')).body.content).toEqual([])
  })

  test('is explained in the package: which rows have a date in UTC', async () => {
    const { administrator, ...provider } = await parties()
    const { call } = provider
    await create(call)
    const rows = (await datesReceived(call)).length
    const page = async () =>
      textIn(unzipped((await download(service, provider, '/traceability/fda-package')).bytes)['explanation.html'])
    expect(await page()).toContain(`<td>Rows whose date is the date in UTC</td><td>${rows}</td>`)
    await set(administrator, { locationCode: 'DC-07', timeZone: 'America/New_York' })
    expect(await page()).toContain('<td>Rows whose date is the date in UTC</td><td>0</td>')
  })

  test('in the database and in the program is one, whatever the zone and the instant', async () => {
    // Each has rules of its own; what a country may decide for years to come, no two sources of
    // rules agree on.
    const zones = [
      'America/New_York',
      'America/Chicago',
      'America/Denver',
      'America/Phoenix',
      'America/Los_Angeles',
      'America/Anchorage',
      'Pacific/Honolulu',
      'America/Puerto_Rico',
      'Europe/London',
      'Asia/Kolkata',
      'Australia/Sydney',
      'Pacific/Kiritimati',
      'Pacific/Pago_Pago',
    ]
    const asked = fc.sample(
      fc.record({
        at: fc.date({ min: new Date('2010-01-01'), max: new Date('2025-12-31'), noInvalidDate: true }),
        zone: fc.constantFrom(...zones),
      }),
      500,
    )
    const times = asked.map(({ at }) => `${at.toISOString().slice(0, 19)}Z`)
    const { rows } = await service.database.pool.query<{ date: string }>(
      `SELECT (at AT TIME ZONE zone)::date::text AS date
       FROM unnest($1::timestamptz[], $2::text[]) WITH ORDINALITY AS a (at, zone, n) ORDER BY n`,
      [times, asked.map(({ zone }) => zone)],
    )
    const differing = rows.flatMap(({ date }, i) => {
      const ours = dateAt(times[i] as string, asked[i]?.zone)
      return ours === date ? [] : [`${times[i]} in ${asked[i]?.zone}: ${ours}, in the database ${date}`]
    })
    expect(differing).toEqual([])
  })
})

describe('time zones', () => {
  test('are listed page by page by location, with who set them and when, and are gone when taken away', async () => {
    const { administrator } = await parties()
    const codes = ['A', 'B', 'ö', '水産', 'Z']
    await set(administrator, ...codes.map((locationCode) => ({ locationCode, timeZone: 'Europe/Berlin' })))
    await set(administrator, { locationCode: 'B', dataProviderVendorId: 'V-1', timeZone: 'Asia/Kolkata' })
    const met: Payload[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await administrator('GET', `/location-time-zones?limit=2${cursor && `&cursor=${cursor}`}`)
      met.push(...body.content)
      cursor = body.nextCursor
    }
    expect(met.map(({ locationCode }) => locationCode).sort()).toEqual([...codes, 'B'].sort())
    expect(met.find(({ dataProviderVendorId }) => dataProviderVendorId === 'V-1')).toMatchObject({
      timeZone: 'Asia/Kolkata',
      setBy: expect.stringMatching(/^[0-9a-f]+$/),
      setDateTime: expect.stringMatching(/Z$/),
    })
    await set(administrator, ...codes.map((locationCode) => ({ locationCode })))
    expect((await administrator('GET', '/location-time-zones')).body.content).toHaveLength(1)
    const log = (await administrator('GET', '/access-log')).body.content
    expect(log.filter(({ operation }: Payload) => operation === 'setTimeZones')).toHaveLength(3)
  })

  test.each([
    [[{ locationCode: 'A', timeZone: 'EST5' }], /"EST5" of location "A" is not in the IANA/],
    [[{ locationCode: 'A', timeZone: '+05:00' }], /"\+05:00"/],
    [[{ locationCode: 'A', timeZone: "x'; --" }], /is not in the IANA/],
    [[{ locationCode: ' ', timeZone: 'Asia/Tokyo' }], /blank/],
    [
      [
        { locationCode: 'A', timeZone: 'Asia/Tokyo' },
        { locationCode: 'A', timeZone: 'Europe/Berlin' },
      ],
      /"A" is listed twice/,
    ],
  ])('%j are refused, and nothing is set', async (timeZones, detail) => {
    const { administrator } = await parties()
    const reply = await set(administrator, { locationCode: 'B', timeZone: 'Asia/Tokyo' }, ...timeZones)
    expect(reply.status, reply.text).toBe(422)
    expect(reply.body.detail).toMatch(detail)
    expect((await administrator('GET', '/location-time-zones')).body.content).toEqual([])
  })

  test('are set by administrators alone', async () => {
    const { call } = await parties()
    expect((await set(call, { locationCode: 'A', timeZone: 'Asia/Tokyo' })).status).toBe(403)
  })
})

test('writes that follow each other share one look-up of time zones, and one after a change gets another', async () => {
  const { id, administrator } = await parties()
  await set(administrator, { locationCode: 'DC-07', timeZone: 'Asia/Tokyo' })
  const store = storeOn(service.database.pool)
  const { kind } = storedEvents.receivingEvent
  const body = eventPayload((payload) => {
    payload.eventList.eventDateTime = evening
  })
  const lookUp = () => timeZonesFor(store, id, readPayload(kind, kind.payload, body))
  const first = await lookUp()
  expect(first.get(vendorKey('', 'DC-07'))).toBe('Asia/Tokyo')
  expect(await lookUp()).toBe(first)
  await set(administrator, { locationCode: 'DC-07', timeZone: 'America/New_York' })
  store.timeZones.forget(id)
  expect((await lookUp()).get(vendorKey('', 'DC-07'))).toBe('America/New_York')
})
