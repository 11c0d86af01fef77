// Mounts one operation: turns a request into a call, and the answer into a reply.

import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { readChangeReason } from '../contract/change-reason.ts'
import type { JsonDefect, JsonObjectText } from '../contract/json/json-text.ts'
import { readJsonObject } from '../contract/json/json-text.ts'
import { mayAs } from '../contract/role.ts'
import type { Answer, AnswerFile, OperationCall } from '../handlers/base/handler.ts'
import { changesWithoutTag, isJsonType, type Operation, outcomesOf } from '../operations/base/operation.ts'
import { type Query, type QueryLists, readQuery } from '../operations/base/query.ts'
import { eventStream } from '../operations/changes/changes.ts'
import { sha256Hex } from '../sha256.ts'
import type { Caller } from './authenticate.ts'
import { setSessionCookie } from './cookies.ts'
import type { LargeAnswers } from './large-answers.ts'
import type { Pressure } from './pressure.ts'
import { sendProblem, sendShared } from './problem.ts'
import {
  type Preferences,
  readEntityTags,
  readIdempotencyKey,
  readPreferences,
  type Versions,
} from './request-headers.ts'

/** A handler, as the route sees it. */
export type AnyHandler = (ask: OperationCall) => Promise<Answer<string>>

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    /** Name of the outcome of the answer. */
    outcome: string | undefined
    /** The encoding of a file that does not say it. */
    assumedEncoding: string | undefined
  }
  interface FastifyContextConfig {
    /** Name of the operation of the route. */
    operation?: string
  }
}

/** The limits of a process, shared by all routes. */
export interface ProcessLimits {
  readonly pressure: Pressure
  readonly largeAnswers: LargeAnswers
  readonly bodyBytesMax: number
}

export function mount(server: FastifyInstance, operation: Operation, handler: AnyHandler, limits: ProcessLimits): void {
  server.route({
    bodyLimit: limits.bodyBytesMax * (operation.bodyFactor ?? 1),
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operation: operation.name },
    handler: handle(operation, limits, handler),
  })
}

function handle(operation: Operation, limits: ProcessLimits, handler: AnyHandler): RouteHandlerMethod {
  const outcomes = outcomesOf(operation)
  return async (request, reply) => {
    const { caller } = request
    if (caller === undefined) throw new Error('A request got past authentication without a caller.')
    if (!mayAs(caller.role, operation.role))
      return sendShared(
        request,
        reply,
        'notAllowed',
        `Key ${caller.keyId} is a key of role ${caller.role}. Use one of role ${operation.role}.`,
      )
    if (caller.isClosed)
      return sendShared(
        request,
        reply,
        'sharingIsUpdated',
        'What is shared with you is being updated. Retry after the time in Retry-After.',
      )

    if (operation.body !== undefined && !takesMedia(operation, request.headers['content-type']))
      return sendShared(request, reply, 'wrongMediaType', 'Send Content-Type: application/json.')
    const query = readQuery(operation.query, request.query as Record<string, unknown>)
    if ('problem' in query) return sendShared(request, reply, 'badQuery', query.problem)
    let body: JsonObjectText | undefined
    if (operation.body !== undefined) {
      const reading = readBody(operation, request)
      if ('defect' in reading) return sendShared(request, reply, 'malformed', describePosition(reading))
      body = reading
    }
    const ask = askOf(operation, { request, answer: reply.raw }, caller, { read: query, body })
    if ('problem' in ask) return sendShared(request, reply, 'badQuery', ask.problem)

    const condition = changesWithoutTag(operation) ? conditionWithoutTag(request) : undefined
    if (condition !== undefined) return sendShared(request, reply, ...condition)

    const work = async () => {
      const answer = await handler(ask)
      if (answer.file?.isLargePage) await limits.largeAnswers.room(caller.provider, reply.raw)
      return answer
    }
    const answer = await (operation.waits ? work() : limits.pressure.during(work))
    const outcome = outcomes[answer.outcome]
    if (outcome === undefined) throw new Error(`${operation.name} has no outcome ${answer.outcome}.`)
    request.outcome = answer.outcome
    if (ask.applied !== undefined) reply.header('preference-applied', ask.applied)
    if (outcome.status === 412 && answer.version !== undefined) reply.header('etag', `"${answer.version}"`)
    if (outcome.status >= 400)
      return sendProblem(
        request,
        reply,
        { name: answer.outcome, outcome },
        {
          detail: answer.detail ?? outcome.when,
          ...(answer.findings && { findings: [...answer.findings] }),
          ...(answer.findingCount !== undefined && { findingCount: answer.findingCount }),
          ...(answer.severities && { severities: answer.severities }),
          ...(answer.heldBy !== undefined && { heldBy: answer.heldBy }),
          ...(answer.records && { records: [...answer.records] }),
          ...(answer.version !== undefined && { currentVersion: answer.version }),
        },
      )
    if (outcome.headers !== undefined) reply.headers(outcome.headers)
    if (answer.nextPageToken !== undefined)
      reply.header('link', `<${pageAddress(operation, query, answer.nextPageToken)}>; rel="next"`)
    return sendSuccess(reply, operation, outcome.status, answer)
  }
}

