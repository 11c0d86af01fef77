// The limits of the service. Each is declared where it holds; `GET /limits` and the reference list
// all of them (decision 0042). Here are those that the operator sets, or that follow from these.

/** What the operator sets, and what follows from it; in tests also what is fixed otherwise. */
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
  /** Longest time for which a chain of lots is followed, in milliseconds. Fixed, but for tests. */
  readonly chainMsMax: number
  /** `lateMsMax`; fixed, but for tests: they share their machine. */
  readonly lateMsMax: number
}

export interface Limit {
  readonly name: string
  /** Null when there is no limit. */
  readonly value: number | null
  readonly unit: string
  readonly meaning: string
  /** The variable of the environment that sets it; null when it is fixed. */
  readonly setBy: string | null
}

const declared = new Map<string, Limit>()

/** Declares a limit, and returns its value. */
export function declareLimit<const Value extends number>(
  name: string,
  value: Value,
  unit: string,
  meaning: string,
): Value {
  declared.set(name, { name, value, unit, meaning, setBy: null })
  return value
}

const setLimits: Readonly<Record<Exclude<keyof SetLimits, 'lateMsMax'>, Omit<Limit, 'value'>>> = {
  bodyBytesMax: { name: 'body', unit: 'bytes', meaning: 'Body of a request, unpacked.', setBy: 'BODY_LIMIT_BYTES' },
  createBytesMax: {
    name: 'createdTogether',
    unit: 'bytes',
    meaning: 'Records of one create together, as stored; those of the new events of an EPCIS document.',
    setBy: 'BODY_LIMIT_BYTES',
  },
  bodyBytesAtOnceMax: {
    name: 'bodiesAtOnce',
    unit: 'bytes',
    meaning: 'Bodies in one process at once.',
    setBy: 'BODY_LIMIT_BYTES',
  },
  requestsPerMinute: {
    name: 'requestsOfKey',
    unit: 'requests per minute',
    meaning: 'Requests of a key.',
    setBy: 'RATE_LIMIT_PER_MINUTE',
  },
  failedSignInsPerMinute: {
    name: 'failedSignIns',
    unit: 'requests per minute',
    meaning: 'Requests without a valid key from one address, or one /64 network of IPv6.',
    setBy: 'FAILED_SIGN_INS_PER_MINUTE',
  },
  changeStreamMsMax: {
    name: 'changeStream',
    unit: 'ms',
    meaning: 'Time after which a stream of changes ends, and its reader connects again.',
    setBy: null,
  },
  chainMsMax: { name: 'chainTime', unit: 'ms', meaning: 'Time for which one chain of lots is followed.', setBy: null },
}

/** All limits that the loaded files declare, by name, with the values in force. */
export const limitsOf = (set: SetLimits): readonly Limit[] =>
  [
    ...declared.values(),
    ...Object.entries(setLimits).map(([of, limit]) => ({ ...limit, value: set[of as keyof SetLimits] || null })),
  ].sort((one, two) => (one.name < two.name ? -1 : 1))

export const lateMsMax = declareLimit(
  'lateness',
  500,
  'ms',
  'Event loop delay at which a process starts to reject requests.',
)

/**
 * Memory that bodies may take together in one process: in bodies of the largest size, and in bytes
 * where that is less.
 */
const bodiesAtOnceMax = 8
const bodyBytesAtOnceMaxLeast = 256 * 1024 * 1024
/**
 * What the records of one create may take together, in bodies of the largest size: shared lists are
 * stored with each.
 */
const createdBodiesMax = 4
/** Longest time of a stream of changes, in milliseconds. */
const changeStreamMsMax = 300_000
/** Longest time for which a chain of lots is followed, in milliseconds. */
const chainMsMax = 30_000

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
  chainMsMax,
  lateMsMax: config.lateMsMax ?? lateMsMax,
})
