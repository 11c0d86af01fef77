// Who is let in: a key or a session is turned into a caller before the body is read.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SetLimits } from '../limits.ts'
import { type Caller, type Identify, keylessWords, keyOf, remembering } from './authenticate.ts'
import type { ClientAddressOf } from './client-address.ts'
import { isFromOwnPage, sessionTokenOf, setSessionCookie } from './cookies.ts'
import { type ErrorParts, sendUnavailable } from './error-answers.ts'
import type { Pressure } from './pressure.ts'
import { sendShared } from './problem.ts'
import { limitFailedSignIns } from './rate-limit.ts'
import type { CountRequest } from './request-counts.ts'
import type { FindSession } from './sign-in.ts'

export interface AdmissionParts extends Pick<ErrorParts, 'reportUnavailable'> {
  /** Looks a key up. */
  readonly identify: Identify
  /** Called once per request with the caller. Must not throw. */
  readonly noteUse: (caller: Caller) => void
  readonly limits: SetLimits
  /** Called once per request that counts against a limit. */
  readonly countRequest: CountRequest
}

/** Of the whole server. */
export interface Doorway {
  readonly findSession: FindSession
  readonly pressure: Pressure
  readonly addressOf: ClientAddressOf
}

export function admitCallers(
  server: FastifyInstance,
  parts: AdmissionParts,
  { findSession, pressure, addressOf }: Doorway,
): void {
  const identify = remembering(parts.identify)
  const refuseSignIn = limitFailedSignIns(parts.limits.failedSignInsPerMinute, parts.countRequest)
  server.decorateRequest('caller', undefined)
  server.addHook('onRequest', (request, reply, done) => {
    const { overload } = pressure
    if (overload !== undefined) {
      sendUnavailable(parts, request, reply, { is: overload })
      return
    }
    const key = keyOf(request.headers)
    // A key takes precedence, and saves the look-up of the cookie.
    const token = key === undefined ? sessionTokenOf(request) : undefined
    // Read before the key is looked up, because a connection that ends meanwhile has no address.
    const address = addressOf(request.raw)
    const admit = (caller: Caller | undefined): void => {
      request.caller = caller
      if (caller === undefined) {
        refuseSignIn(request, reply, address, strangerWords(request, key, token)).catch(done)
        return
      }
      if (caller.session !== undefined && !isFromOwnPage(request)) {
        refuseForeignPage(request, reply)
        return
      }
      if (caller.renewed !== undefined) setSessionCookie(request, reply, caller.renewed)
      parts.noteUse(caller)
      done()
    }
    if (key === undefined && token === undefined) return admit(undefined)
    const caller = key === undefined ? findSession(token ?? '', request.raw.socket) : identify(key, request.raw.socket)
    if (caller instanceof Promise) caller.then(admit).catch(done)
    else admit(caller)
  })
}

function strangerWords({ headers }: FastifyRequest, key: string | undefined, token: string | undefined): string {
  if (key !== undefined)
    return 'The key is not valid: mistyped, revoked or expired. `lotkeeper keys list` lists the keys.'
  return token !== undefined
    ? 'The session has ended, or its key was revoked or has expired. Sign in again.'
    : keylessWords(headers)
}

const refuseForeignPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendShared(
    request,
    reply,
    'foreignPage',
    'The request carries the cookie of a session, but no page of this service sent it. Programs send a key.',
  )
