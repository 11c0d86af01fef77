// Receiving events: create, replace, search. Replacement, history, search rows and location master data commit together or not at all,
// because each write is one statement.
import { createHash } from 'node:crypto'
import { answeringTaken } from './database-errors.ts'
import { type LotRow, lotRowOf } from './lot-rows.ts'
import type { RecountDue } from './recounts.ts'
import { idMadeBefore, search } from './search.ts'
import { type Queryable, statement } from './statement.ts'
import {
  type CreationRow,
  claimValues,
  createdBy,
  creationValues,
  type RecordStatements,
  type RecordWrite,
  type ReplacementRow,
  replacedBy,
  replacementValues,
} from './writes.ts'

/** What receiving events are found and counted by; fields of the contract under their wire names. */
export interface EventSearch {
  readonly dataProviderVendorId: string
  /** As submitted; compared as an instant. */
  readonly eventDateTime: string
  /** The calendar date of the event as it was written, at the place whose offset it carries: `yyyy-MM-dd`. */
  readonly eventDate: string
  /** Lines in its product list. */
  readonly lineCount: number
  /** JSON text of its tallies, one per item: `[{"item", "lines", "complete", "gaps": {<rule>: <lines>}}]`. */
  readonly completeness: string
  /** The recount whose master data it was judged with: undefined when it says everything itself, -1 when not all was looked up. */
  readonly judgedIn: number | undefined
  readonly shipFromLocationCode: string
  readonly shipToLocationCode: string
  readonly purchaseOrderNumber: string
  readonly asnNumber: string | undefined
  readonly lotCodes: readonly string[]
  readonly itemCodes: readonly string[]
  /** Of its location list, those it neither ships from nor to. */
  readonly otherLocationCodes: readonly string[]
  readonly eventId: string | undefined
  /** The event's own location list, one entry per code: it sets up and updates master data. */
  readonly locations: readonly EventLocation[]
}

/** True in each row of a statement that put something into awaiting_recount. */
interface RecountRow {
  readonly recountDue: boolean
}

interface EventLocation {
  readonly locationCode: string
  /** Makes the id the location gets if it is new. */
  readonly newId: () => string
  /** JSON text of what the entry carries, without blanks. */
  readonly content: string
}

/** Known content `k` with carried content `c` laid over it, field by field, the fields of the address too. */
const overKnown = `k.content || c.content || CASE WHEN c.content ? 'address'
        THEN jsonb_build_object('address', coalesce(k.content -> 'address', '{}') || (c.content -> 'address')) ELSE '{}' END`

/** The same for a row that was locked because its code was known when the insert came. */
const overLocked = `l.content || excluded.content || CASE WHEN excluded.content ? 'address'
        THEN jsonb_build_object('address', coalesce(l.content -> 'address', '{}') || (excluded.content -> 'address')) ELSE '{}' END`

/** The body a location gets from its content and vendor, in jsonb's own order, and the hash of that. */
const insertedBody = `jsonb_build_object('locationMasterList', c.content || jsonb_build_object('dataProviderVendorId', c.vendor))::text`
const updatedBody = `jsonb_build_object('locationMasterList', ${overLocked} || jsonb_build_object('dataProviderVendorId', l."dataProviderVendorId"))::text`
const locatedBody = `jsonb_build_object('locationMasterList', l.content || jsonb_build_object('dataProviderVendorId', l."dataProviderVendorId"))::text`
const insertedHash = `sha256(convert_to(${insertedBody}, 'UTF8'))`
const updatedHash = `sha256(convert_to(${updatedBody}, 'UTF8'))`

/**
 * Sets up and updates location master data from the entries `carried` of accepted events (vendor, code, id, content, and who sent them).
 * Fields an entry does not carry stay: an event's list is not a replacement of the location. The look before the insert
 * keeps the common case, nothing new, free of row locks. Ordered, so that two events with the same places cannot deadlock.
 */
