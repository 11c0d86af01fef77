// How parts of the service follow the changes of a provider in this process: calls that wait,
// streams, webhooks, sharing.
import type { Position } from '../../contract/changes.ts'

export interface Listener {
  /**
   * Resolves when something follows the position, after `msMax`, when the signal aborts, or when
   * the process ends. The listener then reads what there is.
   */
  changed(after: Position, msMax: number, signal?: AbortSignal): Promise<void>
  end(): void
}

export interface ChangeListening {
  readonly hasEnded: boolean
  /** Listens for a caller; undefined when there are too many. */
  admit(provider: string): Listener | undefined
  /**
   * Listens until `end` is called. Call it exactly once. Who needs fewer looks says so: each that
   * finds something makes a checkpoint.
   */
  listen(provider: string, everyMs?: number): Listener
  /**
   * Gives everything that is committed by now its place in the order; less when the backlog takes
   * too long.
   */
  bringUp(provider: string): Promise<void>
}
