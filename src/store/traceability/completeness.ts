// Completeness over many events, summed from the tallies of the events by one statement, so that
// all numbers of an answer are of one moment; and the events behind the numbers.

import type { EventKindName } from '../../contract/record-kinds.ts'
import { highestId, type Queryable, statement } from '../database/statement.ts'
import { allEvents, type EventRelations, inDates, onEvents, sentOn } from '../records/event-kinds.ts'

/** The filters: a line matches all that are given. */
export interface LineSelection {
  /** The kind of events; undefined for all. */
  readonly kind: EventKindName | undefined
  /** First and last date received, `yyyy-MM-dd` (decision 0055). */
  readonly eventStartDate: string
  readonly eventEndDate: string
  /** One of them, where any are given. */
  readonly dataProviderVendorId: readonly string[] | undefined
  readonly shipToLocationCode: readonly string[] | undefined
  readonly vendorItemCode: string | undefined
}

/** The grouping of lines; `kde` groups by kind, whose elements are its own. */
export type LineGrouping = 'kind' | 'dataProviderVendorId' | 'shipToLocationCode' | 'vendorItemCode' | 'month' | 'kde'

/** Counts of lines that need key data elements, and of their events. */
export interface LineCounts {
  readonly events: number
  readonly eventsWithGaps: number
  readonly lines: number
  readonly completeLines: number
}

/** Counts of one month (`yyyy-MM`), of a group or (key null) of all. */
export interface MonthCounts extends LineCounts {
  readonly key: string | null
  readonly month: string
  /** The newest event of the group: its id and its kind. */
  readonly latest: string
}

/**
 * Lines of a group with a gap of a key, and their events; by month where the groups are kinds.
 */
export interface GapCounts {
  readonly key: string
  readonly month: string | null
  readonly rule: string
  readonly events: number
  readonly lines: number
}

interface CountRow extends LineCounts {
  readonly key: string | null
  readonly month: string | null
  readonly rule: string | null
  readonly latest: string
  readonly groupCount: number
}

const countedEvents = allEvents.dated

const kindsSentOn = sentOn.kinds
/** Where the goods of an event go, or where it happens: as exports choose events. */
const destination = `CASE WHEN e.kind IN (${kindsSentOn}) THEN e.counterpart ELSE e.place END`

// Statements of these are planned each time: with its value, the kind leaves one partition.
const selected = `${inDates}
    AND ($kind::text IS NULL OR e.kind = $kind)
    AND ($dataProviderVendorId::text[] IS NULL OR e."dataProviderVendorId" = ANY ($dataProviderVendorId))
    AND ($shipToLocationCode::text[] IS NULL OR ${destination} = ANY ($shipToLocationCode))`
/** True for an event with an incomplete line. */
const lacks = `e.completeness @? '$[*] ? (@.complete < @.lines)'`

// An event has one tally per item. Its first one counts the event, unless each tally is of another
// event.
const counts = statement<CountRow, LineSelection & { provider: string; by: LineGrouping; limit: number }>(
  'completeness',
  `WITH tally AS MATERIALIZED (
  SELECT e.id, to_char(e.local_date, 'YYYY-MM') AS month, t.lines, t.complete, t.gaps,
         CASE $by::text
           WHEN 'dataProviderVendorId' THEN e."dataProviderVendorId"
           WHEN 'shipToLocationCode' THEN ${destination}
           WHEN 'vendorItemCode' THEN t.item
           WHEN 'month' THEN to_char(e.local_date, 'YYYY-MM')
           ELSE e.kind
         END COLLATE "C" AS key, e.kind,
         $vendorItemCode::text IS NOT NULL OR t.n = 1 AS first,
         CASE WHEN $vendorItemCode::text IS NULL THEN ${lacks} ELSE t.complete < t.lines END AS lacks
  FROM ${countedEvents} e
  CROSS JOIN LATERAL ROWS FROM (
    jsonb_to_recordset(e.completeness) AS (item text, lines integer, complete integer, gaps jsonb)
  ) WITH ORDINALITY AS t (item, lines, complete, gaps, n)
  WHERE ${selected} AND ($vendorItemCode::text IS NULL OR t.item = $vendorItemCode)
), summed AS MATERIALIZED (
  SELECT key, month, max(id::text || ' ' || kind) AS latest, sum(lines) AS lines, sum(complete) AS complete,
         CASE WHEN $by = 'vendorItemCode' AND grouping(key) = 0 THEN count(*) ELSE count(*) FILTER (WHERE first) END AS events,
         CASE WHEN $by = 'vendorItemCode' AND grouping(key) = 0 THEN count(*) FILTER (WHERE complete < lines)
              ELSE count(*) FILTER (WHERE first AND lacks) END AS events_with_gaps
  FROM tally
  GROUP BY GROUPING SETS ((key, month), (month))
), ranked AS MATERIALIZED (
  SELECT key, count(*) OVER ()::integer AS group_count
  FROM summed
  WHERE key IS NOT NULL
  GROUP BY key
  ORDER BY sum(lines - complete) DESC, key
  LIMIT $limit
), gaps AS (
  SELECT t.key, CASE $by WHEN 'kde' THEN t.month END AS month, g.rule,
         count(DISTINCT t.id) AS events, sum(g.lines::integer) AS lines
  FROM ranked r JOIN tally t ON t.key = r.key CROSS JOIN LATERAL jsonb_each_text(t.gaps) AS g (rule, lines)
  WHERE t.complete < t.lines
  GROUP BY 1, 2, 3
)
SELECT s.key, s.month, NULL AS rule, s.latest, s.events::integer AS events, s.events_with_gaps::integer AS "eventsWithGaps",
       s.lines::integer AS lines, s.complete::integer AS "completeLines", coalesce(r.group_count, 0) AS "groupCount"
FROM summed s LEFT JOIN ranked r ON r.key = s.key
WHERE s.key IS NULL OR r.key IS NOT NULL
UNION ALL
SELECT key, month, rule, '', events::integer, 0, lines::integer, 0, 0 FROM gaps`,
  { planned: 'each time' },
)

