// Keys, which act for a provider. Only the hash of a secret is stored. Source: decision 0018.
import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Role } from '../../contract/role.ts'
import { sha256 } from '../../sha256.ts'
import { version } from '../../version.ts'
import { BatchedStatement, type BatchLimits } from '../database/batched-statement.ts'
import { type Queryable, statement } from '../database/statement.ts'
import { type Actor, commandLine, firstStart, loggedStatement, newEntryId } from '../evidence/access-log.ts'
import { type Guard, guardOf, versionRaised } from './setting-versions.ts'
import type { VersionSet } from './writes.ts'

export interface ApiKey {
  readonly provider: string
  readonly keyId: string
  readonly role: Role
  /** True of a partner while its copies are updated: reads are refused. */
  readonly isClosed?: true
}

/** A key in a list: everything but the secret, which is not stored. */
export interface ApiKeySummary {
  readonly keyId: string
  readonly provider: string
  /** Name of the provider that shares, where it is the key of a partner; else null. */
  readonly sharedBy: string | null
  readonly role: Role
  readonly label: string
  /** The person who has it; null for a program. */
  readonly personName: string | null
  /** Address of a person who signs in with the identity provider. */
  readonly email: string | null
  /** True for a person who signs in with the identity provider, without a secret. */
  readonly isPerson: boolean
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
}

const secretBytes = 32
const keyForm = /^lk_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/

/** A key to create. */
interface NewKey {
  readonly provider: string
  readonly role: Role
  readonly label: string
  readonly personName?: string | undefined
  readonly expiresAt: Date | undefined
}

const insertKey = loggedStatement<never, NewKey & { keyId: string; secretHash: Buffer }>(
  'insertKey',
  `changed AS (
  INSERT INTO api_key (provider_id, key_id, secret_hash, role, label, expires_at, person_name)
  VALUES ($provider, $keyId, $secretHash, $role, $label, $expiresAt, $personName)
  RETURNING key_id
)`,
  'SELECT key_id FROM changed',
  {
    operation: 'createKey',
    asked: ({ keyId, role, label, personName, expiresAt }) => ({
      keyId,
      role,
      label,
      personName,
      expiresDateTime: expiresAt,
    }),
  },
)

/**
 * Creates a key and returns it; it cannot be shown again. The access log records who created it.
 */
export async function createApiKey(db: Queryable, key: NewKey, actor: Actor): Promise<string> {
  const { keyId, secret, key: whole } = drawKey()
  await insertKey(db, { ...key, keyId, secretHash: hashOf(secret) }, actor)
  return whole
}

/** A new key and its parts. */
export function drawKey(): { readonly keyId: string; readonly secret: string; readonly key: string } {
  const keyId = randomBytes(8).toString('hex')
  const secret = randomBytes(secretBytes).toString('base64url')
  return { keyId, secret, key: `lk_${keyId}_${secret}` }
}

const insertFirstKey = statement.any<{
  provider: string
  name: string
  keyId: string
  secretHash: Buffer
  entry: string
  who: string
  version: string
}>(
  'insertFirstKey',
  `WITH made AS (
  INSERT INTO provider (provider_id, name) VALUES ($provider, $name) ON CONFLICT (name) DO NOTHING
  RETURNING provider_id
), counted AS (
  INSERT INTO recount (provider_id, counted_by)
  SELECT provider_id, $version FROM made
), looked_at AS (
  INSERT INTO alert_look (provider_id) SELECT provider_id FROM made
), keyed AS (
  INSERT INTO api_key (provider_id, key_id, secret_hash, role, label)
  SELECT provider_id, $keyId, $secretHash, 'administrator', 'first key'
  FROM made
  RETURNING provider_id, key_id, role, label
), noted AS (
  INSERT INTO access_log (provider_id, id, who, operation, asked, done)
  SELECT provider_id, $entry::uuid, $who::text, 'createKey', json_build_object('keyId', key_id, 'role', role, 'label', label), true
  FROM keyed
)
SELECT key_id AS "keyId" FROM keyed`,
)

/**
 * Creates a provider with this name and an administrator key, both or neither. Undefined when the
 * provider exists, as when two services start on one empty database.
 */
export async function createFirstKey(db: Queryable, providerName: string): Promise<string | undefined> {
  const drawn = drawKey()
  const isMade = await insertFirstKey(db, {
    provider: randomUUID(),
    name: providerName,
    keyId: drawn.keyId,
    secretHash: hashOf(drawn.secret),
    entry: newEntryId(),
    who: firstStart.who,
    version,
  })
  return isMade ? drawn.key : undefined
}

// A statement without a provider: it finds the provider of the key.
const keysById = statement<
  Omit<ApiKey, 'isClosed'> & { secretHash: Buffer; live: boolean; isClosed: boolean },
  { keyIds: readonly string[] }
