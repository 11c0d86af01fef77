// Keys: the one that is signed in, and for administrators all of the provider, a new one, one
// revoked.
import { useRef, useState } from 'preact/hooks'
import type { CreatedKey, KeySummary } from '../../client/generated/shapes.ts'
import type { Shape } from '../../contract/field.ts'
import { type Role, roles } from '../../contract/role.ts'
import { NewKey } from '../../operations/keys.ts'
import { copy } from '../files/clipboard.ts'
import { PageHead } from '../parts/page-head.tsx'
import { When } from '../parts/states.tsx'
import { say } from '../state/notices.ts'
import { useRequest } from '../state/request.ts'
import { useMay, useOpenSession } from '../state/session.ts'
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
          You are signed in with <bdi>“{own.label}”</bdi> (<code>{own.keyId}</code>) of <bdi>{own.provider}</bdi>, a key
          that {roleWords[own.role]}. <Instant instant={own.expiresDateTime} never="It does not expire." />
          {own.expiresDateTime !== null && ' is when it expires.'}
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
        {(all) => <KeyTable keys={all} onRevoke={setLeaving} />}
      </When>
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

function CreateKey({ onMade }: { readonly onMade: (key: CreatedKey) => void }) {
  const { api } = useOpenSession()
  const [asking, setAsking] = useState(false)
  const [fault, setFault] = useState<string>()
  const { label, expiresDate } = (NewKey as Shape).properties ?? {}

  const send = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const text = (name: string) => String(fields.get(name) ?? '').trim()
    setAsking(true)
    setFault(undefined)
    try {
      const until = text('expiresDate')
      const body = {
        role: text('role') as Role,
        label: text('label'),
        ...(until !== '' && { expiresDate: until }),
      }
      onMade((await api.createKey({ body })).body)
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
        <div class="form-field">
          <label for="key-label">Label</label>
          <input id="key-label" name="label" required autocomplete="off" dir="auto" aria-describedby="key-label-hint" />
          <p id="key-label-hint" class="quiet small">
            {label?.description}
          </p>
        </div>
        <div class="form-field">
          <label for="key-role">Role</label>
          <select id="key-role" name="role" aria-describedby="key-role-hint">
            {roles.map((role) => (
              <option key={role} value={role}>
                {role}
              </option>
            ))}
          </select>
          <p id="key-role-hint" class="quiet small">
            {roles.map((role) => `${role}: ${roleWords[role]}`).join('; ')}.
          </p>
        </div>
        <div class="form-field">
          <label for="key-expires">Last day (optional)</label>
          <input id="key-expires" name="expiresDate" type="date" aria-describedby="key-expires-hint" />
          <p id="key-expires-hint" class="quiet small">
            {expiresDate?.description}
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
  readonly onRevoke: (key: KeySummary) => void
}

/** Whether it is valid still, by the clock of the browser; the service has its own. */
const stateOf = ({ revokedDateTime, expiresDateTime }: KeySummary): 'revoked' | 'expired' | 'valid' =>
  revokedDateTime !== null
    ? 'revoked'
    : expiresDateTime !== null && Date.parse(expiresDateTime) < Date.now()
      ? 'expired'
      : 'valid'

const stateTags = { revoked: 'removed', expired: 'replaced', valid: 'added' } as const

function KeyTable({ keys, onRevoke }: KeyTableProps) {
  const { own } = useOpenSession()
  return (
    <table class="measures cards" aria-label="Keys">
      <thead>
        <tr>
          <th scope="col">Label</th>
          <th scope="col">Role</th>
          <th scope="col">State</th>
          <th scope="col">Last used</th>
          <th scope="col">Created</th>
          <th scope="col">Expires</th>
          <th scope="col">
            <span class="hidden">Revoke</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => {
          const state = stateOf(key)
          return (
            <tr key={key.keyId}>
              <th scope="row">
                <bdi>{key.label}</bdi>
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
              <td>
                {key.keyId === own.keyId ? (
                  <span class="quiet">this key</span>
                ) : (
                  state !== 'revoked' && (
                    <button type="button" onClick={() => onRevoke(key)}>
                      Revoke<span class="hidden"> {key.label}</span>
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

function RevokeKey({ leaving: { keyId, label, role, lastUsedDateTime }, onDone }: RevokeProps) {
  const { api } = useOpenSession()
  const [asking, setAsking] = useState(false)
  const opened = useRef(false)
  const revoke = async () => {
    setAsking(true)
    try {
      await api.revokeKey({ id: keyId })
      say(`The key “${label}” is revoked`)
      onDone(true)
    } catch (error) {
      const { title, detail } = failureWords(error)
      say(`${title}. ${detail}`, 'failed')
      onDone(false)
    }
  }
  return (
    <dialog
      ref={(dialog) => {
        if (dialog === null || opened.current) return
        opened.current = true
        dialog.showModal()
      }}
      aria-labelledby="revoke-title"
      onClose={() => onDone(false)}
    >
      <h2 id="revoke-title">
        Revoke <bdi>“{label}”</bdi>?
      </h2>
      <p>
        Whatever uses this {role} key (<code>{keyId}</code>) stops working within two seconds. This cannot be undone.
        Last used: <Instant instant={lastUsedDateTime} never="never" />.
      </p>
      <p class="actions">
        <button type="button" class="danger" onClick={revoke} disabled={asking}>
          {asking ? 'Revoking…' : 'Revoke key'}
        </button>
        <button type="button" onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}>
          Cancel
        </button>
      </p>
    </dialog>
  )
}