const locationsFromEvents = `located AS (
  INSERT INTO location AS l (provider_id, "dataProviderVendorId", "locationCode", id, version, content, content_hash, version_hash)
  SELECT $1, c.vendor, c.code, c.id, 1, c.content, ${insertedHash},
         version_hash_of('location', c.id, 1, now(), c.key_id, ${insertedHash}, detail_hash_of(c.payload_id, '[]', ${insertedBody}), NULL)
  FROM carried c
  WHERE NOT EXISTS (
    SELECT 1 FROM location k
    WHERE k.provider_id = $1 AND k."dataProviderVendorId" = c.vendor AND k."locationCode" = c.code
      AND ${overKnown} = k.content
  )
  ORDER BY c.vendor, c.code
  ON CONFLICT (provider_id, "dataProviderVendorId", "locationCode") DO UPDATE
  SET version = l.version + 1, content = ${overLocked}, content_hash = ${updatedHash}, version_hash = (
    SELECT version_hash_of('location', l.id, l.version + 1, now(), c.key_id, ${updatedHash},
                           detail_hash_of(c.payload_id, '[]', ${updatedBody}), l.version_hash)
    FROM carried c
    WHERE c.vendor = excluded."dataProviderVendorId" AND c.code = excluded."locationCode"
  )
  WHERE ${overLocked} <> l.content
  RETURNING l.id, l.version, l."dataProviderVendorId", l."locationCode", l.content, l.content_hash, l.version_hash
), location_versions AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, findings, body,
                              detail_hash, version_hash)
  SELECT $1, l.id, l.version, 'location', c.key_id, c.request_id, c.payload_id, l.content_hash, '[]', ${locatedBody}::json,
         detail_hash_of(c.payload_id, '[]', ${locatedBody}), l.version_hash
  FROM located l JOIN carried c ON c.vendor = l."dataProviderVendorId" AND c.code = l."locationCode"
), locations_awaiting AS (
  INSERT INTO awaiting_checkpoint (provider_id, record_id, version)
  SELECT $1, id, version FROM located
), places_to_recount AS (
  INSERT INTO awaiting_recount (provider_id, what, "dataProviderVendorId", code)
  SELECT $1, 'location', l."dataProviderVendorId", l."locationCode"
  FROM located l
  WHERE l.version > 1
    OR EXISTS (SELECT 1 FROM receiving_event e WHERE e.provider_id = $1 AND e."shipFromLocationCode" = l."locationCode")
    OR EXISTS (SELECT 1 FROM receiving_event e WHERE e.provider_id = $1 AND e."shipToLocationCode" = l."locationCode")
    OR EXISTS (SELECT 1 FROM receiving_event_code c WHERE c.provider_id = $1 AND c.field = 'locationCode' AND c.code = l."locationCode")
  RETURNING id
)`

/**
 * The number of the last recount, locked against the next one, when one of the events was judged with master data. A recount
 * that began since those were looked up may have missed these events, and so they are counted again. Nothing is locked else.
 */
const recountLocked = `recount_now AS MATERIALIZED (
  SELECT p.recount
  FROM provider p
  WHERE p.provider_id = $1 AND EXISTS (SELECT 1 FROM submitted s WHERE s.judged_in IS NOT NULL)
  FOR SHARE
)`

const recountDue = `EXISTS (SELECT 1 FROM places_to_recount) OR EXISTS (SELECT 1 FROM events_to_recount) AS "recountDue"`

