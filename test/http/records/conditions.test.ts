// Conditions and preferences of a call: ETag, If-Match, If-None-Match, Prefer, dry run,
// Idempotency-Key. Source: decisions 0011 to 0017.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  changed,
  eventPayload,
  locationPayload,
  type Payload,
  paths,
  payloadOf,
  productPayload,
} from '../../support/records/payloads.ts'
import { type Call, calling, type Service, startService } from '../../support/servers/service.ts'

let service: Service
let call: Call
beforeAll(async () => {
  service = await startService()
  call = (await service.provider()).call
})
afterAll(() => service?.close())

const at = (id: string) => `${paths.receivingEvent}/${id}`
const create = async (body: Payload = eventPayload()): Promise<string> =>
  (await call('POST', paths.receivingEvent, { body })).body.request_ids[0]

describe('conditions', () => {
  test('create, read and replace carry the version as a strong ETag; create says where the record is', async () => {
    const reply = await call('POST', paths.receivingEvent, { body: eventPayload() })
    const id = reply.body.request_ids[0]
    expect(reply.headers.get('etag')).toBe('"1"')
    expect(reply.headers.get('location')).toBe(at(id))
    expect((await call('GET', at(id))).headers.get('etag')).toBe('"1"')
    expect((await call('PUT', at(id), { body: eventPayload() })).headers.get('etag')).toBe('"2"')
  })

  test('If-Match replaces the version it names, once', async () => {
    const id = await create()
    const headers = { 'if-match': '"1"' }
    expect((await call('PUT', at(id), { body: eventPayload(), headers })).status).toBe(200)
    const stale = await call('PUT', at(id), { body: eventPayload(), headers })
    expect(stale.status).toBe(412)
    expect(stale.body.currentVersion).toBe(2)
  })

  test.each([
    ['W/"1"', 200],
    ['"9", "1"', 200],
    ['*', 200],
    ['"abc"', 412],
    ['"2"', 412],
  ])('If-Match: %s on version 1 is answered with %i', async (ifMatch, status) => {
    const reply = await call('PUT', at(await create()), { body: eventPayload(), headers: { 'if-match': ifMatch } })
    expect(reply.status).toBe(status)
  })

  test.each([
    ['"1"', 304],
    ['W/"1"', 304],
    ['"7", "1"', 304],
    ['*', 304],
    ['"2"', 200],
    ['"abc"', 200],
  ])('If-None-Match: %s on version 1 is answered with %i', async (ifNoneMatch, status) => {
    const where = at(await create())
    const head = await call('HEAD', where, { headers: { 'if-none-match': ifNoneMatch } })
    expect([head.status, head.text]).toEqual([status, ''])
    const reply = await call('GET', where, { headers: { 'if-none-match': ifNoneMatch } })
    expect(reply.status).toBe(status)
  })

  test.each([
    ['*', 412],
    ['"1"', 412],
    ['W/"1"', 412],
    ['"7", "1"', 412],
    ['"2"', 200],
    ['"7", "9"', 200],
    ['"abc"', 200],
    ['1', 400],
  ])(
    'If-None-Match: %s on a PUT to version 1 is answered with %i, and 412 leaves the record as it is',
    async (ifNoneMatch, status) => {
      const payload = eventPayload()
      const id = await create(payload)
      const headers = { 'if-none-match': ifNoneMatch }
      for (const query of ['?dryRun=true', '']) {
        const reply = await call('PUT', at(id) + query, { body: eventPayload(), headers })
        expect(reply.status, reply.text).toBe(status)
        if (status === 412) {
          expect(reply.body).toMatchObject({ type: '/docs/problems/stale', currentVersion: 1 })
          expect(reply.body.detail).toContain('If-None-Match')
        }
        const stored = await call('GET', at(id))
        if (status !== 200 || query !== '') expect(stored.body).toEqual({ id, ...payload })
        else expect(stored.headers.get('etag')).toBe('"2"')
      }
    },
  )

  test('If-None-Match forbids its versions of every kind of record, also when nothing would change', async () => {
    for (const kind of ['receivingEvent', 'masterProduct', 'location'] as const) {
      const body = payloadOf[kind]()
      const path = `${paths[kind]}/${(await call('POST', paths[kind], { body })).body.request_ids[0]}`
      const put = async (ifNoneMatch: string) =>
        (await call('PUT', path, { body, headers: { 'if-none-match': ifNoneMatch } })).status
      expect([await put('*'), await put('"1"'), await put('"2"')], kind).toEqual([412, 412, 200])
      changed[kind](body)
      expect([await put('"2", "3"'), await put('"2"'), await put('"1"')], kind).toEqual([200, 412, 200])
    }
  })

  test('If-None-Match on a PUT of an unknown record is 404: the condition holds, and PUT never creates', async () => {
    const headers = { 'if-none-match': '*' }
    expect((await call('PUT', at(randomUUID()), { body: eventPayload(), headers })).status).toBe(404)
  })

  test('If-Match and If-None-Match together both have to hold', async () => {
    const put = async (ifMatch: string, ifNoneMatch: string) => {
      const headers = { 'if-match': ifMatch, 'if-none-match': ifNoneMatch }
      return (await call('PUT', at(await create()), { body: eventPayload(), headers })).status
    }
    expect(await put('"1"', '"2"')).toBe(200)
    expect(await put('"1", "2"', '"1"')).toBe(412)
    expect(await put('*', '"1"')).toBe(412)
    expect(await put('"2"', '"7"')).toBe(412)
  })

  test.each([
    ['POST', { 'if-none-match': '*' }, 412],
    ['POST', { 'if-none-match': '"1"' }, 201],
    ['POST', { 'if-match': '"1"' }, 412],
    ['POST', { 'if-match': '*' }, 201],
    ['POST', { 'if-match': '1' }, 400],
  ] as const)(
    'a %s under %o is answered with %i: the list is there, and has no tag',
    async (method, headers, status) => {
      const { call: own } = await service.provider()
      const reply = await own(method, paths.receivingEvent, { body: eventPayload(), headers })
      expect(reply.status, reply.text).toBe(status)
      if (status === 412) expect(reply.body.type).toBe('/docs/problems/conditionFailed')
      expect((await own('GET', paths.receivingEvent)).body.content).toHaveLength(status === 201 ? 1 : 0)
    },
  )

  test('a key is not revoked under a condition that does not hold', async () => {
    const provider = await service.provider()
    const admin = calling(service.url, await provider.key('administrator'))
    const { keyId } = (await admin('POST', '/keys', { body: { role: 'reader', label: 'x' } })).body
    for (const headers of [{ 'if-match': '"1"' }, { 'if-none-match': '*' }])
      expect((await admin('DELETE', `/keys/${keyId}`, { headers })).status).toBe(412)
    expect((await admin('DELETE', `/keys/${keyId}`, { headers: { 'if-match': '*' } })).status).toBe(200)
  })

  test('conditions on dates are ignored where there is no date: RFC 9110, 13.1.3 and 13.1.4', async () => {
    const id = await create()
    const headers = {
      'if-modified-since': 'Sat, 01 Jan 2000 00:00:00 GMT',
      'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT',
      'if-range': '"1"',
    }
    expect((await call('PUT', at(id), { body: eventPayload(), headers })).status).toBe(200)
    expect((await call('GET', at(id), { headers })).status).toBe(200)
  })

  test('an If-Match that is no tag is refused instead of ignored', async () => {
    const reply = await call('PUT', at(await create()), { body: eventPayload(), headers: { 'if-match': '1' } })
    expect(reply.status).toBe(400)
    expect(reply.body.detail).toContain('If-Match')
  })

  test('a stale If-Match is refused even when nothing would change', async () => {
    const payload = eventPayload()
    const id = await create(payload)
    const reply = await call('PUT', at(id), { body: payload, headers: { 'if-match': '"3"' } })
    expect(reply.status).toBe(412)
  })
})

