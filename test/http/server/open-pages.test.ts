// What is open without a key, and that nothing else is. Source: decision 0018.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogue } from '../../../src/operations/catalogue.ts'
import { type Call, calling, type Service, startService } from '../../support/servers/service.ts'

let service: Service
let call: Call
beforeAll(async () => {
  // More addresses are called without a key than may be in a minute.
  service = await startService({ failedSignInsPerMinute: 0 })
  call = calling(service.url, undefined)
})
afterAll(() => service?.close())

test('health says that the process lives and that the database answers', async () => {
  expect((await call('GET', '/health/live')).body).toEqual({ status: 'live' })
  expect((await call('GET', '/health/ready')).body).toEqual({ status: 'ready' })
})

test('pages to try the API in begin with a dry run wherever there is one, and a call without it writes', async () => {
  const { body } = await call('GET', '/openapi.json')
  interface Parameter {
    readonly name: string
    readonly example?: unknown
    readonly schema: { readonly default?: unknown }
  }
  const parameters = Object.values(body.paths as Record<string, Record<string, { readonly parameters?: Parameter[] }>>)
    .flatMap((path) => Object.values(path))
    .flatMap((operation) => operation.parameters ?? [])
    .filter(({ name }) => name === 'dryRun')
  expect(parameters).not.toHaveLength(0)
  for (const { example, schema } of parameters) expect([example, schema.default]).toEqual([true, undefined])
})

test('/openapi.json describes every operation in OpenAPI 3.1, and each reference in it resolves', async () => {
  const { body, text } = await call('GET', '/openapi.json')
  expect(body.openapi).toBe('3.1.0')
  expect(Object.keys(body.paths).sort()).toEqual([...new Set(catalogue.map((operation) => operation.path))].sort())
  const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)
  expect(references.length).toBeGreaterThan(0)
  for (const name of references) expect(body.components.schemas).toHaveProperty(name ?? '')
})

test('/docs is complete on this server: no script, style or picture comes from another host', async () => {
  const page = await call('GET', '/docs')
  expect(page.status).toBe(200)
  const parts = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part]) => part ?? '')
  expect(parts.length).toBeGreaterThan(0)
  for (const part of parts) {
    const address = new URL(part, `${service.url}/docs`)
    expect(address.origin).toBe(service.url)
    expect((await call('GET', address.pathname)).status, part).toBe(200)
  }
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'self'/)
})

test('a problem page says when an operation ends so and what to do; an unknown one is 404', async () => {
  const taken = await call('GET', '/docs/problems/taken')
  expect(taken.text).toContain('event date time')
  expect(taken.text).toContain('location code')
  expect(taken.text).toContain('Correct the request before you send it again.')
  expect((await call('GET', '/docs/problems/constructor')).status).toBe(404)
})

test('every other address needs a key', async () => {
  const { body } = await call('GET', '/openapi.json')
  for (const path of Object.keys(body.paths))
    for (const method of Object.keys(body.paths[path]))
      expect((await call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x'))).status, `${method} ${path}`).toBe(401)
})

test('answers forbid guessing of types, framing and scripts', async () => {
  const { headers } = await call('GET', '/health/live')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'")
  expect(headers.get('x-powered-by')).toBeNull()
})
