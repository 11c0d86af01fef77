// Who may send to a webhook, and what one that is late may still write: nothing but its attempt.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { beginning, positionText } from '../../../src/contract/changes.ts'
import type { Claim } from '../../../src/store/base/leases.ts'
import {
  attemptsKept,
  beginMessage,
  changeWebhookKey,
  deleteOldAttempts,
  enableWebhook,
  findWebhook,
  insertWebhook,
  listAttempts,
  moveWebhook,
  type NewAttempt,
  replaceWebhookSettings,
  type StoredWebhook,
  settleMessage,
  skipChanges,
  type WebhookSettings,
  webhookLease,
  webhooksMax,
} from '../../../src/store/changes/webhooks.ts'
import { provideProvider } from '../../../src/store/database/providers.ts'
import { commandLine } from '../../../src/store/evidence/access-log.ts'
import { drawWebhookKey } from '../../../src/webhooks/signature.ts'
import { type TestDatabase, testDatabase } from '../../support/databases/database.ts'

let database: TestDatabase
let pool: TestDatabase['pool']
beforeAll(async () => {
  database = await testDatabase()
  pool = database.pool
})
afterAll(() => database?.close())

const settings: WebhookSettings = {
  url: 'https://erp.example.com/hook',
  description: null,
  types: ['receivingEvent.*'],
  dataProviderVendorId: null,
  shipToLocationCode: null,
  lotCode: null,
  payload: 'thin',
}
const start = { position: positionText(beginning), alertNumber: 0 }

let provider: string
let id: string
beforeEach(async () => {
  provider = await provideProvider(pool, `webhooks ${randomUUID()}`)
  id = randomUUID()
  expect(
    await insertWebhook(pool, { provider, id, ...settings, ...drawWebhookKey('v1a'), ...start }, commandLine),
  ).toBe(true)
})

const claim = (isAlone = false) => webhookLease.claim(pool, { provider, id, isAlone })
const renew = (claimed: Claim) => webhookLease.renew(pool, provider, [claimed])

/** One that has to be free. */
async function claimed(): Promise<StoredWebhook> {
  const webhook = await claim()
  if (webhook === undefined) throw new Error('The webhook is not free.')
  return webhook
}

const expire = () => pool.query("UPDATE webhook SET until = now() - interval '1 second' WHERE id = $1", [id])

const attemptOf = (messageId: string, delivered: boolean): NewAttempt => ({
  id: randomUUID(),
  beganAt: new Date(),
  ms: 12.5,
  messageId,
  type: 'receivingEvent.created',
  changes: 1,
  position: '7-1-0123abcd',
  attempt: 1,
  delivered,
  status: delivered ? 204 : 500,
  error: null,
  answer: null,
})

test('one process has a webhook until its time is up, and who took over has a higher number', async () => {
  const one = await claimed()
  expect(await claim()).toBeUndefined()
  expect(await renew(one)).toEqual([{ id, fence: one.fence, setting: one.setting }])
  expect(await renew({ id, fence: one.fence + 1 })).toEqual([])
  expect(await webhookLease.renew(pool, provider, [])).toEqual([])
  await expire()
  const two = await claimed()
  expect(two.fence).toBe(one.fence + 1)
  expect(await renew(one)).toEqual([])
  // One that was late gives back nothing that is no longer its own.
  await webhookLease.release(pool, provider, one)
  expect(await claim()).toBeUndefined()
  await webhookLease.release(pool, provider, two)
  // A renewal that arrives after the release takes nothing back.
  expect(await renew(two)).toEqual([])
  expect((await claimed()).fence).toBe(two.fence + 1)
  // Nobody else can be on the embedded database: what was killed a moment ago need not expire.
  expect((await claim(true))?.fence).toBe(two.fence + 2)
})

test('a process that was late moves nothing, and its attempt is noted', async () => {
  const late = await claimed()
  const messageId = randomUUID()
  expect(await beginMessage(pool, { ...late, provider, ...start, messageId }, { end: '7-1-0123abcd' })).toBe(true)
  await expire()
  const now = await claimed()
  expect(now).toMatchObject({ messageId, messageEnd: '7-1-0123abcd', position: start.position })
  expect(
    await settleMessage(pool, { ...late, provider }, messageId, {
      attempt: attemptOf(messageId, true),
      after: undefined,
    }),
  ).toBe(false)
  expect(await beginMessage(pool, { ...late, provider, ...start, messageId: randomUUID() }, { alert: 1 })).toBe(false)
  expect(await skipChanges(pool, { provider, ...late, position: '9-9-0123abcd', alertNumber: 9 })).toBe(false)
  expect(await findWebhook(pool, provider, id)).toMatchObject({ messageId, position: start.position, attempts: 0 })
  expect(
    await settleMessage(pool, { ...now, provider }, messageId, {
      attempt: attemptOf(messageId, true),
      after: undefined,
    }),
  ).toBe(true)
  expect(await findWebhook(pool, provider, id)).toMatchObject({ messageId: null, position: '7-1-0123abcd' })
  expect(await listAttempts(pool, { provider, webhook: id, failedOnly: false, limit: 9 })).toHaveLength(2)
})

