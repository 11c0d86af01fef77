// A file as bytes that are read on demand. No file system here: a program and a page each open
// files their own way.
import { UnreadableFile } from './unreadable-file.ts'

export interface ImportFile {
  /** Its name; the ending decides nothing. */
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** Bytes from `start` up to, not including, `end`, read on demand. */
  readonly bytes: (start: number, end: number) => AsyncIterable<Uint8Array>
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** All of a short stretch of a file. */
export async function bytesOf(file: ImportFile, start: number, end: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(Math.max(0, Math.min(end, file.size) - start))
  let at = 0
  for await (const part of file.bytes(start, start + bytes.length)) {
    bytes.set(part.subarray(0, bytes.length - at), at)
    at += part.length
    if (at >= bytes.length) break
  }
  return bytes.subarray(0, at)
}

/** The text of a file as it is read. Bytes that are invalid in this encoding end it. */
export async function* textOf(file: ImportFile, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let read = 0
  for await (const bytes of file.bytes(0, file.size)) {
    yield decodeChunk(decoder, bytes, read)
    read += bytes.length
  }
  yield decodeChunk(decoder, undefined, read)
}

function decodeChunk(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array | undefined, at: number): string {
  let text: string
  try {
    text = bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
  } catch {
    throw new UnreadableFile(
      `The text is not ${decoder.encoding.toUpperCase()}, somewhere after byte ${at}. Save the file again as "CSV UTF-8", or give it a byte order mark.`,
    )
  }
  if (text.includes('\u0000'))
    throw new UnreadableFile(
      `The file holds binary data, somewhere after byte ${at}. Only text and XLSX can be imported.`,
    )
  return text
}
