// README, tutorials and guides, as a newcomer follows them: every command in the order
// printed, on one fresh start.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { access, constants, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeOf, textOf } from '../house/tree.ts'

const blocksOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) => commands.trim())

const [start, ...rest] = blocksOf('README.md')
/** These run the tests; everything else is the walk. */
const walk = rest.filter((commands) => commands !== 'npm test')

/** A checkout without data: the files of this one, in a folder of their own. */
let checkout: string
let service: { readonly pasted: string; stop(): Promise<void> }
beforeAll(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'lotkeeper-readme-'))
  const files = (await readdir(placeOf(''))).filter((name) => name !== 'data' && name !== '.git')
  for (const name of files) await symlink(placeOf(name), join(checkout, name))
  service = await startAsPrinted()
})
afterAll(async () => {
  await service?.stop()
  await rm(checkout, { recursive: true, force: true })
})

/**
 * Runs the first block; it does not end by itself. `pasted` is the line that it prints to be
 * pasted.
 */
async function startAsPrinted(): Promise<typeof service> {
  const { PATH, HOME } = process.env
  const child = spawn('bash', ['-euc', `exec ${start}`], {
    cwd: checkout,
    env: { PATH, HOME, PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const ended = once(child, 'close')
  let output = ''
  const pasted = await new Promise<string>((resolve, reject) => {
    const read = (chunk: unknown) => {
      output += chunk
      const [line] = /^ *export LOTKEEPER_URL=\S+ LOTKEEPER_KEY=\S+$/m.exec(output) ?? []
      if (line !== undefined) resolve(line)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`${start} ended with ${code}:\n${output}`)))
  })
  return {
    pasted,
    stop: async () => {
      process.kill(-(child.pid ?? Number.NaN), 'SIGTERM')
      await ended
    },
  }
}

/**
 * Runs blocks in one shell, as they are pasted into a terminal; throws when a command of them
 * fails.
 */
async function outputOf(commands: readonly string[]): Promise<string> {
  const { PATH, HOME } = process.env
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands.join('\necho\n')], {
    cwd: checkout,
    env: { PATH, HOME },
  })
  return stdout
}

/** The line that makes an account of its own that of the commands after it. */
async function accountOf(provider: string): Promise<string> {
  const [address = ''] = /LOTKEEPER_URL=\S+/.exec(service.pasted) ?? []
  const key = await outputOf([
    `export ${address}; npx lotkeeper keys create --provider ${provider} --role administrator`,
  ])
  return `export ${address} LOTKEEPER_KEY=${key.trim()}`
}

test('every command of README works in the order printed, on one fresh start', async () => {
  expect(start).toBe('npm start')
  expect(rest).toContain('npm test')
  const commands = walk.map((block) => block.replace(/^export LOTKEEPER_URL=.*$/m, service.pasted))
  expect(commands).toContain(service.pasted)
  const stdout = await outputOf(commands)
  expect(stdout).toContain('Loaded 22 records.')
  expect(stdout).toContain('Lot GV26063-A: 8 events, 9 lines')
  expect(stdout).toContain('Lot GV26063-A: 1 lot made of it, by 2 events')
  expect(stdout).toContain('Lot BFC26064-1: 3 lots in it, by 6 events')
  expect(existsSync(join(checkout, 'lot.zip'))).toBe(true)
})

