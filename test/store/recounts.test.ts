// When a program counts all events of a provider again: after an upgrade, and not because it starts.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { HandlerContext } from '../../src/handlers/handler.ts'
import { recountRounds } from '../../src/handlers/recount-rounds.ts'
import { createFirstKey } from '../../src/store/api-keys.ts'
import { recountAfterUpgrade, recountDueSince } from '../../src/store/recounts.ts'
import { version } from '../../src/version.ts'
import { eventPayload, paths } from '../support/payloads.ts'
import { type Call, calling, type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

async function providerOfFirstKey(): Promise<{ id: string; call: Call }> {
  const { pool } = service.database
  const name = `first ${randomUUID()}`
  const key = await createFirstKey(pool, name)
  const { rows } = await pool.query('SELECT provider_id FROM provider WHERE name = $1', [name])
  return { id: rows[0].provider_id, call: calling(service.url, key) }
}

test.each([
  ['the first start', providerOfFirstKey],
  ['a command', () => service.provider()],
])('a provider that %s of this version made is not counted again by the next start', async (_, make) => {
  const { id, call } = await make()
  const created = await call('POST', paths.receivingEvent, { body: eventPayload() })
  expect(created.status, created.text).toBe(201)
  const { pool } = service.database
  await recountAfterUpgrade(pool, version)
  expect(await recountDueSince(pool, id)).toBeUndefined()
})

test('a start that cannot ask which rules have counted asks again within a minute', async () => {
  vi.useFakeTimers()
  try {
    const asked: string[] = []
    const query = async ({ name = '' }: { name?: string }) => {
      asked.push(name)
      if (asked.length === 1) throw new Error('The connection was lost.')
      return { rows: [] }
    }
    const lost: string[] = []
    const rounds = recountRounds({ store: { db: { query } } } as unknown as HandlerContext, (what) => lost.push(what))
    await vi.advanceTimersByTimeAsync(60_000)
    await rounds.end()
    expect(lost).toEqual([expect.stringContaining('The connection was lost.')])
    expect(asked.filter((name) => name === 'providersCountedByOthers')).toHaveLength(2)
  } finally {
    vi.useRealTimers()
  }
})
