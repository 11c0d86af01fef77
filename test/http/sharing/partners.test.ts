// Partners: what is set of them, what a change would open, invitations, and when their keys are
// answered. What they read is in their accounts. Source: decision 0077.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '../../../src/operations/catalogue.ts'
import { revokeApiKey } from '../../../src/store/base/api-keys.ts'
import { serverOn } from '../../../src/wiring.ts'
import { addressOf, requestSamples } from '../../samples/operation-requests.ts'
import { allowMs } from '../../support/patience.ts'
import { eventPayload, locationPayload, type Payload, paths } from '../../support/records/payloads.ts'
import {
  type Call,
  calling,
  cookieOf,
  type Service,
  startServiceAlone,
  type TestProvider,
  testConfig,
} from '../../support/servers/service.ts'
import { testSigner } from '../../support/servers/signer.ts'

let service: Service
let provider: TestProvider
let call: Call
let vendor = ''

beforeAll(async () => {
  // Polls go on with keys that have ended, and each such call is a failed sign-in.
  service = await startServiceAlone({ failedSignInsPerMinute: 0 })
  provider = await service.provider()
  call = calling(service.url, await provider.key('administrator'))
  for (const [locationCode, gln, count] of [
    ['MARKET-1', '0614141000029', 3],
    ['MARKET-2', '0614141000029', 1],
    ['ELSEWHERE', '0614141000036', 1],
  ] as const)
    for (let i = 0; i < count; i++) {
      const { status, text } = await provider.call('POST', paths.receivingEvent, { body: shippedTo(locationCode, gln) })
      expect(status, text).toBe(201)
    }
})
afterAll(() => service?.close())

/** An event that is shipped to a place, with two lines. */
const shippedTo = (locationCode: string, gln: string): Payload =>
  eventPayload((payload) => {
    const { eventList: event, locationMasterList } = payload
    vendor = event.dataProviderVendorId
    const place = locationMasterList.find((one: Payload) => one.locationCode === event.shipToLocationCode)
    Object.assign(place, { locationCode, gln, locationName: `Fresh Foods ${locationCode}` })
    Object.assign(event, { shipToLocationCode: locationCode, methodOfPayment: 'Prepaid' })
  })

describe('the name under which others see a provider', () => {
  test('is what partners, invited people and packages have, and the name of the account until one is set', async () => {
    const own = await service.provider()
    const administrator = calling(service.url, await own.key('administrator'))
    const { accountName } = (await administrator('GET', '/display-name')).body
    const { id } = (await administrator('POST', '/partners', { body: { name: 'Shop', places: [], grants: [] } })).body
    const invited = async () => (await administrator('POST', `/partners/${id}/invitations`, { body: {} })).body.token
    const first = calling(service.url, await invited())
    expect((await first('GET', '/invitations/own')).body).toMatchObject({ partner: 'Shop', sharedBy: accountName })
    const { key, sharedBy } = (await first('POST', '/invitations/accept', { body: {} })).body
    expect(sharedBy).toBe(accountName)

    const set = await administrator('PUT', '/display-name', { body: { name: ' Green Valley Foods ' } })
    expect(set.body).toMatchObject({ name: 'Green Valley Foods', accountName })
    const partner = calling(service.url, key)
    expect((await partner('GET', '/keys/own')).body).toMatchObject({ provider: 'Shop', sharedBy: 'Green Valley Foods' })
    const second = calling(service.url, await invited())
    expect((await second('GET', '/invitations/own')).body.sharedBy).toBe('Green Valley Foods')
    expect((await second('POST', '/invitations/accept', { body: {} })).body.sharedBy).toBe('Green Valley Foods')
    const plan = (await administrator('GET', '/traceability-plan')).text
    expect([plan.includes('Green Valley Foods'), plan.includes(accountName)]).toEqual([true, false])

    expect((await administrator('PUT', '/display-name', { body: {} })).body.name).toBeNull()
    expect((await partner('GET', '/keys/own')).body.sharedBy).toBe(accountName)
  })

  test('is not blank, and an invitation that was used is none', async () => {
    const { status, body } = await call('PUT', '/display-name', { body: { name: ' ' } })
    expect([status, body.detail]).toEqual([422, expect.stringContaining('name is blank')])
    const { id } = (await call('POST', '/partners', { body: settings() })).body
    const invited = calling(service.url, (await call('POST', `/partners/${id}/invitations`, { body: {} })).body.token)
    await invited('POST', '/invitations/accept', { body: {} })
    expect([401, 409]).toContain((await invited('GET', '/invitations/own')).status)
  })
})

