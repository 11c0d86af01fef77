// A payload to begin with: the example of every required field, as its declaration gives it. Pure.
import type { Shape } from '../../contract/field.ts'
import type { RecordKind } from '../../contract/record-kinds.ts'

export function examplePayload({ payload }: Pick<RecordKind, 'payload'>): Readonly<Record<string, unknown>> {
  const { properties = {}, required = [] } = payload as Shape
  return Object.fromEntries(required.map((name) => [name, structuredClone(properties[name]?.examples?.[0])]))
}
