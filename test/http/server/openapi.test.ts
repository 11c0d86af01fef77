// What the OpenAPI document says besides what answers prove: roles, types and forms that clients
// are generated from.
import { describe, expect, test } from 'vitest'
import { mayAs, roles } from '../../../src/contract/role.ts'
import { openapi } from '../../../src/http/openapi.ts'
import { catalogue } from '../../../src/operations/catalogue.ts'

interface DescribedOperation {
  readonly operationId: string
  readonly description: string
  readonly tags: readonly string[]
  readonly 'x-required-role': string
}
const described = Object.values(openapi.paths).flatMap((path) => Object.values(path) as DescribedOperation[])

/** Every object of the document, with where it stands. */
function* objectsIn(value: unknown, at = ''): Generator<readonly [string, Readonly<Record<string, unknown>>]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [at, value as Readonly<Record<string, unknown>>]
  for (const [key, one] of Object.entries(value)) yield* objectsIn(one, `${at}/${key}`)
}

test('each operation says which keys may ask it, by name and in words', () => {
  expect(described).toHaveLength(catalogue.length)
  for (const { name, role } of catalogue) {
    const one = described.find(({ operationId }) => operationId === name)
    expect(one?.['x-required-role'], name).toBe(role)
    const words = /Key: (.*)\./.exec(one?.description ?? '')?.[1] ?? ''
    for (const held of roles) expect(words.includes(held), `${name}, ${held}`).toBe(mayAs(held, role))
  }
})

test('every enum has the type of its values', () => {
  const enums = [...objectsIn(openapi)].filter(([, { enum: values }]) => Array.isArray(values))
  expect(enums.length).toBeGreaterThan(0)
  for (const [at, { enum: values, type }] of enums)
    expect(new Set((values as unknown[]).map((value) => typeof value)), at).toEqual(new Set([type]))
})

test('every schema begins with a capital, and every tag is described', () => {
  const names = Object.keys(openapi.components.schemas)
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !/^[A-Z]/.test(name))).toEqual([])
  const tags = new Map(openapi.tags.map(({ name, description }) => [name, description]))
  for (const { tags: own } of described) for (const tag of own) expect(tags.get(tag), tag).toMatch(/^[A-Z].*\.$/)
})

describe('numbers of a scheme have the pattern of their digits', () => {
  const patternOf = (schema: string, field: string): RegExp => {
    const { properties } = openapi.components.schemas[schema] as { properties: Record<string, { pattern: string }> }
    return new RegExp(properties[field]?.pattern ?? '$.')
  }
  test.each([
    ['Product', 'gtin', [14]],
    ['MasterProduct', 'gtin', [14]],
    ['Product', 'itemUpc', [8, 12, 13]],
    ['Product', 'innerPackUpc', [8, 12, 13, 14]],
    ['Location', 'gln', [13]],
    ['MasterLocation', 'duns', [9]],
    ['ProductLine', 'caseGtin', [14]],
    ['ProductLine', 'palletId', [18]],
    ['ProductLine', 'itemUpc', [8, 12, 13]],
    ['ProductLine', 'tlcSourceReferenceGln', [13]],
    ['ProductLine', 'tlcSourceReferenceDuns', [9]],
  ])('%s.%s: %j', (schema, field, counts) => {
    const pattern = patternOf(schema, field)
    for (let digits = 1; digits <= 20; digits++)
      expect(pattern.test('1'.repeat(digits)), `${digits} digits`).toBe(counts.includes(digits))
    // Blank counts as absent (decision 0009).
    expect(['', '  ', '1234567890123x', ' 12345678'].map((text) => pattern.test(text))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})
