// Receiving events: how they are searched and written, and the location master data that they
// create.
import { createHash } from 'node:crypto'
import { version } from '../version.ts'
import { listing } from './listing.ts'
import { type LotRow, lotRowOf } from './lot-rows.ts'
import type { WrittenKind } from './record-writer.ts'
import { type Found, recordStatements, type SearchRows, writtenColumns } from './records.ts'
import { idMadeBefore, type SearchDeclaration, search } from './search.ts'
import { type Queryable, statement } from './statement.ts'

/**
 * The values by which receiving events are searched and counted; contract fields under their wire
 * names.
 */
export interface EventSearch {
  readonly dataProviderVendorId: string
  /** As submitted; compared as an instant. */
  readonly eventDateTime: string
  /** The calendar date of the event in its own offset, as written: `yyyy-MM-dd`. */
  readonly eventDate: string
  /** Number of product lines. */
  readonly lineCount: number
  /**
   * JSON text of its tallies, one per item: `[{"item", "lines", "complete", "gaps": {<rule>:
   * <lines>}}]`.
   */
  readonly completeness: string
  /** Number of warnings that are stored with it. */
  readonly warnings: number
  /** Categories of the Food Traceability List of its products, each once. */
  readonly ftlCategories: readonly string[]
  /**
   * The recount whose master data it was judged with. Undefined when it needed none; -1 when not
   * all was looked up.
   */
  readonly judgedIn: number | undefined
  readonly shipFromLocationCode: string
  readonly shipToLocationCode: string
  readonly purchaseOrderNumber: string
  readonly asnNumber: string | undefined
  readonly lotCodes: readonly string[]
  readonly itemCodes: readonly string[]
  /** Codes of its location list that it neither ships from nor to. */
  readonly otherLocationCodes: readonly string[]
  readonly eventId: string | undefined
  /** JSON text of the location list as it was sent. */
  readonly locationList: string
  /** The same with one entry per code, which creates and updates master data. */
  readonly locations: () => readonly EventLocation[]
}

interface EventLocation {
  readonly locationCode: string
  /** Determines the id of the location if it is new. */
  readonly newId: () => string
  /** JSON text of the fields in the entry, without blanks. */
  readonly content: string
}

/** A location in events of one statement, and one of these events. */
interface EventPlace extends EventLocation {
  readonly n: number
  readonly vendor: string
}

/**
 * Stored content `k` overlaid with the event's content `c`, field by field, including those of the
 * address.
 */
const overKnown = `k.content || c.content || CASE WHEN c.content ? 'address'
        THEN jsonb_build_object('address', coalesce(k.content -> 'address', '{}') || (c.content -> 'address')) ELSE '{}' END`

/**
 * Sets up and updates location master data from the entries that accepted events carry. Fields an
 * entry does not carry stay: an event's list is not a replacement of the location. Of those that
 * are known, the ones that change are locked, in the order of their codes, so that two events with
 * the same places cannot deadlock. Where two statements set up one code at the same moment, the
 * second breaks location_one_per_code, writes nothing and is run again. `placed` has what is
 * stored, as the database prints it.
 */
