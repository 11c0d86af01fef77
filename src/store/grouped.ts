// Group commit (decision 0024): asks of one provider that come in one turn of the event loop, or while a statement is in flight, share
// the next one. One transaction per request leaves most of PostgreSQL unused; here the cost of a statement and of its flush
// to disk is shared, and an idle service waits for nothing.
import { Histogram } from '../metrics/histogram.ts'
import { connectionLost, mayRetry } from './database-errors.ts'

/** The queue of a provider is full: nothing was done, and the same request may be sent again a moment later. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

export interface BatchLimits {
  /** Most asks in one statement. */
  readonly rowsMax: number
  /** Most bytes of asks in one statement; a single larger ask goes alone. */
  readonly bytesMax: number
  /** Most asks of one provider that wait, and most bytes of all that wait. */
  readonly waitingRowsMax: number
  readonly waitingBytesMax: number
  /** Statements of one provider in flight at once. */
  readonly inFlightMax: number
}

/** Stands in the place of an answer: this ask alone failed. */
export class Failed {
  readonly error: unknown
  constructor(error: unknown) {
    this.error = error
  }
}

/**
 * Answers asks by one run, and by one run for each when the database refuses what some of them want: then each gets its own
 * answer. What is not the fault of an ask is told to all of them, who try again.
 */
export async function answerEach<Ask, Answer>(
  asks: readonly Ask[],
  run: (asks: readonly Ask[]) => Promise<readonly (Answer | Failed)[]>,
): Promise<readonly (Answer | Failed)[]> {
  try {
    return await run(asks)
  } catch (error) {
    if (asks.length === 1 || mayRetry(error) || connectionLost(error)) return asks.map(() => new Failed(error))
    const answers: (Answer | Failed)[] = []
    for (const one of asks) answers.push(...(await answerEach([one], run)))
    return answers
  }
}

/**
 * The longest run of asks, in order, that may share a statement, and the others. One that must stay behind keeps all that share
 * a name with it behind.
 */
export function takeCompatible<Ask>(
  asks: readonly Ask[],
  conflictKeys: (ask: Ask) => Iterable<readonly [string, unknown]>,
  bytesOf: (ask: Ask) => number = () => 0,
  { rowsMax, bytesMax }: Pick<BatchLimits, 'rowsMax' | 'bytesMax'> = { rowsMax: asks.length, bytesMax: 0 },
): readonly [together: Ask[], left: Ask[]] {
  const some: Ask[] = []
  const left: Ask[] = []
  const held = new Map<string, unknown>()
  let bytes = 0
  for (const [index, ask] of asks.entries()) {
    bytes += bytesOf(ask)
    if (some.length > 0 && (some.length >= rowsMax || bytes > bytesMax)) return [some, [...left, ...asks.slice(index)]]
    const names = [...conflictKeys(ask)]
    const apart = names.some(([name, value]) => held.has(name) && held.get(name) !== value)
    // A deferred ask holds its keys against those after it with a value that equals nothing.
    for (const [name, value] of names) held.set(name, apart ? Symbol(name) : value)
    if (apart) {
      left.push(ask)
      bytes -= bytesOf(ask)
    } else some.push(ask)
  }
  return [some, left]
}

/** How asks of one kind are put together. */
export interface Batching<Ask, Answer> {
  /** Runs one statement for all of the asks and answers them in their order. */
  readonly run: (provider: string, asks: readonly Ask[]) => Promise<readonly (Answer | Failed)[]>
  readonly bytesOf: (ask: Ask) => number
  /**
   * Keys and values of an ask. Two asks with one key and different values never share a statement, and keep
   * their order. So a record is written once per statement, and a location has one content in it.
   */
  readonly conflictKeys: (ask: Ask) => Iterable<readonly [string, unknown]>
  readonly limits: BatchLimits
}

interface Waiting<Ask, Answer> {
  readonly ask: Ask
  readonly bytes: number
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

interface Lane<Ask, Answer> {
  waiting: Waiting<Ask, Answer>[]
  inFlight: number
  /** True while statements are about to be sent, at the end of this turn of the event loop. */
  due: boolean
}

export class BatchedStatement<Ask, Answer> {
  readonly #grouping: Batching<Ask, Answer>
  readonly #lanes = new Map<string, Lane<Ask, Answer>>()
  #waitingBytes = 0
  /** How many asks shared a statement. */
  readonly rows = new Histogram([1, 2, 4, 8, 16, 32, 64, 128])
  /** Asks that were turned away because too many waited. */
  refused = 0

  constructor(grouping: Batching<Ask, Answer>) {
    this.#grouping = grouping
  }

  /** What waits now, of all providers. */
  get waiting(): { readonly rows: number; readonly bytes: number } {
    let rows = 0
    for (const { waiting } of this.#lanes.values()) rows += waiting.length
    return { rows, bytes: this.#waitingBytes }
  }

  /** Resolves once the statement with the ask is committed. Rejects with `QueueFull`, or with what the database said to this ask alone. */
  submit(provider: string, ask: Ask): Promise<Answer> {
    const { limits, bytesOf } = this.#grouping
    const bytes = bytesOf(ask)
    const lane = this.#lanes.get(provider) ?? { waiting: [], inFlight: 0, due: false }
    if (lane.waiting.length >= limits.waitingRowsMax || this.#waitingBytes + bytes > limits.waitingBytesMax) {
      this.refused++
      return Promise.reject(new QueueFull(`More than ${limits.waitingRowsMax} requests wait for the database.`))
    }
    this.#lanes.set(provider, lane)
    return new Promise((resolve, reject) => {
      lane.waiting.push({ ask, bytes, resolve, reject })
      this.#waitingBytes += bytes
      this.#soon(provider, lane)
    })
  }

  /**
   * Sends what waits at the end of this turn: requests that the same look at the sockets found are then in the statement too.
   * Sent at once, the first of 32 went alone.
   */
  #soon(provider: string, lane: Lane<Ask, Answer>): void {
    if (lane.due || lane.inFlight >= this.#grouping.limits.inFlightMax) return
    lane.due = true
    setImmediate(() => {
      lane.due = false
      this.#next(provider, lane)
    })
  }

  #next(provider: string, lane: Lane<Ask, Answer>): void {
    while (lane.inFlight < this.#grouping.limits.inFlightMax && lane.waiting.length > 0) {
      lane.inFlight++
      const batch = this.#take(lane)
      this.rows.add(batch.length)
      this.#run(provider, batch).finally(() => {
        lane.inFlight--
        if (lane.waiting.length > 0) this.#soon(provider, lane)
        else if (lane.inFlight === 0 && !lane.due) this.#lanes.delete(provider)
      })
    }
  }

  #take(lane: Lane<Ask, Answer>): Waiting<Ask, Answer>[] {
    const { limits, conflictKeys } = this.#grouping
    const [batch, left] = takeCompatible(
      lane.waiting,
      ({ ask }) => conflictKeys(ask),
      ({ bytes }) => bytes,
      limits,
    )
    lane.waiting = left
    for (const { bytes } of batch) this.#waitingBytes -= bytes
    return batch
  }

  async #run(provider: string, batch: readonly Waiting<Ask, Answer>[]): Promise<void> {
    const { run } = this.#grouping
    const answers = await answerEach(
      batch.map(({ ask }) => ask),
      (asks) => run(provider, asks),
    )
    for (const [index, { resolve, reject }] of batch.entries()) {
      const answer = answers[index]
      if (answer instanceof Failed) reject(answer.error)
      else resolve(answer as Answer)
    }
  }
}
