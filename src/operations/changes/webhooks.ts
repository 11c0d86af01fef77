// Webhooks: where the service sends messages about changes and alerts. Not shown in the contract;
// decided in 0072.
import { choice, list, object, optional, text } from '../../contract/shape/field.ts'
import { Type } from '../../contract/shape/type.ts'
import { payloadKinds, signatureKinds } from '../../contract/webhooks.ts'
import { listedPage } from '../base/bodies.ts'
import { conditionHeaders, type Operation, staleEdit, taggedRead, unmodified } from '../base/operation.ts'
import { paging } from '../base/query.ts'

/** Longest address, in characters: intermediaries cut longer ones. */
const urlLengthMax = 2_000
/** Most types or patterns of one webhook. */
const typesMax = 50

const section = '8'
const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const settings = {
  url: Type.String({
    ...text({
      meaning:
        'Address of the receiver. It begins with https, and its host has public addresses only, unless the operator allows private ones (`WEBHOOK_ALLOW_PRIVATE`).',
      example: 'https://erp.example.com/lotkeeper',
      section,
    }),
    maxLength: urlLengthMax,
  }),
  description: optional(text({ meaning: 'What it is for.', example: 'ERP: receipts to be booked', section })),
  types: optional(
    list(
      text({ meaning: 'A type, or a pattern such as `receivingEvent.*`.', example: 'receivingEvent.*', section }),
      {
        meaning:
          'Types that are sent, or patterns that end in `.*`. Without any, all changes are sent and no alerts; `alert.*` sends alerts.',
        example: ['receivingEvent.*', 'alert.*'],
        section,
      },
      { maxItems: typesMax },
    ),
  ),
  dataProviderVendorId: optional(
    text({ meaning: 'Only changes of records of this vendor.', example: 'V-1001', section }),
  ),
  shipToLocationCode: optional(
    text({ meaning: 'Only changes of events with this ship-to location.', example: 'DC-07', section }),
  ),
  lotCode: optional(
    text({ meaning: 'Only changes of events with a line of this lot code.', example: 'GV26063-A', section }),
  ),
  payload: optional(
    choice(payloadKinds, {
      meaning:
        '`thin` sends what changed, as `GET /changes` lists it. `record` adds the record as it was stored, up to 256 KB each.',
      example: 'thin',
      section,
    }),
  ),
}

const signature = optional(
  choice(signatureKinds, {
    meaning:
      '`v1a` signs with Ed25519: the receiver has a public key, and nobody but this service can sign. `v1` signs with HMAC-SHA256, for receivers that know only that.',
    example: 'v1a',
    section,
  }),
)

export const WebhookSettings = object('WebhookSettings', settings)

export const NewWebhook = object('NewWebhook', { ...settings, signature })

export const WebhookReplay = object('WebhookReplay', {
  after: optional(
    text({
      meaning: 'Position of a change, after which everything is sent again. Without it, from the first change on.',
      example: '4-2-9f86d081',
      section,
    }),
  ),
})

/** An empty object. */
const EmptyBody = Type.Object({}, { additionalProperties: false })

export const WebhookKeyChange = object('WebhookKeyChange', { signature })

const fields = {
  id: Type.String({ description: 'Id of the webhook.' }),
  url: Type.String(),
  description: orNull('What it is for.'),
  types: Type.Array(Type.String(), { description: 'Types or patterns; empty for all changes and no alerts.' }),
  dataProviderVendorId: orNull('Only changes of records of this vendor.'),
  shipToLocationCode: orNull('Only changes of events with this ship-to location.'),
  lotCode: orNull('Only changes of events with a line of this lot code.'),
  payload: Type.Enum([...payloadKinds]),
  signature: Type.Enum([...signatureKinds]),
  publicKey: orNull('With `v1a` the key that verifies signatures, `whpk_` and base64; null with `v1`.'),
  oldPublicKey: orNull('The key before the last rotation while it signs as well; null otherwise, or with `v1`.'),
  oldKeyUntilDateTime: orNull('Until when the key before the last rotation signs as well; null without one.'),
  state: Type.Enum(['enabled', 'disabled']),
  disabledBecause: Type.Union([Type.Enum(['failing', 'gone']), Type.Null()], {
    description:
      '`failing`: messages failed for three days. `gone`: the receiver answered 410. Null while it is enabled.',
  }),
  disabledDateTime: orNull('When it was disabled; null while it is enabled.'),
  position: Type.String({
    description: 'Position in the feed of changes: what comes before it was delivered, or is not sent to this webhook.',
  }),
  changesBehind: Type.Integer({
    description:
      'Changes after its position; 0 for a webhook that is only sent alerts. Those that its types and filters leave out are counted until it has passed them, within a minute.',
  }),
  secondsBehind: Type.Integer({ description: 'How long ago the first of them happened, in seconds; 0 without any.' }),
  failedAttempts: Type.Integer({ description: 'Failed attempts in a row.' }),
  failingSinceDateTime: orNull('When the first of them ended; null when the last attempt was delivered.'),
  nextAttemptDateTime: orNull('When the next attempt is due, while attempts fail; else null.'),
  lastDeliveredDateTime: orNull('When a message was last delivered; null when none was.'),
  createdDateTime: Type.String({ description: 'When it was created, in UTC.' }),
  createdBy: Type.String({ description: 'Id of the key that created it.' }),
}

