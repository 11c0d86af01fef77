// Plans of the busiest reads: made once for a connection, and not again at each execution.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFactsOfMany } from '../../src/store/facts.ts'
import { migrate } from '../../src/store/migrate.ts'
import '../../src/store/receiving-events.ts'
import { readRecords } from '../../src/store/record-versions.ts'
import { statements } from '../../src/store/statement.ts'
import { ownPostgresqlDatabase } from '../support/database.ts'

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
