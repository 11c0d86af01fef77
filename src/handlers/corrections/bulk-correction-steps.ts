// The work of a bulk correction, a few events at a time: previews each, and replaces those to be
// applied. Source: decision 0067.

import { randomUUID } from 'node:crypto'
import { changeFields, type Difference, listDifferences } from '../../contract/field-change.ts'
import type { ReceivingEventPayload } from '../../contract/payloads.ts'
import { receivingEvent } from '../../contract/record-kinds.ts'
import type { Finding } from '../../contract/shape/finding.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { differencesMax, type NewCorrection } from '../../operations/corrections/bulk-corrections.ts'
import { replaceOperations } from '../../operations/records/replace.ts'
import {
  type ClaimedCorrection,
  type CorrectionResult,
  claimCorrection,
  completenessOfEvents,
  correctionLease,
  type EventCompleteness,
  type EventToCorrect,
  endCorrectionPhase,
  eventsToCorrect,
  providersToCorrect,
  writeCorrectionResults,
} from '../../store/corrections/bulk-corrections.ts'
import { QueueFull } from '../../store/database/batched-statement.ts'
import { cannotWriteNow, connectionLost, mayRetry } from '../../store/database/database-errors.ts'
import { Unsettled } from '../../store/database/settle.ts'
import type { StoredVersion } from '../../store/database/statement.ts'
import { readInPortions, traceOfRequest } from '../../store/records/record-versions.ts'
import type { BackgroundWork } from '../base/background-work.ts'
import type { HandlerContext, OperationCall } from '../base/handler.ts'
import { bodyWith } from '../base/inner-call.ts'
import { type ProviderSteps, providerRounds } from '../base/provider-rounds.ts'
import { MasterDataCache, verdictOf } from '../records/exported-events.ts'
import { takenAnswer } from '../records/failure-answers.ts'
import { hashOf, judgePayload } from '../records/judged-payload.ts'
import { replace } from '../records/replace.ts'
import { storedEvents } from '../records/stored-kinds.ts'
import { tallyTotals } from '../traceability/tally-totals.ts'

/**
 * Limits: events whose rows are read at once, and those of one step, by number, lines and
 * characters.
 */
const chosenAtOnce = 1_000
const eventsAtOnce = 16
const linesAtOnce = 2_000
const charactersAtOnce = 1_000_000

/** Longest text that is stored about an event. */
const detailLengthMax = 500

/** Works on bulk corrections in the background. */
export const correctionRounds = (context: HandlerContext): BackgroundWork =>
  providerRounds(
    {
      name: 'corrections',
      doing: 'Correcting events',
      stepsOf: (provider) => carryOutCorrections(context, provider),
      findLeft: () => providersToCorrect(context.store),
    },
    context.reportDropped,
  )

/** Works on the corrections of a provider until none is left. */
async function* carryOutCorrections(context: HandlerContext, provider: string): ProviderSteps<number> {
  for (;;) {
    const claimed = await claimCorrection(context.store, provider)
    if (claimed === 'none') return 'done'
    if (claimed === 'others') return 'others'
    try {
      yield* carryOut(context, provider, claimed)
    } finally {
      await correctionLease.release(context.store, provider, claimed)
    }
  }
}

/** One phase of a correction: the preview, or its application. Ends early when it was cancelled. */
async function* carryOut(
  context: HandlerContext,
  provider: string,
  claimed: ClaimedCorrection,
): AsyncGenerator<number, void, void> {
  const { store } = context
  const from = claimed.state === 'previewing' ? 'waiting' : 'ready'
  const look = workOn(context, provider, claimed)
  for (let after: string | undefined; ; ) {
    const chosen = await eventsToCorrect(store, {
      provider,
      correction: claimed.id,
      outcome: from,
      after,
      limit: chosenAtOnce,
    })
    for (const batch of batchesOf(chosen)) {
      if ((await correctionLease.renew(store, provider, [claimed])).length === 0) return
      const results = await look(batch)
      await writeCorrectionResults(store, { provider, correction: claimed.id, from, written: results })
      yield results.length
    }
    after = chosen.at(-1)?.id
    if (chosen.length < chosenAtOnce) break
  }
  await endCorrectionPhase(store, { ...claimed, provider })
}

function* batchesOf(events: readonly EventToCorrect[]): Generator<readonly EventToCorrect[]> {
  for (let start = 0; start < events.length; ) {
    let end = start
    for (let lines = 0; end < events.length && end - start < eventsAtOnce && lines < linesAtOnce; end++)
      lines += events[end]?.lineCount ?? 0
    yield events.slice(start, end)
    start = end
  }
}

