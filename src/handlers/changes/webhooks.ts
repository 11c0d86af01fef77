// Creates, changes, tests and lists webhooks. `webhook-sender.ts` sends their messages.
import type { Static } from 'typebox'
import { alertTypes } from '../../contract/alerts.ts'
import { beginning, changeTypes, positionText, readPosition } from '../../contract/changes.ts'
import { isGiven } from '../../contract/shape/field.ts'
import type { Finding } from '../../contract/shape/finding.ts'
import { namesSome, testType } from '../../contract/webhooks.ts'
import {
  type NewWebhook,
  type WebhookKeyChange,
  type WebhookReplay,
  type WebhookSettings,
  webhookOperations,
} from '../../operations/changes/webhooks.ts'
import { shapeFinding } from '../../rules/shape.ts'
import { versionOfSetting } from '../../store/base/setting-versions.ts'
import { newestPosition, wantedChanges } from '../../store/changes/changes.ts'
import {
  changeWebhookKey,
  enableWebhook,
  findWebhook,
  findWebhooks,
  insertWebhook,
  listAttempts,
  moveWebhook,
  noLag,
  noteTestAttempt,
  removeWebhook,
  replaceWebhookSettings,
  type StoredAttempt,
  type WebhookSettings as StoredSettings,
  type StoredWebhook,
  type WebhookLag,
  webhooksBehind,
  webhooksMax,
} from '../../store/changes/webhooks.ts'
import type { Queryable } from '../../store/database/statement.ts'
import { lastLook } from '../../store/vendors/alerts.ts'
import { drawWebhookKey, receiverKey, signMessage } from '../../webhooks/signature.ts'
import { editUnderCondition } from '../base/conditions.ts'
import { pageOf, recordIdIn, scopeOf } from '../base/cursor.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { isRecordId, newRecordId } from '../base/record-id.ts'
import { shapeRefusal } from '../records/failure-answers.ts'
import { attemptOf, messageIdText, signingKeysOf, wantsChanges } from './webhook-messages.ts'

const nothingChanged = 'Nothing was changed.'

const listWebhooks =
  ({ store }: HandlerContext) =>
  async ({ provider }: OperationCall): Promise<Answer<'listed'>> => {
    const webhooks = await findWebhooks(store, provider)
    const lags = await webhooksBehind(store, provider)
    const newest = await newestPosition(store, provider)
    return {
      outcome: 'listed',
      body: {
        content: webhooks.map((webhook) => toView(webhook, lags.get(webhook.id))),
        newestPosition: positionText(newest),
      },
    }
  }

const readWebhook =
  ({ store }: HandlerContext) =>
  async ({ provider, id }: OperationCall): Promise<Answer<'unknownWebhook' | 'found'>> => {
    const version = isRecordId(id) ? await versionOfSetting(store, provider, id) : 0
    const webhook = await webhookOf(store, provider, id)
    return webhook === undefined
      ? unknownWebhook(id)
      : { outcome: 'found', version, body: toView(webhook, await lagOf(store, provider, id)) }
  }

const createWebhook =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'created'>> => {
    const refusal = shapeRefusal(webhookOperations.createWebhook.body, call, 'No webhook was created.')
    if (refusal !== undefined) return refusal
    const { store, changeListeners, due } = context
    const { provider, keyId, requestId } = call
    const { signature = 'v1a', ...sent } = call.body.value as Static<typeof NewWebhook>
    const refused = await refusalOf(context, sent, 'No webhook was created.')
    if (refused !== undefined) return refused
    // Gives committed versions their place first, so that the webhook begins with later changes.
    await changeListeners.bringUp(provider)
    const start = {
      position: positionText(await newestPosition(store, provider)),
      alertNumber: (await lastLook(store, provider)).lastNumber,
    }
    const [id, key] = [newRecordId(), drawWebhookKey(signature)]
    if (!(await insertWebhook(store, { id, ...toStored(sent), ...key, ...start, provider }, { who: keyId, requestId })))
      return {
        outcome: 'refused',
        detail: `There are ${webhooksMax} webhooks, which is the limit. Delete one. No webhook was created.`,
      }
    due('webhooks', provider)
    return { outcome: 'created', version: 1, body: withSecret(await theWebhook(store, provider, id)), createdId: id }
  }

