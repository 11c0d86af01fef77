// `lotkeeper webhooks`: lists, creates and changes webhooks, and shows their attempts.
import type { Client } from '../../client/client.ts'
import type { ListWebhookAttemptsRequest } from '../../client/generated/methods.ts'
import type { NewWebhook, Webhook, WebhookAttempt, WebhookWithSecret } from '../../client/generated/shapes.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { type Column, tableText } from '../../terminal/table.ts'
import { plain, remarks, results } from '../../terminal/terminal.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'
import { type ListOptions, writePages } from '../records/list.ts'

export const listWebhooks = (options: RemoteOptions): Promise<CommandEnd> =>
  withClient(options, async (api) => {
    const { content } = (await api.listWebhooks()).body
    if (options.json) await results.write(content.map((webhook) => `${JSON.stringify(webhook)}\n`).join(''))
    else if (content.length === 0) await remarks.say('There are no webhooks.')
    else await results.write(tableText(columns, content))
    return undefined
  })

export const createWebhook = ({
  url,
  key,
  json,
  to,
  ...body
}: RemoteOptions & Omit<NewWebhook, 'url'> & { readonly to: string }) =>
  change({ url, json, ...(key !== undefined && { key }) }, async (api) => {
    const { body: made } = await api.createWebhook({ body: { ...body, url: to } })
    return [made, keyWords(made)]
  })

export const resumeWebhook = (id: string, options: RemoteOptions): Promise<CommandEnd> =>
  change(options, async (api) => [
    (await api.resumeWebhook({ id, body: {} })).body,
    'The webhook goes on where it was.',
  ])

export const rotateWebhookKey = (id: string, options: RemoteOptions): Promise<CommandEnd> =>
  change(options, async (api) => {
    const { body: made } = await api.rotateWebhookKey({ id, body: {} })
    return [made, `${keyWords(made)}\nThe old key signs too until ${made.oldKeyUntilDateTime}.`]
  })

export const replayWebhook = (
  id: string,
  { after, ...options }: RemoteOptions & { readonly after?: string },
): Promise<CommandEnd> =>
  change(options, async (api) => {
    const { body } = await api.replayWebhook({ id, body: after === undefined ? {} : { after } })
    return [body, `Everything after ${body.position} is sent again.`]
  })

export const deleteWebhook = (id: string, options: RemoteOptions): Promise<CommandEnd> =>
  change(options, async (api) => [(await api.deleteWebhook({ id })).body, 'The webhook is deleted.'])

export const testWebhook = (id: string, options: RemoteOptions): Promise<CommandEnd> =>
  withClient(options, async (api) => {
    const { body: attempt } = await api.testWebhook({ id, body: {} })
    if (options.json) await results.write(`${JSON.stringify(attempt)}\n`)
    if (attempt.outcome === 'failed') return { problem: `The test message failed. ${plain(attempt.error ?? '')}` }
    if (!options.json)
      await results.write(`The receiver took the test message: ${attempt.status} in ${millisecondsOf(attempt)} ms.\n`)
    return undefined
  })

export const listWebhookAttempts = ({
  json = false,
  all = false,
  query,
  ...options
}: ListOptions<ListWebhookAttemptsRequest>): Promise<CommandEnd> =>
  withClient({ ...options, json }, (api) =>
    writePages(api.listWebhookAttempts, query, attemptColumns, { json, all, nouns: 'attempts' }),
  )

/** Changes a webhook, and writes its new state as JSON or in words. */
const change = (
  options: RemoteOptions,
  work: (api: Client) => Promise<readonly [webhook: Webhook, words: string]>,
): Promise<CommandEnd> =>
  withClient(options, async (api) => {
    const [webhook, words] = await work(api)
    await results.write(options.json ? `${JSON.stringify(webhook)}\n` : `${words}\n`)
    return undefined
  })

const keyWords = ({ id, publicKey, secret }: WebhookWithSecret): string =>
  secret === null
    ? `Webhook ${id}. The receiver verifies messages with this public key:\n${publicKey}`
    : `Webhook ${id}. The receiver verifies messages with this secret, which is shown only once:\n${secret}`

const millisecondsOf = ({ seconds }: WebhookAttempt): number => Math.round(seconds * 1_000)

const stateWords = ({ state, failingSinceDateTime }: Webhook): string =>
  state === 'disabled' ? state : failingSinceDateTime === null ? 'working' : `failing since ${failingSinceDateTime}`

const columns: readonly Column<Webhook>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'state', cell: stateWords },
  { heading: 'address', cell: ({ url }) => url },
  { heading: 'types', cell: ({ types }) => types.join(', ') || 'all changes' },
  { heading: 'last delivered', cell: ({ lastDeliveredDateTime }) => lastDeliveredDateTime ?? 'never' },
  { heading: 'behind', cell: ({ changesBehind }) => (changesBehind === 0 ? '' : String(changesBehind)), right: true },
  { heading: 'position', cell: ({ position }) => position },
]

const attemptColumns: readonly Column<WebhookAttempt>[] = [
  { heading: 'when', cell: ({ startedDateTime }) => startedDateTime },
  { heading: 'message', cell: ({ messageId }) => messageId },
  { heading: 'type', cell: ({ type }) => type },
  { heading: 'changes', cell: ({ changes }) => String(changes), right: true },
  { heading: 'attempt', cell: ({ attempt }) => String(attempt), right: true },
  { heading: 'answer', cell: ({ status }) => String(status ?? 'none'), right: true },
  { heading: 'ms', cell: (attempt) => String(millisecondsOf(attempt)), right: true },
  { heading: 'why', cell: ({ error }) => error ?? '' },
]
