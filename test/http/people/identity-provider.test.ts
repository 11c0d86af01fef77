// Signing in with a real identity provider, over HTTP: who is let in, and that nothing but a whole,
// fresh journey of one browser lets anybody in. Source: decision 0062.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sessionFinder } from '../../../src/store/people/sessions.ts'
import { paths } from '../../support/records/payloads.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { startIdentityProvider, type TestIdentityProvider, Traveller } from '../../support/servers/identity-provider.ts'
import { type Call, calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let idp: TestIdentityProvider
let service: Service
let provider: TestProvider
let administrator: Call
let url = ''
beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  idp = await startIdentityProvider([url])
  const name = `people ${randomUUID()}`
  service = await startService({ port, identityProvider: idp.settings(url, name), failedSignInsPerMinute: 0 })
  provider = await service.provider(name)
  administrator = calling(url, await provider.key('administrator'))
})
afterAll(async () => {
  await service?.close()
  await idp?.close()
})

const isCallback = (address: string) => address.startsWith(`${url}/sign-in/callback`)
/** A person who is new to everybody. */
function person(claims: Record<string, unknown> = {}): string {
  const id = `person-${randomUUID()}`
  idp.people.set(id, { name: `Name of ${id}`, email: `${id}@Example.com`, email_verified: true, ...claims })
  return id
}
const emailOf = (id: string): string => `${id}@example.com`
const invite = (id: string, role: string) => administrator('POST', '/people', { body: { email: emailOf(id), role } })
/** As far as the way back. */
const travel = async (id: string, traveller = new Traveller(), to = '/'): Promise<[string, Traveller]> => [
  await traveller.follow(`${url}/sign-in/start?return=${encodeURIComponent(to)}`, id, isCallback),
  traveller,
]
const signIn = async (id: string, to?: string) => {
  const [callback, traveller] = await travel(id, undefined, to)
  const answer = await traveller.ask(callback)
  return { answer, text: await answer.text(), traveller }
}
const own = { 'sec-fetch-site': 'same-origin' }
interface SignInAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies by name, and a wrong name fails the test
  readonly signedIn: { readonly own: any } | null
}
const whoIs = async (traveller: Traveller) =>
  ((await (await traveller.ask(`${url}/sign-in`, { headers: own })).json()) as SignInAnswer).signedIn?.own
const journeyOf = (traveller: Traveller) => {
  const cookies = traveller.cookiesOf(url)
  const kept = JSON.parse(Buffer.from(cookies.get('lotkeeper-sign-in') ?? '', 'base64url').toString())
  return {
    kept,
    change: (changed: object) =>
      cookies.set('lotkeeper-sign-in', Buffer.from(JSON.stringify({ ...kept, ...changed })).toString('base64url')),
  }
}

