import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectionLost } from '../../../src/store/database/database-errors.ts'
import { type PatientQuery, watchedClient } from '../../../src/store/database/watched-client.ts'
import { ownPostgresqlDatabase } from '../../support/databases/database.ts'
import { startWireProxy, type WireProxy } from '../../support/databases/wire-proxy.ts'
import { allowMs } from '../../support/patience.ts'

const silentMsMax = allowMs(300)

let own: { url: string; drop(): Promise<void> }
let proxy: WireProxy
let pool: pg.Pool
beforeAll(async () => {
  own = await ownPostgresqlDatabase()
  proxy = await startWireProxy(own.url)
  pool = new pg.Pool({ connectionString: proxy.url, Client: watchedClient(() => silentMsMax) })
  pool.on('error', () => undefined)
})
afterAll(async () => {
  await pool.end()
  await proxy.close()
  await own.drop()
})

const idOf = async (client: pg.Pool | pg.PoolClient) => (await client.query('SELECT pg_backend_pid() AS id')).rows[0].id

test('a statement that a vanished server never answers fails as on a lost connection, and the next one has another', async () => {
  const before = await idOf(pool)
  proxy.onStatement = (text) => (text.includes('unanswered') ? { is: 'swallow' } : undefined)
  const error = await pool.query('SELECT 1 AS unanswered').catch((error) => error)
  expect(error).toMatchObject({ code: 'ETIMEDOUT', message: `The database has not answered for ${silentMsMax} ms.` })
  expect(connectionLost(error)).toBe(true)
  expect(await idOf(pool)).not.toBe(before)
})

test('a patient statement may take longer, and an idle connection is kept meanwhile', async () => {
  const [idle, busy] = await Promise.all([pool.connect(), pool.connect()])
  const before = await idOf(idle)
  // Longer than the limit and the time between two looks.
  const seconds = silentMsMax / 1_000 + 1.7
  const patient: pg.QueryConfig & PatientQuery = { text: `SELECT pg_sleep(${seconds})`, isPatient: true }
  expect((await busy.query(patient)).rowCount).toBe(1)
  expect(await idOf(idle)).toBe(before)
  for (const client of [idle, busy]) client.release()
})
