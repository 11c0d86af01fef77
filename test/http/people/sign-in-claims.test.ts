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

describe('an invitation is taken by exactly its address: not by', () => {
  const long = (id: string) => `${id}@${'a'.repeat(100 - id.length - 5)}.com`
  const vouched = { email_verified: true }
  test.each<[string, (id: string) => [invited: string, userinfo: Claims, idToken?: Claims]]>([
    ['one that begins with it', (id) => [long(id), { ...vouched, email: `${long(id)}.evil.example` }]],
    ['one that begins with it and ends after a blank', (id) => [long(id), { ...vouched, email: `${long(id)} x` }]],
    ['a letter that becomes an ASCII one', (id) => [`${id}k@corp.com`, { ...vouched, email: `${id}\u212a@corp.com` }]],
    ['a dotted capital I', (id) => [`${id}i@corp.com`, { ...vouched, email: `${id}\u0130@corp.com` }]],
    ['wide letters', (id) => [`${id}@corp.com`, { ...vouched, email: `${id}@\uff43orp.com` }]],
    ['a Cyrillic letter', (id) => [`${id}a@corp.com`, { ...vouched, email: `${id}\u0430@corp.com` }]],
    ['a hidden character', (id) => [`${id}@corp.com`, { ...vouched, email: `${id}@corp\u200b.com` }]],
    ['a hidden character before it', (id) => [`${id}@corp.com`, { ...vouched, email: `\ufeff${id}@corp.com` }]],
    ['a control character', (id) => [`${id}@corp.com`, { ...vouched, email: `${id}@corp.com\u0000` }]],
    ['a blank behind it', (id) => [`${id}@corp.com`, { ...vouched, email: `${id}@corp.com ` }]],
    ['a line break behind it', (id) => [`${id}@corp.com`, { ...vouched, email: `${id}@corp.com\n` }]],
    ['two addresses', (id) => [`${id}@corp.com`, { ...vouched, email: `${id}@corp.com,x@evil.example` }]],
    ['a name before it', (id) => [`${id}@corp.com`, { ...vouched, email: `Eve <${id}@corp.com>` }]],
    ['a list', (id) => [`${id}@corp.com`, { ...vouched, email: [`${id}@corp.com`] }]],
    ['an object', (id) => [`${id}@corp.com`, { ...vouched, email: { toString: `${id}@corp.com` } }]],
    ['the domain in letters', (id) => [`${id}@xn--mnchen-3ya.de`, { ...vouched, email: `${id}@münchen.de` }]],
    ['a dot behind the domain', (id) => [`${id}@corp.com`, { ...vouched, email: `${id}@corp.com.` }]],
    ['a dot before the domain', (id) => [`${id}@corp.com`, { ...vouched, email: `${id}@.corp.com` }]],
    ['two dots in the domain', (id) => [`${id}@corp.com`, { ...vouched, email: `${id}@corp..com` }]],
    ['a dot in the domain that is none', (id) => [`${id}@corp.com`, { ...vouched, email: `${id}@corp\u3002com` }]],
    ['a dot in it', (id) => [`${id}@corp.com`, { ...vouched, email: `${id.slice(0, 2)}.${id.slice(2)}@corp.com` }]],
    ['a word behind a plus sign', (id) => [`${id}@corp.com`, { ...vouched, email: `${id}+x@corp.com` }]],
    ['quotes', (id) => [`${id}@corp.com`, { ...vouched, email: `"${id}"@corp.com` }]],
    ['a comment', (id) => [`${id}@corp.com`, { ...vouched, email: `${id}(x)@corp.com` }]],
    ['a second domain', (id) => [`${id}@corp.com`, { ...vouched, email: `${id}@corp.com@evil.example` }]],
    ['a subdomain', (id) => [`${id}@corp.com`, { ...vouched, email: `${id}@mail.corp.com` }]],
    ['a soft hyphen', (id) => [`${id}@corp.com`, { ...vouched, email: `${id}\u00ad@corp.com` }]],
    ['a mark that combines', (id) => [`${id}@corp.com`, { ...vouched, email: `${id}\u0301@corp.com` }]],
    ['a blank that is not ASCII', (id) => [`${id}@corp.com`, { ...vouched, email: `${id}\u00a0@corp.com` }]],
    ['a percent-encoded letter', (id) => [`${id}@corp.com`, { ...vouched, email: `${id}%40corp.com` }]],
    [
      'a NUL and more behind it',
      (id) => [`${id}@corp.com`, { ...vouched, email: `${id}@corp.com\u0000@evil.example` }],
    ],
    ['mailto: before it', (id) => [`${id}@corp.com`, { ...vouched, email: `mailto:${id}@corp.com` }]],
    [
      'the domain in other letters of Punycode',
      (id) => [`${id}@corp.com`, { ...vouched, email: `${id}@xn--corp-.com` }],
    ],
    ['10,000 characters', (id) => [`${id}@corp.com`, { ...vouched, email: `${'x'.repeat(10_000)}@corp.com` }]],
    [
      'another claim',
      (id) => [`${id}@corp.com`, { ...vouched, upn: `${id}@corp.com`, preferred_username: `${id}@corp.com` }],
    ],
    ['a claim in a claim', (id) => [`${id}@corp.com`, { user: { ...vouched, email: `${id}@corp.com` } }]],
    [
      'the claim __proto__',
      (id) => [`${id}@corp.com`, JSON.parse(`{"__proto__":{"email":"${id}@corp.com","email_verified":true}}`)],
    ],
    ['a claim in capitals', (id) => [`${id}@corp.com`, { Email: `${id}@corp.com`, Email_Verified: true }]],
    ['no mark', (id) => [`${id}@corp.com`, { email: `${id}@corp.com` }]],
    ...(['1', 'yes', 'True', 'false', '', 1, 0, null, [true], { true: true }] as const).map(
      (mark): [string, (id: string) => [string, Claims]] => [
        `the mark ${JSON.stringify(mark)}`,
        (id) => [`${id}@corp.com`, { email: `${id}@corp.com`, email_verified: mark }],
      ],
    ),
    [
      'a mark in userinfo that belongs to another address',
      (id) => [`${id}@corp.com`, { ...vouched, email: `${id}@evil.example` }, { email: `${id}@corp.com` }],
    ],
    ['a mark in userinfo without an address', (id) => [`${id}@corp.com`, vouched, { email: `${id}@corp.com` }]],
    ['a mark in the ID token alone', (id) => [`${id}@corp.com`, { email: `${id}@corp.com` }, vouched]],
    [
      'a mark of the ID token that belongs to another address',
      (id) => [`${id}@corp.com`, { email: `${id}@corp.com` }, { ...vouched, email: `${id}@evil.example` }],
    ],
    [
      'an address that the ID token calls not verified',
      (id) => [
        `${id}@corp.com`,
        { ...vouched, email: `${id}@corp.com` },
        { email: `${id}@corp.com`, email_verified: false },
      ],
    ],
  ])('%s', async (_what, of) => {
    const [invited, userinfo, idToken] = of(newId())
    expect((await invite(invited)).status).toBe(201)
    const { status, text, traveller } = await signIn(newId(), userinfo, idToken)
    expect(status, text).toBe(403)
    expect(await whoIs(traveller)).toBeUndefined()
  })

  test.each<[string, (id: string) => [invited: string, userinfo: Claims, idToken?: Claims]]>([
    ['the userinfo endpoint', (id) => [`${id}@corp.com`, { email: `${id}@corp.com`, email_verified: true }]],
    ['the ID token', (id) => [`${id}@corp.com`, {}, { email: `${id}@corp.com`, email_verified: true }]],
    ['a mark that is the text true', (id) => [`${id}@corp.com`, { email: `${id}@corp.com`, email_verified: 'true' }]],
    ['capitals', (id) => [`${id}@Corp.com`, { email: `${id.toUpperCase()}@CORP.com`, email_verified: true }]],
    ['100 characters', (id) => [long(id), { email: long(id), email_verified: true }]],
    [
      'the other document, where one has no mark',
      (id) => [`${id}@corp.com`, { email: `${id}@corp.com`, email_verified: true }, { email: `${id}@corp.com` }],
    ],
  ])('but by it in %s', async (_what, of) => {
    const [invited, userinfo, idToken] = of(newId())
    expect((await invite(invited, 'reader')).status).toBe(201)
    const { status, text, traveller } = await signIn(newId(), userinfo, idToken)
    expect(status, text).toBe(303)
    expect(await whoIs(traveller)).toMatchObject({ role: 'reader', email: invited.toLowerCase() })
  })
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

describe('a role claim gives a role', () => {
  test.each([
    ['a list', ['others', 'lot-team'], 'writer'],
    ['one text', 'lot-team', 'writer'],
    ['the highest of several', ['lot-team', 'lot-admins'], 'administrator'],
    ['texts with commas between', 'others,lot-team', 'writer'],
    ['texts with commas and blanks between', 'others, lot-admins', 'administrator'],
    ['texts with semicolons between', 'lot-team;others', 'writer'],
    ['texts in brackets', '[others, lot-team]', 'writer'],
    ['a list as JSON', '["others","lot-admins"]', 'administrator'],
  ])('as %s', async (_what, groups, role) => {
    const { traveller } = await signIn(newId(), { groups })
    expect(await whoIs(traveller)).toMatchObject({ role })
  })

  test.each([
    ['lists in lists', [['lot-admins']]],
    ['a list with other values', ['lot-admins', 7]],
    ['an object', { 'lot-admins': true }],
    ['a list of objects', [{ name: 'lot-admins' }]],
    ['a list of lists as JSON', '[["lot-admins"]]'],
    ['capitals', 'LOT-ADMINS'],
    ['a blank before it, in a list', [' lot-admins']],
    ['a comma, in a list', ['others,lot-admins']],
    ['a hidden character', 'lot-admins\u200b'],
    ['part of a name', 'Former lot-admins'],
    ['the name of a property', 'constructor'],
    ['the names of properties', ['__proto__', 'toString', 'hasOwnProperty']],
    ['wide letters', '\uff4cot-admins'],
    ['a hyphen that is none', 'lot\u2010admins'],
    ['a NUL behind it', 'lot-admins\u0000'],
    ['a line break behind it, in a list', ['lot-admins\n']],
    ['an empty text', ''],
    ['empty texts', ['', ' ']],
    ['a number', 1],
    ['a list of 10,000 others', Array.from({ length: 10_000 }, (_, i) => `g${i}`)],
    ['true', true],
  ])('but not as %s', async (_what, groups) => {
    const { status, text, traveller } = await signIn(newId(), { groups })
    expect([status, await whoIs(traveller)]).toEqual([403, undefined])
    expect(text).toContain('The claim groups')
  })
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
