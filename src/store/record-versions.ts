// Reading records and their history. The body comes back as the text it was submitted as, so that nothing is parsed and printed on the way.
import type { RecordKindName } from '../contract/record-kinds.ts'
import { type Queryable, type StoredVersion, statement } from './statement.ts'

const currentVersion = statement<{ id: string; version: number; body: string }>(
  'currentVersion',
  `SELECT record_id AS id, version, body::text AS body
   FROM record_version
   WHERE provider_id = $1 AND record_id = $2 AND kind = $3
   ORDER BY version DESC
   LIMIT 1`,
)

/** The record as it is now, or undefined when this provider has none of this kind with this id. */
export const readRecord = async (
  db: Queryable,
  provider: string,
  kind: RecordKindName,
  id: string,
): Promise<StoredVersion | undefined> => (await currentVersion(db, [provider, id, kind]))[0]

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
   FROM record_version
   WHERE provider_id = $1 AND record_id = $2 AND kind = $3 AND version < $4
   ORDER BY version DESC
   LIMIT $5`,
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

const writtenBy = statement<{ version: number }>(
  'writtenBy',
  `SELECT version
   FROM record_version
   WHERE provider_id = $1 AND record_id = $2 AND request_id = $3
   ORDER BY version DESC
   LIMIT 1`,
)

/** The version a request wrote, if it did: asked after a connection was lost before the answer came. */
export const versionWrittenBy = async (
  db: Queryable,
  provider: string,
  id: string,
  requestId: string,
): Promise<number | undefined> => (await writtenBy(db, [provider, id, requestId]))[0]?.version
