// Reading records and their history. The body is returned as the submitted text, without parsing.
import type { RecordKindName } from '../../contract/record-kinds.ts'
import { Failed } from '../database/batched-statement.ts'
import { type Queryable, type StoredVersion, statement, type Tombstone } from '../database/statement.ts'
import { DamagedRecord, type VersionName } from '../evidence/damaged-record.ts'

/** One record to read. */
export interface RecordRequest {
  readonly kind: RecordKindName
  readonly id: string
}

/** A version as the database returns it. */
interface VersionRow {
  readonly id: string
  /** Null, like the following fields, when the database has no such row. */
  readonly version: number | null
  /** Null, like the findings, when the content was purged. */
  readonly body: string | null
  readonly purgedAt: Date | null
  readonly voidReason: string | null
  /** The version that the record names as its current one; null when it has no row. */
  readonly current: number | null
}

interface CurrentRow extends VersionRow {
  /** Whether its hash is the one that the record names. */
  readonly isNamed: boolean | null
}

const versionIn = (row: VersionRow): StoredVersion | Tombstone => {
  const { id, version, body, purgedAt, voidReason } = row
  if (version !== null && body !== null)
    return voidReason === null ? { id, version, body } : { id, version, body, voidReason }
  if (version === null || purgedAt === null) throw new DamagedRecord({ id, version: version ?? row.current ?? 1 })
  return { id, version, purgedAt }
}

/**
 * The newest version `v` of the record `wanted.id`, and the row `r` of the record. A record names
 * its current version and the hash of it: another row is never taken for it. A record that was
 * purged as a whole has no row of its own. The kind is checked after the limits; otherwise an id of
 * another kind would be searched in all of its versions.
 */
const currentOfRecord = `LEFT JOIN LATERAL (
     SELECT version, version_hash, kind FROM record WHERE provider_id = $provider AND id = wanted.id LIMIT 1
   ) r ON true
   LEFT JOIN LATERAL (
     SELECT version, version_hash, kind, purged_at, void_reason, detail
     FROM record_version
     WHERE provider_id = $provider AND record_id = wanted.id AND version <= coalesce(r.version, 2147483647)
     ORDER BY version DESC
     LIMIT 1
   ) v ON true`

const currentColumns = `v.version, v.detail[1] AS body, v.purged_at AS "purgedAt", v.void_reason AS "voidReason", r.version AS current,
          v.version_hash = r.version_hash AS "isNamed"`

const currentVersions = statement<
  CurrentRow & { readonly n: number },
  { provider: string; wanted: readonly RecordRequest[] }
>(
  'currentVersions',
  `SELECT wanted.n, wanted.id, ${currentColumns}
   FROM $wanted
   ${currentOfRecord}
   WHERE coalesce(r.kind, v.kind) = wanted.kind`,
  { rows: { wanted: { n: ['integer', (_, place) => place], id: 'uuid', kind: 'text' } }, planned: 'once' },
)

const isArchiveImported = statement.any<{ provider: string }>(
  'archiveIsImported',
  `SELECT true WHERE EXISTS (SELECT 1 FROM archive_import WHERE provider_id = $provider AND ended_at IS NULL)`,
)

/** True when the row is the version that its record names, or the tombstone of a purged record. */
const isCurrent = ({ version, current, isNamed, purgedAt }: CurrentRow): boolean =>
  current === null ? purgedAt !== null : version === current && isNamed === true

/**
 * The columns of each row. A record gets its row at the end of the import of an archive: until then
 * it does not exist. Each damaged record fails alone.
 */
async function readCurrent<Row extends CurrentRow, Read>(
  db: Queryable,
  provider: string,
  rows: readonly Row[],
  read: (row: Row) => Read,
): Promise<(Read | Failed | undefined)[]> {
  const mayBeImported = rows.some((row) => row.current === null && !isCurrent(row))
  const isImporting = mayBeImported && (await isArchiveImported(db, { provider }))
  return rows.map((row) => {
    if (isCurrent(row)) return read(row)
    if (row.current === null && isImporting) return undefined
    return new Failed(new DamagedRecord({ id: row.id, version: row.current ?? row.version ?? 1 }))
  })
}

/**
 * Current records, or their tombstones, in the order requested; undefined where this provider has
 * none of this kind with this id.
 */
export async function readRecords(
  db: Queryable,
  provider: string,
  requests: readonly RecordRequest[],
): Promise<(StoredVersion | Tombstone | Failed | undefined)[]> {
  const rows = await currentVersions(db, { provider, wanted: requests })
  const read = await readCurrent(db, provider, rows, versionIn)
  const found = new Map(rows.map(({ n }, i) => [n, read[i]]))
  return requests.map((_, n) => found.get(n))
}

