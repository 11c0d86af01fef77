// Reads everything hashed and signed, some at a time, for a check in place. Nothing is locked, and
// each statement is one state of the database.
import type { RecordKindName } from '../../contract/record-kinds.ts'
import type { HashedVersion, VersionDetail } from '../../evidence/evidence.ts'
import { lowestId, type Queryable, statement } from '../database/statement.ts'
import type { VersionName } from './damaged-record.ts'

/** A version with its hashes, and the current version that its record names. */
export interface WalkedVersion extends Omit<HashedVersion, 'previousHash'> {
  readonly isPurged: boolean
  /** Null when the record has no row: it was purged as a whole, or the row was lost. */
  readonly current: number | null
  /** Whether the record names the hash of this version, and holds the hash of its content. */
  readonly isNamed: boolean
}

/** A version as the database returns its parts. */
export interface HashedRow extends Omit<HashedVersion, 'detail' | 'previousHash'> {
  readonly payloadId: string | null
  readonly voidReason: string | null
  readonly reason: string | null
  readonly detail: readonly [body: string, findings: string] | null
}

/**
 * The parts of a version `b`, but for its id and number. What has its detail has no hash of it
 * stored.
 */
export const hashedColumns = `b.kind, to_char(b.submitted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "submittedDateTime", b.key_id AS "keyId",
          encode(b.content_hash, 'hex') AS "contentHash",
          encode(coalesce(b.detail_hash, detail_hash_of(b.payload_id, b.void_reason, b.reason, b.detail[2], b.detail[1])), 'hex') AS "detailHash",
          encode(b.version_hash, 'hex') AS "versionHash", b.payload_id AS "payloadId", b.void_reason AS "voidReason", b.reason, b.detail`

/** The content of a version from its row; undefined of a tombstone. */
export const detailIn = ({ payloadId, voidReason, reason, detail }: HashedRow): VersionDetail | undefined =>
  detail === null
    ? undefined
    : {
        payloadId,
        ...(voidReason !== null && { voidReason }),
        ...(reason !== null && { reason }),
        findings: detail[1],
        body: detail[0],
      }

type WalkedRow = Omit<WalkedVersion, 'detail'> & HashedRow

/** Bytes of bodies read at once, in stored form, and versions. */
const bytesAtOnce = 1024 * 1024
const versionsAtOnce = 500

// The content hash of a record that was voided is empty.
const walk = statement<WalkedRow, { provider: string; id: string; version: number }>(
  'walkedVersions',
  `SELECT ${hashedColumns}, b.record_id AS id, b.version,
          b.purged_at IS NOT NULL AS "isPurged", r.version AS current,
          coalesce(r.version_hash = b.version_hash AND r.kind = b.kind AND (r.content_hash = b.content_hash OR r.content_hash = ''), false) AS "isNamed"
   FROM (
     SELECT v.*, sum(coalesce(pg_column_size(v.detail), 0)) OVER (ORDER BY v.record_id, v.version) - coalesce(pg_column_size(v.detail), 0) AS before
     FROM (
       SELECT *
       FROM record_version
       WHERE provider_id = $provider AND (record_id, version) > ($id::uuid, $version::integer)
       ORDER BY record_id, version
       LIMIT $limit
     ) v
   ) b
   LEFT JOIN LATERAL (
     SELECT version, version_hash, content_hash, kind FROM record WHERE provider_id = $provider AND id = b.record_id LIMIT 1
   ) r ON true
   WHERE b.before < $bytes
   ORDER BY b.record_id, b.version`,
  { defaults: { bytes: bytesAtOnce, limit: versionsAtOnce } },
)

/** All versions of a provider, by record and version, in batches of bounded size. */
export async function* walkVersions(db: Queryable, provider: string): AsyncGenerator<readonly WalkedVersion[]> {
  for (let after: VersionName | undefined = { id: lowestId, version: 0 }; after !== undefined; ) {
    const rows: WalkedRow[] = await walk(db, { provider, id: after.id, version: after.version })
    yield rows.map((row) => {
      const { payloadId, voidReason, reason, ...version } = row
      return { ...version, detail: detailIn(row) }
    })
    after = rows.at(-1)
  }
}

const counted = statement.one<{ versions: number }, { provider: string }>(
  'countVersions',
  `SELECT count(*)::integer AS versions FROM record_version WHERE provider_id = $provider`,
)

/** How many versions a provider has. */
export const countVersions = async (db: Queryable, provider: string): Promise<number> =>
  (await counted(db, { provider }))?.versions ?? 0

/** The versions under the root of a checkpoint; fewer than requested where versions are missing. */
export const entriesOfRoot = statement<
  { id: string; version: number; kind: RecordKindName; versionHash: string },
  { provider: string; under: readonly VersionName[] }
>(
  'entriesOfRoots',
  `SELECT under.id, under.version, v.kind, encode(v.version_hash, 'hex') AS "versionHash"
   FROM $under
   CROSS JOIN LATERAL (
     SELECT kind, version_hash FROM record_version WHERE provider_id = $provider AND record_id = under.id AND version = under.version LIMIT 1
   ) v
   ORDER BY under.n`,
  {
    planned: 'each time',
    rows: { under: { id: 'uuid', version: 'integer', n: 'ordinality' } },
  },
)

/** Whether records of the provider came from an archive, and whether its import has ended. */
export const archiveImportOf = statement.one<{ ended: boolean }, { provider: string }>(
  'archiveImportOf',
  `SELECT ended_at IS NOT NULL AS ended FROM archive_import WHERE provider_id = $provider`,
)

/** Up to `limit` records that no list can find, because their search row is missing. */
export const recordsWithoutSearchRow = statement<{ id: string; version: number }, { provider: string; limit: number }>(
  'recordsWithoutSearchRow',
  `SELECT r.id, r.version
   FROM record r
   WHERE r.provider_id = $provider AND r.id > $lowestId
     AND NOT EXISTS (
       SELECT 1 FROM event e WHERE e.provider_id = $provider AND e.id = r.id AND e.kind = r.kind AND r.content_hash <> ''
       UNION ALL
       SELECT 1 FROM voided_event e WHERE e.provider_id = $provider AND e.id = r.id AND e.kind = r.kind AND r.content_hash = ''
       UNION ALL
       SELECT 1 FROM master_product e WHERE e.provider_id = $provider AND e.id = r.id AND r.kind = 'masterProduct'
       UNION ALL
       SELECT 1 FROM location e WHERE e.provider_id = $provider AND e.id = r.id AND r.kind = 'location'
     )
   ORDER BY r.id
   LIMIT $limit`,
  { defaults: { lowestId } },
)
