// Creates, lists, applies, cancels and reports bulk corrections (decision 0067).
import { faultOfChange } from '../../contract/field-change.ts'
import { correctionCsv, correctionWorkbook, type ReportedEvent } from '../../exports/correction-report.ts'
import { limitMax } from '../../operations/base/query.ts'
import {
  type Correction,
  type CorrectionApproval,
  type CorrectionEvent,
  type CorrectionUndoing,
  correctionEventsMax,
  correctionLinesMax,
  correctionOperations,
  type NewCorrection,
} from '../../operations/corrections/bulk-corrections.ts'
import { gapRules } from '../../rules/key-data-elements.ts'
import {
  beginToApply,
  type CorrectedEvent,
  type CorrectionOutcome,
  correctionOutcomes,
  countCorrectionEvents,
  endByCancelling,
  findCorrection,
  findCorrectionEvents,
  findCorrections,
  forgetCorrections,
  insertCorrection,
  insertUndoing,
  type OutcomeCounts,
  type ReadyChoice,
  readyAmong,
  type StoredCorrection,
  selectEventsToCorrect,
  undoingOf,
} from '../../store/corrections/bulk-corrections.ts'
import { pageOf, recordIdIn, scopeOf } from '../base/cursor.ts'
import type { Answer, HandlerContext, HandlersOf, OperationCall } from '../base/handler.ts'
import { isRecordId } from '../base/record-id.ts'
import { readSelection } from '../records/event-selection.ts'
import { shapeRefusal } from '../records/failure-answers.ts'

/** Most corrections of a provider in progress. */
const openCorrectionsMax = 20

const dayMs = 24 * 3_600_000
/** A preview that is not applied within this time is cancelled. */
const previewKeptMs = dayMs
/** The events of a correction are kept this long after its end. */
const eventsKeptMs = 90 * dayMs

const nothingCreated = 'No correction was created.'

const createCorrection =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'tooMany' | 'tooManyOpen' | 'created'>> => {
    const { store } = context
    const { provider } = call
    const refusal = shapeRefusal(correctionOperations.createCorrection.body, call, nothingCreated)
    if (refusal !== undefined) return refusal
    const { reason, where, changes } = call.body.value as NewCorrection
    const fault = faultOf({ reason, where, changes })
    if (fault !== undefined) return { outcome: 'refused', detail: `${fault} ${nothingCreated}` }

    const now = Date.now()
    await forgetCorrections(store, provider, new Date(now - previewKeptMs), new Date(now - eventsKeptMs))
    const events = await selectEventsToCorrect(store, provider, where, correctionEventsMax + 1)
    const lines = events.reduce((sum, { lineCount }) => sum + lineCount, 0)
    if (events.length > correctionEventsMax || lines > correctionLinesMax)
      return {
        outcome: 'tooMany',
        detail: `The correction chooses more than ${correctionEventsMax.toLocaleString('en-US')} events or ${correctionLinesMax.toLocaleString('en-US')} lines. Choose fewer: by dates, vendor, ship-to location, item, lot, purchase order, gap or ids. ${nothingCreated}`,
      }
    const created = await insertCorrection(store, {
      provider,
      reason,
      asked: { where, changes },
      createdBy: call.keyId,
      events,
      openMax: openCorrectionsMax,
    })
    return createdAnswer(context, provider, created)
  }

