// What may be purged: nothing younger than the retention time, nothing in force, nothing held.
// Source: decisions 0040, 0041.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RecordKindName } from '../../../src/contract/record-kinds.ts'
import { yearsBefore } from '../../../src/contract/shape/date-and-time.ts'
import { commandLine } from '../../../src/store/evidence/access-log.ts'
import { endLegalHold, type Held, insertLegalHold } from '../../../src/store/keeping/legal-holds.ts'
import { findAllDue, type PurgeStep, purgeAllDue } from '../../../src/store/keeping/purge.ts'
import { purgeDue } from '../../../src/store/keeping/retention.ts'
import { type AgedVersion, storeAged } from '../../support/databases/aged-records.ts'
import type { Payload } from '../../support/records/payloads.ts'
import { type Service, startService } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

/** Collections of records that the property is tried on; `RETENTION_RUNS` of them in a long run. */
const collections = Number(process.env.RETENTION_RUNS ?? 40)
const longMs = 30_000 + 1_000 * collections

const now = new Date('2032-02-29T12:00:00.000Z')
const [dayMs, hourMs] = [86_400_000, 3_600_000]
const years = 2
const border = yearsBefore(now, years)
const fromBorder = (ms: number) => new Date(border.getTime() + ms)

/** `record version` of each. */
async function namesIn(steps: AsyncIterable<PurgeStep>): Promise<string[]> {
  const names: string[] = []
  for await (const { versions } of steps) names.push(...versions.map(({ id, version }) => `${id} ${version}`))
  return names.sort()
}

const lookedUp = (provider: string, before = border) => namesIn(findAllDue(service.database.pool, provider, before))
const purged = (provider: string, before = border) =>
  namesIn(purgeAllDue(service.database.pool, provider, { before, now, retentionYears: years }))

/**
 * Every version of the provider as it is in the database, and the current rows, as text by name.
 */
async function everything(provider: string) {
  const { pool } = service.database
  const { rows } = await pool.query(
    `SELECT record_id || ' ' || version AS name, purged_at, to_jsonb(v) - 'detail' - 'detail_hash' - 'payload_id' - 'purged_at' AS kept,
            detail, payload_id, detail_hash_of(payload_id, void_reason, reason, detail[2], detail[1]) AS hash, detail_hash
     FROM record_version v WHERE provider_id = $1`,
    [provider],
  )
  const current = await pool.query(`SELECT id FROM record WHERE provider_id = $1`, [provider])
  const codes = await pool.query('SELECT DISTINCT id FROM event_code WHERE provider_id = $1', [provider])
  return {
    versions: new Map(rows.map((row) => [row.name as string, row])),
    current: current.rows.map(({ id }) => id as string).sort(),
    withCodes: codes.rows.map(({ id }) => id as string).sort(),
  }
}

/** The event happened at that instant, and is of that vendor and lot. */
const event =
  (at: Date, n: number, vendor = 'V-1', lot = 'L-1') =>
  (payload: Payload) => {
    payload.eventList.eventDateTime = `${at.toISOString().slice(0, 19)}Z`
    payload.eventList.shipToLocationCode = `DC-${n}`
    payload.eventList.dataProviderVendorId = vendor
    payload.eventList.productList = [{ ...payload.eventList.productList[0], caseLotNumber: lot }]
  }