/** The payload that would replace an event, and the differences. */
interface ChangedEvent {
  readonly id: string
  readonly version: number
  readonly content: ReceivingEventPayload
  readonly differences: readonly Difference[]
}

/** Processes the events of a batch, several at a time, so that they share statements. */
function workOn(context: HandlerContext, provider: string, correction: ClaimedCorrection) {
  const { where, changes } = JSON.parse(correction.asked) as Pick<NewCorrection, 'where' | 'changes'>
  const { store, settings } = context
  return async (batch: readonly EventToCorrect[]): Promise<CorrectionResult[]> => {
    const master = new MasterDataCache(context, provider)
    const before =
      correction.state === 'previewing'
        ? await completenessOfEvents(
            store,
            provider,
            batch.map(({ id }) => id),
          )
        : undefined
    const known = new Map(batch.map((event) => [event.id, event]))
    const results: CorrectionResult[] = []
    let working: Promise<CorrectionResult>[] = []
    let characters = 0
    // Where a correction is undone, a version comes right behind the one that it replaces.
    const versions = batch.flatMap(({ id, version, backTo }) => [
      { id, version },
      ...(backTo === null ? [] : [{ id, version: backTo }]),
    ])
    let corrected: StoredVersion | undefined
    const missing = new Map<string, number>()
    const reading = readInPortions(store, provider, versions, { onMissing: (one) => missing.set(one.id, one.version) })
    for await (const read of reading) {
      const { id, version, body } = read
      const event = known.get(id)
      if (event === undefined) continue
      const { backTo } = event
      if (backTo !== null && version !== backTo) {
        corrected = read
        continue
      }
      if (backTo !== null && corrected?.id !== id) continue
      known.delete(id)
      const bodyNow = backTo === null ? undefined : corrected?.body
      const work = async (): Promise<CorrectionResult> => {
        const payload = JSON.parse(body) as ReceivingEventPayload
        const one =
          bodyNow === undefined
            ? { id, version, ...(await changedPayload(payload, master)) }
            : { id, version: event.version, ...restoredPayload(payload, bodyNow) }
        return before === undefined
          ? replaceEvent(context, provider, correction, { event: one, resultHash: event.resultHash })
          : previewEvent(context, provider, one, before.get(id))
      }
      const result = work().catch((error) => failedResult(context, id, error))
      // Awaited later, with the others.
      result.catch(() => undefined)
      working.push(result)
      characters += body.length
      if (characters < charactersAtOnce) continue
      results.push(...(await Promise.all(working)))
      working = []
      characters = 0
    }
    results.push(...(await Promise.all(working)))
    for (const id of known.keys()) {
      const version = missing.get(id)
      results.push(
        version === undefined
          ? { id, outcome: 'gone', detail: 'The event was purged.' }
          : { id, outcome: 'failed', detail: `Version ${version} of the event is missing in the database.` },
      )
    }
    return results
  }

  /** The payload with the changes of the correction. */
  async function changedPayload(payload: ReceivingEventPayload, master: MasterDataCache) {
    const gapsAt = where.gap === undefined ? undefined : await pointersOf(where.gap, payload, master)
    const { payload: changed, differences } = changeFields(payload, changes, { ...where, gapsAt })
    return { content: withoutPayloadId(changed), differences }
  }

  /** The places where the rule finds its gap with current master data. */
  async function pointersOf(gap: string, payload: ReceivingEventPayload, master: MasterDataCache) {
    await master.lookUp([payload])
    return verdictOf(payload, master.facts(), settings)
      .findings()
      .flatMap(([rule, , pointer]) => (rule === gap ? [pointer] : []))
  }
}

/** A temporary failure ends the step, which is retried. A fault of one event stops no others. */
function failedResult({ reportDropped }: HandlerContext, id: string, error: unknown): CorrectionResult {
  const isPassing = connectionLost(error) || mayRetry(error) || cannotWriteNow(error)
  if (isPassing || error instanceof QueueFull || error instanceof Unsettled) throw error
  reportDropped(`Correcting events failed: event ${id}: ${error instanceof Error ? error.message : error}`)
  return { id, outcome: 'failed', detail: 'The service failed on this event. The log has the reason.' }
}

/** The content before a correction, and its difference from the current one. */
function restoredPayload(before: ReceivingEventPayload, bodyNow: string) {
  const content = withoutPayloadId(before)
  const now = withoutPayloadId(JSON.parse(bodyNow) as ReceivingEventPayload)
  return { content, differences: listDifferences(now, content) }
}

/**
 * The payload id names a payload of its sender, and a second payload with it would be a mistake.
 */
function withoutPayloadId({ payloadId: _, ...payload }: ReceivingEventPayload): ReceivingEventPayload {
  return payload
}

