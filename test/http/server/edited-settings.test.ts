// What people edit beside records has a version: nobody takes back what somebody else changed in
// between without a word. Source: decision 0013.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, calling, type Service, startService } from '../../support/servers/service.ts'

let service: Service
let administrator: Call
beforeAll(async () => {
  service = await startService({ webhookAllowPrivate: true })
  administrator = calling(service.url, await (await service.provider()).key('administrator'))
})
afterAll(() => service?.close())

const place = (locationCode: string) => ({ locationCode })
const partner = (...codes: string[]) => ({
  name: 'Fresh Foods',
  places: codes.map(place),
  grants: [{ direction: 'shipTo' }],
})
const webhook = (...types: string[]) => ({ url: 'https://127.0.0.1:9/', types })

/** One kind of setting: where it is, two contents, and how its second one is found in an answer. */
interface Kind {
  readonly what: string
  readonly made?: { readonly at: string; readonly body: object }
  readonly at: string
  readonly method?: 'POST'
  readonly first: object
  readonly second: object
  readonly sign: string
}
const kinds: readonly Kind[] = [
  {
    what: 'a partner',
    made: { at: '/partners', body: partner('A', 'B') },
    at: '/partners/{id}',
    first: partner('A'),
    second: partner('A', 'B', 'C'),
    sign: '"C"',
  },
  {
    what: 'a webhook',
    made: { at: '/webhooks', body: webhook('receivingEvent.*') },
    at: '/webhooks/{id}',
    first: webhook('alert.*'),
    second: webhook('location.*'),
    sign: 'location.*',
  },
  {
    what: 'targets of vendors',
    at: '/vendor-targets',
    first: { targets: [{ dataProviderVendorId: 'V-1', silentDays: 7 }] },
    second: { targets: [{ dataProviderVendorId: 'V-2', silentDays: 9 }] },
    sign: 'V-2',
  },
  {
    what: 'senders of ship notices',
    at: '/ship-notice-senders',
    first: { senders: [{ senderId: 'S1', dataProviderVendorId: 'V-1' }] },
    second: { senders: [{ senderId: 'S2', dataProviderVendorId: 'V-1' }] },
    sign: 'S2',
  },
  {
    what: 'senders of EPCIS documents',
    at: '/capture/senders',
    first: { senders: [{ sender: 'S1', dataProviderVendorId: 'V-1' }] },
    second: { senders: [{ sender: 'S2', dataProviderVendorId: 'V-1' }] },
    sign: 'S2',
  },
  {
    what: 'conversions between units',
    at: '/unit-conversions',
    first: { conversions: [{ itemCode: 'I-1', units: [{ unit: 'case', quantity: 24, inUnit: 'each' }] }] },
    second: { conversions: [{ itemCode: 'I-2', units: [{ unit: 'case', quantity: 12, inUnit: 'each' }] }] },
    sign: 'I-2',
  },
  {
    what: 'places to which the rule does not apply',
    at: '/exempt-places',
    first: { places: [{ dataProviderVendorId: 'V-1', exemptions: [{ reason: 'smallProduceFarm' }] }] },
    second: { places: [{ dataProviderVendorId: 'V-2', exemptions: [{ reason: 'nonprofit' }] }] },
    sign: 'V-2',
  },
  {
    what: 'web addresses of lot code sources',
    at: '/source-addresses',
    first: { addresses: [{ name: 'one', dataProviderVendorId: 'V-1', locationCode: 'L-1' }] },
    second: { addresses: [{ name: 'two', dataProviderVendorId: 'V-2', locationCode: 'L-2' }] },
    sign: 'V-2',
  },
  {
    what: 'the name that others see',
    at: '/display-name',
    first: { name: 'Green Valley' },
    second: { name: 'Green Valley Foods' },
    sign: 'Valley Foods',
  },
  {
    what: 'time zones of locations',
    at: '/location-time-zones',
    first: { timeZones: [{ locationCode: 'L-1', timeZone: 'America/New_York' }] },
    second: { timeZones: [{ locationCode: 'L-2', timeZone: 'America/New_York' }] },
    sign: 'L-2',
  },
  {
    what: 'settings of alerts',
    at: '/alert-settings',
    first: {},
    second: { switchedOff: ['alert.retentionDue'] },
    sign: 'alert.retentionDue',
  },
  {
    what: 'views of tables',
    at: '/list-views',
    method: 'POST',
    first: { list: 'receivingEvent', name: 'One' },
    second: { list: 'receivingEvent', name: 'Two' },
    sign: 'Two',
  },
]

