// What bounds every request and every process: the numbers of the server. Decided in 0042.

/** Longest a request may take to arrive, and its headers alone, in milliseconds. */
export const arrivalMsMax = 30_000
export const headersMsMax = 10_000
/** Largest headers of one request, in bytes. */
export const headersBytesMax = 16 * 1024
/** Longest a connection may stay open without a request, in milliseconds. */
export const keepAliveMsMax = 72_000
/**
 * Longest time without traffic on a connection during a request, in milliseconds: the reader takes
 * nothing, or no response is produced.
 */
export const silenceMsMax = 90_000
/** Connections each process holds open. */
export const connectionsMax = 10_000
/**
 * Requests at work at once in one process: their body has arrived and they are not answered yet.
 */
export const requestsAtWorkMax = 4_096
/**
 * Memory that bodies may take together in one process: in bodies of the largest size, and in bytes
 * where that is less.
 */
const bodiesAtOnceMax = 8
const bodyBytesAtOnceMaxLeast = 256 * 1024 * 1024
/**
 * How many times as large as a packed body the unpacked one may be, when it has more bytes than
 * these. 5,000 lines that differ only in their lot code reach 69, equal ones 245; a bomb reaches
 * 1,000, and took the memory of a whole body before it was found too large.
 */
export const packingFactorMax = 400
export const loosePackedBytes = 1024 * 1024
/**
 * What the records of one create may take together, in bodies of the largest size: shared lists are
 * stored with each.
 */
const createdBodiesMax = 4
/** Bytes of all records of a page. A larger record gets its own page. */
export const pageBytesMax = 8 * 1024 * 1024
/**
 * Large pages that one process makes at once, those of one provider among them, and how long one
 * waits for its turn, in milliseconds.
 */
export const largePagesAtOnceMax = 4
export const largePagesOfProviderMax = 2
export const largePageWaitMsMax = 30_000
/**
 * How late the process may be with what it has to do, in milliseconds, before it turns requests
 * away.
 */
export const lateMsMax = 500
/**
 * Callers that wait for changes or read a stream of them, in one process, and those of one provider
 * among them: each holds a connection and little else.
 */
export const changeListenersMax = 1_000
export const changeListenersOfProviderMax = 200
/** Longest time of a stream of changes, in milliseconds. */
const changeStreamMsMax = 300_000
/** Idempotency-Key, in characters. */
export const idempotencyKeyLengthMax = 255
/**
 * Codes that a package link takes in a minute: more than people enter, and few enough that its
 * package is not made all the time.
 */
export const linkCodesPerMinuteMax = 10

/** Limits of one server: those that the operator sets, or that follow from what he sets. */
export interface SetLimits {
  readonly bodyBytesMax: number
  /**
   * Most bytes the records of one create may take together, once each is stored with what they
   * share.
   */
  readonly createBytesMax: number
  /** Most bytes that bodies may take together, in each process of the service. */
  readonly bodyBytesAtOnceMax: number
  /** Requests of a key in a minute; 0 for no limit. */
  readonly requestsPerMinute: number
  /** Requests without a valid key from one address in a minute; 0 for no limit. */
  readonly failedSignInsPerMinute: number
  /**
   * Longest time of a stream of changes, in milliseconds: its reader comes back with a key that is
   * valid then. Fixed, but for tests.
   */
  readonly changeStreamMsMax: number
  /** `lateMsMax`; fixed, but for tests: they share their machine. */
  readonly lateMsMax: number
}

export const setLimitsOf = (config: {
  readonly bodyLimitBytes: number
  readonly rateLimitPerMinute: number
  readonly failedSignInsPerMinute: number
  readonly lateMsMax?: number
}): SetLimits => ({
  bodyBytesMax: config.bodyLimitBytes,
  createBytesMax: createdBodiesMax * config.bodyLimitBytes,
  bodyBytesAtOnceMax: Math.max(bodiesAtOnceMax * config.bodyLimitBytes, bodyBytesAtOnceMaxLeast),
  requestsPerMinute: config.rateLimitPerMinute,
  failedSignInsPerMinute: config.failedSignInsPerMinute,
  changeStreamMsMax,
  lateMsMax: config.lateMsMax ?? lateMsMax,
})
