// A server with limits of its own, on the database of the test.
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { pino } from 'pino'
import { handlersAt } from '../../../src/handlers/catalogue.ts'
import type { Identify } from '../../../src/http/authenticate.ts'
import { requestCounts } from '../../../src/http/request-counts.ts'
import { RequestTally } from '../../../src/http/request-tally.ts'
import { buildServer } from '../../../src/http/server.ts'
import { LargeWork } from '../../../src/large-work.ts'
import type { SetLimits } from '../../../src/limits.ts'
import { identifier } from '../../../src/store/base/api-keys.ts'
import { sessionFinder } from '../../../src/store/people/sessions.ts'
import { handlerContextOn } from './handler-context.ts'
import { testLimits } from './service.ts'

export async function startLimitedServer(
  pool: pg.Pool,
  limits: Partial<SetLimits>,
  trustProxy?: string,
  identify: Identify = identifier(pool),
) {
  const all = { ...testLimits, ...limits }
  const context = handlerContextOn(pool, { limits: all })
  const server = await buildServer({
    handlers: handlersAt(context),
    identify,
    identifySession: sessionFinder(pool),
    openPackage: async () => ({ is: 'wrongCode' }),
    noteUse: () => undefined,
    tally: new RequestTally(),
    unavailabilityOf: () => undefined,
    reportUnavailable: () => undefined,
    notReady: async () => undefined,
    limits: all,
    largeWork: new LargeWork(),
    countRequest: requestCounts(),
    trustProxy,
    consoleFolder: new URL('no-console/', import.meta.url),
    logger: pino({ level: 'silent' }),
  })
  server.addHook('preClose', () => context.changeListeners.end())
  await server.listen({ host: '127.0.0.1', port: 0 })
  return { server, url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}` }
}
