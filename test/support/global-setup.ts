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
import type { RunningDatabase } from './databases/database.ts'
import { startPostgresqlServer } from './databases/postgresql-server.ts'

interface StartedDatabase {
  /** How test files find it. */
  readonly running: RunningDatabase
  readonly poolConfig: pg.PoolConfig
  stop(): Promise<void>
}

/**
 * Provides `runningDatabase` to the project's tests; resolves to what ends it. Throws when it
 * cannot be started.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const database = project.name === 'embedded' ? await startEmbedded() : await startPostgresql()
  try {
    const pool = new pg.Pool(database.poolConfig)
    try {
      const cluster = await readCluster(pool)
      const migrated = await migrate(pool, { distribute: cluster !== undefined })
      // Only a database given by TEST_DATABASE_URL can have a past.
      if (migrated.is !== 'current') throw new Error(faultText('database', migrated))
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
  project.provide('runningDatabase', database.running)
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
  return { running: { kind: 'embedded', dataDir, template }, poolConfig: opened.poolConfig, stop: opened.close }
}

async function startPostgresql(): Promise<StartedDatabase> {
  const given = process.env.TEST_DATABASE_URL
  const server = given ? { url: given, stop: async () => {} } : await startPostgresqlServer({ fsync: 'off' })
  return {
    running: { kind: 'postgresql', url: server.url },
    poolConfig: { connectionString: server.url },
    stop: server.stop,
  }
}
