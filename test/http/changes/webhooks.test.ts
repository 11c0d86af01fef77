// Webhooks over HTTP, to receivers on this machine: what is stored is sent, in the order of the
// feed, signed, one message at a time, and each until the receiver confirms it.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { reachMigratedDatabase } from '../../../src/store/database/migrated-database.ts'
import { type Running, start } from '../../../src/wiring.ts'
import { type OwnDatabase, ownDatabase } from '../../support/databases/database.ts'
import { allowMs } from '../../support/patience.ts'
import { eventPayload, paths, payloadOf } from '../../support/records/payloads.ts'
import { isShortRun } from '../../support/runs.ts'
import { type Call, calling, makeProvider, startService, testConfig } from '../../support/servers/service.ts'
import {
  changesIn,
  type Received,
  type Receiver,
  type Reply,
  startReceiver,
  verifyAsymmetric,
} from '../../support/servers/webhook-receiver.ts'

let own: OwnDatabase
let folder: string
let running: Running
let pool: pg.Pool
let closeDatabase: () => Promise<void>
const receivers: Receiver[] = []

beforeAll(async () => {
  own = await ownDatabase()
  folder = await mkdtemp(join(tmpdir(), 'lotkeeper-webhooks-'))
  running = await begin()
  const opened = await reachMigratedDatabase(own.place)
  if ('problem' in opened) throw new Error(opened.problem)
  pool = opened.database.pool
  closeDatabase = opened.database.close
})

afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()))
  await closeDatabase?.()
  await running?.stop()
  await own?.drop()
  await rm(folder, { recursive: true, force: true })
})

/** A service of this process that sends, and retries every second. */
async function begin(overrides: Parameters<typeof testConfig>[0] = {}, on = own): Promise<Running> {
  const place = on.place.databaseUrl === undefined ? on.place : { ...on.place, dataDir: folder }
  const started = await start({
    ...testConfig({ ...place, port: 0, workers: 1, logLevel: 'silent', webhookRetrySeconds: 1 }),
    ...overrides,
  })
  if ('problem' in started) throw new Error(started.problem)
  return started
}

/** An administrator of a provider of its own. */
async function provider(): Promise<Call & { readonly id: string }> {
  const { id, key: keyOf } = await makeProvider(pool, running.address)
  const key = await keyOf('administrator')
  return Object.assign((...args: Parameters<Call>) => calling(running.address, key)(...args), { id })
}

async function receiver(reply?: Reply): Promise<Receiver> {
  const one = await startReceiver(reply)
  receivers.push(one)
  return one
}