describe('of any records', () => {
  interface Version {
    readonly submittedAt: Date
    readonly eventAt: Date
    readonly vendor: string
    readonly lot: string
  }
  interface Record {
    readonly kind: RecordKindName
    readonly versions: readonly Version[]
  }

  // Half of the instants are around the border: one millisecond makes the difference.
  const instant = fc.oneof(
    fc.constantFrom(-dayMs, -1_000, -1, 0, 1, 1_000, dayMs).map((ms) => fromBorder(ms)),
    fc.integer({ min: -1_500, max: 900 }).map((days) => fromBorder(days * dayMs)),
  )
  const version = fc.record({
    submittedAt: instant,
    eventAt: instant,
    vendor: fc.constantFrom('V-1', 'V-2'),
    lot: fc.constantFrom('L-1', 'L-2', 'L-3'),
  })
  const record: fc.Arbitrary<Record> = fc.record({
    kind: fc.constantFrom('receivingEvent', 'receivingEvent', 'masterProduct', 'location'),
    // Versions come one after the other.
    versions: fc.array(version, { minLength: 1, maxLength: 4 }).map((versions) => {
      const times = versions.map(({ submittedAt }) => submittedAt).sort((a, b) => a.getTime() - b.getTime())
      return versions.map((one, i) => ({ ...one, submittedAt: times[i] ?? one.submittedAt }))
    }),
  })
  const held: fc.Arbitrary<{ readonly what: Held | 'first record'; readonly lifted: boolean }> = fc.record({
    what: fc.constantFrom(
      { lotCode: 'L-3' },
      { dataProviderVendorId: 'V-2', lotCode: 'L-2' },
      { eventStartDate: '2029-01-01', eventEndDate: '2029-06-30', dataProviderVendorId: 'V-2' },
      { eventEndDate: '2027-12-31' },
      'first record' as const,
      {},
    ),
    lifted: fc.boolean(),
  })

  const editOf = ({ kind }: Record, n: number, { eventAt, vendor, lot }: Version): AgedVersion['edit'] => {
    if (kind === 'receivingEvent') return event(eventAt, n, vendor, lot)
    return (payload) => {
      const subject = kind === 'location' ? payload.locationMasterList : payload.productMasterDataList
      subject.dataProviderVendorId = vendor
      subject[kind === 'location' ? 'locationCode' : 'itemCode'] = `C-${n}`
    }
  }

  /** What a version says of itself, in plain words of the decisions. */
  function isHeldBy(what: Held, kind: RecordKindName, one: Version, supersededAt: Date | undefined): boolean {
    const { lotCode, dataProviderVendorId, eventStartDate, eventEndDate } = what
    if (dataProviderVendorId !== undefined && dataProviderVendorId !== one.vendor) return false
    if (lotCode !== undefined && (kind !== 'receivingEvent' || lotCode !== one.lot)) return false
    if (eventStartDate === undefined && eventEndDate === undefined) return true
    const [start, end] = [eventStartDate ?? '0001-01-01', eventEndDate ?? '9999-12-31']
    if (kind === 'receivingEvent') {
      const date = one.eventAt.toISOString().slice(0, 10)
      return date >= start && date <= end
    }
    const slack = 2 * dayMs
    return (
      one.submittedAt.getTime() < Date.parse(end) + slack &&
      (supersededAt?.getTime() ?? Number.POSITIVE_INFINITY) >= Date.parse(start) - slack
    )
  }

  test(
    'exactly those versions go that are older than the retention time, not in force and not held; the others stay as they are',
    async () => {
      let [someGone, someHeld, someKept] = [0, 0, 0]
      await fc.assert(
        fc.asyncProperty(
          fc.array(record, { minLength: 1, maxLength: 8 }),
          fc.array(held, { maxLength: 2 }),
          async (records, holds) => {
            const { pool } = service.database
            const { id: provider } = await service.provider()
            const ids = await storeAged(
              pool,
              provider,
              records.map((one, n) => ({
                kind: one.kind,
                versions: one.versions.map((version) => ({
                  submittedAt: version.submittedAt,
                  edit: editOf(one, n, version),
                })),
              })),
            )
            const standing: Held[] = []
            for (const { what, lifted } of holds) {
              const asked = what === 'first record' ? { recordId: ids[0] ?? '' } : what
              const hold = await insertLegalHold(pool, { provider, ...asked, reason: 'a test' }, commandLine)
              if (lifted) await endLegalHold(pool, { provider, id: hold?.id ?? '' }, commandLine)
              else standing.push(asked)
            }

            const due = records.flatMap(({ kind, versions }, n) => {
              const isHeld = versions.some((one, i) =>
                standing.some(
                  (what) =>
                    (what.recordId === undefined || what.recordId === ids[n]) &&
                    isHeldBy(what, kind, one, versions[i + 1]?.submittedAt),
                ),
              )
              if (isHeld) someHeld++
              return versions.flatMap((_, i) => {
                const until = versions.slice(0, i + 2).map(({ submittedAt }) => submittedAt)
                const received =
                  kind === 'receivingEvent'
                    ? versions
                        .slice(0, i + 1)
                        .map(({ eventAt }) => new Date(Math.floor(eventAt.getTime() / 1_000) * 1_000))
                    : []
                const inForce = i === versions.length - 1 && kind !== 'receivingEvent'
                const old = [...until, ...received].every((at) => at < border)
                return old && !inForce && !isHeld ? [`${ids[n]} ${i + 1}`] : []
              })
            })
            due.sort()

            const before = await everything(provider)
            expect(await lookedUp(provider)).toEqual(due)
            expect(await everything(provider)).toEqual(before)
            expect(await purged(provider)).toEqual(due)

            const left = await everything(provider)
            for (const [name, row] of before.versions)
              expect(left.versions.get(name)).toEqual(
                due.includes(name)
                  ? { ...row, detail: null, payload_id: null, hash: null, detail_hash: row.hash, purged_at: now }
                  : row,
              )
            expect(left.versions.size).toBe(before.versions.size)
            const gone = records.flatMap(({ versions }, n) =>
              due.includes(`${ids[n]} ${versions.length}`) ? [ids[n]] : [],
            )
            expect(left.current).toEqual(before.current.filter((id) => !gone.includes(id)))
            expect(left.withCodes).toEqual(before.withCodes.filter((id) => !gone.includes(id)))
            expect(await purged(provider)).toEqual([])
            someGone += due.length
            someKept += left.current.length
          },
        ),
        { numRuns: collections },
      )
      if (process.env.RETENTION_RUNS !== undefined)
        console.info(
          `${collections} collections: ${someGone} versions purged, ${someHeld} records held, ${someKept} records kept.`,
        )
      // The property was about something.
      expect(Math.min(someGone, someHeld, someKept)).toBeGreaterThan(0)
    },
    longMs,
  )
})

