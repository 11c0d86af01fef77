// Plans: those of the busiest reads are made once for a connection, and those of all statements look
// records up by the index that has them, whatever the statistics know of the provider.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../../src/store/database/migrate.ts'
import { statements } from '../../../src/store/database/statement.ts'
import { findFactsOfMany } from '../../../src/store/records/facts.ts'
import { listings } from '../../../src/store/records/listing.ts'
import { readRecords } from '../../../src/store/records/record-versions.ts'
import { searches } from '../../../src/store/records/search.ts'
import { filesUnder, placeOf } from '../../house/tree.ts'
import { ownPostgresqlDatabase } from '../../support/databases/database.ts'

const provider = '11111111-1111-4111-8111-111111111111'
const id = '019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f'
/**
 * PostgreSQL looks at values in the first five executions of a prepared statement; then it decides.
 */
const executionsToDecide = 5

let database: Awaited<ReturnType<typeof ownPostgresqlDatabase>>
/** One connection. */
let pool: pg.Pool

beforeAll(async () => {
  for (const file of filesUnder('src/store', /\.ts$/)) await import(placeOf(file))
  database = await ownPostgresqlDatabase()
  pool = new pg.Pool({ connectionString: database.url, max: 1 })
  await migrate(pool)
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

const place = { vendor: 'V-1', code: 'C-1' }
const ask = {
  kind: 'receivingEvent',
  identifiers: [],
  locations: [place],
  items: [place],
  payloadId: undefined,
  replacedRecordId: undefined,
} as const

test.each([
  ['facts', () => findFactsOfMany(pool, provider, [ask])],
  ['currentVersions', () => readRecords(pool, provider, [{ kind: 'receivingEvent', id }])],
])('%s is planned once, however little it is asked for', async (name, run) => {
  for (let i = 0; i < 4 * executionsToDecide; i++) await run()
  const { rows } = await pool.query(
    'SELECT custom_plans::integer AS planned FROM pg_prepared_statements WHERE name = $1',
    [name],
  )
  expect(rows).toEqual([{ planned: executionsToDecide }])
})

test('the codes of an event are compared with those it had by hashing, however few the planner expects', async () => {
  await pool.query(`PREPARE replacing AS ${statements.get('replaceReceivingEvents')}`)
  const { rows } = await pool.query<{ parameters: number }>(
    `SELECT cardinality(parameter_types) AS parameters FROM pg_prepared_statements WHERE name = 'replacing'`,
  )
  const values = Array.from({ length: rows[0]?.parameters ?? 0 }, () => 'NULL')
  await pool.query('SET plan_cache_mode = force_generic_plan')
  const { rows: plan } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE replacing (${values})`)
  const lines = plan.map((row) => row['QUERY PLAN'])
  const removed = lines.slice(lines.findIndex((line) => line.includes('CTE codes_removed')))
  expect(removed.find((line) => line.includes('Filter:'))).toContain('NOT (hashed SubPlan')
})

/** A node of a plan, as EXPLAIN (FORMAT JSON) has it. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Join Filter'?: string
  readonly 'Hash Cond'?: string
  readonly Alias?: string
  readonly Filter?: string
  readonly Plans?: readonly PlanNode[]
}

/** Literals that every statement can be planned with, by type; of text, by what it is cast to. */
const literals: Readonly<Record<string, string>> = {
  uuid: provider,
  // A date, hexadecimal digits and JSON at once.
  text: '20260101',
  date: '2026-01-01',
  'timestamp with time zone': '2026-01-01',
  jsonb: '{"a": 1}',
  int4multirange: '{[1,2)}',
  bytea: '\\x00',
  boolean: 'true',
}

const planOf = async (sql: string, mode: 'custom' | 'generic'): Promise<PlanNode> => {
  await pool.query(`SET plan_cache_mode = force_${mode}_plan`)
  await pool.query(`PREPARE planned AS ${sql}`)
  try {
    const { rows } = await pool.query<{ types: string[] }>(
      `SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = 'planned'`,
    )
    const values = (rows[0]?.types ?? []).map((type, i) => {
      // One that is cast to another type somewhere, such as `$2::text::uuid`, has to be a literal of it.
      const found = sql.matchAll(new RegExp(`\\$${i + 1}(?:::text(?:\\[\\])?)?::(\\w+)`, 'g'))
      const casts = [...found].map(([, cast = type]) => cast)
      const cast = casts.find((one) => one !== 'text') ?? casts[0] ?? type
      const literal = literals[cast] ?? literals[type.replace('[]', '')] ?? '1'
      return type.endsWith('[]') ? pg.escapeLiteral(`{${JSON.stringify(literal)}}`) : pg.escapeLiteral(literal)
    })
    const explained = `EXPLAIN (FORMAT JSON) EXECUTE planned${values.length > 0 ? ` (${values})` : ''}`
    const { rows: plans } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explained)
    return plans[0]?.['QUERY PLAN'][0].Plan as PlanNode
  } finally {
    await pool.query('DEALLOCATE planned')
  }
}

function* nodesIn(node: PlanNode, parents: readonly PlanNode[] = []): Generator<[PlanNode, readonly PlanNode[]]> {
  yield [node, parents]
  for (const child of node.Plans ?? []) yield* nodesIn(child, [node, ...parents])
}

/** Tables with a row or more for each record. */
const largeTables = ['record', 'record_version', 'receiving_event', 'shipping_event', 'master_product', 'location']
const otherTables = ['captured_event', 'declared_setting', 'traceability_plan']

/** Scans that compare the id of a record only after they have read it. */
const latelyComparedIn = (plan: PlanNode): string[] =>
  [...nodesIn(plan)].flatMap(([node, parents]) => {
    const { 'Relation Name': table = '', Alias: alias, Filter: filter = '' } = node
    if (!largeTables.includes(table)) return []
    const joined = parents
      .slice(0, /^(?:Hash|Materialize|Memoize|Sort)$/.test(parents[0]?.['Node Type'] ?? '') ? 2 : 1)
      .map((parent) => `${parent['Join Filter'] ?? ''} ${parent['Hash Cond'] ?? ''}`)
    const id = table === 'record_version' ? 'record_id' : 'id'
    const isLate =
      new RegExp(`(?<![\\w.])(?:${alias}\\.)?${id} = `).test(filter) ||
      new RegExp(`\\b${alias}\\.${id} = |= ${alias}\\.${id}\\b`).test(joined.join(' '))
    return isLate ? [`${table} by ${node['Index Name'] ?? node['Node Type']}`] : []
  })

/** What statements look rows up by, table by table: each scan of the table has it in its index. */
const lookUps: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Differences.
  selectReceivingEventsToCompare: { receiving_event: '"eventDateTime"|"dataProviderVendorId"' },
  selectShippingEventsToCompare: { shipping_event: '"eventDateTime"|"dataProviderVendorId"' },
  readComparedReceivingEvents: { receiving_event: 'id', record: 'id' },
  readComparedShippingEvents: { shipping_event: 'id', record: 'id' },
  vendorsThatShip: { shipping_event: '"dataProviderVendorId"' },
  vendorsAndPlacesThatReceive: { receiving_event: '"dataProviderVendorId"|place' },
  newestDeliveryDate: { receiving_event: '"eventDateTime"', shipping_event: '"eventDateTime"' },
  // Captured events, what senders declare, and plans.
  capturedEvents: { captured_event: 'event_id|corrected_by' },
  namedLocations: { location: 'gln|"locationCode"|"alternateLocationCode"' },
  locationsNamedByGln: { location: 'gln' },
  namedProducts: { master_product: 'gtin|"alternateItemCode"' },
  declaredSettings: { declared_setting: 'kind' },
  declaredSettingsOf: { declared_setting: 'kind' },
  setCaptureSenders: { declared_setting: 'kind' },
  setExemptPlaces: { declared_setting: 'kind' },
  setUnitConversions: { declared_setting: 'kind' },
  setShipNoticeSenders: { declared_setting: 'kind' },
  setVendorTargets: { declared_setting: 'kind' },
  // A provider has 1,000 versions at most, and as many settings of a kind.
  traceabilityPlan: { traceability_plan: 'provider_id' },
  traceabilityPlanVersions: { traceability_plan: 'provider_id' },
}

/** Scans that read more of a table than what they look up. */
const scansBeside = (plan: PlanNode, by: Readonly<Record<string, string>>): string[] => {
  const scans = [...nodesIn(plan)].filter(([node]) => /(?<!Bitmap Heap) Scan$/.test(node['Node Type']))
  const tableOf = ([node, parents]: (typeof scans)[number]) =>
    (node['Node Type'] === 'Bitmap Index Scan' ? parents : [node]).find((one) => one['Relation Name'])?.[
      'Relation Name'
    ]
  return Object.entries(by).flatMap(([table, column]) => {
    const own = scans.filter((scan) => tableOf(scan) === table)
    const wrong = own.filter(([node]) => !new RegExp(column).test(node['Index Cond'] ?? ''))
    if (own.length === 0) return [`${table} is not read`]
    return wrong.map(([node]) => `${table} by ${node['Index Name'] ?? node['Node Type']} where ${node['Index Cond']}`)
  })
}

const records = 10_000

/** Records of a provider whose places are few and its own. */
const storeRecords = async (of: string, digit: number): Promise<void> => {
  const texts = [
    `INSERT INTO record
     SELECT '${of}', ('0000000${digit}-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid,
            (ARRAY['receivingEvent', 'shippingEvent', 'masterProduct', 'location'])[1 + i % 4], 1, '', ''
     FROM generate_series(1, 4 * ${records}) AS i`,
    `INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, content_hash, detail)
     SELECT provider_id, id, 1, kind, '', provider_id, '', ARRAY['{}', '[]'] FROM record WHERE provider_id = '${of}'`,
    `INSERT INTO event (provider_id, kind, id, "dataProviderVendorId", "eventDateTime", place, counterpart, "purchaseOrderNumber",
                        identity, event_date, line_count, completeness)
     SELECT provider_id, kind, id, 'V-${digit}', timestamptz '2026-01-01Z' + right(id::text, 12)::integer * interval '1 minute',
            'TO-${digit}', 'FROM-${digit}', 'PO-' || right(id::text, 12), 'V-${digit}', '2026-01-01', 1, '[]'
     FROM record WHERE provider_id = '${of}' AND kind IN ('receivingEvent', 'shippingEvent')`,
    `INSERT INTO captured_event
     SELECT '${of}', 'urn:uuid:' || i, '', 'receivingEvent', '${of}', false, CASE WHEN i % 100 = 0 THEN 'urn:uuid:' || i + 1 END
     FROM generate_series(1, ${records}) AS i`,
    `INSERT INTO declared_setting SELECT '${of}', k.kind, 'S-' || i, '{}', now(), 'key'
     FROM generate_series(1, 1000) AS i, (VALUES ('captureSender'), ('shipNoticeSender'), ('vendorTarget')) AS k (kind)`,
    `INSERT INTO traceability_plan SELECT '${of}', i, '{}', '', now(), 'key' FROM generate_series(1, 1000) AS i`,
    `INSERT INTO master_product (provider_id, id, "dataProviderVendorId", "itemCode", gtin)
     SELECT provider_id, id, 'V-${digit}', 'I-' || id, right(id::text, 12) FROM record WHERE provider_id = '${of}' AND kind = 'masterProduct'`,
    `INSERT INTO location
     SELECT provider_id, id, 'V-${digit}', 'L-' || id, NULL, jsonb_build_object('gln', right(id::text, 12))
     FROM record WHERE provider_id = '${of}' AND kind = 'location'`,
  ]
  for (const text of texts) await pool.query(text)
}

describe('records are looked up by their ids and keys', () => {
  beforeAll(async () => {
    for (const table of [...largeTables, ...otherTables])
      await pool.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`)
  })

  const both = ['custom', 'generic'] as const
  const states: readonly (readonly [string, readonly ('custom' | 'generic')[], () => Promise<unknown>])[] = [
    // A plan for any values expects ten of a list, and as many rows of a small table cost no more.
    ['without statistics', ['custom'], () => storeRecords(provider, 1)],
    [
      'with statistics of another provider',
      both,
      async () => {
        for (const table of [...largeTables, ...otherTables]) await pool.query(`DELETE FROM ${table}`)
        await storeRecords('22222222-2222-4222-8222-222222222222', 2)
        await pool.query('ANALYZE')
        await storeRecords(provider, 1)
      },
    ],
  ]

  test.each(states)('%s', async (_state, modes, prepare) => {
    await prepare()
    const texts = new Map(
      [...statements].filter(
        ([, sql]) =>
          /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)/.test(sql) &&
          !/citus|pg_dist|get_shard_id|_prepared_|_table\(|_all_nodes\(/.test(sql),
      ),
    )
    for (const [name, { conditions, textOf }] of searches)
      for (const one of conditions) {
        const { boundedScan, fullScan } = textOf([one], { isBelow: true })
        for (const [n, sql] of [boundedScan, fullScan].entries()) if (sql) texts.set(`${name} ${one} ${n}`, sql)
      }
    for (const [name, { conditions, orders, sortedTexts, countText }] of listings)
      for (const [n, one] of conditions.entries()) {
        texts.set(`${name} count ${one}`, countText([one]))
        const by = orders[n % orders.length] ?? ''
        for (const [i, sql] of sortedTexts([one], { by, ascending: true, isBehind: true }).entries())
          texts.set(`${name} ${by} ${one} ${i}`, sql)
      }
    const faults: string[] = []
    for (const [name, sql] of texts)
      for (const mode of modes)
        faults.push(...latelyComparedIn(await planOf(sql, mode)).map((fault) => `${name} (${mode}): ${fault}`))
    for (const [name, by] of Object.entries(lookUps))
      for (const mode of modes)
        faults.push(
          ...scansBeside(await planOf(texts.get(name) ?? expect.fail(name), mode), by).map(
            (fault) => `${name} (${mode}): ${fault}`,
          ),
        )
    expect(faults).toEqual([])

    for (const [name, index] of [
      ['createReceivingEvents', 'receiving_event_one_per_identity'],
      ['replaceReceivingEvents', 'receiving_event_one_per_identity'],
      ['createShippingEvents', 'shipping_event_one_per_identity'],
      ['replaceShippingEvents', 'shipping_event_one_per_identity'],
    ] as const)
      for (const mode of both) {
        const looks = [...nodesIn(await planOf(texts.get(name) ?? '', mode))].filter(([{ Alias }]) => Alias === 'o')
        expect(
          looks.map(([node]) => node['Index Name']),
          name,
        ).toEqual([index])
      }
  })

  test('by a replacement in place one by one, however few there are', async () => {
    for (const table of [...largeTables, ...otherTables]) await pool.query(`DELETE FROM ${table}`)
    await storeRecords(provider, 1)
    await pool.query('DELETE FROM record WHERE right(id::text, 12)::integer > 1000')
    await pool.query('VACUUM ANALYZE record')
    const faults: string[] = []
    for (const [name, sql] of statements)
      if (/^replace\w+InPlace$/.test(name))
        for (const mode of both)
          faults.push(...latelyComparedIn(await planOf(sql, mode)).map((fault) => `${name} (${mode}): ${fault}`))
    expect(faults).toEqual([])
  })
})