/** Creates a webhook, which has to succeed. */
async function webhookTo(call: Call, { url }: Receiver, more: object = {}) {
  const { status, body } = await call('POST', '/webhooks', { body: { url, ...more } })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

/** Stores so many receiving events, and returns their ids. */
async function write(call: Call, count: number): Promise<string[]> {
  const replies = await Promise.all(
    Array.from({ length: count }, () => call('POST', paths.receivingEvent, { body: payloadOf.receivingEvent() })),
  )
  for (const { status } of replies) expect(status).toBe(201)
  return replies.flatMap(({ body }) => body.request_ids)
}

const positionsIn = (received: readonly Received[]) => received.flatMap((one) => changesIn(one).map((c) => c.position))

/** Without what came before under the same id. */
const firstOfEach = (received: readonly Received[]) =>
  received.filter(({ id }, n) => received.findIndex((one) => one.id === id) === n)

/** Positions of everything that happened, in the order of the feed. */
const feedOf = async (call: Call, query = ''): Promise<string[]> =>
  (await call('GET', `/changes?limit=200${query}`)).body.content.map((change: { position: string }) => change.position)

const attemptsOf = async (call: Call, id: string, query = '') =>
  (await call('GET', `/webhooks/${id}/attempts${query}`)).body.content

test.concurrent('what is stored is sent once, in the order of the feed, with signatures that others verify', async ({
  expect,
}) => {
  const call = await provider()
  await write(call, 2)
  const [asymmetric, symmetric] = [await receiver(), await receiver()]
  const first = await webhookTo(call, asymmetric)
  const second = await webhookTo(call, symmetric, { signature: 'v1', description: 'ERP' })
  expect(first).toMatchObject({ signature: 'v1a', publicKey: expect.stringMatching(/^whpk_/), secret: null })
  expect(second).toMatchObject({ publicKey: null, secret: expect.stringMatching(/^whsec_/), description: 'ERP' })
  const [id = ''] = await write(call, 3)
  const body = eventPayload(({ eventList }) => {
    eventList.purchaseOrderNumber = 'changed'
  })
  expect((await call('PUT', `${paths.receivingEvent}/${id}`, { body })).status).toBe(200)
  const types = () => asymmetric.received.flatMap((one) => changesIn(one).map(({ type }) => type))
  await expect.poll(() => types().filter((type) => type === 'receivingEvent.replaced').length).toBe(1)
  await expect.poll(() => types().filter((type) => type === 'receivingEvent.created').length).toBe(3)
  for (const { received } of [asymmetric, symmetric]) {
    await expect.poll(async () => positionsIn(received).at(-1)).toBe((await feedOf(call)).at(-1))
    // Not what was there before the webhooks were created.
    const positions = positionsIn(received)
    expect(positions).toEqual((await feedOf(call)).slice(-positions.length))
    expect(new Set(received.map((one) => one.id)).size).toBe(received.length)
  }
  for (const one of asymmetric.received) expect(verifyAsymmetric(first.publicKey, one.headers, one.body)).toBe(true)
  for (const one of symmetric.received)
    expect(new Webhook(second.secret).verify(one.body, one.headers)).toEqual(one.message)
  await expect
    .poll(async () => (await call('GET', '/webhooks')).body)
    .toMatchObject({
      content: [
        {
          id: first.id,
          ...{ position: (await feedOf(call)).at(-1), changesBehind: 0, secondsBehind: 0 },
          ...{ state: 'enabled', failedAttempts: 0 },
        },
        { id: second.id, lastDeliveredDateTime: expect.any(String) },
      ],
      newestPosition: (await feedOf(call)).at(-1),
    })
  expect((await call('GET', '/webhooks')).text).not.toContain('whsec_')
})

test.concurrent('a message that fails is sent again under its id, and what follows waits for it', async ({
  expect,
}) => {
  const call = await provider()
  const broken = await receiver((_one, response) => response.writeHead(503).end('Closed for lunch'))
  const { id } = await webhookTo(call, broken, { types: ['receivingEvent.*'] })
  await write(call, 1)
  await expect.poll(() => broken.received.length).toBeGreaterThanOrEqual(3)
  await write(call, 1)
  const [failed] = await attemptsOf(call, id, '?failed=true&limit=1')
  expect(failed).toMatchObject({
    outcome: 'failed',
    status: 503,
    error: 'The receiver answered with 503.',
    answer: 'Closed for lunch',
    type: 'receivingEvent.created',
    changes: 1,
    nextAttemptDateTime: expect.any(String),
  })
  expect((await call('GET', `/webhooks/${id}`)).body).toMatchObject({
    state: 'enabled',
    failingSinceDateTime: expect.any(String),
    nextAttemptDateTime: expect.any(String),
  })
  broken.answer(200)
  await expect.poll(() => new Set(broken.received.map((one) => one.id)).size).toBe(2)
  const [first, ...others] = broken.received
  const repeats = others.filter((one) => one.id === first?.id)
  expect(repeats.map(({ body }) => body)).toEqual(repeats.map(() => first?.body))
  expect(broken.received.slice(0, repeats.length + 1).every((one) => one.id === first?.id)).toBe(true)
  await expect
    .poll(async () => (await call('GET', `/webhooks/${id}`)).body)
    .toMatchObject({ failedAttempts: 0, failingSinceDateTime: null, nextAttemptDateTime: null })
  const attempts = await attemptsOf(call, id)
  expect(attempts.map(({ outcome }: { outcome: string }) => outcome).slice(0, 3)).toEqual([
    'delivered',
    'delivered',
    'failed',
  ])
  expect(attempts[1].attempt).toBe(repeats.length + 1)
})

test.concurrent('a receiver that is behind gets batches, one message at a time, and misses nothing; a replay repeats it', async ({
  expect,
}) => {
  const call = await provider()
  const slow = await receiver(503)
  const { id } = await webhookTo(call, slow, { types: ['receivingEvent.*'] })
  await webhookTo(call, slow, { types: ['alert.*'] })
  await write(call, 60)
  const behind = (await feedOf(call)).length
  expect((await call('GET', '/webhooks')).body.content).toMatchObject([
    { id, changesBehind: behind },
    { types: ['alert.*'], changesBehind: 0 },
  ])
  expect((await call('GET', `/webhooks/${id}`)).body).toMatchObject({ changesBehind: behind })
  slow.answer(async (_one, response) => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    response.writeHead(200).end()
  })
  await call('POST', `/webhooks/${id}/resume`, { body: {} })
  const feed = await feedOf(call, '&kind=receivingEvent')
  expect(feed).toHaveLength(60)
  const confirmed = async () => positionsIn(await confirmedOf(call, id, slow))
  await expect.poll(confirmed).toEqual(feed)
  expect(slow.atOnceMax).toBe(1)
  const batches = slow.received.filter(({ message }) => message.type === 'changes')
  expect(batches.length).toBeGreaterThan(0)

  const before = slow.received.length
  const after = feed[9]
  expect((await call('POST', `/webhooks/${id}/replay`, { body: { after } })).body).toMatchObject({ id })
  await expect.poll(() => positionsIn(slow.received.slice(before))).toEqual(feed.slice(10))
  const ids = new Set(slow.received.slice(0, before).map((one) => one.id))
  expect(slow.received.slice(before).filter((one) => ids.has(one.id))).toEqual([])
  const again = slow.received.length
  await call('POST', `/webhooks/${id}/replay`, { body: {} })
  await expect.poll(() => positionsIn(slow.received.slice(again))).toEqual(feed)
  expect(slow.atOnceMax).toBe(1)
  const strange = await call('POST', `/webhooks/${id}/replay`, { body: { after: 'nowhere' } })
  expect(strange).toMatchObject({ status: 422, body: { findings: [{ pointer: '/after' }] } })
})