let names = 0
const settings = (more: object = {}): Payload => ({
  name: `Partner ${++names}`,
  places: [{ locationCode: 'MARKET-1' }],
  grants: [{ direction: 'shipTo' }],
  ...more,
})

async function created(more: object = {}): Promise<Payload> {
  const reply = await call('POST', '/partners', { body: settings(more) })
  expect(reply.status, reply.text).toBe(201)
  expect(reply.headers.get('location')).toBe(`/partners/${reply.body.id}`)
  return reply.body
}

/** A key of a partner, by an invitation. */
async function keyOf({ id }: Payload, body: object = {}): Promise<string> {
  const { token } = (await call('POST', `/partners/${id}/invitations`, { body })).body
  return (await calling(service.url, token)('POST', '/invitations/accept', { body: {} })).body.key
}

const statusOf = async (key: string): Promise<number> => (await calling(service.url, key)('GET', '/keys/own')).status

const isSoon = { timeout: allowMs(10_000) }

/** What the copier does at its end; it is not at work here. */
async function open({ id }: Payload, until: Date | null = null): Promise<void> {
  await service.database.pool.query(
    'UPDATE partner_account SET sharing_closed = false, sharing_until = $2 WHERE provider_id = $1',
    [await accountOf(id), until],
  )
}

async function accountOf(partner: string): Promise<string> {
  const asked = 'SELECT account_id AS account FROM partner WHERE provider_id = $1 AND id = $2'
  return (await service.database.pool.query(asked, [provider.id, partner])).rows[0].account
}

describe('what is set of a partner', () => {
  test('is read as it was set, with what is meant where nothing is said, and every change is in the access log', async () => {
    const partner = await created({
      places: [{ gln: ' 0614141000029 ', locationCode: '' }],
      grants: [{ direction: 'shipTo' }],
    })
    expect(partner).toMatchObject({
      places: [{ gln: '0614141000029' }],
      grants: [
        {
          direction: 'shipTo',
          withHistory: false,
          withheld: expect.arrayContaining(['methodOfPayment', 'businessUnit']),
        },
      ],
      state: 'updating',
      completeDateTime: null,
      records: { receivingEvents: 0, masterProducts: 0, locations: 0 },
      keys: [],
    })
    expect((await call('GET', `/partners/${partner.id}`)).body).toEqual(partner)
    const changed = await call('PUT', `/partners/${partner.id}`, { body: settings({ grants: [], places: [] }) })
    expect(changed.body).toMatchObject({
      places: [],
      grants: [],
      state: 'closed',
      createdDateTime: partner.createdDateTime,
    })
    expect((await call('GET', '/partners')).body.content).toContainEqual(changed.body)
    await call('DELETE', `/partners/${partner.id}`)
    expect((await call('GET', `/partners/${partner.id}`)).status).toBe(404)
    expect((await call('GET', '/partners')).text).not.toContain(partner.id)
    const logged = (await call('GET', '/access-log?limit=3')).body.content
    expect(logged.map(({ operation }: Payload) => operation)).toEqual([
      'deletePartner',
      'replacePartner',
      'createPartner',
    ])
    for (const { asked } of logged) expect(asked.id).toBe(partner.id)
  })

  test.each<[string, object, string]>([
    ['a blank name', { name: ' ' }, '/name'],
    ['a place without a name', { places: [{ dataProviderVendorId: 'V' }] }, '/places/0'],
    ['a place with two names', { places: [{}, { gln: '0614141000029', locationCode: 'X' }].slice(1) }, '/places/0'],
    ['a GLN of one vendor', { places: [{ gln: '0614141000029', dataProviderVendorId: 'V' }] }, '/places/0'],
    ['a grant of nothing', { grants: [{ direction: 'shipTo' }, {}] }, '/grants/1'],
    ['a lot without an end', { grants: [{ lotCode: 'L' }] }, '/grants/0'],
    [
      'a lot until long after',
      { grants: [{ lotCode: 'L', endDateTime: '2099-01-01T00:00:00Z' }] },
      '/grants/0/endDateTime',
    ],
    [
      'a lot of one vendor',
      { grants: [{ lotCode: 'L', dataProviderVendorIds: ['V'], endDateTime: '2026-01-01T00:00:00Z' }] },
      '/grants/0/dataProviderVendorIds',
    ],
    [
      'a field that must be shared',
      { grants: [{ direction: 'shipTo', withheld: ['shipQuantity'] }] },
      '/grants/0/withheld/0',
    ],
    [
      'more than a partner may have',
      {
        places: Array.from({ length: 500 }, () => ({
          locationCode: 'X'.repeat(100),
          dataProviderVendorId: 'V'.repeat(100),
        })),
      },
      '',
    ],
  ])('is refused with %s, at its place', async (_what, wrong, pointer) => {
    const reply = await call('POST', '/partners', { body: settings(wrong) })
    expect([reply.status, reply.body.findings?.[0].pointer], reply.text).toEqual([422, pointer])
  })

  test('has a name that no other has; that of a deleted partner is free', async () => {
    const one = await created()
    expect((await call('POST', '/partners', { body: settings({ name: one.name }) })).status).toBe(409)
    const other = await created()
    expect((await call('PUT', `/partners/${other.id}`, { body: settings({ name: one.name }) })).status).toBe(409)
    await call('DELETE', `/partners/${one.id}`)
    expect((await call('PUT', `/partners/${other.id}`, { body: settings({ name: one.name }) })).status).toBe(200)
  })
})

