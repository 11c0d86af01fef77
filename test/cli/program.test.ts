// The program as a whole: help, and its habits on a terminal and off it.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { commands, lotkeeperProgram } from '../../src/cli/program.ts'
import type { QueryParameter } from '../../src/operations/base/query.ts'
import { operations } from '../../src/operations/catalogue.ts'
import { runCommand } from '../support/servers/server-process.ts'

const under = (command: Command, words: readonly string[] = []): { command: Command; words: readonly string[] }[] => [
  { command, words },
  ...command.commands.flatMap((inner) => under(inner, [...words, inner.name()])),
]

const declarations = Object.values(commands).flat()
const all = under(lotkeeperProgram())
const leaves = all.filter(({ words }) => words.length > 0)

/** The help as it is printed, what stands below the options included. */
function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (more) => (text += more), getOutHelpWidth: () => 80 })
  command.outputHelp()
  return text
}

describe('help', () => {
  test('the test sees the commands', () => {
    expect(leaves.map(({ words }) => words.join(' '))).toEqual(
      expect.arrayContaining(['serve', 'keys create', 'get', 'list events', 'diff', 'validate', 'doctor']),
    )
  })

  test.each(leaves)(
    'of $words fits 80 columns and has an example that begins with the command',
    ({ command, words }) => {
      const { examples = [] } = declarations.find((one) => one.words === words.join(' ')) ?? {}
      const help = helpOf(command)
      expect(help.split('\n').filter((line) => line.length > 80)).toEqual([])
      expect(help).toContain('\nExample:\n')
      expect(examples.length).toBeGreaterThan(0)
      for (const line of examples) expect(line).toContain(`lotkeeper ${words.join(' ')}`)
    },
  )

  test('of the program fits 80 columns, and says exit codes and variables', () => {
    const [first] = all
    const help = first === undefined ? '' : helpOf(first.command)
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(help).toMatch(/LOTKEEPER_URL[\s\S]*LOTKEEPER_KEY[\s\S]*0 success, 1 failure, 2 wrong usage/)
  })

  test('of a group lists its own commands alone', () => {
    const groups = leaves.filter(({ command }) => command.commands.length > 0)
    expect(groups.length).toBeGreaterThan(0)
    for (const { command, words } of groups) {
      const [, listed = ''] = helpOf(command).split('\nCommands:\n')
      const names = [...(listed.split('\nExample:')[0] ?? '').matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name)
      expect(names, words.join(' ')).toEqual(command.commands.map((one) => one.name()))
    }
  })

  test('every filter of a list is an option, with the meaning that the operation gives it', () => {
    const lists = { events: 'listReceivingEvents', products: 'listMasterProducts', locations: 'listLocations' } as const
    for (const [word, name] of Object.entries(lists)) {
      const { command } = leaves.find(({ words }) => words.join(' ') === `list ${word}`) ?? {}
      for (const [parameter, { meaning, many }] of Object.entries<QueryParameter>(operations[name].query)) {
        const option = command?.options.find((one) => one.attributeName() === parameter)
        expect(option?.description, `${word} ${parameter}`).toBe(
          `${meaning.replace(/^When `true`, /, '')}${many ? ' May be repeated.' : ''}`,
        )
      }
    }
  })
})

test('--version prints the version; a command may have its own option of that name', async () => {
  expect((await runCommand(['--version'], {})).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

/** `script` of util-linux runs a command on a terminal of its own. */
const hasScript = process.platform === 'linux' && existsSync('/usr/bin/script')

test.skipIf(!hasScript)('colours are for a terminal, and not with NO_COLOR', async () => {
  const program = new URL('../../dist/cli/main.js', import.meta.url).pathname
  const onTerminal = (env: Record<string, string>): Promise<string> =>
    new Promise((resolve) => {
      const command = `"${process.execPath}" "${program}" validate none.json`
      const options = { env: { PATH: process.env.PATH, TERM: 'xterm-256color', ...env } }
      execFile('/usr/bin/script', ['-qec', command, '/dev/null'], options, (_error, stdout) => resolve(stdout))
    })
  expect(await onTerminal({})).toContain('\u001b[31merror')
  expect(await onTerminal({ NO_COLOR: '1' })).toMatch(/none\.json error\r\n/)
  expect((await runCommand(['validate', 'none.json'], { TERM: 'xterm-256color' })).stdout).toMatch(/none\.json error\n/)
})

test('a reader that has seen enough ends the command without a word', async () => {
  const program = new URL('../../dist/cli/main.js', import.meta.url).pathname
  // More than a pipe holds, or the command would not meet a reader who has left.
  const lines = '{}\n'.repeat(2_000)
  const { code, stdout, stderr } = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const command = `"${process.execPath}" "${program}" validate --ndjson --json - | head -c 1`
    const shell = execFile('bash', ['-c', `set -o pipefail; ${command}`], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
    shell.stdin?.end(lines)
  })
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '{', stderr: '' })
})
