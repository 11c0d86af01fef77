// The declared shapes of all payloads, and every place in them: what tests walk, so that no field
// can be forgotten.
import type { TSchema } from 'typebox'
import { recordKinds } from '../../src/contract/record-kinds.ts'
import type { FieldAnnotations } from '../../src/contract/shape/field.ts'

/** A declared shape, as JSON Schema shows it. */
export interface DeclaredShape extends FieldAnnotations {
  readonly title?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, DeclaredShape>>
  readonly required?: readonly string[]
  readonly items?: DeclaredShape
  readonly anyOf?: readonly DeclaredShape[]
}

/** JSON as tests edit it, into wrong values too. */
// biome-ignore lint/suspicious/noExplicitAny: tests edit payloads freely, into wrong ones too
export type Json = any

/** Every payload shape: create and replace, of each kind of record. */
export const payloadShapes = recordKinds.flatMap((kind) => [
  { name: `create ${kind.noun}`, kind, shape: kind.createPayload as TSchema },
  { name: `replace ${kind.noun}`, kind, shape: kind.replacement as TSchema },
])

export const declared = (shape: TSchema): DeclaredShape => shape as DeclaredShape

/** The shape of one entry, where one or many are taken. */
export const oneOf = (shape: DeclaredShape): DeclaredShape => {
  const one = shape.anyOf?.find(({ type }) => type === 'object')
  return one === undefined ? shape : { ...one, ...(shape.description && { description: shape.description }) }
}

/** One place of a shape, in the full example of it. */
export interface Place {
  /** JSON Pointer. */
  readonly pointer: string
  readonly shape: DeclaredShape
  readonly required: boolean
  readonly oneOrMany: boolean
}

/** Every place below the root of a shape; of a list its first entry. */
export function* placesOf(shape: DeclaredShape, pointer = ''): Iterable<Place> {
  const one = oneOf(shape)
  for (const [name, field] of Object.entries(one.properties ?? {})) {
    const at = `${pointer}/${name}`
    yield {
      pointer: at,
      shape: oneOf(field),
      required: one.required?.includes(name) ?? false,
      oneOrMany: field['x-one-or-many'] ?? false,
    }
    yield* placesOf(field, at)
  }
  if (one.items !== undefined) {
    const at = `${pointer}/0`
    yield { pointer: at, shape: one.items, required: false, oneOrMany: false }
    yield* placesOf(one.items, at)
  }
}

/** A value with every field of the shape, each with the example the field gives. */
function fullExample(shape: DeclaredShape): Json {
  const one = oneOf(shape)
  if (one.type === 'object') {
    const fields = Object.entries(one.properties ?? {}).map(([name, field]) => [name, fullExample(field)])
    return Object.fromEntries(fields)
  }
  if (one.type === 'array' && one.items?.type === 'object') return [fullExample(one.items)]
  return structuredClone(one.examples?.[0])
}

/** The full example of a payload shape; a location list gets the second location it needs. */
export function fullPayload(shape: TSchema): Json {
  const payload = fullExample(declared(shape))
  const locations: Json[] | undefined = Array.isArray(payload.locationMasterList)
    ? payload.locationMasterList
    : undefined
  if (locations !== undefined)
    locations.push({
      ...structuredClone(locations[0]),
      locationCode: 'DC-07',
      gln: '0614141000029',
      duns: '987654321',
      alternateLocationCode: 'https://id.example.com/414/0614141000029',
    })
  return payload
}

const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

export const valueAt = (payload: Json, pointer: string): Json =>
  stepsOf(pointer).reduce((value, step) => value?.[step], payload)

/** A copy with another value at one place. */
export function withValue(payload: Json, pointer: string, value: unknown): Json {
  const steps = stepsOf(pointer)
  const last = steps.pop()
  if (last === undefined) return value
  const copy = structuredClone(payload)
  const parent = steps.reduce((part, step) => part?.[step], copy)
  // As JSON.parse makes it: an own property, whatever its name.
  if (typeof parent === 'object' && parent !== null)
    Object.defineProperty(parent, last, { value, enumerable: true, configurable: true, writable: true })
  return copy
}

/** A copy without one place. */
export function withoutPlace(payload: Json, pointer: string): Json {
  const steps = stepsOf(pointer)
  const last = steps.pop() ?? ''
  const copy = structuredClone(payload)
  const parent = steps.reduce((part, step) => part?.[step], copy)
  delete parent[last]
  return copy
}

/** Makes a value unchangeable all the way down: a write anywhere throws. */
export function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) deepFrozen(part)
  }
  return value
}
