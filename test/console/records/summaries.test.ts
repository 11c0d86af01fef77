// What the console shows of records, traces and refusals, without a page.
import { describe, expect, test } from 'vitest'
import type { Refusal } from '../../../src/client/generated/shapes.ts'
import { changeCount, entryName } from '../../../src/console/records/comparison.ts'
import { filterLabel, valuesOf } from '../../../src/console/records/filters.ts'
import { isWithin } from '../../../src/console/records/pointers.ts'
import { recordSections, sectionAt, sectionOf } from '../../../src/console/records/record-sections.ts'
import {
  countSeverities,
  eventSummary,
  fieldsOf,
  joinGiven,
  listOf,
  recordName,
  severityCounts,
  textOf,
  tlcSourceWords,
} from '../../../src/console/records/record-summary.ts'
import { fieldsIn, isPlain, payloadShape, shapeAt } from '../../../src/console/records/shapes.ts'
import {
  amounts,
  eventChoice,
  eventsOfLeg,
  eventsOfPlace,
  eventsOfWay,
} from '../../../src/console/records/trace-choice.ts'
import { groupedByReason, reasonsOf } from '../../../src/console/words/refusals.ts'
import { location, masterProduct, receivingEvent, recordKinds } from '../../../src/contract/record-kinds.ts'
import { pluralize } from '../../../src/contract/text/pluralize.ts'
import type { LotTrace, TracedEvent, TracedLine, TracedLink } from '../../../src/tracing/lot-trace.ts'
import { eventPayload, locationPayload, productPayload } from '../../support/records/payloads.ts'

describe('the summary of an event', () => {
  test('names places by their names, and each lot code once', () => {
    const event = eventPayload(({ eventList }) => {
      eventList.eventDateTime = '2026-03-04T09:30:00-05:00'
      eventList.productList[1].caseLotNumber = eventList.productList[0].caseLotNumber
    })
    expect(eventSummary(event)).toEqual({
      received: '2026-03-04 09:30 −05:00',
      from: 'Green Valley Cooler',
      to: 'Distribution Center 7',
      purchaseOrder: 'PO-88120',
      vendor: 'Green Valley Farms',
      lotCodes: ['GV26062-A', 'GV26062-C'],
      lineCount: 3,
    })
  })

  test('names a place by its code where the payload has no name for it, and a vendor by its id', () => {
    const event = eventPayload((payload) => {
      payload.locationMasterList = []
      delete payload.eventList.dataProviderVendorName
    })
    expect(eventSummary(event)).toMatchObject({ from: 'GV-COOLER-1', to: 'DC-07', vendor: 'V-1001' })
  })

  test.each([
    {},
    { eventList: null },
    { eventList: [] },
    { eventList: { productList: 'none' }, locationMasterList: 3 },
  ])('of %j is empty, and does not fail', (record) => {
    expect(eventSummary(record)).toMatchObject({ received: '', from: '', to: '', lotCodes: [], lineCount: 0 })
  })
})

test('a record is called by what tells it from its neighbours', () => {
  expect(recordName('receivingEvent', eventPayload())).toBe('PO-88120')
  expect(recordName('masterProduct', productPayload())).toMatch(/^ITEM-\d+$/)
  expect(recordName('location', locationPayload())).toMatch(/^LOC-\d+$/)
  for (const { name } of recordKinds) expect(recordName(name, {})).toBe('')
})

test('the source of a lot code is its references, and else its name and place', () => {
  expect(tlcSourceWords({ tlcSourceReferenceGln: '0614141000012', tlcSourceName: 'Green Valley Farms' })).toBe(
    'GLN 0614141000012',
  )
  expect(tlcSourceWords({ tlcSourceReferenceUrl: 'https://example.com/x', tlcSourceReferenceFei: '3001' })).toBe(
    'FEI 3001, https://example.com/x',
  )
  expect(tlcSourceWords({ tlcSourceName: 'Green Valley Farms', tlcSourceCity: ' ', tlcSourceState: 'CA' })).toBe(
    'Green Valley Farms, CA',
  )
  expect(tlcSourceWords({})).toBe('')
})

