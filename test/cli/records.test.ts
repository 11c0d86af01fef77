// The commands that read and change records, as they are built, against a real service.

import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kindWords } from '../../src/cli/base/kinds.ts'
import { changed, eventPayload, locationPayload, type Payload, productPayload } from '../support/records/payloads.ts'
import { runCommand } from '../support/servers/server-process.ts'
import { type Service, startService, type TestProvider } from '../support/servers/service.ts'

let service: Service
let provider: TestProvider
let key: string
let folder: string
beforeAll(async () => {
  service = await startService()
  provider = await service.provider()
  key = await provider.key('writer')
  folder = await mkdtemp(join(tmpdir(), 'lotkeeper-records-'))
})
afterAll(async () => {
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})

const run = (args: readonly string[], { input = '', ...env }: Record<string, string> = {}) =>
  runCommand(args, { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: key, ...env }, input)

/** Runs what has to be done, and returns what it printed. */
async function done(args: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await run(args, { input })
  expect(code, stderr).toBe(0)
  return stdout
}

const fileOf = async (payload: Payload): Promise<string> => {
  const path = join(folder, `${randomUUID()}.json`)
  await writeFile(path, JSON.stringify(payload, undefined, 2))
  return path
}

const paths = { event: '/data-provider/events/receiving' }
const created = async (payload: Payload = eventPayload()): Promise<string> =>
  (await provider.call('POST', paths.event, { body: payload })).body.request_ids[0]

/** What has to stand on the last line of stderr, and never a stack trace. */
async function fails(args: readonly string[], code: number, says: RegExp, env: Record<string, string> = {}) {
  const end = await run(args, env)
  expect(end.code, end.stderr).toBe(code)
  const lines = end.stderr.trim().split('\n')
  expect(lines.at(-1)).toMatch(/^lotkeeper: /)
  expect(end.stderr).toMatch(says)
  expect(end.stderr).not.toMatch(/^ +at /m)
  return end
}

describe('create', () => {
  test('prints the ids of a payload of each kind, also from stdin, and nothing else on stdout', async () => {
    for (const payload of [eventPayload(), productPayload(), locationPayload()]) {
      const id = (await done(['create', '-'], JSON.stringify(payload))).trim()
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      const record = JSON.parse(await done(['get', id, '--json']))
      expect(record).toEqual({ id, ...payload })
    }
  })

  test('with the same idempotency key makes nothing twice', async () => {
    const file = await fileOf(eventPayload())
    const once = await done(['create', file, '--idempotency-key', 'cli-once'])
    expect(await done(['create', file, '--idempotency-key', 'cli-once'])).toBe(once)
  })

  test('as a dry run says what would be, and stores nothing', async () => {
    const payload = eventPayload()
    expect(await done(['create', await fileOf(payload), '--dry-run'])).toContain('Would be created')
    await created(payload)
  })

  test('of a payload that is refused shows each finding at its line and column', async () => {
    const payload = eventPayload(({ eventList }) => {
      eventList.productList[1].shipQuantity = 'many'
      delete eventList.purchaseOrderNumber
    })
    const file = await fileOf(payload)
    const end = await fails(['create', file], 1, /is refused: 2 errors. Nothing was stored/)
    expect(end.stdout).toBe('')
    const lines = JSON.stringify(payload, undefined, 2).split('\n')
    const line = lines.findIndex((one) => one.includes('"many"')) + 1
    expect(end.stderr).toContain(`${file}:${line}:9 error /eventList/productList/1/shipQuantity`)
    expect(end.stderr).toContain('→')
    const asJson = await run(['create', file, '--json'])
    expect(JSON.parse(asJson.stdout)).toMatchObject({ status: 422, findings: [{}, {}] })
  })

  test('with --strict lets a warning refuse', async () => {
    const payload = eventPayload(({ productMasterDataList }) => {
      productMasterDataList[0].gtin = '10614141000416'
    })
    await fails(['create', await fileOf(payload), '--strict'], 1, /refused: 1 error/)
    const taken = await run(['create', await fileOf(payload)])
    expect(taken.code).toBe(0)
    expect(taken.stderr).toMatch(/warning .*gtin[\s\S]*Created 1 receiving event, with 1 warning/)
  })

  test('never sends a number that would be rounded on the way', async () => {
    const file = join(folder, 'rounded.json')
    const text = JSON.stringify(eventPayload()).replace(/"shipQuantity":\d+/, '"shipQuantity":1234567890123456789')
    await writeFile(file, text)
    await fails(['create', file], 1, /:1:\d+: 1234567890123456789 is a number that cannot be stored exactly/)
  })
})

