// Builds JSON Schemas, typed as TypeBox types them. Its own builders are 700 modules, which took
// every start of the program 0.13 s of processor time (decision 0076).
import type { Type as TypeBox } from 'typebox'

type Fields = Readonly<Record<string, unknown>>

/** Properties that an object may lack. */
const optional = new WeakSet<Fields>()

const ofType = (type: string) => (options?: Fields) => ({ type, ...options })

const builders = {
  Array: (items: Fields, options?: Fields) => ({ type: 'array', items, ...options }),
  Boolean: ofType('boolean'),
  Enum: (values: readonly unknown[], options?: Fields) => ({ enum: values, ...options }),
  Integer: ofType('integer'),
  Literal: (value: unknown, options?: Fields) => ({ type: typeof value, const: value, ...options }),
  Null: ofType('null'),
  Number: ofType('number'),
  Object: (properties: Readonly<Record<string, Fields>>, options?: Fields) => {
    const required = Object.entries(properties).flatMap(([name, schema]) => (optional.has(schema) ? [] : [name]))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },
  Optional: (schema: Fields) => {
    const marked = { ...schema }
    optional.add(marked)
    return marked
  },
  String: ofType('string'),
  Union: (anyOf: readonly Fields[], options?: Fields) => ({ anyOf, ...options }),
  Unsafe: (schema: Fields) => schema,
}

export const Type = builders as unknown as Pick<typeof TypeBox, keyof typeof builders>
