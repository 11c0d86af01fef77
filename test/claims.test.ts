// Claims are what a document itself has, under their names. Source: decision 0062.
import { describe, expect, test } from 'vitest'
import { type Claims, readClaims } from '../src/claims.ts'

const roles = new Map([['admins', 'administrator' as const]])
const read = (document: string, roleClaim: string) =>
  readClaims(JSON.parse(document) as Claims, {}, { roleClaim, roles, trustEmails: false })

test.each([
  ['{"__proto__":{"email":"ana@corp.com","email_verified":true,"groups":"admins"}}', 'groups'],
  ['{"constructor":{"email":"ana@corp.com","email_verified":true,"groups":"admins"}}', 'groups'],
  ['{"a":{"__proto__":{"groups":"admins"}}}', 'a.groups'],
  ['{"a":"admins"}', 'a.constructor.name'],
  ['{}', '__proto__'],
  ['{}', 'constructor'],
  ['{}', 'toString'],
  ['{"groups":{"length":1,"0":"admins"}}', 'groups'],
])('%s gives nothing under %s', (document, roleClaim) => {
  expect(read(document, roleClaim)).toMatchObject({ email: undefined, role: undefined })
})

test.each([
  ['{"__proto__":"admins"}', '__proto__'],
  ['{"https://corp.com/roles":["admins"]}', 'https://corp.com/roles'],
  ['{"realm_access":{"roles":["admins"]}}', 'realm_access.roles'],
])('%s gives the role of %s', (document, roleClaim) => {
  expect(read(document, roleClaim)).toMatchObject({ role: 'administrator' })
})

const id = 'p1a2b3c4d'
const settings = {
  roleClaim: 'groups',
  roles: new Map([
    ['lot-admins', 'administrator' as const],
    ['lot-team', 'writer' as const],
  ]),
  trustEmails: false,
}

// What the store compares, letter by letter, with the address that was invited.
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
  ])('%s', (_what, of) => {
    const [invited, userinfo, idToken = {}] = of(id)
    expect(readClaims(idToken, userinfo, settings).email).not.toBe(invited)
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
  ])('but by it in %s', (_what, of) => {
    const [invited, userinfo, idToken = {}] = of(id)
    expect(readClaims(idToken, userinfo, settings).email).toBe(invited.toLowerCase())
  })
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
  ])('as %s', (_what, groups, role) => {
    expect(readClaims({}, { groups }, settings)).toMatchObject({ role })
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
  ])('but not as %s', (_what, groups) => {
    const { role, remarks } = readClaims({}, { groups }, settings)
    expect([role, remarks.join()]).toEqual([undefined, expect.stringContaining('The claim groups')])
  })
})
