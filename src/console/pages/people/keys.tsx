// People and keys: the current session, and for administrators all keys of the provider: create,
// change, revoke.
import { useState } from 'preact/hooks'
import type { CreatedKey, KeySettings, KeySummary, RotatedKey } from '../../../client/generated/shapes.ts'
import { type OwnRole, ownRoles } from '../../../contract/role.ts'
import type { Shape } from '../../../contract/shape/field.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { NewKey } from '../../../operations/people/keys.ts'
import { copy } from '../../files/clipboard.ts'
import { Form } from '../../parts/fields/form.tsx'
import { type SettingField, SettingFields } from '../../parts/fields/setting-fields.tsx'
import { Confirmation } from '../../parts/frame/confirmation.tsx'
import { Instant } from '../../parts/frame/instant.tsx'
import { CloseDialog, Modal } from '../../parts/frame/modal.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { When } from '../../parts/frame/states.tsx'
import { KeyFields, roleWords, settingsIn } from '../../parts/people/key-fields.tsx'
import { GuardedEdit } from '../../parts/records/guarded-edit.tsx'
import { LocalTable } from '../../parts/tables/local-table.tsx'
import { keyTable, nameOf, stateOf, stateTags } from '../../records/key-table.tsx'
import { useRequest } from '../../state/frame/request.ts'
import {
  findSession,
  signOutEverywhere,
  useIdentityProvider,
  useMay,
  useOpenSession,
} from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import type { PageProps } from '../frame/page.ts'

const { expiresDate: expiresShape } = (NewKey as Shape).properties ?? {}

const expiresField: SettingField = {
  is: 'date',
  name: 'expiresDate',
  label: 'Last day (optional)',
  hint: expiresShape?.description,
}

export function KeysPage({ query }: PageProps) {
  const { own } = useOpenSession()
  const mayManage = useMay('administrator')
  const identityProvider = useIdentityProvider()
  const [isLeaving, setLeaving] = useState(false)
  const [making, setMaking] = useState<'person' | 'key'>()
  return (
    <>
      <PageHead
        title="People and keys"
        actions={
          mayManage && (
            <>
              {identityProvider !== null && (
                <button type="button" onClick={() => setMaking('person')}>
                  Invite person
                </button>
              )}
              <button type="button" class="main" onClick={() => setMaking('key')}>
                New key
              </button>
            </>
          )
        }
      >
        <OwnAccess />
        <p>
          <button type="button" onClick={() => setLeaving(true)}>
            Sign out everywhere
          </button>
        </p>
      </PageHead>
      {mayManage ? <AllKeys query={query} making={making} onMade={() => setMaking(undefined)} /> : <WhoManages />}
      {isLeaving && (
        <Confirmation
          title="Sign out everywhere?"
          words="Sign out everywhere"
          busyWords="Signing out…"
          onConfirm={async () => {
            await signOutEverywhere()
            setLeaving(false)
          }}
          onClose={() => setLeaving(false)}
        >
          <p>
            Every browser that is signed in {own.isPerson ? 'as you' : 'with this key'} is signed out within two
            seconds, this one too.{' '}
            {own.isPerson ? 'You can sign in again.' : 'The key stays valid: who has it can sign in again.'}
          </p>
        </Confirmation>
      )}
    </>
  )
}

/** Who is signed in, and with which role. */
function OwnAccess() {
  const { own } = useOpenSession()
  return (
    <p>
      You are signed in{' '}
      {own.personName !== null && (
        <>
          as <bdi>{own.personName}</bdi>{' '}
        </>
      )}
      {own.isPerson ? (
        <>
          with <bdi>{own.email ?? own.label}</bdi> (<code>{own.keyId}</code>) at <bdi>{own.provider}</bdi>. Your role is{' '}
          {own.role}: it {roleWords[own.role]}.
        </>
      ) : (
        <>
          with {own.label === '' ? 'the key' : <bdi>“{own.label}”</bdi>} <code>{own.keyId}</code> of{' '}
          <bdi>{own.provider}</bdi>, a key that {roleWords[own.role]}.{' '}
          {own.expiresDateTime === null ? 'It does not expire.' : 'It expires '}
          {own.expiresDateTime !== null && <Instant instant={own.expiresDateTime} never="" />}
        </>
      )}
    </p>
  )
}

