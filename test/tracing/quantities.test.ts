// Totals of a trace: texts that mean one unit are added up, and what was written is kept beside it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unitKeyOf } from '../../src/contract/text/units.ts'
import { Quantities, sumOf } from '../../src/tracing/quantities.ts'
import { writtenQuantitiesText } from '../../src/tracing/wording.ts'
import { runs } from '../support/runs.ts'

const of = (...amounts: readonly (readonly [quantity: number, unit: string])[]): Quantities => {
  const quantities = new Quantities()
  for (const [quantity, unit] of amounts) quantities.add(quantity, unit)
  return quantities
}

test.each([
  ['Case(s)', 'case'],
  ['case (s)', 'cases'],
  ['Box(es)', 'box'],
  ['pound(s).', 'lb'],
])('%s is the unit %s', (written, unit) => {
  expect(unitKeyOf(written)).toBe(unitKeyOf(unit))
})

test('case, cases, CS, cs. and CA are one unit, with what was written in each', () => {
  const quantities = of([10, 'case'], [20, 'cases'], [5, 'CS'], [1, 'cs.'], [4, ' CA '], [7, 'lb'], [3, 'POUNDS'])
  expect(quantities.list()).toEqual([
    {
      quantity: 40,
      unit: 'case',
      written: [
        { quantity: 10, unit: 'case' },
        { quantity: 20, unit: 'cases' },
        { quantity: 5, unit: 'CS' },
        { quantity: 1, unit: 'cs.' },
        { quantity: 4, unit: 'CA' },
      ],
    },
    {
      quantity: 10,
      unit: 'lb',
      written: [
        { quantity: 7, unit: 'lb' },
        { quantity: 3, unit: 'POUNDS' },
      ],
    },
  ])
  expect(writtenQuantitiesText(quantities.list())).toBe(
    '40 case (10 case, 20 cases, 5 CS, 1 cs., 4 CA), 10 lb (7 lb, 3 POUNDS)',
  )
  expect(quantities.of('Cases')).toBe(40)
})

test('units that differ stay apart, and one spelling has nothing beside its total', () => {
  expect(of([1, 'case'], [2, 'carton'], [3, 'each'], [4, 'Case'], [5, 'bunch']).list()).toEqual([
    { quantity: 5, unit: 'case' },
    { quantity: 2, unit: 'carton' },
    { quantity: 3, unit: 'each' },
    { quantity: 5, unit: 'bunch' },
  ])
})

test('a sum of sums is the sum of all, whatever the units and however they are grouped', () => {
  const amounts = fc.array(
    fc.tuple(
      fc.integer({ min: -1_000, max: 1_000 }).map((n) => n / 10),
      fc.constantFrom('case', 'Cases', 'CS', 'ca', 'lb', 'LBS', 'each', 'tub'),
    ),
    { maxLength: 20 },
  )
  fc.assert(
    fc.property(amounts, amounts, (some, others) => {
      const all = of(...some, ...others)
      expect(sumOf([of(...some), of(...others)])).toEqual(all.list())
      for (const { quantity, unit, written = [] } of all.list()) {
        const own = [...some, ...others].filter(([, text]) => unitKeyOf(text) === unitKeyOf(unit))
        expect(quantity).toBeCloseTo(own.reduce((sum, [amount]) => sum + amount, 0))
        if (written.length > 0) expect(of(...written.map((one) => [one.quantity, 'x'] as const)).of('x')).toBe(quantity)
      }
    }),
    { numRuns: runs(500) },
  )
})
