import { rmSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmbeddedDatabase, openEmbeddedDatabase, reachRunningDatabase } from '../src/embedded-database.ts'
import { queryMessage, startupMessage } from '../src/frontend-messages.ts'
import { newFolder, startChild, until } from './processes.ts'

let parent: string
let dataDir: string
let database: EmbeddedDatabase
let pool: pg.Pool

/** Where the write-ahead log begins that a crash would replay. */
const redo = async (): Promise<string> => {
  const { rows } = await pool.query<{ redo: string }>('SELECT redo_lsn::text AS redo FROM pg_control_checkpoint()')
  return rows[0]?.redo ?? ''
}
let redoBefore: string

beforeAll(async () => {
  parent = newFolder()
  dataDir = join(parent, 'nested', 'data')
  const opened = await openEmbeddedDatabase(dataDir)
  if ('heldBy' in opened) throw new Error(opened.heldBy)
  database = opened
  pool = new pg.Pool(database.poolConfig)
  await pool.query('CREATE TABLE note (id integer PRIMARY KEY, body text)')
  // For the last test, since the engine looks every ten seconds: 70 MB of log.
  redoBefore = await redo()
  await pool.query("SELECT count(pg_logical_emit_message(false, '', repeat('x', 1000000))) FROM generate_series(1, 70)")
})

afterAll(async () => {
  await pool?.end()
  await database?.close()
  rmSync(parent, { recursive: true })
})

async function socketClient(): Promise<pg.Client> {
  const config = await reachRunningDatabase(dataDir)
  const client = new pg.Client(config)
  client.on('error', () => {})
  await client.connect()
  return client
}