/**
 * True of a row `v` of record_version that its record does not contradict: where it is the current
 * version, it has the hash that the record names.
 */
const isAsNamed = `coalesce((
       SELECT r.version <> v.version OR r.version_hash = v.version_hash FROM record r WHERE r.provider_id = $provider AND r.id = v.record_id
     ), true)`

/**
 * Bytes of bodies read at once, in stored form. PostgreSQL compresses text up to 90 times; with the
 * one additional body that a portion may have, it is at most 16 MB.
 */
const storedBytesAtOnce = 64 * 1024

interface PortionRow {
  readonly n: number
  readonly isThere: boolean
  readonly body: string | null
}

const portion = statement<PortionRow, { provider: string; wanted: readonly VersionName[] }>(
  'versionsInPortion',
  `SELECT sized.n::integer AS n, sized.kind IS NOT NULL AS "isThere", sized.detail[1] AS body
   FROM (
     SELECT wanted.n, v.kind, v.detail, sum(coalesce(pg_column_size(v.detail), 0)) OVER (ORDER BY wanted.n) - coalesce(pg_column_size(v.detail), 0) AS before
     FROM $wanted
     LEFT JOIN LATERAL (
       SELECT v.kind, v.detail FROM record_version v
       WHERE v.provider_id = $provider AND v.record_id = wanted.id AND v.version = wanted.version AND ${isAsNamed}
       LIMIT 1
     ) v ON true
   ) sized
   WHERE sized.before < $storedBytesAtOnce
   ORDER BY sized.n`,
  { rows: { wanted: { id: 'uuid', version: 'integer', n: 'ordinality' } }, defaults: { storedBytesAtOnce } },
)

/** Most versions that one statement looks up. */
const versionsAtOnce = 1_000

interface PortionOptions {
  /** Called for each version that is missing, which is then left out. */
  readonly onMissing?: (missing: VersionName) => void
}

/**
 * These versions in order, read in portions of bounded size, each after the previous one was used.
 * Versions never change; a purged one is left out. @throws DamagedRecord at a missing version,
 * unless a callback takes it.
 */
export async function* readInPortions(
  db: Queryable,
  provider: string,
  versions: readonly VersionName[],
  { onMissing = failAt }: PortionOptions = {},
): AsyncGenerator<StoredVersion> {
  for (let start = 0; start < versions.length; ) {
    const asked = versions.slice(start, start + versionsAtOnce)
    const rows = await portion(db, { provider, wanted: asked })
    for (const { n, isThere, body } of rows) {
      const one = asked[n - 1]
      if (one === undefined) continue
      if (!isThere) onMissing({ id: one.id, version: one.version })
      else if (body !== null) yield { id: one.id, version: one.version, body }
    }
    start += rows.at(-1)?.n ?? asked.length
  }
}

const failAt = (missing: VersionName): never => {
  throw new DamagedRecord(missing)
}

/** A version with its stored findings as JSON text. */
export type JudgedVersion = StoredVersion & { readonly findings: string }

type Judged = { readonly findings: string | null }

function judgedIn(row: VersionRow & Judged): JudgedVersion | Tombstone {
  const version = versionIn(row)
  return 'purgedAt' in version ? version : { ...version, findings: row.findings ?? '[]' }
}

const oneVersion = statement.one<
  VersionRow & Judged,
  { provider: string; id: string; kind: RecordKindName; version: number }
>(
  'oneVersion',
  `SELECT $id::uuid AS id, v.version, v.detail[1] AS body, v.detail[2] AS findings, v.purged_at AS "purgedAt", v.void_reason AS "voidReason",
          coalesce(r.version, (SELECT max(version) FROM record_version WHERE provider_id = $provider AND record_id = $id)) AS current
   FROM (SELECT 1) AS one
   LEFT JOIN LATERAL (SELECT version, version_hash, kind FROM record WHERE provider_id = $provider AND id = $id LIMIT 1) r ON true
   LEFT JOIN LATERAL (
     SELECT v.version, v.detail, v.purged_at, v.void_reason, v.kind
     FROM record_version v
     WHERE v.provider_id = $provider AND v.record_id = $id AND v.version = $version
       AND (r.version IS DISTINCT FROM v.version OR r.version_hash = v.version_hash)
     LIMIT 1
   ) v ON true
   WHERE coalesce(v.kind, r.kind) = $kind`,
)

/**
 * One version of the record, or its tombstone; undefined when it never had one. @throws
 * DamagedRecord when it had.
 */
export async function findVersion(
  db: Queryable,
  provider: string,
  { kind, id, version }: { readonly kind: RecordKindName; readonly id: string; readonly version: number },
): Promise<JudgedVersion | Tombstone | undefined> {
  const row = await oneVersion(db, { provider, id, kind, version })
  if (row === undefined || version > (row.current ?? 0)) return undefined
  if (row.version === null) throw new DamagedRecord({ id, version })
  return judgedIn(row)
}