const create = statement<CreationRow & RecountRow>(
  'createReceivingEvents',
  `WITH asked AS (
  SELECT *
  FROM unnest($2::integer[], $3::text[], $4::text[], $5::bytea[], $6::text[]) AS a (n, idempotency_key, operation, fingerprint, record_ids)
), submitted AS (
  SELECT *
  FROM unnest($7::integer[], $8::text[], $9::uuid[], $10::text[], $11::uuid[], $12::bytea[], $13::text[], $14::text[],
              $15::text[], $16::text[]::timestamptz[], $17::text[], $18::text[], $19::text[], $20::text[], $21::bytea[],
              $22::text[]::date[], $23::integer[], $24::text[]::jsonb[], $36::integer[])
    AS s (n, key_id, request_id, payload_id, id, content_hash, body, findings,
          vendor, event_date_time, ship_from, ship_to, purchase_order, asn, codes_hash, event_date, line_count, completeness, judged_in)
), ${recountLocked}, taken AS (
  SELECT DISTINCT s.n
  FROM submitted s, receiving_event o
  WHERE o.provider_id = $1 AND o."dataProviderVendorId" = s.vendor AND o."shipToLocationCode" = s.ship_to
    AND o."eventDateTime" = s.event_date_time
), claims AS (
  INSERT INTO idempotency_key (provider_id, idempotency_key, operation, fingerprint, record_ids)
  SELECT $1, idempotency_key, operation, fingerprint, record_ids::uuid[]
  FROM asked
  WHERE idempotency_key IS NOT NULL AND n NOT IN (SELECT n FROM taken)
  ON CONFLICT (provider_id, idempotency_key) DO NOTHING
  RETURNING idempotency_key
), decided AS (
  SELECT a.n,
         CASE
           WHEN a.n IN (SELECT n FROM taken) THEN 'taken'
           WHEN a.idempotency_key IS NULL OR a.idempotency_key IN (SELECT idempotency_key FROM claims) THEN 'created'
           ELSE 'repeated'
         END AS outcome
  FROM asked a
), detailed AS MATERIALIZED (
  SELECT s.*, detail_hash_of(s.payload_id, s.findings, s.body) AS detail_hash
  FROM submitted s JOIN decided d ON d.n = s.n AND d.outcome = 'created'
), accepted AS (
  SELECT *, version_hash_of('receivingEvent', id, 1, now(), key_id, content_hash, detail_hash, NULL) AS version_hash
  FROM detailed
), created AS (
  INSERT INTO receiving_event (provider_id, id, version, content_hash, version_hash, codes_hash, "dataProviderVendorId", "eventDateTime",
                               "shipFromLocationCode", "shipToLocationCode", "purchaseOrderNumber", "asnNumber", event_date, line_count, completeness)
  SELECT $1, id, 1, content_hash, version_hash, codes_hash, vendor, event_date_time, ship_from, ship_to, purchase_order, asn, event_date, line_count, completeness
  FROM accepted
), first_versions AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, findings, body,
                              detail_hash, version_hash)
  SELECT $1, id, 1, 'receivingEvent', key_id, request_id, payload_id, content_hash, findings::json, body::json, detail_hash, version_hash
  FROM accepted
), awaiting AS (
  INSERT INTO awaiting_checkpoint (provider_id, record_id, version)
  SELECT $1, id, 1 FROM accepted
), codes AS (
  INSERT INTO receiving_event_code (provider_id, field, code, id, unfolded)
  SELECT $1, c.field, c.code, c.id, c.unfolded
  FROM unnest($25::uuid[], $26::text[], $27::text[], $28::text[]) AS c (id, field, code, unfolded) JOIN accepted ON accepted.id = c.id
), carried AS (
  SELECT p.vendor, p.code, p.id, p.content::jsonb AS content, s.key_id, s.request_id, s.payload_id
  FROM unnest($29::integer[], $30::text[], $31::text[], $32::uuid[], $33::text[]) AS p (n, vendor, code, id, content)
  JOIN (
    SELECT DISTINCT ON (c.n) c.n, a.key_id, a.request_id, a.payload_id
    FROM unnest($34::integer[], $35::uuid[]) AS c (n, event_id) JOIN accepted a ON a.id = c.event_id
  ) s ON s.n = p.n
), events_to_recount AS (
  INSERT INTO awaiting_recount (provider_id, what, event_id)
  SELECT $1, 'event', a.id FROM accepted a JOIN recount_now r ON r.recount <> a.judged_in
  RETURNING id
), ${locationsFromEvents}
SELECT n, outcome, ${recountDue} FROM decided`,
)