describe('Prefer', () => {
  test('return=representation adds findings and changes; without it the body is exactly request_ids', async () => {
    const payload = eventPayload((edited) => {
      edited.locationMasterList[0].phoneNumber = '831 555 0100'
    })
    const id = await create(payload)
    delete payload.eventList.billOfLadingNumber
    payload.eventList.eventId = 'E-9'
    payload.eventList.productList[0].shipQuantity = 1
    const reply = await call('PUT', at(id), { body: payload, headers: { prefer: 'return=representation' } })
    expect(reply.headers.get('preference-applied')).toBe('return=representation')
    expect(reply.body.changes).toEqual({
      added: ['/eventList/eventId'],
      removed: ['/eventList/billOfLadingNumber'],
      replaced: ['/eventList/productList/0/shipQuantity'],
    })
    expect(reply.body.findings).toEqual([
      expect.objectContaining({
        rule: 'location/phone-format',
        severity: 'warning',
        pointer: '/locationMasterList/0/phoneNumber',
      }),
    ])
  })

  test('handling=strict turns warnings into errors for that call', async () => {
    const body = eventPayload((edited) => {
      edited.locationMasterList[0].phoneNumber = '831 555 0100'
    })
    const strict = await call('POST', paths.receivingEvent, { body, headers: { prefer: 'handling=strict' } })
    expect(strict.status).toBe(422)
    expect(strict.body.findings[0]).toMatchObject({ rule: 'location/phone-format', severity: 'error' })
    expect((await call('POST', paths.receivingEvent, { body })).status).toBe(201)
  })
})