>(
  'keysById',
  `SELECT k.key_id AS "keyId", k.provider_id AS provider, k.secret_hash AS "secretHash", k.role,
          k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
            AND (p.shared_by IS NULL OR k.role IN ('invited', 'partner')) AS live,
          coalesce(p.sharing_closed OR p.sharing_until <= now(), false) AS "isClosed"
   FROM api_key k JOIN provider p ON p.provider_id = k.provider_id
   WHERE k.key_id = ANY($keyIds::text[]) AND k.secret_hash IS NOT NULL`,
)

/**
 * Many keys in one statement, one statement at a time: a flood of unknown keys takes one
 * connection, and other requests have the rest.
 */
const lookLimits: BatchLimits = {
  rowsMax: 256,
  bytesMax: 1024 * 1024,
  waitingRowsMax: 16_384,
  waitingBytesMax: 16 * 1024 * 1024,
  inFlightMax: 1,
}

/**
 * The caller of a key. Undefined if it is malformed, unknown, wrong, revoked or expired; the
 * response does not say which.
 */
export function identifier(db: Queryable): (key: string) => Promise<ApiKey | undefined> {
  const looks = new BatchedStatement<{ readonly keyId: string; readonly secret: string }, ApiKey | undefined>({
    async run(_everybody, asks) {
      const found = new Map(
        (await keysById(db, { keyIds: asks.map(({ keyId }) => keyId) })).map((row) => [row.keyId, row]),
      )
      return asks.map(({ keyId, secret }) => {
        const row = found.get(keyId)
        if (!row?.live || !timingSafeEqual(row.secretHash, hashOf(secret))) return undefined
        return { provider: row.provider, keyId, role: row.role, ...(row.isClosed && { isClosed: true }) }
      })
    },
    bytesOf: () => 64,
    conflictKeys: () => [],
    limits: lookLimits,
  })
  return async (key) => {
    const [, keyId, secret] = keyForm.exec(key) ?? []
    return keyId === undefined || secret === undefined ? undefined : looks.submit('', { keyId, secret })
  }
}

