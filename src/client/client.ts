// The typed client: a method for every operation, derived from the declarations. Runs in Node 20, browsers and workers.
import { operations } from '../operations/catalogue.ts'
import type { Operation } from '../operations/operation.ts'
import { judgeAlone } from '../rules/judge.ts'
import type { RuleSettings } from '../rules/rule.ts'
import type { Answered, Asked, Call, Operations } from './asked.ts'
import { ProblemError, RefusedHereError, UnreachableError } from './failure.ts'
import { requestOf } from './request.ts'
import { pauseBefore } from './retry.ts'

export interface ClientOptions {
  /** Address of the service, e.g. `http://127.0.0.1:3000`; in a page of the same origin its path, or `''`. */
  readonly url: string
  /** `lk_<key id>_<secret>`. */
  readonly key: string
  /** Most times a call is sent again after the first; 4 unless told. */
  readonly retries?: number
  /** Told of each pause before a call is sent again: how long, in milliseconds, and why. */
  readonly onRetry?: (pauseMs: number, why: Error) => void
  readonly fetch?: typeof fetch
  /**
   * Payloads are judged here first, by all rules that need no look into the database; what they refuse is not sent. The
   * settings are those of the service, e.g. `{ lotNumberRequiredFrom: '2026-01-01' }`.
   */
  readonly judgeFirst?: RuleSettings
}

type Name = keyof Operations

/** One method per operation. Making one throws a `TypeError` for a `url` that is no address. Each method throws a `ProblemError` for an answer that is no success, and an `UnreachableError` for none. */
export type Client = {
  readonly [N in Name]: Call<Operations[N]>
} & {
  /** Every entry of a list, page after page, each fetched when it is wanted. */
  each<N extends ListName>(name: N, asked: Asked<Operations[N]>): AsyncGenerator<EntryOf<N>>
}

/** Operations that answer with pages of `content`. */
type ListName = { [N in Name]: AnswerTo<N> extends Answered<Page> ? N : never }[Name]

type AnswerTo<N extends Name> = Awaited<ReturnType<Call<Operations[N]>>>

interface Page {
  readonly content: readonly unknown[]
  readonly nextCursor: string | null
}

type EntryOf<N extends ListName> =
  AnswerTo<N> extends Answered<{ readonly content: readonly (infer Entry)[]; readonly nextCursor: string | null }>
    ? Entry
    : never

type AnyAsked = Readonly<Record<string, unknown>> & { readonly signal?: AbortSignal }
type AnyCall = (asked: AnyAsked) => Promise<Answered<unknown>>

const retriesDefault = 4

export function lotkeeper({ url, ...others }: ClientOptions): Client {
  const options = { ...others, url: addressIn(url) }
  const calls = Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, callOf(operation, options)]),
  )
  const each = async function* (name: string, asked: AnyAsked): AsyncGenerator<unknown> {
    const call = calls[name] as AnyCall
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { body } = await call(cursor === undefined ? asked : { ...asked, cursor })
      const { content, nextCursor } = body as Page
      yield* content
      cursor = nextCursor
    }
  }
  return { ...calls, each } as unknown as Client
}

/** The address without the slashes that paths begin with. Throws for one that no call could reach, before there is a call. */
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

function callOf(
  operation: Operation,
  { url, key, retries = retriesDefault, onRetry, fetch: send = fetch, judgeFirst }: ClientOptions,
): AnyCall {
  return async (asked) => {
    if (judgeFirst !== undefined) refuseHere(operation, asked, judgeFirst)
    const request = requestOf(operation, asked)
    for (let attempt = 0; ; attempt++) {
      let failure: ProblemError | UnreachableError
      let retryAfter: string | null = null
      try {
        const response = await send(url + request.path, {
          method: operation.method,
          headers: { ...request.headers, authorization: `Bearer ${key}` },
          ...(request.body !== undefined && { body: request.body }),
          ...(asked.signal && { signal: asked.signal }),
        })
        if (response.ok || response.status === 304) return await answered(response, attempt + 1)
        retryAfter = response.headers.get('retry-after')
        failure = await failureOf(response)
      } catch (error) {
        asked.signal?.throwIfAborted()
        failure = error instanceof UnreachableError ? error : unreachable(url, error)
      }
      const pauseMs = attempt < retries ? pauseBefore(attempt, request, failure, retryAfter) : undefined
      if (pauseMs === undefined) throw failure
      onRetry?.(pauseMs, failure)
      await pause(pauseMs, asked.signal)
    }
  }
}

function refuseHere({ record, body: shape }: Operation, { body, strict }: AnyAsked, settings: RuleSettings): void {
  if (record === undefined || shape === undefined) return
  const { findings } = judgeAlone(record, shape, body, [], settings)
  const refusing = findings.filter(
    ({ severity }) => severity === 'error' || (strict === true && severity === 'warning'),
  )
  if (refusing.length > 0) throw new RefusedHereError(refusing, findings)
}

async function answered(response: Response, attempts: number): Promise<Answered<unknown>> {
  const { headers } = response
  const mediaType = headers.get('content-type') ?? ''
  const isJson = /^application\/([\w.-]+\+)?json\b/.test(mediaType)
  const [, version] = /^"(\d+)(?:-gzip)?"$/.exec(headers.get('etag') ?? '') ?? []
  return {
    status: response.status,
    body: isJson ? await json(response) : undefined,
    version: version === undefined ? undefined : Number(version),
    replayed: headers.get('idempotency-replayed') === 'true',
    attempts,
    next: /<([^<>]*)>; *rel="next"/.exec(headers.get('link') ?? '')?.[1],
    file:
      isJson || response.body === null
        ? undefined
        : {
            mediaType,
            records: headers.has('record-count') ? Number(headers.get('record-count')) : undefined,
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

/** Waits, or throws the reason of the signal as soon as the caller gives up. */
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
