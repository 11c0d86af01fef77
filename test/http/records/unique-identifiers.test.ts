// Identifiers that the contract calls unique: a second record with one has a warning, by whatever
// way the first was stored.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventPayload, locationPayload, type Payload, paths, productPayload } from '../../support/records/payloads.ts'
import { type Call, type Service, startService } from '../../support/servers/service.ts'

let service: Service
const asked: string[] = []
beforeAll(async () => {
  service = await startService({}, (name) => asked.push(name))
})
afterAll(() => service?.close())

const event = (fields: object) => eventPayload(({ eventList }) => Object.assign(eventList, fields))
const product = (fields: object) => productPayload(({ productMasterDataList: one }) => Object.assign(one, fields))
const place = (fields: object) => locationPayload(({ locationMasterList: one }) => Object.assign(one, fields))

const kinds = {
  receivingEvent: { make: event, field: 'eventId', rule: 'receiving-event/event-id-unique', other: {} },
  masterProduct: {
    make: product,
    field: 'alternateItemCode',
    rule: 'product/alternate-item-code-unique',
    other: { gtin: '10614141000521' },
  },
  location: {
    make: place,
    field: 'alternateLocationCode',
    rule: 'location/alternate-location-code-unique',
    other: { gln: '0614141999996' },
  },
} as const

const stored = async (call: Call, method: string, path: string, body: Payload) => {
  const reply = await call(method, path, { body, headers: { prefer: 'return=representation' } })
  expect(reply.status, reply.text).toBeLessThan(300)
  const findings = reply.body.findings as readonly { rule: string; message: string }[]
  return { id: reply.body.request_ids[0] as string, findings }
}

describe.each(Object.keys(kinds) as (keyof typeof kinds)[])('of a %s', (name) => {
  const { make, field, rule, other } = kinds[name]
  const path = paths[name]
  const messages = (findings: readonly { rule: string; message: string }[]) =>
    findings.filter((one) => one.rule === rule).map(({ message }) => message)

  test('the second record with one has a warning that names the first; the first keeps it without one', async () => {
    const { call } = await service.provider()
    const first = await stored(call, 'POST', path, make({ [field]: 'urn:x:1' }))
    expect(messages(first.findings)).toEqual([])
    const second = await stored(call, 'POST', path, make({ ...other, [field]: 'urn:x:1' }))
    expect(messages(second.findings)).toEqual([`${field} "urn:x:1" is that of record ${first.id}.`])
    // A replacement is not compared with its own record, and once the other has left the identifier
    // it is free.
    await stored(call, 'PUT', `${path}/${first.id}`, make({ [field]: 'urn:x:2' }))
    const replaced = await stored(
      call,
      'PUT',
      `${path}/${second.id}`,
      make({ ...other, [field]: 'urn:x:1', businessUnit: 'B' }),
    )
    expect(messages(replaced.findings)).toEqual([])
  })

  test('it is not that of another provider', async () => {
    const [one, two] = [await service.provider(), await service.provider()]
    await stored(one.call, 'POST', path, make({ [field]: 'urn:x:1' }))
    expect(messages((await stored(two.call, 'POST', path, make({ [field]: 'urn:x:1' }))).findings)).toEqual([])
  })
})

test('a location that an event set up holds its alternate code, and the same place of another vendor may have it', async () => {
  const { call } = await service.provider()
  await stored(
    call,
    'POST',
    paths.receivingEvent,
    eventPayload(({ locationMasterList }) =>
      Object.assign(locationMasterList[1], { alternateLocationCode: 'urn:x:7' }),
    ),
  )
  const same = place({
    locationCode: 'DC-07',
    dataProviderVendorId: 'V-2',
    gln: '0614141999996',
    alternateLocationCode: 'urn:x:7',
  })
  expect(JSON.stringify((await stored(call, 'POST', paths.location, same)).findings)).not.toContain('unique')
  const another = place({ gln: '0614141999996', alternateLocationCode: 'urn:x:7' })
  expect(JSON.stringify((await stored(call, 'POST', paths.location, another)).findings)).toContain(
    'location/alternate-location-code-unique',
  )
})

test('a payload without such an identifier does not ask for them', async () => {
  const { call } = await service.provider()
  asked.length = 0
  await stored(call, 'POST', paths.receivingEvent, event({}))
  expect(asked).not.toContain('identifierHolders')
  await stored(call, 'POST', paths.receivingEvent, event({ eventId: 'EV-9' }))
  expect(asked).toContain('identifierHolders')
})
