// The chain of examples/, through every answer that is read off it: what its README says of each
// mistake is what is found.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventKindNames } from '../../../src/contract/record-kinds.ts'
import { textOf } from '../../house/tree.ts'
import { exampleChain, sendExampleChain } from '../../samples/example-chain.ts'
import type { Payload } from '../../support/records/payloads.ts'
import { type Call, type Service, startService } from '../../support/servers/service.ts'

const march = 'eventStartDate=2026-03-01&eventEndDate=2026-03-31'
const packer = 'tlcSource=0614141000012'

let service: Service
let call: Call
let findings: Awaited<ReturnType<typeof sendExampleChain>>
beforeAll(async () => {
  service = await startService()
  const provider = await service.provider()
  call = provider.call
  findings = await sendExampleChain(call)
  const body = JSON.parse(
    readFileSync(new URL('../../../examples/chain/unit-conversions.json', import.meta.url), 'utf8'),
  )
  const stated = await call('PUT', '/unit-conversions', {
    body,
    headers: { authorization: `Bearer ${await provider.key('administrator')}` },
  })
  expect(stated.status, stated.text).toBe(200)
})
afterAll(() => service?.close())

const trace = async (query = ''): Promise<Payload> => (await call('GET', `/traceability/lots/GV26063-A${query}`)).body
const chain = async (lotCode: string, query = ''): Promise<Payload> =>
  (await call('GET', `/traceability/lots/${lotCode}/chain${query}`)).body
const kindsOf = ({ notes }: Payload): readonly string[] => notes.map(({ kind }: Payload) => kind)

