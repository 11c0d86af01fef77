// Sessions over HTTP: a key is exchanged for a cookie, which speaks for pages of this service alone
// and ends with its key. Source: decision 0061.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { revokeApiKey } from '../../../src/store/base/api-keys.ts'
import { sessionFinder, sessionsOfKeyMax } from '../../../src/store/people/sessions.ts'
import { allowMs } from '../../support/patience.ts'
import { eventPayload, paths } from '../../support/records/payloads.ts'
import {
  calling,
  cookieOf,
  type Reply,
  type Service,
  startService,
  type TestProvider,
} from '../../support/servers/service.ts'

let service: Service
let provider: TestProvider
beforeAll(async () => {
  service = await startService({ failedSignInsPerMinute: 0, trustProxy: '127.0.0.1' })
  provider = await service.provider()
})
afterAll(() => service?.close())

const own = { 'sec-fetch-site': 'same-origin' }
/** A request of a page, with a cookie and without a key. */
const ask = (cookie: string, method: string, path: string, headers: Record<string, string> = own, body?: unknown) =>
  calling(service.url, undefined)(method, path, {
    headers: { cookie, ...headers },
    ...(body !== undefined && { body }),
  })
const idOf = (key: string): string => key.split('_')[1] ?? ''
const tokenOf = (cookie: string): string => cookie.split('=')[1] ?? ''
const cookieIn = ({ headers }: Reply): string => headers.get('set-cookie')?.split(';')[0] ?? ''
const row = (cookie: string, set: string) =>
  service.database.pool.query(`UPDATE session SET ${set} WHERE replace(id::text, '-', '') = $1`, [
    tokenOf(cookie).split('.')[1],
  ])
/** Looks past the memory of the server, which is that of two seconds. */
const find = (cookie: string) => sessionFinder(service.database.pool)(tokenOf(cookie))