describe('a dry run', () => {
  const preview = async (more: object, path = '/partners', method = 'POST') =>
    (await call(method, `${path}?dryRun=true`, { body: settings(more) })).body

  test('counts what is opened, shows events as the partner sees them, and names places that may be missing', async () => {
    const before = (await call('GET', '/partners')).text
    const { opened, withdrawn, examples, notCovered } = await preview({ name: 'Fresh Foods' })
    expect([opened, withdrawn]).toEqual([
      { events: 3, orMore: false },
      { events: 0, orMore: false },
    ])
    expect(examples).toHaveLength(3)
    for (const { eventList } of examples) {
      expect(eventList.shipToLocationCode).toBe('MARKET-1')
      expect(eventList.methodOfPayment).toBeUndefined()
      expect(eventList.productList.length).toBeGreaterThan(0)
    }
    expect(notCovered.map(({ locationCode, events }: Payload) => [locationCode, events])).toEqual([
      ['ELSEWHERE', 1],
      ['MARKET-2', 1],
    ])
    const unnamed = await preview({ name: 'Nobody' })
    expect(unnamed.notCovered.map(({ locationCode }: Payload) => locationCode)).toEqual(['MARKET-2'])
    expect((await call('GET', '/partners')).text).toBe(before)
  })

  test.each<[string, object, number]>([
    ['a GLN opens every code that has it', { places: [{ gln: '0614141000029' }] }, 4],
    [
      'a code that two entries name counts once',
      { places: [{ gln: '0614141000029' }, { locationCode: 'MARKET-1' }] },
      4,
    ],
    ['no grant opens anything', { grants: [] }, 0],
    ['an ended grant opens nothing', { grants: [{ direction: 'shipTo', endDateTime: '2026-01-01T00:00:00Z' }] }, 0],
    ['a later date opens nothing', { grants: [{ direction: 'shipTo', firstEventDate: '2099-01-01' }] }, 0],
    [
      'a lot opens its events at these places',
      {
        grants: [
          { lotCode: 'gv26062 a', endDateTime: new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+/, '') },
        ],
      },
      3,
    ],
  ])('of %s', async (_what, more, events) => expect((await preview(more)).opened.events).toBe(events))

  test('counts what a partner sees and would not see any more', async () => {
    const partner = await created()
    await service.database.pool.query(
      `INSERT INTO shared_copy (provider_id, partner_id, record_id, kind, source_version, first_version, copy_id, versions, shown_hash, settled)
       SELECT provider_id, $2, id, 'receivingEvent', 1, 1, id, '{1}', '', true FROM event
       WHERE provider_id = $1 AND place = 'MARKET-1'`,
      [provider.id, partner.id],
    )
    const path = `/partners/${partner.id}`
    expect((await call('GET', path)).body.records.receivingEvents).toBe(3)
    expect((await preview({}, path, 'PUT')).withdrawn).toEqual({ events: 0, orMore: false })
    expect((await preview({ places: [{ locationCode: 'MARKET-2' }] }, path, 'PUT')).withdrawn).toEqual({
      events: 3,
      orMore: false,
    })
  })
})

