// Shipped and received events of a period, for their comparison (decision 0081).

import { type Queryable, statement } from '../database/statement.ts'
import { aroundDates, events, type KindRelations } from '../records/event-kinds.ts'

const shipped = events.shippingEvent.rows
const received = events.receivingEvent.rows

export interface DeliveryRow {
  readonly id: string
  readonly lineCount: number
  /** Date shipped or received, `yyyy-MM-dd` (decision 0055). */
  readonly date: string
}

/** Up to `limit` current events of a period. */
interface WantedDeliveries {
  readonly provider: string
  readonly eventStartDate: string
  readonly eventEndDate: string
  readonly dataProviderVendorId: readonly string[] | undefined
  readonly limit: number
}

/**
 * The date of an event looks up its time zone, which is most of the work of this statement. Behind
 * OFFSET 0 it is computed once for each event, not at each use: on the embedded database 27,000
 * events take 0.12 s, 0.75 without.
 */
const selectedIn = ({ plural, dated }: KindRelations) =>
  statement<DeliveryRow, WantedDeliveries>(
    `select${plural}ToCompare`,
    `SELECT e.id, e.line_count AS "lineCount", e.date::text AS date
     FROM (
       SELECT e.id, e.line_count, e.local_date AS date
       FROM ${dated} e
       WHERE ${aroundDates} AND ($dataProviderVendorId::text[] IS NULL OR e."dataProviderVendorId" = ANY ($dataProviderVendorId))
       OFFSET 0
     ) e
     WHERE e.date BETWEEN $eventStartDate::date AND $eventEndDate::date
     ORDER BY e.date, e.id
     LIMIT $limit`,
  )

/** Events of a period by date and then by id. */
export const selectDeliveries = {
  shipped: selectedIn(events.shippingEvent),
  received: selectedIn(events.receivingEvent),
}

export interface ComparedRow {
  readonly vendor: string
  /** In milliseconds since 1970. */
  readonly instant: number
  readonly shipFrom: string
  readonly shipTo: string
  readonly purchaseOrderNumber: string | null
  readonly asnNumber: string | null
  /** As they were written with the event. */
  readonly compared: string
}

const comparedIn = ({ plural, rows, columns }: KindRelations) =>
  statement<ComparedRow & { readonly n: number }, { provider: string; ids: readonly string[] }>(
    `readCompared${plural}`,
    `SELECT w.n::integer AS n, c.*
     FROM unnest($ids::uuid[]) WITH ORDINALITY AS w (id, n)
     CROSS JOIN LATERAL (
       SELECT e."dataProviderVendorId" AS vendor, (extract(epoch FROM e."eventDateTime") * 1000)::float8 AS instant,
              e.${columns.shipFromLocationCode} AS "shipFrom", e.${columns.shipToLocationCode} AS "shipTo", e."purchaseOrderNumber", e."asnNumber", r.compared
       FROM ${rows} e JOIN record r ON r.provider_id = $provider AND r.id = w.id
       WHERE e.id = w.id
       LIMIT 1
     ) c
     ORDER BY w.n`,
  )

const compared = { shipped: comparedIn(events.shippingEvent), received: comparedIn(events.receivingEvent) }

/** Lines read together: a few hundred kilobytes of their compared fields. */
const linesAtOnce = 2_000

/**
 * The compared fields of these events in order, in batches, each read while the previous one is
 * used. Events that were voided or purged in between are left out.
 */
export async function* readDeliveries(
  db: Queryable,
  provider: string,
  side: keyof typeof compared,
  events: readonly DeliveryRow[],
): AsyncGenerator<readonly { readonly event: DeliveryRow; readonly row: ComparedRow }[]> {
  const batches = [...batchesOf(events)]
  const read = (number: number) => {
    const rows = compared[side](db, { provider, ids: (batches[number] ?? []).map(({ id }) => id) })
    // A caller that stops early does not wait for the next batch.
    rows.catch(() => undefined)
    return rows
  }
  let next = batches.length > 0 ? read(0) : undefined
  for (const [number, batch] of batches.entries()) {
    const rows = (await next) ?? []
    next = number + 1 < batches.length ? read(number + 1) : undefined
    yield rows.flatMap((row) => {
      const event = batch[row.n - 1]
      return event === undefined ? [] : [{ event, row }]
    })
  }
}

