// Providers and their keys; who may ask what about whom is in matrix.test.ts.
// Source: decisions 0002, 0018.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordKinds } from '../../../src/contract/record-kinds.ts'
import { revokeApiKey } from '../../../src/store/base/api-keys.ts'
import { paths, payloadOf } from '../../support/records/payloads.ts'
import { calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
let ours: TestProvider
let theirs: TestProvider
beforeAll(async () => {
  service = await startService()
  ours = await service.provider()
  theirs = await service.provider()
})
afterAll(() => service?.close())

describe.each(recordKinds.map((kind) => [kind.nouns, kind] as const))('%s', (_nouns, { name, path }) => {
  const payload = payloadOf[name]

  test('the same keys and codes do not meet across providers', async () => {
    const body = payload()
    expect((await ours.call('POST', path, { body })).status).toBe(201)
    expect((await theirs.call('POST', path, { body })).status).toBe(201)
  })
})

describe('keys', () => {
  test.each([
    ['an unknown key', `lk_0123456789abcdef_${'0'.repeat(32)}_${'A'.repeat(43)}`],
    ['an empty key', ''],
    ['a very long key', `lk_${'a'.repeat(5_000)}`],
  ])('%s is 401', async (_name, key) => {
    expect((await calling(service.url, key)('GET', paths.receivingEvent)).status).toBe(401)
  })

  test('a revocation is in effect within seconds on a server that has just seen the key', async () => {
    const provider = await service.provider()
    const key = await provider.key('writer')
    const call = calling(service.url, key)
    expect((await call('GET', paths.receivingEvent)).status).toBe(200)
    await revokeApiKey(service.database.pool, key.split('_')[1] ?? '')
    await expect.poll(async () => (await call('GET', paths.receivingEvent)).status, { interval: 100 }).toBe(401)
  })

  test('one that names another provider, also one with a key of the same id, is 401', async () => {
    const [start, keyId = '', , ...secret] = (await ours.key('writer')).split('_')
    const renamed = [start, keyId, theirs.id.replaceAll('-', ''), ...secret].join('_')
    const statusOf = async () => (await calling(service.url, renamed)('GET', paths.receivingEvent)).status
    expect(await statusOf()).toBe(401)
    await service.database.pool.query(
      `INSERT INTO api_key (provider_id, key_id, secret_hash, role, label)
       VALUES ($1, $2, sha256('another secret'), 'writer', 'of the same id')`,
      [theirs.id, keyId],
    )
    expect(await statusOf()).toBe(401)
  })

  test('X-Api-Key serves as well as Authorization: Bearer', async () => {
    const key = await ours.key('reader')
    const reply = await calling(service.url, undefined)('GET', paths.receivingEvent, { headers: { 'x-api-key': key } })
    expect(reply.status).toBe(200)
  })

  test('only the hash of a secret is in the database', async () => {
    const key = await ours.key('writer')
    const { rows } = await service.database.pool.query('SELECT api_key::text AS line FROM api_key')
    expect(rows.some(({ line }) => line.includes(key.split('_')[1]))).toBe(true)
    expect(rows.some(({ line }) => line.includes(key.slice(-43)))).toBe(false)
  })
})
