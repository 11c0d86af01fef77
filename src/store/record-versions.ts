// Reading records and their history. The body comes back as the text it was submitted as, so that nothing is parsed and printed on the way.
import type { RecordKindName } from '../contract/record-kinds.ts'
import { type Queryable, type StoredVersion, statement } from './statement.ts'

/** One record to read. */
export interface RecordAsk {
  readonly kind: RecordKindName
  readonly id: string
}

// All versions of a record are of one kind. It is looked at after the limit: else an id of another kind would be looked for in all of its versions.
const currentVersions = statement<StoredVersion & { readonly n: number }>(
  'currentVersions',
  `SELECT w.n, w.id, v.version, v.body::text AS body
   FROM unnest($2::integer[], $3::uuid[], $4::text[]) AS w (n, id, kind)
   CROSS JOIN LATERAL (
     SELECT version, body, kind
     FROM record_version
     WHERE provider_id = $1 AND record_id = w.id
     ORDER BY version DESC
     LIMIT 1
   ) v
   WHERE v.kind = w.kind`,
)

/** Records as they are now, in the order asked for; undefined where this provider has none of this kind with this id. */
export async function readRecords(
  db: Queryable,
  provider: string,
  asks: readonly RecordAsk[],
): Promise<(StoredVersion | undefined)[]> {
  const rows = await currentVersions(db, [
    provider,
    asks.map((_, n) => n),
    asks.map(({ id }) => id),
    asks.map(({ kind }) => kind),
  ])
  const found = new Map(rows.map(({ n, id, version, body }) => [n, { id, version, body }]))
  return asks.map((_, n) => found.get(n))
}

const oneVersion = statement<{ id: string; version: number; body: string; findings: string }>(
  'oneVersion',
  `SELECT record_id AS id, version, body::text AS body, findings::text AS findings
   FROM record_version
   WHERE provider_id = $1 AND record_id = $2 AND kind = $3 AND version = $4`,
)

/** One version of the record, with the findings kept with it (JSON text), or undefined. */
export const readVersion = async (
  db: Queryable,
  provider: string,
  kind: RecordKindName,
  id: string,
  version: number,
): Promise<(StoredVersion & { readonly findings: string }) | undefined> =>
  (await oneVersion(db, [provider, id, kind, version]))[0]

const currentVersion = statement<{ id: string; version: number; body: string; findings: string }>(
  'currentVersion',
  `SELECT record_id AS id, version, body::text AS body, findings::text AS findings
   FROM (
     SELECT record_id, version, body, findings, kind
     FROM record_version
     WHERE provider_id = $1 AND record_id = $2
     ORDER BY version DESC
     LIMIT 1
   ) v
   WHERE kind = $3`,
)

/** The record as it is now, with the findings kept with that version (JSON text), or undefined. */
export const readCurrentVersion = async (
  db: Queryable,
  provider: string,
  kind: RecordKindName,
  id: string,
): Promise<(StoredVersion & { readonly findings: string }) | undefined> =>
  (await currentVersion(db, [provider, id, kind]))[0]

const versionSummaries = statement<{
  version: number
  submittedAt: Date
  keyId: string
  payloadId: string | null
  contentHash: string
  findingCount: number
}>(
  'versionSummaries',
  `SELECT version, submitted_at AS "submittedAt", key_id AS "keyId", payload_id AS "payloadId",
          encode(content_hash, 'hex') AS "contentHash", json_array_length(findings) AS "findingCount"
   FROM (
     SELECT version, submitted_at, key_id, payload_id, content_hash, findings, kind
     FROM record_version
     WHERE provider_id = $1 AND record_id = $2 AND version < $4
     ORDER BY version DESC
     LIMIT $5
   ) v
   WHERE kind = $3
   ORDER BY version DESC`,
)

/** Up to `limit` versions below `before`, newest first. Empty when the provider has no such record. */
export const listVersions = (
  db: Queryable,
  provider: string,
  kind: RecordKindName,
  id: string,
  before: number,
  limit: number,
) => versionSummaries(db, [provider, id, kind, before, limit])

const traceOf = statement<{ current: number | null; written: number | null }>(
  'traceOfRequest',
  `SELECT max(version) AS current, max(version) FILTER (WHERE request_id = $3) AS written
   FROM record_version
   WHERE provider_id = $1 AND record_id = $2`,
)

/**
 * Asked after a connection was lost before the answer came: the version of the record that a request wrote, if it did, and the
 * version the record is at, both undefined where there is none.
 */
export async function traceOfRequest(
  db: Queryable,
  provider: string,
  id: string,
  requestId: string,
): Promise<{ readonly current: number | undefined; readonly written: number | undefined }> {
  const [row] = await traceOf(db, [provider, id, requestId])
  return { current: row?.current ?? undefined, written: row?.written ?? undefined }
}
