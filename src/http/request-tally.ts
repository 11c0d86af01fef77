// Counts requests and their durations by operation and outcome, both closed sets.
import { Histogram } from '../metrics/histogram.ts'
import { outcomesOf } from '../operations/base/operation.ts'
import { catalogue } from '../operations/catalogue.ts'
import { serverOutcomes } from './problem.ts'

/** Bounds of answer times, in seconds: answers take milliseconds, exports minutes. */
const secondsBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120]

interface OperationTally {
  readonly outcomes: Record<string, number>
  readonly seconds: Histogram
}

/** Operation of requests that have none: pages, health, unknown addresses. */
export const noOperation = 'none'

/** Outcomes of a request that broke off, and of a page. */
const [brokenOff, page] = ['brokenOff', 'page']

export class RequestTally {
  readonly operations: Readonly<Record<string, OperationTally>> = Object.fromEntries([
    ...catalogue.map((operation) => [operation.name, tallyOf([...Object.keys(outcomesOf(operation)), brokenOff])]),
    [noOperation, tallyOf([...Object.keys(serverOutcomes), page])],
  ])

  /** Counts one request. Without an outcome, it broke off or was for a page. */
  ended(operation: string, outcome: string | undefined, ms: number): void {
    const tally = this.operations[operation] as OperationTally
    const name = outcome ?? (operation === noOperation ? page : brokenOff)
    tally.outcomes[name] = (tally.outcomes[name] ?? 0) + 1
    tally.seconds.add(ms / 1_000)
  }
}

const tallyOf = (outcomes: readonly string[]): OperationTally => ({
  outcomes: Object.fromEntries(outcomes.map((name) => [name, 0])),
  seconds: new Histogram(secondsBounds),
})
