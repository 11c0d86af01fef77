import { rmSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type EmbeddedDatabase,
  openEmbeddedDatabase,
  reachRunningDatabase,
} from '../../../src/store/embedded/embedded-database.ts'
import { newFolder } from './processes.ts'

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
}, 60_000)

afterAll(async () => {
  await pool?.end()
  await database?.close()
  rmSync(dataDir, { recursive: true })
})

async function keptCount(): Promise<number> {
  return (await pool.query<{ n: number }>('SELECT count(*)::int AS n FROM kept')).rows[0]?.n ?? 0
}

test.for([
  ['sleeps', 'SELECT pg_sleep(60)'],
  ['computes', 'SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b'],
])(
  'a statement that %s too long is given up on, the next query works and data are kept',
  async ([, sql = '']) => {
    const before = await keptCount()
    const started = performance.now()
    await expect(pool.query(sql)).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(performance.now() - started).toBeGreaterThan(900)
    expect(performance.now() - started).toBeLessThan(5000)
    expect(await keptCount()).toBe(before)
    await pool.query('INSERT INTO kept VALUES (2)')
    expect(await keptCount()).toBe(before + 1)
  },
  30_000,
)

test('a query that waits behind the statement is told that the connection is lost, never left waiting', async () => {
  const socket = new pg.Client(await reachRunningDatabase(dataDir))
  socket.on('error', () => {})
  await socket.connect()
  const answers = await Promise.allSettled([pool.query('SELECT pg_sleep(60)'), socket.query('SELECT 1')])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
}, 30_000)

test('an engine that breaks down is replaced at the next query', async () => {
  const before = await keptCount()
  await expect(pool.query('COPY kept FROM STDIN')).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(await keptCount()).toBe(before)
}, 30_000)

test('a transaction that does nothing while others wait is ended and rolled back', async () => {
  const before = await keptCount()
  const socket = new pg.Client(await reachRunningDatabase(dataDir))
  const lost = new Promise<unknown>((resolve) => socket.once('error', resolve))
  await socket.connect()
  await socket.query('BEGIN')
  await socket.query('INSERT INTO kept VALUES (3)')
  expect(await keptCount()).toBe(before)
  expect(await lost).toMatchObject({ code: '25P03' })
}, 30_000)

test('after close every connection is refused', async () => {
  const other = newFolder()
  const opened = await openEmbeddedDatabase(other)
  if ('heldBy' in opened) throw new Error(opened.heldBy)
  await Promise.all([opened.close(), opened.close()])
  const client = new pg.Client(opened.poolConfig)
  await expect(client.connect()).rejects.toThrow('the embedded database is closed')
  expect(await reachRunningDatabase(other)).toBeUndefined()
  rmSync(other, { recursive: true })
}, 60_000)
