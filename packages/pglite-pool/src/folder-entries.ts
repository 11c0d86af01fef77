// What is in a folder that others may be writing to.
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { errorCode } from './error-code.ts'

export interface FolderFile {
  /** Below the folder, with slashes. */
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  readonly ino: number
}

/** All files below a folder. */
export async function filesIn(folder: string): Promise<readonly FolderFile[]> {
  const files: FolderFile[] = []
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const found = await unlessGone(() => stat(path))
    if (found !== undefined)
      files.push({ path: below(folder, path), size: found.size, mtimeMs: found.mtimeMs, ino: found.ino })
  }
  return files
}

/** All folders below a folder, each after the one it is in. */
export async function foldersIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder, { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => below(folder, join(entry.parentPath, entry.name)))
    .sort()
}

const below = (folder: string, path: string): string => relative(folder, path).replaceAll('\\', '/')

/** A database removes files as it works; one that is gone when it is held is no part of it. */
export async function unlessGone<Result>(look: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await look()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