test('what an administrator changes meanwhile holds: a message of before moves nothing on', async () => {
  const webhook = await claimed()
  const messageId = randomUUID()
  await beginMessage(pool, { ...webhook, provider, ...start, messageId }, { end: '7-1-0123abcd' })
  // Neither the address nor the key changes what the message is.
  await replaceWebhookSettings(pool, { provider, id, ...settings, url: 'https://other.example.com/' }, commandLine)
  await changeWebhookKey(pool, { provider, id, ...drawWebhookKey('v1') }, commandLine)
  expect(await findWebhook(pool, provider, id)).toMatchObject({
    messageId,
    url: 'https://other.example.com/',
    oldSignature: 'v1a',
  })
  await replaceWebhookSettings(pool, { provider, id, ...settings, lotCode: 'GV26063-A' }, commandLine)
  expect(
    await settleMessage(pool, { ...webhook, provider }, messageId, {
      attempt: attemptOf(messageId, true),
      after: undefined,
    }),
  ).toBe(false)
  expect(await findWebhook(pool, provider, id)).toMatchObject({ messageId: null, position: start.position })
  expect(
    await beginMessage(pool, { ...webhook, provider, ...start, messageId: randomUUID() }, { end: '8-1-0123abcd' }),
  ).toBe(false)
  const again = { ...webhook, ...(await findWebhook(pool, provider, id)) }
  expect(await beginMessage(pool, { ...again, provider, ...start, messageId }, { end: '8-1-0123abcd' })).toBe(true)
  await moveWebhook(pool, { provider, id, position: '3-1-0123abcd' }, commandLine)
  expect(
    await settleMessage(pool, { ...again, provider }, messageId, {
      attempt: attemptOf(messageId, true),
      after: undefined,
    }),
  ).toBe(false)
  expect(await findWebhook(pool, provider, id)).toMatchObject({ messageId: null, position: '3-1-0123abcd' })
})

test('failures count until one is delivered, disable, and end with resuming', async () => {
  const webhook = await claimed()
  const messageId = randomUUID()
  await beginMessage(pool, { ...webhook, provider, ...start, messageId }, { alert: 4 })
  const failed = attemptOf(messageId, false)
  await settleMessage(pool, { ...webhook, provider }, messageId, { attempt: failed, after: { againInSeconds: 60 } })
  expect(await findWebhook(pool, provider, id)).toMatchObject({
    attempts: 1,
    messageAlert: 4,
    failingSince: expect.any(Date),
    disabledAt: null,
  })
  expect((await findWebhook(pool, provider, id))?.dueInMs).toBeGreaterThan(50_000)
  const last = attemptOf(messageId, false)
  await settleMessage(pool, { ...webhook, provider }, messageId, {
    attempt: last,
    after: { disabledBecause: 'failing' },
  })
  expect(await findWebhook(pool, provider, id)).toMatchObject({ attempts: 2, disabledBecause: 'failing' })
  await webhookLease.release(pool, provider, webhook)
  expect(await claim()).toBeUndefined()
  await enableWebhook(pool, { provider, id }, commandLine)
  const resumed = await claimed()
  expect(resumed).toMatchObject({ attempts: 0, failingSince: null, dueInMs: 0, messageId, messageAlert: 4 })
  await settleMessage(pool, { ...resumed, provider }, messageId, {
    attempt: attemptOf(messageId, true),
    after: undefined,
  })
  expect(await findWebhook(pool, provider, id)).toMatchObject({ alertNumber: 4, messageAlert: null, attempts: 0 })
})

test('the newest attempts are kept, for some weeks', async () => {
  await pool.query(
    `INSERT INTO webhook_attempt (provider_id, webhook_id, id, began_at, ms, message_id, type, changes, attempt, delivered)
     SELECT $1, $2, ('01900000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid,
            CASE WHEN i > $3 THEN now() ELSE now() - interval '31 days' END, 1, 'm', 't', 1, 1, true
     FROM generate_series(1, $3 + 5) AS i`,
    [provider, id, attemptsKept],
  )
  expect(await listAttempts(pool, { provider, webhook: id, failedOnly: false, limit: 2 * attemptsKept })).toHaveLength(
    5,
  )
  await deleteOldAttempts(pool, { provider, webhook: id })
  const left = await pool.query('SELECT count(*)::integer AS rows FROM webhook_attempt WHERE webhook_id = $1', [id])
  expect(left.rows).toEqual([{ rows: 5 }])
})

test('a provider has so many webhooks and none above', async () => {
  for (let i = 1; i < webhooksMax; i++)
    await insertWebhook(
      pool,
      { provider, id: randomUUID(), ...settings, ...drawWebhookKey('v1'), ...start },
      commandLine,
    )
  expect(
    await insertWebhook(
      pool,
      { provider, id: randomUUID(), ...settings, ...drawWebhookKey('v1'), ...start },
      commandLine,
    ),
  ).toBe(false)
})