test('findings are counted by severity, the worst first', () => {
  const finding = (severity: 'error' | 'warning' | 'gap') =>
    ({ severity, rule: '', pointer: '', message: '', remedy: '', cites: '', docsUrl: '' }) as const
  expect(severityCounts(countSeverities([finding('gap'), finding('error'), finding('gap')]))).toEqual([
    { severity: 'error', words: '1 error' },
    { severity: 'gap', words: '2 gaps' },
  ])
  expect(severityCounts(countSeverities([]))).toEqual([])
})

test('values of any form are read as the fields, lists and texts they may be', () => {
  for (const none of [undefined, null, 'text', 7, ['list']]) expect(fieldsOf(none)).toEqual({})
  expect(listOf([{ a: 1 }, 'text'])).toEqual([{ a: 1 }, {}])
  expect(listOf({ length: 1 })).toEqual([])
  expect([undefined, null, 0, false, 'x'].map(textOf)).toEqual(['', '', '0', 'false', 'x'])
  expect(joinGiven(', ', 'a', '', undefined, ' ', 'b')).toBe('a, b')
  expect([pluralize(1, 'line'), pluralize(1_200, 'line'), pluralize(0, 'entry', 'entries')]).toEqual([
    '1 line',
    '1,200 lines',
    '0 entries',
  ])
})

describe('a section of records', () => {
  test('is found by its kind and by every path below it, and not by one that only begins like it', () => {
    for (const section of recordSections) {
      expect(sectionOf(section.kind)).toBe(section)
      for (const path of [section.path, `${section.path}/x/versions`]) expect(sectionAt(path)).toBe(section)
    }
    expect(() => sectionAt('/eventsofdays')).toThrow('/eventsofdays is in no section of records.')
  })

  test('has every filter of its list but the page, and searches by one of them', () => {
    for (const { filters, search } of recordSections) {
      expect(Object.keys(filters)).toContain(search)
      expect(Object.keys(filters)).not.toContain('cursor')
      expect(Object.keys(filters)).not.toContain('limit')
    }
  })
})

test('filters say what they take, and lines of values are values, each once', () => {
  expect(filterLabel('eventStartDateTime', { form: 'dateTime', meaning: '', example: '' })).toBe('Received from (UTC)')
  expect(filterLabel('asnNumber', { form: 'text', meaning: '', example: '' })).toBe('Advance ship notice')
  expect(valuesOf(' a\n\nb\r\na ')).toEqual(['a', 'b'])
})

test('a place holds itself and what is inside it, and not its neighbour with a longer name', () => {
  expect(isWithin('/eventList/productList/1', '/eventList/productList/1')).toBe(true)
  expect(isWithin('/eventList/productList/1/caseGtin', '/eventList/productList/1')).toBe(true)
  expect(isWithin('/eventList/productList/10', '/eventList/productList/1')).toBe(false)
})

test('an entry of a list is called by its noun and counted from 1', () => {
  expect(entryName('productList', 0)).toBe('Product line 1')
  expect(entryName('gpsCoordinates', 1)).toBe('GPS coordinates 2')
  expect(changeCount({ added: ['/a'], removed: ['/b'], replaced: ['/c', '/d'] })).toBe(4)
})

describe('the shapes of forms', () => {
  test('list the fields of a payload in the order of their declaration, with their places', () => {
    const fields = fieldsIn(payloadShape(receivingEvent), '')
    expect(fields.map(({ name }) => name)).toEqual(Object.keys(receivingEvent.payload.properties))
    expect(fields.find(({ name }) => name === 'eventList')).toMatchObject({ pointer: '/eventList', required: true })
    expect(fields.find(({ name }) => name === 'payloadId')).toMatchObject({ required: false })
  })

  test('lead into objects and lists, and fail at what is not declared', () => {
    const line = shapeAt(payloadShape(receivingEvent), 'eventList', 'productList', '*')
    expect(isPlain(shapeAt(line, 'shipQuantity'))).toBe(true)
    expect(isPlain(line)).toBe(false)
    expect(() => shapeAt(payloadShape(location), 'eventList')).toThrow('eventList is not declared.')
    expect(() => shapeAt(payloadShape(masterProduct), 'productMasterDataList', '*')).toThrow('* is not declared.')
  })
})

