// The worker thread of the embedded database, as the main thread sees it.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { EngineWorkerData, FromEngine, ToEngine } from './bridge-messages.ts'
import type { WireStream } from './wire-stream.ts'

/** Longest wait, in milliseconds, for a clean shutdown before the thread is ended as by kill -9. */
const stopWaitMs = 5000

/** What a thread is started with. */
export interface EngineThreadOptions {
  /** Absolute path of the data folder. The caller holds its lock. */
  readonly dataDir: string
  /**
   * Longest time one batch of statements may run, and a transaction may sit idle while others wait;
   * milliseconds.
   */
  readonly statementTimeoutMs: number
}

/**
 * Node 20 reads no TypeScript in a worker, and a worker does not take over the loader of tsx or
 * vitest. From sources the worker therefore starts with a line that registers tsx and then imports
 * the entry.
 */
function startWorker(workerData: EngineWorkerData): Worker {
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('./engine-worker.js', import.meta.url), { workerData })
  const entry = new URL('./engine-worker.ts', import.meta.url).href
  // By path: require.resolve finds the CommonJS build, which fails here, and vitest's set-up has no
  // import.meta.resolve.
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'))
  const loader = new URL('./dist/esm/api/index.mjs', tsx).href
  const line = `import('${loader}').then(({ register }) => { register(); return import('${entry}') })`
  return new Worker(line, { eval: true, execArgv: [], workerData })
}

/**
 * A connection that was cut; has the code that a network would give, so that callers treat it
 * alike.
 */
function lostConnection(reason: string): Error {
  return Object.assign(new Error(`Connection to the embedded database lost: ${reason}`), { code: 'ECONNRESET' })
}

/**
 * One life of the engine: from a start to a stop, a failure, or a statement that was given up on.
 */
export class EngineThread {
  /** Fulfilled when the worker is gone and the folder may be opened again. */
  readonly ended: Promise<void>
  readonly #worker: Worker
  readonly #streams = new Map<number, WireStream>()
  readonly #busySince: BigInt64Array
  readonly #ready: Promise<void>
  #lastId = 0
  #gone = false
  #endReason = 'it stopped'

  /**
   * A thread that answers. Makes the database first when `task` is `create`, and then resolves when
   * that thread has ended.
   * @throws Error when the engine does not start.
   */
  static async start(task: EngineWorkerData['task'], options: EngineThreadOptions): Promise<EngineThread> {
    const thread = new EngineThread(task, options)
    await thread.#ready
    return thread
  }

  private constructor(task: EngineWorkerData['task'], { dataDir, statementTimeoutMs }: EngineThreadOptions) {
    const busySince = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)
    this.#busySince = new BigInt64Array(busySince)
    this.#worker = startWorker({ task, dataDir, busySince, idleInTransactionMs: statementTimeoutMs })

    const watch = setInterval(
      () => {
        const since = Atomics.load(this.#busySince, 0)
        if (since === 0n || process.hrtime.bigint() - since < BigInt(statementTimeoutMs) * 1_000_000n) return
        this.kill(`a statement was given up on after ${statementTimeoutMs} ms`)
      },
      Math.min(1000, Math.max(10, statementTimeoutMs / 10)),
    )
    watch.unref()

    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        clearInterval(watch)
        this.#gone = true
        for (const stream of this.#streams.values()) stream.destroy(lostConnection(this.#endReason))
        this.#streams.clear()
        resolve()
      })
    })
    this.#ready = new Promise((resolve, reject) => {
      this.#worker.on('message', (message: FromEngine) => {
        if (message.kind === 'ready') resolve()
        else this.#receive(message)
      })
      this.#worker.on('error', (error) => {
        this.#endReason = error.message
      })
      this.#worker.once('exit', (code) => {
        if (task === 'create' && code === 0) resolve()
        else reject(new Error(this.#endReason))
      })
    })
  }

  #receive(message: FromEngine): void {
    if (message.kind === 'failed') this.#endReason = message.message
    else if (message.kind === 'bytes') this.#streams.get(message.id)?.push(message.bytes)
    else if (message.kind === 'end') {
      this.#streams.get(message.id)?.push(null)
      this.#streams.delete(message.id)
    }
  }

  #post(message: ToEngine): void {
    if (message.kind === 'bytes') this.#worker.postMessage(message, [message.bytes.buffer])
    else this.#worker.postMessage(message)
  }

  /** Connects a stream to the database. One that comes too late fails as those that were there. */
  attach(stream: WireStream): void {
    if (this.#gone) {
      stream.destroy(lostConnection(this.#endReason))
      return
    }
    this.#lastId += 1
    const id = this.#lastId
    this.#streams.set(id, stream)
    this.#post({ kind: 'open', id })
    stream.linked({
      send: (bytes) => this.#post({ kind: 'bytes', id, bytes }),
      end: () => this.#post({ kind: 'end', id }),
    })
  }

  /**
   * Ends the thread at once, wherever it is. What was committed stays. Streams fail with `reason`.
   */
  kill(reason: string): void {
    this.#endReason = reason
    void this.#worker.terminate()
  }

  /** Shuts the database down cleanly, or by force after 5 s. Connections still open are ended. */
  async stop(): Promise<void> {
    this.#post({ kind: 'stop' })
    const force = setTimeout(() => this.kill('the program stops'), stopWaitMs)
    await this.ended
    clearTimeout(force)
  }
}
