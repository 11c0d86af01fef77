// The headers of answers, as the OpenAPI document declares them.
import type { Operation, Outcome } from '../operations/base/operation.ts'

interface AnswerHeader {
  readonly description: string
  /** On every answer of that kind. */
  readonly required?: boolean
  readonly pattern?: string
  readonly when: (operation: Operation, status: number, outcomes: readonly Outcome[]) => boolean
}

const isSuccess = (status: number): boolean => status < 400
const isFile = ({ media }: Outcome): boolean => media !== undefined

/** Response headers, without those that every HTTP server sends. */
const answerHeaders: Readonly<Record<string, AnswerHeader>> = {
  'Request-Id': {
    description: 'The request, as a UUID; also in problems and in the log.',
    required: true,
    pattern: '^[0-9a-f-]{36}$',
    when: () => true,
  },
  'WWW-Authenticate': {
    description: 'How to send a key.',
    required: true,
    pattern: '^Bearer ',
    when: (_operation, status) => status === 401,
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying the request.',
    required: true,
    pattern: '^[1-9][0-9]*$',
    when: (_operation, status) => status === 429 || status === 503,
  },
  'Accept-Encoding': {
    description: 'The content coding that bodies may have.',
    pattern: '^gzip$',
    when: (_operation, status) => status === 415,
  },
  'RateLimit-Policy': {
    description: 'Requests (`q`) the key may send in so many seconds (`w`); absent when there is no limit.',
    pattern: '^"key";q=[0-9]+;w=60$',
    when: (_operation, status) => status !== 401,
  },
  RateLimit: {
    description: 'Remaining requests (`r`) and seconds until the quota resets (`t`).',
    pattern: '^"key";r=[0-9]+;t=[0-9]+$',
    when: (_operation, status) => status !== 401,
  },
  ETag: {
    description:
      'The version, in quotes; followed by a hash where the answer shows more than the version counts, and by `-gzip` when the answer is compressed. Conditions take all of these. A 412 has the current version.',
    pattern: '^"(0|[1-9][0-9]*)(\\.[0-9a-f]{16})?(-gzip)?"$',
    when: ({ method, record, headers }, status) =>
      (method === 'GET' ? headers.includes('If-None-Match') : record !== undefined || headers.includes('If-Match')) &&
      (isSuccess(status) || (status === 412 && headers.includes('If-Match'))),
  },
  'Record-Voided': {
    description: '`true` when the version is a void. The list of versions says why, when and by which key.',
    pattern: '^true$',
    when: ({ name }, status) => ['readReceivingEvent', 'readReceivingEventVersion'].includes(name) && isSuccess(status),
  },
  Location: {
    description: 'Address of the record, when the request created one.',
    when: (_operation, status) => status === 201,
  },
  'Idempotency-Replayed': {
    description: '`true` when it is the answer to the first request with this Idempotency-Key.',
    pattern: '^true$',
    when: ({ headers }, status) => headers.includes('Idempotency-Key') && isSuccess(status),
  },
  'Set-Cookie': {
    description: 'The cookie of the session, or its removal.',
    pattern: '^(__Host-)?lotkeeper-session=',
    when: ({ topic, method }, status) => topic === 'sessions' && method !== 'GET' && isSuccess(status),
  },
  'Preference-Applied': {
    description: 'The preferences of `Prefer` that were applied.',
    when: ({ headers }) => headers.includes('Prefer'),
  },
  Link: {
    description: 'Address of the next page, `rel="next"`.',
    when: ({ query }, status) => Object.hasOwn(query, 'nextPageToken') && isSuccess(status),
  },
  'Record-Count': {
    description: 'Records, or versions of records, in the file; 0 when nothing matches the request.',
    pattern: '^[0-9]+$',
    when: ({ recorded }, status) => recorded !== undefined && isSuccess(status),
  },
  'Content-Disposition': {
    description: 'The suggested file name.',
    // A long poll or a stream, which nobody saves.
    when: ({ waits }, status, outcomes) => !waits && isSuccess(status) && outcomes.some(isFile),
  },
}

/** Headers of the answers of an operation with one status, as OpenAPI describes them. */
export function answerHeadersOf(
  operation: Operation,
  status: number,
  outcomes: readonly Outcome[],
): Record<string, unknown> {
  const own: Record<string, string> = Object.assign({}, ...outcomes.map(({ headers }) => headers))
  return Object.fromEntries([
    ...Object.entries(answerHeaders)
      .filter(([, { when }]) => when(operation, status, outcomes))
      .map(([name]) => [name, { $ref: `#/components/headers/${name}` }]),
    ...Object.entries(own).map(([name, value]) => [name, { schema: { type: 'string', const: value } }]),
  ])
}

/** The declarations of the headers, to which those of each answer refer. */
export const headerComponents = Object.fromEntries(
  Object.entries(answerHeaders).map(([name, { description, required = false, pattern }]) => [
    name,
    { description, required, schema: { type: 'string', ...(pattern && { pattern }) } },
  ]),
)