describe('findings that an answer lists', () => {
  /** An event with more warnings and gaps than an answer lists. */
  const undescribed = () =>
    eventPayload((payload) => {
      const [line] = payload.eventList.productList
      payload.eventList.productList = Array.from({ length: 900 }, (_, i) => ({ ...line, vendorItemCode: `NONE-${i}` }))
    })

  test('always come with how many there are, in each kind of answer', async () => {
    const body = undescribed()
    const headers = { prefer: 'return=representation', 'idempotency-key': randomUUID() }
    const { findingCount: all } = (await call('POST', `${paths.receivingEvent}?dryRun=true`, { body })).body
    expect(all).toBeGreaterThan(0)
    const created = await call('POST', paths.receivingEvent, { body, headers })
    const id = created.body.request_ids[0]
    const answers = {
      created,
      repeated: await call('POST', paths.receivingEvent, { body, headers }),
      unchanged: await call('PUT', at(id), { body, headers: { prefer: 'return=representation' } }),
      replaced: await call('PUT', at(id), {
        body: { ...body, transmissionDateTime: '2026-03-04T18:06:00Z' },
        headers: { prefer: 'return=representation' },
      }),
      'as judged then': await call('GET', `${at(id)}/findings`),
      'as judged now': await call('GET', `${at(id)}/findings?judged=now`),
      'of a version': await call('GET', `${at(id)}/versions/1/findings`),
      'would be unchanged': await call('PUT', `${at(id)}?dryRun=true`, { body }),
      refused: await call('PUT', at(id), { body, headers: { prefer: 'handling=strict' } }),
    }
    for (const [name, answer] of Object.entries(answers))
      expect([answer.body.findings.length, answer.body.findingCount], name).toEqual([500, all])
    expect(answers.repeated.body).toEqual(created.body)
  })

  test('are counted in a create of several records too, and again when it is repeated', async () => {
    const [one, two] = [undescribed(), undescribed()]
    const body = { ...one, eventList: [one.eventList, two.eventList] }
    const headers = { prefer: 'return=representation', 'idempotency-key': randomUUID() }
    const created = await call('POST', paths.receivingEvent, { body, headers })
    expect(created.status, created.text.slice(0, 300)).toBe(201)
    const repeated = await call('POST', paths.receivingEvent, { body, headers })
    expect(created.body.findingCount).toBeGreaterThan(1_800)
    for (const answer of [created, repeated])
      expect([answer.body.findings.length, answer.body.findingCount]).toEqual([500, created.body.findingCount])
  })

  test('of a body that has a shape only are counted past the bound', async () => {
    const admin = calling(service.url, await (await service.provider()).key('administrator'))
    const strange = Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`unknown${i}`, i]))
    const reply = await admin('POST', '/legal-holds', { body: { reason: 'x', everything: true, ...strange } })
    expect([reply.status, reply.body.findings.length, reply.body.findingCount]).toEqual([422, 500, 700])
  })
})

describe('dry run', () => {
  test('says what a replacement would change and stores nothing', async () => {
    const payload = eventPayload()
    const id = await create(payload)
    const edited = structuredClone(payload)
    delete edited.eventList.asnNumber
    const reply = await call('PUT', `${at(id)}?dryRun=true`, { body: edited })
    expect(reply.body).toEqual({
      wouldBe: 'replaced',
      findings: [],
      findingCount: 0,
      severities: { error: 0, warning: 0, gap: 0 },
      changes: { added: [], removed: ['/eventList/asnNumber'], replaced: [] },
    })
    expect((await call('PUT', `${at(id)}?dryRun=true`, { body: payload })).body.wouldBe).toBe('unchanged')
    expect((await call('GET', at(id))).body).toEqual({ id, ...payload })
    expect((await call('GET', `${at(id)}/versions`)).body.content).toHaveLength(1)
  })

  test('is judged against what is stored: unknown id, stale version, date time taken', async () => {
    const payload = eventPayload()
    const [id, other] = [await create(payload), await create()]
    expect((await call('PUT', `${at(randomUUID())}?dryRun=true`, { body: payload })).status).toBe(404)
    const headers = { 'if-match': '"4"' }
    expect((await call('PUT', `${at(id)}?dryRun=true`, { body: payload, headers })).status).toBe(412)
    const taken = await call('PUT', `${at(other)}?dryRun=true`, { body: payload })
    expect(taken.status).toBe(409)
    expect(taken.body.heldBy).toBe(id)
    expect((await call('POST', `${paths.receivingEvent}?dryRun=true`, { body: payload })).body.heldBy).toBe(id)
  })

  test('of a create makes no record and no location', async () => {
    const { call: own } = await service.provider()
    expect((await own('POST', `${paths.receivingEvent}?dryRun=true`, { body: eventPayload() })).status).toBe(200)
    expect((await own('GET', paths.receivingEvent)).body.content).toEqual([])
    expect((await own('GET', paths.location)).body.content).toEqual([])
  })
})

