// The parameters and results that every call has.
import type { JudgedRecords } from './generated/shapes.ts'

export interface CallOptions {
  /** Cancels the call. */
  signal?: AbortSignal | undefined
  /** Longest wait for an answer of this call, in milliseconds, instead of that of the client. */
  timeoutMs?: number | undefined
}

/** A successful answer of the service. */
export interface ApiResponse<Body> {
  readonly status: number
  readonly body: Body
  /** Id of the request, which the log of the service has too. Undefined from another program. */
  readonly requestId: string | undefined
  readonly headers: Headers
  /** Version of the record or setting, from its ETag. */
  readonly version: number | undefined
  /** The ETag itself, which names the whole answer. */
  readonly tag: string | undefined
  /** True when the record or version is voided. `listVersions` says why. */
  readonly voided: boolean
  /** True when this is the answer to an earlier call with the same idempotency key. */
  readonly replayed: boolean
  /**
   * How often the call was sent: more than once after a lost answer, or when the service asked for
   * a retry.
   */
  readonly attempts: number
  /** Address of the next page, where the operation returns it in the Link header. */
  readonly next: string | undefined
  /** The answer where it is a file, as a stream. */
  readonly file: ApiFile | undefined
}

export interface ApiFile {
  readonly mediaType: string
  readonly name: string | undefined
  /** Number of records, or of versions of records, in the file; 0 when nothing matches. */
  readonly records: number | undefined
  /** Versions that belong in the file and are missing in the database, or were added to it. */
  readonly damaged: number
  readonly stream: ReadableStream<Uint8Array>
}

/** One page of a list. */
export interface Page<Entry> {
  content: Entry[]
  /** `cursor` of the next page; null on the last page. */
  nextCursor: string | null
  /** How many records match, where a list of records was asked with `total`. */
  total?: { records: number; orMore: boolean }
  /** How many findings each record has now, where a list of records was asked with `judged`. */
  judged?: JudgedRecords
  /** Of a damaged database: versions that belong on this page and are missing. */
  damaged?: { id: string; version: number }[]
}