describe('the events a trace shows', () => {
  const places = [
    { id: 'P1', name: 'Cooler' },
    { id: 'P2', name: 'Warehouse' },
    { id: 'P3', name: 'Store' },
  ]
  const trace = { places, shippedLinks: [{ from: 'P1', to: 'P2' }] } as unknown as LotTrace
  const link = (from: string, to: string, source = 'S1') => ({ from, to, source }) as TracedLink
  const event = (from: string, to: string) => ({ from, to }) as TracedEvent
  const line = (source: string) => ({ source }) as TracedLine

  test('are all of them unless the address names a place or a way', () => {
    expect(eventChoice('', trace, new Map())).toBeUndefined()
    expect(eventChoice(eventsOfPlace('P9'), trace, new Map())).toBeUndefined()
    expect(eventChoice('way-P1-P2-S1', trace, new Map())).toBeUndefined()
  })

  test('of a place are those to it and from it', () => {
    const choice = eventChoice(eventsOfPlace('P2'), trace, new Map())
    expect(choice?.words).toBe('to and from Warehouse')
    const held = [event('P1', 'P2'), event('P2', 'P3'), event('P1', 'P3')].map((one) => choice?.holds(one, line('S1')))
    expect(held).toEqual([true, true, false])
  })

  test('of a way are those of its links and of their source', () => {
    const links = [link('P1', 'P2'), link('P1', 'P3')]
    const name = eventsOfWay(links)
    const choice = eventChoice(name, trace, new Map([[name, links]]))
    expect(choice?.words).toBe('from Cooler to 2 places')
    expect(choice?.holds(event('P1', 'P3'), line('S1'))).toBe(true)
    expect(choice?.holds(event('P1', 'P3'), line('S2'))).toBe(false)
    expect(choice?.holds(event('P2', 'P3'), line('S1'))).toBe(false)
  })

  test('of what was shipped are those of both kinds on its way', () => {
    const drawn = [{ from: 'P1', to: 'P3' }]
    for (const [name, ways, to] of [
      [eventsOfLeg({ from: 'P1', to: 'P2' }), new Map(), 'P2'],
      [eventsOfWay(drawn), new Map([[eventsOfWay(drawn), drawn]]), 'P3'],
    ] as const) {
      const choice = eventChoice(name, trace, ways)
      expect([choice?.holds(event('P1', to), {}), choice?.holds(event('P1', to), line('S2'))]).toEqual([true, true])
      expect(choice?.holds(event('P2', 'P3'), {})).toBe(false)
    }
    const links = [link('P1', 'P2')]
    const choice = eventChoice(eventsOfWay(links), trace, new Map([[eventsOfWay(links), links]]))
    expect(choice?.holds(event('P1', 'P2'), {})).toBe(true)
  })

  test('have quantities by unit, and a dash for none', () => {
    const quantities = [
      { quantity: 1_200, unit: 'case' },
      { quantity: 3, unit: 'LB' },
    ]
    expect(amounts(quantities)).toBe('1,200 case, 3 LB')
    expect(amounts([])).toBe('–')
  })
})

describe('refusals', () => {
  const refusal = (rules: readonly (readonly [rule: string, severity: string])[], outcome = 'refused') =>
    ({ outcome, findings: rules.map(([rule, severity]) => ({ rule, severity })) }) as Refusal

  test('have their errors as reasons; warnings only where there is no error, and else the outcome', () => {
    const both = refusal([
      ['a/error', 'error'],
      ['a/error', 'error'],
      ['b/warning', 'warning'],
    ])
    expect(reasonsOf(both)).toEqual(['a/error'])
    expect(reasonsOf(refusal([['b/warning', 'warning']]))).toEqual(['b/warning'])
    expect(reasonsOf(refusal([], 'taken'))).toEqual(['taken'])
  })

  test('are grouped by reason, the most frequent first, each with its latest', () => {
    const [newest, middle, oldest] = [
      refusal([['a', 'error']]),
      refusal([
        ['b', 'error'],
        ['a', 'error'],
      ]),
      refusal([], 'taken'),
    ] as const
    expect(groupedByReason([newest, middle, oldest])).toEqual([
      { reason: 'a', count: 2, latest: newest },
      { reason: 'b', count: 1, latest: middle },
      { reason: 'taken', count: 1, latest: oldest },
    ])
  })
})
