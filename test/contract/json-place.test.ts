import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linesOf, placesIn } from '../../src/contract/json/json-place.ts'
import { pointerStep } from '../../src/contract/shape/finding.ts'
import { processorMs } from '../support/patience.ts'

/** The text from the place on. */
const behind = (text: string, pointer: string): string => {
  const { line, column } = linesOf(text)(placesIn(text, [pointer]).get(pointer)?.at ?? -1)
  const lines = text.split('\n')
  return lines
    .slice(line - 1)
    .join('\n')
    .slice(column - 1)
}

/** Every pointer into a value, with what stands at it. */
function* partsOf(value: unknown, at = ''): Generator<{ pointer: string; key: string | number; value: unknown }> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const pointer = at + pointerStep(key)
    yield { pointer, key: Array.isArray(value) ? Number(key) : key, value: inner }
    yield* partsOf(inner, pointer)
  }
}

describe('the place of a pointer', () => {
  const text = '{\r\n  "eventList": {\n    "productList": [\n      { "a": 1 }, {"b/~": "]"}\n    ]\n  }\n}\n'

  const linesAndColumns = (pointers: readonly string[]) =>
    [...placesIn(text, pointers).values()].map(({ at }) => linesOf(text)(at))

  it('is the place of the name of a field, or of the start of an entry', () => {
    expect(linesAndColumns(['', '/eventList', '/eventList/productList/1', '/eventList/productList/1/b~1~0'])).toEqual([
      { line: 1, column: 1 },
      { line: 2, column: 3 },
      { line: 4, column: 19 },
      { line: 4, column: 20 },
    ])
  })

  it('of what the text lacks is at what should hold it', () => {
    expect(linesAndColumns(['/eventList/productList/1/x', '/eventList/x', '/x/y/z'])).toEqual([
      { line: 4, column: 19 },
      { line: 2, column: 3 },
      { line: 1, column: 1 },
    ])
  })

  it('is found for every part of any JSON text, however it is spaced, and the value alone', () => {
    const spaces = fc.constantFrom(0, 1, 3, '\t')
    const objects = fc.dictionary(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 4 }))
    fc.assert(
      fc.property(objects, spaces, (value, space) => {
        const spaced = JSON.stringify(value, undefined, space)
        for (const part of partsOf(JSON.parse(spaced))) {
          const rest = behind(spaced, part.pointer)
          const written = JSON.stringify(part.value)
          expect(rest.startsWith(typeof part.key === 'string' ? JSON.stringify(part.key) : (written[0] ?? ''))).toBe(
            true,
          )
          const { start, end } = placesIn(spaced, [part.pointer]).get(part.pointer) ?? {}
          expect(JSON.stringify(JSON.parse(spaced.slice(start, end)))).toBe(written)
        }
      }),
    )
  })

  it('is found in a large text in a moment', () => {
    const large = JSON.stringify({ list: Array.from({ length: 50_000 }, (_, i) => ({ name: `entry ${i}`, i })) })
    const began = processorMs()
    const pointers = Array.from({ length: 500 }, (_, i) => `/list/${i * 100}/missing`)
    expect(placesIn(large, pointers).size).toBe(500)
    expect(processorMs() - began).toBeLessThan(500)
  })
})
