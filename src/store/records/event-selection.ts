// The events of an export: selected at once, and read version by version while it is written.
// Versions do not change, so the selection reads the same however long the reader takes and however
// often it is read, and no transaction stays open. Only a purge can remove a version: the export
// then ends.
import { type EventKindName, eventKinds, filteredPlaceOf, ofEventKinds } from '../../contract/record-kinds.ts'
import { highestId, type Queryable, statement } from '../database/statement.ts'
import { DamagedRecord, type VersionName } from '../evidence/damaged-record.ts'
import { anyDates, events, inDates, type KindRelations, lineCountIn } from './event-kinds.ts'
import { searchEvents } from './events.ts'
import { codesLike, lotRowOf } from './lot-rows.ts'
import type { JudgedVersion } from './record-versions.ts'

/** The filters: an event matches one value of each that is given. */
export interface EventSelection {
  /** First and last date received, `yyyy-MM-dd` (decision 0055). */
  readonly eventStartDate?: string | undefined
  readonly eventEndDate?: string | undefined
  readonly dataProviderVendorId?: readonly string[] | undefined
  readonly shipToLocationCode?: readonly string[] | undefined
  /** Item codes of vendor or purchaser; one line must have one of them. */
  readonly itemCode?: readonly string[] | undefined
  /** Texts that name lots; one line must have one of them (decision 0049). */
  readonly lotCode?: readonly string[] | undefined
  /** Food without a lot code that one line must name, as its code has it. */
  readonly food?: readonly string[] | undefined
  /** True to include events whose lot codes only read alike. */
  readonly readAlike?: boolean | undefined
}

export interface SelectedEvent {
  readonly id: string
  readonly version: number
  readonly lineCount: number
}

/** A location of a vendor, and a date there. */
export interface PlaceAndDate {
  readonly vendor: string
  readonly locationCode: string
  readonly date: string
}

interface WantedPlaces {
  readonly provider: string
  readonly vendors: readonly string[]
  readonly places: readonly string[]
  readonly dates: readonly string[]
  readonly limit: number
}

interface SelectedCounts {
  readonly events: number
  readonly lines: number
  /** Events that were replaced. */
  readonly corrected: number
}

type CountedSelection = Pick<
  EventSelection,
  'eventStartDate' | 'eventEndDate' | 'dataProviderVendorId' | 'shipToLocationCode'
>

/** Up to `limit` events by dates, vendors and places. */
interface Wanted extends CountedSelection {
  readonly provider: string
  readonly limit: number
}

/**
 * Codes of one field, and the items that an event must also have. `unfolded` is the exact text of
 * each code, or null where every code that folds to it matches.
 */
interface CodeFilter {
  readonly field: 'itemCode' | 'lotCode' | 'food'
  readonly codes: readonly string[]
  readonly unfolded: readonly (string | null)[]
  readonly itemCode: readonly string[] | undefined
}

const ofVendorsAndPlaces = ({ kind, columns }: KindRelations) =>
  `($dataProviderVendorId::text[] IS NULL OR e."dataProviderVendorId" = ANY ($dataProviderVendorId))
     AND ($shipToLocationCode::text[] IS NULL OR e.${columns[filteredPlaceOf(eventKinds[kind])]} = ANY ($shipToLocationCode))`

/** The events with one of the codes, each once, and whether they also have one of the items. */
const codedIn = ({ codes, dated }: KindRelations) => `(
     SELECT DISTINCT r.id
     FROM unnest($codes::text[], $unfolded::text[]) AS w (code, unfolded)
     JOIN ${codes} r ON r.field = $field AND r.code = w.code
     WHERE w.unfolded IS NULL OR r.unfolded = w.unfolded
   ) c CROSS JOIN LATERAL (SELECT * FROM ${dated} d WHERE d.id = c.id LIMIT 1) e`
const withItemIn = ({ codes }: KindRelations) => `($itemCode::text[] IS NULL OR EXISTS (
       SELECT 1 FROM ${codes} i
       WHERE i.field = 'itemCode' AND i.code = ANY ($itemCode) AND i.id = e.id
     ))`

