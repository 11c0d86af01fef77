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

// A person whom a claim admitted already has a row: the invitation becomes part of it. Nobody
// changes their own role in this way.
const insertInvitation = statement<{ keyId: string }>(
  'insertInvitation',
  `WITH known AS MATERIALIZED (
  SELECT key_id, invited_role FROM api_key
  WHERE provider_id = $1 AND email = $5 AND revoked_at IS NULL AND secret_hash IS NULL
), adopted AS (
  UPDATE api_key SET invited_role = $3, role = $3
  WHERE provider_id = $1 AND key_id <> $7 AND key_id = (SELECT min(key_id) FROM known HAVING count(*) = 1 AND count(invited_role) = 0)
  RETURNING key_id
), made AS (
  INSERT INTO api_key (provider_id, key_id, role, label, person_name, email, invited_role)
  SELECT $1, $2::text, $3::text, $5::text, $4::text, $5::text, $3::text
  WHERE (SELECT count(*) FROM known) <> 1
  ON CONFLICT (provider_id, email) WHERE revoked_at IS NULL AND invited_role IS NOT NULL DO NOTHING
  RETURNING key_id
), invited AS (
  SELECT key_id FROM adopted UNION ALL SELECT key_id FROM made
), noted AS (
  INSERT INTO access_log (provider_id, id, who, request_id, operation, asked, done)
  SELECT $1, $6::uuid, $7::text, $8::uuid, 'invitePerson',
         json_build_object('keyId', key_id, 'role', $3::text, 'email', $5::text, 'personName', $4::text), true
  FROM invited
)
SELECT key_id AS "keyId" FROM invited`,
)

const insertPerson = loggedStatement<{ keyId: string }>(
  'insertPerson',
  `changed AS (
  INSERT INTO api_key (provider_id, key_id, role, label, person_name, email, issuer, subject)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (provider_id, issuer, subject) WHERE revoked_at IS NULL AND subject IS NOT NULL DO NOTHING
  RETURNING key_id
)`,
  'SELECT key_id AS "keyId" FROM changed',
  { operation: 'admitPerson' },
)

const newKeyId = (): string => randomBytes(8).toString('hex')

/**
 * Invites an address; undefined when it is invited already. A person whom a claim admitted with it
 * keeps the key id.
 */
export async function invite(
  db: Queryable,
  provider: string,
  { email, role, personName }: { readonly email: string; readonly role: Role; readonly personName: string | undefined },
  { who, requestId }: Actor,
): Promise<string | undefined> {
  const [made] = await insertInvitation(db, [
    ...[provider, newKeyId(), role, personName ?? null, email],
    ...[newEntryId(), who, requestId ?? null],
  ])
  return made?.keyId
}

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

const peopleLike = statement<KnownPerson>(
  'peopleLike',
  `SELECT key_id AS "keyId", role, person_name AS "personName", email, invited_role AS "invitedRole",
          revoked_at IS NOT NULL AS "isRevoked", subject IS NOT NULL AS "isSubject",
          bool_or(subject IS NULL) OVER () AND subject IS NOT NULL AS "isInvitedBeside"
   FROM api_key
   WHERE provider_id = $1
     AND ((issuer = $2 AND subject = $3) OR (email = $4 AND invited_role IS NOT NULL AND subject IS NULL AND revoked_at IS NULL))
   ORDER BY revoked_at IS NOT NULL, subject IS NULL, created_at DESC
   LIMIT 1`,
)

// No person ever signed in with the row of the invitation. Its row is deleted before the other one
// is invited, since an address is invited once.
const takeInvitation = statement<{ keyId: string }>(
  'takeInvitation',
  `WITH open AS MATERIALIZED (
  SELECT key_id FROM api_key WHERE provider_id = $1 AND key_id = $2 AND revoked_at IS NULL
), taken AS (
  DELETE FROM api_key
  WHERE provider_id = $1 AND email = $3 AND invited_role IS NOT NULL AND subject IS NULL AND revoked_at IS NULL
    AND $2 IN (SELECT key_id FROM open)
  RETURNING invited_role, email
), changed AS (
  UPDATE api_key k SET invited_role = taken.invited_role, role = taken.invited_role, email = taken.email
  FROM taken
  WHERE k.provider_id = $1 AND k.key_id = $2
  RETURNING k.key_id, k.role, k.email, k.person_name
), noted AS (
  INSERT INTO access_log (provider_id, id, who, request_id, operation, asked, done)
  SELECT $1, $4::uuid, $5::text, $6::uuid, 'changeKey',
         json_build_object('keyId', key_id, 'role', role, 'email', email, 'personName', person_name), true
  FROM changed
)
SELECT key_id AS "keyId" FROM changed`,
)

// Only for a person unchanged since this was decided: an administrator may have changed or ended
// the access in between. Older sessions end where the role differs: they began with a withdrawn
// claim.
const updatePerson = loggedStatement<{ key_id: string }>(
  'updatePerson',
  `changed AS (
  UPDATE api_key SET role = $3, person_name = $4, email = $5, issuer = $6, subject = $7
  WHERE provider_id = $1 AND key_id = $2 AND revoked_at IS NULL AND role = $9 AND invited_role IS NOT DISTINCT FROM $10
    AND (subject IS NULL OR (issuer = $6 AND subject = $7))
  RETURNING key_id
), ended AS (
  DELETE FROM session WHERE provider_id = $1 AND key_id IN (SELECT key_id FROM changed) AND $8::boolean
)`,
  'SELECT key_id FROM changed',
  { operation: 'changeKey' },
)

const endSessions = statement('endSessionsOfRefused', `DELETE FROM session WHERE provider_id = $1 AND key_id = $2`)

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
    const [known] = await peopleLike(db, [provider, issuer, subject, email ?? null])
    if (known?.isRevoked) return 'revoked'
    if (known?.isInvitedBeside) {
      await takeInvitation(db, [provider, known.keyId, email, newEntryId(), identityProvider, requestId])
      continue
    }
    if (known !== undefined) {
      const held = role ?? known.invitedRole
      if (held === null) {
        await endSessions(db, [provider, known.keyId])
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
        const values = [provider, known.keyId, now.role, now.personName, now.email, issuer, subject]
        const asked = { keyId: known.keyId, ...now }
        const before = [known.role, known.invitedRole]
        const changed = await updatePerson(db, [...values, now.role !== known.role, ...before], actor, asked)
        if (changed.length === 0) continue
      }
      return { keyId: known.keyId }
    }
    if (role === undefined) return 'withoutRole'
    const added = { keyId: newKeyId(), role, email: email ?? null, personName: person.name ?? null }
    const label = email ?? subject.slice(0, 100)
    const values = [provider, added.keyId, role, label, added.personName, added.email, issuer, subject]
    const [made] = await insertPerson(db, values, actor, added)
    // Otherwise another tab was faster, and the key exists now.
    if (made !== undefined) return made
  }
}
