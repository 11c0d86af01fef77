// The addresses that a server listens on. `localhost` is two, 127.0.0.1 and ::1. Fastify would
// serve the second with a server of its own, without the limits and the graceful shutdown of the
// first. Here the connections of both belong to one server.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { declareLimit } from '../limits.ts'

export const connectionsMax = declareLimit('connections', 10_000, 'connections', 'Connections of one process.')

export class Listeners {
  readonly #server: FastifyInstance
  /** Hands its connections to the server. */
  #second: Server | undefined
  #secondClosed: Promise<unknown> | undefined

  constructor(server: FastifyInstance) {
    this.#server = server
  }

  async listen(host: string, port: number): Promise<void> {
    const isLocal = host === 'localhost'
    await this.#server.listen({ host: isLocal ? '127.0.0.1' : host, port })
    if (!isLocal) return
    const { server } = this.#server
    const second = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
    second.maxConnections = connectionsMax
    second.listen({ host: '::1', port: (server.address() as AddressInfo).port })
    await once(second, 'listening').then(
      () => {
        this.#second = second
      },
      // A machine without IPv6 has one address.
      () => undefined,
    )
  }

  /** Accepts no further connection on the second address. The server closes the first itself. */
  close(): void {
    const second = this.#second
    if (second !== undefined) this.#secondClosed = new Promise((resolve) => second.close(resolve))
  }

  /** Resolves when no connection of the second address is left. */
  async closed(): Promise<void> {
    await this.#secondClosed
  }
}
