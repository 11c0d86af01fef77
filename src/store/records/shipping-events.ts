// Shipping events: how they are searched and written (decision 0080).
import { createHash } from 'node:crypto'
import { type Queryable, statement } from '../database/statement.ts'
import {
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
import { recordStatements } from './records.ts'
import { search } from './search.ts'

/** The values by which shipping events are searched. */
export interface ShippingSearch extends EventSearch {
  readonly billOfLadingNumber: string | undefined
}

/**
 * Distinguishes events of one moment and destination by the documents of the shipment. A hash,
 * since an index holds no longer texts.
 */
const documentsOf = ({ purchaseOrderNumber, asnNumber, billOfLadingNumber }: ShippingSearch): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([purchaseOrderNumber ?? '', asnNumber ?? '', billOfLadingNumber ?? '']))
    .digest()

export const shippingTables: EventTables<ShippingSearch> = {
  kind: 'shippingEvent',
  plural: 'ShippingEvents',
  rows: 'shipping_event',
  codes: 'shipping_event_code',
  voided: 'voided_shipping_event',
  view: 'shipped_event',
  voidedView: 'voided_shipped_event',
  date: 'date_shipped',
  key: {
    index: 'shipping_event_one_per_documents',
    columns: [
      ['"shipFromLocationCode"', 'ship_from'],
      ['"eventDateTime"', 'event_date_time'],
      ['"shipToLocationCode"', 'ship_to'],
      ['"dataProviderVendorId"', 'vendor'],
      ['documents', 'documents'],
    ],
  },
  ownColumns: { documents: ['bytea', documentsOf] },
  sentColumns: {},
  // Nothing is counted of them, so nothing is counted again.
  judgedByMasterData: false,
  alsoAwaited: () => '',
}

const searchRows = eventRows(shippingTables)

/** How shipping events are written. */
export const shippingEvents: WrittenKind<ShippingSearch> = {
  rows: searchRows,
  statements: recordStatements(searchRows),
  conflictKeys: placeConflicts,
}

const withDocuments = statement<{ id: string; n: number }>(
  'shippingEventsWithDocuments',
  `SELECT e.id, w.n::integer AS n
   FROM shipping_event e,
        unnest($2::text[], $3::text[], $4::text[], $5::text[]::timestamptz[], $6::bytea[])
          WITH ORDINALITY AS w (vendor, ship_from, ship_to, event_date_time, documents, n)
   WHERE e.provider_id = $1 AND e."dataProviderVendorId" = w.vendor AND e."shipFromLocationCode" = w.ship_from
     AND e."shipToLocationCode" = w.ship_to AND e."eventDateTime" = w.event_date_time AND e.documents = w.documents
     AND e.id IS DISTINCT FROM $7::uuid
   ORDER BY w.n
   LIMIT 1`,
)

/**
 * The first event whose vendor, places, date time and documents another record has, and that
 * record; `except` is the record being replaced.
 */
export async function holderOfDocuments(
  db: Queryable,
  provider: string,
  events: readonly ShippingSearch[],
  except: string | undefined,
): Promise<{ readonly id: string; readonly index: number } | undefined> {
  const [row] = await withDocuments(db, [
    provider,
    events.map(({ dataProviderVendorId }) => dataProviderVendorId),
    events.map(({ shipFromLocationCode }) => shipFromLocationCode),
    events.map(({ shipToLocationCode }) => shipToLocationCode),
    events.map(({ eventDateTime }) => eventDateTime),
    events.map(documentsOf),
    except ?? null,
  ])
  return row && { id: row.id, index: row.n - 1 }
}

/**
 * Most receiving events of one number that are compared: a number such as N/A may be on thousands.
 */
const receiptsMax = 20

/** The newest receiving events with the same number as the shipment `r`. */
const receiptsOf = (number: '"asnNumber"' | '"purchaseOrderNumber"'): string => `(
         SELECT n."dataProviderVendorId", n."shipToLocationCode", n."eventDateTime", n."asnNumber", n."purchaseOrderNumber"
         FROM receiving_event n WHERE n.provider_id = $1 AND n.${number} = r.${number} ORDER BY n.id DESC LIMIT ${receiptsMax}
       )`

const searched = {
  kind: 'shippingEvent',
  table: shippingTables.view,
  conditions: {
    ...eventConditions(shippingTables, 'shipFromLocationCode'),
    // Several orders of one ship notice are received one by one: both documents count.
    isReceived: {
      sql: `EXISTS (
       SELECT 1 FROM (
         ${receiptsOf('"asnNumber"')} UNION ALL ${receiptsOf('"purchaseOrderNumber"')}
       ) AS c
       WHERE c."dataProviderVendorId" = r."dataProviderVendorId" AND c."shipToLocationCode" = r."shipToLocationCode"
       AND c."eventDateTime" > r."eventDateTime" - interval '1 day'
       AND (c."purchaseOrderNumber" = r."purchaseOrderNumber" OR r."purchaseOrderNumber" IS NULL)
       AND (c."asnNumber" = r."asnNumber" OR c."asnNumber" IS NULL OR r."asnNumber" IS NULL)
     ) = $?::boolean`,
      isSlow: true,
    },
  },
} as const

const searchEvents = search('searchShippingEvents', searched)

/** Searches shipping events, newest first, as `searchReceivingEvents` does. */
export const searchShippingEvents: typeof searchEvents = (db, fixed, wanted: Parameters<typeof searchEvents>[2]) =>
  searchEvents(db, fixed, readLot(wanted))

/** Shipping events in other orders, their number, and the values of their columns. */
export const listedShippingEvents = listingByLot(
  listing('listShippingEvents', { ...searched, orders: eventOrders, values: eventValues(shippingTables) }),
)
