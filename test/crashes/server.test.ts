// kill -9 of the whole server under load: nothing acknowledged is lost, nothing is half there, and
// it is ready again at once.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startPostgresqlServer } from '../support/databases/postgresql-server.ts'
import { cycles, median, progress, readyMsMax, report, seed, timeFor } from '../support/records/crash-cycles.ts'
import { CrashLog } from '../support/records/crash-load.ts'
import { startServerProcess } from '../support/servers/server-process.ts'

/** A store of its own: the environment of a server on it, and what ends it. */
const stores = {
  async embedded() {
    const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-crash-'))
    return {
      place: { DATA_DIR: join(folder, 'data') },
      end: () => rm(folder, { recursive: true, force: true }),
    }
  },
  async postgresql() {
    const server = await startPostgresqlServer({ fsync: 'off' })
    return { place: { DATABASE_URL: server.url }, end: () => server.stop() }
  },
}

// Together, each with a database of its own.
test.concurrent.each(Object.entries(stores))(
  `on the %s store, ${cycles} times kill -9 under load`,
  { timeout: timeFor(cycles) },
  async (name, open) => {
    const { place, end } = await open()
    try {
      const log = new CrashLog(seed)
      let key = ''
      const readyMs: number[] = []
      for (let cycle = 0; cycle <= cycles; cycle++) {
        const server = await startServerProcess(place)
        try {
          if (cycle === 0) key = server.firstKey ?? ''
          else {
            readyMs.push(server.readyMs)
            expect(server.firstKey).toBeUndefined()
          }
          await log.compare(place, cycle === cycles ? 'all' : 'touched')
          if (cycle > 0) await log.retryCreates(server.address, key)
          if (cycle === cycles) expect(await server.end('SIGTERM')).toBe(0)
          else {
            await log.loadUntilCrash(server.address, key, 10 + log.random(60), () => void server.end('SIGKILL'))
            progress(`server on ${name}`, cycle + 1, cycles)
          }
        } finally {
          await server.end('SIGKILL')
        }
      }
      // The median: one start that the machine held up says nothing of the program.
      expect(median(readyMs)).toBeLessThan(readyMsMax)
      expect(log.acknowledgedCount).toBeGreaterThan(cycles * 10)
      report(`server on ${name}`, cycles, log, readyMs)
    } finally {
      await end()
    }
  },
)