/**
 * All lines by month, the `limit` groups with the most incomplete lines by month, and the gaps of
 * these groups; in no order.
 */
export async function countLines(
  db: Queryable,
  provider: string,
  { selection, by, limit }: { readonly selection: LineSelection; readonly by: LineGrouping; readonly limit: number },
): Promise<{
  readonly months: readonly MonthCounts[]
  readonly gaps: readonly GapCounts[]
  /** The number of groups, counted or not. */
  readonly groupCount: number
}> {
  const rows = await counts(db, { ...selection, provider, by, limit })
  return {
    months: rows.flatMap(({ month, rule, ...row }) => (rule === null && month !== null ? [{ ...row, month }] : [])),
    gaps: rows.flatMap(({ key, month, rule, events, lines }) =>
      rule !== null && key !== null ? [{ key, month, rule, events, lines }] : [],
    ),
    groupCount: Math.max(0, ...rows.map((row) => row.groupCount)),
  }
}

const eventsWithin = statement.one<{ events: number }, LineSelection & { provider: string; limit: number }>(
  'eventsWithin',
  `SELECT count(*)::integer AS events FROM (SELECT true FROM ${countedEvents} e WHERE ${selected} LIMIT $limit) AS found`,
  { planned: 'each time' },
)

/** True if there are more than `most` events. Cheap, because it does not read them. */
export async function areMoreThan(db: Queryable, provider: string, selection: LineSelection, most: number) {
  const row = await eventsWithin(db, { ...selection, provider, limit: most + 1 })
  return (row?.events ?? 0) > most
}

export type Bucket = 'month' | 'week' | 'day'

/** Lines that need key data elements in one bucket of time, of one vendor or (null) of all. */
export interface BucketCounts {
  readonly dataProviderVendorId: string | null
  /** First day of the bucket, `yyyy-MM-dd`. Weeks begin on Monday. */
  readonly start: string
  readonly events: number
  readonly lines: number
  readonly completeLines: number
  /** The newest event of the vendor. */
  readonly latest: string
}

const buckets = statement<
  BucketCounts & { vendorCount: number },
  LineSelection & { provider: string; bucket: Bucket; limit: number }
>(
  'completenessHistory',
  `WITH tally AS MATERIALIZED (
  SELECT e.id, e."dataProviderVendorId" COLLATE "C" AS vendor,
         date_trunc($bucket, e.local_date::timestamp)::date AS start, t.lines, t.complete
  FROM ${countedEvents} e
  CROSS JOIN LATERAL (
    SELECT sum(i.lines) AS lines, sum(i.complete) AS complete
    FROM jsonb_to_recordset(e.completeness) AS i (item text, lines integer, complete integer)
    WHERE $vendorItemCode::text IS NULL OR i.item = $vendorItemCode
  ) t
  WHERE ${selected} AND t.lines > 0
), summed AS MATERIALIZED (
  SELECT vendor, start, count(*) AS events, sum(lines) AS lines, sum(complete) AS complete, max(id::text) AS latest
  FROM tally
  GROUP BY GROUPING SETS ((vendor, start), (start))
), ranked AS (
  SELECT vendor, count(*) OVER ()::integer AS vendor_count
  FROM summed
  WHERE vendor IS NOT NULL
  GROUP BY vendor
  ORDER BY sum(lines - complete) DESC, vendor
  LIMIT $limit
)
SELECT s.vendor AS "dataProviderVendorId", s.start::text AS start, s.events::integer AS events, s.lines::integer AS lines,
       s.complete::integer AS "completeLines", s.latest, coalesce(r.vendor_count, 0) AS "vendorCount"
FROM summed s LEFT JOIN ranked r ON r.vendor = s.vendor
WHERE s.vendor IS NULL OR r.vendor IS NOT NULL
ORDER BY s.start`,
  { planned: 'each time' },
)

