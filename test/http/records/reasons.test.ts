// Why a record was replaced: kept with the version, shown wherever the correction is, and proved.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lotkeeper } from '../../../src/client/client.ts'
import { yearsBefore } from '../../../src/contract/shape/date-and-time.ts'
import { purgeAllDue } from '../../../src/store/keeping/purge.ts'
import { storeAged } from '../../support/databases/aged-records.ts'
import { exported, faultsIn, importArchive, linesOf } from '../../support/files/archives.ts'
import { eventPayload, type Payload, paths, productPayload } from '../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const why = 'Leída mal: “GV-1”'
const header = '%"Le%c3%adda mal: %e2%80%9cGV-1%e2%80%9d"'
const at = (id: string): string => `${paths.receivingEvent}/${id}`

async function created(provider: TestProvider): Promise<string> {
  return (await provider.call('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0]
}

const corrected = (quantity: number): Payload =>
  eventPayload(({ eventList }) => {
    eventList.productList[0].shipQuantity = quantity
  })

const versions = async ({ call }: TestProvider, id: string): Promise<Payload[]> =>
  (await call('GET', `${at(id)}/versions`)).body.content

test("is stored with the version, and shown in its history, the feed, FDA's list and EPCIS", async () => {
  const provider = await service.provider()
  const id = await created(provider)
  const put = await provider.call('PUT', at(id), { body: corrected(41), headers: { 'change-reason': header } })
  expect([put.status, put.headers.get('etag')], put.text).toEqual([200, '"2"'])
  await provider.call('PUT', at(id), { body: corrected(42) })
  expect((await versions(provider, id)).map(({ reason }) => reason)).toEqual([null, why, null])
  const archive = await exported(provider)
  const { content } = (await provider.call('GET', '/changes')).body
  expect(content.filter((change: Payload) => change.id === id).map(({ reason }: Payload) => reason)).toEqual([
    undefined,
    why,
    undefined,
  ])
  const sheet = await provider.call('GET', '/traceability/epcis')
  const { eventList } = sheet.body.epcisBody.queryResults.resultsBody
  const [first, second] = eventList.filter(({ type }: Payload) => type === 'ObjectEvent')
  expect(first.errorDeclaration).toMatchObject({ reason: 'incorrect_data', 'lotkeeper:changeReason': why })
  expect(second.errorDeclaration).not.toHaveProperty('lotkeeper:changeReason')
  expect(faultsIn(archive)).toEqual([])
})

test('is under the hash of the version, and an archive brings it elsewhere as it was', async () => {
  const provider = await service.provider()
  const id = await created(provider)
  await provider.call('PUT', at(id), { body: corrected(41), headers: { 'change-reason': header } })
  const archive = await exported(provider)
  expect(linesOf(archive).filter((line) => line.includes(`"reason":${JSON.stringify(why)}`))).toHaveLength(1)
  const altered = archive.replace(JSON.stringify(why), '"another"')
  expect(faultsIn(altered)).toContainEqual(expect.stringMatching(/: detail$/))
  const taken = archive.replace(`,"reason":${JSON.stringify(why)}`, '')
  expect(faultsIn(taken)).toContainEqual(expect.stringMatching(/: detail$/))
  const other = await service.provider()
  expect((await importArchive(service, other, altered)).body.detail).toContain('reason')
  const copy = await service.provider()
  expect((await importArchive(service, copy, archive)).body).toMatchObject({ ended: true })
  expect((await versions(copy, id)).map(({ reason }) => reason)).toEqual([why, null])
  expect(await exported(copy)).toContain(linesOf(archive).find((line) => line.includes('"reason"')))
})

test('goes with the content when that is purged', async () => {
  const provider = await service.provider()
  const { pool } = service.database
  const [now, long] = [new Date(), yearsBefore(new Date(), 5)]
  const old = ({ eventList }: Payload) => {
    eventList.eventDateTime = `${long.toISOString().slice(0, 19)}Z`
  }
  const [id = ''] = await storeAged(pool, provider.id, [
    { kind: 'receivingEvent', versions: [{ submittedAt: long, edit: old }] },
  ])
  const body = eventPayload((payload) => {
    old(payload)
    payload.eventList.productList[0].shipQuantity = 7
  })
  await provider.call('PUT', at(id), { body, headers: { 'change-reason': header } })
  expect((await versions(provider, id))[0]).toMatchObject({ reason: why })
  await pool.query('UPDATE record_version SET submitted_at = $2 WHERE provider_id = $1', [provider.id, long])
  for await (const _ of purgeAllDue(pool, provider.id, { before: yearsBefore(now, 2), now, retentionYears: 2 }));
  for (const version of await versions(provider, id))
    expect(version).toMatchObject({ reason: null, purgedDateTime: expect.any(String) })
})

test('is refused in another form, and then nothing is stored', async () => {
  const provider = await service.provider()
  const id = await created(provider)
  for (const wrong of ['Read from the paper', '""', `"${'x'.repeat(101)}"`]) {
    const reply = await provider.call('PUT', at(id), { body: corrected(41), headers: { 'change-reason': wrong } })
    expect([reply.status, reply.body.detail]).toEqual([400, expect.stringContaining('Change-Reason')])
  }
  expect(await versions(provider, id)).toHaveLength(1)
})

test('is not kept of a replacement that changes nothing, nor of a create', async () => {
  const provider = await service.provider()
  const headers = { 'change-reason': '"why not"' }
  const sent = eventPayload()
  const { body } = await provider.call('POST', paths.receivingEvent, { body: sent, headers })
  const [id] = body.request_ids
  await provider.call('PUT', at(id), { body: sent, headers })
  expect((await versions(provider, id)).map(({ reason }) => reason)).toEqual([null])
})

test('replacements with and without one are written together, each with its own', async () => {
  const provider = await service.provider()
  const ids: string[] = []
  for (const minute of [1, 2, 3, 4]) {
    const body = eventPayload(({ eventList }) => {
      eventList.eventDateTime = `2026-03-04T10:0${minute}:00-05:00`
    })
    ids.push((await provider.call('POST', paths.receivingEvent, { body })).body.request_ids[0])
  }
  await Promise.all(
    ids.map((id, n) =>
      provider.call('PUT', at(id), {
        body: eventPayload(({ eventList }) => {
          eventList.eventDateTime = `2026-03-04T10:0${n + 1}:00-05:00`
          eventList.productList[0].shipQuantity = 7
        }),
        headers: n % 2 === 0 ? {} : { 'change-reason': `"reason ${n}"` },
      }),
    ),
  )
  const latest = await Promise.all(ids.map(async (id) => (await versions(provider, id))[0]))
  expect(latest.map((one) => [one?.version, one?.reason])).toEqual([
    [2, null],
    [2, 'reason 1'],
    [2, null],
    [2, 'reason 3'],
  ])
  expect(faultsIn(await exported(provider))).toEqual([])
})

test('the client writes the header, of master data too', async () => {
  const provider = await service.provider()
  const client = lotkeeper({ url: service.url, key: await provider.key('writer') })
  const sent = productPayload()
  const created = await client.createMasterProducts({ body: sent as never })
  const [id = ''] = created.body.request_ids
  const body = { ...sent, productMasterDataList: { ...sent.productMasterDataList, brandName: 'Another' } }
  await client.replaceMasterProduct({ id, body: body as never, reason: why })
  expect((await client.listMasterProductVersions({ id })).body.content[0]).toMatchObject({ version: 2, reason: why })
})
