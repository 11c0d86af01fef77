// The commands for the feed of changes and for webhooks.
import { Option } from 'commander'
import type { WebhookAttempt, WebhookWithSecret } from '../../client/generated/shapes.ts'
import type { Shape } from '../../contract/shape/field.ts'
import { signatureKinds } from '../../contract/webhooks.ts'
import { operations } from '../../operations/catalogue.ts'
import { plain } from '../../terminal/terminal.ts'
import type { CommandDeclaration } from '../base/command.ts'
import { callCommand, listCommand } from '../base/operation-command.ts'
import { fieldOptions, json, jsonLines, matching, queryOptions, requiredOption, sampleId } from '../base/options.ts'

const changeCount = matching(/^(\d|[1-9]\d|1\d\d|200)$/, 'It must be 0 to 200.')

const { after: _after, limit: _limit, wait: _wait, ...filters } = operations.listChanges.query

const followOptions = (lastDefault: number) =>
  [
    ...queryOptions(filters),
    ['--after <position>', 'begin behind this position'],
    new Option('--last <number>', 'begin with so many changes before now')
      .default(lastDefault)
      .argParser((value) => Number(changeCount(value))),
    ['--from-start', 'begin with the first change', false],
    ['--no-follow', 'end with the newest change'],
    jsonLines,
  ] as const

const feedCommands: readonly CommandDeclaration[] = [
  {
    words: 'tail',
    description: 'Show changes of records as they happen',
    options: followOptions(10),
    examples: ['lotkeeper tail', 'lotkeeper tail --from-start --no-follow --json > changes.ndjson'],
    call: async () => (await import('./tail.ts')).tail,
  },
  {
    words: 'listen',
    description: 'Send changes to a program on this machine, as signed webhook messages',
    options: [
      ...followOptions(0),
      requiredOption('--to <address>', 'where to send them'),
      new Option('--signature <kind>', 'kind of the signature').choices(signatureKinds).default(signatureKinds[0]),
      ['--secret <key>', 'key that signs, as an earlier run printed it (default: a new one)'],
      ['--record', 'send the record too', false],
    ],
    examples: [
      'lotkeeper listen --to http://localhost:8080/lotkeeper',
      'lotkeeper listen --to http://localhost:8080/lotkeeper --last 10 --no-follow',
    ],
    call: async () => (await import('./listen.ts')).listen,
  },
  {
    words: 'pull',
    description: 'Gather what a supplier shares with you into your account, from their service',
    options: [
      requiredOption('--from <address>', 'address of the service of the supplier'),
      new Option('--from-key <key>', 'key that the supplier gave you').env('LOTKEEPER_FROM_KEY'),
      ['--journal <file>', 'what came from where, and where to go on (default: pull-….ndjson)'],
      ['--no-follow', 'end with the newest change'],
      jsonLines,
    ],
    examples: [
      'LOTKEEPER_FROM_KEY=lk_… lotkeeper pull --from https://trace.example.com',
      'lotkeeper pull --from https://trace.example.com --no-follow',
    ],
    call: async () => (await import('./pull.ts')).pull,
  },
]

const webhookId = 'as `webhooks list` shows it'

// The address of the service is --url.
const { url: _url, ...webhookFields } = (operations.createWebhook.body as Shape).properties ?? {}

