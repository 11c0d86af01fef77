// A partner cannot tell what is not shared with it from what is not there: not by an answer, what it
// costs the database, or how long it takes. Source: decisions 0002, 0077.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { mayAs } from '../../../src/contract/role.ts'
import type { Grant } from '../../../src/contract/sharing.ts'
import { type SharingCopier, sharingCopier } from '../../../src/handlers/sharing/sharing-copier.ts'
import type { Operation } from '../../../src/operations/base/operation.ts'
import { catalogue, type OperationName } from '../../../src/operations/catalogue.ts'
import { addressOf, requestSamples, type Subject } from '../../samples/operation-requests.ts'
import { allowMs } from '../../support/patience.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { isShortRun } from '../../support/runs.ts'
import { handlerContextOn } from '../../support/servers/handler-context.ts'
import {
  type Call,
  calling,
  type Service,
  startServiceAlone,
  type TestProvider,
} from '../../support/servers/service.ts'

let service: Service
let statements: string[] = []
let context: ReturnType<typeof handlerContextOn>
let copier: SharingCopier
let provider: TestProvider
let administrate: Call
const ids: Record<string, Readonly<Record<'receivingEvent' | 'masterProduct' | 'location' | 'lot', string>>> = {}
let asking: Call

const patience = { timeout: allowMs(20_000), interval: 50 }

const eventAt = (shipTo: string): Payload =>
  eventPayload((payload) => {
    const place = payload.locationMasterList.find(
      (one: Payload) => one.locationCode === payload.eventList.shipToLocationCode,
    )
    Object.assign(place, { locationCode: shipTo, locationName: `Place ${shipTo}` })
    delete place.gln
    Object.assign(payload.eventList, { shipToLocationCode: shipTo, dataProviderVendorId: `V-${shipTo}` })
    payload.eventList.productList[0].caseLotNumber = `LOT-${shipTo}`
  })

async function partnerAt(shipTo: string): Promise<{ readonly id: string; readonly call: Call }> {
  const grants: Grant[] = [{ direction: 'shipTo' }]
  const body = { name: `At ${shipTo}`, places: [{ locationCode: shipTo }], grants }
  const { id } = (await administrate('POST', '/partners', { body })).body
  const { token } = (await administrate('POST', `/partners/${id}/invitations`, { body: {} })).body
  const { key } = (await calling(service.url, token)('POST', '/invitations/accept', { body: {} })).body
  copier.due(provider.id)
  return { id, call: calling(service.url, key) }
}

const idIn = async (call: Call, path: string): Promise<string> => {
  const shown = async () => (await call('GET', `${path}?limit=1`)).body.content?.[0]?.id
  await vi.waitFor(async () => expect(await shown()).toBeDefined(), patience)
  return shown()
}

const idsIn = async (call: Call, lot: string) => ({
  receivingEvent: await idIn(call, paths.receivingEvent),
  masterProduct: await idIn(call, paths.masterProduct),
  location: await idIn(call, paths.location),
  lot,
})

beforeAll(async () => {
  service = await startServiceAlone({ failedSignInsPerMinute: 0 }, (name) => statements.push(name))
  context = handlerContextOn(service.database.pool)
  copier = sharingCopier(context, { isAlone: false })
  provider = await service.provider()
  administrate = calling(service.url, await provider.key('administrator'))
  const store = async (shipTo: string) => {
    const body = eventAt(shipTo)
    expect((await provider.call('POST', paths.receivingEvent, { body })).status).toBe(201)
    const { itemCode } = body.productMasterDataList[0]
    const product = { itemCode, itemDescription: 'Romaine', dataProviderVendorId: `V-${shipTo}` }
    await provider.call('POST', paths.masterProduct, { body: { productMasterDataList: product } })
  }
  await store('OTHERS')
  const other = await partnerAt('OTHERS')
  ids['an id that was withdrawn from another partner'] = await idsIn(other.call, 'LOT-OTHERS')
  const settings = (grants: Grant[]) => ({ body: { name: 'At OTHERS', places: [{ locationCode: 'OTHERS' }], grants } })
  await administrate('PUT', `/partners/${other.id}`, settings([]))
  copier.due(provider.id)
  const state = async () => (await administrate('GET', `/partners/${other.id}`)).body.state
  await vi.waitFor(async () => expect(await state()).toBe('open'), patience)
  await administrate('PUT', `/partners/${other.id}`, settings([{ direction: 'shipTo' }]))
  copier.due(provider.id)
  ids["another partner's id"] = await idsIn(other.call, 'LOT-OTHERS')
  await store('NOBODY')
  ids['an id of the provider'] = await idsIn(provider.call, 'LOT-NOBODY')
  await store('OWN')
  asking = (await partnerAt('OWN')).call
  await idIn(asking, paths.receivingEvent)
})
afterAll(async () => {
  await copier?.end()
  await context?.changeListeners.end()
  await service?.close()
})

