// Receiving events: create, replace, search. Replacement, history, search rows and location master data commit together or not at all,
// because each write is one statement.
import type { Location } from '../contract/location.ts'
import type { Loose } from '../contract/read-shape.ts'
import { uniqueKeyBroken } from './database-errors.ts'
import { type Queryable, search, statement } from './statement.ts'
import {
  type Created,
  type IdempotencyClaim,
  type RecordWrite,
  type Replaced,
  type ReplaceRow,
  replacedBy,
  type Writer,
  writerValues,
} from './writes.ts'

/** What a list of receiving events searches by, under the wire names. */
export interface EventSearch {
  readonly dataProviderVendorId: string
  /** As submitted; compared as an instant. */
  readonly eventDateTime: string
  readonly shipFromLocationCode: string
  readonly shipToLocationCode: string
  readonly purchaseOrderNumber: string
  readonly asnNumber: string | undefined
  readonly lotCodes: readonly string[]
  readonly itemCodes: readonly string[]
  /** The event's own location list, one entry per code: it sets up and updates master data. */
  readonly locations: readonly EventLocation[]
}

export interface EventLocation {
  readonly locationCode: string
  /** Id the location gets if it is new. */
  readonly id: string
  readonly content: Loose<Location>
}

/** Known content `k` with carried content `c` laid over it, field by field, the fields of the address too. */
const overKnown = `k.content || c.content || CASE WHEN c.content ? 'address'
        THEN jsonb_build_object('address', coalesce(k.content -> 'address', '{}') || (c.content -> 'address')) ELSE '{}' END`

/** The same for a row that was locked because its code was known when the insert came. */
const overLocked = `l.content || excluded.content || CASE WHEN excluded.content ? 'address'
        THEN jsonb_build_object('address', coalesce(l.content -> 'address', '{}') || (excluded.content -> 'address')) ELSE '{}' END`

/** The body a location gets from its content and vendor, in jsonb's own order, and the hash of that. */
const insertedHash = `sha256(convert_to(jsonb_build_object('locationMasterList', c.content || jsonb_build_object('dataProviderVendorId', c.vendor))::text, 'UTF8'))`
const updatedHash = `sha256(convert_to(jsonb_build_object('locationMasterList', ${overLocked} || jsonb_build_object('dataProviderVendorId', l."dataProviderVendorId"))::text, 'UTF8'))`

/**
 * Sets up and updates location master data from the entries `carried` (vendor, code, id, content) of accepted events.
 * Fields an entry does not carry stay: an event's list is not a replacement of the location. The look before the insert
 * keeps the common case, nothing new, free of row locks. Ordered, so that two events with the same places cannot deadlock.
 */
const locationsFromEvents = `located AS (
  INSERT INTO location AS l (provider_id, "dataProviderVendorId", "locationCode", id, version, content, content_hash)
  SELECT $1, c.vendor, c.code, c.id, 1, c.content, ${insertedHash}
  FROM carried c
  WHERE NOT EXISTS (
    SELECT 1 FROM location k
    WHERE k.provider_id = $1 AND k."dataProviderVendorId" = c.vendor AND k."locationCode" = c.code
      AND ${overKnown} = k.content
  )
  ORDER BY c.vendor, c.code
  ON CONFLICT (provider_id, "dataProviderVendorId", "locationCode") DO UPDATE
  SET version = l.version + 1, content = ${overLocked}, content_hash = ${updatedHash}
  WHERE ${overLocked} <> l.content
  RETURNING l.id, l.version, l."dataProviderVendorId", l.content, l.content_hash
), location_versions AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, findings, body)
  SELECT $1, id, version, 'location', $2, $3, $4, content_hash, '[]',
         jsonb_build_object('locationMasterList', content || jsonb_build_object('dataProviderVendorId', "dataProviderVendorId"))::text::json
  FROM located
)`

