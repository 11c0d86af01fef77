import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pointerStep } from '../../src/contract/finding.ts'
import { placesIn } from '../../src/contract/json-place.ts'
import { processorMs } from '../support/patience.ts'

/** The text from the place on. */
const behind = (text: string, pointer: string): string => {
  const place = placesIn(text, [pointer]).get(pointer)
  const lines = text.split('\n')
  return lines
    .slice((place?.line ?? 0) - 1)
    .join('\n')
    .slice((place?.column ?? 0) - 1)
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

  it('is where the name of a field stands, or where an entry begins', () => {
    const places = placesIn(text, ['', '/eventList', '/eventList/productList/1', '/eventList/productList/1/b~1~0'])
    expect(Object.fromEntries(places)).toEqual({
      '': { line: 1, column: 1 },
      '/eventList': { line: 2, column: 3 },
      '/eventList/productList/1': { line: 4, column: 19 },
      '/eventList/productList/1/b~1~0': { line: 4, column: 20 },
    })
  })

  it('of what the text lacks is at what should hold it', () => {
    const places = placesIn(text, ['/eventList/productList/1/x', '/eventList/x', '/x/y/z'])
    expect([...places.values()]).toEqual([
      { line: 4, column: 19 },
      { line: 2, column: 3 },
      { line: 1, column: 1 },
    ])
  })

  it('is found for every part of any JSON text, however it is spaced', () => {
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
