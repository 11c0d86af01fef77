// Runs a write until it is known how it ended.
import { setTimeout as pause } from 'node:timers/promises'
import { connectionLost, mayRetry } from './database-errors.ts'

/** Retries after a serialization failure or deadlock. */
const triesMax = 10
/** How long a lost connection is retried before the caller gets 503, in milliseconds. */
const patienceMs = 3_000

/** What a look after a lost connection found: what was written, or at which version it was not. */
type Sighting<Result> = { readonly written: Result } | { readonly at: number | undefined }

/** How a write is attempted and looked for. */
export interface Settling<Result> {
  /**
   * Runs the write. `at` is there once the connection was lost: the write must take place at this
   * version or not at all. The first attempt may still be under way in the database, and would
   * otherwise be followed by a second one of the same content.
   */
  readonly attempt: (at: number | undefined) => Promise<Result>
  /** Looks for the trace the write leaves. */
  readonly findWritten: () => Promise<Sighting<Result>>
  /**
   * `written`: the end. `superseded`: the record changed after the check; check again. `refused`:
   * the end, unless the first attempt was committed after all.
   */
  readonly classify: (result: Result, at: number | undefined) => 'written' | 'superseded' | 'refused'
}

/**
 * Runs a write, each time from the start. After a connection was lost it is not known whether the
 * statement took place: it is looked for before the next attempt, and after one that ended
 * otherwise. Throws the last error when the database does not come back in time (decision 0044).
 */
export async function settle<Result>({ attempt, findWritten, classify }: Settling<Result>): Promise<Result> {
  const deadline = performance.now() + patienceMs
  let inDoubt = false
  for (let tries = 1; ; tries++) {
    try {
      if (!inDoubt) return await attempt(undefined)
      const before = await findWritten()
      if ('written' in before) return before.written
      const result = await attempt(before.at)
      const end = classify(result, before.at)
      if (end === 'written') return result
      if (end === 'superseded' && performance.now() < deadline) continue
      const after = await findWritten()
      if ('written' in after) return after.written
      if (end === 'refused') return result
      throw new Unsettled('Other writes change the record too fast to find out whether this write was stored.')
    } catch (error) {
      if (mayRetry(error) && tries < triesMax) await pause(jitter(tries))
      else if (connectionLost(error) && performance.now() < deadline) {
        inDoubt = true
        await pause(jitter(tries))
      } else if (inDoubt) {
        const before = await findWritten().catch(() => undefined)
        if (before !== undefined && 'written' in before) return before.written
        throw error
      } else throw error
    }
  }
}

/**
 * Runs a read again while its connection is lost or it fails to serialize: for one whose failure
 * would hide that a write took place.
 */
export const readWithRetry = <Result>(read: () => Promise<Result>): Promise<Result> =>
  settle({ attempt: read, findWritten: async () => ({ at: undefined }), classify: () => 'written' })

/** Nobody knows in time whether the write took place. */
export class Unsettled extends Error {
  override readonly name = 'Unsettled'
}

/**
 * 10 ms growing to about a quarter of a second, at random, so that two that collided do not collide
 * again.
 */
const jitter = (tries: number): number => Math.random() * Math.min(250, 10 * 2 ** tries)