const locationsFromEvents = (places: string, carriers: string) => `carried AS (
  SELECT places.vendor, places.code, places.id, places.content, a.key_id, a.request_id, a.payload_id
  FROM ${places}
  JOIN (
    SELECT DISTINCT ON (carriers.n) carriers.n, b.key_id, b.request_id, b.payload_id
    FROM ${carriers} JOIN accepted b ON b.id = carriers.event_id
  ) a ON a.n = places.n
), merged AS MATERIALIZED (
  SELECT l.* FROM (
    SELECT r.id, r.version, r.version_hash AS previous_hash, c.vendor, c.code, c.key_id, c.request_id, c.payload_id, ${overKnown} AS content
    FROM carried c
    JOIN location k ON k.provider_id = $1 AND k."dataProviderVendorId" = c.vendor AND k."locationCode" = c.code
    JOIN record r ON r.provider_id = $1 AND r.id = k.id
    WHERE ${overKnown} <> k.content
    ORDER BY c.vendor, c.code
    FOR UPDATE OF k, r
  ) l
  UNION ALL
  SELECT c.id, 0, NULL, c.vendor, c.code, c.key_id, c.request_id, c.payload_id, c.content
  FROM carried c
  WHERE NOT EXISTS (
    SELECT 1 FROM location k WHERE k.provider_id = $1 AND k."dataProviderVendorId" = c.vendor AND k."locationCode" = c.code
  )
), printed AS MATERIALIZED (
  SELECT m.*, m.content ->> 'alternateLocationCode' AS alternate_code, '[]' AS findings,
         jsonb_build_object('locationMasterList', m.content || jsonb_build_object('dataProviderVendorId', m.vendor))::text AS body
  FROM merged m
), placed AS MATERIALIZED (
  SELECT p.*, 'location' AS kind, ''::bytea AS search_hash, now() AS at, h.content_hash, h.detail_hash,
         version_hash_of('location', p.id, p.version + 1, now(), p.key_id, h.content_hash, h.detail_hash, p.previous_hash) AS next_hash
  FROM printed p
  CROSS JOIN LATERAL (
    SELECT sha256(convert_to(p.body, 'UTF8')) AS content_hash, detail_hash_of(p.payload_id, p.findings, p.body) AS detail_hash
  ) h
), places_changed AS (
  UPDATE location l SET content = p.content, "alternateLocationCode" = p.alternate_code FROM placed p WHERE l.provider_id = $1 AND l.id = p.id AND p.version > 0
), places_set_up AS (
  INSERT INTO location (provider_id, id, "dataProviderVendorId", "locationCode", "alternateLocationCode", content)
  SELECT $1, id, vendor, code, alternate_code, content FROM placed WHERE version = 0 ORDER BY vendor, code
)`

/**
 * A hash of everything that determines the search row, codes and places of an event, and of the
 * program's version.
 */
const searchHash = ({ locations: _, ...search }: EventSearch): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([version, Object.values({ ...search, judgedIn: undefined })]))
    .digest()

const searchRowsInserted = (
  from: string,
) => `INSERT INTO receiving_event (provider_id, id, "dataProviderVendorId", "eventDateTime", "shipFromLocationCode", "shipToLocationCode",
                               "purchaseOrderNumber", "asnNumber", event_date, line_count, completeness, warnings, ftl_categories)
  SELECT $1, id, vendor, event_date_time, ship_from, ship_to, purchase_order, asn, event_date, line_count, completeness, warnings, ftl_categories
  FROM ${from}`

