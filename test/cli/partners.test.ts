// `lotkeeper partners`: a partner from its file to the key that reads, and back to nothing.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventPayload, paths } from '../support/records/payloads.ts'
import { runCommand } from '../support/servers/server-process.ts'
import { calling, type Service, startService } from '../support/servers/service.ts'

let service: Service
let env: Record<string, string>
const folder = mkdtempSync(join(tmpdir(), 'lotkeeper-partners-'))
const file = join(folder, 'partner.json')
beforeAll(async () => {
  service = await startService()
  const provider = await service.provider()
  await provider.call('POST', paths.receivingEvent, { body: eventPayload() })
  env = { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: await provider.key('administrator') }
})
afterAll(async () => {
  await service?.close()
  rmSync(folder, { recursive: true, force: true })
})

const run = (...args: readonly string[]) => runCommand(['partners', ...args], env)

test('a partner is previewed, created, changed by what show prints, and invites a key', async () => {
  const settings = { name: 'Fresh Foods', places: [{ locationCode: 'DC-07' }], grants: [{ direction: 'shipTo' }] }
  writeFileSync(file, JSON.stringify(settings))
  expect((await run('places')).stdout).toContain('DC-07')
  expect((await run('create', file, '--dry-run')).stdout).toContain('Opens 1 event. Nothing is stored.')
  expect((await run('list')).stderr).toBe('There are no such partners.\n')
  const { id } = JSON.parse((await run('create', file, '--json')).stdout)
  expect((await run('list')).stdout).toContain('Fresh Foods')

  const [link = ''] = (await run('invite', id, '--person-name', 'Sam Reed')).stdout.split('\n')
  const { key, keyId } = JSON.parse((await run('accept', link, '--json')).stdout)
  expect((await run('accept', link)).stderr).toContain('lotkeeper: ')
  expect((await run('accept', 'https://example.com/')).code).toBe(2)
  await calling(service.url, key)('GET', paths.receivingEvent)
  expect(await run('accesses', id)).toMatchObject({ code: 0, stdout: expect.stringContaining('Sam Reed') })

  const { stdout: shown } = await run('show', id)
  writeFileSync(file, JSON.stringify({ ...JSON.parse(shown), places: [] }))
  expect((await run('replace', id, file, '--dry-run')).stdout).toContain('Opens 0 events.')
  expect((await run('replace', id, file)).stdout).toBe(`Partner ${id} is replaced.\n`)
  // What was shown before replaces nothing that came after.
  expect(await run('replace', id, file)).toMatchObject({ code: 1, stderr: expect.stringContaining('version 2') })
  expect(JSON.parse((await run('show', id, '--json')).stdout)).toMatchObject({ name: 'Fresh Foods', places: [] })

  expect((await run('revoke', id, keyId)).stdout).toBe(`Key ${keyId} is revoked.\n`)
  expect((await run('delete', id)).stdout).toContain('is deleted')
  expect((await run('show', id)).code).toBe(1)
})

test('a file that cannot be read, or is refused, stores nothing', async () => {
  writeFileSync(file, '{"name":')
  expect((await run('create', file)).stderr).toContain(file)
  writeFileSync(file, '{"name":"No grants","places":[]}')
  expect((await run('create', file)).code).toBe(1)
  expect((await run('list')).stderr).toBe('There are no such partners.\n')
})
