// Searches: each finds exactly what fits, and no value, common or rare or absent, makes it read
// more than a page or a walk.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchLocations } from '../../src/store/locations.ts'
import { searchMasterProducts } from '../../src/store/master-products.ts'
import { migrate } from '../../src/store/migrate.ts'
import { searchReceivingEvents } from '../../src/store/receiving-events.ts'
import { rangeMax, scanMax, searches } from '../../src/store/search.ts'
import { ownPostgresqlDatabase } from '../support/database.ts'

const provider = '11111111-1111-4111-8111-111111111111'
/**
 * Records of each kind in all; every second is the provider's, the rest belongs to twenty others.
 * Three minutes apart.
 */
const records = 16_000
const minutesApart = 3
const beganAt = Date.parse('2025-01-01T00:00:00Z')
const limit = 51

/** Every hundredth of the provider's was replaced much later. */
const replacedAfterDays = 40
const isReplaced = (i: number): boolean => i % 200 === 0

/**
 * A third is `common`, eight are `rare`, of the others the older half is `old`. Shifted ones are
 * never common together.
 */
const codeOf = (i: number, shift: number): string => {
  const place = Math.floor(i / 2) + shift
  if (place % 1500 === 7) return 'rare'
  if (place % 3 === 0) return 'common'
  return i < records / 2 ? 'old' : `own-${i}`
}
const codeInSql = (shift: number): string =>
  `CASE WHEN (i / 2 + ${shift}) % 1500 = 7 THEN 'rare' WHEN (i / 2 + ${shift}) % 3 = 0 THEN 'common' WHEN i < ${records / 2} THEN 'old' ELSE 'own-' || i END`

const kinds = { receivingEvent: '7000', masterProduct: '7001', location: '7002' } as const
type Kind = keyof typeof kinds

const kindsInSql = `(VALUES ${Object.entries(kinds)
  .map(([kind, digits]) => `('${kind}', '${digits}')`)
  .join(', ')}) AS k (kind, digits)`

const rows = `CREATE TABLE n AS
  SELECT i, CASE WHEN i % 2 = 0 THEN '${provider}'::uuid ELSE md5('provider ' || i % 20)::uuid END AS provider_id,
         timestamptz '2025-01-01T00:00:00Z' + i * interval '${minutesApart} minutes' AS at,
         CASE WHEN i % 200 = 0 THEN 2 ELSE 1 END AS version,
         lpad(to_hex((extract(epoch FROM timestamptz '2025-01-01T00:00:00Z')::bigint + i * ${minutesApart * 60}) * 1000), 12, '0') AS time,
         '8000' || lpad(to_hex(i), 12, '0') AS tail, ${codeInSql(0)} AS zero, ${codeInSql(1)} AS one, ${codeInSql(2)} AS two
  FROM generate_series(1, ${records}) AS i;
INSERT INTO record SELECT provider_id, (time || k.digits || tail)::uuid, k.kind, version, '', '' FROM n, ${kindsInSql};
INSERT INTO receiving_event SELECT provider_id, (time || '7000' || tail)::uuid, zero, at, zero, one, two, zero, at::date, 1, '[]' FROM n;
INSERT INTO receiving_event_code SELECT provider_id, 'lotCode', replace(upper(zero), '-', ''), (time || '7000' || tail)::uuid, zero FROM n;
INSERT INTO receiving_event_code SELECT provider_id, 'itemCode', one, (time || '7000' || tail)::uuid, '' FROM n;
INSERT INTO master_product SELECT provider_id, (time || '7001' || tail)::uuid, zero, one FROM n;
INSERT INTO location SELECT provider_id, (time || '7002' || tail)::uuid, CASE WHEN i % 4 = 0 THEN zero ELSE 'v' || i END,
                            CASE WHEN i % 4 = 0 THEN 'c' || i ELSE zero END, NULL, '{}' FROM n;
INSERT INTO record_version
  SELECT provider_id, (time || k.digits || tail)::uuid, v, k.kind, at + (v - 1) * interval '${replacedAfterDays} days', '', provider_id, NULL, '', '[]', '{}'
  FROM n, ${kindsInSql}, generate_series(1, n.version) AS v;
VACUUM ANALYZE`

