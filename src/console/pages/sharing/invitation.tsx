// An invitation of a partner, opened from its link: accepting it makes a key, which signs in.
import { useEffect, useState } from 'preact/hooks'
import { ProblemError } from '../../../client/failure.ts'
import type { NewPartnerKey } from '../../../client/generated/shapes.ts'
import { copy } from '../../files/clipboard.ts'
import { FormEnd } from '../../parts/fields/form-end.tsx'
import { Fault } from '../../parts/frame/fault.tsx'
import { go, useAddress } from '../../state/frame/address.ts'
import { acceptInvitation, signIn, useSession } from '../../state/frame/session.ts'
import { useSubmission } from '../../state/frame/submission.ts'
import { failureSentence } from '../../words/failure-words.ts'

const faultOf = (error: unknown): string =>
  error instanceof ProblemError && error.status < 429
    ? 'This invitation is not valid: it was used, has expired, or was revoked. Ask the sender for a new one.'
    : failureSentence(error)

export function InvitationPage() {
  // The address loses the token when it is used.
  const [token] = useState(useAddress().hash)
  const session = useSession()
  const submission = useSubmission()
  const [accepted, setAccepted] = useState<NewPartnerKey>()
  useEffect(() => {
    document.title = 'Invitation · Lotkeeper'
  }, [])

  const accept = (event: Event) => {
    event.preventDefault()
    return submission.submit(async () => {
      setAccepted(await acceptInvitation(token))
      history.replaceState(null, '', location.pathname)
    }, faultOf)
  }
  if (accepted !== undefined) return <Accepted accepted={accepted} />
  return (
    <form class="sign-in" onSubmit={accept}>
      <h1>Invitation</h1>
      <p>
        Somebody shares traceability records with you: the receiving events of your own places. With Lotkeeper you
        search them, trace lots, and download them for FDA.
      </p>
      {session !== undefined && (
        <p class="callout">
          You are signed in at <bdi>{session.own.provider}</bdi>. When you accept, this browser changes over to what is
          shared with you.
        </p>
      )}
      <p class="quiet">The invitation works once. Accepting it makes a key that is yours; do not pass the link on.</p>
      {token === '' ? (
        <Fault>The link is not complete. Open it again from the message that you received.</Fault>
      ) : (
        <FormEnd submission={submission} words="Accept invitation" busyWords="Accepting…" />
      )}
    </form>
  )
}

function Accepted({ accepted }: { readonly accepted: NewPartnerKey }) {
  const { key, sharedBy, partner } = accepted
  const submission = useSubmission()
  const [keep, setKeep] = useState(false)
  const open = (event: Event) => {
    event.preventDefault()
    return submission.submit(async () => {
      await signIn(key, keep)
      go('/')
    })
  }
  return (
    <form class="sign-in" onSubmit={open}>
      <h1>Welcome</h1>
      <p>
        You can read what <bdi>{sharedBy ?? 'the sender'}</bdi> shares with <bdi>{partner}</bdi>.
      </p>
      <section class="callout fine made-key" aria-labelledby="partner-key">
        <h2 id="partner-key">Your key</h2>
        <p>
          <strong>Copy it now. It is shown only once.</strong> You sign in with it on another day or computer, and your
          programs read with it. Whoever has it reads what you read.
        </p>
        <p>
          <code class="whole-key">{key}</code>
        </p>
        <p class="actions">
          <button type="button" onClick={() => copy(key, 'Key')}>
            Copy key
          </button>
        </p>
      </section>
      <label class="check" for="keep">
        <input
          id="keep"
          type="checkbox"
          checked={keep}
          aria-describedby="keep-hint"
          onChange={({ currentTarget }) => setKeep(currentTarget.checked)}
        />
        Keep me signed in on this computer
      </label>
      <p id="keep-hint" class="quiet small">
        For 30 days. Otherwise you are signed out when you close the browser, and after a day.
      </p>
      <FormEnd submission={submission} words="Open the records" busyWords="Opening…" />
    </form>
  )
}
