// Reading records and their history. The body is returned as the submitted text, without parsing.
import type { RecordKindName } from '../contract/record-kinds.ts'
import { type Queryable, type StoredVersion, statement, type Tombstone } from './statement.ts'

/** One record to read. */
export interface RecordRequest {
  readonly kind: RecordKindName
  readonly id: string
}

/** A version as the database returns it. */
interface VersionRow {
  readonly id: string
  readonly version: number
  /** Null, like the findings, when the content was purged. */
  readonly body: string | null
  readonly purgedAt: Date | null
  readonly voidReason: string | null
}

function versionIn({ id, version, body, purgedAt, voidReason }: VersionRow): StoredVersion | Tombstone {
  if (body !== null) return voidReason === null ? { id, version, body } : { id, version, body, voidReason }
  if (purgedAt === null) throw new Error(`Version ${version} of record ${id} has no content and was not purged.`)
  return { id, version, purgedAt }
}

// All versions of a record have one kind. The kind is checked after the limit; otherwise an id of
// another kind would be searched in all of its versions. The sub-select keeps PostgreSQL from
// planning it at each execution: see `facts`.
const currentVersions = statement<VersionRow & { readonly n: number }>(
  'currentVersions',
  `SELECT w.n, w.id, v.version, v.body, v.purged_at AS "purgedAt", v.void_reason AS "voidReason"
   FROM unnest((SELECT $2::integer[]), $3::uuid[], $4::text[]) AS w (n, id, kind)
   CROSS JOIN LATERAL (
     SELECT version, body, purged_at, void_reason, kind
     FROM record_version
     WHERE provider_id = $1 AND record_id = w.id
     ORDER BY version DESC
     LIMIT 1
   ) v
   WHERE v.kind = w.kind`,
)

/**
 * Current records, or their tombstones, in the order requested; undefined where this provider has
 * none of this kind with this id.
 */
export async function readRecords(
  db: Queryable,
  provider: string,
  requests: readonly RecordRequest[],
): Promise<(StoredVersion | Tombstone | undefined)[]> {
  const rows = await currentVersions(db, [
    provider,
    requests.map((_, n) => n),
    requests.map(({ id }) => id),
    requests.map(({ kind }) => kind),
  ])
  const found = new Map(rows.map((row) => [row.n, versionIn(row)]))
  return requests.map((_, n) => found.get(n))
}

/**
 * Bytes of bodies read at once, in stored form. PostgreSQL compresses text up to 90 times; with the
 * one additional body that a portion may have, it is at most 16 MB.
 */
const storedBytesAtOnce = 64 * 1024

const portion = statement<{ readonly n: number; readonly body: string | null; readonly findings: string | null }>(
  'versionsInPortion',
  `SELECT sized.n::integer AS n, sized.body, CASE WHEN $5::boolean THEN sized.findings END AS findings
   FROM (
     SELECT w.n, v.body, v.findings, sum(coalesce(pg_column_size(v.body), 0)) OVER (ORDER BY w.n) - coalesce(pg_column_size(v.body), 0) AS before
     FROM unnest($2::uuid[], $3::integer[]) WITH ORDINALITY AS w (id, version, n)
     CROSS JOIN LATERAL (
       SELECT body, findings FROM record_version WHERE provider_id = $1 AND record_id = w.id AND version = w.version LIMIT 1
     ) v
   ) sized
   WHERE sized.before < $4
   ORDER BY sized.n`,
)

/** Most versions that one statement looks up. */
const versionsAtOnce = 1_000

/**
 * These versions in order, read in portions of bounded size, each after the one before was used.
 * Versions never change; one that was purged meanwhile is left out. Findings are empty unless
 * requested.
 */
export async function* readInPortions(
  db: Queryable,
  provider: string,
  versions: readonly { readonly id: string; readonly version: number }[],
  withFindings = false,
): AsyncGenerator<JudgedVersion> {
  for (let start = 0; start < versions.length; ) {
    const asked = versions.slice(start, start + versionsAtOnce)
    const rows = await portion(db, [
      provider,
      asked.map(({ id }) => id),
      asked.map(({ version }) => version),
      storedBytesAtOnce,
      withFindings,
    ])
    for (const { n, body, findings } of rows) {
      const one = asked[n - 1]
      if (one !== undefined && body !== null)
        yield { id: one.id, version: one.version, body, findings: findings ?? '[]' }
    }
    start += rows.at(-1)?.n ?? asked.length
  }
}

