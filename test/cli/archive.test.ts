// Archives as their users have them: made, checked without the service, brought in, also when
// something breaks off in the middle.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { writeWholeFile } from '../../src/terminal/whole-file.ts'
import { type Line, linesOf } from '../support/files/archives.ts'
import { eventPayload, paths, productPayload } from '../support/records/payloads.ts'
import { runCommand } from '../support/servers/server-process.ts'
import { type Service, startService } from '../support/servers/service.ts'
import { testSigner } from '../support/servers/signer.ts'

let service: Service
let folder: string
/** An archive of many records, one of them with three versions and then voided. */
let archive: string
beforeAll(async () => {
  service = await startService()
  const provider = await service.provider()
  const products = productPayload()
  const { productMasterDataList: one, ...shared } = products
  const many = Array.from({ length: 600 }, (_, i) => ({ ...one, itemCode: `${one.itemCode}-${i}` }))
  await provider.call('POST', paths.masterProduct, { body: { ...shared, productMasterDataList: many } })
  const event = eventPayload()
  const [id] = (await provider.call('POST', paths.receivingEvent, { body: event })).body.request_ids
  for (const quantity of [7, 8]) {
    event.eventList.productList[0].shipQuantity = quantity
    await provider.call('PUT', `${paths.receivingEvent}/${id}`, { body: event })
  }
  await provider.call('POST', `${paths.receivingEvent}/${id}/void`, { body: { reason: 'Entered twice' } })
  const env = { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: await provider.key('reader') }
  const made = await mkdtemp(join(tmpdir(), 'lotkeeper-archive-'))
  const { code, stderr } = await runCommand(['export', 'ndjson', '-o', made], env)
  expect([code, stderr]).toEqual([0, expect.stringContaining('Saved')])
  // Its name has the date, which may be another by now.
  const [name = ''] = await readdir(made)
  archive = await readFile(join(made, name), 'utf8')
  await rm(made, { recursive: true })
})
afterAll(() => service?.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lotkeeper-archive-'))
  return () => rm(folder, { recursive: true, force: true })
})

async function fileOf(text: string, name = 'archive.ndjson'): Promise<string> {
  await writeFile(join(folder, name), text)
  return join(folder, name)
}
const pemOf = (publicKey: Buffer): string =>
  createPublicKey({ key: publicKey, format: 'der', type: 'spki' }).export({ type: 'spki', format: 'pem' }).toString()
const withLines = (edit: (lines: string[]) => string[]): string => `${edit(linesOf(archive)).join('\n')}\n`
const numberOf = (is: (line: Line) => boolean): number => linesOf(archive).findIndex((line) => is(JSON.parse(line)))
const secondVersion = () => numberOf(({ kind, version }) => kind === 'receivingEvent' && version === 2)

