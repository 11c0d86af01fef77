// Creates, lists, applies, cancels and reports bulk corrections (decision 0067).
import { faultOfChange } from '../contract/field-change.ts'
import { correctionCsv, correctionWorkbook, type ReportedEvent } from '../exports/correction-report.ts'
import {
  type Correction,
  type CorrectionApproval,
  type CorrectionEvent,
  correctionEventsMax,
  correctionLinesMax,
  type NewCorrection,
} from '../operations/bulk-corrections.ts'
import { operations } from '../operations/catalogue.ts'
import { limitMax } from '../operations/query.ts'
import { gapRules } from '../rules/key-data-elements.ts'
import {
  beginToApply,
  type CorrectedEvent,
  type CorrectionOutcome,
  correctionOutcomes,
  countCorrectionEvents,
  endByCancelling,
  findCorrection,
  listCorrectionEvents as findCorrectionEvents,
  listCorrections as findCorrections,
  forgetCorrections,
  insertCorrection,
  type OutcomeCounts,
  type StoredCorrection,
  selectEventsToCorrect,
} from '../store/bulk-corrections.ts'
import { pageOf, recordIdIn, scopeOf } from './cursor.ts'
import { readSelection } from './event-selection.ts'
import { shapeRefusal } from './failure-answers.ts'
import type { Answer, HandlerContext, OperationCall } from './handler.ts'
import { isRecordId } from './record-id.ts'

/** Most corrections of a provider that are not ended. */
const openCorrectionsMax = 20

const dayMs = 24 * 3_600_000
/** A preview that is not applied is cancelled after this time. */
const previewKeptMs = dayMs
/** What a correction says of its events is kept this long after its end. */
const eventsKeptMs = 90 * dayMs

const nothingCreated = 'No correction was created.'

export const createCorrection =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'tooMany' | 'tooManyOpen' | 'created'>> => {
    const { store } = context
    const { provider } = call
    const refusal = shapeRefusal(operations.createCorrection.body, call, nothingCreated)
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
        detail: `The correction chooses more than ${correctionEventsMax.toLocaleString('en-US')} events or ${correctionLinesMax.toLocaleString('en-US')} lines. Choose fewer: by dates, vendor, ship-to location, item, lot, purchase order or gap. ${nothingCreated}`,
      }
    const created = await insertCorrection(
      store,
      provider,
      { reason, asked: { where, changes }, createdBy: call.keyId },
      events,
      openCorrectionsMax,
    )
    if (created === undefined)
      return {
        outcome: 'tooManyOpen',
        detail: `${openCorrectionsMax} corrections are not ended, which is the limit. Apply or cancel some. ${nothingCreated}`,
      }
    context.correctionDue(provider)
    return { outcome: 'created', createdId: created.id, body: await viewOf(context, provider, created) }
  }

/** Why a correction says nothing, or two things. */
function faultOf({ reason, where, changes }: NewCorrection): string | undefined {
  if (reason.trim() === '') return 'The reason is blank. Say why the events are corrected.'
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
  return changes.map(faultOfChange).find((fault) => fault !== undefined)
}

export const listCorrections =
  (context: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const listed = await pageOf(query, {
      scope: scopeOf('corrections', {}),
      positionIn: recordIdIn,
      find: (before, count) => findCorrections(context.store, provider, before, count),
      positionOf: ({ id }) => id,
    })
    if ('outcome' in listed) return listed
    return {
      outcome: 'listed',
      body: { content: await viewsOf(context, provider, listed.page), nextCursor: listed.nextCursor },
    }
  }

export const readCorrection =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'unknownCorrection' | 'found'>> => {
    const stored = await namedCorrection(context, call)
    if (stored === undefined) return unknownCorrection(call)
    return { outcome: 'found', body: await viewOf(context, call.provider, stored) }
  }

