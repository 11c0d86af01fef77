// Input that is no request: too slow, too large, or not HTTP. There is no request to reply to, only
// a socket.
import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { problemOf, safeHeaders, serverOutcomes } from './problem.ts'

const ends: Readonly<Record<string, readonly [keyof typeof serverOutcomes, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['tooSlow', 'The request timed out before it was complete. Send it again.'],
  LK_STOPPING: ['tooSlow', 'The service is stopping, and the request was not complete. Send it again.'],
  HPE_HEADER_OVERFLOW: ['headersTooLarge', 'The headers are too large. Send fewer or shorter ones.'],
}

/** The answer to the last request of each connection. */
const lastAnswers = new WeakMap<Duplex, ServerResponse>()

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
 * Answers with a problem and closes, because nothing after unreadable bytes can be read. A request
 * that was already answered gets no second answer: a proxy would take it for the answer to another
 * request.
 */
export function refuseOnSocket(error: Error & { code?: string }, socket: Duplex): void {
  const last = lastAnswers.get(socket)
  const isAnswered = last?.headersSent === true && !last.req.complete
  if (!socket.writable || error.code === 'ECONNRESET' || isAnswered) {
    socket.destroy()
    return
  }
  const [name, detail] = ends[error.code ?? ''] ?? (['notHttp', 'The request is not valid HTTP/1.1.'] as const)
  const id = randomUUID()
  const { status } = serverOutcomes[name]
  const body = JSON.stringify(problemOf(name, serverOutcomes[name], id, { detail }))
  const headers = {
    ...safeHeaders,
    'request-id': id,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`)
  // A client that reads nothing would keep it open.
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy())
}
