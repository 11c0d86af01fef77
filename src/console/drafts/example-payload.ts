// The content of a new record, and the example to insert: that of every required field, as its
// declaration gives it. Pure.
import { differencesBetween } from '../../contract/differences.ts'
import { isEventKind, type RecordKind } from '../../contract/record-kinds.ts'
import type { Shape } from '../../contract/shape/field.ts'
import { changeCount } from '../records/comparison.ts'
import type { Payload } from './draft.ts'

export function examplePayload({ payload }: Pick<RecordKind, 'payload'>): Payload {
  const { properties = {}, required = [] } = payload as Shape
  return Object.fromEntries(required.map((name) => [name, structuredClone(properties[name]?.examples?.[0])]))
}

/** An empty payload; an event has a line to begin with. */
export function emptyPayload({ name, payload }: Pick<RecordKind, 'name' | 'payload'>): Payload {
  const { properties = {}, required = [] } = payload as Shape
  const empty = Object.fromEntries(required.map((field) => [field, properties[field]?.type === 'array' ? [] : {}]))
  return isEventKind(name) ? { ...empty, eventList: { productList: [{}] } } : empty
}

/** True while the payload equals the example, in any order. */
export function isExample(kind: Pick<RecordKind, 'payload'>, value: Payload): boolean {
  // Fields about the payload itself make it no other record.
  const { payloadId: _, transmissionDateTime: __, ...content } = value
  return changeCount(differencesBetween(examplePayload(kind), content)) === 0
}
