// Partners of a provider, and their grants. A partner has an account, a provider of its own that
// holds copies of the shared records; its keys belong to the account. Source: decision 0077.
import type { Grant, Place } from '../../contract/sharing.ts'
import { version } from '../../version.ts'
import { type ApiKeySummary, drawKey, hashOf } from '../base/api-keys.ts'
import { allowedVersions, provideSettingVersion, versionRaised } from '../base/setting-versions.ts'
import type { VersionSet } from '../base/writes.ts'
import { keyIsHeld } from '../database/database-errors.ts'
import { type Queryable, statement } from '../database/statement.ts'
import { type Actor, loggedStatement } from '../evidence/access-log.ts'

/** Partners of one provider. */
export const partnersMax = 200

/** Valid keys and invitations of one partner. */
export const partnerKeysMax = 100

/** The settings of a partner. */
export interface PartnerSettings {
  readonly name: string
  readonly places: readonly Place[]
  readonly grants: readonly Grant[]
}

export interface StoredPartner extends PartnerSettings {
  readonly id: string
  /** The provider that its keys belong to. */
  readonly account: string
  readonly createdAt: Date
  readonly changedAt: Date
  readonly completeAt: Date | null
  readonly generation: number
  readonly copiedGeneration: number
  /** True while its keys are answered that sharing is updated. */
  readonly isClosed: boolean
}

// The account of a partner is a provider.
const list = statement<StoredPartner>(
  'listPartners',
  `SELECT r.id, r.account_id AS account, r.name, r.places, r.grants, r.created_at AS "createdAt",
          r.changed_at AS "changedAt", r.complete_at AS "completeAt", r.generation,
          r.copied_generation AS "copiedGeneration",
          coalesce(a.sharing_closed OR a.sharing_until <= now(), false) AS "isClosed"
   FROM partner r JOIN provider a ON a.provider_id = r.account_id
   WHERE r.provider_id = $1 AND r.deleted_at IS NULL AND ($2::uuid IS NULL OR r.id = $2) AND ($3::uuid IS NULL OR r.id > $3)
   ORDER BY r.id
   LIMIT $4`,
)

/** Up to `limit` partners, oldest first; those above an id when one is given. */
export const partnersOf = (
  db: Queryable,
  provider: string,
  after: string | undefined,
  limit: number,
): Promise<StoredPartner[]> => list(db, [provider, null, after ?? null, limit])

export const findPartner = async (db: Queryable, provider: string, id: string): Promise<StoredPartner | undefined> =>
  (await list(db, [provider, id, null, 1]))[0]

/** A deleted partner: the access log of its account stays readable. */
export type DeletedPartner = Pick<StoredPartner, 'id' | 'account' | 'name'> & { readonly deletedAt: Date }

const listDeleted = statement<DeletedPartner>(
  'deletedPartners',
  `SELECT id, account_id AS account, name, deleted_at AS "deletedAt" FROM deleted_partner
   WHERE provider_id = $1 AND ($2::uuid IS NULL OR id = $2) AND ($3::uuid IS NULL OR id > $3)
   ORDER BY id
   LIMIT $4`,
)

/** Up to `limit` deleted partners, oldest first; those above an id when one is given. */
export const deletedPartnersOf = (
  db: Queryable,
  provider: string,
  after: string | undefined,
  limit: number,
): Promise<DeletedPartner[]> => listDeleted(db, [provider, null, after ?? null, limit])

export const findDeletedPartner = async (
  db: Queryable,
  provider: string,
  id: string,
): Promise<DeletedPartner | undefined> => (await listDeleted(db, [provider, id, null, 1]))[0]

interface CopyCount {
  readonly partner: string
  readonly kind: string
  readonly records: number
}

const counts = statement<CopyCount>(
  'countSharedCopies',
  `SELECT c.partner_id AS partner, c.kind, count(*)::integer AS records
   FROM shared_copy c
   WHERE c.provider_id = $1 AND c.partner_id = ANY ($2::uuid[]) AND NOT c.withdrawn
   GROUP BY c.partner_id, c.kind`,
)

/** How many records of each kind these partners see. */
export const countSharedCopies = (db: Queryable, provider: string, ids: readonly string[]): Promise<CopyCount[]> =>
  counts(db, [provider, ids])

const insertAccount = statement(
  'insertPartnerAccount',
  `WITH made AS (
  INSERT INTO provider (provider_id, name, shared_by, shared_name, sharing_until)
  VALUES ($1, 'partner ' || $1::uuid::text, $2::uuid, $3::text, $5::timestamptz)
)
INSERT INTO recount (provider_id, counted_by) VALUES ($1, $4)`,
)

const insert = loggedStatement<{ id: string }>(
  'createPartner',
  `counted AS MATERIALIZED (
  SELECT count(*) AS partners FROM partner WHERE provider_id = $1 AND deleted_at IS NULL
), created AS (
  INSERT INTO partner (provider_id, id, account_id, name, places, grants, created_at, created_by, changed_at)
  SELECT $1, $2::uuid, $3::uuid, $4::text, $5::jsonb, $6::jsonb, now(), $7::text, now()
  FROM counted
  WHERE partners < $8
  ON CONFLICT (provider_id, name) WHERE deleted_at IS NULL DO NOTHING
  RETURNING id
)`,
  'SELECT id FROM created',
  { of: 'created' },
)

