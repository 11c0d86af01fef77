// Sends earlier changes again: the webhook goes back to an earlier position.
import { useState } from 'preact/hooks'
import type { Webhook } from '../../../client/generated/shapes.ts'
import { dateTimeFromField } from '../../records/filters.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { textIn, useSubmission } from '../../state/frame/submission.ts'
import { say } from '../../state/frame/toasts.ts'
import { DateInput } from '../fields/date-input.tsx'
import { FormEnd } from '../fields/form-end.tsx'
import { TextField } from '../fields/text-field.tsx'
import { CloseDialog, Modal } from '../frame/modal.tsx'

interface Props {
  readonly webhook: Webhook
  readonly onClose: () => void
  readonly onDone: () => void
}

const places = {
  time: 'Everything since a time',
  position: 'Everything after a position',
  start: 'Everything from the beginning',
  now: 'Only what comes from now on',
} as const

export function ReplayWebhook({ webhook: { id }, onClose, onDone }: Props) {
  const { api } = useOpenSession()
  const submission = useSubmission()
  const [from, setFrom] = useState<keyof typeof places>('time')

  /** The position of the replay; undefined for the beginning. */
  const positionIn = async (text: (name: string) => string): Promise<string | undefined> => {
    if (from === 'position') return text('position')
    if (from === 'start') return undefined
    return (await api.readNewestPosition(from === 'now' ? {} : { dateTime: dateTimeFromField(text('time')) })).body
      .position
  }

  const send = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const text = textIn(event.currentTarget)
    if (from === 'time' && text('time') === '') return submission.setFault('Enter the date and time.')
    if (from === 'position' && text('position') === '') return submission.setFault('Enter the position.')
    await submission.submit(async () => {
      const after = await positionIn(text)
      await api.replayWebhook({ id, body: after === undefined ? {} : { after } })
      say(from === 'now' ? 'The webhook continues with what comes from now on' : 'The changes are sent again')
      onDone()
      onClose()
    })
  }

  return (
    <Modal labelledBy="replay-title" onClose={onClose}>
      <form class="new-key" onSubmit={send}>
        <h2 id="replay-title">Send changes again</h2>
        <p>
          The webhook sends them in the same order as the first time. The receiver sees each record again, so it has to
          ignore what it knows.
        </p>
        <fieldset class="choices">
          <legend>What is sent</legend>
          {Object.entries(places).map(([name, words]) => (
            <label key={name}>
              <input
                type="radio"
                name="from"
                checked={from === name}
                onChange={() => setFrom(name as keyof typeof places)}
              />
              <span>{words}</span>
            </label>
          ))}
        </fieldset>
        {from === 'time' && (
          <div class="form-field">
            <label for="replay-time">Date and time (UTC)</label>
            <DateInput isUtcTime id="replay-time" name="time" />
          </div>
        )}
        {from === 'position' && (
          <TextField
            id="replay-position"
            label="Position"
            name="position"
            spellcheck={false}
            hint="Of the last change that the receiver has. Each change in a message has its position."
          />
        )}
        <FormEnd submission={submission} words="Send again" busyWords="Setting…">
          <CloseDialog />
        </FormEnd>
      </form>
    </Modal>
  )
}