test('places are suggested from what is stored, each code on one page, with the partner that has it', async () => {
  const partner = await created({ places: [{ locationCode: 'ELSEWHERE', dataProviderVendorId: vendor }] })
  // The same code is another place of another vendor.
  const other = shippedTo('MARKET-1', '0614141000043')
  other.eventList.dataProviderVendorId = 'V-OTHER'
  expect((await provider.call('POST', paths.receivingEvent, { body: other })).status).toBe(201)
  const seen: Payload[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body }: Payload = await call('GET', `/partners/suggestions?limit=1${cursor && `&cursor=${cursor}`}`)
    expect(new Set(body.content.map(({ locationCode }: Payload) => locationCode)).size).toBe(1)
    seen.push(...body.content)
    cursor = body.nextCursor
  }
  expect(
    seen.map(({ locationCode, gln, dataProviderVendorIds, events }) => [
      locationCode,
      gln,
      dataProviderVendorIds,
      events,
    ]),
  ).toEqual([
    ['ELSEWHERE', '0614141000036', [vendor], 1],
    ['MARKET-1', '0614141000029', [vendor], 3],
    ['MARKET-1', '0614141000043', ['V-OTHER'], 1],
    ['MARKET-2', '0614141000029', [vendor], 1],
  ])
  expect(seen[0]).toMatchObject({
    locationName: 'Fresh Foods ELSEWHERE',
    orMore: false,
    partner: { id: partner.id, name: partner.name },
  })
})

describe('an invitation', () => {
  test('becomes one key, whoever accepts it at the same time, and does nothing else', async () => {
    const partner = await created()
    const invited = await call('POST', `/partners/${partner.id}/invitations`, {
      body: { personName: 'Sam Reed', expiresInHours: 1 },
    })
    const { token, path, expiresDateTime } = invited.body
    expect(path).toBe(`/console/invitation#${token}`)
    expect(Date.parse(expiresDateTime) - Date.now()).toBeLessThanOrEqual(3_600_000)
    const guest = calling(service.url, token)
    expect((await guest('GET', '/keys/own')).status).toBe(403)
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => guest('POST', '/invitations/accept', { body: { label: 'pull' } })),
    )
    const accepted = replies.filter(({ status }) => status === 201)
    expect(accepted).toHaveLength(1)
    const { key, keyId, ...names } = accepted[0]?.body ?? {}
    expect(names).toEqual({ partner: partner.name, sharedBy: provider.name })
    const own = (await calling(service.url, key)('GET', '/keys/own')).body
    expect(own).toMatchObject({
      keyId,
      role: 'partner',
      provider: partner.name,
      sharedBy: provider.name,
      personName: 'Sam Reed',
      label: 'pull',
    })
    const { keys } = (await call('GET', `/partners/${partner.id}`)).body
    expect(keys.map(({ role, revokedDateTime }: Payload) => [role, revokedDateTime === null])).toEqual([
      ['partner', true],
      ['invited', false],
    ])
    await expect.poll(async () => (await guest('POST', '/invitations/accept', { body: {} })).status, isSoon).toBe(401)
    expect((await call('GET', '/keys')).text).not.toContain(keyId)
  })

  test('ends when it expires, when it is revoked, and with its partner', async () => {
    const partner = await created()
    const { pool } = service.database
    const tokens: string[] = []
    for (let i = 0; i < 3; i++)
      tokens.push((await call('POST', `/partners/${partner.id}/invitations`, { body: {} })).body.token)
    const [expired = '', revoked = '', orphaned = ''] = tokens
    const idOf = (key: string) => key.split('_')[1]
    await pool.query('UPDATE api_key SET expires_at = now() WHERE key_id = $1', [idOf(expired)])
    await call('POST', `/partners/${partner.id}/keys/revoke`, { body: { keyId: idOf(revoked) } })
    await call('DELETE', `/partners/${partner.id}`)
    for (const token of [expired, revoked, orphaned])
      expect((await calling(service.url, token)('POST', '/invitations/accept', { body: {} })).status).toBe(401)
    expect((await call('POST', `/partners/${partner.id}/invitations`, { body: {} })).status).toBe(404)
  })
})

