// Sign-in without a key: the current session, and the redirects to the identity provider and back
// (decisions 0061, 0062).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SessionCookie } from '../handlers/base/handler.ts'
import type { Handlers } from '../handlers/catalogue.ts'
import {
  callbackPath,
  failureOf,
  type IdentityProvider,
  IdentityProviderAway,
  type SignedInPerson,
  type SignInFailure,
  type SignInSecrets,
} from '../identity-provider.ts'
import type { SetLimits } from '../limits.ts'
import type { Caller } from './authenticate.ts'
import { readCookie, sessionTokenOf, setCookie, setSessionCookie } from './cookies.ts'
import { html, sendPage } from './docs-page.ts'
import { type CountRequest, networkOf } from './request-counts.ts'
import { plainCall } from './route.ts'

/** Finds the caller of a session token. */
export type FindSession = (token: string, connection: object) => Caller | Promise<Caller | undefined>

/** A session for a person who signed in with the identity provider, or why there is none. */
export type Admission = Exclude<SessionCookie, 'removed'> | 'revoked' | 'withoutRole' | 'noProvider'

export interface SignInParts {
  readonly provider: Pick<IdentityProvider, 'settings' | 'begin' | 'finish'>
  readonly admit: (person: SignedInPerson, requestId: string) => Promise<Admission>
}

interface Parts {
  readonly handlers: Handlers
  readonly identityProvider?: SignInParts | undefined
  readonly limits: SetLimits
  readonly countRequest: CountRequest
}

const startPath = '/sign-in/start'
/** Longest time at the identity provider, in milliseconds. */
const awayMsMax = 10 * 60_000
/** Longest path to return to; none in the console is as long. */
const returnLengthMax = 2_000

export function mountSignIn(server: FastifyInstance, findSession: FindSession, parts: Parts): void {
  const { handlers, identityProvider } = parts
  const set = identityProvider?.provider.settings
  // The whole address, because the cookie belongs to the host that people return to.
  const offered = set && { name: set.name, address: set.publicUrl + startPath }
  // Also answers callers without a session. That is not a failed sign-in.
  server.get('/sign-in', async (request, reply) => {
    const token = sessionTokenOf(request)
    const caller = token === undefined ? undefined : await findSession(token, request.raw.socket)
    if (caller?.renewed !== undefined) setSessionCookie(request, reply, caller.renewed)
    reply.header('cache-control', 'no-store')
    return {
      signedIn: caller === undefined ? null : (await handlers.readSession(plainCall(request, caller))).body,
      hasEnded: token !== undefined && caller === undefined,
      identityProvider: offered ?? null,
    }
  })
  if (identityProvider !== undefined) mountIdentityProvider(server, identityProvider, parts)
}

/** Kept in a cookie while the browser is at the identity provider. */
interface Journey extends SignInSecrets {
  /** The path to return to, below that of the console. */
  readonly returnTo: string
}

function mountIdentityProvider(
  server: FastifyInstance,
  { provider, admit }: SignInParts,
  { limits, countRequest }: Parts,
): void {
  const { name, publicUrl } = provider.settings

  server.get<{ Querystring: { return?: unknown } }>(startPath, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (await isFlood(request)) return sendFlood(reply)
    try {
      const { address, ...secrets } = await provider.begin()
      const { return: returnTo } = request.query
      const journey: Journey = { ...secrets, returnTo: isPath(returnTo) ? returnTo : '/' }
      setCookie(request, reply, {
        what: 'sign-in',
        value: pack(journey),
        sameSite: 'Lax',
        until: new Date(Date.now() + awayMsMax),
      })
      return reply.redirect(address, 302)
    } catch (error) {
      if (!(error instanceof IdentityProviderAway)) throw error
      return sendAway(request, reply, error)
    }
  })

  server.get(callbackPath, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (await isFlood(request)) return sendFlood(reply)
    const journey = unpack(readCookie(request, 'sign-in'))
    setCookie(request, reply, { what: 'sign-in', value: '', sameSite: 'Lax', until: new Date(0) })
    if (journey === undefined)
      return sendRefusal(reply, 400, 'The sign-in took too long, or was begun in another browser. Sign in again.')
    let person: SignedInPerson
    try {
      const query = request.url.indexOf('?')
      person = await provider.finish(query < 0 ? '' : request.url.slice(query), journey)
    } catch (error) {
      if (error instanceof IdentityProviderAway) return sendAway(request, reply, error)
      const failure = failureOf(error)
      request.log.warn({ requestId: request.id, ...failure }, refusedLine)
      return sendRefusal(reply, 400, failureWords(failure, name))
    }
    const admitted = await admit(person, request.id)
    if (typeof admitted === 'string') {
      const { issuer, subject } = person
      const remarks = admitted === 'withoutRole' ? remarksOf(person) : []
      request.log.warn({ requestId: request.id, why: admitted, issuer, subject, remarks }, refusedLine)
      return sendRefusal(reply, 403, refusals[admitted](person, name), remarks)
    }
    setSessionCookie(request, reply, admitted)
    return reply.redirect(consolePath(journey.returnTo, publicUrl), 303)
  })

  // Each sign-in calls the identity provider, so an address may begin and end only as many as it
  // may fail.
  async function isFlood({ ip }: FastifyRequest): Promise<boolean> {
    const max = limits.failedSignInsPerMinute
    return max > 0 && (await countRequest(`sign-in ${networkOf(ip)}`)).current > 2 * max
  }

  const sendAway = (request: FastifyRequest, reply: FastifyReply, error: Error): FastifyReply => {
    request.log.error(
      { requestId: request.id, why: reasonOf(error.cause ?? error) },
      'The identity provider cannot be reached.',
    )
    return sendRefusal(reply, 503, `${name} cannot be reached. Try again in a minute, or sign in with a key.`)
  }
}