const selecting = (relations: KindRelations) => {
  const { kind, plural, dated } = relations
  const ofPlaces = ofVendorsAndPlaces(relations)
  return {
    byDate: statement<SelectedEvent, Wanted>(
      `select${plural}ByDate`,
      `SELECT e.id, e.version, e.line_count AS "lineCount"
   FROM ${dated} e
   WHERE ${inDates}
     AND ${ofPlaces}
   ORDER BY e.local_date, e.id LIMIT $limit`,
      { defaults: anyDates },
    ),
    byCode: statement<SelectedEvent, Wanted & CodeFilter>(
      `select${plural}ByCode`,
      `SELECT e.id, e.version, e.line_count AS "lineCount"
   FROM ${codedIn(relations)}
   WHERE ${withItemIn(relations)}
     AND e.local_date BETWEEN $eventStartDate::date AND $eventEndDate::date AND ${ofPlaces}
   ORDER BY e.local_date, e.id LIMIT $limit`,
      { defaults: anyDates },
    ),
    byPlaceAndDate: statement<SelectedEvent, WantedPlaces>(
      `select${plural}ByPlaceAndDate`,
      `SELECT e.id, e.version, e.line_count AS "lineCount"
   FROM unnest($vendors::text[], $places::text[], $dates::text[]) AS w (vendor, place, date)
   JOIN LATERAL (
     SELECT * FROM ${dated} d
     WHERE d.place = w.place AND d."dataProviderVendorId" = w.vendor
       AND d."eventDateTime" BETWEEN ((w.date::date - interval '14 hours') AT TIME ZONE 'UTC') AND ((w.date::date + interval '38 hours') AT TIME ZONE 'UTC')
   ) e ON e.local_date = w.date::date
   ORDER BY e.local_date, e.id LIMIT $limit`,
    ),
    count: statement.one<SelectedCounts, Wanted>(
      `count${plural}`,
      `SELECT count(*)::integer AS events, coalesce(sum(s.line_count), 0)::integer AS lines,
       (count(*) FILTER (WHERE s.version > 1))::integer AS corrected
   FROM (
     SELECT e.version, e.line_count
     FROM ${dated} e
     WHERE ${inDates}
       AND ${ofPlaces}
     LIMIT $limit
   ) s`,
      { defaults: anyDates },
    ),
    marks: statement<EventMarks, { provider: string; ids: readonly string[] }>(
      `marksOf${plural}`,
      `SELECT e.id, e."dataProviderVendorId", e."purchaseOrderNumber", e.local_date::text AS "eventDate"
   FROM ${dated} e
   WHERE e.id = ANY ($ids::uuid[])`,
    ),
    downByDate: statement<{ id: string }, Wanted & { before: string | undefined }>(
      `select${plural}DownByDate`,
      `SELECT e.id
   FROM ${dated} e
   WHERE e.id < $before::uuid
     AND ${inDates}
     AND ${ofPlaces}
   ORDER BY e.id DESC LIMIT $limit`,
      { defaults: { ...anyDates, before: highestId } },
    ),
    downByCode: statement<{ id: string }, Wanted & CodeFilter & { before: string | undefined }>(
      `select${plural}DownByCode`,
      `SELECT e.id
   FROM ${codedIn(relations)}
   WHERE ${withItemIn(relations)} AND e.id < $before::uuid
     AND e.local_date BETWEEN $eventStartDate::date AND $eventEndDate::date AND ${ofPlaces}
   ORDER BY e.id DESC LIMIT $limit`,
      { defaults: { ...anyDates, before: highestId } },
    ),
    search: searchEvents[kind],
  }
}

const selections = ofEventKinds((kind) => selecting(events[kind]))

const anyOfCode = (code: string) => ({ code, unfolded: null })