test('a key that is accepted in the moment in which its partner is deleted is valid no more', async () => {
  const partners = await Promise.all(Array.from({ length: 8 }, () => created()))
  const ended = partners.map(async ({ id }) => {
    const { token } = (await call('POST', `/partners/${id}/invitations`, { body: {} })).body
    const guest = calling(service.url, token)
    const [accepted, deleted] = await Promise.all([
      guest('POST', '/invitations/accept', { body: {} }),
      call('DELETE', `/partners/${id}`),
    ])
    expect(deleted.status).toBe(200)
    if (accepted.status === 201) await expect.poll(() => statusOf(accepted.body.key), isSoon).toBe(401)
    await expect.poll(() => statusOf(token), isSoon).toBe(401)
  })
  await Promise.all(ended)
})

test('a key of a deleted partner is not valid, whatever its own row says', async () => {
  const partner = await created()
  const key = await keyOf(partner)
  const account = await accountOf(partner.id)
  const cookie = await cookieOf(service.url, key)
  await call('DELETE', `/partners/${partner.id}`)
  await service.database.pool.query('UPDATE api_key SET revoked_at = NULL WHERE provider_id = $1', [account])
  await expect.poll(() => statusOf(key), isSoon).toBe(401)
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const inBrowser = async () => (await calling(service.url, undefined)('GET', '/keys/own', { headers })).status
  await expect.poll(inBrowser, isSoon).toBe(401)
})

test('nothing is done by half where the account of a partner is not beside it, as after a split of shards', async () => {
  const { id: owner, key } = await service.provider()
  const administrate = calling(service.url, await key('administrator'))
  const { pool } = service.database
  const partner = (await administrate('POST', '/partners', { body: settings() })).body
  const path = `/partners/${partner.id}`
  const { rows } = await pool.query('SELECT * FROM partner WHERE provider_id = $1', [owner])
  const account = rows[0].account_id
  const name = (await pool.query('DELETE FROM partner_account WHERE provider_id = $1 RETURNING name', [account]))
    .rows[0]
  for (const [method, at, body] of [
    ['GET', '/partners'],
    ['GET', path],
    ['PUT', path, settings()],
    ['DELETE', path],
    ['POST', `${path}/invitations`, {}],
    ['POST', `${path}/keys/revoke`, { keyId: '0'.repeat(16) }],
  ] as const) {
    const { status } = await administrate(method, at, body === undefined ? {} : { body })
    expect(status, `${method} ${at}`).toBe(500)
  }
  expect((await pool.query('SELECT * FROM partner WHERE provider_id = $1', [owner])).rows).toEqual(rows)
  expect((await pool.query('SELECT 1 FROM api_key WHERE provider_id = $1', [account])).rows).toEqual([])
  await pool.query('INSERT INTO partner_account (provider_id, shared_by, name) VALUES ($1, $2, $3)', [
    account,
    owner,
    name.name,
  ])
  expect((await administrate('DELETE', path)).status).toBe(200)
})

