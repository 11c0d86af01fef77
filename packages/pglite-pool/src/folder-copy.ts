// A copy of the embedded database of a running server, to be read without the server.
import { constants } from 'node:fs'
import { copyFile, mkdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { dataFolderPaths } from './data-folder.ts'
import { filesIn, foldersIn, unlessGone } from './folder-entries.ts'
import { lockFolder } from './folder-lock.ts'

/** Longest the statements of the server may be made to wait, in milliseconds. */
const holdMsMax = 20_000
/**
 * How often the server is told that it is still held, in milliseconds: an idle transaction is ended
 * after a while.
 */
const holdBeatMs = 1_000
/**
 * A file whose time of change is at least so old, in milliseconds, when it is looked at, shows a
 * later change by another time.
 */
const clockGrainMs = 2_000

/** What tells whether a file is the one that was copied. */
type FileMark = string

export interface FolderCopy {
  /** A data folder with the copy in it. */
  readonly dataDir: string
  /** How long the statements of the server waited, in milliseconds. */
  readonly heldMs: number
  /** Removes it. */
  remove(): Promise<void>
}

/**
 * Copies the database in `dataDir` while a server has it open; `running` reaches that server. Files
 * are copied first, while the server works. Then its statements wait until those that changed
 * meanwhile are copied again: what is on disk between two statements is whole, as after a kill.
 * @throws Error when there is no room, another backup is under way, or the statements would wait
 * too long.
 */
export async function copyOfRunning(dataDir: string, running: pg.PoolConfig): Promise<FolderCopy> {
  const { database, copy, copyLock } = dataFolderPaths(dataDir)
  const lock = await lockFolder(copyLock, () => undefined)
  if ('heldBy' in lock) throw new Error(`Another backup is being made, by ${lock.heldBy}.`)
  const remove = async (): Promise<void> => {
    await rm(copy, { recursive: true, force: true })
    lock.release()
  }
  try {
    // What a backup that was killed left behind.
    await rm(copy, { recursive: true, force: true })
    await requireRoom(database)
    const target = join(copy, 'database')
    await makeFolders(database, target)
    const copied = await copyChanged(database, target, new Map())
    const pool = new pg.Pool(running)
    pool.on('error', () => undefined)
    let heldMs: number
    try {
      heldMs = await whileHeld(pool, async (goesOn) => {
        await makeFolders(database, target)
        const now = await copyChanged(database, target, copied, goesOn)
        for (const path of copied.keys()) if (!now.has(path)) await rm(join(target, path), { force: true })
      })
    } finally {
      await pool.end()
    }
    return { dataDir: copy, heldMs, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/**
 * An open transaction has the session of the server to itself. Resolves to how long that was, in
 * milliseconds.
 */
async function whileHeld(pool: pg.Pool, work: (goesOn: () => void) => Promise<void>): Promise<number> {
  const client = await pool.connect()
  client.on('error', () => undefined)
  try {
    await client.query('BEGIN')
    const began = performance.now()
    let beating: Promise<unknown> = Promise.resolve()
    const beat = setInterval(() => {
      beating = beating.then(() => client.query('SELECT 1'))
      beating.catch(() => undefined)
    }, holdBeatMs)
    try {
      await work(() => {
        if (performance.now() - began > holdMsMax)
          throw new Error(
            `The database is too large to be copied within ${holdMsMax / 1_000} s on this disk, and its service would wait longer. Stop the service and run the backup again; or use a PostgreSQL server.`,
          )
      })
    } finally {
      clearInterval(beat)
    }
    await beating
    // Fails where the server took the session back: then others may have written.
    await client.query('SELECT 1')
    return performance.now() - began
  } finally {
    await client.query('ROLLBACK').catch(() => undefined)
    client.release()
  }
}

async function requireRoom(folder: string): Promise<void> {
  const bytes = (await filesIn(folder)).reduce((sum, { size }) => sum + size, 0)
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const mebibytes = (count: number) => `${Math.ceil(count / 1024 ** 2)} MiB`
  if (free < bytes * 1.1)
    throw new Error(
      `The copy to back up from takes ${mebibytes(bytes)} in its folder for a while, and ${mebibytes(free)} are free. Make room; or stop the service, then no copy is needed.`,
    )
}

/** Copies each file that is not the one it was; gives what was copied, by path. */
async function copyChanged(
  from: string,
  to: string,
  before: ReadonlyMap<string, FileMark>,
  goesOn: () => void = () => undefined,
): Promise<ReadonlyMap<string, FileMark>> {
  const marks = new Map<string, FileMark>()
  const now = Date.now()
  for (const { path, size, mtimeMs, ino } of await filesIn(from)) {
    goesOn()
    // One that was changed just now may be changed again without a trace in its time.
    const mark = now - mtimeMs < clockGrainMs ? '' : `${ino} ${size} ${mtimeMs}`
    marks.set(path, mark)
    if (mark === '' || before.get(path) !== mark)
      await unlessGone(() => copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE))
  }
  return marks
}

async function makeFolders(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const path of await foldersIn(from)) await mkdir(join(to, path), { recursive: true })
}
