// Imports an archive (decision 0037): versions as they were, never over existing ones.

import type { RecordKindName } from '../../contract/record-kinds.ts'
import type { ArchivedVersion } from '../../evidence/archive.ts'
import { type Queryable, type StoredVersion, statement } from '../database/statement.ts'
import { awaitingInserted, purgesInserted } from '../evidence/checkpoints.ts'
import type { VersionName } from '../evidence/damaged-record.ts'

const beginning = statement<never, { provider: string; archive: string }>(
  'beginArchiveImport',
  `INSERT INTO archive_import (provider_id, archive)
   SELECT $provider, $archive
   WHERE NOT EXISTS (SELECT 1 FROM record_version WHERE provider_id = $provider)
   ON CONFLICT (provider_id) DO NOTHING`,
)

const continuing = statement<never, { provider: string; archive: string }>(
  'continueArchiveImport',
  `UPDATE archive_import SET continued_at = now() WHERE provider_id = $provider AND archive = $archive AND ended_at IS NULL`,
)

const reading = statement.one<{ archive: string; ended: boolean }, { provider: string }>(
  'readArchiveImport',
  `SELECT archive, ended_at IS NOT NULL AS ended FROM archive_import WHERE provider_id = $provider`,
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
  await beginning(db, { provider, archive })
  await continuing(db, { provider, archive })
  const row = await reading(db, { provider })
  return row?.archive === archive ? row : undefined
}

/**
 * Ends an import. The counts in the archive are from another day, and perhaps another program, so
 * all events are counted again.
 */
export const endArchiveImport = statement<never, { provider: string }>(
  'endArchiveImport',
  `WITH ended AS (
  UPDATE archive_import SET ended_at = now() WHERE provider_id = $provider AND ended_at IS NULL RETURNING provider_id
)
INSERT INTO awaiting_recount (provider_id, what)
SELECT $provider, 'everything' FROM ended`,
)

const hashes = statement<
  { id: string; version: number; versionHash: string },
  { provider: string; versions: readonly VersionName[] }
>(
  'hashesOfVersions',
  `SELECT v.record_id AS id, v.version, encode(v.version_hash, 'hex') AS "versionHash"
   FROM $versions
   CROSS JOIN LATERAL (
     SELECT record_id, version, version_hash
     FROM record_version
     WHERE provider_id = $provider AND record_id = versions.id AND version = versions.version
     LIMIT 1
   ) v`,
  {
    planned: 'each time',
    rows: { versions: { id: 'uuid', version: 'integer' } },
  },
)

/** The hashes of those versions that are stored, by `versionName`. */
export async function hashesOfVersions(
  db: Queryable,
  provider: string,
  versions: readonly VersionName[],
): Promise<Map<string, string>> {
  const rows = await hashes(db, { provider, versions })
  return new Map(rows.map((row) => [versionName(row.id, row.version), row.versionHash]))
}

export const versionName = (id: string, version: number): string => `${id}.${version}`

// Parsed as JSON once: text from elsewhere may be anything.
/**
 * Stores those of the versions that are not stored yet, as they were; their checkpoint follows. An
 * archive does not have the time of a purge, so a purged version counts as purged at the import.
 */
export const importVersions = statement<
  never,
  { provider: string; requestId: string; versions: readonly ArchivedVersion[] }
>(
  'importVersions',
  `WITH inserted AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, submitted_at, key_id, request_id, payload_id, content_hash, detail,
                              detail_hash, version_hash, void_reason, reason, purged_at)
  SELECT $provider, id, version, kind, "submittedDateTime"::timestamptz, "keyId", $requestId::uuid, payload_id, content_hash,
         CASE WHEN body IS NOT NULL THEN ARRAY[body::json::text, findings::json::text] END, CASE WHEN body IS NULL THEN detail_hash END,
         version_hash, void_reason, reason, CASE WHEN body IS NULL THEN now() END
  FROM $versions
  ON CONFLICT (provider_id, record_id, version) DO NOTHING
  RETURNING record_id AS id, version, purged_at
), purged AS (
  SELECT id, version FROM inserted WHERE purged_at IS NOT NULL
), awaiting AS (
  ${purgesInserted('purged')}
)
${awaitingInserted('inserted')}`,
  {
    rows: {
      versions: {
        id: 'uuid',
        version: 'integer',
        kind: 'text',
        submittedDateTime: 'text',
        keyId: 'text',
        payload_id: ['text', ({ detail }) => detail?.payloadId],
        content_hash: ['bytea', ({ contentHash }) => Buffer.from(contentHash, 'hex')],
        findings: ['text', ({ detail }) => detail?.findings],
        body: ['text', ({ detail }) => detail?.body],
        detail_hash: ['bytea', ({ detailHash }) => Buffer.from(detailHash, 'hex')],
        version_hash: ['bytea', ({ versionHash }) => Buffer.from(versionHash, 'hex')],
        void_reason: ['text', ({ detail }) => detail?.voidReason],
        reason: ['text', ({ detail }) => detail?.reason],
      },
    },
  },
)

export const importSigningKey = statement<never, { provider: string; signingKeyId: string; publicKey: Buffer }>(
  'importSigningKey',
  `INSERT INTO signing_key (provider_id, signing_key_id, public_key) VALUES ($provider, $signingKeyId, $publicKey::bytea)
   ON CONFLICT (provider_id, signing_key_id) DO NOTHING`,
)

export const readSigningKey = statement.one<{ publicKey: Buffer }, { provider: string; signingKeyId: string }>(
  'signingKey',
  `SELECT public_key AS "publicKey" FROM signing_key WHERE provider_id = $provider AND signing_key_id = $signingKeyId`,
)

/** Up to `limit` records with versions that cannot be found yet, each with its last version. */
export const unreadyRecords = statement<
  StoredVersion & {
    readonly kind: RecordKindName
    readonly findings: string
    readonly contentHash: Buffer
    readonly versionHash: Buffer
    readonly submittedDateTime: string
    readonly isVoid: boolean
  },
  { provider: string; limit: number }
>(
  'unreadyRecords',
  `SELECT v.record_id AS id, v.version, v.kind, v.detail[1] AS body, v.detail[2] AS findings,
          v.content_hash AS "contentHash", v.version_hash AS "versionHash", v.void_reason IS NOT NULL AS "isVoid",
          to_char(v.submitted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "submittedDateTime"
   FROM (
     SELECT f.record_id FROM record_version f WHERE f.provider_id = $provider AND f.version = 1
     EXCEPT
     SELECT r.id FROM record r WHERE r.provider_id = $provider
   ) r
   CROSS JOIN LATERAL (
     SELECT * FROM record_version h WHERE h.provider_id = $provider AND h.record_id = r.record_id ORDER BY h.version DESC LIMIT 1
   ) v
   WHERE v.detail IS NOT NULL
   LIMIT $limit`,
)
