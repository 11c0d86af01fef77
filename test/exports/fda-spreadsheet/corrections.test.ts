// What a replacement is told as: the cells of FDA's sheet that changed, and nothing that did not.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Correction,
  correctionCells,
  correctionsBetween,
} from '../../../src/exports/fda-spreadsheet/corrections.ts'
import type { ExportFilters } from '../../../src/exports/fda-spreadsheet/event-lines.ts'
import type { Json } from '../../samples/declared-shapes.ts'
import { sampleExport } from '../../samples/exported-events.ts'

const correctedAt = new Date('2026-03-09T10:11:12Z')

function between(
  before: (payload: Json) => void,
  after: (payload: Json) => void,
  filters: ExportFilters = {},
): readonly Correction[] {
  const at = { submittedAt: correctedAt, purgedBefore: null, voidReason: null, reason: 'Read from the paper' }
  return correctionsBetween({ event: sampleExport(before), ...at }, { event: sampleExport(after), ...at }, filters)
}

/** Lines made of the first one, with what each says otherwise. */
const lines =
  (...some: readonly Json[]) =>
  (payload: Json) => {
    const [first] = payload.eventList.productList
    payload.eventList.productList = some.map((one) => ({ ...first, ...one }))
  }

const told = (corrections: readonly Correction[]) =>
  corrections.map(({ index, column, what, before, after }) => [index, column?.letter ?? what, before, after])

const L = (caseLotNumber: string, shipQuantity = 1) => ({ caseLotNumber, shipQuantity })

describe('a correction', () => {
  test('names lot code, quantity and line, the version and when it was submitted', () => {
    const [first, second] = between(lines(L('L1', 40)), lines(L('L2', 41)))
    expect(first && correctionCells(first)).toEqual([
      '01890000-0000-7000-8000-000000000001',
      '1',
      '2026-03-09T10:11:12Z',
      '1',
      'L2',
      'A',
      'Traceability Lot Code',
      'L1',
      'L2',
      'Read from the paper',
    ])
    expect(second && correctionCells(second).slice(5)).toEqual(['B', 'Quantity', '40', '41', 'Read from the paper'])
  })

  test('of a value of the whole event is listed once, whatever the number of lines', () => {
    const moved = (payload: Json) => {
      lines(L('L1'), L('L2'), L('L3'))(payload)
      payload.eventList.eventDateTime = '2026-03-05T09:30:00-08:00'
      payload.eventList.billOfLadingNumber = 'B7'
    }
    expect(told(between(lines(L('L1'), L('L2'), L('L3')), moved))).toEqual([
      [undefined, 'X', '03/04/2026', '03/05/2026'],
      [undefined, 'AG', 'Purchase Order (PO)', 'Bill of Lading (BOL)'],
      [undefined, 'AH', 'PO-1', 'B7'],
      [undefined, 'AI', '', 'Purchase Order (PO)'],
      [undefined, 'AJ', '', 'PO-1'],
    ])
  })

  test('of rows that came and went says what they were', () => {
    expect(told(between(lines(L('L1', 5), L('L2')), lines(L('L2'), { ...L('L9', 7), vendorItemCode: 'NEW' })))).toEqual(
      [
        [0, 'row removed', expect.stringContaining('L1, 5 case'), ''],
        [1, 'row added', '', 'L9, 7 case, NEW'],
      ],
    )
    expect(told(between(lines(L('L1', 5), L('L2')), lines(L('L2'))))).toEqual([
      [0, 'row removed', expect.stringContaining('L1, 5 case'), ''],
    ])
    expect(told(between(lines(L('L2')), lines(L('L2'), L('L3', 8))))).toEqual([
      [1, 'row added', '', expect.stringContaining('L3, 8 case')],
    ])
  })

  test('counts for the lines that were asked for, before it or after it', () => {
    const [before, after] = [lines(L('L1', 5), L('X', 1)), lines(L('L2', 5), L('X', 2))]
    for (const lotCode of ['L1', 'L2'])
      expect(told(between(before, after, { lotCode: [lotCode] }))).toEqual([[0, 'A', 'L1', 'L2']])
    expect(told(between(before, after, { lotCode: ['X'] }))).toEqual([[1, 'B', '1', '2']])
  })

  test('that changed no cell says so', () => {
    expect(told(between(lines(L('L1')), lines({ ...L('L1'), poLineNumber: '7' })))).toEqual([
      [undefined, 'no cell of these rows changed', '', ''],
    ])
  })
})

const someLines = fc.array(
  fc.record({
    caseLotNumber: fc.constantFrom('L1', 'L2', 'L3'),
    shipQuantity: fc.nat(9),
    vendorItemCode: fc.constantFrom('A', 'B'),
  }),
  { minLength: 1, maxLength: 8 },
)

test('lines in another order are no correction', () => {
  fc.assert(
    fc.property(
      someLines.chain((some) => fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length }))),
      ([one, other]) => {
        expect(told(between(lines(...one), lines(...other)))).toEqual([
          [undefined, 'no cell of these rows changed', '', ''],
        ])
      },
    ),
  )
})

test('one changed quantity is one correction, wherever the line moves', () => {
  fc.assert(
    fc.property(someLines, fc.nat(7), fc.integer({ min: 100, max: 999 }), (some, at, quantity) => {
      const i = at % some.length
      const changed = some.map((line, n) => (n === i ? { ...line, shipQuantity: quantity } : line)).reverse()
      const corrections = told(between(lines(...some), lines(...changed)))
      expect(corrections).toEqual([[some.length - 1 - i, 'B', String(some[i]?.shipQuantity), String(quantity)]])
    }),
  )
})

test('rows that came less those that went are the lines that there are more', () => {
  fc.assert(
    fc.property(someLines, someLines, (one, other) => {
      const count = (what: string) =>
        between(lines(...one), lines(...other)).filter((some) => some.what === what).length
      expect(count('row added') - count('row removed')).toBe(other.length - one.length)
    }),
  )
})
