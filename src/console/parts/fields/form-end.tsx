// The end of a form: why the last attempt failed, the button that sends it, and others beside it.
import type { ComponentChildren } from 'preact'
import type { Submission } from '../../state/frame/submission.ts'
import { Fault } from '../frame/fault.tsx'

interface Props {
  readonly submission: Submission
  /** Label of the button, and its label while the form is on its way. */
  readonly words: string
  readonly busyWords: string
  /** Further buttons, such as "Cancel". */
  readonly children?: ComponentChildren
}

export const FormEnd = ({ submission: { isSending, fault }, words, busyWords, children }: Props) => (
  <>
    <Fault>{fault}</Fault>
    <p class="actions">
      <button type="submit" class="main" disabled={isSending}>
        {isSending ? busyWords : words}
      </button>
      {children}
    </p>
  </>
)
