// Keys over HTTP: an administrator of a provider makes and revokes keys of that provider, and
// nobody else does. Source: decision 0018.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownRoles } from '../../../src/contract/role.ts'
import { eventPayload, paths } from '../../support/records/payloads.ts'
import { type Call, calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let call: Call
beforeAll(async () => {
  service = await startService()
  provider = await service.provider()
  call = calling(service.url, await provider.key('administrator'))
})
afterAll(() => service?.close())

const newKey = async (body: object): Promise<{ key: string; keyId: string }> => {
  const reply = await call('POST', '/keys', { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}

describe('a key made over HTTP', () => {
  test.each(ownRoles)('with role %s may do what its role says', async (role) => {
    const { key } = await newKey({ role, label: 'a test' })
    const own = calling(service.url, key)
    expect((await own('GET', '/keys/own')).body).toMatchObject({ provider: provider.name, role, label: 'a test' })
    expect((await own('GET', paths.receivingEvent)).status).toBe(200)
    expect((await own('POST', paths.receivingEvent, { body: eventPayload() })).status).toBe(
      role === 'reader' ? 403 : 201,
    )
    expect((await own('GET', '/keys')).status).toBe(role === 'administrator' ? 200 : 403)
    expect((await own('POST', '/keys', { body: { role: 'reader', label: 'more' } })).status).toBe(
      role === 'administrator' ? 201 : 403,
    )
  })

  test('is in the list without its secret', async () => {
    const { key, keyId } = await newKey({ role: 'reader', label: 'quality office', expiresDate: '2099-12-31' })
    const list = await call('GET', '/keys')
    expect(list.body.content[0]).toEqual({
      keyId,
      role: 'reader',
      label: 'quality office',
      personName: null,
      email: null,
      isPerson: false,
      createdDateTime: expect.stringMatching(/Z$/),
      expiresDateTime: '2099-12-31T23:59:59.000Z',
      revokedDateTime: null,
      lastUsedDateTime: null,
    })
    expect(list.text).not.toContain(key.slice(-43))
  })

  test('stays in the list before each that has ended since', async () => {
    const lasting = await newKey({ role: 'reader', label: 'lasting' })
    const ended = await newKey({ role: 'reader', label: 'ended' })
    await call('DELETE', `/keys/${ended.keyId}`)
    const { content } = (await call('GET', '/keys')).body as { content: { keyId: string; revokedDateTime: unknown }[] }
    const at = (keyId: string) => content.findIndex((key) => key.keyId === keyId)
    expect(at(lasting.keyId)).toBe(0)
    expect(at(ended.keyId)).toBe(content.findIndex(({ revokedDateTime }) => revokedDateTime !== null))
  })

  test.each([
    ['without a role', { label: 'x' }, '/role'],
    ['with a role there is none of', { role: 'owner', label: 'x' }, '/role'],
    ['with a label too long', { role: 'reader', label: 'x'.repeat(101) }, '/label'],
    ['with a day that is in no calendar', { role: 'reader', label: 'x', expiresDate: '2026-02-30' }, '/expiresDate'],
    ['with a field there is none of', { role: 'reader', label: 'x', provider: 'other' }, '/provider'],
  ])('is not made %s', async (_title, body, pointer) => {
    const reply = await call('POST', '/keys', { body })
    expect(reply.status).toBe(422)
    expect(reply.body.findings).toMatchObject([{ pointer }])
  })

  test('is not made for days past', async () => {
    const reply = await call('POST', '/keys', { body: { role: 'reader', label: 'x', expiresDate: '2020-01-01' } })
    expect([reply.status, reply.body.detail]).toEqual([422, expect.stringContaining('2020-01-01 is in the past')])
  })
})

describe('changing a key', () => {
  test('on an older version than is current changes nothing; its ETag is that of its read', async () => {
    const { keyId } = await newKey({ role: 'reader', label: 'desk 1' })
    const path = `/keys/${keyId}`
    const read = await call('GET', path)
    expect([read.status, read.body.label]).toEqual([200, 'desk 1'])
    const tag = read.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"1\./)
    expect((await call('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(304)
    const put = (label: string, ifMatch: string) =>
      call('PUT', path, { body: { role: 'reader', label }, headers: { 'if-match': ifMatch } })
    const changed = await put('desk 2', '"1"')
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, expect.stringMatching(/^"2/)])
    expect((await put('desk 3', '"1"')).status).toBe(412)
    expect((await call('GET', path)).body.label).toBe('desk 2')
    expect((await put('desk 4', '"2"')).status).toBe(200)
  })

  test('changes its label, person and role; what is left out is removed; the access log has it', async () => {
    const { key, keyId } = await newKey({ role: 'reader', label: 'desk 1', personName: 'Ana Lopez' })
    expect((await calling(service.url, key)('GET', '/keys/own')).body).toMatchObject({ personName: 'Ana Lopez' })
    const changed = await call('PUT', `/keys/${keyId}`, { body: { role: 'writer', label: 'desk 2' } })
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({ keyId, role: 'writer', label: 'desk 2', personName: null, provider: provider.name }),
    ])
    await expect
      .poll(async () => (await calling(service.url, key)('POST', paths.location, { body: {} })).status)
      .toBe(422)
    const { content } = (await call('GET', '/access-log?operation=changeKey')).body
    expect(content[0]).toMatchObject({
      asked: { keyId, role: 'writer', label: 'desk 2', personName: null },
      ending: 'done',
    })
  })

  test('may rename the key of the request, and not change its role', async () => {
    const { key, keyId } = await newKey({ role: 'administrator', label: 'own' })
    const own = calling(service.url, key)
    const renamed = await own('PUT', `/keys/${keyId}`, { body: { role: 'administrator', label: 'mine' } })
    expect([renamed.status, renamed.body.label]).toEqual([200, 'mine'])
    const demoted = await own('PUT', `/keys/${keyId}`, { body: { role: 'reader', label: 'mine' } })
    expect([demoted.status, demoted.body.type]).toEqual([409, '/docs/problems/ownKey'])
  })
})

test('histories, refusals and the access log name the person of a key, else its label, as it is now', async () => {
  const { key, keyId } = await newKey({ role: 'writer', label: 'scanner 4' })
  const own = calling(service.url, key)
  const id = (await own('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0]
  await own('POST', paths.receivingEvent, { body: {} })
  await own('GET', '/traceability/fda-spreadsheet?format=csv')
  const names = async () => {
    const [versions, refusals, entries] = await Promise.all([
      own('GET', `${paths.receivingEvent}/${id}/versions`),
      own('GET', '/refusals'),
      call('GET', `/access-log?who=${keyId}`),
    ])
    const refusal = refusals.body.content.find((one: { keyId: string }) => one.keyId === keyId)
    return [versions.body.content[0], refusal, entries.body.content[0]].map((one) => one?.keyName)
  }
  await expect.poll(names).toEqual(['scanner 4', 'scanner 4', 'scanner 4'])
  await call('PUT', `/keys/${keyId}`, { body: { role: 'writer', label: 'scanner 4', personName: 'Ana Lopez' } })
  expect(await names()).toEqual(['Ana Lopez', 'Ana Lopez', 'Ana Lopez'])
})

describe('revoking', () => {
  test('shuts a key out for good, and may be asked twice', async () => {
    const { key, keyId } = await newKey({ role: 'writer', label: 'a test' })
    const first = await call('DELETE', `/keys/${keyId}`)
    expect(first.status).toBe(200)
    expect((await calling(service.url, key)('GET', '/keys/own')).status).toBe(401)
    const again = await call('DELETE', `/keys/${keyId}`)
    expect(again.body).toEqual(first.body)
    const { content } = (await call('GET', '/keys')).body
    expect(content.find((one: { keyId: string }) => one.keyId === keyId).revokedDateTime).toBe(
      first.body.revokedDateTime,
    )
  })

  test('reaches no key of another provider, and none is listed', async () => {
    const other = await service.provider()
    const otherCall = calling(service.url, await other.key('administrator'))
    const { keyId, key } = await newKey({ role: 'reader', label: 'ours' })
    expect((await otherCall('DELETE', `/keys/${keyId}`)).status).toBe(404)
    expect((await calling(service.url, key)('GET', '/keys/own')).status).toBe(200)
    expect((await otherCall('GET', '/keys')).text).not.toContain(keyId)
  })
  test('of an id that cannot be one is 404, also of text that no database takes', async () => {
    for (const id of ['a%00b', '%F0%9F%8D%85', '0', 'x'.repeat(300), "'; DROP TABLE api_key; --"]) {
      const reply = await call('DELETE', `/keys/${id}`)
      expect([reply.status, reply.body.type], id).toEqual([404, '/docs/problems/unknownKey'])
    }
  })
})

describe('a key that is replaced', () => {
  test('has a successor with its role, label, person, end and views, and ends itself after the time chosen', async () => {
    const { keyId, key } = await newKey({ role: 'writer', label: 'ERP', personName: 'Ana', expiresDate: '2099-12-31' })
    const old = calling(service.url, key)
    await old('POST', '/list-views', { body: { list: 'location', name: 'Mine', query: '' } })
    const before = Date.now()
    const rotated = await call('POST', `/keys/${keyId}/rotate`, { body: { overlapHours: 2 } })
    expect(rotated.status, rotated.text).toBe(201)
    expect(rotated.body).toMatchObject({
      role: 'writer',
      label: 'ERP',
      personName: 'Ana',
      expiresDateTime: '2099-12-31T23:59:59.000Z',
      replaced: { keyId },
    })
    const ends = Date.parse(rotated.body.replaced.expiresDateTime)
    expect(ends).toBeGreaterThan(before + 2 * 3_600_000 - 60_000)
    expect(ends).toBeLessThan(Date.now() + 2 * 3_600_000 + 60_000)
    const successor = calling(service.url, rotated.body.key)
    for (const one of [old, successor]) expect((await one('GET', '/keys/own')).status).toBe(200)
    expect((await successor('GET', '/list-views')).body.content).toMatchObject([{ name: 'Mine', own: true }])
    const { content } = (await call('GET', '/access-log?operation=rotateKey&limit=1')).body
    expect(content).toMatchObject([{ asked: { keyId: rotated.body.keyId, replaces: keyId } }])
  })

  test('ends at once without an overlap, and never later than it would have', async () => {
    const { keyId, key } = await newKey({ role: 'reader', label: 'a test' })
    expect((await call('POST', `/keys/${keyId}/rotate`, { body: { overlapHours: 0 } })).status).toBe(201)
    await expect.poll(async () => (await calling(service.url, key)('GET', '/keys/own')).status).toBe(401)
    expect((await call('POST', `/keys/${keyId}/rotate`, { body: {} })).body.type).toBe('/docs/problems/noValidKey')
    const soon = new Date(Date.now() + 60_000)
    const short = (await provider.key('reader', soon)).split('_')[1]
    const { replaced } = (await call('POST', `/keys/${short}/rotate`, { body: {} })).body
    expect(Date.parse(replaced.expiresDateTime)).toBe(soon.getTime())
  })

  test.each([-1, 1.5, 721, '24'])('is not replaced with an overlap of %j hours', async (overlapHours) => {
    const { keyId } = await newKey({ role: 'reader', label: 'a test' })
    const { status, text } = await call('POST', `/keys/${keyId}/rotate`, { body: { overlapHours } })
    expect([status, text]).toEqual([422, expect.stringContaining('overlapHours')])
  })
})
