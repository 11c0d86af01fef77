// Kills of PostgreSQL under a running service: nothing acknowledged lost, and no restart of the
// service needed.
import { expect, test } from 'vitest'
import { type Kill, startPostgresqlServer } from '../support/databases/postgresql-server.ts'
import { cycles, median, progress, readyMsMax, report, seed, timeFor } from '../support/records/crash-cycles.ts'
import { CrashLog } from '../support/records/crash-load.ts'
import { startServerProcess } from '../support/servers/server-process.ts'

const ways: readonly Kill[] = ['all', 'postmaster', 'immediate', 'backend']

test(`${cycles} kills of PostgreSQL under load: of all its processes, of the first, of one that serves, and an immediate shutdown`, {
  timeout: timeFor(cycles),
}, async () => {
  const database = await startPostgresqlServer()
  const place = { DATABASE_URL: database.url }
  try {
    const server = await startServerProcess(place)
    try {
      const key = server.firstKey ?? ''
      const log = new CrashLog(seed)
      const readyMs: number[] = []
      const ready = async () => (await fetch(`${server.address}/health/ready`)).status
      for (let cycle = 0; cycle < cycles; cycle++) {
        const way = ways[cycle % ways.length] ?? 'all'
        let killed: Promise<void> = Promise.resolve()
        const crash = () => {
          killed = database.kill(way)
        }
        // PostgreSQL itself comes back when one of its servers is killed, sooner than a caller
        // gives up.
        if (way === 'backend') await log.loadAcrossCrash([server.address], key, 10 + log.random(40), crash)
        else await log.loadUntilCrash(server.address, key, 10 + log.random(40), crash)
        await killed
        if (way !== 'backend') {
          expect(await ready()).toBe(503)
          expect((await fetch(`${server.address}/health/live`)).status).toBe(200)
          await database.restart()
        }
        const began = performance.now()
        await expect.poll(ready, { timeout: readyMsMax, interval: 20 }).toBe(200)
        readyMs.push(performance.now() - began)
        await log.compare(place, cycle === cycles - 1 ? 'all' : 'touched')
        await log.retryCreates(server.address, key)
        progress(`PostgreSQL (${way})`, cycle + 1, cycles)
      }
      expect(median(readyMs)).toBeLessThan(readyMsMax)
      expect(log.acknowledgedCount).toBeGreaterThanOrEqual(cycles * 10)
      report('PostgreSQL', cycles, log, readyMs)
    } finally {
      await server.end('SIGKILL')
    }
  } finally {
    await database.stop()
  }
})