const replaceWebhook =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'unknownWebhook' | 'stale' | 'changed'>> => {
    const refusal = shapeRefusal(webhookOperations.replaceWebhook.body, call, nothingChanged)
    if (refusal !== undefined) return refusal
    const sent = call.body.value as Static<typeof WebhookSettings>
    const refused = await refusalOf(context, sent, nothingChanged)
    if (refused !== undefined) return refused
    const { store, due } = context
    const { provider, keyId, requestId, id } = call
    if ((await webhookOf(store, provider, id)) === undefined) return unknownWebhook(id)
    const version = await editUnderCondition(
      store,
      call,
      { edited: id, what: 'The webhook' },
      async (allowed) =>
        (await replaceWebhookSettings(
          store,
          { id, ...toStored(sent), provider },
          { who: keyId, requestId },
          allowed,
        )) ?? 'stale',
    )
    const webhook = await findWebhook(store, provider, id)
    if (webhook === undefined) return unknownWebhook(id)
    if (typeof version !== 'number') return version
    due('webhooks', provider)
    return { outcome: 'changed', version, body: toView(webhook, await lagOf(store, provider, id)) }
  }

const deleteWebhook =
  ({ store }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'unknownWebhook' | 'stale' | 'deleted'>> => {
    const { provider, keyId, requestId, id } = call
    const webhook = await webhookOf(store, provider, id)
    if (webhook === undefined) return unknownWebhook(id)
    const lag = await lagOf(store, provider, id)
    const deleted = await editUnderCondition(store, call, { edited: id, what: 'The webhook' }, async (allowed) =>
      (await removeWebhook(store, { provider, id }, { who: keyId, requestId }, allowed)) ? true : 'stale',
    )
    if (deleted === true) return { outcome: 'deleted', body: toView(webhook, lag) }
    return (await webhookOf(store, provider, id)) === undefined ? unknownWebhook(id) : deleted
  }

const replayWebhook =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'unknownWebhook' | 'moved'>> => {
    const refusal = shapeRefusal(webhookOperations.replayWebhook.body, call, nothingChanged)
    if (refusal !== undefined) return refusal
    const { after } = call.body.value as Static<typeof WebhookReplay>
    const position = after === undefined ? undefined : readPosition(after)
    const isKnown =
      after === undefined ||
      (position !== undefined &&
        (await wantedChanges(context.store, call.provider, { after: position, limit: 1, filter: {} })) !==
          'otherHistory')
    if (!isKnown)
      return refusedBecause(
        [shapeFinding('shape/type', '/after', `after is ${JSON.stringify(after)}, which is no position of the feed.`)],
        nothingChanged,
      )
    return changeWebhook(context, call, { outcome: 'moved', view: toView }, (provider, id, actor) =>
      moveWebhook(context.store, { provider, id, position: positionText(position ?? beginning) }, actor),
    )
  }

const resumeWebhook =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'unknownWebhook' | 'resumed'>> => {
    const refusal = shapeRefusal(webhookOperations.resumeWebhook.body, call, nothingChanged)
    if (refusal !== undefined) return refusal
    return changeWebhook(context, call, { outcome: 'resumed', view: toView }, (provider, id, actor) =>
      enableWebhook(context.store, { provider, id }, actor),
    )
  }

const rotateWebhookKey =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'unknownWebhook' | 'rotated'>> => {
    const refusal = shapeRefusal(webhookOperations.rotateWebhookKey.body, call, nothingChanged)
    if (refusal !== undefined) return refusal
    const { store } = context
    const { signature } = call.body.value as Static<typeof WebhookKeyChange>
    const webhook = await webhookOf(store, call.provider, call.id)
    if (webhook === undefined) return unknownWebhook(call.id)
    const key = drawWebhookKey(signature ?? webhook.signature)
    return changeWebhook(context, call, { outcome: 'rotated', view: withSecret }, (provider, id, actor) =>
      changeWebhookKey(store, { id, ...key, provider }, actor),
    )
  }

const testWebhook =
  ({ store, webhooks, due }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'unknownWebhook' | 'tried'>> => {
    const refusal = shapeRefusal(webhookOperations.testWebhook.body, call, 'Nothing was sent.')
    if (refusal !== undefined) return refusal
    const { provider, id } = call
    const webhook = await webhookOf(store, provider, id)
    if (webhook === undefined) return unknownWebhook(id)
    const [attemptId, beganAt] = [newRecordId(), new Date()]
    const messageId = messageIdText(attemptId)
    const body = JSON.stringify({ type: testType, timestamp: beganAt.toISOString(), data: { webhookId: id } })
    const headers = signMessage(signingKeysOf(webhook), messageId, beganAt, body)
    const delivery = await webhooks.deliver({ url: webhook.url, headers, body })
    const message = { messageId, type: testType, changes: 0, position: null }
    const attempt = attemptOf({ id: attemptId, beganAt, attempt: 1 }, message, delivery)
    await noteTestAttempt(store, { webhook: id, ...attempt, provider })
    if (attempt.delivered) due('webhooks', provider)
    return { outcome: 'tried', body: attemptView({ ...attempt, nextAt: null }) }
  }

const listWebhookAttempts =
  ({ store }: HandlerContext) =>
  async ({ provider, id, query }: OperationCall): Promise<Answer<'unknownWebhook' | 'listed' | 'badQuery'>> => {
    if ((await webhookOf(store, provider, id)) === undefined) return unknownWebhook(id)
    const { failed = 'false' } = query
    const listed = await pageOf(query, {
      scope: scopeOf('webhook attempts', { id, failed }),
      positionIn: recordIdIn,
      find: (before, count) =>
        listAttempts(store, { provider, webhook: id, failedOnly: failed === 'true', before, limit: count }),
      positionOf: (attempt) => attempt.id,
    })
    if ('outcome' in listed) return listed
    return { outcome: 'listed', body: { content: listed.page.map(attemptView), nextCursor: listed.nextCursor } }
  }

/** Changes a webhook, wakes its sender, and answers with the new state. */
async function changeWebhook<Outcome extends string>(
  { store, due }: HandlerContext,
  { provider, keyId, requestId, id }: OperationCall,
  {
    outcome,
    view,
  }: { readonly outcome: Outcome; readonly view: (webhook: StoredWebhook, lag: WebhookLag | undefined) => object },
  change: (
    provider: string,
    id: string,
    actor: { readonly who: string; readonly requestId: string },
  ) => Promise<boolean>,
): Promise<Answer<'unknownWebhook' | Outcome>> {
  const isChanged = isRecordId(id) && (await change(provider, id, { who: keyId, requestId }))
  const webhook = isChanged ? await findWebhook(store, provider, id) : undefined
  if (webhook === undefined) return unknownWebhook(id)
  due('webhooks', provider)
  return { outcome, body: view(webhook, await lagOf(store, provider, id)) }
}

const webhookOf = (store: Queryable, provider: string, id: string) =>
  isRecordId(id) ? findWebhook(store, provider, id) : Promise.resolve(undefined)

const lagOf = async (store: Queryable, provider: string, id: string): Promise<WebhookLag | undefined> =>
  isRecordId(id) ? (await webhooksBehind(store, provider, id)).get(id) : undefined

async function theWebhook(store: Queryable, provider: string, id: string): Promise<StoredWebhook> {
  const webhook = await findWebhook(store, provider, id)
  if (webhook === undefined) throw new Error('A webhook that was created a moment ago is not there.')
  return webhook
}

const unknownWebhook = (id: string): Answer<'unknownWebhook'> => ({
  outcome: 'unknownWebhook',
  detail: `There is no webhook with id ${id.slice(0, 60)}.`,
})

/** Every type of message. */
const sentTypes: readonly string[] = [...changeTypes, ...alertTypes]

/** Mistakes in settings of the right shape. */
async function refusalOf(
  { webhooks }: HandlerContext,
  sent: Static<typeof WebhookSettings>,
  consequence: string,
): Promise<Answer<'refused'> | undefined> {
  const fault = await webhooks.faultOf(sent.url)
  const findings = [
    ...(fault === undefined ? [] : [shapeFinding('shape/address', '/url', fault)]),
    ...(sent.types ?? []).flatMap((pattern, i) =>
      namesSome(pattern, sentTypes)
        ? []
        : [
            shapeFinding(
              'shape/message-type',
              `/types/${i}`,
              `${JSON.stringify(pattern)} names no type. Types are ${sentTypes.join(', ')}.`,
            ),
          ],
    ),
  ]
  return findings.length === 0 ? undefined : refusedBecause(findings, consequence)
}

function refusedBecause(findings: readonly Finding[], consequence: string): Answer<'refused'> {
  const [first] = findings
  return {
    outcome: 'refused',
    detail: `${first?.pointer}: ${first?.message} ${consequence}`,
    findings,
    findingCount: findings.length,
  }
}

function toStored(sent: Static<typeof WebhookSettings>): StoredSettings {
  const { url, types = [], payload = 'thin' } = sent
  const given = (value: string | undefined) => (isGiven(value) ? value : null)
  return {
    url,
    description: given(sent.description),
    types: [...new Set(types)],
    dataProviderVendorId: given(sent.dataProviderVendorId),
    shipToLocationCode: given(sent.shipToLocationCode),
    lotCode: given(sent.lotCode),
    payload,
  }
}

function toView(webhook: StoredWebhook, lag: WebhookLag = noLag) {
  const { changes, seconds } = wantsChanges(webhook) ? lag : noLag
  const { id, url, description, types, dataProviderVendorId, shipToLocationCode, lotCode, payload } = webhook
  const { signature, secret, oldSignature, oldSecret } = webhook
  const isFailing = webhook.failingSince !== null
  return {
    id,
    url,
    description,
    types,
    dataProviderVendorId,
    shipToLocationCode,
    lotCode,
    payload,
    signature,
    publicKey: signature === 'v1a' ? receiverKey({ signature, secret }) : null,
    oldPublicKey:
      oldSecret !== null && oldSignature === 'v1a' ? receiverKey({ signature: oldSignature, secret: oldSecret }) : null,
    oldKeyUntilDateTime: webhook.oldUntil?.toISOString() ?? null,
    state: webhook.disabledAt === null ? 'enabled' : 'disabled',
    disabledBecause: webhook.disabledBecause,
    disabledDateTime: webhook.disabledAt?.toISOString() ?? null,
    position: webhook.position,
    changesBehind: changes,
    secondsBehind: Math.round(seconds),
    failedAttempts: webhook.attempts,
    failingSinceDateTime: webhook.failingSince?.toISOString() ?? null,
    nextAttemptDateTime: isFailing && webhook.disabledAt === null ? (webhook.nextAt?.toISOString() ?? null) : null,
    lastDeliveredDateTime: webhook.deliveredAt?.toISOString() ?? null,
    createdDateTime: webhook.createdAt.toISOString(),
    createdBy: webhook.createdBy,
  }
}

const withSecret = (webhook: StoredWebhook, lag?: WebhookLag) => ({
  ...toView(webhook, lag),
  secret: webhook.signature === 'v1' ? receiverKey(webhook) : null,
})

const attemptView = ({ beganAt, ms, delivered, nextAt, ...attempt }: StoredAttempt) => ({
  ...attempt,
  outcome: delivered ? 'delivered' : 'failed',
  startedDateTime: beganAt.toISOString(),
  seconds: Math.round(ms) / 1_000,
  nextAttemptDateTime: nextAt?.toISOString() ?? null,
})

export const webhookHandlers = {
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
