// Recounts beside the serving of requests: at once when this process wrote a change, and from time
// to time for what others left.

import { providersToRecount, recountAfterUpgrade } from '../store/recounts.ts'
import { version } from '../version.ts'
import type { HandlerContext } from './handler.ts'
import { type RecountStep, recount } from './recounts.ts'

/**
 * How often it is looked whether something was left, in milliseconds, at the most: by a process
 * that ended.
 */
const lookMsMax = 60_000
/** Changes that come this soon after each other are taken together, in milliseconds. */
const gatherMs = 100
/**
 * Longest pause after a batch, in milliseconds: on a busy machine most of the time of a batch is
 * waiting.
 */
const pauseMsMax = 50
/**
 * How soon it is tried again when another process runs the recount of a provider, in milliseconds.
 */
const againMs = 2_000

export interface RecountRounds {
  /** Something waits for a recount of this provider. */
  due(provider: string): void
  readonly report: () => RecountReport
  /** Ends after the batch that is under way; what is left is done by the next process. */
  end(): Promise<void>
}

/** What the rounds of this process have done so far. */
interface RecountReport {
  /** Events counted again, and those of them whose counts changed. */
  readonly events: number
  readonly changed: number
  /** Providers whose events are being counted again. */
  readonly providers: number
  /** How long the last recount took, in seconds. */
  readonly lastSeconds: number
}

/** `reportDropped` is called when a recount fails; it is tried again. */
export function recountRounds(context: HandlerContext, reportDropped: (what: string) => void): RecountRounds {
  const { store } = context
  const running = new Map<string, { readonly steps: ReturnType<typeof recount>; readonly began: number }>()
  /** Those to be begun, and those that are due again while they run. */
  const waiting = new Map<string, NodeJS.Timeout>()
  const totals = { events: 0, changed: 0, lastSeconds: 0 }
  let turns: Promise<void> | undefined
  let look: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  let ending = false

  const soon = (provider: string, ms: number) => {
    if (ending || waiting.has(provider)) return
    waiting.set(
      provider,
      setTimeout(() => {
        waiting.delete(provider)
        if (running.has(provider)) return soon(provider, gatherMs)
        running.set(provider, { steps: recount(context, provider), began: performance.now() })
        turns ??= takeTurns().finally(() => {
          turns = undefined
        })
      }, ms).unref(),
    )
  }

  /**
   * One batch of each provider in turn, and after each a pause: as long as the batch took, within a
   * bound.
   */
  async function takeTurns(): Promise<void> {
    while (running.size > 0 && !ending)
      for (const [provider, { steps, began }] of running) {
        if (ending) break
        const before = performance.now()
        const step = await steps.next().catch((error: unknown) => {
          if (!ending) reportDropped(`Recounting events failed: ${error instanceof Error ? error.message : error}`)
          return { done: true, value: 'failed' } as const
        })
        if (step.done) {
          running.delete(provider)
          if (step.value !== 'done') soon(provider, againMs)
          else totals.lastSeconds = (performance.now() - began) / 1_000
        } else add(step.value)
        await pause(Math.min(performance.now() - before, pauseMsMax))
      }
    // Lets go of what was begun, for the next process.
    await Promise.allSettled([...running.values()].map(({ steps }) => steps.return('others')))
    running.clear()
  }

  const add = ({ events, changed }: RecountStep) => {
    totals.events += events
    totals.changed += changed
  }

  let isUpgraded = false
  const lookNow = async () => {
    try {
      if (!isUpgraded) await recountAfterUpgrade(store, version)
      isUpgraded = true
      for (const provider of await providersToRecount(store)) soon(provider, 0)
    } catch (error) {
      if (!ending)
        reportDropped(`Looking for events to recount failed: ${error instanceof Error ? error.message : error}`)
    }
  }
  // At different moments in different processes.
  const lookLater = () => {
    look = setTimeout(
      () => {
        looking = lookNow().then(() => {
          if (!ending) lookLater()
        })
      },
      lookMsMax * (0.5 + Math.random() / 2),
    ).unref()
  }
  looking = lookNow().then(() => {
    if (!ending) lookLater()
  })

  return {
    due: (provider) => soon(provider, gatherMs),
    report: () => ({ ...totals, providers: running.size }),
    async end() {
      ending = true
      clearTimeout(look)
      for (const timer of waiting.values()) clearTimeout(timer)
      await looking
      await turns
    },
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
