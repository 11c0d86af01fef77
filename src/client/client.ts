// The typed client: a method for each operation. Runs in Node.js 20, browsers and workers.
import type { ApiResponse, CallOptions, Page } from './call.ts'
import { type ChangesRequest, changesAnswerMsMax, eachChangePage } from './change-pages.ts'
import { InvalidPayloadError, ProblemError, UnreachableError } from './failure.ts'
import { addresses, recordOperations } from './generated/addresses.ts'
import type { KindTypes, ListEntries, Methods, RecordMethods } from './generated/methods.ts'
import type { Change, ChangeList, Finding } from './generated/shapes.ts'
import { eachEntry } from './pages.ts'
import { type Address, requestOf } from './request.ts'
import { pauseBefore } from './retry.ts'

export interface ClientOptions {
  /**
   * Address of the service, e.g. `http://127.0.0.1:3000`; in a page of the service, its path or
   * `''`.
   */
  readonly url: string
  /**
   * `lk_<key id>_<provider>_<secret>`. Leave it out in a page of the service, where the browser
   * sends the cookie of its session.
   */
  readonly key?: string | undefined
  /**
   * How often a call is retried at most. Default: 8, with pauses that double from 0.2 s, 25 to 51
   * s in all: a database or a service that restarts is back by then.
   */
  readonly retries?: number
  /**
   * Longest wait for an answer, in milliseconds. Default: 120,000. A call without an answer by then
   * fails, and is not retried. The content of a file may take longer.
   */
  readonly timeoutMs?: number
  /** Called before each retry, with the pause in milliseconds and the reason. */
  readonly onRetry?: (pauseMs: number, why: Error) => void
  readonly fetch?: typeof fetch
  /**
   * Validates payloads before they are sent, by all rules that need no database. An invalid one is
   * not sent: the call throws an `InvalidPayloadError`. See `localRules`.
   */
  readonly judgeFirst?: LocalJudge
}

/** Returns the findings of the rules in the body of an operation. */
export type LocalJudge = (operation: OperationName, body: unknown) => readonly Finding[]

export type OperationName = keyof Methods

/** The name of a kind of record. */
export type KindName = keyof KindTypes

/** A record whose kind is known only at run time. */
export type AnyRecord = Readonly<Record<string, unknown>> & { readonly id: string }

/** Types of a kind that is known only at run time. The service checks the values. */
export interface AnyKind {
  create: Readonly<Record<string, unknown>>
  replace: Readonly<Record<string, unknown>>
  record: AnyRecord
  list: CallOptions & Readonly<Record<string, unknown>>
}

/** The calls for records of one kind. */
export interface RecordClient<Kind extends AnyKind | KindTypes[KindName]> extends RecordMethods<Kind> {
  /** Every record of a list. Each page is fetched when it is needed. */
  each(request?: Kind['list']): AsyncGenerator<Kind['record']>
}

/** A call for each kind that is known, with the types of its records. */
type OfKind = Intersection<{ [Kind in KindName]: (kind: Kind) => RecordClient<KindTypes[Kind]> }[KindName]>
type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/**
 * A method for each operation. Each throws a `ProblemError` when the service refuses the call, and
 * an `UnreachableError` when there is no answer.
 */
export interface Client extends Methods {
  /** The calls for records of one kind, for programs that treat all kinds alike. */
  readonly of: OfKind & ((kind: KindName) => RecordClient<AnyKind>)
  /** Every entry of a list. Each page is fetched when it is needed. */
  each<Name extends keyof ListEntries>(
    name: Name,
    request?: Parameters<Methods[Name]>[0],
  ): AsyncGenerator<ListEntries[Name]>
  /**
   * Every change of a record, in the order of the feed, for as long as you read. Begins after the
   * position `after`, or with the first change. Store the `position` of a change once you have
   * processed it, and pass it as `after` the next time: you miss none. While the service is
   * unreachable or overloaded, the client waits and continues. Throws when you abort `signal`.
   * A change that the database of the service lost has no type: `changePages` names it in
   * `damaged`.
   */
  changes(request?: ChangesRequest): AsyncGenerator<Change>
  /**
   * Pages of the same changes, up to 200 each. For programs that store the changes of a page and
   * its `nextPosition` in one transaction. A page is empty after 30 seconds without a change.
   */
  changePages(request?: ChangesRequest): AsyncGenerator<ChangeList>
}