const Webhook = Type.Object(fields, { title: 'Webhook', additionalProperties: false })

const secret = orNull('With `v1` the secret that verifies signatures, `whsec_` and base64. It is shown only here.')

const WebhookWithSecret = Type.Object(
  { ...fields, secret },
  { title: 'WebhookWithSecret', additionalProperties: false },
)

const WebhookAttempt = Type.Object(
  {
    id: Type.String({ description: 'Id of the attempt.' }),
    messageId: Type.String({ description: '`webhook-id` of the message: the same in each attempt.' }),
    type: Type.String({
      description: 'Type of the message: that of its change or alert, `changes`, `damaged` or `webhook.test`.',
    }),
    changes: Type.Integer({ description: 'Number of changes in the message.' }),
    position: orNull('Position of its last change; null for an alert or a test.'),
    attempt: Type.Integer({ description: 'Counts the attempts of the message, from 1.' }),
    outcome: Type.Enum(['delivered', 'failed']),
    status: Type.Union([Type.Integer(), Type.Null()], { description: 'Status of the answer; null without one.' }),
    error: orNull('Why it failed.'),
    answer: orNull('The beginning of the answer, as text.'),
    startedDateTime: Type.String({ description: 'When it began, in UTC.' }),
    seconds: Type.Number({ description: 'Time until there was a status or a failure.' }),
    nextAttemptDateTime: orNull('When the next attempt was due after it; null without one.'),
  },
  { title: 'WebhookAttempt', additionalProperties: false },
)

const shared = {
  cites: 'decision 0072',
  topic: 'webhooks',
  role: 'administrator',
  headers: [],
  query: {},
} as const

const unknownWebhook = { status: 404, when: 'The provider has no webhook with this id.', retry: 'never' } as const

const listWebhooks = {
  ...shared,
  name: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  summary: 'Lists the webhooks of the provider, oldest first.',
  description:
    'Each with its position, how far it is behind, and whether messages fail. Secrets of `v1` are never shown again.',
  outcomes: {
    listed: {
      status: 200,
      when: 'Always.',
      body: Type.Object(
        {
          content: Type.Array(Webhook),
          newestPosition: Type.String({ description: 'The newest position: a webhook that has it is up to date.' }),
        },
        { title: 'WebhookList', additionalProperties: false },
      ),
      retry: 'never',
    },
  },
} as const satisfies Operation

const refused = {
  status: 422,
  when: 'A field is missing or wrong, or nothing may be sent to the address. Every finding is listed, and nothing is changed.',
  retry: 'changed',
} as const

const createWebhook = {
  ...shared,
  name: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  summary: 'Creates a webhook: messages about changes and alerts are sent to an address.',
  description:
    'Messages follow the specification Standard Webhooks. The webhook begins with what happens from now on; `POST /webhooks/{id}/replay` goes back. Messages are sent in the order of the feed, one at a time, and each until it is delivered: see the guide for receivers.',
  body: NewWebhook,
  outcomes: {
    refused,
    created: {
      status: 201,
      when: 'The webhook is created and enabled.',
      body: WebhookWithSecret,
      retry: 'never',
    },
  },
} as const satisfies Operation

const readWebhook = {
  ...shared,
  ...taggedRead,
  name: 'readWebhook',
  method: 'GET',
  path: '/webhooks/{id}',
  summary: 'Reads a webhook.',
  description: 'With its position, how far it is behind, and whether messages fail.',
  outcomes: {
    unknownWebhook,
    unmodified,
    found: { status: 200, when: 'There is a webhook with this id.', body: Webhook, retry: 'never' },
  },
} as const satisfies Operation

