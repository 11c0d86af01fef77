// The form of a sender: its fields, what it would do to a document, and saving it.
import type { ComponentChildren, RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { FormTexts } from '../../records/sender-settings.ts'
import { go } from '../../state/frame/address.ts'
import { Form } from '../fields/form.tsx'

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

export const SenderFormFrame = ({ label, fields: { form, read }, isChanged, onSave, children }: Props) => (
  <Form
    class="sections sender-form"
    aria-label={label}
    element={form}
    onChange={read}
    words="Save"
    busyWords="Saving…"
    onSend={onSave}
    unsaved={isChanged ? 'The settings of the sender are not saved.' : undefined}
    beside={
      <button type="button" onClick={() => go('/senders')}>
        Cancel
      </button>
    }
  >
    {children}
  </Form>
)
