// The stream that `pg` believes to be a network socket.
import { Duplex } from 'node:stream'

/** The far side of a stream. Both may be called when it is already gone. */
export interface WireLink {
  /** Sends bytes; the array is the link's to keep. */
  send(bytes: Uint8Array<ArrayBuffer>): void
  /** Nothing more will be sent. */
  end(): void
}

/**
 * Carries one connection's bytes. `connect` asks for a link, and the event `connect` follows when
 * it is there. Has the methods of `net.Socket` that `pg` calls; those about sockets proper do
 * nothing.
 */
export class WireStream extends Duplex {
  readonly #requestLink: (stream: WireStream) => void
  #link: WireLink | undefined

  constructor(requestLink: (stream: WireStream) => void) {
    super({ allowHalfOpen: false })
    this.#requestLink = requestLink
  }

  connect(): this {
    this.#requestLink(this)
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  /** The link is there. A stream that ended meanwhile gives it back. */
  linked(link: WireLink): void {
    if (this.destroyed || this.writableEnded) {
      link.end()
      return
    }
    this.#link = link
    this.emit('connect')
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    // Copied: a Buffer of pg is a window on a larger pool, and posting it would send the whole
    // pool.
    this.#link?.send(new Uint8Array(chunk))
    done()
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#link?.send(new Uint8Array(Buffer.concat(chunks.map(({ chunk }) => chunk))))
    done()
  }

  override _final(done: () => void): void {
    if (this.#link === undefined) this.push(null)
    else this.#link.end()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#link?.end()
    done(error)
  }
}
