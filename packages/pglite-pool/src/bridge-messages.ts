// What the main thread and the thread of the embedded database tell each other.

/** What the worker is started with. */
export interface EngineWorkerData {
  /**
   * `create` makes the database and exits with 0; `serve` answers connections until told to stop.
   */
  readonly task: 'create' | 'serve'
  /** Absolute path of the data folder. */
  readonly dataDir: string
  /**
   * One BigInt64: `process.hrtime.bigint()` at which the running batch began, or 0 when none runs.
   */
  readonly busySince: SharedArrayBuffer
  /** See `SharedSessionOptions`. */
  readonly idleInTransactionMs: number
}

/** From the main thread. `id` names a connection and is never used twice. */
export type ToEngine =
  | { readonly kind: 'open'; readonly id: number }
  | { readonly kind: 'bytes'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'stop' }

/** From the worker. After `failed` it exits. */
export type FromEngine =
  | { readonly kind: 'ready' }
  | { readonly kind: 'bytes'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'failed'; readonly message: string }