test.concurrent.for([
  ['in a message of its own', 3, 'thin'],
  ['among others in one message', 20, 'thin'],
  ['in a message of its own, with records', 3, 'record'],
  ['among others in one message, with records', 20, 'record'],
] as const)(
  'a change that the database lost is sent as damaged %s, and the next follow',
  async ([_how, count, payload], { expect }) => {
    const call = await provider()
    const one = await receiver()
    await write(call, count)
    const [, lost, ...rest] = (await call('GET', '/changes?kind=receivingEvent&limit=200')).body.content
    await pool.query('DELETE FROM record_version WHERE provider_id = $1 AND record_id = $2', [call.id, lost.id])
    const feed = await feedOf(call, '&kind=receivingEvent')
    expect(feed).not.toContain(lost.position)
    const { id } = await webhookTo(call, one, { payload, types: ['receivingEvent.replaced', 'receivingEvent.created'] })
    await call('POST', `/webhooks/${id}/replay`, { body: {} })
    await expect.poll(() => positionsIn(firstOfEach(one.received)).length).toBe(count)
    expect(positionsIn(firstOfEach(one.received))).toEqual([feed[0], lost.position, ...feed.slice(1)])
    expect(rest).toHaveLength(count - 2)
    expect(one.received.flatMap((received) => changesIn(received)).find(({ type }) => type === 'damaged')).toEqual({
      position: lost.position,
      type: 'damaged',
      id: lost.id,
      version: 1,
      checkpointDateTime: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(one.received.every(({ message }) => !Number.isNaN(Date.parse(message.timestamp)))).toBe(true)
  },
)

/** Messages that the service knows to be delivered, in the order in which they were. */
async function confirmedOf(call: Call, id: string, { received }: Receiver): Promise<Received[]> {
  const delivered = (await attemptsOf(call, id, '?limit=200')).filter(
    ({ outcome }: { outcome: string }) => outcome === 'delivered',
  )
  return delivered
    .reverse()
    .map(({ messageId }: { messageId: string }) => received.findLast((one) => one.id === messageId))
}

test.concurrent('410 disables, and so do three days of failures; resuming goes on where it was', async ({ expect }) => {
  const call = await provider()
  const gone = await receiver(410)
  const { id } = await webhookTo(call, gone, { types: ['receivingEvent.*'] })
  const [first] = await write(call, 1)
  const state = async () => (await call('GET', `/webhooks/${id}`)).body
  await expect.poll(state).toMatchObject({ state: 'disabled', disabledBecause: 'gone' })
  const [second] = await write(call, 1)
  gone.answer(500)
  expect((await call('POST', `/webhooks/${id}/resume`, { body: {} })).body).toMatchObject({
    state: 'enabled',
    disabledBecause: null,
  })
  await expect.poll(state).toMatchObject({ failedAttempts: 1 })
  await pool.query(
    "UPDATE webhook SET failing_since = now() - interval '4 days', setting = setting + 1 WHERE id = $1",
    [id],
  )
  await expect.poll(state).toMatchObject({ state: 'disabled', disabledBecause: 'failing' })
  gone.answer(200)
  gone.received.length = 0
  await call('POST', `/webhooks/${id}/resume`, { body: {} })
  await expect
    .poll(() => gone.received.flatMap((one) => changesIn(one).map((change) => (change as { id?: string }).id)))
    .toEqual([first, second])
})

test.concurrent('types, filters and payload choose what is sent; a change of them holds for what is sent next', async ({
  expect,
}) => {
  const call = await provider()
  const chosen = await receiver()
  const { id } = await webhookTo(call, chosen, {
    types: ['receivingEvent.created', 'location.*'],
    shipToLocationCode: 'NOWHERE',
    payload: 'record',
  })
  await write(call, 1)
  expect(
    (
      await call('PUT', `/webhooks/${id}`, {
        body: { url: chosen.url, types: ['masterProduct.*', 'receivingEvent.*'], payload: 'record' },
      })
    ).body,
  ).toMatchObject({ shipToLocationCode: null, payload: 'record', signature: 'v1a' })
  const [event = ''] = await write(call, 1)
  await call('POST', paths.masterProduct, { body: payloadOf.masterProduct() })
  await expect.poll(() => chosen.received.some(({ message }) => message.type === 'masterProduct.created')).toBe(true)
  const sent = chosen.received.find(({ message }) => message.data.id === event)
  expect(sent?.message).toMatchObject({ type: 'receivingEvent.created', data: { version: 1 } })
  expect(sent?.message.data.record).toEqual((await call('GET', `${paths.receivingEvent}/${event}`)).body)
  expect(chosen.received.map(({ message }) => message.type)).not.toContain('location.created')
})

test.concurrent('alerts are sent to who asks for them, when they begin and when they end', async ({ expect }) => {
  const call = await provider()
  const watcher = await receiver()
  const { id } = await webhookTo(call, watcher, { types: ['alert.*'] })
  const other = await receiver()
  await webhookTo(call, other)
  await pool.query(
    `INSERT INTO alert (provider_id, number, type, subject, begun_at, begun_as, latest, ended_number, ended_at)
     VALUES ($1, 1, 'alert.vendorSilent', 'V-1001', now() - interval '1 hour', '{"silentDays":14}', '{"silentDays":15}', 2, now())`,
    [call.id],
  )
  // Otherwise it looks within ten seconds.
  await call('POST', `/webhooks/${id}/resume`, { body: {} })
  await expect.poll(() => watcher.received.length).toBe(2)
  expect(watcher.received.map(({ message }) => message)).toMatchObject([
    {
      type: 'alert.vendorSilent',
      data: {
        number: 1,
        state: 'begun',
        dataProviderVendorId: 'V-1001',
        endedDateTime: null,
        data: { silentDays: 14 },
      },
    },
    { type: 'alert.vendorSilent', data: { number: 1, state: 'ended', data: { silentDays: 15 } } },
  ])
  expect(other.received).toEqual([])
})

test.concurrent('after a rotation both keys sign for a day, and a test message shows it', async ({ expect }) => {
  const call = await provider()
  const one = await receiver()
  const created = await webhookTo(call, one, { signature: 'v1' })
  const rotated = (await call('POST', `/webhooks/${created.id}/rotate`, { body: { signature: 'v1a' } })).body
  expect(rotated).toMatchObject({ signature: 'v1a', secret: null, oldKeyUntilDateTime: expect.any(String) })
  const tried = await call('POST', `/webhooks/${created.id}/test`, { body: {} })
  expect(tried).toMatchObject({ status: 200, body: { outcome: 'delivered', type: 'webhook.test', status: 204 } })
  const [message] = one.received as [Received]
  expect(message.message).toMatchObject({ type: 'webhook.test', data: { webhookId: created.id } })
  expect(new Webhook(created.secret).verify(message.body, message.headers)).toEqual(message.message)
  expect(verifyAsymmetric(rotated.publicKey, message.headers, message.body)).toBe(true)
  const again = (await call('POST', `/webhooks/${created.id}/rotate`, { body: {} })).body
  expect(again).toMatchObject({ signature: 'v1a', oldPublicKey: rotated.publicKey })
  await pool.query("UPDATE webhook SET old_until = now() - interval '1 second' WHERE id = $1", [created.id])
  await call('POST', `/webhooks/${created.id}/test`, { body: {} })
  expect(one.received.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
  expect((await call('GET', `/webhooks/${created.id}`)).body).toMatchObject({
    oldPublicKey: null,
    oldKeyUntilDateTime: null,
  })
})

test.concurrent('a receiver that hangs holds up nobody else', async ({ expect }) => {
  const call = await provider()
  const hanging = await receiver(() => undefined)
  const quick = await receiver()
  const { id } = await webhookTo(call, hanging)
  await webhookTo(call, quick, { types: ['receivingEvent.*'] })
  await write(call, 1)
  await expect.poll(() => hanging.received.length).toBe(1)
  await write(call, 2)
  await expect.poll(() => positionsIn(quick.received).length).toBe(3)
  expect(hanging.received).toHaveLength(1)
  expect((await call('DELETE', `/webhooks/${id}`)).body).toMatchObject({ id })
  expect((await call('GET', `/webhooks/${id}`)).status).toBe(404)
})

test
  .skipIf(isShortRun)
  .concurrent(
    'a webhook whose process died is taken over when its time is up, with the same message',
    async ({ expect }) => {
      const call = await provider()
      const one = await receiver(500)
      const { id } = await webhookTo(call, one, { types: ['receivingEvent.*'] })
      await write(call, 1)
      await expect.poll(() => one.received.length).toBeGreaterThan(0)
      await pool.query(
        `UPDATE webhook SET fence = fence + 1, until = now() + interval '3 seconds'
     WHERE id = $1`,
        [id],
      )
      one.answer(200)
      await expect.poll(async () => (await call('GET', `/webhooks/${id}`)).body.lastDeliveredDateTime).not.toBe(null)
      expect(new Set(one.received.map(({ id }) => id)).size).toBe(1)
    },
  )

test
  .skipIf(isShortRun)
  .concurrent(
    'a webhook that its process lost goes on, while that process sends to another one',
    async ({ expect }) => {
      const call = await provider()
      const [lost, other] = [await receiver(), await receiver()]
      const { id } = await webhookTo(call, lost)
      await webhookTo(call, other)
      await write(call, 1)
      await expect.poll(() => lost.received.length).toBeGreaterThan(0)
      // As when the process was too busy to renew it in time, and nobody else took it.
      await pool.query('UPDATE webhook SET fence = fence + 1 WHERE id = $1', [id])
      await write(call, 1)
      await expect.poll(async () => positionsIn(other.received)).toEqual(await feedOf(call))
      // What was on its way comes again under its id.
      await expect.poll(async () => positionsIn(firstOfEach(lost.received))).toEqual(await feedOf(call))
    },
  )

// Two services cannot be on the embedded database.
test
  .skipIf(isShortRun || inject('runningDatabase').kind === 'embedded')
  .concurrent(
    'the first webhook of all, created where none is sent, is soon taken by another process that somebody calls',
    async ({ expect }) => {
      const fresh = await ownDatabase()
      const sending = await begin({ metricsPort: 0 }, fresh)
      const creating = await begin({ webhooks: 'off' }, fresh)
      try {
        // It found no webhook, and looks again in half a minute at the earliest.
        await expect.poll(() => looksOf(sending)).toBe(1)
        const call = calling(creating.address, sending.firstKey)
        const one = await receiver()
        await webhookTo(call, one)
        await write(call, 1)
        await expect
          .poll(
            async () => {
              await fetch(`${sending.address}/health/ready`)
              return one.received.length
            },
            { timeout: allowMs(20_000) },
          )
          .toBeGreaterThan(0)
      } finally {
        await creating.stop()
        await sending.stop()
        await fresh.drop()
      }
    },
  )

/** How often a service looked for webhooks that no process has. */
async function looksOf({ metricsPort }: Running): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(/^lotkeeper_statements_total\{statement="enabledWebhooks"\} (\d+)$/m.exec(text)?.[1])
}

test('an address that was allowed is checked again at each delivery', async () => {
  const call = await provider()
  const one = await receiver()
  const { id } = await webhookTo(call, one)
  await running.stop()
  running = await begin({ webhookAllowPrivate: false })
  await write(call, 1)
  await expect
    .poll(async () => (await attemptsOf(call, id))[0])
    .toMatchObject({ outcome: 'failed', status: null, error: expect.stringContaining('begins with http') })
  expect(one.received).toEqual([])
  await running.stop()
  running = await begin({ webhooks: 'off' })
  expect((await call('GET', `/webhooks/${id}`)).body.failedAttempts).toBeGreaterThan(0)
  await running.stop()
  running = await begin()
  await expect.poll(() => one.received.length).toBeGreaterThan(0)
})

test('addresses that must not be reached, and types that there are not, are refused with findings', async () => {
  const service = await startService({ webhookAllowPrivate: false })
  try {
    const { key } = await service.provider()
    const administrator = calling(service.url, await key('administrator'))
    const refusedAt = async (body: object) => {
      const reply = await administrator('POST', '/webhooks', { body })
      expect(reply.status).toBe(422)
      return reply.body.findings.map(({ pointer, rule }: { pointer: string; rule: string }) => `${rule} ${pointer}`)
    }
    for (const url of ['http://erp.example.com/', 'https://127.0.0.1/', 'https://169.254.169.254/latest', 'nowhere'])
      expect(await refusedAt({ url })).toEqual(['shape/address /url'])
    expect(await refusedAt({ url: 'https://8.8.8.8/', types: ['receivingEvent.*', 'everything'] })).toEqual([
      'shape/message-type /types/1',
    ])
    expect(await refusedAt({})).toEqual(['shape/required /url'])
    expect((await administrator('GET', '/webhooks')).body.content).toEqual([])
  } finally {
    await service.close()
  }
})