/**
 * All lines bucket by bucket, oldest first, and those of the `limit` vendors with the most
 * incomplete lines.
 */
export async function countBuckets(
  db: Queryable,
  provider: string,
  { selection, bucket, limit }: { readonly selection: LineSelection; readonly bucket: Bucket; readonly limit: number },
): Promise<{ readonly buckets: readonly BucketCounts[]; readonly vendorCount: number }> {
  const rows = await buckets(db, { ...selection, provider, bucket, limit })
  return {
    buckets: rows.map(({ vendorCount: _, ...row }) => row),
    vendorCount: Math.max(0, ...rows.map(({ vendorCount }) => vendorCount)),
  }
}

export interface LastDelivery {
  readonly dataProviderVendorId: string
  /** Latest date received, `yyyy-MM-dd`. */
  readonly date: string
}

/** The last delivery of each vendor of a selection. */
export const lastDeliveries = statement<LastDelivery, Omit<LineSelection, 'vendorItemCode'> & { provider: string }>(
  'lastDeliveries',
  `SELECT e."dataProviderVendorId", max(e.local_date)::text AS date
   FROM ${countedEvents} e
   WHERE ${selected}
   GROUP BY e."dataProviderVendorId"
   ORDER BY 1`,
  { planned: 'each time' },
)

/**
 * The latest date of events of a kind up to the instant `until`, and when that was; of all of them
 * when every one is later.
 */
export const newestDateOn = ({
  rows,
  dated,
}: Pick<EventRelations, 'rows' | 'dated'>): string => `SELECT max(e.local_date) AS date, max(n.at) AS at
FROM (
  SELECT coalesce(
    (SELECT max(o."eventDateTime") FROM ${rows} o WHERE o."eventDateTime" <= $until::timestamptz),
    (SELECT max(o."eventDateTime") FROM ${rows} o)
  ) AS at
) n
JOIN ${dated} e ON e."eventDateTime" BETWEEN n.at - interval '2 days' AND n.at`

const newestDates = onEvents(
  ({ kind, ...relations }) =>
    `SELECT k.* FROM (${newestDateOn(relations)}) k WHERE $kind::text IS NULL OR $kind = '${kind}'`,
)

const newestDate = statement.one<
  { date: string | null },
  { provider: string; until: Date; kind: EventKindName | undefined }
>(
  'newestEventDate',
  `SELECT coalesce(max(d.date) FILTER (WHERE d.at <= $until::timestamptz), max(d.date))::text AS date FROM (
  ${newestDates}
) d`,
)

/**
 * The latest date, `yyyy-MM-dd`, of the provider's events of a kind up to an instant; of all of
 * them when every one is later.
 */
export const newestEventDate = async (
  db: Queryable,
  asked: { readonly provider: string; readonly until: Date; readonly kind: EventKindName | undefined },
): Promise<string | undefined> => (await newestDate(db, asked))?.date ?? undefined

/** An event in which a line is not complete. */
export interface EventWithGaps {
  readonly id: string
  readonly kind: EventKindName
  readonly version: number
  /** Seconds since 1970 of its date time, as text. */
  readonly instant: string
  readonly eventDate: string
  readonly dataProviderVendorId: string
  readonly shipToLocationCode: string
  readonly purchaseOrderNumber: string | null
  /** Lines of the selection, the complete ones, and how many have a gap, by its key. */
  readonly lines: number
  readonly completeLines: number
  readonly gaps: Readonly<Record<string, number>>
}

/** Where a page begins: after this event. */
export interface GapsPosition {
  readonly instant: string
  readonly id: string
}

const fromTheNewest = { instant: 'Infinity', id: highestId }

// Summed in the database: the tallies of an event of 5,000 items are megabytes, and a page has 200
// events.
/**
 * Up to `limit` events with an incomplete line of the selection, latest first; of a rule, and of
 * one of its keys, when these are given.
 */
