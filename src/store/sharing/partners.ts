// Partners of a provider, and their grants. A partner has an account, which holds copies of the
// shared records; its keys belong to the account. Source: decision 0077.
import type { Grant, Place } from '../../contract/sharing.ts'
import { version } from '../../version.ts'
import { type ApiKeySummary, drawKey, hashOf } from '../base/api-keys.ts'
import { type Guard, guardOf, versionRaised } from '../base/setting-versions.ts'
import type { VersionSet } from '../base/writes.ts'
import { keyIsHeld } from '../database/database-errors.ts'
import { type Page, type Queryable, statement } from '../database/statement.ts'
import { type Actor, loggedStatement } from '../evidence/access-log.ts'
import { drawAccount, withAccount } from './partner-accounts.ts'

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
  /** Its account, which its keys belong to. */
  readonly account: string
  readonly createdAt: Date
  readonly changedAt: Date
  readonly completeAt: Date | null
  readonly generation: number
  readonly copiedGeneration: number
  /** True while its keys are answered that sharing is updated. */
  readonly isClosed: boolean
}

const storedPartners = statement<
  Omit<StoredPartner, 'isClosed'> & { isClosed: boolean | null },
  Page & { id?: string }
>(
  'listPartners',
  `SELECT r.id, r.account_id AS account, r.name, r.places, r.grants, r.created_at AS "createdAt",
          r.changed_at AS "changedAt", r.complete_at AS "completeAt", r.generation,
          r.copied_generation AS "copiedGeneration",
          a.sharing_closed OR coalesce(a.sharing_until <= now(), false) AS "isClosed"
   FROM partner r LEFT JOIN partner_account a ON a.provider_id = r.account_id AND a.shared_by = $provider
   WHERE r.provider_id = $provider AND r.deleted_at IS NULL AND ($id::uuid IS NULL OR r.id = $id) AND ($after::uuid IS NULL OR r.id > $after)
   ORDER BY r.id
   LIMIT $limit`,
)

/** Up to `limit` partners, oldest first; those above an id when one is given. */
export const partnersOf = async (db: Queryable, asked: Page & { readonly id?: string }): Promise<StoredPartner[]> =>
  (await storedPartners(db, asked)).map(withAccount)

export const findPartner = async (db: Queryable, provider: string, id: string): Promise<StoredPartner | undefined> =>
  (await partnersOf(db, { provider, id, limit: 1 }))[0]

/** A deleted partner: the access log of its account stays readable. */
export type DeletedPartner = Pick<StoredPartner, 'id' | 'account' | 'name'> & { readonly deletedAt: Date }

/** Up to `limit` deleted partners, oldest first; those above an id when one is given. */
export const deletedPartnersOf = statement<DeletedPartner, Page & { id?: string }>(
  'deletedPartners',
  `SELECT id, account_id AS account, name, deleted_at AS "deletedAt" FROM deleted_partner
   WHERE provider_id = $provider AND ($id::uuid IS NULL OR id = $id) AND ($after::uuid IS NULL OR id > $after)
   ORDER BY id
   LIMIT $limit`,
)

export const findDeletedPartner = async (
  db: Queryable,
  provider: string,
  id: string,
): Promise<DeletedPartner | undefined> => (await deletedPartnersOf(db, { provider, id, limit: 1 }))[0]

interface CopyCount {
  readonly partner: string
  readonly kind: string
  readonly records: number
}

/** How many records of each kind these partners see. */
export const countSharedCopies = statement<CopyCount, { provider: string; ids: readonly string[] }>(
  'countSharedCopies',
  `SELECT c.partner_id AS partner, c.kind, count(*)::integer AS records
   FROM shared_copy c
   WHERE c.provider_id = $provider AND c.partner_id = ANY ($ids::uuid[]) AND NOT c.withdrawn
   GROUP BY c.partner_id, c.kind`,
)

/** A partner to create. */
interface NewPartner extends PartnerSettings {
  readonly provider: string
  readonly id: string
}

const insert = loggedStatement<{ id: string }, NewPartner & { account: string; until: Date | undefined }>(
  'createPartner',
  `counted AS MATERIALIZED (
  SELECT count(*) AS partners FROM partner WHERE provider_id = $provider AND deleted_at IS NULL
), created AS (
  INSERT INTO partner (provider_id, id, account_id, name, places, grants, created_at, created_by, changed_at)
  SELECT $provider, $id::uuid, $account::uuid, $name::text, $places::jsonb, $grants::jsonb, now(), $who::text, now()
  FROM counted
  WHERE partners < $most
  ON CONFLICT (provider_id, name) WHERE deleted_at IS NULL DO NOTHING
  RETURNING id, account_id, name
), opened AS (
  INSERT INTO partner_account (provider_id, shared_by, name, sharing_until)
  SELECT account_id, $provider, name, $until::timestamptz FROM created
), recounted AS (
  INSERT INTO recount (provider_id, counted_by) SELECT account_id, $version FROM created
)`,
  'SELECT id FROM created',
  {
    of: 'created',
    asked: ({ id, name, places, grants }) => ({ id, name, places, grants }),
    defaults: { most: partnersMax, version },
  },
)