export const listCorrectionEvents =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'unknownCorrection' | 'listed' | 'badQuery'>> => {
    const { provider, query, id } = call
    if ((await namedCorrection(context, call)) === undefined) return unknownCorrection(call)
    const outcome = correctionOutcomes.find((one) => one === query.outcome)
    const listed = await pageOf(query, {
      scope: scopeOf('events of a correction', { id, outcome }),
      positionIn: recordIdIn,
      find: (after, count) => findCorrectionEvents(context.store, provider, id, outcome, after, count),
      positionOf: (event) => event.id,
    })
    if ('outcome' in listed) return listed
    return { outcome: 'listed', body: { content: listed.page.map(eventView), nextCursor: listed.nextCursor } }
  }

export const applyCorrection =
  (context: HandlerContext) =>
  async (
    call: OperationCall,
  ): Promise<Answer<'unknownCorrection' | 'refused' | 'notPreviewed' | 'correctionCancelled' | 'applying'>> => {
    const { provider, id, keyId } = call
    const previewed = await namedCorrection(context, call)
    if (previewed === undefined) return unknownCorrection(call)
    const refusal = shapeRefusal(operations.applyCorrection.body, call, 'Nothing was applied.')
    if (refusal !== undefined) return refusal
    if (previewed.state === 'previewed') {
      const { ready } = (await viewOf(context, provider, previewed)).outcomes
      const seen = (call.body.value as CorrectionApproval).ready
      if (seen !== ready)
        return {
          outcome: 'refused',
          detail: `ready is ${seen}, and the preview has ${ready} events that are ready. Read the correction again. Nothing was applied.`,
        }
      if (await beginToApply(context.store, provider, id, keyId)) context.correctionDue(provider)
    }
    const stored = (await findCorrection(context.store, provider, id)) ?? previewed
    if (stored.state === 'previewing')
      return {
        outcome: 'notPreviewed',
        detail: 'The preview is not finished. Apply the correction when its state is previewed.',
      }
    if (stored.state === 'cancelled')
      return { outcome: 'correctionCancelled', detail: 'The correction was cancelled. Create it again.' }
    return { outcome: 'applying', body: await viewOf(context, provider, stored) }
  }

export const cancelCorrection =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'unknownCorrection' | 'correctionDone' | 'cancelled'>> => {
    const { provider, id } = call
    if (!isRecordId(id)) return unknownCorrection(call)
    await endByCancelling(context.store, provider, id)
    const stored = await findCorrection(context.store, provider, id)
    if (stored === undefined) return unknownCorrection(call)
    if (stored.state === 'done')
      return {
        outcome: 'correctionDone',
        detail: 'The correction is done. To take it back, create one that sets the values as they were.',
      }
    return { outcome: 'cancelled', body: await viewOf(context, provider, stored) }
  }

export const exportCorrectionReport =
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

/** Read a page at a time, while the file is sent. */
async function* reportedEvents(
  { store }: HandlerContext,
  { provider, id }: OperationCall,
): AsyncGenerator<ReportedEvent> {
  for (let after: string | undefined; ; ) {
    const page = await findCorrectionEvents(store, provider, id, undefined, after, limitMax)
    yield* page.map(eventView)
    after = page.at(-1)?.id
    if (page.length < limitMax) return
  }
}

const aboutCorrection = (correction: Correction): (readonly [string, string])[] => [
  ['Correction', correction.id],
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
): Promise<StoredCorrection | undefined> => (isRecordId(id) ? findCorrection(store, provider, id) : undefined)

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
  const counted = ids.length === 0 ? [] : await countCorrectionEvents(store, provider, ids)
  return stored.map((correction) =>
    toView(
      correction,
      counted.filter(({ id }) => id === correction.id),
    ),
  )
}

function toView(
  { asked, createdAt, appliedAt, endedAt, ...stored }: StoredCorrection,
  counted: readonly OutcomeCounts[],
): Correction {
  const { where, changes } = JSON.parse(asked) as Pick<Correction, 'where' | 'changes'>
  const eventsWith = (outcome: CorrectionOutcome) => counted.find((one) => one.outcome === outcome)?.events ?? 0
  const kept = counted.filter(({ outcome }) => outcome === 'ready' || outcome === 'corrected')
  const sumOf = (count: (counts: OutcomeCounts) => number) => kept.reduce((sum, one) => sum + count(one), 0)
  return {
    ...stored,
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
