// backup and restore as an operator runs them: beside a service under load, into a new folder, and
// with damaged files.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { openDatabase } from '../../src/store/database/database.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import { filesUnder } from '../house/tree.ts'
import { type OwnDatabase, ownDatabase, ownEmptyDatabase } from '../support/databases/database.ts'
import { allowMs } from '../support/patience.ts'
import { changed, eventPayload, paths, payloadOf } from '../support/records/payloads.ts'
import { runCommand, startServerProcess } from '../support/servers/server-process.ts'
import { calling } from '../support/servers/service.ts'

vi.setConfig({ testTimeout: allowMs(240_000) })

const isServer = inject('runningDatabase').kind === 'postgresql'
/** A server that nobody reaches. */
const postgresql = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }

let folder: string
const owned: OwnDatabase[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lotkeeper-backup-'))
})
afterAll(async () => {
  for (const { drop } of owned) await drop()
  await rm(folder, { recursive: true, force: true })
})

async function owning(make: () => Promise<OwnDatabase>): Promise<OwnDatabase> {
  const own = await make()
  owned.push(own)
  return own
}

async function on<Result>({ place }: OwnDatabase, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  const opened = await openDatabase(place)
  if ('heldBy' in opened) throw new Error(opened.heldBy)
  try {
    return await work(opened.pool)
  } finally {
    await opened.close()
  }
}

const countVersions = (own: OwnDatabase): Promise<number> =>
  on(own, async (pool) => (await pool.query('SELECT count(*)::int AS versions FROM record_version')).rows[0].versions)

/** Tables whose rows never change once they are written. */
const lastingTables = ['provider', 'record_version'] as const

/**
 * No version without its record, no record without its codes, none at a version that is not there:
 * then all of these are as many as there are events, and none is behind.
 */
const wholeness = `
  SELECT (SELECT count(*)::int FROM event e JOIN record r ON r.id = e.id JOIN record_version v
            ON v.record_id = r.id AND v.version = r.version AND v.content_hash = r.content_hash) AS matching,
         (SELECT count(*)::int FROM event) AS events,
         (SELECT count(DISTINCT record_id)::int FROM record_version WHERE kind = 'receivingEvent') AS records,
         (SELECT count(*)::int FROM record r WHERE r.version <>
            (SELECT max(v.version) FROM record_version v WHERE v.record_id = r.id)) AS behind,
         (SELECT count(DISTINCT id)::int FROM event_code) AS coded`

