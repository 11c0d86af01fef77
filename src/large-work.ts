// Work on large bodies takes turns with everything else that the process has to do (decision 0042).

/** A smaller body is processed immediately: it delays nobody for long. */
export const largeBodyBytesMin = 64 * 1024

/**
 * Work on a body that had a turn before goes first, so that its memory is freed before the next is
 * read.
 */
type Turn = 'first' | 'continuing'

/** The queue of one process. */
export class LargeWork {
  readonly #waiting: Readonly<Record<Turn, (() => void)[]>> = { first: [], continuing: [] }
  #isRunning = false

  /**
   * Does work whose cost grows with a body of this size; for a large body in its turn. After each
   * turn everybody else gets the processor for as long as it took. Eight callers with bodies of 900
   * KB made a small request wait 11 s (p99).
   */
  run<Outcome>(bytes: number, work: () => Outcome, turn: Turn = 'first'): Outcome | Promise<Outcome> {
    if (bytes < largeBodyBytesMin) return work()
    return new Promise((resolve, reject) => {
      this.#waiting[turn].push(() => {
        try {
          resolve(work())
        } catch (error) {
          reject(error)
        }
      })
      if (!this.#isRunning) this.#scheduleTurn()
    })
  }

  /** At the end of a turn of the event loop: work that is ready goes first. */
  #scheduleTurn(): void {
    this.#isRunning = true
    setImmediate(() => {
      const began = performance.now()
      const { first, continuing } = this.#waiting
      const work = continuing.shift() ?? first.shift()
      work?.()
      setTimeout(() => {
        this.#isRunning = first.length + continuing.length > 0
        if (this.#isRunning) this.#scheduleTurn()
      }, performance.now() - began)
    })
  }
}