/** An unchanged record gets no version; its counts are brought up to date, since master data may have filled a gap (decision 0031). */
const replace = statement<ReplacementRow & RecountRow>(
  'replaceReceivingEvents',
  `WITH submitted AS (
  SELECT *
  FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::bytea[], $8::text[], $9::text[],
              $10::text[], $11::text[]::timestamptz[], $12::text[], $13::text[], $14::text[], $15::text[], $16::bytea[],
              $17::text[]::date[], $18::integer[], $19::text[]::jsonb[], $31::integer[])
    AS s (id, key_id, request_id, payload_id, allowed, content_hash, body, findings,
          vendor, event_date_time, ship_from, ship_to, purchase_order, asn, codes_hash, event_date, line_count, completeness, judged_in)
), ${recountLocked}, stored AS (
  SELECT id, version, content_hash, version_hash, codes_hash, "dataProviderVendorId" AS vendor, "shipToLocationCode" AS ship_to,
         "eventDateTime" AS event_date_time, completeness
  FROM receiving_event
  WHERE provider_id = $1 AND id = ANY ($2::uuid[]) AND (SELECT count(*) FROM recount_now) >= 0
  ORDER BY id
  FOR UPDATE
), decided AS (
  SELECT s.*, stored.version, stored.version_hash AS previous_hash, stored.completeness AS stored_completeness, stored.codes_hash IS DISTINCT FROM s.codes_hash AS recoded,
         CASE
           WHEN NOT s.allowed::int4multirange @> stored.version THEN 'stale'
           WHEN stored.content_hash = s.content_hash THEN 'unchanged'
           WHEN (s.vendor, s.ship_to, s.event_date_time) IS DISTINCT FROM (stored.vendor, stored.ship_to, stored.event_date_time)
             AND EXISTS (
               SELECT 1 FROM receiving_event o
               WHERE o.provider_id = $1 AND o."dataProviderVendorId" = s.vendor AND o."shipToLocationCode" = s.ship_to
                 AND o."eventDateTime" = s.event_date_time AND o.id <> s.id
             ) THEN 'taken'
           ELSE 'replaced'
         END AS outcome
  FROM submitted s JOIN stored ON stored.id = s.id
), detailed AS MATERIALIZED (
  SELECT *, detail_hash_of(payload_id, findings, body) AS detail_hash FROM decided WHERE outcome = 'replaced'
), accepted AS (
  SELECT *, version_hash_of('receivingEvent', id, version + 1, now(), key_id, content_hash, detail_hash, previous_hash) AS version_hash
  FROM detailed
), replaced AS (
  UPDATE receiving_event e
  SET version = a.version + 1, content_hash = a.content_hash, version_hash = a.version_hash, codes_hash = a.codes_hash,
      "dataProviderVendorId" = a.vendor, "eventDateTime" = a.event_date_time, "shipFromLocationCode" = a.ship_from,
      "shipToLocationCode" = a.ship_to, "purchaseOrderNumber" = a.purchase_order, "asnNumber" = a.asn,
      event_date = a.event_date, line_count = a.line_count, completeness = a.completeness
  FROM accepted a
  WHERE e.provider_id = $1 AND e.id = a.id
), recounted AS (
  UPDATE receiving_event e
  SET completeness = d.completeness
  FROM decided d
  WHERE e.provider_id = $1 AND e.id = d.id AND d.outcome = 'unchanged' AND d.stored_completeness <> d.completeness
), next_versions AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, findings, body,
                              detail_hash, version_hash)
  SELECT $1, id, version + 1, 'receivingEvent', key_id, request_id, payload_id, content_hash, findings::json, body::json, detail_hash, version_hash
  FROM accepted
), awaiting AS (
  INSERT INTO awaiting_checkpoint (provider_id, record_id, version)
  SELECT $1, id, version + 1 FROM accepted
), wanted_codes AS (
  SELECT c.id, c.field, c.code, c.unfolded
  FROM unnest($20::uuid[], $21::text[], $22::text[], $23::text[]) AS c (id, field, code, unfolded) JOIN accepted a ON a.id = c.id AND a.recoded
), codes_removed AS (
  DELETE FROM receiving_event_code r
  USING accepted a
  WHERE r.provider_id = $1 AND r.id = a.id AND a.recoded
    AND NOT EXISTS (
      SELECT 1 FROM wanted_codes w WHERE w.id = r.id AND w.field = r.field AND w.code = r.code AND w.unfolded = r.unfolded
    )
  RETURNING r.id, r.field, r.code, r.unfolded, a.version
), earlier_lots AS (
  INSERT INTO earlier_lot_code (provider_id, code, id, unfolded, last_version)
  SELECT $1, code, id, unfolded, version
  FROM codes_removed
  WHERE field = 'lotCode'
  ON CONFLICT (provider_id, code, id, unfolded) DO UPDATE SET last_version = excluded.last_version
), codes_added AS (
  INSERT INTO receiving_event_code (provider_id, field, code, id, unfolded)
  SELECT $1, field, code, id, unfolded
  FROM wanted_codes
  ON CONFLICT (provider_id, field, code, id, unfolded) DO NOTHING
), carried AS (
  SELECT p.vendor, p.code, p.id, p.content::jsonb AS content, s.key_id, s.request_id, s.payload_id
  FROM unnest($24::integer[], $25::text[], $26::text[], $27::uuid[], $28::text[]) AS p (n, vendor, code, id, content)
  JOIN (
    SELECT DISTINCT ON (c.n) c.n, a.key_id, a.request_id, a.payload_id
    FROM unnest($29::integer[], $30::uuid[]) AS c (n, event_id) JOIN accepted a ON a.id = c.event_id
  ) s ON s.n = p.n
), events_to_recount AS (
  INSERT INTO awaiting_recount (provider_id, what, event_id)
  SELECT $1, 'event', d.id
  FROM decided d JOIN recount_now r ON r.recount <> d.judged_in
  WHERE d.outcome IN ('replaced', 'unchanged')
  RETURNING id
), ${locationsFromEvents}
SELECT id, outcome, version, ${recountDue} FROM decided`,
)

