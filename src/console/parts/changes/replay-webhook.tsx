// Sends earlier changes again: the webhook goes back to an earlier position.
import { useState } from 'preact/hooks'
import type { Webhook } from '../../../client/generated/shapes.ts'
import { dateTimeFromField } from '../../records/filters.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { Mistake } from '../../state/frame/submission.ts'
import { say } from '../../state/frame/toasts.ts'
import { Form } from '../fields/form.tsx'
import { Radios } from '../fields/select.tsx'
import { type SettingField, SettingFields } from '../fields/setting-fields.tsx'
import { CloseDialog, Modal } from '../frame/modal.tsx'

interface Props {
  readonly webhook: Webhook
  readonly onClose: () => void
  readonly onDone: () => void
}

const starts = [
  ['time', 'Everything since a time'],
  ['position', 'Everything after a position'],
  ['start', 'Everything from the beginning'],
  ['now', 'Only what comes from now on'],
] as const
type Start = (typeof starts)[number][0]

const startFields: Readonly<Partial<Record<Start, SettingField>>> = {
  time: { is: 'utcTime', name: 'time', label: 'Date and time (UTC)' },
  position: {
    name: 'position',
    label: 'Position',
    spellcheck: false,
    hint: 'Of the last change that the receiver has. Each change in a message has its position.',
  },
}

export function ReplayWebhook({ webhook: { id }, onClose, onDone }: Props) {
  const { api } = useOpenSession()
  const [from, setFrom] = useState<Start>('time')
  const field = startFields[from]

  /** The position of the replay; undefined for the beginning. */
  const positionIn = async (text: (name: string) => string): Promise<string | undefined> => {
    if (from === 'position') return text('position')
    if (from === 'start') return undefined
    return (await api.readNewestPosition(from === 'now' ? {} : { dateTime: dateTimeFromField(text('time')) })).body
      .position
  }

  const send = async (text: (name: string) => string) => {
    if (from === 'time' && text('time') === '') throw new Mistake('Enter the date and time.')
    if (from === 'position' && text('position') === '') throw new Mistake('Enter the position.')
    const after = await positionIn(text)
    await api.replayWebhook({ id, body: after === undefined ? {} : { after } })
    say(from === 'now' ? 'The webhook continues with what comes from now on' : 'The changes are sent again')
    onDone()
    onClose()
  }

  return (
    <Modal labelledBy="replay-title" onClose={onClose}>
      <Form words="Send again" busyWords="Setting…" onSend={send} beside={<CloseDialog />}>
        <h2 id="replay-title">Send changes again</h2>
        <p>
          The webhook sends them in the same order as the first time. The receiver sees each record again, so it has to
          ignore what it knows.
        </p>
        <Radios legend="What is sent" name="from" choices={starts} value={from} onChoose={setFrom} />
        {field && <SettingFields form="replay" fields={[field]} values={{}} />}
      </Form>
    </Modal>
  )
}
