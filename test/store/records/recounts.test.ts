// When a program counts all events of a provider again, and what a recount reads.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { HandlerContext } from '../../../src/handlers/base/handler.ts'
import { recountRounds } from '../../../src/handlers/traceability/recount-rounds.ts'
import { recount } from '../../../src/handlers/traceability/recounts.ts'
import { createFirstKey } from '../../../src/store/base/api-keys.ts'
import { openDatabase } from '../../../src/store/database/database.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { type Queryable, statements } from '../../../src/store/database/statement.ts'
import {
  claimRecount,
  recountAfterUpgrade,
  recountDueSince,
  renewRecount,
} from '../../../src/store/records/recounts.ts'
import { storeOn } from '../../../src/store/store.ts'
import { version } from '../../../src/version.ts'
import { ownDatabase } from '../../support/databases/database.ts'
import { eventPayload, paths } from '../../support/records/payloads.ts'
import { type Call, calling, type Service, startService } from '../../support/servers/service.ts'

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

test('a recount stays with its process for 15 s after its last sign of life; one that is alone takes it at once', async () => {
  const { id: provider } = await service.provider()
  const { pool } = service.database
  expect(await claimRecount(pool, { provider })).toBe('none')
  await pool.query(`INSERT INTO awaiting_recount (provider_id, what) VALUES ($1, 'everything')`, [provider])
  const one = await claimRecount(pool, { provider })
  if (typeof one !== 'number') throw new Error(one)
  const secondsLeft = async () => {
    const { rows } = await pool.query(
      'SELECT extract(epoch FROM until - now())::float AS left FROM recount WHERE provider_id = $1',
      [provider],
    )
    return rows[0].left
  }
  const pass = () => pool.query(`UPDATE recount SET until = now() - interval '1 ms' WHERE provider_id = $1`, [provider])
  expect(await claimRecount(pool, { provider })).toBe('others')
  expect(await secondsLeft()).toBeLessThanOrEqual(15)
  await pass()
  expect(await renewRecount(pool, { provider, number: one })).toBe(true)
  expect(await claimRecount(pool, { provider })).toBe('others')
  expect(await secondsLeft()).toBeLessThanOrEqual(15)
  await pass()
  expect(await claimRecount(pool, { provider })).toBe(one + 1)
  expect(await renewRecount(pool, { provider, number: one })).toBe(false)
  expect(await claimRecount(pool, { provider, isAlone: true })).toBe(one + 2)
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
    const rounds = recountRounds({ store: { query } } as unknown as HandlerContext, (what) => lost.push(what))
    await vi.advanceTimersByTimeAsync(60_000)
    await rounds.end()
    expect(lost).toEqual([expect.stringContaining('The connection was lost.')])
    expect(asked.filter((name) => name === 'providersCountedByOthers')).toHaveLength(2)
  } finally {
    vi.useRealTimers()
  }
})

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly Plans?: readonly PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

test('a recount reads no event but those of its batch, also while the tables have no statistics', async () => {
  const own = await ownDatabase()
  const opened = await openDatabase(own.place)
  if ('heldBy' in opened) throw new Error(opened.heldBy)
  const { pool } = opened
  try {
    await migrate(pool)
    const provider = randomUUID()
    const stored = 'SELECT $1::uuid, lpad(i::text, 32, $2)::uuid'
    await pool.query(
      `INSERT INTO record (provider_id, id, kind, version, content_hash, search_hash)
       ${stored}, 'receivingEvent', 1, '', '' FROM generate_series(1, 4000) AS i`,
      [provider, '0'],
    )
    await pool.query(
      `INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, content_hash, detail)
       ${stored}, 1, 'receivingEvent', '', $1::uuid, '', ARRAY[repeat('x', 500), '[]'] FROM generate_series(1, 4000) AS i`,
      [provider, '0'],
    )
    const ids = Array.from({ length: 400 }, (_, i) => String(i * 10 + 1).padStart(32, '0'))
    const { rows } = await pool.query({
      text: `EXPLAIN (ANALYZE, FORMAT JSON) ${statements.get('currentBodies')}`,
      values: [provider, ids, 1_000_000],
    })
    const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan)
    expect(nodes[0]?.['Actual Rows']).toBe(ids.length)
    expect(nodes.filter((node) => node['Actual Rows'] > ids.length)).toEqual([])
  } finally {
    await opened.close()
    await own.drop()
  }
})

test('a batch of a recount is read by one statement and written by one, and master data are looked up once', async () => {
  const { id: provider, call } = await service.provider()
  // Two batches of 2,000 lines.
  for (const month of [0, 1]) {
    const body = eventPayload((payload) => {
      const [line] = payload.eventList.productList
      payload.eventList = Array.from({ length: 500 }, (_, n) => ({
        ...payload.eventList,
        eventDateTime: new Date(Date.UTC(2025, month, 1) + n * 60_000).toISOString().replace('.000Z', 'Z'),
        productList: [line, line, line, line],
      }))
    })
    const created = await call('POST', paths.receivingEvent, { body })
    expect(created.status, created.text).toBe(201)
  }
  const { pool } = service.database
  await pool.query(`INSERT INTO awaiting_recount (provider_id, what) VALUES ($1, 'everything')`, [provider])
  const asked: string[] = []
  const db: Queryable = {
    query: (query) => {
      asked.push(query.name ?? '')
      return pool.query(query)
    },
  }
  const context = { store: storeOn(db), settings: {} } as unknown as HandlerContext
  let events = 0
  for await (const step of recount(context, provider)) events += step.events
  expect(events).toBe(1_000)
  const times = (name: string) => asked.filter((one) => one === name).length
  const counts = { read: times('currentBodies'), lookedUp: times('facts'), written: times('writeCounts') }
  expect(counts).toEqual({ read: 2, lookedUp: 1, written: 2 })
})
