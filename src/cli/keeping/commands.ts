// The commands for legal holds and the access log.
import type { LegalHold } from '../../client/generated/shapes.ts'
import type { CommandDeclaration } from '../base/command.ts'
import { callCommand, listCommand } from '../base/operation-command.ts'
import { sampleId } from '../base/options.ts'

export const keepingCommands: readonly CommandDeclaration[] = [
  {
    words: 'holds',
    description: 'List, set and lift legal holds, which keep records from being purged',
    examples: ['lotkeeper holds list --standing'],
  },
  listCommand({
    words: 'holds list',
    description: 'List legal holds, newest first',
    operation: 'listLegalHolds',
    nouns: 'legal holds',
    columns: [
      { heading: 'id', cell: ({ id }) => id },
      { heading: 'set', cell: ({ setDateTime }) => setDateTime.slice(0, 10) },
      { heading: 'lifted', cell: ({ liftedDateTime }) => liftedDateTime?.slice(0, 10) ?? '' },
      { heading: 'holds', cell: conditionWords },
      { heading: 'reason', cell: ({ reason }) => reason },
    ],
    examples: ['lotkeeper holds list --standing'],
  }),
  callCommand({
    words: 'holds set',
    description: 'Set a legal hold and print its id; all conditions must match',
    operation: 'setLegalHold',
    text: ({ id }) => id,
    examples: ['lotkeeper holds set --reason "Recall 2026-014" --lot-code GV26063-A'],
  }),
  callCommand({
    words: 'holds lift',
    description: 'Lift a legal hold',
    operation: 'liftLegalHold',
    arguments: { id: 'as `holds list` shows it' },
    text: ({ id, liftedDateTime }) => `Legal hold ${id} was lifted on ${liftedDateTime}.`,
    examples: [`lotkeeper holds lift ${sampleId}`],
  }),
  listCommand({
    words: 'access-log',
    description: 'List exports, purges, and changes of keys and legal holds',
    operation: 'listAccessLog',
    nouns: 'entries',
    columns: [
      { heading: 'when', cell: ({ beganDateTime }) => `${beganDateTime.slice(0, 19)}Z` },
      { heading: 'who', cell: ({ keyName, who }) => keyName ?? who },
      { heading: 'operation', cell: ({ operation }) => operation },
      { heading: 'ended', cell: ({ ending }) => ending },
      { heading: 'records', cell: ({ records }) => records?.toLocaleString('en') ?? '', right: true },
      { heading: 'bytes', cell: ({ bytes }) => bytes?.toLocaleString('en') ?? '', right: true },
      {
        heading: 'asked',
        cell: ({ asked }) =>
          Object.entries(asked)
            .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
            .join(' '),
      },
    ],
    examples: ['lotkeeper access-log --operation exportFdaPackage'],
  }),
]

function conditionWords(hold: LegalHold): string {
  const { recordId, lotCode, dataProviderVendorId, eventStartDate, eventEndDate } = hold
  const words = [
    recordId && `record ${recordId}`,
    lotCode && `lot ${lotCode}`,
    dataProviderVendorId && `vendor ${dataProviderVendorId}`,
    eventStartDate && `from ${eventStartDate}`,
    eventEndDate && `to ${eventEndDate}`,
  ].filter(Boolean)
  return words.length === 0 ? 'everything' : words.join(', ')
}
