// People and keys: who is signed in, and for administrators all of the provider, new ones, one
// changed, one revoked.
import { useState } from 'preact/hooks'
import type { CreatedKey, KeySummary } from '../../client/generated/shapes.ts'
import type { Shape } from '../../contract/field.ts'
import { type Role, roles } from '../../contract/role.ts'
import { NewKey } from '../../operations/keys.ts'
import { copy } from '../files/clipboard.ts'
import { Confirmation } from '../parts/confirmation.tsx'
import { DateInput } from '../parts/date-input.tsx'
import { KeyFields, roleWords, settingsIn } from '../parts/key-fields.tsx'
import { Instant, KeyTable, nameOf } from '../parts/key-table.tsx'
import { Modal } from '../parts/modal.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { When } from '../parts/states.tsx'
import { say } from '../state/notices.ts'
import { useRequest } from '../state/request.ts'
import { findSession, useIdentityProvider, useMay, useOpenSession } from '../state/session.ts'
import { textIn, useSubmission } from '../state/submission.ts'
import { failureSentence } from '../words/failure-words.ts'

const { expiresDate: expiresShape } = (NewKey as Shape).properties ?? {}

export function KeysPage() {
  const { own } = useOpenSession()
  const mayManage = useMay('administrator')
  return (
    <>
      <PageHead title="People and keys">
        <p>
          You are signed in{' '}
          {own.personName !== null && (
            <>
              as <bdi>{own.personName}</bdi>{' '}
            </>
          )}
          {own.isPerson ? (
            <>
              with <bdi>{own.email ?? own.label}</bdi> (<code>{own.keyId}</code>) at <bdi>{own.provider}</bdi>. Your
              role is {own.role}: it {roleWords[own.role]}.
            </>
          ) : (
            <>
              with {own.label !== '' && <bdi>“{own.label}” </bdi>}(<code>{own.keyId}</code>) of{' '}
              <bdi>{own.provider}</bdi>, a key that {roleWords[own.role]}.{' '}
              {own.expiresDateTime === null ? 'It does not expire.' : 'It expires '}
              {own.expiresDateTime !== null && <Instant instant={own.expiresDateTime} never="" />}
            </>
          )}
        </p>
      </PageHead>
      {mayManage ? (
        <AllKeys />
      ) : (
        <p class="callout">
          Only an administrator can invite people and create keys. {own.isPerson ? 'Your role is' : 'Yours is a'}{' '}
          {own.role}
          {!own.isPerson && ' key'}. The operator of the service creates the first administrator key:{' '}
          <code>lotkeeper keys create --role administrator</code>.
        </p>
      )}
    </>
  )
}

function AllKeys() {
  const { api } = useOpenSession()
  const identityProvider = useIdentityProvider()
  const [made, setMade] = useState<CreatedKey>()
  const [leaving, setLeaving] = useState<KeySummary>()
  const [changing, setChanging] = useState<KeySummary>()
  const keys = useRequest(async (signal) => (await api.listKeys({ signal })).body.content, [])
  const table = (all: readonly KeySummary[], isOfPeople: boolean) => (
    <KeyTable
      keys={all.filter(({ isPerson }) => isPerson === isOfPeople)}
      isOfPeople={isOfPeople}
      onChange={setChanging}
      onRevoke={setLeaving}
    />
  )
  return (
    <>
      {identityProvider !== null && (
        <section class="key-section" aria-labelledby="people">
          <h2 id="people">People</h2>
          <InvitePerson identityProvider={identityProvider.name} onInvited={keys.again} />
          <When asked={keys} what="the people">
            {(all) =>
              all.some(({ isPerson }) => isPerson) ? (
                table(all, true)
              ) : (
                <p class="quiet">Nobody has signed in with {identityProvider.name} or is invited yet.</p>
              )
            }
          </When>
        </section>
      )}
      <section class="key-section" aria-labelledby="keys">
        <h2 id="keys">Keys</h2>
        {made === undefined ? (
          <CreateKey
            onMade={(key) => {
              setMade(key)
              keys.again()
            }}
          />
        ) : (
          <MadeKey made={made} onDone={() => setMade(undefined)} />
        )}
        <When asked={keys} what="the keys">
          {(all) => (
            <>
              {table(all, false)}
              {identityProvider === null && all.some(({ isPerson }) => isPerson) && (
                <>
                  <h2>People</h2>
                  {table(all, true)}
                </>
              )}
            </>
          )}
        </When>
      </section>
      {changing && (
        <ChangeKey
          key={changing.keyId}
          changing={changing}
          onDone={(changed) => {
            setChanging(undefined)
            if (changed) keys.again()
          }}
        />
      )}
      {leaving && (
        <RevokeKey
          key={leaving.keyId}
          leaving={leaving}
          onDone={(revoked) => {
            setLeaving(undefined)
            if (revoked) keys.again()
          }}
        />
      )}
    </>
  )
}

interface InviteProps {
  /** What it is called. */
  readonly identityProvider: string
  readonly onInvited: () => void
}

