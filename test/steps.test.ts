// Work in steps: the same results as without, and enough steps that others need not wait for all of
// it.
import { expect, test } from 'vitest'
import { traceSvg } from '../src/drawing/svg.ts'
import { mapInSteps, runSteps, type Steps } from '../src/steps.ts'
import { traced, tracedInSteps, went } from './samples/lot-events.ts'

/** How many steps the work has. */
function countSteps(work: Steps<unknown>): number {
  let count = 1
  while (!work.next().done) count++
  return count
}

test('a list is mapped whole and in order', () => {
  const items = Array.from({ length: 1_234 }, (_, n) => n)
  expect(runSteps(mapInSteps(items, (item, index) => [item * 2, index]))).toEqual(items.map((item) => [item * 2, item]))
  expect(countSteps(mapInSteps(items, (item) => item))).toBeGreaterThan(10)
})

const place = (n: number) => ({ locationCode: `L-${n}`, locationName: `Store ${n}`, gln: String(n) })
const chainOf = (length: number) => Array.from({ length }, (_, n) => went(place(n % 300), place((n * 7) % 400)))

test('a trace and its drawing take more steps the more events they are of', () => {
  const [few, many] = [chainOf(20), chainOf(2_000)]
  expect(countSteps(tracedInSteps(many))).toBeGreaterThan(countSteps(tracedInSteps(few)) + 5 * (2_000 / 100))
  expect(countSteps(traceSvg(traced(many)))).toBeGreaterThan(countSteps(traceSvg(traced(few))) + 2_000)
})