describe('a session', () => {
  // Together, since a session that has ended is believed for two seconds.
  test.concurrent('begins with a key, does what the key may do, and is ended by the service', async ({ expect }) => {
    const key = await provider.key('writer')
    const begun = await calling(service.url, key)('POST', '/session', { body: {} })
    expect(begun.status, begun.text).toBe(201)
    expect(begun.body).toMatchObject({
      own: { keyId: idOf(key), role: 'writer', provider: provider.name },
      session: { kept: false },
    })
    const cookie = cookieIn(begun)
    expect(begun.headers.get('set-cookie')).toBe(`${cookie}; Path=/; HttpOnly; SameSite=Strict`)
    expect((await ask(cookie, 'GET', '/session')).body).toEqual(begun.body)
    expect((await ask(cookie, 'POST', paths.receivingEvent, own, eventPayload())).status).toBe(201)
    expect((await ask(cookie, 'GET', '/keys')).status).toBe(403)
    expect((await ask(cookie, 'GET', '/sign-in')).body).toEqual({
      signedIn: begun.body,
      hasEnded: false,
      identityProvider: null,
    })

    const ended = await ask(cookie, 'DELETE', '/session')
    expect([ended.status, ended.body]).toEqual([200, { signOutAddress: null }])
    expect(ended.headers.get('set-cookie')).toMatch(/^lotkeeper-session=; .*Expires=Thu, 01 Jan 1970/)
    await expect.poll(async () => (await ask(cookie, 'GET', '/session')).status).toBe(401)
    expect((await ask(cookie, 'GET', '/sign-in')).body).toEqual({
      signedIn: null,
      hasEnded: true,
      identityProvider: null,
    })
  })

  test.concurrent('ends in every browser at once: for whom it speaks, and for an administrator', async ({ expect }) => {
    const [key, other, administrator] = await Promise.all([
      provider.key('reader'),
      provider.key('reader'),
      provider.key('administrator'),
    ])
    const cookies = await Promise.all([key, key, other].map((one) => cookieOf(service.url, one)))
    const [mine = '', elsewhere = '', theirs = ''] = cookies
    const ended = await ask(mine, 'DELETE', '/sessions')
    expect([ended.status, ended.body]).toEqual([200, { sessions: 2 }])
    expect(ended.headers.get('set-cookie')).toMatch(/^lotkeeper-session=; /)
    for (const cookie of [mine, elsewhere])
      await expect.poll(async () => (await ask(cookie, 'GET', '/session')).status).toBe(401)
    // The key itself stays valid, and nobody else was signed out.
    expect((await calling(service.url, key)('GET', '/session')).status).toBe(200)
    expect((await ask(theirs, 'GET', '/session')).status).toBe(200)
    const manage = calling(service.url, administrator)
    const path = `/keys/${idOf(other)}/sessions`
    expect((await ask(theirs, 'DELETE', path)).status).toBe(403)
    expect((await manage('DELETE', path)).body).toEqual({ sessions: 1 })
    await expect.poll(async () => (await ask(theirs, 'GET', '/session')).status).toBe(401)
    expect((await manage('DELETE', path)).body).toEqual({ sessions: 0 })
    expect((await manage('GET', '/access-log?operation=endSessions&limit=3')).body.content).toMatchObject([
      { who: idOf(administrator), asked: { keyId: idOf(other) } },
      { who: idOf(administrator), asked: { keyId: idOf(other) } },
      { who: idOf(key), asked: { keyId: idOf(key) } },
    ])
  })

  test.concurrent('ends with its key within two seconds: revoked or expired', async ({ expect }) => {
    const [revoked, expiring] = await Promise.all([
      provider.key('writer'),
      provider.key('writer', new Date(Date.now() + 60_000)),
    ])
    const cookies = await Promise.all([revoked, expiring].map((key) => cookieOf(service.url, key)))
    for (const cookie of cookies) expect((await ask(cookie, 'GET', '/session')).status).toBe(200)
    await revokeApiKey(service.database.pool, idOf(revoked))
    await service.database.pool.query('UPDATE api_key SET expires_at = now() WHERE key_id = $1', [idOf(expiring)])
    const changedAt = performance.now()
    for (const cookie of cookies)
      await expect
        .poll(async () => (await ask(cookie, 'GET', '/session')).status, { interval: 50, timeout: allowMs(10_000) })
        .toBe(401)
    expect(performance.now() - changedAt).toBeLessThan(allowMs(5_000))
  })

  test('is kept by the browser only when that was asked for; behind TLS its cookie is bound to the host', async () => {
    const key = await provider.key('reader')
    const kept = await calling(service.url, key)('POST', '/session', {
      body: { keep: true },
      headers: { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'lots.example.com' },
    })
    const header = kept.headers.get('set-cookie') ?? ''
    expect(header).toMatch(
      /^__Host-lotkeeper-session=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Secure; Expires=\w{3}, /,
    )
    expect(Date.parse(/Expires=(.*)/.exec(header)?.[1] ?? '')).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    const https = { ...own, 'x-forwarded-proto': 'https' }
    expect((await ask(cookieIn(kept), 'GET', '/session', https)).body.session.kept).toBe(true)
    // Another host of the domain can set the name without the prefix, and gets nobody signed in.
    const tossed = cookieIn(kept).replace('__Host-', '')
    expect((await ask(tossed, 'GET', '/session', https)).status).toBe(401)
  })

  test('ends after its time, used or not, and when it is not used for long', async () => {
    for (const over of ["ends_at = now() - interval '1 second'", "idle_ends_at = now() - interval '1 second'"]) {
      const cookie = await cookieOf(service.url, await provider.key('reader'))
      expect(await find(cookie)).toBeDefined()
      await row(cookie, over)
      expect(await find(cookie), over).toBeUndefined()
    }
  })

  test('is moved on by use', async () => {
    const cookie = await cookieOf(service.url, await provider.key('reader'))
    await row(cookie, "idle_ends_at = now() + interval '5 minutes'")
    await find(cookie)
    const { rows } = await service.database.pool.query(
      "SELECT idle_ends_at > now() + interval '7 hours' AS moved FROM session WHERE replace(id::text, '-', '') = $1",
      [tokenOf(cookie).split('.')[1]],
    )
    expect(rows).toEqual([{ moved: true }])
  })

  test('is one of a bounded number of its key: a further one ends the oldest', async () => {
    const key = await provider.key('reader')
    const first = await cookieOf(service.url, key)
    const second = await cookieOf(service.url, key)
    for (let i = 0; i < sessionsOfKeyMax - 1; i++) await cookieOf(service.url, key)
    expect(await find(first)).toBeUndefined()
    expect(await find(second)).toBeDefined()
  })

  test('is in the database as hashes only', async () => {
    const secret = tokenOf(await cookieOf(service.url, await provider.key('reader'))).split('.')[2] ?? ''
    const { rows } = await service.database.pool.query('SELECT session::text AS line FROM session')
    expect(rows.length).toBeGreaterThan(0)
    expect(secret).toHaveLength(43)
    expect(rows.filter(({ line }) => line.includes(secret))).toEqual([])
  })
})

