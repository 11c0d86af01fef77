// The files of the console: open without a key, compressed, and nothing besides them. Source: decision 0033.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mountConsole } from '../../src/http/console.ts'
import { type Call, calling, type Service, startService } from '../support/service.ts'

let service: Service
let call: Call
beforeAll(async () => {
  service = await startService()
  call = calling(service.url, undefined)
})
afterAll(() => service?.close())

const assets = async (): Promise<string[]> =>
  [...(await call('GET', '/console/')).text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '')

test('the page may load its own files and ask this server, and nothing else', async () => {
  const { status, headers } = await call('GET', '/console/events/anything?compare=1..2')
  expect(status).toBe(200)
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  )
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('the page is asked for each time and sent once; a file with a hash in its name never changes', async () => {
  const { headers } = await call('GET', '/console/')
  const again = await call('GET', '/console/', { headers: { 'if-none-match': headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
  const paths = await assets()
  expect(paths.length).toBeGreaterThanOrEqual(3)
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
  const raw = async (coding: string) => {
    const server = await import('node:http')
    return new Promise<{ encoding: string | undefined; body: Buffer }>((resolve, reject) => {
      server
        .get(service.url + script, { headers: { 'accept-encoding': coding } }, async (answer) => {
          resolve({ encoding: answer.headers['content-encoding'], body: Buffer.concat(await answer.toArray()) })
        })
        .on('error', reject)
    })
  }
  const plain = await raw('identity')
  expect(plain.encoding).toBeUndefined()
  const brotli = await raw('gzip, br')
  expect(brotli.encoding).toBe('br')
  expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true)
  const gzip = await raw('br;q=0, gzip')
  expect(gzip.encoding).toBe('gzip')
  expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true)
  expect(brotli.body.length).toBeLessThan(200_000)
})

test('what is no file of the console is not there, whatever the path says', async () => {
  for (const path of ['/console/assets/none.js', '/console/assets/..%2f..%2fmain.js'])
    expect((await call('GET', path)).status, path).toBe(404)
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
  mountConsole(server, new URL('./no-such-folder/', import.meta.url))
  const { statusCode, body } = await server.inject('/console/events')
  expect(statusCode).toBe(503)
  expect(body).toContain('npm run build')
  await server.close()
})
