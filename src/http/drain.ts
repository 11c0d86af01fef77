// Graceful shutdown: between SIGTERM and close, responses carry `Connection: close`.
import { setTimeout as pause } from 'node:timers/promises'

/**
 * After this time without a request, in milliseconds, the service assumes that none is on its way.
 */
const quietMs = 300
/**
 * Longest time to accept requests after SIGTERM, in milliseconds. Some clients ignore `Connection:
 * close`.
 */
const drainMsMax = 3_000

/**
 * A request may already be on its way on a connection that the service closes, and then fails. So
 * all answers say `Connection: close` for a while first, and clients open their next connection
 * elsewhere, or here again.
 */
export class Drain {
  #begun = false
  #lastAt = 0

  /** True from the moment the service is asked to stop. */
  get begun(): boolean {
    return this.#begun
  }

  /** From now on, answers close their connections. */
  begin(): void {
    this.#begun = true
  }

  /** A request arrived. */
  seen(): void {
    if (this.#begun) this.#lastAt = performance.now()
  }

  /** Resolves when no request has arrived for a while, or after the longest time. */
  async run(): Promise<void> {
    this.begin()
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
