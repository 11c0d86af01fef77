// The entries of a backup, in their order: the head, the database, the hashes of its files.
import type { Hash } from 'node:crypto'

/** What a backup says of itself, in its first entry. */
export interface BackupHead {
  /** Form of the backup. */
  readonly format: 1
  /** The program that made it, and its version. */
  readonly madeBy: string
  /** ISO 8601, in UTC. */
  readonly madeAt: string
  /** Version of PostgreSQL whose files these are. */
  readonly postgres: string
  readonly files: number
  /** Size of the files, in bytes. */
  readonly bytes: number
}

export const headName = 'backup.json'
export const sumsName = 'SHA256SUMS'

const folderName = 'database'

/** The entry of a path in the folder of the database. */
export const databaseEntry = (path: string): string => `${folderName}/${path}`.replace(/\/\/+/g, '/')

/**
 * The path in the folder of the database that an entry is for; undefined when it is for none, or
 * leads out of it.
 */
export function databasePath(entry: string): string | undefined {
  const [first, ...path] = entry.replace(/\/$/, '').split('/')
  const isPlain = path.every((name) => /^[\w.-]+$/.test(name) && name !== '.' && name !== '..')
  return first === folderName && isPlain ? path.join('/') : undefined
}

/** A line of the last entry, as `sha256sum` writes and checks it. */
export const sumLine = (hash: Hash, entry: string): string => `${hash.digest('hex')}  ${entry}\n`