/**
 * Creates a partner with an empty account without keys. False when the provider has a partner of
 * this name, or the maximum number; the account then remains without a partner.
 */
export async function insertPartner(
  db: Queryable,
  provider: string,
  { id, account }: Pick<StoredPartner, 'id' | 'account'>,
  settings: PartnerSettings,
  until: Date | undefined,
  actor: Actor,
): Promise<boolean> {
  const { name, places, grants } = settings
  await insertAccount(db, [account, provider, name, version, until ?? null])
  const values = [
    ...[provider, id, account, name, JSON.stringify(places), JSON.stringify(grants)],
    ...[actor.who, partnersMax],
  ]
  const rows = await insert(db, values, actor, { id, ...settings })
  return rows.length > 0
}

const replace = loggedStatement<{ version: number; isReplaced: boolean }>(
  'replacePartner',
  `edited AS (
  ${versionRaised}
  RETURNING v.version
), replaced AS (
  UPDATE partner r
  SET name = $5, places = $6::jsonb, grants = $7::jsonb, changed_at = now(), generation = $4::integer + 1, rescanned = NULL
  FROM edited
  WHERE r.provider_id = $1 AND r.id = $2::text::uuid AND r.generation = $4::integer AND r.deleted_at IS NULL
  RETURNING r.id, r.account_id
), account AS (
  UPDATE provider a
  SET shared_name = $5, sharing_closed = a.sharing_closed OR $8::boolean, sharing_until = least(a.sharing_until, $9::timestamptz)
  FROM replaced r
  WHERE a.provider_id = r.account_id
)`,
  'SELECT e.version, EXISTS (SELECT 1 FROM replaced) AS "isReplaced" FROM edited e',
  { of: 'replaced' },
)

/**
 * Changes a partner that is at this generation, and at a version that this may follow. `stale` when
 * it is at another version. When only its generation has moved on, its version is raised, and
 * nothing else done. `closes` where it takes something away: the account hands out nothing until
 * the copies are withdrawn.
 */
export async function replacePartnerSettings(
  db: Queryable,
  provider: string,
  { id, generation }: Pick<StoredPartner, 'id' | 'generation'>,
  settings: PartnerSettings,
  { closes, until }: { readonly closes: boolean; readonly until: Date | undefined },
  actor: Actor,
  allowed?: VersionSet,
): Promise<{ readonly version: number; readonly isReplaced: boolean } | 'stale' | 'nameTaken'> {
  const { name, places, grants } = settings
  await provideSettingVersion(db, provider, id)
  try {
    const values = [
      ...[provider, id, allowedVersions(allowed), generation, name, JSON.stringify(places), JSON.stringify(grants)],
      ...[closes, until ?? null],
    ]
    const [row] = await replace(db, values, actor, { id, ...settings })
    return row ?? 'stale'
  } catch (error) {
    if (keyIsHeld(error)) return 'nameTaken'
    throw error
  }
}

const remove = loggedStatement<{ account: string }>(
  'deletePartner',
  `edited AS (
  ${versionRaised}
  RETURNING v.version
), deleted AS (
  UPDATE partner r SET deleted_at = now(), changed_at = now(), generation = r.generation + 1, rescanned = NULL
  FROM edited
  WHERE r.provider_id = $1 AND r.id = $2::text::uuid AND r.deleted_at IS NULL
  RETURNING r.id, r.account_id, r.name, r.deleted_at
), kept AS (
  INSERT INTO deleted_partner (provider_id, id, account_id, name, deleted_at)
  SELECT $1, id, account_id, name, deleted_at FROM deleted
), closed AS (
  UPDATE provider a SET sharing_closed = true FROM deleted d WHERE a.provider_id = d.account_id
)`,
  'SELECT account_id AS account FROM deleted',
  { of: 'deleted' },
)

const revokeAll = loggedStatement(
  'revokeKeysOfAccount',
  `revoked AS (
  UPDATE api_key SET revoked_at = least(revoked_at, now()) WHERE provider_id = $1 RETURNING provider_id
), changed AS (
  SELECT provider_id FROM revoked LIMIT 1
)`,
  'SELECT provider_id FROM changed',
  { operation: 'revokeKey' },
)

/**
 * Closes the account of a partner, and revokes its keys. False when there is none with this id at a
 * version that this may follow. The keys afterwards: one that an invitation was just accepted for
 * is among them.
 */
export async function removePartner(
  db: Queryable,
  provider: string,
  { id, name }: Pick<StoredPartner, 'id' | 'name'>,
  actor: Actor,
  allowed?: VersionSet,
): Promise<boolean> {
  await provideSettingVersion(db, provider, id)
  const [deleted] = await remove(db, [provider, id, allowedVersions(allowed)], actor, { id, name })
  if (deleted !== undefined) await revokeAll(db, [deleted.account], actor, { partner: id })
  return deleted !== undefined
}

