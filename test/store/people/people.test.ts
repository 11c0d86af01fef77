// What an administrator decides while somebody is signing in holds: nobody is let in by what was
// there a moment before. Source: decision 0062.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { provideProvider } from '../../../src/store/database/providers.ts'
import type { Queryable } from '../../../src/store/database/statement.ts'
import { commandLine } from '../../../src/store/evidence/access-log.ts'
import { admitPerson, invite } from '../../../src/store/people/people.ts'
import { type TestDatabase, testDatabase } from '../../support/databases/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database?.close())

let provider: string
const email = 'ana@corp.com'
beforeEach(async () => {
  provider = await provideProvider(database.pool, `people ${randomUUID()}`)
})

const ana = { issuer: 'https://id.corp.com', subject: 'ana', name: 'Ana', email, role: undefined }
const admitted = (
  person: typeof ana | (Omit<typeof ana, 'role'> & { role: 'administrator' }),
  db: Queryable = database.pool,
) => admitPerson(db, provider, person, randomUUID())
const invited = (role: 'reader' | 'administrator') =>
  invite(database.pool, provider, { email, role, personName: undefined }, commandLine)

/** The database, where somebody else does something once a sign-in has read who is known. */
function meanwhile(change: () => Promise<unknown>): Queryable {
  let isDue = true
  return {
    query: async (asked) => {
      const answer = await database.pool.query(asked)
      if (asked.name === 'peopleLike' && isDue) {
        isDue = false
        await change()
      }
      return answer as never
    },
  }
}

const set = (values: string) => database.pool.query(`UPDATE api_key SET ${values} WHERE provider_id = $1`, [provider])
const stored = async () =>
  (
    await database.pool.query('SELECT role, subject, revoked_at IS NULL AS open FROM api_key WHERE provider_id = $1', [
      provider,
    ])
  ).rows

test('an invitation that is withdrawn lets nobody in', async () => {
  await invited('administrator')
  expect(
    await admitted(
      ana,
      meanwhile(() => set('revoked_at = now()')),
    ),
  ).toBe('withoutRole')
  expect(await stored()).toEqual([{ role: 'administrator', subject: null, open: false }])
})

test('an invitation to another role counts with that role', async () => {
  await invited('administrator')
  const change = () => set(`role = 'reader', invited_role = 'reader'`)
  expect(await admitted(ana, meanwhile(change))).toEqual({ keyId: expect.any(String) })
  expect(await stored()).toEqual([{ role: 'reader', subject: 'ana', open: true }])
})

test('an access that is ended stays ended, whatever a claim says', async () => {
  await invited('reader')
  await admitted(ana)
  const risen = { ...ana, role: 'administrator' as const }
  expect(
    await admitted(
      risen,
      meanwhile(() => set('revoked_at = now()')),
    ),
  ).toBe('revoked')
  expect(await stored()).toEqual([{ role: 'reader', subject: 'ana', open: false }])
})

test('an invitation that somebody else takes first is his', async () => {
  await invited('administrator')
  const other = { ...ana, subject: 'eve' }
  expect(
    await admitted(
      ana,
      meanwhile(() => admitted(other)),
    ),
  ).toBe('withoutRole')
  expect(await stored()).toEqual([{ role: 'administrator', subject: 'eve', open: true }])
})

test('another account with the same address is another person, also when the first is gone', async () => {
  await invited('administrator')
  await admitted(ana)
  const other = { ...ana, subject: 'ana2' }
  expect(await admitted(other)).toBe('withoutRole')
  expect(await admitted({ ...ana, issuer: 'https://id.evil.example' })).toBe('withoutRole')
  expect(await invited('administrator')).toBeUndefined()
  await set('revoked_at = now()')
  expect(await admitted(other)).toBe('withoutRole')
  expect(await invited('reader')).toBeDefined()
  expect(await admitted(other)).toEqual({ keyId: expect.any(String) })
})
