// Bad input of every kind gets a 4xx that names the place; nothing of it reaches the database, the
// log or a stack trace. Source: decision 0019.
import { connect } from 'node:net'
import { brotliCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { runs } from '../../support/runs.ts'
import { type Call, type Service, startServiceWithWriter } from '../../support/servers/service.ts'

let service: Service
let call: Call
let key: string
beforeAll(async () => {
  ;({ service, call, key } = await startServiceWithWriter())
})
afterAll(() => service?.close())

const post = (body: unknown, headers: Record<string, string> = {}) =>
  call('POST', paths.receivingEvent, { body, headers })

/** The event payload as text, with one piece of it replaced. */
const text = (from: string, to: string) => {
  const whole = JSON.stringify(eventPayload())
  expect(whole).toContain(from)
  return whole.replace(from, to)
}

describe('text that is not one unambiguous JSON object is 400', () => {
  test.each([
    ['nothing', '', 'empty'],
    ['a cut object', '{"payloadId": "P', 'ends before'],
    ['a list', '[]', 'a list'],
    ['a text', '"x"', 'a string'],
    ['null', 'null', 'null'],
    ['trailing data', '{} {}', 'Line 1, column 4'],
    ['a comment', '{\n  // x\n}', 'Line 2, column 3'],
    ['a byte order mark', '\uFEFF{}', 'byte order mark'],
    ['two equal names', '{"payloadId":"a","payloadId":"b"}', 'occurs twice'],
    ['two equal names, one escaped', '{"payloadId":"a","payload\\u0049d":"b"}', 'occurs twice'],
    ['deep nesting', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'nested deeper'],
    ['NaN', '{"a":NaN}', 'Line 1'],
    ['too many entries', `{"a":[${'{},'.repeat(300_000)}{}]}`, 'more than 50000 entries'],
    ['too many objects', `{"a":[${'{"a":{"a":{}}},'.repeat(49_000)}{}]}`, 'more than 100000 objects'],
    ['too many names', `{${Array.from({ length: 1_001 }, (_, i) => `"k${i}":1`).join(',')}}`, 'more than 1000 names'],
  ])('%s', async (_name, body, says) => {
    const reply = await post(body)
    expect(reply.status).toBe(400)
    expect(reply.body.type).toBe('/docs/problems/malformed')
    expect(reply.body.detail).toContain(says)
  })

  test('bytes that are not UTF-8', async () => {
    const reply = await fetch(service.url + paths.receivingEvent, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    })
    expect(reply.status).toBe(400)
    expect(await reply.text()).toContain('UTF-8')
  })
})

describe('values that are no data are findings with their place', () => {
  test.each([
    ['a NUL character', '"PO-88120"', '"PO\\u0000"', 'shape/text', '/eventList/purchaseOrderNumber'],
    ['half a surrogate pair', '"PO-88120"', '"\\ud800"', 'shape/text', '/eventList/purchaseOrderNumber'],
    [
      'a number beyond double range',
      '"shipQuantity":56',
      '"shipQuantity":1e999',
      'shape/number',
      '/eventList/productList/0/shipQuantity',
    ],
    [
      'a number below double range',
      '"shipQuantity":56',
      '"shipQuantity":1e-999',
      'shape/number',
      '/eventList/productList/0/shipQuantity',
    ],
    [
      'a number as text',
      '"shipQuantity":56',
      '"shipQuantity":"56"',
      'shape/type',
      '/eventList/productList/0/shipQuantity',
    ],
    [
      '__proto__',
      '"ROM-24"',
      '"ROM-24","__proto__":{"x":1}',
      'shape/unknown-field',
      '/productMasterDataList/0/__proto__',
    ],
    [
      'constructor',
      '"ROM-24"',
      '"ROM-24","constructor":{"prototype":{}}',
      'shape/unknown-field',
      '/productMasterDataList/0/constructor',
    ],
    [
      'an unknown field',
      '"ROM-24"',
      '"ROM-24","itemDescripton":"x"',
      'shape/unknown-field',
      '/productMasterDataList/0/itemDescripton',
    ],
    ['null', '"asnNumber":"ASN-771203"', '"asnNumber":null', 'shape/type', '/eventList/asnNumber'],
  ])('%s', async (_name, from, to, rule, pointer) => {
    const reply = await post(text(from, to))
    expect(reply.status).toBe(422)
    expect(reply.body.findings).toContainEqual(expect.objectContaining({ rule, pointer, severity: 'error' }))
  })

  test('lists past their stated limit', async () => {
    const body = eventPayload((payload) => {
      payload.eventList.productList = Array.from({ length: 5_001 }, () => payload.eventList.productList[0])
      payload.locationMasterList = Array.from({ length: 1_001 }, () => payload.locationMasterList[0])
    })
    const reply = await post(body)
    expect(reply.status).toBe(422)
    expect(reply.body.findings.map(({ pointer }: Payload) => pointer)).toEqual(
      expect.arrayContaining(['/eventList/productList', '/locationMasterList']),
    )
  })

  test('at most 500 findings are listed, with the full count', async () => {
    const body = eventPayload((payload) => {
      const [line] = payload.eventList.productList
      payload.eventList.productList = Array.from({ length: 700 }, () => ({ ...line, shipQuantity: 'x' }))
    })
    const reply = await post(body)
    expect(reply.body.findings).toHaveLength(500)
    expect(reply.body.findingCount).toBe(700)
  })

  test('5,000 lines, 5,000 products and 1,000 locations are taken, and read back as they are', async () => {
    const body = eventPayload((payload) => {
      const [line] = payload.eventList.productList
      const [product] = payload.productMasterDataList
      payload.eventList.productList = Array.from({ length: 5_000 }, (_, i) => ({
        ...line,
        vendorItemCode: `I-${i}`,
        caseLotNumber: `LOT-${i}`,
      }))
      payload.productMasterDataList = Array.from({ length: 5_000 }, (_, i) => ({ ...product, itemCode: `I-${i}` }))
      payload.locationMasterList.push(
        ...Array.from({ length: 998 }, (_, i) => ({ ...payload.locationMasterList[0], locationCode: `L-${i}` })),
      )
    })
    const reply = await post(body)
    expect(reply.status, reply.text.slice(0, 500)).toBe(201)
    const id = reply.body.request_ids[0]
    expect((await call('GET', `${paths.receivingEvent}/${id}`)).body).toEqual({ id, ...body })
    expect((await call('GET', `${paths.receivingEvent}?lotCode=LOT-4999`)).body.content).toHaveLength(1)
  })
})

