// backup and restore as an operator runs them: beside a service under load, onto another database, and with damaged files.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '../../src/store/database.ts'
import { readMigrations } from '../house/sql-checker.ts'
import { filesUnder, textOf } from '../house/tree.ts'
import { type OwnDatabase, ownDatabase, ownEmbeddedDatabase } from '../support/database.ts'
import { allowMs } from '../support/patience.ts'
import { changed, eventPayload, paths, payloadOf } from '../support/payloads.ts'
import { runCommand, startServerProcess } from '../support/server-process.ts'
import { calling } from '../support/service.ts'

vi.setConfig({ testTimeout: allowMs(240_000) })

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

async function ask({ place }: OwnDatabase, sql: string) {
  const opened = await openDatabase(place)
  if ('heldBy' in opened) throw new Error(opened.heldBy)
  try {
    // biome-ignore lint/suspicious/noExplicitAny: columns are named where they are used
    return (await opened.pool.query<any>(sql)).rows
  } finally {
    await opened.close()
  }
}

/** Tables whose rows never change once they are written. */
const lastingTables = ['provider', 'record_version'] as const

/** Their rows as text. */
async function rowsOf(own: OwnDatabase, tables: readonly string[]): Promise<Map<string, readonly string[]>> {
  const rows = new Map<string, readonly string[]>()
  for (const table of tables)
    rows.set(
      table,
      (await ask(own, `SELECT t::text AS row FROM ${table} t`)).map((found: { row: string }) => found.row),
    )
  return rows
}

/** Eight clients that create and replace until told to stop; resolves to how many writes were acknowledged. */
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

describe('beside a service that writes', () => {
  let source: OwnDatabase
  let target: OwnDatabase
  let file: string
  let key: string
  let acknowledgedBefore = 0

  test('a backup is made, and no write fails for it', async () => {
    source = await owning(ownDatabase)
    file = join(folder, 'under-load.gz')
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
      expect(await load.stop()).toBeGreaterThan(acknowledgedBefore)
    } finally {
      await server.end('SIGTERM')
    }
    // Nothing is left beside the database but the file.
    expect(existsSync(`${file}.part`)).toBe(false)
    if (source.env.DATA_DIR) expect(readdirSync(source.env.DATA_DIR).sort()).toEqual(['database', 'signing-key.pem'])
    const again = await runCommand(['backup', file], source.env)
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') })
  })

  test('the file is told to be whole, and holds every table that a migration made', async () => {
    const { code, stdout } = await runCommand(['restore', file, '--check'], {})
    expect(code).toBe(0)
    const [first = '', ...tableLines] = stdout.trim().split('\n')
    expect(first).toMatch(/is complete: [\d,]+ rows as of \S+Z, made by Lotkeeper \d\S+, schema \d{4}-\S+\.sql\.$/)
    const { tables } = await readMigrations(
      filesUnder('src/store/migrations', /\.sql$/)
        .map(textOf)
        .join('\n'),
    )
    expect(tableLines.map((line) => line.trim().split(' ')[1]).sort()).toEqual([...tables].sort())
  })

  test('a file that is cut off or altered restores nothing', async () => {
    target = await owning(ownDatabase)
    const good = await readFile(file)
    const text = gunzipSync(good)
    const damaged = {
      'cut off': good.subarray(0, good.length - 100),
      'cut off and closed again': gzipSync(text.subarray(0, text.length - 200)),
      altered: gzipSync(Buffer.from(text.toString().replace(/\\"shipQuantity\\": ?\d/, '\\"shipQuantity\\":9'))),
      'something else': Buffer.from('PK'),
    }
    for (const [name, bytes] of Object.entries(damaged)) {
      const bad = join(folder, `${name}.gz`)
      await writeFile(bad, bytes)
      const { code, stderr } = await runCommand(['restore', bad], target.env)
      expect(code, name).toBe(1)
      expect(stderr.replaceAll('\n', ' '), name).toMatch(/is not a complete backup\. .* Nothing was restored\./)
    }
  })

  test('what is restored is what was there at one moment, byte for byte, and is not restored over', async () => {
    const { code, stderr } = await runCommand(['restore', file], target.env)
    expect(code, stderr).toBe(0)
    await expectOneMoment(source, target, acknowledgedBefore)
    const again = await runCommand(['restore', file], target.env)
    expect(again.code).toBe(1)
    expect(again.stderr).toMatch(/The database is in use: it holds rows of \w+\. Restore into a new, empty one\./)
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
    } finally {
      await server.end('SIGTERM')
    }
  })

  test('a backup goes from a server to an embedded database and back, through standard streams', async () => {
    if (source.env.DATABASE_URL === undefined) return
    const [embedded, back] = [await owning(ownEmbeddedDatabase), await owning(ownDatabase)]
    const shell = (line: string, env: Record<string, string>) =>
      promisify(execFile)('sh', ['-c', line.replace('lotkeeper', `${process.execPath} dist/cli/main.js`)], {
        env: { PATH: process.env.PATH, ...env },
      })
    await shell(`lotkeeper restore - < '${file}'`, embedded.env)
    await expectOneMoment(source, embedded, acknowledgedBefore)
    await shell(`lotkeeper backup - > '${folder}/back.gz'`, embedded.env)
    await shell(`lotkeeper restore '${folder}/back.gz'`, back.env)
    await expectOneMoment(source, back, acknowledgedBefore)
  })
})

