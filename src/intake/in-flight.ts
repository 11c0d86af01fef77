// How many calls are in flight: more while all is well, half as many when the service asks to come
// back later.

const fewest = 1
const first = 32

/** Calls that end well for each one more in flight. */
const endedPerMore = 4

export class InFlight {
  #limit: number
  readonly #most: number
  #running = 0
  #ended = 0
  #failure: { readonly error: unknown } | undefined
  /** Of the one who waits for a call to end. */
  #wake: (() => void) | undefined

  constructor(most: number) {
    this.#most = most
    this.#limit = Math.min(first, most)
  }

  /**
   * Starts the work as soon as there is room. Throws the error of an earlier one. For one caller,
   * who waits for it.
   */
  async start(work: () => Promise<void>): Promise<void> {
    while (this.#running >= this.#limit && this.#failure === undefined) await this.#oneEnds()
    this.#throwFailure()
    this.#running++
    work()
      .then(
        () => {
          if (++this.#ended % endedPerMore === 0 && this.#limit < this.#most) this.#limit++
        },
        (error: unknown) => {
          this.#failure ??= { error }
        },
      )
      .finally(() => {
        this.#running--
        this.#wake?.()
      })
  }

  /** The service is busy. */
  slower(): void {
    this.#limit = Math.max(fewest, Math.floor(this.#limit / 2))
  }

  /** Waits until one more has ended; at once when nothing is in flight. */
  async next(): Promise<void> {
    if (this.#running > 0 && this.#failure === undefined) await this.#oneEnds()
    this.#throwFailure()
  }

  /** Waits until nothing is in flight, with any result. */
  async drained(): Promise<void> {
    while (this.#running > 0) await this.#oneEnds()
  }

  /** Waits until nothing is in flight, or something failed. */
  async settled(): Promise<void> {
    while (this.#running > 0 && this.#failure === undefined) await this.#oneEnds()
    this.#throwFailure()
  }

  #oneEnds(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }
}
