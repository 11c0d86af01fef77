// The commands for partners, who see the events that concern them.
import type { CommandDeclaration } from '../base/command.ts'
import { callCommand, listCommand } from '../base/operation-command.ts'
import { json, sampleId } from '../base/options.ts'
import { placeColumns } from './place-columns.ts'

const partnerId = 'as `partners list` shows it'
const file = ['<file>', 'name, places and grants as JSON; - for stdin'] as const
const dryRun = ['--dry-run', 'say what the partner would see, and store nothing'] as const

export const sharingCommands: readonly CommandDeclaration[] = [
  {
    words: 'partners',
    description: 'Share receiving events with customers and vendors, and see what they read',
    examples: ['lotkeeper partners list'],
  },
  listCommand({
    words: 'partners list',
    description: 'List partners',
    operation: 'listPartners',
    nouns: 'partners',
    columns: [
      { heading: 'id', cell: ({ id }) => id },
      { heading: 'name', cell: ({ name }) => name },
      { heading: 'state', cell: ({ state }) => state },
      { heading: 'places', cell: ({ places }) => String(places.length), right: true },
      { heading: 'grants', cell: ({ grants }) => String(grants.length), right: true },
      { heading: 'events', cell: ({ records }) => String(records.receivingEvents), right: true },
    ],
    examples: ['lotkeeper partners list'],
  }),
  listCommand({
    words: 'partners deleted',
    description: 'List deleted partners; `accesses` lists what each of them read',
    operation: 'listDeletedPartners',
    nouns: 'deleted partners',
    columns: [
      { heading: 'id', cell: ({ id }) => id },
      { heading: 'name', cell: ({ name }) => name },
      { heading: 'deleted', cell: ({ deletedDateTime }) => deletedDateTime },
    ],
    examples: ['lotkeeper partners deleted'],
  }),
  listCommand({
    words: 'partners places',
    description: 'List stored places that events are shipped to, and the partner that has each',
    operation: 'suggestPlaces',
    nouns: 'places',
    columns: [...placeColumns, { heading: 'partner', cell: ({ partner }) => partner?.name ?? '' }],
    examples: ['lotkeeper partners places --all'],
  }),
  {
    words: 'partners show',
    description: 'Print a partner as JSON, which can be edited and sent back with replace',
    arguments: [['<id>', partnerId]],
    options: [json],
    examples: [`lotkeeper partners show ${sampleId} > partner.json`],
    call: async () => (await import('./partners.ts')).showPartner,
  },
  {
    words: 'partners create',
    description: 'Create a partner',
    arguments: [file],
    options: [dryRun, json],
    examples: ['lotkeeper partners create partner.json --dry-run'],
    call: async () => (await import('./partners.ts')).createPartner,
  },
  {
    words: 'partners replace',
    description: 'Replace the name, places and grants of a partner',
    arguments: [['<id>', partnerId], file],
    options: [dryRun, json],
    examples: [`lotkeeper partners replace ${sampleId} partner.json`],
    call: async () => (await import('./partners.ts')).replacePartner,
  },
  callCommand({
    words: 'partners invite',
    description: 'Print a link that makes a key for the partner, once',
    operation: 'invitePartner',
    arguments: { id: partnerId },
    text: ({ path, expiresDateTime }, { options: { url } }) =>
      `${new URL(path, url)}\nThe link is shown only once. It works once, until ${expiresDateTime}.`,
    examples: [`lotkeeper partners invite ${sampleId} --label ERP`],
  }),
  {
    words: 'partners accept',
    description: 'Accept an invitation and print the key that it makes',
    arguments: [['<link>', 'link of the invitation']],
    options: [json],
    examples: ['lotkeeper partners accept "https://trace.example.com/console/invitation#lk_…"'],
    run: async () => (await import('./partners.ts')).acceptInvitation,
  },
  callCommand({
    words: 'partners revoke',
    description: 'Revoke a key or an invitation of a partner',
    operation: 'revokePartnerKey',
    arguments: { id: partnerId, keyId: 'as `partners show` has it' },
    text: (_, { request: { body } }) => `Key ${(body as { keyId: string }).keyId} is revoked.`,
    examples: [`lotkeeper partners revoke ${sampleId} ab12cd34`],
  }),
  listCommand({
    words: 'partners accesses',
    description: 'List what the keys of a partner read, newest first',
    operation: 'listPartnerAccesses',
    arguments: { id: partnerId },
    nouns: 'accesses',
    columns: [
      { heading: 'when', cell: ({ beganDateTime }) => beganDateTime },
      { heading: 'operation', cell: ({ operation }) => operation },
      { heading: 'key', cell: ({ keyName, who }) => keyName ?? who },
      { heading: 'ended', cell: ({ ending }) => ending },
      { heading: 'records', cell: ({ records }) => String(records ?? ''), right: true },
      { heading: 'bytes', cell: ({ bytes }) => String(bytes ?? ''), right: true },
    ],
    examples: [`lotkeeper partners accesses ${sampleId} --all`],
  }),
  callCommand({
    words: 'partners delete',
    description: 'Stop sharing with a partner: its keys end, and everything is withdrawn',
    operation: 'deletePartner',
    arguments: { id: partnerId },
    text: ({ id }) => `Partner ${id} is deleted. Its keys no longer work, and everything is withdrawn.`,
    examples: [`lotkeeper partners delete ${sampleId}`],
  }),
]
