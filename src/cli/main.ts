#!/usr/bin/env node
// The command line: `lotkeeper serve`, `lotkeeper keys …`. Exit code 1 when a command could not do its work, 2 when it was called wrongly.
import { Command, CommanderError, Option } from 'commander'
import { roles } from '../contract/role.ts'
import { version } from '../contract/version.ts'
import type { CommandEnd } from './command-end.ts'
import { createKey, listKeys, revokeKey } from './keys.ts'
import { serve } from './serve.ts'

async function end(command: Promise<CommandEnd>): Promise<void> {
  const problem = (await command)?.problem
  if (problem === undefined) return
  process.stderr.write(`lotkeeper: ${problem}\n`)
  process.exitCode = 1
}

const example = (...lines: string[]): string => `\nExample:\n${lines.map((line) => `  ${line}\n`).join('')}`

const program = new Command('lotkeeper')
  .description('Keeps, replaces and hands over food-traceability records (FSMA 204).')
  .version(version)
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(`lotkeeper: ${text.replace(/^error: /, '')}`) })
  .addHelpText(
    'after',
    '\nWhere the database is, and every other setting, comes from the environment: see README.md, Configuration.',
  )

program
  .command('serve')
  .description('Start the service')
  .addHelpText('after', example('DATABASE_URL=postgres://lotkeeper@localhost/lotkeeper lotkeeper serve'))
  .action(() => end(serve()))

const keys = program.command('keys').description('Make, list and revoke keys; also beside a running server')
keys
  .command('create')
  .description('Make a key and print it, once')
  .option('--provider <name>', 'data provider the key speaks for; made if there is none of this name', 'default')
  .addOption(new Option('--role <role>', 'what the key may do').choices(roles).default('writer'))
  .option('--label <text>', 'what or whom the key is for', '')
  .option('--expires <date>', 'last day of the key, yyyy-MM-dd in UTC (default: never)')
  .addHelpText(
    'after',
    example('lotkeeper keys create --provider "Green Valley Farms" --role reader --label "quality office"'),
  )
  .action((options) => end(createKey(options)))
keys
  .command('list')
  .description('List the keys of all providers')
  .option('--json', 'as JSON', false)
  .addHelpText('after', example('lotkeeper keys list --json'))
  .action((options) => end(listKeys(options)))
keys
  .command('revoke')
  .description('Revoke a key; servers refuse it within two seconds')
  .argument('<key id>', 'as `keys list` shows it; the whole key is taken too')
  .addHelpText('after', example('lotkeeper keys revoke 1f0c6c2b9a7d4e11'))
  .action((keyId: string) => end(revokeKey(keyId)))

try {
  await program.parseAsync()
} catch (error) {
  // Thrown after the message was written, also for --help and for a command group without a command.
  if (!(error instanceof CommanderError)) throw error
  process.exitCode = error.exitCode === 0 || error.code === 'commander.help' ? 0 : 2
}