describe('at the border', () => {
  const old = fromBorder(-400 * dayMs)
  const versions = (...times: readonly (readonly [submittedAt: Date, eventAt: Date])[]): AgedVersion[] =>
    times.map(([submittedAt, eventAt]) => ({ submittedAt, edit: event(eventAt, 1) }))
  const millisecond = 1

  test.each([
    ['an event submitted one millisecond before it goes', versions([fromBorder(-millisecond), old]), [1]],
    ['an event submitted at it stays', versions([fromBorder(0), old]), []],
    ['an event whose date time is one second before it goes', versions([old, fromBorder(-1_000)]), [1]],
    ['an event whose date time is at it stays', versions([old, fromBorder(0)]), []],
    [
      'a version replaced one millisecond before it goes, and the one in its place',
      versions([old, old], [fromBorder(-millisecond), old]),
      [1, 2],
    ],
    ['a version replaced at it stays', versions([old, old], [fromBorder(0), old]), []],
    [
      'of a record replaced since, the version before goes when it was itself replaced in time',
      versions([old, old], [fromBorder(-dayMs), old], [fromBorder(dayMs), old]),
      [1],
    ],
    [
      'a version does not go before those that came before it',
      versions([old, fromBorder(dayMs)], [fromBorder(-300 * dayMs), old], [fromBorder(-200 * dayMs), old]),
      [],
    ],
  ])('%s', async (_title, aged, gone) => {
    const { id: provider } = await service.provider()
    const [id] = await storeAged(service.database.pool, provider, [{ kind: 'receivingEvent', versions: aged }])
    expect(await lookedUp(provider)).toEqual(gone.map((version) => `${id} ${version}`))
    expect(await purged(provider)).toEqual(gone.map((version) => `${id} ${version}`))
  })

  test.each(['masterProduct', 'location'] as const)(
    'the %s in force stays however old it is; what it was before goes',
    async (kind) => {
      const { id: provider } = await service.provider()
      const aged = [old, fromBorder(-300 * dayMs)].map((submittedAt) => ({ submittedAt }))
      const [id] = await storeAged(service.database.pool, provider, [{ kind, versions: aged }])
      expect(await purged(provider)).toEqual([`${id} 1`])
    },
  )

  test.each<[string, Held, readonly number[]]>([
    ['its first date', { eventStartDate: '2027-05-10' }, [1]],
    ['the day after its first date', { eventStartDate: '2027-05-11' }, []],
    ['its last date', { eventEndDate: '2027-05-10' }, [1]],
    ['the day before its last date', { eventEndDate: '2027-05-09' }, []],
    ['a lot code that only an earlier version had', { lotCode: 'WRONG' }, [1]],
    ['a lot code that reads alike', { lotCode: 'wrong' }, [1]],
    ['a lot code with one letter more', { lotCode: 'WRONGS' }, []],
    ['a vendor that only an earlier version had', { dataProviderVendorId: 'V-9' }, [1]],
    ['a vendor, and a lot code of another version', { dataProviderVendorId: 'V-9', lotCode: 'RIGHT' }, []],
    ['everything', {}, [1]],
  ])('a hold by %s', async (_title, what, held) => {
    const { id: provider } = await service.provider()
    const { pool } = service.database
    // As written, in Ohio: in UTC it is the day after.
    const inOhio = (vendor: string, lot: string) => (payload: Payload) => {
      event(old, 1, vendor, lot)(payload)
      payload.eventList.eventDateTime = '2027-05-10T23:30:00-04:00'
    }
    await storeAged(pool, provider, [
      {
        kind: 'receivingEvent',
        versions: [
          { submittedAt: old, edit: inOhio('V-9', 'WRONG') },
          { submittedAt: fromBorder(-300 * dayMs), edit: inOhio('V-1', 'RIGHT') },
        ],
      },
    ])
    await insertLegalHold(pool, { provider, ...what, reason: 'a test' }, commandLine)
    expect((await purged(provider)).length).toBe(held.length === 0 ? 2 : 0)
  })
})