/** The filter that leaves fewest events, if any is by codes. */
function codeFilterOf({ itemCode, lotCode, food, readAlike }: EventSelection): CodeFilter | undefined {
  if (food !== undefined) return { field: 'food', codes: food, unfolded: food.map(() => ''), itemCode: undefined }
  if (lotCode === undefined)
    return itemCode && { field: 'itemCode', codes: itemCode, unfolded: itemCode.map(() => ''), itemCode: undefined }
  const lots = readAlike === true ? lotCode.flatMap(codesLike).map(anyOfCode) : lotCode.map(lotRowOf)
  return {
    field: 'lotCode',
    codes: lots.map(({ code }) => code),
    unfolded: lots.map(({ unfolded }) => unfolded),
    itemCode,
  }
}

/** Up to `limit` events that a selection chooses. */
interface Chosen {
  readonly selection: EventSelection
  readonly limit: number
  readonly kind?: EventKindName | undefined
}

/** Up to `limit` events by date and then by id, all as of one moment. */
export function selectEvents(
  db: Queryable,
  provider: string,
  { selection, limit, kind = 'receivingEvent' }: Chosen,
): Promise<SelectedEvent[]> {
  const wanted = { ...selection, provider, limit }
  const filter = codeFilterOf(selection)
  const { byCode, byDate } = selections[kind]
  return filter === undefined ? byDate(db, wanted) : byCode(db, { ...wanted, ...filter })
}

/** Up to `limit` events that took place at these locations on these dates. */
export const selectByPlaceAndDate = (
  db: Queryable,
  provider: string,
  {
    kind,
    wanted,
    limit,
  }: { readonly kind: EventKindName; readonly wanted: readonly PlaceAndDate[]; readonly limit: number },
): Promise<SelectedEvent[]> =>
  selections[kind].byPlaceAndDate(db, {
    provider,
    limit,
    vendors: wanted.map(({ vendor }) => vendor),
    places: wanted.map(({ locationCode }) => locationCode),
    dates: wanted.map(({ date }) => date),
  })

/** Events by dates, vendors and places, and their lines; counting ends at `most` events. */
export async function countSelected(
  db: Queryable,
  provider: string,
  {
    selection,
    most,
    kind,
  }: { readonly selection: CountedSelection; readonly most: number; readonly kind: EventKindName },
): Promise<SelectedCounts> {
  const counts = await selections[kind].count(db, { ...selection, provider, limit: most })
  return counts ?? { events: 0, lines: 0, corrected: 0 }
}

/**
 * Up to `limit` events below the id `before`, the newest first. With one value of each filter it is
 * the search of the lists, which walks its indexes; several values are looked up first and then
 * sorted.
 */
export async function selectEventsDown(
  db: Queryable,
  provider: string,
  { selection, limit, kind = 'receivingEvent', before }: Chosen & { readonly before: string | undefined },
): Promise<readonly { readonly id: string }[]> {
  const { search, downByCode, downByDate } = selections[kind]
  const { eventStartDate, eventEndDate, dataProviderVendorId, shipToLocationCode, itemCode, lotCode } = selection
  const lists = [dataProviderVendorId, shipToLocationCode, itemCode, lotCode]
  if (lists.every((list) => list === undefined || list.length === 1))
    return search(
      db,
      { provider, limit, before },
      {
        eventStartDate,
        eventEndDate,
        dataProviderVendorId: dataProviderVendorId?.[0],
        shipToLocationCode: shipToLocationCode?.[0],
        itemCode: itemCode?.[0],
        lotCode: lotCode?.[0],
      },
    )
  const wanted = { ...selection, provider, limit, before }
  const filter = codeFilterOf(selection)
  return filter === undefined ? downByDate(db, wanted) : downByCode(db, { ...wanted, ...filter })
}

const received = events.receivingEvent.dated

/** Events and their lines by day, of days that have any. */
export const countByDay = statement<
  { eventDate: string; events: number; lines: number },
  Pick<EventSelection, 'dataProviderVendorId' | 'shipToLocationCode'> & {
    provider: string
    eventStartDate: string
    eventEndDate: string
  }
>(
  'countEventsByDay',
  `SELECT d.date::text AS "eventDate", count(*)::integer AS events, sum(d.line_count)::integer AS lines
   FROM (
     SELECT e.local_date AS date, e.line_count
     FROM ${received} e
     WHERE ${inDates} AND ($dataProviderVendorId::text[] IS NULL OR e."dataProviderVendorId" = ANY ($dataProviderVendorId))
       AND ($shipToLocationCode::text[] IS NULL OR e.place = ANY ($shipToLocationCode))
   ) d
   GROUP BY d.date
   ORDER BY d.date`,
)

