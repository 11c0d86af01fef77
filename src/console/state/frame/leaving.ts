// Work that ends when its page is left: the console and the browser ask first.
import { useEffect } from 'preact/hooks'
import { signal } from './signal.ts'

export interface LeaveQuestion {
  readonly words: string
  readonly leave: () => void
  /** Leaves, and discards what would stay on this device. */
  readonly discard?: (() => void) | undefined
}

/** The unsaved work, if any. */
let atStake: string | undefined

const question = signal<LeaveQuestion | undefined>(undefined)

export const useLeaveQuestion = (): LeaveQuestion | undefined => question.use()

addEventListener('beforeunload', (event) => {
  if (atStake !== undefined) event.preventDefault()
})

/** As long as the words are given, leaving asks first. */
export function useStaying(words: string | undefined): void {
  useEffect(() => {
    // Another part of the page may have work at stake.
    if (words === undefined) return
    atStake = words
    return () => {
      atStake = undefined
      question.set(undefined)
    }
  }, [words])
}

/**
 * Leaves immediately, or after confirmation; `other` says what leaving this way costs, or what
 * stays and may be discarded.
 */
export function leaveBy(leave: () => void, other: Partial<Pick<LeaveQuestion, 'words' | 'discard'>> = {}): void {
  const words = atStake ?? other.words
  if (words === undefined) {
    leave()
    return
  }
  const go = () => {
    atStake = undefined
    question.set(undefined)
    leave()
  }
  const { discard } = other
  question.set({
    words,
    leave: go,
    discard:
      discard &&
      (() => {
        discard()
        go()
      }),
  })
}

export const mayLeaveAtOnce = (): boolean => atStake === undefined

export const stay = (): void => question.set(undefined)
