// A port that nothing listens on, for a service whose address has to be known before it starts, or
// has to be the same after it starts again.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

/**
 * Below the ports that systems hand out to clients, so that none of the connections of other tests
 * takes it before it is used, and apart from those of database servers.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 15_000)
    const server = createServer().listen(port, '127.0.0.1')
    const taken = await Promise.race([
      once(server, 'listening').then(() => false),
      once(server, 'error').then(() => true),
    ])
    if (taken) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
