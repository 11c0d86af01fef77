// Sums of decimals are exact, whatever their size and order.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ExactSum } from '../../src/contract/text/exact-sum.ts'

const sumOf = (numbers: readonly number[]): ExactSum => {
  const sum = new ExactSum()
  for (const number of numbers) sum.add(number)
  return sum
}

test('0.1 and 0.2 are 0.3, and what is taken away again leaves nothing', () => {
  expect(sumOf([0.1, 0.2]).value).toBe(0.3)
  expect(sumOf([0.1, 0.2, -0.3]).sign).toBe(0)
  expect(sumOf([2 ** 53, 1, -(2 ** 53)]).value).toBe(1)
})

test('a sum beyond the largest number is that number', () => {
  expect(sumOf([1.7e308, 1.7e308]).value).toBe(Number.MAX_VALUE)
  expect(sumOf([-1.7e308, -1.7e308]).value).toBe(-Number.MAX_VALUE)
})

test('whatever is added and taken away in any order leaves exactly the rest', () => {
  const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 20 })
  fc.assert(
    fc.property(numbers, fc.integer(), (some, rest) => {
      const sum = sumOf([...some, rest, ...some.toReversed().map((number) => -number)])
      expect([sum.value, sum.sign]).toEqual([rest, Math.sign(rest)])
    }),
  )
})
