// One delivery, to receivers that answer, refuse, redirect, hang and never end: what comes of it is
// known, in bounded time and bytes, and nothing is reached but the address that was checked.
import { once } from 'node:events'
import { createServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import type { ResolveHost } from '../../src/webhooks/address-guard.ts'
import { delivererOf } from '../../src/webhooks/delivery.ts'
import { cert, key } from '../samples/certificate.ts'
import { type Reply, startReceiver } from '../support/servers/webhook-receiver.ts'

const closing: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const noNames: ResolveHost = async (host) => {
  throw new Error(`The name ${host} is not to be looked up.`)
}
const { deliver } = delivererOf({ allowPrivate: true, resolve: noNames })
const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1772632800', 'webhook-signature': 'v1,AAAA' }
const body = '{"type":"webhook.test","data":{"note":"ü"}}'

async function receiver(reply?: Reply) {
  const one = await startReceiver(reply)
  closing.push(one.close)
  return one
}

test('a message arrives as it was signed, with its headers', async () => {
  const { url, received } = await receiver()
  const delivery = await deliver({ url: `${url}?token=a%20b`, headers, body })
  expect(delivery).toMatchObject({ outcome: 'delivered', status: 204, error: undefined, answer: undefined })
  expect(received).toEqual([
    expect.objectContaining({
      body,
      path: '/hook?token=a%20b',
      headers: expect.objectContaining({
        ...headers,
        'content-type': 'application/json',
        'user-agent': expect.stringMatching(/^lotkeeper\//),
      }),
    }),
  ])
})

test.each([
  [200, 'delivered'],
  [202, 'delivered'],
  [299, 'delivered'],
  [300, 'failed'],
  [304, 'failed'],
  [400, 'failed'],
  [404, 'failed'],
  [410, 'gone'],
  [429, 'failed'],
  [500, 'failed'],
  [503, 'failed'],
])('status %i is %s', async (status, outcome) => {
  const { url } = await receiver(status)
  const delivery = await deliver({ url, headers, body })
  expect(delivery).toMatchObject({ outcome, status })
  expect(delivery.error === undefined).toBe(outcome === 'delivered')
})

test('a redirect is a failure, and nobody follows it', async () => {
  const other = await receiver()
  for (const status of [301, 302, 303, 307, 308]) {
    const { url } = await receiver((_one, response) => response.writeHead(status, { location: other.url }).end())
    expect(await deliver({ url, headers, body })).toMatchObject({
      outcome: 'failed',
      status,
      error: expect.stringContaining('redirects are not followed'),
    })
  }
  expect(other.received).toEqual([])
})

test('what a receiver answers is kept as text, and Retry-After is read', async () => {
  const { url } = await receiver((_one, response) =>
    response.writeHead(503, { 'retry-after': '120' }).end('Closed\u0000 until\u001b[31m noon, \xfc.\n'),
  )
  expect(await deliver({ url, headers, body })).toMatchObject({
    outcome: 'failed',
    answer: 'Closed  until [31m noon, ü.',
    retryAfterMs: 120_000,
  })
})

test('an answer that never ends is cut, and its status counts', async () => {
  let sent = 0
  let isClosed = false
  const { url } = await receiver(async (_one, response) => {
    response.writeHead(200)
    response.once('close', () => {
      isClosed = true
    })
    while (!isClosed && response.write('x'.repeat(65_536))) sent += 65_536
  })
  const delivery = await deliver({ url, headers, body })
  expect(delivery.outcome).toBe('delivered')
  expect(delivery.answer).toBe('x'.repeat(2_000))
  await expect.poll(() => isClosed).toBe(true)
  expect(sent).toBeLessThan(64 * 2 ** 20)
})

test('an answer that stops in the middle is waited for a second, and its status counts', async () => {
  const { url } = await receiver((_one, response) => void response.writeHead(200).write('begun'))
  const delivery = await deliver({ url, headers, body })
  expect(delivery).toMatchObject({ outcome: 'delivered', answer: 'begun' })
})

test('a receiver that hangs is given up, before or after it connects', async () => {
  const hurried = delivererOf({ allowPrivate: true, resolve: noNames, msMax: 300 })
  const { url } = await receiver(() => undefined)
  expect(await hurried.deliver({ url, headers, body })).toMatchObject({
    outcome: 'failed',
    status: undefined,
    error: 'No answer within 0.3 seconds.',
  })
  // Accepts connections, and says nothing of TLS.
  const silent = createTcpServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  closing.push(() => silent.close())
  const { port } = silent.address() as AddressInfo
  expect(await hurried.deliver({ url: `https://127.0.0.1:${port}/`, headers, body })).toMatchObject({
    error: 'No answer within 0.3 seconds.',
  })
  const unanswered = delivererOf({ allowPrivate: true, resolve: () => new Promise(() => undefined), msMax: 300 })
  expect(await unanswered.deliver({ url: 'https://erp.example.com/', headers, body })).toMatchObject({
    error: 'No answer within 0.3 seconds.',
  })
})

test('a delivery ends when it is aborted', async () => {
  const { url, received } = await receiver(() => undefined)
  const abort = new AbortController()
  const delivering = deliver({ url, headers, body }, abort.signal)
  await expect.poll(() => received.length).toBe(1)
  abort.abort()
  expect(await delivering).toMatchObject({
    outcome: 'failed',
    error: 'The service stopped before there was an answer.',
  })
  expect(await deliver({ url, headers, body }, abort.signal)).toMatchObject({ outcome: 'failed' })
})

test('a port that nobody has, an answer that is no HTTP, a connection that is cut: each fails with its reason', async () => {
  const { url, close } = await startReceiver()
  await close()
  expect((await deliver({ url, headers, body })).error).toContain('does not accept connections')
  for (const answer of ['no HTTP\r\n\r\n', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1_000_000)}\r\n\r\n`, '']) {
    const strange = createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(answer))
    }).listen(0, '127.0.0.1')
    await once(strange, 'listening')
    closing.push(() => strange.close())
    const { port } = strange.address() as AddressInfo
    expect(await deliver({ url: `http://127.0.0.1:${port}/`, headers, body })).toMatchObject({
      outcome: 'failed',
      status: undefined,
      error: expect.stringContaining('The connection to the receiver failed'),
    })
  }
})

