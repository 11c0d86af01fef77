// A span for each request, where the operator asks for them: these hooks are not there otherwise.
import type { FastifyInstance } from 'fastify'
import type { RequestSpan, Spans } from '../spans.ts'
import { loggedPath } from './request-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span: RequestSpan | undefined
  }
}

export function traceRequests(server: FastifyInstance, spans: Pick<Spans, 'request'>): void {
  server.decorateRequest('span', undefined)
  server.addHook('onRequest', (request, _reply, done) => {
    const { id, method, headers, is404, routeOptions } = request
    request.span = spans.request({
      id,
      method,
      headers,
      // An unknown address may hold anything.
      path: is404 ? undefined : loggedPath(request),
      route: is404 ? undefined : routeOptions.url,
      operation: routeOptions.config.operation,
    })
    request.span.run(done)
  })
  // The body arrived in the context of its connection.
  server.addHook('preValidation', ({ span }, _reply, done) => {
    if (span === undefined) done()
    else span.run(done)
  })
  server.addHook('onResponse', ({ span, outcome }, reply, done) => {
    span?.end(reply.statusCode, outcome)
    done()
  })
}
