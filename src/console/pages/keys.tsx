// Keys: the one that is signed in, and for administrators all of the provider, a new one, one
// changed, one revoked.
import { useRef, useState } from 'preact/hooks'
import type { CreatedKey, KeySummary } from '../../client/generated/shapes.ts'
import type { Shape } from '../../contract/field.ts'
import { type Role, roles } from '../../contract/role.ts'
import { NewKey } from '../../operations/keys.ts'
import { copy } from '../files/clipboard.ts'
import { Confirmation } from '../parts/confirmation.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { When } from '../parts/states.tsx'
import { say } from '../state/notices.ts'
import { useRequest } from '../state/request.ts'
import { findSession, useMay, useOpenSession } from '../state/session.ts'
import { failureWords } from '../words/failure-words.ts'
import { dateTimeWords } from '../words/labels.ts'

const roleWords: Readonly<Record<Role, string>> = {
  reader: 'reads everything and changes nothing',
  writer: 'reads, creates and replaces records',
  administrator: 'reads, writes, creates and revokes keys, sets legal holds and reads the access log',
}

/** To the minute: seconds say nothing of a key. */
const Instant = ({ instant, never }: { readonly instant: string | null; readonly never: string }) =>
  instant === null ? (
    <span class="quiet">{never}</span>
  ) : (
    <time dateTime={instant}>{dateTimeWords(instant.replace(/:\d{2}(\.\d+)?Z$/, ':00Z'))}</time>
  )

export function KeysPage() {
  const { own } = useOpenSession()
  const mayManage = useMay('administrator')
  return (
    <>
      <PageHead title="Keys">
        <p>
          You are signed in{' '}
          {own.personName !== null && (
            <>
              as <bdi>{own.personName}</bdi>{' '}
            </>
          )}
          with {own.label !== '' && <bdi>“{own.label}” </bdi>}(<code>{own.keyId}</code>) of <bdi>{own.provider}</bdi>, a
          key that {roleWords[own.role]}. {own.expiresDateTime === null ? 'It does not expire.' : 'It expires '}
          {own.expiresDateTime !== null && <Instant instant={own.expiresDateTime} never="" />}
        </p>
      </PageHead>
      {mayManage ? (
        <AllKeys />
      ) : (
        <p class="callout">
          Only an administrator key can list, create and revoke keys. Yours is a {own.role} key. The operator of the
          service creates the first administrator key: <code>lotkeeper keys create --role administrator</code>.
        </p>
      )}
    </>
  )
}

