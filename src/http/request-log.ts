// The log lines of each request: one when it is answered, and at level debug one when it arrives.
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { eventStream } from '../operations/changes/changes.ts'
import type { ClientAddressOf } from './client-address.ts'

export class RequestLog extends LogController {
  readonly #addressOf: ClientAddressOf

  constructor(addressOf: ClientAddressOf) {
    super()
    this.#addressOf = addressOf
  }

  override incomingRequest(request: FastifyRequest): void {
    if (says(request, 'debug')) request.log.debug(this.#lineOf(request), 'arrived')
  }

  override requestCompleted(_error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    if (!says(request, 'info')) return
    const ms = Math.round(reply.elapsedTime * 10) / 10
    request.log.info(
      { ...this.#lineOf(request), keyId: request.caller?.keyId, status: reply.statusCode, ms },
      'answered',
    )
  }

  override streamError(error: Error & { code?: string }, request: FastifyRequest): void {
    // Clients leave a stream of events at any time.
    const isLeft = error.code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (isLeft && request.headers.accept?.includes(eventStream)) return
    if (isLeft) request.log.warn({ requestId: request.id, code: error.code }, 'The answer was broken off.')
    else
      request.log.error(
        { requestId: request.id, code: error.code, stack: withoutValues(error) },
        'The answer failed while it was sent.',
      )
  }

  override writeHeadError(error: Error, request: FastifyRequest): void {
    request.log.error({ requestId: request.id, stack: error.stack }, 'The answer could not be begun.')
  }

  #lineOf(request: FastifyRequest) {
    const { id, method, raw } = request
    return { requestId: id, method, path: loggedPath(request), from: this.#addressOf(raw) }
  }
}

/**
 * Without query and lot codes, because keys, lot codes and vendors are confidential. An id that is
 * malformed may be any of these, so it is the route alone.
 */
export const loggedPath = ({ url, params, routeOptions }: FastifyRequest): string | undefined =>
  isPlain(params as Params) ? withoutKeys(url.split('?')[0] ?? '') : routeOptions.url

/**
 * The frames of a stack, without the message. A message from the database may quote a value of the
 * payload.
 */
export const withoutValues = (error: Error & { code?: string }): string =>
  error.code === undefined ? (error.stack ?? error.message) : (error.stack ?? '').split('\n').slice(1).join('\n')

/** Avoids composing lines that the level drops. */
const says = ({ log }: FastifyRequest, level: 'info' | 'debug'): boolean =>
  log.level === level || log.level === 'trace' || (level === 'info' && log.level === 'debug')

type Params = Readonly<Record<string, string>> | undefined

/** Ids of records and of keys, and numbers of versions. */
const plainForm = /^(?:[0-9a-f-]{16,36}|\d{1,9})$/i

const isPlain = (params: Params): boolean =>
  Object.entries(params ?? {}).every(([name, value]) => name === '*' || plainForm.test(value))

const withoutKeys = (path: string): string => path.replaceAll(/lk_[\w-]+/g, 'lk_…')
