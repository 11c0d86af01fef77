// The question before leaving work in progress.
import { useEffect, useRef } from 'preact/hooks'
import { stay, useLeaveQuestion } from '../../state/frame/leaving.ts'

export function LeaveQuestion() {
  const question = useLeaveQuestion()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (question !== undefined) dialog.current?.showModal()
  }, [question])
  if (question === undefined) return null
  return (
    <dialog ref={dialog} onClose={stay} aria-labelledby="leave-title">
      <h2 id="leave-title">Leave this page?</h2>
      <p>{question.words}</p>
      <p class="actions">
        <button type="button" class="main" onClick={stay}>
          Stay
        </button>
        <button type="button" onClick={question.leave}>
          Leave
        </button>
      </p>
    </dialog>
  )
}
