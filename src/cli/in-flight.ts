// How many calls are in flight: more while all is well, half as many when the service asks to come back later.

const fewest = 1
const first = 16

export class InFlight {
  #limit: number
  readonly #most: number
  readonly #running = new Set<Promise<void>>()
  #ended = 0
  #failure: { readonly error: unknown } | undefined

  constructor(most: number) {
    this.#most = most
    this.#limit = Math.min(first, most)
  }

  /** Starts the work as soon as there is room. Throws what an earlier one threw. */
  async start(work: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#limit && this.#failure === undefined) await Promise.race(this.#running)
    this.#throwFailure()
    const running: Promise<void> = work().then(
      () => {
        this.#running.delete(running)
        if (++this.#ended % this.#limit === 0 && this.#limit < this.#most) this.#limit++
      },
      (error: unknown) => {
        this.#running.delete(running)
        this.#failure ??= { error }
      },
    )
    this.#running.add(running)
  }

  /** The service is busy. */
  slower(): void {
    this.#limit = Math.max(fewest, Math.floor(this.#limit / 2))
  }

  /** Waits until nothing is in flight. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.race(this.#running)
    this.#throwFailure()
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }
}
