// kill -9 of one process of several, on two services that share one PostgreSQL: of a worker, and
// the others go on; of a primary, and none of its workers stays behind while the other service goes
// on.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type PostgresqlServer, startPostgresqlServer } from '../support/databases/postgresql-server.ts'
import { cycles, median, progress, readyMsMax, report, seed, timeFor } from '../support/records/crash-cycles.ts'
import { CrashLog } from '../support/records/crash-load.ts'
import { killProcess, type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'

let database: PostgresqlServer
let services: ServerProcess[] = []
beforeEach(async () => {
  database = await startPostgresqlServer({ fsync: 'off' })
})
afterEach(async () => {
  await Promise.all(services.map((service) => service.end('SIGKILL')))
  await database?.stop()
})

const workersThatListened = ({ output }: ServerProcess): readonly number[] =>
  [...output().matchAll(/"pid":(\d+),[^\n]*"msg":"Server listening at /g)].map(([, pid]) => Number(pid))

test(`${cycles} times kill -9 under load, of a worker and of a primary in turn, with two services of two workers each`, {
  timeout: timeFor(cycles),
}, async () => {
  const place = { DATABASE_URL: database.url }
  // Log level `info`: each line names the process that wrote it.
  const start = () => startServerProcess({ ...place, WORKERS: '2', LOG_LEVEL: 'info' })
  const first = await start()
  services = [first, await start()]
  const key = first.firstKey ?? ''
  const log = new CrashLog(seed)
  const readyMs: number[] = []
  for (let cycle = 0; cycle < cycles; cycle++) {
    const [killed, other] = services as [ServerProcess, ServerProcess]
    const addresses = services.map(({ address }) => address)
    const writes = 10 + log.random(40)
    if (cycle % 2 === 0) {
      const listened = workersThatListened(killed)
      const [worker] = listened
      await log.loadAcrossCrash(addresses, key, writes, () => killProcess(worker))
      await expect.poll(() => workersThatListened(killed).length).toBe(listened.length + 1)
      expect(killed.output()).toContain(`Worker ${worker} ended by SIGKILL`)
    } else {
      await log.loadAcrossCrash(addresses, key, writes, () => void killed.end('SIGKILL'))
      await killed.allEnded
      const again = await start()
      readyMs.push(again.readyMs)
      expect(again.firstKey).toBeUndefined()
      services = [other, again]
    }
    await log.compare(place, cycle === cycles - 1 ? 'all' : 'touched')
    await log.retryCreates(services[0]?.address ?? '', key)
    progress('workers', cycle + 1, cycles)
  }
  for (const service of services) expect(await service.end('SIGTERM')).toBe(0)
  expect(median(readyMs)).toBeLessThan(readyMsMax)
  expect(log.acknowledgedCount).toBeGreaterThan(cycles * 20)
  report('a process of two services', cycles, log, readyMs)
})
