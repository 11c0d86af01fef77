// Long computations, taken in turns with everything else that the process has to do.
import type { Steps } from '../steps.ts'

/** How long steps run before the event loop gets a turn, in milliseconds. */
const turnMsMax = 8

/** Runs the steps, and lets others go ahead whenever a turn is over. */
export async function runCooperatively<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const endsAt = performance.now() + turnMsMax
    do {
      const step = steps.next()
      if (step.done) return step.value
    } while (performance.now() < endsAt)
    await nextTurn()
  }
}

/** Resolves after the event loop has looked at what else is ready. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
