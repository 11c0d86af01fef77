// Webhooks while everything fails: the receivers refuse, hang and die, and services are killed. What
// arrives is what was stored, complete and in order.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { startPostgresqlServer } from '../support/databases/postgresql-server.ts'
import { type Place, placeConfig, readStoredRows } from '../support/databases/stored-rows.ts'
import { allowMs } from '../support/patience.ts'
import { startChangeWriters } from '../support/records/change-writers.ts'
import { progress, seed, timeFor } from '../support/records/crash-cycles.ts'
import { randomFrom } from '../support/records/crash-load.ts'
import type { Payload } from '../support/records/payloads.ts'
import {
  type Answer,
  changesIn,
  type Delivery,
  type FailingReceiver,
  startFailingReceiver,
} from '../support/servers/failing-receiver.ts'
import { type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'
import { type Call, calling } from '../support/servers/service.ts'

const changes = Number(process.env.DELIVERY_CHANGES ?? 200)
const kills = Number(process.env.DELIVERY_KILLS ?? 3)
const writers = 32

/** A store of its own, and how many services there are on it. */
const stores = {
  async embedded() {
    const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-crash-'))
    return {
      place: { DATA_DIR: join(folder, 'data') } as Place,
      services: 1,
      crashDatabase: async () => undefined,
      end: () => rm(folder, { recursive: true, force: true }),
    }
  },
  async postgresql() {
    const server = await startPostgresqlServer({ fsync: 'off' })
    const crashDatabase = async () => {
      await server.kill('all')
      await server.restart()
    }
    return { place: { DATABASE_URL: server.url } as Place, services: 2, crashDatabase, end: () => server.stop() }
  },
}

/** Two webhooks: how the messages of each are signed, and what is in them. */
const webhooks = [
  { path: '/erp', signature: 'v1a', payload: 'thin' },
  { path: '/warehouse', signature: 'v1', payload: 'record' },
] as const

/** What happens at each kill, in turn. */
const moments = ['delivering', 'hanging', 'down', 'halted', 'database'] as const

/** Every version under a checkpoint, in the order of the evidence, read past the service. */
async function storedOrder(place: Place): Promise<readonly string[]> {
  return onDatabase(place, async (client) => {
    const { rows } = await client.query<{ ids: string[]; versions: number[] }>(
      'SELECT record_ids AS ids, versions FROM checkpoint ORDER BY number',
    )
    return rows.flatMap(({ ids, versions }) => ids.map((id, i) => `${id} ${versions[i]}`))
  })
}

async function onDatabase<Result>(place: Place, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(placeConfig(place))
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** All that the feed says, page by page, in pages of any size. */
async function readFeed(call: Call, random: () => number): Promise<readonly Payload[]> {
  const all: Payload[] = []
  let after: string | undefined
  for (;;) {
    const query = new URLSearchParams({ limit: String(1 + Math.floor(random() * 200)), ...(after && { after }) })
    const reply = await call('GET', `/changes?${query}`)
    expect(reply.status, reply.text).toBe(200)
    all.push(...reply.body.content)
    if (reply.body.content.length === 0) return all
    after = reply.body.nextPosition
  }
}

/** Somebody who follows the feed by long polls, whichever service is there. */
function startFollower(addresses: () => readonly string[], key: string) {
  const seen: Payload[] = []
  let [after, isEnding, asked] = ['', false, 0]
  const ended = (async () => {
    while (!isEnding) {
      const known = addresses()
      const address = known[asked++ % known.length]
      const query = new URLSearchParams({ wait: '2', ...(after !== '' && { after }) })
      const reply = await calling(address ?? 'http://127.0.0.1:1', key)('GET', `/changes?${query}`).catch(
        () => undefined,
      )
      if (reply?.status !== 200) {
        if (reply !== undefined) expect(reply.status, reply.text).toBe(503)
        await pause(50)
        continue
      }
      seen.push(...reply.body.content)
      after = reply.body.nextPosition
    }
  })()
  return {
    seen,
    end: () => {
      isEnding = true
      return ended
    },
  }
}

const versionOf = ({ id, version }: Payload): string => `${id} ${version}`

/** Half of the answers are bad, each in another way. */
function badHalfOfTheTime(random: () => number, { port }: FailingReceiver): (delivery: Delivery) => Answer {
  const bad: readonly Answer[] = [
    { status: 500 },
    { status: 404 },
    { status: 429, headers: { 'retry-after': '1' } },
    { status: 503, headers: { 'retry-after': '0' } },
    { status: 302, headers: { location: `http://127.0.0.1:${port}/elsewhere` } },
    { status: 418, body: 'x'.repeat(100_000) },
    'cut',
  ]
  const good: readonly Answer[] = [{ status: 204 }, { status: 200, body: '{"ok":true}' }, { status: 202 }]
  return () => {
    const answers = random() < 0.5 ? bad : good
    return answers[Math.floor(random() * answers.length)] ?? 'cut'
  }
}

/** Not expect.poll, which tests that run together do not have. */
const eventually = (check: () => unknown, timeout = allowMs(60_000)) => vi.waitFor(check, { timeout, interval: 100 })

async function anotherMessage({ deliveries }: FailingReceiver, readState: () => Promise<unknown>): Promise<void> {
  const { length } = deliveries
  await eventually(() => expect(deliveries.length).toBeGreaterThan(length)).catch(async (cause: unknown) => {
    const state = await readState().catch(String)
    throw new Error(`None came after ${length}: ${JSON.stringify(state)}`, { cause })
  })
}

/** First deliveries: what a receiver has that leaves out ids it knows. */
const firstOfEach = (deliveries: readonly Delivery[]): readonly Delivery[] => {
  const known = new Set<string>()
  return deliveries.filter(({ id }) => !known.has(id) && known.add(id))
}

/** Where a sender broke its word: another text under a known id, or the next message before the last was accepted. */
function faultsOf(deliveries: readonly Delivery[]): readonly string[] {
  const faults: string[] = []
  const texts = new Map<string, string>()
  const accepted = new Set<string>()
  for (const delivery of deliveries) {
    const { id, text } = delivery
    const before = texts.get(id)
    if (before === undefined && [...texts.keys()].some((one) => !accepted.has(one)))
      faults.push(`${id} came before the message ahead of it was accepted`)
    if (before !== undefined && before !== text) faults.push(`${id} came with another text`)
    texts.set(id, text)
    if (delivery.accepted) accepted.add(id)
  }
  return faults
}

// Together, since whoever takes over waits until the lease of the killed one ends.
test.concurrent.each(Object.entries(stores))(
  `on the %s store, ${changes} changes by ${writers} writers, ${kills} kills of services, receivers that fail half of the time, hang and die: each webhook gets every change once and in order, and again when it is set back`,
  async (name, open) => {
    const { place, services: count, crashDatabase, end } = await open()
    const receiver = await startFailingReceiver()
    const random = randomFrom(seed)
    const env = { ...place, WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_SECONDS: '1', LOG_LEVEL: 'error' }
    const services: ServerProcess[] = []
    const isUp: boolean[] = []
    try {
      for (let n = 0; n < count; n++) services.push(await startServerProcess(env))
      isUp.push(...services.map(() => true))
      const key = services[0]?.firstKey ?? ''
      const addresses = () => services.filter((_, n) => isUp[n]).map(({ address }) => address)
      const call: Call = (...asked) => calling(addresses()[0] ?? '', key)(...asked)
      const ids: string[] = []
      for (const { path, ...settings } of webhooks) {
        const reply = await call('POST', '/webhooks', { body: { url: receiver.urlOf(path), ...settings } })
        expect(reply.status, reply.text).toBe(201)
        ids.push(reply.body.id)
        receiver.trust(path, [reply.body.publicKey ?? reply.body.secret])
      }
      receiver.answer = badHalfOfTheTime(random, receiver)
      const follower = startFollower(addresses, key)

      const writing = startChangeWriters(addresses, key, writers)
      const another = (step: string) =>
        anotherMessage(receiver, async () => [step, writing.acknowledged.size, (await call('GET', '/webhooks')).body])
      for (let kill = 1; kill <= kills; kill++) {
        await writing.reach((kill * changes) / (kills + 1))
        // Else it would be killed before it took over from the one that was killed last.
        await another(`kill ${kill}`)
        const moment = moments[kill % moments.length]
        if (moment === 'database') {
          await crashDatabase()
          await another(moment)
        }
        // While changes are still written: there may be nothing left to send.
        if (moment === 'hanging') {
          receiver.answer = () => 'hang'
          await another(moment)
        }
        const n = kill % count
        isUp[n] = false
        if (moment === 'down') await receiver.goDown()
        if (moment === 'halted' && count > 1) {
          // Another one takes over, and this one wakes up with what it had begun.
          receiver.mayOverlap = true
          services[n]?.halt()
          await another(moment)
          services[n]?.resume()
          await another(moment)
        }
        await services[n]?.end('SIGKILL')
        receiver.answer = badHalfOfTheTime(random, receiver)
        services[n] = await startServerProcess(env)
        isUp[n] = true
        receiver.mayOverlap = false
        if (moment === 'down') await receiver.comeUp()
        progress(`deliveries on ${name}`, kill, kills)
      }
      await writing.reach(changes)
      await writing.end()

      // A page is empty only at the end, which is where the writing ended.
      let feed: readonly Payload[] = []
      const stored = await readStoredRows(place, new Set())
      await eventually(async () => {
        feed = await readFeed(call, random)
        expect(feed.length).toBe(stored.versionCount)
      })
      expect(feed.map(versionOf)).toEqual(await storedOrder(place))
      expect(new Set(feed.map(({ position }) => position)).size).toBe(feed.length)
      const told = new Set(feed.map(versionOf))
      expect([...writing.acknowledged].filter((one) => !told.has(one))).toEqual([])

      await eventually(() => expect(follower.seen.length).toBe(feed.length))
      expect(follower.seen).toEqual(feed)
      await follower.end()

      // A message that was on its way when its webhook was set back may come again after that.
      const came = (path: string, from = 0) => {
        const late = new Set(receiver.deliveries.slice(from))
        return firstOfEach(receiver.deliveries.filter((delivery) => delivery.path === path))
          .filter((delivery) => late.has(delivery))
          .flatMap(changesIn)
          .map(({ record: _, ...change }) => change)
      }
      for (const { path } of webhooks) {
        await eventually(() => expect(came(path).length).toBe(feed.length), timeFor(kills))
        expect(came(path)).toEqual(feed)
        expect(faultsOf(receiver.deliveries.filter((delivery) => delivery.path === path))).toEqual([])
      }
      const first = receiver.deliveries.length
      const failed = receiver.deliveries.filter(({ accepted }) => !accepted).length
      expect(failed).toBeGreaterThan(first / 4)
      for (const { id, record } of receiver.deliveries.filter(({ path }) => path === '/warehouse').flatMap(changesIn))
        expect(record.id).toBe(id)

      // Set back to the beginning, to somewhere, and to the end.
      receiver.answer = () => ({ status: 204 })
      for (const share of [0, random(), random(), 1]) {
        const skipped = Math.floor(share * feed.length)
        const after = feed[skipped - 1]?.position
        for (const [n, { path }] of webhooks.entries()) {
          const from = receiver.deliveries.length
          const reply = await call('POST', `/webhooks/${ids[n]}/replay`, { body: after === undefined ? {} : { after } })
          expect(reply.status, reply.text).toBe(200)
          await eventually(() => expect(came(path, from).length).toBe(feed.length - skipped))
          expect(came(path, from)).toEqual(feed.slice(skipped))
        }
      }
      expect(receiver.deliveries.filter(({ path }) => path === '/elsewhere')).toEqual([])
      expect(receiver.defects).toEqual([])
      console.log(
        `| deliveries on ${name} | ${kills} kills | ${feed.length} changes to 2 webhooks, 0 lost, 0 out of order | ${first} messages, ${failed} failed, duplicates with equal ids only |`,
      )
    } finally {
      await Promise.all(services.map((service) => service.end('SIGKILL')))
      await receiver.close()
      await end()
    }
  },
  timeFor(kills) + changes * 100,
)
