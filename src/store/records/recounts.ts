// The events to count again because master data changed, and the recount that does it (decision
// 0052). A change inserts what it may touch into awaiting_recount, in its own statement; a recount
// deletes it once all events it touches are counted.
import { amongProviders, lowestId, type Queryable, statement } from '../database/statement.ts'
import { allEvents } from './event-kinds.ts'

const countedRows = allEvents.rows
const countedCodes = allEvents.codes

const since = statement.one<{ since: Date | null }, { provider: string }>(
  'recountDueSince',
  `SELECT min(since) AS since FROM awaiting_recount WHERE provider_id = $provider`,
)

/**
 * The time since which counts of the provider lag behind its master data; undefined when they are
 * up to date.
 */
export const recountDueSince = async (db: Queryable, provider: string): Promise<Date | undefined> =>
  (await since(db, { provider }))?.since ?? undefined

const due = statement.ofAll<{ provider: string }>(
  'providersToRecount',
  `SELECT DISTINCT a.provider_id AS provider FROM awaiting_recount a WHERE ${amongProviders('a')}`,
)

/** Providers with events to count again. */
export const providersToRecount = async (db: Queryable): Promise<string[]> =>
  (await due(db)).map(({ provider }) => provider)

const countedByOthers = statement.ofAll<{ provider: string }, { version: string }>(
  'providersCountedByOthers',
  `SELECT c.provider_id AS provider
   FROM recount c
   WHERE c.counted_by IS DISTINCT FROM $version AND ${amongProviders('c')}`,
)

const noteProgram = statement<never, { provider: string; version: string }>(
  'noteCountingProgram',
  `WITH noted AS (
  UPDATE recount c SET counted_by = $version WHERE c.provider_id = $provider AND c.counted_by IS DISTINCT FROM $version RETURNING c.provider_id
), scheduled AS (
  INSERT INTO awaiting_recount (provider_id, what)
  SELECT $provider, 'everything' FROM noted WHERE EXISTS (SELECT 1 FROM ${countedRows} e)
)
SELECT 1`,
)

/** Schedules all events for a recount that another version of the program's rules counted. */
export async function recountAfterUpgrade(db: Queryable, version: string): Promise<void> {
  for (const { provider } of await countedByOthers(db, { version })) await noteProgram(db, { provider, version })
}

/** How long a recount stays with its process after its last sign of life, in seconds. */
const leaseSeconds = 15

const claim = statement.one<{ number: number | null; waiting: boolean }, { provider: string; isAlone?: boolean }>(
  'claimRecount',
  `WITH claimed AS (
  UPDATE recount c
  SET number = c.number + 1, until = t.until
  FROM (SELECT now() + make_interval(secs => $leaseSeconds) AS until) t
  WHERE c.provider_id = $provider AND ($isAlone::boolean OR c.until IS NULL OR c.until < now())
    AND EXISTS (SELECT 1 FROM awaiting_recount a WHERE a.provider_id = $provider)
  RETURNING c.number
)
SELECT (SELECT number FROM claimed) AS number, EXISTS (SELECT 1 FROM awaiting_recount a WHERE a.provider_id = $provider) AS waiting`,
  { defaults: { leaseSeconds } },
)

/**
 * Begins a recount and returns its number; `others` when another process runs one, `none` when
 * nothing waits. A process that `isAlone` on its database waits for no other one. It waits for
 * writes in progress that were judged with master data, and later ones see its number, so none is
 * missed.
 */
export async function claimRecount(
  db: Queryable,
  asked: { readonly provider: string; readonly isAlone?: boolean },
): Promise<number | 'others' | 'none'> {
  const row = await claim(db, asked)
  return row?.number ?? (row?.waiting ? 'others' : 'none')
}

/** False when another process has begun a recount meanwhile. */
export const renewRecount = statement.any<{ provider: string; number: number }>(
  'renewRecount',
  `UPDATE recount c
   SET until = t.until
   FROM (SELECT now() + make_interval(secs => $leaseSeconds) AS until) t
   WHERE c.provider_id = $provider AND c.number = $number
   RETURNING c.number`,
  { defaults: { leaseSeconds } },
)

/** Renewed this often, in milliseconds, a recount stays with its process. */
export const renewalMs = (leaseSeconds * 1_000) / 3

