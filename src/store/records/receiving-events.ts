// Receiving events: how they are searched and written, and their completeness, which only they
// have.

import { type Queryable, statement } from '../database/statement.ts'
import {
  codesOf,
  type EventSearch,
  type EventTables,
  eventConditions,
  eventOrders,
  eventRows,
  eventValues,
  listingByLot,
  placeConflicts,
  readLot,
} from './event-rows.ts'
import { listing } from './listing.ts'
import type { WrittenKind } from './record-writer.ts'
import { recordStatements, type SearchRows } from './records.ts'
import { search } from './search.ts'

/** The values by which receiving events are searched and counted. */
export interface ReceivingSearch extends EventSearch {
  /**
   * JSON text of its tallies, one per item: `[{"item", "lines", "complete", "gaps": {<rule>:
   * <lines>}}]`.
   */
  readonly completeness: string
  /**
   * The recount whose master data it was judged with. Undefined when it needed none; -1 when not
   * all was looked up.
   */
  readonly judgedIn: number | undefined
}

export const receivingTables: EventTables<ReceivingSearch> = {
  kind: 'receivingEvent',
  plural: 'ReceivingEvents',
  rows: 'receiving_event',
  codes: 'receiving_event_code',
  voided: 'voided_event',
  view: 'received_event',
  voidedView: 'voided_received_event',
  date: 'date_received',
  // Section 2.4, rule 2.
  key: {
    index: 'receiving_event_one_per_date_time',
    columns: [
      ['"shipToLocationCode"', 'ship_to'],
      ['"eventDateTime"', 'event_date_time'],
      ['"dataProviderVendorId"', 'vendor'],
    ],
  },
  ownColumns: { completeness: ['jsonb', ({ completeness }) => completeness] },
  sentColumns: { judged_in: ['integer', ({ judgedIn }) => judgedIn ?? null] },
  judgedByMasterData: true,
  alsoAwaited: (write) => `
  UNION ALL
  SELECT 'event', NULL, NULL, a.id
  FROM ${write === 'create' ? 'accepted a' : `(SELECT * FROM decided WHERE outcome IN ('replaced', 'unchanged')) a`} JOIN recount_now n ON n.number <> a.judged_in`,
}

const searchRows = eventRows(receivingTables)

/** How receiving events are written. */
export const receivingEvents: WrittenKind<ReceivingSearch> = {
  rows: searchRows,
  statements: recordStatements(searchRows),
  conflictKeys: placeConflicts,
}

const { key: _key, alsoWritten: _alsoWritten, ...foundRows } = searchRows

/**
 * Of copies (decision 0078), whose locations are copied separately. No statement checks for a taken
 * key: the unique index reports it.
 */
const copiedRows: SearchRows<ReceivingSearch> = {
  ...foundRows,
  plural: 'CopiedEvents',
  followedSets: {},
  rowsOf: (records) => ({ codes: records.flatMap(codesOf) }),
  followed: () => 'to_recount AS (SELECT NULL::uuid AS id WHERE false)',
}

/** How copies of receiving events are written. */
export const copiedEvents: WrittenKind<ReceivingSearch> = {
  rows: copiedRows,
  statements: recordStatements(copiedRows),
  conflictKeys: () => [],
}

const atDateTime = statement<{ id: string; n: number }>(
  'receivingEventsAtDateTime',
  `SELECT e.id, w.n::integer AS n
   FROM receiving_event e,
        unnest($2::text[], $3::text[], $4::text[]::timestamptz[]) WITH ORDINALITY AS w (vendor, ship_to, event_date_time, n)
   WHERE e.provider_id = $1 AND e."dataProviderVendorId" = w.vendor AND e."shipToLocationCode" = w.ship_to
     AND e."eventDateTime" = w.event_date_time AND e.id IS DISTINCT FROM $5::uuid
   ORDER BY w.n
   LIMIT 1`,
)

/**
 * The first event whose date time another record has, and that record; `except` is the record being
 * replaced.
 */
export async function holderOfDateTime(
  db: Queryable,
  provider: string,
  events: readonly ReceivingSearch[],
  except: string | undefined,
): Promise<{ readonly id: string; readonly index: number } | undefined> {
  const [row] = await atDateTime(db, [
    provider,
    events.map(({ dataProviderVendorId }) => dataProviderVendorId),
    events.map(({ shipToLocationCode }) => shipToLocationCode),
    events.map(({ eventDateTime }) => eventDateTime),
    except ?? null,
  ])
  return row && { id: row.id, index: row.n - 1 }
}

const searched = {
  kind: 'receivingEvent',
  table: receivingTables.view,
  conditions: {
    ...eventConditions(receivingTables, 'shipToLocationCode'),
    gapRule: {
      sql: `(SELECT count(*) FROM jsonb_array_elements(r.completeness) AS t (tally) WHERE t.tally -> 'gaps' ? $?::text) > 0`,
      several: true,
      isSlow: true,
    },
    hasGaps: { sql: `r.completeness @? '$[*] ? (@.complete < @.lines)' = $?::boolean`, isSlow: true },
  },
} as const

const searchEvents = search('searchReceivingEvents', searched)

type Wanted = Parameters<typeof searchEvents>[2]

/**
 * Searches receiving events, newest first. Conditions are exact; ranges include their ends.
 * `lotCode` is any text that names the lot, and finds every text that does (decision 0049).
 */
export const searchReceivingEvents: typeof searchEvents = (db, fixed, wanted: Wanted) =>
  searchEvents(db, fixed, readLot(wanted))

/** Receiving events in other orders, their number, and the values of their columns. */
export const listedReceivingEvents = listingByLot(
  listing('listReceivingEvents', {
    ...searched,
    orders: { ...eventOrders, purchaseOrderNumber: { column: 'r."purchaseOrderNumber"', type: 'text' } },
    values: {
      ...eventValues(receivingTables),
      gapRule: {
        // In this form: PostgreSQL expects so many rows of two functions one after the other that
        // it compiles the statement first, for a second.
        sql: `SELECT DISTINCT value FROM jsonb_array_elements_text(jsonb_path_query_array(r.completeness, '$[*].gaps.keyvalue().key')) AS value`,
        recordsMax: 5_000,
      },
    },
  }),
)