describe.concurrent('the key of a partner', () => {
  test('reads its account, and neither changes it nor sees anything of the provider', async ({ expect }) => {
    const partner = await created()
    const own = calling(service.url, await keyOf(partner))
    for (const path of Object.values(paths)) expect((await own('GET', path)).body.content, path).toEqual([])
    const { content } = (await call('GET', paths.receivingEvent)).body
    expect(content.length).toBeGreaterThan(0)
    expect((await own('GET', `${paths.receivingEvent}/${content[0].id}`)).status).toBe(404)
    expect((await own('POST', paths.receivingEvent, { body: eventPayload() })).status).toBe(403)
    for (const path of [
      '/keys',
      '/partners',
      '/archive',
      '/refusals',
      '/alerts',
      '/access-log',
      '/settings',
      '/webhooks',
    ])
      expect((await own('GET', path)).status, path).toBe(403)
  })

  test('ends within seconds when it is revoked, and so does its session', async ({ expect }) => {
    const partner = await created()
    const keys = [await keyOf(partner), await keyOf(partner)]
    const [key = '', other = ''] = keys
    const cookie = await cookieOf(service.url, key)
    const inBrowser = async () =>
      (
        await calling(service.url, undefined)('GET', '/keys/own', {
          headers: { cookie, 'sec-fetch-site': 'same-origin' },
        })
      ).status
    expect([await statusOf(key), await inBrowser()]).toEqual([200, 200])
    const revoked = await call('POST', `/partners/${partner.id}/keys/revoke`, { body: { keyId: key.split('_')[1] } })
    expect(revoked.status).toBe(200)
    await expect.poll(() => statusOf(key), isSoon).toBe(401)
    await expect.poll(inBrowser, isSoon).toBe(401)
    expect(await statusOf(other)).toBe(200)
    await call('DELETE', `/partners/${partner.id}`)
    await expect.poll(() => statusOf(other), isSoon).toBe(401)
  })

  test('is told to come back from a change that takes away until that is done, and is not by one that adds', async ({
    expect,
  }) => {
    const partner = await created()
    const key = await keyOf(partner)
    const cookie = await cookieOf(service.url, key)
    const change = async (more: object) => {
      const { status, text } = await call('PUT', `/partners/${partner.id}`, {
        body: { ...settings(more), name: partner.name },
      })
      expect(status, text).toBe(200)
    }
    const [place, added] = [{ locationCode: 'MARKET-1' }, { locationCode: 'MARKET-2' }]
    const grants = [...partner.grants, { direction: 'shipFrom', withheld: [] }]
    await change({ places: [place, added], grants })
    expect((await call('GET', `/partners/${partner.id}`)).body.state).toBe('updating')
    const isClosed = async () =>
      (
        await service.database.pool.query('SELECT sharing_closed AS closed FROM partner_account WHERE name = $1', [
          partner.name,
        ])
      ).rows[0].closed
    expect(await isClosed()).toBe(false)
    for (const fewer of [
      { places: [added], grants },
      { places: [added], grants: grants.slice(0, 1) },
      { places: [added], grants: [{ ...grants[0], withheld: ['methodOfPayment', 'eventId'] }] },
      { places: [added], grants: [{ ...grants[0], withheld: ['methodOfPayment'], itemCodes: ['A'] }] },
    ]) {
      await change(fewer)
      expect(await isClosed(), JSON.stringify(fewer)).toBe(true)
      await open(partner)
    }
    await change({ grants: [] })
    expect((await call('GET', `/partners/${partner.id}`)).body.state).toBe('closed')
    await expect.poll(() => statusOf(key), isSoon).toBe(503)
    const reply = await calling(service.url, undefined)('GET', paths.receivingEvent, {
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    })
    expect([reply.status, reply.body.type]).toEqual([503, '/docs/problems/sharingIsUpdated'])
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    await open(partner)
    await expect.poll(() => statusOf(key), isSoon).toBe(200)
  })

  test('hears of no change after it is revoked, however long it follows changes already', async ({ expect }) => {
    const { call: write, key: newKey } = await service.provider()
    const key = await newKey('partner')
    const own = calling(service.url, key)
    const { position } = (await own('GET', '/changes/now')).body
    const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
    const stream = await fetch(`${service.url}/changes?after=${position}`, { headers })
    await write('POST', paths.location, { body: locationPayload() })
    const chunks: string[] = []
    let id = ''
    for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      chunks.push(chunk)
      if (id !== '' || !chunk.includes('location.created')) continue
      await revokeApiKey(service.database.pool, key.split('_')[1] ?? '')
      id = (await write('POST', paths.location, { body: locationPayload() })).body.request_ids[0]
    }
    expect(id).not.toBe('')
    expect(chunks.join('')).not.toContain(id)
  })

  test('gets no more of a file that it downloads when it is revoked', async ({ expect }) => {
    const { call: write, key: newKey } = await service.provider()
    const key = await newKey('partner')
    // Together more than a connection holds that nobody reads.
    for (let event = 0; event < 6; event++) {
      const body = eventPayload(({ eventList }) => {
        eventList.productList = Array.from({ length: 5_000 }, () => eventList.productList[0])
      })
      expect((await write('POST', paths.receivingEvent, { body })).status).toBe(201)
    }
    const asked = request(`${service.url}/traceability/fda-spreadsheet?format=csv`, {
      headers: { authorization: `Bearer ${key}` },
    }).end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    // From now on: the service also breaks off what nobody reads for long.
    const ending = once(answer, 'end').then(
      () => 'whole',
      () => 'broken off',
    )
    await revokeApiKey(service.database.pool, key.split('_')[1] ?? '')
    await expect.poll(() => statusOf(key), isSoon).toBe(401)
    answer.resume()
    expect(await ending).toBe('broken off')
  })

  test('is answered nothing from the end of a grant on', async ({ expect }) => {
    const lastsMs = allowMs(3_000)
    const endDateTime = new Date(Date.now() + lastsMs).toISOString().replace(/\.\d+/, '')
    const partner = await created({ grants: [{ direction: 'shipTo' }, { direction: 'shipFrom', endDateTime }] })
    const key = await keyOf(partner)
    await expect.poll(() => statusOf(key), { timeout: lastsMs + isSoon.timeout }).toBe(503)
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(endDateTime))
    // An end that comes earlier counts at once, and one that goes is for the copier to forget.
    await open(partner)
    const soon = {
      direction: 'shipFrom',
      endDateTime: new Date(Date.now() + 60_000).toISOString().replace(/\.\d+/, ''),
    }
    await call('PUT', `/partners/${partner.id}`, {
      body: { ...settings(), name: partner.name, grants: [...partner.grants, soon] },
    })
    expect((await call('GET', `/partners/${partner.id}`)).body.state).toBe('updating')
  })
})