describe('each file', () => {
  const rows = textOf('examples/README.md')
    .split('\n')
    .filter((line) => /^\| `\d\d\./.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))

  test('is in the table, in order', () => {
    const named = rows.flatMap(([, files = '']) => [...files.matchAll(/`([^`]+)`/g)].map(([, file]) => `${file}.json`))
    expect(named).toEqual([...exampleChain.keys()])
  })

  test('of which the table says that nothing is wrong has no finding, and each that it calls a gap or a warning has one', () => {
    for (const [, files = '', , wrong = ''] of rows)
      for (const [, file] of files.matchAll(/`([^`]+)`/g)) {
        const found = findings.get(`${file}.json`) ?? []
        if (wrong === 'nothing') expect(found, file).toEqual([])
        for (const severity of ['gap', 'warning'])
          if (wrong.includes(`a ${severity}`)) expect(found, file).toContainEqual(expect.objectContaining({ severity }))
        const [paragraph] = /21 CFR [\d.()a-z]+/.exec(wrong) ?? []
        if (paragraph) expect(found[0]?.cites, file).toBe(paragraph)
      }
  })
})

describe('the traced lot', () => {
  test('leads through four tiers, from the cooler to each store', async () => {
    const { chains, places, totals } = await trace(`?${packer}`)
    const nameOf = new Map(places.map(({ id, name }: Payload) => [id, name]))
    const longest = chains.map(({ places: ids }: Payload) => ids.map((id: string) => nameOf.get(id)))
    expect(longest).toContainEqual([
      'Green Valley Cooler',
      'Pacific Fresh Oakland',
      'Valley Grocers Distribution Center 7',
      'Valley Grocers Reno Hub',
      'Valley Grocers Store 220',
    ])
    expect(longest).toContainEqual(['Green Valley Cooler', 'Bay Fresh Cut Hayward'])
    expect(totals).toMatchObject({ events: 7 })
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

  test('shows each shipment of the packer beside its arrival', async () => {
    const { body } = await call('GET', `/traceability/differences?${march}`)
    expect(body.content.map(({ message }: Payload) => message)).toEqual(['Shipped 190 case, received 186 case.'])
  })
})

describe('the chain', () => {
  test('forward leads from the packed lot into the salad, by a line that does not say its source', async () => {
    const { lots, notes } = await chain('GV26063-A', `?${packer}`)
    expect(lots.map(({ lotCode, source }: Payload) => [lotCode, source])).toEqual([
      ['GV26063-A', 'Green Valley Cooler'],
      ['BFC26064-1', 'Bay Fresh Cut Hayward'],
    ])
    expect(kindsOf({ notes })).toEqual(['sourceUnknown', 'madeTwice', 'unitsDiffer'])
  })

  test('by what is certain still leads into the salad, which was reworked with a line that says its source', async () => {
    const { lots, notes } = await chain('GV26063-A', `?${packer}&least=sameSource`)
    expect(lots.map(({ lotCode }: Payload) => lotCode)).toEqual(['GV26063-A', 'BFC26064-1'])
    expect(kindsOf({ notes })).toContain('leftOut')
  })

  test('tells what is left of the salad at each place, pieces counted as cases', async () => {
    const { balances, lots } = await chain('BFC26064-1')
    expect(lots).toHaveLength(1)
    const left = balances.map(({ place, left: [amount] }: Payload) => [
      place.locationCode,
      amount.quantity,
      amount.unit,
    ])
    expect(left).toEqual([
      ['BFC-1', 26, 'case'],
      ['DC-07', 50, 'case'],
      ['00114', 40, 'case'],
      ['HUB-RENO', 72, 'case'],
      ['00220', 144, 'each'],
    ])
    // What was made is what is left, what was used for the rework, and the four that did not arrive.
    expect(26 + 50 + 40 + 72 + 144 / 6 + 30 + 4).toBe(246)
    expect(lots[0].made).toMatchObject([{ quantity: 246, unit: 'case' }])
  })

  test('back leads from the salad to both farms', async () => {
    const { lots, food, events, notes } = await chain('BFC26064-1', '?direction=back')
    expect(new Set(lots.map(({ lotCode }: Payload) => lotCode))).toEqual(
      new Set(['BFC26064-1', 'GV26063-A', 'GV26063-C']),
    )
    expect(food.map(({ place, area }: Payload) => [place.name, area])).toEqual([
      ['Two Rivers Farm', 'Block N2'],
      ['Green Valley Farm 2', 'Field 7'],
      ['Salinas Vacuum Cooling', undefined],
    ])
    // Not of the cooling, which is dated another day where the food was packed.
    expect(events.map(({ record }: Payload) => record).sort()).toEqual([
      'harvestingEvent',
      'harvestingEvent',
      'initialPackingEvent',
      'initialPackingEvent',
      'transformationEvent',
      'transformationEvent',
    ])
    expect(kindsOf({ notes })).toEqual(['reference', 'madeTwice', 'usedBeforeMade', 'unitsDiffer', 'moreOutThanIn'])
  })
})

test('completeness counts 14 of 18 received lines as complete, and of other kinds all but a harvest without its field', async () => {
  const { total, groups } = (await call('GET', `/traceability/completeness?${march}&by=kind`)).body
  expect(groups.map(({ key, completeLines, lines }: Payload) => [key, completeLines, lines])).toEqual([
    ['receivingEvent', 14, 18],
    ['harvestingEvent', 1, 2],
    ['coolingEvent', 1, 1],
    ['initialPackingEvent', 5, 5],
    ['shippingEvent', 6, 6],
    ['transformationEvent', 6, 6],
  ])
  expect(groups[1].missing).toMatchObject([
    { kde: 'Name of the field or other growing area', cites: '21 CFR 1.1325(a)(1)(v)', lines: 1, events: 1 },
  ])
  expect(total).toMatchObject({ events: 19, eventsWithGaps: 3 })
  const { content } = (await call('GET', total.records)).body
  expect(content.map(({ record, shipToLocationCode }: Payload) => [record, shipToLocationCode])).toEqual([
    ['receivingEvent', '00231'],
    ['receivingEvent', 'DC-07'],
    ['harvestingEvent', 'GV-COOLER-1'],
  ])
  expect((await call('GET', groups[1].missing[0].records)).body.content).toMatchObject([{ record: 'harvestingEvent' }])
})

test('the spreadsheet has its lines in the order of their dates, item codes with their zeros in none of its cells changed', async () => {
  const { text } = await call('GET', `/traceability/fda-spreadsheet?format=csv&lotCode=GV26063-A&${march}`)
  const rows = text.trim().split('\r\n').slice(1)
  expect(rows).toHaveLength(9)
  const dates = rows.map((row) => /,(\d\d\/\d\d\/2026),/.exec(row)?.[1])
  expect(dates).toEqual([...dates].sort())
  // The event at store 114 is written in UTC: its own date is the one in its text.
  expect(dates.filter((date) => date === '03/07/2026')).toHaveLength(4)
})

test.each([
  ['harvesting', 2],
  ['cooling', 1],
  ['initial-packing', 3],
  ['shipping', 6],
  ['receiving', 18],
  ['transformation', 5],
])('the sheet %s of FDA has %i rows', async (sheet, count) => {
  const query = new URLSearchParams({ format: 'csv', sheet, eventStartDate: '2026-03-01', eventEndDate: '2026-03-31' })
  const { status, text } = await call('GET', `/traceability/fda-spreadsheet?${query}`)
  expect(status, text).toBe(200)
  expect(text.trim().split('\r\n').slice(1)).toHaveLength(count)
})

test('EPCIS has an event for each record', async () => {
  let events = 0
  for (const kind of eventKindNames) {
    const { body } = await call('GET', `/traceability/epcis?${march}&kind=${kind}`)
    const { eventList } = body.epcisBody.queryResults.resultsBody
    events += eventList.filter(({ type }: Payload) => type !== 'AggregationEvent').length
  }
  expect(events).toBe(exampleChain.size)
})
