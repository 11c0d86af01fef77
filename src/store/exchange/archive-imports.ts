// Imports an archive (decision 0037): versions as they were, never over existing ones.

import type { RecordKindName } from '../../contract/record-kinds.ts'
import type { ArchivedVersion } from '../../evidence/archive.ts'
import { type Queryable, type StoredVersion, statement } from '../database/statement.ts'
import { awaitingInserted, purgesInserted } from '../evidence/checkpoints.ts'

const beginning = statement(
  'beginArchiveImport',
  `INSERT INTO archive_import (provider_id, archive)
   SELECT $1, $2
   WHERE NOT EXISTS (SELECT 1 FROM record_version WHERE provider_id = $1)
   ON CONFLICT (provider_id) DO NOTHING`,
)

const reading = statement<{ archive: string; ended: boolean }>(
  'readArchiveImport',
  `SELECT archive, ended_at IS NOT NULL AS ended FROM archive_import WHERE provider_id = $1`,
)

/**
 * Begins the import of an archive if the provider has no records. Returns its progress, or
 * undefined if the provider has other records.
 */
export async function beginArchiveImport(
  db: Queryable,
  provider: string,
  archive: string,
): Promise<{ readonly ended: boolean } | undefined> {
  await beginning(db, [provider, archive])
  const [row] = await reading(db, [provider])
  return row?.archive === archive ? row : undefined
}

const ending = statement(
  'endArchiveImport',
  `WITH ended AS (
  UPDATE archive_import SET ended_at = now() WHERE provider_id = $1 AND ended_at IS NULL RETURNING provider_id
)
INSERT INTO awaiting_recount (provider_id, what)
SELECT $1, 'everything' FROM ended`,
)

/**
 * Ends an import. The counts in the archive are from another day, and perhaps another program, so
 * all events are counted again.
 */
export const endArchiveImport = async (db: Queryable, provider: string): Promise<void> => {
  await ending(db, [provider])
}

const hashes = statement<{ id: string; version: number; versionHash: string }>(
  'hashesOfVersions',
  `SELECT v.record_id AS id, v.version, encode(v.version_hash, 'hex') AS "versionHash"
   FROM unnest($2::uuid[], $3::integer[]) AS w (id, version)
   CROSS JOIN LATERAL (
     SELECT record_id, version, version_hash
     FROM record_version
     WHERE provider_id = $1 AND record_id = w.id AND version = w.version
     LIMIT 1
   ) v`,
  'each time',
)

/** The hashes of those versions that are stored, by `versionName`. */
export async function hashesOfVersions(
  db: Queryable,
  provider: string,
  versions: readonly { readonly id: string; readonly version: number }[],
): Promise<Map<string, string>> {
  const rows = await hashes(db, [provider, versions.map(({ id }) => id), versions.map(({ version }) => version)])
  return new Map(rows.map((row) => [versionName(row.id, row.version), row.versionHash]))
}

export const versionName = (id: string, version: number): string => `${id}.${version}`

// Parsed as JSON once: text from elsewhere may be anything.
const insert = statement(
  'importVersions',
  `WITH inserted AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, submitted_at, key_id, request_id, payload_id, content_hash, findings,
                              body, detail_hash, version_hash, void_reason, purged_at)
  SELECT $1, s.id, s.version, s.kind, s.submitted_at::timestamptz, s.key_id, $2::uuid, s.payload_id, s.content_hash,
         s.findings::json::text, s.body::json::text, s.detail_hash, s.version_hash, s.void_reason, CASE WHEN s.body IS NULL THEN now() END
  FROM unnest($3::uuid[], $4::integer[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bytea[], $10::text[], $11::text[],
              $12::bytea[], $13::bytea[], $14::text[])
    AS s (id, version, kind, submitted_at, key_id, payload_id, content_hash, findings, body, detail_hash, version_hash, void_reason)
  ON CONFLICT (provider_id, record_id, version) DO NOTHING
  RETURNING record_id AS id, version, purged_at
), purged AS (
  SELECT id, version FROM inserted WHERE purged_at IS NOT NULL
), awaiting AS (
  ${purgesInserted('purged')}
)
${awaitingInserted('inserted')}`,
)

/**
 * Stores those of the versions that are not stored yet, as they were; their checkpoint follows. An
 * archive does not have the time of a purge, so a purged version counts as purged at the import.
 */
export const importVersions = async (
  db: Queryable,
  provider: string,
  requestId: string,
  versions: readonly ArchivedVersion[],
): Promise<void> => {
  await insert(db, [
    provider,
    requestId,
    versions.map(({ id }) => id),
    versions.map(({ version }) => version),
    versions.map(({ kind }) => kind),
    versions.map(({ submittedDateTime }) => submittedDateTime),
    versions.map(({ keyId }) => keyId),
    versions.map(({ detail }) => detail?.payloadId ?? null),
    versions.map(({ contentHash }) => Buffer.from(contentHash, 'hex')),
    versions.map(({ detail }) => detail?.findings ?? null),
    versions.map(({ detail }) => detail?.body ?? null),
    versions.map(({ detailHash }) => Buffer.from(detailHash, 'hex')),
    versions.map(({ versionHash }) => Buffer.from(versionHash, 'hex')),
    versions.map(({ detail }) => detail?.voidReason ?? null),
  ])
}

const insertKey = statement(
  'importSigningKey',
  `INSERT INTO signing_key (provider_id, signing_key_id, public_key) VALUES ($1, $2, $3::bytea)
   ON CONFLICT (provider_id, signing_key_id) DO NOTHING`,
)

export const importSigningKey = async (
  db: Queryable,
  provider: string,
  signingKeyId: string,
  publicKey: Buffer,
): Promise<void> => {
  await insertKey(db, [provider, signingKeyId, publicKey])
}

const one = statement<{ publicKey: Buffer }>(
  'signingKey',
  `SELECT public_key AS "publicKey" FROM signing_key WHERE provider_id = $1 AND signing_key_id = $2`,
)

export const readSigningKey = async (
  db: Queryable,
  provider: string,
  signingKeyId: string,
): Promise<Buffer | undefined> => (await one(db, [provider, signingKeyId]))[0]?.publicKey

const unready = statement<
  StoredVersion & {
    readonly kind: RecordKindName
    readonly findings: string
    readonly contentHash: Buffer
    readonly versionHash: Buffer
    readonly submittedDateTime: string
    readonly isVoid: boolean
  }
>(
  'unreadyRecords',
  `SELECT v.record_id AS id, v.version, v.kind, v.body, v.findings,
          v.content_hash AS "contentHash", v.version_hash AS "versionHash", v.void_reason IS NOT NULL AS "isVoid",
          to_char(v.submitted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "submittedDateTime"
   FROM (
     SELECT f.record_id FROM record_version f WHERE f.provider_id = $1 AND f.version = 1
     EXCEPT
     SELECT r.id FROM record r WHERE r.provider_id = $1
   ) r
   CROSS JOIN LATERAL (
     SELECT * FROM record_version h WHERE h.provider_id = $1 AND h.record_id = r.record_id ORDER BY h.version DESC LIMIT 1
   ) v
   WHERE v.body IS NOT NULL
   LIMIT $2`,
)

/** Up to `limit` records with versions that cannot be found yet, each with its last version. */
export const unreadyRecords = (db: Queryable, provider: string, limit: number) => unready(db, [provider, limit])
