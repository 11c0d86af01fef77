// Answers requests that no route takes: unknown addresses, and known ones with another method.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendShared } from './problem.ts'

/** Answers requests for which there is no route. Call it before routes are added. */
export function answerUnrouted(
  server: FastifyInstance,
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  const methodsByRoute = new Map<string, Set<string>>()
  server.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByRoute.get(url) ?? new Set(['OPTIONS'])
    for (const one of [method].flat()) methods.add(one)
    // A prefix with and without its slash: report only the HEAD that was added for the GET.
    if (methods.has('HEAD')) methods.add('GET')
    methodsByRoute.set(url, methods)
  })
  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = request.url.split('?')[0] ?? ''
    const here = [...methodsByRoute].filter(([route]) => isAt(route, path)).flatMap(([, methods]) => [...methods])
    const allowed = [...new Set(here)].sort().join(', ')
    if (allowed !== '' && request.method === 'OPTIONS') return reply.code(204).header('allow', allowed).send()
    // A folder of files takes the method, but has no such file.
    if (allowed === '' || here.includes(request.method))
      return sendShared(
        request,
        reply,
        'unknownAddress',
        'Nothing is at this address. The operations are listed at /docs.',
      )
    return sendShared(request, reply.header('allow', allowed), 'wrongMethod', `This address supports ${allowed}.`)
  }
  server.setNotFoundHandler(answer)
  return answer
}

/** True when a route, with `:name` for one part and `*` for the rest, matches the path. */
function isAt(route: string, path: string): boolean {
  const [declared, asked] = [route.split('/'), path.split('/')]
  const isFolder = declared.at(-1) === '*'
  if (isFolder ? asked.length < declared.length : asked.length !== declared.length) return false
  return declared.every((part, n) => part === '*' || (part.startsWith(':') ? asked[n] !== '' : part === asked[n]))
}
