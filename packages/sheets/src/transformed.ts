// Passes bytes through a compressor or decompressor, piece by piece.

/**
 * The output of the stream for the pieces. Each piece is written after the output of the one before
 * was read: piped, a stream would get far more than it has processed. Ended early, it reads no
 * more.
 */
export async function* transformStream(
  pieces: AsyncIterable<Uint8Array>,
  { readable, writable }: CompressionStream | DecompressionStream,
): AsyncGenerator<Uint8Array> {
  const writer = writable.getWriter()
  const written = write(pieces, writer)
  // The reading side reports a failure; without this it would be reported twice.
  written.catch(() => undefined)
  const reader = readable.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      yield value
    }
    await written
  } finally {
    await reader.cancel().catch(() => undefined)
    // So that the input has ended when the output has.
    await written.catch(() => undefined)
  }
}

async function write(pieces: AsyncIterable<Uint8Array>, writer: WritableStreamDefaultWriter): Promise<void> {
  try {
    for await (const piece of pieces) await writer.write(piece)
    await writer.close()
  } catch (error) {
    await writer.abort(error)
    throw error
  }
}
