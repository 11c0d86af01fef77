// The thread of the embedded database ends in the middle of whatever it does, and the process goes
// on.
import { rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { type EmbeddedDatabase, openEmbeddedDatabase } from 'pglite-pool'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { newFolder } from '../../packages/pglite-pool/test/processes.ts'
import { createApiKey } from '../../src/store/base/api-keys.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import { provideProvider } from '../../src/store/database/providers.ts'
import { commandLine } from '../../src/store/evidence/access-log.ts'
import { serverOn } from '../../src/wiring.ts'
import { allowMs } from '../support/patience.ts'
import { cycles, median, progress, readyMsMax, report, seed, timeFor } from '../support/records/crash-cycles.ts'
import { CrashLog } from '../support/records/crash-load.ts'
import { testConfig } from '../support/servers/service.ts'
import { testSigner } from '../support/servers/signer.ts'

const dataDir = newFolder()
let database: EmbeddedDatabase
afterEach(async () => {
  await database?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The thread that was last spoken to. */
let engine: Worker | undefined
const { postMessage } = Worker.prototype
Worker.prototype.postMessage = function (this: Worker, ...message: Parameters<typeof postMessage>) {
  engine = this
  postMessage.apply(this, message)
}

test(`${cycles} times the engine ends under load, and the next statement starts it again`, {
  timeout: timeFor(cycles),
}, async () => {
  const opened = await openEmbeddedDatabase(dataDir)
  if ('heldBy' in opened) throw new Error(opened.heldBy)
  database = opened
  const pool = new pg.Pool(opened.poolConfig)
  pool.on('error', () => undefined)
  await migrate(pool)
  const provider = await provideProvider(pool, 'crashes')
  const key = await createApiKey(
    pool,
    { provider, role: 'writer', label: 'crashes', expiresAt: undefined },
    commandLine,
  )
  const server = await serverOn({ pool }, testConfig(), pino({ level: 'silent' }), testSigner)
  try {
    await server.listen({ host: '127.0.0.1', port: 0 })
    const address = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
    const log = new CrashLog(seed)
    const place = { DATA_DIR: dataDir }
    const readyMs: number[] = []
    for (let cycle = 0; cycle < cycles; cycle++) {
      let back: Promise<void> | undefined
      await log.loadAcrossCrash([address], key, 10 + log.random(40), () => {
        const began = performance.now()
        expect(engine?.threadId).toBeGreaterThan(0)
        void engine?.terminate()
        back = expect
          .poll(async () => (await fetch(`${address}/health/ready`)).status, { timeout: allowMs(30_000) })
          .toBe(200)
          .then(() => void readyMs.push(performance.now() - began))
      })
      await back
      await log.compare(place, cycle === cycles - 1 ? 'all' : 'touched')
      await log.retryCreates(address, key)
      progress('engine', cycle + 1, cycles)
    }
    expect(readyMs).toHaveLength(cycles)
    expect(median(readyMs)).toBeLessThan(readyMsMax)
    report('engine of the embedded database', cycles, log, readyMs)
  } finally {
    await server.close()
    await pool.end()
  }
})
