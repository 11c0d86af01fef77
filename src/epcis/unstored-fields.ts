// Fields of an event that no record holds: extensions of other namespaces, and what EPCIS has
// beside the goods, such as sensor data. A sentence names them, so that none is dropped in silence.
import { quote } from '../contract/shape/shape-words.ts'
import type { EpcisEvent } from './document.ts'
import { dateNames } from './goods.ts'
import { prefixed } from './namespace.ts'
import { entriesOf, isObject, localNameOf, memberOf, plainName } from './words.ts'

/** How extensions name the source of the traceability lot code. */
export const sourceNames = [
  'traceabilityLotCodeSource',
  'traceabilityLotCodeSourceReference',
  'tlcSource',
  'tlcSourceReference',
  'TLCSource',
]

/** Fields of an object event that are read, or say nothing beside those that are. */
const eventFields: ReadonlySet<string> = new Set([
  ...['type', 'id', 'context', 'isA', 'eventID', 'eventTime', 'eventTimeZoneOffset', 'recordTime', 'errorDeclaration'],
  ...['action', 'bizStep', 'disposition', 'epcList', 'quantityList', 'bizLocation', 'readPoint'],
  ...['bizTransactionList', 'sourceList', 'destinationList', 'ilmd'],
])

/** By the last part of their names: extensions have them under any namespace. */
const lotFields: ReadonlySet<string> = new Set([...dateNames, 'lotNumber', ...sourceNames])

/** Fields of the objects within an event. */
const partFields: readonly (readonly [part: string, fields: readonly string[]])[] = [
  ['quantityList', ['epcClass', 'quantity', 'uom']],
  ['bizTransactionList', ['type', 'bizTransaction']],
  ['sourceList', ['type', 'source']],
  ['destinationList', ['type', 'destination']],
  ['bizLocation', ['id']],
  ['readPoint', ['id']],
]

/** Most names of one sentence. */
const namesMax = 10

/** A sentence about fields of the event that are not stored; none where it has none. */
export function unstoredFields(event: EpcisEvent): readonly string[] {
  const ofEvent = namesIn(event.value).filter(
    (name) => !eventFields.has(plainName(name)) && !sourceNames.includes(localNameOf(name)),
  )
  const ofLots = entriesOf(memberOf(event, 'ilmd'))
    .flatMap(({ value }) => namesIn(value))
    .filter((name) => !lotFields.has(localNameOf(name)))
  const ofParts = partFields.flatMap(([part, fields]) =>
    entriesOf(memberOf(event, part)).flatMap(({ value }) =>
      namesIn(value).filter((name) => !fields.includes(plainName(name))),
    ),
  )
  const names = [...new Set([...ofEvent, ...ofLots, ...ofParts])]
  if (names.length === 0) return []
  const more = names.length > namesMax ? ` and ${names.length - namesMax} more` : ''
  return [
    `No record holds these fields, and they are not stored: ${names.slice(0, namesMax).map(quote).join(', ')}${more}.`,
  ]
}

/** The names of fields with a value, without those of JSON-LD and of our own exports. */
const namesIn = (value: unknown): readonly string[] =>
  isObject(value)
    ? Object.entries(value)
        .filter(([name, part]) => !name.startsWith('@') && !name.startsWith(prefixed('')) && !isEmpty(part))
        .map(([name]) => name)
    : []

const isEmpty = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'string' ? value.trim() === '' : typeof value === 'object' && Object.keys(value).length === 0)
