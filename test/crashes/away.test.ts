// PostgreSQL is away for a while, hanging or shut down: the service says so, goes on when it is
// back, and has lost nothing.
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type PostgresqlServer, startPostgresqlServer } from '../support/databases/postgresql-server.ts'
import { isLongRun, seed, timeFor } from '../support/records/crash-cycles.ts'
import { CrashLog } from '../support/records/crash-load.ts'
import { eventPayload, paths } from '../support/records/payloads.ts'
import { type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'
import { calling } from '../support/servers/service.ts'

const awayMs = isLongRun ? 30_000 : 4_000

let database: PostgresqlServer
let server: ServerProcess
beforeEach(async () => {
  database = await startPostgresqlServer()
  server = await startServerProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'error' })
}, timeFor(1))
afterEach(async () => {
  await server?.end('SIGKILL')
  await database?.stop()
})

const ready = async () => (await fetch(`${server.address}/health/ready`)).status

test.each([
  {
    how: 'hangs',
    leave: async () => database.halt(),
    comeBack: async () => database.resume(),
  },
  {
    how: 'is shut down',
    leave: () => database.kill('immediate'),
    comeBack: () => database.restart(),
  },
])(
  `PostgreSQL $how for ${awayMs / 1000} s under load: not ready meanwhile, then goes on without a restart, and nothing is lost`,
  {
    timeout: timeFor(2) + awayMs,
  },
  async ({ how, leave, comeBack }) => {
    const key = server.firstKey ?? ''
    const log = new CrashLog(seed)
    let away: Promise<void> | undefined
    await log.loadAcrossCrash([server.address], key, 40, () => {
      away = (async () => {
        await leave()
        const began = performance.now()
        expect(await ready()).toBe(503)
        expect((await fetch(`${server.address}/health/live`)).status).toBe(200)
        if (how === 'is shut down') {
          const reply = await calling(server.address, key)('POST', paths.receivingEvent, { body: eventPayload() })
          expect([reply.status, reply.headers.get('retry-after')], reply.text).toEqual([503, expect.any(String)])
          expect(server.output()).toContain('The database is unavailable')
        }
        await pause(awayMs - (performance.now() - began))
        await comeBack()
      })()
    })
    await away
    await expect.poll(ready).toBe(200)
    await log.compare({ DATABASE_URL: database.url }, 'all')
    await log.retryCreates(server.address, key)
    console.log(`| PostgreSQL ${how} for ${awayMs / 1000} s | ${log.acknowledgedCount} writes acknowledged, 0 lost |`)
  },
)