/** What changed. */
export interface RecountCause {
  readonly id: string
  readonly what: 'location' | 'item' | 'vendor' | 'event' | 'everything'
  readonly vendor: string | null
  readonly code: string | null
  readonly eventId: string | null
  /** GLNs and DUNS numbers that a location has or had. */
  readonly numbers: readonly string[]
}

/** Up to `limit` changes that wait. */
export const recountCauses = statement<RecountCause, { provider: string; limit: number }>(
  'recountCauses',
  `SELECT a.id, a.what, a."dataProviderVendorId" AS vendor, a.code, a.event_id AS "eventId",
          ARRAY(
            SELECT DISTINCT n.number
            FROM record_version v
            CROSS JOIN LATERAL (
              VALUES (v.detail[1]::json -> 'locationMasterList' ->> 'gln'), (v.detail[1]::json -> 'locationMasterList' ->> 'duns')
            ) AS n (number)
            WHERE v.provider_id = $provider AND v.kind = 'location' AND a.what = 'location'
              AND v.detail[1]::json -> 'locationMasterList' ->> 'locationCode' = a.code
              AND v.detail[1]::json -> 'locationMasterList' ->> 'dataProviderVendorId' = a."dataProviderVendorId"
              AND n.number IS NOT NULL
          ) AS numbers
   FROM awaiting_recount a
   WHERE a.provider_id = $provider
   ORDER BY a.id
   LIMIT $limit`,
)

/** An event to count again perhaps, and its number of lines. */
export interface TouchedEvent {
  readonly id: string
  readonly lineCount: number
}

/** Up to `limit` events by id, above `after`. */
interface EventsWanted {
  readonly provider: string
  readonly after: string
  readonly limit: number
}

const everyEvent = statement<TouchedEvent, EventsWanted>(
  'allEventsAfter',
  `SELECT id, line_count AS "lineCount" FROM ${countedRows} e WHERE e.id > $after ORDER BY id LIMIT $limit`,
)

/** A vendor and its code of a location or an item, or a number of a location. */
interface ChangedCode {
  readonly vendor: string | null
  readonly code: string | null
}

interface ChangesWanted extends EventsWanted {
  readonly places: readonly ChangedCode[]
  readonly items: readonly ChangedCode[]
  readonly sources: readonly ChangedCode[]
  readonly vendors: readonly string[]
  readonly eventIds: readonly string[]
}

// Planned at each execution: a table that was nearly empty a moment ago may be full.
const touched = statement<TouchedEvent, ChangesWanted>(
  'eventsTouched',
  `SELECT t.id, t.line_count AS "lineCount"
   FROM (
     SELECT e.id, e.line_count
     FROM $places
     JOIN ${countedRows} e ON e.counterpart = places.code AND e."dataProviderVendorId" = places.vendor
     WHERE e.id > $after
     UNION
     SELECT e.id, e.line_count
     FROM $places
     JOIN ${countedRows} e ON e.place = places.code AND e."dataProviderVendorId" = places.vendor
     WHERE e.id > $after
     UNION
     SELECT e.id, e.line_count
     FROM $places
     JOIN ${countedCodes} c ON c.field = 'locationCode' AND c.code = places.code
     CROSS JOIN LATERAL (SELECT * FROM ${countedRows} o WHERE o.id = c.id LIMIT 1) e
     WHERE c.id > $after AND e."dataProviderVendorId" = places.vendor
     UNION
     SELECT e.id, e.line_count
     FROM $items
     JOIN ${countedCodes} c ON c.field = 'itemCode' AND c.code = items.code
     CROSS JOIN LATERAL (SELECT * FROM ${countedRows} o WHERE o.id = c.id LIMIT 1) e
     WHERE c.id > $after AND e."dataProviderVendorId" = items.vendor
     UNION
     SELECT e.id, e.line_count
     FROM $sources
     JOIN ${countedCodes} c ON c.field = 'sourceNumber' AND c.code = sources.code
     CROSS JOIN LATERAL (SELECT * FROM ${countedRows} o WHERE o.id = c.id LIMIT 1) e
     WHERE c.id > $after AND e."dataProviderVendorId" = sources.vendor
     UNION
     SELECT e.id, e.line_count
     FROM unnest($vendors::text[]) AS vendors (vendor)
     JOIN ${countedRows} e ON e."dataProviderVendorId" = vendors.vendor
     WHERE e.id > $after
     UNION
     SELECT e.id, e.line_count
     FROM unnest($eventIds::uuid[]) AS w (id)
     JOIN ${countedRows} e ON e.id = w.id
     WHERE w.id > $after
   ) AS t
   ORDER BY t.id
   LIMIT $limit`,
  {
    rows: {
      places: { vendor: 'text', code: 'text' },
      items: { vendor: 'text', code: 'text' },
      sources: { vendor: 'text', code: 'text' },
    },
    planned: 'each time',
  },
)

