// A purge beside those who write, and beside those who set holds: neither is overtaken by it.
// Sources: decisions 0040, 0041.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { yearsBefore } from '../../../src/contract/shape/date-and-time.ts'
import type { Query, Queryable } from '../../../src/store/database/statement.ts'
import { beginAccess, commandLine } from '../../../src/store/evidence/access-log.ts'
import { insertLegalHold } from '../../../src/store/keeping/legal-holds.ts'
import { purgeDue, type Step } from '../../../src/store/keeping/retention.ts'
import { storeAged } from '../../support/databases/aged-records.ts'
import { untilItWaits } from '../../support/databases/lock-waits.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
/** A connection of the test's own, which holds locks. */
let other: pg.Client
beforeAll(async () => {
  service = await startService()
  other = new pg.Client({ connectionString: service.database.url })
  await other.connect()
})
afterAll(async () => {
  await other?.end()
  await service?.close()
})

const now = new Date()
const before = yearsBefore(now, 2)
const edit = ({ eventList }: Payload): void => {
  eventList.eventDateTime = '2020-05-01T12:00:00Z'
}

async function agedEvent({ id: provider }: TestProvider): Promise<string> {
  const versions = [{ submittedAt: new Date('2020-05-02T12:00:00Z'), edit }]
  const [id = ''] = await storeAged(service.database.pool, provider, [{ kind: 'receivingEvent', versions }])
  return id
}

/** A purge with its entry; it is under way when this resolves to it. */
async function purge(
  { id: provider }: TestProvider,
  db: Queryable = service.database.pool,
): Promise<{ readonly step: Promise<Step> }> {
  const { pool } = service.database
  const entry = await beginAccess(pool, provider, { ...commandLine, operation: 'purge', asked: {}, records: undefined })
  return { step: purgeDue(db, { provider, before }, { now, entry }) }
}

/** Words of the statements that are waited for, near their begin: the activity of a server has no more. */
const statementWords = {
  countOfHolds: 'INSERT INTO setting_version',
  purge: 'read_lots AS (',
  replacement: 'submitted AS (',
} as const

/** Resolves when such a statement waits for a lock. */
const waits = (statement: keyof typeof statementWords): Promise<void> =>
  untilItWaits(service.database.pool, statementWords[statement])

describe('a purge', () => {
  test.each(['the first', 'a later'])(
    'that begins before %s hold is committed waits for it, and purges nothing that it covers',
    async (which) => {
      const provider = await service.provider()
      const id = await agedEvent(provider)
      const earlier = { provider: provider.id, lotCode: 'ANOTHER', reason: 'a test' }
      if (which === 'a later') await insertLegalHold(service.database.pool, earlier, commandLine)
      await other.query('BEGIN')
      await insertLegalHold(other, { provider: provider.id, recordId: id, reason: 'a test' }, commandLine)
      const { step } = await purge(provider)
      await waits('countOfHolds')
      await other.query('COMMIT')
      expect((await step).versions).toEqual([])
      expect((await provider.call('GET', `${paths.receivingEvent}/${id}`)).status).toBe(200)
    },
  )

  test('that has read the holds before one is set waits for it, and purges nothing that it covers', async () => {
    const provider = await service.provider()
    const id = await agedEvent(provider)
    const { pool } = service.database
    let isSet = false
    const setsBefore: Queryable = {
      query: async (asked: Query) => {
        if (!isSet && asked.text.includes(statementWords.purge)) {
          isSet = true
          await other.query('BEGIN')
          await insertLegalHold(other, { provider: provider.id, recordId: id, reason: 'a test' }, commandLine)
        }
        return pool.query(asked)
      },
    }
    const { step } = await purge(provider, setsBefore)
    await waits('purge')
    await other.query('COMMIT')
    expect((await step).versions).toEqual([])
    expect(isSet).toBe(true)
    expect((await provider.call('GET', `${paths.receivingEvent}/${id}`)).status).toBe(200)
  })

  test('that has begun before a replacement is committed waits for it, and leaves the record whole', async () => {
    const provider = await service.provider()
    const id = await agedEvent(provider)
    await other.query('BEGIN')
    await other.query('SELECT 1 FROM record WHERE provider_id = $1 AND id = $2 FOR UPDATE', [provider.id, id])
    const { step } = await purge(provider)
    await waits('purge')
    // What a replacement does, as far as it concerns a purge.
    await other.query('UPDATE record SET version = 2 WHERE provider_id = $1 AND id = $2', [provider.id, id])
    await other.query(
      `INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, content_hash, detail)
       SELECT provider_id, record_id, 2, kind, key_id, request_id, content_hash, detail
       FROM record_version WHERE provider_id = $1 AND record_id = $2`,
      [provider.id, id],
    )
    await other.query('COMMIT')
    expect((await step).versions).toEqual([])
    for (const version of [1, 2])
      expect((await provider.call('GET', `${paths.receivingEvent}/${id}/versions/${version}`)).status).toBe(200)
    const lots = await provider.call('GET', `${paths.receivingEvent}?lotCode=GV26062-A`)
    expect(lots.body.content).toHaveLength(1)
  })

  test('that is not committed lets a replacement wait, which then finds the event gone', async () => {
    const provider = await service.provider()
    const id = await agedEvent(provider)
    const { pool } = service.database
    const entry = await beginAccess(pool, provider.id, {
      ...commandLine,
      operation: 'purge',
      asked: {},
      records: undefined,
    })
    await other.query('BEGIN')
    const what = { provider: provider.id, before } as const
    expect((await purgeDue(other, what, { now, entry })).versions).toHaveLength(1)
    const replacement = provider.call('PUT', `${paths.receivingEvent}/${id}`, { body: eventPayload() })
    await waits('replacement')
    await other.query('COMMIT')
    expect((await replacement).status).toBe(410)
  })

  test('and another at the same time purge each version once', async () => {
    const provider = await service.provider()
    for (let i = 0; i < 5; i++) await agedEventAt(provider, i)
    const steps = await Promise.all([(await purge(provider)).step, (await purge(provider)).step])
    expect(steps.flatMap(({ versions }) => versions)).toHaveLength(5)
  })
})

async function agedEventAt({ id: provider }: TestProvider, minute: number): Promise<void> {
  const at = (payload: Payload): void => {
    payload.eventList.eventDateTime = `2020-05-01T12:0${minute}:00Z`
  }
  const versions = [{ submittedAt: new Date('2020-05-02T12:00:00Z'), edit: at }]
  await storeAged(service.database.pool, provider, [{ kind: 'receivingEvent', versions }])
}
