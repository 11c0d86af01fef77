// `lotkeeper source-addresses`: what it shows can be sent back, and a wrong file is refused with
// the reason.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../support/servers/server-process.ts'
import { type Service, startService } from '../support/servers/service.ts'

let service: Service
let env: Record<string, string>
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'lotkeeper-source-addresses-'))
  const provider = await service.provider()
  env = { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: await provider.key('administrator') }
})
afterAll(async () => {
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})

const run = (...args: readonly string[]) => runCommand(['source-addresses', ...args], env)

async function fileOf(body: unknown): Promise<string> {
  const path = join(folder, 'addresses.json')
  await writeFile(path, JSON.stringify(body))
  return path
}

test('an address is opened, shown, set again from what was shown, and closed', async () => {
  expect((await run('get')).stderr).toContain('No address is open.')
  const address = { name: 'green-valley-cooler', dataProviderVendorId: 'V-1001', locationCode: 'GV-COOLER-1' }
  const set = await run('set', await fileOf({ addresses: [address] }))
  expect([set.code, set.stdout, set.stderr]).toEqual([0, 'Set 1 address.\n', ''])
  expect((await run('get')).stdout).toMatch(/\/tlc-sources\/\S+\/green-valley-cooler +V-1001 +GV-COOLER-1/)
  const { stdout } = await run('get', '--json')
  expect((await run('set', await fileOf(JSON.parse(stdout)), '--if-match', '1')).code).toBe(0)
  const late = await run('set', await fileOf(JSON.parse(stdout)), '--if-match', '1')
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('version')])
  expect((await run('set', await fileOf({ addresses: [{ name: address.name }] }))).code).toBe(0)
  expect((await run('get')).stdout).not.toContain('GV-COOLER-1')
})

test('an address that is wrong is refused with the reason', async () => {
  const { code, stderr } = await run('set', await fileOf({ addresses: [{ name: 'a b' }] }))
  expect([code, stderr]).toEqual([1, expect.stringContaining('name')])
})
