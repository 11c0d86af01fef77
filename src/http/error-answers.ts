// What a client gets when its request cannot be read, or the service fails.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type Overloaded, packingFactorMax } from './pressure.ts'
import { sendShared, type sharedOutcomes } from './problem.ts'
import { withoutValues } from './request-log.ts'
import { detailOf, type Unavailability } from './unavailable.ts'

export interface ErrorParts {
  /**
   * Why the database cannot be used, or its damaged records, as sentences; undefined for an error
   * with another cause.
   */
  readonly unavailabilityOf: (error: unknown) => Unavailability | { readonly damage: string } | undefined
  /** Called for each request that is answered with 503. Must not throw. */
  readonly reportUnavailable: (why: Unavailability) => void
}

/** An error of the service's own, with a code for `sendError`. */
export const withCode = (code: string, message: string): Error & { code: string } =>
  Object.assign(new Error(message), { code })

/** Answers an error that was thrown, by the server or by a handler. */
export function sendError(
  parts: ErrorParts,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { id: requestId, log } = request
  const { code } = error
  if (code === 'LK_OVERLOADED')
    return sendUnavailable(parts, request, reply, { is: (error as FastifyError & Overloaded).why })
  if (code === 'LK_WRONG_CODING') reply.header('accept-encoding', 'gzip')
  const fault = bodyFault(error, request.routeOptions.bodyLimit)
  if (fault !== undefined) return sendShared(request, reply, ...fault)
  const why = parts.unavailabilityOf(error)
  if (why !== undefined && 'damage' in why) {
    log.error({ requestId, damage: why.damage }, 'The database is damaged.')
    return sendShared(request, reply, 'damaged', why.damage)
  }
  if (why !== undefined) {
    // The cause is logged once. This line is for each request in the meantime.
    log.debug({ requestId, code }, 'The database is not available.')
    return sendUnavailable(parts, request, reply, why)
  }
  // The log gets the stack, and the answer the id that finds it. Of database errors only the code
  // is logged, since their messages may quote values.
  log.error({ requestId, code, stack: withoutValues(error) }, 'The service failed.')
  return sendShared(request, reply, 'failed', `The service failed. The log has the cause under request ${requestId}.`)
}

/** What is wrong with the body; undefined when the error is another one. */
function bodyFault(
  { code, message }: FastifyError,
  bytesMax: number | undefined,
): readonly [name: keyof typeof sharedOutcomes, detail: string] | undefined {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
    case 'LK_TOO_LARGE':
      return [
        'tooLarge',
        `The body is larger than ${bytesMax} bytes. Send fewer records at once; of an event, leave out products and locations that are set up as master data.`,
      ]
    case 'LK_TOO_DENSE':
      return ['tooLarge', `The body unpacks to more than ${packingFactorMax} times its size. Send it uncompressed.`]
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return ['wrongMediaType', 'Send Content-Type: application/json.']
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return ['malformed', 'The length of the body differs from Content-Length.']
    case 'LK_WRONG_MEDIA_TYPE':
    case 'LK_WRONG_CODING':
      return ['wrongMediaType', message]
    case 'LK_NOT_PACKED':
      return ['malformed', 'Content-Encoding is gzip, but the body is not gzip or is incomplete.']
    case 'LK_NOT_UTF8':
      return ['malformed', 'The body is not valid UTF-8.']
    default:
      return undefined
  }
}

export function sendUnavailable(
  { reportUnavailable }: Pick<ErrorParts, 'reportUnavailable'>,
  request: FastifyRequest,
  reply: FastifyReply,
  why: Unavailability,
): FastifyReply {
  reportUnavailable(why)
  return sendShared(request, reply, 'unavailable', detailOf(why.is))
}
