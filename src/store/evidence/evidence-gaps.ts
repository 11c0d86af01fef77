// Differences between the evidence and the stored versions (decisions 0038, 0075): versions that
// are named and missing, and versions without a name. Each version is named by its checkpoint, or
// waits for one; the current one is named by its record too.
import { highestId, lowestId, type Queryable, statement } from '../database/statement.ts'

/** A version that is missing, or that was added past the service. */
export interface EvidenceGap {
  readonly id: string
  readonly version: number
  readonly is: 'missing' | 'added'
}

/** Rows of versions that one statement compares. */
const versionsAtOnce = 200_000

const rangeEnd = statement.one<{ id: string }, { provider: string; after: string }>(
  'endOfVersionRange',
  `SELECT record_id AS id FROM record_version WHERE provider_id = $provider AND record_id > $after ORDER BY record_id, version OFFSET $versions LIMIT 1`,
  { defaults: { versions: versionsAtOnce } },
)

// One state of the database: a concurrent write is both named and stored in it, or neither.
const gapsInRange = statement<EvidenceGap, { provider: string; after: string; until: string; limit: number }>(
  'evidenceGaps',
  `WITH named AS MATERIALIZED (
     SELECT u.id, u.version
     FROM checkpoint c CROSS JOIN LATERAL unnest(c.record_ids, c.versions) AS u (id, version)
     WHERE c.provider_id = $provider AND u.id > $after AND u.id <= $until
     UNION ALL
     SELECT u.id, u.version
     FROM awaiting_checkpoint a CROSS JOIN LATERAL unnest(a.record_ids, a.versions) AS u (id, version)
     WHERE a.provider_id = $provider AND NOT a.are_purged AND u.id > $after AND u.id <= $until
   ), stored AS MATERIALIZED (
     SELECT v.record_id AS id, v.version FROM record_version v WHERE v.provider_id = $provider AND v.record_id > $after AND v.record_id <= $until
   ), current AS (
     SELECT r.id, r.version FROM record r WHERE r.provider_id = $provider AND r.id > $after AND r.id <= $until
   )
   SELECT g.id, g.version, g.is
   FROM (
     SELECT m.id, m.version, 'missing' AS is
     FROM ((SELECT id, version FROM named UNION SELECT id, version FROM current) EXCEPT SELECT id, version FROM stored) m
     UNION ALL
     SELECT a.id, a.version, 'added' AS is
     FROM (SELECT id, version FROM stored EXCEPT SELECT id, version FROM named) a
   ) g
   ORDER BY g.id, g.version
   LIMIT $limit`,
)

/** Up to `limit` of them, by record and version, some records at a time. */
export async function evidenceGaps(db: Queryable, provider: string, limit: number): Promise<EvidenceGap[]> {
  const found: EvidenceGap[] = []
  for (let after = lowestId; after !== highestId && found.length < limit; ) {
    const end = await rangeEnd(db, { provider, after })
    const until = end?.id ?? highestId
    found.push(...(await gapsInRange(db, { provider, after, until, limit: limit - found.length })))
    after = until
  }
  return found
}