/** As in `record-versions.ts`. */
const isAsNamed = `coalesce((
       SELECT r.version <> v.version OR r.version_hash = v.version_hash FROM record r WHERE r.provider_id = $provider AND r.id = v.record_id
     ), true)`

/**
 * The version of an event whose record has lost its row, which had the number. Null of an id that
 * is no record of the provider: a page token may name those of another.
 */
const highestOfSelected =
  '(SELECT max(h.version) FROM record_version h WHERE h.provider_id = $provider AND h.record_id = selected.id)'

const versions = statement<
  JudgedVersion & { readonly isThere: boolean; readonly isPurged: boolean },
  { provider: string; selected: readonly VersionName[] }
>(
  'readVersions',
  `SELECT selected.id, coalesce(selected.version, ${highestOfSelected}, 1) AS version, v.detail[1] AS body, v.detail[2] AS findings, v.kind IS NOT NULL AS "isThere", v.purged_at IS NOT NULL AS "isPurged"
   FROM $selected
   LEFT JOIN record_version v ON v.provider_id = $provider AND v.record_id = selected.id AND v.version = selected.version AND ${isAsNamed}
   ORDER BY selected.n`,
  { rows: { selected: { id: 'uuid', version: 'integer', n: 'ordinality' } } },
)

const failAt = (missing: readonly VersionName[]): never => {
  throw new DamagedRecord(...missing)
}

/** Lines read at once: about 200 KB of bodies, so that a slow reader takes little memory. */
const linesAtOnce = 500

/** Selected events were purged meanwhile. A new request selects without them. */
export class PurgedMeanwhile extends Error {
  override readonly name = 'PurgedMeanwhile'
}

/**
 * The selected versions in order, in batches of about `linesAtOnce` lines. @throws PurgedMeanwhile
 * when one of them was purged, and DamagedRecord when one is missing and no callback takes it.
 */
export async function* readSelected(
  db: Queryable,
  provider: string,
  selected: readonly SelectedEvent[],
  onMissing: (missing: readonly VersionName[]) => void = failAt,
): AsyncGenerator<readonly JudgedVersion[]> {
  for (let start = 0; start < selected.length; ) {
    let end = start
    for (let lines = 0; end < selected.length && lines < linesAtOnce; end++) lines += selected[end]?.lineCount ?? 0
    const batch = selected.slice(start, end)
    const found = await versions(db, { provider, selected: batch })
    const missing = found.filter(({ isThere }) => !isThere)
    if (missing.length > 0) onMissing(missing)
    if (found.some(({ isPurged }) => isPurged))
      throw new PurgedMeanwhile('Events were purged after they had been chosen.')
    yield missing.length > 0 ? found.filter(({ isThere }) => isThere) : found
    start = end
  }
}

/** The values by which people recognise an event, from its search row. */
interface EventMarks {
  readonly id: string
  readonly dataProviderVendorId: string
  readonly purchaseOrderNumber: string | null
  readonly eventDate: string
}