describe('the bridge', () => {
  test('answers a query with values of the right types', async () => {
    const { rows } = await pool.query(
      `SELECT $1::int AS n, $2::text AS t, $3::jsonb AS j, $4::text[] AS list, '2026-01-02T03:04:05Z'::timestamptz AS at,
              $5::bytea AS bytes, NULL AS nothing, 12::bigint AS big`,
      [7, 'seven', { a: [1, null] }, ['x', 'y,"z'], Buffer.from([0, 255])],
    )
    expect(rows).toEqual([
      {
        n: 7,
        t: 'seven',
        j: { a: [1, null] },
        list: ['x', 'y,"z'],
        at: new Date('2026-01-02T03:04:05Z'),
        bytes: Buffer.from([0, 255]),
        nothing: null,
        big: '12',
      },
    ])
  })

  test('passes errors on with their SQLSTATE, and the connection stays usable', async () => {
    await expect(pool.query('SELECT 1 / $1::int', [0])).rejects.toMatchObject({ code: '22012' })
    await expect(pool.query('SELECT FROM nowhere')).rejects.toMatchObject({ code: '42P01' })
    await expect(pool.query('SELEC')).rejects.toMatchObject({ code: '42601' })
    await pool.query('INSERT INTO note VALUES (1)')
    await expect(pool.query('INSERT INTO note VALUES ($1)', [1])).rejects.toMatchObject({
      code: '23505',
      constraint: 'note_pkey',
    })
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  test('answers 64 queries asked at once over one connection, each with its own answer', async () => {
    const asked = Array.from({ length: 64 }, (_, n) => n)
    const answers = await Promise.all(asked.map((n) => pool.query('SELECT $1::int AS n', [n])))
    expect(answers.map(({ rows }) => rows[0].n)).toEqual(asked)
    expect(pool.totalCount).toBe(1)
  })

  test('carries a text of 1 MB there and back, and an answer of 20 MB', async () => {
    const text = 'åß∂ƒ'.repeat(130_000)
    expect((await pool.query('SELECT $1::text AS text', [text])).rows[0].text).toBe(text)
    const long = await pool.query("SELECT repeat('0123456789', 100000) AS text FROM generate_series(1, 20)")
    expect(long.rows.map(({ text: row }) => row.length)).toEqual(Array(20).fill(1_000_000))
  })

  test('keeps every Unicode character, in values and in the text of a statement', async () => {
    const text = 'Żółć 日本 𝄞 \u{1F9C0}'
    expect((await pool.query(`SELECT $1::text AS value, '${text}' AS literal`, [text])).rows).toEqual([
      { value: text, literal: text },
    ])
  })

  test('reports all that a server says at the start of a connection', async () => {
    expect((await pool.query("SELECT current_setting('server_version') AS v")).rows[0].v).toMatch(/^18\./)
    expect((await pool.query('SHOW fsync')).rows).toEqual([{ fsync: 'on' }])
    expect((await pool.query('SHOW full_page_writes')).rows).toEqual([{ full_page_writes: 'on' }])
  })

  test('serves a new client after the previous one ended', async () => {
    const other = new pg.Pool({ ...database.poolConfig, idleTimeoutMillis: 1 })
    for (let round = 0; round < 3; round += 1) {
      await other.query({ name: 'again', text: 'SELECT 1' })
      await until(() => other.totalCount === 0, 2000)
    }
    await other.end()
  })
})

describe('the socket', () => {
  test('is for the owner alone, as is the folder', () => {
    expect(statSync(join(dataDir, '.s.PGSQL.5432')).mode & 0o777).toBe(0o600)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  })

  test('shows another connection nothing of an open transaction, and makes it wait', async () => {
    const client = await socketClient()
    await client.query('BEGIN')
    await client.query("INSERT INTO note VALUES (10, 'from the socket')")
    let answered = false
    const counted = pool.query('SELECT count(*)::int AS n FROM note WHERE id = 10').then(({ rows }) => {
      answered = true
      return rows[0].n
    })
    await client.query('SELECT 1')
    expect(answered).toBe(false)
    await client.query('ROLLBACK')
    expect(await counted).toBe(0)
    await client.end()
  })

  test('keeps the transaction of the pool from a socket client in the same way', async () => {
    const socket = await socketClient()
    const owner = await pool.connect()
    await owner.query('BEGIN')
    await owner.query("INSERT INTO note VALUES (11, 'from the pool')")
    const counted = socket.query('SELECT count(*)::int AS n FROM note WHERE id = 11')
    await owner.query('SELECT 1')
    await owner.query('COMMIT')
    owner.release()
    expect((await counted).rows).toEqual([{ n: 1 }])
    await socket.end()
  })

  test('rolls back when a client vanishes in the middle of a transaction', async () => {
    const raw = await rawClient()
    await raw.ask(queryMessage("BEGIN; INSERT INTO note VALUES (12, 'lost')"), 'T')
    const waiting = pool.query('SELECT count(*)::int AS n FROM note WHERE id = 12')
    raw.socket.destroy()
    expect((await waiting).rows).toEqual([{ n: 0 }])
  })

  test('understands messages that come byte by byte', async () => {
    const raw = await rawClient()
    const answer = await raw.ask(queryMessage("SELECT 'żółć' AS word"), 'I')
    expect(answer.includes(Buffer.from('żółć'))).toBe(true)
    raw.socket.destroy()
  })

  test('answers a request for encryption with no', async () => {
    const socket = connect(join(dataDir, '.s.PGSQL.5432'))
    socket.write(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]))
    const answer = await new Promise<Buffer>((resolve) => socket.once('data', resolve))
    expect(answer.toString()).toBe('N')
    socket.destroy()
  })

  test('cuts off a client that does not speak the protocol', async () => {
    const socket = connect(join(dataDir, '.s.PGSQL.5432'))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('data', () => {})
    socket.write('GET / HTTP/1.1\r\n\r\n')
    await closed
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  test('keeps named statements of two connections apart', async () => {
    const socket = await socketClient()
    const name = 'answer'
    expect((await pool.query({ name, text: 'SELECT 1 AS n' })).rows).toEqual([{ n: 1 }])
    expect((await socket.query({ name, text: "SELECT 'two' AS n" })).rows).toEqual([{ n: 'two' }])
    expect((await pool.query({ name, text: 'SELECT 1 AS n' })).rows).toEqual([{ n: 1 }])
    await socket.end()
    expect((await pool.query({ name, text: 'SELECT 1 AS n' })).rows).toEqual([{ n: 1 }])
    await until(async () => (await pool.query('SELECT FROM pg_prepared_statements')).rowCount === 1, 2000)
  })

  test('is not there where nothing runs', async () => {
    expect(await reachRunningDatabase(parent)).toBeUndefined()
  })
})

describe('the lock', () => {
  test('refuses the same process a second time', async () => {
    expect(await openEmbeddedDatabase(dataDir)).toEqual({ heldBy: `process ${process.pid} on this machine` })
  })

  test('refuses another process and tells it who holds the folder', async () => {
    const child = startChild('open', dataDir)
    await child.said(1)
    expect(JSON.parse(child.lines[0] ?? '')).toEqual({ heldBy: `process ${process.pid} on this machine` })
    await child.kill()
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })
})

test('a checkpoint follows when 64 MB of write-ahead log have gathered, so the log does not grow for ever', async () => {
  await until(async () => (await redo()) !== redoBefore, 25_000)
})

interface RawClient {
  readonly socket: Socket
  /**
   * Sends a message byte by byte and gives the answer up to ReadyForQuery with this transaction
   * status.
   */
  ask(message: Uint8Array, status: string): Promise<Buffer>
}

async function rawClient(): Promise<RawClient> {
  const socket = connect(join(dataDir, '.s.PGSQL.5432'))
  socket.setNoDelay(true)
  let received = Buffer.alloc(0)
  socket.on('data', (data) => {
    received = Buffer.concat([received, data])
  })
  const ask = async (message: Uint8Array, status: string): Promise<Buffer> => {
    received = Buffer.alloc(0)
    for (const byte of message) await new Promise((resolve) => socket.write(Uint8Array.of(byte), resolve))
    await until(() => received.subarray(-6).toString('latin1') === `Z\0\0\0\x05${status}`, 5000)
    return received
  }
  await ask(startupMessage('someone', 'something'), 'I')
  return { socket, ask }
}