/** JSON, and the other media types of the operation; others never get here. */
const takesMedia = ({ bodyTypes = [] }: Operation, contentType: string | undefined): boolean =>
  mediaTypeOf(contentType) === 'application/json' || bodyTypes.includes(mediaTypeOf(contentType))

export const isJson = (contentType: string | undefined): boolean => isJsonType(mediaTypeOf(contentType))

const mediaTypeOf = (contentType = ''): string => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** A body that is the file itself is read like JSON that has the file in a field. */
function readBody({ fileField }: Operation, { body, headers }: FastifyRequest): JsonObjectText | JsonDefect {
  const text = typeof body === 'string' ? body : ''
  if (fileField === undefined || isJson(headers['content-type'])) return readJsonObject(text)
  return { ...noBody, text, value: { [fileField]: text } }
}

/**
 * Relative, because a proxy may have given the service another name. Clients resolve it against the
 * address they called.
 */
function pageAddress({ path }: Operation, { query, lists }: ReadQuery, nextPageToken: string): string {
  const repeated = Object.entries(lists).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return `${path}?${new URLSearchParams([...Object.entries({ ...query, nextPageToken }), ...repeated])}`
}

interface ReadQuery {
  readonly query: Query
  readonly lists: QueryLists
}

/** An ETag. In a 304, in the form that the client sent. */
function tagOf(opaque: number | string, status: number, { headers }: FastifyRequest): string {
  const packed = `"${opaque}-gzip"`
  return status === 304 && headers['if-none-match']?.includes(packed) ? packed : `"${opaque}"`
}

/** The version, and a hash of the whole answer. */
const contentTag = (version: number, text: string): string => `${version}.${sha256Hex(text).slice(0, 16)}`

const namesTag = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch?.trim() === '*' || [`"${tag}"`, `"${tag}-gzip"`].some((named) => ifNoneMatch?.includes(named))

async function sendSuccess(
  reply: FastifyReply,
  operation: Operation,
  status: number,
  answer: Answer<string>,
): Promise<FastifyReply> {
  const text = answer.text ?? (answer.file === undefined ? JSON.stringify(answer.body) : '')
  if (answer.version !== undefined) {
    const tag = operation.tag === 'content' ? contentTag(answer.version, text) : answer.version
    if (typeof tag === 'string' && namesTag(reply.request.headers['if-none-match'], tag)) {
      reply.request.outcome = 'unmodified'
      status = 304
    }
    reply.header('etag', tagOf(tag, status, reply.request))
  }
  if (answer.voided) reply.header('record-voided', 'true')
  if (answer.createdId !== undefined) reply.header('location', `${operation.path}/${answer.createdId}`)
  if (answer.cookie !== undefined) setSessionCookie(reply.request, reply, answer.cookie)
  if (answer.replayed) reply.header('idempotency-replayed', 'true')
  reply.header('cache-control', 'private, no-cache').code(status)
  if (status === 304) return reply.send()
  if (answer.file !== undefined) return sendFile(reply, answer.file)
  return reply.type('application/json; charset=utf-8').send(text)
}

/**
 * Sends a file part by part, as fast as the client reads. The first part is made before the answer
 * begins, so that an early failure becomes a problem. A later failure closes the connection, so
 * that a client cannot mistake half a file for a whole one.
 */
export async function sendFile(
  reply: FastifyReply,
  { mediaType, name, records, missing = 0, parts, onEnd }: AnswerFile,
): Promise<FastifyReply> {
  const making = parts[Symbol.asyncIterator]()
  const failed = (bytes: number) => (error: unknown) => {
    onEnd?.({ ending: 'failed', bytes })
    onEnd = undefined
    throw error
  }
  const first = await making.next().catch(failed(0))
  let bytes = 0
  async function* all() {
    try {
      for (let next = first; !next.done; next = await making.next().catch(failed(bytes))) {
        bytes += Buffer.byteLength(next.value)
        yield next.value
      }
    } finally {
      await making.return?.()
    }
  }
  const { raw } = reply
  raw.once('close', () => onEnd?.({ ending: raw.writableFinished ? 'done' : 'cutOff', bytes }))
  if (records !== undefined) reply.header('record-count', records)
  if (missing > 0) reply.header('damaged-count', missing)
  // A stream closes its connection, so that it cannot delay a shutdown. Proxies must not buffer it.
  if (mediaType === eventStream) reply.header('connection', 'close').header('x-accel-buffering', 'no')
  if (name !== undefined) reply.header('content-disposition', `attachment; filename="${name}"`)
  return reply.type(mediaType).send(Readable.from(all(), { objectMode: false }))
}

