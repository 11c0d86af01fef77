// What an export counts: events, lines, lots and places; gaps by column; corrections within their
// bounds.
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../../src/contract/shape/finding.ts'
import { type Correction, correctionsListedMax } from '../../../src/exports/fda-spreadsheet/corrections.ts'
import { eventLines } from '../../../src/exports/fda-spreadsheet/event-lines.ts'
import { Tally } from '../../../src/exports/fda-spreadsheet/tally.ts'
import type { Json } from '../../samples/declared-shapes.ts'
import { sampleExport } from '../../samples/exported-events.ts'

/** The canonical event with lines of these lot codes, and what else is changed. */
const withLots =
  (lots: readonly (string | undefined)[], edit: (payload: Json) => void = () => undefined) =>
  (payload: Json) => {
    const [first] = payload.eventList.productList
    payload.eventList.productList = lots.map((caseLotNumber) => ({ ...first, caseLotNumber }))
    edit(payload)
  }

const taken = (...edits: readonly ((payload: Json) => void)[]) => {
  const tally = new Tally(false)
  for (const edit of edits) tally.take(eventLines(sampleExport(edit), {}))
  return tally
}

describe('counted are', () => {
  test('events and lines', () => {
    const tally = taken(withLots(['A', 'B']), withLots(['C']))
    expect([tally.events, tally.lines]).toEqual([2, 3])
  })

  test('no event of which no line is chosen', () => {
    const tally = new Tally(false)
    tally.take(eventLines(sampleExport(), { lotCode: ['none of these'] }))
    expect([tally.events, tally.lines, tally.places]).toEqual([0, 0, 0])
  })

  test('lots once, but the same code of two sources as two, and a blank code as none', () => {
    expect(taken(withLots(['A', 'A']), withLots(['A'])).lots).toBe(1)
    const otherSource = (payload: Json) => {
      payload.eventList.productList[0].tlcSourceReferenceGln = '0614141000999'
    }
    expect(taken(withLots(['A']), withLots(['A'], otherSource)).lots).toBe(2)
    expect(taken(withLots([' ', undefined])).lots).toBe(0)
  })

  test('places once for each vendor', () => {
    expect(taken(withLots(['A']), withLots(['B'])).places).toBe(2)
    const otherVendor = (payload: Json) => {
      payload.eventList.dataProviderVendorId = 'V-2'
    }
    expect(taken(withLots(['A']), withLots(['A'], otherVendor)).places).toBe(4)
  })

  test('lines whose date is one in UTC, unless the time zone of the place is set', () => {
    const inUtc = withLots(['A', 'B'], (payload) => {
      payload.eventList.eventDateTime = '2026-03-04T01:00:00Z'
    })
    expect(taken(inUtc).utcDates).toBe(2)
    const tally = new Tally(false)
    tally.take(eventLines({ ...sampleExport(inUtc), timeZone: 'America/Chicago' }, {}))
    expect(tally.utcDates).toBe(0)
  })
})

describe('gaps', () => {
  const gap = (rule: string, pointer: string): Finding => ({
    rule,
    severity: 'gap',
    pointer,
    message: `Missing at ${pointer}.`,
    docsUrl: `/docs/rules/${rule}`,
    remedy: 'Send it.',
    cites: '21 CFR 1.1345',
  })
  const packSize = gap('product/packaging-size', '/productMasterDataList/0/packSize')
  const withoutPackSize = withLots(['A', 'B'], (payload) => delete payload.productMasterDataList[0].packSize)
  const takeAll = (tally: Tally, edit: (payload: Json) => void, gaps: readonly Finding[]) => {
    const lines = eventLines(sampleExport(edit, gaps), {})
    return lines.map((line, n) => [...tally.takeGaps(line, { isFirst: n === 0 })].map(({ letter }) => letter))
  }

  test('of a product empty a cell of each line of the item, and are listed with its index and lot code', () => {
    const tally = new Tally(true)
    expect(takeAll(tally, withoutPackSize, [packSize])).toEqual([['H'], ['H']])
    expect([tally.emptyCells, tally.missingCount, tally.byColumn.get('H')]).toEqual([2, 2, 2])
    expect(tally.missing).toMatchObject([
      { index: 0, lotCode: 'A', message: packSize.message },
      { index: 1, lotCode: 'B', message: packSize.message },
    ])
  })

  test('of the event are one missing element, and an empty cell in each of its lines', () => {
    const tally = new Tally(true)
    const withoutPhone = withLots(['A', 'B'], (payload) => delete payload.locationMasterList[0].phoneNumber)
    const ofPlace = gap('receiving-event/ship-from-description', '/locationMasterList/0/phoneNumber')
    expect(takeAll(tally, withoutPhone, [ofPlace])).toEqual([['K'], ['K']])
    expect([tally.emptyCells, tally.missingCount]).toEqual([2, 1])
    expect(tally.missing[0]).not.toHaveProperty('index')
  })

  test('whose column is filled leave no cell empty, and are listed all the same', () => {
    const tally = new Tally(true)
    expect(takeAll(tally, withLots(['A']), [packSize])).toEqual([[]])
    expect([tally.emptyCells, tally.missing.length]).toEqual([0, 1])
  })

  test('are counted and not listed where nobody lists them', () => {
    const tally = new Tally(false)
    takeAll(tally, withoutPackSize, [packSize])
    expect([tally.missingCount, tally.missing]).toEqual([2, []])
  })
})

test('of corrections a sheet gets as many as it has room for, and all are counted', () => {
  const tally = new Tally(false)
  const batch = (size: number, record: string) => Array.from({ length: size }, () => ({ id: record }) as Correction)
  expect(tally.takeCorrections(batch(correctionsListedMax - 1, 'one'))).toHaveLength(correctionsListedMax - 1)
  expect(tally.takeCorrections(batch(3, 'two'))).toHaveLength(1)
  expect(tally.takeCorrections(batch(2, 'two'))).toEqual([])
  expect([tally.correctionCount, tally.correctedRecords]).toEqual([correctionsListedMax + 4, 2])
  expect(tally.corrections.length).toBeLessThan(tally.correctionCount)
})
