// What a person is let in by: claims as identity providers send them, and as somebody sends them who
// wants to be somebody else. Source: decision 0062.
import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../support/servers/free-port.ts'
import { startIdentityProvider, type TestIdentityProvider, Traveller } from '../../support/servers/identity-provider.ts'
import { type Call, calling, type Service, startService } from '../../support/servers/service.ts'

let idp: TestIdentityProvider
let service: Service
let administrator: Call
let url = ''
let logged = ''
beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  idp = await startIdentityProvider([url])
  const name = `people ${randomUUID()}`
  const stream = new Writable({
    write(chunk, _encoding, done) {
      logged += chunk
      done()
    },
  })
  service = await startService(
    { port, identityProvider: idp.settings(url, name), failedSignInsPerMinute: 0 },
    undefined,
    undefined,
    pino({ level: 'warn' }, stream),
  )
  administrator = calling(url, await (await service.provider(name)).key('administrator'))
})
afterAll(async () => {
  await service?.close()
  await idp?.close()
})

type Claims = Readonly<Record<string, unknown>>
const newId = (): string => `p${randomUUID().slice(0, 8)}`
async function signIn(id: string, userinfo: Claims, idToken: Claims = {}) {
  idp.people.set(id, userinfo)
  idp.idTokens.set(id, idToken)
  const traveller = new Traveller()
  const callback = await traveller.follow(`${url}/sign-in/start`, id, (to) => to.startsWith(`${url}/sign-in/callback`))
  const answer = await traveller.ask(callback)
  return { status: answer.status, text: await answer.text(), traveller }
}
const own = { 'sec-fetch-site': 'same-origin' }
async function whoIs(traveller: Traveller) {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies by name, and a wrong name fails the test
  const { signedIn } = (await (await traveller.ask(`${url}/sign-in`, { headers: own })).json()) as any
  return signedIn?.own
}
const invite = (email: string, role = 'administrator') => administrator('POST', '/people', { body: { email, role } })

test('an invitation is taken by exactly its address, and by no other', async () => {
  const invited = `${newId()}@corp.com`
  expect((await invite(invited, 'reader')).status).toBe(201)
  const refused = await signIn(newId(), { email: `x${invited}`, email_verified: true })
  expect(refused.status, refused.text).toBe(403)
  expect(await whoIs(refused.traveller)).toBeUndefined()
  const { status, text, traveller } = await signIn(newId(), { email: invited.toUpperCase(), email_verified: true })
  expect(status, text).toBe(303)
  expect(await whoIs(traveller)).toMatchObject({ role: 'reader', email: invited })
})

test.each([
  'mi\u212ae@corp.com',
  'ana@münchen.de',
  'ana\u200b@corp.com',
  'ana@corp.com,eve@corp.com',
  'Ana <ana@corp.com>',
  'ana@@corp.com',
  'ana @corp.com',
])('the address %j cannot be invited, and the refusal says why', async (email) => {
  const { status, body } = await invite(email)
  expect([status, body.detail]).toEqual([422, expect.stringMatching(/^email .* Nobody was invited\.$/)])
})

test.each([
  ['the ID token', {}, { groups: ['others', 'lot-team'] }],
  ['the userinfo endpoint', { groups: ['others', 'lot-team'] }, {}],
])('a claim of %s gives its role, and another value none', async (_what, userinfo, idToken) => {
  const { traveller } = await signIn(newId(), userinfo, idToken)
  expect(await whoIs(traveller)).toMatchObject({ role: 'writer' })
  const other = await signIn(newId(), { groups: 'LOT-TEAM' })
  expect([other.status, await whoIs(other.traveller)]).toEqual([403, undefined])
  expect(other.text).toContain('The claim groups')
})

