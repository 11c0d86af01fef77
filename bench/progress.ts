// What a person sees while it runs: which step, and how long the rest takes. On standard error.

/** Says where a run is that takes about `secondsTotal` in all. */
export class Progress {
  readonly #secondsTotal: number
  readonly #beganAt = performance.now()
  #secondsDone = 0

  constructor(secondsTotal: number) {
    this.#secondsTotal = secondsTotal
  }

  /**
   * Begins a step that is expected to take so long; the steps before it tell how far the
   * expectation is off.
   */
  step(title: string, seconds: number): void {
    const elapsed = (performance.now() - this.#beganAt) / 1000
    const pace = this.#secondsDone > 0 ? elapsed / this.#secondsDone : 1
    show(`${title} · about ${duration((this.#secondsTotal - this.#secondsDone) * pace)} left`)
    this.#secondsDone += seconds
  }

  end(): void {
    show('')
  }
}

/** Shows one line: in place of the last one on a terminal, below it elsewhere. */
export function show(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`)
  else if (line !== '') process.stderr.write(`${line}\n`)
}

/** Opening connections, and looking into the database. */
const secondsPerRunBeside = 0.5

/** The time that a run is expected to take. */
export const secondsOfRun = (run: { readonly warmUpMs: number; readonly measuredMs: number }): number =>
  (run.warmUpMs + run.measuredMs) / 1000 + secondsPerRunBeside

/** Seconds as a person says them. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
