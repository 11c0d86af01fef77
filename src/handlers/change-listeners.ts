// Whoever follows the changes of a provider in this process: long polls, streams, senders of
// webhooks. While there is somebody, a checkpoint follows a write within a second, and they learn
// of it; with nobody, nothing is looked up. Source: decision 0071.
import type { Position } from '../contract/changes.ts'
import { changeListenersMax, changeListenersOfProviderMax } from '../limits.ts'
import type { Signer } from '../signing-key.ts'
import { stateOfOrder } from '../store/checkpoints.ts'
import type { Queryable } from '../store/statement.ts'
import { makeCheckpoints } from './checkpoint-making.ts'

/** Time between two looks while somebody listens, in milliseconds. */
const lookMs = 400
/** Longest that a call waits for a look, in milliseconds: a long backlog is many checkpoints. */
const bringUpMsMax = 5_000

export interface Listener {
  /**
   * Resolves when the order goes on behind this position, after so many milliseconds, when the
   * signal aborts or when the process ends. Who is told reads on to see what there is.
   */
  changed(after: Position, msMax: number, signal?: AbortSignal): Promise<void>
  end(): void
}

/** What is known of the order of one provider. */
interface Watch {
  listeners: number
  isLookedAfter: boolean
  callers: number
  /** Number of the last checkpoint, once it was looked up. */
  number: number
  /** A look that is under way, and one that begins after it. */
  looking: Promise<void> | undefined
  coming: Promise<void> | undefined
  readonly waiting: Set<{ readonly number: number; readonly wake: () => void }>
}

export class ChangeListeners {
  readonly #store: Queryable
  readonly #signer: Signer
  readonly #reportDropped: (what: string) => void
  readonly #watches = new Map<string, Watch>()
  readonly #looking = new Set<Promise<void>>()
  readonly #pausing = new Set<() => void>()
  #callers = 0
  #hasFailed = false
  #hasEnded = false

  constructor(store: Queryable, signer: Signer, reportDropped: (what: string) => void) {
    this.#store = store
    this.#signer = signer
    this.#reportDropped = reportDropped
  }

  /** Callers that wait for changes or are sent them. */
  get callers(): number {
    return this.#callers
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Listens for a caller; undefined where as many listen as may. */
  admit(provider: string): Listener | undefined {
    const watch = this.#watches.get(provider)
    if (this.#callers >= changeListenersMax || (watch?.callers ?? 0) >= changeListenersOfProviderMax) return undefined
    const listener = this.listen(provider)
    const counted = this.#watchOf(provider)
    counted.callers++
    this.#callers++
    return {
      changed: listener.changed,
      end: () => {
        counted.callers--
        this.#callers--
        listener.end()
      },
    }
  }

  /** Listens until `end` is called, which has to be once. */
  listen(provider: string): Listener {
    const watch = this.#watchOf(provider)
    watch.listeners++
    if (!watch.isLookedAfter) this.#lookAfter(provider, watch)
    return {
      changed: (after, msMax, signal) => this.#changed(watch, after, msMax, signal),
      end: () => {
        watch.listeners--
      },
    }
  }

  /**
   * Gives everything that is committed by now its place in the order; less when there is more than
   * can be done in the time for it.
   */
  async bringUp(provider: string): Promise<void> {
    const watch = this.#watchOf(provider)
    const looked = this.#look(provider, watch).finally(() => this.#forgetUnused(provider, watch))
    let patience: NodeJS.Timeout | undefined
    const tooLong = new Promise<void>((resolve) => {
      patience = setTimeout(resolve, bringUpMsMax)
    })
    await Promise.race([looked, tooLong]).finally(() => clearTimeout(patience))
  }

  /** Wakes everybody, and ends. */
  async end(): Promise<void> {
    this.#hasEnded = true
    for (const { waiting } of this.#watches.values()) for (const { wake } of [...waiting]) wake()
    for (const wake of [...this.#pausing]) wake()
    await Promise.all(this.#looking)
  }

  #watchOf(provider: string): Watch {
    const known = this.#watches.get(provider)
    if (known !== undefined) return known
    const watch: Watch = {
      listeners: 0,
      isLookedAfter: false,
      callers: 0,
      number: 0,
      looking: undefined,
      coming: undefined,
      waiting: new Set(),
    }
    this.#watches.set(provider, watch)
    return watch
  }

  #forgetUnused(provider: string, { listeners, isLookedAfter, looking, coming }: Watch): void {
    if (listeners === 0 && !isLookedAfter && looking === undefined && coming === undefined)
      this.#watches.delete(provider)
  }

  #lookAfter(provider: string, watch: Watch): void {
    watch.isLookedAfter = true
    const looking = this.#lookWhileListened(provider, watch).finally(() => this.#looking.delete(looking))
    this.#looking.add(looking)
  }

  async #lookWhileListened(provider: string, watch: Watch): Promise<void> {
    while (watch.listeners > 0 && !this.#hasEnded) {
      await this.#look(provider, watch).then(
        () => {
          this.#hasFailed = false
        },
        (error: unknown) => {
          // Once, until it succeeds: a database that is away fails each look.
          if (!this.#hasFailed && !this.#hasEnded)
            this.#reportDropped(`Looking for changes failed: ${error instanceof Error ? error.message : error}`)
          this.#hasFailed = true
        },
      )
      // At different moments in different processes.
      await this.#pause(lookMs * (0.75 + Math.random() / 2))
    }
    watch.isLookedAfter = false
    this.#forgetUnused(provider, watch)
  }

  /**
   * Looks what waits, and makes checkpoints of it. Those who ask meanwhile share the look after it.
   */
  #look(provider: string, watch: Watch): Promise<void> {
    watch.coming ??= (async () => {
      await watch.looking?.catch(() => undefined)
      watch.coming = undefined
      const looking = this.#lookNow(provider, watch)
      watch.looking = looking
      try {
        await looking
      } finally {
        if (watch.looking === looking) watch.looking = undefined
      }
    })()
    return watch.coming
  }

  async #lookNow(provider: string, watch: Watch): Promise<void> {
    if (this.#hasEnded) return
    const { number, isAwaiting } = await stateOfOrder(this.#store, provider)
    watch.number = isAwaiting ? await makeCheckpoints(this.#store, this.#signer, provider) : number
    for (const { number: after, wake } of [...watch.waiting]) if (watch.number > after) wake()
  }

  #changed(watch: Watch, { number }: Position, msMax: number, signal?: AbortSignal): Promise<void> {
    if (watch.number > number || this.#hasEnded || signal?.aborted || msMax <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
        watch.waiting.delete(waiter)
        resolve()
      }
      const waiter = { number, wake }
      const timer = setTimeout(wake, msMax)
      signal?.addEventListener('abort', wake)
      watch.waiting.add(waiter)
    })
  }

  /** Waits so long, or until the end. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (ms <= 0 || this.#hasEnded) return resolve()
      const wake = () => {
        clearTimeout(timer)
        this.#pausing.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      this.#pausing.add(wake)
    })
  }
}
