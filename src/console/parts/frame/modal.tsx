// A dialog that is open from its first drawing, above everything else.
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'

interface Props {
  /** Id of its heading. */
  readonly labelledBy: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function Modal({ labelledBy, onClose, children }: Props) {
  const opened = useRef(false)
  return (
    <dialog
      ref={(dialog) => {
        if (dialog === null || opened.current) return
        opened.current = true
        dialog.showModal()
      }}
      aria-labelledby={labelledBy}
      onClose={onClose}
    >
      {children}
    </dialog>
  )
}

/** Closes the dialog that it is in. `isFirst`: it has the focus when that opens. */
export const CloseDialog = ({
  words = 'Cancel',
  isFirst = false,
}: {
  readonly words?: string
  readonly isFirst?: boolean
}) => (
  <button type="button" autofocus={isFirst} onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}>
    {words}
  </button>
)
