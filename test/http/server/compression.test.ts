// Compressed answers and requests: the same bytes on both ways, bounded by what comes out of them.
// Source: decision 0053.
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { brotliCompressSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Operation, outcomesOf } from '../../../src/operations/base/operation.ts'
import { catalogue, type OperationName } from '../../../src/operations/catalogue.ts'
import { addressOf, requestSamples } from '../../samples/operation-requests.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { runs } from '../../support/runs.ts'
import { type Call, calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

const bodyLimitBytes = 2_000_000
let service: Service
let provider: TestProvider
let key: string
let call: Call
let id: string

beforeAll(async () => {
  service = await startService({ bodyLimitBytes })
  provider = await service.provider()
  key = await provider.key('administrator')
  call = calling(service.url, key)
  id = (await call('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0]
})
afterAll(() => service?.close())

interface Raw {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

/** Sends and receives bytes as they are: fetch would unpack them. */
function raw(method: string, path: string, headers: Record<string, string> = {}, body?: Buffer): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request(
      service.url + path,
      {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body && { 'content-length': String(body.length) }), ...headers },
      },
      async (answer) => {
        try {
          const bytes = Buffer.concat(await answer.toArray())
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers as Raw['headers'], body: bytes })
        } catch (error) {
          reject(error)
        }
      },
    )
    sent.on('error', reject).end(body)
  })
}
const at = () => `${paths.receivingEvent}/${id}`
const gzip = { 'accept-encoding': 'gzip' }

