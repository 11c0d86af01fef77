// The tables of both kinds of events, for what reads them alike or together (decision 0080).
import type { EventKindName } from '../contract/record-kinds.ts'
import type { EventTables } from './event-rows.ts'
import { receivingTables } from './receiving-events.ts'
import { shippingTables } from './shipping-events.ts'

/** What of the tables does not depend on the values of the kind. */
export type ReadTables = Omit<EventTables<never>, 'ownColumns' | 'sentColumns' | 'key' | 'alsoAwaited'>

export const eventTables: Readonly<Record<EventKindName, ReadTables>> = {
  receivingEvent: receivingTables,
  shippingEvent: shippingTables,
}

/** The same SQL on the tables of each kind: queries in a row, or what else is between them. */
export const onEvents = (sqlOn: (tables: ReadTables) => string, between = '\n  UNION ALL\n  '): string =>
  Object.values(eventTables).map(sqlOn).join(between)
