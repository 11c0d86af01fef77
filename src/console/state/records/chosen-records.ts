// The records of a list that a person chose, to do one thing with all of them. Going back to the
// list shows them chosen as they were.
import { useState } from 'preact/hooks'
import { useAddress } from '../frame/address.ts'
import { useOpenSession } from '../frame/session.ts'

/** Ids, in the order in which they were chosen. */
export type Chosen = ReadonlySet<string>

interface Choice {
  /** Whose choice it is, and in which list. */
  readonly of: string
  readonly ids: Chosen
}

const none: Chosen = new Set()

let last: Choice = { of: '', ids: none }

/** The choice in the list of this name: another list begins without one. */
export function useChosen(list: string): readonly [Chosen, (chosen: Chosen) => void] {
  const { key } = useOpenSession()
  const { by } = useAddress()
  const of = `${key} ${list}`
  const [choice, setChoice] = useState(() => (by === 'history' && last.of === of ? last : { of, ids: none }))
  const choose = (ids: Chosen) => {
    last = { of, ids }
    setChoice(last)
  }
  return [choice.of === of ? choice.ids : none, choose]
}
