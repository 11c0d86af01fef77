// The values that forms offer are of both kinds of events.
import { expect, test } from 'vitest'
import { joinValues } from '../../../src/console/records/event-values.ts'

const values = (
  content: readonly (readonly [value: string, label: string | null, records: number])[],
  isWhole = true,
) => ({
  content: content.map(([value, label, records]) => ({ value, label, records })),
  isWhole,
})

test('a value of both kinds is there once, with the records of both and the name that one of them gives it', () => {
  const received = values([
    ['V-1', null, 5],
    ['V-2', 'Two', 4],
  ])
  const shipped = values([
    ['V-3', 'Three', 6],
    ['V-1', 'One', 2],
  ])
  expect(joinValues([received, shipped])).toEqual(
    values([
      ['V-1', 'One', 7],
      ['V-3', 'Three', 6],
      ['V-2', 'Two', 4],
    ]),
  )
})

test('it is whole if every list is, and holds a page of those with the most records', () => {
  const many = values(
    Array.from({ length: 200 }, (_, n) => [`V-${n}`, null, n] as const),
    false,
  )
  const joined = joinValues([values([]), many])
  expect(joined.isWhole).toBe(false)
  expect(joined.content.map(({ records }) => records)).toEqual(Array.from({ length: 50 }, (_, n) => 199 - n))
})
