// People who sign in with an identity provider: keys without a secret. Source: decision 0062.
import { randomBytes } from 'node:crypto'
import type { Role } from '../../contract/role.ts'
import { type Queryable, statement } from '../database/statement.ts'
import { type Actor, loggedStatement, newEntryId } from '../evidence/access-log.ts'

/** The actor of changes at a sign-in. */
const identityProvider = 'identity provider'

/** A person who signs in, as the identity provider describes them. */
export interface Person {
  readonly issuer: string
  readonly subject: string
  readonly name: string | undefined
  readonly email: string | undefined
  readonly role: Role | undefined
}

/** A person to invite. */
interface Invited {
  readonly email: string
  readonly role: Role
  readonly personName: string | undefined
}

// A person whom a claim admitted already has a row: the invitation becomes part of it. Nobody
// changes their own role in this way.
const insertInvitation = statement.one<
  { keyId: string },
  Actor & Invited & { provider: string; keyId: string; entry: string }
>(
  'insertInvitation',
  `WITH known AS MATERIALIZED (
  SELECT key_id, invited_role FROM api_key
  WHERE provider_id = $provider AND email = $email AND revoked_at IS NULL AND secret_hash IS NULL
), adopted AS (
  UPDATE api_key SET invited_role = $role, role = $role
  WHERE provider_id = $provider AND key_id <> $who AND key_id = (SELECT min(key_id) FROM known HAVING count(*) = 1 AND count(invited_role) = 0)
  RETURNING key_id
), made AS (
  INSERT INTO api_key (provider_id, key_id, role, label, person_name, email, invited_role)
  SELECT $provider, $keyId::text, $role::text, $email::text, $personName::text, $email::text, $role::text
  WHERE (SELECT count(*) FROM known) <> 1
  ON CONFLICT (provider_id, email) WHERE revoked_at IS NULL AND invited_role IS NOT NULL DO NOTHING
  RETURNING key_id
), invited AS (
  SELECT key_id FROM adopted UNION ALL SELECT key_id FROM made
), noted AS (
  INSERT INTO access_log (provider_id, id, who, request_id, operation, asked, done)
  SELECT $provider, $entry::uuid, $who::text, $requestId::uuid, 'invitePerson',
         json_build_object('keyId', key_id, 'role', $role::text, 'email', $email::text, 'personName', $personName::text), true
  FROM invited
)
SELECT key_id AS "keyId" FROM invited`,
)

/** The row of a person. */
interface PersonRow extends Pick<Person, 'issuer' | 'subject'> {
  readonly provider: string
  readonly keyId: string
  readonly role: Role
  readonly personName: string | null
  readonly email: string | null
}

const askedOf = ({ keyId, role, personName, email }: PersonRow) => ({ keyId, role, personName, email })

const insertPerson = loggedStatement<{ keyId: string }, PersonRow & { label: string }>(
  'insertPerson',
  `changed AS (
  INSERT INTO api_key (provider_id, key_id, role, label, person_name, email, issuer, subject)
  VALUES ($provider, $keyId, $role, $label, $personName, $email, $issuer, $subject)
  ON CONFLICT (provider_id, issuer, subject) WHERE revoked_at IS NULL AND subject IS NOT NULL DO NOTHING
  RETURNING key_id
)`,
  'SELECT key_id AS "keyId" FROM changed',
  { operation: 'admitPerson', asked: askedOf },
)

const newKeyId = (): string => randomBytes(8).toString('hex')

/**
 * Invites an address; undefined when it is invited already. A person whom a claim admitted with it
 * keeps the key id.
 */
export const invite = async (
  db: Queryable,
  provider: string,
  invited: Invited,
  actor: Actor,
): Promise<string | undefined> =>
  (await insertInvitation(db, { keyId: newKeyId(), ...invited, entry: newEntryId(), ...actor, provider }))?.keyId

interface KnownPerson {
  readonly keyId: string
  readonly role: Role
  readonly personName: string | null
  readonly email: string | null
  /** Of the invitation; null where a claim alone admits the person. */
  readonly invitedRole: Role | null
  readonly isRevoked: boolean
  readonly isSubject: boolean
  /** An invitation to the address of the person, beside the row that identifies the person. */
  readonly isInvitedBeside: boolean
}

const peopleLike = statement.one<
  KnownPerson,
  { provider: string; issuer: string; subject: string; email: string | undefined }
>(
  'peopleLike',
  `SELECT key_id AS "keyId", role, person_name AS "personName", email, invited_role AS "invitedRole",
          revoked_at IS NOT NULL AS "isRevoked", subject IS NOT NULL AS "isSubject",
          bool_or(subject IS NULL) OVER () AND subject IS NOT NULL AS "isInvitedBeside"
   FROM api_key
   WHERE provider_id = $provider
     AND ((issuer = $issuer AND subject = $subject) OR (email = $email AND invited_role IS NOT NULL AND subject IS NULL AND revoked_at IS NULL))
   ORDER BY revoked_at IS NOT NULL, subject IS NULL, created_at DESC
   LIMIT 1`,
)

