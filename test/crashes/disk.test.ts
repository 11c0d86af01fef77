// Disks that lose power, fill up, or take no writes: what was acknowledged is on disk, and the
// service goes on when they can again.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newFolder } from '../../packages/pglite-pool/test/processes.ts'
import { startPostgresqlServer } from '../support/databases/postgresql-server.ts'
import { cycles, isLongRun, progress, seed, timeFor } from '../support/records/crash-cycles.ts'
import { CrashLog } from '../support/records/crash-load.ts'
import { eventPayload, paths } from '../support/records/payloads.ts'
import { type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'
import { calling } from '../support/servers/service.ts'

const shim = fileURLToPath(new URL('../support/servers/disk-shim.mjs', import.meta.url))

/** A database that was started and stopped once; each test has a copy. */
const made = newFolder()
let folder: string
let place: { DATA_DIR: string }
let server: ServerProcess | undefined
let key: string
beforeAll(async () => {
  const first = await startServerProcess({ DATA_DIR: join(made, 'data') })
  key = first.firstKey ?? ''
  expect(await first.end('SIGTERM')).toBe(0)
}, timeFor(1))
afterAll(() => rmSync(made, { recursive: true, force: true }))
beforeEach(() => {
  folder = newFolder()
  place = { DATA_DIR: join(folder, 'data') }
  cpSync(made, folder, { recursive: true })
})
afterEach(async () => {
  await server?.end('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const database = () => join(place.DATA_DIR, 'database')
const mirror = () => join(folder, 'mirror')

async function startOn(env: Record<string, string>): Promise<ServerProcess> {
  server = await startServerProcess(
    { ...place, LOG_LEVEL: 'error', DISK_SHIM_ROOT: database(), ...env },
    { nodeOptions: ['--import', shim] },
  )
  return server
}

describe('when the power fails under load', () => {
  test(`${cycles} times: what was acknowledged is in what was synced`, { timeout: timeFor(cycles) }, async () => {
    const log = new CrashLog(seed)
    cpSync(database(), mirror(), { recursive: true })
    for (let cycle = 0; cycle <= cycles; cycle++) {
      const { address, end } = await startOn({ DISK_SHIM_MIRROR: mirror() })
      await log.compare(place, 'all')
      if (cycle === cycles) break
      await log.loadUntilCrash(address, key, 20 + log.random(60), () => void end('SIGKILL'))
      await end('SIGKILL')
      // What was written and not synced is gone.
      rmSync(database(), { recursive: true })
      cpSync(mirror(), database(), { recursive: true })
      progress('power', cycle + 1, cycles)
    }
    expect(log.acknowledgedCount).toBeGreaterThan(cycles * 20)
    console.log(`| power cut | ${cycles} cuts | ${log.acknowledgedCount} writes acknowledged, 0 lost |`)
  })

  test('a disk that loses synced data is detected as a loss: the proof above can fail', {
    timeout: timeFor(2),
  }, async () => {
    const log = new CrashLog(seed)
    cpSync(database(), mirror(), { recursive: true })
    const { address, end } = await startOn({ DISK_SHIM_MIRROR: mirror(), DISK_SHIM_FORGET: 'yes' })
    await log.loadUntilCrash(address, key, 40, () => void end('SIGKILL'))
    await end('SIGKILL')
    rmSync(database(), { recursive: true })
    cpSync(mirror(), database(), { recursive: true })
    const lost = await startServerProcess(place)
      .then(async (again) => {
        server = again
        return log.compare(place, 'all')
      })
      .then(
        () => 'nothing',
        () => 'acknowledged writes',
      )
    expect(lost).toBe('acknowledged writes')
  })
})

describe.each(isLongRun ? ['ENOSPC', 'EROFS', 'EIO'] : ['ENOSPC'])('while the disk answers %s', (code) => {
  test('writes are 503 with a line in the log, and go on when it is over, without a restart; nothing acknowledged is lost', {
    timeout: timeFor(2),
  }, async () => {
    const fault = join(folder, 'fault')
    const log = new CrashLog(seed)
    const { address, output } = await startOn({ DISK_SHIM_FAULT: fault })
    const call = calling(address, key)
    await log.loadUntilCrash(address, key, 30, () => writeFileSync(fault, code))
    const write = () => call('POST', paths.receivingEvent, { body: eventPayload() })
    for (let n = 0; n < 3; n++) {
      const reply = await write()
      expect([reply.status, reply.headers.get('retry-after')], reply.text).toEqual([503, expect.any(String)])
    }
    expect(output()).toContain('The database is unavailable')
    rmSync(fault)
    await expect.poll(async () => (await fetch(`${address}/health/ready`)).status).toBe(200)
    await log.compare(place, 'all')
    await log.retryCreates(address, key)
    expect(log.acknowledgedCount).toBeGreaterThanOrEqual(30)
  })
})

const strace = (() => {
  try {
    execFileSync('strace', ['-V'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

// Only in the long run: not every machine has strace, and the test above shows the same without it.
test.skipIf(!strace || !isLongRun)(
  'the system is asked to sync at least once for each write that comes alone',
  {
    timeout: timeFor(4),
  },
  async () => {
    const trace = join(folder, 'trace')
    const traced = await startServerProcess(place, {
      under: ['strace', '-f', '-e', 'trace=fsync,fdatasync', '-o', trace],
    })
    server = traced
    const call = calling(traced.address, key)
    const syncs = () => readFileSync(trace, 'utf8').match(/f(data)?sync\(\d+\) += 0|sync resumed>\) += 0/g)?.length ?? 0
    expect((await call('POST', paths.receivingEvent, { body: eventPayload() })).status).toBe(201)
    const before = syncs()
    const writes = 100
    for (let n = 0; n < writes; n++)
      expect((await call('POST', paths.receivingEvent, { body: eventPayload() })).status).toBe(201)
    const asked = syncs() - before
    expect(asked).toBeGreaterThanOrEqual(writes)
    console.log(`| strace | ${writes} writes one after another | ${asked} times fsync |`)
  },
)

const canMount = (() => {
  if (!isLongRun || process.platform !== 'linux') return false
  const place = newFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place], { stdio: 'ignore' })
    execFileSync('umount', [place])
    return true
  } catch {
    return false
  } finally {
    rmSync(place, { recursive: true })
  }
})()

// Only in the long run, and where a small file system can be mounted.
test.skipIf(!canMount)(
  'while the disk of PostgreSQL is full writes are 503 with a line in the log, and go on when it is not, without a restart',
  {
    timeout: timeFor(3),
  },
  async () => {
    const small = newFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', small])
    const postgresql = await startPostgresqlServer()
    const admin = new pg.Client({ connectionString: postgresql.url })
    await admin.connect()
    try {
      const { rows } = await admin.query('SHOW data_directory')
      const { uid, gid } = statSync(rows[0].data_directory)
      chmodSync(small, 0o755)
      mkdirSync(join(small, 'space'))
      chownSync(join(small, 'space'), uid, gid)
      await admin.query(`CREATE TABLESPACE small LOCATION '${join(small, 'space')}'`)
      await admin.query('CREATE DATABASE small TEMPLATE template0 TABLESPACE small')
      const there = { DATABASE_URL: Object.assign(new URL(postgresql.url), { pathname: '/small' }).href }
      server = await startServerProcess({ ...there, LOG_LEVEL: 'error' })
      const log = new CrashLog(seed)
      const first = server.firstKey ?? ''
      const ballast = join(small, 'ballast')
      await log.loadUntilCrash(server.address, first, 30, () => {
        try {
          for (;;) appendFileSync(ballast, Buffer.alloc(64 * 1024))
        } catch {
          // Full.
        }
      })
      expect(server.output()).toContain('53100')
      rmSync(ballast)
      await log.compare(there, 'all')
      await log.retryCreates(server.address, first)
      console.log(`| full disk of PostgreSQL | ${log.acknowledgedCount} writes acknowledged, 0 lost |`)
    } finally {
      await server?.end('SIGKILL')
      await admin.end()
      await postgresql.stop()
      execFileSync('umount', [small])
      rmSync(small, { recursive: true, force: true })
    }
  },
)
