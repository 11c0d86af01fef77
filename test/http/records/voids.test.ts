// A void takes a receiving event out of everything that counts, and keeps it: readable, provable,
// and there to be brought back. Source: decision 0066.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { yearsBefore } from '../../../src/contract/shape/date-and-time.ts'
import { purgeAllDue } from '../../../src/store/keeping/purge.ts'
import { storeAged } from '../../support/databases/aged-records.ts'
import { exported, faultsIn, importArchive, linesOf } from '../../support/files/archives.ts'
import { eventPayload, type Payload, paths, productPayload } from '../../support/records/payloads.ts'
import { calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const reason = 'Entered twice: "see" the other\nrecord'
const at = (id: string) => `${paths.receivingEvent}/${id}`

async function create(provider: TestProvider, body: Payload): Promise<string> {
  const reply = await provider.call('POST', paths.receivingEvent, { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}

/** Voids the record; the version of the void. */
async function voided(provider: TestProvider, id: string, why = reason): Promise<number> {
  const reply = await provider.call('POST', `${at(id)}/void`, { body: { reason: why } })
  expect([reply.status, reply.body], reply.text).toEqual([200, { request_ids: [id] }])
  return Number(reply.headers.get('etag')?.replaceAll('"', ''))
}

const ofLot = (caseLotNumber: string, edit: (event: Payload) => void = () => undefined) =>
  eventPayload(({ eventList }) => {
    eventList.productList = [{ ...eventList.productList[0], caseLotNumber }]
    edit(eventList)
  })

const listed = async ({ call }: TestProvider, query = ''): Promise<string[]> =>
  (await call('GET', `${paths.receivingEvent}?${query}`)).body.content.map(({ id }: Payload) => id)

const versions = async ({ call }: TestProvider, id: string): Promise<Payload[]> =>
  (await call('GET', `${at(id)}/versions`)).body.content

/** What is counted, exported and traced of a provider. */
async function answers({ call }: TestProvider, lotCode: string) {
  const period = 'eventStartDate=2026-01-01&eventEndDate=2026-12-31'
  const [trace, days, completeness, gaps, lines, csv, epcis] = await Promise.all([
    call('GET', `/traceability/lots/${lotCode}`),
    call('GET', `/traceability/event-days?${period}`),
    call('GET', `/traceability/completeness?${period}&by=vendorItemCode`),
    call('GET', `/traceability/gaps?${period}`),
    call('GET', '/traceability/fda-lines'),
    call('GET', '/traceability/fda-spreadsheet?format=csv'),
    call('GET', '/traceability/epcis'),
  ])
  return {
    traced: trace.status,
    days: days.body,
    completeness: completeness.body,
    gaps: gaps.body.content,
    lines: lines.body,
    rows: csv.text.trimEnd().split('\r\n').length - 1,
    epcis: epcis.body.epcisBody?.queryResults.resultsBody.eventList,
  }
}

describe('a voided event', () => {
  test('is read as it was, with a mark, and its history says why, when and by whom', async () => {
    const provider = await service.provider()
    const body = ofLot('V-1')
    const id = await create(provider, body)
    expect((await provider.call('GET', at(id))).headers.get('record-voided')).toBeNull()
    expect(await voided(provider, id)).toBe(2)

    for (const path of [at(id), `${at(id)}/versions/2`]) {
      const read = await provider.call('GET', path)
      expect([read.body, read.headers.get('record-voided')]).toEqual([{ id, ...body }, 'true'])
    }
    expect((await provider.call('GET', `${at(id)}/versions/1`)).headers.get('record-voided')).toBeNull()
    const [latest, first] = await versions(provider, id)
    expect(latest).toMatchObject({ version: 2, voidReason: reason, contentHash: first.contentHash, payloadId: null })
    expect(first).toMatchObject({ version: 1, voidReason: null, keyId: latest.keyId })
    const voids = (await provider.call('GET', '/voids')).body.content
    expect(voids).toEqual([
      {
        kind: 'receivingEvent',
        id,
        version: 2,
        reason,
        keyId: latest.keyId,
        keyName: latest.keyName,
        voidedDateTime: expect.stringContaining(latest.submittedDateTime.slice(0, 23)),
        eventDate: body.eventList.eventDateTime.slice(0, 10),
        purchaseOrderNumber: body.eventList.purchaseOrderNumber,
        dataProviderVendorId: body.eventList.dataProviderVendorId,
        shipFromLocationCode: body.eventList.shipFromLocationCode,
        shipToLocationCode: body.eventList.shipToLocationCode,
      },
    ])
    // Nothing changes when it is voided again, and the first reason stays.
    expect(await voided(provider, id, 'another')).toBe(2)
    expect((await versions(provider, id)).map(({ voidReason }) => voidReason)).toEqual([reason, null])
  })

  test('is in no list, count, trace or export, and all of them are as before it was there', async () => {
    const provider = await service.provider()
    const kept = await create(provider, ofLot('V-KEPT'))
    const before = await answers(provider, 'V-2')
    const id = await create(provider, ofLot('V-2'))
    const incomplete = ofLot('V-2', (event) => (event.purchaseOrderNumber = 'PO-V2'))
    delete incomplete.productMasterDataList[0].packSize
    expect((await provider.call('PUT', at(id), { body: incomplete })).status).toBe(200)
    expect(await answers(provider, 'V-2')).not.toEqual(before)
    await voided(provider, id)

    expect(await answers(provider, 'V-2')).toEqual(before)
    const filters = ['', 'lotCode=V-2', 'purchaseOrderNumber=PO-V2', 'itemCode=ROM-24', 'shipToLocationCode=DC-07']
    for (const filter of filters) expect(await listed(provider, filter), filter).not.toContain(id)
    expect(await listed(provider)).toEqual([kept])
    // Asked for, it is found by the same filters.
    for (const filter of filters) expect(await listed(provider, `voided=only&${filter}`), filter).toEqual([id])
    expect(await listed(provider, 'voided=only&lotCode=V-KEPT')).toEqual([])
    expect(await listed(provider, 'voided=only&submitEndDateTime=2026-01-01T00:00:00Z')).toEqual([])
    expect(await listed(await service.provider(), 'voided=only')).toEqual([])
    const refused = await provider.call('GET', `${paths.receivingEvent}?voided=only&hasGaps=true`)
    expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining('hasGaps')])
    // What was exported of it is declared wrong, version by version; the void is no event.
    for (const form of ['uuid', 'hash']) {
      const { body } = await provider.call('GET', `/traceability/epcis?voided=only&lotCode=V-2&eventId=${form}`)
      const events = body.epcisBody.queryResults.resultsBody.eventList.filter(
        ({ type }: Payload) => type === 'ObjectEvent',
      )
      expect(
        events.map(({ errorDeclaration: { reason, correctiveEventIDs } }: Payload) => [reason, correctiveEventIDs]),
      ).toEqual([
        ['incorrect_data', [events[1].eventID]],
        ['did_not_occur', undefined],
      ])
    }
    const none = await provider.call('GET', '/traceability/epcis?voided=only&eventEndDate=2025-12-31')
    expect(none.body.epcisBody.queryResults.resultsBody.eventList).toEqual([])
    // Who asks for its lot code is led to it.
    const { body } = await provider.call('GET', '/traceability/lots/v%202')
    expect(body.records).toEqual([
      { kind: 'receivingEvent', id, lotCode: 'V-2', version: 2, currentVersion: 3, voided: true, lotCodes: [] },
    ])
    expect(body.detail).toContain(`record ${id} had V-2 until version 2, now voided`)
  })

  test('is brought back by a replacement, the same content included, and found again', async () => {
    const provider = await service.provider()
    const body = ofLot('V-3')
    const id = await create(provider, body)
    const before = await answers(provider, 'V-3')
    await voided(provider, id)
    const read = (await provider.call('GET', at(id))).body
    expect((await provider.call('PUT', `${at(id)}?dryRun=true`, { body: read })).body.wouldBe).toBe('replaced')
    const back = await provider.call('PUT', at(id), { body: read, headers: { 'if-match': '"2"' } })
    expect([back.status, back.headers.get('etag')], back.text).toEqual([200, '"3"'])

    expect((await provider.call('GET', at(id))).headers.get('record-voided')).toBeNull()
    expect(await listed(provider, 'lotCode=V-3')).toEqual([id])
    expect(await listed(provider, 'voided=only')).toEqual([])
    const { epcis, ...after } = await answers(provider, 'V-3')
    expect(after).toMatchObject({ traced: 200, rows: 1, days: before.days, completeness: before.completeness })
    // The exported event stays declared as one that did not occur, and the next one says that it did.
    const [was, is] = epcis.filter(({ type }: Payload) => type === 'ObjectEvent')
    expect([was.errorDeclaration.reason, is.errorDeclaration]).toEqual(['did_not_occur', undefined])
    expect(was.errorDeclaration).toMatchObject({ 'lotkeeper:voidReason': reason })
    expect(was.errorDeclaration).not.toHaveProperty('correctiveEventIDs')
    expect((await provider.call('PUT', at(id), { body: read })).headers.get('etag')).toBe('"3"')
    expect(await voided(provider, id)).toBe(4)
    expect(await listed(provider)).toEqual([])
  })

  test('leaves its event date time to another record, which keeps it from coming back', async () => {
    const provider = await service.provider()
    const body = ofLot('V-4')
    const id = await create(provider, body)
    await voided(provider, id)
    const other = await create(provider, body)
    for (const query of ['?dryRun=true', '']) {
      const back = await provider.call('PUT', `${at(id)}${query}`, { body })
      expect([back.status, back.body.heldBy], back.text).toEqual([409, other])
    }
    expect(await versions(provider, id)).toHaveLength(2)
    await voided(provider, other)
    expect((await provider.call('PUT', at(id), { body })).headers.get('etag')).toBe('"3"')
    expect(await listed(provider)).toEqual([id])
  })

  test('is voided only at the version that was named, with a reason, and a dry run stores nothing', async () => {
    const provider = await service.provider()
    const id = await create(provider, ofLot('V-5'))
    const send = (body: Payload, query = '', headers = {}) =>
      provider.call('POST', `${at(id)}/void${query}`, { body, headers })
    for (const body of [{}, { reason: '' }, { reason: ' ' }, { reason: 'x'.repeat(101) }, { reason: 'x', why: 'y' }]) {
      const refused = await send(body)
      expect([refused.status, refused.body.detail]).toEqual([422, expect.stringMatching(/reason|why/)])
    }
    expect((await send({ reason }, '', { 'if-match': '"7"' })).body).toMatchObject({ status: 412, currentVersion: 1 })
    expect((await send({ reason }, '', { 'if-none-match': '"1"' })).status).toBe(412)
    expect((await send({ reason }, '?dryRun=true')).body.wouldBe).toBe('voided')
    expect(await versions(provider, id)).toHaveLength(1)
    expect((await send({ reason }, '', { 'if-match': '"1"' })).status).toBe(200)
    expect((await send({ reason }, '?dryRun=true')).body.wouldBe).toBe('unchanged')
    const stranger = await service.provider()
    for (const call of [stranger.call, calling(service.url, await stranger.key('administrator'))])
      expect((await call('POST', `${at(id)}/void`, { body: { reason } })).status).toBe(404)
    expect((await provider.call('POST', `${at(randomUUID())}/void`, { body: { reason } })).status).toBe(404)
    const product = await provider.call('POST', paths.masterProduct, { body: productPayload() })
    const wrongKind = await provider.call('POST', `${at(product.body.request_ids[0])}/void`, { body: { reason } })
    expect([wrongKind.status, wrongKind.body.detail]).toEqual([404, expect.stringContaining('master product')])
  })

  test('leaves what it said of its places in master data', async () => {
    const provider = await service.provider()
    const id = await create(provider, ofLot('V-6'))
    const locations = (await provider.call('GET', paths.location)).body.content
    expect(locations).not.toEqual([])
    await voided(provider, id)
    expect((await provider.call('GET', paths.location)).body.content).toEqual(locations)
  })
})

describe('the proof of a void', () => {
  test('is in an archive, which a stranger can check and another account takes as it was', async () => {
    const provider = await service.provider()
    const [stays, back, again] = [
      await create(provider, ofLot('W-1')),
      await create(provider, ofLot('W-2')),
      await create(provider, ofLot('W-3')),
    ] as const
    for (const id of [stays, back, again]) await voided(provider, id)
    await provider.call('PUT', at(back), { body: ofLot('W-9') })
    await provider.call('PUT', at(again), { body: ofLot('W-3') })
    await voided(provider, again, 'wrong after all')

    const archive = await exported(provider)
    expect(faultsIn(archive)).toEqual([])
    const text = JSON.stringify(reason)
    expect(linesOf(archive).filter((line) => line.includes(`"payloadId":null,"voidReason":${text}`))).toHaveLength(3)
    // The reason is under the hash.
    expect(faultsIn(archive.replace(text, '"another"'))).toContainEqual(expect.stringMatching(/: detail$/))

    const other = await service.provider()
    expect((await importArchive(service, other, archive.replace(text, '"another"'))).body.detail).toContain(
      'void reason',
    )
    const copy = await service.provider()
    expect((await importArchive(service, copy, archive, 3)).body).toMatchObject({ ended: true })
    expect(await exported(copy)).toContain(linesOf(archive).find((line) => line.includes('"voidReason"')))
    for (const query of ['', 'voided=only', 'voided=only&lotCode=W-1', 'voided=only&itemCode=ROM-24'])
      expect(await listed(copy, query), query).toEqual(await listed(provider, query))
    // But for the names of keys, which an archive does not have.
    const nameless = async (of: TestProvider, id: string) =>
      (await versions(of, id)).map((version) => ({ ...version, keyName: null }))
    for (const id of [stays, back, again]) expect(await nameless(copy, id)).toEqual(await nameless(provider, id))
    for (const lotCode of ['W-1', 'W-2', 'W-3', 'W-9'])
      expect((await copy.call('GET', `/traceability/lots/${lotCode}`)).body.records, lotCode).toEqual(
        (await provider.call('GET', `/traceability/lots/${lotCode}`)).body.records,
      )
    // It can be brought back there.
    const { body } = await copy.call('GET', at(stays))
    expect((await copy.call('PUT', at(stays), { body })).headers.get('etag')).toBe('"3"')
    expect(await listed(copy, 'lotCode=W-1')).toEqual([stays])
  })

  test('goes with the record when it is purged, unless a hold on its lot keeps it', async () => {
    const provider = await service.provider()
    const administrator = calling(service.url, await provider.key('administrator'))
    const { pool } = service.database
    const [now, long] = [new Date(), yearsBefore(new Date(), 5)]
    const aged = (caseLotNumber: string) => ({
      kind: 'receivingEvent' as const,
      versions: [
        {
          submittedAt: long,
          edit: ({ eventList }: Payload) => {
            eventList.eventDateTime = `${long.toISOString().slice(0, 17)}${caseLotNumber.slice(-2)}Z`
            eventList.productList = [{ ...eventList.productList[0], caseLotNumber }]
          },
        },
      ],
    })
    const [gone = '', held = ''] = await storeAged(pool, provider.id, [aged('P-10'), aged('P-11')])
    for (const id of [gone, held]) await voided(provider, id)
    await pool.query('UPDATE record_version SET submitted_at = $2 WHERE provider_id = $1', [provider.id, long])
    const hold = await administrator('POST', '/legal-holds', { body: { reason: 'a recall', lotCode: 'P-11' } })
    expect(hold.status).toBe(201)
    for await (const _ of purgeAllDue(pool, provider.id, { before: yearsBefore(now, 2), now, retentionYears: 2 }));

    expect(await listed(provider, 'voided=only')).toEqual([held])
    expect((await provider.call('GET', at(gone))).status).toBe(410)
    expect((await provider.call('POST', `${at(gone)}/void`, { body: { reason } })).status).toBe(410)
    expect((await provider.call('PUT', at(gone), { body: ofLot('P-10') })).status).toBe(410)
    for (const version of await versions(provider, gone))
      expect(version).toMatchObject({ voidReason: null, purgedDateTime: expect.any(String) })
    expect((await versions(provider, held)).map(({ voidReason }) => voidReason)).toEqual([reason, null])
    expect((await provider.call('GET', '/traceability/lots/P-10')).body.records ?? []).toEqual([])
    expect((await provider.call('GET', `/legal-holds?recordId=${held}`)).body.content).toHaveLength(1)
  })
})
