// The first answers to creates that carried an Idempotency-Key. The create statements write them; here they are read.
import { type Queryable, statement } from './statement.ts'

const firstAnswer = statement<{ operation: string; fingerprint: Buffer; recordIds: string[] }>(
  'firstAnswer',
  `SELECT operation, fingerprint, record_ids::text[] AS "recordIds"
   FROM idempotency_key
   WHERE provider_id = $1 AND idempotency_key = $2`,
)

/** What the first create with this key was, and the records it made; undefined when the key is new. */
export const readFirstAnswer = async (db: Queryable, provider: string, key: string) =>
  (await firstAnswer(db, [provider, key]))[0]
