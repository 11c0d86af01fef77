// Updates the schema of a database to that of this program. Forward only; each file runs once, in
// order.
import { readdir, readFile } from 'node:fs/promises'
import type { Pool, PoolClient } from 'pg'
import { migrationsFolder } from '../../program-folders.ts'
import { sha256Hex } from '../../sha256.ts'
import { distributeTables, oneConnectionPerNode, readCluster, removeLocalRows } from './distribute.ts'
import { type Queryable, statement } from './statement.ts'
import type { PatientQuery } from './watched-client.ts'

/** How a migration ended. */
export type Migrated =
  | { readonly is: 'current'; readonly applied: readonly string[]; readonly distributed: readonly string[] }
  /** Migrations were applied that this program does not have in this form. Nothing was changed. */
  | ({ readonly is: 'refused' } & SchemaFault)

/** Differences between the applied migrations and those of the program. */
export interface SchemaFault {
  /** Migrations of another program: a newer one, or one before the first release. */
  readonly unknown: readonly string[]
  /** The first that was applied with another content. */
  readonly altered: string | undefined
}

// No provider: the schema belongs to the whole database.
const makeMigrationTable = statement<never, void>(
  'makeMigrationTable',
  `CREATE TABLE IF NOT EXISTS schema_migration (file text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
)
const makeMigrationLock = statement<never, void>(
  'makeMigrationLock',
  `INSERT INTO schema_migration (file, checksum) VALUES ('lock', '') ON CONFLICT (file) DO NOTHING`,
)
// A row lock and not an advisory lock, so that it also holds on engines where advisory locks do
// nothing.
const takeMigrationLock = statement<never, void>(
  'takeMigrationLock',
  `SELECT file FROM schema_migration WHERE file = 'lock' FOR UPDATE`,
)
/** A migration that a database has. */
interface AppliedMigration {
  readonly file: string
  /** SHA-256 of the file, in hex. */
  readonly checksum: string
}

const appliedMigrations = statement<AppliedMigration, void>(
  'appliedMigrations',
  `SELECT file, checksum FROM schema_migration WHERE file <> 'lock' ORDER BY file`,
)
const noteMigration = statement<never, { name: string; checksum: string }>(
  'noteMigration',
  `INSERT INTO schema_migration (file, checksum) VALUES ($name, $checksum)`,
)

/**
 * A migration of all rows takes longer than a statement may; it lifts the limit of the database
 * itself.
 */
const inItsTime: PatientQuery = { isPatient: true }

/**
 * Applies missing migrations, all or none. Of several processes that start at once, one migrates
 * and the others wait. On a Citus cluster, new tables are distributed like the existing ones;
 * `distribute` distributes a database that is on one node.
 */
export async function migrate(
  pool: Pool,
  { distribute = false, folder = migrationsFolder }: { readonly distribute?: boolean; readonly folder?: URL } = {},
): Promise<Migrated> {
  const files = await readMigrations(folder)
  // Without a lock, which every node of a cluster takes part in: this starts while one is away.
  if (!distribute && isCurrent(await stateOf(pool, files))) return { is: 'current', applied: [], distributed: [] }
  const client = await pool.connect()
  // A broken connection fails the statement. Without a listener its event would also end the
  // process.
  const ignore = () => undefined
  client.on('error', ignore)
  let failure: Error | undefined
  try {
    await makeTableOnce(client)
    await makeMigrationLock(client)
    await client.query('BEGIN')
    await oneConnectionPerNode(client)
    await takeMigrationLock(client)
    const { missing, unknown, altered } = compareMigrations(files, await appliedMigrations(client))
    const isKnown = unknown.length === 0 && altered === undefined
    const distributes =
      isKnown && (missing.length > 0 || distribute) && (await isToDistribute(client, { asked: distribute }))
    if (isKnown)
      for (const { name, checksum, sql } of files.filter((file) => missing.includes(file.name))) {
        await client.query({ text: sql, ...inItsTime })
        await noteMigration(client, { name, checksum })
      }
    const distributed = distributes ? await distributeMissing(client) : []
    await client.query('COMMIT')
    if (!isKnown) return { is: 'refused', unknown, altered }
    // On request, also those whose distribution was interrupted at this point.
    await removeLocalRows(client, distribute ? ((await readCluster(client))?.distributed ?? []) : distributed)
    return { is: 'current', applied: missing, distributed }
  } catch (error) {
    failure = error as Error
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  } finally {
    client.release(failure)
    // The pool listens again, and a connection that stays must not gather listeners.
    if (failure === undefined) client.off('error', ignore)
  }
}

/** Runs statements that may take longer than a statement may. */
const patient = (client: PoolClient): Queryable => ({ query: (query) => client.query({ ...query, ...inItsTime }) })

const withoutTimeLimit = statement<never, void>('withoutTimeLimit', `SELECT set_config('statement_timeout', '0', true)`)

/**
 * Distributes tables that are not distributed, in the transaction of the client, and returns them.
 */
async function distributeMissing(client: PoolClient): Promise<readonly string[]> {
  const missing = (await readCluster(client))?.missing ?? []
  await withoutTimeLimit(client)
  await distributeTables(patient(client), missing)
  return missing
}

/**
 * Whether to distribute tables that are on one node alone: on request, or when others are
 * distributed.
 */
async function isToDistribute(client: PoolClient, { asked }: { readonly asked: boolean }): Promise<boolean> {
  const cluster = await readCluster(client)
  if (cluster === undefined && asked)
    throw new Error('The database does not have Citus, so its tables stay on one server.')
  if (cluster === undefined || (!asked && cluster.distributed.length === 0)) return false
  if (!cluster.isCoordinator)
    throw new Error('This is a worker of a Citus cluster. Set DATABASE_URL to the coordinator to change its tables.')
  return true
}

/** The migrations of a database, by file names in order. */
export interface SchemaState extends SchemaFault {
  readonly applied: readonly string[]
  readonly missing: readonly string[]
}

/** The state of a database. Changes nothing. */
export const schemaState = async (pool: Pool): Promise<SchemaState> =>
  stateOf(pool, await readMigrations(migrationsFolder))

async function stateOf(pool: Pool, files: Awaited<ReturnType<typeof readMigrations>>): Promise<SchemaState> {
  try {
    return compareMigrations(files, await appliedMigrations(pool))
  } catch (error) {
    // There is no table yet: nothing was ever applied.
    if ((error as { code?: string }).code === '42P01') return compareMigrations(files, [])
    throw error
  }
}

const isCurrent = ({ missing, unknown, altered }: SchemaState): boolean =>
  missing.length === 0 && unknown.length === 0 && altered === undefined

/** The first migration of programs before the first release. */
const firstBeforeRelease = '0001-records.sql'

/** Why this program must not touch a database, or a backup, of these migrations. */
export function faultText(of: 'database' | 'backup', { unknown, altered }: SchemaFault): string {
  if (unknown.includes(firstBeforeRelease))
    return `The ${of} is from before release 0.1.0 and cannot be upgraded. Export an archive of each provider with the program that made it (lotkeeper export ndjson), and import it into a new database (lotkeeper import): docs/operating.md, Moving.`
  if (unknown.length > 0)
    return `The ${of} was migrated by a newer version of Lotkeeper (${unknown.join(', ')}). Use that version or a later one.`
  return `Migration ${altered} of the ${of} differs from the one in this program. Install the release that the ${of} belongs to.`
}

function compareMigrations(
  files: readonly { readonly name: string; readonly checksum: string }[],
  applied: readonly { readonly file: string; readonly checksum: string }[],
): SchemaState {
  const known = new Map(files.map(({ name, checksum }) => [name, checksum]))
  return {
    applied: applied.map(({ file }) => file),
    missing: files.filter(({ name }) => !applied.some(({ file }) => file === name)).map(({ name }) => name),
    unknown: applied.filter(({ file }) => !known.has(file)).map(({ file }) => file),
    altered: applied.find(({ file, checksum }) => known.has(file) && known.get(file) !== checksum)?.file,
  }
}

/**
 * Two processes may create the table at the same moment. The second fails on the name of the table
 * or of its row type, and may continue.
 */
async function makeTableOnce(client: PoolClient): Promise<void> {
  try {
    await makeMigrationTable(client)
  } catch (error) {
    if (!['23505', '42P07', '42710'].includes(String((error as { code?: string }).code))) throw error
  }
}

async function readMigrations(folder: URL) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8')
      return { name, sql, checksum: sha256Hex(sql) }
    }),
  )
}
