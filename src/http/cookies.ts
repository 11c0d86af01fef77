// Cookies: names, reading and writing, and which requests the cookie of a session may authenticate
// (decision 0061).
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SessionCookie } from '../handlers/base/handler.ts'

/** Longer tokens are not looked up; none is as long. */
const tokenLengthMax = 200

/**
 * Behind TLS the prefix binds the cookie to this host: no other host of the domain can set it.
 * Source: RFC 6265bis, 4.1.3.2.
 */
const nameFor = ({ protocol }: FastifyRequest, what: string): string =>
  protocol === 'https' ? `__Host-lotkeeper-${what}` : `lotkeeper-${what}`

/** The value of a cookie that the request carries. */
export function readCookie(request: FastifyRequest, what: string): string | undefined {
  const name = nameFor(request, what)
  for (const pair of request.headers.cookie?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}

/** The token of the session that a request carries. */
export function sessionTokenOf(request: FastifyRequest): string | undefined {
  if (request.headers.cookie === undefined) return undefined
  const token = readCookie(request, 'session')
  return token !== undefined && token.length <= tokenLengthMax ? token : undefined
}

/** Sets or removes the cookie of a session. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, cookie: SessionCookie): void {
  const { token, until } = cookie === 'removed' ? { token: '', until: new Date(0) } : cookie
  setCookie(request, reply, { what: 'session', value: token, sameSite: 'Strict', until })
}

/**
 * Sets a cookie that scripts cannot read. The browser also sends a `Lax` one when a link of another
 * site leads here.
 */
export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    what,
    value,
    sameSite,
    until,
  }: {
    readonly what: string
    readonly value: string
    readonly sameSite: 'Strict' | 'Lax'
    readonly until: Date | undefined
  },
): void {
  const parts = [
    `${nameFor(request, what)}=${value}`,
    'Path=/',
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(request.protocol === 'https' ? ['Secure'] : []),
    ...(until === undefined ? [] : [`Expires=${until.toUTCString()}`]),
  ]
  // Adds to the cookies that are already set.
  reply.header('set-cookie', parts.join('; '))
}

/**
 * True when a page of this service sent the request, according to `Sec-Fetch-Site`, or to `Origin`
 * where a browser does not send that (plain HTTP). Required for a change; a read may also come from
 * a typed address. `SameSite=Strict` alone would admit other hosts of the domain.
 */
export function isFromOwnPage({ headers, method, host }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || (isRead && site === 'none')
  const { origin } = headers
  if (origin === undefined) return isRead
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}
