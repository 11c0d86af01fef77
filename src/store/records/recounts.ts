// The events to count again because master data changed, and the recount that does it (decision
// 0052). A change inserts what it may touch into awaiting_recount, in its own statement; a recount
// deletes it once all events it touches are counted.
import { lowestId, type Queryable, statement } from '../database/statement.ts'
import { counted } from './event-kinds.ts'

const countedRows = counted.rows
const countedCodes = counted.codes

/** Called with a provider that has events to count again. */
export type RecountDue = (provider: string) => void

const since = statement<{ since: Date | null }>(
  'recountDueSince',
  `SELECT min(since) AS since FROM awaiting_recount WHERE provider_id = $1`,
)

/**
 * The time since which counts of the provider lag behind its master data; undefined when they are
 * up to date.
 */
export const recountDueSince = async (db: Queryable, provider: string): Promise<Date | undefined> =>
  (await since(db, [provider]))[0]?.since ?? undefined

const due = statement<{ provider: string }>(
  'providersToRecount',
  `SELECT DISTINCT provider_id AS provider FROM awaiting_recount`,
)

/** Providers with events to count again. */
export const providersToRecount = async (db: Queryable): Promise<string[]> =>
  (await due(db, [])).map(({ provider }) => provider)

const countedByOthers = statement<{ provider: string }>(
  'providersCountedByOthers',
  `SELECT c.provider_id AS provider FROM recount c WHERE c.counted_by IS DISTINCT FROM $1`,
)

const noteProgram = statement(
  'noteCountingProgram',
  `WITH noted AS (
  UPDATE recount c SET counted_by = $2 WHERE c.provider_id = $1 AND c.counted_by IS DISTINCT FROM $2 RETURNING c.provider_id
)
INSERT INTO awaiting_recount (provider_id, what)
SELECT $1, 'everything' FROM noted WHERE EXISTS (SELECT 1 FROM ${countedRows} e)`,
)

/** Schedules all events for a recount that another version of the program's rules counted. */
export async function recountAfterUpgrade(db: Queryable, version: string): Promise<void> {
  for (const { provider } of await countedByOthers(db, [version])) await noteProgram(db, [provider, version])
}

/** How long a recount stays with its process after its last sign of life, in seconds. */
const leaseSeconds = 15

const claim = statement<{ number: number | null; waiting: boolean }>(
  'claimRecount',
  `WITH claimed AS (
  UPDATE recount c
  SET number = c.number + 1, until = t.until
  FROM (SELECT now() + make_interval(secs => $2) AS until) t
  WHERE c.provider_id = $1 AND (c.until IS NULL OR c.until < now())
    AND EXISTS (SELECT 1 FROM awaiting_recount a WHERE a.provider_id = $1)
  RETURNING c.number
)
SELECT (SELECT number FROM claimed) AS number, EXISTS (SELECT 1 FROM awaiting_recount a WHERE a.provider_id = $1) AS waiting`,
)

/**
 * Begins a recount and returns its number; `others` when another process runs one, `none` when
 * nothing waits. It waits for writes in progress that were judged with master data, and later ones
 * see its number, so none is missed.
 */
export async function claimRecount(db: Queryable, provider: string): Promise<number | 'others' | 'none'> {
  const [row] = await claim(db, [provider, leaseSeconds])
  return row?.number ?? (row?.waiting ? 'others' : 'none')
}

const renew = statement<{ number: number }>(
  'renewRecount',
  `UPDATE recount c
   SET until = t.until
   FROM (SELECT now() + make_interval(secs => $3) AS until) t
   WHERE c.provider_id = $1 AND c.number = $2
   RETURNING c.number`,
)

/** Renewed this often, in milliseconds, a recount stays with its process. */
export const renewalMs = (leaseSeconds * 1_000) / 3

/** False when another process has begun a recount meanwhile. */
export const renewRecount = async (db: Queryable, provider: string, number: number): Promise<boolean> =>
  (await renew(db, [provider, number, leaseSeconds])).length > 0

/** What changed. */
export interface RecountCause {
  readonly id: string
  readonly what: 'location' | 'item' | 'event' | 'everything'
  readonly vendor: string | null
  readonly code: string | null
  readonly eventId: string | null
  /** GLNs and DUNS numbers that a location has or had. */
  readonly numbers: readonly string[]
}

