// Which functions of Citus are called with which tables, in which order and in which transaction.
// Citus itself cannot be run here: stand-ins have the names and arguments of its documents, so this
// proves what Lotkeeper asks, and not what Citus does.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  distributedTables,
  providerPlaces,
  readCluster,
  referenceTables,
} from '../../../src/store/database/distribute.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { standInForCitus } from '../../support/databases/citus-stand-in.ts'
import { ownPostgresqlDatabase } from '../../support/databases/database.ts'
import { withSecondMigration } from '../../support/databases/second-migration.ts'

let own: { url: string; drop(): Promise<void> }
let pool: pg.Pool
beforeEach(async () => {
  own = await ownPostgresqlDatabase()
  pool = new pg.Pool({ connectionString: own.url })
})
afterEach(async () => {
  await pool.end()
  await own.drop()
})

/** The stand-ins are in the search path of new connections. */
async function clusterPool(): Promise<void> {
  await standInForCitus(pool)
  await pool.end()
  pool = new pg.Pool({ connectionString: own.url })
}

/** What was asked of the stand-ins, in order. */
const asked = async (): Promise<readonly string[]> =>
  (await pool.query<{ what: string }>('SELECT what FROM asked ORDER BY n')).rows.map(({ what }) => what)

const all: readonly string[] = [...referenceTables, ...distributedTables]

/** As distributed: every table once, all with the first one. */
const everything = [
  ...referenceTables.map((table) => `${table} everywhere`),
  ...distributedTables.map((table, i) => `${table} by provider_id with ${i === 0 ? 'none' : distributedTables[0]}`),
]
const emptied = all.map((table) => `${table} locally emptied`)

test('without Citus nothing is distributed, and who asks for it is refused before anything is migrated', async () => {
  expect(await readCluster(pool)).toBeUndefined()
  await expect(migrate(pool, { distribute: true })).rejects.toThrow(/does not have Citus/)
  expect((await pool.query(`SELECT 1 FROM pg_tables WHERE tablename = 'provider'`)).rows).toEqual([])
  expect(await migrate(pool)).toMatchObject({ is: 'current', distributed: [] })
})

test('on a cluster tables stay where they are until somebody asks, and then all are distributed with the rows of a provider together', async () => {
  await clusterPool()
  expect(await migrate(pool)).toMatchObject({ is: 'current', distributed: [] })
  expect(await asked()).toEqual([])
  expect(await readCluster(pool)).toEqual({
    version: 'Citus 13.2.2',
    isCoordinator: true,
    distributed: [],
    missing: all,
  })
  expect(await migrate(pool, { distribute: true })).toEqual({ is: 'current', applied: [], distributed: all })
  expect(await asked()).toEqual([...everything, ...emptied])
  expect(await readCluster(pool)).toMatchObject({ distributed: all, missing: [] })
})

test('again it distributes nothing, and only removes what was left behind', async () => {
  await clusterPool()
  await migrate(pool, { distribute: true })
  await pool.query('DELETE FROM asked')
  expect(await migrate(pool, { distribute: true })).toMatchObject({ applied: [], distributed: [] })
  expect(await asked()).toEqual(emptied)
})

test('an upgrade distributes the tables that it makes', async () => {
  await clusterPool()
  await migrate(pool, { distribute: true })
  const last = 'access_log_end'
  await pool.query(`DROP TABLE access_log, ${last}`)
  await pool.query(`DELETE FROM pg_dist_partition WHERE to_regclass(logicalrelid::text) IS NULL`)
  await pool.query('DELETE FROM asked')
  const { folder, second, remove } = await withSecondMigration(
    ['access_log', last].map((table) => `CREATE TABLE ${table} (provider_id uuid PRIMARY KEY);`).join('\n'),
  )
  const migrated = await migrate(pool, { folder }).finally(remove)
  expect(migrated).toEqual({ is: 'current', applied: [second], distributed: ['access_log', last] })
  expect(await asked()).toEqual([
    ...['access_log', last].map((table) => `${table} by provider_id with ${distributedTables[0]}`),
    ...['access_log', last].map((table) => `${table} locally emptied`),
  ])
})

test('all tables are distributed or none', async () => {
  await clusterPool()
  await migrate(pool)
  await pool.query(
    `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no worker nodes'; END $$`,
  )
  await pool.query(
    `CREATE TRIGGER fail BEFORE INSERT ON citus_stand_in.pg_dist_partition FOR EACH ROW
     WHEN (new.logicalrelid = 'legal_hold'::regclass) EXECUTE FUNCTION fail()`,
  )
  await expect(migrate(pool, { distribute: true })).rejects.toThrow('no worker nodes')
  expect(await readCluster(pool)).toMatchObject({ distributed: [], missing: all })
})

test('a worker changes no tables', async () => {
  await clusterPool()
  await migrate(pool, { distribute: true })
  await pool.query('UPDATE citus_stand_in.role SET is_coordinator = false')
  expect(await migrate(pool)).toMatchObject({ is: 'current', applied: [] })
  await expect(migrate(pool, { distribute: true })).rejects.toThrow(/is a worker .* to the coordinator/)
  const { folder, remove } = await withSecondMigration('SELECT 1')
  await expect(migrate(pool, { folder }).finally(remove)).rejects.toThrow(/is a worker .* to the coordinator/)
})

test('a provider is on the primary node of the shard in force', async () => {
  await clusterPool()
  await migrate(pool, { distribute: true })
  const [even, odd] = ['0', '1'].map((end) => randomUUID().slice(0, -1) + end)
  await pool.query(`INSERT INTO provider (provider_id, name) VALUES ($1, 'Even'), ($2, 'Odd')`, [even, odd])
  expect(await providerPlaces(pool)).toEqual([
    { provider: even, name: 'Even', node: 'worker-1:5432', shard: '102008' },
    { provider: odd, name: 'Odd', node: 'worker-2:5432', shard: '102009' },
  ])
})
