// The form of a sender: its fields, what it would do to a document, and saving it.
import type { ComponentChildren, RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { FormTexts } from '../../records/sender-settings.ts'
import { go } from '../../state/frame/address.ts'
import { useStaying } from '../../state/frame/leaving.ts'
import { useSubmission } from '../../state/frame/submission.ts'
import { FormEnd } from '../fields/form-end.tsx'

export interface SenderForm {
  readonly form: RefObject<HTMLFormElement | null>
  /** The texts of its fields as they are now. */
  readonly texts: FormTexts
  readonly read: () => void
}

/** A form whose fields have these texts at first. */
export function useSenderForm(first: FormTexts): SenderForm {
  const form = useRef<HTMLFormElement>(null)
  const [texts, setTexts] = useState(first)
  const read = () => {
    if (form.current === null) return
    setTexts(Object.fromEntries([...new FormData(form.current)].map(([name, value]) => [name, String(value)])))
  }
  return { form, texts, read }
}

interface Props {
  readonly label: string
  readonly fields: SenderForm
  readonly isChanged: boolean
  readonly onSave: () => Promise<void>
  readonly children: ComponentChildren
}

export function SenderFormFrame({ label, fields: { form, read }, isChanged, onSave, children }: Props) {
  const submission = useSubmission()
  const [isSaved, setSaved] = useState(false)
  useStaying(isChanged && !isSaved ? 'The settings of the sender are not saved.' : undefined)
  const send = async (event: Event) => {
    event.preventDefault()
    await submission.submit(async () => {
      setSaved(true)
      try {
        await onSave()
      } catch (error) {
        setSaved(false)
        throw error
      }
    })
  }
  return (
    <form ref={form} class="sections sender-form" aria-label={label} onSubmit={send} onInput={read} onChange={read}>
      {children}
      <div>
        <FormEnd submission={submission} words="Save" busyWords="Saving…">
          <button type="button" onClick={() => go('/senders')}>
            Cancel
          </button>
        </FormEnd>
      </div>
    </form>
  )
}