describe('put', () => {
  test('replaces what get --json gave and an editor changed, and shows what is gone with its value', async () => {
    const id = await created()
    const record = JSON.parse(await done(['get', id, '--json']))
    const { carrierShipmentMethod } = record.eventList
    delete record.eventList.carrierShipmentMethod
    changed.receivingEvent(record)
    const shown = await done(['put', id, await fileOf(record), '--if-match', '1'])
    expect(shown).toContain('Removed (1)\n  - /eventList/carrierShipmentMethod  ')
    expect(shown).toContain(carrierShipmentMethod)
    expect(shown).toMatch(/Replaced \(1\)\n {2}~ \/eventList\/productList\/0\/shipQuantity {2}(\d+) → /)
    expect(shown).toContain('now at version 2, with no findings. It removed 1 field.')
    expect(await done(['put', id, await fileOf(record)])).toContain('has this content, at version 2')
  })

  test('as a dry run shows the same, and keeps the record', async () => {
    const payload = eventPayload()
    const id = await created(payload)
    delete payload.eventList.carrierShipmentMethod
    const shown = await done(['put', id, await fileOf(payload), '--dry-run'])
    expect(shown).toMatch(/Removed \(1\)[\s\S]*would be replaced.*It would remove 1 field. Nothing is stored/)
    expect(await done(['versions', id])).not.toMatch(/^ +2 /m)
  })

  test('of a version that is not the last one is refused as stale', async () => {
    const payload = eventPayload()
    const id = await created(payload)
    changed.receivingEvent(payload)
    await done(['put', id, await fileOf(payload)])
    await fails(['put', id, await fileOf(payload), '--if-match', '1'], 1, /at version 2/)
  })
})

describe('void', () => {
  test('takes a receiving event out of the lists, with a reason that its versions show; put brings it back', async () => {
    const payload = eventPayload()
    const id = await created(payload)
    const reason = 'Entered twice'
    expect(await done(['void', id, '--reason', reason, '--dry-run'])).toContain('would be voided. Nothing is stored.')
    await fails(['void', id, '--reason', reason, '--if-match', '7'], 1, /at version 1/)
    expect(await done(['void', id, '--reason', reason, '--if-match', '1'])).toContain('is voided, at version 2.')
    expect(await done(['list', 'events', '--all'])).not.toContain(id)
    expect(await done(['list', 'events', '--voided', 'only', '--all'])).toContain(id)
    expect(await done(['versions', id])).toContain(reason)
    expect(await done(['get', id])).toContain(', version 2, voided')
    expect(JSON.parse(await done(['void', id, '--reason', 'again', '--json']))).toEqual({
      request_ids: [id],
      version: 2,
    })
    expect(await done(['put', id, await fileOf(payload)])).toContain('has this content, at version 3')
    expect(await done(['get', id])).not.toContain('voided')
    await fails(['void', id], 2, /--reason/)
  })
})

