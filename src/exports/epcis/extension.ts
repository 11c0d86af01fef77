// The part of an event under our own namespace: objects of the contract as written.

import { isGiven, type Shape } from '../../contract/shape/field.ts'
import { prefix, prefixed } from '../../epcis/namespace.ts'
import { namespaceOf } from './identifiers.ts'
import { mapping } from './mapping.ts'

export type JsonObject = Record<string, unknown>

/** Of shapes without a table in the mapping: the fields that only a standard field has. */
const inStandardFields: ReadonlySet<string> = new Set(['eventList', 'eventDateTime'])

/**
 * The fields of an object as written, except lists of objects, each of which gets its identifier.
 * Blank values (decision 0009) and empty objects count as absent.
 */
export function asWritten(shape: object, value: object): JsonObject {
  const { title = '', properties = {} } = shape as Shape
  const written: JsonObject = {}
  for (const [field, inner] of Object.entries(properties)) {
    const part = (value as JsonObject)[field]
    const isWritten = mapping[title]?.[field]?.asWritten ?? !inStandardFields.has(field)
    if (!isWritten || !isGiven(part) || inner.items?.title !== undefined) continue
    const whole = inner.title === undefined ? inOrder(part) : asWritten(inner, part as object)
    if (inner.title === undefined || Object.keys(whole as object).length > 0) written[prefixed(field)] = whole
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