function* batchesOf(events: readonly DeliveryRow[]): Generator<readonly DeliveryRow[]> {
  for (let start = 0; start < events.length; ) {
    let end = start
    for (let lines = 0; end < events.length && lines < linesAtOnce; end++) lines += events[end]?.lineCount ?? 0
    yield events.slice(start, end)
    start = end
  }
}

// The first value from the wanted one on, which is that one where any row has it. The order leaves
// only the index of the column: of EXISTS, all events of a provider were read and hashed.
const shippers = statement<{ vendor: string }, { provider: string; vendors: readonly string[] }>(
  'vendorsThatShip',
  `SELECT w.vendor
   FROM unnest($vendors::text[]) AS w (vendor)
   WHERE w.vendor = (
     SELECT e."dataProviderVendorId" FROM ${shipped} e
     WHERE e."dataProviderVendorId" >= w.vendor ORDER BY e."dataProviderVendorId" LIMIT 1
   )`,
)

/** Those of the vendors of which any shipping event is stored. */
export const findVendorsThatShip = async (
  db: Queryable,
  provider: string,
  vendors: readonly string[],
): Promise<ReadonlySet<string>> =>
  vendors.length === 0 ? new Set() : new Set((await shippers(db, { provider, vendors })).map(({ vendor }) => vendor))

const receivers = statement<
  { vendor: string | null; place: string | null },
  { provider: string; vendors: readonly string[]; places: readonly string[] }
>(
  'vendorsAndPlacesThatReceive',
  `SELECT w.vendor, NULL AS place
   FROM unnest($vendors::text[]) AS w (vendor)
   WHERE w.vendor = (
     SELECT e."dataProviderVendorId" FROM ${received} e
     WHERE e."dataProviderVendorId" >= w.vendor ORDER BY e."dataProviderVendorId" LIMIT 1
   )
   UNION ALL
   SELECT NULL, w.place
   FROM unnest($places::text[]) AS w (place)
   WHERE w.place = (
     SELECT e.place FROM ${received} e
     WHERE e.place >= w.place ORDER BY e.place LIMIT 1
   )`,
)

/** Those of the vendors and ship-to locations of which any receiving event is stored. */
export async function findReceivers(
  db: Queryable,
  provider: string,
  vendors: readonly string[],
  places: readonly string[],
): Promise<{ readonly vendors: ReadonlySet<string>; readonly places: ReadonlySet<string> }> {
  const rows = vendors.length + places.length === 0 ? [] : await receivers(db, { provider, vendors, places })
  return {
    vendors: new Set(rows.flatMap(({ vendor }) => vendor ?? [])),
    places: new Set(rows.flatMap(({ place }) => place ?? [])),
  }
}

const newestDate = statement.one<{ date: string | null }, { provider: string; until: Date }>(
  'newestDeliveryDate',
  `SELECT max(d.date)::text AS date
   FROM (
     SELECT (SELECT max(e.event_date) FROM ${received} e WHERE e."eventDateTime" BETWEEN r.at - interval '2 days' AND r.at) AS date
     FROM (SELECT max(e."eventDateTime") AS at FROM ${received} e WHERE e."eventDateTime" <= $until::timestamptz) r
     UNION ALL
     SELECT (SELECT max(e.event_date) FROM ${shipped} e WHERE e."eventDateTime" BETWEEN s.at - interval '2 days' AND s.at)
     FROM (SELECT max(e."eventDateTime") AS at FROM ${shipped} e WHERE e."eventDateTime" <= $until::timestamptz) s
   ) d`,
)

/** The latest date, `yyyy-MM-dd`, of events shipped or received until then. */
export const newestDeliveryDate = async (db: Queryable, provider: string, until: Date): Promise<string | undefined> =>
  (await newestDate(db, { provider, until }))?.date ?? undefined
