// Refusals: the latest creates and replacements of a provider that were rejected.
import { type Page, type Queryable, statement } from '../database/statement.ts'

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

/** Stores refusals and deletes those older than the newest `kept`. */
export const recordRefusals = statement<
  never,
  { provider: string; refusals: readonly RecordedRefusal[]; kept: number }
>(
  'noteRefusals',
  `WITH last_kept AS MATERIALIZED (
  SELECT id FROM refusal WHERE provider_id = $provider ORDER BY id DESC OFFSET $kept LIMIT 1
), noted AS (
  INSERT INTO refusal (provider_id, id, request_id, key_id, operation, record_id, outcome, detail, findings, finding_count, "dataProviderVendorId", sender)
  SELECT $provider, id, request_id, key_id, operation, record_id, outcome, detail, findings::json, finding_count, vendor, sender
  FROM $refusals
)
DELETE FROM refusal
WHERE provider_id = $provider AND id <= (SELECT id FROM last_kept)`,
  {
    rows: {
      refusals: {
        id: 'uuid',
        request_id: ['uuid', ({ requestId }) => requestId],
        key_id: ['text', ({ keyId }) => keyId],
        operation: 'text',
        record_id: ['text', ({ recordId }) => recordId],
        outcome: 'text',
        detail: 'text',
        findings: 'text',
        finding_count: ['integer', ({ findingCount }) => findingCount],
        vendor: ['text', ({ dataProviderVendorId }) => dataProviderVendorId],
        sender: 'text',
      },
    },
  },
)

/** Up to `limit` refusals, newest first; those below an id when one is given. */
export const newestRefusals = statement<StoredRefusal, Page>(
  'newestRefusals',
  `SELECT id, refused_at AS "refusedAt", request_id AS "requestId", key_id AS "keyId", operation, record_id AS "recordId",
          "dataProviderVendorId", outcome, detail, findings::text AS findings, finding_count AS "findingCount"
   FROM refusal
   WHERE provider_id = $provider AND ($before::uuid IS NULL OR id < $before)
   ORDER BY id DESC
   LIMIT $limit`,
)

/** Refusals of the payloads of one vendor; of all payloads where there is no vendor. */
export interface RefusalCounts {
  readonly dataProviderVendorId: string | null
  /** In the requested days, and in those before them. */
  readonly recent: number
  readonly before: number
}

/** Those from `recent` until `end`, and those before, from `start`. */
interface CountedPeriods {
  readonly provider: string
  readonly start: Date
  readonly recent: Date
  readonly end: Date
}

const countedByVendor = statement<RefusalCounts & { isTotal: boolean }, CountedPeriods>(
  'countRefusalsByVendor',
  `SELECT "dataProviderVendorId", grouping("dataProviderVendorId") = 1 AS "isTotal",
          count(*) FILTER (WHERE refused_at >= $recent::timestamptz)::integer AS recent,
          count(*) FILTER (WHERE refused_at < $recent::timestamptz)::integer AS before
   FROM refusal
   WHERE provider_id = $provider AND refused_at >= $start::timestamptz AND refused_at < $end::timestamptz
   GROUP BY GROUPING SETS (("dataProviderVendorId"), ())`,
)

/** Counts the refusals that are kept, by vendor and in all. */
export async function countRefusals(
  db: Queryable,
  counted: CountedPeriods,
): Promise<{ readonly total: RefusalCounts; readonly vendors: readonly RefusalCounts[] }> {
  const rows = await countedByVendor(db, counted)
  const counts = rows.map(({ isTotal: _, ...row }) => row)
  return {
    total: counts[rows.findIndex(({ isTotal }) => isTotal)] ?? { dataProviderVendorId: null, recent: 0, before: 0 },
    vendors: counts.filter(({ dataProviderVendorId }, i) => !rows[i]?.isTotal && dataProviderVendorId !== null),
  }
}

/** Refusals of a vendor's payloads in a period. */
interface VendorRefusals {
  readonly provider: string
  readonly vendor: string
  readonly start: Date
  readonly end: Date
  readonly limit: number
}

const ofVendor = statement<StoredRefusal & { count: number }, VendorRefusals>(
  'refusalsOfVendor',
  `SELECT id, refused_at AS "refusedAt", request_id AS "requestId", key_id AS "keyId", operation, record_id AS "recordId",
          "dataProviderVendorId", outcome, detail, findings::text AS findings, finding_count AS "findingCount", count(*) OVER ()::integer AS count
   FROM refusal
   WHERE provider_id = $provider AND "dataProviderVendorId" = $vendor AND refused_at >= $start::timestamptz AND refused_at < $end::timestamptz
   ORDER BY id DESC
   LIMIT $limit`,
)

/** The number of those that are stored, and the newest `limit` of them. */
export async function refusalsOfVendor(
  db: Queryable,
  wanted: VendorRefusals,
): Promise<{ readonly count: number; readonly newest: readonly StoredRefusal[] }> {
  const newest = await ofVendor(db, wanted)
  return { count: newest[0]?.count ?? 0, newest }
}

export interface UnknownSender {
  /** As in `RecordedRefusal`. */
  readonly sender: string
  readonly refusals: number
  readonly lastAt: Date
}

/** Senders of refused ship notices that are not set up yet, the latest first. */
export const unknownSenders = statement<UnknownSender, { provider: string; limit: number }>(
  'refusedSenders',
  `SELECT sender, count(*)::integer AS refusals, max(refused_at) AS "lastAt"
   FROM refusal
   WHERE provider_id = $provider AND sender IS NOT NULL
     AND NOT EXISTS (
       SELECT 1 FROM declared_setting s
       WHERE s.provider_id = $provider AND s.kind = 'shipNoticeSender' AND s.key IN (sender, split_part(sender, E'\\n', 1))
     )
   GROUP BY sender
   ORDER BY max(refused_at) DESC
   LIMIT $limit`,
)
