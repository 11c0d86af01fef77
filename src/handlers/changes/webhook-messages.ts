// Makes the next message of a webhook from the feed of changes and from the alerts, in order,
// bounded in entries and bytes. The same extent makes the same message. Source: decision 0072.
import { v4 } from 'uuid'
import { alertTypes } from '../../contract/alerts.ts'
import {
  type Change,
  type ChangeFilter,
  type DamagedChange,
  damagedType,
  isBehind,
  type Position,
  positionText,
  readPosition,
} from '../../contract/changes.ts'
import { recordKinds } from '../../contract/record-kinds.ts'
import { batchType, namesSome, wantsAlert, wantsChange } from '../../contract/webhooks.ts'
import { declareLimit } from '../../limits.ts'
import { inOrder, newestPosition, wantedChanges } from '../../store/changes/changes.ts'
import type { MessageExtent, NewAttempt, StoredWebhook, WebhookStart } from '../../store/changes/webhooks.ts'
import type { Queryable } from '../../store/database/statement.ts'
import { readInPortions } from '../../store/records/record-versions.ts'
import { type AlertMessage, alertsAfter } from '../../store/vendors/alerts.ts'
import type { Delivery } from '../../webhooks/delivery.ts'
import type { WebhookKey } from '../../webhooks/signature.ts'
import { withId } from '../records/read.ts'

const batchChangesMax = declareLimit('webhookChanges', 100, 'changes', 'Changes in one message of a webhook.')
/** A webhook that is behind by no more changes than this gets each in its own message. */
const singlesMax = 10
const messageBytesMax = declareLimit(
  'webhookMessage',
  512 * 1024,
  'bytes',
  'Records in one message of a webhook together.',
)
const recordBytesMax = declareLimit(
  'webhookRecord',
  256 * 1024,
  'bytes',
  'A record in a message of a webhook; a larger one is left out.',
)
/** Alerts that are read at once. */
const alertsAtOnce = 50

/** The message that is signed and sent. */
export interface Message {
  readonly type: string
  readonly body: string
  /** Number of changes in it. */
  readonly changes: number
  /** Position of the last of them. */
  readonly position: string | null
  /** When the first of its changes or alerts happened. */
  readonly since: Date
  /** Ids of the requests that made the changes. */
  readonly causes: readonly string[]
}

/** The next message, and where it begins: nothing before that is wanted. */
export interface NextMessage {
  readonly start: WebhookStart
  readonly extent: MessageExtent
  readonly message: Message
}

/** Nothing to send: nothing up to `start` is wanted. */
export interface NothingToSend {
  readonly start: WebhookStart
  /** False when something may follow. */
  readonly isEnd: boolean
}

/** Reads the next message of a webhook, after `from`. */
export async function readNextMessage(
  db: Queryable,
  provider: string,
  webhook: StoredWebhook,
  from: WebhookStart,
): Promise<NextMessage | NothingToSend> {
  const alerts = await readAlerts(db, provider, webhook, from.alertNumber)
  const [alert] = alerts.wanted
  if (alert !== undefined)
    return {
      start: { ...from, alertNumber: alert.number - 1 },
      extent: { alert: alert.number },
      message: alertMessage(alert),
    }
  const page = wantsChanges(webhook)
    ? await readChanges(db, provider, webhook, { after: positionOf(from.position), limit: batchChangesMax })
    : { changes: [], next: await newestPosition(db, provider), isEnd: true }
  const start = { position: from.position, alertNumber: alerts.next }
  const waiting = page.changes.slice(0, batchChangesMax)
  const [first] = waiting
  if (first === undefined) return { start: { ...start, position: positionText(page.next) }, isEnd: page.isEnd }
  const chosen = await withRecords(db, provider, webhook, waiting.length > singlesMax ? waiting : [first])
  const end = chosen.at(-1)?.change.position ?? first.position
  return { start, extent: { end }, message: changeMessage(chosen) }
}