/** Whom to ask, for those who cannot manage keys. */
function WhoManages() {
  const { own } = useOpenSession()
  return (
    <p class="callout">
      {own.sharedBy !== null ? (
        <>
          To give somebody else access, ask <bdi>{own.sharedBy}</bdi> for another invitation.
        </>
      ) : (
        <>
          Only an administrator can invite people and create keys. {own.isPerson ? 'Your role is' : 'Yours is a'}{' '}
          {own.role}
          {!own.isPerson && ' key'}. The operator of the service creates the first administrator key:{' '}
          <code>lotkeeper keys create --role administrator</code>.
        </>
      )}
    </p>
  )
}

interface AllProps {
  readonly query: URLSearchParams
  /** Which form is open. */
  readonly making: 'person' | 'key' | undefined
  readonly onMade: () => void
}

/** The question before an action. */
type Asking = { readonly what: 'revoke' | 'rotate' | 'signOut'; readonly key: KeySummary }

function AllKeys({ query, making, onMade }: AllProps) {
  const { api } = useOpenSession()
  const identityProvider = useIdentityProvider()
  const [made, setMade] = useState<MadeKeyValue>()
  const [asking, setAsking] = useState<Asking>()
  const keys = useRequest(async (signal) => (await api.listKeys({ signal })).body.content, [])
  const show = (key: MadeKeyValue) => {
    setMade(key)
    onMade()
    keys.again()
    scrollTo(0, 0)
  }
  const done = (isChanged: boolean) => {
    setAsking(undefined)
    if (isChanged) keys.again()
  }
  return (
    <>
      {made !== undefined && <MadeKey made={made} onDone={() => setMade(undefined)} />}
      <When asked={keys} what="people and keys">
        {(all) => (
          <LocalTable
            table={keyTable}
            rows={all}
            keyOf={({ keyId }) => keyId}
            query={query}
            shownElsewhere={['state']}
            opened={(key, close) => (
              <OneKey
                key={key.keyId}
                summary={key}
                onAsk={(what) => {
                  close()
                  setAsking({ what, key })
                }}
                onDone={(isChanged) => {
                  close()
                  if (isChanged) keys.again()
                }}
              />
            )}
          />
        )}
      </When>
      {making === 'person' && identityProvider !== null && (
        <Modal labelledBy="invite-person" onClose={onMade}>
          <InvitePerson
            identityProvider={identityProvider.name}
            onInvited={() => {
              onMade()
              keys.again()
            }}
          />
        </Modal>
      )}
      {making === 'key' && (
        <Modal labelledBy="new-key" onClose={onMade}>
          <CreateKey onMade={show} />
        </Modal>
      )}
      {asking?.what === 'revoke' && <RevokeKey leaving={asking.key} onDone={done} />}
      {asking?.what === 'rotate' && (
        <RotateKey
          replaced={asking.key}
          onDone={(key) => {
            setAsking(undefined)
            if (key !== undefined) show(key)
          }}
        />
      )}
      {asking?.what === 'signOut' && <SignOutKey key={asking.key.keyId} summary={asking.key} onDone={done} />}
    </>
  )
}

interface InviteProps {
  /** Its name on the page. */
  readonly identityProvider: string
  readonly onInvited: () => void
}

function InvitePerson({ identityProvider, onInvited }: InviteProps) {
  const { api } = useOpenSession()
  const send = async (text: (name: string) => string) => {
    await api.invitePerson({ body: { email: text('email'), role: text('role') as OwnRole } })
    say(`${text('email')} may sign in with ${identityProvider}`)
    onInvited()
  }
  const fields: readonly SettingField[] = [
    {
      name: 'email',
      label: 'E-mail address',
      type: 'email',
      required: true,
      placeholder: 'ana.lopez@example.com',
      hint: `As ${identityProvider} knows the person. No mail is sent. Give the person the address of the console.`,
    },
    { is: 'choice', name: 'role', label: 'Role of the person', choices: ownRoles.map((role) => [role, role]) },
  ]
  return (
    <Form aria-labelledby="invite-person" words="Invite" busyWords="Inviting…" onSend={send} beside={<CloseDialog />}>
      <h2 id="invite-person">Invite a person</h2>
      <SettingFields form="invite" fields={fields} values={{}} />
    </Form>
  )
}

