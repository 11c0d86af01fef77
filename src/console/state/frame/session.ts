// Who is signed in: the browser has the cookie of a session, which no script can read (decision
// 0061).
import { type Client, lotkeeper } from '../../../client/client.ts'
import { UnreachableError } from '../../../client/failure.ts'
import type { NewPartnerKey, OwnKey, SignedIn } from '../../../client/generated/shapes.ts'
import { mayAs, type Role } from '../../../contract/role.ts'
import { failureWords } from '../../words/failure-words.ts'
import { noteAnswered, noteFailure } from './connection.ts'
import { clearDevice, keptKey, lockDevice } from './device.ts'
import { signal } from './signal.ts'
import { say } from './toasts.ts'

/** What the service says of who is signed in. */
export interface Session {
  /** Id of the key that the session speaks for. */
  readonly key: string
  readonly own: OwnKey
  readonly role: Role
  readonly api: Client
}

/** What `/sign-in` answers. */
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
/** True when somebody was signed in and no longer is, without having signed out. */
const ended = signal(false)
/** False until the service has said who is signed in. */
const isKnown = signal(false)
const identityProvider = signal<IdentityProvider | null>(null)

export const useSession = (): Session | undefined => session.use()
export const useSessionEnded = (): boolean => ended.use()
export const useSessionKnown = (): boolean => isKnown.use()
export const useIdentityProvider = (): IdentityProvider | null => identityProvider.use()

/** Asks the service who is signed in in this browser. */
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
    // At the dock, work goes on: the service checks each call once it is back.
    const kept = keptKey()
    if (session.get() === undefined && kept !== undefined) begin(kept)
  }
}

/** Who is signed in, if the service says so now or has said so since the page was loaded. */
export async function findConfirmedSession(): Promise<Session | undefined> {
  if (!isKnown.get()) await findSession()
  return isKnown.get() ? session.get() : undefined
}

/**
 * Signs in with a key, which is exchanged for a session. Throws what the client throws when the key
 * is not valid or the service is away.
 */
export async function signIn(key: string, keep: boolean): Promise<void> {
  const { body } = await clientOf(key).createSession({ body: { keep } })
  ended.set(false)
  open(body)
  tellOtherTabs()
}

/** Accepts an invitation, whoever is signed in: its token is a key that can do nothing else. */
export const acceptInvitation = async (token: string): Promise<NewPartnerKey> =>
  (await lotkeeper({ url: '', key: token }).acceptInvitation({ body: {} })).body

/**
 * Ends the session here, at the service and at the identity provider. Where the service is away, it
 * goes on.
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

/** Ends the sessions of every browser of whoever is signed in. */
export async function signOutEverywhere(): Promise<void> {
  const provider = session.get()?.own.provider
  try {
    await session.get()?.api.endOwnSessions()
  } catch (error) {
    if (session.get() !== undefined) return say(`You are still signed in. ${failureWords(error).title}.`, 'failed')
  }
  leave(provider)
}

/** Somebody signed out: nothing of the provider stays on the device. */
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
  // The same one again draws nothing anew.
  else if (JSON.stringify(session.get()?.own) !== JSON.stringify(own)) begin(own)
}

const begin = (own: OwnKey): void => session.set({ key: own.keyId, own, role: own.role, api: clientOf(undefined) })

const place = 'lotkeeper.session'

/** The cookie is that of all tabs: the others ask whose it is now. */
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

/** A client for work that nobody waits for call by call. */
export const patientClient = (onRetry: () => void): Client => clientOf(undefined, { retries: patientRetries, onRetry })

/**
 * Every answer and every failure tells whether the service is there and the session still valid.
 */
function clientOf(key: string | undefined, { retries = 1, onRetry }: Patience = {}): Client {
  const send: typeof fetch = async (input, init) => {
    try {
      const response = await fetch(input, init)
      noteAnswered()
      if (response.status === 401) endSession()
      return response
    } catch (error) {
      if (!init?.signal?.aborted) noteFailure()
      throw error
    }
  }
  return lotkeeper({ url: '', key, retries, fetch: send, ...(onRetry && { onRetry }) })
}

/** The session on pages that are only shown to who is signed in. */
export function useOpenSession(): Session {
  const open = useSession()
  if (open === undefined) throw new Error('Nobody is signed in.')
  return open
}

/**
 * True when the key that is signed in may do what asks for this role: what it may not is not
 * offered.
 */
export const useMay = (role: Role): boolean => mayAs(useOpenSession().role, role)
