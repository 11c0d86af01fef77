// Compression by the streams of a page; Node has them too.
import { transformStream } from './transformed.ts'
import type { Packing } from './write-zip.ts'

export const webPacking: Packing = {
  crc32: crcAfter,
  deflate: (parts) => transformStream(copyParts(parts), new CompressionStream('deflate-raw')),
}

/** Copies, because a stream may keep a part for longer than until the next is requested. */
async function* copyParts(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) yield part.slice()
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1
  return crc
})

function crcAfter(bytes: Uint8Array, before: number): number {
  let crc = before ^ 0xffff_ffff
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffff_ffff) >>> 0
}