const replaceWebhook = {
  ...shared,
  headers: conditionHeaders,
  name: 'replaceWebhook',
  method: 'PUT',
  path: '/webhooks/{id}',
  summary: 'Changes address, types, filters and payload of a webhook.',
  description:
    'What is left out is removed, as with every PUT. Key, position and state stay. A message that failed is tried again at once; when types, filters or payload change, it gets another id.',
  body: WebhookSettings,
  outcomes: {
    refused,
    unknownWebhook,
    stale: staleEdit,
    changed: { status: 200, when: 'The webhook is changed.', body: Webhook, retry: 'never' },
  },
} as const satisfies Operation

const deleteWebhook = {
  ...shared,
  headers: conditionHeaders,
  name: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{id}',
  summary: 'Deletes a webhook, with its key and its attempts.',
  description: 'A message that is on its way may still arrive. The access log keeps who deleted it.',
  outcomes: {
    unknownWebhook,
    stale: staleEdit,
    deleted: { status: 200, when: 'The webhook is deleted.', body: Webhook, retry: 'never' },
  },
} as const satisfies Operation

const listWebhookAttempts = {
  ...shared,
  name: 'listWebhookAttempts',
  method: 'GET',
  path: '/webhooks/{id}/attempts',
  summary: 'Lists the attempts to send messages to a webhook, newest first.',
  description: 'The last 1,000 attempts of 30 days, each with the answer of the receiver and the time it took.',
  query: {
    failed: { form: 'boolean', meaning: 'When `true`, only attempts that failed.', example: 'true' },
    ...paging,
  },
  outcomes: {
    unknownWebhook,
    listed: listedPage(WebhookAttempt, 'WebhookAttemptPage'),
  },
} as const satisfies Operation

const replayWebhook = {
  ...shared,
  name: 'replayWebhook',
  method: 'POST',
  path: '/webhooks/{id}/replay',
  summary: 'Sets a webhook back, or forward, to a position of the feed of changes.',
  description:
    'Everything after the position is sent again, in order, in messages with new ids. Receivers tell changes by `position`, which stays. The state stays too: a disabled webhook sends after `POST /webhooks/{id}/resume`. Alerts are not sent again.',
  body: WebhookReplay,
  outcomes: {
    refused: { ...refused, when: 'The position in `after` is none of this provider. Nothing is changed.' },
    unknownWebhook,
    moved: { status: 200, when: 'The webhook goes on after the position.', body: Webhook, retry: 'never' },
  },
} as const satisfies Operation

const testWebhook = {
  ...shared,
  name: 'testWebhook',
  method: 'POST',
  path: '/webhooks/{id}/test',
  summary: 'Sends one message of type `webhook.test`, and answers with what came of it.',
  description:
    'At once, also to a disabled webhook, and beside a message that is on its way. It is signed like all others. Where it is delivered, a message that failed before is due at once.',
  body: EmptyBody,
  outcomes: {
    refused: { ...refused, when: 'The body is not empty. Nothing is sent.' },
    unknownWebhook,
    tried: {
      status: 200,
      when: 'The message was sent once; `outcome` says whether it was delivered.',
      body: WebhookAttempt,
      retry: 'never',
    },
  },
} as const satisfies Operation

const resumeWebhook = {
  ...shared,
  name: 'resumeWebhook',
  method: 'POST',
  path: '/webhooks/{id}/resume',
  summary: 'Enables a disabled webhook; one that is enabled makes its next attempt at once.',
  description: 'It goes on where it was: nothing that happened meanwhile is lost.',
  body: EmptyBody,
  outcomes: {
    refused: { ...refused, when: 'The body is not empty. Nothing is changed.' },
    unknownWebhook,
    resumed: { status: 200, when: 'The webhook is enabled.', body: Webhook, retry: 'never' },
  },
} as const satisfies Operation

const rotateWebhookKey = {
  ...shared,
  name: 'rotateWebhookKey',
  method: 'POST',
  path: '/webhooks/{id}/rotate',
  summary: 'Gives a webhook another key.',
  description:
    'For 24 hours messages have two signatures, one of each key, so that the receiver changes its key in that time. A key that leaked is gone at once after a second rotation.',
  body: WebhookKeyChange,
  outcomes: {
    refused: { ...refused, when: 'A field is wrong. Nothing is changed.' },
    unknownWebhook,
    rotated: { status: 200, when: 'The new key signs from now on.', body: WebhookWithSecret, retry: 'never' },
  },
} as const satisfies Operation

export const webhookOperations = {
  listWebhooks,
  createWebhook,
  readWebhook,
  replaceWebhook,
  deleteWebhook,
  listWebhookAttempts,
  replayWebhook,
  testWebhook,
  resumeWebhook,
  rotateWebhookKey,
}