export const listEventsWithGaps = statement<
  EventWithGaps,
  LineSelection &
    Partial<GapsPosition> & { provider: string; rule: string | undefined; gap: string | undefined; limit: number }
>(
  'eventsWithGaps',
  `SELECT page.id, page.kind, page.version, page.instant, page."eventDate", page."dataProviderVendorId", page."shipToLocationCode",
          page."purchaseOrderNumber", summed.lines, summed."completeLines", coalesce(lacking.gaps, '{}') AS gaps
   FROM (
   SELECT e.id, e.kind, e.version, e."eventDateTime", trunc(extract(epoch FROM e."eventDateTime"))::text AS instant,
          e.local_date::text AS "eventDate", e."dataProviderVendorId", ${destination} AS "shipToLocationCode", e."purchaseOrderNumber", e.completeness
   FROM ${countedEvents} e
   WHERE ${selected} AND (e."eventDateTime", e.id) < (to_timestamp($instant::double precision), $id::uuid) AND ${lacks}
     AND EXISTS (
       SELECT true FROM jsonb_to_recordset(e.completeness) AS t (item text, lines integer, complete integer, gaps jsonb)
       WHERE t.complete < t.lines AND ($vendorItemCode::text IS NULL OR t.item = $vendorItemCode) AND ($gap::text IS NULL OR t.gaps ? $gap)
         AND ($rule::text IS NULL OR EXISTS (
           SELECT true FROM jsonb_object_keys(t.gaps) AS g (key) WHERE g.key = $rule OR starts_with(g.key, $rule || ' ')
         ))
     )
   ORDER BY e."eventDateTime" DESC, e.id DESC
   LIMIT $limit
   ) page
   CROSS JOIN LATERAL (
     SELECT sum(t.lines)::integer AS lines, sum(t.complete)::integer AS "completeLines"
     FROM jsonb_to_recordset(page.completeness) AS t (item text, lines integer, complete integer)
     WHERE $vendorItemCode::text IS NULL OR t.item = $vendorItemCode
   ) summed
   CROSS JOIN LATERAL (
     SELECT jsonb_object_agg(counted.rule, counted.lines) AS gaps
     FROM (
       SELECT g.rule, sum(g.lines::integer)::integer AS lines
       FROM jsonb_to_recordset(page.completeness) AS t (item text, gaps jsonb)
       CROSS JOIN LATERAL jsonb_each_text(t.gaps) AS g (rule, lines)
       WHERE $vendorItemCode::text IS NULL OR t.item = $vendorItemCode
       GROUP BY g.rule
     ) counted
   ) lacking
   ORDER BY page."eventDateTime" DESC, page.id DESC`,
  { defaults: fromTheNewest, planned: 'each time' },
)

/** Missing data with one cause: a product, a location, or the lines themselves. */
export interface GapGroup {
  readonly rule: string
  readonly dataProviderVendorId: string
  /** Item code or location code; empty where the event itself is the reason. */
  readonly code: string
  readonly lines: number
  readonly events: number
  readonly groupCount: number
}

/**
 * Missing data of the selection by rule, vendor and cause, most lines first. `causes` has the rules
 * that are grouped.
 */
export const listGapGroups = statement<
  GapGroup,
  LineSelection & { provider: string; causes: readonly { rule: string; cause: string }[]; limit: number }
>(
  'gapGroups',
  `WITH lacking AS (
  SELECT e.id, g.rule, e."dataProviderVendorId", g.lines::integer AS lines,
         CASE causes.cause
           WHEN 'shipFrom' THEN e.counterpart
           WHEN 'shipTo' THEN e.place
           WHEN 'event' THEN ''
           ELSE t.item
         END COLLATE "C" AS code
  FROM ${countedEvents} e
  CROSS JOIN LATERAL jsonb_to_recordset(e.completeness) AS t (item text, gaps jsonb)
  CROSS JOIN LATERAL jsonb_each_text(t.gaps) AS g (rule, lines)
  JOIN $causes ON causes.rule = g.rule
  WHERE ${selected} AND ${lacks} AND ($vendorItemCode::text IS NULL OR t.item = $vendorItemCode)
)
SELECT rule, "dataProviderVendorId", code, sum(lines)::integer AS lines, count(DISTINCT id)::integer AS events,
       count(*) OVER ()::integer AS "groupCount"
FROM lacking
GROUP BY rule, "dataProviderVendorId", code
ORDER BY sum(lines) DESC, rule, "dataProviderVendorId", code
LIMIT $limit`,
  { rows: { causes: { rule: 'text', cause: 'text' } }, planned: 'each time' },
)
