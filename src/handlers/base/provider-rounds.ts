// Background work, one step per provider in turn: immediately when this process caused it, and from
// time to time for work that other processes left.

import type { BackgroundWork, BackgroundWorkName } from './background-work.ts'
import { rareReports } from './failure-reports.ts'

/** Longest time between two looks for work of a process that ended, in milliseconds. */
const lookMsMax = 60_000
/** Work due within this time is done together, in milliseconds. */
const gatherMs = 100
/**
 * Longest pause after a step, in milliseconds: on a busy machine most of the time of a step is
 * waiting.
 */
const pauseMsMax = 50
/** How soon it is tried again when another process does the work of a provider, in milliseconds. */
const againMs = 2_000

/**
 * Steps of work; `others`: another process does it. If the caller stops iterating, the rest stays
 * for another process.
 */
export type ProviderSteps<Step> = AsyncGenerator<Step, 'done' | 'others', void>

interface ProviderWork<Step> {
  readonly name: BackgroundWorkName
  /** How a sentence about its failure begins: `Recounting events`. */
  readonly doing: string
  readonly stepsOf: (provider: string) => ProviderSteps<Step>
  /** Providers for whom something is left. */
  readonly findLeft: () => Promise<readonly string[]>
  readonly onStep?: (step: Step) => void
  readonly onDone?: (seconds: number) => void
}

export interface ProviderRounds extends BackgroundWork {
  /** Providers that are worked for at the moment. */
  running(): number
}

/** `reportDropped` is called when a step fails; it is tried again. */
export function providerRounds<Step>(
  { name, doing, stepsOf, findLeft, onStep, onDone }: ProviderWork<Step>,
  reportDropped: (what: string) => void,
): ProviderRounds {
  const running = new Map<string, { readonly steps: ProviderSteps<Step>; readonly began: number }>()
  /** Those to be begun, and those that are due again while they run. */
  const waiting = new Map<string, NodeJS.Timeout>()
  let turns: Promise<void> | undefined
  let look: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  let ending = false

  // Rarely, because everything fails every few seconds while the database is away.
  const report = rareReports(doing, reportDropped)
  const reportFailure = (error: unknown) => {
    if (!ending) report(error)
  }

  const soon = (provider: string, ms: number) => {
    if (ending || waiting.has(provider)) return
    waiting.set(
      provider,
      setTimeout(() => {
        waiting.delete(provider)
        if (running.has(provider)) return soon(provider, gatherMs)
        running.set(provider, { steps: stepsOf(provider), began: performance.now() })
        turns ??= takeTurns().finally(() => {
          turns = undefined
        })
      }, ms).unref(),
    )
  }

  /**
   * One step of each provider in turn, and after each a pause: as long as the step took, within a
   * bound.
   */
  async function takeTurns(): Promise<void> {
    while (running.size > 0 && !ending)
      for (const [provider, { steps, began }] of running) {
        if (ending) break
        const before = performance.now()
        const step = await steps.next().catch((error: unknown) => {
          reportFailure(error)
          return { done: true, value: 'failed' } as const
        })
        if (step.done) {
          running.delete(provider)
          if (step.value !== 'done') soon(provider, againMs)
          else onDone?.((performance.now() - began) / 1_000)
        } else onStep?.(step.value)
        await pause(Math.min(performance.now() - before, pauseMsMax))
      }
    // Releases unfinished work for the next process.
    await Promise.allSettled([...running.values()].map(({ steps }) => steps.return('others')))
    running.clear()
  }

  const lookNow = async () => {
    try {
      for (const provider of await findLeft()) soon(provider, 0)
    } catch (error) {
      reportFailure(error)
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
    name,
    due: (provider) => soon(provider, gatherMs),
    running: () => running.size,
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