const undoCorrection =
  (context: HandlerContext) =>
  async (
    call: OperationCall,
  ): Promise<Answer<'unknownCorrection' | 'refused' | 'notEnded' | 'nothingToUndo' | 'tooManyOpen' | 'created'>> => {
    const { provider, id, keyId } = call
    const undone = await namedCorrection(context, call)
    if (undone === undefined) return unknownCorrection(call)
    const refusal = shapeRefusal(correctionOperations.undoCorrection.body, call, nothingCreated)
    if (refusal !== undefined) return refusal
    const { reason } = call.body.value as CorrectionUndoing
    if (reason.trim() === '') return { outcome: 'refused', detail: `${blankReason} ${nothingCreated}` }
    if (undone.endedAt === null)
      return {
        outcome: 'notEnded',
        detail: `The correction is ${undone.state}. Undo it when it is ended. ${nothingCreated}`,
      }
    const { corrected } = (await viewOf(context, provider, undone)).outcomes
    if (corrected === 0)
      return {
        outcome: 'nothingToUndo',
        detail: `The correction has no event that it corrected. What it did with each event is deleted ${eventsKeptMs / dayMs} days after its end. ${nothingCreated}`,
      }
    const asked = { where: {}, changes: [] }
    const created = await insertUndoing(context.store, {
      provider,
      undoes: id,
      reason,
      asked,
      createdBy: keyId,
      openMax: openCorrectionsMax,
    })
    return createdAnswer(context, provider, created)
  }

async function createdAnswer(
  context: HandlerContext,
  provider: string,
  created: StoredCorrection | undefined,
): Promise<Answer<'tooManyOpen' | 'created'>> {
  if (created === undefined)
    return {
      outcome: 'tooManyOpen',
      detail: `${openCorrectionsMax} corrections are not ended, which is the limit. Apply or cancel some. ${nothingCreated}`,
    }
  context.due('corrections', provider)
  return { outcome: 'created', createdId: created.id, body: await viewOf(context, provider, created) }
}

const blankReason = 'The reason is blank. Say why the events are corrected.'

/** Why the request of a correction has no change, or contradicts itself. */
function faultOf({ reason, where, changes }: NewCorrection): string | undefined {
  if (reason.trim() === '') return blankReason
  const selection = readSelection({
    query: {
      ...(where.eventStartDate !== undefined && { eventStartDate: where.eventStartDate }),
      ...(where.eventEndDate !== undefined && { eventEndDate: where.eventEndDate }),
    },
    lists: {},
  })
  if ('outcome' in selection) return selection.detail
  if (where.gap !== undefined && !gapRules.includes(where.gap))
    return `gap is ${JSON.stringify(where.gap)}, which is no rule that reports gaps. Those are: ${gapRules.join(', ')}.`
  const wrongId = where.recordId?.find((id) => !isRecordId(id))
  if (wrongId !== undefined)
    return `recordId is ${JSON.stringify(wrongId)}, which is no id of a record. Copy it from its page or from a list.`
  return changes.map(faultOfChange).find((fault) => fault !== undefined)
}

const listCorrections =
  (context: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const listed = await pageOf(query, {
      scope: scopeOf('corrections', {}),
      positionIn: recordIdIn,
      find: (before, count) => findCorrections(context.store, { provider, before, limit: count }),
      positionOf: ({ id }) => id,
    })
    if ('outcome' in listed) return listed
    return {
      outcome: 'listed',
      body: { content: await viewsOf(context, provider, listed.page), nextCursor: listed.nextCursor },
    }
  }

const readCorrection =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'unknownCorrection' | 'found'>> => {
    const stored = await namedCorrection(context, call)
    if (stored === undefined) return unknownCorrection(call)
    return { outcome: 'found', body: await viewOf(context, call.provider, stored) }
  }

const listCorrectionEvents =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'unknownCorrection' | 'listed' | 'badQuery'>> => {
    const { provider, query, id } = call
    if ((await namedCorrection(context, call)) === undefined) return unknownCorrection(call)
    const outcome = correctionOutcomes.find((one) => one === query.outcome)
    const listed = await pageOf(query, {
      scope: scopeOf('events of a correction', { id, outcome }),
      positionIn: recordIdIn,
      find: (after, count) =>
        findCorrectionEvents(context.store, { provider, correction: id, outcome, after, limit: count }),
      positionOf: (event) => event.id,
    })
    if ('outcome' in listed) return listed
    return { outcome: 'listed', body: { content: listed.page.map(eventView), nextCursor: listed.nextCursor } }
  }