function CreateKey({ onMade }: { readonly onMade: (key: CreatedKey) => void }) {
  const { api } = useOpenSession()
  const send = async (text: (name: string) => string) => {
    const until = text('expiresDate')
    onMade((await api.createKey({ body: { ...settingsIn(text), ...(until !== '' && { expiresDate: until }) } })).body)
  }
  return (
    <Form aria-labelledby="new-key" words="Create key" busyWords="Creating…" onSend={send} beside={<CloseDialog />}>
      <h2 id="new-key">New key</h2>
      <KeyFields form="key" more={[expiresField]} />
    </Form>
  )
}

interface OneKeyProps {
  readonly summary: KeySummary
  readonly onAsk: (what: Asking['what']) => void
  readonly onDone: (isChanged: boolean) => void
}

/** A key or person: its facts, its fields, and its actions. */
function OneKey({ summary, onAsk, onDone }: OneKeyProps) {
  const { api, own } = useOpenSession()
  const { keyId, isPerson, email, lastUsedDateTime, createdDateTime, expiresDateTime } = summary
  const isOwn = keyId === own.keyId
  const state = stateOf(summary)
  const read = async (signal?: AbortSignal) => {
    const { body, version = 1 } = await api.readKey({ id: keyId, signal })
    return { content: settingsOf(body), version }
  }
  const asked = useRequest(read, [keyId])

  return (
    <Modal labelledBy="one-key" onClose={() => onDone(false)}>
      <h2 id="one-key">
        <bdi>{nameOf(summary)}</bdi> <span class={`tag ${stateTags[state]}`}>{state}</span>
      </h2>
      <p class="quiet small">
        {isPerson ? 'Person' : 'Key'} <code>{keyId}</code>
        {email !== null && (
          <>
            {' '}
            · <bdi>{email}</bdi>
          </>
        )}
        {isOwn && ` · ${isPerson ? 'this is you' : 'you are signed in with it'}`}
        <br />
        Created <Instant instant={createdDateTime} never="" /> · last used <Instant instant={lastUsedDateTime} /> ·
        expires <Instant instant={expiresDateTime} />
      </p>
      {state === 'revoked' ? (
        <p>It is revoked and cannot be used again. {isPerson ? 'Invite the person again.' : 'Create a new key.'}</p>
      ) : (
        <When asked={asked} what="the key">
          {(start) => (
            <GuardedEdit<KeySettings>
              noun={isPerson ? 'person' : 'key'}
              start={start}
              read={read}
              send={(body, version) => api.changeKey({ id: keyId, body, ifMatch: version })}
              onSaved={async ({ personName, label }) => {
                say(`“${personName ?? label}” is saved`)
                // The head of the page has the name too.
                if (isOwn) await findSession()
                onDone(true)
              }}
            >
              {({ content, save }) => <KeyForm summary={summary} known={content} isOwn={isOwn} onSend={save} />}
            </GuardedEdit>
          )}
        </When>
      )}
      <p class="actions dialog-end">
        {state === 'valid' && !isPerson && (
          <button type="button" onClick={() => onAsk('rotate')}>
            Replace key
          </button>
        )}
        {state !== 'revoked' && (
          <button type="button" onClick={() => onAsk('signOut')}>
            Sign out everywhere
          </button>
        )}
        {state !== 'revoked' && !isOwn && (
          <button type="button" onClick={() => onAsk('revoke')}>
            Revoke
          </button>
        )}
        <CloseDialog words="Close" />
      </p>
    </Modal>
  )
}

interface KeyFormProps {
  readonly summary: KeySummary
  /** The initial values of the form. */
  readonly known: KeySettings
  readonly isOwn: boolean
  readonly onSend: (settings: KeySettings) => Promise<void>
}