/** Reads a message again by its extent. Undefined when all of it was purged. */
export async function readBegunMessage(
  db: Queryable,
  provider: string,
  webhook: StoredWebhook,
): Promise<Message | undefined> {
  const { position, alertNumber, messageEnd, messageAlert } = webhook
  if (messageAlert !== null) {
    const [alert] = await alertsAfter(db, { provider, number: messageAlert - 1, limit: 1 })
    return alert?.number === messageAlert ? alertMessage(alert) : undefined
  }
  if (messageEnd === null) throw new Error(`The message of webhook ${webhook.id} has no extent (${alertNumber}).`)
  const end = positionOf(messageEnd)
  const changes: (Change | DamagedChange)[] = []
  for (let next = positionOf(position), isEnd = false; !isEnd && isBehind(messageEnd, next); ) {
    const page = await readChanges(db, provider, webhook, { after: next, limit: batchChangesMax })
    changes.push(...page.changes.filter((change) => !isBehind(change.position, end)))
    next = page.next
    isEnd = page.isEnd
  }
  return changes.length === 0 ? undefined : changeMessage(await withRecords(db, provider, webhook, changes))
}

/** Parses a position that this service wrote. */
function positionOf(text: string): Position {
  const position = readPosition(text)
  if (position === undefined) throw new Error(`${text} is no position.`)
  return position
}

/** Wanted changes after a position, and those whose content is unknown. */
async function readChanges(
  db: Queryable,
  provider: string,
  webhook: StoredWebhook,
  { after, limit }: { readonly after: Position; readonly limit: number },
): Promise<{
  readonly changes: readonly (Change | DamagedChange)[]
  readonly next: Position
  readonly isEnd: boolean
}> {
  const page = await wantedChanges(db, provider, { after, limit, filter: filterOf(webhook) })
  if (page === 'otherHistory')
    throw new Error(`position ${positionText(after)} of webhook ${webhook.id} is not one of this history`)
  const wanted = page.changes.filter(({ type }) => wantsChange(webhook.types, type))
  return { ...page, changes: inOrder({ ...page, changes: wanted }) }
}

/** Kinds of records whose changes the patterns match. */
const kindsOf = (types: readonly string[]) =>
  recordKinds.map(({ name }) => name).filter((kind) => types.some((pattern) => pattern.startsWith(`${kind}.`)))

/** The filter of the feed, which has kinds instead of types. */
function filterOf({ types, dataProviderVendorId, shipToLocationCode, lotCode }: StoredWebhook): ChangeFilter {
  return {
    kinds: kindsOf(types),
    dataProviderVendorId: dataProviderVendorId ?? undefined,
    shipToLocationCode: shipToLocationCode ?? undefined,
    lotCode: lotCode ?? undefined,
  }
}

/** The next wanted alert messages after a number, and the number before which none is wanted. */
async function readAlerts(db: Queryable, provider: string, { types }: StoredWebhook, number: number) {
  if (!wantsAlerts({ types })) return { wanted: [], next: number }
  const alerts = await alertsAfter(db, { provider, number, limit: alertsAtOnce })
  return {
    wanted: alerts.filter(({ type }) => wantsAlert(types, type)),
    next: alerts.at(-1)?.number ?? number,
  }
}

/** A change, with the JSON text of its record in a message, or why it has none. */
interface SentChange {
  readonly change: Change | DamagedChange
  readonly record?: { readonly text: string } | { readonly omitted: 'purged' | 'damaged' | 'tooLarge' }
}

/** As many of the changes as fit into a message, with their records if the webhook wants them. */
async function withRecords(
  db: Queryable,
  provider: string,
  { payload }: StoredWebhook,
  changes: readonly (Change | DamagedChange)[],
): Promise<readonly SentChange[]> {
  if (payload === 'thin') return changes.map((change) => ({ change }))
  const stored = changes.filter((change) => hasRecord(change))
  const missing = new Set<string>()
  const records = readInPortions(db, provider, stored, {
    onMissing: ({ id, version }) => missing.add(`${id}.${version}`),
  })
  let next = await records.next()
  let bytes = 0
  const sent: SentChange[] = []
  for (const change of changes) {
    const version = next.done ? undefined : next.value
    if (change.type === damagedType) {
      sent.push({ change })
      continue
    }
    const isNext = hasRecord(change) && version?.id === change.id && version.version === change.version
    if (!isNext) {
      sent.push({ change, record: { omitted: missing.has(`${change.id}.${change.version}`) ? 'damaged' : 'purged' } })
      continue
    }
    const text = withId(version)
    const size = Buffer.byteLength(text)
    if (size <= recordBytesMax) bytes += size
    if (bytes > messageBytesMax && sent.length > 0) break
    sent.push({ change, record: size <= recordBytesMax ? { text } : { omitted: 'tooLarge' } })
    next = await records.next()
  }
  await records.return(undefined)
  return sent
}

