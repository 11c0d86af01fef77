// Sessions: a browser that speaks for a key. Only hashes of their tokens are stored. Source:
// decision 0061.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { v7 } from 'uuid'
import { declareLimit } from '../../limits.ts'
import { sha256 } from '../../sha256.ts'
import { type ApiKey, accountCloses, besideAccount, keyIsValid } from '../base/api-keys.ts'
import { callerLooks, hexOf, uuidOf } from '../base/caller-looks.ts'
import { type Queryable, statement } from '../database/statement.ts'
import { type Actor, newEntryId } from '../evidence/access-log.ts'

/** Hours that a session lasts, and hours without use after which it ends. */
const sessionHours = {
  untilClosed: {
    life: declareLimit('session', 24, 'hours', 'Time for which a session lasts.'),
    idle: declareLimit('idleSession', 8, 'hours', 'Time without use after which a session ends.'),
  },
  kept: {
    life: declareLimit('keptSession', 30 * 24, 'hours', 'Time for which a session lasts that the browser keeps.'),
    idle: declareLimit(
      'idleKeptSession',
      7 * 24,
      'hours',
      'Time without use after which a session ends that the browser keeps.',
    ),
  },
} as const

export const sessionsOfKeyMax = declareLimit(
  'sessionsOfKey',
  50,
  'sessions',
  'Sessions of a key; a further one ends the oldest.',
)

/** The cookie of a browser. */
export interface SessionToken {
  readonly token: string
  /** Until when the browser stores it; undefined: until it is closed. */
  readonly until: Date | undefined
}

/** Whom a session speaks for. */
export interface FoundSession extends ApiKey {
  readonly session: string
  /** The token that replaces the one that was sent. */
  readonly renewed?: SessionToken
}

const hoursOf = (kept: boolean) => (kept ? sessionHours.kept : sessionHours.untilClosed)