const causes = statement<RecountCause>(
  'recountCauses',
  `SELECT a.id, a.what, a."dataProviderVendorId" AS vendor, a.code, a.event_id AS "eventId",
          ARRAY(
            SELECT DISTINCT n.number
            FROM record_version v
            CROSS JOIN LATERAL (
              VALUES (v.body::json -> 'locationMasterList' ->> 'gln'), (v.body::json -> 'locationMasterList' ->> 'duns')
            ) AS n (number)
            WHERE v.provider_id = $1 AND v.kind = 'location' AND a.what = 'location'
              AND v.body::json -> 'locationMasterList' ->> 'locationCode' = a.code
              AND v.body::json -> 'locationMasterList' ->> 'dataProviderVendorId' = a."dataProviderVendorId"
              AND n.number IS NOT NULL
          ) AS numbers
   FROM awaiting_recount a
   WHERE a.provider_id = $1
   ORDER BY a.id
   LIMIT $2`,
)

/** Up to `limit` changes that wait. */
export const recountCauses = (db: Queryable, provider: string, limit: number): Promise<RecountCause[]> =>
  causes(db, [provider, limit])

/** An event to count again perhaps, and its number of lines. */
export interface TouchedEvent {
  readonly id: string
  readonly lineCount: number
}

const allEvents = statement<TouchedEvent>(
  'allEventsAfter',
  `SELECT id, line_count AS "lineCount" FROM ${countedRows} e WHERE e.id > $2 ORDER BY id LIMIT $3`,
)

// Planned at each execution: a table that was nearly empty a moment ago may be full.
const touched = statement<TouchedEvent>(
  'eventsTouched',
  `SELECT t.id, t.line_count AS "lineCount"
   FROM (
     SELECT e.id, e.line_count
     FROM unnest($4::text[], $5::text[]) AS w (vendor, code)
     JOIN ${countedRows} e ON e.counterpart = w.code AND e."dataProviderVendorId" = w.vendor
     WHERE e.id > $2
     UNION
     SELECT e.id, e.line_count
     FROM unnest($4::text[], $5::text[]) AS w (vendor, code)
     JOIN ${countedRows} e ON e.place = w.code AND e."dataProviderVendorId" = w.vendor
     WHERE e.id > $2
     UNION
     SELECT e.id, e.line_count
     FROM unnest($4::text[], $5::text[]) AS w (vendor, code)
     JOIN ${countedCodes} c ON c.field = 'locationCode' AND c.code = w.code
     CROSS JOIN LATERAL (SELECT * FROM ${countedRows} o WHERE o.id = c.id LIMIT 1) e
     WHERE c.id > $2 AND e."dataProviderVendorId" = w.vendor
     UNION
     SELECT e.id, e.line_count
     FROM unnest($6::text[], $7::text[]) AS w (vendor, code)
     JOIN ${countedCodes} c ON c.field = 'itemCode' AND c.code = w.code
     CROSS JOIN LATERAL (SELECT * FROM ${countedRows} o WHERE o.id = c.id LIMIT 1) e
     WHERE c.id > $2 AND e."dataProviderVendorId" = w.vendor
     UNION
     SELECT e.id, e.line_count
     FROM unnest($9::text[], $10::text[]) AS w (vendor, number)
     JOIN ${countedCodes} c ON c.field = 'sourceNumber' AND c.code = w.number
     CROSS JOIN LATERAL (SELECT * FROM ${countedRows} o WHERE o.id = c.id LIMIT 1) e
     WHERE c.id > $2 AND e."dataProviderVendorId" = w.vendor
     UNION
     SELECT e.id, e.line_count
     FROM unnest($8::uuid[]) AS w (id)
     JOIN ${countedRows} e ON e.id = w.id
     WHERE w.id > $2
   ) AS t
   ORDER BY t.id
   LIMIT $3`,
  'each time',
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
  const values = [provider, after ?? lowestId, limit]
  if (changes.some(({ what }) => what === 'everything')) return allEvents(db, values)
  const places = changes.filter(({ what }) => what === 'location')
  const items = changes.filter(({ what }) => what === 'item')
  const sources = places.flatMap(({ vendor, numbers }) => numbers.map((number) => ({ vendor, number })))
  return touched(db, [
    ...values,
    places.map(({ vendor }) => vendor),
    places.map(({ code }) => code),
    items.map(({ vendor }) => vendor),
    items.map(({ code }) => code),
    changes.flatMap(({ eventId }) => eventId ?? []),
    sources.map(({ vendor }) => vendor),
    sources.map(({ number }) => number),
  ])
}

/** An event as it is now. */
export interface CountedEvent {
  readonly id: string
  readonly version: number
  readonly body: string
}

