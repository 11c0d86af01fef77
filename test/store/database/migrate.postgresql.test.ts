// Migrations: once, in order, all or nothing, by whoever comes first; a newer database is left
// alone.
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../../src/store/database/migrate.ts'
import { ownPostgresqlDatabase } from '../../support/databases/database.ts'
import { withSecondMigration } from '../../support/databases/second-migration.ts'
import { isShortRun } from '../../support/runs.ts'

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

test.skipIf(isShortRun)('eight processes that start at once migrate once', async () => {
  // Several times, each from nothing: who comes second can fail in more than one way.
  for (let round = 0; round < 10; round++) {
    await pool.query('DROP SCHEMA public CASCADE')
    await pool.query('CREATE SCHEMA public')
    const results = await Promise.all(Array.from({ length: 8 }, () => migrate(pool)))
    expect(results.every(({ is }) => is === 'current')).toBe(true)
    expect(results.filter((result) => result.is === 'current' && result.applied.length > 0)).toHaveLength(1)
  }
  expect(await migrate(pool)).toEqual({ is: 'current', applied: [], distributed: [] })
})

test('a database that a newer program migrated is refused and left as it is, and so is its connection', async () => {
  await migrate(pool)
  const listeners = async () => {
    const client = await pool.connect()
    client.release()
    return client.listenerCount('error')
  }
  const before = await listeners()
  await pool.query(`INSERT INTO schema_migration (file, checksum) VALUES ('9999-future.sql', 'x')`)
  expect(await migrate(pool)).toEqual({ is: 'refused', unknown: ['9999-future.sql'] })
  expect(await listeners()).toBe(before)
})

test('a database that is up to date is opened without the lock, which every node of a cluster takes part in', async () => {
  await migrate(pool)
  const other = await pool.connect()
  try {
    await other.query('BEGIN')
    await other.query('LOCK TABLE schema_migration IN EXCLUSIVE MODE')
    expect(await migrate(pool)).toEqual({ is: 'current', applied: [], distributed: [] })
  } finally {
    other.release(true)
  }
})

test('a migration that was applied in another form is refused', async () => {
  await migrate(pool)
  await pool.query(`UPDATE schema_migration SET checksum = 'other' WHERE file = '0001.sql'`)
  expect(await migrate(pool)).toEqual({ is: 'refused', unknown: [], altered: '0001.sql' })
})

test('eight processes that start at once upgrade a database once, and its rows stay', async () => {
  await migrate(pool)
  await pool.query(`INSERT INTO provider (provider_id, name) VALUES (gen_random_uuid(), 'Harbor')`)
  const { folder, second, remove } = await withSecondMigration(
    `ALTER TABLE provider ADD COLUMN upgraded integer NOT NULL DEFAULT 0; UPDATE provider SET upgraded = upgraded + 1;`,
  )
  const results = await Promise.all(Array.from({ length: 8 }, () => migrate(pool, { folder })))
  await remove()
  expect(results.flatMap((result) => (result.is === 'current' ? [result.applied.length] : [])).sort()).toEqual([
    0, 0, 0, 0, 0, 0, 0, 1,
  ])
  expect((await pool.query('SELECT name, upgraded FROM provider')).rows).toEqual([{ name: 'Harbor', upgraded: 1 }])
  expect(await migrate(pool)).toEqual({ is: 'refused', unknown: [second] })
})

test('an upgrade that fails leaves the database as it was, and the next one succeeds', async () => {
  await migrate(pool)
  const attempt = async (sql: string) => {
    const { folder, remove } = await withSecondMigration(sql)
    return migrate(pool, { folder }).finally(remove)
  }
  await expect(attempt('CREATE TABLE extra (n integer); SELECT 1 / 0')).rejects.toThrow('division by zero')
  expect((await pool.query(`SELECT to_regclass('extra') AS extra`)).rows).toEqual([{ extra: null }])
  expect(await migrate(pool)).toEqual({ is: 'current', applied: [], distributed: [] })
  expect((await attempt('CREATE TABLE extra (n integer)')).is).toBe('current')
})

test('a migration that fails leaves nothing behind, and the next start goes on', async () => {
  await pool.query('CREATE TABLE event (in_the_way integer)')
  await expect(migrate(pool)).rejects.toThrow('already exists')
  const { rows } = await pool.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`)
  expect(rows.map(({ tablename }) => tablename)).toEqual(['event', 'schema_migration'])
  await pool.query('DROP TABLE event')
  expect((await migrate(pool)).is).toBe('current')
})