describe('who is let in:', () => {
  test('a person with a role by claim, under the name of the identity provider, as long as the claim says so', async () => {
    const ana = person({ groups: ['others', 'lot-team'] })
    const { answer, traveller } = await signIn(ana, '/events?lotCode=A')
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/events?lotCode=A'])
    expect(answer.headers.getSetCookie().join('\n')).toMatch(
      /lotkeeper-session=[^;]+; Path=\/; HttpOnly; SameSite=Strict$/m,
    )
    const first = await whoIs(traveller)
    expect(first).toMatchObject({
      provider: provider.name,
      role: 'writer',
      personName: `Name of ${ana}`,
      email: emailOf(ana),
      isPerson: true,
    })
    const event = await traveller.ask(url + paths.location, {
      method: 'POST',
      headers: { ...own, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(event.status).toBe(422)

    idp.people.set(ana, { ...idp.people.get(ana), groups: 'lot-admins', name: 'Ana Lopez' })
    const second = await whoIs((await signIn(ana)).traveller)
    expect(second).toMatchObject({ keyId: first.keyId, role: 'administrator', personName: 'Ana Lopez' })

    idp.people.set(ana, { ...idp.people.get(ana), groups: [] })
    const refused = await signIn(ana)
    expect([refused.answer.status, await whoIs(refused.traveller)]).toEqual([403, undefined])
    expect(refused.text).toContain('nobody has given this account access')
    const { content } = (await administrator('GET', '/access-log?who=identity%20provider')).body
    expect(content.filter((one: { asked: { keyId: string } }) => one.asked.keyId === first.keyId)).toMatchObject([
      { operation: 'changeKey', asked: { role: 'administrator', personName: 'Ana Lopez' } },
      { operation: 'admitPerson', asked: { role: 'writer', email: emailOf(ana) } },
    ])
  })

  test('a person who was invited, by a verified address alone, in the role of the invitation', async () => {
    const [ben, eve] = [person(), person({ email_verified: false })]
    expect((await signIn(ben)).answer.status).toBe(403)
    const made = await invite(ben, 'reader')
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ email: emailOf(ben), role: 'reader', isPerson: true }),
    ])
    expect((await invite(ben, 'writer')).body.type).toBe('/docs/problems/invited')
    const who = await whoIs((await signIn(ben)).traveller)
    expect(who).toMatchObject({ keyId: made.body.keyId, role: 'reader', personName: `Name of ${ben}` })
    // An administrator may change it; the next sign-in leaves it so.
    await administrator('PUT', `/keys/${who.keyId}`, { body: { role: 'writer', label: 'desk', personName: 'x' } })
    expect(await whoIs((await signIn(ben)).traveller)).toMatchObject({ keyId: who.keyId, role: 'writer' })
    await invite(eve, 'administrator')
    expect((await signIn(eve)).answer.status).toBe(403)
    // The address of another account, which somebody gave to theirs, takes over nobody.
    const thief = person({ email: emailOf(ben) })
    expect((await signIn(thief)).answer.status).toBe(403)
  })

  test('a person with a claim and an invitation, once: whichever came first, and under another address too', async () => {
    const rowsOf = async (id: string) =>
      (await administrator('GET', '/keys')).body.content.filter(({ email }: { email: string }) => email?.startsWith(id))
    const known = person({ groups: 'lot-team' })
    const { keyId } = await whoIs((await signIn(known)).traveller)
    const made = await invite(known, 'reader')
    expect([made.status, made.body.keyId, made.body.role]).toEqual([201, keyId, 'reader'])
    expect(await rowsOf(known)).toHaveLength(1)
    expect((await invite(known, 'reader')).body.type).toBe('/docs/problems/invited')
    // The claim counts where it gives a role; without one, the invitation does.
    expect(await whoIs((await signIn(known)).traveller)).toMatchObject({ keyId, role: 'writer' })
    idp.people.set(known, { ...idp.people.get(known), groups: [] })
    expect(await whoIs((await signIn(known)).traveller)).toMatchObject({ keyId, role: 'reader' })

    const moved = person({ groups: 'lot-team', email: undefined })
    const first = await whoIs((await signIn(moved)).traveller)
    await invite(moved, 'reader')
    idp.people.set(moved, { ...idp.people.get(moved), email: emailOf(moved), groups: [] })
    expect(await whoIs((await signIn(moved)).traveller)).toMatchObject({
      keyId: first.keyId,
      role: 'reader',
      email: emailOf(moved),
    })
    expect(await rowsOf(moved)).toHaveLength(1)
  })

  test('nobody who was revoked, until invited again; a session ends within two seconds', async () => {
    const id = person({ groups: 'lot-team' })
    const { traveller } = await signIn(id)
    const { keyId } = await whoIs(traveller)
    expect((await administrator('DELETE', `/keys/${keyId}`)).status).toBe(200)
    await expect.poll(() => whoIs(traveller)).toBeUndefined()
    const refused = await signIn(id)
    expect([refused.answer.status, refused.text]).toEqual([403, expect.stringContaining('has ended the access')])
    await invite(id, 'reader')
    expect((await whoIs((await signIn(id)).traveller)).keyId).not.toBe(keyId)
  })

  test('a person who signs in twice at once is there once', async () => {
    const id = person({ groups: 'lot-team' })
    const ways = await Promise.all([travel(id), travel(id), travel(id)])
    const answers = await Promise.all(ways.map(([callback, traveller]) => traveller.ask(callback)))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
    const { content } = (await administrator('GET', '/keys')).body
    expect(content.filter(({ email }: { email: string }) => email === emailOf(id))).toHaveLength(1)
  })

  test('a person has no key: nothing that is sent in a header is one', async () => {
    const { traveller } = await signIn(person({ groups: 'lot-admins' }))
    const { keyId } = await whoIs(traveller)
    for (const secret of ['A'.repeat(43), 'null', ''])
      expect((await calling(url, `lk_${keyId}_${secret}`)('GET', '/keys/own')).status).toBe(401)
  })
})