describe('answers', () => {
  const operations = catalogue.filter(({ method }) => method === 'GET').map((one) => [one.name, one] as const)
  const isText = (type = '') => /json|text|svg/.test(type)

  test.each(operations)('%s has the same content in gzip as without', async (_name, operation: Operation) => {
    const about = operation.path.includes('{lotCode}') ? 'GV26062-A' : id
    const { query = {} } = requestSamples[operation.name as OperationName]
    const path = addressOf(operation.path, about, query)
    const plain = await raw('GET', path)
    const packed = await raw('GET', path, gzip)
    expect(packed.status).toBe(plain.status)
    const wants =
      isText(plain.headers['content-type']) &&
      (plain.headers['content-length'] === undefined || plain.body.length >= 1024)
    expect(packed.headers['content-encoding']).toBe(wants ? 'gzip' : undefined)
    expect(plain.headers['content-encoding']).toBeUndefined()
    // What is the same for a cache, with or without.
    expect([plain.headers.vary, packed.headers.vary]).toEqual(Array(2).fill(wants ? 'accept-encoding' : undefined))
    const unpacked = packed.headers['content-encoding'] === 'gzip' ? gunzipSync(packed.body) : packed.body
    const instant = /\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f]{8}-[0-9a-f-]{27}|"at":\d+/g
    if (wants) expect(unpacked.toString().replaceAll(instant, '')).toBe(plain.body.toString().replaceAll(instant, ''))
    else expect(unpacked.length).toBeGreaterThan(0)
    if (wants && packed.headers['content-length'] !== undefined)
      expect(packed.body.length).toBeLessThan(plain.body.length)
  })

  test('problems, pages and the OpenAPI document are packed too; what is short is not', async () => {
    const long = await raw(
      'POST',
      paths.receivingEvent,
      { ...gzip, 'content-type': 'application/json' },
      Buffer.from('{"eventList":[{},{},{}]}'),
    )
    expect([long.status, long.headers['content-encoding']]).toEqual([422, 'gzip'])
    expect(JSON.parse(gunzipSync(long.body).toString()).findings.length).toBeGreaterThan(5)
    for (const path of ['/openapi.json', '/docs/static/swagger-ui.css'])
      expect((await raw('GET', path, gzip)).headers['content-encoding'], path).toBe('gzip')
    for (const path of ['/health/live', '/keys/own', '/nowhere'])
      expect((await raw('GET', path, gzip)).headers['content-encoding'], path).toBeUndefined()
  })

  test('what is packed already is sent as it is', async () => {
    for (const path of ['/traceability/fda-spreadsheet', '/traceability/fda-package']) {
      const { status, headers, body } = await raw('GET', path, gzip)
      expect([status, headers['content-encoding'], headers.vary], path).toEqual([200, undefined, undefined])
      expect(body.subarray(0, 2).toString()).toBe('PK')
    }
    const { headers } = await raw('GET', '/console/', { 'accept-encoding': 'gzip, br' })
    expect(headers['content-encoding']).toBe('br')
    const part = await raw('GET', '/docs/static/swagger-ui.css', { ...gzip, range: 'bytes=0-4999' })
    expect([part.status, part.headers['content-encoding'], part.body.length]).toEqual([206, undefined, 5_000])
  })

  test('the secret of a new key is never packed: its length would tell of it', async () => {
    const body = Buffer.from(JSON.stringify({ role: 'reader', label: 'x'.repeat(100) }))
    const made = await raw('POST', '/keys', { ...gzip, 'content-type': 'application/json' }, body)
    expect([made.status, made.headers['content-encoding']]).toEqual([201, undefined])
  })

  test.each([
    ['gzip', true],
    ['GZIP', true],
    ['x-gzip', true],
    ['br, gzip;q=0.5', true],
    ['*', true],
    ['gzip;q=0', false],
    ['gzip;q=0.000', false],
    ['*;q=0', false],
    ['*, gzip;q=0', false],
    ['identity', false],
    ['identity, gzip;q=0.5', false],
    ['br', false],
    ['', false],
    ['gzipped', false],
    ['gzip;q=nonsense', false],
  ])('Accept-Encoding: %s takes gzip: %s', async (accepted, takes) => {
    const { headers } = await raw('GET', at(), { 'accept-encoding': accepted })
    expect(headers['content-encoding']).toBe(takes ? 'gzip' : undefined)
  })

  test('a compressed record has its own strong ETag, which every condition accepts', async () => {
    const { headers } = await raw('GET', at(), gzip)
    expect(headers.etag).toBe('"1-gzip"')
    const condition = { ...gzip, 'if-none-match': '"1-gzip"' }
    const unchanged = await raw('GET', at(), condition)
    expect([unchanged.status, unchanged.headers.etag, unchanged.body.length]).toEqual([304, '"1-gzip"', 0])
    expect((await raw('GET', at(), { 'if-none-match': '"1"' })).headers.etag).toBe('"1"')
    expect((await raw('GET', at(), { ...gzip, 'if-none-match': '"2-gzip"' })).status).toBe(200)

    const own = (await call('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0]
    const put = async (name: string, tag: string) =>
      (await call('PUT', `${paths.receivingEvent}/${own}`, { body: eventPayload(), headers: { [name]: tag } })).status
    expect(await put('if-none-match', '"1-gzip"')).toBe(412)
    expect(await put('if-match', '"2-gzip"')).toBe(412)
    expect(await put('if-match', '"1-gzip"')).toBe(200)
    expect(await put('if-match', '"2-br"')).toBe(412)
  })

  test.each([gzip, { 'accept-encoding': 'identity' }])(
    'HEAD has the headers of GET under %o, and no body',
    async (accepted) => {
      for (const path of [at(), '/limits', '/openapi.json', '/traceability/fda-spreadsheet?format=csv']) {
        const [get, head] = [await raw('GET', path, accepted), await raw('HEAD', path, accepted)]
        expect([head.status, head.body.length], path).toEqual([200, 0])
        for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary'])
          expect(head.headers[name], `${path} ${name}`).toBe(get.headers[name])
      }
    },
  )
})

describe('requests', () => {
  const send = (body: Buffer, coding?: string, method = 'POST', path: string = paths.receivingEvent) =>
    raw(
      method,
      path,
      { 'content-type': 'application/json', ...(coding !== undefined && { 'content-encoding': coding }) },
      body,
    )
  const problemOf = ({ body }: Raw) => JSON.parse(body.toString())

  test('in gzip are read as if they were plain, whatever their size and however they are cut', async () => {
    for (const [coding, products] of [
      ['gzip', 1],
      ['GZIP', 1],
      ['x-gzip', 1_500],
      ['gzip', 2_000],
    ] as const) {
      const payload = eventPayload((edited) => {
        const [product] = edited.productMasterDataList
        for (let i = 0; i < products; i++) edited.productMasterDataList.push({ ...product, itemCode: `I-${i}` })
      })
      const made = await send(gzipSync(JSON.stringify(payload)), coding)
      expect(made.status, made.body.toString().slice(0, 300)).toBe(201)
      const record = JSON.parse(made.body.toString()).request_ids[0]
      expect((await call('GET', `${paths.receivingEvent}/${record}`)).body).toEqual({ id: record, ...payload })
    }
  })

  test('without Content-Length, in many small pieces, and in several members, are one body', async () => {
    const payload = eventPayload()
    const text = JSON.stringify(payload)
    const members = Buffer.concat([gzipSync(text.slice(0, 700)), gzipSync(text.slice(700))])
    const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sent = request(
        service.url + paths.receivingEvent,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-encoding': 'gzip' },
        },
        async (answer) =>
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(await answer.toArray()).toString() }),
      )
      sent.on('error', reject)
      for (let i = 0; i < members.length; i += 50) sent.write(members.subarray(i, i + 50))
      sent.end()
    })
    expect(answer.status, answer.text).toBe(201)
  })

  test.each([
    ['br', (text: string) => brotliCompressSync(text)],
    ['deflate', (text: string) => deflateSync(text)],
    ['gzip, gzip', (text: string) => gzipSync(gzipSync(text))],
    ['gzip, identity', (text: string) => gzipSync(text)],
    ['zstd', (text: string) => Buffer.from(text)],
    ['nonsense', (text: string) => Buffer.from(text)],
  ])('in %s are 415, and the answer says what is taken', async (coding, pack) => {
    const reply = await send(pack(JSON.stringify(eventPayload())), coding)
    expect([reply.status, reply.headers['accept-encoding']]).toEqual([415, 'gzip'])
    expect(problemOf(reply)).toMatchObject({ type: '/docs/problems/wrongMediaType' })
    expect(problemOf(reply).detail).toContain('gzip')
  })

  test.each([
    ['plain text', Buffer.from('{"eventList":{}}')],
    ['a part of it', gzipSync(JSON.stringify(eventPayload())).subarray(0, -20)],
    ['a broken checksum', Buffer.concat([gzipSync('{}').subarray(0, -8), Buffer.alloc(8)])],
    ['random bytes', randomBytes(5_000)],
    ['the header alone', gzipSync('{}').subarray(0, 10)],
  ])('that say gzip and are %s are 400, and the connection goes on', async (_what, bytes) => {
    const reply = await send(bytes, 'gzip')
    expect(reply.status, reply.body.toString()).toBe(400)
    expect(problemOf(reply)).toMatchObject({ type: '/docs/problems/malformed' })
    expect((await call('GET', at())).status).toBe(200)
  })

  test('of the largest size are taken, and one byte more that comes out is 413', async () => {
    const ofLength = (bytes: number) =>
      gzipSync(
        `{"payloadId":"${randomBytes(bytes / 2)
          .toString('hex')
          .slice(0, bytes - 16)}"}`,
      )
    expect((await send(ofLength(bodyLimitBytes), 'gzip')).status).toBe(422)
    const reply = await send(ofLength(bodyLimitBytes + 1), 'gzip')
    expect(reply.status).toBe(413)
    expect(problemOf(reply).detail).toContain(`${bodyLimitBytes} bytes`)
  })

  test('that would unpack to a thousand times the limit are cut off early, many at once, while others are answered', async () => {
    // A gigabyte of blanks in a megabyte, put together from one packed piece: gzip members follow
    // each other.
    const piece = gzipSync(Buffer.alloc(16 * 2 ** 20, ' '))
    const bomb = Buffer.concat(Array.from({ length: 60 }, () => piece))
    expect(bomb.length).toBeLessThan(bodyLimitBytes)
    const cpuBefore = process.cpuUsage()
    const bombs = Promise.all(Array.from({ length: 8 }, () => send(bomb, 'gzip').catch((error) => error)))
    expect((await call('GET', at())).status).toBe(200)
    for (const reply of await bombs) expect(reply.status ?? reply, String(reply)).toBe(413)
    const { user, system } = process.cpuUsage(cpuBefore)
    // Whole they would take more than 10 s.
    expect((user + system) / 1_000).toBeLessThan(5_000)
    expect((await call('POST', paths.receivingEvent, { body: eventPayload() })).status).toBe(201)
  })

  test('that unpack to more than any payload does are refused after a megabyte, and the same lines again and again are not', async () => {
    const line = { ...eventPayload().eventList.productList[0], caseLotNumber: 'GV26063-A' }
    const ofEqualLines = {
      ...eventPayload(),
      eventList: { ...eventPayload().eventList, productList: Array(4_000).fill(line) },
    }
    expect((await send(gzipSync(JSON.stringify(ofEqualLines)), 'gzip')).status).toBe(201)
    const reply = await send(gzipSync(`{"payloadId":"${'x'.repeat(1_200_000)}"}`), 'gzip')
    expect(reply.status).toBe(413)
    expect(problemOf(reply).detail).toMatch(
      /^The body unpacks to more than 400 times its size\. Send it uncompressed\./,
    )
  })

  test('with a bomb and chunks without end are refused before their end', async () => {
    const piece = gzipSync(Buffer.alloc(16 * 2 ** 20, ' '))
    const status = await new Promise<number>((resolve, reject) => {
      const sent = request(
        service.url + paths.receivingEvent,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-encoding': 'gzip' },
        },
        (answer) => {
          resolve(answer.statusCode ?? 0)
          sent.destroy()
        },
      )
      sent.on('error', reject)
      sent.write(piece)
    })
    expect(status).toBe(413)
  })

  test('whatever bytes say that they are gzip, none is 5xx, and what is gzip is read like its text', async () => {
    const payload: fc.Arbitrary<Payload> = fc.oneof(fc.jsonValue(), fc.constant(eventPayload()))
    await fc.assert(
      fc.asyncProperty(payload, fc.nat(400), fc.nat(255), fc.boolean(), async (value, place, byte, hurt) => {
        const text = JSON.stringify(value)
        const bytes = gzipSync(text)
        if (hurt) bytes[place % bytes.length] = byte
        const packed = await send(bytes, 'gzip', 'PUT', at())
        expect(packed.status).toBeLessThan(500)
        if (hurt) return
        const plain = await send(Buffer.from(text), undefined, 'PUT', at())
        expect(packed.status).toBe(plain.status)
      }),
      { numRuns: runs(60) },
    )
  })
})

test('the document says what is taken: 415 carries Accept-Encoding wherever a body is read', async () => {
  const { body } = await call('GET', '/openapi.json')
  for (const operation of catalogue.filter((one) => one.body !== undefined)) {
    expect(outcomesOf(operation)).toHaveProperty('wrongMediaType')
    expect(body.paths[operation.path][operation.method.toLowerCase()].responses['415'].headers).toHaveProperty(
      'Accept-Encoding',
    )
  }
})
