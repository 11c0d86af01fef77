// Several wire-protocol connections on the one session that an embedded PostgreSQL has.
import {
  type BatchEnd,
  closeStatementsMessage,
  FrontendReader,
  fatalMessage,
  queryMessage,
  syncMessage,
  withStatementPrefix,
} from './frontend-messages.ts'

/** Where the answers for one connection go. */
export interface Peer {
  /** Bytes of the server. The array is the peer's to keep. */
  answer(bytes: Uint8Array<ArrayBuffer>): void
  /** Nothing more will come. */
  close(): void
}

/** What a shared session runs on. */
export interface SharedSessionOptions {
  /** Runs one batch and gives the whole answer. Batches never overlap. */
  readonly execute: (batch: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>
  /** The answer to a startup packet, up to and with ReadyForQuery. */
  readonly greeting: Uint8Array<ArrayBuffer>
  /**
   * Longest time, in milliseconds, that an open transaction may do nothing while others wait for
   * the session.
   */
  readonly idleInTransactionMs: number
  /** The session can no longer be trusted; called at most once, after which nothing runs. */
  readonly onBroken: (error: Error) => void
}

interface Connection {
  readonly id: number
  readonly peer: Peer
  readonly reader: FrontendReader
  /** Prefixed names of the prepared statements it holds. */
  readonly statements: Set<string>
  ended: boolean
}

type Job =
  | { readonly kind: 'batch'; readonly connection: Connection; readonly end: BatchEnd; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly connection: Connection }
  | { readonly kind: 'task'; readonly connection: undefined; readonly run: () => Promise<void> }

/**
 * Transaction status of the ReadyForQuery that ends an answer, or undefined when the answer does
 * not end in one.
 */
function readyStatus(answer: Uint8Array): string | undefined {
  const tail = Buffer.from(answer.subarray(-6)).toString('latin1')
  return tail.startsWith('Z\0\0\0\x05') ? tail[5] : undefined
}

/**
 * Runs the batches of many connections one after another. A connection keeps the session to itself
 * while its transaction is open, and the others wait; one that ends inside a transaction is rolled
 * back.
 *
 * What PostgreSQL keeps per session is shared: settings made with SET (use SET LOCAL), temporary
 * tables, session-level advisory locks (they do not exclude one connection from another here) and
 * notifications, which are not forwarded. Named prepared statements are kept apart by a prefix. The
 * session is reset when no connection is left.
 */
export class SharedSession {
  readonly #options: SharedSessionOptions
  readonly #connections = new Map<number, Connection>()
  readonly #jobs: Job[] = []
  #owner: Connection | undefined
  #patience: NodeJS.Timeout | undefined
  #run: Promise<void> | undefined
  #broken = false

  constructor(options: SharedSessionOptions) {
    this.#options = options
  }

  /** Takes on a connection under an id that was not used before. */
  open(id: number, peer: Peer): void {
    this.#connections.set(id, { id, peer, reader: new FrontendReader(), statements: new Set(), ended: false })
  }

  /** Bytes from a connection. Those of an unknown or ended one are dropped. */
  receive(id: number, bytes: Uint8Array): void {
    const connection = this.#connections.get(id)
    if (connection === undefined || connection.ended) return
    for (const step of connection.reader.read(bytes)) {
      switch (step.kind) {
        case 'encryption-request':
          connection.peer.answer(Uint8Array.of(0x4e))
          break
        case 'startup':
          connection.peer.answer(this.#options.greeting.slice())
          break
        case 'batch': {
          const prefixed = withStatementPrefix(step.bytes, `${id}:`, connection.statements)
          this.#jobs.push({ kind: 'batch', connection, end: step.end, bytes: prefixed })
          break
        }
        case 'violation':
          connection.peer.answer(fatalMessage('08P01', step.message))
          this.end(id)
          break
        case 'terminate':
          this.end(id)
      }
    }
    this.#wake()
  }

  /** The connection goes away, after what it already asked for in full has run. */
  end(id: number): void {
    const connection = this.#connections.get(id)
    if (connection === undefined || connection.ended) return
    connection.ended = true
    this.#jobs.push({ kind: 'end', connection })
    this.#wake()
  }

  /**
   * Runs `task` when the session is idle and outside a transaction. Its failure breaks the session.
   */
  runTask(task: () => Promise<void>): void {
    this.#jobs.push({ kind: 'task', connection: undefined, run: task })
    this.#wake()
  }

  /** Ends all connections; fulfilled when the session is idle and outside a transaction. */
  async drain(): Promise<void> {
    for (const id of this.#connections.keys()) this.end(id)
    await this.#run
  }

  #wake(): void {
    if (this.#broken) return
    this.#run ??= this.#runJobs()
      .catch((error: Error) => {
        this.#broken = true
        this.#options.onBroken(error)
      })
      .finally(() => {
        this.#run = undefined
        this.#limitIdleOwner()
      })
  }

  async #runJobs(): Promise<void> {
    for (;;) {
      const owner = this.#owner
      const at = owner === undefined ? 0 : this.#jobs.findIndex((job) => job.connection === owner)
      const job = at < 0 ? undefined : this.#jobs[at]
      if (job === undefined) return
      this.#jobs.splice(at, 1)
      clearTimeout(this.#patience)
      this.#patience = undefined
      if (job.kind === 'batch') await this.#runBatch(job)
      else if (job.kind === 'end') await this.#runEnd(job.connection)
      else await job.run()
    }
  }

  async #runBatch({ connection, end, bytes }: Job & { kind: 'batch' }): Promise<void> {
    const answer = await this.#options.execute(bytes)
    const status = end === 'flush' ? 'T' : readyStatus(answer)
    if (status === undefined) throw new Error('the embedded database did not finish its answer')
    this.#owner = status === 'I' ? undefined : connection
    connection.peer.answer(answer)
  }

  async #runEnd(connection: Connection): Promise<void> {
    this.#connections.delete(connection.id)
    if (this.#owner === connection) {
      // Sync first: after a Flush the server may be skipping everything up to it.
      await this.#runOwn(syncMessage())
      await this.#runOwn(queryMessage('ROLLBACK'))
      this.#owner = undefined
    }
    if (connection.statements.size > 0) await this.#runOwn(closeStatementsMessage(connection.statements))
    if (this.#connections.size === 0) await this.#runOwn(queryMessage('DISCARD ALL'))
    connection.peer.close()
  }

  async #runOwn(batch: Uint8Array): Promise<void> {
    if (readyStatus(await this.#options.execute(batch)) === undefined)
      throw new Error('the embedded database did not finish its answer')
  }

  /** Without this, one forgotten BEGIN on a command line would stop a running server for good. */
  #limitIdleOwner(): void {
    const owner = this.#owner
    if (owner === undefined || this.#broken || !this.#jobs.some((job) => job.kind === 'batch')) return
    this.#patience ??= setTimeout(() => {
      const text = 'terminating connection due to idle-in-transaction timeout'
      owner.peer.answer(fatalMessage('25P03', text))
      this.end(owner.id)
    }, this.#options.idleInTransactionMs)
  }
}