/** The marks of these events, by id: known also of an event whose content is missing. */
export const eventMarks = async (
  db: Queryable,
  provider: string,
  kind: EventKindName,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EventMarks>> =>
  new Map((await selections[kind].marks(db, { provider, ids })).map((marks) => [marks.id, marks]))

// The current version is the row that its record names, by its hash too.
const missingOf = statement<
  VersionName,
  { provider: string; selected: readonly { readonly id: string; readonly version?: number }[]; limit: number }
>(
  'missingVersions',
  `SELECT selected.id, n.version
   FROM $selected
   LEFT JOIN LATERAL (SELECT version, version_hash FROM record WHERE provider_id = $provider AND id = selected.id LIMIT 1) r ON true
   CROSS JOIN LATERAL generate_series(1, coalesce(selected.version, r.version, ${highestOfSelected})) AS n (version)
   LEFT JOIN LATERAL (
     SELECT version_hash FROM record_version WHERE provider_id = $provider AND record_id = selected.id AND version = n.version LIMIT 1
   ) v ON true
   WHERE v.version_hash IS NULL OR (r.version = n.version AND r.version_hash <> v.version_hash)
     OR (coalesce(selected.version, r.version) IS NULL AND n.version = ${highestOfSelected})
   ORDER BY selected.id, n.version
   LIMIT $limit`,
  { rows: { selected: { id: 'uuid', version: 'integer' } } },
)

/** Records whose versions one statement looks up. */
const lookedUpAtOnce = 20_000

/**
 * Up to `limit` versions of these records that are missing, from the first one of each to the
 * selected one, or to the current one where none is given.
 */
export async function missingVersions(
  db: Queryable,
  provider: string,
  selected: readonly { readonly id: string; readonly version?: number }[],
  limit: number,
): Promise<VersionName[]> {
  const missing: VersionName[] = []
  for (let start = 0; start < selected.length && missing.length < limit; start += lookedUpAtOnce) {
    const some = selected.slice(start, start + lookedUpAtOnce)
    missing.push(...(await missingOf(db, { provider, selected: some, limit: limit - missing.length })))
  }
  return missing
}

/** A version of an event, without its content. */
export interface EventVersion extends SelectedEvent {
  readonly submittedAt: Date
  /** Reason of the void; null for other versions. */
  readonly voidReason: string | null
  /** Why the record was replaced, where its sender said so; else null. */
  readonly reason: string | null
  /** When the next version was stored; null for the current one. */
  readonly replacedAt: Date | null
  /** Reason of the void if the next version is one; else null. */
  readonly voidedFor: string | null
  /** Why the next version replaced this one, where its sender said so; else null. */
  readonly correctedFor: string | null
  /** Number of purged versions before it, for the first that was not purged; else null. */
  readonly purgedBefore: number | null
}

interface VersionsWanted {
  readonly provider: string
  readonly records: readonly { readonly id: string; readonly after: number }[]
  readonly limit: number
  readonly withVoids: boolean
  readonly kind?: EventKindName | undefined
}

const linesOfVersion = lineCountIn('v.detail[1]::json')

// The content is read after the limit, only for the versions of the page.
/**
 * Up to `limit` versions of the records, record by record in the order given, each from its first
 * version above `after` to its current one. Versions that were purged are left out, and voids where
 * they are not wanted.
 */
export const listEventVersions = statement<EventVersion, VersionsWanted>(
  'eventHistories',
  `WITH page AS MATERIALIZED (
     SELECT records.n, records.id, v.version, v.submitted_at
     FROM $records
     CROSS JOIN LATERAL (
       SELECT version, submitted_at, kind
       FROM record_version
       WHERE provider_id = $provider AND record_id = records.id AND version > records.after AND purged_at IS NULL AND ($withVoids OR void_reason IS NULL)
       ORDER BY version
       LIMIT $limit
     ) v
     WHERE v.kind = $kind
     ORDER BY records.n, v.version
     LIMIT $limit
   )
   SELECT page.id, page.version, page.submitted_at AS "submittedAt", v.void_reason AS "voidReason", v.reason,
          later.submitted_at AS "replacedAt", later.void_reason AS "voidedFor", later.reason AS "correctedFor", purged.version AS "purgedBefore",
          ${linesOfVersion} AS "lineCount"
   FROM page
   JOIN record_version v ON v.provider_id = $provider AND v.record_id = page.id AND v.version = page.version
   LEFT JOIN record_version later
     ON later.provider_id = $provider AND later.record_id = page.id AND later.version = page.version + 1
   LEFT JOIN record_version purged
     ON purged.provider_id = $provider AND purged.record_id = page.id AND purged.version = page.version - 1 AND purged.purged_at IS NOT NULL
   ORDER BY page.n, page.version`,
  {
    rows: { records: { id: 'uuid', after: 'integer', n: 'ordinality' } },
    defaults: { kind: 'receivingEvent' },
  },
)
