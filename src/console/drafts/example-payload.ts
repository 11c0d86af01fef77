// What a new record begins with, and the example that can be filled in: that of every required
// field, as its declaration gives it. Pure.
import { differencesBetween } from '../../contract/differences.ts'
import { isEventKind, type RecordKind } from '../../contract/record-kinds.ts'
import type { Shape } from '../../contract/shape/field.ts'
import { changeCount } from '../records/comparison.ts'
import type { Payload } from './draft.ts'

export function examplePayload({ payload }: Pick<RecordKind, 'payload'>): Payload {
  const { properties = {}, required = [] } = payload as Shape
  return Object.fromEntries(required.map((name) => [name, structuredClone(properties[name]?.examples?.[0])]))
}

/** A payload in which nothing is said yet; an event has a line to begin with. */
export function emptyPayload({ name, payload }: Pick<RecordKind, 'name' | 'payload'>): Payload {
  const { properties = {}, required = [] } = payload as Shape
  const empty = Object.fromEntries(required.map((field) => [field, properties[field]?.type === 'array' ? [] : {}]))
  return isEventKind(name) ? { ...empty, eventList: { productList: [{}] } } : empty
}

/** True while the payload says what the example says, in whichever order. */
export function isExample(kind: Pick<RecordKind, 'payload'>, value: Payload): boolean {
  // What a payload says of itself makes it no other record.
  const { payloadId: _, transmissionDateTime: __, ...content } = value
  return changeCount(differencesBetween(examplePayload(kind), content)) === 0
}
