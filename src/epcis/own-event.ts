// An event that this service exported: the record is in it field for field, under the namespace of
// the export (decision 0032).
import { type EventKind, eventShapeOf } from '../contract/record-kinds.ts'
import { isGiven, type Shape } from '../contract/shape/field.ts'
import type { EpcisEvent } from './document.ts'
import { listEntry, prefixed } from './namespace.ts'
import { isObject, type JsonObject } from './words.ts'

/** True when the event holds a whole record. */
export const isOwnEvent = ({ value }: Pick<EpcisEvent, 'value'>): boolean =>
  prefixed('productList') in value && prefixed('recordId') in value

/** The payload that the event was exported from, and where each of its places is in the event. */
export function readOwnEvent(event: EpcisEvent, kind: EventKind, eventDateTime: string) {
  const payload = unprefixed(event.value, kind.payload as object as Shape)
  return {
    payload: {
      productMasterDataList: [],
      locationMasterList: [],
      ...payload,
      eventList: { ...unprefixed(event.value, eventShapeOf(kind)), eventDateTime },
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
    // In XML an element without content is an entry of a list.
    const isEntry = shape.type === 'array' && typeof written === 'string'
    if (isEntry || isGiven(written)) fields[name] = readAs(shape, written)
  }
  return fields
}

/** XML has texts only, and JSON-LD may write a list of one as its entry. */
function readAs(shape: Shape, written: unknown): unknown {
  if (shape.type === 'array') {
    const { items = {} } = shape
    return listIn(written).map((entry) => readAs(items, items.type === 'array' ? innerList(entry) : entry))
  }
  if (isObject(written)) return unprefixed(written, shape)
  if (typeof written !== 'string') return written
  if (shape.type === 'number' && /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(written)) return Number(written)
  if (shape.type === 'boolean' && /^(?:true|false)$/.test(written)) return written === 'true'
  return written
}

function listIn(written: unknown): readonly unknown[] {
  const list = isObject(written) ? (written['@list'] ?? written) : written
  return Array.isArray(list) ? list : [list]
}

/** A list in a list: in XML an element with its entries, which may be none. */
function innerList(entry: unknown): unknown {
  if (entry === '') return []
  return isObject(entry) ? (entry[listEntry] ?? entry) : entry
}
