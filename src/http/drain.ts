// Graceful shutdown: between SIGTERM and close, responses carry `Connection: close`.
import { setTimeout as pause } from 'node:timers/promises'

/** No request for so long, in milliseconds, and nobody is taken to be on his way with one. */
const quietMs = 300
/** Longest a service goes on taking requests after it was told to stop, in milliseconds: some come back whatever they are told. */
const drainMsMax = 3_000

/**
 * A connection that is closed between two requests may have the next one on its way, which then fails. So every answer says
 * `Connection: close` for a while first, and the client opens its next connection elsewhere, or here again.
 */
export class Drain {
  #begun = false
  #lastAt = 0

  /** True from the word to stop on. */
  get begun(): boolean {
    return this.#begun
  }

  /** A request arrived. */
  seen(): void {
    if (this.#begun) this.#lastAt = performance.now()
  }

  /** Resolves when nobody comes any more, or it was long enough. */
  async run(): Promise<void> {
    this.#begun = true
    const began = performance.now()
    this.#lastAt = began
    for (;;) {
      const now = performance.now()
      const waitMs = Math.min(this.#lastAt + quietMs, began + drainMsMax) - now
      if (waitMs <= 0) return
      await pause(waitMs)
    }
  }
}
