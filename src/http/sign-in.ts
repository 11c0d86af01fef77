// The one address that a page asks before anybody is signed in: who is, and how to sign in
// (decision 0061).
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Handlers } from '../handlers/handler.ts'
import type { Caller } from './authenticate.ts'
import { plainCall } from './route.ts'
import { sessionTokenOf, setSessionCookie } from './session-cookie.ts'

/** Whom the token of a session speaks for. */
export type FindSession = (token: string, connection: object) => Caller | Promise<Caller | undefined>

/** Answers everybody, also where nobody is signed in: that is no failed sign-in. */
export function mountSignIn(server: FastifyInstance, findSession: FindSession, handlers: Handlers): void {
  server.get('/sign-in', async (request, reply) => {
    const token = sessionTokenOf(request)
    const caller = token === undefined ? undefined : await findSession(token, request.raw.socket)
    if (caller?.renewed !== undefined) setSessionCookie(request, reply, caller.renewed)
    reply.header('cache-control', 'no-store')
    return {
      signedIn: caller === undefined ? null : await signedInOf(handlers, request, caller),
      hasEnded: token !== undefined && caller === undefined,
    }
  })
}

const signedInOf = async (handlers: Handlers, request: FastifyRequest, caller: Caller) =>
  (await handlers.readSession(plainCall(request, caller))).body
