// Refusals are kept for the provider to see: what was sent, by which key, and what was wrong with
// it. Source: decision 0034.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordRefusals } from '../../../src/store/records/refusals.ts'
import { eventPayload, paths } from '../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
let provider: TestProvider
beforeAll(async () => {
  service = await startService()
  provider = await service.provider()
})
afterAll(() => service?.close())

/** The list once it holds as many: a refusal is kept after its answer. */
async function refusals(of: TestProvider, count: number) {
  for (;;) {
    const { content } = (await of.call('GET', '/refusals?limit=200')).body
    if (content.length >= count) return content
  }
}

describe('refusals', () => {
  test('name the rejected call and the reason that the sender got', async () => {
    const bad = eventPayload(({ eventList }) => {
      delete eventList.purchaseOrderNumber
    })
    const reply = await provider.call('POST', paths.receivingEvent, { body: bad })
    const good = eventPayload()
    const id = (await provider.call('POST', paths.receivingEvent, { body: good })).body.request_ids[0]
    await provider.call('POST', paths.receivingEvent, { body: good })
    await provider.call('PUT', `${paths.receivingEvent}/${id}`, { body: {} })
    const content = await refusals(provider, 3)
    expect(content).toMatchObject([
      { operation: 'replaceReceivingEvent', outcome: 'refused', recordId: id },
      { operation: 'createReceivingEvents', outcome: 'taken', recordId: null, findings: [] },
      {
        operation: 'createReceivingEvents',
        outcome: 'refused',
        detail: reply.body.detail,
        findings: reply.body.findings,
        findingCount: reply.body.findingCount,
        requestId: reply.headers.get('request-id'),
      },
    ])
  })

  test('of dry runs, of reads and of what was taken are not kept; nor are those of another provider', async () => {
    const own = await service.provider()
    await own.call('POST', `${paths.receivingEvent}?dryRun=true`, { body: {} })
    await own.call('GET', `${paths.receivingEvent}/nobody`)
    await own.call('POST', paths.receivingEvent, { body: eventPayload() })
    await own.call('POST', paths.masterProduct, { body: {} })
    expect(await refusals(own, 1)).toMatchObject([{ operation: 'createMasterProducts' }])
  })

  test('are read page by page', async () => {
    const own = await service.provider()
    for (let i = 0; i < 3; i++) await own.call('POST', paths.location, { body: {} })
    await refusals(own, 3)
    const first = (await own.call('GET', '/refusals?limit=2')).body
    const second = (await own.call('GET', `/refusals?limit=2&cursor=${first.nextCursor}`)).body
    expect([first.content.length, second.content.length, second.nextCursor]).toEqual([2, 1, null])
    expect((await own.call('GET', '/refusals?cursor=abc')).status).toBe(400)
  })

  test('make way for newer ones', async () => {
    const { id } = await service.provider()
    const { pool } = service.database
    const note = (n: number) => ({
      id: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
      requestId: '00000000-0000-4000-8000-000000000000',
      keyId: 'k',
      operation: 'createLocations',
      recordId: undefined,
      dataProviderVendorId: undefined,
      outcome: 'refused',
      detail: '',
      findings: '[]',
      findingCount: 0,
    })
    for (let n = 0; n < 6; n++)
      await recordRefusals(pool, { provider: id, refusals: [note(2 * n), note(2 * n + 1)], kept: 3 })
    const { rows } = await pool.query('SELECT id FROM refusal WHERE provider_id = $1 ORDER BY id', [id])
    expect(rows.map((row) => Number(row.id.slice(-12)))).toEqual([7, 8, 9, 10, 11])
  })
})
