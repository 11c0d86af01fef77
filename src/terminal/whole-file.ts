// Writes a file that appears only when it is complete.
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/**
 * Writes the parts to a file beside `path`, which replaces `path` at the end; into `path` where
 * that is a pipe or a device, such as /dev/null. `flush` waits until it is on the disk. `mode`
 * applies to a new file. @throws the error of a failed step, after removing the unfinished file.
 */
export async function writeWholeFile(
  path: string,
  parts: AsyncIterable<Uint8Array | string>,
  options: { readonly mode?: number; readonly flush?: boolean } = {},
): Promise<void> {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => true,
  )
  if (!isFile) return pipeline(parts, createWriteStream(path, options))
  const unfinished = `${path}.part`
  try {
    await pipeline(parts, createWriteStream(unfinished, options))
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