// No person ever signed in with the row of the invitation. Its row is deleted before the other one
// is invited, since an address is invited once.
const takeInvitation = statement<
  never,
  Actor & { provider: string; keyId: string; email: string | undefined; entry: string }
>(
  'takeInvitation',
  `WITH open AS MATERIALIZED (
  SELECT key_id FROM api_key WHERE provider_id = $provider AND key_id = $keyId AND revoked_at IS NULL
), taken AS (
  DELETE FROM api_key
  WHERE provider_id = $provider AND email = $email AND invited_role IS NOT NULL AND subject IS NULL AND revoked_at IS NULL
    AND $keyId IN (SELECT key_id FROM open)
  RETURNING invited_role, email
), changed AS (
  UPDATE api_key k SET invited_role = taken.invited_role, role = taken.invited_role, email = taken.email
  FROM taken
  WHERE k.provider_id = $provider AND k.key_id = $keyId
  RETURNING k.key_id, k.role, k.email, k.person_name
), noted AS (
  INSERT INTO access_log (provider_id, id, who, request_id, operation, asked, done)
  SELECT $provider, $entry::uuid, $who::text, $requestId::uuid, 'changeKey',
         json_build_object('keyId', key_id, 'role', role, 'email', email, 'personName', person_name), true
  FROM changed
)
SELECT key_id AS "keyId" FROM changed`,
)

// Only for a person unchanged since this was decided: an administrator may have changed or ended
// the access in between. Older sessions end where the role differs: they began with a withdrawn
// claim.
const updatePerson = loggedStatement<
  { key_id: string },
  PersonRow & { roleBefore: Role; invitedRoleBefore: Role | null }
>(
  'updatePerson',
  `changed AS (
  UPDATE api_key SET role = $role, person_name = $personName, email = $email, issuer = $issuer, subject = $subject
  WHERE provider_id = $provider AND key_id = $keyId AND revoked_at IS NULL AND role = $roleBefore AND invited_role IS NOT DISTINCT FROM $invitedRoleBefore
    AND (subject IS NULL OR (issuer = $issuer AND subject = $subject))
  RETURNING key_id
), ended AS (
  DELETE FROM session WHERE provider_id = $provider AND key_id IN (SELECT key_id FROM changed) AND $role <> $roleBefore
)`,
  'SELECT key_id FROM changed',
  { operation: 'changeKey', asked: askedOf },
)

const endSessions = statement<never, { provider: string; keyId: string }>(
  'endSessionsOfRefused',
  `DELETE FROM session WHERE provider_id = $provider AND key_id = $keyId`,
)

/** Why a person who signed in with the identity provider has no access here. */
export type NotAdmitted = 'revoked' | 'withoutRole'

/**
 * The key of a person who signed in: known, invited by address, or created for the role of the
 * claim. A revoked person has no access until invited again. A person whose claim gives another
 * role than before, or none, has no older sessions any more.
 */
export async function admitPerson(
  db: Queryable,
  provider: string,
  person: Person,
  requestId: string,
): Promise<{ readonly keyId: string } | NotAdmitted> {
  const { issuer, subject, email, role } = person
  const actor: Actor = { who: identityProvider, requestId }
  for (;;) {
    const known = await peopleLike(db, { provider, issuer, subject, email })
    if (known?.isRevoked) return 'revoked'
    if (known?.isInvitedBeside) {
      await takeInvitation(db, { keyId: known.keyId, email, entry: newEntryId(), ...actor, provider })
      continue
    }
    if (known !== undefined) {
      const held = role ?? known.invitedRole
      if (held === null) {
        await endSessions(db, { provider, keyId: known.keyId })
        return 'withoutRole'
      }
      const now = {
        role: held,
        personName: person.name ?? known.personName,
        email: known.invitedRole === null ? (email ?? null) : known.email,
      }
      const isSame =
        known.isSubject && now.role === known.role && now.personName === known.personName && now.email === known.email
      if (!isSame) {
        const before = { roleBefore: known.role, invitedRoleBefore: known.invitedRole }
        const whom = { provider, keyId: known.keyId, issuer, subject }
        if ((await updatePerson(db, { ...whom, ...now, ...before }, actor)) === undefined) continue
      }
      return { keyId: known.keyId }
    }
    if (role === undefined) return 'withoutRole'
    const label = email ?? subject.slice(0, 100)
    const added = { label, role, email: email ?? null, personName: person.name ?? null }
    const made = await insertPerson(db, { keyId: newKeyId(), ...added, issuer, subject, provider }, actor)
    // Otherwise another tab was faster, and the key exists now.
    if (made !== undefined) return made
  }
}
