// Full replacement, the promise the service exists for. Source: §1, replacement rules 1 to 4.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventPayload, nextDateTime, type Payload, paths } from '../../support/records/payloads.ts'
import { runs } from '../../support/runs.ts'
import { type Call, type Service, startService } from '../../support/servers/service.ts'

let service: Service
let call: Call
beforeAll(async () => {
  service = await startService()
  call = (await service.provider()).call
})
afterAll(() => service?.close())

const create = async (body: Payload): Promise<string> => {
  const reply = await call('POST', paths.receivingEvent, { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}
const at = (id: string) => `${paths.receivingEvent}/${id}`

const optionalEventFields = [
  'eventId',
  'dataProviderVendorName',
  'businessUnit',
  'billOfLadingNumber',
  'asnNumber',
  'equipmentNumber',
  'appointmentNumber',
  'methodOfPayment',
] as const

/**
 * Text as people and machines send it: any script, emoji, quotes, backslashes; 1 to 100 characters,
 * not blank.
 */
const anyText = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((text) => text.trim() !== '' && !text.includes('\u0000') && text.isWellFormed())

/** Numbers that a double keeps, in several spellings. */
const anyNumber = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => Number(n.toPrecision(12))),
)

const anyEvent = fc
  .record({
    fields: fc.record(Object.fromEntries(optionalEventFields.map((field) => [field, anyText])), { requiredKeys: [] }),
    lading: fc.option(anyNumber, { nil: undefined }),
    quantities: fc.array(anyNumber, { minLength: 1, maxLength: 4 }),
    products: fc.boolean(),
  })
  .map(({ fields, lading, quantities, products }) =>
    eventPayload((payload) => {
      const [line] = payload.eventList.productList
      Object.assign(payload.eventList, fields)
      if (lading !== undefined) payload.eventList.shipmentLadingQuantity = lading
      payload.eventList.productList = quantities.map((shipQuantity) => ({ ...line, shipQuantity }))
      if (!products) payload.productMasterDataList = []
    }),
  )

/** The same content with the keys of every object in reverse order. */
const reordered = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(reordered)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, part]) => [key, reordered(part)]),
        )
      : value

