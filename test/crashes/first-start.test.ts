// The first start of a database, broken off at each of its steps: the next start finds nothing in
// its way and nothing twice.
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newFolder } from '../../packages/pglite-pool/test/processes.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import { type PostgresqlServer, startPostgresqlServer } from '../support/databases/postgresql-server.ts'
import { placeConfig } from '../support/databases/stored-rows.ts'
import { type Fault, startWireProxy, type WireProxy } from '../support/databases/wire-proxy.ts'
import { allowMs } from '../support/patience.ts'
import { cycles, isLongRun, progress, timeFor } from '../support/records/crash-cycles.ts'
import { spawnServer, startServerProcess } from '../support/servers/server-process.ts'

vi.setConfig({ testTimeout: allowMs(240_000) })

let server: PostgresqlServer
let proxy: WireProxy
let admin: pg.Pool
beforeAll(async () => {
  server = await startPostgresqlServer({ fsync: 'off' })
  proxy = await startWireProxy(server.url)
  admin = new pg.Pool({ connectionString: server.url })
  admin.on('error', () => undefined)
})
afterAll(async () => {
  await proxy?.close()
  await admin?.end()
  await server?.stop()
})

let databases = 0
/** A new database: its name, its address, and its address through the proxy. */
async function emptyDatabase(): Promise<{ direct: string; proxied: string }> {
  const name = `first_start_${++databases}`
  await admin.query(`CREATE DATABASE ${name} TEMPLATE template0`)
  const named = (address: string) => Object.assign(new URL(address), { pathname: `/${name}` }).href
  return { direct: named(server.url), proxied: named(proxy.url) }
}

/** What a first start leaves: how many there are of each. */
async function left(config: pg.ClientConfig): Promise<{ migrations: number; providers: number; keys: number }> {
  const client = new pg.Client(config)
  await client.connect()
  try {
    const { rows } = await client.query(
      `SELECT (SELECT count(*)::int FROM schema_migration WHERE file <> 'lock') AS migrations,
              (SELECT count(*)::int FROM provider) AS providers, (SELECT count(*)::int FROM api_key) AS keys`,
    )
    return rows[0]
  } finally {
    await client.end()
  }
}

const faults: readonly Fault[] = [
  { is: 'refuse', code: '40001' },
  { is: 'refuse', code: '57P01' },
  { is: 'lose', code: '57P01' },
  { is: 'cutBefore' },
  { is: 'cutAfter' },
]

/** Table, row of the lock, BEGIN, lock, what is applied. */
const beforeFiles = 5

test('a migration that fails at any statement, COMMIT among them, leaves all of it or nothing, and the next one completes it', async () => {
  let statements = 1
  for (let at = 1; at <= statements; at++) {
    // A short run takes every fault at the first statement and at COMMIT, and one at each between.
    const taken = isLongRun || at === 1 || at === statements ? faults : [faults[at % faults.length]]
    for (const fault of at === 1 ? [undefined, ...taken] : taken) {
      const { direct, proxied } = await emptyDatabase()
      let seen = 0
      proxy.onStatement = () => (++seen === at ? fault : undefined)
      const pool = new pg.Pool({ connectionString: proxied, max: 1 })
      pool.on('error', () => undefined)
      const ended = await migrate(pool).then(
        ({ is }) => is,
        () => 'failed',
      )
      await pool.end()
      proxy.onStatement = () => undefined
      if (fault === undefined) statements = seen
      const named = `${JSON.stringify(fault)} at statement ${at}`
      expect(ended, named).toBe(fault === undefined ? 'current' : 'failed')
      const again = new pg.Pool({ connectionString: direct })
      again.on('error', () => undefined)
      expect((await migrate(again)).is, named).toBe('current')
      expect(await migrate(again), named).toMatchObject({ is: 'current', applied: [] })
      await again.end()
    }
  }
  // One file at least and its note, COMMIT.
  expect(statements).toBeGreaterThanOrEqual(beforeFiles + 3)
  const each = isLongRun ? `${faults.length} faults at each` : 'a fault at each'
  console.log(`| migration | ${statements} statements, ${each} | all or nothing |`)
})

// From here on together: each waits for processes that start, on a database of its own.
test.concurrent(
  'a service killed at any statement of its first start starts the next time, with one provider and one key',
  async () => {
    let statements = 1
    for (let at = 1; at <= statements; at++) {
      const { direct, proxied } = await emptyDatabase()
      if (at === 1) {
        // Up to the one that makes the first key; what comes after it is no part of the start.
        let all = 0
        proxy.onStatement = (text) => {
          all++
          if (text.includes('INSERT INTO api_key')) statements = all
          return undefined
        }
        const whole = await startServerProcess({ DATABASE_URL: proxied })
        await whole.end('SIGTERM')
        continue
      }
      // A long run takes every statement; a short one every fifteenth, and the last.
      if (!isLongRun && at % 15 !== 0 && at !== statements) continue
      let seen = 0
      const child = spawnServer({ DATABASE_URL: proxied })
      const gone = once(child, 'exit')
      let last = ''
      proxy.onStatement = (text) => {
        if (++seen === at) {
          last = text
          child.kill('SIGKILL')
        }
        return undefined
      }
      await gone
      proxy.onStatement = () => undefined
      const next = await startServerProcess({ DATABASE_URL: direct })
      try {
        const { migrations, ...made } = await left({ connectionString: direct })
        expect(made, `killed at statement ${at}`).toEqual({ providers: 1, keys: 1 })
        expect(migrations).toBeGreaterThanOrEqual(1)
        // A key that was made and not shown before the kill is the one case in which none is shown.
        if (next.firstKey === undefined) expect(last).toContain('INSERT INTO api_key')
      } finally {
        expect(await next.end('SIGTERM')).toBe(0)
      }
      progress('first start on PostgreSQL', at, statements)
    }
    expect(statements).toBeGreaterThanOrEqual(10)
  },
  timeFor(20),
)

test.concurrent(
  'two services that start at once on one empty database make one provider and show one key',
  async () => {
    const { direct } = await emptyDatabase()
    const services = await Promise.all([1, 2].map(() => startServerProcess({ DATABASE_URL: direct })))
    try {
      expect(services.filter(({ firstKey }) => firstKey !== undefined)).toHaveLength(1)
      expect(await left({ connectionString: direct })).toMatchObject({ providers: 1, keys: 1 })
    } finally {
      await Promise.all(services.map((service) => service.end('SIGTERM')))
    }
  },
  timeFor(1),
)

test.concurrent(
  `a first start on the embedded database killed at ${cycles} moments, evenly spread, leaves nothing in the way of the next`,
  async () => {
    const folders = [newFolder()]
    try {
      const whole = await startServerProcess({ DATA_DIR: join(folders[0] ?? '', 'data') })
      await whole.end('SIGTERM')
      for (let moment = 1; moment <= cycles; moment++) {
        const folder = newFolder()
        folders.push(folder)
        const place = { DATA_DIR: join(folder, 'data') }
        const child = spawnServer(place)
        const gone = once(child, 'exit')
        const timer = setTimeout(() => child.kill('SIGKILL'), (whole.readyMs * moment) / cycles)
        await gone
        clearTimeout(timer)
        const next = await startServerProcess(place)
        expect(await left(placeConfig(place))).toMatchObject({ providers: 1, keys: 1 })
        expect(await next.end('SIGTERM')).toBe(0)
        progress('first start on the embedded database', moment, cycles)
      }
    } finally {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    }
  },
  timeFor(cycles),
)