test('every call of the tutorial of the integrator is answered as it says', async () => {
  const [first, ...calls] = blocksOf('docs/tutorials/integrator.md')
  expect(first).toBe(start)
  const commands = calls.map((block) => block.replace(/^export LOTKEEPER_URL=.*$/m, service.pasted))
  const answers = await outputOf(commands)
  expect(answers).toMatch(/^\{"request_ids":\["[^"]+"\]\}$/m)
  expect(answers).toMatch(/"status":422,.*"findings":\[/)
  expect(answers).toContain('"removed":[')
  expect(answers).toMatch(/"version":2,.*"version":1,/)
})

test('every command of the tutorial of the operator answers as it says', async () => {
  const [first, ...commands] = blocksOf('docs/tutorials/operator.md')
  expect(first).toBe(start)
  const account = await accountOf('Operator')
  const answers = await outputOf(commands.map((block) => block.replace(/^export LOTKEEPER_URL=.*$/m, account)))
  expect(answers).toContain('{"status":"ready"}')
  expect(answers).toContain('first key of the team')
  expect(answers).toContain('tutorial-backup.tar.gz is complete')
  expect(answers).toContain('Consistent in itself')
})

test('every command of the guides for growers and processors answers as they say', async () => {
  const account = await accountOf('Grower')
  const answers = await outputOf([account, ...blocksOf('docs/guides/grower-packer.md')])
  expect(answers).toContain('2 created; 2 harvesting events with 3 product lines.')
  expect(answers).toContain('The line lacks the name of the field or other growing area.')
  expect(answers).toMatch(/^F1 .*harvested .*Green Valley Farm 2 +Field 7 +48 bin +48 bin$/m)
  const later = await outputOf([account, ...blocksOf('docs/guides/processor.md')])
  expect(later).toContain('2 created; 2 transformation events with 2 product lines.')
  expect(later).toMatch(
    /gap \/eventList\/ingredientList\/0\/caseLotNumber\n {2}The line has no traceability lot code\./,
  )
  expect(later).toContain('Lot GV26068-A: 1 lot made of it, by 1 event')
  expect(later).toContain('45 case of the lot GV26068-B of Green Valley Packing went out, but 40 case came in')
  expect(later).toContain('Lot BFC26069-1: 2 lots in it, by 4 events')
  for (const file of ['grower.zip', 'processor.zip']) expect(existsSync(join(checkout, file))).toBe(true)
})

test('the chain of the examples answers as its page says, and again when it is run again', async () => {
  const walked = `${await accountOf('Chain')}\nsh examples/chain.sh walked`
  const page = textOf('examples/README.md')
  const said = [...page.matchAll(/^```text\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
  expect(said).toHaveLength(2)
  const [first, second] = [await outputOf([walked]), await outputOf([walked])]
  for (const text of said) expect(first).toContain(text)
  expect(first.match(/: stored$/gm)).toHaveLength(19)
  expect(second.match(/: is there already$/gm)).toHaveLength(19)
  const withoutFirst = (text: string) => text.slice(text.indexOf('\n=='))
  expect(withoutFirst(second)).toBe(withoutFirst(first))
  for (const file of ['fda-spreadsheet.xlsx', 'fda-package.zip', 'lot-GV26063-A.svg'])
    expect(existsSync(join(checkout, 'walked', file))).toBe(true)
})

test('every call of the guide of the integrator is answered as it says', async () => {
  const [, address = ''] = /LOTKEEPER_URL=(\S+)/.exec(service.pasted) ?? []
  const commands = blocksOf('docs/guides/integrator.md').map((block) => block.replace('http://127.0.0.1:3000', address))
  const answers = await outputOf(commands)
  expect(answers).toMatch(/^\{"request_ids":\["[^"]+"\],.*"findingCount":/m)
  expect(answers).toMatch(/"status":422,.*"findings":\[/)
  expect(answers).toMatch(/^etag: "1"/im)
  expect(answers).toMatch(/"removed":\[/)
  expect(answers).toMatch(/"locationCode":"DC-07"/)
  expect(answers).toMatch(/"nextCursor":/)
  expect(answers).toMatch(/"type":"\w+\.created",.*"nextPosition":/)
  expect(answers).toMatch(/\{"content":\[\],"nextPosition":"[^"]+"\}/)
  expect(answers).toMatch(/"eventStartDate":"2026-03-01"/)
  expect(answers).toMatch(/"places":\[/)
  expect(answers).not.toMatch(/"status":(4(?!22)|5)/)
  expect(existsSync(join(checkout, 'fda-package.zip'))).toBe(true)
})

test('a build leaves the command executable: npx, which links to it once, would not find another one so', async () => {
  await expect(access(join(checkout, 'dist/cli/main.js'), constants.X_OK)).resolves.toBeUndefined()
})
