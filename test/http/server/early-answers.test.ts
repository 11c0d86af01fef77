// Answers to what gets no further than its address, its headers or its framing: each is a problem
// that says what is so, and as safe as any answer. Source: decision 0002, RFC 9110, RFC 9112.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paths } from '../../support/records/payloads.ts'
import { type Call, type Service, startServiceWithWriter } from '../../support/servers/service.ts'

let service: Service
let call: Call
let key: string
beforeAll(async () => {
  ;({ service, call, key } = await startServiceWithWriter())
})
afterAll(() => service?.close())

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The answers on a connection to these bytes, until the service closes it. */
async function answersTo(...parts: readonly string[]): Promise<readonly Answer[]> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  await once(socket, 'connect')
  let seen = ''
  socket.setEncoding('latin1').on('data', (text) => {
    seen += text
  })
  const closed = new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve))
  for (const part of parts) await new Promise((sent) => socket.write(part, 'latin1', sent))
  await closed
  return seen
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .map((one) => one.split('\r\n\r\n'))
    .map(([head = '', text = '']) => {
      const [first = '', ...lines] = head.split('\r\n')
      const headers = new Headers(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]))
      return { status: Number(first.split(' ')[1]), headers, text }
    })
}

const request = (line: string, ...headers: readonly string[]): string =>
  `${[`${line} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`

const long = 'x'.repeat(2_001)
const post = (...headers: readonly string[]) =>
  request(`POST ${paths.location}`, `Authorization: Bearer ${key}`, 'Content-Type: application/json', ...headers)

const valid: Readonly<Record<string, readonly [status: number, outcome: string, bytes: () => string]>> = {
  'a long segment': [400, 'badAddress', () => request(`GET ${paths.location}/${long}`)],
  'a long lot code': [400, 'badAddress', () => request(`GET /traceability/lots/${'%F0%9F%8D%85'.repeat(1_001)}`)],
  'a percent sign': [400, 'badAddress', () => request(`GET ${paths.location}/100%`)],
  'an escape that is none': [400, 'badAddress', () => request(`GET ${paths.location}/%zz`)],
  'half a character': [400, 'badAddress', () => request(`GET ${paths.location}/%c3`)],
  'a byte that is no UTF-8': [400, 'badAddress', () => request(`GET ${paths.location}/%ff`)],
  'an escape that is none in the console': [400, 'badAddress', () => request('GET /console/%zz')],
  'an escape that is none, to another method': [400, 'badAddress', () => request('DELETE /keys/%zz')],
  'NUL in the path': [404, 'unknownAddress', () => request('GET /no%00where')],
  'two slashes': [404, 'unknownAddress', () => request('GET //nowhere')],
  'a path above its root': [404, 'unknownAddress', () => request('GET /../../etc/passwd')],
  'a whole address': [404, 'unknownAddress', () => request('GET http://x/nowhere')],
  'an upgrade to nothing': [404, 'unknownAddress', () => request('GET /nowhere', 'Upgrade: websocket')],
  'a long address': [431, 'headersTooLarge', () => request(`GET /${'x'.repeat(17_000)}`)],
  'large headers': [431, 'headersTooLarge', () => request('GET /', `X: ${'x'.repeat(17_000)}`)],
  'another expectation': [417, 'unmetExpectation', () => request('GET /health/live', 'Expect: 200-ok')],
  'an empty expectation': [417, 'unmetExpectation', () => request('GET /health/live', 'Expect:')],
  'an unknown method': [405, 'wrongMethod', () => request('FOO /health/live')],
  'a method in lower case': [405, 'wrongMethod', () => request('get /health/live')],
  'a method of WebDAV': [405, 'wrongMethod', () => request('PROPFIND /health/live')],
  TRACE: [405, 'wrongMethod', () => request('TRACE /health/live')],
  'an unknown method of a whole address': [405, 'wrongMethod', () => request('FOO http://x/health/live?a=b')],
  'an unknown method of nothing': [404, 'unknownAddress', () => request('FOO /nowhere')],
  CONNECT: [404, 'unknownAddress', () => request('CONNECT example.com:443')],
  'OPTIONS of the server': [404, 'unknownAddress', () => request('OPTIONS *')],
  'HTTP/1.0': [404, 'unknownAddress', () => 'GET /nowhere HTTP/1.0\r\n\r\n'],
  'large extensions of chunks': [
    413,
    'tooLarge',
    () => `${post('Transfer-Encoding: chunked')}2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  ],
}

