// Searches: each finds exactly what fits, and no value, common or rare or absent, makes it read
// more than a page or a walk.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventKindNames, isDeliveryKind } from '../../../src/contract/record-kinds.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { pluralOf } from '../../../src/store/records/event-kinds.ts'
import { listedEvents, searchEvents } from '../../../src/store/records/events.ts'
import { type Listed, listings, type SortedPosition, walkMax } from '../../../src/store/records/listing.ts'
import { listedLocations, searchLocations } from '../../../src/store/records/locations.ts'
import { listedMasterProducts, searchMasterProducts } from '../../../src/store/records/master-products.ts'
import { rangeMax, scanMax, searches } from '../../../src/store/records/search.ts'
import { ownPostgresqlDatabase } from '../../support/databases/database.ts'
import { isShortRun } from '../../support/runs.ts'

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

const kinds = { receivingEvent: '7000', masterProduct: '7001', location: '7002', shippingEvent: '7003' } as const
type Kind = keyof typeof kinds

const kindsInSql = `(VALUES ${Object.entries(kinds)
  .map(([kind, digits]) => `('${kind}', '${digits}')`)
  .join(', ')}) AS k (kind, digits)`

const completenessInSql = `CASE WHEN one = 'common' THEN '[{"item": "A", "lines": 1, "complete": 0, "gaps": {"rule": 1}}]' ELSE '[{"item": "A", "lines": 1, "complete": 1, "gaps": {}}]' END::jsonb`

const rows = `CREATE TABLE n AS
  SELECT i, CASE WHEN i % 2 = 0 THEN '${provider}'::uuid ELSE md5('provider ' || i % 20)::uuid END AS provider_id,
         timestamptz '2025-01-01T00:00:00Z' + i * interval '${minutesApart} minutes' AS at,
         CASE WHEN i % 200 = 0 THEN 2 ELSE 1 END AS version,
         lpad(to_hex((extract(epoch FROM timestamptz '2025-01-01T00:00:00Z')::bigint + i * ${minutesApart * 60}) * 1000), 12, '0') AS time,
         '8000' || lpad(to_hex(i), 12, '0') AS tail, ${codeInSql(0)} AS zero, ${codeInSql(1)} AS one, ${codeInSql(2)} AS two
  FROM generate_series(1, ${records}) AS i;
INSERT INTO record SELECT provider_id, (time || k.digits || tail)::uuid, k.kind, version, '', '' FROM n, ${kindsInSql};
INSERT INTO event SELECT provider_id, 'receivingEvent', (time || '7000' || tail)::uuid, zero, at, one, zero, two, zero, zero, at::date, 1,
       ${completenessInSql},
       CASE WHEN two = 'common' THEN 1 ELSE 0 END, CASE WHEN zero IN ('common', 'rare') THEN jsonb_build_array('other', zero) END, one
  FROM n;
INSERT INTO event_code SELECT provider_id, 'receivingEvent', 'lotCode', replace(upper(zero), '-', ''), (time || '7000' || tail)::uuid, zero FROM n;
INSERT INTO event_code SELECT provider_id, 'receivingEvent', 'itemCode', one, (time || '7000' || tail)::uuid, '' FROM n;
INSERT INTO event SELECT provider_id, 'shippingEvent', (time || '7003' || tail)::uuid, zero, at, zero, one, two, zero, i::text, at::date, 1, ${completenessInSql},
       CASE WHEN two = 'common' THEN 1 ELSE 0 END, CASE WHEN zero IN ('common', 'rare') THEN jsonb_build_array('other', zero) END, one
  FROM n;
INSERT INTO event_code SELECT provider_id, 'shippingEvent', 'lotCode', replace(upper(zero), '-', ''), (time || '7003' || tail)::uuid, zero FROM n;
INSERT INTO event_code SELECT provider_id, 'shippingEvent', 'itemCode', one, (time || '7003' || tail)::uuid, '' FROM n;
INSERT INTO master_product SELECT provider_id, (time || '7001' || tail)::uuid, zero, one FROM n;
INSERT INTO location SELECT provider_id, (time || '7002' || tail)::uuid, CASE WHEN i % 4 = 0 THEN zero ELSE 'v' || i END,
                            CASE WHEN i % 4 = 0 THEN 'c' || i ELSE zero END, NULL, '{}' FROM n;
INSERT INTO record_version (provider_id, record_id, version, kind, submitted_at, key_id, request_id, content_hash, detail)
  SELECT provider_id, (time || k.digits || tail)::uuid, v, k.kind, at + (v - 1) * interval '${replacedAfterDays} days', '', provider_id, '', ARRAY['{}', '[]']
  FROM n, ${kindsInSql}, generate_series(1, n.version) AS v;
VACUUM ANALYZE`

