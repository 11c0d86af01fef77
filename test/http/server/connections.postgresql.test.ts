// What comes on a connection and is no plain request: refused once, in bounded time, while others
// are answered. Source: decision 0042. On one database only: none of it gets as far.
import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { trackResponse } from '../../../src/http/broken-requests.ts'
import { Drain } from '../../../src/http/drain.ts'
import { headersMsMax } from '../../../src/http/server.ts'
import { smuggledBytes } from '../../samples/smuggled-bytes.ts'
import { allowMs } from '../../support/patience.ts'
import { paths } from '../../support/records/payloads.ts'
import { type Call, type Service, startServiceWithWriter } from '../../support/servers/service.ts'

let service: Service
let call: Call
let key: string
beforeAll(async () => {
  ;({ service, call, key } = await startServiceWithWriter())
})
afterAll(() => service?.close())

async function connected(): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** All that is answered on a connection until the service closes it. */
const answerOn = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let seen = ''
    socket.on('data', (chunk) => {
      seen += chunk
    })
    socket.on('error', () => undefined).on('close', () => resolve(seen))
  })

const statusesIn = (answer: string): readonly string[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status)

describe('bytes that could be read as two requests, or as none', () => {
  test.each(smuggledBytes.map(({ name, bytes }) => [name, bytes] as const))(
    '%s: one refusal, and the connection is closed',
    async (_name, bytes) => {
      const socket = await connected()
      const answer = answerOn(socket)
      socket.write(Buffer.from(bytes, 'latin1'))
      expect(statusesIn(await answer)).toEqual([expect.stringMatching(/^4/)])
      expect(await answer).toContain('application/problem+json')
    },
  )

  test('the refusal of what is no request is a problem with an id, and as safe as any answer', async () => {
    const socket = await connected()
    const answer = answerOn(socket)
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`)
    const [head = '', body = ''] = (await answer).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 431 /)
    expect(head).toContain('x-content-type-options: nosniff')
    const { type, instance } = JSON.parse(body)
    expect(type).toBe('/docs/problems/headersTooLarge')
    expect(head).toContain(`request-id: ${instance.replace('urn:uuid:', '')}`)
    expect((await call('GET', type)).status).toBe(200)
  })
})

test('requests that come before the answer to the one before are answered, each once and in order', async () => {
  const socket = await connected()
  const answer = answerOn(socket)
  const asked = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? '/health/live' : '/keys/own'))
  socket.write(
    asked
      .map((path, n) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${n === 49 ? 'Connection: close\r\n' : ''}\r\n`)
      .join(''),
  )
  expect(statusesIn(await answer)).toEqual(asked.map((path) => (path === '/keys/own' ? '401' : '200')))
})

test('a body that was refused before it was read does not hold up the next request on the connection', async () => {
  const socket = await connected()
  const answer = answerOn(socket)
  const body = 'x'.repeat(2_000_000)
  socket.write(
    `POST ${paths.receivingEvent} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}` +
      'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  )
  expect(statusesIn(await answer)).toEqual(['415', '200'])
})

// Together with a server that closes, since both only wait for a time to end.
test.concurrent('who sends headers slowly, or nothing at all, is refused in time; others are answered meanwhile', async () => {
  const kinds = ['', 'GET /health/live\r\n', 'GET /health/live HTTP/1.1\r\nHost: x\r\nX: '] as const
  const slow = await Promise.all(
    Array.from({ length: 300 }, async (_, n) => {
      const socket = await connected()
      const answer = answerOn(socket)
      socket.write(kinds[n % kinds.length] ?? '')
      const drip = setInterval(() => n % kinds.length === 2 && socket.write('y'), 1_000)
      return { answer: answer.finally(() => clearInterval(drip)) }
    }),
  )
  expect((await call('GET', '/keys/own')).status).toBe(200)
  const began = performance.now()
  const answers = await Promise.all(slow.map(({ answer }) => answer))
  expect(performance.now() - began).toBeLessThan(allowMs(headersMsMax + 15_000))
  expect(new Set(answers.flatMap(statusesIn))).toEqual(new Set(['408']))
})

describe.concurrent('a server that closes', () => {
  const bytes = 50_000_000

  /** An answer that is begun, not read, and larger than what a machine keeps of it on its way. */
  async function unread() {
    const cut: number[] = []
    const server = createServer((_request, answer) => {
      trackResponse(answer)
      answer.setHeader('content-length', bytes).end(Buffer.alloc(bytes))
    })
    const drain = new Drain(server, (connections) => cut.push(connections))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const [answer] = (await once(get({ port, host: '127.0.0.1', agent: false }), 'response')) as [IncomingMessage]
    const idle = connect(port, '127.0.0.1')
    await once(idle, 'connect')
    drain.closeConnections()
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    await once(idle.resume(), 'close')
    return { answer, closed, cut }
  }

  test('sends the whole of an answer that its reader takes late', async () => {
    const { answer, closed, cut } = await unread()
    expect(Buffer.concat(await answer.toArray()).length).toBe(bytes)
    await closed
    expect(cut).toEqual([])
  })

  test('breaks off an answer that its reader never takes, and says so', async () => {
    const { closed, cut, answer } = await unread()
    answer.on('error', () => undefined)
    await closed
    expect(cut).toEqual([1])
  })
})
