// Entry of the worker thread in which the embedded database runs, so that a long statement never
// stops the main thread.
import { mkdirSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import type { EngineWorkerData, FromEngine, ToEngine } from './bridge-messages.ts'
import { type DataFolderPaths, dataFolderPaths } from './data-folder.ts'
import { DurableNodeFs } from './durable-node-fs.ts'
import { startupMessage } from './frontend-messages.ts'
import { readInitialDatabase, unpackFolder } from './initial-database.ts'
import { SharedSession } from './shared-session.ts'
import { syncPath, syncTree } from './sync-tree.ts'

/**
 * PGlite's parameters turn fsync off, and its fdatasync is a stub, so both are put right.
 * PostgreSQL keeps 128 MB of pages when nothing is said, and fills that memory with zeros at each
 * start, which takes 0.3 s. With 32 MB, reads and updates of a database of 640 MB take no longer,
 * since the system keeps its pages too; loading 300,000 rows takes 8.3 s instead of 7.3.
 */
const durableParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync', '-c', 'shared_buffers=32MB'],
]

/**
 * How much write-ahead log may gather before a checkpoint and a vacuum, in bytes, and how often
 * that is looked at, in milliseconds. A PostgreSQL of one process has no checkpointer and no
 * autovacuum: without this the log would grow until the next stop, and the planner would know
 * nothing of the tables.
 */
const walBytesMax = 64 * 1024 * 1024
const walLookMs = 10_000

const { task, dataDir, busySince, idleInTransactionMs }: EngineWorkerData = workerData
const busyClock = new BigInt64Array(busySince)

function post(message: FromEngine): void {
  if (message.kind === 'bytes') parentPort?.postMessage(message, [message.bytes.buffer])
  else parentPort?.postMessage(message)
}

function fail(error: unknown): never {
  post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  process.exit(1)
}

/** Free bytes without which a database cannot be made; a new one was measured at 40 MiB. */
const diskNeededMin = 64 * 1024 ** 2

/** The engine throws errors, and objects that are none. */
function causeWords(error: unknown): string {
  if (error instanceof Error || typeof error !== 'object' || error === null) return String(error)
  const { name = 'error', message = '', errno } = error as { name?: string; message?: string; errno?: number }
  return [name, message || (errno === undefined ? '' : `number ${errno} of the engine`)].filter(Boolean).join(': ')
}

/**
 * Opens a PostgreSQL folder, and makes it where it is empty. The engine's own words are added to a
 * failure.
 */
async function openPGlite(folder: string, startParams: string[]): Promise<PGlite> {
  const lines: string[] = []
  const onStderr = (line: string): boolean => {
    lines.push(line)
    return false
  }
  try {
    return await PGlite.create({ fs: new DurableNodeFs(folder), startParams, onStderr })
  } catch (error) {
    throw startFailure(folder, [causeWords(error), ...lines.slice(-10)])
  }
}

function startFailure(folder: string, words: readonly string[]): Error {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < diskNeededMin)
    return new Error(
      `the disk of ${folder} is full. A new database takes ${diskNeededMin / 1024 ** 2} MiB. Make room, or use a folder on another disk`,
    )
  return new Error(`the embedded database did not start: ${words.join('\n')}`)
}

/** Fills an empty folder with a new database. */
async function fillFolder(folder: string): Promise<void> {
  const initial = readInitialDatabase()
  if (initial === undefined) {
    const pglite = await openPGlite(folder, PGlite.defaultStartParams)
    await pglite.close()
    return
  }
  try {
    unpackFolder(initial, folder)
  } catch (error) {
    throw startFailure(folder, [causeWords(error)])
  }
}

/**
 * A database takes its place only when all of it is on disk, so a first start may be interrupted
 * anywhere.
 */
async function create(paths: DataFolderPaths): Promise<void> {
  rmSync(paths.unfinished, { recursive: true, force: true })
  mkdirSync(paths.unfinished, { mode: 0o700 })
  await fillFolder(paths.unfinished)
  await syncTree(paths.unfinished)
  renameSync(paths.unfinished, paths.database)
  syncPath(paths.root)
}

/**
 * In a buffer of its own, not a window on Node's pool, so that it can be handed to another thread.
 */
function concatBytes(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/** As a server understands it: a migration says of itself that it takes its time. */
const liftsTimeLimit = (batch: Uint8Array): boolean =>
  Buffer.from(batch.buffer, batch.byteOffset, Math.min(batch.length, 4_096)).includes(
    'SET LOCAL statement_timeout = 0;',
  )

async function serve(paths: DataFolderPaths): Promise<void> {
  const pglite = await openPGlite(paths.database, durableParams)

  let ranSinceLook = false

  // Not execProtocolRaw: it keeps every message it ever answered.
  const execute = async (batch: Uint8Array): Promise<Uint8Array<ArrayBuffer>> => {
    const chunks: Uint8Array[] = []
    ranSinceLook = true
    if (!liftsTimeLimit(batch)) Atomics.store(busyClock, 0, process.hrtime.bigint())
    try {
      await pglite.execProtocolRawStream(batch, {
        syncToFs: false,
        onRawData: (data) => chunks.push(data.slice()),
      })
    } finally {
      Atomics.store(busyClock, 0, 0n)
    }
    return concatBytes(chunks)
  }

  const greeting = await execute(startupMessage('postgres', 'postgres'))
  const session = new SharedSession({ execute, greeting, idleInTransactionMs, onBroken: fail })

  const limitWal = async (): Promise<void> => {
    const { rows } = await pglite.query<{ gathered: number }>(
      'SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 AS gathered FROM pg_control_checkpoint()',
    )
    if ((rows[0]?.gathered ?? 0) <= walBytesMax) return
    // One that fails, as on a full disk, loses nothing and is tried again.
    for (const task of ['CHECKPOINT', 'VACUUM (ANALYZE)']) await pglite.exec(task).catch(() => undefined)
  }
  setInterval(() => {
    if (ranSinceLook) session.runTask(limitWal)
    ranSinceLook = false
  }, walLookMs).unref()

  const receive = (message: ToEngine): void => {
    switch (message.kind) {
      case 'open':
        session.open(message.id, {
          answer: (bytes) => post({ kind: 'bytes', id: message.id, bytes }),
          close: () => post({ kind: 'end', id: message.id }),
        })
        break
      case 'bytes':
        session.receive(message.id, message.bytes)
        break
      case 'end':
        session.end(message.id)
        break
      case 'stop':
        // PGlite's close may hang when a statement still runs.
        session
          .drain()
          .then(() => pglite.close())
          .then(() => process.exit(0), fail)
    }
  }
  parentPort?.on('message', receive)
  post({ kind: 'ready' })
}

// Keeps the event loop alive. Without it, the thread waits until V8 has optimised the engine in the
// background, and takes the first connection 0.3 s late.
parentPort?.ref()
const paths = dataFolderPaths(dataDir)
await (task === 'create' ? create(paths) : serve(paths)).catch(fail)
if (task === 'create') process.exit(0)