const searchRows: SearchRows<EventSearch> = {
  kind: 'receivingEvent',
  plural: 'ReceivingEvents',
  table: 'receiving_event',
  columns: {
    vendor: ['text', ({ dataProviderVendorId }) => dataProviderVendorId],
    event_date_time: ['timestamptz', ({ eventDateTime }) => eventDateTime],
    ship_from: ['text', ({ shipFromLocationCode }) => shipFromLocationCode],
    ship_to: ['text', ({ shipToLocationCode }) => shipToLocationCode],
    purchase_order: ['text', ({ purchaseOrderNumber }) => purchaseOrderNumber],
    asn: ['text', ({ asnNumber }) => asnNumber ?? null],
    event_date: ['date', ({ eventDate }) => eventDate],
    line_count: ['integer', ({ lineCount }) => lineCount],
    completeness: ['jsonb', ({ completeness }) => completeness],
    warnings: ['integer', ({ warnings }) => warnings],
    ftl_categories: [
      'jsonb',
      ({ ftlCategories }) => (ftlCategories.length === 0 ? null : JSON.stringify(ftlCategories)),
    ],
    judged_in: ['integer', ({ judgedIn }) => judgedIn ?? null],
  },
  sets: {
    codes: {
      id: ['uuid', ({ id }: CodeRow) => id],
      field: ['text', ({ field }: CodeRow) => field],
      code: ['text', ({ code }: CodeRow) => code],
      unfolded: ['text', ({ unfolded }: CodeRow) => unfolded],
    },
  },
  followedSets: {
    places: {
      n: ['integer', ({ n }: EventPlace) => n],
      vendor: ['text', ({ vendor }: EventPlace) => vendor],
      code: ['text', ({ locationCode }: EventPlace) => locationCode],
      id: ['uuid', ({ newId }: EventPlace) => newId()],
      content: ['jsonb', ({ content }: EventPlace) => content],
    },
    carriers: {
      n: ['integer', ({ n }: Carrier) => n],
      event_id: ['uuid', ({ eventId }: Carrier) => eventId],
    },
  },
  rowsOf: (records) => ({ codes: records.flatMap(codesOf), ...placesOf(records) }),
  searchHash,
  // Section 2.4, rule 2.
  key: {
    index: 'receiving_event_one_per_date_time',
    held: `o."dataProviderVendorId" = s.vendor AND o."shipToLocationCode" = s.ship_to AND o."eventDateTime" = s.event_date_time`,
  },
  judgedByMasterData: true,
  inserted: (from, { codes }) => `search_rows AS (
  ${searchRowsInserted(from)}
), codes_added AS (
  INSERT INTO receiving_event_code (provider_id, field, code, id, unfolded)
  SELECT $1, codes.field, codes.code, codes.id, codes.unfolded FROM ${codes} JOIN ${from} a ON a.id = codes.id
)`,
  // A voided event has no search row until a replacement brings it back. NOT IN is always hashed;
  // NOT EXISTS compared each of 5,000 codes with each where the planner expected few: 4 s.
  updated: (from, { codes }) => `search_rows AS (
  UPDATE receiving_event e
  SET "dataProviderVendorId" = a.vendor, "eventDateTime" = a.event_date_time, "shipFromLocationCode" = a.ship_from,
      "shipToLocationCode" = a.ship_to, "purchaseOrderNumber" = a.purchase_order, "asnNumber" = a.asn, event_date = a.event_date,
      line_count = a.line_count, completeness = a.completeness, warnings = a.warnings, ftl_categories = a.ftl_categories
  FROM ${from} a
  WHERE e.provider_id = $1 AND e.id = a.id
), brought_back AS (
  DELETE FROM voided_event v USING ${from} a WHERE v.provider_id = $1 AND v.id = a.id RETURNING v.id
), search_rows_again AS (
  ${searchRowsInserted(`${from} WHERE id IN (SELECT id FROM brought_back)`)}
), wanted_codes AS (
  SELECT codes.id, codes.field, codes.code, codes.unfolded FROM ${codes} JOIN ${from} a ON a.id = codes.id
), codes_removed AS (
  DELETE FROM receiving_event_code r
  USING ${from} a
  WHERE r.provider_id = $1 AND r.id = a.id
    AND (r.id, r.field, r.code, r.unfolded) NOT IN (SELECT id, field, code, unfolded FROM wanted_codes)
  RETURNING r.id, r.field, r.code, r.unfolded, a.version, a.outcome
), earlier_lots AS (
  INSERT INTO earlier_lot_code (provider_id, code, id, unfolded, last_version)
  SELECT $1, code, id, unfolded, version
  FROM codes_removed
  WHERE field = 'lotCode' AND outcome = 'replaced'
  ON CONFLICT (provider_id, code, id, unfolded) DO UPDATE SET last_version = excluded.last_version
), codes_added AS (
  INSERT INTO receiving_event_code (provider_id, field, code, id, unfolded)
  SELECT $1, field, code, id, unfolded
  FROM wanted_codes
  ON CONFLICT (provider_id, field, code, id, unfolded) DO NOTHING
)`,
  // A new location that no event names causes no recount.
  followed: (
    write,
    { places = '', carriers = '' },
  ) => `${locationsFromEvents(places, carriers)}, to_await AS MATERIALIZED (
  SELECT 'location' AS what, p.vendor, p.code, NULL::uuid AS event_id
  FROM placed p
  WHERE p.version > 0
    OR EXISTS (SELECT 1 FROM receiving_event e WHERE e.provider_id = $1 AND e."shipFromLocationCode" = p.code)
    OR EXISTS (SELECT 1 FROM receiving_event e WHERE e.provider_id = $1 AND e."shipToLocationCode" = p.code)
    OR EXISTS (SELECT 1 FROM receiving_event_code c WHERE c.provider_id = $1 AND c.field = 'locationCode' AND c.code = p.code)
  UNION ALL
  SELECT 'event', NULL, NULL, a.id
  FROM ${write === 'create' ? 'accepted a' : `(SELECT * FROM decided WHERE outcome IN ('replaced', 'unchanged')) a`} JOIN recount_now n ON n.number <> a.judged_in
), to_recount AS (
  INSERT INTO awaiting_recount (provider_id, what, "dataProviderVendorId", code, event_id)
  SELECT $1, what, vendor, code, event_id FROM to_await
  RETURNING id
)`,
  alsoWritten: `SELECT ${writtenColumns} FROM placed`,
}