describe('verify', () => {
  test('without a key from outside begins with what was proved and what was not, and the remedy', async () => {
    const { code, stdout } = await runCommand(['verify', await fileOf(archive)], {})
    expect(code).toBe(0)
    const [first] = stdout.split('\n')
    expect(first).toMatch(/^Consistent in itself: .*606 versions of 603 records/)
    expect(first).toContain('Not checked: whose key that is')
    expect(first).toContain('--key')
    expect(stdout).not.toContain('Nothing was altered')
    expect(stdout).toContain('is in the file itself')
    const { checkpointHash } = JSON.parse(linesOf(archive).at(-2) ?? '')
    expect(stdout).toContain(checkpointHash)
    const json = await runCommand(['verify', await fileOf(archive), '--json'], {})
    expect(JSON.parse(json.stdout)).toMatchObject({ altered: false, faults: [], lastCheckpoint: { checkpointHash } })
  })

  test('takes a key from outside, and refuses one that signed nothing', async () => {
    const own = await fileOf(pemOf(testSigner.publicKey), 'own.pem')
    const { publicKey } = generateKeyPairSync('ed25519')
    const other = await fileOf(publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'other.pem')
    const good = await runCommand(['verify', await fileOf(archive), '--key', other, '--key', own], {})
    expect([good.code, good.stdout]).toEqual([0, expect.stringContaining('which was given')])
    expect(good.stdout).toMatch(/^Nothing was altered in .*: 606 versions of 603 records/)
    const bad = await runCommand(['verify', await fileOf(archive), '--key', other], {})
    expect([bad.code, bad.stdout]).toEqual([1, expect.stringContaining('which is not one of the given keys')])
    expect(
      (await runCommand(['verify', await fileOf(archive), '--key', await fileOf('no key', 'no.pem')], {})).code,
    ).toBe(2)
  })

  test.each([
    [
      'a body that was altered',
      () =>
        withLines((lines) =>
          lines.map((line, i) => (i === secondVersion() ? line.replace('"shipQuantity":7', '"shipQuantity":9') : line)),
        ),
      'version 2 of record .*: It was altered: payload id, findings or body',
    ],
    [
      'the reason of a void that was altered',
      () => archive.replace('"Entered twice"', '"Entered wrong"'),
      'version 4 of record .*: It was altered: void reason, findings or body',
    ],
    [
      'a void that was made an ordinary version',
      () => archive.replace(',"voidReason":"Entered twice"', ''),
      'version 4 of record .*: It was altered: payload id, findings or body',
    ],
    [
      'a version that is missing',
      () => withLines((lines) => lines.toSpliced(secondVersion(), 1)),
      'version 3 of record .*: Version 2 of this record is missing',
    ],
    [
      'a version that was added',
      () => withLines((lines) => lines.toSpliced(secondVersion() + 1, 0, lines[secondVersion()] ?? '')),
      'version 2 of record .*: It was added',
    ],
    [
      'a record that is missing',
      () => withLines((lines) => lines.toSpliced(5, 1)),
      'Checkpoint 1 covers 606 versions, but 605 come before it: some are missing',
    ],
    [
      'two records that were exchanged',
      () => withLines(([a = '', b = '', c = '', d = '', ...rest]) => [a, b, d, c, ...rest]),
      'Checkpoint 1 covers other versions',
    ],
    ['a file that was cut off', () => archive.slice(0, archive.length / 2), 'The archive is cut off'],
    [
      'a line that is no JSON',
      () => withLines((lines) => lines.map((line, i) => (i === 3 ? line.slice(0, -3) : line))),
      'line 4: It is not one JSON object',
    ],
    [
      'something behind the end',
      () => withLines((lines) => [...lines, lines[2] ?? '']),
      'It is after the end of the archive',
    ],
  ])('names %s', async (_what, altered, words) => {
    const file = await fileOf(altered())
    const { code, stdout, stderr } = await runCommand(['verify', file], {})
    expect(code).toBe(1)
    expect(stdout).toMatch(new RegExp(words))
    expect(stderr).toContain('is not what was stored')
  })

  test('tells what is no archive', async () => {
    const { code, stderr } = await runCommand(['verify', await fileOf('{"eventList":{}}\n')], {})
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('is neither an archive nor a mock recall of this program'),
    ])
  })
})

/** What an account has, as lines that do not depend on where it is. */
async function carried(key: string): Promise<string[]> {
  const file = join(folder, 'again.ndjson')
  await runCommand(['export', 'ndjson', '-o', file], { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: key })
  return linesOf(await readFile(file, 'utf8')).slice(1)
}

