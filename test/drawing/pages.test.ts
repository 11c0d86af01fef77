// The pages on which a large drawing is printed.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pagesOf } from '../../src/drawing/pages.ts'

test('the pages of a drawing show all of it, in at most 40, none of them beside it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60_000 }), fc.integer({ min: 1, max: 60_000 }), (width, height) => {
      const { parts, columns, rows, ...size } = pagesOf({ width, height })
      expect(parts).toHaveLength(columns * rows)
      expect(parts.length).toBeLessThanOrEqual(40)
      for (const { x, y, row, column } of parts) {
        expect([x < width, y < height]).toEqual([true, true])
        // The next one begins within it.
        expect(x + size.width).toBeCloseTo(column === columns - 1 ? width : x + size.width, 3)
        expect(y + size.height).toBeCloseTo(row === rows - 1 ? height : y + size.height, 3)
      }
    }),
  )
  expect(pagesOf({ width: 900, height: 1_000 }).parts).toHaveLength(1)
  expect(pagesOf({ width: 901, height: 1_000 }).parts.map(({ x }) => x)).toEqual([0, 390.5])
})