const at = (share: number): string => new Date(beganAt + share * records * minutesApart * 60_000).toISOString()
const atOf = (i: number): number => beganAt + i * minutesApart * 60_000
const submittedAtOf = (i: number): number => atOf(i) + (isReplaced(i) ? replacedAfterDays * 86_400_000 : 0)

/** What a condition finds, told without SQL, and values to ask it with. */
interface Proof {
  readonly values: readonly string[]
  readonly fits: (i: number, value: string) => boolean
  /** Why an index alone does not give its records in order. */
  readonly isRange?: true
}

const codes = (code: (i: number) => string): Proof => ({
  values: ['common', 'old', 'rare', 'absent'],
  fits: (i, value) => code(i) === value,
})
const from = (time: (i: number) => number): Proof => ({
  values: [at(0.95), at(0.3), at(9)],
  fits: (i, value) => time(i) >= Date.parse(value),
  isRange: true,
})
const until = (time: (i: number) => number): Proof => ({
  values: [at(0.05), at(0.6), at(-1)],
  fits: (i, value) => time(i) <= Date.parse(value),
  isRange: true,
})
/** The date of the event in UTC, which is how these were written. */
const dateOf = (i: number): string => new Date(atOf(i)).toISOString().slice(0, 10)
const submitted = { submitStartDateTime: from(submittedAtOf), submitEndDateTime: until(submittedAtOf) }

type Search = typeof searchReceivingEvents | typeof searchMasterProducts | typeof searchLocations

/** Every condition of every search: one that is missing here has no proof. */
const proofs: Readonly<
  Record<string, { readonly kind: Kind; readonly search: Search; readonly by: Readonly<Record<string, Proof>> }>
> = {
  searchReceivingEvents: {
    kind: 'receivingEvent',
    search: searchReceivingEvents,
    by: {
      lotCode: codes((i) => codeOf(i, 0)),
      itemCode: codes((i) => codeOf(i, 1)),
      purchaseOrderNumber: codes((i) => codeOf(i, 2)),
      asnNumber: codes((i) => codeOf(i, 0)),
      shipToLocationCode: codes((i) => codeOf(i, 1)),
      shipFromLocationCode: codes((i) => codeOf(i, 0)),
      dataProviderVendorId: codes((i) => codeOf(i, 0)),
      eventStartDateTime: from(atOf),
      eventEndDateTime: until(atOf),
      eventStartDate: {
        values: [at(0.95), at(0.3), at(9)].map((instant) => instant.slice(0, 10)),
        fits: (i, value) => dateOf(i) >= value,
        isRange: true,
      },
      eventEndDate: {
        values: [at(0.05), at(0.6), at(-1)].map((instant) => instant.slice(0, 10)),
        fits: (i, value) => dateOf(i) <= value,
        isRange: true,
      },
      ...submitted,
    },
  },
  searchMasterProducts: {
    kind: 'masterProduct',
    search: searchMasterProducts,
    by: {
      itemCode: codes((i) => codeOf(i, 1)),
      dataProviderVendorId: codes((i) => codeOf(i, 0)),
      ...submitted,
    },
  },
  searchLocations: {
    kind: 'location',
    search: searchLocations,
    by: {
      locationCode: codes((i) => (i % 4 === 0 ? `c${i}` : codeOf(i, 0))),
      dataProviderVendorId: codes((i) => (i % 4 === 0 ? codeOf(i, 0) : `v${i}`)),
      ...submitted,
    },
  },
}