const hasRecord = ({ type }: Pick<SentChange['change'], 'type'>): boolean =>
  type !== damagedType && !type.endsWith('.purged')

/** The change as in the feed, with its record byte for byte as stored. */
function textOf({ change, record }: SentChange): string {
  const text = JSON.stringify(change)
  if (record === undefined) return text
  const more = 'text' in record ? `"record":${record.text}` : `"recordOmitted":"${record.omitted}"`
  return `${text.slice(0, -1)},${more}}`
}

function changeMessage(sent: readonly SentChange[]): Message {
  const [first, last] = [sent[0]?.change, sent.at(-1)?.change]
  if (first === undefined || last === undefined) throw new Error('A message has a change at least.')
  const type = sent.length === 1 ? first.type : batchType
  const data = sent.length === 1 ? sent.map(textOf).join() : `{"changes":[${sent.map(textOf).join()}]}`
  return {
    type,
    body: bodyOf(type, timeOf(last), data),
    changes: sent.length,
    position: last.position,
    since: new Date(timeOf(first)),
    causes: [...new Set(sent.flatMap(({ change }) => ('requestId' in change ? change.requestId : [])))],
  }
}

const timeOf = (change: SentChange['change']): string =>
  change.type === damagedType ? change.checkpointDateTime : change.submittedDateTime

function alertMessage(alert: AlertMessage): Message {
  const at = alert.endedAt ?? alert.begunAt
  return {
    type: alert.type,
    body: bodyOf(alert.type, at.toISOString(), alertText(alert)),
    changes: 0,
    position: null,
    since: at,
    causes: [],
  }
}

/**
 * An alert as `GET /alerts` returns it, without the name, which may change; and whether it begins
 * or ends.
 */
function alertText({ alert, type, state, subject, begunAt, endedAt, data }: AlertMessage): string {
  const head = {
    number: alert,
    type,
    state,
    dataProviderVendorId: subject === '' ? null : subject,
    begunDateTime: begunAt.toISOString(),
    endedDateTime: endedAt?.toISOString() ?? null,
  }
  return `${JSON.stringify(head).slice(0, -1)},"data":${data}}`
}

const bodyOf = (type: string, timestamp: string, data: string): string =>
  `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(timestamp)},"data":${data}}`

/** A new message id, as stored. */
export const newMessageId = (): string => v4()

/** The message id, as sent. It must not contain a full stop, which separates the signed parts. */
export const messageIdText = (id: string): string => `msg_${id}`

/** The keys that sign now, two during a rotation. */
export const signingKeysOf = ({ signature, secret, oldSignature, oldSecret }: StoredWebhook): readonly WebhookKey[] => [
  { signature, secret },
  ...(oldSignature !== null && oldSecret !== null ? [{ signature: oldSignature, secret: oldSecret }] : []),
]

/** The attempt that is stored. */
export const attemptOf = (
  { id, beganAt, attempt }: Pick<NewAttempt, 'id' | 'beganAt' | 'attempt'>,
  message: Pick<NewAttempt, 'messageId' | 'type' | 'changes' | 'position'>,
  { outcome, status, error, answer, ms }: Delivery,
): NewAttempt => ({
  ...message,
  id,
  beganAt,
  attempt,
  ms,
  delivered: outcome === 'delivered',
  status: status ?? null,
  error: error ?? null,
  answer: answer ?? null,
})

/** True when a webhook gets changes at all, and the same for alerts. */
export const wantsChanges = ({ types }: Pick<StoredWebhook, 'types'>): boolean =>
  types.length === 0 || kindsOf(types).length > 0
export const wantsAlerts = ({ types }: Pick<StoredWebhook, 'types'>): boolean =>
  types.some((pattern) => namesSome(pattern, alertTypes))
