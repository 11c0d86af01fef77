// `lotkeeper validate`: what the service would refuse, found without it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventPayload, type Payload, productPayload } from '../support/records/payloads.ts'
import { runCommand } from '../support/servers/server-process.ts'

const examples = fileURLToPath(new URL('../../examples', import.meta.url))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lotkeeper-validate-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const written = async (name: string, text: string): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

const refusedPayload = (): Payload =>
  eventPayload(({ eventList }) => {
    eventList.productList[0].shipQuantity = 'many'
  })

test('payloads that can be sent as they are end with 0, without any service', async () => {
  const files = ['receiving-event.json', 'master-product.json', 'location.json'].map((name) => join(examples, name))
  const { code, stdout, stderr } = await runCommand(['validate', ...files], {})
  expect(code, stderr).toBe(0)
  expect(stdout.match(/ ok: .*no findings/g)).toHaveLength(3)
  expect(stderr).toBe('None of 3 payloads would be refused.\n')
})

test('a finding points at its line and column, with rule and remedy, and ends with 1', async () => {
  const file = await written('event.json', JSON.stringify(refusedPayload(), undefined, 2))
  const { code, stdout, stderr } = await runCommand(['validate', file], {})
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /event\.json:\d+:9 error \/eventList\/productList\/0\/shipQuantity\n {2}.*\n {2}→ .*shape\/type, §2\.5/,
  )
  expect(stdout).toContain('would be refused: receiving event, 1 error')
  expect(stderr).toBe('lotkeeper: 1 of 1 payload would be refused.\n')
})

test('in a file of lines each line is a payload, with its own place; one that is no JSON does not stop the others', async () => {
  const lines = [JSON.stringify(eventPayload()), '', '{"a":}', JSON.stringify(refusedPayload()), '{"b":1}']
  const file = await written('events.ndjson', `${lines.join('\n')}\n`)
  const { code, stdout, stderr } = await runCommand(['validate', file, '--json'], {})
  expect(code).toBe(1)
  const said = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(said).toMatchObject([
    { place: file, refused: false },
    { place: `${file}:3:6`, refused: true, problem: expect.stringContaining('This is not valid JSON. ') },
    {
      place: `${file}:4`,
      refused: true,
      findings: [{ rule: 'shape/type', place: expect.stringMatching(/ndjson:4:\d+$/) }],
    },
    { place: `${file}:5:1`, refused: true },
  ])
  expect(stderr).toContain('3 of 4 payloads')
  const piped = await runCommand(['validate', '-', '--ndjson'], {}, lines.join('\r\n'))
  expect(piped.stderr).toContain('3 of 4 payloads')
})

test('what master data may explain is undecided and refuses nothing', async () => {
  const payload = eventPayload(({ locationMasterList }) => {
    for (const name of ['gln', 'duns', 'address', 'phoneNumber', 'geoLocation']) delete locationMasterList[0][name]
  })
  const file = await written('location.json', JSON.stringify(payload))
  const { code, stdout } = await runCommand(['validate', file], {})
  expect(stdout).toMatch(/undecided \/locationMasterList\/0[\s\S]*undecided: only the service has the master data/)
  expect(code).toBe(0)
})

test('--strict lets warnings refuse; a payload with its id is judged as a replacement', async () => {
  const payload = productPayload(({ productMasterDataList }) => {
    productMasterDataList.gtin = '10614141000416'
  })
  const file = await written('product.json', JSON.stringify({ id: '019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f', ...payload }))
  expect((await runCommand(['validate', file], {})).code).toBe(0)
  const strict = await runCommand(['validate', file, '--strict'], {})
  expect(strict.code).toBe(1)
  expect(strict.stdout).toContain('would be refused: master product, 1 error')
})

test('a number that cannot be kept exactly is a finding, as the service has it', async () => {
  const text = JSON.stringify(eventPayload()).replace(/"shipQuantity":\d+/, '"shipQuantity":1234567890123456789')
  const { code, stdout } = await runCommand(['validate', await written('number.json', text)], {})
  expect(code).toBe(1)
  expect(stdout).toContain('shape/number')
})

test('the date from which lines need a lot number is the one of the service', async () => {
  const payload = eventPayload(({ eventList }) => {
    for (const line of eventList.productList) delete line.caseLotNumber
  })
  const file = await written('lots.json', JSON.stringify(payload))
  expect((await runCommand(['validate', file], {})).code).toBe(1)
  expect((await runCommand(['validate', file], { LOT_NUMBER_REQUIRED_FROM: '2028-07-20' })).code).toBe(0)
  const wrong = await runCommand(['validate', file, '--lot-number-required-from', '2028'], {})
  expect(wrong.code).toBe(2)
})

test('a file that is missing is named, and the others are judged', async () => {
  const { code, stdout } = await runCommand(['validate', 'none.json', join(examples, 'location.json')], {})
  expect(code).toBe(1)
  expect(stdout).toMatch(/none\.json error\n {2}There is no such file\.\n.*location\.json ok/)
  expect((await runCommand(['validate'], {})).code).toBe(2)
})
