// Compression by Node's own zlib, which runs outside the event loop.
import { crc32, createDeflateRaw } from 'node:zlib'
import type { Packing } from './write-zip.ts'

/**
 * Fast rather than small: the text of a sheet repeats so much that higher levels gain little and
 * take twice as long. Memory per archive is the same at every level.
 */
const compressionLevel = 3

export const nodePacking: Packing = { crc32, deflate }

async function* deflate(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = createDeflateRaw({ level: compressionLevel })
  let ready: Uint8Array[] = []
  const taken = () => {
    const all = ready
    ready = []
    return all
  }
  stream.on('data', (part: Uint8Array) => ready.push(part))
  try {
    for await (const part of parts) {
      await new Promise<void>((done, failed) => stream.write(part, (error) => (error ? failed(error) : done())))
      yield* taken()
    }
    await new Promise<void>((done, failed) => stream.once('end', done).once('error', failed).end())
    yield* taken()
  } finally {
    stream.destroy()
  }
}
