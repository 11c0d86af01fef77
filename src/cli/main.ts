#!/usr/bin/env node
// The command line: `lotkeeper serve`, `lotkeeper keys …`.
import { cac } from 'cac'
import type { CommandEnd } from './command-end.ts'
import { createKey, listKeys, revokeKey } from './keys.ts'
import { serve } from './serve.ts'

const cli = cac('lotkeeper')
cli
  .command('serve', 'Start the service')
  .example('  DATABASE_URL=postgres://lotkeeper@localhost/lotkeeper lotkeeper serve')
  .action(() => end(serve()))
cli
  .command('keys create', 'Make a key and print it, once')
  .option('--provider <name>', 'Data provider the key speaks for; made if there is none of this name', {
    default: 'default',
  })
  .option('--role <role>', 'writer or reader', { default: 'writer' })
  .option('--label <text>', 'What or whom the key is for')
  .option('--expires <date>', 'Last day of the key, yyyy-MM-dd; never when left out')
  .example('  lotkeeper keys create --provider "Green Valley Farms" --role reader --label "quality office"')
  .action((options) => end(createKey(options)))
cli
  .command('keys list', 'List the keys of all providers')
  .option('--json', 'As JSON')
  .action((options) => end(listKeys(options)))
cli
  .command('keys revoke <keyId>', 'Revoke a key; in effect within two seconds')
  .example('  lotkeeper keys revoke 1f0c6c2b9a7d4e11')
  .action((keyId) => end(revokeKey(String(keyId))))
cli.help()

async function end(command: Promise<CommandEnd>): Promise<void> {
  const problem = (await command)?.problem
  if (problem === undefined) return
  process.stderr.write(`lotkeeper: ${problem}\n`)
  process.exitCode = 1
}

// cac matches only the first word of a command's name; the two words of `keys create` are joined for it.
const [runtime = '', script = '', first, second, ...rest] = process.argv
const words =
  first === 'keys' && second !== undefined && !second.startsWith('-')
    ? [`keys ${second}`, ...rest]
    : [first, second, ...rest]
try {
  cli.parse([runtime, script, ...words.filter((word) => word !== undefined)], { run: false })
  if (cli.matchedCommand !== undefined) await cli.runMatchedCommand()
  else if (cli.options.help !== true) {
    if (cli.args.length > 0) {
      process.stderr.write(`lotkeeper: there is no command "${[first, second].filter(Boolean).join(' ')}".\n\n`)
      process.exitCode = 2
    }
    cli.outputHelp()
  }
} catch (error) {
  // cac reports wrong options by throwing; its messages are for people.
  if (!(error instanceof Error) || error.name !== 'CACError') throw error
  process.stderr.write(`lotkeeper: ${error.message}. See lotkeeper --help.\n`)
  process.exitCode = 2
}
