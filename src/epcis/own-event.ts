// An event that this service exported: the record is in it field for field, under the namespace of
// the export (decision 0032).
import { isGiven, type Shape } from '../contract/field.ts'
import type { EpcisEvent } from './document.ts'
import { prefixed } from './namespace.ts'
import { isObject, type JsonObject } from './words.ts'

/** True when the event holds a whole record. */
export const isOwnEvent = ({ type, value }: EpcisEvent): boolean =>
  type === 'ObjectEvent' && Array.isArray(value[prefixed('productList')]) && prefixed('recordId') in value

/** The payload that the event was exported from, and where each of its places is in the event. */
export function readOwnEvent(event: EpcisEvent, shape: object, eventDateTime: string) {
  const payload = unprefixed(event.value, shape as Shape)
  const eventShape = (shape as Shape).properties?.eventList ?? {}
  return {
    payload: {
      productMasterDataList: [],
      locationMasterList: [],
      ...payload,
      eventList: { ...unprefixed(event.value, eventShape), eventDateTime },
    },
    pointerOf: (pointer: string): string =>
      pointer === '/eventList/eventDateTime' ? `${event.pointer}/eventTime` : event.pointer + prefixedPointer(pointer),
  }
}

/** A pointer into the payload as one into the event, which has the fields of both levels. */
const prefixedPointer = (pointer: string): string =>
  pointer
    .split('/')
    .filter((step, i) => i > 1 || step !== 'eventList')
    .map((step) => (step === '' || /^\d+$/.test(step) ? step : prefixed(step)))
    .join('/')

/** The declared fields of an object, without the prefix. */
function unprefixed(value: JsonObject, { properties = {} }: Shape): JsonObject {
  const fields: Record<string, unknown> = {}
  for (const [name, shape] of Object.entries(properties)) {
    const written = value[prefixed(name)]
    if (isGiven(written)) fields[name] = withoutPrefixes(written, shape)
  }
  return fields
}

function withoutPrefixes(written: unknown, shape: Shape): unknown {
  if (Array.isArray(written))
    return written.map((entry) => (isObject(entry) && shape.items ? withoutPrefixes(entry, shape.items) : entry))
  if (!isObject(written)) return written
  return Array.isArray(written['@list']) ? inOrder(written) : unprefixed(written, shape)
}

/** A list whose order matters. */
const inOrder = (written: unknown): unknown =>
  isObject(written) && Array.isArray(written['@list']) ? written['@list'].map(inOrder) : written
