// kill -9 of one process of several: of a worker, and the others go on; of the primary, and none stays behind.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CrashLog } from '../support/crash-load.ts'
import { type PostgresqlServer, startPostgresqlServer } from '../support/postgresql-server.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'

const cycles = Number(process.env.CRASH_CYCLES ?? 20) / 4

let database: PostgresqlServer
let server: ServerProcess | undefined
beforeEach(async () => {
  database = await startPostgresqlServer()
})
afterEach(async () => {
  await server?.end('SIGKILL')
  await database?.stop()
})

const workersThatListened = ({ output }: ServerProcess): readonly number[] =>
  [...output().matchAll(/"pid":(\d+),[^\n]*"msg":"Server listening at /g)].map(([, pid]) => Number(pid))

test(`${cycles} times kill -9 of a worker under load, and of the primary`, {
  timeout: 60_000 + cycles * 40_000,
}, async () => {
  const log = new CrashLog()
  let key = ''
  for (let cycle = 0; cycle <= cycles; cycle++) {
    // Log level `info`: each line names the process that wrote it.
    const started = await startServerProcess({ DATABASE_URL: database.url, WORKERS: '2', LOG_LEVEL: 'info' })
    server = started
    key ||= started.firstKey ?? ''
    await log.compare(started.address, key)
    if (cycle === cycles) expect(await started.end('SIGTERM')).toBe(0)
    else {
      const [killed = 0] = workersThatListened(started)
      await log.loadAcrossCrash(started.address, key, 20 + cycle * 5, () => process.kill(killed, 'SIGKILL'))
      await expect.poll(() => workersThatListened(started).length, { timeout: 15_000 }).toBe(3)
      expect(started.output()).toContain(`Worker ${killed} ended by SIGKILL`)
      await log.compare(started.address, key)
      await log.loadUntilCrash(started.address, key, 20 + cycle * 5, () => void started.end('SIGKILL'))
    }
    await started.allEnded
  }
  expect(log.acknowledgedCount).toBeGreaterThan(cycles * 40)
  console.log(`${cycles} kills of a worker and of the primary, ${log.acknowledgedCount} acknowledged writes`)
})
