// JSON Schemas of the parameters of an operation, for OpenAPI and for assistants.
import type { Operation } from './operation.ts'
import { limitDefault, limitMax, parameterValuesMax, type QueryParameter } from './query.ts'

/** Schemas of path parameters other than record ids. */
const pathSchemas: Readonly<Record<string, object>> = {
  version: { type: 'integer', minimum: 1 },
  lotCode: { type: 'string', examples: ['GV26063-A', '(01)10614141000415(10)GV26063-A'] },
}

/** Of each parameter in the path, by name. */
export const pathSchemasOf = ({ path }: Operation): Readonly<Record<string, object>> =>
  Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [
      name,
      pathSchemas[name] ?? { type: 'string', format: 'uuid' },
    ]),
  )

export function querySchema(parameter: QueryParameter): Record<string, unknown> {
  const schema = valueSchema(parameter)
  return parameter.many ? { type: 'array', items: schema, minItems: 1, maxItems: parameterValuesMax } : schema
}

function valueSchema({ form, example, values, limits }: QueryParameter): Record<string, unknown> {
  switch (form) {
    case 'boolean':
      return { type: 'boolean' }
    case 'limit':
      return {
        type: 'integer',
        minimum: limits?.min ?? 1,
        maximum: limits?.max ?? limitMax,
        default: limits?.default ?? limitDefault,
      }
    case 'choice':
      return { type: 'string', enum: values, default: values?.[0] }
    case 'date':
      return { type: 'string', format: 'date', examples: [example] }
    case 'dateTime':
      return { type: 'string', format: 'date-time', examples: [example] }
    default:
      return { type: 'string', examples: [example] }
  }
}
