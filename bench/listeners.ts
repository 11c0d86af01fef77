// Who follows changes in a benchmark: a long poll, and the receiver of a webhook endpoint.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What was seen, and when by the monotonic clock of this process. */
export type Seen = (versions: readonly string[], atMs: number) => void

interface Change {
  readonly id: string
  readonly version: number
}

const versionsOf = (changes: readonly Change[]) => changes.map(({ id, version }) => `${id} ${version}`)

/** Asks a service with a key; throws with the answer when it is no success. */
export async function ask(
  { address, key }: { readonly address: string; readonly key: string },
  method: string,
  path: string,
  { body, signal }: { readonly body?: object; readonly signal?: AbortSignal } = {},
) {
  const response = await fetch(address + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text.slice(0, 500)}`)
  return { body: text === '' ? undefined : JSON.parse(text), headers: response.headers }
}

/** Follows the feed by one long poll after another, from now on. */
export async function startLongPoll(
  service: { readonly address: string; readonly key: string },
  seen: Seen,
): Promise<{ end(): Promise<void> }> {
  const ending = new AbortController()
  let after: string = (await ask(service, 'GET', '/changes/now')).body.position
  const following = (async () => {
    while (!ending.signal.aborted) {
      const { body } = await ask(service, 'GET', `/changes?after=${encodeURIComponent(after)}&wait=30`, ending)
      seen(versionsOf(body.content), performance.now())
      after = body.nextPosition
    }
  })().catch((error: unknown) => {
    if (!ending.signal.aborted) throw error
  })
  return {
    end: () => {
      ending.abort()
      return following
    },
  }
}

export interface Receiver {
  readonly url: string
  /** Messages and changes so far. */
  readonly counts: { readonly messages: number; readonly changes: number }
  /** Resolves when so many changes have come since the receiver started. */
  reach(changes: number): Promise<void>
  end(): void
}

/** Answers every message at once. */
export async function startReceiver(seen: Seen = () => undefined): Promise<Receiver> {
  const counts = { messages: 0, changes: 0 }
  let [wanted, reached] = [Number.POSITIVE_INFINITY, () => undefined as unknown]
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part) => parts.push(part))
    request.once('end', () => {
      const atMs = performance.now()
      response.writeHead(204).end()
      const { type, data } = JSON.parse(Buffer.concat(parts).toString())
      const changes: readonly Change[] = type === 'changes' ? data.changes : [data]
      counts.messages++
      counts.changes += changes.length
      seen(versionsOf(changes), atMs)
      if (counts.changes >= wanted) reached()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    counts,
    reach: (changes) =>
      new Promise((resolve) => {
        ;[wanted, reached] = [changes, () => resolve(undefined)]
        if (counts.changes >= wanted) resolve()
      }),
    end: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
