// `lotkeeper listen`: sends changes as signed webhook messages to a program on this machine, so
// that a receiver can be developed without a public address.
import { randomUUID } from 'node:crypto'
import type { AnyRecord, Client } from '../../client/client.ts'
import { ProblemError } from '../../client/failure.ts'
import type { ListChangesRequest } from '../../client/generated/methods.ts'
import type { Change } from '../../client/generated/shapes.ts'
import { kindOfChange } from '../../contract/changes.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { plain, remarks, results } from '../../terminal/terminal.ts'
import { resolveKnownHost } from '../../webhooks/address-guard.ts'
import { type Delivery, delivererOf } from '../../webhooks/delivery.ts'
import { drawWebhookKey, receiverKey, signMessage, type WebhookKey } from '../../webhooks/signature.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'
import { changeLine, type FollowOptions, followChanges } from './followed-changes.ts'

interface ListenOptions extends RemoteOptions, FollowOptions {
  readonly query: ListChangesRequest
  readonly to: string
  readonly secret?: string
  readonly signature: WebhookKey['signature']
  readonly record: boolean
}

/** Private addresses are allowed, because the receiver runs next to this command. */
const { faultOf, deliver } = delivererOf({ allowPrivate: true, resolve: resolveKnownHost })

export const listen = ({
  to,
  secret,
  signature,
  record,
  json = false,
  ...options
}: ListenOptions): Promise<CommandEnd> =>
  withClient({ ...options, json }, async (api) => {
    const fault = await faultOf(to)
    if (fault !== undefined) return { problem: `--to is ${to}. ${fault}`, calledWrongly: true }
    const key = secret === undefined ? drawWebhookKey(signature) : keyIn(secret)
    if (key === undefined)
      return { problem: '--secret must be a key that an earlier run printed: whsec_… or whsk_….', calledWrongly: true }
    await remarks.say(`Changes are sent to ${to}. The receiver verifies them with this key:`)
    await remarks.say(receiverKey(key))
    await remarks.say(`To keep the key: --secret ${secretText(key)}`)
    return followChanges(api, options, async (change, signal) => {
      const data = record ? { ...change, record: await recordOf(api, change, signal) } : change
      const now = new Date()
      const body = JSON.stringify({ type: change.type, timestamp: now.toISOString(), data })
      const headers = signMessage([key], `msg_${randomUUID()}`, now, body)
      const delivery = await deliver({ url: to, headers, body }, signal)
      if (signal.aborted) return
      if (json) await results.write(`${JSON.stringify({ ...headers, ...delivery, body })}\n`)
      else await results.write(`${changeLine(change, results)}  ${deliveryWords(delivery)}\n`)
    })
  })

/** The record as of the change; null when it was purged. */
async function recordOf(api: Client, { type, id, version }: Change, signal: AbortSignal): Promise<AnyRecord | null> {
  try {
    return (await api.of(kindOfChange({ type })).readVersion({ id, version, signal })).body
  } catch (error) {
    if (error instanceof ProblemError && error.outcome === 'purged') return null
    throw error
  }
}

const prefixes = { v1: 'whsec_', v1a: 'whsk_' } as const

/** The secret half of the key, as this command takes it. */
const secretText = ({ signature, secret }: WebhookKey): string => prefixes[signature] + secret.toString('base64')

function keyIn(text: string): WebhookKey | undefined {
  const [, prefix, base64 = ''] = /^(whsec_|whsk_)([A-Za-z0-9+/]+=*)$/.exec(text) ?? []
  const secret = Buffer.from(base64, 'base64')
  if (prefix === prefixes.v1a) return secret.length === 32 ? { signature: 'v1a', secret } : undefined
  return prefix !== undefined && secret.length >= 24 && secret.length <= 64 ? { signature: 'v1', secret } : undefined
}

/** "200 in 12 ms", "500 in 4 ms: no such table". */
function deliveryWords({ outcome, status, error, answer, ms }: Delivery): string {
  const took = `in ${Math.round(ms)} ms`
  if (outcome === 'delivered') return results.styled('green', `${status} ${took}`)
  const why = status === undefined ? (error ?? '') : plain((answer ?? '').slice(0, answerLengthMax))
  return results.styled('red', `${status ?? 'no answer'} ${took}${why === '' ? '' : `: ${why}`}`)
}

/** Characters of an answer that are shown. */
const answerLengthMax = 200