const refusals: Readonly<Record<Exclude<Admission, object>, (person: SignedInPerson, name: string) => string>> = {
  revoked: (person) =>
    `An administrator has ended the access of ${whoIs(person)}. Only an administrator can give it back.`,
  withoutRole: (person, name) =>
    `${name} knows ${whoIs(person)}, but nobody has given this account access to Lotkeeper. Ask an administrator to invite it.`,
  noProvider: () => 'The data provider that people sign in to does not exist. The operator sets OIDC_PROVIDER.',
}

const refusedLine = 'A sign-in was refused.'

/** Facts that the person can pass on to an administrator. */
const remarksOf = ({ email, remarks }: SignedInPerson): readonly string[] => [
  ...(email === undefined ? [] : [`The address ${email} is verified, but nobody has invited it.`]),
  ...remarks,
]

/** Nothing of the request is quoted: anybody can send it. */
function failureWords({ answered, claim }: SignInFailure, name: string): string {
  if (answered === 'access_denied')
    return `${name} ended the sign-in: it was cancelled, or your account may not use Lotkeeper. Sign in again, or ask an administrator of ${name}.`
  if (answered !== undefined) return `${name} refused the sign-in (${String(answered)}). Ask an administrator.`
  if (claim === 'exp' || claim === 'iat' || claim === 'nbf')
    return `The clocks of ${name} and of this service differ (claim ${claim}). Ask an administrator.`
  if (claim !== undefined)
    return `What ${name} answered is not for this service (claim ${String(claim)}). Ask an administrator.`
  return `What ${name} answered does not belong to this sign-in, or was used before. Sign in again.`
}

const whoIs = ({ email, name, subject }: SignedInPerson): string => email ?? name ?? subject

/** The code of an error of the library, or its class. Never content of the request. */
const reasonOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return String(code ?? name)
}

const sendRefusal = (reply: FastifyReply, status: number, why: string, remarks: readonly string[] = []): FastifyReply =>
  sendPage(
    reply.code(status),
    'You are not signed in',
    undefined,
    html`<p>${why}</p>${remarks.length > 0 ? [html`<ul>${remarks.map((one) => html`<li>${one}</li>`)}</ul>`] : []}<p><a href="/console/">Back to the sign-in page</a></p>`,
  )

const sendFlood = (reply: FastifyReply): FastifyReply =>
  sendRefusal(reply.header('retry-after', 60), 429, 'Too many sign-ins came from this address. Try again in a minute.')

const isPath = (asked: unknown): asked is string =>
  typeof asked === 'string' && asked.startsWith('/') && asked.length <= returnLengthMax

/** A path of the console; its start for anything else. */
function consolePath(asked: string, publicUrl: string): string {
  const start = `${publicUrl}/console/`
  const { href } = new URL(`${publicUrl}/console${asked}`)
  return href.startsWith(start) ? href.slice(publicUrl.length) : '/console/'
}

const pack = (journey: Journey): string => Buffer.from(JSON.stringify(journey)).toString('base64url')

function unpack(cookie: string | undefined): Journey | undefined {
  try {
    const journey = JSON.parse(Buffer.from(cookie ?? '', 'base64url').toString()) as Partial<Journey>
    const { state, nonce, verifier, returnTo } = journey
    const isWhole = [state, nonce, verifier, returnTo].every((text) => typeof text === 'string' && text !== '')
    return isWhole ? (journey as Journey) : undefined
  } catch {
    return undefined
  }
}