let own: { url: string; drop(): Promise<void> }
let pool: pg.Pool
beforeAll(async () => {
  own = await ownPostgresqlDatabase()
  pool = new pg.Pool({ connectionString: own.url })
  await migrate(pool)
  for (const sql of rows.split(';\n')) await pool.query(sql)
})
afterAll(async () => {
  await pool?.end()
  await own?.drop()
})

const idOf = (kind: Kind, i: number): string => {
  const hex = `${atOf(i).toString(16).padStart(12, '0')}${kinds[kind]}8000${i.toString(16).padStart(12, '0')}`
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
/** The number of the record that pages with a cursor go on below. */
const middle = records / 2

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly Filter?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

interface Ran {
  readonly nodes: readonly PlanNode[]
  /** Rows and entries of indexes that were looked at. */
  readonly read: number
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
const isScan = (node: PlanNode): boolean =>
  node['Node Type'].endsWith('Scan') && !/^(Subquery|CTE|Bitmap Heap)/.test(node['Node Type'])

function ranBy(plan: PlanNode): Ran {
  const nodes = nodesOf(plan).filter((node) => node['Actual Loops'] > 0)
  const read = nodes
    .filter(isScan)
    .reduce(
      (sum, node) =>
        sum +
        (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
          node['Actual Loops'],
      0,
    )
  return { nodes, read }
}

/** Searches, and says which statements that took. */
async function searchedBy(name: string, wanted: Readonly<Record<string, string>>, before: boolean) {
  const { kind, search, by } = proofs[name] ?? expect.fail(`${name} has no proof`)
  const ran: Ran[] = []
  const db: Parameters<Search>[0] = {
    async query(query) {
      const explained = await pool.query({ ...query, text: `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${query.text}` })
      ran.push(ranBy(explained.rows[0]['QUERY PLAN'][0].Plan))
      return pool.query(query)
    },
  }
  const found = await search(db, [provider, limit], { ...wanted, ...(before && { before: idOf(kind, middle) }) })
  const expected: string[] = []
  let fitting = 0
  for (let i = records; i > 0; i -= 2)
    if (Object.entries(wanted).every(([condition, value]) => by[condition]?.fits(i, value))) {
      fitting++
      if ((!before || i < middle) && expected.length < limit) expected.push(idOf(kind, i))
    }
  const label = `${name} ${JSON.stringify(wanted)}${before ? ' with a cursor' : ''}`
  expect(
    found.map(({ id }) => id),
    label,
  ).toEqual(expected)
  return { ran, fitting, label }
}

/** But for the look at the time zones of locations, of which there are a few at most. */
const kindsOf = ({ nodes }: Ran): string[] =>
  nodes.filter((node) => node['Relation Name'] !== 'location_time_zone').map((node) => node['Node Type'])

/** Rows that went into the largest sort. */
const mostSorted = ({ nodes }: Ran): number =>
  Math.max(
    0,
    ...nodes
      .filter((node) => node['Node Type'].endsWith('Sort'))
      .map(({ Plans: [below] = [] }) => (below === undefined ? 0 : below['Actual Rows'] * below['Actual Loops'])),
  )

describe.each(Object.keys(proofs))('%s', (name) => {
  const by: Readonly<Record<string, Proof>> = proofs[name]?.by ?? {}
  const names = Object.keys(by)

  test('every condition it declares has its proof here', () => {
    expect([...searches.keys()].sort()).toEqual(Object.keys(proofs).sort())
    expect([...(searches.get(name)?.conditions ?? [])].sort()).toEqual([...names].sort())
  })

  test('without a condition reads the page and its bodies, and nothing else', async () => {
    for (const before of [false, true]) {
      const { ran, label } = await searchedBy(name, {}, before)
      expect(ran, label).toHaveLength(1)
      expect(ran[0]?.read, label).toBe(2 * limit)
    }
  })

  const equal = names.filter((one) => by[one]?.isRange === undefined)
  test.each(equal)('by %s reads the page and its bodies from indexes, filters nothing, sorts nothing', async (one) => {
    for (const value of by[one]?.values ?? [])
      for (const before of [false, true]) {
        const { ran, label } = await searchedBy(name, { [one]: value }, before)
        expect(ran, label).toHaveLength(1)
        for (const run of ran) {
          expect(run.read, label).toBeLessThanOrEqual(2 * limit)
          expect(
            kindsOf(run).filter((kind) => /Seq Scan|Bitmap|Sort|Hash/.test(kind)),
            label,
          ).toEqual([])
          expect(
            run.nodes.filter((node) => isScan(node) && node.Filter !== undefined),
            label,
          ).toEqual([])
        }
      }
  })

  const ranges = names.filter((one) => by[one]?.isRange)
  test.each(ranges)('by %s reads a bounded walk; only where that does not fill the page, what fits', async (one) => {
    for (const value of by[one]?.values ?? [])
      for (const before of [false, true]) {
        const { ran, fitting, label } = await searchedBy(name, { [one]: value }, before)
        const [near, far] = ran
        expect(near?.read, label).toBeLessThanOrEqual(rangeMax + 1 + 2 * scanMax + limit)
        for (const run of ran) expect(kindsOf(run), label).not.toContain('Seq Scan')
        if (near) expect(mostSorted(near), label).toBeLessThanOrEqual(rangeMax)
        // Versions that are not the current ones any more are met, too.
        if (far) expect(far.read, label).toBeLessThanOrEqual(scanMax + rangeMax + 1 + limit + 2.2 * fitting)
      }
  })

  const pairs = names.flatMap((one, n) => names.slice(n + 1).map((other) => [one, other] as const))
  test('by two conditions finds what fits both, and reads a walk before it looks for all that fits', async () => {
    for (const [one, other] of pairs)
      for (const first of by[one]?.values.slice(0, 2) ?? [])
        for (const second of by[other]?.values.slice(0, 2) ?? []) {
          const { ran, label } = await searchedBy(name, { [one]: first, [other]: second }, first === 'old')
          const [near] = ran
          expect(near?.read, label).toBeLessThanOrEqual(4 * rangeMax + limit)
          if (near) {
            expect(kindsOf(near), label).not.toContain('Seq Scan')
            expect(mostSorted(near), label).toBeLessThanOrEqual(rangeMax)
          }
        }
  })
})

test('a day at one place is read from one index, and nothing else', async () => {
  const day = { eventStartDateTime: at(0.2), eventEndDateTime: at(0.23), shipToLocationCode: 'common' }
  const { ran, fitting } = await searchedBy('searchReceivingEvents', day, false)
  expect(ran).toHaveLength(1)
  expect(fitting).toBeGreaterThan(limit)
  expect(ran[0]?.read).toBeLessThanOrEqual(3 * fitting + limit)
  expect(ran[0]?.nodes.filter(({ Filter }) => Filter !== undefined)).toEqual([])
})

describe('what the search costs writes', () => {
  test('a replacement with the same search values stays on its page and touches no index', async () => {
    const client = await pool.connect()
    try {
      await client.query('BEGIN')
      for (const [table, changes] of [
        ['record', `version = version + 1, content_hash = '\\x01'`],
        // A gap that is filled changes what is counted and not what is searched by.
        ['receiving_event', `completeness = '[{"item": "A", "lines": 1, "complete": 1, "gaps": {}}]'`],
        ['master_product', `gtin = '1'`],
        ['location', `content = '{"locationName": "A"}'`],
      ]) {
        await client.query(`UPDATE ${table} SET ${changes} WHERE id IN (SELECT id FROM ${table} ORDER BY id LIMIT 5)`)
        const { rows: counts } = await client.query(
          `SELECT pg_stat_get_xact_tuples_updated($1::regclass)::int AS updated, pg_stat_get_xact_tuples_hot_updated($1::regclass)::int AS hot`,
          [table],
        )
        expect(counts, table).toEqual([{ updated: 5, hot: 5 }])
      }
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  })
})
