// PostgreSQL is away for a while, hanging or shut down: the service says so, goes on when it is
// back, and has lost nothing.
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { type PostgresqlServer, startPostgresqlServer } from '../support/databases/postgresql-server.ts'
import { allowMs } from '../support/patience.ts'
import { isLongRun, seed, timeFor } from '../support/records/crash-cycles.ts'
import { CrashLog } from '../support/records/crash-load.ts'
import { eventPayload, paths } from '../support/records/payloads.ts'
import { type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'
import { calling } from '../support/servers/service.ts'

const awayMs = isLongRun ? 30_000 : 4_000

// Together, each with a PostgreSQL of its own: both wait until it is back.
test.concurrent.each([
  {
    how: 'hangs',
    leave: async (database: PostgresqlServer) => database.halt(),
    comeBack: async (database: PostgresqlServer) => database.resume(),
  },
  {
    how: 'is shut down',
    leave: (database: PostgresqlServer) => database.kill('immediate'),
    comeBack: (database: PostgresqlServer) => database.restart(),
  },
])(
  `PostgreSQL $how for ${awayMs / 1000} s under load: not ready meanwhile, then goes on without a restart, and nothing is lost`,
  {
    timeout: timeFor(3) + awayMs,
  },
  async ({ how, leave, comeBack }) => {
    const database = await startPostgresqlServer()
    let server: ServerProcess | undefined
    try {
      server = await startServerProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'error' })
      const { address, firstKey: key = '', output } = server
      const ready = async () => (await fetch(`${address}/health/ready`)).status
      const log = new CrashLog(seed)
      let away: Promise<void> | undefined
      await log.loadAcrossCrash([address], key, 40, () => {
        away = (async () => {
          await leave(database)
          const began = performance.now()
          expect(await ready()).toBe(503)
          expect((await fetch(`${address}/health/live`)).status).toBe(200)
          if (how === 'is shut down') {
            const reply = await calling(address, key)('POST', paths.receivingEvent, { body: eventPayload() })
            expect([reply.status, reply.headers.get('retry-after')], reply.text).toEqual([503, expect.any(String)])
            expect(output()).toContain('The database is unavailable')
          }
          await pause(awayMs - (performance.now() - began))
          await comeBack(database)
        })()
      })
      await away
      // Not expect.poll, which tests that run together do not have.
      await vi.waitFor(async () => expect(await ready()).toBe(200), { timeout: allowMs(20_000), interval: 100 })
      await log.compare({ DATABASE_URL: database.url }, 'all')
      await log.retryCreates(address, key)
      console.log(`| PostgreSQL ${how} for ${awayMs / 1000} s | ${log.acknowledgedCount} writes acknowledged, 0 lost |`)
    } finally {
      await server?.end('SIGKILL')
      await database.stop()
    }
  },
)
