// Writers that leave changes behind, through whatever happens to the service, and what they were
// told.
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { calling, type Reply } from '../servers/service.ts'
import { changed, type Payload, paths, payloadOf } from './payloads.ts'

/** How long a writer whom nobody answers waits before the next try, in milliseconds. */
const pauseMs = 50
/** How long each writer waits between two changes while they are ahead, in milliseconds. */
const trickleMs = 2_000

export interface ChangeWriters {
  /** Versions that were acknowledged, `id version`. */
  readonly acknowledged: ReadonlySet<string>
  /** Writes fast until so many changes are acknowledged, which it waits for, and slowly from then on. */
  reach(count: number): Promise<void>
  /** Stops the writers; each ends what it has begun. Rejects with what went wrong. */
  end(): Promise<void>
}

/**
 * So many writers that create records of every kind, replace and void them. `addresses` is asked
 * anew for each request, since services come and go. A create has a key, so that it is made once
 * however often it is sent.
 */
export function startChangeWriters(addresses: () => readonly string[], key: string, writers: number): ChangeWriters {
  const acknowledged = new Set<string>()
  let [requests, wanted, isEnding] = [0, 0, false]

  const acknowledge = (id: string, version: number): void => {
    acknowledged.add(`${id} ${version}`)
  }
  /** Sends until there is an answer that says how it ended. */
  const send = async (method: string, path: string, body?: Payload, idempotencyKey?: string): Promise<Reply> => {
    for (let waitedMs = 0; acknowledged.size >= wanted && waitedMs < trickleMs && !isEnding; waitedMs += pauseMs)
      await pause(pauseMs)
    for (;;) {
      const known = addresses()
      const address = known[requests++ % known.length]
      try {
        const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
        if (address !== undefined) {
          const reply = await calling(address, key)(method, path, { body, headers })
          if (reply.status !== 503) return reply
        }
      } catch (error) {
        // fetch failed: the service is gone.
        if (!(error instanceof TypeError)) throw error
      }
      await pause(pauseMs)
    }
  }
  const write = async (writer: number): Promise<void> => {
    for (let turn = 0; !isEnding; turn++) {
      const kind = (['receivingEvent', 'receivingEvent', 'masterProduct', 'location'] as const)[(writer + turn) % 4]
      if (kind === undefined) continue
      const body = payloadOf[kind]()
      const created = await send('POST', paths[kind], body, `writer-${writer}-${turn}`)
      expect(created.status, created.text).toBe(201)
      const id: string = created.body.request_ids[0]
      acknowledge(id, 1)
      const at = `${paths[kind]}/${id}`
      for (let n = 0; n < 4; n++) {
        changed[kind](body)
        // The same body again makes no version, so this may be sent until it is answered.
        const replaced = await send('PUT', at, body)
        expect(replaced.status, replaced.text).toBe(200)
        acknowledge(id, Number(replaced.headers.get('etag')?.replaceAll('"', '')))
      }
      if (kind !== 'receivingEvent' || turn % 3 > 0) continue
      const voided = await send('POST', `${at}/void`, { reason: 'Entered twice' })
      expect(voided.status, voided.text).toBe(200)
      acknowledge(id, Number(voided.headers.get('etag')?.replaceAll('"', '')))
    }
  }
  const ended = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  // Whoever waits is told; nobody may be waiting.
  ended.catch(() => undefined)
  return {
    acknowledged,
    async reach(count) {
      wanted = count
      while (acknowledged.size < wanted) await Promise.race([ended, pause(pauseMs)])
    },
    async end() {
      isEnding = true
      await ended
    },
  }
}
