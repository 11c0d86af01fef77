// Group commit (decision 0024): requests of one provider that come in one turn of the event loop,
// or while a statement is in flight, share the next one. One transaction per request leaves most of
// PostgreSQL unused; here the cost of a statement and of its flush to disk is shared, and an idle
// service waits for nothing.
import { Histogram } from '../../metrics/histogram.ts'
import { connectionLost, mayRetry } from './database-errors.ts'
import type { StatementSpans } from './statement.ts'

/**
 * The queue of a provider is full: nothing was done, and the same request may be sent again a
 * moment later.
 */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

export interface BatchLimits {
  /** Most requests in one statement. */
  readonly rowsMax: number
  /** Most bytes of requests in one statement; a single larger request goes alone. */
  readonly bytesMax: number
  /** Most requests of one provider that wait, and most bytes of all that wait. */
  readonly waitingRowsMax: number
  readonly waitingBytesMax: number
  /**
   * Statements of one provider in flight at once. Beside another one a statement is sent when as
   * many requests wait as are in flight, so that statements do not become small.
   */
  readonly inFlightMax: number
}

/** Stands in the place of an answer: this request alone failed. */
export class Failed {
  readonly error: unknown
  constructor(error: unknown) {
    this.error = error
  }
}

/**
 * Answers requests by one run. When the database refuses some of them, runs each alone, so that
 * each gets its own answer. An error that no single request caused goes to all of them, and they
 * retry.
 */
export async function answerEach<Request, Answer>(
  requests: readonly Request[],
  run: (requests: readonly Request[]) => Promise<readonly (Answer | Failed)[]>,
): Promise<readonly (Answer | Failed)[]> {
  try {
    return await run(requests)
  } catch (error) {
    if (requests.length === 1 || mayRetry(error) || connectionLost(error)) return requests.map(() => new Failed(error))
    const answers: (Answer | Failed)[] = []
    for (const one of requests) answers.push(...(await answerEach([one], run)))
    return answers
  }
}

/** Most consecutive runs that answer nothing. Each time another request wrote to the records. */
const idleRunsMax = 100

/** Answers requests in as many runs as it takes: each has those that are not answered yet. */
export async function answerAll<Request, Answer>(
  requests: readonly Request[],
  run: (left: readonly Request[]) => Promise<ReadonlyMap<Request, Answer | Failed>>,
): Promise<readonly (Answer | Failed)[]> {
  const answers = new Map<Request, Answer | Failed>()
  let left = requests
  for (let idleRuns = 0; left.length > 0 && idleRuns < idleRunsMax; ) {
    const answered = await run(left)
    for (const [request, answer] of answered) answers.set(request, answer)
    left = left.filter((request) => !answered.has(request))
    idleRuns = answered.size === 0 ? idleRuns + 1 : 0
  }
  return requests.map(
    (request) => answers.get(request) ?? new Failed(new Error('Other requests keep replacing the record.')),
  )
}

/** The value of keys that requests in flight or left behind hold: equal to no other. */
const heldApart = Symbol('held apart')

/**
 * The longest run of requests, in order, that may share a statement, and the others. A request that
 * stays behind keeps back all that share a name with it, as one that is in flight does.
 */
export function takeCompatible<Request>(
  requests: readonly Request[],
  conflictKeys: (request: Request) => Iterable<readonly [string, unknown]>,
  bytesOf: (request: Request) => number = () => 0,
  {
    rowsMax,
    bytesMax,
    inFlight = [],
  }: Pick<BatchLimits, 'rowsMax' | 'bytesMax'> & { readonly inFlight?: readonly Request[] } = {
    rowsMax: requests.length,
    bytesMax: 0,
  },
): readonly [together: Request[], left: Request[]] {
  const some: Request[] = []
  const left: Request[] = []
  const held = new Map<string, unknown>()
  for (const request of inFlight) for (const [name] of conflictKeys(request)) held.set(name, heldApart)
  let bytes = 0
  for (const [index, request] of requests.entries()) {
    bytes += bytesOf(request)
    if (some.length > 0 && (some.length >= rowsMax || bytes > bytesMax))
      return [some, [...left, ...requests.slice(index)]]
    const names = [...conflictKeys(request)]
    const apart = names.some(([name, value]) => held.has(name) && held.get(name) !== value)
    for (const [name, value] of names) held.set(name, apart ? heldApart : value)
    if (apart) {
      left.push(request)
      bytes -= bytesOf(request)
    } else some.push(request)
  }
  return [some, left]
}

/** How requests of one kind are put together. */
export interface Batching<Request, Answer> {
  /** Runs one statement for all of the requests and answers them in their order. */
  readonly run: (provider: string, requests: readonly Request[]) => Promise<readonly (Answer | Failed)[]>
  readonly bytesOf: (request: Request) => number
  /**
   * Keys and values of a request. Two requests with one key and different values never share a
   * statement, and two with one key are never in two statements at once; they keep their order. So
   * a record is written by one statement at a time, and a location has one content in it.
   */
  readonly conflictKeys: (request: Request) => Iterable<readonly [string, unknown]>
  readonly limits: BatchLimits
  readonly spans?: StatementSpans | undefined
}

