// The commands for traces, completeness, differences, exports, the traceability plan and units.
import { operations } from '../../operations/catalogue.ts'
import type { CommandDeclaration } from '../base/command.ts'
import { listCommand } from '../base/operation-command.ts'
import { all, json, output, queryOptions, versionOption } from '../base/options.ts'
import { missingText } from './missing-text.ts'

const reportCommands: readonly CommandDeclaration[] = [
  {
    words: 'trace',
    description: 'Trace a lot: who had it, from whom, and what the records leave open',
    arguments: [['<lot code>', 'as on the case, or any GS1 text that contains it']],
    options: [...queryOptions(operations.traceLot.query), output, json],
    examples: ['lotkeeper trace GV26063-A', 'lotkeeper trace GV26063-A --format svg --output lot.svg'],
    call: async () => (await import('./trace.ts')).trace,
  },
  {
    words: 'chain',
    description: 'Follow a lot through transformations, with what is left of each lot at each place',
    arguments: [['<lot code>', 'as on the case, or any GS1 text that contains it']],
    options: [...queryOptions(operations.traceChain.query), output, json],
    examples: [
      'lotkeeper chain GV26062-A',
      'lotkeeper chain FC26063-07 --direction back --least sameSource',
      'lotkeeper chain GV26062-A --format csv --output .',
      'lotkeeper chain GV26062-A --event-start-date 2026-03-01 --tolerance 2',
    ],
    call: async () => (await import('./chain.ts')).chain,
  },
  {
    words: 'food',
    description: 'Follow food from its harvest or cooling, to the lots packed of it and all made of them',
    options: [...queryOptions(operations.traceFood.query), output, json],
    examples: [
      'lotkeeper food --record-id 019a3c1e-0000-7000-8000-000000000000',
      'lotkeeper food --record-id 019a3c1e-0000-7000-8000-000000000000 --format csv',
    ],
    call: async () => (await import('./chain.ts')).food,
  },
  {
    words: 'completeness',
    description: 'Count lines that have every key data element',
    options: [...queryOptions(operations.readCompleteness.query), json],
    examples: [
      'lotkeeper completeness --by dataProviderVendorId',
      'lotkeeper completeness --by kde --event-start-date 2026-03-01',
      'lotkeeper completeness --by kind',
    ],
    call: async () => (await import('./completeness.ts')).completeness,
  },
  listCommand({
    words: 'gaps',
    description: 'List events that lack a key data element, latest first',
    operation: 'listGaps',
    nouns: 'events with gaps',
    columns: [
      { heading: 'id', cell: ({ id }) => id },
      { heading: 'date', cell: ({ eventDate }) => eventDate },
      { heading: 'kind', cell: ({ record }) => record.replace(/Event$/, '') },
      { heading: 'vendor', cell: ({ dataProviderVendorId }) => dataProviderVendorId },
      { heading: 'to', cell: ({ shipToLocationCode }) => shipToLocationCode },
      { heading: 'order', cell: ({ purchaseOrderNumber }) => purchaseOrderNumber ?? '' },
      { heading: 'lines', cell: ({ lines }) => String(lines), right: true },
      { heading: 'complete', cell: ({ completeLines }) => String(completeLines), right: true },
      { heading: 'lacks', cell: ({ gaps }) => missingText(gaps) },
    ],
    examples: ['lotkeeper gaps --data-provider-vendor-id V-1001 --all', 'lotkeeper gaps --kind transformationEvent'],
  }),
  {
    words: 'differences',
    description: 'Compare what was shipped with what was received, and list what does not agree',
    options: [...queryOptions(operations.listDifferences.query), all, output, json],
    examples: [
      'lotkeeper differences --event-start-date 2026-03-01',
      'lotkeeper differences --kind notReceived --all --json',
      'lotkeeper differences --data-provider-vendor-id V-1001 --format csv -o .',
    ],
    call: async () => (await import('./differences.ts')).differences,
  },
]

// Every page is fetched, so there are no options for one.
const { perPage: _size, nextPageToken: _token, ...epcisQuery } = operations.exportEpcis.query

const exportCommands: readonly CommandDeclaration[] = [
  {
    words: 'export',
    description: 'Export events for FDA and trading partners',
    examples: ['lotkeeper export package --event-start-date 2026-03-01 --output .'],
  },
  {
    words: 'export fda',
    description: "Make FDA's electronic sortable spreadsheet",
    options: [...queryOptions(operations.exportFdaSpreadsheet.query), output],
    examples: ['lotkeeper export fda --event-start-date 2026-03-01 -o .'],
    call: async () => (await import('./export.ts')).exportSpreadsheet,
  },
  {
    words: 'export package',
    description: 'Make a ZIP archive of everything FDA asks for',
    options: [...queryOptions(operations.exportFdaPackage.query), output],
    examples: [
      'lotkeeper export package --lot-code GV26063-A --gaps -o lot.zip',
      'lotkeeper export package --lot-code GV26062-A --chain both -o chain.zip',
    ],
    call: async () => (await import('./export.ts')).exportPackage,
  },
  {
    words: 'export ndjson',
    description: 'Make an archive of everything, with its history and proofs',
    options: [output],
    examples: ['lotkeeper export ndjson --output .'],
    call: async () => (await import('./export.ts')).exportArchive,
  },
  {
    words: 'export epcis',
    description: 'Export events of one kind as one EPCIS 2.0 document (JSON-LD)',
    options: [...queryOptions(epcisQuery), output],
    examples: [
      'lotkeeper export epcis --lot-code GV26063-A > lot.jsonld',
      'lotkeeper export epcis --kind transformationEvent > made.jsonld',
    ],
    call: async () => (await import('./export.ts')).exportEpcis,
  },
]