function InvitePerson({ identityProvider, onInvited }: InviteProps) {
  const { api } = useOpenSession()
  const { isSending, fault, submit } = useSubmission()

  const send = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const form = event.currentTarget
    const text = textIn(form)
    await submit(async () => {
      await api.invitePerson({ body: { email: text('email'), role: text('role') as Role } })
      say(`${text('email')} may sign in with ${identityProvider}`)
      form.reset()
      onInvited()
    })
  }

  return (
    <form class="new-key" onSubmit={send} aria-label="Invite a person">
      <div class="form-fields">
        <div class="form-field">
          <label for="invite-email">E-mail address</label>
          <input
            id="invite-email"
            name="email"
            type="email"
            required
            autocomplete="off"
            placeholder="ana.lopez@example.com"
            aria-describedby="invite-email-hint"
          />
          <p id="invite-email-hint" class="quiet small">
            As {identityProvider} knows the person. No mail is sent. Give the person the address of the console.
          </p>
        </div>
        <div class="form-field">
          <label for="invite-role">Role of the person</label>
          <select id="invite-role" name="role">
            {roles.map((role) => (
              <option key={role} value={role}>
                {role}
              </option>
            ))}
          </select>
        </div>
      </div>
      <p class="fault" role="alert">
        {fault}
      </p>
      <button type="submit" class="main" disabled={isSending}>
        {isSending ? 'Inviting…' : 'Invite person'}
      </button>
    </form>
  )
}

function CreateKey({ onMade }: { readonly onMade: (key: CreatedKey) => void }) {
  const { api } = useOpenSession()
  const { isSending, fault, submit } = useSubmission()

  const send = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const text = textIn(event.currentTarget)
    await submit(async () => {
      const until = text('expiresDate')
      onMade((await api.createKey({ body: { ...settingsIn(text), ...(until !== '' && { expiresDate: until }) } })).body)
    })
  }

  return (
    <form class="new-key" onSubmit={send} aria-labelledby="new-key">
      <h3 id="new-key">New key</h3>
      <div class="form-fields">
        <KeyFields form="key" />
        <div class="form-field">
          <label for="key-expires">Last day (optional)</label>
          <DateInput id="key-expires" name="expiresDate" aria-describedby="key-expires-hint" />
          <p id="key-expires-hint" class="quiet small">
            {expiresShape?.description}
          </p>
        </div>
      </div>
      <p class="fault" role="alert">
        {fault}
      </p>
      <button type="submit" class="main" disabled={isSending}>
        {isSending ? 'Creating…' : 'Create key'}
      </button>
    </form>
  )
}

interface ChangeProps {
  readonly changing: KeySummary
  readonly onDone: (changed: boolean) => void
}

function ChangeKey({ changing, onDone }: ChangeProps) {
  const { api, own } = useOpenSession()
  const { isSending, fault, submit } = useSubmission()
  const isOwn = changing.keyId === own.keyId

  const send = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const text = textIn(event.currentTarget)
    await submit(async () => {
      const body = settingsIn(text, isOwn ? changing.role : undefined)
      await api.changeKey({ id: changing.keyId, body })
      say(`“${body.personName ?? body.label}” is saved`)
      // The head of the page has the name too.
      if (isOwn) await findSession()
      onDone(true)
    })
  }

  return (
    <Modal labelledBy="change-key" onClose={() => onDone(false)}>
      <form class="new-key" onSubmit={send}>
        <h2 id="change-key">
          Edit <bdi>“{nameOf(changing)}”</bdi>
        </h2>
        <div class="form-fields">
          <KeyFields form="change" known={changing} isOwn={isOwn} />
        </div>
        <p class="fault" role="alert">
          {fault}
        </p>
        <p class="actions">
          <button type="submit" class="main" disabled={isSending}>
            {isSending ? 'Saving…' : 'Save'}
          </button>
          <button type="button" onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}>
            Cancel
          </button>
        </p>
      </form>
    </Modal>
  )
}

function MadeKey({ made, onDone }: { readonly made: CreatedKey; readonly onDone: () => void }) {
  return (
    <section class="callout fine made-key" aria-labelledby="made-key">
      <h2 id="made-key">
        The key <bdi>“{made.label}”</bdi> was created
      </h2>
      <p>
        <strong>Copy it now. It is shown only once and is not stored.</strong> Anyone who has it can do what a{' '}
        {made.role} can. Pass it on privately.
      </p>
      <p>
        <code class="whole-key">{made.key}</code>
      </p>
      <p class="actions">
        <button type="button" class="main" onClick={() => copy(made.key, 'Key')}>
          Copy key
        </button>
        <button type="button" onClick={onDone}>
          Done
        </button>
      </p>
    </section>
  )
}

interface RevokeProps {
  readonly leaving: KeySummary
  readonly onDone: (revoked: boolean) => void
}

function RevokeKey({ leaving, onDone }: RevokeProps) {
  const { api } = useOpenSession()
  const { keyId, role, lastUsedDateTime, isPerson } = leaving
  const revoke = async () => {
    try {
      await api.revokeKey({ id: keyId })
      say(isPerson ? `${nameOf(leaving)} can no longer sign in` : `The key “${nameOf(leaving)}” is revoked`)
      onDone(true)
    } catch (error) {
      say(failureSentence(error), 'failed')
      onDone(false)
    }
  }
  return (
    <Confirmation
      title={
        <>
          Revoke <bdi>“{nameOf(leaving)}”</bdi>?
        </>
      }
      words={isPerson ? 'Revoke access' : 'Revoke key'}
      busyWords="Revoking…"
      onConfirm={revoke}
      onClose={() => onDone(false)}
    >
      <p>
        {isPerson ? (
          <>Every session of this {role} ends within two seconds. To give the access back, invite the person again. </>
        ) : (
          <>
            Whatever uses this {role} key (<code>{keyId}</code>) stops working within two seconds. This cannot be
            undone.{' '}
          </>
        )}
        Last used: <Instant instant={lastUsedDateTime} never="never" />.
      </p>
    </Confirmation>
  )
}
