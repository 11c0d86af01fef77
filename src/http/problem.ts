// Problem documents: the one form of every answer that is not a success. Source: RFC 9457;
// decision 0002.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../operations/base/bodies.ts'
import {
  bodyOutcomes,
  commonOutcomes,
  conditionOutcomes,
  type Outcome,
  type Outcomes,
  sharingOutcomes,
} from '../operations/base/operation.ts'

/** Outcomes of requests that reach no operation. */
export const serverOutcomes = {
  unknownAddress: { status: 404, when: 'Nothing is at this address.', retry: 'never' },
  wrongMethod: { status: 405, when: 'The address does not support this method.', retry: 'changed' },
  tooSlow: { status: 408, when: 'The request timed out before it was complete.', retry: 'later' },
  headersTooLarge: {
    status: 431,
    when: 'The address and the headers are larger than the service accepts.',
    retry: 'changed',
  },
  badAddress: {
    status: 400,
    when: 'A part of the address is too long, or its percent-encoding cannot be decoded.',
    retry: 'changed',
  },
  unmetExpectation: { status: 417, when: 'The service cannot do what the header Expect asks for.', retry: 'changed' },
  notHttp: { status: 400, when: 'The request cannot be read as HTTP/1.1.', retry: 'changed' },
} as const satisfies Outcomes

/** Outcomes that have a problem page of their own, apart from operations. */
export const sharedOutcomes = {
  ...commonOutcomes,
  ...sharingOutcomes,
  ...bodyOutcomes,
  ...conditionOutcomes,
  ...serverOutcomes,
} as const

/** Sent with every response: no scripts, no framing, no MIME sniffing. */
export const safeHeaders = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

export const problemPath = '/docs/problems'

/** Retry-After when the database is busy or away, in seconds. */
const retryAfterSeconds = 2

export type ProblemParts = Pick<
  Problem,
  'detail' | 'findings' | 'findingCount' | 'severities' | 'heldBy' | 'records' | 'currentVersion'
>

export function problemOf(name: string, outcome: Outcome, requestId: string, parts: ProblemParts): Problem {
  return {
    type: `${problemPath}/${name}`,
    title: outcome.when,
    status: outcome.status,
    instance: `urn:uuid:${requestId}`,
    ...parts,
  }
}

/** Sends a problem. 503 and 429 have Retry-After. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, outcome }: { readonly name: string; readonly outcome: Outcome },
  parts: ProblemParts,
): FastifyReply {
  request.outcome = name
  // Caches store responses to requests with X-Api-Key. Only this header prevents it.
  reply.header('cache-control', 'no-store')
  if (outcome.status === 503) reply.header('retry-after', retryAfterSeconds)
  if (outcome.status === 401) reply.header('www-authenticate', 'Bearer realm="lotkeeper"')
  return reply
    .code(outcome.status)
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(problemOf(name, outcome, request.id, parts)))
}

/** Sends a problem that is not specific to an operation. */
export const sendShared = (
  request: FastifyRequest,
  reply: FastifyReply,
  name: keyof typeof sharedOutcomes,
  detail: string,
): FastifyReply => sendProblem(request, reply, { name, outcome: sharedOutcomes[name] }, { detail })
