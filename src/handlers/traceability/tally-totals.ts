// How complete an event is as a whole.
import type { ItemTally } from '../../rules/completeness.ts'

/** Complete lines, and gaps of the others: a line once for each rule. */
export function tallyTotals(tallies: readonly ItemTally[]): { readonly completeLines: number; readonly gaps: number } {
  let [completeLines, gaps] = [0, 0]
  for (const { complete, gaps: byRule } of tallies) {
    completeLines += complete
    for (const lines of Object.values(byRule)) gaps += lines
  }
  return { completeLines, gaps }
}
