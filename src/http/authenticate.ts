// Who is asking: a key or the token of a session becomes a caller, or nobody.
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Role } from '../contract/role.ts'
import type { SessionCookie } from '../handlers/handler.ts'

/** Whom a key speaks for, and what it may do. */
export interface Caller {
  readonly provider: string
  readonly keyId: string
  readonly role: Role
  /** Id of the session, for a caller who came with one. */
  readonly session?: string
  /** The token that replaces the one of the session that was sent. */
  readonly renewed?: Exclude<SessionCookie, 'removed'>
}

/** Looks a key or a token up; undefined when it is not valid now, whatever the reason. */
export type Identify = (key: string) => Promise<Caller | undefined>

/**
 * How long a found key is believed without another look, in milliseconds: the longest a revocation
 * takes to have effect.
 */
const believedMs = 2_000
const rememberedMax = 10_000
/** No key is longer; a longer one is not looked up. */
const keyLengthMax = 200

/** The key a request carries: `Authorization: Bearer`, else `X-Api-Key`. */
export function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? []
  const key = bearer ?? headers['x-api-key']
  return typeof key === 'string' && key.length <= keyLengthMax ? key : undefined
}

/**
 * Why a request carries no key that can be looked up, and how to send one. The key itself is not
 * quoted.
 */
export function keylessWords(headers: IncomingHttpHeaders): string {
  const how = 'Send Authorization: Bearer lk_…, or X-Api-Key: lk_….'
  const { authorization } = headers
  if (authorization === undefined) return `No key was sent. ${how}`
  const [, scheme = ''] = /^([A-Za-z][\w-]{0,30}) +\S/.exec(authorization) ?? []
  if (/^lk_/.test(authorization)) return `Authorization holds a key without the word Bearer before it. ${how}`
  if (scheme === '') return `Authorization cannot be read. ${how}`
  return /^bearer$/i.test(scheme)
    ? `Authorization: Bearer holds no valid key: it contains blanks or is too long. ${how}`
    : `Authorization: ${scheme} is not supported. ${how}`
}

/**
 * Remembers found keys, or tokens, for a moment, so that a busy one costs a look every two seconds
 * and not one per request; a remembered one is reported at once. `connection` is what it came over.
 */
export function remembering(
  identify: Identify,
): (key: string, connection: object) => Caller | Promise<Caller | undefined> {
  // A connection mostly sends one key, whose hash is then at hand.
  const last = new WeakMap<object, { readonly key: string; readonly name: string }>()
  const remembered = new Map<string, { caller: Caller; until: number }>()
  const look = async (key: string, name: string): Promise<Caller | undefined> => {
    remembered.delete(name)
    const caller = await identify(key)
    if (caller !== undefined) {
      const [oldest] = remembered.keys()
      if (remembered.size >= rememberedMax && oldest !== undefined) remembered.delete(oldest)
      // Not by the time of day: a clock that is put back would have a revoked key believed for as
      // long.
      remembered.set(name, { caller, until: performance.now() + believedMs })
    }
    return caller
  }
  // The map holds hashes: no key outlives the connection it came over.
  const nameOf = (key: string): string => createHash('sha256').update(key).digest('base64')
  return (key, connection) => {
    let sent = last.get(connection)
    if (sent?.key !== key) {
      sent = { key, name: nameOf(key) }
      last.set(connection, sent)
    }
    const { name } = sent
    const known = remembered.get(name)
    return known !== undefined && known.until > performance.now() ? known.caller : look(key, name)
  }
}
