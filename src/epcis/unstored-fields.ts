// Parts of an event that no record holds: extensions of other namespaces, sensor data, parties and
// further documents. A sentence names them, so that none is dropped in silence.
import type { ReferenceDocument } from '../contract/reference-document.ts'
import { quote } from '../contract/shape/shape-words.ts'
import type { EpcisEvent } from './document.ts'
import { dateNames } from './goods.ts'
import { prefixed } from './namespace.ts'
import { placeAt, type TransferEnd, transferEnds } from './transfer-ends.ts'
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
  ...['inputEPCList', 'inputQuantityList', 'outputEPCList', 'outputQuantityList'],
  'transformationID',
  ...['bizTransactionList', 'sourceList', 'destinationList', 'ilmd'],
])

/** By the last part of their names: extensions have them under any namespace. */
const lotFields: ReadonlySet<string> = new Set([...dateNames, 'lotNumber', ...sourceNames])

/** Fields of the objects within an event. */
const partFields: readonly (readonly [part: string, fields: readonly string[]])[] = [
  ...(['quantityList', 'inputQuantityList', 'outputQuantityList'] as const).map(
    (list) => [list, ['epcClass', 'quantity', 'uom']] as const,
  ),
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
  return notStored(
    'No record holds these fields, and they are not stored',
    [...ofEvent, ...ofLots, ...ofParts].map(quote),
  )
}

/** A sentence about sources and destinations that no record holds: parties, and further places. */
export function unstoredEnds(event: EpcisEvent, isUsed: (one: TransferEnd) => boolean): readonly string[] {
  const ends = transferEnds(event)
  const places = [placeAt('source', ends), placeAt('destination', ends)]
  const isPlace = (one: TransferEnd) =>
    places.some((place) => place?.end === one.end && place.type === one.type && place.uri === one.uri)
  return notStored(
    'No record holds these sources and destinations, and they are not stored',
    ends.filter((one) => !isPlace(one) && !isUsed(one)).map(({ end, type, uri }) => `${end} ${type} ${quote(uri)}`),
  )
}

/** A sentence about documents that no field of a record is left for. */
export const unstoredDocuments = (documents: readonly ReferenceDocument[]): readonly string[] =>
  notStored(
    'The record has no field left for these documents, and they are not stored',
    documents.map(({ kind, number }) => `${kind} ${quote(number)}`),
  )

/** A sentence that names these, each once; none without any. */
function notStored(says: string, all: readonly string[]): readonly string[] {
  const named = [...new Set(all)]
  if (named.length === 0) return []
  const more = named.length > namesMax ? ` and ${named.length - namesMax} more` : ''
  return [`${says}: ${named.slice(0, namesMax).join(', ')}${more}.`]
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
