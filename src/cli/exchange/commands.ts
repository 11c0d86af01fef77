// The commands for files of other programs and for evidence.
import { InvalidArgumentError, Option } from 'commander'
import { findTimeZone } from '../../intake/local-time.ts'
import type { CommandDeclaration } from '../base/command.ts'
import { eventKindWords } from '../base/kinds.ts'
import { json, jsonLines, lotNumberOption, matching, repeatedOption } from '../base/options.ts'

const callCount = matching(/^([1-9]\d?|[1-4]\d\d)$/, 'It must be 1 to 499.')
const offset = matching(/^(Z|[+-](0\d|1[0-4]):00)$/, 'It must be Z, or whole hours such as -08:00.')
const timeOfDay = matching(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/, 'It must be a time such as 12:00:00.')

function timeZone(value: string): string {
  const zone = findTimeZone(value)
  if (zone === undefined) throw new InvalidArgumentError('It must be a time zone such as America/New_York.')
  return zone
}

const importOptions: CommandDeclaration['options'] = [
  new Option(
    '--dry-run [where]',
    'validate without storing: here, or in the service, which knows what is stored (default: service with a key)',
  ).choices(['here', 'service']),
  ['--replace', 'replace stored records (default: list what would change)', false],
  ['--yes', 'with --replace: remove product lines that the file lacks, without asking', false],
  ['--mapping <file>', 'which heading is which column, as JSON (default: suggest one)'],
  repeatedOption('--set <column=value>', 'value for a missing or blank column; may be repeated'),
  new Option('--dates <order>', 'how 03/04/2026 is read').choices(['mdy', 'dmy']).default('mdy'),
  new Option('--utc-offset <offset>', 'offset of times that have none: -08:00 or Z').argParser(offset),
  new Option(
    '--time-zone <zone>',
    'time zone of times without an offset, e.g. America/New_York; each date has its own offset',
  )
    .conflicts('utcOffset')
    .argParser(timeZone),
  repeatedOption('--sheet <name>', 'sheet to read, hidden or not; may be repeated (default: all visible sheets)'),
  new Option('--time <HH:mm:ss>', 'time of day for events with a date only').default('12:00:00').argParser(timeOfDay),
  ['--restore-zeros', 'restore leading zeros that a spreadsheet removed from codes', false],
  ['--no-complete', 'do not complete codes of a sheet from stored locations and products'],
  new Option(
    '--kind <kind>',
    'kind of events to import (default: what each sheet says; receiving where nothing does)',
  ).choices(eventKindWords),
  // Only a dry run without a service needs it; an import reads the setting of the service.
  lotNumberOption(' (default: the date of the service)'),
  new Option('--parallel <n>', 'maximum number of calls at once')
    .default(64)
    .argParser((value) => Number(callCount(value))),
  jsonLines,
]

export const fileCommands: readonly CommandDeclaration[] = [
  {
    words: 'import',
    description: 'Import files of receiving and shipping events, products and locations',
    arguments: [
      [
        '<files...>',
        'NDJSON, CSV or XLSX, an archive, ship notices (X12 856), or an EPCIS document, recognised by what is in them',
      ],
    ],
    options: importOptions,
    examples: [
      'lotkeeper import events.xlsx --dry-run',
      'lotkeeper import received.csv --set dataProviderVendorId=V-1001',
      'lotkeeper import shipped.csv --kind shipping-event',
    ],
    call: async () => (await import('./import.ts')).importFiles,
  },
  {
    words: 'template',
    description: 'Write an import template to fill in',
    arguments: [['<file>', 'events.xlsx or events.csv']],
    options: [
      new Option('--kind <kind>', 'kind of the events (default: both in XLSX, event in CSV)').choices(eventKindWords),
    ],
    examples: ['lotkeeper template events.xlsx', 'lotkeeper template shipped.csv --kind shipping-event'],
    run: async () => (await import('./template.ts')).writeTemplate,
  },
]

export const evidenceCommands: readonly CommandDeclaration[] = [
  {
    words: 'verify',
    description: 'Check that an archive or a mock recall was not altered, without the service',
    arguments: [['<file>', 'as `lotkeeper export ndjson` makes it, or the saved report of a mock recall']],
    options: [repeatedOption('--key <file>', 'public key that must have signed it, as PEM; may be repeated'), json],
    examples: ['lotkeeper verify archive-2026-03-04.ndjson --key signing-key.pub.pem'],
    run: async () => (await import('./verify.ts')).verify,
  },
]

export const demoCommands: readonly CommandDeclaration[] = [
  {
    words: 'demo',
    description: 'Load the examples into the service when a key is given, else into a new database',
    examples: ['DATA_DIR=./demo-data lotkeeper demo', 'LOTKEEPER_KEY=lk_… lotkeeper demo'],
    call: async () => (await import('./demo.ts')).demo,
  },
]
