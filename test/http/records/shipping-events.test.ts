// A shipping event is a record like any other: stored, replaced, voided, listed, archived and purged.
// It is no receiving event: nothing that counts what was received knows it. Source: decision 0080.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { yearsBefore } from '../../../src/contract/shape/date-and-time.ts'
import { purgeAllDue } from '../../../src/store/keeping/purge.ts'
import { storeAged } from '../../support/databases/aged-records.ts'
import { exported, importArchive } from '../../support/files/archives.ts'
import { eventPayload, type Payload, paths, shippingPayload } from '../../support/records/payloads.ts'
import { calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const at = (id: string) => `${paths.shippingEvent}/${id}`

async function create(provider: TestProvider, body: Payload, path: string = paths.shippingEvent): Promise<string> {
  const reply = await provider.call('POST', path, { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}

const listed = async ({ call }: TestProvider, query = '', path: string = paths.shippingEvent): Promise<string[]> => {
  const reply = await call('GET', `${path}?${query}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.content.map(({ id }: Payload) => id)
}

describe('a shipping event', () => {
  test('is found by each of its values, sorted, counted and saved as a file', async () => {
    const provider = await service.provider()
    const first = await create(
      provider,
      shippingPayload(({ eventList }) => {
        delete eventList.purchaseOrderNumber
        eventList.asnNumber = 'ASN-1'
        eventList.productList = [{ ...eventList.productList[0], caseLotNumber: 'S-1' }]
      }),
    )
    const second = await create(
      provider,
      shippingPayload(({ eventList, locationMasterList }) => {
        eventList.shipToLocationCode = 'DC-08'
        locationMasterList[1] = { ...locationMasterList[1], locationCode: 'DC-08', gln: '0614141000036' }
        eventList.productList = [{ ...eventList.productList[2], caseLotNumber: 'S-2' }]
      }),
    )
    for (const [query, found] of [
      ['', [second, first]],
      ['sort=eventDateTime&direction=ascending', [first, second]],
      ['asnNumber=ASN-1', [first]],
      ['purchaseOrderNumber=PO-88120', [second]],
      ['lotCode=s-1', []],
      ['lotCode=S-1', [first]],
      ['lotCode=S-1&lotCode=S-2', [second, first]],
      ['itemCode=CIL-30', [second]],
      ['ftlCategory=herbs&shipFromLocationCode=GV-COOLER-1', [second, first]],
      ['shipToLocationCode=DC-08', [second]],
      ['dataProviderVendorId=V-2', []],
      ['eventStartDateTime=2026-01-01T00:00:00Z&eventEndDateTime=2027-01-01T00:00:00Z', [second, first]],
      ['hasWarnings=true', []],
    ] as const)
      expect(await listed(provider, query), query).toEqual(found)
    const { body } = await provider.call('GET', '/lists/shipping-events/values?of=shipToLocationCode')
    expect(body.content.map(({ value }: Payload) => value)).toEqual(['DC-07', 'DC-08'])
    const file = await provider.call('GET', '/lists/shipping-events/file?format=csv&columns=shipped&columns=to')
    expect(file.text).toContain('Shipped,To')
    expect(await listed(provider, '', paths.receivingEvent)).toEqual([])
  })

  test('is received once a receiving event has its vendor, place and documents, and is not older', async () => {
    const provider = await service.provider()
    const shipped = (purchaseOrderNumber: string | undefined, asnNumber: string | undefined, day: number) =>
      create(
        provider,
        shippingPayload(({ eventList }) =>
          Object.assign(eventList, { purchaseOrderNumber, asnNumber, eventDateTime: `2026-05-0${day}T08:00:00Z` }),
        ),
      )
    const received = (purchaseOrderNumber: string, asnNumber: string | undefined, day: number, code = 'DC-07') =>
      create(
        provider,
        eventPayload(({ eventList, locationMasterList }) => {
          Object.assign(eventList, { purchaseOrderNumber, asnNumber, shipToLocationCode: code })
          eventList.eventDateTime = `2026-05-0${day}T20:00:00Z`
          locationMasterList[1] = { ...locationMasterList[1], locationCode: code, gln: undefined }
        }),
        paths.receivingEvent,
      )
    const [first, second, noOrder, later, alone] = [
      await shipped('PO-1', 'ASN-1', 2),
      await shipped('PO-2', 'ASN-1', 2),
      await shipped(undefined, 'ASN-3', 2),
      await shipped('PO-4', undefined, 5),
      await shipped('PO-5', undefined, 2),
    ]
    await received('PO-1', 'ASN-1', 3)
    await received('PO-2', 'ASN-9', 4)
    await received('PO-3', 'ASN-3', 5)
    await received('PO-4', undefined, 2)
    await received('PO-5', undefined, 6, 'DC-09')
    expect(await listed(provider, 'isReceived=true')).toEqual([noOrder, first])
    expect(await listed(provider, 'isReceived=false')).toEqual([alone, later, second])
    expect(await listed(provider, 'isReceived=false&shipToLocationCode=DC-07&sort=eventDateTime')).toHaveLength(3)
    await received('PO-2', undefined, 7)
    await received('PO-4', 'ASN-4', 8)
    const [receipt] = await listed(provider, 'purchaseOrderNumber=PO-1', paths.receivingEvent)
    await provider.call('POST', `${paths.receivingEvent}/${receipt}/void`, { body: { reason: 'not here' } })
    expect(await listed(provider, 'isReceived=false')).toEqual([alone, first])
  })

  test('is one per vendor, places, moment and documents; another order may leave at the same moment', async () => {
    const provider = await service.provider()
    const body = shippingPayload()
    const id = await create(provider, body)
    const again = await provider.call('POST', paths.shippingEvent, { body })
    expect([again.status, again.body.type, again.body.heldBy]).toEqual([409, '/docs/problems/taken', id])
    const other = structuredClone(body)
    other.eventList.purchaseOrderNumber = 'PO-2'
    const otherId = await create(provider, other)
    expect((await provider.call('PUT', at(otherId), { body })).status).toBe(409)
    // A receiving event may have the same moment.
    await create(provider, body, paths.receivingEvent)
  })

  test('is replaced, voided and brought back, and keeps its versions; other kinds do not know its id', async () => {
    const provider = await service.provider()
    const body = shippingPayload(({ eventList }) => {
      eventList.productList = [{ ...eventList.productList[0], caseLotNumber: 'S-3' }]
    })
    const id = await create(provider, body)
    body.eventList.productList[0].caseLotNumber = 'S-4'
    expect((await provider.call('PUT', at(id), { body })).headers.get('etag')).toBe('"2"')
    expect([await listed(provider, 'lotCode=S-3'), await listed(provider, 'lotCode=S-4')]).toEqual([[], [id]])
    const voided = await provider.call('POST', `${at(id)}/void`, { body: { reason: 'never left' } })
    expect(voided.status, voided.text).toBe(200)
    expect(await listed(provider)).toEqual([])
    expect(await listed(provider, 'voided=only&lotCode=S-4&itemCode=ROM-24')).toEqual([id])
    expect((await provider.call('PUT', at(id), { body })).status).toBe(200)
    expect([await listed(provider, 'voided=only'), await listed(provider)]).toEqual([[], [id]])
    const { content } = (await provider.call('GET', `${at(id)}/versions`)).body
    expect(content.map(({ voidReason }: Payload) => voidReason)).toEqual([null, 'never left', null, null])
    expect((await provider.call('GET', `${paths.receivingEvent}/${id}`)).status).toBe(404)
    const types = (await provider.call('GET', '/changes?kind=shippingEvent&wait=1')).body.content
    expect(types.map(({ type }: Payload) => type)).toEqual([
      'shippingEvent.created',
      'shippingEvent.replaced',
      'shippingEvent.voided',
      'shippingEvent.replaced',
    ])
    const byLot = await provider.call('GET', '/changes?lotCode=S-4')
    expect(byLot.body.content.map(({ id }: Payload) => id)).toContain(id)
  })

  test('sets up its locations, and counts in nothing that is about what was received', async () => {
    const provider = await service.provider()
    await create(
      provider,
      shippingPayload(({ productMasterDataList }) => {
        for (const product of productMasterDataList) delete product.packSize
      }),
    )
    const places = await listed(provider, 'locationCode=DC-07', paths.location)
    expect(places).toHaveLength(1)
    const period = 'kind=receivingEvent&eventStartDate=2026-01-01&eventEndDate=2026-12-31'
    const { total } = (await provider.call('GET', `/traceability/completeness?${period}`)).body
    expect(total).toMatchObject({ events: 0, lines: 0 })
    expect((await provider.call('GET', `/traceability/gaps?${period}`)).body.content).toEqual([])
    expect((await provider.call('GET', '/traceability/fda-spreadsheet?format=csv')).text.split('\r\n')).toHaveLength(2)
    expect((await provider.call('GET', '/voids')).body.content).toEqual([])
  })

  test('has its gaps with its findings, by the paragraphs of what is shipped, and master data closes them', async () => {
    const provider = await service.provider()
    const id = await create(
      provider,
      shippingPayload(({ eventList, productMasterDataList, locationMasterList }) => {
        productMasterDataList.length = 0
        delete locationMasterList[0].phoneNumber
        for (const field of ['purchaseOrderNumber', 'asnNumber', 'billOfLadingNumber']) delete eventList[field]
        eventList.productList.length = 1
      }),
    )
    const gaps = async () =>
      (await provider.call('GET', `${at(id)}/findings?judged=now&severity=gap`)).body.findings.map(
        ({ rule, cites }: Payload) => [rule, cites],
      )
    const documents = ['shipping-event/reference-document', '21 CFR 1.1340(a)(8)']
    expect(await gaps()).toEqual([
      ['shipping-event/ship-from-description', '21 CFR 1.1340(a)(5)'],
      documents,
      ['product-line/product-description', '21 CFR 1.1340(a)(3)'],
    ])
    const [place] = await listed(provider, 'locationCode=GV-COOLER-1', paths.location)
    const { body } = await provider.call('GET', `${paths.location}/${place}`)
    body.locationMasterList.phoneNumber = '+1.831.555.0100'
    expect((await provider.call('PUT', `${paths.location}/${place}`, { body })).status).toBe(200)
    expect(await gaps()).toEqual([documents, ['product-line/product-description', '21 CFR 1.1340(a)(3)']])
  })

  test('is in the trace of its lot: both ends of what arrived, and one of what did not', async () => {
    const provider = await service.provider()
    const ofLot = (shipQuantity: number) => (payload: Payload) => {
      const [line] = payload.eventList.productList
      payload.eventList.productList = [{ ...line, caseLotNumber: 'TR-1', shipQuantity }]
    }
    const trace = async (query = '') => provider.call('GET', `/traceability/lots/TR-1${query}`)
    expect((await trace()).status).toBe(404)
    const arrived = await create(provider, shippingPayload(ofLot(56)))
    const before = (await trace()).body
    expect(before.shippedLinks).toMatchObject([{ arrival: 'notReceived', events: [arrived] }])
    expect(before.notes.map(({ kind }: Payload) => kind)).toEqual(['notReceived'])
    const received = await create(provider, eventPayload(ofLot(56)), paths.receivingEvent)
    const onItsWay = await create(
      provider,
      shippingPayload((payload) => {
        ofLot(9)(payload)
        payload.eventList.shipToLocationCode = 'DC-09'
        payload.locationMasterList[1] = {
          ...payload.locationMasterList[1],
          locationCode: 'DC-09',
          locationName: 'Distribution Center 9',
          gln: '0614141000043',
        }
      }),
    )
    const { body } = await trace()
    expect(body.links).toMatchObject([{ events: [received] }])
    expect(body.shippedLinks).toMatchObject([
      { arrival: 'received', events: [arrived], received: [{ quantity: 56, unit: 'case' }], missing: [] },
      { arrival: 'notReceived', events: [onItsWay], quantities: [{ quantity: 9, unit: 'case' }] },
    ])
    const csv = (await trace('?format=csv')).text.trimEnd().split('\r\n')
    expect(csv.filter((row) => row.includes('shippingEvent'))).toHaveLength(2)
    expect((await trace('?format=svg')).text).toContain('no receipt recorded')
    await provider.call('POST', `${at(onItsWay)}/void`, { body: { reason: 'never left' } })
    expect((await trace()).body.shippedLinks).toHaveLength(1)
    expect((await trace('?eventStartDate=2030-01-01')).status).toBe(404)
  })

  test('warns of an event id that another shipping event has; a receiving event may have the same', async () => {
    const provider = await service.provider()
    const withId = (payload: Payload) => {
      payload.eventList.eventId = 'E-1'
    }
    const id = await create(provider, shippingPayload(withId))
    const received = await provider.call('POST', `${paths.receivingEvent}?dryRun=true`, { body: eventPayload(withId) })
    expect(received.body.findings).toEqual([])
    const again = await provider.call('POST', `${paths.shippingEvent}?dryRun=true`, { body: shippingPayload(withId) })
    expect(again.body.findings).toMatchObject([{ rule: 'shipping-event/event-id-unique' }])
    expect(again.body.findings[0].message).toContain(id)
  })

  test('comes out of an archive and goes in again, voided ones as well', async () => {
    const [from, to] = [await service.provider(), await service.provider()]
    const kept = await create(from, shippingPayload())
    const voided = await create(from, shippingPayload())
    await from.call('POST', `${at(voided)}/void`, { body: { reason: 'never left' } })
    await importArchive(service, to, await exported(from))
    expect(await listed(to)).toEqual([kept])
    expect(await listed(to, 'voided=only')).toEqual([voided])
    expect((await to.call('GET', at(kept))).text).toBe((await from.call('GET', at(kept))).text)
  })

  test('is purged after the retention time with all that found it, unless a hold on its lot keeps it', async () => {
    const { pool } = service.database
    const provider = await service.provider()
    const edit = (lotCode: string) => (payload: Payload) => {
      payload.eventList.eventDateTime = '2020-01-01T08:00:00Z'
      payload.eventList.purchaseOrderNumber = randomUUID()
      payload.eventList.productList = [{ ...payload.eventList.productList[0], caseLotNumber: lotCode }]
    }
    const submittedAt = new Date(Date.UTC(2020, 0, 2))
    const aged = (lotCode: string) => ({
      kind: 'shippingEvent' as const,
      versions: [{ submittedAt, edit: edit(lotCode) }],
    })
    const [gone = '', held = ''] = await storeAged(pool, provider.id, [aged('OLD-1'), aged('OLD-2')])
    const administrator = calling(service.url, await provider.key('administrator'))
    const hold = await administrator('POST', '/legal-holds', { body: { reason: 'a test', lotCode: 'OLD-2' } })
    expect(hold.status, hold.text).toBe(201)
    const now = new Date()
    for await (const _ of purgeAllDue(pool, provider.id, { before: yearsBefore(now, 2), now, retentionYears: 2 }));
    expect(await listed(provider)).toEqual([held])
    expect((await provider.call('GET', at(gone))).status).toBe(410)
    const { rows } = await pool.query(
      `SELECT DISTINCT id FROM event_code WHERE provider_id = $1 AND kind = 'shippingEvent'`,
      [provider.id],
    )
    expect(rows).toEqual([{ id: held }])
  })
})
