// Creates checkpoints periodically while a process serves. Several processes do so independently,
// and the database decides which was faster.
import type { Signer } from '../../signing-key.ts'
import type { Queryable } from '../../store/database/statement.ts'
import type { BackgroundWork } from '../base/background-work.ts'
import { makeCheckpointsDue } from '../base/checkpoint-making.ts'

/** Longest interval between two checks whether one is due, in milliseconds. */
const lookMsMax = 30_000
/**
 * Longest wait for the last ones at the end, in milliseconds; later versions are under the next
 * one.
 */
const endPatienceMs = 5_000

/**
 * Its end creates the last ones, as far as time allows. `reportDropped` is called when a round
 * fails; the next round tries again.
 */
export function checkpointRounds(
  store: Queryable,
  signer: Signer,
  intervalMs: number,
  reportDropped: (what: string) => void,
): Pick<BackgroundWork, 'end'> {
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
