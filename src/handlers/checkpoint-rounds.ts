// Makes checkpoints from time to time while a process serves. Several processes do it beside each
// other; which was faster, the database says.
import type { Signer } from '../signing-key.ts'
import type { Queryable } from '../store/statement.ts'
import { makeCheckpointsDue } from './checkpoint-making.ts'

/** How often it is looked whether one is due, in milliseconds, at the most. */
const lookMsMax = 30_000
/**
 * Longest an end waits for the last ones, in milliseconds: what is not under one yet will be under
 * the next.
 */
const endPatienceMs = 5_000

export interface CheckpointRounds {
  /** Makes the last ones, as far as there is time, and ends. */
  end(): Promise<void>
}

/** `reportDropped` is called when a round fails; the next round tries again. */
export function checkpointRounds(
  store: Queryable,
  signer: Signer,
  intervalMs: number,
  reportDropped: (what: string) => void,
): CheckpointRounds {
  let round: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let ending = false
  const make = (interval: number) =>
    makeCheckpointsDue(store, signer, interval).catch((error: unknown) => {
      if (!ending) reportDropped(`Creating checkpoints failed: ${error instanceof Error ? error.message : error}`)
    })
  // At different moments in different processes.
  const wait = () => {
    timer = setTimeout(
      () => {
        round = make(intervalMs).then(() => {
          if (!ending) wait()
        })
      },
      Math.min(lookMsMax, intervalMs) * (0.5 + Math.random() / 2),
    ).unref()
  }
  wait()
  return {
    async end() {
      ending = true
      clearTimeout(timer)
      let patience: NodeJS.Timeout | undefined
      const last = round.then(() => make(0))
      await Promise.race([
        last,
        new Promise((resolve) => {
          patience = setTimeout(resolve, endPatienceMs)
        }),
      ])
      clearTimeout(patience)
    },
  }
}