/**
 * Creates a partner with an empty account without keys. False when the provider has a partner of
 * this name, or the maximum number.
 */
export const insertPartner = async (
  db: Queryable,
  partner: NewPartner,
  until: Date | undefined,
  actor: Actor,
): Promise<boolean> =>
  (await insert(db, { ...partner, account: await drawAccount(db, partner.provider), until }, actor)) !== undefined

/** New settings of a partner, which is at a generation. */
interface PartnerChange extends PartnerSettings {
  readonly generation: number
  readonly closes: boolean
  readonly until: Date | undefined
}

const replace = loggedStatement<{ version: number; isReplaced: boolean }, Guard & PartnerChange>(
  'replacePartner',
  `edited AS (
  ${versionRaised}
  RETURNING v.version
), replaced AS (
  UPDATE partner r
  SET name = $name, places = $places::jsonb, grants = $grants::jsonb, changed_at = now(), generation = $generation::integer + 1, rescanned = NULL
  FROM edited
  WHERE r.provider_id = $provider AND r.id = $edited::text::uuid AND r.generation = $generation::integer AND r.deleted_at IS NULL
  RETURNING r.id, r.account_id
), account AS (
  UPDATE partner_account a
  SET name = $name, sharing_closed = a.sharing_closed OR $closes::boolean, sharing_until = least(a.sharing_until, $until::timestamptz)
  FROM replaced r
  WHERE a.provider_id = r.account_id AND a.shared_by = $provider
)`,
  'SELECT e.version, EXISTS (SELECT 1 FROM replaced) AS "isReplaced" FROM edited e',
  { of: 'replaced', asked: ({ edited, name, places, grants }) => ({ id: edited, name, places, grants }) },
)

/**
 * Changes a partner that is at this generation, and at a version that this may follow. `stale` when
 * it is at another version. When only its generation has moved on, its version is raised, and
 * nothing else done. `closes` where it takes something away: the account hands out nothing until
 * the copies are withdrawn.
 */
export async function replacePartnerSettings(
  db: Queryable,
  { provider, id, ...change }: PartnerChange & { readonly provider: string; readonly id: string },
  actor: Actor,
  allowed?: VersionSet,
): Promise<{ readonly version: number; readonly isReplaced: boolean } | 'stale' | 'nameTaken'> {
  try {
    return (await replace(db, { ...change, ...(await guardOf(db, provider, id, allowed)) }, actor)) ?? 'stale'
  } catch (error) {
    if (keyIsHeld(error)) return 'nameTaken'
    throw error
  }
}

const remove = loggedStatement<{ account: string }, Guard & { name: string }>(
  'deletePartner',
  `edited AS (
  ${versionRaised}
  RETURNING v.version
), deleted AS (
  UPDATE partner r SET deleted_at = now(), changed_at = now(), generation = r.generation + 1, rescanned = NULL
  FROM edited
  WHERE r.provider_id = $provider AND r.id = $edited::text::uuid AND r.deleted_at IS NULL
  RETURNING r.id, r.account_id, r.name, r.deleted_at
), kept AS (
  INSERT INTO deleted_partner (provider_id, id, account_id, name, deleted_at)
  SELECT $provider, id, account_id, name, deleted_at FROM deleted
), closed AS (
  UPDATE partner_account a SET sharing_closed = true, deleted = true FROM deleted d
  WHERE a.provider_id = d.account_id AND a.shared_by = $provider
)`,
  'SELECT account_id AS account FROM deleted',
  { of: 'deleted', asked: ({ edited, name }) => ({ id: edited, name }) },
)

const revokeAll = loggedStatement<never, { provider: string; partner: string }>(
  'revokeKeysOfAccount',
  `revoked AS (
  UPDATE api_key SET revoked_at = least(revoked_at, now()) WHERE provider_id = $provider RETURNING provider_id
), changed AS (
  SELECT provider_id FROM revoked LIMIT 1
)`,
  'SELECT provider_id FROM changed',
  { operation: 'revokeKey', asked: ({ partner }) => ({ partner }) },
)

/**
 * Ends the account of a partner, whose keys are valid no more, and revokes these. False when there
 * is none with this id at a version that this may follow. The keys afterwards: one that an
 * invitation was just accepted for is among them.
 */
export async function removePartner(
  db: Queryable,
  { provider, id, name }: Pick<NewPartner, 'provider' | 'id' | 'name'>,
  actor: Actor,
  allowed?: VersionSet,
): Promise<boolean> {
  const deleted = await remove(db, { ...(await guardOf(db, provider, id, allowed)), name }, actor)
  if (deleted !== undefined) await revokeAll(db, { provider: deleted.account, partner: id }, actor)
  return deleted !== undefined
}