describe('a claim that is withdrawn ends the older sessions of the person at the next sign-in', () => {
  test('that is refused', async () => {
    const id = newId()
    const { traveller } = await signIn(id, { groups: 'lot-admins' })
    expect(await whoIs(traveller)).toMatchObject({ role: 'administrator' })
    expect((await signIn(id, { groups: [] })).status).toBe(403)
    await expect.poll(() => whoIs(traveller)).toBeUndefined()
  })

  test('that gives another role, or leaves that of an invitation', async () => {
    const id = newId()
    const vouched = { email: `${id}@corp.com`, email_verified: true }
    const first = await signIn(id, { ...vouched, groups: 'lot-admins' })
    const second = await signIn(id, { ...vouched, groups: 'lot-team' })
    await expect.poll(() => whoIs(first.traveller)).toBeUndefined()
    expect(await whoIs(second.traveller)).toMatchObject({ role: 'writer' })

    expect((await invite(vouched.email, 'reader')).status).toBe(201)
    const third = await signIn(id, { ...vouched, groups: 'lot-admins' })
    expect(await whoIs(third.traveller)).toMatchObject({ role: 'administrator' })
    const fourth = await signIn(id, { ...vouched, groups: [] })
    expect(await whoIs(fourth.traveller)).toMatchObject({ role: 'reader' })
    await expect.poll(() => whoIs(third.traveller)).toBeUndefined()
    // Nothing changes: the session before goes on.
    await signIn(id, { ...vouched, groups: [] })
    expect(await whoIs(fourth.traveller)).toMatchObject({ role: 'reader' })
  })
})

describe('whoever is refused reads what differs, and so does the operator:', () => {
  test.each<[string, Claims, string]>([
    ['no address', { groups: ['x'] }, 'The claim email is missing.'],
    [
      'an address without a mark',
      { email: 'ana@corp.com' },
      'The address "ana@corp.com" is not verified: the claim email_verified beside it is missing.',
    ],
    [
      'a mark that denies',
      { email: 'ana@corp.com', email_verified: false },
      'the claim email_verified beside it is false, not true.',
    ],
    [
      'nobody invited',
      { email: 'Nobody.Invited@corp.com', email_verified: true },
      'The address nobody.invited@corp.com is verified, but nobody has invited it.',
    ],
    ['a foreign letter', { email: 'mi\u212ae@corp.com', email_verified: true }, 'contains U+212A'],
    ['no role claim', {}, 'The claim groups is missing.'],
    [
      'too many groups for a token',
      { _claim_names: { groups: 'src1' } },
      'The claim groups is missing: the identity provider leaves it out',
    ],
    [
      'other groups',
      { groups: ['/lot-admins', '<b>'] },
      'The claim groups gives no role: it has "/lot-admins", "<b>".',
    ],
  ])('%s', async (_what, userinfo, says) => {
    const before = logged.length
    const { status, text } = await signIn(newId(), userinfo)
    expect(status).toBe(403)
    expect(readable(text)).toContain(says)
    expect(text).not.toContain('<b>')
    const line = JSON.parse(logged.slice(before).trim().split('\n').at(-1) ?? '{}')
    expect(line).toMatchObject({ msg: 'A sign-in was refused.', why: 'withoutRole', issuer: idp.issuer })
    expect(line.remarks.join(' ')).toContain(says)
  })

  const readable = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
})

test('keys that the identity provider has rotated a moment ago refuse nobody, whatever they are called', async () => {
  const groups = 'lot-team'
  expect((await signIn(newId(), { groups })).status).toBe(303)
  for (const keyId of ['other', 'other', 'third']) {
    idp.rotateKeys(keyId)
    expect((await signIn(newId(), { groups })).status).toBe(303)
  }
})

test('a sign-in that was cancelled at the identity provider is called so', async () => {
  const traveller = new Traveller()
  const to = await traveller.follow(`${url}/sign-in/start`, newId(), (at) => at.startsWith(`${url}/sign-in/callback`))
  const answer = await traveller.ask(to.replace(/code=[^&]+/, 'error=access_denied'))
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('it was cancelled')])
  expect(logged).toContain('"answered":"access_denied"')
})

describe('an account is known by exactly its subject', () => {
  test.each([
    ['10,000 characters', 'x'.repeat(10_000)],
    ['256 characters', 'x'.repeat(256)],
    ['a letter that is not ASCII', 'ana\u0301'],
    ['a hidden character', 'ana\u00ad'],
  ])('so nobody is let in by one of %s', async (_what, subject) => {
    const { status, text, traveller } = await signIn(subject, { groups: 'lot-team' })
    expect([status, await whoIs(traveller)], text).toEqual([400, undefined])
  })

  test('and one in other case, or with a blank, is another', async () => {
    const id = newId()
    const { keyId } = await whoIs((await signIn(id, { groups: 'lot-team' })).traveller)
    for (const other of [id.toUpperCase(), `${id}  x`, `${id}.`]) {
      const { traveller } = await signIn(other, { groups: 'lot-team' })
      const own = await whoIs(traveller)
      expect([other, own.role, own.keyId === keyId]).toEqual([other, 'writer', false])
    }
  })
})
