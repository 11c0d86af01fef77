// What was shipped and received in a period, for their comparison (decision 0081).
import { eventTables, inDates } from './event-kinds.ts'
import { type Queryable, statement } from './statement.ts'

export interface DeliveryRow {
  readonly id: string
  readonly version: number
  readonly lineCount: number
  /** Date shipped or received, `yyyy-MM-dd` (decision 0055). */
  readonly date: string
}

export interface DeliveryPeriod {
  readonly start: string
  readonly end: string
  readonly dataProviderVendorId: readonly string[] | undefined
}

const inReceived = inDates(eventTables.receivingEvent)
const inShipped = inDates(eventTables.shippingEvent)
const ofVendors = `($4::text[] IS NULL OR e."dataProviderVendorId" = ANY ($4))`

const received = statement<DeliveryRow>(
  'selectReceivedEvents',
  `SELECT e.id, e.version, e.line_count AS "lineCount", e.date_received::text AS date
   FROM received_event e
   WHERE e.provider_id = $1 AND ${inReceived} AND ${ofVendors}
   ORDER BY e.date_received, e.id
   LIMIT $5`,
)

const shipped = statement<DeliveryRow>(
  'selectShippedEvents',
  `SELECT e.id, e.version, e.line_count AS "lineCount", e.date_shipped::text AS date
   FROM shipped_event e
   WHERE e.provider_id = $1 AND ${inShipped} AND ${ofVendors}
   ORDER BY e.date_shipped, e.id
   LIMIT $5`,
)

const valuesOf = (provider: string, { start, end, dataProviderVendorId }: DeliveryPeriod, limit: number): unknown[] => [
  provider,
  start,
  end,
  dataProviderVendorId ?? null,
  limit,
]

/** Up to `limit` current receiving events of a period, by date and then by id. */
export const selectReceivedEvents = (db: Queryable, provider: string, period: DeliveryPeriod, limit: number) =>
  received(db, valuesOf(provider, period, limit))

/** Up to `limit` current shipping events of a period, by date and then by id. */
export const selectShippedEvents = (db: Queryable, provider: string, period: DeliveryPeriod, limit: number) =>
  shipped(db, valuesOf(provider, period, limit))

const bodies = statement<{ readonly n: number; readonly body: string }>(
  'readDeliveryBodies',
  `SELECT w.n::integer AS n, v.body
   FROM unnest($2::uuid[], $3::integer[]) WITH ORDINALITY AS w (id, version, n)
   JOIN record_version v ON v.provider_id = $1 AND v.record_id = w.id AND v.version = w.version
   WHERE v.purged_at IS NULL
   ORDER BY w.n`,
)

/** Lines read at once: less than a megabyte of bodies. */
const linesAtOnce = 1_000

/**
 * The bodies of these events in order, in batches, each read while the one before is used. Events
 * that were purged meanwhile are left out.
 */
export async function* readDeliveries(
  db: Queryable,
  provider: string,
  events: readonly DeliveryRow[],
): AsyncGenerator<readonly { readonly event: DeliveryRow; readonly body: string }[]> {
  const batches = [...batchesOf(events)]
  const read = (number: number) => {
    const batch = batches[number] ?? []
    const rows = bodies(db, [provider, batch.map(({ id }) => id), batch.map(({ version }) => version)])
    // Whoever leaves before the next batch does not wait for it.
    rows.catch(() => undefined)
    return rows
  }
  let next = batches.length > 0 ? read(0) : undefined
  for (const [number, batch] of batches.entries()) {
    const rows = (await next) ?? []
    next = number + 1 < batches.length ? read(number + 1) : undefined
    yield rows.flatMap(({ n, body }) => {
      const event = batch[n - 1]
      return event === undefined ? [] : [{ event, body }]
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
const shippers = statement<{ vendor: string }>(
  'vendorsThatShip',
  `SELECT w.vendor
   FROM unnest($2::text[]) AS w (vendor)
   WHERE w.vendor = (
     SELECT e."dataProviderVendorId" FROM shipping_event e
     WHERE e.provider_id = $1 AND e."dataProviderVendorId" >= w.vendor ORDER BY e."dataProviderVendorId" LIMIT 1
   )`,
)

/** Those of the vendors of which any shipping event is stored. */
export const findVendorsThatShip = async (
  db: Queryable,
  provider: string,
  vendors: readonly string[],
): Promise<ReadonlySet<string>> =>
  vendors.length === 0 ? new Set() : new Set((await shippers(db, [provider, vendors])).map(({ vendor }) => vendor))

const receivers = statement<{ vendor: string | null; place: string | null }>(
  'vendorsAndPlacesThatReceive',
  `SELECT w.vendor, NULL AS place
   FROM unnest($2::text[]) AS w (vendor)
   WHERE w.vendor = (
     SELECT e."dataProviderVendorId" FROM receiving_event e
     WHERE e.provider_id = $1 AND e."dataProviderVendorId" >= w.vendor ORDER BY e."dataProviderVendorId" LIMIT 1
   )
   UNION ALL
   SELECT NULL, w.place
   FROM unnest($3::text[]) AS w (place)
   WHERE w.place = (
     SELECT e."shipToLocationCode" FROM receiving_event e
     WHERE e.provider_id = $1 AND e."shipToLocationCode" >= w.place ORDER BY e."shipToLocationCode" LIMIT 1
   )`,
)

/** Those of the vendors and ship-to locations of which any receiving event is stored. */
export async function findReceivers(
  db: Queryable,
  provider: string,
  vendors: readonly string[],
  places: readonly string[],
): Promise<{ readonly vendors: ReadonlySet<string>; readonly places: ReadonlySet<string> }> {
  const rows = vendors.length + places.length === 0 ? [] : await receivers(db, [provider, vendors, places])
  return {
    vendors: new Set(rows.flatMap(({ vendor }) => vendor ?? [])),
    places: new Set(rows.flatMap(({ place }) => place ?? [])),
  }
}

const newestDate = statement<{ date: string | null }>(
  'newestDeliveryDate',
  `SELECT max(d.date)::text AS date
   FROM (
     SELECT (SELECT max(event_date) FROM receiving_event WHERE provider_id = $1 AND "eventDateTime" BETWEEN r.at - interval '2 days' AND r.at) AS date
     FROM (SELECT max("eventDateTime") AS at FROM receiving_event WHERE provider_id = $1 AND "eventDateTime" <= $2::timestamptz) r
     UNION ALL
     SELECT (SELECT max(event_date) FROM shipping_event WHERE provider_id = $1 AND "eventDateTime" BETWEEN s.at - interval '2 days' AND s.at)
     FROM (SELECT max("eventDateTime") AS at FROM shipping_event WHERE provider_id = $1 AND "eventDateTime" <= $2::timestamptz) s
   ) d`,
)

/** The latest date, `yyyy-MM-dd`, of what was shipped or received until then. */
export const newestDeliveryDate = async (db: Queryable, provider: string, until: Date): Promise<string | undefined> =>
  (await newestDate(db, [provider, until.toISOString()]))[0]?.date ?? undefined
