// kill -9 of PostgreSQL under a running service: 503 while it is away, nothing acknowledged lost, no restart of the service needed.
import { expect, test } from 'vitest'
import { CrashLog } from '../support/crash-load.ts'
import { startPostgresqlServer } from '../support/postgresql-server.ts'
import { startServerProcess } from '../support/server-process.ts'

const cycles = Number(process.env.CRASH_CYCLES ?? 20) / 4

test(`${cycles} times kill -9 of the database under load`, { timeout: 60_000 + cycles * 20_000 }, async () => {
  const database = await startPostgresqlServer()
  try {
    const server = await startServerProcess({ DATABASE_URL: database.url })
    try {
      const key = server.firstKey ?? ''
      const log = new CrashLog()
      const ready = async () => (await fetch(`${server.address}/health/ready`)).status
      for (let cycle = 0; cycle < cycles; cycle++) {
        let killed: Promise<void> = Promise.resolve()
        await log.loadUntilCrash(server.address, key, 10 + cycle * 5, () => {
          killed = database.kill()
        })
        await killed
        expect(await ready()).toBe(503)
        expect((await fetch(`${server.address}/health/live`)).status).toBe(200)
        await database.restart()
        await expect.poll(ready, { timeout: 5_000, interval: 50 }).toBe(200)
        await log.compare(server.address, key)
      }
      expect(log.acknowledgedCount).toBeGreaterThanOrEqual(cycles * 10)
      console.log(`${cycles} kills of the database, ${log.acknowledgedCount} acknowledged writes`)
    } finally {
      await server.end('SIGKILL')
    }
  } finally {
    await database.stop()
  }
})
