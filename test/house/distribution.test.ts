// What Citus refuses, asks every shard for, or runs with another meaning (decision 0087): read with
// PostgreSQL's own parser. That a cluster plans each statement so, `tasks.postgresql.test.ts` shows.
import { expect, test } from 'vitest'
import { distributedTables, referenceTables } from '../../src/store/database/distribute.ts'
import { forShards, textOnShard } from '../../src/store/database/provider-shard.ts'
import { statements, statementsOfProviders } from '../../src/store/database/statement.ts'
import {
  changedEverywhere,
  changedReadFaults,
  correlationFaults,
  lastInsertFaults,
  lockedJoinFaults,
  mixedChangeFaults,
  readOfAllProviders,
  setsSlice,
  shardFaults,
  tablesOf,
} from './distribution-checker.ts'
import { faultsOf } from './sql-checker.ts'
import { listingTexts, migrations, searchTexts, statementsOfAccounts, tables } from './store-sql.ts'

/** Statements that ask each shard of a distributed table, how often they run, and what they find. */
const askingAllShards: Readonly<Record<string, string>> = {
  providersAwaiting: 'Each process runs it when it looks for due checkpoints. Short: rows leave with each checkpoint.',
  providersToRecount: 'Each process runs it once a minute. Short: rows leave with each recount.',
  providersToIndex: 'Each process runs it once a minute. Short: rows leave with their blocks.',
  providersToLookAt: 'Each process runs it once a minute. One row for each provider.',
  providersToCorrect: 'Each process runs it once a minute. From an index of what is under way.',
  providersSharing: 'Each process runs it every two seconds while somebody shares, else once a minute. Partners.',
  enabledWebhooks: 'Each process runs it every two seconds while somebody has webhooks, else once a minute.',
  providersCountedByOthers: 'Each process runs it when it starts. One row for each provider.',
  accountsOfProviders: 'It asks for accounts of the providers it is given, while a node is away or the operator looks.',
  providersOfKey: 'The operator runs it to revoke a key. All keys are read.',
  allKeys: 'The operator runs it to list the keys of all providers.',
  countOpenAlerts: 'Metrics run it, not more often than they are refreshed. Open alerts, by index.',
}

/** Statements of all providers that correlate with them, and why they still do. */
const correlating: Readonly<Record<string, string>> = {}

/** Statements that read a table after they changed it, or while they do, and why they still do. */
const readingChanged: Readonly<Record<string, string>> = {}

/** Statements that change or lock rows that every node has, and why they may. */
const changingEverywhere: Readonly<Record<string, string>> = {
  makeMigrationLock: 'It is run when a service starts.',
  takeMigrationLock: 'It is run when a service starts.',
  noteMigration: 'It is run when the schema changes.',
  insertProvider: 'Providers are made by the operator.',
  insertFirstKey: 'It is run when a database is new.',
}

/** A shard: each table has its own name there. */
const shard = {
  id: '1',
  host: 'worker-1',
  port: 5432,
  tables: Object.fromEntries([...tables].map((name) => [name, `${name}_1`])),
}
const isReference = (table: string) => referenceTables.some((name) => name === table)
const onShard = (text: string) => {
  const statement = forShards({ text, values: [] })
  return statement && textOnShard(statement, shard)
}
const faultsOnShard = (sql: string) => shardFaults(sql, onShard(sql) ?? sql, (name) => shard.tables[name])

test('each statement of a provider is sent to its shard, unless it changes what every node has', async () => {
  const faults: (readonly [name: string, ...faults: string[]])[] = []
  for (const [name, sql] of statements) {
    if (!statementsOfProviders.has(name)) continue
    const { read, changed } = await tablesOf(sql)
    const isOfShard = [...read, ...changed].some((table) => tables.has(table) && !isReference(table))
    const goes = isOfShard && !changed.some(isReference)
    if (goes !== (onShard(sql) !== undefined)) faults.push([name, goes ? 'is sent to no shard' : 'is sent to a shard'])
    else if (goes) faults.push(...(await faultsOnShard(sql)).map((fault) => [name, fault] as const))
    if (
      goes &&
      !statementsOfAccounts.includes(name) &&
      (await readOfAllProviders(sql, tables, distributedTables)).length > 0
    )
      faults.push([name, 'reads all providers'])
  }
  expect(faults).toEqual([])
})

