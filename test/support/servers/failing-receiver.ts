// A receiver of webhooks that checks what it is sent by the text of Standard Webhooks and not by
// code of the service, and answers as well or as badly as a test says.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { Payload } from '../records/payloads.ts'
import { verifyAsymmetric } from './webhook-receiver.ts'

/** One request, as it came. */
export interface Delivery {
  readonly path: string
  readonly id: string
  /** Value of `webhook-timestamp`, in seconds. */
  readonly timestamp: number
  readonly text: string
  readonly body: Payload
  readonly headers: IncomingMessage['headers']
  /** By the monotonic clock of the test, when it had come completely. */
  readonly atMs: number
  /** A status of 200 to 299 left for the sender: it may have seen it. */
  accepted: boolean
}

/**
 * `hang`: never answers. `cut`: breaks the connection without an answer. `endless`: 200, and a body
 * that does not end. `drip`: a head that comes byte by byte, and does not end.
 */
export type Answer =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | 'hang'
  | 'cut'
  | 'endless'
  | 'drip'

export interface FailingReceiver {
  readonly port: number
  /** Of an endpoint of its own for each path. */
  urlOf(path: string): string
  /** All requests that came completely, in the order in which they came. */
  readonly deliveries: readonly Delivery[]
  /** What no sender may do; each a sentence. */
  readonly defects: readonly string[]
  /** Keys that verify what comes to a path, as the service showed them: `whpk_…` or `whsec_…`. */
  trust(path: string, keys: readonly string[]): void
  answer: (delivery: Delivery) => Answer
  /** A sender that was halted holds its connection while another one goes on. */
  mayOverlap: boolean
  /** Closes every connection and takes no other one, as a program that died. */
  goDown(): Promise<void>
  /** Listens on the same port again. */
  comeUp(): Promise<void>
  close(): Promise<void>
}

/** Why a message is not from the holder of one of the keys; undefined when it is. */
export function faultOfSignature(
  keys: readonly string[],
  headers: IncomingMessage['headers'],
  text: string,
): string | undefined {
  const faults = keys.map((key) => {
    try {
      if (key.startsWith('whsec_')) new Webhook(key).verify(text, headers as Record<string, string>)
      else verifyPublic(key, headers, text)
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  })
  return faults.includes(undefined) ? undefined : `is not verified by any key: ${faults.join('; ') || 'there is none'}`
}

/** The official library knows symmetric keys only. */
function verifyPublic(key: string, headers: IncomingMessage['headers'], text: string): void {
  const seconds = Number(headers['webhook-timestamp'])
  if (!(Math.abs(Date.now() / 1000 - seconds) <= 300)) throw new Error(`${seconds} is more than five minutes away`)
  if (!verifyAsymmetric(key, headers, text)) throw new Error('no v1a signature matches')
}

/** What of the form of a request is not as the specification has it. */
function* faultsOfForm({ method, headers }: IncomingMessage, body: Payload): Generator<string> {
  if (method !== 'POST') yield `is a ${method}`
  if (!/^[\w-]{8,64}$/.test(String(headers['webhook-id']))) yield `has the id ${headers['webhook-id']}`
  if (!/^\d{10}$/.test(String(headers['webhook-timestamp']))) yield `has the timestamp ${headers['webhook-timestamp']}`
  const signatures = String(headers['webhook-signature']).split(' ')
  if (!signatures.every((one) => /^v1a?,[A-Za-z0-9+/]+=*$/.test(one))) yield `is signed ${headers['webhook-signature']}`
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) yield `is ${headers['content-type']}`
  if (typeof body?.type !== 'string' || !/^[\w.]+$/.test(body.type)) yield `has the type ${body?.type}`
  if (Number.isNaN(Date.parse(body?.timestamp))) yield `says that it happened at ${body?.timestamp}`
  if (typeof body?.data !== 'object') yield 'has no data'
}

export async function startFailingReceiver(): Promise<FailingReceiver> {
  const deliveries: Delivery[] = []
  const defects: string[] = []
  const trusted = new Map<string, readonly string[]>()
  /** Requests to a path that have no answer yet and whose sender is still there. */
  const open = new Map<string, number>()

  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const path = request.url ?? ''
    const others = open.get(path) ?? 0
    if (others > 0 && !receiver.mayOverlap)
      defects.push(`${path} is sent a message while it has not answered another one`)
    open.set(path, others + 1)
    response.once('close', () => open.set(path, (open.get(path) ?? 0) - 1))
    // A sender that is killed breaks off.
    request.on('error', () => undefined)
    response.on('error', () => undefined)
    const parts: Buffer[] = []
    request.on('data', (part) => parts.push(part))
    request.once('end', () => {
      const delivery = read(request, Buffer.concat(parts).toString())
      deliveries.push(delivery)
      respond(request, response, delivery, receiver.answer(delivery))
    })
  }

  const read = (request: IncomingMessage, text: string): Delivery => {
    const { headers, url: path = '' } = request
    const id = String(headers['webhook-id'])
    let body: Payload
    try {
      body = JSON.parse(text)
    } catch {
      defects.push(`Message ${id} is no JSON: ${text.slice(0, 80)}`)
    }
    for (const fault of faultsOfForm(request, body)) defects.push(`Message ${id} ${fault}`)
    const fault = faultOfSignature(trusted.get(path) ?? [], headers, text)
    if (fault !== undefined && trusted.has(path)) defects.push(`Message ${id} to ${path} ${fault}`)
    return {
      path,
      id,
      timestamp: Number(headers['webhook-timestamp']),
      text,
      body,
      headers,
      atMs: performance.now(),
      accepted: false,
    }
  }

  const server = createServer(take)
  // Answers that never come are the business of the sender.
  server.requestTimeout = 0
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const goDown = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  const receiver: FailingReceiver = {
    port,
    urlOf: (path) => `http://127.0.0.1:${port}${path}`,
    deliveries,
    defects,
    trust: (path, keys) => trusted.set(path, keys),
    answer: () => ({ status: 204 }),
    mayOverlap: false,
    goDown,
    comeUp: () => listen(port),
    close: async () => {
      if (server.listening) await goDown()
    },
  }
  return receiver
}

function respond(request: IncomingMessage, response: ServerResponse, delivery: Delivery, answer: Answer): void {
  if (answer === 'hang') return
  if (answer === 'cut') {
    request.socket.destroy()
    return
  }
  if (answer === 'drip') {
    const letters = [...'HTTP/1.1 200 OK\r\n', ...Array.from({ length: 100_000 }, () => 'x-a: b\r\n')]
    const timer = setInterval(() => request.socket.write(letters.shift() ?? ' '), 50)
    request.socket.once('close', () => clearInterval(timer))
    return
  }
  if (answer === 'endless') {
    delivery.accepted = true
    response.writeHead(200)
    const part = Buffer.alloc(64 * 1024, 'x')
    const more = (): void => {
      while (!response.destroyed && response.write(part));
    }
    response.on('drain', more)
    more()
    return
  }
  delivery.accepted = answer.status >= 200 && answer.status < 300
  response.writeHead(answer.status, answer.headers).end(answer.body)
}

/** The changes that a message tells of, whether of one or of several. */
export const changesIn = ({ body }: Delivery): readonly Payload[] =>
  body.type === 'changes' ? body.data.changes : body.type.startsWith('webhook.') ? [] : [body.data]
