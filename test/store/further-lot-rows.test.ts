// A database that was written before lot codes had rows for further lots gets them with the
// migration.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { furtherLotsMigration } from '../../src/store/further-lot-rows.ts'
import { migrate } from '../../src/store/migrate.ts'
import { eventPayload, type Payload, paths, shippingPayload } from '../support/payloads.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

test('lot codes that are stored already are found by each of their lots after the upgrade', async () => {
  const provider = await service.provider()
  const { pool } = service.database
  const carrying = (lotCodes: readonly string[], payload: typeof eventPayload): Payload =>
    payload(({ eventList }) => {
      const [sample] = eventList.productList
      eventList.productList = lotCodes.map((caseLotNumber) => ({ ...sample, caseLotNumber }))
    })
  const written = ['L1, L2', 'L5-L7', 'LX13 (best by 3/4)', 'PLAIN-1', 'plain 2']
  for (const [kind, payload] of [
    ['receivingEvent', eventPayload],
    ['shippingEvent', shippingPayload],
  ] as const) {
    const created = await provider.call('POST', paths[kind], { body: carrying(written, payload) })
    expect(created.status, created.text).toBe(201)
    const [id] = created.body.request_ids
    const replaced = await provider.call('PUT', `${paths[kind]}/${id}`, { body: carrying(written.slice(1), payload) })
    expect(replaced.status, replaced.text).toBe(200)
  }
  const rows = async () => {
    const { rows: all } = await pool.query(
      `SELECT 'r' AS of, code, id, unfolded, 0 AS version FROM receiving_event_code WHERE provider_id = $1
       UNION ALL SELECT 's', code, id, unfolded, 0 FROM shipping_event_code WHERE provider_id = $1
       UNION ALL SELECT 'e', code, id, unfolded, last_version FROM earlier_lot_code WHERE provider_id = $1
       ORDER BY 1, 2, 3, 4`,
      [provider.id],
    )
    return all
  }
  const before = await rows()
  const further = ['L1', 'L2', 'L5', 'L6', 'L7', 'LX13']
  for (const table of ['receiving_event_code', 'shipping_event_code', 'earlier_lot_code'])
    await pool.query(`DELETE FROM ${table} WHERE provider_id = $1 AND code = ANY ($2::text[])`, [provider.id, further])
  await pool.query('DELETE FROM schema_migration WHERE file = $1', [furtherLotsMigration])
  expect((await rows()).length).toBeLessThan(before.length)
  expect((await migrate(pool)).is).toBe('current')
  expect(await rows()).toEqual(before)
})
