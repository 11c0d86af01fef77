// Runs once per test run and project, in vitest's own process: starts the project's database and
// migrates it.
import { rmSync } from 'node:fs'
import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { readCluster } from '../../src/store/database/distribute.ts'
import { faultText, migrate } from '../../src/store/database/migrate.ts'
import { startCitusCluster } from './databases/citus-cluster.ts'
import type { RunningDatabase } from './databases/database.ts'
import { startPostgresqlServer } from './databases/postgresql-server.ts'

interface StartedDatabase {
  /** How test files find it. */
  readonly running: (workerUrls: readonly string[]) => RunningDatabase
  readonly poolConfig: pg.PoolConfig
  stop(): Promise<void>
}

/**
 * Provides `runningDatabase` to the project's tests; resolves to what ends it. Throws when it
 * cannot be started.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  try {
    return await provideDatabase(project)
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    const words = `The database of the tests "${project.name}" was not started. ${message || code}`
    // Vitest fails at the stack of an error of this file, and says nothing of the error then.
    throw Object.assign(new Error(words), { stack: words })
  }
}

async function provideDatabase(project: TestProject): Promise<() => Promise<void>> {
  const database = project.name === 'embedded' ? await startEmbedded() : await startPostgresql()
  let workerUrls: readonly string[] = []
  try {
    const pool = new pg.Pool(database.poolConfig)
    try {
      const cluster = await readCluster(pool)
      const migrated = await migrate(pool, { distribute: cluster !== undefined })
      // Only a database given by TEST_DATABASE_URL can have a past.
      if (migrated.is !== 'current') throw new Error(faultText('database', migrated))
      if (cluster !== undefined) workerUrls = await urlsOfWorkers(pool)
      const { rows } = await pool.query<{ version: string }>(`SELECT current_setting('server_version') AS version`)
      const on = `PostgreSQL ${rows[0]?.version}${cluster === undefined ? '' : `, distributed by ${cluster.version}`}`
      console.log(`Tests "${project.name}" run on ${on}`)
    } finally {
      await pool.end()
    }
  } catch (error) {
    await database.stop()
    throw error
  }
  project.provide('runningDatabase', database.running(workerUrls))
  return () => database.stop()
}

async function startEmbedded(): Promise<StartedDatabase> {
  // Loaded only here, so that tests on PostgreSQL do not depend on the embedded database.
  const { openEmbeddedDatabase } = await import('pglite-pool')
  const dataDir = await mkdtemp(join(tmpdir(), 'lotkeeper-embedded-'))
  // On exit and not in stop(), which an interrupted run (Ctrl+C) never comes to.
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  const open = async () => {
    const opened = await openEmbeddedDatabase(dataDir)
    if ('heldBy' in opened) throw new Error(`${dataDir} was just made, yet is held by ${opened.heldBy}.`)
    return opened
  }
  // Making one takes seconds; tests that want one of their own get a copy.
  await (await open()).close()
  const template = join(dataDir, 'template')
  await cp(join(dataDir, 'database'), template, { recursive: true })
  const opened = await open()
  return { running: () => ({ kind: 'embedded', dataDir, template }), poolConfig: opened.poolConfig, stop: opened.close }
}

async function startPostgresql(): Promise<StartedDatabase> {
  const given = process.env.TEST_DATABASE_URL
  const server = given ? { url: given, stop: async () => {} } : await startServer()
  return {
    running: (workerUrls) => ({ kind: 'postgresql', url: server.url, workerUrls }),
    poolConfig: { connectionString: server.url },
    stop: server.stop,
  }
}

/** A server, or the cluster of `npm run test:distributed`. */
async function startServer(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const binaries = process.env.TEST_CITUS_BIN
  if (!binaries) return startPostgresqlServer({ fsync: 'off' })
  const { coordinator, stop } = await startCitusCluster(binaries, { fsync: 'off' })
  return { url: coordinator.url, stop }
}

/** The same account signs in to every node. */
async function urlsOfWorkers(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string; port: number }>(
    `SELECT nodename AS name, nodeport AS port FROM pg_dist_node WHERE groupid > 0 AND noderole = 'primary' ORDER BY nodeid`,
  )
  return rows.map(({ name, port }) => {
    const url = new URL(pool.options.connectionString ?? '')
    url.hostname = name
    url.port = String(port)
    return url.href
  })
}