/**
 * How receiving events are written. Two with one location but different content of it are written
 * one after the other.
 */
export const receivingEvents: WrittenKind<EventSearch> = {
  rows: searchRows,
  statements: recordStatements(searchRows),
  conflictKeys: ({ dataProviderVendorId, locations }) =>
    locations().map(({ locationCode, content }) => [`location ${dataProviderVendorId}\u0000${locationCode}`, content]),
}

const { key: _key, alsoWritten: _alsoWritten, ...foundRows } = searchRows

/**
 * Of copies (decision 0078), whose locations are copied by themselves. Nobody looks whether a key
 * is taken: where it is, the unique index says so. In an account that is new to the statistics of
 * PostgreSQL, each look read all events of its few places.
 */
const copiedRows: SearchRows<EventSearch> = {
  ...foundRows,
  plural: 'CopiedEvents',
  searchHash,
  followedSets: {},
  rowsOf: (records) => ({ codes: records.flatMap(codesOf) }),
  followed: () => 'to_recount AS (SELECT NULL::uuid AS id WHERE false)',
}

/** How copies of receiving events are written. */
export const copiedEvents: WrittenKind<EventSearch> = {
  rows: copiedRows,
  statements: recordStatements(copiedRows),
  conflictKeys: () => [],
}

interface Carrier {
  readonly n: number
  readonly eventId: string
}

/**
 * Events of one statement mostly have the same few places; each is sent, and compared with master
 * data, once.
 */
function placesOf(records: readonly Found<EventSearch>[]): {
  readonly places: EventPlace[]
  readonly carriers: Carrier[]
} {
  const places = new Map<string, EventPlace>()
  const carriers: Carrier[] = []
  for (const { id, search } of records)
    for (const location of search.locations()) {
      const vendor = search.dataProviderVendorId
      const key = `${vendor}\u0000${location.locationCode}`
      const place = places.get(key) ?? { ...location, n: places.size, vendor }
      places.set(key, place)
      carriers.push({ n: place.n, eventId: id })
    }
  return { places: [...places.values()], carriers }
}

interface CodeRow extends LotRow {
  readonly id: string
  readonly field: string
}

/** The rows of receiving_event_code: one per code, however many lines have it (decision 0022). */
const codesOf = ({ id, search }: Found<EventSearch>): CodeRow[] => [
  ...distinctLots(search.lotCodes).map((lot) => ({ id, field: 'lotCode', ...lot })),
  ...[...new Set(search.itemCodes)].map((code) => ({ id, field: 'itemCode', code, unfolded: '' })),
  ...[...new Set(search.otherLocationCodes)].map((code) => ({ id, field: 'locationCode', code, unfolded: '' })),
  ...(search.eventId === undefined ? [] : [{ id, field: 'eventId', code: search.eventId, unfolded: '' }]),
]

