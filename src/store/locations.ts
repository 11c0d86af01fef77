// Location master data: create, replace, search. Accepted receiving events set locations up and update them too (receiving-events.ts).
import type { Location } from '../contract/location.ts'
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

/** What a list of locations searches by, under the wire names, and the content events are compared with. */
export interface LocationSearch {
  readonly dataProviderVendorId: string
  readonly locationCode: string
  readonly content: Location
}

// The content hash is computed here from the normal form of jsonb, because an event merged into a location is only known here.
const create = statement<{ created: number }>(
  'createLocations',
  `WITH claim AS (
  INSERT INTO idempotency_key (provider_id, idempotency_key, operation, fingerprint, record_ids)
  SELECT $1, $5, $6, $7, $8::uuid[]
  WHERE $5::text IS NOT NULL
  ON CONFLICT (provider_id, idempotency_key) DO NOTHING
  RETURNING idempotency_key
), submitted AS (
  SELECT id, sha256(convert_to(body::jsonb::text, 'UTF8')) AS content_hash, body, findings, vendor, code, content
  FROM unnest($8::uuid[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[]::jsonb[])
    AS s (id, body, findings, vendor, code, content)
  WHERE $5::text IS NULL OR EXISTS (SELECT 1 FROM claim)
), created AS (
  INSERT INTO location (provider_id, id, version, content_hash, "dataProviderVendorId", "locationCode", content)
  SELECT $1, id, 1, content_hash, vendor, code, content
  FROM submitted
  RETURNING id
), first_versions AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, findings, body)
  SELECT $1, id, 1, 'location', $2, $3, $4, content_hash, findings::json, body::json
  FROM submitted
)
SELECT count(*)::integer AS created FROM created`,
)

/** Creates all of the locations, or none. */
export async function createLocations(
  db: Queryable,
  writer: Writer,
  records: readonly RecordWrite<LocationSearch>[],
  claim: IdempotencyClaim | undefined,
): Promise<Created> {
  try {
    const [row] = await create(db, [
      ...writerValues(writer),
      claim?.key ?? null,
      claim?.operation ?? null,
      claim?.fingerprint ?? null,
      records.map(({ id }) => id),
      records.map(({ body }) => body),
      records.map(({ findings }) => findings),
      records.map(({ search }) => search.dataProviderVendorId),
      records.map(({ search }) => search.locationCode),
      records.map(({ search }) => JSON.stringify(search.content)),
    ])
    return row?.created === records.length ? { is: 'created' } : { is: 'repeated' }
  } catch (error) {
    if (uniqueKeyBroken(error, 'location_one_per_code')) return { is: 'taken' }
    throw error
  }
}

const replace = statement<ReplaceRow>(
  'replaceLocation',
  `WITH submitted AS (
  SELECT sha256(convert_to($6::jsonb::text, 'UTF8')) AS content_hash
), stored AS (
  SELECT id, version, content_hash
  FROM location
  WHERE provider_id = $1 AND id = $5
  FOR UPDATE
), replaced AS (
  UPDATE location l
  SET version = stored.version + 1, content_hash = submitted.content_hash,
      "dataProviderVendorId" = $8, "locationCode" = $9, content = $10::jsonb
  FROM stored, submitted
  WHERE l.provider_id = $1 AND l.id = stored.id
    AND stored.content_hash <> submitted.content_hash AND ($11::integer[] IS NULL OR stored.version = ANY ($11))
  RETURNING l.id, l.version, l.content_hash
), next_version AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, findings, body)
  SELECT $1, id, version, 'location', $2, $3, $4, content_hash, $7::json, $6::json
  FROM replaced
)
SELECT stored.version AS stored, replaced.version AS replaced, stored.content_hash = submitted.content_hash AS unchanged
FROM stored CROSS JOIN submitted LEFT JOIN replaced ON true`,
)

/** Replaces one location, unless it is unknown, unchanged, at a version not `allowed`, or its code is taken. */
export async function replaceLocation(
  db: Queryable,
  writer: Writer,
  { id, body, findings, search }: RecordWrite<LocationSearch>,
  allowed: readonly number[] | undefined,
): Promise<Replaced> {
  try {
    const [row] = await replace(db, [
      ...writerValues(writer),
      id,
      body,
      findings,
      search.dataProviderVendorId,
      search.locationCode,
      JSON.stringify(search.content),
      allowed ?? null,
    ])
    return replacedBy(row, allowed)
  } catch (error) {
    if (uniqueKeyBroken(error, 'location_one_per_code')) return { is: 'taken' }
    throw error
  }
}

const withCode = statement<{ id: string; n: number }>(
  'locationsWithCode',
  `SELECT l.id, w.n::integer AS n
   FROM location l, unnest($2::text[], $3::text[]) WITH ORDINALITY AS w (vendor, code, n)
   WHERE l.provider_id = $1 AND l."dataProviderVendorId" = w.vendor AND l."locationCode" = w.code
     AND l.id IS DISTINCT FROM $4::uuid
   ORDER BY w.n
   LIMIT 1`,
)

/** The first of the locations whose code another record holds, and that record; `except` is the record being replaced. */
export async function holderOfLocationCode(
  db: Queryable,
  provider: string,
  locations: readonly LocationSearch[],
  except: string | undefined,
): Promise<{ readonly id: string; readonly index: number } | undefined> {
  const [row] = await withCode(db, [
    provider,
    locations.map(({ dataProviderVendorId }) => dataProviderVendorId),
    locations.map(({ locationCode }) => locationCode),
    except ?? null,
  ])
  return row && { id: row.id, index: row.n - 1 }
}

/** Searches locations, newest first. */
export const searchLocations = search(
  'searchLocations',
  `SELECT l.id, v.version, v.body::text AS body
FROM location l
JOIN record_version v ON v.provider_id = $1 AND v.record_id = l.id AND v.version = l.version
WHERE l.provider_id = $1
  {conditions}
ORDER BY l.id DESC
LIMIT $2`,
  2,
  {
    before: 'l.id < $?::uuid',
    dataProviderVendorId: 'l."dataProviderVendorId" = $?',
    locationCode: 'l."locationCode" = $?',
    submitStartDateTime: `v.kind = 'location' AND v.submitted_at >= $?::timestamptz`,
    submitEndDateTime: `v.kind = 'location' AND v.submitted_at <= $?::timestamptz`,
  },
)
