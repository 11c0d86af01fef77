import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../src/contract/json/canonical.ts'
import { deepFrozen } from '../samples/declared-shapes.ts'
import { runs } from '../support/runs.ts'

/** The same content with the keys of every object the other way round. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, reversed(part)]),
  )
}

describe('canonical JSON', () => {
  it.each<[unknown, string]>([
    [{ b: 1, a: { d: [2, 1], c: null } }, '{"a":{"c":null,"d":[2,1]},"b":1}'],
    [[{ b: 1, a: 2 }], '[{"a":2,"b":1}]'],
    [{ B: 1, a: 2, é: 3, Z: 4 }, '{"B":1,"Z":4,"a":2,"é":3}'],
    [{}, '{}'],
    ['"', '"\\""'],
    [JSON.parse('{"b":1,"__proto__":{"z":1,"y":2}}'), '{"__proto__":{"y":2,"z":1},"b":1}'],
    [JSON.parse('{"a":1.10,"b":1e3,"c":-0}'), '{"a":1.1,"b":1000,"c":0}'],
  ])('of %j is %s', (value, text) => {
    expect(canonicalJson(deepFrozen(value))).toBe(text)
  })

  it('is one text for one content, whatever the order of the keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
      }),
      { numRuns: runs(1_000) },
    )
  })

  it('is another text for other content, list order included', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        // Parsing it gives the content back, so no two contents share a text.
        expect(JSON.parse(canonicalJson(a))).toEqual(JSON.parse(JSON.stringify(a)))
        if (JSON.stringify(a) === JSON.stringify(b)) expect(canonicalJson(a)).toBe(canonicalJson(b))
      }),
      { numRuns: runs(1_000) },
    )
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]))
  })
})
