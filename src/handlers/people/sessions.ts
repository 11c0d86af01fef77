// Sessions of browsers: begun with a key, read, ended.
import type { Static } from 'typebox'
import { type NewSession, sessionOperations } from '../../operations/people/sessions.ts'
import { beginSession, endSessionOf, endSessionsOfKey, readSessionOf } from '../../store/people/sessions.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { shapeRefusal } from '../records/failure-answers.ts'
import { isKey, ownKeyOf, unknownKey } from './keys.ts'

/** The signed-in key or person, as the console shows it. */
async function signedInOf(
  { store }: HandlerContext,
  { provider, keyId }: Pick<OperationCall, 'provider' | 'keyId'>,
  session: string | undefined,
): Promise<object> {
  const [own, found] = await Promise.all([
    ownKeyOf(store, provider, keyId),
    session === undefined ? undefined : readSessionOf(store, { provider, id: session }),
  ])
  return {
    own,
    session:
      found === undefined
        ? null
        : { kept: found.kept, beganDateTime: found.beganAt.toISOString(), endsDateTime: found.endsAt.toISOString() },
  }
}

const createSession =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'keyNeeded' | 'created'>> => {
    const refusal = shapeRefusal(sessionOperations.createSession.body, call, 'No session began.')
    if (refusal !== undefined) return refusal
    if (call.session !== undefined)
      return { outcome: 'keyNeeded', detail: 'The request was made with a session. Send a key in Authorization.' }
    const { keep = false } = call.body.value as Static<typeof NewSession>
    const { id, ...cookie } = await beginSession(context.store, call, keep)
    return { outcome: 'created', body: await signedInOf(context, call, id), cookie }
  }

const readSession =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'found'>> => ({
    outcome: 'found',
    body: await signedInOf(context, call, call.session),
  })

const endSession =
  ({ store, identityProvider }: HandlerContext) =>
  async ({ provider, session }: OperationCall): Promise<Answer<'noSession' | 'ended'>> => {
    if (session === undefined)
      return { outcome: 'noSession', detail: 'The request was made with a key, which has no session to end.' }
    const elsewhere = await endSessionOf(store, provider, session)
    const signOutAddress = (elsewhere && (await identityProvider?.signOutAddress(elsewhere.idToken))) ?? null
    return { outcome: 'ended', body: { signOutAddress }, cookie: 'removed' }
  }

const endOwnSessions =
  ({ store }: HandlerContext) =>
  async ({ provider, keyId, requestId }: OperationCall): Promise<Answer<'ended'>> => {
    const sessions = await endSessionsOfKey(store, provider, keyId, { who: keyId, requestId })
    return { outcome: 'ended', body: { sessions }, cookie: 'removed' }
  }

const endKeySessions =
  ({ store }: HandlerContext) =>
  async ({ provider, keyId, requestId, id }: OperationCall): Promise<Answer<'unknownKey' | 'ended'>> => {
    if (!(await isKey(store, provider, id))) return unknownKey(id)
    return {
      outcome: 'ended',
      body: { sessions: await endSessionsOfKey(store, provider, id, { who: keyId, requestId }) },
    }
  }

export const sessionHandlers = { createSession, readSession, endSession, endOwnSessions, endKeySessions }