test('a grant that has ended is not set; one that ended since stays when others are changed', async () => {
  const past = { direction: 'shipTo', endDateTime: '2026-01-01T00:00:00Z' }
  const refused = async (grants: object[], method: 'POST' | 'PUT', path: string) => {
    const { status, body } = await call(method, path, { body: { ...settings(), name: `Ended ${method}`, grants } })
    return [status, body.findings?.map(({ pointer }: Payload) => pointer)]
  }
  expect(await refused([{ direction: 'shipTo' }, past], 'POST', '/partners')).toEqual([422, ['/grants/1/endDateTime']])
  const partner = await created({ grants: [{ direction: 'shipTo' }] })
  const path = `/partners/${partner.id}`
  expect(await refused([past], 'PUT', path)).toEqual([422, ['/grants/0/endDateTime']])
  expect((await call('GET', path)).body.grants).toEqual(partner.grants)
  await service.database.pool.query('UPDATE partner SET grants = $2 WHERE id = $1', [
    partner.id,
    JSON.stringify([{ ...partner.grants[0], ...past }]),
  ])
  const { grants } = (await call('GET', path)).body
  const kept = await call('PUT', path, { body: { ...settings(), name: partner.name, places: [], grants } })
  expect([kept.status, kept.body.grants]).toEqual([200, grants])
})

