// Providers: what is another's is not there. Source: decisions 0002, 0018.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordKinds } from '../../src/contract/record-kinds.ts'
import { revokeApiKey } from '../../src/store/api-keys.ts'
import { paths, payloadOf } from '../support/payloads.ts'
import { calling, type Service, startService, type TestProvider } from '../support/service.ts'

let service: Service
let ours: TestProvider
let theirs: TestProvider
beforeAll(async () => {
  service = await startService()
  ours = await service.provider()
  theirs = await service.provider()
})
afterAll(() => service?.close())

/** An answer without what differs by request: ids and times. */
const comparable = (text: string) => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')

describe.each(recordKinds.map((kind) => [kind.nouns, kind] as const))('%s', (_nouns, { name, path }) => {
  const payload = payloadOf[name]

  test("another provider's record is answered exactly like one that is not there", async () => {
    const id = (await theirs.call('POST', path, { body: payload() })).body.request_ids[0]
    for (const [method, rest, body] of [
      ['GET', '', undefined],
      ['GET', '/versions', undefined],
      ['GET', '/versions/1', undefined],
      ['PUT', '', payload()],
      ['PUT', '?dryRun=true', payload()],
    ] as const) {
      const options = body === undefined ? {} : { body }
      const hidden = await ours.call(method, `${path}/${id}${rest}`, options)
      const missing = await ours.call(method, `${path}/${randomUUID()}${rest}`, options)
      expect(hidden.status, `${method} ${rest}`).toBe(404)
      expect(comparable(hidden.text)).toBe(comparable(missing.text))
      expect([...hidden.headers.keys()]).toEqual([...missing.headers.keys()])
    }
    expect((await theirs.call('GET', `${path}/${id}`)).headers.get('etag')).toBe('"1"')
  })

  test("another provider's records are in no list, also not behind its cursor", async () => {
    const { call } = await service.provider()
    const other = await service.provider()
    const own = [(await call('POST', path, { body: payload() })).body.request_ids[0]]
    for (let i = 0; i < 2; i++) await other.call('POST', path, { body: payload() })
    const { nextCursor } = (await other.call('GET', `${path}?limit=1`)).body
    const ids = async (address: string) => (await call('GET', address)).body.content.map(({ id }: { id: string }) => id)
    expect(await ids(path)).toEqual(own)
    expect(await ids(`${path}?cursor=${nextCursor}`)).toEqual(own)
  })

  test('the same keys and codes do not meet across providers', async () => {
    const body = payload()
    expect((await ours.call('POST', path, { body })).status).toBe(201)
    expect((await theirs.call('POST', path, { body })).status).toBe(201)
  })
})

describe('keys', () => {
  test.each([
    ['no key', undefined],
    ['an unknown key', `lk_0123456789abcdef_${'A'.repeat(43)}`],
    ['a malformed key', 'lk_nonsense'],
    ['an empty key', ''],
    ['a very long key', `lk_${'a'.repeat(5_000)}`],
  ])('%s is 401', async (_name, key) => {
    expect((await calling(service.url, key)('GET', paths.receivingEvent)).status).toBe(401)
  })

  test('a wrong secret, an expired key and a revoked key are answered alike', async () => {
    const { key } = await service.provider()
    const good = await key('writer')
    const wrong = good.slice(0, -4) + (good.endsWith('AAAA') ? 'BBBB' : 'AAAA')
    const expired = await key('writer', new Date(Date.now() - 1_000))
    const revoked = await key('writer')
    await revokeApiKey(service.database.pool, revoked.split('_')[1] ?? '')
    const answers = await Promise.all(
      [wrong, expired, revoked].map(async (one) =>
        comparable((await calling(service.url, one)('GET', paths.receivingEvent)).text),
      ),
    )
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain('notAuthenticated')
  })

  test('a revocation is in effect within seconds on a server that has just seen the key', async () => {
    const provider = await service.provider()
    const key = await provider.key('writer')
    const call = calling(service.url, key)
    expect((await call('GET', paths.receivingEvent)).status).toBe(200)
    await revokeApiKey(service.database.pool, key.split('_')[1] ?? '')
    await expect
      .poll(async () => (await call('GET', paths.receivingEvent)).status, { timeout: 5_000, interval: 100 })
      .toBe(401)
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