function AllKeys() {
  const { api } = useOpenSession()
  const [made, setMade] = useState<CreatedKey>()
  const [leaving, setLeaving] = useState<KeySummary>()
  const [changing, setChanging] = useState<KeySummary>()
  const keys = useRequest(async (signal) => (await api.listKeys({ signal })).body.content, [])
  return (
    <>
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
        {(all) => <KeyTable keys={all} onChange={setChanging} onRevoke={setLeaving} />}
      </When>
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

const { label: labelShape, personName: personShape, expiresDate: expiresShape } = (NewKey as Shape).properties ?? {}

/** What the fields of a form say, without blanks around it. */
const textIn = (form: HTMLFormElement) => {
  const fields = new FormData(form)
  return (name: string) => String(fields.get(name) ?? '').trim()
}

/** What is set of a key, as it is sent. */
const settingsIn = (text: (name: string) => string, role = text('role') as Role) => ({
  role,
  label: text('label'),
  ...(text('personName') !== '' && { personName: text('personName') }),
})

interface FieldsProps {
  /** Before each id, since two forms may be on the page. */
  readonly form: string
  readonly known?: Pick<KeySummary, 'label' | 'personName' | 'role'>
  /** Whose role stays as it is. */
  readonly isOwn?: boolean
}

function KeyFields({ form, known, isOwn = false }: FieldsProps) {
  return (
    <>
      <div class="form-field">
        <label for={`${form}-person`}>Person (optional)</label>
        <input
          id={`${form}-person`}
          name="personName"
          autocomplete="off"
          dir="auto"
          defaultValue={known?.personName ?? ''}
          aria-describedby={`${form}-person-hint`}
        />
        <p id={`${form}-person-hint`} class="quiet small">
          {personShape?.description}
        </p>
      </div>
      <div class="form-field">
        <label for={`${form}-label`}>Label</label>
        <input
          id={`${form}-label`}
          name="label"
          required
          autocomplete="off"
          dir="auto"
          defaultValue={known?.label ?? ''}
          aria-describedby={`${form}-label-hint`}
        />
        <p id={`${form}-label-hint`} class="quiet small">
          {labelShape?.description}
        </p>
      </div>
      <div class="form-field">
        <label for={`${form}-role`}>Role</label>
        <select id={`${form}-role`} name="role" aria-describedby={`${form}-role-hint`} disabled={isOwn}>
          {roles.map((role) => (
            <option key={role} value={role} selected={role === (known?.role ?? 'reader')}>
              {role}
            </option>
          ))}
        </select>
        <p id={`${form}-role-hint`} class="quiet small">
          {isOwn
            ? 'You are signed in with this key. Another administrator can change its role.'
            : `${roles.map((role) => `${role}: ${roleWords[role]}`).join('; ')}.`}
        </p>
      </div>
    </>
  )
}

function CreateKey({ onMade }: { readonly onMade: (key: CreatedKey) => void }) {
  const { api } = useOpenSession()
  const [asking, setAsking] = useState(false)
  const [fault, setFault] = useState<string>()

  const send = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const text = textIn(event.currentTarget)
    setAsking(true)
    setFault(undefined)
    try {
      const until = text('expiresDate')
      onMade((await api.createKey({ body: { ...settingsIn(text), ...(until !== '' && { expiresDate: until }) } })).body)
    } catch (error) {
      const { title, detail } = failureWords(error)
      setFault(`${title}. ${detail}`)
    }
    setAsking(false)
  }

  return (
    <form class="new-key" onSubmit={send} aria-labelledby="new-key">
      <h2 id="new-key">New key</h2>
      <div class="form-fields">
        <KeyFields form="key" />
        <div class="form-field">
          <label for="key-expires">Last day (optional)</label>
          <input id="key-expires" name="expiresDate" type="date" aria-describedby="key-expires-hint" />
          <p id="key-expires-hint" class="quiet small">
            {expiresShape?.description}
          </p>
        </div>
      </div>
      <p class="fault" role="alert">
        {fault}
      </p>
      <button type="submit" class="main" disabled={asking}>
        {asking ? 'Creating…' : 'Create key'}
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
  const [asking, setAsking] = useState(false)
  const [fault, setFault] = useState<string>()
  const opened = useRef(false)
  const isOwn = changing.keyId === own.keyId

  const send = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const text = textIn(event.currentTarget)
    setAsking(true)
    setFault(undefined)
    try {
      const body = settingsIn(text, isOwn ? changing.role : undefined)
      await api.changeKey({ id: changing.keyId, body })
      say(`“${body.personName ?? body.label}” is saved`)
      // The head of the page has the name too.
      if (isOwn) await findSession()
      onDone(true)
    } catch (error) {
      const { title, detail } = failureWords(error)
      setFault(`${title}. ${detail}`)
      setAsking(false)
    }
  }

  return (
    <dialog
      ref={(dialog) => {
        if (dialog === null || opened.current) return
        opened.current = true
        dialog.showModal()
      }}
      aria-labelledby="change-key"
      onClose={() => onDone(false)}
    >
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
          <button type="submit" class="main" disabled={asking}>
            {asking ? 'Saving…' : 'Save'}
          </button>
          <button type="button" onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}>
            Cancel
          </button>
        </p>
      </form>
    </dialog>
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

interface KeyTableProps {
  readonly keys: readonly KeySummary[]
  readonly onChange: (key: KeySummary) => void
  readonly onRevoke: (key: KeySummary) => void
}

/** The person who has it, else what it is for. */
const nameOf = ({ personName, label, keyId }: KeySummary): string => personName ?? (label || keyId)

/** Whether it is valid still, by the clock of the browser; the service has its own. */
const stateOf = ({ revokedDateTime, expiresDateTime }: KeySummary): 'revoked' | 'expired' | 'valid' =>
  revokedDateTime !== null
    ? 'revoked'
    : expiresDateTime !== null && Date.parse(expiresDateTime) < Date.now()
      ? 'expired'
      : 'valid'

const stateTags = { revoked: 'removed', expired: 'replaced', valid: 'added' } as const

function KeyTable({ keys, onChange, onRevoke }: KeyTableProps) {
  const { own } = useOpenSession()
  return (
    <table class="measures cards" aria-label="Keys">
      <thead>
        <tr>
          <th scope="col">Person or label</th>
          <th scope="col">Role</th>
          <th scope="col">State</th>
          <th scope="col">Last used</th>
          <th scope="col">Created</th>
          <th scope="col">Expires</th>
          <th scope="col">
            <span class="hidden">Edit or revoke</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => {
          const state = stateOf(key)
          return (
            <tr key={key.keyId}>
              <th scope="row">
                <bdi>{nameOf(key)}</bdi>
                {key.personName !== null && key.label !== '' && <bdi class="quiet small"> {key.label}</bdi>}
                <code class="quiet small">{key.keyId}</code>
              </th>
              <td data-words="Role">{key.role}</td>
              <td data-words="State">
                <span class={`tag ${stateTags[state]}`}>{state}</span>
              </td>
              <td data-words="Last used">
                <Instant instant={key.lastUsedDateTime} never="never" />
              </td>
              <td data-words="Created">
                <Instant instant={key.createdDateTime} never="" />
              </td>
              <td data-words="Expires">
                <Instant instant={key.expiresDateTime} never="never" />
              </td>
              <td class="row-actions">
                {state !== 'revoked' && (
                  <button type="button" onClick={() => onChange(key)}>
                    Edit<span class="hidden"> {nameOf(key)}</span>
                  </button>
                )}
                {key.keyId === own.keyId ? (
                  <span class="quiet">this key</span>
                ) : (
                  state !== 'revoked' && (
                    <button type="button" onClick={() => onRevoke(key)}>
                      Revoke<span class="hidden"> {nameOf(key)}</span>
                    </button>
                  )
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

interface RevokeProps {
  readonly leaving: KeySummary
  readonly onDone: (revoked: boolean) => void
}

function RevokeKey({ leaving, onDone }: RevokeProps) {
  const { api } = useOpenSession()
  const { keyId, role, lastUsedDateTime } = leaving
  const revoke = async () => {
    try {
      await api.revokeKey({ id: keyId })
      say(`The key “${nameOf(leaving)}” is revoked`)
      onDone(true)
    } catch (error) {
      const { title, detail } = failureWords(error)
      say(`${title}. ${detail}`, 'failed')
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
      words="Revoke key"
      busyWords="Revoking…"
      onConfirm={revoke}
      onClose={() => onDone(false)}
    >
      <p>
        Whatever uses this {role} key (<code>{keyId}</code>) stops working within two seconds. This cannot be undone.
        Last used: <Instant instant={lastUsedDateTime} never="never" />.
      </p>
    </Confirmation>
  )
}
