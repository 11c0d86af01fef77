// Rate limits per minute: requests of a key, and requests without a valid key from an address
// (decision 0042).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendShared } from './problem.ts'
import { type CountRequest, networkOf } from './request-counts.ts'

/** Name of the only policy, in the headers. Source: draft-ietf-httpapi-ratelimit-headers-11. */
const policy = '"key"'

/**
 * Counts the requests of each key, reports the remaining number in answers, and rejects requests
 * above `max`. 0 means no limit.
 */
export function limitRequests(server: FastifyInstance, max: number, count: CountRequest): void {
  if (max === 0) return
  server.addHook('preParsing', async (request, reply, payload) => {
    const { current, ttl } = await count(`key ${request.caller?.keyId}`)
    const seconds = Math.ceil(ttl / 1000)
    reply.header('ratelimit-policy', `${policy};q=${max};w=60`)
    reply.header('ratelimit', `${policy};r=${Math.max(0, max - current)};t=${seconds}`)
    if (current <= max) return payload
    return comeBack(request, reply, seconds, `The key may send ${max} requests a minute.`)
  })
}

/**
 * Rejects a request without a valid key; after `max` of them in a minute from an address with 429.
 * 0 means no limit. Requests with a valid key from the same address are not affected.
 */
export const limitFailedSignIns =
  (max: number, count: CountRequest) =>
  async (
    request: FastifyRequest,
    reply: FastifyReply,
    address: string | undefined,
    detail: string,
  ): Promise<FastifyReply> => {
    const { current, ttl } = max === 0 ? { current: 0, ttl: 0 } : await count(`address ${networkOf(address)}`)
    if (current <= max) return sendShared(request, reply, 'notAuthenticated', detail)
    return comeBack(
      request,
      reply,
      Math.ceil(ttl / 1000),
      `More than ${max} requests without a valid key came from this address in a minute. Requests with a valid key are not limited by this.`,
    )
  }

const comeBack = (request: FastifyRequest, reply: FastifyReply, seconds: number, why: string): FastifyReply =>
  sendShared(request, reply.header('retry-after', seconds), 'tooManyRequests', `${why} Retry in ${seconds} s.`)
