// What bounds callers and load, and that whoever keeps to it is answered. Source: decision 0042.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Identify } from '../../../src/http/authenticate.ts'
import { Pressure } from '../../../src/http/pressure.ts'
import { lateMsMax, limitsOf, type SetLimits } from '../../../src/limits.ts'
import { identifier } from '../../../src/store/base/api-keys.ts'
import { eventPayload, paths } from '../../support/records/payloads.ts'
import { startLimitedServer } from '../../support/servers/own-server.ts'
import { type Call, calling, type Service, startService, testLimits } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const limitedServer = (limits: Partial<SetLimits>, ...more: readonly [trustProxy?: string, identify?: Identify]) =>
  startLimitedServer(service.database.pool, limits, ...more)

const statusesOf = async (times: number, call: () => ReturnType<Call>) => {
  const statuses: number[] = []
  for (let i = 0; i < times; i++) statuses.push((await call()).status)
  return statuses
}

describe('GET /limits', () => {
  test('tells any key every limit, with the values in force', async () => {
    const server = await limitedServer({ bodyBytesMax: 5_000, requestsPerMinute: 70 })
    const key = await (await service.provider()).key('reader')
    const { body } = await calling(server.url, key)('GET', '/limits')
    expect(body.content).toEqual(limitsOf({ ...testLimits, bodyBytesMax: 5_000, requestsPerMinute: 70 }))
    expect(body.content.length).toBeGreaterThan(0)
    expect(body.content).toContainEqual(expect.objectContaining({ name: 'body', value: 5_000, unit: 'bytes' }))
    expect(body.content).toContainEqual(expect.objectContaining({ name: 'requestsOfKey', value: 70 }))
    expect(body.content).toContainEqual(expect.objectContaining({ name: 'failedSignIns', value: null }))
    await server.server.close()
  })

  test('a body of the length it tells is read, one more byte is 413', async () => {
    const { call } = await service.provider()
    const { value } = (await call('GET', '/limits')).body.content.find(({ name }: { name: string }) => name === 'body')
    const ofLength = (bytes: number) => `{"payloadId":"${'x'.repeat(bytes - 16)}"}`
    expect((await call('POST', paths.receivingEvent, { body: ofLength(value) })).status).toBe(422)
    expect((await call('POST', paths.receivingEvent, { body: ofLength(value + 1) })).status).toBe(413)
  })
})

describe('requests of a key', () => {
  test('every answer says what is left; what is too many is 429 and says when to come back; other keys do not notice', async () => {
    const { server, url } = await limitedServer({ requestsPerMinute: 3 })
    const provider = await service.provider()
    const call = calling(url, await provider.key('writer'))
    const left: (string | null)[] = []
    for (const [method, path] of [
      ['GET', '/keys/own'],
      ['GET', `${paths.receivingEvent}/unknown`],
      ['POST', paths.receivingEvent],
    ] as const) {
      const { headers } = await call(method, path, method === 'POST' ? { body: {} } : {})
      expect(headers.get('ratelimit-policy')).toBe('"key";q=3;w=60')
      left.push(headers.get('ratelimit'))
    }
    expect(left.map((text) => text?.replace(/t=\d+$/, ''))).toEqual(['"key";r=2;', '"key";r=1;', '"key";r=0;'])
    const refused = await call('GET', '/keys/own')
    expect([refused.status, refused.body.type]).toEqual([429, '/docs/problems/tooManyRequests'])
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(refused.headers.get('ratelimit')).toBe(`"key";r=0;t=${seconds}`)
    expect((await calling(url, await provider.key('writer'))('GET', '/keys/own')).status).toBe(200)
    await server.close()
  })

  test('without a limit the headers are absent', async () => {
    const { headers } = await (await service.provider()).call('GET', '/keys/own')
    expect([headers.get('ratelimit'), headers.get('ratelimit-policy'), headers.get('x-ratelimit-limit')]).toEqual([
      null,
      null,
      null,
    ])
  })
})

