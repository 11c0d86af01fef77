// Master products: create, replace, search. One statement per write, as with receiving events.
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

/** What a list of master products searches by, under the wire names. */
export interface ProductSearch {
  readonly dataProviderVendorId: string
  readonly itemCode: string
}

const create = statement<{ created: number }>(
  'createMasterProducts',
  `WITH claim AS (
  INSERT INTO idempotency_key (provider_id, idempotency_key, operation, fingerprint, record_ids)
  SELECT $1, $5, $6, $7, $8::uuid[]
  WHERE $5::text IS NOT NULL
  ON CONFLICT (provider_id, idempotency_key) DO NOTHING
  RETURNING idempotency_key
), submitted AS (
  SELECT *
  FROM unnest($8::uuid[], $9::bytea[], $10::text[], $11::text[], $12::text[], $13::text[])
    AS s (id, content_hash, body, findings, vendor, item_code)
  WHERE $5::text IS NULL OR EXISTS (SELECT 1 FROM claim)
), created AS (
  INSERT INTO master_product (provider_id, id, version, content_hash, "dataProviderVendorId", "itemCode")
  SELECT $1, id, 1, content_hash, vendor, item_code
  FROM submitted
  RETURNING id
), first_versions AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, findings, body)
  SELECT $1, id, 1, 'masterProduct', $2, $3, $4, content_hash, findings::json, body::json
  FROM submitted
)
SELECT count(*)::integer AS created FROM created`,
)

/** Creates all of the products, or none. */
export async function createMasterProducts(
  db: Queryable,
  writer: Writer,
  records: readonly RecordWrite<ProductSearch>[],
  claim: IdempotencyClaim | undefined,
): Promise<Created> {
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
    records.map(({ search }) => search.itemCode),
  ])
  return row?.created === records.length ? { is: 'created' } : { is: 'repeated' }
}

const replace = statement<ReplaceRow>(
  'replaceMasterProduct',
  `WITH stored AS (
  SELECT id, version, content_hash
  FROM master_product
  WHERE provider_id = $1 AND id = $5
  FOR UPDATE
), replaced AS (
  UPDATE master_product p
  SET version = stored.version + 1, content_hash = $6, "dataProviderVendorId" = $9, "itemCode" = $10
  FROM stored
  WHERE p.provider_id = $1 AND p.id = stored.id
    AND stored.content_hash <> $6 AND ($11::integer[] IS NULL OR stored.version = ANY ($11))
  RETURNING p.id, p.version
), next_version AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, findings, body)
  SELECT $1, id, version, 'masterProduct', $2, $3, $4, $6, $8::json, $7::json
  FROM replaced
)
SELECT stored.version AS stored, replaced.version AS replaced, stored.content_hash = $6 AS unchanged
FROM stored LEFT JOIN replaced ON true`,
)

/** Replaces one product, unless it is unknown, unchanged or at a version not `allowed`. */
export async function replaceMasterProduct(
  db: Queryable,
  writer: Writer,
  { id, contentHash, body, findings, search }: RecordWrite<ProductSearch>,
  allowed: readonly number[] | undefined,
): Promise<Replaced> {
  const [row] = await replace(db, [
    ...writerValues(writer),
    id,
    contentHash,
    body,
    findings,
    search.dataProviderVendorId,
    search.itemCode,
    allowed ?? null,
  ])
  return replacedBy(row, allowed)
}

/** Searches master products, newest first. */
export const searchMasterProducts = search(
  'searchMasterProducts',
  `SELECT p.id, v.version, v.body::text AS body
FROM master_product p
JOIN record_version v ON v.provider_id = $1 AND v.record_id = p.id AND v.version = p.version
WHERE p.provider_id = $1
  {conditions}
ORDER BY p.id DESC
LIMIT $2`,
  2,
  {
    before: 'p.id < $?::uuid',
    dataProviderVendorId: 'p."dataProviderVendorId" = $?',
    itemCode: 'p."itemCode" = $?',
    submitStartDateTime: `v.kind = 'masterProduct' AND v.submitted_at >= $?::timestamptz`,
    submitEndDateTime: `v.kind = 'masterProduct' AND v.submitted_at <= $?::timestamptz`,
  },
)