const create = statement<{ created: number }>(
  'createReceivingEvents',
  `WITH claim AS (
  INSERT INTO idempotency_key (provider_id, idempotency_key, operation, fingerprint, record_ids)
  SELECT $1, $5, $6, $7, $8::uuid[]
  WHERE $5::text IS NOT NULL
  ON CONFLICT (provider_id, idempotency_key) DO NOTHING
  RETURNING idempotency_key
), submitted AS (
  SELECT *
  FROM unnest($8::uuid[], $9::bytea[], $10::text[], $11::text[], $12::text[], $13::timestamptz[], $14::text[], $15::text[], $16::text[], $17::text[])
    AS s (id, content_hash, body, findings, vendor, event_date_time, ship_from, ship_to, purchase_order, asn)
  WHERE $5::text IS NULL OR EXISTS (SELECT 1 FROM claim)
), created AS (
  INSERT INTO receiving_event (provider_id, id, version, content_hash, "dataProviderVendorId", "eventDateTime",
                               "shipFromLocationCode", "shipToLocationCode", "purchaseOrderNumber", "asnNumber")
  SELECT $1, id, 1, content_hash, vendor, event_date_time, ship_from, ship_to, purchase_order, asn
  FROM submitted
  RETURNING id
), first_versions AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, findings, body)
  SELECT $1, id, 1, 'receivingEvent', $2, $3, $4, content_hash, findings::json, body::json
  FROM submitted
), codes AS (
  INSERT INTO receiving_event_code (provider_id, field, code, id)
  SELECT $1, c.field, c.code, c.id
  FROM unnest($18::uuid[], $19::text[], $20::text[]) AS c (id, field, code)
  WHERE EXISTS (SELECT 1 FROM submitted)
), carried AS (
  SELECT *
  FROM unnest($21::text[], $22::text[], $23::uuid[], $24::text[]::jsonb[]) AS c (vendor, code, id, content)
  WHERE EXISTS (SELECT 1 FROM submitted)
), ${locationsFromEvents}
SELECT count(*)::integer AS created FROM created`,
)

/** Creates all of the events, or none. */
export async function createReceivingEvents(
  db: Queryable,
  writer: Writer,
  records: readonly RecordWrite<EventSearch>[],
  claim: IdempotencyClaim | undefined,
): Promise<Created> {
  const locations = new Map<string, EventLocation & { vendor: string }>()
  for (const { search } of records)
    for (const location of search.locations)
      locations.set(`${search.dataProviderVendorId}\u0000${location.locationCode}`, {
        ...location,
        vendor: search.dataProviderVendorId,
      })
  const carried = [...locations.values()]
  const codes = records.flatMap(codesOf)
  try {
    const [row] = await create(db, [
      ...writerValues(writer),
      claim?.key ?? null,
      claim?.operation ?? null,
      claim?.fingerprint ?? null,
      records.map(({ id }) => id),
      records.map(({ contentHash }) => contentHash),
      records.map(({ body }) => body),
      records.map(({ findings }) => findings),
      records.map(({ search }) => search.dataProviderVendorId),
      records.map(({ search }) => search.eventDateTime),
      records.map(({ search }) => search.shipFromLocationCode),
      records.map(({ search }) => search.shipToLocationCode),
      records.map(({ search }) => search.purchaseOrderNumber),
      records.map(({ search }) => search.asnNumber ?? null),
      codes.map(({ id }) => id),
      codes.map(({ field }) => field),
      codes.map(({ code }) => code),
      carried.map(({ vendor }) => vendor),
      carried.map(({ locationCode }) => locationCode),
      carried.map(({ id }) => id),
      carried.map(({ content }) => JSON.stringify(content)),
    ])
    return row?.created === records.length ? { is: 'created' } : { is: 'repeated' }
  } catch (error) {
    if (uniqueKeyBroken(error, 'receiving_event_one_per_date_time')) return { is: 'taken' }
    throw error
  }
}

const replace = statement<ReplaceRow>(
  'replaceReceivingEvent',
  `WITH stored AS (
  SELECT id, version, content_hash
  FROM receiving_event
  WHERE provider_id = $1 AND id = $5
  FOR UPDATE
), replaced AS (
  UPDATE receiving_event e
  SET version = stored.version + 1, content_hash = $6, "dataProviderVendorId" = $9, "eventDateTime" = $10::timestamptz,
      "shipFromLocationCode" = $11, "shipToLocationCode" = $12, "purchaseOrderNumber" = $13, "asnNumber" = $14
  FROM stored
  WHERE e.provider_id = $1 AND e.id = stored.id
    AND stored.content_hash <> $6 AND ($15::integer[] IS NULL OR stored.version = ANY ($15))
  RETURNING e.id, e.version
), next_version AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, findings, body)
  SELECT $1, id, version, 'receivingEvent', $2, $3, $4, $6, $8::json, $7::json
  FROM replaced
), wanted_codes AS (
  SELECT c.field, c.code, replaced.id
  FROM replaced, unnest($16::text[], $17::text[]) AS c (field, code)
), codes_removed AS (
  DELETE FROM receiving_event_code r
  USING replaced
  WHERE r.provider_id = $1 AND r.id = replaced.id
    AND NOT EXISTS (SELECT 1 FROM wanted_codes w WHERE w.field = r.field AND w.code = r.code)
), codes_added AS (
  INSERT INTO receiving_event_code (provider_id, field, code, id)
  SELECT $1, field, code, id
  FROM wanted_codes
  ON CONFLICT (provider_id, field, code, id) DO NOTHING
), carried AS (
  SELECT c.*
  FROM replaced, unnest($18::text[], $19::text[], $20::uuid[], $21::text[]::jsonb[]) AS c (vendor, code, id, content)
), ${locationsFromEvents}
SELECT stored.version AS stored, replaced.version AS replaced, stored.content_hash = $6 AS unchanged
FROM stored LEFT JOIN replaced ON true`,
)

