// Refusals: the latest creates and replacements of a provider that were rejected.
import { type Queryable, statement } from '../database/statement.ts'

/** One refusal to store. */
export interface RecordedRefusal {
  readonly id: string
  readonly requestId: string
  readonly keyId: string
  readonly operation: string
  readonly recordId: string | undefined
  /** Vendor in the payload. */
  readonly dataProviderVendorId: string | undefined
  readonly outcome: string
  readonly detail: string
  /** JSON text. */
  readonly findings: string
  readonly findingCount: number
  /** Of ship notices: the key of the sender (`senderKeyOf`), if it is not set up. */
  readonly sender?: string | undefined
}

export interface StoredRefusal extends Omit<RecordedRefusal, 'recordId' | 'dataProviderVendorId' | 'sender'> {
  readonly recordId: string | null
  readonly dataProviderVendorId: string | null
  readonly refusedAt: Date
}

const insert = statement(
  'noteRefusals',
  `WITH last_kept AS MATERIALIZED (
  SELECT id FROM refusal WHERE provider_id = $1 ORDER BY id DESC OFFSET $13 LIMIT 1
), noted AS (
  INSERT INTO refusal (provider_id, id, request_id, key_id, operation, record_id, outcome, detail, findings, finding_count, "dataProviderVendorId", sender)
  SELECT $1, id, request_id, key_id, operation, record_id, outcome, detail, findings::json, finding_count, vendor, sender
  FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::integer[], $11::text[], $12::text[])
    AS n (id, request_id, key_id, operation, record_id, outcome, detail, findings, finding_count, vendor, sender)
)
DELETE FROM refusal
WHERE provider_id = $1 AND id <= (SELECT id FROM last_kept)`,
)

/** Stores refusals and deletes those older than the newest `kept`. */
export const recordRefusals = async (
  db: Queryable,
  provider: string,
  notes: readonly RecordedRefusal[],
  kept: number,
): Promise<void> => {
  await insert(db, [
    provider,
    notes.map(({ id }) => id),
    notes.map(({ requestId }) => requestId),
    notes.map(({ keyId }) => keyId),
    notes.map(({ operation }) => operation),
    notes.map(({ recordId }) => recordId ?? null),
    notes.map(({ outcome }) => outcome),
    notes.map(({ detail }) => detail),
    notes.map(({ findings }) => findings),
    notes.map(({ findingCount }) => findingCount),
    notes.map(({ dataProviderVendorId }) => dataProviderVendorId ?? null),
    notes.map(({ sender }) => sender ?? null),
    kept,
  ])
}

const newest = statement<StoredRefusal>(
  'newestRefusals',
  `SELECT id, refused_at AS "refusedAt", request_id AS "requestId", key_id AS "keyId", operation, record_id AS "recordId",
          "dataProviderVendorId", outcome, detail, findings::text AS findings, finding_count AS "findingCount"
   FROM refusal
   WHERE provider_id = $1 AND ($2::uuid IS NULL OR id < $2)
   ORDER BY id DESC
   LIMIT $3`,
)

/** Up to `limit` refusals, newest first; those below an id when one is given. */
export const newestRefusals = (db: Queryable, provider: string, before: string | undefined, limit: number) =>
  newest(db, [provider, before ?? null, limit])

/** Refusals of the payloads of one vendor; of all payloads where there is no vendor. */
export interface RefusalCounts {
  readonly dataProviderVendorId: string | null
  /** In the requested days, and in those before them. */
  readonly recent: number
  readonly before: number
}

const countedByVendor = statement<RefusalCounts & { isTotal: boolean }>(
  'countRefusalsByVendor',
  `SELECT "dataProviderVendorId", grouping("dataProviderVendorId") = 1 AS "isTotal",
          count(*) FILTER (WHERE refused_at >= $2::timestamptz)::integer AS recent,
          count(*) FILTER (WHERE refused_at < $2::timestamptz)::integer AS before
   FROM refusal
   WHERE provider_id = $1 AND refused_at >= $3::timestamptz AND refused_at < $4::timestamptz
   GROUP BY GROUPING SETS (("dataProviderVendorId"), ())`,
)

/**
 * Counts the refusals that are kept, by vendor and in all: those from `recent` until `end`, and
 * those before, from `start`.
 */
export async function countRefusals(
  db: Queryable,
  provider: string,
  { start, recent, end }: { readonly start: Date; readonly recent: Date; readonly end: Date },
): Promise<{ readonly total: RefusalCounts; readonly vendors: readonly RefusalCounts[] }> {
  const rows = await countedByVendor(db, [provider, recent.toISOString(), start.toISOString(), end.toISOString()])
  const counts = rows.map(({ isTotal: _, ...row }) => row)
  return {
    total: counts[rows.findIndex(({ isTotal }) => isTotal)] ?? { dataProviderVendorId: null, recent: 0, before: 0 },
    vendors: counts.filter(({ dataProviderVendorId }, i) => !rows[i]?.isTotal && dataProviderVendorId !== null),
  }
}

const ofVendor = statement<StoredRefusal & { count: number }>(
  'refusalsOfVendor',
  `SELECT id, refused_at AS "refusedAt", request_id AS "requestId", key_id AS "keyId", operation, record_id AS "recordId",
          "dataProviderVendorId", outcome, detail, findings::text AS findings, finding_count AS "findingCount", count(*) OVER ()::integer AS count
   FROM refusal
   WHERE provider_id = $1 AND "dataProviderVendorId" = $2 AND refused_at >= $3::timestamptz AND refused_at < $4::timestamptz
   ORDER BY id DESC
   LIMIT $5`,
)

/**
 * The number of stored refusals of a vendor's payloads in a period, and the newest `limit` of them.
 */
export async function refusalsOfVendor(
  db: Queryable,
  provider: string,
  {
    vendor,
    period: { start, end },
    limit,
  }: { readonly vendor: string; readonly period: { readonly start: Date; readonly end: Date }; readonly limit: number },
): Promise<{ readonly count: number; readonly newest: readonly StoredRefusal[] }> {
  const newest = await ofVendor(db, [provider, vendor, start.toISOString(), end.toISOString(), limit])
  return { count: newest[0]?.count ?? 0, newest }
}

export interface UnknownSender {
  /** As in `RecordedRefusal`. */
  readonly sender: string
  readonly refusals: number
  readonly lastAt: Date
}

const ofSenders = statement<UnknownSender>(
  'refusedSenders',
  `SELECT sender, count(*)::integer AS refusals, max(refused_at) AS "lastAt"
   FROM refusal
   WHERE provider_id = $1 AND sender IS NOT NULL
     AND NOT EXISTS (
       SELECT 1 FROM declared_setting s
       WHERE s.provider_id = $1 AND s.kind = 'shipNoticeSender' AND s.key IN (sender, split_part(sender, E'\\n', 1))
     )
   GROUP BY sender
   ORDER BY max(refused_at) DESC
   LIMIT $2`,
)

/** Senders of refused ship notices that are not set up yet, the latest first. */
export const unknownSenders = (db: Queryable, provider: string, limit: number): Promise<UnknownSender[]> =>
  ofSenders(db, [provider, limit])
