// A receiver of webhooks, on a port of this machine: it keeps what it was sent, and answers as it is
// told.
import { createPublicKey, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request, as it came. */
export interface Received {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages by name, and a wrong name fails the test
  readonly message: any
  readonly path: string
}

/** How a request is answered: with a status, or by a function. */
export type Reply = number | ((received: Received, response: ServerResponse) => unknown)

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Requests that were at work at the same time, at most. */
  readonly atOnceMax: number
  /** From now on. */
  answer: (reply: Reply) => void
  close(): Promise<void>
}

export async function startReceiver(reply: Reply = 204, port = 0): Promise<Receiver> {
  const received: Received[] = []
  let current = reply
  let atOnce = 0
  let atOnceMax = 0
  const server = createServer(async (request, response) => {
    atOnceMax = Math.max(atOnceMax, ++atOnce)
    response.once('close', () => {
      atOnce--
    })
    const one = await read(request)
    received.push(one)
    if (typeof current === 'number') response.writeHead(current).end()
    else await current(one, response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    get atOnceMax() {
      return atOnceMax
    },
    answer: (next) => {
      current = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function read(request: IncomingMessage): Promise<Received> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const body = Buffer.concat(parts).toString()
  const headers = request.headers as Record<string, string>
  return { id: headers['webhook-id'] ?? '', headers, body, message: JSON.parse(body), path: request.url ?? '' }
}

/** The changes of a message, whether it has one or several. */
export const changesIn = ({ message }: Received): readonly { readonly position: string; readonly type: string }[] =>
  message.type === 'changes' ? message.data.changes : [message.data]

/**
 * True when one of the signatures is that of this key (`whpk_…`). By the text of the specification
 * "Standard Webhooks": its library for JavaScript knows no v1a.
 */
export function verifyAsymmetric(publicKey: string, headers: object, body: string): boolean {
  const sent = headers as Readonly<Record<string, string>>
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const signed = Buffer.from(`${sent['webhook-id']}.${sent['webhook-timestamp']}.${body}`)
  return (sent['webhook-signature'] ?? '')
    .split(' ')
    .map((one) => one.split(','))
    .some(([kind, signature = '']) => kind === 'v1a' && verify(null, signed, key, Buffer.from(signature, 'base64')))
}