/** A call like that of an ordinary replacement, with the correction as its request. */
function callFor(
  provider: string,
  { id, version, content }: ChangedEvent,
  by: Pick<OperationCall, 'keyId' | 'requestId' | 'reason'>,
): OperationCall {
  return {
    ...by,
    role: 'writer',
    provider,
    id,
    body: bodyWith(content),
    ifMatch: [version],
    ifNoneMatch: [],
    version: '',
    lotCode: '',
    query: {},
    lists: {},
    strict: false,
    representation: false,
    idempotencyKey: undefined,
    session: undefined,
  }
}

const { name: operationName, body: replacementShape } = replaceOperations.replaceReceivingEvent

async function previewEvent(
  context: HandlerContext,
  provider: string,
  event: ChangedEvent,
  before: EventCompleteness | undefined,
): Promise<CorrectionResult> {
  const { id, content, differences } = event
  if (differences.length === 0) return { id, outcome: 'unchanged' }
  const result = {
    id,
    values: differences.length,
    differences: JSON.stringify(
      differences.slice(0, differencesMax).map(({ pointer, before, after }) => ({
        pointer,
        before: before ?? null,
        after: after ?? null,
      })),
    ),
  }
  const call = callFor(provider, event, { keyId: operationName, requestId: randomUUID(), reason: undefined })
  const judged = await judgePayload(context, call, receivingEvent, { shape: replacementShape, replacedRecordId: id })
  if (judged.verdict.refused) return { ...result, outcome: 'refused', detail: refusalText(judged.verdict.findings) }
  const [record] = judged.records()
  if (record === undefined) throw new Error('A replacement holds one record.')
  const { key, written } = storedEvents.receivingEvent
  if (key !== undefined && differences.some(({ pointer }) => isOfKey(pointer))) {
    const search = storedEvents.receivingEvent.searchOf(record)
    const holder = await written.statements.findHolder?.(context.store, { provider, s: [search], except: id })
    if (holder !== undefined)
      return { ...result, outcome: 'refused', detail: detailOf(takenAnswer(key, [search], holder)) }
  }
  const after = tallyTotals(record.tallies)
  return {
    ...result,
    outcome: 'ready',
    completedLines: after.completeLines - (before?.completeLines ?? 0),
    closedGaps: (before?.gaps ?? 0) - after.gaps,
    resultHash: hashOf(receivingEvent, content),
  }
}

/** Fields of an event's unique key, except its date time. */
const isOfKey = (pointer: string): boolean => /^\/eventList\/(dataProviderVendorId|shipToLocationCode)$/.test(pointer)

async function replaceEvent(
  context: HandlerContext,
  provider: string,
  { id: correctionId, appliedBy, reason }: ClaimedCorrection,
  { event, resultHash }: { readonly event: ChangedEvent; readonly resultHash: Buffer | null },
): Promise<CorrectionResult> {
  const { id, content } = event
  if (resultHash === null || !hashOf(receivingEvent, content).equals(resultHash))
    return {
      id,
      outcome: 'superseded',
      detail: 'Master data changed after the preview, so the correction would now change other values.',
    }
  const call = callFor(provider, event, { keyId: appliedBy ?? '', requestId: correctionId, reason })
  const answer = await replace(context, storedEvents.receivingEvent, replaceOperations.replaceReceivingEvent)(call)
  switch (answer.outcome) {
    case 'replaced':
      return { id, outcome: 'corrected', ...(answer.version !== undefined && { toVersion: answer.version }) }
    case 'unchanged':
      return { id, outcome: 'unchanged' }
    case 'stale': {
      // An interrupted step may have stored it already.
      const { written } = await traceOfRequest(context.store, provider, id, correctionId)
      return written === undefined
        ? {
            id,
            outcome: 'superseded',
            detail: `The event changed after it was chosen: it is at version ${answer.version}.`,
          }
        : { id, outcome: 'corrected', toVersion: written }
    }
    case 'unknownRecord':
    case 'purged':
      return { id, outcome: 'gone', detail: 'The event was purged.' }
    default:
      return { id, outcome: 'refused', detail: refusalText(answer.findings ?? []) || detailOf(answer) }
  }
}

/** The first error, and how many others there are. */
function refusalText(findings: readonly Finding[]): string {
  const [first, ...others] = findings.filter(({ severity }) => severity === 'error')
  if (first === undefined) return ''
  const more = others.length === 0 ? '' : ` ${pluralize(others.length, 'more error')}.`
  return detailOf({ detail: `${first.pointer}: ${first.message}${more}` })
}

const detailOf = ({ detail = '' }: { readonly detail?: string }): string =>
  detail.length > detailLengthMax ? `${detail.slice(0, detailLengthMax)}…` : detail