test('the name is looked up once, and the connection goes to the address that was checked', async () => {
  const { url, received } = await receiver()
  const { port } = new URL(url)
  let asked = 0
  // The first answer is allowed, and every other one is the metadata of a cloud.
  const rebinding: ResolveHost = async () => (asked++ === 0 ? ['127.0.0.1'] : ['169.254.169.254'])
  const rebound = delivererOf({ allowPrivate: true, resolve: rebinding })
  expect(await rebound.deliver({ url: `http://erp.localhost:${port}/`, headers, body })).toMatchObject({
    outcome: 'delivered',
  })
  expect([asked, received.length]).toEqual([1, 1])
  expect(received[0]?.headers.host).toBe(`erp.localhost:${port}`)
  expect(await rebound.deliver({ url: `http://erp.localhost:${port}/`, headers, body })).toMatchObject({
    outcome: 'failed',
    error: expect.stringContaining('169.254.169.254'),
  })
  expect(received).toHaveLength(1)
})

test('without private networks nothing is sent to this machine, by whatever name', async () => {
  const { url, received } = await receiver()
  const { port } = new URL(url)
  const guarded = delivererOf({ allowPrivate: false, resolve: async () => ['127.0.0.1'] })
  for (const target of [
    url,
    `https://127.0.0.1:${port}/`,
    `https://erp.example.com:${port}/`,
    `https://localhost:${port}/`,
  ]) {
    expect(await guarded.faultOf(target)).toEqual(expect.any(String))
    expect(await guarded.deliver({ url: target, headers, body })).toMatchObject({
      outcome: 'failed',
      status: undefined,
    })
  }
  expect(received).toEqual([])
})

test('TLS names the host it asks for, and a certificate that nobody vouches for is refused', async () => {
  const names: string[] = []
  let requests = 0
  const server = createServer(
    {
      key,
      cert,
      SNICallback: (name, done) => {
        names.push(name)
        done(null)
      },
    },
    (request, response) => {
      requests++
      request.resume().once('end', () => response.end())
    },
  ).listen(0, '127.0.0.1')
  server.on('tlsClientError', () => undefined)
  await once(server, 'listening')
  closing.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const secure = delivererOf({ allowPrivate: true, resolve: async () => ['127.0.0.1'] })
  expect(await secure.deliver({ url: `https://erp.example.com:${port}/`, headers, body })).toMatchObject({
    outcome: 'failed',
    error: expect.stringContaining('The certificate of the receiver is not valid'),
  })
  expect(names).toEqual(['erp.example.com'])
  expect(requests).toBe(0)
  // The same receiver, vouched for.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  const trusted = await secure.deliver({ url: `https://erp.example.com:${port}/`, headers, body })
  vi.unstubAllEnvs()
  expect([trusted.outcome, trusted.status, requests]).toEqual(['delivered', 200, 1])
})