const KeyForm = ({ summary, known, isOwn, onSend }: KeyFormProps) => (
  <Form words="Save" busyWords="Saving…" onSend={(text) => onSend(settingsIn(text, isOwn ? summary.role : undefined))}>
    <KeyFields form="change" known={{ ...summary, ...known }} isOwn={isOwn} />
  </Form>
)

const settingsOf = ({ role, label, personName }: KeySummary): KeySettings => ({
  role,
  label,
  ...(personName !== null && { personName }),
})

/** A key that is shown once, and when the one that it replaces ends. */
type MadeKeyValue = CreatedKey & Partial<Pick<RotatedKey, 'replaced'>>

function MadeKey({ made, onDone }: { readonly made: MadeKeyValue; readonly onDone: () => void }) {
  return (
    <section class="callout fine made-key" tabIndex={-1} data-arrival aria-labelledby="made-key">
      <h2 id="made-key">
        The key <bdi>“{made.label}”</bdi> was created
      </h2>
      <p>
        <strong>Copy it now. It is shown only once and is not stored.</strong> Anyone who has it can do what a{' '}
        {made.role} can. Pass it on privately.
      </p>
      {made.replaced && (
        <p>
          It replaces key <code>{made.replaced.keyId}</code>, which ends{' '}
          <Instant instant={made.replaced.expiresDateTime} never="" />. Give the new key to every program before then.
        </p>
      )}
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

/** Hours that a replaced key can stay valid. */
const overlapField: SettingField = {
  is: 'choice',
  name: 'overlap',
  label: 'The old key ends',
  choices: [
    ['0', 'at once'],
    ['1', 'in one hour'],
    ['24', 'in one day'],
    ['168', 'in one week'],
    ['720', 'in 30 days'],
  ],
}

interface RotateProps {
  readonly replaced: KeySummary
  /** With the new key; without one when the dialog was closed. */
  readonly onDone: (key?: MadeKeyValue) => void
}

function RotateKey({ replaced, onDone }: RotateProps) {
  const { api } = useOpenSession()
  const send = async (text: (name: string) => string) => {
    const body = { overlapHours: Number(text('overlap')) }
    onDone((await api.rotateKey({ id: replaced.keyId, body })).body)
  }
  return (
    <Modal labelledBy="rotate-key" onClose={() => onDone()}>
      <Form words="Create new key" busyWords="Replacing…" onSend={send} beside={<CloseDialog />}>
        <h2 id="rotate-key">
          Replace <bdi>“{nameOf(replaced)}”</bdi>
        </h2>
        <p>
          A new key is created with the same role, label and person. The old one (<code>{replaced.keyId}</code>) stays
          valid until it ends, so that programs can change over.
        </p>
        <SettingFields form="rotate" fields={[overlapField]} values={{ overlap: 24 }} />
      </Form>
    </Modal>
  )
}

interface AskedProps {
  readonly summary: KeySummary
  readonly onDone: (isChanged: boolean) => void
}

function SignOutKey({ summary, onDone }: AskedProps) {
  const { api } = useOpenSession()
  const end = async () => {
    const { sessions } = (await api.endKeySessions({ id: summary.keyId })).body
    say(sessions === 0 ? `“${nameOf(summary)}” was not signed in` : `${pluralize(sessions, 'session')} ended`)
    onDone(true)
  }
  return (
    <Confirmation
      title={
        <>
          Sign out <bdi>“{nameOf(summary)}”</bdi> everywhere?
        </>
      }
      words="Sign out everywhere"
      busyWords="Signing out…"
      onConfirm={end}
      onClose={() => onDone(false)}
    >
      <p>
        Every browser that is signed in {summary.isPerson ? 'as this person' : 'with this key'} is signed out within two
        seconds. {summary.isPerson ? 'The person' : 'Who has the key'} can sign in again: to end the access, revoke it.
      </p>
    </Confirmation>
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
    await api.revokeKey({ id: keyId })
    say(isPerson ? `${nameOf(leaving)} can no longer sign in` : `The key “${nameOf(leaving)}” is revoked`)
    onDone(true)
  }
  return (
    <Confirmation
      title="Revoke"
      about={nameOf(leaving)}
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
        Last used: <Instant instant={lastUsedDateTime} />.
      </p>
    </Confirmation>
  )
}
