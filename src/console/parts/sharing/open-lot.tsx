// One lot for one partner in a recall: for some hours or days, then it is withdrawn by itself.
import { useState } from 'preact/hooks'
import type { Grant, Partner, SharingPreview as Preview } from '../../../client/generated/shapes.ts'
import { withheldByDefault } from '../../../contract/sharing.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { textIn, useSubmission } from '../../state/frame/submission.ts'
import { say } from '../../state/frame/toasts.ts'
import { FormEnd } from '../fields/form-end.tsx'
import { HoursField } from '../fields/hours-field.tsx'
import { TextField } from '../fields/text-field.tsx'
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

export function OpenLot({ partner, onClose, onDone }: Props) {
  const { api } = useOpenSession()
  const submission = useSubmission()
  const [shown, setShown] = useState<{ readonly grant: Grant; readonly preview: Preview }>()
  const { id, name, places } = partner
  const settingsWith = ({ name, places, grants }: Settings, grant: Grant) => ({
    name,
    places: [...places],
    grants: [...grants, grant],
  })

  const send = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const text = textIn(event.currentTarget)
    await submission.submit(async () => {
      if (shown !== undefined) {
        // On top of the current settings: the page may be older.
        const { body, version } = await api.readPartner({ id })
        await api.replacePartner({ id, body: settingsWith(body, shown.grant), ifMatch: version })
        say(`Lot ${shown.grant.lotCode} is open for ${name}`)
        onDone()
        onClose()
        return
      }
      const endDateTime = new Date(Date.now() + Number(text('hours')) * 3_600_000 - marginMs).toISOString()
      const grant: Grant = {
        lotCode: text('lotCode'),
        endDateTime: endDateTime.replace(/\.\d+/, ''),
        withHistory: false,
        withheld: [...withheldByDefault],
      }
      setShown({
        grant,
        preview: (await api.replacePartner({ id, body: settingsWith(partner, grant), dryRun: true })).body,
      })
    })
  }

  return (
    <Modal labelledBy="open-lot" onClose={onClose}>
      <form class="new-key" onSubmit={send}>
        <h2 id="open-lot">
          Open a lot for <bdi>{name}</bdi>
        </h2>
        {shown === undefined ? (
          <>
            <p>
              In a recall the partner needs more than its own deliveries of a date. It sees the lines of this lot in
              events that one of its places sent or received, whatever vendor and date.
            </p>
            <div class="form-fields">
              <TextField
                id="lot-code"
                name="lotCode"
                label="Lot code"
                required
                spellcheck={false}
                hint="In any form: as on the case, a scan, or a GS1 text."
              />
              <HoursField id="lot-hours" label="For" usual={72} />
            </div>
          </>
        ) : (
          <>
            <p>
              <GrantSentence name={name} places={places.length} grant={shown.grant} />
            </p>
            <SharingPreview name={name} preview={shown.preview} isStale={false} />
          </>
        )}
        <FormEnd
          submission={submission}
          words={shown === undefined ? 'Preview' : 'Open lot'}
          busyWords={shown === undefined ? 'Checking…' : 'Opening…'}
        >
          {shown && (
            <button type="button" onClick={() => setShown(undefined)}>
              Back
            </button>
          )}
          <CloseDialog />
        </FormEnd>
      </form>
    </Modal>
  )
}
