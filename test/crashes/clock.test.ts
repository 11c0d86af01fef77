// The clock of the machine is put back and forward under load: nothing is lost, refused or listed
// twice, and keys are believed no longer.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newFolder } from '../../packages/pglite-pool/test/processes.ts'
import { allowMs } from '../support/patience.ts'
import { seed, timeFor } from '../support/records/crash-cycles.ts'
import { CrashLog } from '../support/records/crash-load.ts'
import { type Payload, paths } from '../support/records/payloads.ts'
import { runCommand, type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'
import { calling } from '../support/servers/service.ts'

const shim = fileURLToPath(new URL('../support/servers/clock-shim.mjs', import.meta.url))
const dayMs = 24 * 60 * 60 * 1000

let folder: string
let server: ServerProcess | undefined
beforeEach(() => {
  folder = newFolder()
})
afterEach(async () => {
  await server?.end('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

test('a day back, two days forward and a day back again, with kill -9 in between, on service and embedded database alike', {
  timeout: timeFor(3),
}, async () => {
  const place = { DATA_DIR: join(folder, 'data') }
  const clock = join(folder, 'clock')
  const moveTo = (ms: number) => writeFileSync(clock, String(ms))
  const start = () => startServerProcess({ ...place, CLOCK_SHIM: clock }, { nodeOptions: ['--import', shim] })
  moveTo(0)
  server = await start()
  const key = server.firstKey ?? ''
  const log = new CrashLog(seed)
  for (const days of [-1, 1, 0]) {
    await log.loadAcrossCrash([server.address], key, 30, () => moveTo(days * dayMs))
    await log.compare(place, 'all')
  }
  // Started again at an earlier time than the last writes have.
  const { address, end } = server
  await log.loadUntilCrash(address, key, 20, () => void end('SIGKILL'))
  await end('SIGKILL')
  moveTo(-dayMs)
  server = await start()
  await log.compare(place, 'all')
  await log.loadAcrossCrash([server.address], key, 10, () => undefined)
  await log.compare(place, 'all')

  const call = calling(server.address, key)
  const listed: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Payload = (await call('GET', `${paths.masterProduct}?limit=7${cursor && `&cursor=${cursor}`}`)).body
    listed.push(...page.content.map(({ id }: Payload) => id))
    cursor = page.nextCursor
  }
  expect(new Set(listed).size).toBe(listed.length)
  expect(listed.length).toBe(log.storedCount('masterProduct'))

  // Seen just now, then revoked while the clock is put back: it is not believed until the clock
  // gets there again.
  const made = await runCommand(
    ['keys', 'create', '--provider', 'default', '--role', 'reader', '--label', 'clock'],
    place,
  )
  const reader = calling(server.address, made.stdout.trim())
  expect((await reader('GET', paths.location)).status).toBe(200)
  moveTo(-2 * dayMs)
  const revoked = await runCommand(['keys', 'revoke', made.stdout.split('_')[1] ?? ''], place)
  expect(revoked.code, revoked.stderr).toBe(0)
  await expect.poll(async () => (await reader('GET', paths.location)).status, { timeout: allowMs(30_000) }).toBe(401)
})
