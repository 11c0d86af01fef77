// The current session: the browser has its cookie, which no script can read (decision 0061).
import { type Client, lotkeeper } from '../../../client/client.ts'
import { UnreachableError } from '../../../client/failure.ts'
import type { NewPartnerKey, OwnInvitation, OwnKey, SignedIn } from '../../../client/generated/shapes.ts'
import { mayAs, type Role } from '../../../contract/role.ts'
import { failureWords } from '../../words/failure-words.ts'
import { noteAnswered, noteFailure } from './connection.ts'
import { clearDevice, keptKey, lockDevice } from './device.ts'
import { signal } from './signal.ts'
import { say } from './toasts.ts'

/** The session, as the service reports it. */
export interface Session {
  /** Id of the key that the session speaks for. */
  readonly key: string
  readonly own: OwnKey
  readonly role: Role
  readonly api: Client
}

/** The answer of `/sign-in`. */
interface SignInState {
  readonly signedIn: SignedIn | null
  readonly hasEnded: boolean
  readonly identityProvider: IdentityProvider | null
}

/** Where people sign in with their account of the organisation. */
export interface IdentityProvider {
  readonly name: string
  readonly address: string
}

const session = signal<Session | undefined>(undefined)
/** True when a session ended without signing out. */
const ended = signal(false)
/** False until the service has answered for the first time. */
const isKnown = signal(false)
const identityProvider = signal<IdentityProvider | null>(null)

export const useSession = (): Session | undefined => session.use()
export const useSessionEnded = (): boolean => ended.use()
export const useSessionKnown = (): boolean => isKnown.use()
export const useIdentityProvider = (): IdentityProvider | null => identityProvider.use()

/** Reads the session of this browser from the service. */
export async function findSession(): Promise<void> {
  try {
    const answer = await fetch('/sign-in', { cache: 'no-store' })
    if (!answer.ok) throw new UnreachableError(`The service answered with ${answer.status}.`)
    const { signedIn, hasEnded, ...offered } = (await answer.json()) as SignInState
    noteAnswered()
    identityProvider.set(offered.identityProvider)
    ended.set(signedIn === null && (hasEnded || session.get() !== undefined))
    open(signedIn)
    isKnown.set(true)
  } catch {
    noteFailure()
    // At the dock, work continues: the service checks each call once it is back.
    const kept = keptKey()
    if (session.get() === undefined && kept !== undefined) begin(kept)
  }
}

/** The session, if the service reports one now or has since the page was loaded. */
export async function findConfirmedSession(): Promise<Session | undefined> {
  if (!isKnown.get()) await findSession()
  return isKnown.get() ? session.get() : undefined
}

/**
 * Signs in with a key, which is exchanged for a session. Throws the error of the client when the
 * key is not valid or the service is down.
 */
export async function signIn(key: string, { keep }: { readonly keep: boolean }): Promise<void> {
  const { body } = await clientOf(key).createSession({ body: { keep } })
  ended.set(false)
  open(body)
  tellOtherTabs()
}

/** Who invites whom, before the invitation is accepted. */
export const readInvitation = async (token: string, signal: AbortSignal): Promise<OwnInvitation> =>
  (await lotkeeper({ url: '', key: token }).readInvitation({ signal })).body

/**
 * Accepts an invitation, also while somebody is signed in: its token is a key that can do nothing
 * else.
 */
export const acceptInvitation = async (token: string): Promise<NewPartnerKey> =>
  (await lotkeeper({ url: '', key: token }).acceptInvitation({ body: {} })).body

/**
 * Ends the session here, at the service and at the identity provider. If the service is down, the
 * session continues.
 */
export async function signOut(): Promise<void> {
  let next: string | null = null
  const provider = session.get()?.own.provider
  try {
    next = (await session.get()?.api.endSession())?.body.signOutAddress ?? null
  } catch (error) {
    // Without a session it has ended already.
    if (session.get() !== undefined) return say(`You are still signed in. ${failureWords(error).title}.`, 'failed')
  }
  leave(provider)
  if (next !== null) location.assign(next)
}

/** Ends the sessions of the signed-in key or person in every browser. */
export async function signOutEverywhere(): Promise<void> {
  const provider = session.get()?.own.provider
  try {
    await session.get()?.api.endOwnSessions()
  } catch (error) {
    if (session.get() !== undefined) return say(`You are still signed in. ${failureWords(error).title}.`, 'failed')
  }
  leave(provider)
}

/** After signing out, no data of the provider stays on the device. */
function leave(provider: string | undefined): void {
  ended.set(false)
  open(null)
  if (provider !== undefined) clearDevice(provider)
  tellOtherTabs()
}

/** The service no longer takes the session: sign in again, and stay on the page. */
function endSession(): void {
  if (session.get() === undefined) return
  ended.set(true)
  open(null)
}

function open(signedIn: SignedIn | null): void {
  const own = signedIn?.own
  lockDevice(own)
  if (own === undefined) session.set(undefined)
  // The same session again redraws nothing.
  else if (JSON.stringify(session.get()?.own) !== JSON.stringify(own)) begin(own)
}

const begin = (own: OwnKey): void => session.set({ key: own.keyId, own, role: own.role, api: clientOf(undefined) })

const place = 'lotkeeper.session'

/** All tabs share the cookie: the others ask who is signed in now. */
function tellOtherTabs(): void {
  localStorage.setItem(place, 'changed')
  localStorage.removeItem(place)
}

addEventListener('storage', ({ key, newValue }) => {
  if (key === place && newValue !== null) void findSession()
})

interface Patience {
  readonly retries?: number
  readonly onRetry?: () => void
}

/** Times a call of long work is sent again when the service is busy: some minutes. */
const patientRetries = 12

/** A client for background work. */
export const patientClient = (onRetry: () => void): Client => clientOf(undefined, { retries: patientRetries, onRetry })

/** Every answer and every failure shows whether the service is up and the session still valid. */
function clientOf(key: string | undefined, { retries = 1, onRetry }: Patience = {}): Client {
  const send: typeof fetch = async (input, init) => {
    try {
      const response = await fetch(input, init)
      noteAnswered()
      if (response.status === 401) endSession()
      return response
    } catch (error) {
      const { aborted = false, reason } = init?.signal ?? {}
      if (!aborted || reason instanceof UnreachableError) noteFailure()
      throw error
    }
  }
  return lotkeeper({ url: '', key, retries, fetch: send, ...(onRetry && { onRetry }) })
}

/** The session on pages that require one. */
export function useOpenSession(): Session {
  const open = useSession()
  if (open === undefined) throw new Error('Nobody is signed in.')
  return open
}

/** True when the signed-in key has at least this role: operations beyond it are not offered. */
export const useMay = (role: Role): boolean => mayAs(useOpenSession().role, role)
