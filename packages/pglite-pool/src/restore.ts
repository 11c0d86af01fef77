// Reads a backup, and restores it into an empty folder: all of it or nothing.
import { createHash } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ReadableStream } from 'node:stream/web'
import { createGunzip } from 'node:zlib'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import { type BackupHead, databasePath, headName, sumLine, sumsName } from './backup-entries.ts'
import {
  type DataFolderOptions,
  dataFolderPaths,
  holdsDatabase,
  postgresMajor,
  prepareDataFolder,
} from './data-folder.ts'
import { lockFolder } from './folder-lock.ts'
import { syncPath, syncTree } from './sync-tree.ts'

/** The file is no complete backup, for the reason in the message. */
export class NotABackup extends Error {
  override readonly name = 'NotABackup'
}

const cutOff = 'It was cut off: it ends before its checksums.'
const altered = 'It was altered: its checksums do not match.'

/** Longest head, and longest list of hashes, in bytes: what claims more is no backup. */
const textBytesMax = 64 * 1024 * 1024

/** Reads all of a backup and checks every hash. Writes nothing. @throws NotABackup */
export const checkBackup = (source: AsyncIterable<Uint8Array>): Promise<BackupHead> =>
  readBackup(source, async () => undefined)

export interface RestoreOptions extends DataFolderOptions {
  /**
   * Called with a data folder that holds the restored database before it takes its place; may open
   * and change it. A text refuses it: then nothing is restored.
   */
  readonly accept?: (dataDir: string) => Promise<string | undefined>
  /** Called with what the backup says of itself, before anything is written. */
  readonly onHead?: (head: BackupHead) => Promise<void>
}

/**
 * Restores a backup into `dataDir`, which must hold no database. The database appears there only
 * when every hash matches, it is on disk, and `accept` took it. `problem` says why nothing was
 * restored.
 * @throws NotABackup, or Error when the folder cannot be written to or holds other files; then
 * nothing was restored.
 */
export async function restoreFolder(
  dataDir: string,
  source: AsyncIterable<Uint8Array>,
  { accept, onHead, ...folderOptions }: RestoreOptions = {},
): Promise<BackupHead | { readonly heldBy: string } | { readonly problem: string }> {
  const paths = dataFolderPaths(dataDir)
  prepareDataFolder(paths, folderOptions)
  const lock = await lockFolder(paths.lock, () => undefined)
  if ('heldBy' in lock) return lock
  try {
    if (holdsDatabase(paths))
      return { problem: `${dataDir} already holds a database. Name an empty folder, or one that does not exist.` }
    // What a restore that was killed left behind.
    await rm(paths.copy, { recursive: true, force: true })
    const staged = dataFolderPaths(paths.copy).database
    const head = await readBackup(source, async (read) => {
      await onHead?.(read)
      if (read.postgres !== postgresMajor) return undefined
      await mkdir(staged, { recursive: true, mode: 0o700 })
      return staged
    })
    if (head.postgres !== postgresMajor)
      return {
        problem: `The backup holds a database of PostgreSQL ${head.postgres}; this program reads ${postgresMajor}.`,
      }
    await syncTree(staged)
    const refusal = await accept?.(paths.copy)
    if (refusal !== undefined) return { problem: refusal }
    await rename(staged, paths.database)
    syncPath(paths.root)
    return head
  } finally {
    await rm(paths.copy, { recursive: true, force: true })
    lock.release()
  }
}

/**
 * Reads to the end; `prepare` gets the head, and names the folder to unpack into if there is one.
 */
async function readBackup(
  source: AsyncIterable<Uint8Array>,
  prepare: (head: BackupHead) => Promise<string | undefined>,
): Promise<BackupHead> {
  try {
    return await readEntries(entriesOf(source), prepare)
  } catch (error) {
    throw faultOf(error)
  }
}

async function readEntries(
  entries: AsyncIterable<ParsedTarEntry>,
  prepare: (head: BackupHead) => Promise<string | undefined>,
): Promise<BackupHead> {
  let head: BackupHead | undefined
  let folder: string | undefined
  let sums = ''
  let complete = false
  for await (const { header, body } of entries) {
    if (complete) throw new NotABackup(altered)
    if (head === undefined) {
      if (header.name !== headName) throw new NotABackup('It does not begin as a backup does.')
      head = readHead(await textOf(body))
      folder = await prepare(head)
    } else if (header.name === sumsName) {
      if ((await textOf(body)) !== sums) throw new NotABackup(altered)
      complete = true
    } else {
      const path = databasePath(header.name)
      if (path === undefined) throw new NotABackup(altered)
      const target = folder === undefined ? undefined : join(folder, path)
      if (header.type === 'directory') {
        if (target !== undefined) await mkdir(target, { recursive: true, mode: 0o700 })
        await body.cancel()
      } else if (header.type === 'file') sums += await unpackFile(header.name, body, target)
      else throw new NotABackup(altered)
    }
  }
  if (head === undefined || !complete) throw new NotABackup(cutOff)
  return head
}

/** Writes a file, where there is a place for it, and returns its line of the hashes. */
async function unpackFile(name: string, body: ParsedTarEntry['body'], target: string | undefined): Promise<string> {
  const hash = createHash('sha256')
  const file = target === undefined ? undefined : await open(target, 'wx', 0o600)
  try {
    for await (const chunk of body) {
      hash.update(chunk)
      await file?.write(chunk)
    }
  } finally {
    await file?.close()
  }
  return sumLine(hash, name)
}

async function textOf(body: ParsedTarEntry['body']): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > textBytesMax) throw new NotABackup(altered)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function readHead(text: string): BackupHead {
  let head: Partial<BackupHead>
  try {
    head = JSON.parse(text)
  } catch {
    throw new NotABackup(altered)
  }
  if (head.format !== 1) throw new NotABackup(`It has form ${head.format}; this program reads form 1.`)
  return head as BackupHead
}

function entriesOf(source: AsyncIterable<Uint8Array>): AsyncIterable<ParsedTarEntry> {
  const gunzip = createGunzip()
  // What fails here is thrown to who reads the entries.
  pipeline(Readable.from(source), gunzip).catch(() => undefined)
  const bytes: AsyncIterable<Uint8Array> = gunzip
  return ReadableStream.from(bytes).pipeThrough(createTarDecoder({ strict: true }))
}

/** What is wrong with the backup, where an error is about that. */
function faultOf(error: unknown): unknown {
  if (error instanceof NotABackup || !(error instanceof Error)) return error
  const { code } = error as NodeJS.ErrnoException
  if (code === 'Z_BUF_ERROR') return new NotABackup(cutOff)
  if (code?.startsWith('Z_')) return new NotABackup(`It is not compressed as a backup is, or was altered (${code}).`)
  // What the reader of tar says; errors of the system have a code.
  return code === undefined && error.constructor === Error ? new NotABackup(`It was altered: ${error.message}`) : error
}
