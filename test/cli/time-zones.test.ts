// `lotkeeper time-zones`: one by one, and from a file.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runCommand } from '../support/servers/server-process.ts'
import { type Service, startService } from '../support/servers/service.ts'

let service: Service
let env: Record<string, string>
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'lotkeeper-time-zones-'))
})
beforeEach(async () => {
  const provider = await service.provider()
  env = { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: await provider.key('administrator') }
})
afterAll(async () => {
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})

const run = (...args: readonly string[]) => runCommand(['time-zones', ...args], env)

async function fileOf(text: string): Promise<string> {
  const path = join(folder, 'zones.csv')
  await writeFile(path, text)
  return path
}

const listed = async (): Promise<string[]> =>
  (await run('list', '--all', '--json')).stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .map(({ locationCode, dataProviderVendorId, timeZone }) => `${locationCode} ${dataProviderVendorId} ${timeZone}`)

test('a time zone is set, listed and taken away', async () => {
  const set = await run('set', 'DC-07', 'America/New_York')
  expect([set.code, set.stdout]).toEqual([0, 'Set the time zone of 1 location.\n'])
  expect((await run('list')).stdout).toMatch(/DC-07 +all +America\/New_York +\d{4}-/)
  expect((await run('remove', 'DC-07')).code).toBe(0)
  expect(await listed()).toEqual([])
})

test('a file sets many, with and without a vendor, and takes away where it names no time zone', async () => {
  await run('set', 'OLD', 'Asia/Tokyo')
  const path = await fileOf(
    '\uFEFFlocationCode;timeZone;dataProviderVendorId\r\nDC-07;America/New_York;\r\n"DC-07";America/Chicago;V-1\r\nOLD;;\r\n',
  )
  const set = await run('import', path)
  expect([set.code, set.stdout, set.stderr]).toEqual([0, 'Set the time zone of 3 locations.\n', ''])
  expect(await listed()).toEqual(['DC-07 null America/New_York', 'DC-07 V-1 America/Chicago'])
})

test.each([
  ['code,zone\nDC-07,America/New_York\n', /has no column locationCode/],
  ['locationCode,timeZone\n', /lists no location/],
  ['locationCode,timeZone\nDC-07,EST5\n', /"EST5" of location "DC-07"/],
])('the file %j is refused, and nothing is set', async (text, says) => {
  const end = await run('import', await fileOf(text))
  expect(end.code).toBe(1)
  expect(end.stderr).toMatch(says)
  expect(await listed()).toEqual([])
})

test('a missing file and an unknown zone are reported', async () => {
  expect((await run('import', join(folder, 'none.csv'))).stderr).toMatch(/none\.csv cannot be read \(ENOENT\)/)
  const end = await run('set', 'DC-07', 'Ohio')
  expect(end.code).toBe(1)
  expect(end.stderr).toMatch(/is not in the IANA time zone database\. Send a name such as America\/New_York/)
})
