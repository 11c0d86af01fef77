// Refusals: the latest creates and replacements of a provider that were not taken.
import { type Queryable, statement } from './statement.ts'

/** One refusal, to be kept. */
export interface RecordedRefusal {
  readonly id: string
  readonly requestId: string
  readonly keyId: string
  readonly operation: string
  readonly recordId: string | undefined
  readonly outcome: string
  readonly detail: string
  /** JSON text. */
  readonly findings: string
  readonly findingCount: number
}

export interface StoredRefusal extends Omit<RecordedRefusal, 'recordId'> {
  readonly recordId: string | null
  readonly refusedAt: Date
}

const insert = statement(
  'noteRefusals',
  `WITH last_kept AS MATERIALIZED (
  SELECT id FROM refusal WHERE provider_id = $1 ORDER BY id DESC OFFSET $11 LIMIT 1
), noted AS (
  INSERT INTO refusal (provider_id, id, request_id, key_id, operation, record_id, outcome, detail, findings, finding_count)
  SELECT $1, id, request_id, key_id, operation, record_id, outcome, detail, findings::json, finding_count
  FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::integer[])
    AS n (id, request_id, key_id, operation, record_id, outcome, detail, findings, finding_count)
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
    kept,
  ])
}

const newest = statement<StoredRefusal>(
  'newestRefusals',
  `SELECT id, refused_at AS "refusedAt", request_id AS "requestId", key_id AS "keyId", operation, record_id AS "recordId",
          outcome, detail, findings::text AS findings, finding_count AS "findingCount"
   FROM refusal
   WHERE provider_id = $1 AND ($2::uuid IS NULL OR id < $2)
   ORDER BY id DESC
   LIMIT $3`,
)

/** Up to `limit` refusals, newest first; those below an id when one is given. */
export const newestRefusals = (db: Queryable, provider: string, before: string | undefined, limit: number) =>
  newest(db, [provider, before ?? null, limit])
