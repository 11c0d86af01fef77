// An invitation: a link that works once, for one person or program of a partner.
import { useState } from 'preact/hooks'
import type { Invitation, Partner } from '../../../client/generated/shapes.ts'
import { copy } from '../../files/clipboard.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { Form } from '../fields/form.tsx'
import { hoursField } from '../fields/hours-field.ts'
import { type SettingField, SettingFields } from '../fields/setting-fields.tsx'
import { Instant } from '../frame/instant.tsx'
import { CloseDialog, Modal } from '../frame/modal.tsx'

interface Props {
  readonly partner: Partner
  readonly onClose: () => void
  readonly onDone: () => void
}

const invitationFields: readonly SettingField[] = [
  {
    name: 'personName',
    label: 'Person (optional)',
    maxLength: 100,
    hint: 'What is read is recorded under this name. Leave it out for a program.',
  },
  { name: 'label', label: 'Label (optional)', maxLength: 100, placeholder: 'quality office' },
  hoursField('The link is valid for'),
]

export function InvitePartner({ partner: { id, name }, onClose, onDone }: Props) {
  const { api } = useOpenSession()
  const [made, setMade] = useState<Invitation>()
  const send = async (text: (name: string) => string) => {
    const given = Object.fromEntries(
      ['personName', 'label'].map((name) => [name, text(name)]).filter(([, value]) => value !== ''),
    )
    setMade((await api.invitePartner({ id, body: { ...given, expiresInHours: Number(text('hours')) } })).body)
    onDone()
  }
  const link = made && `${location.origin}${made.path}`
  return (
    <Modal labelledBy="invite-partner" onClose={onClose}>
      {made === undefined ? (
        <Form words="Create link" busyWords="Creating…" onSend={send} beside={<CloseDialog />}>
          <h2 id="invite-partner">
            Invite someone of <bdi>{name}</bdi>
          </h2>
          <p>
            You get a link that works once. Whoever opens it first can read what the partner sees, and nothing else.
          </p>
          <SettingFields form="invited" fields={invitationFields} values={{ hours: 168 }} />
        </Form>
      ) : (
        <section class="callout fine made-key" aria-labelledby="invite-partner">
          <h2 id="invite-partner">The invitation is ready</h2>
          <p>
            <strong>Copy the link now. It is shown only once.</strong> It works once, until{' '}
            <Instant instant={made.expiresDateTime} toSecond />. Send it privately to the person at <bdi>{name}</bdi>.
          </p>
          <p>
            <code class="whole-key">{link}</code>
          </p>
          <p class="actions">
            <button type="button" class="main" onClick={() => copy(link ?? '', 'Link')}>
              Copy link
            </button>
            <CloseDialog words="Done" />
          </p>
        </section>
      )}
    </Modal>
  )
}
