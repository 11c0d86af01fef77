// A version whose time is before that of others which were committed before it.
import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** The version, in a transaction that is still open. */
interface LateVersion {
  readonly id: string
  readonly commit: () => Promise<unknown>
  /** Ends the connection, and with it a transaction that was not committed. */
  readonly end: () => Promise<void>
}

/** Writes a version as the service does, by a clock that is behind by `lateBy`, e.g. `1 hour`. */
export async function writeLateVersion(
  url: string | undefined,
  provider: string,
  lateBy: string,
): Promise<LateVersion> {
  const client = new pg.Client({ connectionString: url ?? '' })
  await client.connect()
  const id = randomUUID()
  await client.query('BEGIN')
  await client.query(
    `WITH v AS (
       INSERT INTO record_version (provider_id, record_id, version, kind, submitted_at, key_id, request_id, content_hash, detail, version_hash)
       SELECT $1, $2, 1, 'masterProduct', at, 'k', $2, sha256('{}'), ARRAY['{}', '[]'],
              version_hash_of('masterProduct', $2, 1, at, 'k', sha256('{}'), detail_hash_of(NULL, NULL, NULL, '[]', '{}'), NULL)
       FROM (SELECT now() - $3::interval AS at) t
     )
     INSERT INTO awaiting_checkpoint (provider_id, since, id, record_ids, versions)
     VALUES ($1, now() - $3::interval, $2, ARRAY[$2::uuid], ARRAY[1])`,
    [provider, id, lateBy],
  )
  return { id, commit: () => client.query('COMMIT'), end: () => client.end() }
}
