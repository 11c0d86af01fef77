// An invitation of a partner, opened from its link: accepting it makes a key, which signs in.
import { useEffect, useState } from 'preact/hooks'
import { ProblemError } from '../../../client/failure.ts'
import type { NewPartnerKey, OwnInvitation } from '../../../client/generated/shapes.ts'
import { copy } from '../../files/clipboard.ts'
import { Form } from '../../parts/fields/form.tsx'
import { Fault } from '../../parts/frame/fault.tsx'
import { Instant } from '../../parts/frame/instant.tsx'
import { When } from '../../parts/frame/states.tsx'
import { KeepSignedIn } from '../../parts/people/keep-signed-in.tsx'
import { go, useAddress } from '../../state/frame/address.ts'
import { useRequest } from '../../state/frame/request.ts'
import { acceptInvitation, readInvitation, signIn, useSession } from '../../state/frame/session.ts'
import { failureSentence } from '../../words/failure-words.ts'

const isInvalid = (error: unknown): boolean => error instanceof ProblemError && error.status < 429

const invalidSentence =
  'This invitation is not valid: it was used, has expired, or was revoked. Ask the sender for a new one.'

export function InvitationPage() {
  // The address loses the token when it is used.
  const [token] = useState(useAddress().hash)
  const [accepted, setAccepted] = useState<NewPartnerKey>()
  useEffect(() => {
    document.title = 'Invitation · Lotkeeper'
  }, [])
  const asked = useRequest((signal) => openInvitation(token, signal), [token])

  const accept = async () => {
    setAccepted(await acceptInvitation(token))
    history.replaceState(null, '', location.pathname)
  }
  if (accepted !== undefined) return <Accepted accepted={accepted} />
  return (
    <When asked={asked} what="the invitation">
      {(invitation) =>
        'fault' in invitation ? (
          <div class="sign-in">
            <h1>Invitation</h1>
            <Fault>{invitation.fault}</Fault>
          </div>
        ) : (
          <Form
            class="sign-in"
            words="Accept invitation"
            busyWords="Accepting…"
            onSend={accept}
            sentenceOf={(error) => (isInvalid(error) ? invalidSentence : failureSentence(error))}
          >
            <Invited invitation={invitation} />
          </Form>
        )
      }
    </When>
  )
}

/** The invitation, or why it cannot be accepted. */
async function openInvitation(token: string, signal: AbortSignal) {
  if (token === '') return { fault: 'The link is not complete. Open it again from the message that you received.' }
  try {
    return await readInvitation(token, signal)
  } catch (error) {
    if (isInvalid(error)) return { fault: invalidSentence }
    throw error
  }
}

function Invited({
  invitation: { sharedBy, partner, personName, expiresDateTime },
}: {
  readonly invitation: OwnInvitation
}) {
  const session = useSession()
  const sender = <bdi>{sharedBy ?? 'Somebody'}</bdi>
  return (
    <>
      <h1>
        {sender} invites {personName === null ? <bdi>{partner}</bdi> : 'you'}
      </h1>
      <p>
        {personName !== null && (
          <>
            Hello <bdi>{personName}</bdi>.{' '}
          </>
        )}
        {sender} shares traceability records with <bdi>{partner}</bdi>: the receiving events of your own places. With
        Lotkeeper you search them, trace lots, and download them for FDA.
      </p>
      {session !== undefined && (
        <p class="callout">
          You are signed in at <bdi>{session.own.provider}</bdi>. When you accept, this browser changes over to what is
          shared with you.
        </p>
      )}
      <p class="quiet">
        The invitation works once, until <Instant instant={expiresDateTime} toSecond />. Accepting it makes a key that
        is yours; do not pass the link on.
      </p>
    </>
  )
}

function Accepted({ accepted }: { readonly accepted: NewPartnerKey }) {
  const { key, sharedBy, partner } = accepted
  const open = async (text: (name: string) => string) => {
    await signIn(key, { keep: text('keep') !== '' })
    go('/')
  }
  return (
    <Form class="sign-in" words="Open the records" busyWords="Opening…" onSend={open}>
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
      <KeepSignedIn />
    </Form>
  )
}
