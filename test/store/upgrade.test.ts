// A database of every earlier schema, with records of several providers in it, under the present
// program: all of it is there.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { type Running, start } from '../../src/wiring.ts'
import { type OwnDatabase, ownDatabase } from '../support/database.ts'
import { changed, type Payload, paths } from '../support/payloads.ts'
import { isSecondDatabase } from '../support/runs.ts'
import { runCommand, type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { calling, testConfig } from '../support/service.ts'

const migrations = (await readdir(fileURLToPath(new URL('../../src/store/migrations', import.meta.url))))
  .filter((name) => name.endsWith('.sql'))
  .sort()

/** Rows of a database of that schema, as SQL that both databases take. */
const sample = await readFile(new URL('../samples/schema-0001.sql', import.meta.url), 'utf8')

/** Where a service on PostgreSQL keeps its signing key. */
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lotkeeper-upgrade-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let own: OwnDatabase | undefined
const processes: ServerProcess[] = []
let running: Running | undefined
afterEach(async () => {
  for (const server of processes.splice(0)) await server.end('SIGKILL')
  await running?.stop()
  running = undefined
  await own?.drop()
})

async function on<Result>(place: OwnDatabase['place'], work: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  const opened = await openDatabase(place)
  if ('heldBy' in opened) throw new Error(opened.heldBy)
  try {
    return await work(opened.pool)
  } finally {
    await opened.close()
  }
}

interface StoredRow {
  readonly provider_id: string
  readonly record_id: string
  readonly version: number
  readonly kind: keyof typeof paths
  readonly body: string
}

/**
 * Loads the sample at its schema, and migrates as far as the migration of this number; gives the
 * versions that were loaded.
 */
async function build(pool: pg.Pool, count: number): Promise<readonly StoredRow[]> {
  expect((await migrate(pool, migrations.slice(0, 1))).is).toBe('current')
  await pool.query(sample)
  const { rows } = await pool.query<StoredRow>(
    'SELECT provider_id, record_id, version, kind, body::text AS body FROM record_version',
  )
  expect((await migrate(pool, migrations.slice(0, count))).is).toBe('current')
  return rows
}

async function startProcess(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServerProcess(env)
  processes.push(server)
  return server
}

/**
 * Every record and version is read over HTTP by its provider, and by no other; and can be replaced.
 */
async function expectAll(
  address: string,
  rows: readonly StoredRow[],
  keys: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [provider, key] of keys) {
    const call = calling(address, key)
    const [others, owned] = [
      rows.filter((row) => row.provider_id !== provider),
      rows.filter((row) => row.provider_id === provider),
    ]
    for (const { kind, record_id, version, body } of owned) {
      const read = await call('GET', `${paths[kind]}/${record_id}/versions/${version}`)
      expect(read.body).toEqual({ id: record_id, ...(JSON.parse(body) as Payload) })
    }
    for (const { kind, record_id } of others.slice(0, 5))
      expect((await call('GET', `${paths[kind]}/${record_id}`)).status).toBe(404)
    const events = owned.filter(({ kind }) => kind === 'receivingEvent')
    const ids = [...new Set(events.map(({ record_id }) => record_id))]
    const listed = await call('GET', `${paths.receivingEvent}?limit=200`)
    expect(listed.body.content.map(({ id }: { id: string }) => id).sort()).toEqual(ids.sort())
    const [{ id, ...payload }] = listed.body.content
    const [line] = payload.eventList.productList
    const found = await call('GET', `${paths.receivingEvent}?lotCode=${encodeURIComponent(line.caseLotNumber)}`)
    expect(found.body.content.map((event: { id: string }) => event.id)).toContain(id)
    changed.receivingEvent(payload)
    expect((await call('PUT', `${paths.receivingEvent}/${id}`, { body: payload })).status).toBe(200)
    expect((await call('GET', '/traceability/completeness')).status).toBe(200)
  }
}

/**
 * A key for each provider of the rows: the secrets of those in the sample are not known. Written as
 * every schema takes it.
 */
async function keysOn(pool: pg.Pool, rows: readonly StoredRow[]): Promise<ReadonlyMap<string, string>> {
  const providers = [...new Set(rows.map(({ provider_id }) => provider_id))]
  expect(providers).toHaveLength(2)
  const keys = new Map<string, string>()
  for (const provider of providers) {
    const [keyId, secret] = [randomBytes(8).toString('hex'), randomBytes(32).toString('base64url')]
    await pool.query(
      `INSERT INTO api_key (provider_id, key_id, secret_hash, role, label) VALUES ($1, $2, sha256(convert_to($3, 'UTF8')), 'writer', '')`,
      [provider, keyId, secret],
    )
    keys.set(provider, `lk_${keyId}_${secret}`)
  }
  return keys
}

describe('a database with records', () => {
  // On the embedded database, which takes long to open, the longest way has to do.
  test.each(migrations.slice(0, isSecondDatabase ? 1 : undefined).map((name, i) => [name, i + 1] as const))(
    'at %s is upgraded by the start, and every version of every provider is there',
    async (_name, count) => {
      own = await ownDatabase()
      const { rows, keys } = await on(own.place, async (pool) => {
        const loaded = await build(pool, count)
        return { rows: loaded, keys: await keysOn(pool, loaded) }
      })
      expect(rows.length).toBeGreaterThan(40)
      const { databaseUrl, dataDir } = own.place
      const started = await start(
        testConfig({ databaseUrl, dataDir: dataDir || folder, port: 0, workers: 1, logLevel: 'silent' }),
      )
      if ('problem' in started) throw new Error(started.problem)
      running = started
      expect(started.firstKey).toBeUndefined()
      await expectAll(started.address, rows, keys)
    },
  )

  // The embedded one is held by one process; the other is told so.
  test.skipIf(isSecondDatabase)(
    'is upgraded once by two processes that start together, and both serve it',
    async () => {
      own = await ownDatabase()
      const { rows, keys } = await on(own.place, async (pool) => {
        const loaded = await build(pool, 1)
        return { rows: loaded, keys: await keysOn(pool, loaded) }
      })
      const [one, other] = await Promise.all([startProcess(own.env), startProcess(own.env)])
      await expectAll(one.address, rows, keys)
      for (const [provider, key] of keys) {
        const { status, body } = await calling(other.address, key)('GET', `${paths.receivingEvent}?limit=1`)
        expect({
          status,
          id: rows.some(({ record_id, provider_id }) => provider_id === provider && record_id === body.content[0].id),
        }).toEqual({ status: 200, id: true })
      }
      const applied = await on(own.place, (pool) => pool.query('SELECT file FROM schema_migration ORDER BY file'))
      expect(applied.rows.map(({ file }) => file)).toEqual([...migrations, 'lock'])
    },
  )

  test('of a newer program is refused by every command in one line, and left as it is', async () => {
    own = await ownDatabase()
    await on(own.place, async (pool) => {
      await migrate(pool)
      await pool.query(`INSERT INTO schema_migration (file, checksum) VALUES ('9999-later.sql', '')`)
    })
    const commands = [['serve'], ['keys', 'list'], ['migrate']]
    // Each command starts the embedded one anew.
    for (const args of own.env.DATA_DIR ? commands.slice(0, 1) : commands) {
      const { code, stdout, stderr } = await runCommand(args, { ...own.env, PORT: '0' })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toBe(
        'lotkeeper: The database was migrated by a newer version of Lotkeeper (9999-later.sql). Use that version or a later one.\n',
      )
    }
  })
})