describe('requests that are not for this service', () => {
  test('a media type other than JSON in UTF-8 is 415', async () => {
    for (const type of [
      'text/plain',
      'application/json; charset=utf-16',
      'application/jsonx',
      'multipart/form-data; boundary=x',
      'application/json;charset=latin1',
    ])
      expect((await post('{}', { 'content-type': type })).status, type).toBe(415)
    expect((await post('{}', { 'content-type': 'Application/JSON; charset="UTF-8"' })).status).toBe(422)
  })

  test('a body in a coding that is not taken is 415', async () => {
    const reply = await fetch(service.url + paths.receivingEvent, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-encoding': 'br' },
      body: brotliCompressSync('{}'),
    })
    expect(reply.status).toBe(415)
  })

  test('what no operation reads cannot be wrong: a body of GET or DELETE, and its type and coding', async () => {
    for (const [method, path, status] of [
      ['GET', paths.receivingEvent, 200],
      ['DELETE', '/keys/0123456789abcdef', 403],
    ] as const) {
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () =>
          socket.write(
            `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello`,
          ),
        )
        let seen = ''
        socket.on('data', (chunk) => {
          seen += chunk
        })
        socket.on('close', () => resolve(seen)).on('error', reject)
      })
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    }
  })

  test('an unknown address is 404, a method it does not take is 405 with those it takes', async () => {
    expect((await call('GET', '/data-provider/events/selling')).status).toBe(404)
    const reply = await call('DELETE', `${paths.receivingEvent}/${crypto.randomUUID()}`)
    expect(reply.status).toBe(405)
    expect(reply.headers.get('allow')).toBe('GET, HEAD, OPTIONS, PUT')
    expect((await call('PATCH', paths.receivingEvent, { body: {} })).status).toBe(405)
  })

  test('an id that cannot be one is 404, not a database error', async () => {
    for (const id of ['1', 'x'.repeat(150), "'; DROP TABLE location; --", '%00', '../products', '🍅'])
      expect((await call('GET', `${paths.receivingEvent}/${encodeURIComponent(id)}`)).status, id).toBe(404)
    for (const version of ['0', '-1', '1.5', 'latest', '99999999999'])
      expect((await call('GET', `${paths.receivingEvent}/${crypto.randomUUID()}/versions/${version}`)).status).toBe(404)
  })

  test('an address with broken percent-encoding is 400', async () => {
    const reply = await call('GET', `${paths.receivingEvent}/%E0%A4%A`)
    expect(reply.status).toBe(400)
    expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  })

  test.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a header without end', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`],
  ])('%s on the socket is 400 and the connection is closed', async (_name, bytes) => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(bytes))
      let seen = ''
      socket.on('data', (chunk) => {
        seen += chunk
      })
      socket.on('close', () => resolve(seen)).on('error', reject)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(answer.match(/^HTTP\/1\.1 \d/gm)).toHaveLength(1)
    expect(answer).toContain('application/problem+json')
  })
})

test('arbitrary JSON, and payloads with arbitrary parts, never end in 5xx', async () => {
  const parts = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(null, '', 0, -1, [], {}, 'x'.repeat(101)))
  const mutated = fc
    .tuple(
      fc.constantFrom('productMasterDataList', 'locationMasterList', 'eventList', 'payloadId', 'transmissionDateTime'),
      fc.constantFrom(
        'productList',
        'eventDateTime',
        'locationCode',
        'address',
        'geoLocation',
        'dataProviderVendorId',
        '0',
      ),
      parts,
      fc.boolean(),
    )
    .map(([top, inner, value, whole]) =>
      eventPayload((payload) => {
        if (whole || typeof payload[top] !== 'object') payload[top] = value
        else (Array.isArray(payload[top]) && inner !== '0' ? (payload[top][0] ?? {}) : payload[top])[inner] = value
      }),
    )
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.object(), mutated), async (body) => {
      const reply = await post(body)
      expect(reply.status, JSON.stringify(body).slice(0, 500)).toBeLessThan(500)
      if (reply.status >= 400) expect(reply.body.detail.length).toBeGreaterThan(10)
    }),
    { numRuns: runs(300) },
  )
})

test('hostile bodies get a short 4xx', async () => {
  const hostile = [
    `{"a":${'['.repeat(400_000)}`,
    `{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
    `{"productMasterDataList":[${'{},'.repeat(4_999)}{}]}`,
    `{"eventList":"${'\\u0000'.repeat(100_000)}"}`,
    `{"eventList":${'9'.repeat(1_000_000)}}`,
    `{"${'k'.repeat(1_000_000)}":1}`,
  ]
  for (const body of hostile) {
    const reply = await post(body)
    expect([400, 422]).toContain(reply.status)
    expect(reply.text.length).toBeLessThan(1_000_000)
  }
})