describe('what a partner fetched', () => {
  test('stays readable after the partner is deleted; the access log has its name', async () => {
    const partner = await created()
    const own = calling(service.url, await keyOf(partner))
    expect((await own('GET', `${paths.receivingEvent}?limit=5`)).status).toBe(200)
    const path = `/partners/${partner.id}`
    const readings = async () =>
      (await call('GET', `${path}/accesses`)).body.content.filter(
        ({ operation }: Payload) => operation === 'listReceivingEvents',
      )
    const before = await readings()
    expect(before).toHaveLength(1)
    expect((await call('DELETE', path)).status).toBe(200)
    expect(await readings()).toEqual(before)
    // Its row goes once its copies are withdrawn.
    await service.database.pool.query('DELETE FROM partner WHERE id = $1', [partner.id])
    expect(await readings()).toEqual(before)
    expect((await call('GET', path)).status).toBe(404)
    const deleted = (await call('GET', '/partners/deleted')).body.content
    expect(deleted.filter(({ id }: Payload) => id === partner.id)).toEqual([
      { id: partner.id, name: partner.name, deletedDateTime: expect.stringMatching(/^\d{4}-.*Z$/) },
    ])
    const [entry] = (await call('GET', '/access-log?operation=deletePartner&limit=1')).body.content
    expect(entry.asked).toEqual({ id: partner.id, name: partner.name })
    const stranger = calling(service.url, await (await service.provider()).key('administrator'))
    expect((await stranger('GET', `${path}/accesses`)).status).toBe(404)
    expect((await stranger('GET', '/partners/deleted')).body.content).toEqual([])
  })

  test('is listed, each call with its key and what was sent', async () => {
    const partner = await created()
    const key = await keyOf(partner, { label: 'quality office' })
    const own = calling(service.url, key)
    const replies = [
      await own('GET', `${paths.receivingEvent}?limit=5`),
      await own('GET', '/changes'),
      await own('GET', '/limits'),
    ]
    // What is polled and stays the same has one entry an hour.
    for (let i = 0; i < 3; i++) await own('GET', '/changes')
    await own('GET', `${paths.location}/${randomUUID()}`)
    const file = await own('GET', '/traceability/epcis')
    expect([...replies, file].map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const list = async () => (await call('GET', `/partners/${partner.id}/accesses`)).body.content
    await expect.poll(async () => (await list())[0].ending, isSoon).toBe('done')
    const content = await list()
    expect(content.map(({ operation }: Payload) => operation)).toEqual([
      'exportEpcis',
      'listLimits',
      'listChanges',
      'listReceivingEvents',
      'acceptInvitation',
    ])
    const sizes = [...replies, file].map(({ text }) => Buffer.byteLength(text))
    expect(content.slice(0, 4).map(({ bytes }: Payload) => bytes)).toEqual(sizes.toReversed())
    expect(content[3]).toMatchObject({
      who: key.split('_')[1],
      keyName: 'quality office',
      asked: { limit: '5' },
      ending: 'done',
    })
    const { nextCursor } = (await call('GET', `/partners/${partner.id}/accesses?limit=2`)).body
    const page = (await call('GET', `/partners/${partner.id}/accesses?limit=2&cursor=${nextCursor}`)).body.content
    expect(page).toEqual(content.slice(2, 4))
  })

  test('is not sent when its entry cannot be written, whatever it is', async () => {
    const key = await keyOf(await created())
    const { pool } = service.database
    const failing = {
      on: pool.on.bind(pool),
      query: (query: { name?: string }) =>
        ['noteAccesses', 'beginAccess'].includes(query.name ?? '')
          ? pool.query('SELECT 1 / 0')
          : pool.query(query as pg.QueryConfig),
    }
    const server = await serverOn(
      { pool: failing as unknown as pg.Pool },
      testConfig(),
      pino({ level: 'silent' }),
      testSigner,
    )
    const statuses: [string, number][] = []
    for (const { name, method, path, role } of catalogue.filter(
      ({ role, method }) => role === 'partner' && method === 'GET',
    )) {
      const { query, subject } = requestSamples[name as keyof typeof requestSamples] as {
        query?: Record<string, string>
        subject?: string
      }
      if (subject !== undefined || role !== 'partner') continue
      const reply = await server.inject({
        method: method as 'GET',
        url: addressOf(path, '', query),
        headers: { authorization: `Bearer ${key}` },
      })
      statuses.push([name, reply.statusCode])
    }
    await server.close()
    expect(statuses.length).toBeGreaterThan(10)
    expect(statuses.filter(([, status]) => status !== 500)).toEqual([])
  })
})
