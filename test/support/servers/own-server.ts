// A server that a test puts together, with parts of its own, on the database of the test.
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { pino } from 'pino'
import { handlersAt } from '../../../src/handlers/catalogue.ts'
import { packageOpener, packageSender } from '../../../src/handlers/sharing/package-links.ts'
import { sourceDescriber } from '../../../src/handlers/traceability/source-addresses.ts'
import type { Identify } from '../../../src/http/authenticate.ts'
import { requestCounts } from '../../../src/http/request-counts.ts'
import { RequestTally } from '../../../src/http/request-tally.ts'
import { buildServer } from '../../../src/http/server.ts'
import { LargeWork } from '../../../src/large-work.ts'
import type { SetLimits } from '../../../src/limits.ts'
import { identifier } from '../../../src/store/base/api-keys.ts'
import type { Queryable } from '../../../src/store/database/statement.ts'
import { sessionFinder } from '../../../src/store/people/sessions.ts'
import { unavailabilityOf } from '../../../src/store/unavailability.ts'
import { handlerContextOn } from './handler-context.ts'
import { testLimits } from './service.ts'

export async function startOwnServer(db: Queryable, parts: Partial<Parameters<typeof buildServer>[0]> = {}) {
  const limits = parts.limits ?? testLimits
  const context = handlerContextOn(db, { limits })
  const server = await buildServer({
    handlers: handlersAt(context),
    openPackage: packageOpener(context),
    packageSender: packageSender(context),
    describeSource: sourceDescriber(context),
    identify: identifier(db as pg.Pool),
    identifySession: sessionFinder(db as pg.Pool),
    noteUse: () => undefined,
    tally: new RequestTally(),
    unavailabilityOf,
    reportUnavailable: () => undefined,
    notReady: async () => undefined,
    nodesAway: () => [],
    limits,
    largeWork: new LargeWork(),
    countRequest: requestCounts(),
    trustProxy: undefined,
    consoleFolder: new URL('no-console/', import.meta.url),
    logger: pino({ level: 'silent' }),
    ...parts,
  })
  server.addHook('preClose', () => context.changeListeners.end())
  await server.listen({ host: '127.0.0.1', port: 0 })
  return { server, url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}` }
}

export const startLimitedServer = (
  pool: pg.Pool,
  limits: Partial<SetLimits>,
  trustProxy?: string,
  identify: Identify = identifier(pool),
) => startOwnServer(pool, { limits: { ...testLimits, ...limits }, trustProxy, identify })
