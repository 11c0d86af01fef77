// Methods: every address that is there says which methods it takes, whoever asks. Source: RFC 9110,
// 9.1, 9.3.7 and 15.5.6.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '../../../src/operations/catalogue.ts'
import { type Call, calling, type Service, startService } from '../../support/servers/service.ts'

let service: Service
let call: Call
beforeAll(async () => {
  service = await startService({ failedSignInsPerMinute: 0 })
  call = calling(service.url, undefined)
})
afterAll(() => service?.close())

const open = [
  '/',
  '/console',
  '/console/',
  '/console/events',
  '/docs',
  '/docs/',
  '/docs/json',
  '/docs/static/swagger-ui.css',
  '/docs/problems/taken',
  '/favicon.ico',
  '/health/live',
  '/health/ready',
  '/openapi.json',
  '/sign-in',
]
const reads = 'GET, HEAD, OPTIONS'
/** Of each path that is declared, the methods that are declared of it: not those of `{id}` beside it. */
const operations = [...new Set(catalogue.map(({ path }) => path))].map(
  (path) =>
    [
      path.replaceAll(/\{\w+\}/g, 'x'),
      catalogue
        .filter((operation) => operation.path === path)
        .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
        .concat('OPTIONS')
        .sort()
        .join(', '),
    ] as const,
)

test('some paths are covered by a path with a parameter, whose methods are others', () => {
  const covered = operations.filter(([path]) =>
    catalogue.some(
      (one) => one.path !== path && new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    ),
  )
  expect(covered.map(([path]) => path)).toEqual(expect.arrayContaining(['/keys/own', '/partners/suggestions']))
})

describe.each([...open.map((path) => [path, reads] as const), ...operations])('%s takes %s', (path, allowed) => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !allowed.includes(method)))(
    '%s is 405 and says so',
    async (method) => {
      for (const [body, headers] of [
        [undefined, undefined],
        ['{', { 'content-type': 'application/json' }],
        ['<a>', { 'content-type': 'text/xml' }],
      ] as const) {
        const reply = await call(method, path, { ...(body && { body, headers }) })
        expect([reply.status, reply.body.type], reply.text).toEqual([405, '/docs/problems/wrongMethod'])
        expect(reply.headers.get('allow')).toBe(allowed)
        expect(reply.body.detail).toContain(allowed)
      }
    },
  )

  test('OPTIONS says so without a key, and with no body', async () => {
    const reply = await call('OPTIONS', path)
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect(reply.headers.get('allow')).toBe(allowed)
    // Pages of other origins may not call it.
    expect(reply.headers.get('access-control-allow-origin')).toBeNull()
  })
})

test.each(open.filter((path) => !['/', '/console'].includes(path)))('HEAD %s is GET without the body', async (path) => {
  const [get, head] = [await call('GET', path), await call('HEAD', path)]
  expect([head.status, head.text]).toEqual([get.status, ''])
  for (const name of ['content-type', 'content-security-policy', 'etag', 'cache-control'])
    expect(head.headers.get(name), name).toBe(get.headers.get(name))
})

test('HEAD of an operation asks for a key, and has the headers of GET', async () => {
  expect((await call('HEAD', '/keys/own')).status).toBe(401)
  const own = (await service.provider()).call
  const [get, head] = [await own('GET', '/limits'), await own('HEAD', '/limits')]
  expect([get.status, head.status, head.text]).toEqual([200, 200, ''])
  expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
})

test.each(['GET', 'POST', 'OPTIONS'])(
  '%s of an address that is not there is 404, whatever the body',
  async (method) => {
    for (const path of ['/nowhere', '/health', '/health/', '/health/live/x', '/data-provider', '/docs/nowhere']) {
      const reply = await call(method, path, method === 'POST' ? { body: '{' } : {})
      expect([reply.status, reply.body.type], `${method} ${path}`).toEqual([404, '/docs/problems/unknownAddress'])
    }
  },
)

test('/favicon.ico is the picture of the console', async () => {
  const { status, headers, text } = await call('GET', '/favicon.ico')
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'image/svg+xml',
    'no-cache',
  ])
  expect(text).toMatch(/^<svg/)
})
