// Runs a write until it is known how it ended.
import { setTimeout as pause } from 'node:timers/promises'
import { connectionLost, mayRetry } from './database-errors.ts'

/** Retries after a serialization failure or deadlock. */
const triesMax = 10
/** How long a lost connection is tried again before the caller is told to come back, in milliseconds. */
const patienceMs = 3_000

/**
 * Runs `attempt`, each time from the start. After a connection was lost it is not known whether the statement took place:
 * `written` looks for the trace it would have left, also after another attempt, because the first one may have been
 * committed in between. Throws the last error when the database does not come back in time.
 */
export async function settle<Result>(
  attempt: () => Promise<Result>,
  written: () => Promise<Result | undefined>,
  isWritten: (result: Result) => boolean,
): Promise<Result> {
  const deadline = Date.now() + patienceMs
  let inDoubt = false
  for (let tries = 1; ; tries++) {
    try {
      if (!inDoubt) return await attempt()
      const before = await written()
      if (before !== undefined) return before
      const result = await attempt()
      return isWritten(result) ? result : ((await written()) ?? result)
    } catch (error) {
      if (mayRetry(error) && tries < triesMax) await pause(jitter(tries))
      else if (connectionLost(error) && Date.now() < deadline) {
        inDoubt = true
        await pause(jitter(tries))
      } else if (inDoubt) {
        const before = await written().catch(() => undefined)
        if (before !== undefined) return before
        throw error
      } else throw error
    }
  }
}

/** 10 ms growing to about a quarter of a second, at random, so that two that collided do not collide again. */
const jitter = (tries: number): number => Math.random() * Math.min(250, 10 * 2 ** tries)
