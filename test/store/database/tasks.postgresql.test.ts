// How a Citus cluster plans each statement of the store: what of it is sent to which shards
// (decision 0087). Runs on a cluster alone: npm run test:distributed.
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { distributedTables } from '../../../src/store/database/distribute.ts'
import { statements } from '../../../src/store/database/statement.ts'
import { readOfAllProviders } from '../../house/distribution-checker.ts'
import { nodesIn, queryKinds, statementsIn } from '../../house/sql-checker.ts'
import { listingTexts, searchTexts, statementsOfAccounts, tables } from '../../house/store-sql.ts'
import { isOnCluster, type TestDatabase, testDatabase } from '../../support/databases/database.ts'

const onCluster = test.runIf(isOnCluster())

let database: TestDatabase
let client: pg.PoolClient
beforeAll(async () => {
  database = await testDatabase()
  client = await database.pool.connect()
})
afterAll(async () => {
  client?.release()
  await database?.close()
})

/** What Citus makes of a statement. */
interface Plan {
  /** On how many shards each part runs that is sent to any. */
  readonly tasks: readonly number[]
  /** Parts that run before the others, and whose rows travel. */
  readonly steps: number
  /** Citus reads the rows of a part in another format than it writes them. */
  readonly isMisread: boolean
}

const changingKinds = new Set([...queryKinds].filter((kind) => kind !== 'SelectStmt'))

/** Ids on several shards. */
const severalIds = `('{${Array.from({ length: 90 }, (_, n) => `0190a0a0-0000-7000-8000-0000000000${n + 10}`)}}'::uuid[])`

/** A value of each type that parameters have. */
const samples: Readonly<Record<string, string>> = {
  uuid: `'0190a0a0-0000-7000-8000-000000000001'`,
  text: `'1'`,
  json: `'{}'`,
  jsonb: `'{}'`,
  'timestamp with time zone': 'now()',
  date: 'current_date',
  bytea: `'\\x01'`,
  int4multirange: `'{[1,2)}'`,
  boolean: 'true',
}

/** The text with values in place of its parameters; those of type text are null where asked. */
async function withValues(text: string, { texts }: { readonly texts: boolean }): Promise<string> {
  await client.query(`PREPARE planned AS ${text}`)
  const { rows } = await client.query<{ types: string[] }>(
    `SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = 'planned'`,
  )
  await client.query('DEALLOCATE planned')
  const values = (rows[0]?.types ?? []).map((type) => {
    const [of = '', isArray] = type.split('[]')
    const value = of === 'text' && !texts ? 'NULL' : (samples[of] ?? '1')
    if (isArray === undefined) return `(${value}::${type})`
    return of === 'uuid' ? severalIds : `(ARRAY[${value}]::${type})`
  })
  return text.replaceAll(/\$(\d+)/g, (_, n: string) => values[Number(n) - 1] ?? 'NULL')
}

async function planOf(text: string): Promise<Plan> {
  const explain = async (texts: boolean) =>
    client.query(`EXPLAIN (COSTS off, VERBOSE, FORMAT JSON) ${await withValues(text, { texts })}`)
  // Some texts are cast while the statement is planned, and the sample is no number or UUID.
  const { rows } = await explain(true).catch((error: { code?: string }) => {
    if (!error.code?.startsWith('22')) throw error
    return explain(false)
  })
  const plan = JSON.stringify(rows)
  return {
    tasks: Array.from(plan.matchAll(/"Task Count":(\d+)/g), ([, count]) => Number(count)),
    steps: plan.match(/"PlannedStmt":/g)?.length ?? 0,
    isMisread: plan.includes(`'text'::citus_copy_format`),
  }
}

/**
 * Statements that can be prepared: the others make tables, or settings of a session, or are only
 * sent to nodes.
 */
const planned = () =>
  [...statements].filter(
    ([name, sql]) =>
      !statementsOfAccounts.includes(name) &&
      /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)/.test(sql) &&
      !/citus|pg_dist|shard|_prepared_|_table\(/.test(sql),
  )

onCluster('every statement is planned, and each part of one provider is a task on one shard', async () => {
  const faults: (Partial<Plan> & { readonly name: string; readonly refused?: string })[] = []
  for (const [name, sql] of planned()) {
    const isOfAll = (await readOfAllProviders(sql, tables, distributedTables)).length > 0
    const plan = await planOf(sql).catch((error: Error) => ({ refused: error.message }))
    if ('refused' in plan || plan.isMisread || plan.tasks.some((count) => count > 1) !== isOfAll)
      faults.push({ name, ...plan })
  }
  expect(faults).toEqual([])
})

onCluster('a statement that only reads one provider is sent whole to its shard', async () => {
  const faults: string[] = []
  for (const [name, sql] of planned()) {
    const changes = [...nodesIn(await statementsIn(sql))].some(({ kind }) => changingKinds.has(kind))
    if (!changes && (await planOf(sql)).steps > 0) faults.push(name)
  }
  expect(faults).toEqual([])
})

onCluster('a search or a listing is one task, whichever order, column and conditions are in use', async () => {
  const faults: unknown[] = []
  for (const sql of [...searchTexts({ isShort: true }), ...listingTexts()]) {
    const { tasks, steps } = await planOf(sql)
    if (tasks.some((count) => count > 1) || steps > 0) faults.push({ tasks, steps, sql })
  }
  expect(faults).toEqual([])
})
