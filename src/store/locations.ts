// Location master data: create, replace, search. Accepted receiving events set locations up and update them too (receiving-events.ts).
import type { Location } from '../contract/location.ts'
import { answeringTaken } from './database-errors.ts'
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

/** What a list of locations searches by, under the wire names, and the content events are compared with. */
export interface LocationSearch {
  readonly dataProviderVendorId: string
  readonly locationCode: string
  readonly content: Location
}

// The content hash is computed here from the normal form of jsonb, because an event merged into a location is only known here;
// the hash that comes with the write is not used.
const create = statement<CreationRow>(
  'createLocations',
  `WITH asked AS (
  SELECT *
  FROM unnest($2::integer[], $3::text[], $4::text[], $5::bytea[], $6::text[]) AS a (n, idempotency_key, operation, fingerprint, record_ids)
), submitted AS (
  SELECT s.*, sha256(convert_to(body::jsonb::text, 'UTF8')) AS hash
  FROM unnest($7::integer[], $8::text[], $9::uuid[], $10::text[], $11::uuid[], $12::bytea[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[])
    AS s (n, key_id, request_id, payload_id, id, content_hash, body, findings, vendor, code, content)
), taken AS (
  SELECT DISTINCT s.n
  FROM submitted s, location o
  WHERE o.provider_id = $1 AND o."dataProviderVendorId" = s.vendor AND o."locationCode" = s.code
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
  SELECT *, version_hash_of('location', id, 1, now(), key_id, hash, detail_hash, NULL) AS version_hash
  FROM detailed
), created AS (
  INSERT INTO location (provider_id, id, version, content_hash, version_hash, "dataProviderVendorId", "locationCode", content)
  SELECT $1, id, 1, hash, version_hash, vendor, code, content::jsonb
  FROM accepted
), first_versions AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, findings, body,
                              detail_hash, version_hash)
  SELECT $1, id, 1, 'location', key_id, request_id, payload_id, hash, findings::json, body::json, detail_hash, version_hash
  FROM accepted
), awaiting AS (
  INSERT INTO awaiting_checkpoint (provider_id, record_id, version)
  SELECT $1, id, 1 FROM accepted
), to_recount AS (
  INSERT INTO awaiting_recount (provider_id, what, "dataProviderVendorId", code)
  SELECT $1, 'location', vendor, code FROM accepted
)
SELECT n, outcome FROM decided`,
)

const replace = statement<ReplacementRow>(
  'replaceLocations',
  `WITH submitted AS (
  SELECT s.*, sha256(convert_to(body::jsonb::text, 'UTF8')) AS hash
  FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::bytea[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[])
    AS s (id, key_id, request_id, payload_id, allowed, content_hash, body, findings, vendor, code, content)
), stored AS (
  SELECT id, version, content_hash, version_hash, "dataProviderVendorId" AS vendor, "locationCode" AS code
  FROM location
  WHERE provider_id = $1 AND id = ANY ($2::uuid[])
  ORDER BY id
  FOR UPDATE
), decided AS (
  SELECT s.*, stored.version, stored.version_hash AS previous_hash, stored.vendor AS stored_vendor, stored.code AS stored_code,
         CASE
           WHEN NOT s.allowed::int4multirange @> stored.version THEN 'stale'
           WHEN stored.content_hash = s.hash THEN 'unchanged'
           WHEN (s.vendor, s.code) IS DISTINCT FROM (stored.vendor, stored.code)
             AND EXISTS (
               SELECT 1 FROM location o
               WHERE o.provider_id = $1 AND o."dataProviderVendorId" = s.vendor AND o."locationCode" = s.code AND o.id <> s.id
             ) THEN 'taken'
           ELSE 'replaced'
         END AS outcome
  FROM submitted s JOIN stored ON stored.id = s.id
), detailed AS MATERIALIZED (
  SELECT *, detail_hash_of(payload_id, findings, body) AS detail_hash FROM decided WHERE outcome = 'replaced'
), accepted AS (
  SELECT *, version_hash_of('location', id, version + 1, now(), key_id, hash, detail_hash, previous_hash) AS version_hash
  FROM detailed
), replaced AS (
  UPDATE location l
  SET version = a.version + 1, content_hash = a.hash, version_hash = a.version_hash, "dataProviderVendorId" = a.vendor, "locationCode" = a.code, content = a.content::jsonb
  FROM accepted a
  WHERE l.provider_id = $1 AND l.id = a.id
), next_versions AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, findings, body,
                              detail_hash, version_hash)
  SELECT $1, id, version + 1, 'location', key_id, request_id, payload_id, hash, findings::json, body::json, detail_hash, version_hash
  FROM accepted
), awaiting AS (
  INSERT INTO awaiting_checkpoint (provider_id, record_id, version)
  SELECT $1, id, version + 1 FROM accepted
), to_recount AS (
  INSERT INTO awaiting_recount (provider_id, what, "dataProviderVendorId", code)
  SELECT $1, 'location', c.vendor, c.code
  FROM (SELECT vendor, code AS code FROM accepted UNION SELECT stored_vendor, stored_code FROM accepted) AS c
)
SELECT id, outcome, version FROM decided`,
)

/** Creates and replaces locations. Each create is all or nothing; each replacement is decided on its own. */
export const locationStatements = (db: Queryable, due: RecountDue): RecordStatements<LocationSearch> => ({
  create: (provider, creations) =>
    answeringTaken(creations, 'location_one_per_code', async () => {
      const records = creations.flatMap((creation) => creation.records)
      const values = [provider, ...claimValues(creations), ...creationValues(creations), ...searchValues(records)]
      const created = createdBy(creations, await create(db, values))
      if (created.some(({ is }) => is === 'created')) due(provider)
      return created
    }),
  replace: (provider, replacements) =>
    answeringTaken(replacements, 'location_one_per_code', async () => {
      const records = replacements.map(({ record }) => record)
      const values = [provider, ...replacementValues(replacements), ...searchValues(records)]
      const replaced = replacedBy(replacements, await replace(db, values))
      if (replaced.some(({ is }) => is === 'replaced')) due(provider)
      return replaced
    }),
})

const searchValues = (records: readonly RecordWrite<LocationSearch>[]): unknown[] => [
  records.map(({ search }) => search.dataProviderVendorId),
  records.map(({ search }) => search.locationCode),
  records.map(({ search }) => JSON.stringify(search.content)),
]

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
export const searchLocations = search('searchLocations', {
  kind: 'location',
  table: 'location',
  conditions: {
    locationCode: { sql: 'r."locationCode" = $?', walk: true },
    dataProviderVendorId: { sql: 'r."dataProviderVendorId" = $?', walk: true },
    submitStartDateTime: { of: 'version', sql: 'v.submitted_at >= $?::timestamptz' },
    submitEndDateTime: { of: 'version', sql: 'v.submitted_at <= $?::timestamptz', bound: idMadeBefore },
  },
})
