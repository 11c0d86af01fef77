// A backup into an empty database: all of it or nothing.
import type { Pool, PoolClient } from 'pg'
import { oneConnectionPerNode } from '../distribute.ts'
import { faultText, lockMigrations, migrate, readAppliedMigrations, schemaOf } from '../migrate.ts'
import type { BackupHead, BackupPage } from './backup-file.ts'
import { onTable, readTables, type Table } from './tables.ts'

export interface Restored {
  readonly rows: number
  /** Migrations that were applied to the restored data, because the backup is older than the program. */
  readonly migrated: readonly string[]
  /** Tables of the backup that are not Lotkeeper's; their rows were left out. */
  readonly leftOut: readonly string[]
}

/**
 * Brings the schema to that of the backup, loads all pages in one transaction, and then migrates to the schema of this
 * program. `loaded` is told after each page how many rows there are. `problem` says what is in the way; then nothing changed.
 * @throws NotABackup, or what the database says; then no row was stored.
 */
export async function restoreInto(
  pool: Pool,
  { head, pages }: { readonly head: BackupHead; readonly pages: AsyncIterable<BackupPage> },
  loaded: (rows: number) => void,
): Promise<Restored | { readonly problem: string }> {
  const { unknown, altered, applied: wanted } = await schemaOf(head.migrations)
  if (unknown.length > 0 || altered !== undefined) return { problem: faultText('backup', unknown, altered) }
  // Before anything is migrated: a database in use is left as it is.
  const used = await inTransaction(pool, inUse)
  if (used !== undefined) return { problem: used }
  if ((await migrate(pool, wanted)).is !== 'current')
    return {
      problem: `The schema of the database is newer than that of the backup, ${wanted.at(-1)}. Restore into a new database: it is brought up to date afterwards.`,
    }
  const restored = await inTransaction(pool, async (client) => {
    // Who starts a service now waits, and finds the restored records.
    await lockMigrations(client)
    const usedMeanwhile = await inUse(client)
    if (usedMeanwhile !== undefined) return { problem: usedMeanwhile }
    if ((await readAppliedMigrations(client)).length !== wanted.length)
      return { problem: 'The database was migrated meanwhile. Restore into a new one that no service uses.' }
    return load(client, pages, loaded)
  })
  if ('problem' in restored) return restored
  const migrated = await migrate(pool)
  return { ...restored, migrated: migrated.is === 'current' ? migrated.applied : [] }
}

async function load(
  client: PoolClient,
  pages: AsyncIterable<BackupPage>,
  loaded: (rows: number) => void,
): Promise<Omit<Restored, 'migrated'>> {
  const tables = new Map((await readTables(client)).map((table) => [table.name, table]))
  const leftOut = new Set<string>()
  let rows = 0
  for await (const page of pages) {
    const table = tables.get(page.table)
    if (table === undefined) leftOut.add(page.table)
    else {
      await onTable(client, 'insert', table, [page.text])
      rows += page.rows
      loaded(rows)
    }
  }
  for (const table of tables.values()) await onTable(client, 'analyze', table)
  return { rows, leftOut: [...leftOut] }
}

/** Says that a table holds rows, if one does. */
async function inUse(client: PoolClient): Promise<string | undefined> {
  for (const table of await readTables(client)) {
    if (await holdsRows(client, table))
      return `The database is in use: it holds rows of ${table.name}. Restore into a new, empty one.`
  }
  return undefined
}

const holdsRows = async (client: PoolClient, table: Table): Promise<boolean> =>
  (await onTable<{ holdsRows: boolean }>(client, 'holdsRows', table))[0]?.holdsRows ?? false

/** Commits what `work` did when it gives a value, and undoes it when it throws. */
async function inTransaction<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await oneConnectionPerNode(client)
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}
