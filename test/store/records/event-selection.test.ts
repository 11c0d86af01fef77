// What an export is made of: events chosen by their own local date and by what they carry, and read
// as they were when chosen.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type EventSelection,
  readSelected,
  type SelectedEvent,
  selectEvents,
} from '../../../src/store/records/event-selection.ts'
import { changed, eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
let provider: TestProvider

/**
 * Events by a name; each differs in what a selection reads. Written in another order than that of
 * their dates.
 */
const events = {
  lateInUtc: { eventDateTime: '2026-05-31T03:30:00Z', dataProviderVendorId: 'V-1', lots: ['A', 'B'], item: 'I-1' },
  eveningInOhio: { eventDateTime: '2026-05-30T23:30:00-04:00', dataProviderVendorId: 'V-2', lots: ['A'], item: 'I-2' },
  morningInTokyo: { eventDateTime: '2026-06-01T06:00:00+09:00', dataProviderVendorId: 'V-1', lots: ['C'], item: 'I-1' },
  monthBefore: { eventDateTime: '2026-04-30T12:00:00Z', dataProviderVendorId: 'V-1', lots: ['A'], item: 'I-2' },
} as const
type Name = keyof typeof events
const ids = new Map<string, Name>()

beforeAll(async () => {
  service = await startService()
  provider = await service.provider()
  for (const [name, one] of Object.entries(events)) {
    const reply = await provider.call('POST', paths.receivingEvent, { body: eventPayload((body) => fill(body, one)) })
    expect(reply.status, reply.text).toBe(201)
    ids.set(reply.body.request_ids[0], name as Name)
  }
})
afterAll(() => service?.close())

function fill({ eventList, productMasterDataList }: Payload, one: (typeof events)[Name]): void {
  const { eventDateTime, dataProviderVendorId, lots, item } = one
  const [line] = eventList.productList
  productMasterDataList[0].itemCode = item
  const productList = lots.map((caseLotNumber: string) => ({ ...line, vendorItemCode: item, caseLotNumber }))
  Object.assign(eventList, { eventDateTime, dataProviderVendorId, productList })
}

const select = (selection: EventSelection, limit = 100) =>
  selectEvents(service.database.pool, provider.id, { selection, limit })
const named = (selected: readonly SelectedEvent[]) => selected.map(({ id }) => ids.get(id))

describe('a selection', () => {
  test.each<[string, EventSelection, Name[]]>([
    ['without conditions is everything, by date', {}, ['monthBefore', 'eveningInOhio', 'lateInUtc', 'morningInTokyo']],
    [
      'goes by the date as written, not by the instant',
      { eventStartDate: '2026-05-30', eventEndDate: '2026-05-30' },
      ['eveningInOhio'],
    ],
    ['begins with its first date', { eventStartDate: '2026-05-31' }, ['lateInUtc', 'morningInTokyo']],
    ['ends with its last date', { eventEndDate: '2026-05-30' }, ['monthBefore', 'eveningInOhio']],
    ['of a vendor', { dataProviderVendorId: ['V-2'] }, ['eveningInOhio']],
    ['of a ship-to location', { shipToLocationCode: ['nowhere'] }, []],
    ['of a lot code', { lotCode: ['A'] }, ['monthBefore', 'eveningInOhio', 'lateInUtc']],
    ['of an item', { itemCode: ['I-1'] }, ['lateInUtc', 'morningInTokyo']],
    ['of a lot code and an item', { lotCode: ['A'], itemCode: ['I-2'] }, ['monthBefore', 'eveningInOhio']],
    [
      'of all conditions together',
      { lotCode: ['A'], itemCode: ['I-2'], eventStartDate: '2026-05-01', dataProviderVendorId: ['V-2'] },
      ['eveningInOhio'],
    ],
  ])('%s', async (_title, selection, expected) => {
    expect(named(await select(selection))).toEqual(expected)
  })

  test('says the version and how many lines each event has', async () => {
    const [first] = await select({ eventStartDate: '2026-05-31', eventEndDate: '2026-05-31' })
    expect(first).toMatchObject({ version: 1, lineCount: 2 })
  })

  test('ends at its limit, and never holds what another provider keeps', async () => {
    expect(named(await select({}, 2))).toEqual(['monthBefore', 'eveningInOhio'])
    const other = await service.provider()
    expect(await selectEvents(service.database.pool, other.id, { selection: {}, limit: 100 })).toEqual([])
    expect(await selectEvents(service.database.pool, other.id, { selection: { lotCode: ['A'] }, limit: 100 })).toEqual(
      [],
    )
  })

  test('reads what was chosen, in order, though it was replaced since', async () => {
    const { id, call } = await service.provider()
    const bodies = [1, 2, 3].map(() => eventPayload())
    for (const body of bodies) expect((await call('POST', paths.receivingEvent, { body })).status).toBe(201)
    const selected = await selectEvents(service.database.pool, id, { selection: {}, limit: 100 })
    const [chosen] = selected
    const [replaced] = bodies
    changed.receivingEvent(replaced)
    expect((await call('PUT', `${paths.receivingEvent}/${chosen?.id}`, { body: replaced })).status).toBe(200)

    const read: string[] = []
    for await (const batch of readSelected(service.database.pool, id, selected))
      read.push(
        ...batch.map((one) => `${one.id} ${one.version} ${JSON.parse(one.body).eventList.productList[0].shipQuantity}`),
      )
    expect(read).toEqual(selected.map((one) => `${one.id} 1 56`))
    expect(
      (await selectEvents(service.database.pool, id, { selection: {}, limit: 100 })).map(({ version }) => version),
    ).toEqual([2, 1, 1])
  })

  test('another provider cannot read what was chosen', async () => {
    const selected = await select({})
    const other = await service.provider()
    await expect(readSelected(service.database.pool, other.id, selected).next()).rejects.toThrow()
  })
})
