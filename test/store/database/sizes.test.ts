// The size of the database, also where its tables are on several nodes.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSizes } from '../../../src/store/database/sizes.ts'
import { locationPayload, paths } from '../../support/records/payloads.ts'
import { type Service, startServiceAlone } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startServiceAlone()
})
afterAll(() => service?.close())

test('the bytes and rows are those of all providers, wherever they are', async () => {
  const { pool } = service.database
  const providers = 5
  for (let n = 0; n < providers; n++) {
    const { call } = await service.provider()
    expect((await call('POST', paths.location, { body: locationPayload() })).status).toBe(201)
  }
  await pool.query('ANALYZE location, record')
  // PostgreSQL counts what was done a moment after it.
  await expect.poll(() => readSizes(pool)).toMatchObject({ rows: { location: providers, record: providers } })
  expect((await readSizes(pool)).bytes).toBeGreaterThan(1_000_000)
})
