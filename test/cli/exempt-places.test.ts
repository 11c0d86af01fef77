// `lotkeeper exempt-places`: what it shows can be sent back, and a wrong file is refused with its
// place.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../support/servers/server-process.ts'
import { type Service, startService } from '../support/servers/service.ts'

let service: Service
let env: Record<string, string>
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'lotkeeper-exempt-places-'))
  const provider = await service.provider()
  env = { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: await provider.key('administrator') }
})
afterAll(async () => {
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})

const run = (...args: readonly string[]) => runCommand(['exempt-places', ...args], env)

async function fileOf(body: unknown): Promise<string> {
  const path = join(folder, 'places.json')
  await writeFile(path, JSON.stringify(body))
  return path
}

test('the example is set, shown, and set again from what was shown', async () => {
  expect((await run('get')).stderr).toContain('No place is exempt.')
  const example = fileURLToPath(new URL('../../examples/exempt-places.json', import.meta.url))
  const set = await run('set', example)
  expect([set.code, set.stdout, set.stderr]).toEqual([0, 'Set the exemptions of 1 place.\n', ''])
  expect((await run('get')).stdout).toMatch(/V-1001 +GV-COOLER-1 +farmPurchase +STORE-12/)
  const { stdout } = await run('get', '--json')
  const again = await run('set', await fileOf(JSON.parse(stdout)), '--if-match', '1')
  expect([again.code, again.stdout]).toEqual([0, 'Set the exemptions of 1 place.\n'])
  const late = await run('set', await fileOf(JSON.parse(stdout)), '--if-match', '1')
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('version')])
})

test('a place that is wrong is refused with the reason', async () => {
  const place = { dataProviderVendorId: 'V-1', exemptions: [{ reason: 'nonprofit' }, { reason: 'smallProduceFarm' }] }
  const { code, stderr } = await run('set', await fileOf({ places: [place] }))
  expect([code, stderr]).toEqual([1, expect.stringContaining('nonprofit and smallProduceFarm of vendor "V-1"')])
})