describe('nobody is let in by', () => {
  const expectRefused = async (answer: Response, traveller: Traveller, status = 400) => {
    const text = await answer.text()
    expect(answer.status, text).toBe(status)
    expect(text).toContain('You are not signed in')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'/)
    expect(await whoIs(traveller)).toBeUndefined()
  }
  const team = () => person({ groups: 'lot-team' })

  test.each([
    ['another state', (callback: string) => callback.replace(/state=[^&]+/, 'state=other')],
    ['no state', (callback: string) => callback.replace(/state=[^&]+&?/, '')],
    ['another code', (callback: string) => callback.replace(/code=[^&]+/, 'code=other')],
    [
      'the issuer of somebody else',
      (callback: string) => callback.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example'),
    ],
    ['no issuer', (callback: string) => callback.replace(/&?iss=[^&]+/, '')],
    ['an error in its place', (callback: string) => callback.replace(/code=[^&]+/, 'error=access_denied')],
    ['nothing', (callback: string) => callback.split('?')[0] ?? ''],
  ])('%s', async (_what, change) => {
    const [callback, traveller] = await travel(team())
    expect(change(callback)).not.toBe(callback)
    await expectRefused(await traveller.ask(change(callback)), traveller)
  })

  test.each([
    ['nonce', { nonce: 'other' }],
    ['verifier', { verifier: 'x'.repeat(43) }],
    ['state', { state: 'other' }],
    ['verifier of a wrong kind', { verifier: 7 }],
  ])('another %s than that of the browser that left', async (_what, changed) => {
    const [callback, traveller] = await travel(team())
    journeyOf(traveller).change(changed)
    await expectRefused(await traveller.ask(callback), traveller)
  })

  test('the way back of somebody else: another browser, or one that went off later', async () => {
    const [callback] = await travel(team())
    const other = new Traveller()
    await expectRefused(await other.ask(callback), other)
    const [, gone] = await travel(team())
    await expectRefused(await gone.ask(callback), gone)
  })

  test('a code that was used, be its cookie there still, or that is too old', async () => {
    const [callback, traveller] = await travel(team())
    const { change } = journeyOf(traveller)
    expect((await traveller.ask(callback)).status).toBe(303)
    traveller.cookiesOf(url).delete('lotkeeper-session')
    change({})
    await expectRefused(await traveller.ask(callback), traveller)

    const [late, slow] = await travel(team())
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 })
    try {
      await expectRefused(await slow.ask(late), slow)
    } finally {
      vi.useRealTimers()
    }
  })

  test('an identity provider that goes away in between', async () => {
    const going = await startIdentityProvider([url])
    const other = await startService({ identityProvider: going.settings(url, provider.name) })
    try {
      const traveller = new Traveller()
      going.people.set('ana', { groups: 'lot-team' })
      const callback = await traveller.follow(`${other.url}/sign-in/start`, 'ana', isCallback)
      await going.close()
      await expectRefused(await traveller.ask(callback.replace(url, other.url)), traveller, 503)
    } finally {
      await other.close()
    }
  })

  test('an identity provider that calls itself otherwise, or is away', async () => {
    const settings = idp.settings(url, provider.name)
    const strange = await startService({
      identityProvider: { ...settings, issuer: idp.issuer.replace('127.0.0.1', 'localhost') },
    })
    const away = await startService({ identityProvider: { ...settings, issuer: 'http://127.0.0.1:1' } })
    try {
      for (const { url: address } of [strange, away]) {
        const answer = await fetch(`${address}/sign-in/start`, { redirect: 'manual' })
        expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('cannot be reached')])
        expect(answer.headers.get('cache-control')).toBe('no-store')
      }
    } finally {
      await Promise.all([strange.close(), away.close()])
    }
  })
})

test.each([
  ['//evil.example/x', '/console//evil.example/x'],
  ['/../../docs', '/console/'],
  ['/%2e%2e/docs', '/console/'],
  ['https://evil.example', '/console/'],
  ['/\\evil.example', '/console//evil.example'],
  [`/${'x'.repeat(3_000)}`, '/console/'],
])('the way back to %s stays inside the console', async (to, place) => {
  const { answer } = await signIn(person({ groups: 'lot-team' }), to)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, place])
})

test('signing out ends the session here, and says where it ends at the identity provider', async () => {
  const { traveller } = await signIn(person({ groups: 'lot-team' }))
  const token = traveller.cookiesOf(url).get('lotkeeper-session') ?? ''
  const answer = await traveller.ask(`${url}/session`, { method: 'DELETE', headers: own })
  const { signOutAddress } = (await answer.json()) as { signOutAddress: string }
  expect(await sessionFinder(service.database.pool)(token)).toBeUndefined()
  const address = new URL(signOutAddress)
  expect(address.origin).toBe(idp.issuer)
  expect(address.searchParams.get('post_logout_redirect_uri')).toBe(`${url}/console/`)
  expect(address.searchParams.get('id_token_hint')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  // Whoever signs in again there is asked for the name anew.
  const page = await traveller.ask(signOutAddress)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('form')])
})

test('a provider that has no identity provider invites nobody; a wrong address is refused', async () => {
  const other = await service.provider()
  const call = calling(url, await other.key('administrator'))
  const reply = await call('POST', '/people', { body: { email: 'ana@example.com', role: 'reader' } })
  expect([reply.status, reply.body.type]).toEqual([409, '/docs/problems/noIdentityProvider'])
  for (const email of ['ana', 'ana@', 'a b@example.com', ''])
    expect((await administrator('POST', '/people', { body: { email, role: 'reader' } })).status, email).toBe(422)
})

test('the page that signs in learns of the identity provider, and no secret of it', async () => {
  const reply = await calling(url, undefined)('GET', '/sign-in')
  expect(reply.body).toEqual({
    signedIn: null,
    hasEnded: false,
    identityProvider: { name: 'Green Valley', address: `${url}/sign-in/start` },
  })
})
