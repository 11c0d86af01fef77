// A form that is sent: its fields, the button that sends it, and why the last attempt failed.
import type { ComponentChildren, Ref } from 'preact'
import { useStaying } from '../../state/frame/leaving.ts'
import { textIn, useSubmission } from '../../state/frame/submission.ts'
import { Fault } from '../frame/fault.tsx'

interface Props {
  readonly class?: string
  readonly 'aria-label'?: string
  readonly 'aria-labelledby'?: string
  readonly element?: Ref<HTMLFormElement>
  /** Called after each input and choice. */
  readonly onChange?: () => void
  /** Label of the button, and its label while the form is on its way. */
  readonly words: string
  readonly busyWords: string
  /** Sends the fields. The form shows why it failed; of a `Mistake`, the message as it is. */
  readonly onSend: (text: (name: string) => string, form: HTMLFormElement) => Promise<void>
  readonly sentenceOf?: (error: unknown) => string
  /** The question before the page is left; undefined while nothing would be lost. */
  readonly unsaved?: string | undefined
  /** Further buttons, such as "Cancel". */
  readonly beside?: ComponentChildren
  readonly children: ComponentChildren
}

export function Form({
  class: className = 'new-key',
  element = null,
  onChange,
  words,
  busyWords,
  onSend,
  sentenceOf,
  unsaved,
  beside,
  children,
  ...labels
}: Props) {
  const { isSending, isSent, fault, submit } = useSubmission()
  useStaying(isSent ? undefined : unsaved)
  const send = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const form = event.currentTarget
    await submit(() => onSend(textIn(form), form), sentenceOf)
  }
  return (
    <form {...labels} class={className} ref={element} onSubmit={send} onInput={onChange} onChange={onChange}>
      {children}
      <div class="form-end">
        <Fault>{fault}</Fault>
        <p class="actions">
          <button type="submit" class="main" disabled={isSending}>
            {isSending ? busyWords : words}
          </button>
          {beside}
        </p>
      </div>
    </form>
  )
}