const webhookCommands: readonly CommandDeclaration[] = [
  {
    words: 'webhooks',
    description: 'List, create and change webhooks, to which changes and alerts are sent',
    examples: ['lotkeeper webhooks list'],
  },
  listCommand({
    words: 'webhooks list',
    description: 'List webhooks',
    operation: 'listWebhooks',
    nouns: 'webhooks',
    columns: [
      { heading: 'id', cell: ({ id }) => id },
      {
        heading: 'state',
        cell: ({ state, failingSinceDateTime: since }) =>
          state === 'disabled' ? state : since === null ? 'working' : `failing since ${since}`,
      },
      { heading: 'address', cell: ({ url }) => url },
      { heading: 'types', cell: ({ types }) => types.join(', ') || 'all changes' },
      { heading: 'last delivered', cell: ({ lastDeliveredDateTime }) => lastDeliveredDateTime ?? 'never' },
      { heading: 'behind', cell: ({ changesBehind }) => (changesBehind || '').toString(), right: true },
      { heading: 'position', cell: ({ position }) => position },
    ],
    examples: ['lotkeeper webhooks list'],
  }),
  {
    words: 'webhooks create',
    description: 'Create a webhook and print its key',
    options: [
      requiredOption('--to <address>', 'where messages are sent'),
      ...fieldOptions({ properties: webhookFields }),
      json,
    ],
    examples: [
      'lotkeeper webhooks create --to https://erp.example.com/lotkeeper',
      "lotkeeper webhooks create --to https://chat.example.com/hook --types 'alert.*'",
    ],
    call: async () => {
      const { writeAnswer } = await import('../base/answers.ts')
      return ({ to, body, query: _, ...options }) =>
        writeAnswer({ operation: 'createWebhook', text: keyText }, { request: { body: { ...body, url: to } }, options })
    },
  },
  listCommand({
    words: 'webhooks attempts',
    description: 'List what was sent, and the answers',
    operation: 'listWebhookAttempts',
    arguments: { id: webhookId },
    nouns: 'attempts',
    columns: [
      { heading: 'when', cell: ({ startedDateTime }) => startedDateTime },
      { heading: 'message', cell: ({ messageId }) => messageId },
      { heading: 'type', cell: ({ type }) => type },
      { heading: 'changes', cell: ({ changes }) => String(changes), right: true },
      { heading: 'attempt', cell: ({ attempt }) => String(attempt), right: true },
      { heading: 'answer', cell: ({ status }) => String(status ?? 'none'), right: true },
      { heading: 'ms', cell: (attempt) => String(millisecondsOf(attempt)), right: true },
      { heading: 'why', cell: ({ error }) => error ?? '' },
    ],
    examples: [`lotkeeper webhooks attempts ${sampleId} --failed`],
  }),
  callCommand({
    words: 'webhooks test',
    description: 'Send a test message',
    operation: 'testWebhook',
    arguments: { id: webhookId },
    text: (attempt) => `The receiver took the test message: ${attempt.status} in ${millisecondsOf(attempt)} ms.`,
    problem: ({ outcome, error }) =>
      outcome === 'failed' ? `The test message failed. ${plain(error ?? '')}` : undefined,
    examples: [`lotkeeper webhooks test ${sampleId}`],
  }),
  callCommand({
    words: 'webhooks resume',
    description: 'Enable a disabled webhook, or make the next attempt now',
    operation: 'resumeWebhook',
    arguments: { id: webhookId },
    text: () => 'The webhook goes on where it was.',
    examples: [`lotkeeper webhooks resume ${sampleId}`],
  }),
  callCommand({
    words: 'webhooks replay',
    description: 'Send changes again, in order',
    operation: 'replayWebhook',
    arguments: { id: webhookId },
    text: ({ position }) => `Everything after ${position} is sent again.`,
    examples: [`lotkeeper webhooks replay ${sampleId}`],
  }),
  callCommand({
    words: 'webhooks rotate',
    description: 'Make a new key; the old one signs too for 24 hours',
    operation: 'rotateWebhookKey',
    arguments: { id: webhookId },
    text: (webhook) => `${keyText(webhook)}\nThe old key signs too until ${webhook.oldKeyUntilDateTime}.`,
    examples: [`lotkeeper webhooks rotate ${sampleId}`],
  }),
  callCommand({
    words: 'webhooks delete',
    description: 'Delete a webhook, with its key and its attempts',
    operation: 'deleteWebhook',
    arguments: { id: webhookId },
    text: () => 'The webhook is deleted.',
    examples: [`lotkeeper webhooks delete ${sampleId}`],
  }),
]

const keyText = ({ id, publicKey, secret }: WebhookWithSecret): string =>
  secret === null
    ? `Webhook ${id}. The receiver verifies messages with this public key:\n${publicKey}`
    : `Webhook ${id}. The receiver verifies messages with this secret, which is shown only once:\n${secret}`

const millisecondsOf = ({ seconds }: WebhookAttempt): number => Math.round(seconds * 1_000)

export const changeCommands: readonly CommandDeclaration[] = [...feedCommands, ...webhookCommands]
