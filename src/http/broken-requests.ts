// Input that is no request that the server can take: too slow, too large, or not HTTP. There is no
// request to reply to, only a socket.
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { nothingThere, supportedAt } from './addresses.ts'
import { problemOf, safeHeaders, sharedOutcomes } from './problem.ts'

/** An error of Node's parser, with the bytes it read last. */
interface BrokenRequest extends Error {
  readonly code?: string
  readonly rawPacket?: unknown
  readonly bytesParsed?: number
}

interface Refusal {
  readonly name: keyof typeof sharedOutcomes
  readonly detail: string
  readonly headers?: Readonly<Record<string, string>>
}

const refusals: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    name: 'tooSlow',
    detail: 'The request timed out before it was complete. Send it again.',
  },
  LK_STOPPING: {
    name: 'tooSlow',
    detail: 'The service is stopping, and the request was not complete. Send it again.',
  },
  HPE_HEADER_OVERFLOW: {
    name: 'headersTooLarge',
    detail: 'The address and the headers are too large. Send a shorter address, or fewer or shorter headers.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    name: 'tooLarge',
    detail: 'The chunks of the body have extensions that are too large. Send them without.',
  },
}

const notHttp: Refusal = { name: 'notHttp', detail: 'The bytes are not a request of HTTP/1.1.' }

/** Why a request is refused for its headers, at any address. */
export function refusalOf(request: IncomingMessage): Refusal | undefined {
  const { expect } = request.headers
  if (!hasOneHost(request)) return { name: 'notHttp', detail: 'The request must have exactly one Host header.' }
  // Source: RFC 9110, 10.1.1.
  return expect === undefined || /^\s*100-continue\s*$/i.test(expect)
    ? undefined
    : { name: 'unmetExpectation', detail: 'The only expectation that is met is 100-continue.' }
}

/**
 * False when a proxy may have read another Host than this service: RFC 9112, 3.2. Of several, Node
 * silently takes the first.
 */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts++
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

/** The answer to the last request of each connection. */
const lastAnswers = new WeakMap<Duplex, ServerResponse>()
const refused = new WeakSet<Duplex>()

export const trackResponse = (answer: ServerResponse): void => {
  lastAnswers.set(answer.req.socket, answer)
}

/**
 * Where the last request of a connection is: its answer is sent, or all of it has arrived.
 * Undefined when it is not complete, or there was none.
 */
export function lastRequestOf(socket: Duplex): 'answered' | 'underWay' | undefined {
  const last = lastAnswers.get(socket)
  if (last?.writableFinished) return 'answered'
  return last?.req.complete ? 'underWay' : undefined
}

/**
 * Answers with a problem and closes, because nothing after unreadable bytes can be read. Requests
 * before them get their answers first. A request that was already answered gets no second answer: a
 * proxy would take it for the answer to another request.
 */
export function refuseOnSocket(
  error: BrokenRequest,
  socket: Duplex,
  allowedAt: (path: string) => readonly string[],
): void {
  if (refused.has(socket)) return
  refused.add(socket)
  const last = lastAnswers.get(socket)
  if (last !== undefined && lastRequestOf(socket) === 'underWay')
    last.once('finish', () => answer(socket, refusalOfBytes(error, allowedAt)))
  else if (error.code === 'ECONNRESET' || (last?.headersSent === true && !last.req.complete)) socket.destroy()
  else answer(socket, refusalOfBytes(error, allowedAt), last?.writableFinished === false ? last : undefined)
}

/** Answers CONNECT, a request to be a tunnel, which leaves a socket only. */
export function refuseTunnel(address: string, socket: Duplex, allowedAt: (path: string) => readonly string[]): void {
  answer(socket, refusalOfMethod(address, allowedAt))
}

function refusalOfBytes(error: BrokenRequest, allowedAt: (path: string) => readonly string[]): Refusal {
  const address = error.code === 'HPE_INVALID_METHOD' ? addressOfUnknownMethod(error) : undefined
  return address === undefined ? (refusals[error.code ?? ''] ?? notHttp) : refusalOfMethod(address, allowedAt)
}

function refusalOfMethod(address: string, allowedAt: (path: string) => readonly string[]): Refusal {
  const methods = allowedAt(address.replace(/^https?:\/\/[^/]*/i, '').split(/[?#]/, 1)[0] ?? '')
  return methods.length === 0
    ? { name: 'unknownAddress', detail: nothingThere }
    : { name: 'wrongMethod', detail: supportedAt(methods), headers: { allow: methods.join(', ') } }
}

/** The address of a request that is valid but for a method that Node does not know. */
function addressOfUnknownMethod({ rawPacket, bytesParsed = 0 }: BrokenRequest): string | undefined {
  const text = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : ''
  const line = text.slice(text.lastIndexOf('\n', bytesParsed - 1) + 1)
  return /^[\w!#$%&'*+.^`|~-]+ (\S+) HTTP\/1\.[01]\r\n/.exec(line)?.[1]
}

function answer(socket: Duplex, { name, detail, headers: own = {} }: Refusal, last?: ServerResponse): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  // The log has the request under the id it got when it began.
  const id = String(last?.getHeader('request-id') ?? randomUUID())
  const { status } = sharedOutcomes[name]
  const body = JSON.stringify(problemOf(name, sharedOutcomes[name], id, { detail }))
  const headers = {
    ...safeHeaders,
    ...own,
    'request-id': id,
    'cache-control': 'no-store',
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`)
  // A client that reads nothing would keep it open.
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy())
}