describe('requests without a valid key', () => {
  const wrongKey = `lk_0123456789abcdef_${'0'.repeat(32)}_${'A'.repeat(43)}`

  test('are 401 so many times a minute and then 429, while a valid key from the same address is answered', async () => {
    const { server, url } = await limitedServer({ failedSignInsPerMinute: 4 })
    const key = await (await service.provider()).key('reader')
    const wrong = () => calling(url, wrongKey)('GET', '/keys/own')
    expect(await statusesOf(2, wrong)).toEqual([401, 401])
    expect(await statusesOf(3, () => calling(url, undefined)('GET', '/keys/own'))).toEqual([401, 401, 429])
    const refused = await wrong()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    // The service has not seen this key before.
    expect((await calling(url, key)('GET', '/keys/own')).status).toBe(200)
    await server.close()
  })

  test('a flood of them takes one connection of the database at a time, and a valid key is answered in the midst of it', async () => {
    const { pool } = service.database
    let [looking, lookingMost, looks] = [0, 0, 0]
    const query = async (asked: Parameters<typeof pool.query>[0]) => {
      looks++
      lookingMost = Math.max(lookingMost, ++looking)
      try {
        return await pool.query(asked)
      } finally {
        looking--
      }
    }
    const identify = identifier({ query } as never)
    const provider = await service.provider()
    const key = await provider.key('reader')
    const wrongOf = (providerOf: (i: string) => string) =>
      Array.from({ length: 2_000 }, (_, n) => {
        const i = n.toString(16)
        return `lk_${i.padStart(16, '0')}_${providerOf(i)}_${'A'.repeat(43)}`
      })
    for (const of of ['0'.repeat(32), provider.id.replaceAll('-', '')]) {
      const wrong = wrongOf(() => of)
      const found = await Promise.all([...wrong, key, ...wrong].map(identify))
      expect(found.filter((caller) => caller !== undefined)).toEqual([expect.objectContaining({ role: 'reader' })])
    }
    expect(lookingMost).toBe(1)
    expect(looks).toBeLessThan(100)

    // Each of another provider, and there is none of them.
    let isOver = false
    const flood = Promise.all(wrongOf((i) => i.padStart(32, '0')).map(identify)).finally(() => {
      isOver = true
    })
    expect(await identify(key)).toMatchObject({ provider: provider.id })
    expect(isOver).toBe(false)
    expect(new Set(await flood)).toEqual(new Set([undefined]))
    // One for all of them, and one for the provider that has been here before.
    expect(lookingMost).toBe(2)
  })

  const wrongFrom = (url: string, forwarded: string) => () =>
    calling(url, wrongKey)('GET', '/keys/own', { headers: { 'x-forwarded-for': forwarded } })

  test('count also when they leave before their key is looked up, and the service goes on', async () => {
    let hasEnded: () => void
    const ended = new Promise<void>((resolve) => {
      hasEnded = resolve
    })
    const { server, url } = await limitedServer({ failedSignInsPerMinute: 1 }, undefined, () =>
      ended.then(() => undefined),
    )
    server.server.once('connection', (socket) => socket.once('close', hasEnded))
    const requested = once(server.server, 'request')
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write('GET /limits HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer lk_unknown\r\n\r\n')
    await requested
    socket.destroy()
    await ended
    expect((await calling(url, undefined)('GET', '/limits')).status).toBe(429)
    await server.close()
  })

  test('are counted for the address that a trusted proxy names, an IPv6 network as one', async () => {
    const { server, url } = await limitedServer({ failedSignInsPerMinute: 1 }, '127.0.0.1')
    expect(await statusesOf(2, wrongFrom(url, '203.0.113.7'))).toEqual([401, 429])
    expect(await statusesOf(2, wrongFrom(url, '203.0.113.8'))).toEqual([401, 429])
    expect(await statusesOf(1, wrongFrom(url, '2001:db8:0:1::1'))).toEqual([401])
    expect(await statusesOf(1, wrongFrom(url, '2001:db8:0:1:ffff::2'))).toEqual([429])
    expect(await statusesOf(1, wrongFrom(url, '2001:db8:0:2::1'))).toEqual([401])
    await server.close()
  })

  test('are counted for the connection if the proxy is not trusted', async () => {
    const { server, url } = await limitedServer({ failedSignInsPerMinute: 1 })
    expect(await statusesOf(1, wrongFrom(url, '203.0.113.7'))).toEqual([401])
    expect(await statusesOf(1, wrongFrom(url, '203.0.113.8'))).toEqual([429])
    await server.close()
  })
})

