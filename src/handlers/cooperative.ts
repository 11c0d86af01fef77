// Long computations that yield to the event loop.
import type { Steps } from '../steps.ts'

/** Longest run before yielding to the event loop, in milliseconds. */
const turnMsMax = 8

/** Runs the steps and yields to the event loop after each slice of time. */
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

/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
