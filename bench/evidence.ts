// What the database says after a run of writes. A figure whose writes are not all there, whole and
// in order, is no figure.
import type { Pool } from 'pg'
import type { SentVersion } from './load.ts'

/** Versions of receiving events a provider has. */
export async function countVersions(pool: Pool, provider: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM record_version WHERE provider_id = $1 AND kind = 'receivingEvent'`,
    [provider],
  )
  return rows[0]?.count ?? 0
}

/** Bytes of all tables, with their indexes and TOAST. */
export async function storedBytes(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `SELECT sum(pg_total_relation_size(oid))::float8 AS bytes
     FROM pg_class
     WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
  )
  return rows[0]?.bytes ?? 0
}

/** Everything that is not as it was acknowledged; empty when all is well. */
export async function faultsAfter(
  pool: Pool,
  provider: string,
  versionsBefore: number,
  { acknowledged, samples }: { readonly acknowledged: number; readonly samples: readonly SentVersion[] },
): Promise<readonly string[]> {
  const faults: string[] = []
  const written = (await countVersions(pool, provider)) - versionsBefore
  if (written !== acknowledged) faults.push(`${acknowledged} writes were acknowledged, ${written} versions are there`)

  // Versions are unique per record, so as many as the highest number means 1, 2, 3 … without a gap.
  const { rows: gaps } = await pool.query<{ id: string }>(
    `SELECT e.id
     FROM record e
     LEFT JOIN (
       SELECT record_id, count(*) AS count, min(version) AS lowest, max(version) AS highest
       FROM record_version
       WHERE provider_id = $1 AND kind = 'receivingEvent'
       GROUP BY record_id
     ) v ON v.record_id = e.id
     WHERE e.provider_id = $1 AND e.kind = 'receivingEvent' AND (v.count, v.lowest, v.highest) IS DISTINCT FROM (e.version::bigint, 1, e.version)`,
    [provider],
  )
  if (gaps.length > 0) faults.push(`${gaps.length} records have a gap in their versions, such as ${gaps[0]?.id}`)

  const { rows: stored } = await pool.query<{ body: string | null }>(
    `SELECT v.detail[1] AS body
     FROM unnest($2::uuid[], $3::integer[]) WITH ORDINALITY AS s (id, version, n)
     LEFT JOIN record_version v ON v.provider_id = $1 AND v.record_id = s.id AND v.version = s.version
     ORDER BY s.n`,
    [provider, samples.map(({ id }) => id), samples.map(({ version }) => version)],
  )
  const different = samples.filter(({ body }, i) => stored[i]?.body !== body)
  if (different.length > 0)
    faults.push(`${different.length} of ${samples.length} bodies are not as sent, such as ${different[0]?.id}`)
  return faults
}
