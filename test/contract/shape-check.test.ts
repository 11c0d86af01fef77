// The canonical text that the check of a shape writes, against a second implementation.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../src/contract/json/canonical.ts'
import type { Shape } from '../../src/contract/shape/field.ts'
import { hasShape } from '../../src/contract/shape/shape-check.ts'
import { fullPayload, payloadShapes } from '../samples/declared-shapes.ts'
import { runs } from '../support/runs.ts'

/** The canonical text without the id at the top; undefined of a value with another shape. */
function writtenOf(shape: Shape, value: unknown): string | undefined {
  let text: string | undefined
  const noteContent = (canonical: Uint8Array) => {
    text = new TextDecoder().decode(canonical)
  }
  hasShape(shape, value, { noteContent })
  return text
}

/** Keys in order, by the shortest way that there is. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

const withoutId = ({ id: _, ...content }: Record<string, unknown>) => content

const texts = fc.oneof(
  fc.string({ maxLength: 100 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('"', '\\', '/', '\n', '\t', '\u007f', '\u2028', 'é', '😀', '\u200b', 'a', '.') }),
)

/** Values of a shape, with their names in any order and with or without those that may be left out. */
function valuesOf(shape: Shape): fc.Arbitrary<unknown> {
  const { type, properties = {}, required = [], items = {}, minItems = 0 } = shape
  if (shape['x-one-or-many']) return fc.oneof(...(shape.anyOf ?? []).map(valuesOf))
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum)
  if (shape['x-form'] !== undefined || shape.format !== undefined) return fc.constantFrom(...(shape.examples ?? []))
  if (type === 'string') return texts.map((text) => `.${text}`.slice(0, 100)).filter((text) => text.isWellFormed())
  if (type === 'number') return fc.oneof(fc.double(), fc.integer(), fc.constantFrom(-0, 1e21, 1e-7, 0.1))
  if (type === 'boolean') return fc.boolean()
  if (type === 'array') return fc.array(valuesOf(items), { minLength: minItems, maxLength: minItems + 2 })
  const names = Object.keys(properties)
  return fc
    .record(Object.fromEntries(names.map((name) => [name, valuesOf(properties[name] ?? {})])), {
      requiredKeys: required as string[],
    })
    .chain((value) => fc.shuffledSubarray(Object.entries(value), { minLength: Object.keys(value).length }))
    .map((entries) => Object.fromEntries(entries))
}

describe.each(payloadShapes.map(({ shape }) => [(shape as Shape).title, shape as Shape] as const))('%s', (_, shape) => {
  it('is written as canonical JSON, whatever its values and the order of its names', () => {
    fc.assert(
      fc.property(valuesOf(shape), (value) => {
        // As JSON has it: NaN and infinite numbers are null there.
        const content = withoutId(value as Record<string, unknown>)
        expect(writtenOf(shape, value)).toBe(sorted(content))
        expect(canonicalJson(content)).toBe(sorted(content))
      }),
      { numRuns: runs(300) },
    )
  })

  it('is not written when a value breaches the shape', () => {
    expect(writtenOf(shape, { ...fullPayload(shape as never), surprise: 1 })).toBeUndefined()
    expect(writtenOf(shape, {})).toBeUndefined()
    expect(writtenOf(shape, [])).toBeUndefined()
  })
})

describe('an object or list of any size', () => {
  const shape: Shape = {
    type: 'object',
    properties: {
      empty: { type: 'object', properties: {} },
      list: { type: 'array', items: { type: 'string', maxLength: 100 } },
    },
  }

  it.each([0, 1, 2, 10_000])('is written with %d entries', (entries) => {
    for (const text of ['x'.repeat(99), '\u0001"é'.repeat(33)]) {
      const value = { list: Array.from({ length: entries }, () => text), empty: {} }
      expect(writtenOf(shape, value)).toBe(sorted(value))
    }
    expect(writtenOf(shape, { empty: {} })).toBe('{"empty":{}}')
    expect(writtenOf(shape, {})).toBe('{}')
  })
})