/** A version with its stored findings as JSON text. */
export type JudgedVersion = StoredVersion & { readonly findings: string }

type JudgedRow = VersionRow & { readonly findings: string | null }

const judgedIn = (row: JudgedRow | undefined): JudgedVersion | Tombstone | undefined => {
  if (row === undefined) return undefined
  const version = versionIn(row)
  return 'purgedAt' in version ? version : { ...version, findings: row.findings ?? '[]' }
}

const oneVersion = statement<JudgedRow>(
  'oneVersion',
  `SELECT record_id AS id, version, body, findings, purged_at AS "purgedAt", void_reason AS "voidReason"
   FROM (
     SELECT record_id, version, body, findings, purged_at, void_reason, kind
     FROM record_version
     WHERE provider_id = $1 AND record_id = $2 AND version = $4
     LIMIT 1
   ) v
   WHERE kind = $3`,
)

/** One version of the record, or its tombstone, or undefined. */
export const findVersion = async (
  db: Queryable,
  provider: string,
  kind: RecordKindName,
  id: string,
  version: number,
): Promise<JudgedVersion | Tombstone | undefined> => judgedIn((await oneVersion(db, [provider, id, kind, version]))[0])

const currentVersion = statement<JudgedRow>(
  'currentVersion',
  `SELECT record_id AS id, version, body, findings, purged_at AS "purgedAt", void_reason AS "voidReason"
   FROM (
     SELECT record_id, version, body, findings, purged_at, void_reason, kind
     FROM record_version
     WHERE provider_id = $1 AND record_id = $2
     ORDER BY version DESC
     LIMIT 1
   ) v
   WHERE kind = $3`,
)

/** The current record, or its tombstone, or undefined. */
export const readCurrentVersion = async (
  db: Queryable,
  provider: string,
  kind: RecordKindName,
  id: string,
): Promise<JudgedVersion | Tombstone | undefined> => judgedIn((await currentVersion(db, [provider, id, kind]))[0])

const versionSummaries = statement<{
  version: number
  submittedAt: Date
  keyId: string
  payloadId: string | null
  contentHash: string
  findingCount: number | null
  purgedAt: Date | null
  correctionId: string | null
  correctionReason: string | null
  voidReason: string | null
  noticeSenderId: string | null
  noticeNumber: string | null
}>(
  'versionSummaries',
  `SELECT version, submitted_at AS "submittedAt", key_id AS "keyId", payload_id AS "payloadId",
          encode(v.content_hash, 'hex') AS "contentHash", json_array_length(findings::json) AS "findingCount", purged_at AS "purgedAt",
          void_reason AS "voidReason", c.id AS "correctionId", c.reason AS "correctionReason",
          n.sender_id AS "noticeSenderId", n.number AS "noticeNumber"
   FROM (
     SELECT version, submitted_at, key_id, request_id, payload_id, content_hash, findings, purged_at, void_reason, kind
     FROM record_version
     WHERE provider_id = $1 AND record_id = $2 AND version < $4
     ORDER BY version DESC
     LIMIT $5
   ) v
   LEFT JOIN correction c ON c.provider_id = $1 AND c.id = v.request_id
   LEFT JOIN ship_notice n ON n.provider_id = $1 AND n.request_id = v.request_id AND n.purpose = 'replacement'
   WHERE kind = $3
   ORDER BY version DESC`,
)

/**
 * Up to `limit` versions below `before`, newest first. Empty when the provider has no such record.
 */
export const findVersions = (
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
 * Asked after a connection was lost before the response: the version of the record that a request
 * wrote, if it did, and the current version, both undefined where there is none.
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

const stored = statement<{ any: boolean }>(
  'recordIsStored',
  `SELECT EXISTS (SELECT 1 FROM record_version WHERE provider_id = $1 AND record_id = $2 AND purged_at IS NULL) AS any`,
)

/** True when the provider has a record with this id, of whatever kind, that was not purged. */
export const isStored = async (db: Queryable, provider: string, id: string): Promise<boolean> =>
  (await stored(db, [provider, id]))[0]?.any ?? false