const keysOfAccount = statement<PartnerKey>(
  'keysOfAccount',
  `SELECT k.key_id AS "keyId", k.role, k.label, k.person_name AS "personName", k.created_at AS "createdAt",
          k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", k.last_used_at AS "lastUsedAt"
   FROM api_key k
   WHERE k.provider_id = $1
   ORDER BY k.revoked_at IS NOT NULL OR coalesce(k.expires_at <= now(), false), k.created_at DESC, k.key_id
   LIMIT $2`,
)

/** A key or an invitation of a partner. */
type PartnerKey = Pick<
  ApiKeySummary,
  'keyId' | 'role' | 'label' | 'personName' | 'createdAt' | 'expiresAt' | 'revokedAt' | 'lastUsedAt'
>

/** Keys of a partner: all that are valid, then as many others, each newest first. */
export const keysOfPartner = (db: Queryable, account: string): Promise<PartnerKey[]> =>
  keysOfAccount(db, [account, 2 * partnerKeysMax])

const invite = loggedStatement<{ expiresAt: Date }>(
  'invitePartner',
  `invited AS MATERIALIZED (
  SELECT account_id FROM partner WHERE provider_id = $1 AND id = $2::uuid AND deleted_at IS NULL FOR UPDATE
), counted AS MATERIALIZED (
  SELECT count(*) AS keys FROM api_key k JOIN invited i ON k.provider_id = i.account_id
  WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
), made AS (
  INSERT INTO api_key (provider_id, key_id, secret_hash, role, label, person_name, expires_at)
  SELECT account_id, $3::text, $4::bytea, 'invited', $5::text, $6::text, now() + make_interval(hours => $7::integer)
  FROM invited CROSS JOIN counted
  WHERE keys < $8
  RETURNING expires_at
)`,
  'SELECT expires_at AS "expiresAt" FROM made',
  { of: 'made' },
)

/** The purpose of an invitation. */
export interface Invitation {
  readonly label: string
  readonly personName: string | undefined
  readonly hours: number
}

/**
 * A key that can only be exchanged for another. Undefined when there is no partner with this id, or
 * it has as many keys as it may have.
 */
export async function inviteToPartner(
  db: Queryable,
  provider: string,
  id: string,
  invitation: Invitation,
  actor: Actor,
): Promise<{ readonly token: string; readonly expiresAt: Date } | undefined> {
  const { keyId, secret, key: token } = drawKey()
  const { label, personName, hours } = invitation
  const values = [provider, id, keyId, hashOf(secret), label, personName ?? null, hours, partnerKeysMax]
  const [made] = await invite(db, values, actor, { id, keyId, ...invitation })
  return made && { token, expiresAt: made.expiresAt }
}

const accept = loggedStatement<{ keyId: string }>(
  'acceptInvitation',
  `taken AS (
  UPDATE api_key SET revoked_at = now()
  WHERE provider_id = $1 AND key_id = $2 AND role = 'invited' AND revoked_at IS NULL AND expires_at > now()
  RETURNING label, person_name
), changed AS (
  INSERT INTO api_key (provider_id, key_id, secret_hash, role, label, person_name)
  SELECT $1, $3::text, $4::bytea, 'partner', coalesce($5::text, label), coalesce($6::text, person_name) FROM taken
  RETURNING key_id
)`,
  'SELECT key_id AS "keyId" FROM changed',
)

/**
 * Exchanges an invitation for a key of the partner. Undefined when the invitation was accepted or
 * revoked, or has expired: of several who accept one at once, one gets a key.
 */
export async function takeInvitation(
  db: Queryable,
  account: string,
  invitation: string,
  { label, personName }: { readonly label: string | undefined; readonly personName: string | undefined },
  requestId: string,
): Promise<{ readonly keyId: string; readonly key: string } | undefined> {
  const { keyId, secret, key } = drawKey()
  const values = [account, invitation, keyId, hashOf(secret), label ?? null, personName ?? null]
  const made = await accept(db, values, { who: invitation, requestId }, { keyId })
  return made.length > 0 ? { keyId, key } : undefined
}

const revoke = loggedStatement<{ revokedAt: Date }>(
  'revokePartnerKey',
  `account AS MATERIALIZED (
  SELECT account_id FROM partner WHERE provider_id = $1 AND id = $2::uuid AND deleted_at IS NULL
), revoked AS (
  UPDATE api_key k SET revoked_at = least(k.revoked_at, now())
  FROM account a
  WHERE k.provider_id = a.account_id AND k.key_id = $3
  RETURNING k.revoked_at
)`,
  'SELECT revoked_at AS "revokedAt" FROM revoked',
  { of: 'revoked' },
)

/** Revokes a key or an invitation of a partner; undefined when it has none with this id. */
export const revokeKeyOfPartner = async (
  db: Queryable,
  provider: string,
  id: string,
  keyId: string,
  actor: Actor,
): Promise<Date | undefined> => (await revoke(db, [provider, id, keyId], actor, { id, keyId }))[0]?.revokedAt
