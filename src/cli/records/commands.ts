// The commands for records and their payloads.
import { Option } from 'commander'
import { lotNumberRequiredFromDefault } from '../../contract/product-line.ts'
import type { CommandDeclaration } from '../base/command.ts'
import { listCommand } from '../base/operation-command.ts'
import {
  eventKindOption,
  json,
  jsonLines,
  kindOption,
  lotNumberOption,
  requiredOption,
  sampleId,
  versionArgument,
  versionOption,
} from '../base/options.ts'
import { listCommands } from './lists.ts'

const id = ['<id>', 'id of the record'] as const
const file = ['<file>', 'the payload as JSON, - for stdin'] as const
const dryRun = ['--dry-run', 'validate without storing (dry run)'] as const
const strict = ['--strict', 'treat warnings as errors'] as const

export const recordCommands: readonly CommandDeclaration[] = [
  {
    words: 'get',
    description: 'Read a record, or one version of it',
    arguments: [id],
    options: [
      kindOption,
      versionOption('--version <number>', 'this version of it (default: the current one)'),
      ['--json', 'print JSON that you can edit and send back with put'],
    ],
    examples: [`lotkeeper get ${sampleId}`, `lotkeeper get ${sampleId} --json > event.json`],
    call: async () => (await import('./get.ts')).get,
  },
  ...listCommands,
  {
    words: 'versions',
    description: 'List the versions of a record, newest first',
    arguments: [id],
    options: [kindOption, jsonLines],
    examples: [`lotkeeper versions ${sampleId}`],
    call: async () => (await import('./versions.ts')).versions,
  },
  {
    words: 'diff',
    description: 'Show what changed between two versions of a record',
    arguments: [
      id,
      versionArgument('[from]', 'a version (default: the one before the last)'),
      versionArgument('[to]', 'a version (default: the last)'),
    ],
    options: [kindOption, json],
    examples: [`lotkeeper diff ${sampleId}`, `lotkeeper diff ${sampleId} 1 3`],
    call: async () => (await import('./diff.ts')).diff,
  },
  {
    words: 'findings',
    description: 'Show the gaps and warnings of a record, and what to do about them',
    arguments: [id],
    options: [
      kindOption,
      versionOption('--version <number>', 'a version of it (default: the last)'),
      new Option('--judged <when>', "as judged when it was submitted, or with today's master data").choices([
        'then',
        'now',
      ]),
      json,
    ],
    examples: [`lotkeeper findings ${sampleId}`, `lotkeeper findings ${sampleId} --judged now`],
    call: async () => (await import('./record-findings.ts')).recordFindings,
  },
]

export const payloadCommands: readonly CommandDeclaration[] = [
  {
    words: 'create',
    description: 'Create the records of a payload, all or none; prints their ids',
    arguments: [file],
    options: [
      dryRun,
      strict,
      eventKindOption,
      ['--idempotency-key <text>', 'makes the command safe to repeat (default: a new key each time)'],
      json,
    ],
    examples: [
      'lotkeeper create examples/receiving-event.json',
      'lotkeeper create examples/shipping-event.json --kind shipping-event',
    ],
    call: async () => (await import('./write.ts')).create,
  },
  {
    words: 'put',
    description: 'Replace a record as a whole; fields that the payload lacks are removed',
    arguments: [id, file],
    options: [
      dryRun,
      strict,
      eventKindOption,
      versionOption('--if-match <version>', 'replace only this version'),
      ['--reason <text>', 'why it is replaced; its history shows it'],
      json,
    ],
    examples: [
      `lotkeeper put ${sampleId} event.json --dry-run`,
      `lotkeeper put ${sampleId} event.json --reason misread`,
    ],
    call: async () => (await import('./write.ts')).put,
  },
  {
    words: 'void',
    description: 'Void an event that was entered by mistake; it stays stored, and put brings it back',
    arguments: [id],
    options: [
      requiredOption('--reason <text>', 'why it was entered by mistake'),
      dryRun,
      versionOption('--if-match <version>', 'void only this version'),
      json,
    ],
    examples: [`lotkeeper void ${sampleId} --reason "Entered twice"`],
    call: async () => (await import('./write.ts')).voidEvent,
  },
  {
    words: 'validate',
    description: 'Validate payloads without the service',
    arguments: [['<files...>', 'payloads as JSON, - for stdin; one per line in .ndjson and .jsonl']],
    options: [
      strict,
      eventKindOption,
      ['--ndjson', 'read one payload per line, whatever the file name'],
      lotNumberOption().default(lotNumberRequiredFromDefault),
      jsonLines,
    ],
    examples: ['lotkeeper validate examples/*.json', 'lotkeeper validate events.ndjson --json'],
    run: async () => (await import('./validate.ts')).validate,
  },
]

const locationCode = [
  '<location-code>',
  'location at which goods are received, or from which they are shipped',
] as const
const vendor = ['--data-provider-vendor-id <text>', 'vendor whose location it is (default: every vendor)'] as const

export const timeZoneCommands: readonly CommandDeclaration[] = [
  {
    words: 'time-zones',
    description: 'List and set the time zones of locations: the date received or shipped is the date there',
    examples: ['lotkeeper time-zones set DC-07 America/New_York'],
  },
  listCommand({
    words: 'time-zones list',
    description: 'List the time zones that are set',
    operation: 'listTimeZones',
    nouns: 'time zones',
    columns: [
      { heading: 'location', cell: ({ locationCode }) => locationCode },
      { heading: 'vendor', cell: ({ dataProviderVendorId }) => dataProviderVendorId ?? 'all' },
      { heading: 'time zone', cell: ({ timeZone }) => timeZone },
      { heading: 'set', cell: ({ setDateTime }) => setDateTime.slice(0, 10) },
    ],
    examples: ['lotkeeper time-zones list --all'],
  }),
  {
    words: 'time-zones set',
    description: 'Set the time zone of a location',
    arguments: [locationCode, ['<time-zone>', 'name in the IANA time zone database']],
    options: [vendor],
    examples: ['lotkeeper time-zones set DC-07 America/New_York'],
    call: async () => (await import('./time-zones.ts')).setTimeZone,
  },
  {
    words: 'time-zones remove',
    description: 'Remove the time zone of a location',
    arguments: [locationCode],
    options: [vendor],
    examples: ['lotkeeper time-zones remove DC-07'],
    call: async () => (await import('./time-zones.ts')).removeTimeZone,
  },
  {
    words: 'time-zones import',
    description: 'Set the time zones in a CSV file',
    arguments: [['<file>', 'columns locationCode, timeZone, dataProviderVendorId']],
    examples: ['lotkeeper time-zones import zones.csv'],
    call: async () => (await import('./time-zones.ts')).setTimeZonesOf,
  },
]