test('each search and each listing is sent to the shard of its provider', async () => {
  const faults: unknown[] = []
  for (const sql of [...searchTexts({ isShort: true }), ...listingTexts()]) {
    const found = await faultsOnShard(sql)
    if (found.length > 0) faults.push([sql, found])
  }
  expect(faults).toEqual([])
})

test.each([
  'SELECT 1 FROM provider p, record r WHERE r.provider_id = $1',
  'SELECT record.id FROM record WHERE provider_id = $1',
  'UPDATE event SET version = 2 WHERE event.provider_id = $1',
  'WITH own_shard AS (SELECT 1) SELECT 1 FROM record r WHERE r.provider_id = $1',
  'SELECT 1 FROM provider p WHERE p.provider_id = $1',
])('the test refuses as a statement for a shard: %s', async (sql) => {
  expect(await faultsOnShard(sql)).not.toEqual([])
})

test('a statement that calls itself, or has no part, is sent to a shard as well', async () => {
  const own = `own_shard AS MATERIALIZED (SELECT hold_shard($1, 1) AS provider_id)`
  const provider = '(SELECT provider_id FROM own_shard)'
  const step = (table: string, of: string) =>
    `WITH RECURSIVE a AS (SELECT id FROM ${table} WHERE provider_id = ${of}) SELECT id FROM a`
  expect(onShard(step('record', '$1'))).toBe(step('record_1', provider).replace('RECURSIVE', `RECURSIVE ${own},`))
  expect(onShard('DELETE FROM location WHERE provider_id = $1 AND id = $10')).toBe(
    `WITH ${own} DELETE FROM location_1 WHERE provider_id = ${provider} AND id = $10`,
  )
})

test('no statement asks each shard of a table, but for those named, each needed', async () => {
  const names: string[] = []
  for (const [name, sql] of statements) {
    if (statementsOfAccounts.includes(name)) continue
    if ((await readOfAllProviders(sql, tables, distributedTables)).length > 0) names.push(name)
  }
  expect(names.sort()).toEqual(Object.keys(askingAllShards).sort())
})

test('no statement of all providers correlates with them, but for those named, each needed', async () => {
  const names: string[] = []
  for (const [name, sql] of statements)
    if ((await faultsOf(sql, tables)).length > 0 && (await correlationFaults(sql, tables)).length > 0) names.push(name)
  expect(names.sort()).toEqual(Object.keys(correlating).sort())
})

test('no statement reads a table after it changed it, but for those named, each needed', async () => {
  const names: string[] = []
  for (const [name, sql] of statements) if ((await changedReadFaults(sql, migrations)).length > 0) names.push(name)
  expect(names.sort()).toEqual(Object.keys(readingChanged).sort())
})

test('no statement of steps locks rows and joins them with others than of tables', async () => {
  const faults = new Map<string, readonly string[]>()
  for (const [name, sql] of statements) {
    const found = await lockedJoinFaults(sql, tables)
    if (found.length > 0) faults.set(name, found)
  }
  expect([...faults]).toEqual([])
})

