// The results of the deliveries of webhooks in this process.
import { Histogram } from './histogram.ts'

/** A failed one has the class of its status, or none. */
type DeliveryOutcome = 'delivered' | 'refused' | 'failed' | 'unanswered'

export class DeliveryTally {
  readonly outcomes: Record<DeliveryOutcome, number> = { delivered: 0, refused: 0, failed: 0, unanswered: 0 }
  readonly seconds = new Histogram([0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15])

  add({ outcome, status, ms }: { readonly outcome: string; readonly status: number | undefined; readonly ms: number }) {
    this.outcomes[outcomeOf(outcome, status)]++
    this.seconds.add(ms / 1_000)
  }
}

function outcomeOf(outcome: string, status: number | undefined): DeliveryOutcome {
  if (outcome === 'delivered') return 'delivered'
  if (status === undefined) return 'unanswered'
  return status >= 500 ? 'failed' : 'refused'
}
