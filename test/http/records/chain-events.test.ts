// Events that change goods are records like any other, and no deliveries: nothing that counts or
// traces deliveries knows them, and no partner sees them. Source: decision 0090.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EventKindName, eventKindList, isDeliveryKind, slugOf } from '../../../src/contract/record-kinds.ts'
import { exported, importArchive } from '../../support/files/archives.ts'
import { type Payload, paths, payloadOf } from '../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

async function create(provider: TestProvider, kind: EventKindName, body: Payload): Promise<string> {
  const reply = await provider.call('POST', paths[kind], { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}

const idsOf = async ({ call }: TestProvider, address: string): Promise<string[]> => {
  const reply = await call('GET', address)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.content.map(({ id }: Payload) => id)
}

const kinds = eventKindList.filter(({ name }) => !isDeliveryKind(name))

describe.each(kinds)('a $noun', (kind) => {
  const { name, place, path, lists } = kind
  const lists0 = Object.keys(lists)

  test('is found by its place and by the lots and items of each of its lists', async () => {
    const provider = await service.provider()
    const body = payloadOf[name]()
    const [first, second] = [
      await create(provider, name, body),
      await create(provider, name, payloadOf[name](moved(place))),
    ]
    expect(await idsOf(provider, `${path}?${place}=${body.eventList[place]}`)).toEqual([first])
    expect(await idsOf(provider, `${path}?sort=${place}&direction=ascending`)).toHaveLength(2)
    for (const list of lists0)
      for (const { caseLotNumber, vendorItemCode } of body.eventList[list] ?? []) {
        if (caseLotNumber !== undefined)
          expect(await idsOf(provider, `${path}?lotCode=${encodeURIComponent(caseLotNumber)}`)).toEqual([second, first])
        expect(await idsOf(provider, `${path}?itemCode=${encodeURIComponent(vendorItemCode)}`)).toEqual([second, first])
      }
    const file = await provider.call('GET', `/lists/${slugOf(kind)}/file?format=csv`)
    expect(file.text).toContain(body.eventList.referenceDocumentNumber)
  })

  test('is replaced as a whole, with the version before it kept, and voided', async () => {
    const provider = await service.provider()
    const body = payloadOf[name]()
    const id = await create(provider, name, body)
    const less = structuredClone(body)
    delete less.eventList.eventId
    expect((await provider.call('PUT', `${path}/${id}`, { body: less })).status).toBe(200)
    expect((await provider.call('GET', `${path}/${id}`)).body).toEqual({ id, ...less })
    expect((await provider.call('GET', `${path}/${id}/versions/1`)).body.eventList).toEqual(body.eventList)
    const again = await provider.call('POST', path, { body: less })
    expect(again.status).toBe(409)
    await provider.call('POST', `${path}/${id}/void`, { body: { reason: 'Entered twice' } })
    expect(await idsOf(provider, path)).toEqual([])
    expect(await idsOf(provider, `${path}?voided=only&${place}=${body.eventList[place]}`)).toEqual([id])
    expect(await idsOf(provider, `${path}?voided=only&${place}=ELSEWHERE`)).toEqual([])
    const { body: voids } = await provider.call('GET', '/voids')
    expect(voids.content).toEqual([expect.objectContaining({ kind: name, id, [place]: body.eventList[place] })])
  })

  test('is in the feed of changes by the lots of each of its lists', async () => {
    const provider = await service.provider()
    const body = payloadOf[name]()
    const id = await create(provider, name, body)
    const lots = lists0.flatMap((list) =>
      (body.eventList[list] ?? []).flatMap((line: Payload) => line.caseLotNumber ?? []),
    )
    for (const lot of lots) {
      const reply = await provider.call('GET', `/changes?lotCode=${encodeURIComponent(lot)}`)
      expect(
        reply.body.content.map((one: Payload) => one.id),
        lot,
      ).toEqual([id])
    }
  })

  test('goes into an archive, and comes back with its history', async () => {
    const [from, to] = [await service.provider(), await service.provider()]
    const id = await create(from, name, payloadOf[name]())
    await importArchive(service, to, await exported(from))
    expect((await to.call('GET', `${path}/${id}`)).body).toEqual((await from.call('GET', `${path}/${id}`)).body)
  })
})

/** At another place, so that both are events of their own. */
function moved(place: string) {
  return (payload: Payload) => {
    const entry = payload.locationMasterList.find(
      ({ locationCode }: Payload) => locationCode === payload.eventList[place],
    )
    payload.locationMasterList = payload.locationMasterList.map((one: Payload) =>
      one === entry ? { ...entry, locationCode: 'OTHER', gln: undefined } : one,
    )
    payload.eventList[place] = 'OTHER'
  }
}