const noBody: JsonObjectText = {
  text: '{}',
  value: {},
  spaced: false,
  inexactNumbers: [],
  parts: () => ({ members: new Map(), elements: new Map() }),
}

/** A call that has a caller and nothing else. */
export const plainCall = ({ id: requestId }: FastifyRequest, caller: Caller): OperationCall => ({
  provider: caller.provider,
  keyId: caller.keyId,
  role: caller.role,
  session: caller.session,
  requestId,
  id: '',
  version: '',
  lotCode: '',
  query: {},
  lists: {},
  body: noBody,
  ifMatch: undefined,
  ifNoneMatch: [],
  strict: false,
  representation: false,
  idempotencyKey: undefined,
  reason: undefined,
})

/** Aborts when the client disconnects, or has the whole answer. */
export function departureOf(answer: ServerResponse): AbortSignal {
  const departure = new AbortController()
  if (answer.closed || answer.destroyed) departure.abort()
  else answer.once('close', () => departure.abort())
  return departure.signal
}

function askOf(
  { headers: declared, waits }: Operation,
  { request, answer }: { readonly request: FastifyRequest; readonly answer: ServerResponse },
  caller: Caller,
  { read: { query, lists }, body = noBody }: { readonly read: ReadQuery; readonly body?: JsonObjectText | undefined },
): (OperationCall & Pick<Preferences, 'applied'>) | { readonly problem: string } {
  const sent = (name: (typeof declared)[number]): string | undefined => {
    const value = declared.includes(name) ? request.headers[name.toLowerCase()] : undefined
    return typeof value === 'string' ? value : undefined
  }
  const ifMatch = conditionOf('If-Match', sent('If-Match'))
  if (isProblem(ifMatch)) return ifMatch
  const ifNoneMatch = conditionOf('If-None-Match', sent('If-None-Match'))
  if (isProblem(ifNoneMatch)) return ifNoneMatch
  const preferences = readPreferences(sent('Prefer'))
  if ('problem' in preferences) return { problem: `Prefer ${preferences.problem}` }
  const keyHeader = sent('Idempotency-Key')
  const idempotencyKey = keyHeader === undefined ? undefined : readIdempotencyKey(keyHeader)
  if (typeof idempotencyKey === 'object') return { problem: `Idempotency-Key ${idempotencyKey.problem}` }
  const reasonHeader = sent('Change-Reason')
  const reason = reasonHeader === undefined ? undefined : readChangeReason(reasonHeader)
  if (typeof reason === 'object') return { problem: `Change-Reason ${reason.problem}` }
  const { id = '', version = '', lotCode = '' } = request.params as Partial<Record<string, string>>
  return {
    ...plainCall(request, caller),
    id: id.toLowerCase(),
    version,
    lotCode,
    query,
    lists,
    body,
    ...(request.assumedEncoding !== undefined && { assumedEncoding: request.assumedEncoding }),
    // `If-Match: *` requires any current version, and a record that is replaced has one.
    ifMatch: ifMatch === 'any' ? undefined : ifMatch,
    ifNoneMatch: ifNoneMatch ?? [],
    ...preferences,
    idempotencyKey,
    reason,
    ...(waits && {
      following: {
        isStream: (request.headers.accept ?? '').includes(eventStream),
        lastEventId: sent('Last-Event-ID'),
        departure: departureOf(answer),
      },
    }),
  }
}

/**
 * The problem of a condition on something that has no ETag; undefined when there is no condition,
 * or it holds (decision 0053).
 */
function conditionWithoutTag({ headers }: FastifyRequest): ['badQuery' | 'conditionFailed', string] | undefined {
  const ifMatch = conditionOf('If-Match', headers['if-match'])
  const ifNoneMatch = conditionOf('If-None-Match', headers['if-none-match'])
  for (const condition of [ifMatch, ifNoneMatch]) if (isProblem(condition)) return ['badQuery', condition.problem]
  if (ifMatch !== undefined && ifMatch !== 'any')
    return ['conditionFailed', 'This address has no ETag, so If-Match cannot match. Send the request without it.']
  if (ifNoneMatch === 'any')
    return [
      'conditionFailed',
      'If-None-Match: * requires that nothing exists at this address, but it exists. Send the request without it.',
    ]
  return undefined
}

const isProblem = (versions: Versions | undefined): versions is { readonly problem: string } =>
  typeof versions === 'object' && 'problem' in versions

function conditionOf(name: string, value: string | undefined): Versions | undefined {
  if (value === undefined) return undefined
  const versions = readEntityTags(value)
  return isProblem(versions) ? { problem: `${name} ${versions.problem}` } : versions
}

const describePosition = ({ defect, line, column, pointer }: JsonDefect): string =>
  `${defect} Line ${line}, column ${column}${pointer ? `, at ${pointer}` : ''}.`
