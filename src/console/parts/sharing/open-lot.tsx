// One lot for one partner in a recall: for some hours or days, then it is withdrawn by itself.
import { useState } from 'preact/hooks'
import type { Grant, Partner, SharingPreview as Preview } from '../../../client/generated/shapes.ts'
import { withheldByDefault } from '../../../contract/sharing.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import { Form } from '../fields/form.tsx'
import { hoursField } from '../fields/hours-field.ts'
import { type SettingField, SettingFields } from '../fields/setting-fields.tsx'
import { CloseDialog, Modal } from '../frame/modal.tsx'
import { GrantSentence } from './grant-sentence.tsx'
import { SharingPreview } from './sharing-preview.tsx'

interface Props {
  readonly partner: Partner
  readonly onClose: () => void
  readonly onDone: () => void
}

type Settings = Pick<Partner, 'name' | 'places' | 'grants'>

/** 30 days end a little earlier: the service counts from when it is asked. */
const marginMs = 60_000

const lotFields: readonly SettingField[] = [
  {
    name: 'lotCode',
    label: 'Lot code',
    required: true,
    spellcheck: false,
    hint: 'In any form: as on the case, a scan, or a GS1 text.',
  },
  hoursField('For'),
]

const settingsWith = ({ name, places, grants }: Settings, grant: Grant) => ({
  name,
  places: [...places],
  grants: [...grants, grant],
})

export function OpenLot({ partner, onClose, onDone }: Props) {
  const { api } = useOpenSession()
  const [shown, setShown] = useState<{ readonly grant: Grant; readonly preview: Preview }>()
  const { id, name, places } = partner

  /** Shows what the grant would open. */
  const preview = async (text: (name: string) => string) => {
    const endDateTime = new Date(Date.now() + Number(text('hours')) * 3_600_000 - marginMs).toISOString()
    const grant: Grant = {
      lotCode: text('lotCode'),
      endDateTime: endDateTime.replace(/\.\d+/, ''),
      withHistory: false,
      withheld: [...withheldByDefault],
    }
    const { body } = await api.replacePartner({ id, body: settingsWith(partner, grant), dryRun: true })
    setShown({ grant, preview: body })
  }
  const open = async (grant: Grant) => {
    // On top of the current settings: the page may be older.
    const { body, version } = await api.readPartner({ id })
    await api.replacePartner({ id, body: settingsWith(body, grant), ifMatch: version })
    say(`Lot ${grant.lotCode} is open for ${name}`)
    onDone()
    onClose()
  }

  return (
    <Modal labelledBy="open-lot" onClose={onClose}>
      <Form
        words={shown === undefined ? 'Preview' : 'Open lot'}
        busyWords={shown === undefined ? 'Checking…' : 'Opening…'}
        onSend={(text) => (shown === undefined ? preview(text) : open(shown.grant))}
        beside={
          <>
            {shown && (
              <button type="button" onClick={() => setShown(undefined)}>
                Back
              </button>
            )}
            <CloseDialog />
          </>
        }
      >
        <h2 id="open-lot">
          Open a lot for <bdi>{name}</bdi>
        </h2>
        {shown === undefined ? (
          <>
            <p>
              In a recall the partner needs more than its own deliveries of a date. It sees the lines of this lot in
              events that one of its places sent or received, whatever vendor and date.
            </p>
            <SettingFields form="lot" fields={lotFields} values={{ hours: 72 }} />
          </>
        ) : (
          <>
            <p>
              <GrantSentence name={name} places={places.length} grant={shown.grant} />
            </p>
            <SharingPreview name={name} preview={shown.preview} isStale={false} />
          </>
        )}
      </Form>
    </Modal>
  )
}
