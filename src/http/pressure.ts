// Load shedding (decision 0042): a process whose event loop is late, or that is at its limits,
// rejects requests early.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Transform } from 'node:stream'
import { createGunzip, type Gunzip } from 'node:zlib'
import { largeBodyBytesMin } from '../large-work.ts'
import { declareLimit } from '../limits.ts'

/** Requests whose body has arrived and that are not answered yet. */
export const requestsAtWorkMax = declareLimit(
  'requestsAtWork',
  4_096,
  'requests',
  'Requests processed at once in one process.',
)
/**
 * How many times as large as a packed body the unpacked one may be, when it has more bytes than
 * these. 5,000 lines that differ only in their lot code reach 69, equal ones 245; a bomb reaches
 * 1,000, and took the memory of a whole body before it was found too large.
 */
export const packingFactorMax = declareLimit(
  'packingFactor',
  400,
  'times',
  'How many times as large a body in gzip may become when it is unpacked, if it becomes larger than 1 MiB.',
)
const loosePackedBytes = 1024 * 1024

export interface PressureLimits {
  readonly requestsAtWorkMax: number
  readonly bodyBytesAtOnceMax: number
  readonly lateMsMax: number
}

const lookMs = 100
/**
 * How many checks in a row must be late: one large body or one garbage collection is no overload.
 */
const lateLooksMin = 3

/** The exceeded resource. */
type Overload = 'late' | 'tooManyRequests' | 'tooManyBodies' | 'tooManyAnswers'

/** The request was rejected; the client can retry a moment later. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded'
  readonly code = 'LK_OVERLOADED'
  readonly why: Overload

  constructor(why: Overload) {
    super(why)
    this.why = why
  }
}

/** A compressed body unpacks to more bytes than a body may have. */
class TooLarge extends Error {
  override readonly name = 'TooLarge'
  readonly code = 'LK_TOO_LARGE'
}

/** A compressed body whose ratio is far above that of any payload. */
class TooDense extends Error {
  override readonly name = 'TooDense'
  readonly code = 'LK_TOO_DENSE'
}

/** A body that is not valid gzip, or not complete. */
class NotPacked extends Error {
  override readonly name = 'NotPacked'
  readonly code = 'LK_NOT_PACKED'
}

/** The load of one process. */
export class Pressure {
  readonly #limits: PressureLimits
  #atWork = 0
  #bodyBytes = 0
  #lateLooks = 0
  #timer: NodeJS.Timeout | undefined

  constructor(limits: PressureLimits) {
    this.#limits = limits
  }

  /** Starts measuring how late the event loop is. Does not keep the process alive. */
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

  /** Records one measurement of how late the event loop was. */
  look(lateMs: number): void {
    this.#lateLooks = lateMs > this.#limits.lateMsMax ? this.#lateLooks + 1 : 0
  }

  /** Why new requests must be rejected; undefined when they need not. */
  get overload(): Overload | undefined {
    if (this.#lateLooks >= lateLooksMin) return 'late'
    if (this.#atWork >= this.#limits.requestsAtWorkMax) return 'tooManyRequests'
    return this.#bodyBytes >= this.#limits.bodyBytesAtOnceMax ? 'tooManyBodies' : undefined
  }

  get isHigh(): boolean {
    return this.overload !== undefined
  }

  /** Counts a request as in progress until it is answered, or its client disconnects. */
  async during<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    this.#atWork++
    try {
      return await work()
    } finally {
      this.#atWork--
    }
  }

  /**
   * The body as it arrives. Its bytes are counted until the request is answered; those of a
   * compressed one after unpacking, at most `unpackedBytesMax`. Fails with `Overloaded` when all
   * bodies together exceed the limit. Content-Length alone reserves nothing.
   */
  countBytes(
    request: IncomingMessage,
    answer: ServerResponse,
    packed?: { readonly unpackedBytesMax: number },
  ): IncomingMessage | Transform {
    // Smaller bodies are not counted: the limit on requests in progress bounds them well enough.
    if (packed === undefined && Number(request.headers['content-length']) < largeBodyBytesMin) return request
    let bytes = 0
    const count = (chunk: Buffer): Error | undefined => {
      bytes += chunk.length
      this.#bodyBytes += chunk.length
      if (packed !== undefined && bytes > packed.unpackedBytesMax)
        return new TooLarge('The unpacked body is too large.')
      if (packed !== undefined && bytes > loosePackedBytes && bytes > packingFactorMax * body.receivedEncodedLength)
        return new TooDense('The body is compressed more than any payload.')
      return this.#bodyBytes > this.#limits.bodyBytesAtOnceMax ? new Overloaded('tooManyBodies') : undefined
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
      // The unread rest would hold up the next request on the connection.
      request.unpipe(first)
      first.destroy()
      request.resume()
    })
    request.once('error', (error) => body.destroy(error))
    return packed === undefined ? request.pipe(body) : body
  }
}

/**
 * Unpacks the request into the body, and stops when the body fails, so that the rest of a bomb is
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