describe('full replacement', () => {
  test('what was PUT is what is read, and the version before is what was read before it', async () => {
    const id = await create(eventPayload())
    let before = (await call('GET', at(id))).body
    let version = 1
    await fc.assert(
      fc.asyncProperty(anyEvent, async (payload) => {
        const put = await call('PUT', at(id), { body: payload })
        expect(put.status, put.text).toBe(200)
        expect(put.body).toEqual({ request_ids: [id] })
        version++
        expect(put.headers.get('etag')).toBe(`"${version}"`)
        const after = await call('GET', at(id))
        expect(after.body).toEqual({ id, ...payload })
        expect((await call('GET', `${at(id)}/versions/${version - 1}`)).body).toEqual(before)
        before = after.body
      }),
      { numRuns: runs(60) },
    )
  })

  test('the same content in another key order, or with other white space, makes no version', async () => {
    await fc.assert(
      fc.asyncProperty(anyEvent, async (payload) => {
        const id = await create(payload)
        const again = await call('PUT', at(id), { body: JSON.stringify(reordered(payload), undefined, 3) })
        expect(again.status, again.text).toBe(200)
        expect(again.headers.get('etag')).toBe('"1"')
        expect((await call('GET', `${at(id)}/versions`)).body.content).toHaveLength(1)
      }),
      { numRuns: 25 },
    )
  })

  test('a field left out is gone from the record and still in the version before', async () => {
    const id = await create(
      eventPayload((payload) => Object.assign(payload.eventList, { eventId: 'E-1', asnNumber: 'A-1' })),
    )
    const payload = eventPayload((edited) => {
      delete edited.eventList.asnNumber
    })
    await call('PUT', at(id), { body: payload })
    const now = (await call('GET', at(id))).body
    expect(now.eventList).not.toHaveProperty('eventId')
    expect(now.eventList).not.toHaveProperty('asnNumber')
    expect((await call('GET', `${at(id)}/versions/1`)).body.eventList).toMatchObject({
      eventId: 'E-1',
      asnNumber: 'A-1',
    })
  })

  test('a refused PUT changes nothing', async () => {
    const payload = eventPayload()
    const id = await create(payload)
    const refused = await call('PUT', at(id), { body: { ...payload, locationMasterList: [] } })
    expect(refused.status).toBe(422)
    expect((await call('GET', at(id))).body).toEqual({ id, ...payload })
    expect((await call('GET', `${at(id)}/versions`)).body.content).toHaveLength(1)
  })

  test('what GET returned can be edited and PUT back, and PUT back again', async () => {
    const id = await create(eventPayload())
    const read = (await call('GET', at(id))).body
    read.eventList.productList[0].caseLotNumber = 'CORRECTED-1'
    const put = await call('PUT', at(id), { body: read })
    expect(put.status, put.text).toBe(200)
    const again = await call('GET', at(id))
    expect(again.body).toEqual(read)
    expect((await call('PUT', at(id), { body: again.body })).headers.get('etag')).toBe('"2"')
  })

  test('an old version can be PUT back and becomes the record again', async () => {
    const id = await create(eventPayload())
    const first = (await call('GET', at(id))).body
    await call('PUT', at(id), { body: eventPayload() })
    expect((await call('PUT', at(id), { body: (await call('GET', `${at(id)}/versions/1`)).body })).status).toBe(200)
    expect((await call('GET', at(id))).body).toEqual(first)
    expect((await call('GET', `${at(id)}/versions`)).body.content.map(({ version }: Payload) => version)).toEqual([
      3, 2, 1,
    ])
  })

  test('numbers keep the spelling they were sent with', async () => {
    const text = JSON.stringify(eventPayload()).replace('"shipQuantity":56', '"shipQuantity":56.10e1')
    const id = await create(text)
    expect((await call('GET', at(id))).text).toContain('"shipQuantity":56.10e1')
  })

  test('a number no double can hold is refused by name, and stored nowhere', async () => {
    const text = JSON.stringify(eventPayload()).replace('"shipQuantity":56', '"shipQuantity":0.12345678901234567891')
    const reply = await call('POST', paths.receivingEvent, { body: text })
    expect(reply.status).toBe(422)
    expect(reply.body.findings[0]).toMatchObject({
      rule: 'shape/number',
      pointer: '/eventList/productList/0/shipQuantity',
    })
  })

  test('the body of another record is refused, not stored over this one', async () => {
    const [one, other] = [await create(eventPayload()), await create(eventPayload())]
    const reply = await call('PUT', at(one), { body: (await call('GET', at(other))).body })
    expect(reply.status).toBe(422)
    expect(reply.body.findings).toContainEqual(expect.objectContaining({ rule: 'shape/record-id', pointer: '/id' }))
  })

  test('the history says when, by which key and by which payload', async () => {
    const id = await create(eventPayload((payload) => Object.assign(payload, { payloadId: `P-${nextDateTime()}` })))
    await call('PUT', at(id), { body: eventPayload() })
    const { content, nextCursor } = (await call('GET', `${at(id)}/versions`)).body
    expect(nextCursor).toBeNull()
    expect(content).toHaveLength(2)
    expect(content[0]).toMatchObject({ version: 2, payloadId: null })
    expect(content[1]).toMatchObject({
      version: 1,
      payloadId: expect.stringMatching(/^P-/),
      keyId: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
    expect(Date.parse(content[0].submittedDateTime)).toBeGreaterThanOrEqual(Date.parse(content[1].submittedDateTime))
  })

  test('the history is read page by page without gap', async () => {
    const id = await create(eventPayload())
    for (let i = 0; i < 4; i++) await call('PUT', at(id), { body: eventPayload() })
    const seen: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Payload = (await call('GET', `${at(id)}/versions?limit=2${cursor && `&cursor=${cursor}`}`)).body
      seen.push(...page.content.map(({ version }: Payload) => version))
      cursor = page.nextCursor
    }
    expect(seen).toEqual([5, 4, 3, 2, 1])
  })
})