// By sizes as stored, which are known without reading a body: an event may have 10 MB. LIMIT 1
// makes the planner look up each row by its key. As a join, on tables without statistics, it
// compared every id with every record: 400 of 10,000 events took 2.8 s, and take 13 ms this way.
const current = statement<CountedEvent>(
  'eventsToCount',
  `WITH sized AS MATERIALIZED (
  SELECT w.n, r.id, r.version,
         sum(pg_column_size(v.body)) OVER (ORDER BY w.n) - pg_column_size(v.body) AS before
  FROM unnest($2::uuid[]) WITH ORDINALITY AS w (id, n)
  CROSS JOIN LATERAL (SELECT id, version FROM record WHERE provider_id = $1 AND id = w.id LIMIT 1) r
  CROSS JOIN LATERAL (
    SELECT body FROM record_version WHERE provider_id = $1 AND record_id = r.id AND version = r.version LIMIT 1
  ) v
  WHERE v.body IS NOT NULL
)
SELECT s.id, s.version, v.body
FROM sized s
CROSS JOIN LATERAL (
  SELECT body FROM record_version WHERE provider_id = $1 AND record_id = s.id AND version = s.version LIMIT 1
) v
WHERE s.before < $3
ORDER BY s.n`,
)

/**
 * Bytes of bodies in stored form read at once, except for one larger body; several times as much
 * once decompressed. A quarter of it cut a batch of 2,000 lines into three, each with its own
 * statements and pause.
 */
const storedBytesAtOnce = 1024 * 1024

/**
 * The events that still exist, in their current version and in order, a few megabytes of bodies at
 * a time.
 */
export async function* eventsToCount(
  db: Queryable,
  provider: string,
  ids: readonly string[],
): AsyncGenerator<readonly CountedEvent[]> {
  for (let rest = ids; rest.length > 0; ) {
    const found = await current(db, [provider, rest, storedBytesAtOnce])
    const last = found.at(-1)
    if (last === undefined) return
    yield found
    rest = rest.slice(rest.indexOf(last.id) + 1)
  }
}

const write = statement<{ mine: boolean; changed: number }>(
  'writeCounts',
  `WITH mine AS MATERIALIZED (
  SELECT n.number FROM recount n WHERE n.provider_id = $1 AND n.number = $2 FOR SHARE
), counted AS MATERIALIZED (
  SELECT c.id, c.version, c.completeness::jsonb AS completeness
  FROM unnest($3::uuid[], $4::integer[], $5::text[]) AS c (id, version, completeness)
), stored AS MATERIALIZED (
  SELECT e.kind, e.id, c.completeness
  FROM counted c JOIN record r ON r.provider_id = $1 AND r.id = c.id JOIN event e ON e.provider_id = $1 AND e.kind = r.kind AND e.id = r.id
  WHERE r.version = c.version AND e.completeness <> c.completeness AND EXISTS (SELECT 1 FROM mine)
  ORDER BY r.id
  FOR UPDATE OF r, e
), rehashed AS (
  UPDATE record r SET search_hash = '' FROM stored s WHERE r.provider_id = $1 AND r.id = s.id
), written AS (
  UPDATE event e
  SET completeness = s.completeness
  FROM stored s
  WHERE e.provider_id = $1 AND e.kind = s.kind AND e.id = s.id
  RETURNING e.id
)
SELECT EXISTS (SELECT 1 FROM mine) AS mine, (SELECT count(*) FROM written)::integer AS changed`,
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
  counted: readonly { readonly id: string; readonly version: number; readonly completeness: string }[],
): Promise<number | undefined> {
  const [row] = await write(db, [
    provider,
    number,
    counted.map(({ id }) => id),
    counted.map(({ version }) => version),
    counted.map(({ completeness }) => completeness),
  ])
  return row?.mine ? row.changed : undefined
}

const end = statement(
  'endRecount',
  `WITH ended AS (
  UPDATE recount c SET until = NULL WHERE c.provider_id = $1 AND c.number = $2 RETURNING c.provider_id
)
DELETE FROM awaiting_recount a USING ended WHERE a.provider_id = $1 AND a.id = ANY ($3::uuid[])`,
)

/** Ends a recount and deletes the changes whose events it has counted. */
export const endRecount = async (
  db: Queryable,
  provider: string,
  number: number,
  done: readonly RecountCause[],
): Promise<void> => {
  await end(db, [provider, number, done.map(({ id }) => id)])
}
