// Authentication: turns a key or the token of a session into a caller.
import type { IncomingHttpHeaders } from 'node:http'
import type { Role } from '../contract/role.ts'
import type { SessionCookie } from '../handlers/base/handler.ts'
import { sha256 } from '../sha256.ts'

/** The provider and the role of a key. */
export interface Caller {
  readonly provider: string
  readonly keyId: string
  readonly role: Role
  /** True of a partner while its copies are updated: reads are refused. */
  readonly isClosed?: true
  /** Id of the session, when the caller has one. */
  readonly session?: string
  /** The token that replaces the one the caller sent. */
  readonly renewed?: Exclude<SessionCookie, 'removed'>
}

/** Looks a key or a token up; undefined when it is not valid now, for any reason. */
export type Identify = (key: string) => Promise<Caller | undefined>

/**
 * How long a found key is trusted without another look-up, in milliseconds: a revocation takes
 * effect within this time.
 */
const believedMs = 2_000
const rememberedMax = 10_000
/** Longer keys are not looked up; none is as long. */
const keyLengthMax = 200

/** The key a request carries: `Authorization: Bearer`, else `X-Api-Key`. */
export function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? []
  const key = bearer ?? headers['x-api-key']
  return typeof key === 'string' && key.length <= keyLengthMax ? key : undefined
}

/** Why a request has no usable key, and how to send one. Does not quote the key. */
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
 * Caches keys or tokens briefly, so that a busy one costs a look-up every two seconds and not one
 * per request. A cached one is returned immediately. `connection` is the one that it came over.
 */
export function remembering(
  identify: Identify,
): (key: string, connection: object) => Caller | Promise<Caller | undefined> {
  // Most connections send one key only: its hash is kept.
  const last = new WeakMap<object, { readonly key: string; readonly name: string }>()
  const remembered = new Map<string, { caller: Caller; until: number }>()
  const look = async (key: string, name: string): Promise<Caller | undefined> => {
    remembered.delete(name)
    const caller = await identify(key)
    if (caller !== undefined) {
      const [oldest] = remembered.keys()
      if (remembered.size >= rememberedMax && oldest !== undefined) remembered.delete(oldest)
      // Monotonic time: if the clock were set back, a revoked key would be trusted for as long.
      remembered.set(name, { caller, until: performance.now() + believedMs })
    }
    return caller
  }
  // Hashes, so that no key stays in memory longer than its connection.
  const nameOf = (key: string): string => sha256(key).toString('base64')
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
