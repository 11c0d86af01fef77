// The question before an action that the page cannot undo.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { say } from '../../state/frame/toasts.ts'
import { failureSentence } from '../../words/failure-words.ts'
import { CloseDialog, Modal } from './modal.tsx'

export interface ConfirmationProps {
  readonly title: ComponentChildren
  /** What the title is about, in quotes; the title is then a question. */
  readonly about?: string
  /** Label of the confirming button, and its label while the action runs. */
  readonly words: string
  readonly busyWords: string
  /** False where the next page asks again. */
  readonly isDangerous?: boolean
  /** When it fails, a toast says why, and the dialog closes. */
  readonly onConfirm: () => Promise<void>
  /** Called on "Cancel" and when the dialog closes. */
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function Confirmation({
  title,
  about,
  words,
  busyWords,
  isDangerous = true,
  onConfirm,
  onClose,
  children,
}: ConfirmationProps) {
  const [isBusy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
    } catch (error) {
      say(failureSentence(error), 'failed')
      onClose()
    }
    setBusy(false)
  }
  return (
    <Modal labelledBy="confirmation-title" onClose={onClose}>
      <h2 id="confirmation-title">
        {title}
        {about !== undefined && (
          <>
            {' '}
            <bdi>“{about}”</bdi>?
          </>
        )}
      </h2>
      {children}
      <p class="actions">
        <button type="button" class={isDangerous ? 'danger' : 'main'} onClick={confirm} disabled={isBusy}>
          {isBusy ? busyWords : words}
        </button>
        {/* Enter, pressed once too often, does nothing that cannot be undone. */}
        <CloseDialog isFirst={isDangerous} />
      </p>
    </Modal>
  )
}
