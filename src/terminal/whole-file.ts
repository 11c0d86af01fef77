// A file that appears only when it is whole.
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/**
 * Writes the parts to a file beside `path`, which takes its place at the end. `flush`: it is on the
 * disk then. `mode` is that of the file, for a new one.
 * @throws what fails, after the unfinished file was removed.
 */
export async function writeWholeFile(
  path: string,
  parts: AsyncIterable<Uint8Array | string>,
  options: { readonly mode?: number; readonly flush?: boolean } = {},
): Promise<void> {
  const unfinished = `${path}.part`
  try {
    await pipeline(parts, createWriteStream(unfinished, options))
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
