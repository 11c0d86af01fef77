// The name under which others see the provider: asked for before the first partner, invitation or
// link, and changed at any time.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { DisplayName } from '../../../client/generated/shapes.ts'
import { atReadVersion } from '../../state/frame/guarded-save.ts'
import { type RequestState, useVersionedAnswer } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import { CloseDialog, Modal } from '../frame/modal.tsx'
import { Form } from './form.tsx'
import { type SettingField, SettingFields } from './setting-fields.tsx'

type ReadName = DisplayName & { readonly version: number }

const useDisplayName = (): RequestState<ReadName> =>
  useVersionedAnswer((api, signal) => api.readDisplayName({ signal }), [])

/** The name on what leaves the account; while it is asked for, that of the account. */
export function useOwnName(): string {
  const { own } = useOpenSession()
  const asked = useDisplayName()
  return (asked.is === 'answered' ? asked.value.name : null) ?? own.provider
}

const nameFields: readonly SettingField[] = [
  { name: 'name', label: 'Name', required: true, maxLength: 100, placeholder: 'Green Valley Foods' },
]

interface DialogProps {
  readonly read: ReadName
  readonly onClose: () => void
  /** Reads it again. */
  readonly again: () => void
}

function DisplayNameDialog({ read, onClose, again }: DialogProps) {
  const { api } = useOpenSession()
  const { name, accountName, version } = read
  const send = async (text: (name: string) => string) => {
    await atReadVersion(() => api.setDisplayName({ body: { name: text('name') }, ifMatch: version }), again)
    say('The name is saved')
    again()
  }
  return (
    <Modal labelledBy="display-name" onClose={onClose}>
      <Form words="Save name" busyWords="Saving…" onSend={send} beside={<CloseDialog />}>
        <h2 id="display-name">Under which name do others see you?</h2>
        <p>
          Partners, the people you invite, and whoever gets a package or a scorecard of yours see this name.
          {name === null && (
            <>
              {' '}
              Until you set one they see <bdi>“{accountName}”</bdi>, the name of the account.
            </>
          )}
        </p>
        <SettingFields form="display-name" fields={nameFields} values={{ name: name ?? '' }} />
      </Form>
    </Modal>
  )
}

/** What others will see under the name: drawn once that is set. */
export function NamedFirst({
  onClose,
  children,
}: {
  readonly onClose: () => void
  readonly children: ComponentChildren
}) {
  const { again, ...asked } = useDisplayName()
  if (asked.is === 'asking') return null
  // Where it cannot be read, the work goes on.
  if (asked.is === 'failed' || asked.value.name !== null) return <>{children}</>
  return <DisplayNameDialog read={asked.value} onClose={onClose} again={again} />
}

/** The name, and the button that changes it. */
export function OwnDisplayName() {
  const { again, ...asked } = useDisplayName()
  const [isEditing, setEditing] = useState(false)
  if (asked.is !== 'answered') return <p class="quiet">&nbsp;</p>
  const { name, accountName } = asked.value
  const close = () => setEditing(false)
  return (
    <p class="actions">
      <span>
        Others see you as{' '}
        <strong>
          <bdi>{name ?? accountName}</bdi>
        </strong>
        {name === null && ', the name of the account'}.
      </span>
      <button type="button" onClick={() => setEditing(true)}>
        Change name…
      </button>
      {isEditing && (
        <DisplayNameDialog
          read={asked.value}
          onClose={close}
          again={() => {
            close()
            again()
          }}
        />
      )}
    </p>
  )
}
