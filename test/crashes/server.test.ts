// kill -9 of the whole server under load: nothing acknowledged is lost, nothing is half there, and it is ready again at once.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CrashLog } from '../support/crash-load.ts'
import { startPostgresqlServer } from '../support/postgresql-server.ts'
import { startServerProcess } from '../support/server-process.ts'

const cycles = Number(process.env.CRASH_CYCLES ?? 20)
const readyMsMax = 5_000

/** A store of its own: the environment of a server on it, and what ends it. */
const stores = {
  async embedded() {
    const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-crash-'))
    return {
      env: { DATA_DIR: join(folder, 'data') },
      end: () => rm(folder, { recursive: true, force: true }),
    }
  },
  async postgresql() {
    const server = await startPostgresqlServer()
    return { env: { DATABASE_URL: server.url }, end: () => server.stop() }
  },
}

describe.each(Object.entries(stores))('on the %s store', (_name, open) => {
  test(`${cycles} times kill -9 under load`, { timeout: 60_000 + cycles * 20_000 }, async () => {
    const { env, end } = await open()
    try {
      const log = new CrashLog()
      let key = ''
      const readyMs: number[] = []
      for (let cycle = 0; cycle <= cycles; cycle++) {
        const server = await startServerProcess(env)
        if (cycle === 0) key = server.firstKey ?? ''
        else {
          readyMs.push(server.readyMs)
          expect(server.firstKey).toBeUndefined()
        }
        await log.compare(server.address, key)
        if (cycle === cycles) expect(await server.end('SIGTERM')).toBe(0)
        // At another moment of the load each time.
        else await log.loadUntilCrash(server.address, key, 10 + cycle * 3, () => void server.end('SIGKILL'))
      }
      // The median: one start that the machine held up says nothing of the program.
      expect(readyMs.sort((a, b) => a - b)[Math.floor(readyMs.length / 2)]).toBeLessThan(readyMsMax)
      expect(log.acknowledgedCount).toBeGreaterThan(cycles * 10)
      console.log(
        `${cycles} kills, ${log.acknowledgedCount} acknowledged writes, ready again in ${Math.round(readyMs[Math.floor(readyMs.length / 2)] ?? 0)} ms (median), ${Math.round(readyMs.at(-1) ?? 0)} ms at most`,
      )
    } finally {
      await end()
    }
  })
})
