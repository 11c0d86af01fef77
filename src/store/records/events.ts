// Events of each kind: how they are written, searched and listed, and copies of them.
import { type EventKindName, eventKinds, ofEventKinds } from '../../contract/record-kinds.ts'
import { events } from './event-kinds.ts'
import {
  codesOf,
  type EventSearch,
  eventConditions,
  eventOrders,
  eventRows,
  eventValues,
  listingByLot,
  placeConflicts,
  readLot,
} from './event-rows.ts'
import { listing, type Order, type Values } from './listing.ts'
import type { WrittenKind } from './record-writer.ts'
import { recordStatements, type SearchRows } from './records.ts'
import { type Condition, search } from './search.ts'

const writtenBy = (rows: SearchRows<EventSearch>, conflictKeys: WrittenKind<EventSearch>['conflictKeys']) => ({
  rows,
  statements: recordStatements(rows),
  conflictKeys,
})

/** How events of each kind are written. */
export const writtenEvents: Readonly<Record<EventKindName, WrittenKind<EventSearch>>> = ofEventKinds((kind) =>
  writtenBy(eventRows(eventKinds[kind]), placeConflicts),
)

const { key: _key, alsoWritten: _alsoWritten, ...foundRows } = writtenEvents.receivingEvent.rows

/**
 * How copies of receiving events are written (decision 0078). Their locations are copied
 * separately. No statement checks for a taken key: the unique index reports it.
 */
export const copiedEvents: WrittenKind<EventSearch> = writtenBy(
  {
    ...foundRows,
    plural: 'CopiedEvents',
    followedSets: {},
    rowsOf: (records) => ({ codes: records.flatMap(codesOf) }),
    followed: () => 'to_recount AS (SELECT NULL::uuid AS id WHERE false)',
  },
  () => [],
)

/**
 * Most receiving events of one number that are compared: a number such as N/A may be on thousands.
 */
const receiptsMax = 20

/** The newest receiving events with the same number as the shipment `r`. */
const receiptsOf = (number: '"asnNumber"' | '"purchaseOrderNumber"'): string => `(
         SELECT n."dataProviderVendorId", n.place, n."eventDateTime", n."asnNumber", n."purchaseOrderNumber"
         FROM ${events.receivingEvent.rows} n WHERE n.${number} = r.${number} ORDER BY n.id DESC LIMIT ${receiptsMax}
       )`

/** Conditions of one kind alone. */
const ownConditions: Partial<Record<EventKindName, Readonly<Record<string, Condition>>>> = {
  shippingEvent: {
    // Several orders of one ship notice are received one by one: both documents count.
    isReceived: {
      sql: `EXISTS (
       SELECT 1 FROM (
         ${receiptsOf('"asnNumber"')} UNION ALL ${receiptsOf('"purchaseOrderNumber"')}
       ) AS c
       WHERE c."dataProviderVendorId" = r."dataProviderVendorId" AND c.place = r.counterpart
       AND c."eventDateTime" > r."eventDateTime" - interval '1 day'
       AND (c."purchaseOrderNumber" = r."purchaseOrderNumber" OR r."purchaseOrderNumber" IS NULL)
       AND (c."asnNumber" = r."asnNumber" OR c."asnNumber" IS NULL OR r."asnNumber" IS NULL)
     ) = $?::boolean`,
      isSlow: true,
    },
  },
}

const countedConditions: Readonly<Record<string, Condition>> = {
  gapRule: {
    sql: `(SELECT count(*) FROM jsonb_array_elements(r.completeness) AS t (tally) WHERE t.tally -> 'gaps' ? $?::text) > 0`,
    several: true,
    isSlow: true,
  },
  hasGaps: { sql: `r.completeness @? '$[*] ? (@.complete < @.lines)' = $?::boolean`, isSlow: true },
}

const countedValues: Readonly<Record<string, Values>> = {
  gapRule: {
    // In this form: PostgreSQL expects so many rows of two functions one after the other that it
    // compiles the statement first, for a second.
    sql: `SELECT DISTINCT value FROM jsonb_array_elements_text(jsonb_path_query_array(r.completeness, '$[*].gaps.keyvalue().key')) AS value`,
    recordsMax: 5_000,
  },
}

const ownOrders = (kind: EventKindName): Readonly<Record<string, Order>> =>
  Object.fromEntries(
    (eventKinds[kind].orders ?? []).map((field) => [field, { column: `r."${field}"`, type: 'text' as const }]),
  )

const searchedIn = (kind: EventKindName) => ({
  kind,
  table: events[kind].dated,
  conditions: {
    ...eventConditions(events[kind]),
    ...countedConditions,
    ...ownConditions[kind],
  },
})

const declareSearch = (kind: EventKindName): ReturnType<typeof search<string>> => {
  const find = search(`search${events[kind].plural}`, searchedIn(kind))
  return (db, page, wanted) => find(db, page, readLot(wanted as Readonly<Record<string, unknown>>))
}

/**
 * Searches events of a kind, newest first. Conditions are exact; ranges include their ends.
 * `lotCode` is any text that names the lot, and finds every text that does (decision 0049).
 */
export const searchEvents = ofEventKinds(declareSearch)

/** Events of a kind in other orders, their number, and the values of their columns. */
export const listedEvents = ofEventKinds((kind) =>
  listingByLot(
    listing(`list${events[kind].plural}`, {
      ...searchedIn(kind),
      orders: { ...eventOrders(events[kind]), ...ownOrders(kind) },
      values: { ...eventValues(events[kind]), ...countedValues },
    }),
  ),
)
