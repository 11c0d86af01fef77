// The files of the console: open without a key, compressed, and nothing besides them.
// Source: decision 0033.
import { get, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mountConsole } from '../../../src/http/console.ts'
import { type Call, calling, type Service, startService } from '../../support/servers/service.ts'

let service: Service
let call: Call
beforeAll(async () => {
  service = await startService()
  call = calling(service.url, undefined)
})
afterAll(() => service?.close())

const assets = async (): Promise<string[]> =>
  [...(await call('GET', '/console/')).text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '')

/**
 * As a browser asks: `fetch` unpacks what it gets, and wants no 304 when it is given a condition.
 */
const raw = (path: string, headers: Record<string, string>) =>
  new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    get(service.url + path, { headers }, async (answer) => {
      const body = Buffer.concat(await answer.toArray())
      resolve({ status: answer.statusCode, headers: answer.headers, body })
    }).on('error', reject)
  })

test('the page may load its own files and ask this server, and nothing else', async () => {
  const { status, headers } = await call('GET', '/console/events/anything?compare=1..2')
  expect(status).toBe(200)
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  )
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('the page is asked for each time and sent once; a file with a hash in its name never changes', async () => {
  const accepted = { 'accept-encoding': 'gzip, br' }
  const { headers } = await raw('/console/', accepted)
  const again = await raw('/console/', { ...accepted, 'if-none-match': headers.etag ?? '' })
  expect(again.status).toBe(304)
  const paths = await assets()
  expect(paths.length).toBeGreaterThan(0)
  for (const path of paths) {
    const asset = await call('GET', path)
    expect([asset.status, asset.headers.get('cache-control')], path).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ])
  }
})

test('a file is the same in every coding, and a coding that is refused is not sent', async () => {
  const [script = ''] = (await assets()).filter((path) => path.endsWith('.js'))
  const plain = await raw(script, { 'accept-encoding': 'identity' })
  expect(plain.headers['content-encoding']).toBeUndefined()
  const brotli = await raw(script, { 'accept-encoding': 'gzip, br' })
  expect(brotli.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true)
  const gzip = await raw(script, { 'accept-encoding': 'br;q=0, gzip' })
  expect(gzip.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true)
  // What the first page needs.
  expect(brotli.body.length).toBeLessThan(116_000)
})

test('the worker that opens the page without a network is asked for each time, and knows every file', async () => {
  const { status, headers, text } = await call('GET', '/console/worker.js')
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache'])
  expect(headers.get('content-type')).toContain('javascript')
  const page = await call('GET', '/console/')
  expect(headers.get('content-security-policy')).toBe(page.headers.get('content-security-policy'))
  expect(headers.get('service-worker-allowed')).toBeNull()
  const [, list = ''] = /^const consoleFiles = (\[.*?\])\n/.exec(text) ?? []
  const files = (JSON.parse(list) as string[]).map((name) => `/console/assets/${name}`)
  expect(files).toEqual(expect.arrayContaining(await assets()))
  for (const path of files) expect((await call('GET', path)).status, path).toBe(200)
})

test('what is no file of the console is not there, whatever the path says', async () => {
  for (const path of [
    '/console/assets/none.js',
    '/console/assets/',
    '/console/assets/..%2f..%2fmain.js',
    '/console/assets/..%2findex.html',
    '/console/assets/%00.js',
    `${(await assets())[0]}.br`,
  ]) {
    const { status, headers } = await call('GET', path)
    expect([status, headers.get('cache-control')], path).toEqual([404, 'no-store'])
  }
  const outside = await call('GET', '/console/..%2f..%2fpackage.json')
  expect(outside.text).toContain('<div id="console">')
})

test('/ and /console lead to the console', async () => {
  for (const path of ['/', '/console']) {
    const { status, headers } = await fetch(service.url + path, { redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([302, '/console/'])
  }
})

test('without a build a page says what to run', async () => {
  const server = Fastify()
  await mountConsole(server, new URL('./no-such-folder/', import.meta.url))
  const { statusCode, body } = await server.inject('/console/events')
  expect(statusCode).toBe(503)
  expect(body).toContain('npm run build')
  await server.close()
})
