// Whether the service answers. While it does not, the page asks again regularly, and waiting calls
// continue when it is back.
import { signal } from './signal.ts'

const firstPauseMs = 500
const longestPauseMs = 5_000

const away = signal(false)
/** Grows each time the service is back. */
const returns = signal(0)
/** Runs at each answer, also while no waiting component is drawn. */
const work: (() => void)[] = []

export const useAway = (): boolean => away.use()
export const useReturns = (): number => returns.use()

export const whenBack = (then: () => void): number => work.push(then)

export function noteAnswered(): void {
  if (!away.get()) return
  away.set(false)
  returns.set(returns.get() + 1)
  for (const then of work) then()
}

export function noteFailure(): void {
  if (away.get()) return
  away.set(true)
  setTimeout(ask, firstPauseMs, firstPauseMs)
}

async function ask(pauseMs: number): Promise<void> {
  if (!away.get()) return
  try {
    const answer = await fetch('/health/ready', { cache: 'no-store' })
    if (answer.ok) return noteAnswered()
  } catch {
    // Still away.
  }
  const next = Math.min(2 * pauseMs, longestPauseMs)
  setTimeout(ask, next, next)
}

// A call that waits for a change would notice only when it ends.
addEventListener('offline', noteFailure)