/** Up to `limit` events that these changes may touch, by id, above `after`. */
export function eventsTouched(
  db: Queryable,
  provider: string,
  {
    changes,
    after,
    limit,
  }: { readonly changes: readonly RecountCause[]; readonly after: string | undefined; readonly limit: number },
): Promise<TouchedEvent[]> {
  const wanted = { provider, after: after ?? lowestId, limit }
  if (changes.some(({ what }) => what === 'everything')) return everyEvent(db, wanted)
  const places = changes.filter(({ what }) => what === 'location')
  return touched(db, {
    ...wanted,
    places,
    items: changes.filter(({ what }) => what === 'item'),
    sources: places.flatMap(({ vendor, numbers }) => numbers.map((code) => ({ vendor, code }))),
    vendors: changes.flatMap(({ what, vendor }) => (what === 'vendor' ? (vendor ?? []) : [])),
    eventIds: changes.flatMap(({ eventId }) => eventId ?? []),
  })
}

/** The counts of an event, and the version that was counted. */
interface NewCounts {
  readonly id: string
  readonly version: number
  readonly completeness: string
}

const write = statement.one<
  { mine: boolean; changed: number },
  { provider: string; number: number; counts: readonly NewCounts[] }
>(
  'writeCounts',
  `WITH mine AS MATERIALIZED (
  SELECT n.number FROM recount n WHERE n.provider_id = $provider AND n.number = $number FOR SHARE
), counted AS MATERIALIZED (
  SELECT counts.id, counts.version, counts.completeness FROM $counts
), stored AS MATERIALIZED (
  SELECT e.kind, e.id, c.completeness
  FROM counted c JOIN record r ON r.provider_id = $provider AND r.id = c.id JOIN event e ON e.provider_id = $provider AND e.kind = r.kind AND e.id = r.id
  WHERE r.version = c.version AND e.completeness <> c.completeness AND EXISTS (SELECT 1 FROM mine)
  ORDER BY r.id
  FOR UPDATE OF r, e
), rehashed AS (
  UPDATE record r SET search_hash = '' FROM stored s WHERE r.provider_id = $provider AND r.id = s.id
), written AS (
  UPDATE event e
  SET completeness = s.completeness
  FROM stored s
  WHERE e.provider_id = $provider AND e.kind = s.kind AND e.id = s.id
  RETURNING e.id
)
SELECT EXISTS (SELECT 1 FROM mine) AS mine, (SELECT count(*) FROM written)::integer AS changed`,
  { rows: { counts: { id: 'uuid', version: 'integer', completeness: 'jsonb' } } },
)

/**
 * Writes the counts of events that are still at the version that was counted: one that was replaced
 * meanwhile has counts of its own. Returns how many changed; undefined when another process has
 * begun a recount, and nothing was written.
 */
export async function writeCounts(
  db: Queryable,
  provider: string,
  number: number,
  counts: readonly NewCounts[],
): Promise<number | undefined> {
  const row = await write(db, { provider, number, counts })
  return row?.mine ? row.changed : undefined
}

/** Ends a recount and deletes the changes whose events it has counted. */
export const endRecount = statement<never, { provider: string; number: number; causeIds: readonly string[] }>(
  'endRecount',
  `WITH ended AS (
  UPDATE recount c SET until = NULL WHERE c.provider_id = $provider AND c.number = $number RETURNING c.provider_id
)
DELETE FROM awaiting_recount a USING ended WHERE a.provider_id = $provider AND a.id = ANY ($causeIds::uuid[])`,
)
