// Writes a file that appears only when it is complete.
import { rename, rm, stat, writeFile } from 'node:fs/promises'

/**
 * Writes the parts to a file beside `path`, which replaces `path` at the end; into `path` where
 * that is a pipe or a device, such as /dev/null. `flush` waits until the file is on the disk.
 * `mode` applies to a new file. @throws the error of a failed step, after removing the unfinished
 * file.
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
    // Of a failure it tells when the file is closed. A stream tells while it may still be opened,
    // and the file then appeared after its removal.
    await writeFile(unfinished, parts, options)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
