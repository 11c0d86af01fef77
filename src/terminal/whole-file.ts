// Writes a file that appears only when it is complete.
import { rename, rm, stat, writeFile } from 'node:fs/promises'

/**
 * Writes the parts to a file beside `path`, which replaces `path` at the end; into `path` where
 * that is a pipe or a device, such as /dev/null. `flush` waits until the file is on the disk.
 * `mode` applies to a new file. @throws what the parts threw, or in words why the file cannot be
 * written, after removing the unfinished file.
 */
export async function writeWholeFile(
  path: string,
  parts: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  options: { readonly mode?: number; readonly flush?: boolean } = {},
): Promise<void> {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => true,
  )
  if (!isFile) return writeFile(path, parts, { ...options, flush: false })
  const unfinished = `${path}.part`
  try {
    // It reports a failure after it closed the file. A stream reports one while the file may still
    // be opened, and the file then appeared after its removal.
    await writeFile(unfinished, parts, options)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    const { code = '', path: place } = error as NodeJS.ErrnoException
    if (place !== unfinished && code !== 'ENOSPC') throw error
    throw new Error(unwritable(path, code), { cause: error })
  }
}

/** Why a file cannot be written. `code`: of the failed step, as Node names it. */
export const unwritable = (path: string, code = ''): string => `${path} cannot be written: ${faults[code] ?? code}.`

const faults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
}