/** Replaces one event, unless it is unknown, unchanged, at a version not `allowed`, or its date time is taken. */
export async function replaceReceivingEvent(
  db: Queryable,
  writer: Writer,
  { id, contentHash, body, findings, search }: RecordWrite<EventSearch>,
  allowed: readonly number[] | undefined,
): Promise<Replaced> {
  const codes = codesOf({ id, search })
  try {
    const [row] = await replace(db, [
      ...writerValues(writer),
      id,
      contentHash,
      body,
      findings,
      search.dataProviderVendorId,
      search.eventDateTime,
      search.shipFromLocationCode,
      search.shipToLocationCode,
      search.purchaseOrderNumber,
      search.asnNumber ?? null,
      allowed ?? null,
      codes.map(({ field }) => field),
      codes.map(({ code }) => code),
      search.locations.map(() => search.dataProviderVendorId),
      search.locations.map(({ locationCode }) => locationCode),
      search.locations.map((location) => location.id),
      search.locations.map(({ content }) => JSON.stringify(content)),
    ])
    return replacedBy(row, allowed)
  } catch (error) {
    if (uniqueKeyBroken(error, 'receiving_event_one_per_date_time')) return { is: 'taken' }
    throw error
  }
}

const atDateTime = statement<{ id: string; n: number }>(
  'receivingEventsAtDateTime',
  `SELECT e.id, w.n::integer AS n
   FROM receiving_event e,
        unnest($2::text[], $3::text[], $4::timestamptz[]) WITH ORDINALITY AS w (vendor, ship_to, event_date_time, n)
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

/** Searches receiving events, newest first. Conditions are exact; ends of ranges belong to them. */
export const searchReceivingEvents = search(
  'searchReceivingEvents',
  `SELECT e.id, v.version, v.body::text AS body
FROM receiving_event e
JOIN record_version v ON v.provider_id = $1 AND v.record_id = e.id AND v.version = e.version
WHERE e.provider_id = $1
  {conditions}
ORDER BY e.id DESC
LIMIT $2`,
  2,
  {
    before: 'e.id < $?::uuid',
    dataProviderVendorId: 'e."dataProviderVendorId" = $?',
    purchaseOrderNumber: 'e."purchaseOrderNumber" = $?',
    asnNumber: 'e."asnNumber" = $?',
    shipFromLocationCode: 'e."shipFromLocationCode" = $?',
    shipToLocationCode: 'e."shipToLocationCode" = $?',
    eventStartDateTime: 'e."eventDateTime" >= $?::timestamptz',
    eventEndDateTime: 'e."eventDateTime" <= $?::timestamptz',
    lotCode: `EXISTS (SELECT 1 FROM receiving_event_code c WHERE c.provider_id = $1 AND c.field = 'lotCode' AND c.code = $? AND c.id = e.id)`,
    itemCode: `EXISTS (SELECT 1 FROM receiving_event_code c WHERE c.provider_id = $1 AND c.field = 'itemCode' AND c.code = $? AND c.id = e.id)`,
    submitStartDateTime: `v.kind = 'receivingEvent' AND v.submitted_at >= $?::timestamptz`,
    submitEndDateTime: `v.kind = 'receivingEvent' AND v.submitted_at <= $?::timestamptz`,
  },
)

/** The rows of receiving_event_code: one per code, however many lines carry it (decision 0022). */
const codesOf = ({ id, search }: Pick<RecordWrite<EventSearch>, 'id' | 'search'>) => [
  ...[...new Set(search.lotCodes)].map((code) => ({ id, field: 'lotCode', code })),
  ...[...new Set(search.itemCodes)].map((code) => ({ id, field: 'itemCode', code })),
]