describe.each(kinds)('$what', ({ made, at, method = 'PUT', first, second, sign }) => {
  const address = async (): Promise<string> => {
    if (made === undefined) return at
    const { body, status } = await administrator('POST', made.at, {
      body: { ...made.body, ...('name' in made.body && { name: `P ${Math.random()}` }) },
    })
    expect(status, JSON.stringify(body)).toBe(201)
    return at.replace('{id}', body.id)
  }
  const read = async (where: string, headers: Record<string, string> = {}) => {
    const reply = await administrator('GET', where, { headers })
    return { ...reply, tag: reply.headers.get('etag') ?? '' }
  }
  const write = (where: string, body: object, headers: Record<string, string> = {}) =>
    administrator(method, where, {
      body: made !== undefined && 'places' in body ? { ...body, name: where } : body,
      headers,
    })

  test('has an ETag, answers 304 to whoever has it, and 200 once it is another one', async () => {
    const where = await address()
    const before = await read(where)
    expect(before.tag).toMatch(/^"\d+\.[0-9a-f]{16}"$/)
    const same = await read(where, { 'if-none-match': before.tag })
    expect([same.status, same.tag]).toEqual([304, before.tag])
    const head = (tag: string) => administrator('HEAD', where, { headers: { 'if-none-match': tag } })
    expect([(await head(before.tag)).status, (await head('"1.0"')).status]).toEqual([304, 200])
    expect((await write(where, first)).status).toBe(200)
    const after = await read(where, { 'if-none-match': before.tag })
    expect([after.status, after.tag === before.tag]).toEqual([200, false])
  })

  test('is changed by whoever names its version, and by nobody who names an older one', async () => {
    const where = await address()
    const seen = await read(where)
    const mine = await write(where, first, { 'if-match': seen.tag })
    expect([mine.status, mine.headers.get('etag')]).toEqual([200, expect.stringMatching(/^"\d+"$/)])
    const theirs = await write(where, second, { 'if-match': seen.tag })
    const now = await read(where)
    const version = Number(now.tag.slice(1).split('.')[0])
    expect([theirs.status, theirs.body.currentVersion, theirs.headers.get('etag')]).toEqual([
      412,
      version,
      `"${version}"`,
    ])
    expect(JSON.stringify(now.body)).not.toContain(sign)
    // On top of what is there, or without a condition, it is changed.
    expect((await write(where, second, { 'if-match': `"${version}"` })).status).toBe(200)
    expect(JSON.stringify((await read(where)).body)).toContain(sign)
    expect((await write(where, first)).status).toBe(200)
  })

  test('of several who send on one version at once, one is taken', async () => {
    const where = await address()
    await write(where, first)
    const { tag } = await read(where)
    const ends = await Promise.all(
      [first, second, first, second].map((body) => write(where, body, { 'if-match': tag })),
    )
    expect(ends.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
  })
})

test.each([
  ['/partners', partner('A')],
  ['/webhooks', webhook('receivingEvent.*')],
])('what was changed after it was read is not deleted: %s', async (path, body) => {
  const { id } = (await administrator('POST', path, { body: { ...body, name: 'Gone' } })).body ?? {}
  const made = id ?? (await administrator('POST', path, { body })).body.id
  const { headers } = await administrator('GET', `${path}/${made}`)
  const tag = headers.get('etag') ?? ''
  await administrator('PUT', `${path}/${made}`, { body })
  const stale = await administrator('DELETE', `${path}/${made}`, { headers: { 'if-match': tag } })
  expect([stale.status, (await administrator('GET', `${path}/${made}`)).status]).toEqual([412, 200])
  expect((await administrator('DELETE', `${path}/${made}`)).status).toBe(200)
})

test('views that were changed after they were read are not deleted', async () => {
  const view = (name: string, query: string) => ({ list: 'location', name, query })
  const save = (body: object) => administrator('POST', '/list-views', { body })
  const read = async () => (await administrator('GET', '/list-views')).headers.get('etag') ?? ''
  const { id } = (await save(view('Gone', 'a=1'))).body
  const tag = await read()
  await save(view('Gone', 'a=2'))
  const remove = (ifMatch?: string) =>
    administrator('DELETE', `/list-views/${id}`, ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } })
  const stale = await remove(tag)
  expect([stale.status, stale.headers.get('etag')]).toEqual([412, expect.stringMatching(/^"\d+"$/)])
  const ends = await Promise.all([remove(stale.headers.get('etag') ?? ''), remove(stale.headers.get('etag') ?? '')])
  expect(ends.map(({ status }) => status).sort()).toEqual([200, expect.toBeOneOf([404, 412])])
  expect((await remove()).status).toBe(404)
  expect(await read()).not.toBe(tag)
})
