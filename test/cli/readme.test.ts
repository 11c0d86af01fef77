// README, as a newcomer follows it: every command in the order printed, on one fresh start.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeOf, textOf } from '../house/tree.ts'

const blocks = [...textOf('README.md').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) =>
  commands.trim(),
)
const [start, ...rest] = blocks
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
}, 120_000)
afterAll(async () => {
  await service?.stop()
  await rm(checkout, { recursive: true, force: true })
})

/** Runs the first block; it does not end by itself. `pasted` is the line that it prints to be pasted. */
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

test('every command of README works in the order printed, on one fresh start', { timeout: 120_000 }, async () => {
  expect(start).toBe('npm start')
  expect(rest).toContain('npm test')
  const commands = walk.map((block) => block.replace(/^export LOTKEEPER_URL=.*$/m, service.pasted))
  expect(commands).toContain(service.pasted)
  const { PATH, HOME } = process.env
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands.join('\necho\n')], {
    cwd: checkout,
    env: { PATH, HOME },
  })
  expect(stdout).toMatch(/^\{"request_ids":\["[^"]+"\]\}$/m)
  expect(stdout).toContain('"removed":[')
  expect(stdout).toMatch(/"version":2,.*"version":1,/)
  expect(stdout).toContain('Loaded 10 records.')
  expect(stdout).toContain('Lot GV26063-A: 7 events, 8 lines')
  expect(existsSync(join(checkout, 'lot.zip'))).toBe(true)
})
