// The load generator as seen from the benchmark: a process of its own that is given orders, one
// after another.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { EventForm } from './records.ts'

/** A record there is, and the number it was made from. */
export interface KnownRecord {
  readonly id: string
  readonly number: number
  /** With which it is replaced, if not with that of the order: records of many providers. */
  readonly key?: string
}

/** What to send, again and again. */
export type Requests =
  /** Replaces the records in turn, each time by content that was never sent before. */
  | {
      readonly kind: 'put'
      readonly path: string
      readonly records: readonly KnownRecord[]
      readonly form: EventForm
      /** First of the marks to use; each request takes the next. */
      readonly markFrom: number
    }
  /** Creates events, numbered from here on. */
  | { readonly kind: 'post'; readonly path: string; readonly form: EventForm; readonly numberFrom: number }
  /** Reads the paths in turn. */
  | { readonly kind: 'get'; readonly paths: readonly string[] }

export interface LoadOrder {
  readonly address: string
  readonly key: string
  readonly connections: number
  /** Time before the first measured reply. Its writes count as acknowledged all the same. */
  readonly warmUpMs: number
  readonly measuredMs: number
  /** End after so many requests, however long they take; without it only time ends the run. */
  readonly requestsMax: number | undefined
  readonly requests: Requests
}

/** A version that was acknowledged, to be compared with what is in the database. */
export interface SentVersion {
  readonly id: string
  readonly version: number
  readonly body: string
}

export interface LoadResult {
  /** Replies with 200 or 201, those of the warm-up and the last ones included. */
  readonly acknowledged: number
  /** How often each other status came; 0 is a broken connection. */
  readonly refused: Readonly<Record<string, number>>
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Requests sent, so that the next order goes on with marks and numbers nobody used. */
  readonly sent: number
  /** Share of one core that the load generator itself took. */
  readonly ownCpu: number
  /** Records that were created, with `post`. */
  readonly created: readonly KnownRecord[]
  readonly samples: readonly SentVersion[]
}

export class LoadGenerator {
  readonly #child: ChildProcess
  #settle: { readonly resolve: (result: LoadResult) => void; readonly reject: (error: Error) => void } | undefined

  constructor() {
    this.#child = fork(fileURLToPath(new URL('./load-process.ts', import.meta.url)))
    this.#child.on('message', (result) => this.#settle?.resolve(result as LoadResult))
    this.#child.on('exit', () =>
      this.#settle?.reject(new Error('The load generator ended in the middle of an order; its error is above.')),
    )
  }

  /** Carries out one order to its last reply. */
  run(order: LoadOrder): Promise<LoadResult> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      this.#child.send(order)
    })
  }

  end(): void {
    this.#child.disconnect()
  }
}