/** Keys of a partner: all that are valid, then as many others, each newest first. */
export const keysOfPartner = statement<PartnerKey, { provider: string }>(
  'keysOfAccount',
  `SELECT k.key_id AS "keyId", k.role, k.label, k.person_name AS "personName", k.created_at AS "createdAt",
          k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", k.last_used_at AS "lastUsedAt"
   FROM api_key k
   WHERE k.provider_id = $provider
   ORDER BY k.revoked_at IS NOT NULL OR coalesce(k.expires_at <= now(), false), k.created_at DESC, k.key_id
   LIMIT $limit`,
  { defaults: { limit: 2 * partnerKeysMax } },
)

/** A key or an invitation of a partner. */
type PartnerKey = Pick<
  ApiKeySummary,
  'keyId' | 'role' | 'label' | 'personName' | 'createdAt' | 'expiresAt' | 'revokedAt' | 'lastUsedAt'
>

const invite = loggedStatement<
  { expiresAt: Date },
  Omit<Invited, 'invitation'> & Invitation & { keyId: string; secretHash: Buffer }
>(
  'invitePartner',
  `invited AS MATERIALIZED (
  SELECT account_id FROM partner
  WHERE provider_id = $provider AND id = $id::uuid AND account_id = $account::uuid AND deleted_at IS NULL
  FOR UPDATE
), counted AS MATERIALIZED (
  SELECT count(*) AS keys FROM api_key k JOIN invited i ON k.provider_id = i.account_id
  WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
), made AS (
  INSERT INTO api_key (provider_id, key_id, secret_hash, role, label, person_name, expires_at)
  SELECT account_id, $keyId::text, $secretHash::bytea, 'invited', $label::text, $personName::text, now() + make_interval(hours => $hours::integer)
  FROM invited CROSS JOIN counted
  WHERE keys < $most
  RETURNING expires_at
)`,
  'SELECT expires_at AS "expiresAt" FROM made',
  {
    of: 'made',
    asked: ({ id, keyId, label, personName, hours }) => ({ id, keyId, label, personName, hours }),
    defaults: { most: partnerKeysMax },
  },
)

/** The purpose of an invitation. */
interface Invitation {
  readonly label: string
  readonly personName: string | undefined
  readonly hours: number
}

/** Whom an invitation is for: a partner, and its account. */
interface Invited extends Pick<StoredPartner, 'id' | 'account'> {
  readonly provider: string
  readonly invitation: Invitation
}

/**
 * A key that can only be exchanged for another. Undefined when there is no partner with this id, or
 * it has as many keys as it may have.
 */
export async function inviteToPartner(
  db: Queryable,
  { provider, id, account, invitation }: Invited,
  actor: Actor,
): Promise<{ readonly token: string; readonly expiresAt: Date } | undefined> {
  const { keyId, secret, key: token } = drawKey(account)
  const made = await invite(db, { id, account, keyId, secretHash: hashOf(secret), ...invitation, provider }, actor)
  return made && { token, expiresAt: made.expiresAt }
}

/** An invitation that is taken, with other names than it has where these are given. */
interface Taken {
  readonly provider: string
  readonly invitation: string
  readonly label: string | undefined
  readonly personName: string | undefined
}

const accept = loggedStatement<{ keyId: string }, Taken & { keyId: string; secretHash: Buffer }>(
  'acceptInvitation',
  `taken AS (
  UPDATE api_key SET revoked_at = now()
  WHERE provider_id = $provider AND key_id = $invitation AND role = 'invited' AND revoked_at IS NULL AND expires_at > now()
  RETURNING label, person_name
), changed AS (
  INSERT INTO api_key (provider_id, key_id, secret_hash, role, label, person_name)
  SELECT $provider, $keyId::text, $secretHash::bytea, 'partner', coalesce($label::text, label), coalesce($personName::text, person_name) FROM taken
  RETURNING key_id
)`,
  'SELECT key_id AS "keyId" FROM changed',
  { asked: ({ keyId }) => ({ keyId }) },
)

/**
 * Exchanges an invitation for a key of the partner. Undefined when the invitation was accepted or
 * revoked, or has expired: of several who accept one at once, one gets a key.
 */
export async function takeInvitation(
  db: Queryable,
  taken: Taken,
  requestId: string,
): Promise<{ readonly keyId: string; readonly key: string } | undefined> {
  const { keyId, secret, key } = drawKey(taken.provider)
  const made = await accept(db, { ...taken, keyId, secretHash: hashOf(secret) }, { who: taken.invitation, requestId })
  return made && { keyId, key }
}

/** Revokes a key or an invitation of a partner; undefined when it has none with this id. */
export const revokeKeyOfPartner = loggedStatement<{ revokedAt: Date }, { provider: string; id: string; keyId: string }>(
  'revokePartnerKey',
  `account AS MATERIALIZED (
  SELECT account_id FROM partner WHERE provider_id = $provider AND id = $id::uuid AND deleted_at IS NULL
), revoked AS (
  UPDATE api_key k SET revoked_at = least(k.revoked_at, now())
  FROM account a
  WHERE k.provider_id = a.account_id AND k.key_id = $keyId
  RETURNING k.revoked_at
)`,
  'SELECT revoked_at AS "revokedAt" FROM revoked',
  { of: 'revoked', asked: ({ id, keyId }) => ({ id, keyId }) },
)
