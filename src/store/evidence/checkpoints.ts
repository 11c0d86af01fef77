// Checkpoints (decision 0038): the versions that wait for one, and each checkpoint with its
// versions. Exact without a clock: the statement that stores a version inserts it into the waiting
// list, and the statement that stores its checkpoint deletes it. Versions that are purged wait in
// the same way for a place in the feed of changes (decision 0071).

import type { RecordKindName } from '../../contract/record-kinds.ts'
import type { Checkpoint } from '../../evidence/evidence.ts'
import { amongProviders, type Page, type Queryable, statement } from '../database/statement.ts'
import type { VersionName } from './damaged-record.ts'

/** Most versions under one checkpoint. */
export const checkpointVersionsMax = 10_000

/** Most versions in one row of awaiting_checkpoint. */
const awaitingVersionsMax = 1_000

/**
 * A query that puts versions from a query with `id` and `version` into awaiting_checkpoint. The
 * time is read when the records are locked: where more versions wait than fit under a checkpoint,
 * those of a record are not put under them out of order.
 */
export const awaitingInserted = (from: string): string => insertedInto(from, { arePurged: false })

/** The same for versions that were purged. */
export const purgesInserted = (from: string): string => insertedInto(from, { arePurged: true })

const insertedInto = (
  from: string,
  { arePurged }: { readonly arePurged: boolean },
): string => `INSERT INTO awaiting_checkpoint (provider_id, since, id, record_ids, versions, are_purged)
  SELECT $1, clock_timestamp(), gen_random_uuid(), array_agg(w.id), array_agg(w.version), ${arePurged}
  FROM (SELECT id, version, row_number() OVER () - 1 AS n FROM ${from}) w
  GROUP BY w.n / ${awaitingVersionsMax}`

/**
 * True when a checkpoint of so many versions, or purges, contains all that waited: more would have
 * fitted.
 */
export const holdsAll = (versionCount: number): boolean => versionCount <= checkpointVersionsMax - awaitingVersionsMax

export interface AwaitedVersion {
  readonly id: string
  readonly version: number
  readonly kind: RecordKindName
  readonly versionHash: string
}

/** Versions for the next checkpoint, in the order of its root: by record id and version. */
export const awaitedVersions = statement<AwaitedVersion & { readonly batch: string }, { provider: string }>(
  'awaitedVersions',
  `SELECT v.record_id AS id, v.version, v.kind, encode(v.version_hash, 'hex') AS "versionHash", a.batch
   FROM (
     SELECT b.id AS batch, w.record_id, w.version
     FROM (
       SELECT id, record_ids, versions, sum(cardinality(versions)) OVER (ORDER BY since, id) AS so_far
       FROM awaiting_checkpoint
       WHERE provider_id = $provider AND NOT are_purged
       ORDER BY since, id
       LIMIT $limit
     ) b
     CROSS JOIN LATERAL unnest(b.record_ids, b.versions) AS w (record_id, version)
     WHERE b.so_far <= $limit
   ) a
   CROSS JOIN LATERAL (
     SELECT record_id, version, kind, version_hash
     FROM record_version
     WHERE provider_id = $provider AND record_id = a.record_id AND version = a.version
     LIMIT 1
   ) v
   ORDER BY v.record_id, v.version`,
  { planned: 'each time', defaults: { limit: checkpointVersionsMax } },
)

/** A purged version that has no place in the feed of changes yet. */
export interface AwaitedPurge {
  readonly id: string
  readonly version: number
  readonly batch: string
}

/**
 * Versions whose purge the next checkpoint gives a place, in the order in which they were purged.
 * Read before `awaitedVersions`, so that a version has its place before its purge.
 */
export const awaitedPurges = statement<AwaitedPurge, { provider: string }>(
  'awaitedPurges',
  `SELECT w.record_id AS id, w.version, b.id AS batch
   FROM (
     SELECT id, record_ids, versions, sum(cardinality(versions)) OVER (ORDER BY since, id) AS so_far
     FROM awaiting_checkpoint
     WHERE provider_id = $provider AND are_purged
     ORDER BY since, id
     LIMIT $limit
   ) b
   CROSS JOIN LATERAL unnest(b.record_ids, b.versions) AS w (record_id, version)
   WHERE b.so_far <= $limit
   ORDER BY b.so_far, w.record_id, w.version`,
  { planned: 'each time', defaults: { limit: checkpointVersionsMax } },
)