type AnyRequest = CallOptions & Readonly<Record<string, unknown>>
type AnyMethod = (request?: AnyRequest) => Promise<ApiResponse<never>>

const retriesDefault = 8
const timeoutMsDefault = 120_000

/**
 * Makes a client of a service.
 * @throws {TypeError} when `url` is not an address.
 */
export function lotkeeper({ url, ...others }: ClientOptions): Client {
  const options = { ...others, url: addressIn(url) }
  const methods: Readonly<Record<string, AnyMethod>> = Object.fromEntries(
    Object.entries(addresses).map(([name, address]) => [name, methodOf(name as OperationName, address, options)]),
  )
  const of = (kind: KindName) => ({
    ...Object.fromEntries(Object.entries(recordOperations[kind]).map(([action, name]) => [action, methods[name]])),
    each: (request?: AnyRequest) => each(recordOperations[kind].list, request),
  })
  const each = (name: string, request: AnyRequest = {}) =>
    eachEntry(methods[name] as (request: AnyRequest) => Promise<ApiResponse<Page<unknown>>>, request)
  const listChanges = methodOf('listChanges', addresses.listChanges, {
    ...options,
    retries: Number.POSITIVE_INFINITY,
    timeoutMs: changesAnswerMsMax,
  }) as Methods['listChanges']
  const changePages = (request: ChangesRequest = {}) => eachChangePage(listChanges, request)
  const changes = async function* (request?: ChangesRequest) {
    for await (const { content } of changePages(request)) yield* content
  }
  // The only cast: types and addresses come from the same declarations.
  return { ...methods, of, each, changes, changePages } as unknown as Client
}

/** The address without trailing slashes, because paths begin with one. */
function addressIn(url: string): string {
  const isAddress = url === '' || url.startsWith('/') || /^https?:$/.test(protocolOf(url))
  if (!isAddress)
    throw new TypeError(
      `url is ${JSON.stringify(url)}. It must be the address of the service, e.g. http://127.0.0.1:3000.`,
    )
  let end = url.length
  while (url[end - 1] === '/') end--
  return url.slice(0, end)
}

function protocolOf(url: string): string {
  try {
    return new URL(url).protocol
  } catch {
    return ''
  }
}

