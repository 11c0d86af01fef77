// The declared shapes, as fields to show and to fill in. Pure.

import type { RecordKind } from '../../contract/record-kinds.ts'
import type { Shape } from '../../contract/shape/field.ts'
import { pointerStep } from '../../contract/shape/finding.ts'

export interface DeclaredField {
  readonly name: string
  readonly pointer: string
  readonly shape: Shape
  readonly required: boolean
}

/** The fields of an object in the order of their declaration. */
export const fieldsIn = ({ properties = {}, required = [] }: Shape, at: string): readonly DeclaredField[] =>
  Object.entries(properties).map(([name, shape]) => ({
    name,
    pointer: at + pointerStep(name),
    shape,
    required: required.includes(name),
  }))

/** A field of one value: text, number or yes and no. */
export const isPlain = ({ type }: Shape): boolean => type === 'string' || type === 'number' || type === 'boolean'

/** The shape of a replacement, without the id, which is in the address. */
export const payloadShape = ({ payload }: Pick<RecordKind, 'payload'>): Shape => payload as Shape

/** The shape at `name` of an object, which has to be there. */
export function shapeAt(shape: Shape, ...names: readonly string[]): Shape {
  return names.reduce<Shape>((part, name) => {
    const next = name === '*' ? part.items : part.properties?.[name]
    if (next === undefined) throw new Error(`${name} is not declared.`)
    return next
  }, shape)
}
