// Who is signed in: a key, kept for this tab until it is closed (decision 0033).
import { type Client, lotkeeper } from '../client/client.ts'
import { ProblemError } from '../client/failure.ts'
import { masterProduct } from '../contract/record-kinds.ts'
import { cell } from './cell.ts'
import { noteAnswered, noteFailure } from './connection.ts'
import { examplePayload } from './example-payload.ts'

export interface Session {
  readonly key: string
  readonly role: 'writer' | 'reader'
  readonly api: Client
}

const place = 'lotkeeper.session'

const session = cell<Session | undefined>(kept())
/** True when the key was valid and is no longer. */
const ended = cell(false)

export const useSession = (): Session | undefined => session.use()
export const useSessionEnded = (): boolean => ended.use()

/**
 * Signs in: a dry run of a create, which needs the database, stores nothing, and is refused to a reader.
 * Throws what the client throws when the key is not valid or the service is away.
 */
export async function signIn(key: string): Promise<void> {
  const body = examplePayload(masterProduct) as never
  let role: Session['role'] = 'writer'
  try {
    await clientOf(key).createMasterProducts({ body, dryRun: true })
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 403) throw error
    role = 'reader'
  }
  sessionStorage.setItem(place, JSON.stringify({ key, role }))
  ended.set(false)
  session.set({ key, role, api: clientOf(key) })
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

/** Every answer and every failure tells whether the service is there and the key still valid. */
function clientOf(key: string): Client {
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
  return lotkeeper({ url: '', key, retries: 1, fetch: send })
}

function kept(): Session | undefined {
  try {
    const { key, role } = JSON.parse(sessionStorage.getItem(place) ?? '{}') as Partial<Session>
    return key && role ? { key, role, api: clientOf(key) } : undefined
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
