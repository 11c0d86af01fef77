// The part of an event under our own namespace: objects of the contract as written.

import { ReceivingEventPayload } from '../../contract/payloads.ts'
import { isGiven, type Shape } from '../../contract/shape/field.ts'
import { prefix, prefixed } from '../../epcis/namespace.ts'
import { namespaceOf } from './identifiers.ts'
import { mapping } from './mapping.ts'

export type JsonObject = Record<string, unknown>

/** Every shape of the contract with a table in the mapping, by name. */
const shapes = shapesIn(ReceivingEventPayload as object as Shape)

function shapesIn(shape: Shape): ReadonlyMap<string, Shape> {
  const parts = [...Object.values(shape.properties ?? {}), ...(shape.items ? [shape.items] : [])]
  return new Map([
    ...(shape.title === undefined ? [] : [[shape.title, shape] as const]),
    ...parts.flatMap((part) => [...shapesIn(part)]),
  ])
}

/**
 * The fields of an object as written, except lists of objects, each of which gets its identifier.
 * Blank values (decision 0009) and empty objects count as absent.
 */
export function asWritten(name: string, value: object): JsonObject {
  const { properties = {} } = shapes.get(name) ?? {}
  const written: JsonObject = {}
  for (const [field, mapped] of Object.entries(mapping[name] ?? {})) {
    const part = (value as JsonObject)[field]
    if (!mapped.asWritten || !isGiven(part) || properties[field]?.items?.title !== undefined) continue
    const inner = properties[field]?.title
    const whole = inner === undefined ? inOrder(part) : asWritten(inner, part as object)
    if (inner === undefined || Object.keys(whole as object).length > 0) written[prefixed(field)] = whole
  }
  return written
}

/**
 * A list whose order matters: JSON-LD reads a plain array as a set, and would flatten nested ones.
 */
const inOrder = (value: unknown): unknown => (Array.isArray(value) ? { '@list': value.map(inOrder) } : value)

/**
 * The `@context` of an export: that of EPCIS 2.0 and our prefix. Nothing else, because tools read
 * prefixes but no term definitions.
 */
export const contextOf = (base: string): readonly (string | JsonObject)[] => [
  'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
  { [prefix]: namespaceOf(base) },
]