const invalid: Readonly<Record<string, () => string>> = {
  'no host': () => 'GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n',
  'two hosts': () => request('GET /health/live', 'Host: y'),
  'two hosts of HTTP/1.0': () => 'GET /health/live HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n',
  'another version': () => request('GET /health/live').replace('1.1', '1.7'),
  'no address': () => request('GET'),
  'no HTTP': () => 'hello\r\n\r\n',
  'a method with a letter that is none': () => request('F\u00d6O /health/live'),
  TLS: () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001',
  'a letter in a header': () => request('GET /health/live', 'X: a\u0000b'),
  'a header without a colon': () => request('GET /health/live', 'X'),
  'a blank before the colon': () => request('GET /health/live', 'X : a'),
  'a line of a header continued': () => request('GET /health/live', 'X: a', ' b'),
  'a header without a name': () => request('GET /health/live', ': a'),
  'a length that is no number': () => post('Content-Length: ten'),
  'a length below zero': () => post('Content-Length: -1'),
  'two lengths': () => post('Content-Length: 2', 'Content-Length: 3'),
  'a length beside chunks': () => post('Content-Length: 2', 'Transfer-Encoding: chunked'),
  'a last coding that is not chunked': () => post('Transfer-Encoding: chunked, gzip'),
  'an address without its slash': () => request('GET health/live'),
  'HTTP/0.9': () => 'GET /health/live\r\n\r\n',
  'HTTP/2': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a byte of another encoding in the path': () => request('GET /caf\u00e9'),
  'a chunk that is none': () => `${post('Transfer-Encoding: chunked')}zz\r\n`,
}

function expectSafe({ status, headers, text }: Answer, outcome: string): void {
  expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  const problem = JSON.parse(text)
  expect(problem).toMatchObject({ status, type: `/docs/problems/${outcome}` })
  expect(problem.instance).toBe(`urn:uuid:${headers.get('request-id')}`)
  expect(problem.title).toMatch(/\.$/)
  expect(problem.detail.length).toBeGreaterThan(20)
}

test.each(Object.entries(valid))('%s is told as what it is, and not as a fault of HTTP', async (_name, one) => {
  const [status, outcome, bytes] = one
  const answers = await answersTo(bytes())
  expect(answers.map((answer) => answer.status)).toEqual([status])
  const [answer] = answers as [Answer]
  expectSafe(answer, outcome)
  expect(answer.text).not.toMatch(/not valid|HTTP\/1/)
  expect(answer.headers.get('allow')).toBe(status === 405 ? 'GET, HEAD, OPTIONS' : null)
  expect((await call('GET', `/docs/problems/${outcome}`)).status).toBe(200)
})

test.each(Object.entries(invalid))('%s is no HTTP/1.1, and told so', async (_name, bytes) => {
  const answers = await answersTo(bytes())
  expect(answers.map(({ status }) => status)).toEqual([400])
  expectSafe(answers[0] as Answer, 'notHttp')
})

test('HEAD of an address that cannot be decoded has the headers of GET, and no body', async () => {
  const [answer] = await answersTo(request('HEAD /console/%zz'))
  expect(answer).toMatchObject({ status: 400, text: '' })
  expect(answer?.headers.get('request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(answer?.headers.get('x-content-type-options')).toBe('nosniff')
})

test('100-continue is answered, and then the request', async () => {
  const [first, second] = await answersTo(post('Content-Length: 2', 'Expect: 100-continue'), '{}')
  expect([first?.status, second?.status]).toEqual([100, 422])
})

describe('a request before bytes that cannot be read', () => {
  test.each([
    ['an unknown method', request('FOO /health/live'), 405],
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['large headers', request('GET /', `X: ${'x'.repeat(17_000)}`), 431],
  ] as const)('%s: gets its own answer first', async (_name, bytes, status) => {
    const own = `GET /keys/own HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
    const answers = await answersTo(own + bytes)
    expect(answers.map((answer) => answer.status)).toEqual([200, status])
  })
})