/** One row for the texts that name one lot. */
const distinctLots = (written: readonly string[]): readonly LotRow[] => [
  ...new Map([...new Set(written)].map(lotRowOf).map((lot) => [lot.unfolded || lot.code, lot])).values(),
]

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
  events: readonly EventSearch[],
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
  table: 'received_event',
  conditions: {
    // The folded code and the code as read, as a JSON text: an event has one row of both.
    lotCode: {
      sql: `(SELECT true FROM receiving_event_code c
       WHERE c.provider_id = $1 AND c.field = 'lotCode' AND c.code = ($?::jsonb ->> 0) AND c.unfolded = ($?::jsonb ->> 1) AND c.id = r.id)`,
      several: true,
      indexScan: {
        table: 'receiving_event_code',
        sql: `r.field = 'lotCode' AND r.code = ($?::jsonb ->> 0) AND r.unfolded = ($?::jsonb ->> 1)`,
      },
    },
    purchaseOrderNumber: { sql: 'r."purchaseOrderNumber" = $?', several: true, indexScan: true },
    asnNumber: { sql: 'r."asnNumber" = $?', several: true, indexScan: true },
    eventStartDateTime: { sql: 'r."eventDateTime" >= $?::timestamptz', range: 'r."eventDateTime"' },
    eventEndDateTime: { sql: 'r."eventDateTime" <= $?::timestamptz', range: 'r."eventDateTime"' },
    // Offsets are 14 hours at most, so the index of date times finds the instants of a date
    // slightly before and after it.
    eventStartDate: {
      sql: `r."eventDateTime" >= (($?::date - interval '14 hours') AT TIME ZONE 'UTC') AND r.date_received >= $?::date`,
      range: 'r."eventDateTime"',
    },
    eventEndDate: {
      sql: `r."eventDateTime" <= (($?::date + interval '38 hours') AT TIME ZONE 'UTC') AND r.date_received <= $?::date`,
      range: 'r."eventDateTime"',
    },
    itemCode: {
      sql: `(SELECT true FROM receiving_event_code c WHERE c.provider_id = $1 AND c.field = 'itemCode' AND c.code = $? AND c.id = r.id)`,
      several: true,
      indexScan: { table: 'receiving_event_code', sql: `r.field = 'itemCode' AND r.code = $?` },
    },
    shipToLocationCode: { sql: 'r."shipToLocationCode" = $?', several: true, indexScan: true, beforeRange: true },
    shipFromLocationCode: { sql: 'r."shipFromLocationCode" = $?', several: true, indexScan: true },
    dataProviderVendorId: { sql: 'r."dataProviderVendorId" = $?', several: true, indexScan: true },
    ftlCategory: { sql: 'r.ftl_categories ? $?::text', several: true },
    gapRule: {
      sql: `(SELECT count(*) FROM jsonb_array_elements(r.completeness) AS t (tally) WHERE t.tally -> 'gaps' ? $?::text) > 0`,
      several: true,
      isSlow: true,
    },
    hasGaps: { sql: `r.completeness @? '$[*] ? (@.complete < @.lines)' = $?::boolean`, isSlow: true },
    hasWarnings: { sql: '(r.warnings > 0) = $?::boolean' },
    submitStartDateTime: { of: 'version', sql: 'v.submitted_at >= $?::timestamptz' },
    submitEndDateTime: { of: 'version', sql: 'v.submitted_at <= $?::timestamptz', bound: idMadeBefore },
  },
} as const satisfies SearchDeclaration<string>

const searchEvents = search('searchReceivingEvents', searched)

type Wanted = Parameters<typeof searchEvents>[2]

const readLot = <W extends { readonly lotCode?: unknown }>({ lotCode, ...wanted }: W) => ({
  ...wanted,
  ...(lotCode !== undefined && { lotCode: Array.isArray(lotCode) ? lotCode.map(rowText) : rowText(lotCode) }),
})

/**
 * Searches receiving events, newest first. Conditions are exact; ranges include their ends.
 * `lotCode` is any text that names the lot, and finds every text that does (decision 0049).
 */
export const searchReceivingEvents: typeof searchEvents = (db, fixed, wanted: Wanted) =>
  searchEvents(db, fixed, readLot(wanted))

