// The reason of a replacement as a header of RFC 9651.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readChangeReason, writeChangeReason } from '../../src/contract/change-reason.ts'
import { runs } from '../support/runs.ts'

test('any one line of text comes back as it was written, in visible ASCII', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter((text) => !/\p{Cc}/u.test(text)),
      (reason) => {
        fc.pre(reason.trim() !== '' && [...reason].length <= 100 && reason.isWellFormed())
        const header = writeChangeReason(reason)
        expect(header).toMatch(/^[ -~]+$/)
        expect(readChangeReason(header)).toBe(reason)
      },
    ),
    { numRuns: runs(300) },
  )
})

test.each([
  ['"Read from the paper"', 'Read from the paper'],
  ['"a \\"quoted\\" \\\\ part"', 'a "quoted" \\ part'],
  ['%"Se%c3%b1al le%c3%adda mal"', 'Señal leída mal'],
  ['  "blanks around"  ', 'blanks around'],
])('%s is %s', (header, reason) => {
  expect(readChangeReason(header)).toBe(reason)
})

test.each([
  ['Read from the paper', 'must be a text in quotes'],
  ['"open', 'must be a text in quotes'],
  ['"one", "two"', 'must be a text in quotes'],
  ['"Señal"', 'must be a text in quotes'],
  ['"a \\x"', 'must be a text in quotes'],
  ['%"%C3%B1"', 'must be a text in quotes'],
  ['%"%c3"', 'must be a text in quotes'],
  ['%"%0a"', 'is blank'],
  ['%"a%0ab"', 'has a control character'],
  ['""', 'is blank'],
  ['"   "', 'is blank'],
  [`"${'x'.repeat(101)}"`, 'has more than 100 characters'],
])('%s is refused, with what is wrong', (header, problem) => {
  expect(readChangeReason(header)).toMatchObject({ problem: expect.stringContaining(problem) })
})
