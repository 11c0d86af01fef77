// Bytes through a compressor or its reverse, piece by piece.

/**
 * What the stream makes of the pieces. Each is handed over when the one before was taken: piped, a
 * stream is handed far more than it has made anything of. Ended early, it asks for no more.
 */
export async function* transformStream(
  pieces: AsyncIterable<Uint8Array>,
  { readable, writable }: CompressionStream | DecompressionStream,
): AsyncGenerator<Uint8Array> {
  const writer = writable.getWriter()
  const written = write(pieces, writer)
  // What went wrong is told by the reading side; without this it would be told twice.
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
    // So that the pieces have ended when this has.
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