/** The last checkpoint of a provider. */
export interface ChainEnd {
  /** The time of the database, in UTC, to the microsecond. */
  readonly now: string
  /** Seconds since the last checkpoint was made; null when there is none. */
  readonly age: number | null
  readonly number: number
  readonly checkpointHash: string | null
  /** An archive is being imported: its own checkpoints come next. */
  readonly importing: boolean
}

const end = statement.one<ChainEnd, { provider: string }>(
  'endOfCheckpoints',
  `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now,
          extract(epoch FROM now() - c.made_at)::float8 AS age, coalesce(c.number, 0) AS number,
          encode(c.checkpoint_hash, 'hex') AS "checkpointHash",
          EXISTS (SELECT 1 FROM archive_import WHERE provider_id = $provider AND ended_at IS NULL) AS importing
   FROM (SELECT 1) AS one
   LEFT JOIN (
     SELECT number, made_at, checkpoint_hash FROM checkpoint WHERE provider_id = $provider ORDER BY number DESC LIMIT 1
   ) c ON true`,
)

/**
 * Read before `awaitedVersions`: a checkpoint that another process stores in between takes the
 * number, and this one is not stored.
 */
export async function endOfCheckpoints(db: Queryable, provider: string): Promise<ChainEnd> {
  const row = await end(db, { provider })
  if (row === undefined) throw new Error('A statement that always has a row had none.')
  return row
}

/** A checkpoint to store, with what waited for it. */
interface NewCheckpoint extends Checkpoint {
  readonly provider: string
  readonly publicKey: Uint8Array
  readonly versions: readonly (VersionName & { readonly batch: string })[]
  readonly purged: readonly AwaitedPurge[]
}

const insert = statement.any<Omit<NewCheckpoint, 'signature'> & { signature: Buffer; batches: readonly string[] }>(
  'insertCheckpoint',
  `WITH last AS MATERIALIZED (
  SELECT changes_until FROM checkpoint WHERE provider_id = $provider AND number = $number::integer - 1
), under AS (
  SELECT id, version, n FROM $versions
), gone AS (
  SELECT id, version, n FROM $purged
), inserted AS (
  INSERT INTO checkpoint (provider_id, number, signed_for, made_at, version_count, root, previous_hash, checkpoint_hash,
                          signing_key_id, signature, record_ids, versions, purge_count, purged_ids, purged_versions,
                          changes_until)
  SELECT $provider, $number::integer, $signedFor::uuid, $madeDateTime::timestamptz, $versionCount::integer, decode($root, 'hex'), decode($previousHash, 'hex'), decode($checkpointHash, 'hex'),
         $signingKeyId, $signature::bytea, ARRAY(SELECT id FROM under ORDER BY n), ARRAY(SELECT version FROM under ORDER BY n),
         (SELECT count(*)::integer FROM gone), (SELECT array_agg(id ORDER BY n) FROM gone), (SELECT array_agg(version ORDER BY n) FROM gone),
         coalesce((SELECT changes_until FROM last), 0) + $versionCount::integer + (SELECT count(*)::integer FROM gone)
  ON CONFLICT (provider_id, number) DO NOTHING
  RETURNING number
), known AS (
  INSERT INTO signing_key (provider_id, signing_key_id, public_key)
  SELECT $provider, $signingKeyId, $publicKey::bytea FROM inserted
  ON CONFLICT (provider_id, signing_key_id) DO NOTHING
), let_go AS (
  DELETE FROM awaiting_checkpoint a
  WHERE a.provider_id = $provider AND a.id = ANY ($batches::uuid[]) AND EXISTS (SELECT 1 FROM inserted)
)
SELECT number FROM inserted`,
  {
    planned: 'each time',
    rows: {
      versions: { id: 'uuid', version: 'integer', n: 'ordinality' },
      purged: { id: 'uuid', version: 'integer', n: 'ordinality' },
    },
  },
)

/**
 * Stores a checkpoint and deletes its versions and purges from the waiting list. False if its
 * number is taken.
 */