/** Rows of lasting tables as text, and the counts. To open a database takes seconds: all is read at once. */
const contentOf = (own: OwnDatabase) =>
  on(own, async (pool) => {
    const rows = new Map<string, readonly string[]>()
    for (const table of lastingTables) {
      const found = await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t`)
      rows.set(
        table,
        found.rows.map(({ row }) => row),
      )
    }
    return { rows, counts: (await pool.query(wholeness)).rows[0] }
  })

/**
 * Eight clients that create and replace until told to stop; resolves to how many writes were
 * acknowledged.
 */
function underLoad(address: string, key: string) {
  const call = calling(address, key)
  let stopped = false
  let acknowledged = 0
  const client = async () => {
    while (!stopped) {
      const body = eventPayload()
      const reply = await call('POST', paths.receivingEvent, { body })
      expect(reply.status, reply.text).toBe(201)
      acknowledged++
      changed.receivingEvent(body)
      expect((await call('PUT', `${paths.receivingEvent}/${reply.body.request_ids[0]}`, { body })).status).toBe(200)
      acknowledged++
    }
  }
  const clients = Promise.all(Array.from({ length: 8 }, client))
  clients.catch(() => undefined)
  return {
    count: () => acknowledged,
    stop: async () => {
      stopped = true
      await clients
      return acknowledged
    },
  }
}

describe.skipIf(isServer)('beside a service that writes', () => {
  let source: OwnDatabase
  let target: OwnDatabase
  let file: string
  let key: string
  let acknowledgedBefore = 0
  let versions = 0

  test('a backup is made, and no write fails for it', async () => {
    source = await owning(ownDatabase)
    file = join(folder, 'under-load.tar.gz')
    const server = await startServerProcess(source.env)
    key = server.firstKey ?? ''
    const load = underLoad(server.address, key)
    try {
      const call = calling(server.address, key)
      for (const kind of ['masterProduct', 'location'] as const)
        expect((await call('POST', paths[kind], { body: payloadOf[kind]() })).status).toBe(201)
      await expect.poll(load.count, { timeout: allowMs(60_000) }).toBeGreaterThan(40)
      acknowledgedBefore = load.count()
      const { code, stderr } = await runCommand(['backup', file], source.env)
      expect(code, stderr).toBe(0)
      expect(stderr).toMatch(/^The service waited [\d.]+ s while its files were copied\.$/m)
      expect(await load.stop()).toBeGreaterThan(acknowledgedBefore)
    } finally {
      await server.end('SIGTERM')
    }
    // Nothing is left beside the database but the file.
    expect(existsSync(`${file}.part`)).toBe(false)
    expect(readdirSync(source.place.dataDir).sort()).toEqual(['database', 'signing-key.pem'])
    const again = await runCommand(['backup', file], source.env)
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') })
  })

  test('the file is reported complete, with its time and what made it', async () => {
    const { code, stdout } = await runCommand(['restore', file, '--check'], {})
    expect(code).toBe(0)
    expect(stdout).toMatch(/ is complete: [\d,]+ files of [\d.]+ MiB, as of \S+Z, made by Lotkeeper \d\S+\.\n$/)
  })

  test('a file that is cut off or altered restores nothing', async () => {
    target = await owning(ownEmptyDatabase)
    const good = await readFile(file)
    const tar = gunzipSync(good)
    const altered = Buffer.from(tar)
    altered[tar.length >> 1] = (altered[tar.length >> 1] ?? 0) ^ 1
    // Every other way in which a file is no backup is tried in the package.
    const damaged = { 'cut off': good.subarray(0, good.length - 100), altered: gzipSync(altered) }
    for (const [name, bytes] of Object.entries(damaged)) {
      const bad = join(folder, `${name}.gz`)
      await writeFile(bad, bytes)
      const { code, stderr } = await runCommand(['restore', bad], target.env)
      expect(code, name).toBe(1)
      expect(stderr.replaceAll('\n', ' '), name).toMatch(/is not a complete backup\. .* Nothing was restored\./)
      expect(readdirSync(target.place.dataDir), name).toEqual([])
    }
  })

  test('what is restored is what was there at one moment, byte for byte, and is not restored over', async () => {
    const { code, stderr } = await runCommand(['restore', file], target.env)
    expect(code, stderr).toBe(0)
    versions = await expectOneMoment(source, target, acknowledgedBefore)
    const again = await runCommand(['restore', file], target.env)
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('already holds a database')
  })

  test('the restored database is served: keys and records are those of the backup', async () => {
    const server = await startServerProcess(target.env)
    try {
      expect(server.firstKey).toBeUndefined()
      const call = calling(server.address, key)
      const { body } = await call('GET', `${paths.receivingEvent}?limit=1`)
      const [{ id, ...record }] = body.content
      changed.receivingEvent(record)
      const replaced = await call('PUT', `${paths.receivingEvent}/${id}`, { body: record })
      expect(replaced.status, replaced.text).toBe(200)
      const beside = await runCommand(['restore', file], target.env)
      expect(beside).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/is in use by process \d+ on this machine/),
      })
    } finally {
      await server.end('SIGTERM')
    }
  })

  test('a backup without a service goes through standard streams, and plain tar unpacks it', async () => {
    const [streamed, unpacked] = [await owning(ownEmptyDatabase), await owning(ownEmptyDatabase)]
    const shell = (line: string, env: Record<string, string>) =>
      promisify(execFile)('sh', ['-c', line.replace('lotkeeper ', `${process.execPath} dist/cli/main.js `)], {
        env: { PATH: process.env.PATH, ...env },
      })
    await shell(`lotkeeper backup - > '${folder}/streamed.tar.gz'`, source.env)
    await shell(`lotkeeper restore - < '${folder}/streamed.tar.gz'`, streamed.env)
    const { dataDir } = unpacked.place
    await shell(`mkdir '${dataDir}' && cd '${dataDir}' && tar -xzf '${folder}/streamed.tar.gz'`, {})
    await shell(`cd '${dataDir}' && sha256sum --check --quiet SHA256SUMS`, {})
    for (const copy of [streamed, unpacked]) expect(await countVersions(copy)).toBe(versions)
  })
})

/**
 * What the target has is what the source had at one moment, at which so many writes had been
 * acknowledged. Returns how many versions the source has now.
 */
async function expectOneMoment(source: OwnDatabase, target: OwnDatabase, acknowledged: number): Promise<number> {
  const [there, here] = [await contentOf(source), await contentOf(target)]
  for (const table of lastingTables) {
    const known = new Set(there.rows.get(table))
    expect(
      here.rows.get(table)?.filter((row) => !known.has(row)),
      table,
    ).toEqual([])
  }
  const stored = there.rows.get('record_version')?.length ?? 0
  const restored = here.rows.get('record_version')?.length ?? 0
  // Master data, and the locations that events set up, are versions too.
  expect(restored).toBeGreaterThanOrEqual(acknowledged)
  expect(restored).toBeLessThan(stored)
  const { events, ...others } = here.counts
  expect(others).toEqual({ matching: events, records: events, behind: 0, coded: events })
  return stored
}

describe.skipIf(isServer)('a backup of another release', () => {
  test('is brought up to date when it lacks migrations, and restores nothing when it has others', async () => {
    const [older, newer, target] = [
      await owning(ownDatabase),
      await owning(ownDatabase),
      await owning(ownEmptyDatabase),
    ]
    const files = filesUnder('src/store/migrations', /\.sql$/).map((file) => basename(file))
    await on(newer, async (pool) => {
      await migrate(pool)
      await pool.query(`INSERT INTO schema_migration (file, checksum) VALUES ('9999-later.sql', '')`)
    })
    const [olderFile, newerFile] = [join(folder, 'older.tar.gz'), join(folder, 'newer.tar.gz')]
    expect((await runCommand(['backup', olderFile], older.env)).code).toBe(0)
    expect((await runCommand(['backup', newerFile], newer.env)).code).toBe(0)
    const refused = await runCommand(['restore', newerFile], target.env)
    expect(refused.code).toBe(1)
    expect(refused.stderr.replaceAll('\n', ' ')).toContain(
      'The backup was migrated by a newer version of Lotkeeper (9999-later.sql). Use that version or a later one.',
    )
    expect(readdirSync(target.place.dataDir)).toEqual([])
    const { code, stdout, stderr } = await runCommand(['restore', olderFile], target.env)
    expect(code, stderr).toBe(0)
    expect(stdout).toContain(`Then brought the schema up to date: ${files.join(', ')}.`)
    expect(await countVersions(target)).toBe(0)
  })
})

test.each([
  [['backup', 'x.tar.gz'], { DATA_DIR: './there-is-none' }, 'There is no database in ./there-is-none.'],
  [['restore', 'there-is-none.tar.gz'], {}, 'there-is-none.tar.gz cannot be read (ENOENT).'],
  [['backup', 'x.tar.gz'], postgresql, 'DATABASE_URL is set, and backup saves the embedded database only.'],
  [['restore', 'package.json'], postgresql, 'DATABASE_URL is set, and restore loads a backup of the embedded database'],
])('%j with %j says in one line why it cannot', async (args, env, line) => {
  const { code, stderr } = await runCommand(args, env)
  expect(code).toBe(1)
  expect(stderr).toContain(`lotkeeper: ${line}`)
})