const applyCorrection =
  (context: HandlerContext) =>
  async (
    call: OperationCall,
  ): Promise<Answer<'unknownCorrection' | 'refused' | 'notPreviewed' | 'correctionCancelled' | 'applying'>> => {
    const { provider, id, keyId } = call
    const previewed = await namedCorrection(context, call)
    if (previewed === undefined) return unknownCorrection(call)
    const refusal = shapeRefusal(correctionOperations.applyCorrection.body, call, nothingApplied)
    if (refusal !== undefined) return refusal
    if (previewed.state === 'previewed') {
      const { ready } = (await viewOf(context, provider, previewed)).outcomes
      const { ready: seen, ...choice } = call.body.value as CorrectionApproval
      if (seen !== ready)
        return {
          outcome: 'refused',
          detail: `ready is ${seen}, and the preview has ${ready} events that are ready. Read the correction again. ${nothingApplied}`,
        }
      const fault = await faultOfChoice(context, call, choice, ready)
      if (fault !== undefined) return { outcome: 'refused', detail: `${fault} ${nothingApplied}` }
      if (await beginToApply(context.store, { id, keyId, ...choice, provider })) context.due('corrections', provider)
    }
    const stored = (await findCorrection(context.store, { provider, id })) ?? previewed
    if (stored.state === 'previewing')
      return {
        outcome: 'notPreviewed',
        detail: 'The preview is not finished. Apply the correction when its state is previewed.',
      }
    if (stored.state === 'cancelled')
      return { outcome: 'correctionCancelled', detail: 'The correction was cancelled. Create it again.' }
    return { outcome: 'applying', body: await viewOf(context, provider, stored) }
  }

const nothingApplied = 'Nothing was applied.'

/** Why the selection of events is invalid. */
async function faultOfChoice(
  { store }: HandlerContext,
  { provider, id }: OperationCall,
  { only, leaveOut }: ReadyChoice,
  ready: number,
): Promise<string | undefined> {
  if (only !== undefined && leaveOut !== undefined) return 'Both only and leaveOut are given. Send one of them.'
  const [name, named] = only === undefined ? ['leaveOut', leaveOut ?? []] : ['only', only]
  const known = await readyAmong(store, provider, id, named.filter(isRecordId))
  const other = named.find((one) => !known.has(one))
  if (other !== undefined)
    return `${name} has ${JSON.stringify(other.slice(0, 60))}, which is no event of this correction that is ready.`
  return leaveOut !== undefined && known.size === ready ? 'leaveOut names every event that is ready.' : undefined
}

const cancelCorrection =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'unknownCorrection' | 'correctionDone' | 'cancelled'>> => {
    const { provider, id } = call
    if (!isRecordId(id)) return unknownCorrection(call)
    await endByCancelling(context.store, { provider, id })
    const stored = await findCorrection(context.store, { provider, id })
    if (stored === undefined) return unknownCorrection(call)
    if (stored.state === 'done')
      return {
        outcome: 'correctionDone',
        detail: 'The correction is done. To bring its events back to what stood before, undo it.',
      }
    return { outcome: 'cancelled', body: await viewOf(context, provider, stored) }
  }

const exportCorrectionReport =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'unknownCorrection' | 'exported'>> => {
    const stored = await namedCorrection(context, call)
    if (stored === undefined) return unknownCorrection(call)
    const view = await viewOf(context, call.provider, stored)
    const events = reportedEvents(context, call)
    const name = `correction-${stored.createdAt.toISOString().slice(0, 10)}-${stored.id.slice(-6)}`
    return {
      outcome: 'exported',
      file:
        call.query.format === 'csv'
          ? {
              mediaType: 'text/csv; charset=utf-8',
              name: `${name}.csv`,
              records: stored.events,
              parts: correctionCsv(events),
            }
          : {
              mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
              name: `${name}.xlsx`,
              records: stored.events,
              parts: correctionWorkbook(aboutCorrection(view), events),
            },
    }
  }

/** Read page by page, while the file is sent. */
async function* reportedEvents(
  { store }: HandlerContext,
  { provider, id }: OperationCall,
): AsyncGenerator<ReportedEvent> {
  for (let after: string | undefined; ; ) {
    const page = await findCorrectionEvents(store, {
      provider,
      correction: id,
      outcome: undefined,
      after,
      limit: limitMax,
    })
    yield* page.map(eventView)
    after = page.at(-1)?.id
    if (page.length < limitMax) return
  }
}

