// Claims are what a document itself has, under their names. Source: decision 0062.
import { expect, test } from 'vitest'
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
