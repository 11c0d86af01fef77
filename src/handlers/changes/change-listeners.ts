// Knows who follows the changes of a provider in this process: long polls, streams, senders of
// webhooks. While there is a listener, a checkpoint follows each write within a second, and the
// listener is woken. Without listeners nothing is looked up. Source: decision 0071.
import type { Position } from '../../contract/changes.ts'
import { declareLimit } from '../../limits.ts'
import type { Signer } from '../../signing-key.ts'
import type { Queryable } from '../../store/database/statement.ts'
import { stateOfOrder } from '../../store/evidence/checkpoints.ts'
import type { ChangeListening, Listener } from '../base/change-listening.ts'
import { makeCheckpoints } from '../base/checkpoint-making.ts'

/** Each holds a connection and little else. */
const changeListenersMax = declareLimit(
  'changeListeners',
  1_000,
  'callers',
  'Callers that one process lets wait for changes, streams included.',
)
export const changeListenersOfProviderMax = declareLimit(
  'changeListenersOfProvider',
  200,
  'callers',
  'Callers of one provider that one process lets wait for changes.',
)

/** Time between two looks while there are listeners, in milliseconds. */
const lookMs = 400
const lookMsMax = 60_000
/**
 * Longest time that a call waits for a look, in milliseconds: a long backlog takes many
 * checkpoints.
 */
const bringUpMsMax = 5_000

/** The state of one provider. */
interface Watch {
  /** Time between two looks that each listener asks for, in milliseconds. */
  readonly listeners: Set<{ readonly everyMs: number }>
  /** Ends the pause between two looks. */
  wake: () => void
  isLookedAfter: boolean
  callers: number
  /** Number of the last checkpoint; 0 before the first look. */
  number: number
  /** The look in progress, and the one after it. */
  looking: Promise<void> | undefined
  coming: Promise<void> | undefined
  readonly waiting: Set<{ readonly number: number; readonly wake: () => void }>
}

export class ChangeListeners implements ChangeListening {
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

  /** Number of callers that wait for changes or get a stream. */
  get callers(): number {
    return this.#callers
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

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

  listen(provider: string, everyMs = lookMs): Listener {
    const watch = this.#watchOf(provider)
    const listener = { everyMs }
    const isFastest = everyMs < paceOf(watch)
    watch.listeners.add(listener)
    if (!watch.isLookedAfter) this.#lookAfter(provider, watch)
    else if (isFastest) watch.wake()
    return {
      changed: (after, msMax, signal) => this.#changed(watch, after, msMax, signal),
      end: () => {
        watch.listeners.delete(listener)
      },
    }
  }

  async bringUp(provider: string): Promise<void> {
    const watch = this.#watchOf(provider)
    const looked = this.#look(provider, watch).finally(() => this.#forgetUnused(provider, watch))
    let patience: NodeJS.Timeout | undefined
    const tooLong = new Promise<void>((resolve) => {
      patience = setTimeout(resolve, bringUpMsMax)
    })
    await Promise.race([looked, tooLong]).finally(() => clearTimeout(patience))
  }

  /** Wakes all listeners, and ends. */
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
      listeners: new Set(),
      wake: () => undefined,
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
    if (listeners.size === 0 && !isLookedAfter && looking === undefined && coming === undefined)
      this.#watches.delete(provider)
  }

  #lookAfter(provider: string, watch: Watch): void {
    watch.isLookedAfter = true
    const looking = this.#lookWhileListened(provider, watch).finally(() => this.#looking.delete(looking))
    this.#looking.add(looking)
  }

  async #lookWhileListened(provider: string, watch: Watch): Promise<void> {
    while (watch.listeners.size > 0 && !this.#hasEnded) {
      await this.#look(provider, watch).then(
        () => {
          this.#hasFailed = false
        },
        (error: unknown) => {
          // Once until the next success: while the database is away, every look fails.
          if (!this.#hasFailed && !this.#hasEnded)
            this.#reportDropped(`Looking for changes failed: ${error instanceof Error ? error.message : error}`)
          this.#hasFailed = true
        },
      )
      // Spreads the looks of processes.
      await this.#pause(watch, paceOf(watch) * (0.75 + Math.random() / 2))
    }
    watch.isLookedAfter = false
    this.#forgetUnused(provider, watch)
  }

  /**
   * Makes checkpoints of the waiting versions. Callers that arrive during a look share the next
   * one.
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

  /** Waits `ms` milliseconds, until a look is needed sooner, or until the end. */
  #pause(watch: Watch, ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (ms <= 0 || this.#hasEnded) return resolve()
      const wake = () => {
        clearTimeout(timer)
        this.#pausing.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      this.#pausing.add(wake)
      watch.wake = wake
    })
  }
}

/** Time between two looks for a provider: that of the listener who needs most. */
const paceOf = ({ listeners }: Watch): number => Math.min(lookMsMax, ...[...listeners].map(({ everyMs }) => everyMs))