export const insertCheckpoint = (db: Queryable, checkpoint: NewCheckpoint): Promise<boolean> =>
  insert(db, {
    ...checkpoint,
    signature: Buffer.from(checkpoint.signature, 'base64'),
    batches: [...new Set([...checkpoint.versions, ...checkpoint.purged].map(({ batch }) => batch))],
  })

const order = statement.one<{ number: number; isAwaiting: boolean }, { provider: string }>(
  'stateOfOrder',
  `SELECT coalesce((SELECT max(number) FROM checkpoint WHERE provider_id = $provider), 0) AS number,
          EXISTS (SELECT 1 FROM awaiting_checkpoint WHERE provider_id = $provider) AS "isAwaiting"`,
)

/** The number of the last checkpoint of a provider, and whether anything waits for the next one. */
export async function stateOfOrder(db: Queryable, provider: string) {
  const row = await order(db, { provider })
  return row ?? { number: 0, isAwaiting: false }
}

const checkpointColumns = `number, signed_for AS "signedFor", to_char(made_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "madeDateTime",
          version_count AS "versionCount", encode(root, 'hex') AS root, encode(previous_hash, 'hex') AS "previousHash",
          encode(checkpoint_hash, 'hex') AS "checkpointHash", signing_key_id AS "signingKeyId",
          translate(encode(signature, 'base64'), E'\\n', '') AS signature`

/** Up to `limit` checkpoints with numbers below `before`, newest first. */
export const newestCheckpoints = statement<Checkpoint, { provider: string; before: number; limit: number }>(
  'newestCheckpoints',
  `SELECT ${checkpointColumns}
   FROM checkpoint
   WHERE provider_id = $provider AND number < $before
   ORDER BY number DESC
   LIMIT $limit`,
)

/**
 * Checkpoints read together, and the number of versions after which none is added: while somebody
 * follows changes, most have a few.
 */
const checkpointsAtOnce = 500
const versionsUnderAtOnce = 1_000

const next = statement<
  Checkpoint & { readonly ids: string[]; readonly versions: number[] },
  { provider: string; after: number }
>(
  'nextCheckpoints',
  `SELECT ${checkpointColumns}, record_ids AS ids, versions
   FROM (
     SELECT c.*, sum(version_count) OVER (ORDER BY number) - version_count AS before
     FROM (SELECT * FROM checkpoint WHERE provider_id = $provider AND number > $after ORDER BY number LIMIT $checkpoints) c
   ) n
   WHERE before < $versions
   ORDER BY number`,
  { defaults: { checkpoints: checkpointsAtOnce, versions: versionsUnderAtOnce } },
)

/** Some checkpoints behind a number, each with its versions in the order of its root. */
export async function nextCheckpoints(db: Queryable, provider: string, after: number) {
  const rows = await next(db, { provider, after })
  return rows.map(({ ids, versions, ...checkpoint }) => ({
    checkpoint,
    under: ids.map((id, i) => ({ id, version: versions[i] ?? 0 })),
  }))
}

/** A key that signed checkpoints; its public half as SubjectPublicKeyInfo. */
export interface SigningKeyRow {
  readonly signingKeyId: string
  readonly publicKey: Buffer
  readonly firstUsedAt: Date
}

/**
 * Up to `limit` keys that signed checkpoints of the provider, by id, those after one when it is
 * given.
 */
export const signingKeys = statement<SigningKeyRow, Page>(
  'signingKeys',
  `SELECT signing_key_id AS "signingKeyId", public_key AS "publicKey", first_used_at AS "firstUsedAt"
   FROM signing_key
   WHERE provider_id = $provider AND ($after::text IS NULL OR signing_key_id > $after)
   ORDER BY signing_key_id
   LIMIT $limit`,
)

const waiting = statement.ofAll<{ provider: string }>(
  'providersAwaiting',
  `SELECT DISTINCT a.provider_id AS provider FROM awaiting_checkpoint a WHERE ${amongProviders('a')}`,
)

/** Providers with versions under no checkpoint. */
export const providersAwaiting = async (db: Queryable): Promise<string[]> =>
  (await waiting(db)).map(({ provider }) => provider)
