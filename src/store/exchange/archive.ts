// The content of an archive: the complete versions under a checkpoint. They never change, so no
// transaction stays open for a slow reader.
import type { ArchivedVersion, MissingVersion } from '../../evidence/archive.ts'
import { type Queryable, statement } from '../database/statement.ts'
import type { VersionName } from '../evidence/damaged-record.ts'
import { detailIn, type HashedRow, hashedColumns } from '../evidence/evidence-walk.ts'

/**
 * Bytes of bodies read at once, in stored form: long ones are compressed. A larger body is read
 * alone.
 */
const bytesAtOnce = 1024 * 1024
const versionsAtOnce = 500

interface VersionRow extends HashedRow {
  readonly previousHash: string | null
  readonly isThere: boolean
  readonly current: boolean
  readonly completeness: string | null
}

const whole = statement<VersionRow, { provider: string; versions: readonly VersionName[] }>(
  'archivedVersions',
  `SELECT b.record_id IS NOT NULL AS "isThere", b.named_id AS id, b.named_version AS version, ${hashedColumns},
          encode(p.version_hash, 'hex') AS "previousHash",
          r.id IS NOT NULL AS current, e.completeness::text AS completeness
   FROM (
     SELECT versions.n, versions.id AS named_id, versions.version AS named_version, v.*, sum(coalesce(pg_column_size(v.detail), 0)) OVER (ORDER BY versions.n) - coalesce(pg_column_size(v.detail), 0) AS before
     FROM $versions
     LEFT JOIN LATERAL (
       SELECT * FROM record_version WHERE provider_id = $provider AND record_id = versions.id AND version = versions.version LIMIT 1
     ) v ON true
   ) b
   LEFT JOIN LATERAL (
     SELECT version_hash FROM record_version WHERE provider_id = $provider AND record_id = b.record_id AND version = b.version - 1 LIMIT 1
   ) p ON true
   LEFT JOIN LATERAL (
     SELECT id, kind FROM record WHERE provider_id = $provider AND id = b.record_id AND version = b.version LIMIT 1
   ) r ON true
   LEFT JOIN LATERAL (
     SELECT completeness FROM event WHERE provider_id = $provider AND kind = r.kind AND id = r.id LIMIT 1
   ) e ON true
   WHERE b.before < $bytes
   ORDER BY b.n`,
  {
    planned: 'each time',
    rows: { versions: { id: 'uuid', version: 'integer', n: 'ordinality' } },
    defaults: { bytes: bytesAtOnce },
  },
)

/** These versions in their order, whole or missing, in batches of bounded size. */
export async function* archivedVersions(
  db: Queryable,
  provider: string,
  versions: readonly VersionName[],
): AsyncGenerator<readonly (Omit<ArchivedVersion, 'is'> | MissingVersion)[]> {
  for (let start = 0; start < versions.length; ) {
    const asked = versions.slice(start, start + versionsAtOnce)
    const rows = await whole(db, { provider, versions: asked })
    yield rows.map((row) => {
      const { isThere, payloadId, voidReason, reason, current, completeness, ...version } = row
      if (!isThere) return { is: 'missing', id: version.id, version: version.version } as const
      return {
        ...version,
        detail: detailIn(row),
        current: !current ? undefined : completeness === null ? true : { completeness },
      }
    })
    start += rows.length
  }
}

const sums = statement.one<{ checkpoints: number; versions: number }, { provider: string; upTo: number }>(
  'sizeOfArchive',
  `SELECT count(*)::integer AS checkpoints, coalesce(sum(version_count), 0)::integer AS versions
   FROM checkpoint
   WHERE provider_id = $provider AND number <= $upTo`,
)

/** The number of checkpoints up to a number, and of their versions. */
export async function sizeOfArchive(db: Queryable, provider: string, upTo: number) {
  const row = await sums(db, { provider, upTo })
  return row ?? { checkpoints: 0, versions: 0 }
}
