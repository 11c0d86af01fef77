// Work that ends when its page is left: the console and the browser ask first.
import { useEffect } from 'preact/hooks'
import { signal } from './signal.ts'

export interface LeaveQuestion {
  readonly words: string
  readonly leave: () => void
}

/** What would be lost, while there is something. */
let atStake: string | undefined

const question = signal<LeaveQuestion | undefined>(undefined)

export const useLeaveQuestion = (): LeaveQuestion | undefined => question.use()

addEventListener('beforeunload', (event) => {
  if (atStake !== undefined) event.preventDefault()
})

/** As long as the words are given, leaving asks first. */
export function useStaying(words: string | undefined): void {
  useEffect(() => {
    atStake = words
    return () => {
      atStake = undefined
      question.set(undefined)
    }
  }, [words])
}

/** Leaves at once, or once the reader has agreed; `loses` is what this way of leaving costs. */
export function leaveBy(leave: () => void, loses?: string): void {
  const words = atStake ?? loses
  if (words === undefined) {
    leave()
    return
  }
  question.set({
    words,
    leave: () => {
      atStake = undefined
      question.set(undefined)
      leave()
    },
  })
}

export const mayLeaveAtOnce = (): boolean => atStake === undefined

export const stay = (): void => question.set(undefined)
