// Writers and readers of providers on a cluster, while its nodes are killed and its shards move:
// what was answered, and how long any of it could not be read.
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { providerPlaces } from '../../../src/store/database/distribute.ts'
import { eventPayload, paths } from '../records/payloads.ts'
import { type Call, calling, makeProvider, type Reply } from './service.ts'

/** Times of answers, in milliseconds of `performance.now()`. */
interface LoadAnswer {
  readonly node: string
  readonly method: 'PUT' | 'GET' | 'key'
  readonly began: number
  readonly ended: number
  /** 200 also of a key made. `stale`: a version older than one acknowledged before the request. */
  readonly end: number | 'stale'
  /** Of a problem. */
  readonly detail?: string
}

export interface ClusterLoad {
  readonly answers: readonly LoadAnswer[]
  /** Acknowledged writes. */
  readonly acknowledged: () => number
  /** Of keys: made or revoked. */
  readonly keyChanges: () => number
  /** Ends the load; resolves to the acknowledged writes and changes of keys that are not stored. */
  stop(): Promise<readonly string[]>
}

const pauseMs = 20
/** Between two keys of a provider, which are all listed in the end. */
const keyPauseMs = 500

/** A provider of the load, called by its administrator. */
interface LoadProvider {
  readonly call: Call
  /** Of its service. */
  readonly url: string
  readonly node: string
}

/**
 * Providers on each worker, with some events each. Each event has a writer and a reader, each
 * provider an administrator who makes and revokes keys. The providers of a worker call the services
 * in turn.
 */
export async function startClusterLoad(
  pool: pg.Pool,
  services: readonly string[],
  { providersOnEach, eventsOfEach }: { readonly providersOnEach: number; readonly eventsOfEach: number },
): Promise<ClusterLoad> {
  const answers: LoadAnswer[] = []
  /** The last acknowledged quantity of each event. */
  const stored = new Map<string, number>()
  /** Of each key that was acknowledged, whether it is revoked; not of one where that is unknown. */
  const keys = new Map<string, boolean>()
  const providers = await providersOf(pool, services, providersOnEach)
  const events: { readonly id: string; readonly call: Call; readonly node: string }[] = []
  for (const { call, node } of providers)
    for (let n = 0; n < eventsOfEach; n++) {
      const { body, text } = await call('POST', paths.receivingEvent, { body: eventOf(n + 1) })
      const [id] = body.request_ids ?? []
      if (typeof id !== 'string') throw new Error(text)
      stored.set(id, n + 1)
      events.push({ id, call, node })
    }
  let isRunning = true
  let acknowledged = 0
  let keyChanges = 0
  let next = eventsOfEach
  const quantityIn = ({ eventList }: Payload) => eventList.productList[0].shipQuantity as number
  const write = async ({ id, call, node }: (typeof events)[number]) => {
    while (isRunning) {
      const [quantity, began] = [++next, performance.now()]
      const { status, body } = await call('PUT', `${paths.receivingEvent}/${id}`, { body: eventOf(quantity) })
      answers.push({ node, method: 'PUT', began, ended: performance.now(), end: status, detail: body.detail })
      if (status === 200) {
        stored.set(id, quantity)
        acknowledged++
      } else await pause(pauseMs)
    }
  }
  const read = async ({ id, call }: (typeof events)[number]) => {
    const least = stored.get(id) ?? 0
    const { status, body } = await call('GET', `${paths.receivingEvent}/${id}`)
    return { end: status === 200 && quantityIn(body) < least ? ('stale' as const) : status, detail: body.detail }
  }
  const readAgain = async (event: (typeof events)[number]) => {
    while (isRunning) {
      const began = performance.now()
      const end = await read(event)
      answers.push({ node: event.node, method: 'GET', began, ended: performance.now(), ...end })
      await pause(pauseMs)
    }
  }
  const ask = async (node: string, called: Promise<Reply>) => {
    const began = performance.now()
    const { status, body } = await called
    const isDone = status === 200 || status === 201
    answers.push({
      node,
      method: 'key',
      began,
      ended: performance.now(),
      end: isDone ? 200 : status,
      detail: body.detail,
    })
    return isDone ? body : undefined
  }
  const changeKeys = async ({ call, url, node }: LoadProvider) => {
    for (; isRunning; await pause(keyPauseMs)) {
      const made = await ask(node, call('POST', '/keys', { body: { role: 'reader', label: 'of the load' } }))
      if (made === undefined) continue
      keys.set(made.keyId, false)
      keyChanges++
      await ask(node, calling(url, made.key)('GET', '/keys/own'))
      const isRevoked = (await ask(node, call('DELETE', `/keys/${made.keyId}`))) !== undefined
      if (!isRevoked) keys.delete(made.keyId)
      else {
        keys.set(made.keyId, true)
        keyChanges++
      }
    }
  }
  /** Compares the keys with what was acknowledged. */
  const lostKeys = async () => {
    const stored = new Map<string, boolean>()
    for (const { call } of providers)
      for (const { keyId, revokedDateTime } of (await call('GET', '/keys')).body.content)
        stored.set(keyId, revokedDateTime !== null)
    return [...keys].flatMap(([id, is]) =>
      stored.get(id) === is ? [] : [`key ${id}: revoked ${stored.get(id)}, not ${is}`],
    )
  }
  const all = [...events.flatMap((event) => [write(event), readAgain(event)]), ...providers.map(changeKeys)]
  return {
    answers,
    acknowledged: () => acknowledged,
    keyChanges: () => keyChanges,
    async stop() {
      isRunning = false
      await Promise.all(all)
      const ends = await Promise.all(events.map(async (event) => [event.id, await read(event)] as const))
      const lost = ends.filter(([, { end }]) => end !== 200).map(([id, { end, detail }]) => `${id}: ${end} ${detail}`)
      return [...lost, ...(await lostKeys())]
    },
  }
}

type Payload = ReturnType<typeof eventPayload>

const eventOf = (quantity: number): Payload =>
  eventPayload(({ eventList }) => {
    for (const line of eventList.productList) line.shipQuantity = quantity
  })

async function providersOf(
  pool: pg.Pool,
  services: readonly string[],
  onEach: number,
): Promise<readonly LoadProvider[]> {
  const found = new Map<string, LoadProvider[]>()
  while (found.size < 2 || [...found.values()].some(({ length }) => length < onEach)) {
    const { name, key } = await makeProvider(pool, '')
    const { node = '' } = (await providerPlaces(pool)).find((place) => place.name === name) ?? {}
    const others = found.get(node) ?? []
    const url = services[others.length % services.length] ?? ''
    if (others.length < onEach)
      found.set(node, [...others, { call: calling(url, await key('administrator')), url, node }])
  }
  return [...found.values()].flat()
}
