// How events of a kind are searched and written, and the location master data that they create
// (decision 0080).

import type { EventKind, EventKindName } from '../../contract/record-kinds.ts'
import { sha256 } from '../../sha256.ts'
import { version } from '../../version.ts'
import { partitionsOf } from '../database/partitions.ts'
import type { RowColumns } from '../database/statement.ts'
import { deliveries, events, type KindRelations, pluralOf } from './event-kinds.ts'
import type { Listed, Order, Values } from './listing.ts'
import { type LotRow, lotRowOf, lotRowsOf } from './lot-rows.ts'
import { type Found, hashVersions, type SearchRows, type StoredColumn, writtenColumns } from './records.ts'
import { type Condition, idMadeBefore } from './search.ts'

/**
 * The values by which events are searched and counted; contract fields under their wire names.
 */
export interface EventSearch {
  readonly dataProviderVendorId: string
  /** As submitted; compared as an instant. */
  readonly eventDateTime: string
  /** The calendar date of the event in its own offset, as written: `yyyy-MM-dd`. */
  readonly eventDate: string
  /** Number of product lines. */
  readonly lineCount: number
  /** Number of warnings stored with it. */
  readonly warnings: number
  /** Categories of the Food Traceability List of its products, each once. */
  readonly ftlCategories: readonly string[]
  /** Codes of the location where it took place, and of the one at the other end. */
  readonly place: string
  readonly counterpart: string | undefined
  readonly purchaseOrderNumber: string | undefined
  readonly asnNumber: string | undefined
  readonly billOfLadingNumber: string | undefined
  readonly lotCodes: readonly string[]
  readonly itemCodes: readonly string[]
  /** Food without a lot code that its lines name; of a kind whose lines may. */
  readonly food?: readonly string[]
  /** Codes of its location list that are neither its place nor its counterpart. */
  readonly otherLocationCodes: readonly string[]
  /** GLNs and DUNS numbers of lot code sources that it does not describe; of a delivery. */
  readonly sourceNumbers: readonly string[]
  readonly eventId: string | undefined
  /** Tells it from other events of its kind, place and moment: `identityOf`. */
  readonly identity: string
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
  /**
   * Of a delivery, the fields compared with its other end that are no search values, as JSON text.
   * Not part of the search hash.
   */
  readonly compared: string | null
  /** The location list as it was sent. */
  readonly locationList: unknown
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
 * What tells events of one place and moment apart, from the values of the fields that the kind
 * declares: one value as it is, several as a hash, since an index holds no longer texts.
 */
export function identityOf(values: readonly (string | undefined)[]): string {
  const [only, ...more] = values.map((value) => value ?? '')
  if (only !== undefined && more.length === 0) return only
  return sha256(JSON.stringify([only, ...more])).toString('base64')
}

/**
 * Stored content `k` overlaid with the event's content `c`, field by field, including those of the
 * address.
 */
const overKnown = `k.content || c.content || CASE WHEN c.content ? 'address'
        THEN jsonb_build_object('address', coalesce(k.content -> 'address', '{}') || (c.content -> 'address')) ELSE '{}' END`

/**
 * Sets up and updates location master data from the entries of accepted events. Fields that an
 * entry lacks stay: an event's list is not a replacement of the location. Known locations that
 * change are locked in the order of their codes, so that two events with the same places cannot
 * deadlock. Where two statements set up one code at once, the second breaks location_one_per_code,
 * writes nothing and is run again. `placed` has the stored location, as the database prints it.
 */
const locationsFromEvents = `carried AS (
  SELECT places.vendor, places.code, places.id, places.content, a.key_id, a.request_id, a.payload_id
  FROM $places
  JOIN (
    SELECT DISTINCT ON (carriers.n) carriers.n, b.key_id, b.request_id, b.payload_id
    FROM $carriers JOIN accepted b ON b.id = carriers.event_id
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
  ${hashVersions(
    'location',
    `SELECT p.*, ''::bytea AS search_hash, NULL::text AS compared, NULL::text AS reason, sha256(convert_to(p.body, 'UTF8')) AS content_hash
  FROM printed p`,
  )}
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
const searchHash = (search: EventSearch): Buffer => {
  const values: unknown[] = [version]
  // Not by a copy without the others, which takes as long as the hash.
  for (const name in search) if (!unhashed.has(name)) values.push(search[name as keyof EventSearch])
  return sha256(JSON.stringify(values))
}

const unhashed: ReadonlySet<string> = new Set<keyof EventSearch>(['locations', 'compared', 'judgedIn'])

/** Columns of a search row, and the names under which their values are sent. */
const storedColumns: readonly StoredColumn[] = [
  ['"dataProviderVendorId"', 'vendor'],
  ['"eventDateTime"', 'event_date_time'],
  ['place', 'place'],
  ['counterpart', 'counterpart'],
  ['"purchaseOrderNumber"', 'purchase_order'],
  ['"asnNumber"', 'asn'],
  ['"billOfLadingNumber"', 'bill_of_lading'],
  ['identity', 'identity'],
  ['event_date', 'event_date'],
  ['line_count', 'line_count'],
  ['warnings', 'warnings'],
  ['ftl_categories', 'ftl_categories'],
  ['completeness', 'completeness'],
]

/** Warnings are those of the stored version, also where it is sent again unchanged. */
const keptWarnings = `CASE a.outcome WHEN 'unchanged' THEN e.warnings ELSE a.warnings END`

const sentColumns: RowColumns<EventSearch> = {
  vendor: ['text', ({ dataProviderVendorId }) => dataProviderVendorId],
  event_date_time: ['timestamptz', ({ eventDateTime }) => eventDateTime],
  place: 'text',
  counterpart: ['text', ({ counterpart }) => counterpart],
  purchase_order: ['text', ({ purchaseOrderNumber }) => purchaseOrderNumber],
  asn: ['text', ({ asnNumber }) => asnNumber],
  bill_of_lading: ['text', ({ billOfLadingNumber }) => billOfLadingNumber],
  identity: 'text',
  event_date: ['date', ({ eventDate }) => eventDate],
  line_count: ['integer', ({ lineCount }) => lineCount],
  warnings: 'integer',
  ftl_categories: ['jsonb', ({ ftlCategories }) => (ftlCategories.length === 0 ? null : JSON.stringify(ftlCategories))],
  completeness: 'jsonb',
}

const received = events.receivingEvent

/** The number of a recount: an event that was judged before it is counted again. */
const alsoAwaited = (accepted: string) => `
  UNION ALL
  SELECT 'event', NULL, NULL, a.id FROM ${accepted} a JOIN recount_now n ON n.number <> a.judged_in`

/** Queries that write the search rows and codes of events of a kind. */
function searchRowsOf(kind: EventKindName): Pick<SearchRows<EventSearch>, 'inserted' | 'updated'> {
  const { rows, codes: codeTable, voided } = partitionsOf(kind)
  const rowsInserted = (
    from: string,
  ) => `INSERT INTO ${rows} (provider_id, kind, id, ${storedColumns.map(([column]) => column).join(', ')})
  SELECT $1, '${kind}', id, ${storedColumns.map(([, sent]) => sent).join(', ')}
  FROM ${from}`
  return {
    inserted: (from) => `search_rows AS (
  ${rowsInserted(from)}
), codes_added AS (
  INSERT INTO ${codeTable} (provider_id, kind, field, code, id, unfolded)
  SELECT $1, '${kind}', codes.field, codes.code, codes.id, codes.unfolded FROM $codes JOIN ${from} a ON a.id = codes.id
)`,
    // A voided event has no search row until a replacement brings it back. NOT IN is always hashed;
    // NOT EXISTS compared each of 5,000 codes with each where the planner expected few: 4 s.
    updated: (from) => `search_rows AS (
  UPDATE ${rows} e
  SET ${storedColumns.map(([column, sent]) => `${column} = ${sent === 'warnings' ? keptWarnings : `a.${sent}`}`).join(', ')}
  FROM ${from} a
  WHERE e.provider_id = $1 AND e.id = a.id
), brought_back AS (
  DELETE FROM ${voided} v USING ${from} a WHERE v.provider_id = $1 AND v.id = a.id RETURNING v.id
), search_rows_again AS (
  ${rowsInserted(`${from} WHERE id IN (SELECT id FROM brought_back)`)}
), wanted_codes AS (
  SELECT codes.id, codes.field, codes.code, codes.unfolded FROM $codes JOIN ${from} a ON a.id = codes.id
), codes_removed AS (
  DELETE FROM ${codeTable} r
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
  INSERT INTO ${codeTable} (provider_id, kind, field, code, id, unfolded)
  SELECT $1, '${kind}', field, code, id, unfolded
  FROM wanted_codes
  ON CONFLICT (provider_id, field, code, id, unfolded, kind) DO NOTHING
)`,
  }
}

/**
 * Locations that events carry, and what is counted again because of them. An event sets up all
 * locations that it names, so a new one completes at most the source of a lot code.
 */
const followed: SearchRows<EventSearch>['followed'] = (write) =>
  `${locationsFromEvents}, to_await AS MATERIALIZED (
  SELECT 'location' AS what, p.vendor, p.code, NULL::uuid AS event_id
  FROM placed p
  WHERE p.version > 0
    OR EXISTS (SELECT 1 FROM ${received.rows} e WHERE e.place = p.code)
    OR EXISTS (SELECT 1 FROM ${received.rows} e WHERE e.counterpart = p.code)
    OR EXISTS (SELECT 1 FROM ${received.codes} c WHERE c.field = 'locationCode' AND c.code = p.code)
    OR EXISTS (SELECT 1 FROM ${deliveries.codes} c WHERE c.field = 'sourceNumber' AND c.code = p.content ->> 'gln')
    OR EXISTS (SELECT 1 FROM ${deliveries.codes} c WHERE c.field = 'sourceNumber' AND c.code = p.content ->> 'duns')${alsoAwaited(write === 'create' ? 'accepted' : `(SELECT * FROM decided WHERE outcome IN ('replaced', 'unchanged'))`)}
), to_recount AS (
  INSERT INTO awaiting_recount (provider_id, what, "dataProviderVendorId", code, event_id)
  SELECT $1, what, vendor, code, event_id FROM to_await
  RETURNING id
)`

/** The part of a kind's declaration that its rows depend on. */
type DeclaredKind = Pick<EventKind, 'name'>

/** How events of a kind are found and written. */
export function eventRows({ name: kind }: DeclaredKind): SearchRows<EventSearch> {
  const { rows, codes: codeTable } = partitionsOf(kind)
  return {
    kind,
    plural: pluralOf(kind),
    table: rows,
    stored: storedColumns,
    codes: codeTable,
    columns: { ...sentColumns, judged_in: ['integer', ({ judgedIn }) => judgedIn] },
    sets: {
      codes: { id: 'uuid', field: 'text', code: 'text', unfolded: 'text' },
    },
    followedSets: {
      places: {
        n: 'integer',
        vendor: 'text',
        code: ['text', ({ locationCode }: EventPlace) => locationCode],
        id: ['uuid', ({ newId }: EventPlace) => newId()],
        content: 'jsonb',
      },
      carriers: { n: 'integer', event_id: ['uuid', ({ eventId }: Carrier) => eventId] },
    },
    rowsOf: (records) => ({ codes: records.flatMap(codesOf), ...placesOf(records) }),
    searchHash,
    compared: ({ compared }) => compared,
    key: {
      index: `${rows}_one_per_identity`,
      columns: [
        ['place', 'place'],
        ['"eventDateTime"', 'event_date_time'],
        ['identity', 'identity'],
      ],
    },
    judgedByMasterData: true,
    ...searchRowsOf(kind),
    followed,
    alsoWritten: `SELECT ${writtenColumns} FROM placed`,
  }
}

/** Two events with one location but different content of it are written one after the other. */
export const placeConflicts = ({ dataProviderVendorId, locations }: EventSearch) =>
  locations().map(
    ({ locationCode, content }) => [`location ${dataProviderVendorId}\u0000${locationCode}`, content] as const,
  )

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

/** The rows of codes: one per code, however many lines have it (decision 0022). */
export const codesOf = ({ id, search }: Found<EventSearch>): CodeRow[] => [
  ...distinctLots(search.lotCodes).map((lot) => ({ id, field: 'lotCode', ...lot })),
  ...[...new Set(search.itemCodes)].map((code) => ({ id, field: 'itemCode', code, unfolded: '' })),
  ...[...new Set(search.otherLocationCodes)].map((code) => ({ id, field: 'locationCode', code, unfolded: '' })),
  ...search.sourceNumbers.map((code) => ({ id, field: 'sourceNumber', code, unfolded: '' })),
  ...(search.food ?? []).map((code) => ({ id, field: 'food', code, unfolded: '' })),
  ...(search.eventId === undefined ? [] : [{ id, field: 'eventId', code: search.eventId, unfolded: '' }]),
]

/**
 * From so many rows of an event for other lots on, its lot codes have no more: ranges may name very
 * many.
 */
const furtherRowsMax = 20_000

/** One row for the texts that name one lot, and one for each other lot that it may name. */
function distinctLots(written: readonly string[]): readonly LotRow[] {
  const rows = new Map<string, LotRow>()
  let further = 0
  for (const text of new Set(written)) {
    const own = further < furtherRowsMax ? lotRowsOf(text) : [lotRowOf(text)]
    further += own.length - 1
    for (const row of own) rows.set(`${row.code}\u0000${row.unfolded}`, row)
  }
  return [...rows.values()]
}

/**
 * Conditions of a search for events of a kind, those first that usually leave fewer.
 */
export const eventConditions = ({ codes, columns }: KindRelations): Readonly<Record<string, Condition>> => ({
  // The folded code and the code as read, as a JSON text: an event has one row of both.
  lotCode: {
    sql: `(SELECT true FROM ${codes} c
       WHERE c.field = 'lotCode' AND c.code = ($?::jsonb ->> 0) AND c.unfolded = ($?::jsonb ->> 1) AND c.id = r.id)`,
    several: true,
    indexScan: {
      table: codes,
      sql: `r.field = 'lotCode' AND r.code = ($?::jsonb ->> 0) AND r.unfolded = ($?::jsonb ->> 1)`,
    },
  },
  purchaseOrderNumber: { sql: 'r."purchaseOrderNumber" = $?', several: true, indexScan: true },
  asnNumber: { sql: 'r."asnNumber" = $?', several: true, indexScan: true },
  billOfLadingNumber: { sql: 'r."billOfLadingNumber" = $?', several: true, indexScan: true },
  eventStartDateTime: { sql: 'r."eventDateTime" >= $?::timestamptz', range: 'r."eventDateTime"' },
  eventEndDateTime: { sql: 'r."eventDateTime" <= $?::timestamptz', range: 'r."eventDateTime"' },
  // Offsets are 14 hours at most, so the index of date times finds the instants of a date
  // slightly before and after it.
  eventStartDate: {
    sql: `r."eventDateTime" >= (($?::date - interval '14 hours') AT TIME ZONE 'UTC') AND r.local_date >= $?::date`,
    range: 'r."eventDateTime"',
  },
  eventEndDate: {
    sql: `r."eventDateTime" <= (($?::date + interval '38 hours') AT TIME ZONE 'UTC') AND r.local_date <= $?::date`,
    range: 'r."eventDateTime"',
  },
  itemCode: {
    sql: `(SELECT true FROM ${codes} c WHERE c.field = 'itemCode' AND c.code = $? AND c.id = r.id)`,
    several: true,
    indexScan: { table: codes, sql: `r.field = 'itemCode' AND r.code = $?` },
  },
  ...ofColumns(columns, placeCondition),
  dataProviderVendorId: { sql: 'r."dataProviderVendorId" = $?', several: true, indexScan: true },
  ftlCategory: { sql: 'r.ftl_categories ? $?::text', several: true },
  hasWarnings: { sql: '(r.warnings > 0) = $?::boolean' },
  submitStartDateTime: { of: 'version', sql: 'v.submitted_at >= $?::timestamptz' },
  submitEndDateTime: { of: 'version', sql: 'v.submitted_at <= $?::timestamptz', bound: idMadeBefore },
})

const ofColumns = <T>(columns: KindRelations['columns'], read: (column: string) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, read(column)]))

/** The index of places by date time serves a range of these. */
const placeCondition = (column: string): Condition => ({
  sql: `r.${column} = $?`,
  several: true,
  indexScan: true,
  ...(column === 'place' && { beforeRange: true }),
})

const placeName = `(SELECT l.content ->> 'locationName' FROM location l WHERE l.provider_id = $1 AND l."locationCode" = counted.value ORDER BY l.id DESC LIMIT 1)`

/** Orders of a list of events. */
export const eventOrders = ({ columns }: KindRelations): Readonly<Record<string, Order>> => ({
  created: { column: 'r.id', type: 'id' },
  eventDateTime: { column: 'r."eventDateTime"', type: 'instant' },
  dataProviderVendorId: { column: 'r."dataProviderVendorId"', type: 'text' },
  ...ofColumns(columns, (column) => ({ column: `r.${column}`, type: 'text' as const })),
})

/** The name that the newest event of a kind gives the vendor `counted.value`. */
export const vendorNameIn = ({ rows }: KindRelations): string => `(
  SELECT named.body::json -> 'eventList' ->> 'dataProviderVendorName'
  FROM (
    SELECT e.id FROM ${rows} e WHERE e."dataProviderVendorId" = counted.value ORDER BY e.id DESC LIMIT 1
  ) AS newest
  CROSS JOIN LATERAL (
    SELECT detail[1] AS body FROM record_version
    WHERE provider_id = $1 AND record_id = newest.id AND version = (SELECT version FROM record WHERE provider_id = $1 AND id = newest.id)
    LIMIT 1
  ) AS named
)`

const placeValues = (column: string): Values => ({
  sql: `SELECT r.${column} AS value`,
  recordsMax: 100_000,
  label: placeName,
})

/** Values of filters of a list of events. */
export const eventValues = (relations: KindRelations): Readonly<Record<string, Values>> => ({
  dataProviderVendorId: {
    sql: 'SELECT r."dataProviderVendorId" AS value',
    recordsMax: 100_000,
    label: vendorNameIn(relations),
  },
  ...ofColumns(relations.columns, placeValues),
  itemCode: {
    sql: `SELECT c.code AS value FROM ${relations.codes} c WHERE c.id = r.id AND c.field = 'itemCode'`,
    recordsMax: 5_000,
  },
  ftlCategory: { sql: 'SELECT jsonb_array_elements_text(r.ftl_categories) AS value', recordsMax: 50_000 },
})

/**
 * The conditions of a search, with a lot as the rows of codes have it: any text that names the lot
 * finds every text that does (decision 0049).
 */
export const readLot = <W extends { readonly lotCode?: unknown }>({ lotCode, ...wanted }: W) => ({
  ...wanted,
  ...(lotCode !== undefined && { lotCode: Array.isArray(lotCode) ? lotCode.map(rowText) : rowText(lotCode) }),
})

function rowText(written: unknown): string {
  const { code, unfolded } = lotRowOf(String(written))
  return JSON.stringify([code, unfolded])
}

/** A listing whose lots are read first. */
export const listingByLot = <L extends Listed>(listed: L): L => ({
  ...listed,
  sorted: (db, provider, page, wanted) => listed.sorted(db, provider, page, readLot(wanted)),
  count: (db, provider, wanted) => listed.count(db, provider, readLot(wanted)),
  values: (db, provider, values, wanted) => listed.values(db, provider, values, readLot(wanted)),
})
