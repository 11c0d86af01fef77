// Who is signed in: a key, kept for this tab until it is closed (decision 0033).
import { type Client, lotkeeper } from '../../client/client.ts'
import type { OwnKey } from '../../client/generated/shapes.ts'
import { mayAs, type Role } from '../../contract/role.ts'
import { noteAnswered, noteFailure } from './connection.ts'
import { signal } from './signal.ts'

/** What the service says of the key that asks. */
export interface Session {
  readonly key: string
  readonly own: OwnKey
  readonly role: Role
  readonly api: Client
}

const place = 'lotkeeper.session'

const session = signal<Session | undefined>(storedSession())
/** True when the key was valid and is no longer. */
const ended = signal(false)

export const useSession = (): Session | undefined => session.use()
export const useSessionEnded = (): boolean => ended.use()

/** Signs in. Throws what the client throws when the key is not valid or the service is away. */
export async function signIn(key: string): Promise<void> {
  const { body: own } = await clientOf(key).readOwnKey({})
  sessionStorage.setItem(place, JSON.stringify({ key, own }))
  ended.set(false)
  session.set(sessionOf(key, own))
}

export function signOut(): void {
  sessionStorage.removeItem(place)
  ended.set(false)
  session.set(undefined)
}

/** The service no longer takes the key: sign in again, and stay on the page. */
function endSession(): void {
  if (session.get() === undefined) return
  sessionStorage.removeItem(place)
  ended.set(true)
  session.set(undefined)
}

function sessionOf(key: string, own: OwnKey): Session {
  return { key, own, role: own.role, api: clientOf(key) }
}

interface Patience {
  readonly retries?: number
  readonly onRetry?: () => void
}

/** Times a call of long work is sent again when the service is busy: some minutes. */
const patientRetries = 12

/** The client of a session for work that nobody waits for call by call. */
export const patientClient = ({ key }: Session, onRetry: () => void): Client =>
  clientOf(key, { retries: patientRetries, onRetry })

/** Every answer and every failure tells whether the service is there and the key still valid. */
function clientOf(key: string, { retries = 1, onRetry }: Patience = {}): Client {
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

function storedSession(): Session | undefined {
  try {
    const { key, own } = JSON.parse(sessionStorage.getItem(place) ?? '{}') as Partial<Session>
    return key && own ? sessionOf(key, own) : undefined
  } catch {
    return undefined
  }
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