const currentVersion = statement<CurrentRow & Judged, { provider: string; id: string; kind: RecordKindName }>(
  'currentVersion',
  `SELECT wanted.id, v.detail[2] AS findings, ${currentColumns}
   FROM (SELECT $id::uuid AS id) AS wanted
   ${currentOfRecord}
   WHERE coalesce(r.kind, v.kind) = $kind`,
)

/** The current record, or its tombstone, or undefined. */
export async function readCurrentVersion(
  db: Queryable,
  provider: string,
  kind: RecordKindName,
  id: string,
): Promise<JudgedVersion | Tombstone | undefined> {
  const [read] = await readCurrent(db, provider, await currentVersion(db, { provider, id, kind }), judgedIn)
  if (read instanceof Failed) throw read.error
  return read
}

/** A version in the list of those of its record; of one that is missing, nothing but its number. */
interface VersionSummary {
  readonly version: number
  readonly submittedAt: Date
  readonly keyId: string
  readonly payloadId: string | null
  readonly contentHash: string
  readonly findingCount: number | null
  readonly purgedAt: Date | null
  readonly correctionId: string | null
  readonly correctionReason: string | null
  readonly voidReason: string | null
  readonly reason: string | null
  readonly noticeSenderId: string | null
  readonly noticeNumber: string | null
}

// Versions are numbered without gaps, so a missing one is noticed by its number.
/**
 * Up to `limit` versions below `before`, newest first. None when the provider has no such record.
 */
export const findVersions = statement<
  VersionSummary & { readonly isThere: boolean },
  { provider: string; id: string; kind: RecordKindName; before: number; limit: number }
>(
  'versionSummaries',
  `SELECT w.version, v.kind IS NOT NULL AS "isThere", v.submitted_at AS "submittedAt", v.key_id AS "keyId", v.payload_id AS "payloadId",
          encode(v.content_hash, 'hex') AS "contentHash", CASE WHEN v.detail IS NOT NULL THEN (
            SELECT coalesce(sum(CASE WHEN f.kept ->> 2 LIKE '%/*%' THEN (
              SELECT sum(json_array_length(s."set" -> 0)) FROM json_array_elements(f.kept -> 3) AS s ("set")
            ) ELSE 1 END), 0)::integer
            FROM json_array_elements(v.detail[2]::json) AS f (kept)
          ) END AS "findingCount", v.purged_at AS "purgedAt",
          v.void_reason AS "voidReason", v.reason, c.id AS "correctionId", c.reason AS "correctionReason",
          n.sender_id AS "noticeSenderId", n.number AS "noticeNumber"
   FROM (
     SELECT coalesce(r.version, h.version) AS current, coalesce(r.kind, h.kind) AS kind
     FROM (SELECT 1) AS one
     LEFT JOIN LATERAL (SELECT version, kind FROM record WHERE provider_id = $provider AND id = $id LIMIT 1) r ON true
     LEFT JOIN LATERAL (
       SELECT version, kind FROM record_version WHERE provider_id = $provider AND record_id = $id ORDER BY version DESC LIMIT 1
     ) h ON true
   ) o
   CROSS JOIN LATERAL (
     SELECT s.version FROM generate_series(least(o.current, $before::integer - 1), 1, -1) AS s (version) LIMIT $limit
   ) w
   LEFT JOIN LATERAL (
     SELECT submitted_at, key_id, request_id, payload_id, content_hash, detail, purged_at, void_reason, reason, kind
     FROM record_version
     WHERE provider_id = $provider AND record_id = $id AND version = w.version
     LIMIT 1
   ) v ON true
   LEFT JOIN correction c ON c.provider_id = $provider AND c.id = v.request_id
   LEFT JOIN ship_notice n ON n.provider_id = $provider AND n.request_id = v.request_id AND n.purpose = 'replacement'
   WHERE o.kind = $kind
   ORDER BY w.version DESC`,
)

const traceOf = statement.one<
  { current: number | null; written: number | null },
  { provider: string; id: string; requestId: string }
>(
  'traceOfRequest',
  `SELECT max(version) AS current, max(version) FILTER (WHERE request_id = $requestId) AS written
   FROM record_version
   WHERE provider_id = $provider AND record_id = $id`,
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
  const row = await traceOf(db, { provider, id, requestId })
  return { current: row?.current ?? undefined, written: row?.written ?? undefined }
}

/** True when the provider has a record with this id, of any kind, that was not purged. */
export const isStored = statement.any<{ provider: string; id: string }>(
  'recordIsStored',
  `SELECT true
   WHERE EXISTS (SELECT 1 FROM record_version WHERE provider_id = $provider AND record_id = $id AND purged_at IS NULL)`,
)
