// First responses to creates with an Idempotency-Key. The create statements write them; this file
// reads and deletes them.
import { declareLimit } from '../../limits.ts'
import { type Queryable, statement } from '../database/statement.ts'

/** How long a key is remembered, at least. Source: decision 0015. */
const rememberedDaysMin = declareLimit(
  'idempotencyKeyLife',
  7,
  'days',
  'Minimum time for which an Idempotency-Key is remembered.',
)

/** The first create with a key, and its records; undefined when the key is new. */
export const readFirstAnswer = statement.one<
  { operation: string; fingerprint: Buffer; recordIds: string[] },
  { provider: string; key: string }
>(
  'firstAnswer',
  `SELECT operation, fingerprint, record_ids::text[] AS "recordIds"
   FROM idempotency_key
   WHERE provider_id = $provider AND idempotency_key = $key`,
)

const deleteOldest = statement<{ gone: true }, { provider: string; before: Date; most: number }>(
  'deleteExpiredIdempotencyKeys',
  `WITH oldest AS MATERIALIZED (
  SELECT idempotency_key
  FROM idempotency_key
  WHERE provider_id = $provider AND created_at < $before
  ORDER BY created_at
  LIMIT $most
)
DELETE FROM idempotency_key k
WHERE k.provider_id = $provider AND k.idempotency_key IN (SELECT idempotency_key FROM oldest)
RETURNING true AS gone`,
)

/**
 * Deletes up to `most` keys from before that instant, oldest first. Returns how many there were.
 */
export const deleteExpiredKeys = async (db: Queryable, provider: string, before: Date, most: number): Promise<number> =>
  (await deleteOldest(db, { provider, before, most })).length

const [hourMs, dayMs] = [3_600_000, 86_400_000]

/** Most keys that one statement deletes, in some milliseconds. */
const atOnceMax = 1_000

/**
 * Deletes old keys in the background of creates: about once an hour for each provider, and again at
 * once while there are more.
 */
export class IdempotencyKeyExpiry {
  readonly #db: Queryable
  /** When to look again, by provider, in milliseconds since 1970. */
  readonly #due = new Map<string, number>()

  constructor(db: Queryable) {
    this.#db = db
  }

  async after(provider: string, now: Date): Promise<void> {
    if (now.getTime() < (this.#due.get(provider) ?? 0)) return
    this.#due.set(provider, now.getTime() + hourMs)
    const gone = await deleteExpiredKeys(
      this.#db,
      provider,
      new Date(now.getTime() - rememberedDaysMin * dayMs),
      atOnceMax,
    )
    if (gone === atOnceMax) this.#due.delete(provider)
  }
}