/** Run for a key once in two seconds, or once a minute: whoever asked first. */
const ofKeys = ['keysById', 'touchKeys', 'noteAccesses']

/** An answer and the statements it took, without what differs by request. */
async function ask(address: string, about: string) {
  const reply = await asking('GET', address)
  const { 'request-id': _, date: __, ...headers } = Object.fromEntries(reply.headers)
  const text = reply.text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…').replaceAll(about, '…')
  return { status: reply.status, headers, text }
}

const nobodys = (subject: Subject): string => (subject === 'lot' ? 'LOT-999999' : randomUUID())

const asked = catalogue.flatMap((operation: Operation) => {
  const { subject, query } = requestSamples[operation.name as OperationName]
  const isOfRecords = ['receivingEvent', 'masterProduct', 'location', 'lot'].includes(subject ?? '')
  return isOfRecords && operation.method === 'GET' && mayAs('partner', operation.role) && !operation.waits
    ? [
        {
          name: operation.name,
          subject: subject as 'lot',
          addressAbout: (id: string) => addressOf(operation.path, id, query),
        },
      ]
    : []
})

test('what is not shared is answered like what is not there, by every operation: status, headers, body, statements', async () => {
  expect(asked.length).toBeGreaterThan(0)
  // The work of the copier would be taken for that of an answer.
  await copier.end()
  for (const { name, subject, addressAbout } of asked) {
    const missing = nobodys(subject)
    statements = []
    const expected = await ask(addressAbout(missing), missing)
    const wanted = statements.filter((one) => !ofKeys.includes(one))
    expect(wanted.length, name).toBeGreaterThan(0)
    for (const [whose, id] of Object.entries(ids)) {
      statements = []
      expect(await ask(addressAbout(id[subject]), id[subject]), `${name}, ${whose}`).toEqual(expected)
      expect(
        statements.filter((one) => !ofKeys.includes(one)),
        `${name}, ${whose}`,
      ).toEqual(wanted)
    }
  }
})

const rounds = 200

test.skipIf(isShortRun)('and takes as long', async () => {
  const took = new Map<string, number[]>(['nobody', ...Object.keys(ids)].map((whose) => [whose, []]))
  // In turn, so that whatever else the machine does meets all alike.
  for (let round = 0; round < rounds; round++)
    for (const [whose, times] of took) {
      const id = ids[whose]?.receivingEvent ?? randomUUID()
      const began = performance.now()
      await asking('GET', `${paths.receivingEvent}/${id}`)
      times.push(performance.now() - began)
    }
  for (const whose of Object.keys(ids)) {
    const share = shareOfLonger(took.get(whose) ?? [], took.get('nobody') ?? [])
    // Of equal times half are longer; 0.15 is five standard deviations of so many.
    expect(Math.abs(share - 0.5), `${whose}: ${share}`).toBeLessThan(0.15)
  }
})

/** How many of the pairs have the longer time from the first. */
const shareOfLonger = (some: readonly number[], others: readonly number[]): number =>
  some.reduce((sum, one) => sum + others.filter((other) => one > other).length, 0) / (some.length * others.length)
