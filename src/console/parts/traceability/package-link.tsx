// Creates a link by which a recipient without a key downloads the chosen package: its form, and its
// address and code, each shown once.

import type { Client } from '../../../client/client.ts'
import type { CreatedPackageLink } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { copy } from '../../files/clipboard.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { Form } from '../fields/form.tsx'
import { hoursField } from '../fields/hours-field.ts'
import { type SettingField, SettingFields } from '../fields/setting-fields.tsx'
import { Instant } from '../frame/instant.tsx'
import { CloseDialog, Modal } from '../frame/modal.tsx'

type Asked = Omit<Parameters<Client['createPackageLink']>[0], 'body'>

interface Props {
  /** The parameters of the package. */
  readonly asked: Asked
  readonly onMade: (link: CreatedPackageLink) => void
  readonly onClose: () => void
}

const linkFields: readonly SettingField[] = [
  {
    name: 'label',
    label: 'For whom',
    required: true,
    maxLength: 100,
    placeholder: 'FDA, request 2026-0114',
    hint: 'For your own list and the access log. The recipient does not see it.',
  },
  hoursField('The link is valid for'),
]

export function CreatePackageLink({ asked, onMade, onClose }: Props) {
  const { api } = useOpenSession()
  const send = async (text: (name: string) => string) => {
    const body = { label: text('label'), expiresInHours: Number(text('hours')) }
    onMade((await api.createPackageLink({ ...asked, body })).body)
  }
  return (
    <Modal labelledBy="create-link" onClose={onClose}>
      <Form words="Create link" busyWords="Creating…" onSend={send} beside={<CloseDialog />}>
        <h2 id="create-link">Create a link to this package</h2>
        <p>
          Anyone who has the address and the code downloads the package without signing in. It is made at each download,
          from the records as they are then. You can withdraw the link at any time.
        </p>
        <SettingFields form="link" fields={linkFields} values={{ hours: 168 }} />
      </Form>
    </Modal>
  )
}

interface MadeProps {
  readonly made: CreatedPackageLink
  readonly onDone: () => void
}

export function MadePackageLink({ made: { label, path, code, expiresDateTime, events, lines }, onDone }: MadeProps) {
  const address = location.origin + path
  return (
    <section class="callout fine made-key" tabIndex={-1} data-arrival aria-labelledby="made-link">
      <h2 id="made-link">
        The link for <bdi>“{label}”</bdi> is open
      </h2>
      <p>
        <strong>Copy both now. They are shown only once and are not stored.</strong> Send the address in one way and the
        code in another, such as a mail and a call.
      </p>
      <p>
        {events === 0
          ? 'No record matches yet: the package would have headings and no rows.'
          : `It opens ${pluralize(lines, 'line')} of ${pluralize(events, 'event')}`}
        {events > 0 && (
          <>
            {' '}
            until <Instant instant={expiresDateTime} />.
          </>
        )}
      </p>
      <dl class="made-link">
        <dt>Address</dt>
        <dd>
          <code class="whole-key">{address}</code>
          <CopyButton text={address} what="Address" />
        </dd>
        <dt>Code</dt>
        <dd>
          <code class="whole-key">{code}</code>
          <CopyButton text={code} what="Code" />
        </dd>
      </dl>
      <p class="actions">
        <button type="button" onClick={onDone}>
          Done
        </button>
      </p>
    </section>
  )
}

const CopyButton = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <button type="button" onClick={() => copy(text, what)}>
    Copy {what.toLowerCase()}
  </button>
)
