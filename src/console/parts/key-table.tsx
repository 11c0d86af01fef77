// The keys of the provider, or the people who sign in without one.
import type { KeySummary } from '../../client/generated/shapes.ts'
import { useOpenSession } from '../state/session.ts'
import { dateTimeWords } from '../words/labels.ts'

/** To the minute: seconds say nothing of a key. */
export const Instant = ({ instant, never }: { readonly instant: string | null; readonly never: string }) =>
  instant === null ? (
    <span class="quiet">{never}</span>
  ) : (
    <time dateTime={instant}>{dateTimeWords(instant.replace(/:\d{2}(\.\d+)?Z$/, ':00Z'))}</time>
  )

interface KeyTableProps {
  readonly keys: readonly KeySummary[]
  readonly isOfPeople: boolean
  readonly onChange: (key: KeySummary) => void
  readonly onRevoke: (key: KeySummary) => void
}

/** The person who has it, else what it is for. */
export const nameOf = ({ personName, label, keyId }: KeySummary): string => personName ?? (label || keyId)

/** Whether it is valid still, by the clock of the browser; the service has its own. */
const stateOf = ({
  revokedDateTime,
  expiresDateTime,
  isPerson,
  lastUsedDateTime,
}: KeySummary): keyof typeof stateTags =>
  revokedDateTime !== null
    ? 'revoked'
    : expiresDateTime !== null && Date.parse(expiresDateTime) < Date.now()
      ? 'expired'
      : isPerson && lastUsedDateTime === null
        ? 'invited'
        : 'valid'

const stateTags = { revoked: 'removed', expired: 'replaced', invited: 'replaced', valid: 'added' } as const

export function KeyTable({ keys, isOfPeople, onChange, onRevoke }: KeyTableProps) {
  const { own } = useOpenSession()
  return (
    <table class="measures cards" aria-label={isOfPeople ? 'People' : 'Keys'}>
      <thead>
        <tr>
          <th scope="col">{isOfPeople ? 'Person' : 'Person or label'}</th>
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
                {key.personName !== null && (key.email ?? key.label) !== '' && (
                  <bdi class="quiet small">{key.email ?? key.label}</bdi>
                )}
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
                  <span class="quiet">{isOfPeople ? 'you' : 'this key'}</span>
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