describe('a process with more to do than it can', () => {
  test('turns requests away when it is late three times in a row, while it still says that it lives', async () => {
    const { server, url } = await limitedServer({ lateMsMax })
    const call = calling(url, await (await service.provider()).key('reader'))
    const statusNow = async () => (await call('GET', '/keys/own')).status
    await expect.poll(statusNow).toBe(200)
    const whenLate = async () => {
      for (let i = 0; i < 4; i++) {
        const until = performance.now() + lateMsMax + 200
        while (performance.now() < until);
        await new Promise((resolve) => setTimeout(resolve))
      }
      return Promise.all([call('GET', '/keys/own'), call('GET', '/health/live')])
    }
    let [turnedAway, live] = await whenLate()
    // On a busy machine the process may be on time again before a request arrives.
    while (turnedAway.status === 200) [turnedAway, live] = await whenLate()
    expect([turnedAway.status, turnedAway.body.type]).toEqual([503, '/docs/problems/unavailable'])
    expect(Number(turnedAway.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(live.status).toBe(200)
    await expect.poll(statusNow).toBe(200)
    await server.close()
  })

  test('once or twice late is no overload', () => {
    const pressure = new Pressure({ requestsAtWorkMax: 1, bodyBytesAtOnceMax: 1, lateMsMax })
    for (const late of [9_000, 9_000, 0, 9_000, 9_000]) pressure.look(late)
    expect(pressure.isHigh).toBe(false)
    pressure.look(9_000)
    expect(pressure.isHigh).toBe(true)
    pressure.look(lateMsMax)
    expect(pressure.isHigh).toBe(false)
  })

  test('at most the maximum of requests is in progress, including those that fail', async () => {
    const pressure = new Pressure({ requestsAtWorkMax: 2, bodyBytesAtOnceMax: 1, lateMsMax })
    const ends: (() => void)[] = []
    const works = [1, 2].map((n) =>
      pressure.during(() => new Promise<void>((resolve, reject) => ends.push(n === 1 ? resolve : () => reject(n)))),
    )
    expect(pressure.isHigh).toBe(true)
    for (const end of ends) end()
    await Promise.allSettled(works)
    expect(pressure.isHigh).toBe(false)
  })

  test('takes large bodies as far as it has room; what was only announced takes none', async () => {
    const { server, url } = await limitedServer({ bodyBytesAtOnceMax: 400_000 })
    const key = await (await service.provider()).key('writer')
    const body = JSON.stringify({ ...eventPayload(), payloadId: 'x'.repeat(300_000) })
    const begin = async () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      await once(socket, 'connect')
      const answer = answerOn(socket)
      socket.write(
        `POST ${paths.receivingEvent} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
      )
      return { socket, answer }
    }
    const [first, second, announced] = [await begin(), await begin(), await begin()]
    first.socket.write(body.slice(0, 250_000))
    second.socket.write(body.slice(0, 250_000))
    const refused = await Promise.race([first.answer, second.answer])
    expect(refused).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: \d/)
    first.socket.write(body.slice(250_000))
    second.socket.write(body.slice(250_000))
    const statuses = (await Promise.all([first.answer, second.answer])).map((answer) => answer.slice(9, 12))
    expect(statuses.sort()).toEqual(['422', '503'])
    announced.socket.destroy()
    await expect.poll(async () => (await calling(url, key)('POST', paths.receivingEvent, { body })).status).toBe(422)
    await server.close()
  })
})

/** All that is answered on a connection before it ends. */
function answerOn(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let seen = ''
    socket.on('data', (chunk) => {
      seen += chunk
    })
    socket.on('error', () => undefined).on('close', () => resolve(seen))
  })
}
