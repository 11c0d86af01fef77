// Asks whether replacements may remove product lines: one question at a time, and an answer for all
// is remembered.
import { useRef, useState } from 'preact/hooks'
import type { Removal } from '../../../intake/send-record.ts'

interface RemovalAnswer {
  readonly remove: boolean
  readonly isForAll: boolean
}

export interface RemovalAsked {
  readonly removal: Removal
  readonly answer: (answer: RemovalAnswer) => void
}

export function useRemovalQuestion() {
  const [asked, setAsked] = useState<RemovalAsked>()
  const state = useRef<{ forAll?: boolean; before: Promise<unknown>; open?: RemovalAsked['answer'] }>({
    before: Promise.resolve(),
  })
  const ask = (removal: Removal) =>
    new Promise<boolean>((resolve) => {
      const { forAll } = state.current
      if (forAll !== undefined) return resolve(forAll)
      const answer = ({ remove, isForAll }: RemovalAnswer) => {
        if (isForAll) state.current.forAll = remove
        setAsked(undefined)
        resolve(remove)
      }
      state.current.open = answer
      setAsked({ removal, answer })
    })
  const mayRemove = (removal: Removal): Promise<boolean> => {
    const answer = state.current.before.then(() => ask(removal))
    state.current.before = answer
    return answer
  }
  const begin = () => {
    state.current = { before: Promise.resolve() }
  }
  /** Stopping the import removes no further lines. */
  const giveUp = () => {
    state.current.forAll = false
    state.current.open?.({ remove: false, isForAll: true })
  }
  return { asked, mayRemove, begin, giveUp }
}
