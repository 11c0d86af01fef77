// The address at which metrics are read: one of its own, apart from that of the service
// (decision 0046).
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { metricsText, type Report } from './declared.ts'

export interface MetricsAddress {
  readonly port: number
  close(): Promise<void>
}

/** Longest a reader may take to ask, in milliseconds. */
const requestTimeoutMs = 5_000

/**
 * Answers GET /metrics with the report of `gather`, and nothing else. Rejects when it cannot
 * listen.
 */
export async function openMetricsAddress(
  { host, port }: { readonly host: string; readonly port: number },
  gather: () => Promise<Report>,
): Promise<MetricsAddress> {
  const server = createServer(
    { requestTimeout: requestTimeoutMs, headersTimeout: requestTimeoutMs },
    (request, reply) => {
      if (request.url?.split('?')[0] !== '/metrics')
        return reply.writeHead(404).end('Not found. The metrics are at /metrics.\n')
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return reply.writeHead(405, { allow: 'GET, HEAD' }).end()
      gather().then(
        (report) =>
          reply.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(metricsText(report)),
        () => reply.writeHead(500).end(),
      )
    },
  )
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen({ host, port }, listening)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