/** Creates and replaces receiving events. Each create is all or nothing; each replacement is decided on its own. */
export const receivingEventStatements = (db: Queryable, due: RecountDue): RecordStatements<EventSearch> => ({
  create: (provider, creations) =>
    answeringTaken(creations, 'receiving_event_one_per_date_time', async () => {
      const values = [provider, ...claimValues(creations), ...creationValues(creations)]
      const records = creations.flatMap((creation) => creation.records)
      const rows = await create(db, [...values, ...searchValues(records)])
      if (rows.some(({ recountDue }) => recountDue)) due(provider)
      return createdBy(creations, rows)
    }),
  replace: (provider, replacements) =>
    answeringTaken(replacements, 'receiving_event_one_per_date_time', async () => {
      const records = replacements.map(({ record }) => record)
      const values = [provider, ...replacementValues(replacements), ...searchValues(records)]
      const rows = await replace(db, values)
      if (rows.some(({ recountDue }) => recountDue)) due(provider)
      return replacedBy(replacements, rows)
    }),
})

/** The last parameters of both statements: columns per record, then codes, then places, then who carries them, then recounts. */
function searchValues(records: readonly RecordWrite<EventSearch>[]): unknown[] {
  // Events of one statement mostly name the same few places; each is sent, and compared with master data, once.
  const places = new Map<string, EventLocation & { readonly n: number; readonly vendor: string }>()
  const carriers: { readonly n: number; readonly eventId: string }[] = []
  for (const { id, search } of records)
    for (const location of search.locations) {
      const vendor = search.dataProviderVendorId
      const key = `${vendor}\u0000${location.locationCode}`
      const place = places.get(key) ?? { ...location, n: places.size, vendor }
      places.set(key, place)
      carriers.push({ n: place.n, eventId: id })
    }
  const carried = [...places.values()]
  const [columns, codes] = eventSearchValues(records)
  return [
    ...columns,
    ...codes,
    carried.map(({ n }) => n),
    carried.map(({ vendor }) => vendor),
    carried.map(({ locationCode }) => locationCode),
    carried.map(({ newId }) => newId()),
    carried.map(({ content }) => content),
    carriers.map(({ n }) => n),
    carriers.map(({ eventId }) => eventId),
    records.map(({ search }) => search.judgedIn ?? null),
  ]
}

type FoundRecord = Pick<RecordWrite<EventSearch>, 'id' | 'search'>

/** What events are found by: ten columns per record, then id, field, code and unfolded code of each of their codes. */
export function eventSearchValues(records: readonly FoundRecord[]): readonly [columns: unknown[], codes: unknown[]] {
  const codes = records.map(codesOf)
  const allCodes = codes.flat()
  return [
    [
      records.map(({ search }) => search.dataProviderVendorId),
      records.map(({ search }) => search.eventDateTime),
      records.map(({ search }) => search.shipFromLocationCode),
      records.map(({ search }) => search.shipToLocationCode),
      records.map(({ search }) => search.purchaseOrderNumber),
      records.map(({ search }) => search.asnNumber ?? null),
      codes.map(codesHashOf),
      records.map(({ search }) => search.eventDate),
      records.map(({ search }) => search.lineCount),
      records.map(({ search }) => search.completeness),
    ],
    [
      allCodes.map(({ id }) => id),
      allCodes.map(({ field }) => field),
      allCodes.map(({ code }) => code),
      allCodes.map(({ unfolded }) => unfolded),
    ],
  ]
}

