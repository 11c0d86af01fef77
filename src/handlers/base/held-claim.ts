// What a process has claimed: how long it lasts, and what its worker waits for.
import type { Position } from '../../contract/changes.ts'
import { type Claim, ClaimLost } from '../../store/base/leases.ts'
import type { Listener } from './change-listening.ts'
import type { HandlerContext } from './handler.ts'

/** Pause after a failure of this service, in milliseconds. */
export const faultPauseMs = 2_000
/** The longest time that setTimeout accepts. */
const longestTimerMs = 2 ** 31 - 1

/** A claim of this process, until it is lost or given up. */
export class HeldClaim {
  readonly provider: string
  readonly row: Claim
  /** Reports a failure that ends no step. */
  readonly reportFailure: (error: unknown) => void
  /** The worker reads again what it knows, before anything else. */
  isStale = false
  readonly #listening: HandlerContext['changeListeners']
  readonly #lastsMs: number
  /** Aborts when the claim is lost, or the end cannot wait longer. */
  readonly #stopped = new AbortController()
  #renewedAt = 0
  #isEnding = false
  #lease: NodeJS.Timeout | undefined
  #listener: Listener | undefined
  #wake: () => void = () => undefined

  constructor(
    { changeListeners }: HandlerContext,
    provider: string,
    { id, fence }: Claim,
    { lastsMs, reportFailure }: { readonly lastsMs: number; readonly reportFailure: (error: unknown) => void },
  ) {
    this.provider = provider
    this.row = id === undefined ? { fence } : { id, fence }
    this.#listening = changeListeners
    this.#lastsMs = lastsMs
    this.reportFailure = reportFailure
  }

  /** Aborts when the claim ends otherwise than after a step. */
  get stopped(): AbortSignal {
    return this.#stopped.signal
  }

  /** Nothing more is begun. */
  get isOver(): boolean {
    return this.#isEnding || this.#stopped.signal.aborted
  }

  /** Throws when the claim is lost, or was renewed longer ago. */
  assertRenewedWithin(ms: number): void {
    if (this.#stopped.signal.aborted || performance.now() - this.#renewedAt > ms)
      throw new ClaimLost('The claim was not renewed in time.')
  }

  /** `began`: when the claim, or its renewal, was sent. */
  holdFrom(began: number): void {
    if (this.#stopped.signal.aborted) return
    this.#renewedAt = began
    clearTimeout(this.#lease)
    this.#lease = setTimeout(() => this.stop(), began + this.#lastsMs - performance.now()).unref()
  }

  /** Makes the worker read again what it knows, at once. */
  reread(): void {
    this.isStale = true
    this.#wake()
  }

  /** Ends after the step in progress. */
  end(): void {
    this.#isEnding = true
    this.#wake()
  }

  /** Ends at once: the claim is lost, or there is no more work. */
  stop(): void {
    clearTimeout(this.#lease)
    this.#stopped.abort()
    this.#wake()
  }

  /** Ends early when the worker has something to do before. */
  sleep(ms: number): Promise<void> {
    if (this.isOver || this.isStale) ms = Math.min(ms, faultPauseMs)
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(ms, longestTimerMs))
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
      if (this.isOver) this.#wake()
    })
  }

  /**
   * Waits for changes after a position, at most `msMax`. Who needs fewer looks for them says so by
   * `everyMs`.
   */
  async waitForChanges(after: Position, msMax: number, everyMs?: number): Promise<void> {
    this.#listener ??= this.#listening.listen(this.provider, everyMs)
    const waiting = new AbortController()
    this.#wake = () => waiting.abort()
    if (this.isOver || this.isStale) return
    // The listener returns at once when the service stops.
    if (this.#listening.hasEnded) return this.sleep(msMax)
    await this.#listener.changed(after, msMax, waiting.signal)
  }

  /** For a worker that needs no changes for a while. */
  stopListening(): void {
    this.#listener?.end()
    this.#listener = undefined
  }
}