describe('get, list, versions, diff', () => {
  let own: TestProvider
  let env: Record<string, string>
  const ids: string[] = []
  beforeAll(async () => {
    own = await service.provider()
    env = { LOTKEEPER_KEY: await own.key('reader') }
    for (const lot of ['LOT-A', 'LOT-B', 'LOT-\u001b[31m']) {
      const payload = eventPayload(({ eventList }) => {
        eventList.productList[0].caseLotNumber = lot
      })
      const { body } = await own.call('POST', paths.event, { body: payload })
      ids.push(body.request_ids[0])
      if (lot !== 'LOT-A') continue
      changed.receivingEvent(payload)
      delete payload.eventList.asnNumber
      await own.call('PUT', `${paths.event}/${ids[0]}`, { body: payload })
    }
  })

  test('list shows a row for each record, and a line of JSON for a program', async () => {
    const { stdout } = await run(['list', 'events'], env)
    const rows = stdout.trim().split('\n')
    expect(rows[0]).toMatch(/^id +received +to +from +vendor +order +lines +lot codes$/)
    expect(rows.slice(1).map((row) => row.slice(0, 36))).toEqual([...ids].reverse())
    const json = await run(['list', 'events', '--json', '--lot-code', 'LOT-A'], env)
    expect(
      json.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual([ids[0]])
    expect((await run(['list', 'products'], env)).stderr).toBe('There are no such master products.\n')
    expect((await run(['list', 'locations', '--location-code', 'DC-07'], env)).stdout).toContain('DC-07')
  })

  test('what is stored cannot steer the terminal', async () => {
    for (const args of [
      ['list', 'events'],
      ['get', ids[2] ?? ''],
    ]) {
      const { stdout } = await run(args, env)
      expect(stdout).toContain('LOT-�[31m')
      expect(stdout).not.toContain('\u001b')
    }
  })

  test('list continues by cursor, and reads all pages with --all', async () => {
    const first = await run(['list', 'events', '--limit', '2', '--json'], env)
    expect(first.stdout.trim().split('\n')).toHaveLength(2)
    const [, cursor = ''] = /--cursor ([\w-]+)/.exec(first.stderr) ?? []
    const rest = await run(['list', 'events', '--limit', '2', '--cursor', cursor, '--json'], env)
    expect(JSON.parse(rest.stdout).id).toBe(ids[0])
    expect(rest.stderr).toBe('')
    const all = await run(['list', 'events', '--limit', '1', '--all', '--json'], env)
    expect(all.stdout.trim().split('\n')).toHaveLength(3)
    expect((await run(['list', 'events', '--limit', '1', '--all'], env)).stdout.trim().split('\n')).toHaveLength(4)
  })

  test('get shows a record for people, the one of an earlier version when it is asked for', async () => {
    const [id = ''] = ids
    const now = await run(['get', id], env)
    expect(now.stdout).toMatch(new RegExp(`^receiving event ${id}, version 2\n`))
    expect(now.stdout).not.toContain('asnNumber')
    const then = await run(['get', id, '--version', '1', '--kind', 'event'], env)
    expect(then.stdout).toMatch(/, version 1\n[\s\S]*asnNumber /)
  })

  test('versions lists the history, diff what changed', async () => {
    const [id = '', other = ''] = ids
    expect((await run(['versions', id], env)).stdout).toMatch(/^version .*\n +2 .*\n +1 /)
    expect((await run(['versions', id, '--json'], env)).stdout.trim().split('\n')).toHaveLength(2)
    const shown = await run(['diff', id], env)
    expect(shown.stdout).toMatch(/version 1 → 2\n\nRemoved \(1\)\n {2}- \/eventList\/asnNumber .*\nReplaced \(1\)\n/)
    const json = JSON.parse((await run(['diff', id, '2', '1', '--json'], env)).stdout)
    expect(json).toMatchObject({ id, from: 2, to: 1, removed: [], added: [{ pointer: '/eventList/asnNumber' }] })
    expect((await run(['diff', id, '2'], env)).stdout).toContain('No differences.')
    expect((await run(['diff', other], env)).stdout).toBe(`Version 1 is the only one of ${other}.\n`)
  })
})

describe('a command that cannot do its work', () => {
  const id = '019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f'

  test.each<[readonly string[], RegExp]>([
    [['get', 'nobody'], /no record with id nobody/],
    [['get', id, '--kind', 'product'], /no master product with id/],
    [['versions', id], /no record/],
    [['diff', id], /no record/],
    [['create', 'none.json'], /none\.json: There is no such file/],
    [['create', tmpdir()], /This is a folder/],
    [['put', id, '-'], /The body is empty/],
  ])('%j ends with 1 and says why', async (args, says) => {
    await fails(args, 1, says)
  })

  test('writes the problem of the service to stdout with --json, whatever it is, and ends with 1', async () => {
    const stored = eventPayload()
    const record = await created(stored)
    const again = await fileOf({ ...stored, payloadId: 'another' })
    const problems: [readonly string[], number, Record<string, string>][] = [
      [['create', again], 409, {}],
      [['put', record, await fileOf(stored), '--if-match', '7'], 412, {}],
      [['put', id, await fileOf(stored)], 404, {}],
      [['get', id], 404, {}],
      [['list', 'events'], 401, { LOTKEEPER_KEY: 'lk_nobody_nothing' }],
      [['trace', 'NOBODY-HAD-IT'], 404, {}],
    ]
    for (const [args, status, env] of problems) {
      const { stdout } = await fails([...args, '--json'], 1, /^lotkeeper: ./, env)
      const problem = JSON.parse(stdout)
      expect(problem, args.join(' ')).toMatchObject({ status, type: expect.stringMatching(/^\/docs\/problems\//) })
      if (status === 409) expect(problem.heldBy).toBe(record)
    }
  })

  test.each<[readonly string[], RegExp]>([
    [['get'], /missing required argument/],
    [['get', id, '--version', '0'], /whole number, 1 or more/],
    [['get', id, '--kind', 'pallet'], new RegExp(`Allowed choices are ${kindWords.join(', ')}`)],
    [['list', 'events', '--limit', '0'], /whole number from 1 to 200/],
    [['list', 'events', '--event-start-date-time', '4 March'], /yyyy-MM-ddTHH:mm:ssZ/],
    [['list', 'events', '--vendor', 'V-1'], /unknown option/],
    [['list', 'events', '--key', 'lk with blanks'], /characters that no key has/],
    [['list', 'events', '--url', 'localhost:3000'], /must begin with http/],
    [['list', 'events', '--key', ''], /No key is given/],
  ])('%j is called wrongly: 2', async (args, says) => {
    await fails(args, 2, says)
  })

  test('a body that is not one JSON object is shown with its place', async () => {
    const file = join(folder, 'broken.json')
    await writeFile(file, '{\n  "eventList": {},\n  "eventList": {}\n}')
    await fails(['create', file], 1, /broken\.json:3:3: The name "eventList" occurs twice/)
    await writeFile(file, '{"event": {}}')
    await fails(['create', file], 1, /this is not a payload. It has none of eventList/)
    await writeFile(file, Buffer.from('{"eventList": "caf\xe9"}', 'latin1'))
    await fails(['create', file], 1, /not UTF-8/)
  })

  test('an invalid key and a key without permission are reported', async () => {
    await fails(['list', 'events'], 1, /mistyped, revoked or expired/, { LOTKEEPER_KEY: 'lk_wrong' })
    const reader = await provider.key('reader')
    await fails(['create', '-'], 1, /reader/, { LOTKEEPER_KEY: reader, input: JSON.stringify(eventPayload()) })
  })

  test('an unreachable service is retried, and another program at its address is recognized', async () => {
    for (const [url, why] of [
      ['http://no-such-host.invalid:3000', /There is no host no-such-host\.invalid/],
      [service.url.replace('http:', 'https:'), /does not use TLS. Begin LOTKEEPER_URL or --url with http/],
    ] as const)
      await fails(['list', 'events'], 1, why, { LOTKEEPER_URL: url })
    const end = await fails(['list', 'events'], 1, /cannot be reached. Start it/, {
      LOTKEEPER_URL: 'http://127.0.0.1:1',
    })
    expect(end.stderr).toMatch(/Trying again in/)
    const other = createServer((_, response) => response.end('<h1>Hello</h1>')).listen(0, '127.0.0.1')
    await new Promise((listening) => other.once('listening', listening))
    const { port } = other.address() as AddressInfo
    const args = ['create', '-']
    const input = JSON.stringify(eventPayload())
    const { code, stderr } = await run(args, { LOTKEEPER_URL: `http://127.0.0.1:${port}`, input })
    expect(code).toBe(1)
    expect(stderr).not.toMatch(/^ +at /m)
    other.close()
  })
})