const asked = 'asked AS (SELECT 1 AS id FROM unnest($2::uuid[]) AS a (id))'
const stored = 'INSERT INTO refusal (provider_id, id) SELECT $1, id FROM locked'
const locked = (what: string) => `WITH ${asked}, locked AS (${what}) ${stored}`
const record = 'SELECT r.id FROM record r WHERE r.provider_id = $1'
test.each([
  'SELECT r.id FROM record r, asked a WHERE r.provider_id = $1 AND r.id = a.id FOR UPDATE OF r',
  'SELECT r.id FROM record r JOIN asked a ON a.id = r.id WHERE r.provider_id = $1 FOR UPDATE OF r',
  'SELECT r.id FROM record r JOIN unnest($2::uuid[]) AS a (id) ON a.id = r.id WHERE r.provider_id = $1 FOR SHARE OF r',
  `${record} AND r.id IN (SELECT id FROM asked) FOR UPDATE`,
  `${record} AND EXISTS (SELECT 1 FROM asked a WHERE a.id = r.id) FOR UPDATE`,
])('the test refuses in a statement of steps: %s', async (sql) => {
  expect(await lockedJoinFaults(locked(sql), tables)).not.toEqual([])
  expect(await lockedJoinFaults(locked(`SELECT l.* FROM (${sql}) l`), tables)).toEqual([])
})

test.each([
  `${record} FOR UPDATE`,
  `${record} AND r.id = ANY (ARRAY(SELECT id FROM asked)) FOR UPDATE`,
  `${record} AND EXISTS (SELECT 1 FROM asked) FOR UPDATE`,
  'SELECT r.id FROM record r JOIN location l ON l.provider_id = r.provider_id AND l.id = r.id WHERE r.provider_id = $1 FOR UPDATE',
])('the test lets pass in a statement of steps: %s', async (sql) => {
  expect(await lockedJoinFaults(locked(sql), tables)).toEqual([])
})

test('no INSERT reads a table that ends a statement of several parts', async () => {
  const names: string[] = []
  for (const [name, sql] of statements) if ((await lastInsertFaults(sql, tables)).length > 0) names.push(name)
  expect(names).toEqual([])
  const insert = 'INSERT INTO location (provider_id, id) SELECT $1, a.id FROM a'
  expect(await lastInsertFaults(`WITH a AS (SELECT 1 AS id) ${insert}, provider p`, tables)).not.toEqual([])
  expect(await lastInsertFaults(`WITH a AS (SELECT 1 AS id) ${insert}`, tables)).toEqual([])
  expect(await lastInsertFaults(`WITH a AS (SELECT 1 AS id), b AS (${insert}, provider p) SELECT 1`, tables)).toEqual(
    [],
  )
})

test('no update sets a slice of an array', async () => {
  const names: string[] = []
  for (const [name, sql] of statements) if (await setsSlice(sql)) names.push(name)
  expect(names).toEqual([])
  expect(await setsSlice('UPDATE checkpoint SET versions = versions[2:] WHERE provider_id = $1')).toBe(true)
  expect(await setsSlice('UPDATE checkpoint SET version_count = versions[2] WHERE provider_id = $1')).toBe(false)
})

test('no statement changes rows that every node has by rows of a distributed table', async () => {
  const faults = new Map<string, readonly string[]>()
  for (const [name, sql] of statements) {
    const found = await mixedChangeFaults(sql, referenceTables, tables)
    if (found.length > 0) faults.set(name, found)
  }
  expect([...faults]).toEqual([])
})

const account = 'SELECT account_id FROM partner WHERE provider_id = $1'
test.each([
  `UPDATE provider SET name = $2 WHERE provider_id = (${account})`,
  `WITH a AS (${account}) UPDATE provider p SET name = $2 FROM a WHERE p.provider_id = a.account_id`,
  `WITH a AS (DELETE FROM provider WHERE provider_id IN (${account}) RETURNING 1) SELECT 1 FROM a`,
])('the test refuses as changing a reference table by a distributed one: %s', async (sql) => {
  expect(await mixedChangeFaults(sql, referenceTables, tables)).not.toEqual([])
})

test.each([
  `WITH a AS (${account}), b AS (UPDATE provider p SET name = $2 FROM a WHERE p.provider_id = a.account_id) SELECT 1 FROM a`,
  'UPDATE provider SET name = $2 WHERE provider_id = $1',
  `UPDATE partner r SET name = p.name FROM provider p WHERE r.provider_id = $1 AND p.provider_id = r.account_id`,
])('the test lets pass as changing what every node has by itself: %s', async (sql) => {
  expect(await mixedChangeFaults(sql, referenceTables, tables)).toEqual([])
})