/** What the target has is what the source had at one moment, at which so many writes had been acknowledged. */
async function expectOneMoment(source: OwnDatabase, target: OwnDatabase, acknowledged: number): Promise<void> {
  const [there, here] = [await rowsOf(source, lastingTables), await rowsOf(target, lastingTables)]
  for (const table of lastingTables) {
    const known = new Set(there.get(table))
    expect(
      here.get(table)?.filter((row) => !known.has(row)),
      table,
    ).toEqual([])
  }
  const versions = here.get('record_version')?.length ?? 0
  // Master data, and the locations that events set up, are versions too.
  expect(versions).toBeGreaterThanOrEqual(acknowledged)
  expect(versions).toBeLessThan(there.get('record_version')?.length ?? 0)
  // No version without its record, no record without its codes, none at a version that is not there.
  const [found] = await ask(
    target,
    `SELECT (SELECT count(*)::int FROM receiving_event e JOIN record r ON r.id = e.id JOIN record_version v
               ON v.record_id = r.id AND v.version = r.version AND v.content_hash = r.content_hash) AS matching,
            (SELECT count(*)::int FROM receiving_event) AS events,
            (SELECT count(DISTINCT record_id)::int FROM record_version WHERE kind = 'receivingEvent') AS records,
            (SELECT count(*)::int FROM record r WHERE r.version <>
               (SELECT max(v.version) FROM record_version v WHERE v.record_id = r.id)) AS behind,
            (SELECT count(DISTINCT id)::int FROM receiving_event_code) AS coded`,
  )
  const { events, ...others } = found ?? {}
  expect(others).toEqual({ matching: events, records: events, behind: 0, coded: events })
}

test('a table that no migration made is in the backup, and said to be left out where it is restored', async () => {
  const source = await owning(ownDatabase)
  // Creating an embedded database takes long, and it is the same code.
  if (source.env.DATABASE_URL === undefined) return
  const target = await owning(ownDatabase)
  expect((await runCommand(['demo'], source.env)).code).toBe(0)
  await ask(source, 'CREATE TABLE "of Somebody" (a int PRIMARY KEY, b int GENERATED ALWAYS AS (a * 2) STORED)')
  await ask(source, 'INSERT INTO "of Somebody" SELECT generate_series(1, 2000)')
  const file = join(folder, 'foreign.gz')
  expect((await runCommand(['backup', file], source.env)).code).toBe(0)
  expect((await runCommand(['restore', file, '--check'], {})).stdout).toMatch(/^ +2,000 of Somebody$/m)
  const { code, stderr } = await runCommand(['restore', file], target.env)
  expect(code, stderr).toBe(0)
  expect(stderr).toContain('Skipped of Somebody, which is not a table of Lotkeeper.')
})

test.each([
  [['backup', 'x.gz'], { DATA_DIR: './there-is-none' }, 'There is no database in ./there-is-none.'],
  [['restore', 'there-is-none.gz'], {}, 'there-is-none.gz cannot be read (ENOENT).'],
])('%j says in one line why it cannot', async (args, env, line) => {
  const { code, stderr } = await runCommand(args, env)
  expect(code).toBe(1)
  expect(stderr).toContain(`lotkeeper: ${line}`)
})
