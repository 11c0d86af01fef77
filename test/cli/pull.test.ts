// `lotkeeper pull`: from the account of a supplier into an own one.
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { changed, eventPayload, type Payload, paths, productPayload } from '../support/records/payloads.ts'
import { runCommand } from '../support/servers/server-process.ts'
import { type Service, startService, type TestProvider } from '../support/servers/service.ts'

let service: Service
let folder: string
let supplier: TestProvider
let own: TestProvider
let env: Record<string, string>
let journal: string
beforeAll(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'lotkeeper-pull-'))
})
let count = 0
beforeEach(async () => {
  supplier = await service.provider()
  own = await service.provider()
  env = {
    LOTKEEPER_URL: service.url,
    LOTKEEPER_KEY: await own.key('writer'),
    LOTKEEPER_FROM_KEY: await supplier.key('reader'),
  }
  count += 1
  journal = join(folder, `${count}.ndjson`)
})
afterAll(async () => {
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})

const pull = (...options: readonly string[]) =>
  runCommand(['pull', '--from', service.url, '--no-follow', '--journal', journal, ...options], env)

const journalLines = (): Payload[] =>
  readFileSync(journal, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))

const stored = async ({ call }: TestProvider, path: string): Promise<Payload[]> =>
  (await call('GET', `${path}?limit=200`)).body.content.map(({ id: _, ...content }: Payload) => content)

const create = async (path: string, body: Payload): Promise<string> => {
  const created = await supplier.call('POST', path, { body })
  expect(created.status, created.text).toBe(201)
  return created.body.request_ids[0]
}

test('what a supplier shares is stored here, each record with where it came from, and nothing twice', async () => {
  const several = eventPayload()
  several.eventList = [several.eventList, eventPayload().eventList]
  await create(paths.receivingEvent, several)
  await create(paths.masterProduct, productPayload())
  const id = await create(paths.receivingEvent, eventPayload())
  expect(await pull()).toMatchObject({ code: 0, stdout: '' })
  for (const path of [paths.receivingEvent, paths.masterProduct, paths.location])
    expect(new Set(await stored(own, path)), path).toEqual(new Set(await stored(supplier, path)))
  expect(journalLines()[0]).toEqual({ origin: { url: service.url, provider: supplier.name } })
  expect(journalLines().find((line) => line.id === id)).toEqual({
    position: expect.stringMatching(/^\d+-\d+-[0-9a-f]{8}$/),
    kind: 'receivingEvent',
    id,
    version: 1,
    contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    outcome: 'stored',
    storedId: expect.any(String),
    storedVersion: 1,
  })

  const before = journalLines().length
  expect((await pull()).stderr).toContain('Nothing new.')
  expect(journalLines()).toHaveLength(before)
})

test('a replacement and a void follow, and a pull that was broken off goes on where it was', async () => {
  const body = eventPayload()
  const id = await create(paths.receivingEvent, body)
  await pull()
  changed.receivingEvent(body)
  await supplier.call('PUT', `${paths.receivingEvent}/${id}`, { body })
  expect((await pull('--json')).stdout).toContain('"outcome":"stored"')
  expect(await stored(own, paths.receivingEvent)).toEqual([body])

  // The journal as it is after a power failure: its last page is not noted, and a line is cut off.
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n')
  writeFileSync(journal, `${lines.slice(0, -2).join('\n')}\n{"posi`)
  expect((await pull('--json')).stdout).toContain('"outcome":"unchanged"')

  const voided = await supplier.call('POST', `${paths.receivingEvent}/${id}/void`, {
    body: { reason: 'Entered twice' },
  })
  expect(voided.status, voided.text).toBe(200)
  expect(await pull()).toMatchObject({ code: 0 })
  expect(await stored(own, paths.receivingEvent)).toEqual([])
  const { content } = (await own.call('GET', '/voids')).body
  expect(content).toMatchObject([{ reason: 'Entered twice' }])
})

test('what this account has of its own, or has corrected, is left as it is and named', async () => {
  const body = eventPayload()
  const mine = structuredClone(body)
  changed.receivingEvent(mine)
  const { id: held } = { id: (await own.call('POST', paths.receivingEvent, { body: mine })).body.request_ids[0] }
  const id = await create(paths.receivingEvent, body)
  const other = eventPayload()
  const otherId = await create(paths.receivingEvent, other)
  const first = await pull()
  expect(first).toMatchObject({ code: 1, stdout: expect.stringContaining(`receivingEvent ${id} version 1: `) })
  expect((await own.call('GET', `${paths.receivingEvent}/${held}`)).body).toEqual({ id: held, ...mine })

  const { storedId } = journalLines().find((line) => line.id === otherId) ?? {}
  const corrected = structuredClone(other)
  corrected.eventList.purchaseOrderNumber = 'PO-HERE'
  expect((await own.call('PUT', `${paths.receivingEvent}/${storedId}`, { body: corrected })).status).toBe(200)
  changed.receivingEvent(other)
  await supplier.call('PUT', `${paths.receivingEvent}/${otherId}`, { body: other })
  const second = await pull()
  expect(second).toMatchObject({ code: 1, stdout: expect.stringContaining('It was changed here, too') })
  expect((await own.call('GET', `${paths.receivingEvent}/${storedId}`)).body).toEqual({ id: storedId, ...corrected })
})

test.each([
  [
    'a journal of another account',
    2,
    'is the journal of a pull from',
    async () => {
      writeFileSync(journal, '{"origin":{"url":"https://elsewhere.example","provider":"Other"}}\n')
    },
  ],
  [
    'a position of another history',
    1,
    'another one now',
    async () => {
      await create(paths.receivingEvent, eventPayload())
      await pull()
      // In quotes, since the name of a test's provider may have such digits, too.
      writeFileSync(journal, readFileSync(journal, 'utf8').replaceAll(/"(\d+-\d+-)[0-9a-f]{8}"/g, '"$100000000"'))
    },
  ],
  [
    'a key that may not write',
    1,
    'use a key of a writer',
    async () => {
      env.LOTKEEPER_KEY = await own.key('reader')
    },
  ],
  [
    'a key of the supplier that is not valid',
    1,
    'Set LOTKEEPER_FROM_KEY',
    async () => {
      env.LOTKEEPER_FROM_KEY = `lk_${'0'.repeat(16)}_${'0'.repeat(32)}_${'A'.repeat(43)}`
    },
  ],
])('%s is reported, and nothing is stored', async (_, code, words, arrange) => {
  await arrange()
  const before = await stored(own, paths.receivingEvent)
  expect(await pull()).toMatchObject({ code, stderr: expect.stringContaining(words) })
  expect(await stored(own, paths.receivingEvent)).toEqual(before)
})
