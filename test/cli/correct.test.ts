// The command that corrects many events: what it shows, what it stores, and what it leaves.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OwnDatabase, ownDatabase } from '../support/databases/database.ts'
import { readCsv } from '../support/files/read-workbook.ts'
import { eventPayload, paths } from '../support/records/payloads.ts'
import { runCommand, type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'
import { type Call, calling } from '../support/servers/service.ts'

let own: OwnDatabase
let server: ServerProcess
let call: Call
let env: Record<string, string>
let folder: string
let ids: string[]
beforeAll(async () => {
  own = await ownDatabase()
  server = await startServerProcess(own.env)
  env = { LOTKEEPER_URL: server.address, LOTKEEPER_KEY: server.firstKey ?? '' }
  call = calling(server.address, server.firstKey)
  folder = await mkdtemp(join(tmpdir(), 'lotkeeper-correct-'))
  ids = []
  for (let n = 0; n < 3; n++) {
    const body = eventPayload(({ productMasterDataList: [product] }) => {
      delete product.packStyle
    })
    ids.push((await call('POST', paths.receivingEvent, { body })).body.request_ids[0])
  }
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await own?.drop()
  await rm(folder, { recursive: true, force: true })
})

const run = (...args: readonly string[]) => runCommand(['correct', '--reason', 'told by the vendor', ...args], env)

const styles = () =>
  Promise.all(
    ids.map(async (id) => {
      const { body } = await call('GET', `${paths.receivingEvent}/${id}`)
      return body.productMasterDataList[0].packStyle
    }),
  )

test('correct shows the preview, stores nothing without a yes, and then a version of each event with its report', async () => {
  const dry = await run('--set', 'packStyle=Carton', '--dry-run')
  expect(dry.code, dry.stderr).toBe(0)
  expect(dry.stdout).toMatch(/^3 events of 3 would be corrected; 0 have nothing to change, 0 are refused\n/)
  expect(dry.stdout).toContain('packStyle: (missing) → Carton')
  const unasked = await run('--set', 'packStyle=Carton')
  expect(unasked.code).toBe(1)
  expect(unasked.stderr).toContain('Give --yes')
  expect(await styles()).toEqual([undefined, undefined, undefined])

  const report = join(folder, 'report.csv')
  const done = await run('--set', 'packStyle=Carton', '--yes', '--report', report)
  expect(done.code, done.stderr).toBe(0)
  expect(done.stdout).toMatch(/3 events corrected: correction [0-9a-f-]{36}\.\n$/)
  expect(await styles()).toEqual(['Carton', 'Carton', 'Carton'])
  const rows = readCsv((await readFile(report, 'utf8')).replace('\uFEFF', ''))
  expect(rows.slice(1).map(([id]) => id)).toEqual(ids)

  const json = await run('--replace', 'packStyle=Carton', '--set', 'packStyle=Crate', '--yes', '--json')
  const corrected = JSON.parse(json.stdout)
  expect(corrected).toMatchObject({ state: 'done', outcomes: { corrected: 3 } })

  const asked = await run('--undo', corrected.id)
  expect(asked.stdout).toContain('packStyle: Crate → Carton')
  expect(await styles()).toEqual(['Crate', 'Crate', 'Crate'])
  const undone = await run('--undo', corrected.id, '--yes')
  expect(undone.code, undone.stderr).toBe(0)
  expect(await styles()).toEqual(['Carton', 'Carton', 'Carton'])
})

test.each([
  [['--set', 'packStyle'], '--set packStyle must be field=value'],
  [['--set', 'colour=red'], 'colour is no field that a correction can change'],
  [['--set', 'businessUnit=West'], 'businessUnit is ambiguous. Write one of event.businessUnit, '],
  [['--replace', 'packStyle=Crate'], '--replace packStyle needs --set packStyle=…'],
  [['--undo', 'x', '--set', 'packStyle=Crate'], '--undo takes back what the correction changed'],
  [[], 'Give --set or --remove'],
])('correct %j is refused with what to write', async (args, words) => {
  const { code, stderr } = await run(...args)
  expect(code).toBe(2)
  expect(stderr).toContain(words)
})
