// A file on disk in the form that intake reads, with the progress of reading.
import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { ImportFile } from 'lotkeeper-sheets/import-file'

export interface OpenFile extends ImportFile {
  /** Changes whenever the file does. */
  readonly state: string
  /** How far it has been read, 0 to 1. */
  readonly read: () => number
}

export function openFile(path: string): OpenFile {
  const { size, mtimeMs } = statSync(path)
  let position = 0
  return {
    name: basename(path),
    size,
    state: `${size} bytes of ${mtimeMs}`,
    read: () => (size === 0 ? 1 : position / size),
    bytes: async function* (start, end) {
      if (end <= start) return
      position = start
      for await (const bytes of createReadStream(path, { start, end: end - 1, highWaterMark: 256 * 1024 })) {
        position += (bytes as Uint8Array).length
        yield bytes as Uint8Array
      }
    },
  }
}
