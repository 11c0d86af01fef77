// The database a test file works on: the same tests run on both stores, and only the project they
// run in decides which.
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { migrate } from '../../../src/store/database/migrate.ts'
import { ServerPool } from '../../../src/store/database/server-pool.ts'
import { joinNodes } from './citus-cluster.ts'
import { inDatabase } from './in-database.ts'

/** Where the database of a project is; set up once per run by global-setup.ts. */
export type RunningDatabase =
  | {
      readonly kind: 'embedded'
      readonly dataDir: string
      /** Folder of a database that nothing was done to, to be copied. */
      readonly template: string
    }
  | {
      readonly kind: 'postgresql'
      readonly url: string
      /** Of a Citus cluster with distributed tables: its workers; the URL is the coordinator's. */
      readonly workerUrls: readonly string[]
    }

declare module 'vitest' {
  interface ProvidedContext {
    runningDatabase: RunningDatabase
  }
}

/**
 * A connection to the migrated database of the running project. Its data is shared: each test makes
 * its own provider.
 */
export interface TestDatabase {
  readonly kind: RunningDatabase['kind']
  /** The caller's own; ended by `close()`. */
  readonly pool: pg.Pool
  /** Only on `postgresql`. */
  readonly url?: string
  close(): Promise<void>
}

/** Connects to the database of the running project; throws an Error in a project without one. */
export async function testDatabase(): Promise<TestDatabase> {
  const running = runningDatabase()
  const pool =
    running.kind === 'embedded'
      ? new pg.Pool(await reach(running.dataDir))
      : new ServerPool({ connectionString: running.url })
  return {
    kind: running.kind,
    pool,
    ...(running.kind === 'postgresql' ? { url: running.url } : {}),
    close: () => pool.end(),
  }
}

/**
 * A new, empty database (no migrations) on the same server, for tests that break or race it; only
 * on `postgresql`. `drop()` ends whatever connections it still has.
 */
export async function ownPostgresqlDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const running = runningDatabase()
  if (running.kind !== 'postgresql')
    throw new Error('Only *.postgresql.test.ts files can have a database of their own.')
  return makeDatabase([running.url])
}

/** A database of a new name on these servers; `url` is on the first one. */
async function makeDatabase(
  servers: readonly string[],
): Promise<{ url: string; urls: string[]; drop(): Promise<void> }> {
  const name = `lotkeeper_test_${randomBytes(8).toString('hex')}`
  const urls: string[] = []
  for (const server of servers) {
    // template1 cannot be copied while anyone is connected to it, and test files run in parallel.
    await inDatabase(server, [`CREATE DATABASE ${name} TEMPLATE template0`])
    const url = new URL(server)
    url.pathname = `/${name}`
    urls.push(url.href)
  }
  const drop = async (server: string) => {
    // Without force it waits some seconds for connections that are closing: one that is ended under
    // a client that has said good-bye is an error nobody listens for.
    try {
      if (servers.length === 1) return await inDatabase(server, [`DROP DATABASE IF EXISTS ${name}`])
    } catch (error) {
      if ((error as { code?: string }).code !== inUse) throw error
    }
    await inDatabase(server, [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`])
  }
  return {
    url: urls[0] ?? '',
    urls,
    drop: async () => {
      // Nodes of a cluster connect to each other by themselves, also while one of them drops it.
      if (servers.length > 1)
        for (const server of servers) await inDatabase(server, [`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`])
      for (const server of servers) await drop(server)
    },
  }
}

/** A database whose tables are distributed, on the nodes of the running cluster. */
async function ownDistributedDatabase(servers: readonly string[]): Promise<{ url: string; drop(): Promise<void> }> {
  const { url, urls, drop } = await makeDatabase(servers)
  await joinNodes(url, urls.slice(1))
  const pool = new pg.Pool({ connectionString: url })
  try {
    await migrate(pool, { distribute: true })
  } finally {
    await pool.end()
  }
  return { url, drop }
}

/** PostgreSQL's code for a database that others are connected to. */
const inUse = '55006'

/** True where tables are distributed: for tests of what a cluster alone does. */
export function isOnCluster(): boolean {
  const running = runningDatabase()
  return running.kind === 'postgresql' && running.workerUrls.length > 0
}

function runningDatabase(): RunningDatabase {
  const running = inject('runningDatabase')
  // Typed as always there, but a project without global setup provides nothing.
  if (running === undefined) throw new Error('This test project has no database: see projects in vitest.config.ts.')
  return running
}

async function reach(dataDir: string): Promise<pg.PoolConfig> {
  // Loaded only here, so that tests on PostgreSQL do not depend on the embedded database.
  const { reachRunningDatabase } = await import('pglite-pool')
  const config = await reachRunningDatabase(dataDir)
  if (config === undefined) throw new Error(`The embedded database of this test run, ${dataDir}, is not running.`)
  return config
}

/**
 * A new database of the kind of the running project, without records, for programs that open it by
 * themselves. On a cluster its tables are made and distributed.
 */
export async function ownDatabase(): Promise<OwnDatabase> {
  const running = runningDatabase()
  if (running.kind === 'embedded') return ownEmbeddedDatabase()
  return placedAt(
    isOnCluster() ? await ownDistributedDatabase([running.url, ...running.workerUrls]) : await ownPostgresqlDatabase(),
  )
}

const placedAt = ({ url, drop }: { readonly url: string; drop(): Promise<void> }): OwnDatabase => ({
  env: { DATABASE_URL: url },
  place: { databaseUrl: url, dataDir: '' },
  drop,
})

/** A place for a database of that kind which is still to be restored. */
export async function ownEmptyDatabase(): Promise<OwnDatabase> {
  if (runningDatabase().kind !== 'embedded') return placedAt(await ownPostgresqlDatabase())
  const parent = await mkdtemp(join(tmpdir(), 'lotkeeper-own-'))
  const dataDir = join(parent, 'data')
  return {
    env: { DATA_DIR: dataDir },
    place: { databaseUrl: undefined, dataDir },
    drop: () => rm(parent, { recursive: true, force: true }),
  }
}

export interface OwnDatabase {
  /** What tells the program where it is. */
  readonly env: Record<string, string>
  readonly place: { readonly databaseUrl: string | undefined; readonly dataDir: string }
  drop(): Promise<void>
}

/**
 * A folder for an embedded database: with an empty one where there is one to copy, else it is made
 * when it is opened first.
 */
async function ownEmbeddedDatabase(): Promise<OwnDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-own-'))
  const dataDir = join(folder, 'data')
  const running = runningDatabase()
  if (running.kind === 'embedded') await cp(running.template, join(dataDir, 'database'), { recursive: true })
  return {
    env: { DATA_DIR: dataDir },
    place: { databaseUrl: undefined, dataDir },
    drop: () => rm(folder, { recursive: true, force: true }),
  }
}