const secretBytes = 32
const tokenForm = /^([0-9a-f]{32})\.([0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/

const drawSecret = (): string => randomBytes(secretBytes).toString('base64url')
const hashOf = (secret: string): Buffer => sha256(secret)
const tokenOf = (provider: string, id: string, secret: string): string => `${hexOf(provider)}.${hexOf(id)}.${secret}`

interface NewSession extends Pick<ApiKey, 'provider' | 'keyId'> {
  readonly id: string
  readonly secretHash: Buffer
  readonly kept: boolean
  readonly life: number
  readonly idle: number
  readonly idToken: string | undefined
}

const insertSession = statement.one<{ endsAt: Date }, NewSession>(
  'insertSession',
  `WITH last_kept AS MATERIALIZED (
  SELECT id FROM session WHERE provider_id = $provider AND key_id = $keyId ORDER BY id DESC OFFSET $olderThan LIMIT 1
), ended AS (
  DELETE FROM session
  WHERE provider_id = $provider
    AND (ends_at <= now() OR idle_ends_at <= now() OR (key_id = $keyId AND id <= (SELECT id FROM last_kept)))
)
INSERT INTO session (provider_id, id, key_id, secret_hash, kept, ends_at, idle_ends_at, id_token)
VALUES ($provider, $id, $keyId, $secretHash, $kept, now() + make_interval(hours => $life), now() + make_interval(hours => $idle), $idToken)
RETURNING ends_at AS "endsAt"`,
  { defaults: { olderThan: sessionsOfKeyMax - 1 } },
)

/**
 * Begins a session that speaks for a key, and ends those that are over. `idToken` names the sign-in
 * with the identity provider.
 */
export async function beginSession(
  db: Queryable,
  { provider, keyId }: Pick<ApiKey, 'provider' | 'keyId'>,
  kept: boolean,
  idToken?: string,
): Promise<SessionToken & { readonly id: string }> {
  const id = v7()
  const secret = drawSecret()
  const begun = { id, secretHash: hashOf(secret), kept, ...hoursOf(kept), idToken }
  const row = await insertSession(db, { keyId, ...begun, provider })
  return { id, token: tokenOf(provider, id, secret), until: kept ? row?.endsAt : undefined }
}

interface SessionRow extends Omit<ApiKey, 'isClosed'> {
  readonly isClosed: boolean
  readonly id: string
  readonly secretHash: Buffer
  readonly nextHash: Buffer | null
  readonly previousHash: Buffer | null
  readonly kept: boolean
  readonly endsAt: Date
  readonly isOld: boolean
  readonly isFresh: boolean
  readonly isUseDue: boolean
}

const sessionsById = statement<SessionRow, { provider: string; ids: readonly string[] }>(
  'sessionsById',
  `SELECT s.id, s.provider_id AS provider, s.key_id AS "keyId", k.role, s.secret_hash AS "secretHash",
          s.next_hash AS "nextHash", s.previous_hash AS "previousHash", s.kept, s.ends_at AS "endsAt",
          s.renewed_at < now() - interval '15 minutes' AS "isOld",
          s.renewed_at > now() - interval '1 minute' AS "isFresh",
          s.idle_ends_at < now() + make_interval(hours => CASE WHEN s.kept THEN $keptIdle::integer ELSE $idle::integer END) - interval '1 minute' AS "isUseDue",
          ${accountCloses} AS "isClosed"
   FROM session s JOIN api_key k ON k.provider_id = $provider AND k.key_id = s.key_id ${besideAccount}
   WHERE s.provider_id = $provider AND s.id = ANY($ids::uuid[]) AND s.ends_at > now() AND s.idle_ends_at > now()
     AND ${keyIsValid}`,
  { defaults: { idle: sessionHours.untilClosed.idle, keptIdle: sessionHours.kept.idle } },
)

const useSession = statement<never, { provider: string; id: string; idle: number }>(
  'useSession',
  `UPDATE session SET idle_ends_at = now() + make_interval(hours => $idle) WHERE provider_id = $provider AND id = $id`,
)

const offerToken = statement.any<{ provider: string; id: string; nextHash: Buffer; secretHash: Buffer }>(
  'offerSessionToken',
  `UPDATE session SET next_hash = $nextHash, previous_hash = NULL, renewed_at = now()
   WHERE provider_id = $provider AND id = $id AND secret_hash = $secretHash AND renewed_at < now() - interval '15 minutes'
   RETURNING id`,
)

const takeToken = statement<never, { provider: string; id: string; nextHash: Buffer }>(
  'takeSessionToken',
  `UPDATE session SET previous_hash = secret_hash, secret_hash = next_hash, next_hash = NULL, renewed_at = now()
   WHERE provider_id = $provider AND id = $id AND next_hash = $nextHash`,
)

/**
 * Whom a token speaks for; undefined if it is malformed, unknown or over, or its key is revoked or
 * expired. Renews the token, and moves the end of the session on.
 */
export function sessionFinder(db: Queryable): (token: string) => Promise<FoundSession | undefined> {
  const look = callerLooks(
    (provider, ids) => sessionsById(db, { provider, ids }),
    (row) => row.id,
  )
  return async (token) => {
    const [, provider = '', id = '', secret] = tokenForm.exec(token) ?? []
    if (secret === undefined) return undefined
    const row = await look({ provider: uuidOf(provider), id: uuidOf(id) })
    return row === undefined ? undefined : admit(db, row, secret)
  }
}

/** Compares the secret with those of the session, and renews or confirms it accordingly. */
async function admit(db: Queryable, row: SessionRow, secret: string): Promise<FoundSession | undefined> {
  const { provider, id, keyId, role, kept, endsAt, isClosed } = row
  const sent = hashOf(secret)
  const is = (stored: Buffer | null): boolean => stored !== null && timingSafeEqual(stored, sent)
  const found: FoundSession = { provider, keyId, role, session: id, ...(isClosed && { isClosed }) }
  let renewed: SessionToken | undefined
  if (is(row.nextHash)) await takeToken(db, { provider, id, nextHash: sent })
  else if (is(row.secretHash)) {
    if (row.isOld) renewed = await offer(db, row, sent, kept ? endsAt : undefined)
  } else if (!(row.isFresh && is(row.previousHash))) return undefined
  if (row.isUseDue) await useSession(db, { provider, id, idle: hoursOf(kept).idle })
  return renewed === undefined ? found : { ...found, renewed }
}

/** A new token for the session; undefined when another request was given one meanwhile. */
async function offer(
  db: Queryable,
  { provider, id }: SessionRow,
  current: Buffer,
  until: Date | undefined,
): Promise<SessionToken | undefined> {
  const secret = drawSecret()
  const isOffered = await offerToken(db, { provider, id, nextHash: hashOf(secret), secretHash: current })
  return isOffered ? { token: tokenOf(provider, id, secret), until } : undefined
}

export interface SessionSummary {
  readonly kept: boolean
  readonly beganAt: Date
  readonly endsAt: Date
}

/** A session; undefined when it has ended. */
export const readSessionOf = statement.one<SessionSummary, { provider: string; id: string }>(
  'sessionById',
  `SELECT kept, began_at AS "beganAt", ends_at AS "endsAt" FROM session WHERE provider_id = $provider AND id = $id`,
)

const deleteSession = statement.one<{ idToken: string | null; isPerson: boolean }, { provider: string; id: string }>(
  'deleteSession',
  `WITH ended AS (
  DELETE FROM session WHERE provider_id = $provider AND id = $id
  RETURNING key_id, id_token
)
SELECT e.id_token AS "idToken", k.secret_hash IS NULL AS "isPerson"
FROM ended e JOIN api_key k ON k.provider_id = $provider AND k.key_id = e.key_id`,
)

/**
 * Ends a session. Returns the identity of the sign-in with the identity provider; undefined where
 * the session began with a key.
 */
export async function endSessionOf(
  db: Queryable,
  provider: string,
  id: string,
): Promise<{ readonly idToken: string | null } | undefined> {
  const ended = await deleteSession(db, { provider, id })
  return ended?.isPerson ? { idToken: ended.idToken } : undefined
}

const endAll = statement.one<{ sessions: number }, Actor & { provider: string; keyId: string; entry: string }>(
  'endSessionsOfKey',
  `WITH ended AS (
  DELETE FROM session WHERE provider_id = $provider AND key_id = $keyId RETURNING id
), noted AS (
  INSERT INTO access_log (provider_id, id, who, request_id, operation, asked, done)
  VALUES ($provider, $entry::uuid, $who, $requestId::uuid, 'endSessions', json_build_object('keyId', $keyId::text), true)
)
SELECT count(*)::integer AS sessions FROM ended`,
)

/** Ends every session of a key; returns how many there were. */
export const endSessionsOfKey = async (db: Queryable, provider: string, keyId: string, actor: Actor): Promise<number> =>
  (await endAll(db, { keyId, entry: newEntryId(), ...actor, provider }))?.sessions ?? 0