/** Records the last use of a key, to the minute. */
export const recordKeyUse = statement<never, { provider: string; keyId: string }>(
  'touchKeys',
  `UPDATE api_key SET last_used_at = now()
   WHERE provider_id = $provider AND key_id = $keyId AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
)

const revoke = statement.any<{ keyId: string; entry: string; who: string }>(
  'revokeKey',
  `WITH revoked AS (
  UPDATE api_key SET revoked_at = least(revoked_at, now())
  WHERE key_id = $keyId
  RETURNING provider_id, key_id
), noted AS (
  INSERT INTO access_log (provider_id, id, who, operation, asked, done)
  SELECT provider_id, $entry::uuid, $who::text, 'revokeKey', json_build_object('keyId', key_id), true FROM revoked
)
SELECT key_id AS "keyId" FROM revoked`,
)

/** Revokes a key for good, for the operator; false when there is none with this id. */
export const revokeApiKey = (db: Queryable, keyId: string): Promise<boolean> =>
  revoke(db, { keyId, entry: newEntryId(), who: commandLine.who })

/** A key as lists show it. */
const listed = `k.key_id AS "keyId", coalesce(p.shared_name, p.name) AS provider, s.name AS "sharedBy", k.role, k.label,
          k.person_name AS "personName", k.email, k.secret_hash IS NULL AS "isPerson", k.created_at AS "createdAt",
          k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", k.last_used_at AS "lastUsedAt"
   FROM api_key k JOIN provider p ON p.provider_id = k.provider_id LEFT JOIN provider s ON s.provider_id = p.shared_by`

/** Every key of every provider, for the operator. */
export const listApiKeys = statement<ApiKeySummary, void>(
  'allKeys',
  `SELECT ${listed}
   ORDER BY p.name, k.created_at`,
)

/** Up to `limit` keys of a provider, newest first; only the one with this id when one is given. */
export const keysOf = statement<ApiKeySummary, { provider: string; keyId: string | undefined; limit: number }>(
  'keysOfProvider',
  `SELECT ${listed}
   WHERE k.provider_id = $provider AND ($keyId::text IS NULL OR k.key_id = $keyId)
   ORDER BY k.created_at DESC, k.key_id
   LIMIT $limit`,
)

/** Revokes a key of the provider; undefined when it has none with this id. */
export const revokeKeyOf = loggedStatement<{ revokedAt: Date }, { provider: string; keyId: string }>(
  'revokeKeyOfProvider',
  `changed AS (
  UPDATE api_key SET revoked_at = least(revoked_at, now())
  WHERE provider_id = $provider AND key_id = $keyId
  RETURNING revoked_at
)`,
  'SELECT revoked_at AS "revokedAt" FROM changed',
  { operation: 'revokeKey', asked: ({ keyId }) => ({ keyId }) },
)

// Source: decision 0074.
const rotate = statement.one<
  ReplacedKey,
  Actor & { provider: string; keyId: string; newKeyId: string; secretHash: Buffer; overlapHours: number; entry: string }
>(
  'rotateKey',
  `WITH replaced AS MATERIALIZED (
  SELECT key_id, role, label, person_name, expires_at
  FROM api_key
  WHERE provider_id = $provider AND key_id = $keyId AND secret_hash IS NOT NULL AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
  FOR UPDATE
), made AS (
  INSERT INTO api_key (provider_id, key_id, secret_hash, role, label, person_name, expires_at)
  SELECT $provider, $newKeyId::text, $secretHash::bytea, role, label, person_name, expires_at FROM replaced
), ending AS (
  UPDATE api_key k SET expires_at = least(k.expires_at, now() + make_interval(hours => $overlapHours::integer))
  FROM replaced r
  WHERE k.provider_id = $provider AND k.key_id = r.key_id
  RETURNING k.key_id, k.expires_at
), own_views AS (
  UPDATE list_view v SET saved_by = $newKeyId::text FROM replaced r WHERE v.provider_id = $provider AND v.saved_by = r.key_id
), noted AS (
  INSERT INTO access_log (provider_id, id, who, request_id, operation, asked, done)
  SELECT $provider, $entry::uuid, $who::text, $requestId::uuid, 'rotateKey', json_build_object('keyId', $newKeyId::text, 'replaces', key_id, 'endsDateTime', expires_at), true
  FROM ending
)
SELECT key_id AS "keyId", expires_at AS "expiresAt" FROM ending`,
)

interface ReplacedKey {
  readonly keyId: string
  readonly expiresAt: Date
}

/**
 * Makes a key with the role, label, person and end of another, which then ends after so many hours.
 * Undefined when there is no such key that is valid and has a secret. Saved views go along.
 */
export async function rotateKeyOf(
  db: Queryable,
  {
    provider,
    keyId,
    overlapHours,
  }: { readonly provider: string; readonly keyId: string; readonly overlapHours: number },
  actor: Actor,
): Promise<{ readonly key: string; readonly keyId: string; readonly replaced: ReplacedKey } | undefined> {
  const drawn = drawKey()
  const made = { newKeyId: drawn.keyId, secretHash: hashOf(drawn.secret), overlapHours }
  const replaced = await rotate(db, { keyId, ...made, entry: newEntryId(), ...actor, provider })
  return replaced && { key: drawn.key, keyId: drawn.keyId, replaced }
}

/** Names of the keys of a provider: the person of each, else its label. */
export const namesOfKeys = statement<{ keyId: string; name: string }, { provider: string; keyIds: readonly string[] }>(
  'namesOfKeys',
  `SELECT key_id AS "keyId", coalesce(person_name, label) AS name
   FROM api_key
   WHERE provider_id = $provider AND key_id = ANY($keyIds::text[]) AND coalesce(person_name, label) <> ''`,
)

/** What may be changed of a key. */
interface KeySettings {
  readonly role: Role
  readonly label: string
  readonly personName?: string | undefined
}

const change = loggedStatement<{ version: number }, Guard & KeySettings>(
  'changeKey',
  `edited AS (
  ${versionRaised}
  RETURNING v.version
), changed AS (
  UPDATE api_key k SET role = $role::text, label = $label::text, person_name = $personName::text,
    invited_role = CASE WHEN k.invited_role IS NOT NULL THEN $role::text END
  FROM edited
  WHERE k.provider_id = $provider AND k.key_id = $edited::text
  RETURNING k.key_id
)`,
  'SELECT e.version FROM edited e',
  {
    of: 'changed',
    asked: ({ edited, role, label, personName = null }) => ({ keyId: edited, role, label, personName }),
  },
)

/** Changes role and names of a key; `stale` at another version than this may follow. */
export const changeKeyOf = async (
  db: Queryable,
  { provider, keyId, ...settings }: KeySettings & { readonly provider: string; readonly keyId: string },
  actor: Actor,
  allowed?: VersionSet,
): Promise<{ readonly version: number } | 'stale'> =>
  (await change(db, { ...settings, ...(await guardOf(db, provider, keyId, allowed)) }, actor)) ?? 'stale'

export const hashOf = (secret: string): Buffer => sha256(secret)

const isOpen = statement.one<{ isOpen: boolean }, { provider: string; keyId: string }>(
  'isKeyOpen',
  `SELECT EXISTS (
  SELECT 1 FROM api_key k JOIN provider a ON a.provider_id = $provider
  WHERE k.provider_id = $provider AND k.key_id = $keyId AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
    AND NOT coalesce(a.sharing_closed OR a.sharing_until <= now(), false)
) AS "isOpen"`,
)

/** Whether a key is valid, and its account open, right now: that of a partner may be closed. */
export const isKeyOpen = async (db: Queryable, account: string, keyId: string): Promise<boolean> =>
  (await isOpen(db, { provider: account, keyId }))?.isOpen ?? false