describe('the token of a session', () => {
  const old = "renewed_at = now() - interval '16 minutes'"

  test('is renewed while it is used; the one before is good for a moment, and not again', async () => {
    const first = await cookieOf(service.url, await provider.key('reader'))
    await row(first, old)
    const renewed = await ask(first, 'GET', '/session')
    const second = cookieIn(renewed)
    expect(renewed.status).toBe(200)
    expect(second).toMatch(/^lotkeeper-session=/)
    expect(second).not.toBe(first)
    expect(await find(second)).toBeDefined()
    // Another tab had sent the first before it knew of the second.
    expect(await find(first)).toBeDefined()
    await row(second, old)
    expect(await find(first)).toBeUndefined()
    expect(await find(second)).toMatchObject({ renewed: { token: expect.any(String) } })
    expect(await find(first)).toBeUndefined()
  })

  test('stays good while the one that replaces it has not arrived', async () => {
    const cookie = await cookieOf(service.url, await provider.key('reader'))
    for (let lost = 0; lost < 3; lost++) {
      await row(cookie, old)
      expect(await find(cookie)).toMatchObject({ renewed: { token: expect.any(String) } })
    }
  })

  test.each([
    ['nothing', () => ''],
    ['a word', () => 'nonsense'],
    ['a key', (_token: string, key: string) => key],
    ['the token of another secret', (token: string) => token.slice(0, -4) + (token.endsWith('AAAA') ? 'BBBB' : 'AAAA')],
    ['a token of nobody', () => `${'0'.repeat(32)}.${'0'.repeat(32)}.${'A'.repeat(43)}`],
    ['a token without end', (token: string) => token + 'a'.repeat(5_000)],
  ])('that is %s is 401 and says to sign in again or to send a key', async (_what, wrong) => {
    const key = await provider.key('reader')
    const token = tokenOf(await cookieOf(service.url, key))
    const reply = await ask(`lotkeeper-session=${wrong(token, key)}`, 'GET', '/session')
    expect([reply.status, reply.body.type]).toEqual([401, '/docs/problems/notAuthenticated'])
    expect(reply.body.detail).toMatch(/Sign in again|Send Authorization/)
  })

  test('of one provider reaches nothing of another', async () => {
    const [ours, theirs] = await Promise.all([provider, await service.provider()].map((one) => one.key('reader')))
    const [ourToken, theirToken] = await Promise.all([ours, theirs].map((key) => cookieOf(service.url, key ?? '')))
    const [providerOfTheirs = ''] = tokenOf(theirToken ?? '').split('.')
    const [, ...rest] = tokenOf(ourToken ?? '').split('.')
    expect(await find(`x=${[providerOfTheirs, ...rest].join('.')}`)).toBeUndefined()
  })
})

