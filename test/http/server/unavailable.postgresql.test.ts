// Each cause of a 503 says its own, to the caller and in the log.
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../../src/store/database/migrate.ts'
import { serverOn } from '../../../src/wiring.ts'
import { ownPostgresqlDatabase } from '../../support/databases/database.ts'
import { allowMs } from '../../support/patience.ts'
import { paths, productPayload } from '../../support/records/payloads.ts'
import {
  calling,
  type Reply,
  type Service,
  startService,
  type TestProvider,
  testConfig,
} from '../../support/servers/service.ts'
import { testSigner } from '../../support/servers/signer.ts'

let own: { url: string; drop(): Promise<void> }
let service: Service
let provider: TestProvider
beforeAll(async () => {
  own = await ownPostgresqlDatabase()
  const pool = new pg.Pool({ connectionString: own.url })
  await migrate(pool)
  service = await startService({}, undefined, { kind: 'postgresql', pool, url: own.url, close: () => pool.end() })
  provider = await service.provider()
})
afterAll(async () => {
  await service?.close()
  await own?.drop()
})

/** What a service on connections of this kind answers, and logs as errors. */
async function answerOf(
  config: pg.PoolConfig,
  ask: (call: ReturnType<typeof calling>, pool: pg.Pool) => Promise<Reply>,
): Promise<{ readonly reply: Reply; readonly logged: string }> {
  const pool = new pg.Pool({ connectionString: own.url, ...config })
  const lines: string[] = []
  const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const server = await serverOn({ pool }, testConfig(), logger, testSigner)
  try {
    const url = await server.listen({ host: '127.0.0.1', port: 0 })
    const reply = await ask(calling(url, await provider.key('writer')), pool)
    return { reply, logged: lines.join('') }
  } finally {
    await server.close()
    await pool.end()
  }
}

const expectUnavailable = (reply: Reply, words: string) => {
  expect([reply.status, reply.body.type], reply.text).toEqual([503, '/docs/problems/unavailable'])
  expect(reply.headers.get('retry-after')).toBe('2')
  expect(reply.body.detail).toContain(words)
}

const create = (call: ReturnType<typeof calling>) => call('POST', paths.masterProduct, { body: productPayload() })

/** A replacement of a record that another transaction holds. */
async function replaceHeld(call: ReturnType<typeof calling>): Promise<Reply> {
  const payload = productPayload()
  const [id] = (await provider.call('POST', paths.masterProduct, { body: payload })).body.request_ids
  payload.productMasterDataList.packSize = '77 x'
  const holder = new pg.Client({ connectionString: own.url })
  await holder.connect()
  try {
    await holder.query('BEGIN')
    await holder.query('SELECT 1 FROM record WHERE id = $1 FOR UPDATE', [id])
    return await call('PUT', `${paths.masterProduct}/${id}`, { body: payload })
  } finally {
    await holder.end()
  }
}

test('a read-only database is called read-only, and reads work', async () => {
  const { reply, logged } = await answerOf({ options: '-c default_transaction_read_only=on' }, async (call) => {
    expect((await call('GET', paths.masterProduct)).status).toBe(200)
    return create(call)
  })
  expectUnavailable(reply, 'The database is read-only')
  expect(logged).toContain('The database is read-only.')
  expect(logged).toContain('25006')
})

test('a statement that was cancelled for its time says so, and to ask for less', async () => {
  const { reply, logged } = await answerOf({ options: `-c statement_timeout=${allowMs(300)}` }, replaceHeld)
  expectUnavailable(reply, 'Ask for less')
  expect(logged).toContain('The database cancelled a statement')
})

test('a lock that others hold is told', async () => {
  const { reply } = await answerOf({ options: '-c lock_timeout=100' }, replaceHeld)
  expectUnavailable(reply, 'Other work in the database holds what the request needs')
})

test('connections that are all in use are told, and not taken for a database that is away', async () => {
  const { reply } = await answerOf({ max: 1, connectionTimeoutMillis: allowMs(500) }, async (call, pool) => {
    const taken = await pool.connect()
    try {
      return await call('GET', `${paths.masterProduct}/01900000-0000-7000-8000-000000000000`)
    } finally {
      taken.release()
    }
  })
  expectUnavailable(reply, 'All connections to the database are in use')
})

test('a database that is away is told', async () => {
  const { reply, logged } = await answerOf({ connectionString: 'postgresql://127.0.0.1:1/none' }, (call) =>
    call('GET', paths.masterProduct),
  )
  expectUnavailable(reply, 'The database cannot be reached')
  expect(logged).toContain('The database is unavailable (ECONNREFUSED)')
})
