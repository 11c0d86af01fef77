// Drafts and comparisons: nothing is lost, and every difference is told.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draftText, readDraft, withValueAt } from '../../../src/console/drafts/draft.ts'
import { comparedRows, mergedOf, placeWords } from '../../../src/console/records/comparison.ts'
import { stepsOf } from '../../../src/console/records/pointers.ts'
import { runs } from '../../support/runs.ts'

/** JSON without `__proto__`, which no payload may have. */
const json = fc.object({
  key: fc.string({ maxLength: 6 }).filter((key) => key !== '__proto__'),
  values: [fc.string(), fc.integer(), fc.boolean(), fc.constant(null)],
  maxDepth: 3,
})

test('a value is put at its place, and nothing else changes; taking it out again leaves what was', () => {
  const payload = { eventList: { productList: [{ a: 1 }, { a: 2 }] } }
  expect(withValueAt(payload, stepsOf('/eventList/productList/1/b'), 'x')).toEqual({
    eventList: { productList: [{ a: 1 }, { a: 2, b: 'x' }] },
  })
  expect(withValueAt(payload, stepsOf('/eventList/productList/0'), undefined)).toEqual({
    eventList: { productList: [{ a: 2 }] },
  })
  expect(withValueAt({}, stepsOf('/address/city'), 'Salinas')).toEqual({ address: { city: 'Salinas' } })
  expect(payload.eventList.productList).toHaveLength(2)
})

test('a draft is read as the service reads it', () => {
  expect(readDraft(draftText({ a: 1 }))).toEqual({ value: { a: 1 } })
  expect(readDraft('{ "a": 1,\n "a": 2 }')).toMatchObject({ line: 2, column: 2 })
  expect(readDraft('{\n"a": 0.1000000000000000055511151231257827 }')).toMatchObject({ line: 2 })
})

test('a draft is written with an indent, but a long list with one entry on each line', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value = JSON.parse(text)
      expect(draftText(value)).toBe(JSON.stringify(value, null, 2))
      const long = { lines: Array.from({ length: 1_000 }, () => value), after: value }
      const written = draftText(long)
      expect(JSON.parse(written)).toEqual(long)
      const { length } = draftText({ after: value }).split('\n')
      expect(written.split('\n')).toHaveLength(1_002 + length)
    }),
    { numRuns: runs(100) },
  )
})

test('what was removed stands first', () => {
  const rows = comparedRows({ a: 1, b: { c: 1 }, d: 1 }, { b: { c: 2 }, d: 1, e: 1 })
  expect(rows.map(({ change, pointer }) => `${change} ${pointer}`)).toEqual([
    'removed /a',
    'replaced /b/c',
    'added /e',
    'same /d',
  ])
})

test('a place is named in words', () => {
  expect(placeWords('/eventList/productList/1/caseLotNumber')).toBe('Product line 2 › Lot code')
  expect(placeWords('/eventList/shipToLocationCode')).toBe('Receiving location')
  expect(placeWords('/locationMasterList/1/gln')).toBe('Location 2 › GLN')
  expect(placeWords('/locationMasterList/gln')).toBe('GLN')
  expect(placeWords('/eventList')).toBe('Event')
  expect(placeWords('')).toBe('The whole record')
})

test('changes of one side alone are never lost, whichever side', () => {
  fc.assert(
    fc.property(json, json, (base, other) => {
      expect(mergedOf(base, base, other)).toEqual({ merged: other, conflicts: [] })
      expect(mergedOf(base, other, base)).toEqual({ merged: other, conflicts: [] })
      expect(mergedOf(base, other, other)).toEqual({ merged: other, conflicts: [] })
    }),
  )
})

test('changes of both sides come together; where both changed one place, mine stands and is named', () => {
  const base = { a: 1, b: 1, c: 1, lines: [{ q: 1 }, { q: 2 }] }
  const mine = { a: 2, b: 1, c: 2, lines: [{ q: 1 }, { q: 3 }] }
  const theirs = { a: 1, c: 3, d: 1, lines: [{ q: 9 }, { q: 2 }] }
  expect(mergedOf(base, mine, theirs)).toEqual({
    merged: { a: 2, c: 2, d: 1, lines: [{ q: 9 }, { q: 3 }] },
    conflicts: ['/c'],
  })
})