describe('a cookie speaks for pages of this service alone:', () => {
  const event = () => eventPayload()
  const host = () => new URL(service.url).host

  test.each([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another host of the domain', { 'sec-fetch-site': 'same-site' }],
    ['of another site, by its origin', { origin: 'https://evil.example' }],
    ['of another port', { origin: 'http://127.0.0.1:1' }],
    ['of a host whose name begins alike', () => ({ origin: `http://${host()}.evil.example` })],
    ['of a page without an origin', { origin: 'null' }],
    ['of something that is no origin', { origin: 'lots' }],
    ['that says one thing and another', () => ({ 'sec-fetch-site': 'cross-site', origin: service.url })],
  ] as const)('a request %s is 403, be it a read or a write', async (_whose, given) => {
    const headers = typeof given === 'function' ? given() : given
    const cookie = await cookieOf(service.url, await provider.key('writer'))
    for (const [method, path, body] of [
      ['GET', paths.receivingEvent],
      ['POST', paths.receivingEvent, event()],
      ['DELETE', '/session'],
    ] as const) {
      const reply = await ask(cookie, method, path, headers, body)
      expect([reply.status, reply.body.type], `${method} ${path}`).toEqual([403, '/docs/problems/foreignPage'])
    }
    expect((await ask(cookie, 'GET', '/session')).status).toBe(200)
  })

  test('a write that does not say where it is from is 403; a read may be an address that was typed', async () => {
    const cookie = await cookieOf(service.url, await provider.key('writer'))
    for (const headers of [{}, { 'sec-fetch-site': 'none' }]) {
      expect((await ask(cookie, 'POST', paths.receivingEvent, headers, event())).status).toBe(403)
      expect((await ask(cookie, 'GET', paths.receivingEvent, headers)).status).toBe(200)
    }
  })

  test('without Sec-Fetch-Site, as over plain HTTP, the origin decides', async () => {
    const cookie = await cookieOf(service.url, await provider.key('writer'))
    const reply = await ask(cookie, 'POST', paths.receivingEvent, { origin: service.url }, event())
    expect(reply.status, reply.text).toBe(201)
    const proxied = { origin: 'https://lots.example.com', 'x-forwarded-host': 'lots.example.com' }
    expect((await ask(cookie, 'POST', paths.receivingEvent, proxied, event())).status).toBe(201)
  })

  test('a key goes first, and needs to say nothing', async () => {
    const [reader, writer] = await Promise.all([provider.key('reader'), provider.key('writer')])
    const cookie = await cookieOf(service.url, reader)
    const reply = await calling(service.url, writer)('POST', paths.receivingEvent, {
      headers: { cookie, 'sec-fetch-site': 'cross-site' },
      body: event(),
    })
    expect(reply.status).toBe(201)
    const wrong = await calling(service.url, 'lk_nonsense')('GET', '/session', { headers: { cookie, ...own } })
    expect(wrong.status).toBe(401)
  })

  test('other credentials for a proxy in front do not stand in its way', async () => {
    const cookie = await cookieOf(service.url, await provider.key('reader'))
    expect((await ask(cookie, 'GET', '/session', { ...own, authorization: 'Basic eDp5' })).status).toBe(200)
  })
})

test('who is signed in is said to everybody, and nobody is counted as failing', async () => {
  const strict = await startService({ failedSignInsPerMinute: 1 })
  try {
    for (let i = 0; i < 3; i++) {
      const { status, body, headers } = await calling(strict.url, undefined)('GET', '/sign-in')
      expect([status, body]).toEqual([200, { signedIn: null, hasEnded: false, identityProvider: null }])
      expect(headers.get('cache-control')).toBe('no-store')
    }
  } finally {
    await strict.close()
  }
})
