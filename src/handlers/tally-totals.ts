// How complete an event is as a whole.
import type { ItemTally } from '../rules/completeness.ts'
import type { EventCompleteness } from '../store/bulk-corrections.ts'

/** Complete lines, and gaps of the others: a line once for each rule. */
export function tallyTotals(tallies: readonly ItemTally[]): EventCompleteness {
  let [completeLines, gaps] = [0, 0]
  for (const { complete, gaps: byRule } of tallies) {
    completeLines += complete
    for (const lines of Object.values(byRule)) gaps += lines
  }
  return { completeLines, gaps }
}