/** The texts here are in this order in every collation. */
const collator = { compare: (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0) }

const at = (share: number): string => new Date(beganAt + share * records * minutesApart * 60_000).toISOString()
const atOf = (i: number): number => beganAt + i * minutesApart * 60_000
const submittedAtOf = (i: number): number => atOf(i) + (isReplaced(i) ? replacedAfterDays * 86_400_000 : 0)

/** What a condition finds, told without SQL, and values to ask it with. */
interface Proof {
  readonly values: readonly string[]
  readonly fits: (i: number, value: string) => boolean
  /** Why an index alone does not give its records in order. */
  readonly isRange?: true
  /** No index has it. */
  readonly isUnindexed?: true
  /** Rows of another table that are read for each record. */
  readonly readsMore?: number
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

type Search = (typeof searchEvents)['receivingEvent'] | typeof searchMasterProducts | typeof searchLocations

/** What events of both kinds are searched by. */
const ofEvents: Readonly<Record<string, Proof>> = {
  lotCode: codes((i) => codeOf(i, 0)),
  itemCode: codes((i) => codeOf(i, 1)),
  purchaseOrderNumber: codes((i) => codeOf(i, 2)),
  asnNumber: codes((i) => codeOf(i, 0)),
  billOfLadingNumber: codes((i) => codeOf(i, 1)),
  ftlCategory: {
    values: ['common', 'rare', 'absent'],
    fits: (i, value) => codeOf(i, 0) === value,
    isUnindexed: true,
  },
  hasWarnings: {
    values: ['true', 'false'],
    fits: (i, value) => String(codeOf(i, 2) === 'common') === value,
    isUnindexed: true,
  },
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
  gapRule: {
    values: ['rule', 'absent'],
    fits: (i, value) => value === 'rule' && codeOf(i, 1) === 'common',
    isUnindexed: true,
  },
  hasGaps: {
    values: ['true', 'false'],
    fits: (i, value) => String(codeOf(i, 1) === 'common') === value,
    isUnindexed: true,
  },
}

/** Newest receiving events of each number; of the provider, and with the numbers of shipments. */
const newestWith = (shift: number): ReadonlyMap<string, readonly number[]> => {
  const found = new Map<string, number[]>()
  for (let i = records; i > 0; i -= 2) {
    const same = found.get(codeOf(i, shift))
    if (same === undefined) found.set(codeOf(i, shift), [i])
    else if (same.length < 20) same.push(i)
  }
  return found
}
const [newestOfNotice, newestOfOrder] = [newestWith(0), newestWith(2)]

/** Both events of a pair have the same codes and the same time. */
const isReceived = (i: number): boolean =>
  [...(newestOfNotice.get(codeOf(i, 0)) ?? []), ...(newestOfOrder.get(codeOf(i, 2)) ?? [])].some(
    (other) =>
      [0, 1, 2].every((shift) => codeOf(other, shift) === codeOf(i, shift)) && atOf(other) > atOf(i) - 86_400_000,
  )

/** Every condition of every search: one that is missing here has no proof. */
const proofs: Readonly<
  Record<string, { readonly kind: Kind; readonly search: Search; readonly by: Readonly<Record<string, Proof>> }>
> = {
  searchReceivingEvents: {
    kind: 'receivingEvent',
    search: searchEvents.receivingEvent,
    by: ofEvents,
  },
  searchShippingEvents: {
    kind: 'shippingEvent',
    search: searchEvents.shippingEvent,
    by: {
      ...ofEvents,
      isReceived: {
        values: ['true', 'false'],
        fits: (i, value) => String(isReceived(i)) === value,
        isUnindexed: true,
        readsMore: 40,
      },
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

/** A condition that holds for every row it is asked of, such as that of the hash, removes none. */
const filtersRows = (node: PlanNode): boolean => node.Filter !== undefined && (node['Rows Removed by Filter'] ?? 0) > 0

/** Of each entry of a page: its search row, its record, which names the version, and that version. */
const rowsOfEntry = 3

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

/** By condition; of several values a record fits one. */
type Wanted = Readonly<Record<string, string | readonly string[]>>

/** Numbers of the provider's records, the newest first. */
const numbers = Array.from({ length: records / 2 }, (_, n) => records - 2 * n)

/** The numbers of the records that fit a value, by condition: each is asked of thousands again and again. */
const fittingOf = new Map<Proof, Map<string, ReadonlySet<number>>>()

function fittingValue(proof: Proof, value: string): ReadonlySet<number> {
  const known = fittingOf.get(proof) ?? new Map<string, ReadonlySet<number>>()
  fittingOf.set(proof, known)
  const fitting = known.get(value) ?? new Set(numbers.filter((i) => proof.fits(i, value)))
  known.set(value, fitting)
  return fitting
}

/** The numbers of the provider's records that fit, the newest first. */
function fittingNumbers(by: Readonly<Record<string, Proof>>, wanted: Wanted): readonly number[] {
  const sets = Object.entries(wanted).map(([condition, values]) =>
    [values].flat().map((value) => fittingValue(by[condition] ?? expect.fail(condition), value)),
  )
  return numbers.filter((i) => sets.every((some) => some.some((one) => one.has(i))))
}

/** Searches, and says which statements that took. */
async function searchedBy(name: string, wanted: Wanted, before: boolean) {
  const { kind, search, by } = proofs[name] ?? expect.fail(`${name} has no proof`)
  const ran: Ran[] = []
  const db: Parameters<Search>[0] = {
    async query(query) {
      const explained = await pool.query({ ...query, text: `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${query.text}` })
      ran.push(ranBy(explained.rows[0]['QUERY PLAN'][0].Plan))
      return pool.query(query)
    },
  }
  const found = await search(db, { provider, limit, ...(before && { before: idOf(kind, middle) }) }, wanted)
  const fitting = fittingNumbers(by, wanted)
  const expected = fitting.filter((i) => !before || i < middle).slice(0, limit)
  const label = `${name} ${JSON.stringify(wanted)}${before ? ' with a cursor' : ''}`
  expect(
    found.map(({ id }) => id),
    label,
  ).toEqual(expected.map((i) => idOf(kind, i)))
  return { ran, fitting: fitting.length, label }
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

/**
 * What of pairs is tried: all of those of a declaration in a long run. Searches of shipping events
 * share that of receiving events (event-rows.ts), and have other views and indexes.
 */
const isSampled = (name: string): boolean => isShortRun || name.includes('Shipping')

/** Other kinds of events have the declaration and the indexes of those that are proved here. */
const isProved = (name: string): boolean =>
  eventKindNames.every((kind) => isDeliveryKind(kind) || !name.includes(pluralOf(kind)))

describe.each(Object.keys(proofs))('%s', (name) => {
  const by: Readonly<Record<string, Proof>> = proofs[name]?.by ?? {}
  const names = Object.keys(by)

  test('every condition it declares has its proof here', () => {
    expect([...searches.keys()].filter(isProved).sort()).toEqual(Object.keys(proofs).sort())
    expect([...(searches.get(name)?.conditions ?? [])].sort()).toEqual([...names].sort())
  })

  test('without a condition reads the page and its bodies, and nothing else', async () => {
    for (const before of [false, true]) {
      const { ran, label } = await searchedBy(name, {}, before)
      expect(ran, label).toHaveLength(1)
      expect(ran[0]?.read, label).toBe(rowsOfEntry * limit)
    }
  })

  const mostOf = (...some: readonly string[]): number => 1 + Math.max(...some.map((one) => by[one]?.readsMore ?? 0))

  const equal = names.filter((one) => by[one]?.isRange === undefined && by[one]?.isUnindexed === undefined)
  test.each(equal)('by %s reads the page and its bodies from indexes, filters nothing, sorts nothing', async (one) => {
    for (const value of by[one]?.values ?? [])
      for (const before of [false, true]) {
        const { ran, label } = await searchedBy(name, { [one]: value }, before)
        expect(ran, label).toHaveLength(1)
        for (const run of ran) {
          expect(run.read, label).toBeLessThanOrEqual(rowsOfEntry * limit)
          expect(
            kindsOf(run).filter((kind) => /Seq Scan|Bitmap|Sort|Hash/.test(kind)),
            label,
          ).toEqual([])
          expect(
            run.nodes.filter((node) => isScan(node) && filtersRows(node)),
            label,
          ).toEqual([])
        }
      }
  })

  const several = (searches.get(name)?.several ?? []).map((marked) => marked.slice(0, -2))
  test('by several values of one condition reads a page of each from its index, and each record once', async () => {
    for (const one of several.filter((condition) => equal.includes(condition)))
      for (const before of [false, true]) {
        const values = by[one]?.values ?? []
        const { ran, label } = await searchedBy(name, { [one]: values }, before)
        expect(ran, label).toHaveLength(1)
        // The values themselves are rows, too.
        expect(ran[0]?.read, label).toBeLessThanOrEqual(values.length * (limit + 1) + limit)
        expect(ran[0] && kindsOf(ran[0]).filter((kind) => /Seq Scan|Bitmap|Hash/.test(kind)), label).toEqual([])
      }
  })

  test('by several values beside another condition finds what fits, and reads a walk before it looks for all', async () => {
    for (const one of several)
      for (const other of names.filter((another, n) => another !== one && (!isSampled(name) || n % 4 === 0)))
        for (const value of by[other]?.values.slice(0, 2) ?? []) {
          const wanted = { [one]: by[one]?.values.slice(1) ?? [], [other]: value }
          const { ran, label } = await searchedBy(name, wanted, value === 'old')
          expect(ran[0]?.read, label).toBeLessThanOrEqual(mostOf(other) * 12 * rangeMax + limit)
          expect(ran[0] && kindsOf(ran[0]), label).not.toContain('Seq Scan')
        }
  })

  const ranges = names.filter((one) => by[one]?.isRange || by[one]?.isUnindexed)
  test.each(ranges)('by %s reads a bounded walk; only where that does not fill the page, what fits', async (one) => {
    for (const value of by[one]?.values ?? [])
      for (const before of [false, true]) {
        const { ran, fitting, label } = await searchedBy(name, { [one]: value }, before)
        const [near, far] = ran
        expect(near?.read, label).toBeLessThanOrEqual(mostOf(one) * (rangeMax + 1 + 2 * scanMax) + limit)
        // What no index has is found by reading all of the table.
        for (const run of by[one]?.isUnindexed && near ? [near] : ran)
          expect(kindsOf(run), label).not.toContain('Seq Scan')
        if (near) expect(mostSorted(near), label).toBeLessThanOrEqual(rangeMax)
        // Versions that are not the current ones any more are met, too.
        if (far && !by[one]?.isUnindexed)
          expect(far.read, label).toBeLessThanOrEqual(scanMax + rangeMax + 1 + limit + 2.2 * fitting)
      }
  })

  // A sample is every eighth pair.
  const pairs = names
    .flatMap((one, n) => names.slice(n + 1).map((other) => [one, other] as const))
    .filter((_, n) => !isSampled(name) || n % 8 === 0)
  test('by two conditions finds what fits both, and reads a walk before it looks for all that fits', async () => {
    for (const [one, other] of pairs)
      for (const first of by[one]?.values.slice(0, 2) ?? [])
        for (const second of by[other]?.values.slice(0, 2) ?? []) {
          const { ran, label } = await searchedBy(name, { [one]: first, [other]: second }, first === 'old')
          const [near] = ran
          expect(near?.read, label).toBeLessThanOrEqual(mostOf(one, other) * 4 * rangeMax + limit)
          if (near) {
            expect(kindsOf(near), label).not.toContain('Seq Scan')
            expect(mostSorted(near), label).toBeLessThanOrEqual(rangeMax)
          }
        }
  })
})

test.each([
  ['searchReceivingEvents', 'shipToLocationCode'],
  ['searchShippingEvents', 'shipFromLocationCode'],
])('a day at one place is read from one index, and nothing else (%s)', async (name, place) => {
  const day = { eventStartDateTime: at(0.2), eventEndDateTime: at(0.23), [place]: 'common' }
  const { ran, fitting } = await searchedBy(name, day, false)
  expect(ran).toHaveLength(1)
  expect(fitting).toBeGreaterThan(limit)
  expect(ran[0]?.read).toBeLessThanOrEqual(3 * fitting + limit)
  expect(ran[0]?.nodes.filter(filtersRows)).toEqual([])
})

/** What each order compares, and its listing. */
const orderings = {
  listReceivingEvents: {
    of: 'searchReceivingEvents',
    listed: listedEvents.receivingEvent as Listed,
    keys: {
      created: atOf,
      eventDateTime: atOf,
      dataProviderVendorId: (i: number) => codeOf(i, 0),
      shipFromLocationCode: (i: number) => codeOf(i, 0),
      shipToLocationCode: (i: number) => codeOf(i, 1),
      purchaseOrderNumber: (i: number) => codeOf(i, 2),
    },
  },
  listShippingEvents: {
    of: 'searchShippingEvents',
    listed: listedEvents.shippingEvent as Listed,
    keys: {
      created: atOf,
      eventDateTime: atOf,
      dataProviderVendorId: (i: number) => codeOf(i, 0),
      shipFromLocationCode: (i: number) => codeOf(i, 0),
      shipToLocationCode: (i: number) => codeOf(i, 1),
    },
  },
  listMasterProducts: {
    of: 'searchMasterProducts',
    listed: listedMasterProducts as Listed,
    keys: {
      created: atOf,
      dataProviderVendorId: (i: number) => codeOf(i, 0),
      itemCode: (i: number) => codeOf(i, 1),
    },
  },
  listLocations: {
    of: 'searchLocations',
    listed: listedLocations as Listed,
    keys: {
      created: atOf,
      dataProviderVendorId: (i: number) => (i % 4 === 0 ? codeOf(i, 0) : `v${i}`),
      locationCode: (i: number) => (i % 4 === 0 ? `c${i}` : codeOf(i, 0)),
    },
  },
} as const

test('every listing has its proof here', () => {
  const names = [...listings.keys()].filter(isProved).sort()
  expect(names).toEqual(Object.keys(orderings).sort())
  for (const name of names)
    expect(Object.keys(orderings[name as keyof typeof orderings].keys).sort()).toEqual(
      [...(listings.get(name)?.orders ?? [])].sort(),
    )
})

describe.each(Object.entries(orderings))('%s', (name, { of, listed, keys }) => {
  const { kind, by } = proofs[of] ?? expect.fail(`${of} has no proof`)
  const byKey = keys as Readonly<Record<string, (i: number) => string | number>>

  /** The first that fit, in an order; texts as PostgreSQL compares them here. */
  const expectedIn = (order: string, ascending: boolean, wanted: Wanted, most: number): string[] => {
    const key = byKey[order] ?? expect.fail(order)
    const keys = new Map(fittingNumbers(by, wanted).map((i) => [i, key(i)]))
    const compare = ([a, one]: [number, string | number], [b, other]: [number, string | number]) => {
      const difference = typeof one === 'number' ? one - Number(other) : collator.compare(one, String(other))
      return (difference || a - b) * (ascending ? 1 : -1)
    }
    return [...keys]
      .sort(compare)
      .slice(0, most)
      .map(([i]) => idOf(kind, i))
  }
  const countFitting = (wanted: Wanted): number => fittingNumbers(by, wanted).length

  /** Pages of an order to its end, or so many. */
  async function pagesIn(order: string, ascending: boolean, wanted: Wanted, most: number) {
    const ran: Ran[] = []
    const db: Parameters<Search>[0] = {
      async query(query) {
        const { rows } = await pool.query({
          ...query,
          text: `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${query.text}`,
        })
        ran.push(ranBy(rows[0]['QUERY PLAN'][0].Plan))
        return pool.query(query)
      },
    }
    const found: string[] = []
    let behind: SortedPosition | undefined
    for (let n = 0; n < most; n++) {
      const page = await listed.sorted(db, provider, { limit, sorting: { by: order, ascending }, behind }, wanted)
      found.push(...page.map(({ id }) => id))
      const last = page.at(-1)
      if (last === undefined || page.length < limit) break
      behind = { id: last.id, key: last.key ?? '' }
    }
    return { found, ran }
  }

  test.each(Object.keys(byKey))(
    'by %s reads the page from an index, in both directions, page after page',
    async (order) => {
      for (const ascending of [true, false]) {
        const label = `${order} ${ascending ? 'ascending' : 'descending'}`
        const { found, ran } = await pagesIn(order, ascending, {}, 3)
        expect(found, label).toEqual(expectedIn(order, ascending, {}, 3 * limit))
        for (const run of ran) {
          expect(run.read, label).toBeLessThanOrEqual(rowsOfEntry * limit)
          expect(
            kindsOf(run).filter((is) => /Seq Scan|Bitmap/.test(is)),
            label,
          ).toEqual([])
        }
      }
    },
  )

  test('with a condition finds what fits in its order, and reads a bounded walk before it looks for all', async () => {
    // By id, by what a range is of, and by a text; a sample only by what a range is of.
    for (const order of Object.keys(byKey).filter(
      (_, n, all) => n === 1 || (!isSampled(name) && [0, all.length - 2].includes(n)),
    ))
      for (const [condition, { values, readsMore = 0 }] of Object.entries(by))
        for (const value of values) {
          const label = `${order} ${condition}=${value}`
          const wanted = { [condition]: value }
          const { found, ran } = await pagesIn(order, value.length % 2 === 0, wanted, 2)
          expect(found, label).toEqual(expectedIn(order, value.length % 2 === 0, wanted, 2 * limit))
          expect(ran[0]?.read, label).toBeLessThanOrEqual((1 + readsMore) * (2 * (rangeMax + 1) + 2 * walkMax) + limit)
          expect(ran[0] && kindsOf(ran[0]), label).not.toContain('Seq Scan')
        }
  })

  test('with several values of a condition goes on page after page in each order, each record once', async () => {
    for (const order of Object.keys(byKey))
      for (const marked of listings.get(name)?.several ?? []) {
        const condition = marked.slice(0, -2)
        const wanted = { [condition]: by[condition]?.values ?? [] }
        const ascending = (order + marked).length % 2 === 0
        const label = `${order} ${marked}`
        const { found, ran } = await pagesIn(order, ascending, wanted, 3)
        expect(found, label).toEqual(expectedIn(order, ascending, wanted, 3 * limit))
        expect(ran[0]?.read, label).toBeLessThanOrEqual(4 * (rangeMax + 1) + 6 * walkMax + limit)
        expect(ran[0] && kindsOf(ran[0]), label).not.toContain('Seq Scan')
        expect((await listed.count(pool, provider, wanted)).records, label).toBe(countFitting(wanted))
      }
  })

  test('counts what fits up to its bounds, and says when there are more', async () => {
    expect(await listed.count(pool, provider, {})).toEqual({ records: countFitting({}), orMore: false })
    const [one = '', other = ''] = Object.keys(by)
    const wanted = { [one]: ['old', 'rare'], [other]: ['old', 'common'] }
    expect(await listed.count(pool, provider, wanted)).toEqual({
      records: countFitting(wanted),
      orMore: false,
    })
    for (const [condition, { values }] of Object.entries(by))
      for (const value of values)
        expect(await listed.count(pool, provider, { [condition]: value }), `${condition}=${value}`).toEqual({
          records: countFitting({ [condition]: value }),
          orMore: false,
        })
  })
})

test('values of a column are counted among the records that fit, most records first', async () => {
  const counts = new Map<string, number>()
  for (let i = records; i > 0; i -= 2)
    if (codeOf(i, 1) === 'common') counts.set(codeOf(i, 0), (counts.get(codeOf(i, 0)) ?? 0) + 1)
  const most = [...counts].sort(([a, n], [b, m]) => m - n || collator.compare(a, b)).slice(0, 5)
  const wanted = { shipToLocationCode: 'common' }
  const found = await listedEvents.receivingEvent.values(
    pool,
    provider,
    { of: 'dataProviderVendorId', limit: 5, named: undefined },
    wanted,
  )
  expect(found.values.map(({ value, records }) => [value, records])).toEqual(most)
  expect(found.isWhole).toBe(true)
  const named = await listedEvents.receivingEvent.values(
    pool,
    provider,
    { of: 'dataProviderVendorId', limit: 5, named: 'OMMO' },
    {},
  )
  expect(named.values.map(({ value }) => value)).toEqual(['common'])
  const rules = await listedEvents.receivingEvent.values(
    pool,
    provider,
    { of: 'gapRule', limit: 5, named: undefined },
    {},
  )
  expect(rules.values.map(({ value }) => value)).toEqual(['rule'])
  const categories = await listedEvents.receivingEvent.values(
    pool,
    provider,
    { of: 'ftlCategory', limit: 5, named: undefined },
    {},
  )
  expect(categories.values.map(({ value }) => value)).toEqual(['other', 'common', 'rare'])
  const items = await listedEvents.receivingEvent.values(
    pool,
    provider,
    { of: 'itemCode', limit: 1, named: undefined },
    wanted,
  )
  expect(items.values.map(({ value }) => value)).toEqual(['common'])
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
        ['master_product', `"itemCode" = "itemCode", gtin = gtin`],
        ['location', `"locationCode" = "locationCode", content = content`],
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
