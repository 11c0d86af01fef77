// How parts of the service follow the changes of a provider in this process: calls that wait,
// streams, webhooks, sharing.
import type { Position } from '../../contract/changes.ts'

export interface Listener {
  /**
   * Resolves at the first change after the position, after `msMax`, when the signal aborts, or when
   * the process ends. The listener then reads the feed.
   */
  changed(after: Position, msMax: number, signal?: AbortSignal): Promise<void>
  end(): void
}

export interface ChangeListening {
  readonly hasEnded: boolean
  /** Listens for a caller; undefined when there are too many. */
  admit(provider: string): Listener | undefined
  /**
   * Listens until `end` is called. Call it exactly once. A listener that needs fewer looks sets it:
   * each look that finds a change makes a checkpoint.
   */
  listen(provider: string, everyMs?: number): Listener
  /**
   * Gives everything that is committed by now its place in the order; less when the backlog takes
   * too long.
   */
  bringUp(provider: string): Promise<void>
}
