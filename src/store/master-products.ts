// Master products: create, replace, search. One statement per write, as with receiving events.
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

/** What a list of master products searches by, under the wire names. */
export interface ProductSearch {
  readonly dataProviderVendorId: string
  readonly itemCode: string
}

const create = statement<CreationRow>(
  'createMasterProducts',
  `WITH asked AS (
  SELECT *
  FROM unnest($2::integer[], $3::text[], $4::text[], $5::bytea[], $6::text[]) AS a (n, idempotency_key, operation, fingerprint, record_ids)
), submitted AS (
  SELECT *
  FROM unnest($7::integer[], $8::text[], $9::uuid[], $10::text[], $11::uuid[], $12::bytea[], $13::text[], $14::text[], $15::text[], $16::text[])
    AS s (n, key_id, request_id, payload_id, id, content_hash, body, findings, vendor, item_code)
), claims AS (
  INSERT INTO idempotency_key (provider_id, idempotency_key, operation, fingerprint, record_ids)
  SELECT $1, idempotency_key, operation, fingerprint, record_ids::uuid[]
  FROM asked
  WHERE idempotency_key IS NOT NULL
  ON CONFLICT (provider_id, idempotency_key) DO NOTHING
  RETURNING idempotency_key
), decided AS (
  SELECT a.n,
         CASE
           WHEN a.idempotency_key IS NULL OR a.idempotency_key IN (SELECT idempotency_key FROM claims) THEN 'created'
           ELSE 'repeated'
         END AS outcome
  FROM asked a
), detailed AS MATERIALIZED (
  SELECT s.*, detail_hash_of(s.payload_id, s.findings, s.body) AS detail_hash
  FROM submitted s JOIN decided d ON d.n = s.n AND d.outcome = 'created'
), accepted AS (
  SELECT *, version_hash_of('masterProduct', id, 1, now(), key_id, content_hash, detail_hash, NULL) AS version_hash
  FROM detailed
), created AS (
  INSERT INTO master_product (provider_id, id, version, content_hash, version_hash, "dataProviderVendorId", "itemCode")
  SELECT $1, id, 1, content_hash, version_hash, vendor, item_code
  FROM accepted
), first_versions AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, findings, body,
                              detail_hash, version_hash)
  SELECT $1, id, 1, 'masterProduct', key_id, request_id, payload_id, content_hash, findings::json, body::json, detail_hash, version_hash
  FROM accepted
), awaiting AS (
  INSERT INTO awaiting_checkpoint (provider_id, record_id, version)
  SELECT $1, id, 1 FROM accepted
), to_recount AS (
  INSERT INTO awaiting_recount (provider_id, what, "dataProviderVendorId", code)
  SELECT $1, 'item', vendor, item_code FROM accepted
)
SELECT n, outcome FROM decided`,
)

const replace = statement<ReplacementRow>(
  'replaceMasterProducts',
  `WITH submitted AS (
  SELECT *
  FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::bytea[], $8::text[], $9::text[], $10::text[], $11::text[])
    AS s (id, key_id, request_id, payload_id, allowed, content_hash, body, findings, vendor, item_code)
), stored AS (
  SELECT id, version, content_hash, version_hash, "dataProviderVendorId" AS vendor, "itemCode" AS code
  FROM master_product
  WHERE provider_id = $1 AND id = ANY ($2::uuid[])
  ORDER BY id
  FOR UPDATE
), decided AS (
  SELECT s.*, stored.version, stored.version_hash AS previous_hash, stored.vendor AS stored_vendor, stored.code AS stored_code,
         CASE
           WHEN NOT s.allowed::int4multirange @> stored.version THEN 'stale'
           WHEN stored.content_hash = s.content_hash THEN 'unchanged'
           ELSE 'replaced'
         END AS outcome
  FROM submitted s JOIN stored ON stored.id = s.id
), detailed AS MATERIALIZED (
  SELECT *, detail_hash_of(payload_id, findings, body) AS detail_hash FROM decided WHERE outcome = 'replaced'
), accepted AS (
  SELECT *, version_hash_of('masterProduct', id, version + 1, now(), key_id, content_hash, detail_hash, previous_hash) AS version_hash
  FROM detailed
), replaced AS (
  UPDATE master_product p
  SET version = a.version + 1, content_hash = a.content_hash, version_hash = a.version_hash, "dataProviderVendorId" = a.vendor, "itemCode" = a.item_code
  FROM accepted a
  WHERE p.provider_id = $1 AND p.id = a.id
), next_versions AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, findings, body,
                              detail_hash, version_hash)
  SELECT $1, id, version + 1, 'masterProduct', key_id, request_id, payload_id, content_hash, findings::json, body::json, detail_hash, version_hash
  FROM accepted
), awaiting AS (
  INSERT INTO awaiting_checkpoint (provider_id, record_id, version)
  SELECT $1, id, version + 1 FROM accepted
), to_recount AS (
  INSERT INTO awaiting_recount (provider_id, what, "dataProviderVendorId", code)
  SELECT $1, 'item', c.vendor, c.code
  FROM (SELECT vendor, item_code AS code FROM accepted UNION SELECT stored_vendor, stored_code FROM accepted) AS c
)
SELECT id, outcome, version FROM decided`,
)

/** Creates and replaces master products. Each create is all or nothing; each replacement is decided on its own. */
export const masterProductStatements = (db: Queryable, due: RecountDue): RecordStatements<ProductSearch> => ({
  create: async (provider, creations) => {
    const records = creations.flatMap((creation) => creation.records)
    const values = [provider, ...claimValues(creations), ...creationValues(creations), ...searchValues(records)]
    const created = createdBy(creations, await create(db, values))
    if (created.some(({ is }) => is === 'created')) due(provider)
    return created
  },
  replace: async (provider, replacements) => {
    const records = replacements.map(({ record }) => record)
    const values = [provider, ...replacementValues(replacements), ...searchValues(records)]
    const replaced = replacedBy(replacements, await replace(db, values))
    if (replaced.some(({ is }) => is === 'replaced')) due(provider)
    return replaced
  },
})

const searchValues = (records: readonly RecordWrite<ProductSearch>[]): unknown[] => [
  records.map(({ search }) => search.dataProviderVendorId),
  records.map(({ search }) => search.itemCode),
]

/** Searches master products, newest first. */
export const searchMasterProducts = search('searchMasterProducts', {
  kind: 'masterProduct',
  table: 'master_product',
  conditions: {
    itemCode: { sql: 'r."itemCode" = $?', walk: true },
    dataProviderVendorId: { sql: 'r."dataProviderVendorId" = $?', walk: true },
    submitStartDateTime: { of: 'version', sql: 'v.submitted_at >= $?::timestamptz' },
    submitEndDateTime: { of: 'version', sql: 'v.submitted_at <= $?::timestamptz', bound: idMadeBefore },
  },
})
