// Reads the current versions of many records, some megabytes at a time.
import type { RecordKindName } from '../../contract/record-kinds.ts'
import { type Queryable, statement } from '../database/statement.ts'

/** A record in its current version. */
export interface CurrentBody<Kind extends RecordKindName> {
  readonly id: string
  readonly kind: Kind
  readonly version: number
  readonly body: string
  /** False of a record that is voided, and of one that does not name the hash of this version. */
  readonly isInForce: boolean
}

/**
 * Bytes of versions in stored form read at once, except for one larger version; several times as
 * much once decompressed. A quarter of it cut a batch of 2,000 lines into three, each with its own
 * statements and pause.
 */
const storedBytesAtOnce = 1024 * 1024

// By sizes as stored, which are known without reading a body: an event may have 10 MB. LIMIT 1
// makes the planner look up each row by its key. As a join, on tables without statistics, it
// compared every id with every record: 400 of 10,000 events took 2.8 s, and take 13 ms this way.
// Of which kinds they are, the caller knows.
const portion = statement<
  CurrentBody<never> & { readonly isLast: boolean },
  { provider: string; ids: readonly string[]; storedBytesAtOnce?: number }
>(
  'currentBodies',
  `WITH sized AS MATERIALIZED (
  SELECT w.n, r.id, r.kind, r.version, r.content_hash <> '' AND r.version_hash = v.version_hash AS is_in_force,
         sum(pg_column_size(v.detail)) OVER (ORDER BY w.n) - pg_column_size(v.detail) AS before
  FROM unnest($ids::uuid[]) WITH ORDINALITY AS w (id, n)
  CROSS JOIN LATERAL (
    SELECT id, kind, version, content_hash, version_hash FROM record WHERE provider_id = $provider AND id = w.id LIMIT 1
  ) r
  CROSS JOIN LATERAL (
    SELECT detail, version_hash FROM record_version WHERE provider_id = $provider AND record_id = r.id AND version = r.version LIMIT 1
  ) v
  WHERE v.detail IS NOT NULL
)
SELECT s.id, s.kind, s.version, v.body, s.is_in_force AS "isInForce", s.n = (SELECT max(n) FROM sized) AS "isLast"
FROM sized s
CROSS JOIN LATERAL (
  SELECT detail[1] AS body FROM record_version WHERE provider_id = $provider AND record_id = s.id AND version = s.version LIMIT 1
) v
WHERE s.before < $storedBytesAtOnce
ORDER BY s.n`,
  { defaults: { storedBytesAtOnce } },
)

interface Wanted {
  readonly ids: readonly string[]
  readonly storedBytesAtOnce?: number
}

/**
 * The records of these ids that were not purged, in order, in portions; `isLast` is true of the
 * last one. `Kind` is that of all of them.
 */
export async function* currentBodies<Kind extends RecordKindName>(
  db: Queryable,
  provider: string,
  { ids, ...bounds }: Wanted,
): AsyncGenerator<{ readonly records: readonly CurrentBody<Kind>[]; readonly isLast: boolean }> {
  for (let rest = ids; rest.length > 0; ) {
    const records = await portion(db, { ...bounds, provider, ids: rest })
    const last = records.at(-1)
    if (last === undefined) return
    yield { records, isLast: last.isLast }
    if (last.isLast) return
    rest = rest.slice(rest.indexOf(last.id) + 1)
  }
}