test('no statement changes or locks rows that every node has, but for those named, each needed', async () => {
  const names: string[] = []
  for (const [name, sql] of statements) if ((await changedEverywhere(sql, referenceTables)).length > 0) names.push(name)
  expect(names.sort()).toEqual(Object.keys(changingEverywhere).sort())
  expect(await changedEverywhere('SELECT 1 FROM location WHERE provider_id = $1 FOR UPDATE', referenceTables)).toEqual(
    [],
  )
  expect(await changedEverywhere('SELECT name FROM provider WHERE provider_id = $1', referenceTables)).toEqual([])
})

test.each([
  'SELECT p.name FROM provider p WHERE EXISTS (SELECT 1 FROM location l WHERE l.provider_id = p.provider_id)',
  'SELECT p.name, (SELECT count(*) FROM location l WHERE l.provider_id = p.provider_id) FROM provider p',
  'SELECT p.name FROM provider p CROSS JOIN LATERAL (SELECT id FROM location WHERE provider_id = p.provider_id LIMIT 1) l',
  'DELETE FROM api_key k WHERE NOT EXISTS (SELECT 1 FROM provider p WHERE p.provider_id = k.provider_id)',
  'SELECT 1 FROM provider p WHERE EXISTS (SELECT 1 FROM location l WHERE EXISTS (SELECT 1 FROM master_product m WHERE m.provider_id = p.provider_id))',
])('the test refuses for all providers: %s', async (sql) => {
  expect(await correlationFaults(sql, tables)).not.toEqual([])
})

test.each([
  'SELECT DISTINCT provider_id FROM awaiting_checkpoint',
  'SELECT p.name FROM provider p JOIN (SELECT DISTINCT a.provider_id FROM awaiting_checkpoint a) w ON w.provider_id = p.provider_id',
  'SELECT c.relname, ARRAY(SELECT a.attname FROM pg_attribute a WHERE a.attrelid = c.oid) FROM pg_class c',
])('the test lets pass for all providers: %s', async (sql) => {
  expect(await correlationFaults(sql, tables)).toEqual([])
})

const old = 'SELECT id FROM refusal WHERE provider_id = $1'
test.each([
  `DELETE FROM refusal WHERE provider_id = $1 AND id IN (${old})`,
  `WITH old AS (${old}) DELETE FROM refusal r USING old WHERE r.provider_id = $1 AND r.id = old.id`,
  `WITH gone AS (DELETE FROM refusal WHERE provider_id = $1) ${old}`,
  `WITH gone AS (DELETE FROM refusal WHERE provider_id = $1), left_over AS MATERIALIZED (${old}) SELECT id FROM left_over`,
  'INSERT INTO refusal (provider_id, id) SELECT $1, count(*)::text::uuid FROM refusal WHERE provider_id = $1',
  'UPDATE event SET version = 2 WHERE provider_id = $1 AND id IN (SELECT id FROM event WHERE provider_id = $1)',
])('the test refuses as reading what it changes: %s', async (sql) => {
  expect(await changedReadFaults(sql, migrations)).not.toEqual([])
})

test.each([
  `WITH old AS MATERIALIZED (${old}) DELETE FROM refusal r USING old WHERE r.provider_id = $1 AND r.id = old.id`,
  `WITH old AS (${old} FOR UPDATE) DELETE FROM refusal r USING old WHERE r.provider_id = $1 AND r.id = old.id`,
  `WITH old AS (${old}), gone AS (DELETE FROM refusal r USING old WHERE r.provider_id = $1 AND r.id = old.id) SELECT id FROM old`,
  `WITH noted AS (INSERT INTO access_log (provider_id, id) VALUES ($1, $2)) ${old}`,
])('the test lets pass as reading before it changes: %s', async (sql) => {
  expect(await changedReadFaults(sql, migrations)).toEqual([])
})
