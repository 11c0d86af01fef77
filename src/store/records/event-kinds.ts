// Events of each kind as statements read them. All kinds share their tables (decision 0080), each
// with a partition; what tells them apart is declared in contract/record-kinds.ts.

import {
  deliveryKindNames,
  type EventKind,
  type EventKindName,
  eventKindList,
  eventKindNames,
  eventKinds,
  filteredPlaceOf,
  ofEventKinds,
} from '../../contract/record-kinds.ts'
import { capitalize } from '../../contract/text/capitalize.ts'
import { partitionOf } from '../database/partitions.ts'

/** Events of some kinds of the provider $1, as relations of a query. */
export interface EventRelations {
  /** Names of the kinds, as a list of SQL. */
  readonly kinds: string
  readonly rows: string
  readonly codes: string
  readonly voided: string
  /** Rows and voided rows with their version and local date. */
  readonly dated: string
  readonly datedVoided: string
}

/** Those of one kind. */
export interface KindRelations extends EventRelations {
  readonly kind: EventKindName
  /** Names its statements: `createReceivingEvents`. */
  readonly plural: string
  /** Columns of its locations, by the names that they have on the wire. */
  readonly columns: Readonly<Record<string, string>>
}

/**
 * With the version that a row is at, and the date on which its event took place: in the time zone
 * of the place, that of the vendor before that of all vendors, else as written (decision 0055).
 * Looked up when it is read, so that a time zone counts at once when it is set.
 */
const datedRows = (rows: string): string => `(SELECT e.*, (
    SELECT r.version FROM record r WHERE r.provider_id = $1 AND r.id = e.id
  ) AS version, coalesce((
    SELECT (e."eventDateTime" AT TIME ZONE z.time_zone)::date
    FROM location_time_zone z
    WHERE z.provider_id = $1 AND z."locationCode" = e.place AND z."dataProviderVendorId" IN ('', e."dataProviderVendorId")
    ORDER BY z."dataProviderVendorId" DESC
    LIMIT 1
  ), e.event_date) AS local_date
  FROM ${rows} e)`

/**
 * One kind is read from its partition, without a condition on the kind: none of its indexes has
 * that column.
 */
function relationsOf(kinds: readonly EventKindName[]): EventRelations {
  const [kind, ...more] = kinds
  const isOne = kind !== undefined && more.length === 0
  const isAll = kinds.length === eventKindNames.length
  const names = kinds.map((name) => `'${name}'`).join(', ')
  const only = isOne || isAll ? '' : ` AND kind IN (${names})`
  const from = (table: string) =>
    `(SELECT * FROM ${isOne ? partitionOf(table, kind) : table} WHERE provider_id = $1${only})`
  return {
    kinds: names,
    rows: from('event'),
    codes: from('event_code'),
    voided: from('voided_event'),
    dated: datedRows(from('event')),
    datedVoided: datedRows(from('voided_event')),
  }
}

export const pluralOf = (kind: EventKindName): string => `${capitalize(kind)}s`

const columnsOf = ({ place, counterpart }: EventKind): Readonly<Record<string, string>> => ({
  [place]: 'place',
  ...(counterpart !== undefined && { [counterpart]: 'counterpart' }),
})

export const events: Readonly<Record<EventKindName, KindRelations>> = ofEventKinds((kind) => ({
  ...relationsOf([kind]),
  kind,
  plural: pluralOf(kind),
  columns: columnsOf(eventKinds[kind]),
}))

export const allEvents = relationsOf(eventKindNames)

/** Deliveries, whose lines refer to the sources of their lot codes. */
export const deliveries = relationsOf(deliveryKindNames)

/** Events that partners may see. */
export const shareable = relationsOf(eventKindNames.filter((kind) => eventKinds[kind].isShared))

/** Events whose goods go to their other end. */
export const sentOn = relationsOf(
  eventKindNames.filter((kind) => filteredPlaceOf(eventKinds[kind]) === eventKinds[kind].counterpart),
)

/** The same SQL on the deliveries of each kind. */
export const onDeliveries = (sqlOn: (relations: KindRelations) => string): string =>
  deliveryKindNames.map((kind) => sqlOn(events[kind])).join('\n  UNION ALL\n  ')

/** The same SQL on the events of each kind, joined as queries in a row or by another separator. */
export const onEvents = (sqlOn: (relations: KindRelations) => string, between = '\n  UNION ALL\n  '): string =>
  Object.values(events).map(sqlOn).join(between)

/** Lists of lines of any kind of event, as a list of SQL. */
const lineLists = [...new Set(eventKindList.flatMap(({ lists }) => Object.keys(lists)))].map((list) => `'${list}'`)

/** The number of lines of the event in a body, of all its lists. */
export const lineCountIn = (body: string): string =>
  `(SELECT coalesce(sum(json_array_length(l.value)), 0)::integer FROM json_each(${body} -> 'eventList') AS l WHERE l.key IN (${lineLists.join(', ')}))`

/** A query of the lines `line` of the event in a body, of all its lists. */
export const linesIn = (body: string): string =>
  `(SELECT l.line FROM unnest(ARRAY[${lineLists.join(', ')}]) AS n (list) CROSS JOIN LATERAL json_array_elements(${body} #> ARRAY['eventList', n.list]) AS l (line))`

/** The dates from the first to the last that there is, for statements of a period. */
export const anyDates = { eventStartDate: '0001-01-01', eventEndDate: '9999-12-31' }

/**
 * Of events, those around the dates from `eventStartDate` to `eventEndDate`. Offsets are 14 hours
 * at most, so the index of date times finds the instants of a date slightly before and after it.
 */
export const aroundDates = `e."eventDateTime" BETWEEN (($eventStartDate::date - interval '14 hours') AT TIME ZONE 'UTC') AND (($eventEndDate::date + interval '38 hours') AT TIME ZONE 'UTC')`

/** Of dated events, those of these dates. */
export const inDates = `${aroundDates}
    AND e.local_date BETWEEN $eventStartDate::date AND $eventEndDate::date`