const placeName = `(SELECT l.content ->> 'locationName' FROM location l WHERE l.provider_id = $1 AND l."locationCode" = counted.value ORDER BY l.id DESC LIMIT 1)`

/** The name that the newest event of a vendor gives it. */
const vendorName = `(
  SELECT named.body::json -> 'eventList' ->> 'dataProviderVendorName'
  FROM (
    SELECT e.id FROM receiving_event e WHERE e.provider_id = $1 AND e."dataProviderVendorId" = counted.value ORDER BY e.id DESC LIMIT 1
  ) AS newest
  CROSS JOIN LATERAL (
    SELECT body FROM record_version WHERE provider_id = $1 AND record_id = newest.id ORDER BY version DESC LIMIT 1
  ) AS named
)`

const named = statement<{ vendor: string; name: string | null }>(
  'vendorNames',
  `SELECT counted.value AS vendor, ${vendorName} AS name FROM unnest($2::text[]) AS counted (value)`,
)

/** Looks up the names of vendors; a vendor that has none, or only a blank one, is null. */
export async function vendorNames(
  db: Queryable,
  provider: string,
  vendors: readonly (string | null)[],
): Promise<(vendor: string | null) => string | null> {
  const asked = [...new Set(vendors)].filter((vendor) => vendor !== null)
  const rows = asked.length === 0 ? [] : await named(db, [provider, asked])
  const names = new Map(rows.map(({ vendor, name }) => [vendor, name?.trim() ? name : null]))
  return (vendor) => (vendor === null ? null : (names.get(vendor) ?? null))
}

const listed = listing('listReceivingEvents', {
  ...searched,
  orders: {
    created: { column: 'r.id', type: 'id' },
    eventDateTime: { column: 'r."eventDateTime"', type: 'instant' },
    dataProviderVendorId: { column: 'r."dataProviderVendorId"', type: 'text' },
    shipFromLocationCode: { column: 'r."shipFromLocationCode"', type: 'text' },
    shipToLocationCode: { column: 'r."shipToLocationCode"', type: 'text' },
    purchaseOrderNumber: { column: 'r."purchaseOrderNumber"', type: 'text' },
  },
  values: {
    dataProviderVendorId: {
      sql: 'SELECT r."dataProviderVendorId" AS value',
      recordsMax: 100_000,
      label: vendorName,
    },
    shipFromLocationCode: { sql: 'SELECT r."shipFromLocationCode" AS value', recordsMax: 100_000, label: placeName },
    shipToLocationCode: { sql: 'SELECT r."shipToLocationCode" AS value', recordsMax: 100_000, label: placeName },
    itemCode: {
      sql: `SELECT c.code AS value FROM receiving_event_code c WHERE c.provider_id = $1 AND c.id = r.id AND c.field = 'itemCode'`,
      recordsMax: 5_000,
    },
    ftlCategory: { sql: 'SELECT jsonb_array_elements_text(r.ftl_categories) AS value', recordsMax: 50_000 },
    gapRule: {
      // In this form: PostgreSQL expects so many rows of two functions one after the other that it
      // compiles the statement first, for a second.
      sql: `SELECT DISTINCT value FROM jsonb_array_elements_text(jsonb_path_query_array(r.completeness, '$[*].gaps.keyvalue().key')) AS value`,
      recordsMax: 5_000,
    },
  },
})

/** Receiving events in other orders, their number, and the values of their columns. */
export const listedReceivingEvents: typeof listed = {
  ...listed,
  sorted: (db, provider, limit, sorting, behind, wanted) =>
    listed.sorted(db, provider, limit, sorting, behind, readLot(wanted)),
  count: (db, provider, wanted) => listed.count(db, provider, readLot(wanted)),
  values: (db, provider, of, limit, named, wanted) => listed.values(db, provider, of, limit, named, readLot(wanted)),
}

function rowText(written: unknown): string {
  const { code, unfolded } = lotRowOf(String(written))
  return JSON.stringify([code, unfolded])
}