const aboutCorrection = (correction: Correction): (readonly [string, string])[] => [
  ['Correction', correction.id],
  ...(correction.undoes === null ? [] : [['Undoes', correction.undoes] as const]),
  ['Reason', correction.reason],
  ['State', correction.state],
  ['Where', JSON.stringify(correction.where)],
  ...correction.changes.map((change): readonly [string, string] => ['Change', JSON.stringify(change)]),
  ['Created', `${correction.createdDateTime} by key ${correction.createdBy}`],
  [
    'Applied',
    correction.appliedDateTime === null ? '' : `${correction.appliedDateTime} by key ${correction.appliedBy}`,
  ],
  ['Ended', correction.endedDateTime ?? ''],
  ...Object.entries(correction.outcomes).map(([outcome, events]): readonly [string, string] => [
    `Events ${outcome}`,
    String(events),
  ]),
]

const namedCorrection = async (
  { store }: HandlerContext,
  { provider, id }: OperationCall,
): Promise<StoredCorrection | undefined> => (isRecordId(id) ? findCorrection(store, { provider, id }) : undefined)

const unknownCorrection = ({ id }: OperationCall): Answer<'unknownCorrection'> => ({
  outcome: 'unknownCorrection',
  detail: `There is no correction with id ${id.slice(0, 60)}.`,
})

async function viewOf(context: HandlerContext, provider: string, stored: StoredCorrection): Promise<Correction> {
  const [view] = await viewsOf(context, provider, [stored])
  if (view === undefined) throw new Error('A correction has a view.')
  return view
}

async function viewsOf(
  { store }: HandlerContext,
  provider: string,
  stored: readonly StoredCorrection[],
): Promise<Correction[]> {
  const ids = stored.map(({ id }) => id)
  if (ids.length === 0) return []
  const [counted, undoing] = await Promise.all([
    countCorrectionEvents(store, { provider, ids }),
    undoingOf(store, provider, ids),
  ])
  return stored.map((correction) =>
    toView(
      correction,
      counted.filter(({ id }) => id === correction.id),
      undoing.get(correction.id) ?? null,
    ),
  )
}

function toView(
  { asked, createdAt, appliedAt, endedAt, ...stored }: StoredCorrection,
  counted: readonly OutcomeCounts[],
  undoneBy: string | null,
): Correction {
  const { where, changes } = JSON.parse(asked) as Pick<Correction, 'where' | 'changes'>
  const eventsWith = (outcome: CorrectionOutcome) => counted.find((one) => one.outcome === outcome)?.events ?? 0
  const kept = counted.filter(({ outcome }) => outcome === 'ready' || outcome === 'corrected')
  const sumOf = (count: (counts: OutcomeCounts) => number) => kept.reduce((sum, one) => sum + count(one), 0)
  return {
    ...stored,
    undoneBy,
    where,
    changes,
    outcomes: Object.fromEntries(
      correctionOutcomes.map((outcome) => [outcome, eventsWith(outcome)]),
    ) as Correction['outcomes'],
    values: sumOf(({ values }) => values),
    completedLines: sumOf(({ completedLines }) => completedLines),
    closedGaps: sumOf(({ closedGaps }) => closedGaps),
    createdDateTime: createdAt.toISOString(),
    appliedDateTime: appliedAt?.toISOString() ?? null,
    endedDateTime: endedAt?.toISOString() ?? null,
  }
}

const eventView = ({ lineCount, differences, ...event }: CorrectedEvent): CorrectionEvent => ({
  ...event,
  lines: lineCount,
  differences: differences === null ? [] : (JSON.parse(differences) as CorrectionEvent['differences']),
})

export const correctionHandlers: HandlersOf<typeof correctionOperations> = {
  createCorrection,
  listCorrections,
  readCorrection,
  listCorrectionEvents,
  applyCorrection,
  cancelCorrection,
  undoCorrection,
  exportCorrectionReport,
}