interface Waiting<Request, Answer> {
  readonly request: Request
  readonly bytes: number
  /** Of the request that waits; undefined without spans. */
  readonly span: unknown
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

interface Lane<Request, Answer> {
  waiting: Waiting<Request, Answer>[]
  /** The requests of each statement in flight. */
  readonly inFlight: Set<readonly Waiting<Request, Answer>[]>
  /** True while statements are about to be sent, at the end of this turn of the event loop. */
  due: boolean
}

export class BatchedStatement<Request, Answer> {
  readonly #grouping: Batching<Request, Answer>
  readonly #lanes = new Map<string, Lane<Request, Answer>>()
  #waitingBytes = 0
  /** How many requests shared a statement. */
  readonly rows = new Histogram([1, 2, 4, 8, 16, 32, 64, 128])
  /** Asks that were turned away because too many waited. */
  refused = 0

  constructor(grouping: Batching<Request, Answer>) {
    this.#grouping = grouping
  }

  /** Waiting requests of all providers. */
  get waiting(): { readonly rows: number; readonly bytes: number } {
    let rows = 0
    for (const { waiting } of this.#lanes.values()) rows += waiting.length
    return { rows, bytes: this.#waitingBytes }
  }

  /**
   * Resolves once the statement with the request is committed. Rejects with `QueueFull`, or with
   * the database's answer to this request alone.
   */
  submit(provider: string, request: Request): Promise<Answer> {
    const { limits, bytesOf, spans } = this.#grouping
    const bytes = bytesOf(request)
    const lane = this.#lanes.get(provider) ?? { waiting: [], inFlight: new Set(), due: false }
    if (lane.waiting.length >= limits.waitingRowsMax || this.#waitingBytes + bytes > limits.waitingBytesMax) {
      this.refused++
      return Promise.reject(new QueueFull(`More than ${limits.waitingRowsMax} requests wait for the database.`))
    }
    this.#lanes.set(provider, lane)
    return new Promise((resolve, reject) => {
      lane.waiting.push({ request, bytes, span: spans?.current(), resolve, reject })
      this.#waitingBytes += bytes
      this.#soon(provider, lane)
    })
  }

  /**
   * Sends the waiting requests at the end of this turn, so that requests that arrived in the same
   * poll of the sockets share the statement. Sent immediately, the first of 32 went alone.
   */
  #soon(provider: string, lane: Lane<Request, Answer>): void {
    if (lane.due || !this.#maySend(lane)) return
    lane.due = true
    setImmediate(() => {
      lane.due = false
      this.#next(provider, lane)
    })
  }

  /** True when enough wait for a statement. */
  #maySend({ waiting, inFlight }: Lane<Request, Answer>): boolean {
    if (waiting.length === 0 || inFlight.size >= this.#grouping.limits.inFlightMax) return false
    let rows = 0
    for (const batch of inFlight) rows += batch.length
    return waiting.length >= rows
  }

  #next(provider: string, lane: Lane<Request, Answer>): void {
    while (this.#maySend(lane)) {
      const batch = this.#take(lane)
      if (batch.length === 0) return
      lane.inFlight.add(batch)
      this.rows.add(batch.length)
      this.#run(provider, batch).finally(() => {
        lane.inFlight.delete(batch)
        if (lane.waiting.length > 0) this.#soon(provider, lane)
        else if (lane.inFlight.size === 0 && !lane.due) this.#lanes.delete(provider)
      })
    }
  }

  #take(lane: Lane<Request, Answer>): Waiting<Request, Answer>[] {
    const { limits, conflictKeys } = this.#grouping
    const [batch, left] = takeCompatible(
      lane.waiting,
      ({ request }) => conflictKeys(request),
      ({ bytes }) => bytes,
      { ...limits, inFlight: [...lane.inFlight].flat() },
    )
    lane.waiting = left
    for (const { bytes } of batch) this.#waitingBytes -= bytes
    return batch
  }

  async #run(provider: string, batch: readonly Waiting<Request, Answer>[]): Promise<void> {
    const { run, spans } = this.#grouping
    const answering = () =>
      answerEach(
        batch.map(({ request }) => request),
        (requests) => run(provider, requests),
      )
    const answers = await (spans === undefined
      ? answering()
      : spans.together(
          batch.map(({ span }) => span),
          answering,
        ))
    for (const [index, { resolve, reject }] of batch.entries()) {
      const answer = answers[index]
      if (answer instanceof Failed) reject(answer.error)
      else resolve(answer as Answer)
    }
  }
}
