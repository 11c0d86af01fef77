// The embedded default database: PGlite in a worker thread, reached by `pg` as any PostgreSQL.
import { chmodSync, rmSync } from 'node:fs'
import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type pg from 'pg'
import { type DataFolderOptions, dataFolderPaths, holdsDatabase, prepareDataFolder } from './data-folder.ts'
import { EngineThread, type EngineThreadOptions } from './engine-thread.ts'
import { lockFolder } from './folder-lock.ts'
import { WireStream } from './wire-stream.ts'

const statementTimeoutMsDefault = 30_000

/** Longest wait, in milliseconds, for the socket of a running server to take a connection. */
const reachWaitMs = 2000

/**
 * The engine has one session and no passwords: `max: 1`, and names that it ignores. `port` names
 * the socket file. All are given, so that PGHOST, PGSSLMODE and the like in the environment mean
 * nothing here.
 */
const sessionConfig = { max: 1, port: 5432, user: 'postgres', database: 'postgres', password: 'none', ssl: false }

export interface EmbeddedDatabaseOptions extends DataFolderOptions {
  /** Longest time a statement may run, in milliseconds: 30,000 when not given. */
  readonly statementTimeoutMs?: number
}

/** An open embedded database. */
export interface EmbeddedDatabase {
  /** Options for `new pg.Pool(...)`: a `stream` factory that talks to the worker, `max: 1`. */
  poolConfig: pg.PoolConfig
  /**
   * Stops the worker after a clean shutdown of the database, removes the socket, releases the lock.
   * End the pools first: connections still open are cut. Waits for a running statement 5 s at most.
   * May be called again.
   */
  close(): Promise<void>
}

/**
 * One engine at a time on a folder, started when a stream first asks for it. A thread that ended by
 * itself or was given up on is replaced at the next stream, never before it is gone.
 */
class Engine {
  readonly #options: EngineThreadOptions
  #thread: Promise<EngineThread> | undefined
  #live: EngineThread | undefined
  #refusal: string | undefined

  constructor(options: EngineThreadOptions) {
    this.#options = options
  }

  /** The running thread. @throws Error when it does not start, or `refuse` was called. */
  start(): Promise<EngineThread> {
    if (this.#refusal !== undefined) return Promise.reject(new Error(this.#refusal))
    this.#thread ??= this.#startThread()
    return this.#thread
  }

  async #startThread(): Promise<EngineThread> {
    try {
      const paths = dataFolderPaths(this.#options.dataDir)
      if (!holdsDatabase(paths)) await EngineThread.start('create', this.#options)
      const thread = await EngineThread.start('serve', this.#options)
      this.#live = thread
      if (this.#refusal !== undefined) thread.kill(this.#refusal)
      void thread.ended.then(() => {
        this.#thread = undefined
        this.#live = undefined
      })
      return thread
    } catch (error) {
      this.#thread = undefined
      throw error
    }
  }

  /** A connection; its `connect` starts the engine where that is needed. */
  stream(): WireStream {
    return new WireStream((stream) => {
      this.start().then(
        (thread) => thread.attach(stream),
        // As from a server that is not there: callers wait, or are told to come back, and the next
        // one starts it again.
        (error: Error) => stream.destroy(Object.assign(error, { code: 'ECONNREFUSED' })),
      )
    })
  }

  /** Ends the thread at once and starts no other. */
  refuse(reason: string): void {
    this.#refusal = reason
    this.#live?.kill(reason)
  }

  /** Ends the thread cleanly and starts no other. */
  async stop(): Promise<void> {
    this.#refusal ??= 'the embedded database is closed'
    const thread = await this.#thread?.catch(() => undefined)
    await thread?.stop()
  }
}

/** Lets other processes of this user in, through the same bridge as our own connections. */
async function listen(socketPath: string, engine: Engine): Promise<{ close(): void }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    const wire = engine.stream()
    wire.once('connect', () => {
      pipeline(socket, wire, () => wire.destroy())
      pipeline(wire, socket, () => socket.destroy())
    })
    wire.once('error', () => socket.destroy())
    socket.once('error', () => wire.destroy())
    wire.connect()
  })
  rmSync(socketPath, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socketPath, resolve)
  })
  chmodSync(socketPath, 0o600)
  return {
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      rmSync(socketPath, { force: true })
    },
  }
}

/**
 * Opens the database in `dataDir`, and makes folder and database where they are missing, which
 * takes some seconds. Returns a value, not an exception, when another process holds the folder:
 * `heldBy` says who, for a person.
 *
 * A statement that runs longer than `statementTimeoutMs` (default 30 000) is given up on: every
 * connection is lost, as when a server is killed, and the next one starts the engine anew. COPY
 * FROM STDIN has the same effect.
 * @throws Error when the folder cannot be written to, holds other files, or the database does not
 * start.
 */
export async function openEmbeddedDatabase(
  dataDir: string,
  { statementTimeoutMs = statementTimeoutMsDefault, ...folderOptions }: EmbeddedDatabaseOptions = {},
): Promise<EmbeddedDatabase | { heldBy: string }> {
  const paths = dataFolderPaths(dataDir)
  prepareDataFolder(paths, folderOptions)
  const engine = new Engine({ dataDir: paths.root, statementTimeoutMs })
  const lock = await lockFolder(paths.lock, () => engine.refuse(`another process took over the folder ${paths.root}`))
  if ('heldBy' in lock) return lock

  let socket: { close(): void } | undefined
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    socket?.close()
    await engine.stop()
    lock.release()
  }
  try {
    await engine.start()
    if (paths.socket !== undefined) socket = await listen(paths.socket, engine)
  } catch (error) {
    await close()
    throw error
  }
  return {
    poolConfig: { ...sessionConfig, host: 'embedded', stream: () => engine.stream() },
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/**
 * For a second process (the command line) while a server has the folder open: pool options that
 * reach the running server's database over the Unix socket in the folder, or undefined when none
 * listens there.
 */
export async function reachRunningDatabase(dataDir: string): Promise<pg.PoolConfig | undefined> {
  const { root, socket: path } = dataFolderPaths(dataDir)
  if (path === undefined) return undefined
  const listens = await new Promise<boolean>((resolve) => {
    const socket = connectSocket(path)
    const answer = (reached: boolean) => () => {
      socket.destroy()
      resolve(reached)
    }
    socket.setTimeout(reachWaitMs, answer(false))
    socket.once('connect', answer(true))
    socket.once('error', answer(false))
  })
  return listens ? { ...sessionConfig, host: root } : undefined
}
