// The cookie of a session: its name, how it is read and written, and which requests it may speak
// for (decision 0061).
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SessionCookie } from '../handlers/handler.ts'

/** No token is longer; a longer one is not looked up. */
const tokenLengthMax = 200

/**
 * Behind TLS the prefix binds the cookie to this host: no other host of the domain can set it.
 * Source: RFC 6265bis, 4.1.3.2.
 */
const nameFor = ({ protocol }: FastifyRequest): string =>
  protocol === 'https' ? '__Host-lotkeeper-session' : 'lotkeeper-session'

/** The value of a cookie that the request carries. */
function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  for (const pair of headers.cookie?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}

/** The token of the session that a request carries. */
export function sessionTokenOf(request: FastifyRequest): string | undefined {
  if (request.headers.cookie === undefined) return undefined
  const token = readCookie(request, nameFor(request))
  return token !== undefined && token.length <= tokenLengthMax ? token : undefined
}

/** Gives the browser the token of a session, or takes it away. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, cookie: SessionCookie): void {
  const { token, until } = cookie === 'removed' ? { token: '', until: new Date(0) } : cookie
  const parts = [
    `${nameFor(request)}=${token}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    ...(request.protocol === 'https' ? ['Secure'] : []),
    ...(until === undefined ? [] : [`Expires=${until.toUTCString()}`]),
  ]
  reply.header('set-cookie', parts.join('; '))
}

/**
 * True when a page of this service sent the request, as the browser says: `Sec-Fetch-Site`, and
 * where a browser has none (plain HTTP), `Origin`. What changes something must say so; a read may
 * also be an address that was typed. `SameSite=Strict` alone lets the other hosts of the domain in.
 */
export function isFromOwnPage({ headers, method, host }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || (isRead && site === 'none')
  const { origin } = headers
  if (origin === undefined) return isRead
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}
