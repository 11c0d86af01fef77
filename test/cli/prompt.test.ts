// What makes the command line pleasant at a prompt: stored keys, and completion in three shells.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { candidatesOf } from '../../src/cli/base/completion.ts'
import { commands, lotkeeperProgram } from '../../src/cli/program.ts'
import { catalogue } from '../../src/operations/catalogue.ts'
import { runCommand } from '../support/servers/server-process.ts'
import { type Service, startService } from '../support/servers/service.ts'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'lotkeeper-prompt-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a profile', () => {
  const home = { XDG_CONFIG_HOME: join(folder, 'config') }
  const file = join(home.XDG_CONFIG_HOME, 'lotkeeper/profiles.json')
  let service: Service
  let key: string

  beforeAll(async () => {
    service = await startService()
    key = await (await service.provider()).key('reader')
  })
  afterAll(() => service?.close())

  const whoIsIt = (env: Record<string, string>, ...options: string[]) =>
    runCommand(['api', 'readOwnKey', ...options], { ...home, ...env })

  test('is not stored for a key that the service does not accept', async () => {
    const { code, stderr } = await runCommand(['login', '--url', service.url], home, `${key.slice(0, -1)}\n`)
    expect([code, existsSync(file)]).toEqual([1, false])
    expect(stderr).toContain('standard input')
  })

  test('is stored from standard input, for its owner alone, and later commands use it', async () => {
    expect((await whoIsIt({})).stderr).toContain('run lotkeeper login once')
    const { code, stderr } = await runCommand(['login', '--url', `${service.url}/`], home, `${key}\n`)
    expect([code, statSync(file).mode & 0o777]).toEqual([0, 0o600])
    expect(stderr).toContain('role reader, is stored as profile default')
    expect(stderr).not.toContain(key)
    const { stdout } = await whoIsIt({})
    expect(JSON.parse(stdout)).toMatchObject({ role: 'reader' })
    const listed = await runCommand(['profiles', '--json'], home)
    expect(JSON.parse(listed.stdout)).toEqual([{ name: 'default', url: service.url, keyId: key.split('_')[1] }])
    expect(listed.stdout).not.toContain(key)
  })

  test('gives its key to no other address, and gives way to a key of the environment', async () => {
    const other = await whoIsIt({ LOTKEEPER_URL: 'http://127.0.0.1:9' })
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('No key is given')])
    const writer = await (await service.provider()).key('writer')
    const own = await whoIsIt({ LOTKEEPER_URL: service.url, LOTKEEPER_KEY: writer })
    expect(JSON.parse(own.stdout)).toMatchObject({ role: 'writer' })
    const named = await whoIsIt({ LOTKEEPER_URL: 'http://127.0.0.1:9', LOTKEEPER_KEY: writer }, '--profile', 'default')
    expect(JSON.parse(named.stdout)).toMatchObject({ role: 'reader' })
    expect((await whoIsIt({}, '--profile', 'test')).stderr).toContain('There is no profile test.')
  })

  test('is not used once others can read it, nor when it is damaged', async () => {
    chmodSync(file, 0o644)
    expect((await whoIsIt({})).stderr).toContain('Run chmod 600 on it.')
    const damaged = { XDG_CONFIG_HOME: join(folder, 'damaged') }
    execFileSync('mkdir', ['-p', join(damaged.XDG_CONFIG_HOME, 'lotkeeper')])
    writeFileSync(join(damaged.XDG_CONFIG_HOME, 'lotkeeper/profiles.json'), '{"default":', { mode: 0o600 })
    expect((await whoIsIt(damaged)).stderr).toContain('is not a file of profiles')
    chmodSync(file, 0o600)
  })

  const hasScript = spawnSync('script', ['--version']).status === 0
  test.skipIf(!hasScript)('asks for the key at a terminal, and does not show it', async () => {
    const line = `"${process.execPath}" "${main}" login --url ${service.url} --profile test`
    const child = spawn('script', ['-qec', line, '/dev/null'], { env: { PATH: process.env.PATH, ...home } })
    let shown = ''
    for await (const part of child.stdout) {
      shown += part
      if (shown.endsWith('(it is not shown): ')) child.stdin.write(`${key}\r`)
      if (shown.includes('profile test')) break
    }
    child.stdin.end()
    if (child.exitCode === null) await once(child, 'exit')
    expect(shown).not.toContain(key.slice(-20))
    expect(JSON.parse((await whoIsIt({}, '--profile', 'test')).stdout)).toMatchObject({ role: 'reader' })
  })

  test('is removed by logout, and the file with the last one', async () => {
    expect((await runCommand(['logout'], home)).stderr).toContain('its key stays valid')
    await runCommand(['logout', '--profile', 'test'], home)
    expect(existsSync(file)).toBe(false)
    expect((await runCommand(['logout'], home)).code).toBe(1)
  })
})

describe('completion', () => {
  const wordsAfter = (...words: string[]) => candidatesOf(lotkeeperProgram(), words).map(([word]) => word)

  test('offers every command where it may be typed', () => {
    for (const { words } of Object.values(commands).flat()) {
      const names = words.split(' ')
      expect(wordsAfter(...names.slice(0, -1), ''), words).toContain(names.at(-1))
    }
  })

  test('offers options, values of options and arguments, and operations', () => {
    expect(wordsAfter('keys', 'create', '--r')).toEqual(['--role'])
    expect(wordsAfter('keys', 'create', '--role', '')).toContain('reader')
    expect(wordsAfter('list', 'events', '--ship-to')).toEqual(['--ship-to-location-code'])
    expect(wordsAfter('completion', '')).toEqual(['bash', 'zsh', 'fish'])
    expect(wordsAfter('api', '')).toEqual(catalogue.map(({ name }) => name))
    expect(wordsAfter('help', 'ser')).toEqual(['serve'])
    // A file comes next: the shell completes it.
    expect(wordsAfter('import', '')).toEqual([])
  })

  // The program under its name, as npm installs it.
  const bin = join(folder, 'bin')
  beforeAll(() => {
    execFileSync('mkdir', ['-p', bin])
    writeFileSync(join(bin, 'lotkeeper'), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, { mode: 0o755 })
  })

  /** What a shell offers after `lotkeeper keys cr`. */
  const programs = {
    bash: [
      '-c',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: of the shell
      'eval "$(lotkeeper completion bash)"; COMP_WORDS=(lotkeeper keys cr); COMP_CWORD=2; _lotkeeper; echo "${COMPREPLY[@]}"',
    ],
    zsh: [
      '-fc',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: of the shell
      'autoload -Uz compinit; compinit -D; eval "$(lotkeeper completion zsh)"; _describe() { print -l "${(@P)2}" }; words=(lotkeeper keys cr); CURRENT=3; _lotkeeper',
    ],
    fish: ['--no-config', '-c', 'lotkeeper completion fish | source; complete -C "lotkeeper keys cr"'],
  }
  test.each(Object.entries(programs))('works in %s, where it is installed', (shell, args) => {
    const env = { PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: folder }
    const { stdout, stderr, error } = spawnSync(shell, args, { encoding: 'utf8', env })
    if (error !== undefined && shell !== 'bash') return
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^create\b/)
    expect(stdout.trim().split('\n')).toHaveLength(1)
  })
})