describe('a purge', () => {
  const old = fromBorder(-400 * dayMs)
  const aged = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      kind: 'receivingEvent' as const,
      versions: [{ submittedAt: old, edit: event(old, n) }],
    }))

  test('of many records takes several steps; broken off after one, the next purge does the rest', async () => {
    const { id: provider } = await service.provider()
    const { pool } = service.database
    await storeAged(pool, provider, aged(250))
    for await (const { versions } of purgeAllDue(pool, provider, { before: border, now, retentionYears: years })) {
      expect(versions.length).toBe(100)
      break
    }
    expect((await purged(provider)).length).toBe(150)
    const { rows } = await pool.query('SELECT ending, records FROM access_log_end WHERE provider_id = $1 ORDER BY id', [
      provider,
    ])
    expect(rows).toEqual([
      { ending: 'cutOff', records: 100 },
      { ending: 'done', records: 150 },
    ])
  })

  test('of a record with more versions than one step takes goes through all of them', async () => {
    const { id: provider } = await service.provider()
    const times = Array.from({ length: 600 }, (_, n) => ({
      submittedAt: fromBorder(-400 * dayMs + n * hourMs),
      edit: event(old, 1),
    }))
    await storeAged(service.database.pool, provider, [{ kind: 'receivingEvent', versions: times }])
    expect((await lookedUp(provider)).length).toBe(600)
    expect((await purged(provider)).length).toBe(600)
  })

  test('reaches no other provider', async () => {
    const [one, other] = [await service.provider(), await service.provider()]
    await storeAged(service.database.pool, other.id, aged(2))
    expect(await purged(one.id)).toEqual([])
    expect((await lookedUp(other.id)).length).toBe(2)
  })

  test('without an entry in the access log does nothing', async () => {
    const { id: provider } = await service.provider()
    const { pool } = service.database
    await storeAged(pool, provider, aged(1))
    const what = { provider, kind: 'receivingEvent', before: border } as const
    await expect(purgeDue(pool, what, { now, entry: '00000000-0000-7000-8000-000000000000' })).rejects.toThrow()
    expect((await lookedUp(provider)).length).toBe(1)
  })
})

describe('the border itself', () => {
  test('is never less than so many calendar years ago', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2000-01-01'), max: new Date('2199-12-31'), noInvalidDate: true }),
        fc.integer({ min: 2, max: 100 }),
        (at, count) => {
          const before = yearsBefore(at, count)
          expect(at.getUTCFullYear() - before.getUTCFullYear()).toBe(count)
          const anniversary = new Date(before)
          anniversary.setUTCFullYear(before.getUTCFullYear() + count)
          expect(anniversary.getTime()).toBeLessThanOrEqual(at.getTime())
          expect(at.getTime() - anniversary.getTime()).toBeLessThanOrEqual(dayMs)
        },
      ),
    )
    expect(yearsBefore(new Date('2028-02-29T12:00:00Z'), 2)).toEqual(new Date('2026-02-28T12:00:00Z'))
  })
})