const planCommands: readonly CommandDeclaration[] = [
  {
    words: 'plan',
    description: 'Show and replace the traceability plan (21 CFR 1.1315)',
    examples: ['lotkeeper plan show'],
  },
  {
    words: 'plan show',
    description: 'Show the plan, and what it lacks',
    options: [
      ...queryOptions(operations.readTraceabilityPlan.query),
      versionOption('--version <number>', 'this version of it (default: the one in force)'),
      ['--json', 'print JSON that you can edit and send back with plan set'],
    ],
    examples: ['lotkeeper plan show --on-date 2026-03-04', 'lotkeeper plan show --json > plan.json'],
    call: async () => (await import('./plan.ts')).showPlan,
  },
  {
    words: 'plan set',
    description: 'Replace the plan as a whole; needs an administrator key',
    arguments: [['<file>', 'the plan as JSON, - for stdin']],
    options: [versionOption('--if-match <version>', 'replace only this version'), json],
    examples: ['lotkeeper plan set plan.json'],
    call: async () => (await import('./plan.ts')).setPlan,
  },
  listCommand({
    words: 'plan versions',
    description: 'List its versions, newest first',
    operation: 'listTraceabilityPlanVersions',
    nouns: 'versions',
    columns: [
      { heading: 'version', cell: ({ version }) => String(version) },
      { heading: 'in force from', cell: ({ inForceFrom }) => inForceFrom },
      { heading: 'until', cell: ({ replacedDateTime }) => replacedDateTime ?? '' },
      { heading: 'by', cell: ({ submittedBy, submittedByName }) => submittedByName ?? submittedBy },
    ],
    examples: ['lotkeeper plan versions'],
  }),
]

const unitCommands: readonly CommandDeclaration[] = [
  {
    words: 'unit-conversions',
    description: 'Show and set how much of one unit another is, by item',
    examples: ['lotkeeper unit-conversions get'],
  },
  {
    words: 'unit-conversions get',
    description: 'Show the conversions of each item',
    options: [['--json', 'print JSON that you can edit and send back with unit-conversions set']],
    examples: ['lotkeeper unit-conversions get', 'lotkeeper unit-conversions get --json > units.json'],
    call: async () => (await import('./unit-conversions.ts')).showUnitConversions,
  },
  {
    words: 'unit-conversions set',
    description: 'Set all conversions of the items in a file; needs an administrator key',
    arguments: [['<file>', 'conversions as JSON, - for stdin']],
    options: [json],
    examples: ['lotkeeper unit-conversions set units.json'],
    call: async () => (await import('./unit-conversions.ts')).setUnitConversions,
  },
]

const exemptPlaceCommands: readonly CommandDeclaration[] = [
  {
    words: 'exempt-places',
    description: 'Show and set places to which the rule does not apply (21 CFR 1.1305)',
    examples: ['lotkeeper exempt-places get'],
  },
  {
    words: 'exempt-places get',
    description: 'Show the places, with reason and period',
    options: [['--json', 'print JSON that you can edit and send back with exempt-places set']],
    examples: ['lotkeeper exempt-places get', 'lotkeeper exempt-places get --json > exempt.json'],
    call: async () => (await import('./exempt-places.ts')).showExemptPlaces,
  },
  {
    words: 'exempt-places set',
    description: 'Replace the exemptions of the places in a file; needs an administrator key',
    arguments: [['<file>', 'the body of PUT /exempt-places as JSON, - for stdin']],
    options: [versionOption('--if-match <version>', 'set only if the list has this version'), json],
    examples: ['lotkeeper exempt-places set examples/exempt-places.json'],
    call: async () => (await import('./exempt-places.ts')).setExemptPlaces,
  },
]

const sourceAddressCommands: readonly CommandDeclaration[] = [
  {
    words: 'source-addresses',
    description: 'Show and set web addresses of sources of lot codes (21 CFR 1.1310)',
    examples: ['lotkeeper source-addresses get'],
  },
  {
    words: 'source-addresses get',
    description: 'Show each address and the location that it shows',
    options: [['--json', 'print JSON that you can edit and send back with source-addresses set']],
    examples: ['lotkeeper source-addresses get', 'lotkeeper source-addresses get --json > addresses.json'],
    call: async () => (await import('./source-addresses.ts')).showSourceAddresses,
  },
  {
    words: 'source-addresses set',
    description: 'Open, change and close the addresses in a file; needs an administrator key',
    arguments: [['<file>', 'the body of PUT /source-addresses as JSON, - for stdin']],
    options: [versionOption('--if-match <version>', 'set only if the list has this version'), json],
    examples: ['lotkeeper source-addresses set addresses.json'],
    call: async () => (await import('./source-addresses.ts')).setSourceAddresses,
  },
]

export const traceabilityCommands: readonly CommandDeclaration[] = [
  ...reportCommands,
  ...exportCommands,
  ...planCommands,
  ...unitCommands,
  ...exemptPlaceCommands,
  ...sourceAddressCommands,
]
