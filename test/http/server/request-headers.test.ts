// Prefer, as RFC 7240 writes it. What the grammar allows means the same however it is written.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPreferences } from '../../../src/http/request-headers.ts'
import { leastProcessorMs } from '../../support/patience.ts'
import { runs } from '../../support/runs.ts'

const read = (header: string) => {
  const preferences = readPreferences(header)
  if ('problem' in preferences) throw new Error(preferences.problem)
  return preferences
}

test.each([
  ['handling=strict', true],
  ['handling = strict', true],
  ['Handling=Strict', true],
  ['handling="strict"', true],
  ['handling="str\\ict"', true],
  ['handling=strict;x=1', true],
  ['handling=strict ; x ; y="a, b"', true],
  ['respond-async, wait=100, handling=strict', true],
  ['foo="handling=lenient, ", handling=strict', true],
  [',, handling=strict ,', true],
  ['\thandling\t=\tstrict\t', true],
  ['handling=strict, handling=lenient', true],
  ['handling=lenient, handling=strict', false],
  ['handling, handling=strict', false],
  ['handling="", handling=strict', false],
  ['foo="handling=strict"', false],
  ['foo; handling=strict', false],
  ['handling=stricter', false],
  ['strict', false],
  ['', false],
])('Prefer: %s asks for strict handling: %s', (header, strict) => {
  expect(read(header).strict).toBe(strict)
})

test.each([
  ['return=minimal, return=representation', false],
  ['return=representation, return=minimal', true],
  ['return=representation;x=1', true],
])('of equal names the first counts: Prefer: %s asks for a representation: %s', (header, representation) => {
  expect(read(header).representation).toBe(representation)
})

test('Preference-Applied lists exactly the applied preferences', () => {
  expect(read('wait=3, return = representation, handling="strict";x').applied).toBe(
    'handling=strict, return=representation',
  )
  expect(read('return=minimal, handling=lenient').applied).toBe('handling=lenient, return=minimal')
  expect(read('wait=3, handling=stricter').applied).toBeUndefined()
})

test.each(['handling==strict', 'handling=', '=strict', 'handling="strict', 'handling strict', 'a b', '"', 'x;=1', 'ä'])(
  'Prefer: %s is no list of preferences, and is refused instead of ignored',
  (header) => {
    expect(readPreferences(header)).toEqual({ problem: expect.stringContaining('handling=strict') })
  },
)

describe('whatever is sent', () => {
  const token = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,8}$/)
  const blank = fc.stringMatching(/^[ \t]{0,2}$/)
  const quoted = fc
    .stringMatching(/^[\t -~]{0,8}$/)
    .map((text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`)
  const word = fc.oneof(token, quoted)
  const pair = fc
    .tuple(token, fc.option(fc.tuple(blank, blank, word)))
    .map(([name, value]) => (value === null ? name : `${name}${value[0]}=${value[1]}${value[2]}`))
  const preference = fc
    .tuple(pair, fc.array(fc.tuple(blank, blank, fc.option(pair, { nil: '' })), { maxLength: 2 }))
    .map(([one, parameters]) => one + parameters.map(([a, b, parameter]) => `${a};${b}${parameter}`).join(''))
  const others = fc.array(
    preference.filter((one) => !/^(handling|return)\b/i.test(one)),
    { maxLength: 3 },
  )

  test('a preference is found among any others, in any form of the grammar', () => {
    fc.assert(
      fc.property(others, others, blank, blank, fc.constantFrom('strict', 'lenient'), fc.boolean(), (...given) => {
        const [before, after, left, right, value, isQuoted] = given
        const one = `handling${left}=${right}${isQuoted ? `"${value}"` : value}`
        expect(read([...before, one, ...after].join(`${left},${right}`)).strict).toBe(value === 'strict')
      }),
      { numRuns: runs(500) },
    )
  })

  test('any header is read or refused in an instant', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (header) => {
        readPreferences(header)
      }),
    )
    const hostile = [' '.repeat(16_000), '='.repeat(16_000), 'a;'.repeat(8_000), `a="${'\\"'.repeat(8_000)}`]
    const took = leastProcessorMs(() => {
      for (const header of hostile) readPreferences(header)
    })
    expect(took).toBeLessThan(500)
  })
})