function methodOf(
  name: OperationName,
  address: Address,
  {
    url,
    key,
    retries = retriesDefault,
    timeoutMs: usualTimeoutMs = timeoutMsDefault,
    onRetry,
    fetch: send = fetch,
    judgeFirst,
  }: ClientOptions,
) {
  return async (options: AnyRequest = {}): Promise<ApiResponse<never>> => {
    if (judgeFirst !== undefined && address.body)
      throwIfInvalid(judgeFirst(name, options.body), { strict: options.strict === true })
    const request = requestOf(address, options)
    const timeoutMs = options.timeoutMs ?? usualTimeoutMs
    for (let attempt = 0; ; attempt++) {
      let failure: ProblemError | UnreachableError
      let retryAfter: string | null = null
      let isFile = false
      const { signal, end } = answerSignal(options.signal, timeoutMs)
      try {
        const response = await send(url + request.path, {
          method: address.method,
          headers: { ...request.headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
          ...(request.body !== undefined && { body: request.body }),
          signal,
        })
        if (response.ok || response.status === 304) {
          const answer = await responseOf(response, attempt + 1)
          isFile = answer.file !== undefined
          return answer
        }
        retryAfter = response.headers.get('retry-after')
        failure = await failureOf(response)
      } catch (error) {
        options.signal?.throwIfAborted()
        failure = error instanceof UnreachableError ? error : unreachable(url, error)
      } finally {
        end({ isFile })
      }
      // After a time limit only a call that waits for the service, however long, is sent again.
      const mayRetry = attempt < retries && !(signal.aborted && Number.isFinite(retries))
      const pauseMs = mayRetry ? pauseBefore(attempt, request, failure, retryAfter) : undefined
      if (pauseMs === undefined) throw failure
      onRetry?.(pauseMs, failure)
      await pause(pauseMs, options.signal)
    }
  }
}

/** Longest time of a timer: a longer one ends at once. */
const timerMsMax = 2 ** 31 - 1

/**
 * The signal of one attempt: aborts with that of the caller, or when the answer takes too long.
 * `AbortSignal.any` would leak memory in Node.js 20.
 */
function answerSignal(signal: AbortSignal | undefined, msMax: number) {
  const giveUp = new AbortController()
  const abort = () => giveUp.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  const late = () => giveUp.abort(new UnreachableError(`There was no answer for ${msMax / 1_000} s.`))
  const timer = msMax <= timerMsMax ? setTimeout(late, msMax) : undefined
  return {
    signal: giveUp.signal,
    end: ({ isFile }: { readonly isFile: boolean }) => {
      clearTimeout(timer)
      // The caller may abort while he reads a file.
      if (!isFile) signal?.removeEventListener('abort', abort)
    },
  }
}

function throwIfInvalid(findings: readonly Finding[], { strict }: { readonly strict: boolean }): void {
  const refusing = findings.filter(({ severity }) => severity === 'error' || (strict && severity === 'warning'))
  if (refusing.length > 0) throw new InvalidPayloadError(refusing, findings)
}

async function responseOf(response: Response, attempts: number): Promise<ApiResponse<never>> {
  const { headers } = response
  const mediaType = headers.get('content-type') ?? ''
  const isJson = /^application\/([\w.-]+\+)?json\b/.test(mediaType)
  const tag = headers.get('etag') ?? undefined
  const [, version] = /^"(\d+)(?:\.[0-9a-f]+)?(?:-gzip)?"$/.exec(tag ?? '') ?? []
  return {
    status: response.status,
    body: (isJson ? await json(response) : undefined) as never,
    requestId: headers.get('request-id') ?? undefined,
    headers,
    version: version === undefined ? undefined : Number(version),
    tag,
    voided: headers.get('record-voided') === 'true',
    replayed: headers.get('idempotency-replayed') === 'true',
    attempts,
    next: /<([^<>]*)>; *rel="next"/.exec(headers.get('link') ?? '')?.[1],
    file:
      isJson || response.body === null
        ? undefined
        : {
            mediaType,
            records: headers.has('record-count') ? Number(headers.get('record-count')) : undefined,
            damaged: Number(headers.get('damaged-count') ?? 0),
            name: /filename="([^"]*)"/.exec(headers.get('content-disposition') ?? '')?.[1],
            stream: response.body,
          },
  }
}

async function failureOf(response: Response): Promise<ProblemError | UnreachableError> {
  if (/^application\/problem\+json\b/.test(response.headers.get('content-type') ?? ''))
    return new ProblemError(await json(response))
  await response.body?.cancel()
  return new UnreachableError(
    `The answer (HTTP ${response.status}) is not from the service. Is another program at this address?`,
  )
}

async function json(response: Response): Promise<never> {
  const text = await response.text()
  try {
    return JSON.parse(text) as never
  } catch (cause) {
    throw new UnreachableError('The answer is declared as JSON but is not valid JSON.', { cause })
  }
}

const unreachable = (url: string, cause: unknown): UnreachableError =>
  new UnreachableError(`The service at ${url || 'this address'} cannot be reached.`, { cause })

/** Waits, or throws the reason of the signal as soon as the caller aborts. */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp)
      resolve()
    }, ms)
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', giveUp, { once: true })
  })
