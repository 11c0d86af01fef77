// Addresses and their methods. Answers requests that no route takes: unknown addresses, and known
// ones with another method.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendShared } from './problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Only reports that the path does not support the method. */
    refusesMethod?: true
  }
}

export class Addresses {
  readonly #server: FastifyInstance
  readonly #methodsByRoute = new Map<string, Set<string>>()

  /** To be created before routes are added. */
  constructor(server: FastifyInstance) {
    this.#server = server
    server.addHook('onRoute', ({ url, method, config }) => {
      if (config?.refusesMethod) return
      const methods = this.#methodsByRoute.get(url) ?? new Set(['OPTIONS'])
      for (const one of [method].flat()) methods.add(one)
      // A prefix with and without its slash: report only the HEAD that was added for the GET.
      if (methods.has('HEAD')) methods.add('GET')
      this.#methodsByRoute.set(url, methods)
    })
    server.setNotFoundHandler(this.answer)
  }

  /** Methods that are declared of the path, sorted; none for an address that does not exist. */
  allowedAt(path: string): readonly string[] {
    const routes = [...this.#methodsByRoute].filter(([route]) => isAt(route, path))
    return routes
      .filter(([route]) => !routes.some(([other]) => isCloser(other, route)))
      .flatMap(([, methods]) => [...methods])
      .filter((method, i, all) => all.indexOf(method) === i)
      .sort()
  }

  /** The answer to a request for which there is no route. */
  readonly answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const methods = this.allowedAt(request.url.split('?')[0] ?? '')
    const allow = methods.join(', ')
    if (allow !== '' && request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send()
    // A folder of files takes the method, but has no such file.
    if (methods.length === 0 || methods.includes(request.method))
      return sendShared(request, reply, 'unknownAddress', nothingThere)
    return sendShared(request, reply.header('allow', allow), 'wrongMethod', supportedAt(methods))
  }

  /**
   * Adds a refusal for each method that is declared of a path with `:name` and not of a path that
   * it covers: otherwise the router takes `own` in `DELETE /keys/own` for the id of a key. Call it
   * after all routes are added.
   */
  refuseOtherMethods(): void {
    for (const [url, methods] of this.#methodsByRoute) {
      const covering = [...this.#methodsByRoute].filter(([route]) => isAt(route, url) && isCloser(url, route))
      const others = new Set(covering.flatMap(([, more]) => [...more]).filter((method) => !methods.has(method)))
      for (const method of others)
        this.#server.route({
          method,
          url,
          exposeHeadRoute: false,
          config: { refusesMethod: true },
          onRequest: (request, reply, _done) => void this.answer(request, reply),
          handler: this.answer,
        })
    }
  }
}

export const nothingThere = 'Nothing is at this address. The operations are listed at /docs.'

export const supportedAt = (methods: readonly string[]): string => `This address supports ${methods.join(', ')}.`

/** True when a route, with `:name` for one part and `*` for the rest, matches the path. */
function isAt(route: string, path: string): boolean {
  const [declared, asked] = [route.split('/'), path.split('/')]
  const isFolder = declared.at(-1) === '*'
  if (isFolder ? asked.length < declared.length : asked.length !== declared.length) return false
  return declared.every((part, n) => part === '*' || (part.startsWith(':') ? asked[n] !== '' : part === asked[n]))
}

/** True when the router prefers the one of two routes: text to a name, and that to the rest. */
function isCloser(one: string, other: string): boolean {
  const [parts, otherParts] = [one.split('/').map(widthOf), other.split('/').map(widthOf)]
  const n = parts.findIndex((width, i) => width !== otherParts[i])
  return n >= 0 && (parts[n] ?? 0) < (otherParts[n] ?? 0)
}

const widthOf = (part: string): number => (part === '*' ? 2 : part.startsWith(':') ? 1 : 0)