describe('import of an archive', () => {
  test('brings it into an empty account, and finds it there the second time', async () => {
    const key = await (await service.provider()).key('administrator')
    const env = { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: key }
    const file = await fileOf(archive)
    expect(await runCommand(['import', file, '--dry-run'], env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing was sent'),
    })
    expect(await runCommand(['import', file], env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('606 versions of 603 records imported'),
    })
    expect(await runCommand(['import', file], env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('were stored already'),
    })
    expect(await carried(key)).toEqual(linesOf(archive).slice(1))
  })

  test('sends nothing of one that is cut off or altered, and nothing into an account that is in use', async () => {
    const used = await service.provider()
    await used.call('POST', paths.masterProduct, { body: productPayload() })
    const empty = await service.provider()
    const env = { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: await empty.key('administrator') }
    const cut = await runCommand(['import', await fileOf(archive.slice(0, -200))], env)
    expect([cut.code, cut.stderr]).toEqual([1, expect.stringContaining('Nothing was sent')])
    expect((await empty.call('GET', paths.masterProduct)).body.content).toEqual([])
    const inUse = await runCommand(['import', await fileOf(archive)], {
      ...env,
      LOTKEEPER_KEY: await used.key('administrator'),
    })
    expect([inUse.code, inUse.stderr]).toEqual([
      1,
      expect.stringContaining('holds records that did not come from this archive'),
    ])
    const writer = await runCommand(['import', await fileOf(archive)], {
      ...env,
      LOTKEEPER_KEY: await empty.key('writer'),
    })
    expect([writer.code, writer.stderr]).toEqual([1, expect.stringContaining('administrator')])
  })

  test('continues after a lost response, an outage of the service, and a kill of its own process', async () => {
    const key = await (await service.provider()).key('administrator')
    let puts = 0
    let importing: ChildProcess | undefined
    /**
     * Passes calls on to the service; loses one answer, is away for one call, and sees the command
     * killed at another.
     */
    const between = createServer((incoming, answer) => {
      const n = incoming.method === 'PUT' ? ++puts : 0
      if (n === 3) return answer.destroy()
      const passed = request(
        service.url + incoming.url,
        { method: incoming.method, headers: incoming.headers },
        (outgoing) => {
          if (n === 2 || n === 5) {
            outgoing.resume().once('end', () => {
              if (n === 5) importing?.kill('SIGKILL')
              answer.destroy()
            })
            return
          }
          answer.writeHead(outgoing.statusCode ?? 0, outgoing.headers)
          outgoing.pipe(answer)
        },
      )
      passed.on('error', () => answer.destroy())
      incoming.pipe(passed)
    })
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
    try {
      const file = await fileOf(archive)
      const env = { LOTKEEPER_URL: `http://127.0.0.1:${(between.address() as AddressInfo).port}`, LOTKEEPER_KEY: key }
      const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
      importing = spawn(process.execPath, [program, 'import', file], {
        env: { PATH: process.env.PATH, ...env },
        stdio: 'ignore',
      })
      const killed = await new Promise((resolve) => importing?.once('exit', (_code, signal) => resolve(signal)))
      expect(killed).toBe('SIGKILL')
      expect(await runCommand(['import', file], env)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('imported'),
      })
      expect(await carried(key)).toEqual(linesOf(archive).slice(1))
    } finally {
      between.closeAllConnections()
      between.close()
    }
  })
})

test('a pipe or a device is written into, and not replaced by a file', async () => {
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  async function* parts() {
    yield* ['one ', 'two']
  }
  const [read] = await Promise.all([readFile(path, 'utf8'), writeWholeFile(path, parts())])
  expect(read).toBe('one two')
  expect((await stat(path)).isFIFO()).toBe(true)
  expect(await readdir(folder)).toEqual(['pipe'])
})

test('a file that breaks off leaves nothing, also where it breaks while it is opened', async () => {
  const breaking = async function* (parts: readonly string[]) {
    yield* parts
    throw new Error('The connection broke.')
  }
  // Side by side they wait for each other, so that some break before their file is there.
  for (let n = 0; n < 40; n++) {
    const written = Array.from({ length: 50 }, (_, i) =>
      writeWholeFile(join(folder, `broken-${n}-${i}`), breaking(i % 2 === 0 ? [] : ['the first part'])),
    )
    for (const { status } of await Promise.allSettled(written)) expect(status).toBe('rejected')
  }
  expect((await readdir(folder)).filter((name) => name.startsWith('broken'))).toEqual([])
})
