// The question before a record changes that needs a reason, which the history shows.
import { useRef, useState } from 'preact/hooks'
import { failureSentence } from '../../words/failure-words.ts'
import { Confirmation, type ConfirmationProps } from '../frame/confirmation.tsx'
import { Fault } from '../frame/fault.tsx'

const reasonLengthMax = 100

interface Props extends Pick<ConfirmationProps, 'words' | 'busyWords' | 'isDangerous' | 'onClose' | 'children'> {
  readonly title: string
  /** Examples of a good reason. */
  readonly hint: string
  /** The alternative without a reason. */
  readonly blank: string
  readonly send: (reason: string) => Promise<void>
}

export function ReasonQuestion({ hint, blank, send, children, ...question }: Props) {
  const [fault, setFault] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const confirm = async () => {
    const reason = field.current?.value.trim() ?? ''
    if (reason === '') {
      setFault(blank)
      return field.current?.focus()
    }
    setFault(undefined)
    try {
      await send(reason)
    } catch (error) {
      setFault(failureSentence(error))
    }
  }
  return (
    <Confirmation {...question} onConfirm={confirm}>
      {children}
      <form
        class="form-field"
        onSubmit={(event) => {
          event.preventDefault()
          confirm()
        }}
      >
        <label for="reason">Reason</label>
        <input
          id="reason"
          ref={field}
          required
          // Nothing happens without it, however often Enter is pressed.
          autofocus
          maxLength={reasonLengthMax}
          autocomplete="off"
          dir="auto"
          aria-describedby="reason-hint reason-fault"
          aria-invalid={fault !== undefined}
        />
        <p id="reason-hint" class="quiet small">
          {hint}
        </p>
        <Fault id="reason-fault">{fault}</Fault>
      </form>
    </Confirmation>
  )
}
