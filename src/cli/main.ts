#!/usr/bin/env node
// The command line: `lotkeeper serve`, `keys`, `import`, `template`. Exit code 1 when a command could not do its work, 2 when it was called wrongly.
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { roles } from '../contract/role.ts'
import { version } from '../contract/version.ts'
import type { CommandEnd } from './command-end.ts'
import { importFiles } from './import.ts'
import { createKey, listKeys, revokeKey } from './keys.ts'
import { serve } from './serve.ts'
import { writeTemplate } from './template.ts'

async function end(command: Promise<CommandEnd>): Promise<void> {
  const problem = (await command)?.problem
  if (problem === undefined) return
  process.stderr.write(`lotkeeper: ${problem}\n`)
  process.exitCode = 1
}

const example = (...lines: string[]): string => `\nExample:\n${lines.map((line) => `  ${line}\n`).join('')}`

const append = (value: string, before: readonly string[]): readonly string[] => [...before, value]

/** Reads an option, or says what it has to be. */
const formed = (form: RegExp, has: string) => (value: string) => {
  if (!form.test(value)) throw new InvalidArgumentError(has)
  return value
}
const offset = formed(/^(Z|[+-](0\d|1[0-4]):00)$/, 'It has to be Z, or whole hours such as -08:00.')
const timeOfDay = formed(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/, 'It has to be a time such as 12:00:00.')
const date = formed(/^\d{4}-\d\d-\d\d$/, 'It has to be a date, yyyy-MM-dd.')
const parallel = (value: string) => Number(formed(/^([1-9]\d?|[1-4]\d\d)$/, 'It has to be 1 to 499.')(value))

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

program
  .command('import')
  .description('Import files of receiving events, products and locations: NDJSON, CSV or XLSX')
  .argument('<files...>', 'recognised by what is in them')
  .addOption(
    new Option('--url <address>', 'address of the service').env('LOTKEEPER_URL').default('http://127.0.0.1:3000'),
  )
  .addOption(new Option('--key <key>', 'key of a writer; better in the environment').env('LOTKEEPER_KEY'))
  .addOption(
    new Option('--dry-run [where]', 'judge and store nothing: here, or by the service').choices(['here', 'service']),
  )
  .option('--replace', 'replace records that are there already (default: list what would change)', false)
  .option('--mapping <file>', 'which heading is which column, as JSON; a suggestion is written when there is none')
  .option('--set <column=value>', 'value for a column that is missing or blank; may be repeated', append, [])
  .addOption(new Option('--dates <order>', 'how 03/04/2026 is read').choices(['mdy', 'dmy']).default('mdy'))
  .addOption(
    new Option('--utc-offset <offset>', 'offset of the receiver for times without one, e.g. -08:00 or Z').argParser(
      offset,
    ),
  )
  .addOption(
    new Option('--time <HH:mm:ss>', 'time of day for events with a date only').default('12:00:00').argParser(timeOfDay),
  )
  .option('--restore-zeros', 'put back zeros a spreadsheet took from codes, where the check digit proves them', false)
  .addOption(
    new Option('--lot-number-required-from <date>', 'as the service has it, to judge lines here')
      .env('LOT_NUMBER_REQUIRED_FROM')
      .default('2026-01-01')
      .argParser(date),
  )
  .addOption(new Option('--parallel <n>', 'most calls in flight').default(64).argParser(parallel))
  .addHelpText(
    'after',
    example(
      'lotkeeper import events.xlsx --dry-run',
      'lotkeeper import receiving.csv --set dataProviderVendorId=V-1001 --utc-offset -08:00',
    ),
  )
  .action((files: string[], options) => end(importFiles(files, options)))

program
  .command('template')
  .description('Write the template for import, to be filled in')
  .argument('<file>', 'events.xlsx or events.csv')
  .addHelpText('after', example('lotkeeper template events.xlsx'))
  .action((file: string) => end(writeTemplate(file)))

try {
  await program.parseAsync()
} catch (error) {
  // Thrown after the message was written, also for --help and for a command group without a command.
  if (!(error instanceof CommanderError)) throw error
  process.exitCode = error.exitCode === 0 || error.code === 'commander.help' ? 0 : 2
}
