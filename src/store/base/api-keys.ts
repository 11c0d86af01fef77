// Keys, which act for a provider. Only the hash of a secret is stored. Source: decision 0018.
import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Role } from '../../contract/role.ts'
import { sha256 } from '../../sha256.ts'
import { version } from '../../version.ts'
import { amongProviders, type Queryable, statement } from '../database/statement.ts'
import { type Actor, commandLine, firstStart, loggedStatement, newEntryId } from '../evidence/access-log.ts'
import { callerLooks, hexOf, uuidOf } from './caller-looks.ts'
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
  /** Id of that provider. */
  readonly sharedById: string | null
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
const keyForm = /^lk_([0-9a-f]{16})_([0-9a-f]{32})_([A-Za-z0-9_-]{43})$/

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
  const { keyId, secret, key: whole } = drawKey(key.provider)
  await insertKey(db, { ...key, keyId, secretHash: hashOf(secret) }, actor)
  return whole
}

/** A new key of a provider, and its parts. The key names the provider, which finds it. */
export function drawKey(provider: string): { readonly keyId: string; readonly secret: string; readonly key: string } {
  const keyId = randomBytes(8).toString('hex')
  const secret = randomBytes(secretBytes).toString('base64url')
  return { keyId, secret, key: `lk_${keyId}_${hexOf(provider)}_${secret}` }
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
  const provider = randomUUID()
  const drawn = drawKey(provider)
  const isMade = await insertFirstKey(db, {
    provider,
    name: providerName,
    keyId: drawn.keyId,
    secretHash: hashOf(drawn.secret),
    entry: newEntryId(),
    who: firstStart.who,
    version,
  })
  return isMade ? drawn.key : undefined
}

/** The account of a partner beside a key `k`, where it is one of a partner. */
export const besideAccount = 'LEFT JOIN partner_account a ON a.provider_id = $provider'

/** Whether such an account hands out nothing until copies are withdrawn. */
export const accountCloses = 'coalesce(a.sharing_closed OR a.sharing_until <= now(), false)'

/** Whether a key `k` is valid, beside its account. One of a partner is no more than that. */
export const keyIsValid = `k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
     AND (a.provider_id IS NULL OR NOT a.deleted AND k.role IN ('invited', 'partner'))`

const keysById = statement<
  Omit<ApiKey, 'isClosed'> & { secretHash: Buffer; isClosed: boolean },
  { provider: string; keyIds: readonly string[] }
>(
  'keysById',
  `SELECT k.key_id AS "keyId", k.provider_id AS provider, k.secret_hash AS "secretHash", k.role,
          ${accountCloses} AS "isClosed"
   FROM api_key k ${besideAccount}
   WHERE k.provider_id = $provider AND k.key_id = ANY($keyIds::text[]) AND k.secret_hash IS NOT NULL
     AND ${keyIsValid}`,
)

/**
 * The caller of a key. Undefined if it is malformed, unknown, wrong, revoked or expired; the
 * response does not say which.
 */
export function identifier(db: Queryable): (key: string) => Promise<ApiKey | undefined> {
  const look = callerLooks(
    (provider, keyIds) => keysById(db, { provider, keyIds }),
    (row) => row.keyId,
  )
  return async (key) => {
    const [, keyId = '', of = '', secret] = keyForm.exec(key) ?? []
    if (secret === undefined) return undefined
    const row = await look({ provider: uuidOf(of), id: keyId })
    if (row === undefined || !timingSafeEqual(row.secretHash, hashOf(secret))) return undefined
    return { provider: row.provider, keyId, role: row.role, ...(row.isClosed && { isClosed: true }) }
  }
}

/** Records the last use of a key, to the minute. */
export const recordKeyUse = statement<never, { provider: string; keyId: string }>(
  'touchKeys',
  `UPDATE api_key SET last_used_at = now()
   WHERE provider_id = $provider AND key_id = $keyId AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
)

/**
 * A key as lists show it. The provider of a partner's key is the one that shares, whose name every
 * node has.
 */
const listed = `k.key_id AS "keyId", coalesce(a.name, p.name) AS provider, CASE WHEN a.name IS NOT NULL THEN p.name END AS "sharedBy", a.shared_by AS "sharedById",
          k.role, k.label, k.person_name AS "personName", k.email, k.secret_hash IS NULL AS "isPerson",
          k.created_at AS "createdAt", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", k.last_used_at AS "lastUsedAt"
   FROM api_key k LEFT JOIN partner_account a ON a.provider_id = k.provider_id
   JOIN provider p ON p.provider_id = coalesce(a.shared_by, k.provider_id)`

/** Every key of every provider, for the operator. */
export const listApiKeys = statement.ofAll<ApiKeySummary>(
  'allKeys',
  `SELECT ${listed}
   WHERE ${amongProviders('k')}
   ORDER BY p.name, k.created_at`,
)

/**
 * Up to `limit` keys of a provider, those that can be used before those that ended, each newest
 * first; only the one with this id when one is given.
 */
export const keysOf = statement<ApiKeySummary, { provider: string; keyId: string | undefined; limit: number }>(
  'keysOfProvider',
  `SELECT ${listed}
   WHERE k.provider_id = $provider AND ($keyId::text IS NULL OR k.key_id = $keyId)
   ORDER BY k.revoked_at IS NOT NULL OR coalesce(k.expires_at <= now(), false), k.created_at DESC, k.key_id
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

const providersOfKey = statement.ofAll<{ provider: string }, { keyId: string }>(
  'providersOfKey',
  `SELECT k.provider_id AS provider FROM api_key k WHERE k.key_id = $keyId AND ${amongProviders('k')}`,
)

/** Revokes a key for good, for the operator; false when there is none with this id. */
export async function revokeApiKey(db: Queryable, keyId: string): Promise<boolean> {
  const found = await providersOfKey(db, { keyId })
  for (const { provider } of found) await revokeKeyOf(db, { provider, keyId }, commandLine)
  return found.length > 0
}

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
  const drawn = drawKey(provider)
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
  SELECT 1 FROM api_key k ${besideAccount}
  WHERE k.provider_id = $provider AND k.key_id = $keyId AND ${keyIsValid} AND NOT ${accountCloses}
) AS "isOpen"`,
)

/** Whether a key is valid, and its account open, right now: that of a partner may be closed. */
export const isKeyOpen = async (db: Queryable, account: string, keyId: string): Promise<boolean> =>
  (await isOpen(db, { provider: account, keyId }))?.isOpen ?? false
