// The state of a form: whether it is being sent, and why that failed. And the texts of its fields.
import { useState } from 'preact/hooks'
import { failureSentence } from '../../words/failure-words.ts'

/** A mistake that the reader can correct in the form. Its message says how. */
export class Mistake extends Error {}

export interface Submission {
  readonly isSending: boolean
  /** True from sending on, and after it succeeded; false again when it failed. */
  readonly isSent: boolean
  /** Why the last attempt failed, as a sentence. */
  readonly fault: string | undefined
  /** Runs `work`. When it throws, `sentenceOf` says why. */
  readonly submit: (work: () => Promise<void>, sentenceOf?: (error: unknown) => string) => Promise<void>
}

export function useSubmission(): Submission {
  const [state, setState] = useState<'sending' | 'sent'>()
  const [fault, setFault] = useState<string>()
  const submit: Submission['submit'] = async (work, sentenceOf = failureSentence) => {
    setState('sending')
    setFault(undefined)
    try {
      await work()
      setState('sent')
    } catch (error) {
      setState(undefined)
      setFault(error instanceof Mistake ? error.message : sentenceOf(error))
    }
  }
  return { isSending: state === 'sending', isSent: state !== undefined, fault, submit }
}

/** What the fields of a form say, without blanks around it. */
export function textIn(form: HTMLFormElement): (name: string) => string {
  const fields = new FormData(form)
  return (name: string) => String(fields.get(name) ?? '').trim()
}