describe('create', () => {
  test('takes a list, all or nothing, and answers with ids in order', async () => {
    const { call: own } = await service.provider()
    const [one, two] = [eventPayload(), eventPayload()]
    const reply = await own('POST', paths.receivingEvent, {
      body: { ...one, eventList: [one.eventList, two.eventList] },
    })
    expect(reply.status, reply.text).toBe(201)
    const [first, second] = reply.body.request_ids
    expect((await own('GET', at(first))).body).toEqual({ id: first, ...one })
    expect((await own('GET', at(second))).body).toEqual({ id: second, ...one, eventList: two.eventList })

    const [fresh, broken] = [eventPayload(), eventPayload()]
    delete broken.eventList.purchaseOrderNumber
    const refused = await own('POST', paths.receivingEvent, {
      body: { ...fresh, eventList: [fresh.eventList, broken.eventList] },
    })
    expect(refused.body.findings[0].pointer).toBe('/eventList/1/purchaseOrderNumber')
    const taken = await own('POST', paths.receivingEvent, {
      body: { ...fresh, eventList: [fresh.eventList, two.eventList] },
    })
    expect(taken.status).toBe(409)
    expect(taken.body.heldBy).toBe(second)
    expect((await own('GET', paths.receivingEvent)).body.content).toHaveLength(2)
  })

  test('of several events that would be stored too large together is refused with what to do', async () => {
    const { call: own } = await service.provider()
    const one = eventPayload((payload) => {
      const [product] = payload.productMasterDataList
      payload.productMasterDataList = Array.from({ length: 3_000 }, (_, i) => ({ ...product, itemCode: `I-${i}` }))
    })
    const events = Array.from({ length: 100 }, () => eventPayload().eventList)
    const reply = await own('POST', paths.receivingEvent, { body: { ...one, eventList: events } })
    expect(reply.status).toBe(413)
    expect(reply.body.detail).toContain('Send fewer records at once')
  })

  test('products and locations come one at a time or as a list', async () => {
    const { call: own } = await service.provider()
    for (const [path, subject, make] of [
      [paths.masterProduct, 'productMasterDataList', productPayload],
      [paths.location, 'locationMasterList', locationPayload],
    ] as const) {
      const [one, two] = [make(), make()]
      const reply = await own('POST', path, { body: { ...one, [subject]: [one[subject], two[subject]] } })
      expect(reply.status, reply.text).toBe(201)
      expect(reply.body.request_ids).toHaveLength(2)
      expect((await own('GET', `${path}/${reply.body.request_ids[1]}`)).body[subject]).toEqual(two[subject])
    }
  })
})

describe('Idempotency-Key', () => {
  test('makes a retry return the first answer, also in another key order and with representation', async () => {
    const body = eventPayload((payload) => Object.assign(payload, { payloadId: randomUUID() }))
    const headers = { 'idempotency-key': randomUUID(), prefer: 'return=representation' }
    const first = await call('POST', paths.receivingEvent, { body, headers })
    const again = await call('POST', paths.receivingEvent, {
      body: Object.fromEntries(Object.entries(body).reverse()),
      headers,
    })
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.status).toBe(201)
    expect(again.body).toEqual(first.body)
  })

  test("is the provider's own: another provider may use the same", async () => {
    const headers = { 'idempotency-key': 'same-for-both' }
    const [one, two] = [await service.provider(), await service.provider()]
    const a = await one.call('POST', paths.masterProduct, { body: productPayload(), headers })
    const b = await two.call('POST', paths.masterProduct, { body: productPayload(), headers })
    expect([a.status, b.status]).toEqual([201, 201])
    expect(a.body).not.toEqual(b.body)
  })

  test('is not used up by a refused request', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    expect((await call('POST', paths.masterProduct, { body: {}, headers })).status).toBe(422)
    expect((await call('POST', paths.masterProduct, { body: productPayload(), headers })).status).toBe(201)
  })

  // Several rounds: a call that looks for the first answer just before it is committed, and writes
  // just after, is rare.
  test.each([1, 2, 3, 4, 5])('of 40 calls at once exactly one creates, and all get its answer (round %i)', async () => {
    const body = eventPayload()
    const headers = { 'idempotency-key': randomUUID() }
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => call('POST', paths.receivingEvent, { body, headers })),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(40).fill(201))
    expect(new Set(replies.map((reply) => reply.body.request_ids[0])).size).toBe(1)
    expect(replies.filter((reply) => reply.headers.get('idempotency-replayed') === null)).toHaveLength(1)
  })
})