/** The rows of receiving_event_code: one per code, however many lines carry it (decision 0022). */
const codesOf = ({ id, search }: FoundRecord) => [
  ...distinctLots(search.lotCodes).map((lot) => ({ id, field: 'lotCode', ...lot })),
  ...[...new Set(search.itemCodes)].map((code) => ({ id, field: 'itemCode', code, unfolded: '' })),
  ...[...new Set(search.otherLocationCodes)].map((code) => ({ id, field: 'locationCode', code, unfolded: '' })),
  ...(search.eventId === undefined ? [] : [{ id, field: 'eventId', code: search.eventId, unfolded: '' }]),
]

/** One row for the texts that name one lot. */
const distinctLots = (written: readonly string[]): readonly LotRow[] => [
  ...new Map([...new Set(written)].map(lotRowOf).map((lot) => [lot.unfolded || lot.code, lot])).values(),
]

/** Tells a replacement that its codes are the stored ones: then no search row is touched. */
const codesHashOf = (codes: ReturnType<typeof codesOf>): Buffer =>
  createHash('sha256')
    .update(
      codes
        .map(({ field, code, unfolded }) => `${field}\u0000${code}\u0000${unfolded}`)
        .sort()
        .join('\u0000'),
    )
    .digest()

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

/** The first of the events whose date time another record holds, and that record; `except` is the record being replaced. */
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

const searchEvents = search('searchReceivingEvents', {
  kind: 'receivingEvent',
  table: 'received_event',
  conditions: {
    // The folded code and the code as it was read: an event has one row of both.
    lotCode: {
      sql: `(SELECT true FROM receiving_event_code c
       WHERE c.provider_id = $1 AND c.field = 'lotCode' AND c.code = ($?::text[])[1] AND c.unfolded = ($?::text[])[2] AND c.id = r.id)`,
      walk: {
        table: 'receiving_event_code',
        sql: `r.field = 'lotCode' AND r.code = ($?::text[])[1] AND r.unfolded = ($?::text[])[2]`,
      },
    },
    purchaseOrderNumber: { sql: 'r."purchaseOrderNumber" = $?', walk: true },
    asnNumber: { sql: 'r."asnNumber" = $?', walk: true },
    eventStartDateTime: { sql: 'r."eventDateTime" >= $?::timestamptz', range: 'r."eventDateTime"' },
    eventEndDateTime: { sql: 'r."eventDateTime" <= $?::timestamptz', range: 'r."eventDateTime"' },
    // Offsets are 14 hours at most, so that far before and after its date lie its instants: the index of date times finds them.
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
      walk: { table: 'receiving_event_code', sql: `r.field = 'itemCode' AND r.code = $?` },
    },
    shipToLocationCode: { sql: 'r."shipToLocationCode" = $?', walk: true, beforeRange: true },
    shipFromLocationCode: { sql: 'r."shipFromLocationCode" = $?', walk: true },
    dataProviderVendorId: { sql: 'r."dataProviderVendorId" = $?', walk: true },
    submitStartDateTime: { of: 'version', sql: 'v.submitted_at >= $?::timestamptz' },
    submitEndDateTime: { of: 'version', sql: 'v.submitted_at <= $?::timestamptz', bound: idMadeBefore },
  },
})

/**
 * Searches receiving events, newest first. Conditions are exact; ends of ranges belong to them. `lotCode` is any text that names
 * the lot, and finds every text that does (decision 0049).
 */
export const searchReceivingEvents: typeof searchEvents = (db, fixed, { lotCode, ...wanted }) =>
  searchEvents(db, fixed, { ...wanted, ...(typeof lotCode === 'string' && { lotCode: rowValues(lotCode) }) })

function rowValues(lotCode: string): readonly [code: string, unfolded: string] {
  const { code, unfolded } = lotRowOf(lotCode)
  return [code, unfolded]
}
