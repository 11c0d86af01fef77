// Location master data: what an event may leave out, what it sets up, and what never changes a
// stored event. Source: §2.3; decision 0010.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventPayload, locationPayload, type Payload, paths, productPayload } from '../../support/records/payloads.ts'
import { type Call, type Service, startService } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

/** Leaves only code and name of a location of the payload. */
const bare = (payload: Payload, n: number) => {
  const { locationCode, locationName } = payload.locationMasterList[n]
  payload.locationMasterList[n] = { locationCode, locationName }
}

const locationsOf = async (call: Call, code: string): Promise<Payload[]> =>
  (await call('GET', `${paths.location}?locationCode=${code}`)).body.content

describe('a location without gln, duns and address', () => {
  test('is refused until it is set up, and taken afterwards: by an event', async () => {
    const { call } = await service.provider()
    const refused = await call('POST', paths.receivingEvent, { body: eventPayload((payload) => bare(payload, 1)) })
    expect(refused.status).toBe(422)
    expect(refused.body.findings).toContainEqual(
      expect.objectContaining({ rule: 'location/identified', pointer: '/locationMasterList/1' }),
    )
    expect((await call('POST', paths.receivingEvent, { body: eventPayload() })).status).toBe(201)
    const taken = await call('POST', paths.receivingEvent, {
      body: eventPayload((payload) => bare(payload, 1)),
      headers: { prefer: 'return=representation' },
    })
    expect(taken.status, taken.text).toBe(201)
    expect(taken.body.findings).toEqual([])
  })

  test('is taken once the locations endpoint has it, for that vendor only', async () => {
    const { call } = await service.provider()
    const location = locationPayload((payload) => Object.assign(payload.locationMasterList, { locationCode: 'DC-07' }))
    expect((await call('POST', paths.location, { body: location })).status).toBe(201)
    expect(
      (await call('POST', paths.receivingEvent, { body: eventPayload((payload) => bare(payload, 1)) })).status,
    ).toBe(201)
    const otherVendor = eventPayload((payload) => {
      bare(payload, 1)
      payload.eventList.dataProviderVendorId = 'V-OTHER'
    })
    expect((await call('POST', paths.receivingEvent, { body: otherVendor })).status).toBe(422)
  })

  test('is not set up by an event that was refused, nor by a dry run', async () => {
    const { call } = await service.provider()
    await call('POST', `${paths.receivingEvent}?dryRun=true`, { body: eventPayload() })
    await call('POST', paths.receivingEvent, {
      body: eventPayload((payload) => delete payload.eventList.purchaseOrderNumber),
    })
    expect(await locationsOf(call, 'DC-07')).toEqual([])
  })
})

