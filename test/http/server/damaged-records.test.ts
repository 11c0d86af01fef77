// A version that the database lost is named, by everything that reads: no older version is shown in
// its place, and the records beside it are. Source: decision 0075.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  changed,
  eventPayload,
  locationPayload,
  type Payload,
  paths,
  productPayload,
} from '../../support/records/payloads.ts'
import { type Reply, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const inDatabase = (text: string, values: unknown[] = []) => service.database.pool.query(text, values)

/** Takes versions of a record out of the database, past the service. */
const lose = ({ id: provider }: TestProvider, id: string, version: number | 'all') =>
  inDatabase(
    `DELETE FROM record_version WHERE provider_id = $1 AND record_id = $2 AND ($3::integer IS NULL OR version = $3)`,
    [provider, id, version === 'all' ? null : version],
  )

async function created({ call }: TestProvider, path: string, body: Payload, versions = 1): Promise<string> {
  const reply = await call('POST', path, { body })
  expect(reply.status, reply.text).toBe(201)
  const [id] = reply.body.request_ids
  for (let version = 2; version <= versions; version++) {
    if (path === paths.masterProduct) body.productMasterDataList.packSize = `${version} x`
    else changed.receivingEvent(body)
    expect((await call('PUT', `${path}/${id}`, { body })).status).toBe(200)
  }
  return id
}

/** The answer names record and version, and does not ask to be sent again. */
function expectDamaged(reply: Reply, id: string, version: number): void {
  expect([reply.status, reply.body.type], reply.text).toEqual([500, '/docs/problems/damaged'])
  expect(reply.body.detail).toContain(`version ${version} of record ${id}`)
  expect(reply.body.detail).toContain('lotkeeper doctor')
  expect(reply.headers.get('etag')).toBe(null)
  expect(reply.headers.get('retry-after')).toBe(null)
}

describe('a record whose current version is gone', () => {
  let provider: TestProvider
  let [lost, beside] = ['', '']
  beforeAll(async () => {
    provider = await service.provider()
    lost = await created(provider, paths.receivingEvent, eventPayload(), 3)
    beside = await created(provider, paths.receivingEvent, eventPayload())
    await lose(provider, lost, 3)
  })
  const at = (path = '') => `${paths.receivingEvent}/${lost}${path}`

  test('is not read as its older version, with or without conditions', async () => {
    expectDamaged(await provider.call('GET', at()), lost, 3)
    expectDamaged(await provider.call('GET', at(), { headers: { 'if-none-match': '"2"' } }), lost, 3)
    expectDamaged(await provider.call('GET', at('/findings')), lost, 3)
    expectDamaged(await provider.call('GET', at('/versions/3')), lost, 3)
    expect((await provider.call('GET', at('/versions/2'))).status).toBe(200)
    expect((await provider.call('GET', at('/versions/4'))).status).toBe(404)
  })

  test.each(['', 'sort=eventDateTime', 'limit=1', 'submitStartDateTime=2000-01-01T00:00:00Z'])(
    'is named by a list, which shows the others: %s',
    async (query) => {
      const content: string[] = []
      const damaged: unknown[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = `${paths.receivingEvent}?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`
        const { status, body, text } = await provider.call('GET', page)
        expect(status, text).toBe(200)
        content.push(...body.content.map(({ id }: Payload) => id))
        damaged.push(...(body.damaged ?? []))
        cursor = body.nextCursor
      }
      expect(content).toEqual([beside])
      expect(damaged).toEqual([{ id: lost, version: 3 }])
    },
  )

  test('is named by the list of its versions', async () => {
    const { body } = await provider.call('GET', at('/versions'))
    expect(body.content.map(({ version }: Payload) => version)).toEqual([2, 1])
    expect(body.damaged).toEqual([{ id: lost, version: 3 }])
  })

  test('cannot be voided, since its content is not there', async () => {
    expectDamaged(await provider.call('POST', at('/void'), { body: { reason: 'entered twice' } }), lost, 3)
  })

  test('a replacement makes it readable again, and the lost version stays named', async () => {
    const body = eventPayload()
    const reply = await provider.call('PUT', at(), { body, headers: { prefer: 'return=representation' } })
    expect([reply.status, reply.headers.get('etag')], reply.text).toEqual([200, '"4"'])
    expect((await provider.call('GET', at())).headers.get('etag')).toBe('"4"')
    expect((await provider.call('GET', at('/versions'))).body.damaged).toEqual([{ id: lost, version: 3 }])
  })
})

test('a record of which every version is gone is damaged, and not unknown', async () => {
  const provider = await service.provider()
  const id = await created(provider, paths.location, locationPayload())
  await lose(provider, id, 'all')
  expectDamaged(await provider.call('GET', `${paths.location}/${id}`), id, 1)
  const { body } = await provider.call('GET', paths.location)
  expect([body.content, body.damaged]).toEqual([[], [{ id, version: 1 }]])
  expect((await provider.call('GET', `${paths.location}/${id}/versions`)).body.damaged).toEqual([{ id, version: 1 }])
})

test('a record whose own row is gone is damaged, and not served from its versions', async () => {
  const provider = await service.provider()
  const id = await created(provider, paths.masterProduct, productPayload(), 2)
  await inDatabase('DELETE FROM record WHERE provider_id = $1 AND id = $2', [provider.id, id])
  expectDamaged(await provider.call('GET', `${paths.masterProduct}/${id}`), id, 2)
})

describe('a version that was put into the database by hand', () => {
  const insert = (provider: TestProvider, id: string, from: number, to: number, hash = 'version_hash') =>
    inDatabase(
      `INSERT INTO record_version (provider_id, record_id, version, kind, submitted_at, key_id, request_id, content_hash, detail, version_hash)
       SELECT provider_id, record_id, $4, kind, submitted_at, key_id, request_id, content_hash, detail, ${hash}
       FROM record_version WHERE provider_id = $1 AND record_id = $2 AND version = $3`,
      [provider.id, id, from, to],
    )

  test('above the current one is not shown, and a write that meets it names it', async () => {
    const provider = await service.provider()
    const payload = productPayload()
    const id = await created(provider, paths.masterProduct, payload, 2)
    await insert(provider, id, 2, 3)
    const at = `${paths.masterProduct}/${id}`
    expect((await provider.call('GET', at)).headers.get('etag')).toBe('"2"')
    expect((await provider.call('GET', `${at}/versions/3`)).status).toBe(404)
    expect((await provider.call('GET', `${at}/versions`)).body.content).toHaveLength(2)
    payload.productMasterDataList.packSize = '77 x'
    const reply = await provider.call('PUT', at, { body: payload })
    expect([reply.status, reply.body.type], reply.text).toEqual([500, '/docs/problems/damaged'])
    expect(reply.body.detail.toLowerCase()).toContain(`version 3 of record ${id}`)
  })

  test('as the current one, with a hash that the record does not name, is not served', async () => {
    const provider = await service.provider()
    const id = await created(provider, paths.masterProduct, productPayload(), 2)
    await insert(provider, id, 2, 3, "sha256('forged')")
    await inDatabase('UPDATE record SET version = 3 WHERE provider_id = $1 AND id = $2', [provider.id, id])
    expectDamaged(await provider.call('GET', `${paths.masterProduct}/${id}`), id, 3)
  })
})
