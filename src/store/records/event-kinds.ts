// The tables of both kinds of events, for statements that read them alike or together (decision
// 0080).
import type { EventKindName } from '../../contract/record-kinds.ts'
import type { EventTables } from './event-rows.ts'
import { receivingTables } from './receiving-events.ts'
import { shippingTables } from './shipping-events.ts'

/** The facts about the tables that do not depend on the values of the kind. */
export type ReadTables = Omit<EventTables<never>, 'ownColumns' | 'sentColumns' | 'key' | 'alsoAwaited'>

export const eventTables: Readonly<Record<EventKindName, ReadTables>> = {
  receivingEvent: receivingTables,
  shippingEvent: shippingTables,
}

/** The same SQL on the tables of each kind, joined as queries in a row or by another separator. */
export const onEvents = (sqlOn: (tables: ReadTables) => string, between = '\n  UNION ALL\n  '): string =>
  Object.values(eventTables).map(sqlOn).join(between)

/**
 * Of events, those around the dates from $2 to $3. Offsets are 14 hours at most, so the index of
 * date times finds the instants of a date slightly before and after it.
 */
export const aroundDates = `e."eventDateTime" BETWEEN (($2::date - interval '14 hours') AT TIME ZONE 'UTC') AND (($3::date + interval '38 hours') AT TIME ZONE 'UTC')`

/** Of events, those of the dates from $2 to $3. */
export const inDates = ({ date }: ReadTables): string => `${aroundDates}
    AND e.${date} BETWEEN $2::date AND $3::date`