describe('an accepted event', () => {
  test('sets up its locations once, however often it is sent', async () => {
    const { call } = await service.provider()
    for (let i = 0; i < 3; i++) await call('POST', paths.receivingEvent, { body: eventPayload() })
    const [only, ...more] = await locationsOf(call, 'DC-07')
    expect(more).toEqual([])
    expect(only.locationMasterList).toEqual({
      ...eventPayload().locationMasterList[1],
      dataProviderVendorId: 'V-1001',
    })
    expect((await call('GET', `${paths.location}/${only.id}/versions`)).body.content).toHaveLength(1)
  })

  test('updates what it carries newly or differently, keeps what it does not carry, and keeps the version before', async () => {
    const { call } = await service.provider()
    await call('POST', paths.receivingEvent, { body: eventPayload() })
    const later = eventPayload((payload) => {
      bare(payload, 1)
      Object.assign(payload.locationMasterList[1], { phoneNumber: '+1.614.555.0199', region: 'Midwest', gln: '  ' })
    })
    // On a replacement as on a create.
    const id = (await call('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0]
    expect((await call('PUT', `${paths.receivingEvent}/${id}`, { body: later })).status).toBe(200)
    const [location] = await locationsOf(call, 'DC-07')
    expect(location.locationMasterList).toEqual({
      ...eventPayload().locationMasterList[1],
      dataProviderVendorId: 'V-1001',
      phoneNumber: '+1.614.555.0199',
      region: 'Midwest',
    })
    const versions = (await call('GET', `${paths.location}/${location.id}/versions`)).body.content
    expect(versions.map(({ version }: Payload) => version)).toEqual([2, 1])
    expect((await call('GET', `${paths.location}/${location.id}/versions/1`)).body.locationMasterList.phoneNumber).toBe(
      '+1.614.555.0170',
    )
  })

  test('with placeholders takes nothing away that is known', async () => {
    const { call } = await service.provider()
    expect((await call('POST', paths.receivingEvent, { body: eventPayload() })).status).toBe(201)
    const [before] = await locationsOf(call, 'DC-07')
    const body = eventPayload(({ locationMasterList: [, to] }) =>
      Object.assign(to, { phoneNumber: 'N/A', region: 'unknown', address: { ...to.address, city: 'TBD' } }),
    )
    const reply = await call('POST', paths.receivingEvent, { body })
    expect(reply.status, reply.text).toBe(201)
    expect(await locationsOf(call, 'DC-07')).toEqual([before])
  })

  test('adds to an address what it carries of it, and does not blank it', async () => {
    const { call } = await service.provider()
    await call('POST', paths.receivingEvent, { body: eventPayload() })
    const [before] = await locationsOf(call, 'DC-07')
    for (const address of [{}, { city: ' ' }, { streetAddress2: 'Dock 9' }])
      await call('POST', paths.receivingEvent, {
        body: eventPayload((payload) => Object.assign(payload.locationMasterList[1], { address })),
      })
    const [after] = await locationsOf(call, 'DC-07')
    expect(after.locationMasterList.address).toEqual({ ...before.locationMasterList.address, streetAddress2: 'Dock 9' })
    expect((await call('GET', `${paths.location}/${after.id}/versions`)).body.content).toHaveLength(2)
    const same = await call('PUT', `${paths.location}/${after.id}`, { body: after })
    expect(same.headers.get('etag')).toBe('"2"')
  })

  test('never changes when master data does', async () => {
    const { call } = await service.provider()
    const payload = eventPayload()
    const id = (await call('POST', paths.receivingEvent, { body: payload })).body.request_ids[0]
    const [location] = await locationsOf(call, 'DC-07')
    location.locationMasterList.locationName = 'Renamed'
    expect((await call('PUT', `${paths.location}/${location.id}`, { body: location })).status).toBe(200)
    expect((await call('GET', `${paths.receivingEvent}/${id}`)).body).toEqual({ id, ...payload })
  })

  test('of several with one new location sets it up once, also when they come at the same time', async () => {
    const { call } = await service.provider()
    const replies = await Promise.all(
      Array.from({ length: 16 }, () => call('POST', paths.receivingEvent, { body: eventPayload() })),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(16).fill(201))
    expect(await locationsOf(call, 'DC-07')).toHaveLength(1)
    expect(await locationsOf(call, 'GV-COOLER-1')).toHaveLength(1)
  })
})

describe('the locations endpoint', () => {
  test('replaces as a whole, unlike an event', async () => {
    const { call } = await service.provider()
    const payload = locationPayload()
    const id = (await call('POST', paths.location, { body: payload })).body.request_ids[0]
    delete payload.locationMasterList.address
    delete payload.locationMasterList.phoneNumber
    expect((await call('PUT', `${paths.location}/${id}`, { body: payload })).status).toBe(200)
    expect((await call('GET', `${paths.location}/${id}`)).body).toEqual({ id, ...payload })
    expect((await call('PUT', `${paths.location}/${id}`, { body: payload })).headers.get('etag')).toBe('"2"')
  })

  test('refuses a location that nothing identifies', async () => {
    const { call } = await service.provider()
    const payload = locationPayload(({ locationMasterList }) => {
      delete locationMasterList.gln
      delete locationMasterList.address
    })
    const reply = await call('POST', paths.location, { body: payload })
    expect(reply.body.findings).toContainEqual(
      expect.objectContaining({ rule: 'location/identified', pointer: '/locationMasterList' }),
    )
  })

  test('refuses two locations with one code of a vendor in one create', async () => {
    const { call } = await service.provider()
    const one = locationPayload()
    const body = { locationMasterList: [one.locationMasterList, { ...one.locationMasterList, region: 'x' }] }
    const reply = await call('POST', paths.location, { body })
    expect(reply.status).toBe(422)
    expect(reply.body.findings).toMatchObject([
      { rule: 'location/one-record-per-code', pointer: '/locationMasterList/1/locationCode' },
    ])
  })

  test('gives a code of a vendor to one record only', async () => {
    const { call } = await service.provider()
    const payload = locationPayload()
    const id = (await call('POST', paths.location, { body: payload })).body.request_ids[0]
    const taken = await call('POST', paths.location, { body: payload })
    expect(taken.status).toBe(409)
    expect(taken.body.heldBy).toBe(id)
  })
})

describe('facts from other records', () => {
  test('an item that is only a master product is known; one that is nowhere is a warning kept with the version', async () => {
    const { call } = await service.provider()
    const headers = { prefer: 'return=representation' }
    const body = () => eventPayload((payload) => payload.productMasterDataList.shift())
    const unknown = await call('POST', paths.receivingEvent, { body: body(), headers })
    expect(unknown.body.findings).toEqual([
      expect.objectContaining({
        rule: 'product-line/item-code-listed',
        pointer: '/eventList/productList/0/vendorItemCode',
      }),
      expect.objectContaining({ rule: 'product-line/product-description' }),
      expect.objectContaining({ pointer: '/eventList/productList/1/vendorItemCode' }),
      expect.objectContaining({ rule: 'product-line/product-description' }),
    ])
    const versions = await call('GET', `${paths.receivingEvent}/${unknown.body.request_ids[0]}/versions`)
    expect(versions.body.content[0].findingCount).toBe(4)
    await call('POST', paths.masterProduct, {
      body: productPayload((payload) => Object.assign(payload.productMasterDataList, { itemCode: 'ROM-24' })),
    })
    expect((await call('POST', paths.receivingEvent, { body: body(), headers })).body.findings).toEqual([])
  })

  test('a payload id used before is a warning; the retry of the stored payload is not', async () => {
    const { call } = await service.provider()
    const headers = { prefer: 'return=representation' }
    const payload = eventPayload((edited) => Object.assign(edited, { payloadId: 'P-1' }))
    const id = (await call('POST', paths.receivingEvent, { body: payload, headers })).body.request_ids[0]
    expect((await call('PUT', `${paths.receivingEvent}/${id}`, { body: payload, headers })).body.findings).toEqual([])
    const edited = { ...payload, transmissionDateTime: '2026-03-09T00:00:00Z' }
    expect((await call('PUT', `${paths.receivingEvent}/${id}`, { body: edited, headers })).body.findings).toHaveLength(
      1,
    )
    const location = locationPayload((payload_) => Object.assign(payload_, { payloadId: 'LP-1' }))
    const locationId = (await call('POST', paths.location, { body: location })).body.request_ids[0]
    const retry = await call('PUT', `${paths.location}/${locationId}`, { body: location, headers })
    expect(retry.body.findings).toEqual([])
    const again = await call('POST', paths.receivingEvent, { body: { ...eventPayload(), payloadId: 'P-1' }, headers })
    expect(again.body.findings).toMatchObject([{ rule: 'payload/payload-id-unique', pointer: '/payloadId' }])
  })

  test('a second master product with one item code is stored with a warning that names the first', async () => {
    const { call } = await service.provider()
    const headers = { prefer: 'return=representation' }
    const payload = productPayload()
    const first = (await call('POST', paths.masterProduct, { body: payload, headers })).body
    expect(first.findings).toEqual([])
    const second = (await call('POST', paths.masterProduct, { body: payload, headers })).body
    expect(second.findings[0]).toMatchObject({ rule: 'product/one-record-per-item-code' })
    expect(second.findings[0].message).toContain(first.request_ids[0])
    const replaced = await call('PUT', `${paths.masterProduct}/${first.request_ids[0]}`, { body: payload, headers })
    expect(replaced.body.findings[0].message).toContain(second.request_ids[0])
  })

  test('the configured date decides from when a lot number is required', async () => {
    const later = await startService({ lotNumberRequiredFrom: '2028-07-20' })
    try {
      const { call } = await later.provider()
      const body = eventPayload((payload) => delete payload.eventList.productList[2].caseLotNumber)
      const reply = await call('POST', paths.receivingEvent, { body, headers: { prefer: 'return=representation' } })
      expect(reply.status).toBe(201)
      expect(reply.body.findings).toMatchObject([
        {
          rule: 'product-line/lot-code',
          severity: 'gap',
          cites: '21 CFR 1.1345(a)(1)',
          pointer: '/eventList/productList/2/caseLotNumber',
        },
      ])
    } finally {
      await later.close()
    }
  })
})
