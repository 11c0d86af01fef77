// The readers of a partner: its keys, and open invitations.
import { useState } from 'preact/hooks'
import type { Partner } from '../../../client/generated/shapes.ts'
import type { Column } from '../../records/drawn-column.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import { Confirmation } from '../frame/confirmation.tsx'
import { Instant } from '../frame/instant.tsx'
import { Empty } from '../frame/states.tsx'
import { DataTable } from '../tables/data-table.tsx'

type PartnerKey = Partner['keys'][number]

interface Props {
  readonly partner: Partner
  readonly onDone: () => void
}

const isInvitation = ({ role }: PartnerKey): boolean => role === 'invited'
const nameOf = ({ personName, label, keyId }: PartnerKey): string => personName ?? (label === '' ? keyId : label)

/** The current state of a key or an invitation. */
function stateOf({ revokedDateTime, expiresDateTime, role }: PartnerKey): { words: string; tag: string } {
  if (revokedDateTime !== null) return { words: 'revoked', tag: 'removed' }
  if (expiresDateTime !== null && Date.parse(expiresDateTime) <= Date.now()) return { words: 'expired', tag: 'removed' }
  return role === 'invited' ? { words: 'invited', tag: 'replaced' } : { words: 'can read', tag: 'added' }
}

const columns: readonly Column<PartnerKey>[] = [
  {
    heading: 'Who',
    cell: (key) => (
      <>
        <bdi>{nameOf(key)}</bdi>{' '}
        {key.personName !== null && key.label !== '' && <bdi class="quiet small">{key.label}</bdi>}
      </>
    ),
  },
  {
    heading: 'State',
    cell: (key) => {
      const { words, tag } = stateOf(key)
      return <span class={`tag ${tag}`}>{words}</span>
    },
  },
  { heading: 'Created', cell: ({ createdDateTime }) => <Instant instant={createdDateTime} never="" /> },
  { heading: 'Expires', cell: ({ expiresDateTime }) => <Instant instant={expiresDateTime} /> },
  {
    heading: 'Last used',
    cell: (key) => !isInvitation(key) && <Instant instant={key.lastUsedDateTime} />,
  },
]

export function PartnerKeys({ partner: { id, name, keys }, onDone }: Props) {
  const { api } = useOpenSession()
  const [asking, setAsking] = useState<PartnerKey>()
  // An invitation that was accepted is a key now.
  const shown = keys.filter((key) => !isInvitation(key) || key.revokedDateTime === null)
  const revoke = async ({ keyId }: PartnerKey) => {
    await api.revokePartnerKey({ id, body: { keyId } })
    say('Revoked')
    setAsking(undefined)
    onDone()
  }
  return (
    <section aria-labelledby="partner-keys">
      <h2 id="partner-keys">Who can read</h2>
      {shown.length === 0 ? (
        <Empty title="Nobody is invited yet">
          <p>
            “Invite” makes a link for one person or program. Until it is used, nobody at the partner reads anything.
          </p>
        </Empty>
      ) : (
        <DataTable
          label="Keys and invitations"
          columns={[
            ...columns,
            {
              heading: 'Revoke',
              isAction: true,
              cell: (key) =>
                key.revokedDateTime === null && (
                  <button type="button" onClick={() => setAsking(key)}>
                    Revoke<span class="hidden"> {nameOf(key)}</span>
                  </button>
                ),
            },
          ]}
          rows={shown}
          keyOf={({ keyId }) => keyId}
        />
      )}
      {asking && (
        <Confirmation
          title="Revoke"
          about={nameOf(asking)}
          words={isInvitation(asking) ? 'Revoke invitation' : 'Revoke key'}
          busyWords="Revoking…"
          onConfirm={() => revoke(asking)}
          onClose={() => setAsking(undefined)}
        >
          <p>
            {isInvitation(asking)
              ? 'The link stops working within two seconds.'
              : 'Whoever reads with it is locked out within two seconds. Others of the partner are not affected.'}{' '}
            To let somebody of <bdi>{name}</bdi> in again, send a new invitation.
          </p>
        </Confirmation>
      )}
    </section>
  )
}
