// Messages of assistants (MCP) over HTTP. A tool calls its operation as the caller would: past
// authentication, limits, log and access log (decision 0098).
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mayAs } from '../contract/role.ts'
import type { RecordSource } from '../mcp/assistant-server.ts'
import { messageBytesMax } from '../mcp/limits.ts'
import type { Caller } from './authenticate.ts'
import type { ClientAddressOf } from './client-address.ts'
import { sendShared } from './problem.ts'
import { departureOf, isJson } from './route.ts'

export function mountAssistants(server: FastifyInstance, addressOf: ClientAddressOf): void {
  server.post('/mcp', { bodyLimit: messageBytesMax }, async (request, reply) => {
    const { caller } = request
    if (caller === undefined) throw new Error('A message got past authentication without a caller.')
    if (caller.session !== undefined)
      return sendShared(request, reply, 'notAuthenticated', 'Assistants send a key: Authorization: Bearer lk_….')
    if (!mayAs(caller.role, 'partner'))
      return sendShared(request, reply, 'notAllowed', `Key ${caller.keyId} reads no records. Use one of role reader.`)
    if (!isJson(request.headers['content-type']))
      return sendShared(request, reply, 'wrongMediaType', 'Send Content-Type: application/json.')
    const message = jsonIn(request.body)
    // The protocol has no batches since its version of June 2025, and one would pass any limit.
    if (typeof message !== 'object' || message === null || Array.isArray(message))
      return sendShared(request, reply, 'malformed', 'The body is not one JSON object. Send one message.')
    // Loaded for the first message: most services have no assistant.
    const { answerMessage } = await import('../mcp/http-answers.ts')
    const asked = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: headersOf(request),
      body: String(request.body),
      signal: departureOf(reply.raw),
    })
    const answer = await answerMessage(asked, message, accessOf(server, addressOf, request, caller))
    reply.code(answer.status).header('cache-control', 'no-store')
    const mediaType = answer.headers.get('content-type')
    if (mediaType !== null) reply.type(mediaType)
    return reply.send(answer.body === null ? undefined : Readable.fromWeb(answer.body as never))
  })
}

function accessOf(
  server: FastifyInstance,
  addressOf: ClientAddressOf,
  { headers, raw, protocol, host }: FastifyRequest,
  { role }: Caller,
): RecordSource {
  const { authorization, 'x-api-key': key } = headers
  const remoteAddress = addressOf(raw) ?? ''
  return {
    url: `${protocol}://${host}`,
    role,
    get: async (url, signal) => {
      const answer = await server.inject({
        method: 'GET',
        url,
        headers: { host, ...(authorization && { authorization }), ...(key && { 'x-api-key': key }) },
        remoteAddress,
        signal,
        payloadAsStream: true,
      })
      return new Response(Readable.toWeb(answer.stream()) as ReadableStream, { status: answer.statusCode })
    },
  }
}

function jsonIn(body: unknown): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined
  }
}

/** What the protocol reads. The key is none of its business. */
const headersOf = ({ headers }: FastifyRequest): Headers =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' && /^(?:accept|content-type|mcp-[a-z-]+)$/.test(name) ? [[name, value]] : [],
    ),
  )
