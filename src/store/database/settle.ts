// Runs a write until it is known how it ended.
import { setTimeout as pause } from 'node:timers/promises'
import { connectionLost, mayRetry } from './database-errors.ts'

/** Retries after a serialization failure or deadlock. */
const triesMax = 10
/** How long a lost connection is retried before the caller gets 503, in milliseconds. */
const patienceMs = 3_000

/**
 * The result of a search after a lost connection: the written version, or the version at which
 * nothing was written.
 */
type Sighting<Result> = { readonly written: Result } | { readonly at: number | undefined }

/** How to attempt a write and how to find it. */
export interface Settling<Result> {
  /**
   * Runs the write. `at` is set after the connection was lost: the write must take place at this
   * version or not at all. Otherwise a first attempt that still runs in the database would be
   * followed by a second one with the same content.
   */
  readonly attempt: (at: number | undefined) => Promise<Result>
  /** Searches for the result of the write. */
  readonly findWritten: () => Promise<Sighting<Result>>
  /**
   * `written`: the end. `superseded`: the record changed after the check; check again. `refused`:
   * the end, unless the first attempt was committed after all.
   */
  readonly classify: (result: Result, at: number | undefined) => 'written' | 'superseded' | 'refused'
}

/**
 * Runs a write, each time from the start. After a lost connection it is unknown whether the
 * statement took effect: it is searched for before the next attempt, and after one that ended
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
 * Retries a read while its connection is lost or it fails to serialize, where its failure would
 * hide that a write took effect.
 */
export const readWithRetry = <Result>(read: () => Promise<Result>): Promise<Result> =>
  settle({ attempt: read, findWritten: async () => ({ at: undefined }), classify: () => 'written' })

/** It is not known in time whether the write took effect. */
export class Unsettled extends Error {
  override readonly name = 'Unsettled'
}

/**
 * 10 ms, growing to about a quarter of a second, at random so that two colliding writes do not
 * collide again.
 */
const jitter = (tries: number): number => Math.random() * Math.min(250, 10 * 2 ** tries)
