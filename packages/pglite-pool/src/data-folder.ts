// The data folder of the embedded database: what is in it, and what must not be.
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { errorCode } from './error-code.ts'
import { makeFolder } from './make-folder.ts'

/** Version of PostgreSQL whose files the embedded engine reads and writes. */
export const postgresMajor = '18'

/**
 * Longest path of a Unix socket that is tried, in bytes; the limit of the systems is 103 or 107.
 */
const socketPathMax = 100

const lockName = 'database.lock'
const socketName = '.s.PGSQL.5432'
const databaseName = 'database'
const unfinishedName = 'database.unfinished'
const copyName = 'database.copy'

/** Places in a data folder. */
export interface DataFolderPaths {
  /** The folder itself, absolute. */
  readonly root: string
  /** PostgreSQL's own folder. It is there only when it is complete. */
  readonly database: string
  /** Where a new database is made before it takes its place. */
  readonly unfinished: string
  /**
   * Data folder of a copy: what a backup beside a running server is made from, or what a restore
   * has not accepted yet.
   */
  readonly copy: string
  /** Held while that copy is there. */
  readonly copyLock: string
  readonly lock: string
  /** Undefined where the system has no Unix sockets or the path would be too long for one. */
  readonly socket: string | undefined
}

/** Where things are in the data folder `dataDir`. Touches nothing. */
export function dataFolderPaths(dataDir: string): DataFolderPaths {
  const root = resolve(dataDir)
  const socket = join(root, socketName)
  return {
    root,
    database: join(root, databaseName),
    unfinished: join(root, unfinishedName),
    copy: join(root, copyName),
    copyLock: join(root, `${lockName}.backup`),
    lock: join(root, lockName),
    socket: process.platform === 'win32' || Buffer.byteLength(socket) > socketPathMax ? undefined : socket,
  }
}

/** `lost+found` is what an empty volume holds. */
const ownNames = [databaseName, unfinishedName, copyName, socketName, 'lost+found']

/** How a program speaks of its data folder, and what else it keeps there. */
export interface DataFolderOptions {
  /** What messages call the folder, such as the setting that names it. */
  readonly label?: string
  /** Files of the program that may be in the folder before there is a database. */
  readonly otherFiles?: readonly string[]
}

/** The version of PostgreSQL that made the database, or undefined when there is none yet. */
function databaseVersion({ database }: DataFolderPaths): string | undefined {
  try {
    return readFileSync(join(database, 'PG_VERSION'), 'utf8').trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Whether the folder holds a complete database. */
export function holdsDatabase(paths: DataFolderPaths): boolean {
  return databaseVersion(paths) !== undefined
}

/**
 * Makes the folder where it is missing, readable by its owner only.
 * @throws Error when it cannot be made, read or written, holds other files, or a database of
 * another version.
 */
export function prepareDataFolder(
  paths: DataFolderPaths,
  { label = 'data folder', otherFiles = [] }: DataFolderOptions,
): void {
  const { root } = paths
  let names: string[]
  try {
    makeFolder(root)
    accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK)
    names = readdirSync(root)
  } catch (error) {
    throw new Error(`${label} ${root} cannot be written to (${errorCode(error)})`, { cause: error })
  }
  const isForeign = (name: string): boolean =>
    ![...ownNames, ...otherFiles].includes(name) && !name.startsWith(lockName)
  const version = databaseVersion(paths)
  if (version !== undefined && version !== postgresMajor)
    throw new Error(`${label} ${root} holds a database of PostgreSQL ${version}; this program reads ${postgresMajor}`)
  const foreign = version === undefined ? names.find(isForeign) : undefined
  if (foreign !== undefined)
    throw new Error(`${label} ${root} holds other files (${foreign}); name an empty folder or one that does not exist`)
}
