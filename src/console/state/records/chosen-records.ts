// The records of a list that a person chose, to do one thing with all of them.
import { useState } from 'preact/hooks'

/** Ids, in the order in which they were chosen. */
export type Chosen = ReadonlySet<string>

const none: Chosen = new Set()

/** The choice in the list of this name: another list begins without one. */
export function useChosen(list: string): readonly [Chosen, (chosen: Chosen) => void] {
  const [{ of, ids }, setChoice] = useState({ of: list, ids: none })
  return [of === list ? ids : none, (chosen) => setChoice({ of: list, ids: chosen })]
}
