// Writers and readers of providers on a cluster, while its nodes are killed and its shards move:
// what was answered, and how long any of it could not be read.
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { providerPlaces } from '../../../src/store/database/distribute.ts'
import { eventPayload, paths } from '../records/payloads.ts'
import { type Call, calling, makeProvider } from './service.ts'

/** Times of answers, in milliseconds of `performance.now()`. */
interface LoadAnswer {
  readonly node: string
  readonly method: 'PUT' | 'GET'
  readonly began: number
  readonly ended: number
  /** `stale`: a version older than one that was acknowledged before the request. */
  readonly end: number | 'stale'
  /** Of a problem. */
  readonly detail?: string
}

export interface ClusterLoad {
  readonly answers: readonly LoadAnswer[]
  /** Acknowledged writes. */
  readonly acknowledged: () => number
  /** Ends the load; resolves to the acknowledged writes that are not stored. */
  stop(): Promise<readonly string[]>
}

const pauseMs = 20

/**
 * Providers on each worker, with some events each; each event has a writer and a reader. The
 * providers of a worker call the services in turn.
 */
export async function startClusterLoad(
  pool: pg.Pool,
  services: readonly string[],
  { providersOnEach, eventsOfEach }: { readonly providersOnEach: number; readonly eventsOfEach: number },
): Promise<ClusterLoad> {
  const answers: LoadAnswer[] = []
  /** The last acknowledged quantity of each event. */
  const stored = new Map<string, number>()
  const events: { readonly id: string; readonly call: Call; readonly node: string }[] = []
  for (const { call, node } of await providersOf(pool, services, providersOnEach))
    for (let n = 0; n < eventsOfEach; n++) {
      const { body, text } = await call('POST', paths.receivingEvent, { body: eventOf(n + 1) })
      const [id] = body.request_ids ?? []
      if (typeof id !== 'string') throw new Error(text)
      stored.set(id, n + 1)
      events.push({ id, call, node })
    }
  let isRunning = true
  let acknowledged = 0
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
  const all = events.flatMap((event) => [write(event), readAgain(event)])
  return {
    answers,
    acknowledged: () => acknowledged,
    async stop() {
      isRunning = false
      await Promise.all(all)
      const ends = await Promise.all(events.map(async (event) => [event.id, await read(event)] as const))
      return ends.filter(([, { end }]) => end !== 200).map(([id, { end, detail }]) => `${id}: ${end} ${detail}`)
    },
  }
}

type Payload = ReturnType<typeof eventPayload>

const eventOf = (quantity: number): Payload =>
  eventPayload(({ eventList }) => {
    for (const line of eventList.productList) line.shipQuantity = quantity
  })

async function providersOf(pool: pg.Pool, services: readonly string[], onEach: number) {
  const found = new Map<string, { readonly call: Call; readonly node: string }[]>()
  while (found.size < 2 || [...found.values()].some(({ length }) => length < onEach)) {
    const { name, key } = await makeProvider(pool, '')
    const { node = '' } = (await providerPlaces(pool)).find((place) => place.name === name) ?? {}
    const others = found.get(node) ?? []
    const service = services[others.length % services.length] ?? ''
    if (others.length < onEach) found.set(node, [...others, { call: calling(service, await key('writer')), node }])
  }
  return [...found.values()].flat()
}
