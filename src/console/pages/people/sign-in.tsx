// Sign in: with the account of the organisation where there is an identity provider, or with a key,
// which is exchanged for a session and not kept.
import { useEffect, useRef, useState } from 'preact/hooks'
import { ProblemError } from '../../../client/failure.ts'
import { Fault } from '../../parts/frame/fault.tsx'
import { KeepSignedIn } from '../../parts/people/keep-signed-in.tsx'
import { useAddress } from '../../state/frame/address.ts'
import { signIn, useIdentityProvider, useSessionEnded } from '../../state/frame/session.ts'
import { textIn } from '../../state/frame/submission.ts'
import { failureWords, keyFault } from '../../words/failure-words.ts'

export function SignInPage() {
  const ended = useSessionEnded()
  const identityProvider = useIdentityProvider()
  const field = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const [shown, setShown] = useState(false)
  const [asking, setAsking] = useState(false)
  const [fault, setFault] = useState<string>()

  useEffect(() => {
    document.title = 'Sign in · Lotkeeper'
    // If both ways are offered, the focus goes to neither.
    ;(identityProvider === null ? field : heading).current?.focus()
  }, [])

  const send = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const text = textIn(event.currentTarget)
    const key = text('key')
    const found = keyFault(key)
    setFault(found)
    if (found !== undefined) return field.current?.focus()
    setAsking(true)
    try {
      await signIn(key, { keep: text('keep') !== '' })
    } catch (error) {
      setAsking(false)
      setFault(wordsOf(error))
      field.current?.focus()
    }
  }

  return (
    <form class="sign-in" onSubmit={send} noValidate>
      <h1 ref={heading} tabIndex={-1}>
        Sign in
      </h1>
      {ended && (
        <p class="callout" role="alert">
          Your session is no longer valid: it has ended, or its key has expired or was revoked. Sign in again to return
          to this page.
        </p>
      )}
      {identityProvider !== null && <ProviderSignIn identityProvider={identityProvider} />}
      <label for="key">Key</label>
      <div class="with-button">
        <input
          id="key"
          name="key"
          ref={field}
          // The types of Preact know no field that is now of one type and now of the other.
          type={(shown ? 'text' : 'password') as 'password'}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder="lk_…"
          aria-invalid={fault !== undefined}
          aria-describedby="key-fault key-hint"
        />
        <button type="button" onClick={() => setShown(!shown)} aria-pressed={shown}>
          {shown ? 'Hide' : 'Show'}
        </button>
      </div>
      <Fault id="key-fault">{fault}</Fault>
      <KeepSignedIn />
      <button type="submit" class={identityProvider === null ? 'main' : undefined} disabled={asking}>
        {asking ? 'Signing in…' : 'Sign in'}
      </button>
      <p id="key-hint" class="quiet">
        {identityProvider === null
          ? 'The first start of the service printed a key. An administrator creates more on the page “People and keys”. '
          : 'Keys are for programs, and for the first administrator, who invites the others. '}
        The console does not store the key.
      </p>
    </form>
  )
}

interface ProviderProps {
  readonly identityProvider: NonNullable<ReturnType<typeof useIdentityProvider>>
}

/** Signs in with the account of the organisation. */
function ProviderSignIn({ identityProvider: { address, name } }: ProviderProps) {
  const { path, query } = useAddress()
  return (
    <>
      <a class="button main" href={`${address}?return=${encodeURIComponent(path + (query && `?${query}`))}`}>
        <span>
          Continue with <bdi>{name}</bdi>
        </span>
      </a>
      <p class="or">or with a key</p>
    </>
  )
}

function wordsOf(error: unknown): string {
  if (error instanceof ProblemError && error.status === 401)
    return 'The service does not accept this key: it is mistyped, has expired, or was revoked.'
  const { title, detail } = failureWords(error)
  return error instanceof ProblemError ? `${title}. ${detail}` : `${title}. The key was not checked. Try again.`
}
