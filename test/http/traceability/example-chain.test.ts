// The chain of examples/, through every answer that is read off it: what its README says of each
// mistake is what is found.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendExampleChain } from '../../samples/example-chain.ts'
import type { Payload } from '../../support/records/payloads.ts'
import { type Call, type Service, startService } from '../../support/servers/service.ts'

const march = 'eventStartDate=2026-03-01&eventEndDate=2026-03-31'

let service: Service
let call: Call
beforeAll(async () => {
  service = await startService()
  call = (await service.provider()).call
  await sendExampleChain(call)
})
afterAll(() => service?.close())

const trace = async (query = ''): Promise<Payload> => (await call('GET', `/traceability/lots/GV26063-A${query}`)).body

describe('the traced lot', () => {
  test('leads through four tiers, from the cooler to each store', async () => {
    const { chains, places, totals } = await trace('?tlcSource=0614141000012')
    const nameOf = new Map(places.map(({ id, name }: Payload) => [id, name]))
    const longest = chains.map(({ places: ids }: Payload) => ids.map((id: string) => nameOf.get(id)))
    expect(longest).toContainEqual([
      'Green Valley Cooler',
      'Pacific Fresh Oakland',
      'Valley Grocers Distribution Center 7',
      'Valley Grocers Reno Hub',
      'Valley Grocers Store 220',
    ])
    expect(totals).toMatchObject({ events: 6 })
  })

  test('says what is wrong in the chain', async () => {
    const { notes, sources } = await trace()
    expect(sources).toHaveLength(3)
    expect(notes.map(({ kind }: Payload) => kind)).toEqual(
      expect.arrayContaining(['sharedCode', 'nearCodes', 'sentMoreThanReceived', 'unitNeverReceived', 'sourceChanged']),
    )
    const said = notes.map(({ message }: Payload) => message).join('\n')
    expect(said).toContain('GV26O63-A')
    expect(said).toContain('Valley Grocers Reno Hub sent on 54 case but received 40.')
  })

  test('keeps the other packer with the same lot code apart', async () => {
    const { places, events } = await trace('?tlcSource=Golden%20Vista%20Packing')
    expect(events).toHaveLength(1)
    expect(places.map(({ name }: Payload) => name)).toEqual(
      expect.arrayContaining(['Golden Vista Packing', 'Valley Grocers Distribution Center 7']),
    )
  })
})

test('completeness counts eight of twelve lines as complete, and names the two events that are not', async () => {
  const { total } = (await call('GET', `/traceability/completeness?${march}`)).body
  expect(total).toMatchObject({ events: 7, eventsWithGaps: 2, lines: 12, completeLines: 8, share: 0.6666 })
  const { content } = (await call('GET', total.records)).body
  expect(content.map(({ shipToLocationCode }: Payload) => shipToLocationCode)).toEqual(['00231', 'DC-07'])
})

test('the spreadsheet has its lines in the order of their dates, item codes with their zeros in none of its cells changed', async () => {
  const { text } = await call('GET', `/traceability/fda-spreadsheet?format=csv&lotCode=GV26063-A&${march}`)
  const rows = text.trim().split('\r\n').slice(1)
  expect(rows).toHaveLength(8)
  const dates = rows.map((row) => /,(\d\d\/\d\d\/2026),/.exec(row)?.[1])
  expect(dates).toEqual([...dates].sort())
  // The event at store 114 is written in UTC: its own date is the one in its text.
  expect(dates.filter((date) => date === '03/07/2026')).toHaveLength(4)
})

test('EPCIS has an event for each record', async () => {
  const { body } = await call('GET', `/traceability/epcis?${march}`)
  const { eventList } = body.epcisBody.queryResults.resultsBody
  expect(eventList.filter(({ type }: { type: string }) => type === 'ObjectEvent')).toHaveLength(7)
})
