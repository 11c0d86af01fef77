// Load shedding (decision 0042): a process that is late, or holds as much as it may, turns requests
// away while it still can.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Transform } from 'node:stream'
import { createGunzip, type Gunzip } from 'node:zlib'
import { largeBodyBytesMin } from '../large-work.ts'
import { lateMsMax, loosePackedBytes, packingFactorMax } from '../limits.ts'

export interface PressureLimits {
  readonly requestsAtWorkMax: number
  readonly bodyBytesAtOnceMax: number
}

const lookMs = 100
/**
 * Looks in a row that have to be late: one long body, or one collection of garbage, is no overload.
 */
const lateLooksMin = 3

/** The request was turned away; it may be sent again a moment later. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded'
  readonly code = 'LK_OVERLOADED'
}

/** More bytes came out of a packed body than a body may have. */
class TooLarge extends Error {
  override readonly name = 'TooLarge'
  readonly code = 'LK_TOO_LARGE'
}

/** A packed body that unpacks to so much more than any payload: it is not worth the memory. */
class TooDense extends Error {
  override readonly name = 'TooDense'
  readonly code = 'LK_TOO_DENSE'
}

/** A body that says it is packed, and is not, or not whole. */
class NotPacked extends Error {
  override readonly name = 'NotPacked'
  readonly code = 'LK_NOT_PACKED'
}

/** What one process has in hand. */
export class Pressure {
  readonly #limits: PressureLimits
  #atWork = 0
  #bodyBytes = 0
  #lateLooks = 0
  #timer: NodeJS.Timeout | undefined

  constructor(limits: PressureLimits) {
    this.#limits = limits
  }

  /** Begins to look at how late the process is; keeps it from nothing, its end included. */
  watch(): void {
    let expectedAt = performance.now() + lookMs
    this.#timer = setInterval(() => {
      const now = performance.now()
      this.look(now - expectedAt)
      expectedAt = now + lookMs
    }, lookMs).unref()
  }

  endWatch(): void {
    clearInterval(this.#timer)
  }

  /** Takes one look: the process was so many milliseconds late. */
  look(lateMs: number): void {
    this.#lateLooks = lateMs > lateMsMax ? this.#lateLooks + 1 : 0
  }

  /** True when a new request is to be turned away. */
  get isHigh(): boolean {
    return (
      this.#lateLooks >= lateLooksMin ||
      this.#atWork >= this.#limits.requestsAtWorkMax ||
      this.#bodyBytes >= this.#limits.bodyBytesAtOnceMax
    )
  }

  /** Counts a request as at work until it is answered, or its caller is gone. */
  async during<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    this.#atWork++
    try {
      return await work()
    } finally {
      this.#atWork--
    }
  }

  /**
   * The body as it arrives, its bytes counted until the request is answered; of a packed one those
   * that come out, at most `unpackedBytesMax`. It fails with `Overloaded` when all bodies together
   * are more than the process holds: what was announced is nothing yet, and costs nobody his place.
   */
  counted(
    request: IncomingMessage,
    answer: ServerResponse,
    packed?: { readonly unpackedBytesMax: number },
  ): IncomingMessage | Transform {
    // Smaller bodies are not counted: requests at work bound them well enough.
    if (packed === undefined && Number(request.headers['content-length']) < largeBodyBytesMin) return request
    let bytes = 0
    const count = (chunk: Buffer): Error | undefined => {
      bytes += chunk.length
      this.#bodyBytes += chunk.length
      if (packed !== undefined && bytes > packed.unpackedBytesMax)
        return new TooLarge('The unpacked body is too large.')
      if (packed !== undefined && bytes > loosePackedBytes && bytes > packingFactorMax * body.receivedEncodedLength)
        return new TooDense('The body is compressed more than any payload.')
      return this.#bodyBytes > this.#limits.bodyBytesAtOnceMax
        ? new Overloaded('Too many large bodies arrive at once.')
        : undefined
    }
    const body = Object.assign(
      new Transform({
        transform(chunk: Buffer, _encoding, done) {
          if (packed === undefined) body.receivedEncodedLength += chunk.length
          const problem = count(chunk)
          if (problem === undefined) done(null, chunk)
          else done(problem)
        },
      }),
      // The server compares it with Content-Length.
      { receivedEncodedLength: 0 },
    )
    const first = packed === undefined ? body : unpacking(request, body)
    answer.once('close', () => {
      this.#bodyBytes -= bytes
      // What was refused before it was read would hold up the next request of the connection.
      request.unpipe(first)
      first.destroy()
      request.resume()
    })
    request.once('error', (error) => body.destroy(error))
    return packed === undefined ? request.pipe(body) : body
  }
}

/**
 * Unpacks the request into the body, and stops where the body fails: what is left of a bomb is
 * never unpacked.
 */
function unpacking(request: IncomingMessage, body: Transform & { receivedEncodedLength: number }): Gunzip {
  const gunzip = createGunzip()
  request.on('data', (chunk: Buffer) => {
    body.receivedEncodedLength += chunk.length
  })
  gunzip.once('error', () => body.destroy(new NotPacked('The body is not gzip.')))
  body.once('error', () => {
    request.unpipe(gunzip)
    gunzip.destroy()
    request.resume()
  })
  request.pipe(gunzip).pipe(body)
  return gunzip
}
