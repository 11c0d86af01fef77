// Every kind of answer forbids what a browser could be talked into: guessing types, framing,
// scripts of others, telling where it was.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changed, eventPayload, paths } from '../../support/records/payloads.ts'
import { type Call, calling, type Reply, type Service, startService } from '../../support/servers/service.ts'

let service: Service
let limited: Service
let call: Call
let id: string
beforeAll(async () => {
  service = await startService({ bodyLimitBytes: 100_000 })
  limited = await startService({ rateLimitPerMinute: 1 })
  call = (await service.provider()).call
  id = (await call('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0]
})
afterAll(async () => {
  await Promise.all([service?.close(), limited?.close()])
})

const event = paths.receivingEvent
const openly = (path: string) => calling(service.url, undefined)('GET', path)
const firstAssetOf = async (page: string, pattern: RegExp): Promise<string> =>
  new URL(pattern.exec((await openly(page)).text)?.[1] ?? '', service.url + page).pathname

const kinds: Readonly<Record<string, readonly [status: number, ask: () => Promise<Reply>]>> = {
  'a record': [200, () => call('GET', `${event}/${id}`)],
  'a list': [200, () => call('GET', event)],
  'what was created': [201, () => call('POST', event, { body: eventPayload() })],
  'what was replaced': [
    200,
    () => {
      const body = eventPayload()
      changed.receivingEvent(body)
      return call('PUT', `${event}/${id}`, { body })
    },
  ],
  'no change': [304, () => call('GET', `${event}/${id}/versions/1`, { headers: { 'if-none-match': '"1"' } })],
  'a bad query': [400, () => call('GET', `${event}?x=1`)],
  'bad JSON': [400, () => call('POST', event, { body: '{' })],
  'no key': [401, () => openly(event)],
  'another role': [403, () => call('GET', '/keys')],
  'an unknown record': [404, () => call('GET', `${event}/${crypto.randomUUID()}`)],
  'an unknown address': [404, () => call('GET', '/<script>alert(1)</script>')],
  'a wrong method': [405, () => call('DELETE', event)],
  'a large body': [413, () => call('POST', event, { body: `{"payloadId":"${'x'.repeat(100_000)}"}` })],
  'another media type': [415, () => call('POST', event, { body: 'x', headers: { 'content-type': 'text/html' } })],
  'a refusal': [422, () => call('POST', event, { body: { payloadId: '<script>alert(1)</script>' } })],
  'too many': [
    429,
    async () => {
      const hurried = (await limited.provider()).call
      await hurried('GET', '/keys/own')
      return hurried('GET', '/keys/own')
    },
  ],
  CSV: [200, () => call('GET', '/traceability/fda-spreadsheet?format=csv')],
  'a workbook': [200, () => call('GET', '/traceability/fda-spreadsheet')],
  'a drawing': [200, () => call('GET', '/traceability/lots/GV26062-A?format=svg')],
  'the OpenAPI document': [200, () => openly('/openapi.json')],
  'the page of the API': [200, () => openly('/docs')],
  'a file of that page': [200, async () => openly(await firstAssetOf('/docs', /src="([^"]+\.js)"/))],
  'a page of a problem': [200, () => openly('/docs/problems/taken')],
  'the console': [200, () => openly('/console/')],
  'a file of the console': [200, async () => openly(await firstAssetOf('/console/', /src="([^"]+\.js)"/))],
  health: [200, () => openly('/health/live')],
  readiness: [200, () => openly('/health/ready')],
}

test.each(Object.entries(kinds))('%s', async (_kind, [status, ask]) => {
  const { headers, ...reply } = await ask()
  expect(reply.status, reply.text.slice(0, 300)).toBe(status)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect([headers.get('x-powered-by'), headers.get('server')]).toEqual([null, null])
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src '(none|self)'/)
  expect(policy).toMatch(/frame-ancestors 'none'/)
  // The console reads barcodes by WebAssembly, which no script can turn into code of the page.
  expect(policy.replace(/style-src[^;]*/, '').replace("'wasm-unsafe-eval'", '')).not.toMatch(/unsafe|\*|https?:/)
  // What is somebody's is kept by nobody on the way.
  if (status >= 400) expect(headers.get('cache-control')).toBe('no-store')
})
