import { rmSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EmbeddedDatabase, openEmbeddedDatabase, reachRunningDatabase } from '../src/embedded-database.ts'
import { newFolder, until } from './processes.ts'

const dataDir = newFolder()
let database: EmbeddedDatabase
let pool: pg.Pool

beforeAll(async () => {
  const opened = await openEmbeddedDatabase(dataDir, { statementTimeoutMs: 1000 })
  if ('heldBy' in opened) throw new Error(opened.heldBy)
  database = opened
  pool = new pg.Pool(database.poolConfig)
  pool.on('error', () => {})
  await pool.query('CREATE TABLE kept (n integer)')
  await pool.query('INSERT INTO kept VALUES (1)')
})

afterAll(async () => {
  await database?.close()
  rmSync(dataDir, { recursive: true })
})

async function keptCount(): Promise<number> {
  return (await pool.query<{ n: number }>('SELECT count(*)::int AS n FROM kept')).rows[0]?.n ?? 0
}

const endless = [
  { does: 'sleeps', sql: 'SELECT pg_sleep(60)' },
  { does: 'computes', sql: 'SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b' },
]

test.for(endless)(
  'a statement that $does too long is given up on, the next query works, data are kept',
  async ({ sql }) => {
    const before = await keptCount()
    const started = performance.now()
    await expect(pool.query(sql)).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(performance.now() - started).toBeGreaterThan(900)
    expect(performance.now() - started).toBeLessThan(30_000)
    expect(await keptCount()).toBe(before)
    await pool.query('INSERT INTO kept VALUES (2)')
    expect(await keptCount()).toBe(before + 1)
  },
)

test('a statement that lifts the limit, as a migration does, takes its time', async () => {
  const began = performance.now()
  await pool.query('BEGIN; SET LOCAL statement_timeout = 0; SELECT pg_sleep(1.6); COMMIT')
  expect(performance.now() - began).toBeGreaterThan(1_500)
})

test('a query that waits behind the statement is told that the connection is lost, never left waiting', async () => {
  const socket = new pg.Client(await reachRunningDatabase(dataDir))
  socket.on('error', () => {})
  await socket.connect()
  const answers = await Promise.allSettled([pool.query('SELECT pg_sleep(60)'), socket.query('SELECT 1')])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('an engine that breaks down is replaced at the next query', async () => {
  const before = await keptCount()
  await expect(pool.query('COPY kept FROM STDIN')).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(await keptCount()).toBe(before)
})

test('a transaction that does nothing while others wait is ended and rolled back', async () => {
  const before = await keptCount()
  const socket = new pg.Client(await reachRunningDatabase(dataDir))
  const errors: unknown[] = []
  socket.on('error', (error) => errors.push(error))
  await socket.connect()
  await socket.query('BEGIN')
  await socket.query('INSERT INTO kept VALUES (3)')
  expect(await keptCount()).toBe(before)
  await until(() => errors.length > 0, 2000)
  expect(errors[0]).toMatchObject({ code: '25P03' })
})

test('after close, which may be called twice, every connection is refused', async () => {
  await pool.end()
  await Promise.all([database.close(), database.close()])
  await expect(new pg.Client(database.poolConfig).connect()).rejects.toThrow('the embedded database is closed')
  expect(await reachRunningDatabase(dataDir)).toBeUndefined()
})
