// Lists events with incomplete lines, page by page.

import { eventKindNames, eventKinds } from '../../contract/record-kinds.ts'
import { isCalendarDate } from '../../contract/shape/date-and-time.ts'
import type { GapPage } from '../../operations/traceability/completeness.ts'
import { gapKeyOf } from '../../rules/gap-keys.ts'
import { allGapRules, keyDataElementOf } from '../../rules/key-data-elements.ts'
import { vendorNames } from '../../store/records/vendor-names.ts'
import { type EventWithGaps, type GapsPosition, listEventsWithGaps } from '../../store/traceability/completeness.ts'
import { pageBehind, scopeOf, startOf } from '../base/cursor.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { isRecordId } from '../base/record-id.ts'
import { readLineSelection } from './line-selection.ts'
import { recountingOf } from './recounts.ts'

/**
 * An event keeps its place in the list while its date time stays, so that pages neither skip nor
 * repeat it.
 */
export const listGaps =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const { limit: _, cursor: __, rule, cites, ...filters } = call.query
    if (rule !== undefined && !allGapRules.includes(rule))
      return {
        outcome: 'badQuery',
        detail: `rule is not a rule that reports gaps. Those are: ${allGapRules.join(', ')}.`,
      }
    if (rule === undefined && cites !== undefined)
      return { outcome: 'badQuery', detail: 'cites is the paragraph of a gap: send its rule too.' }
    const scope = scopeOf('gaps', { ...filters, ...call.lists, rule, cites })
    const start = startOf(call.query, { scope, positionIn })
    if ('outcome' in start) return start
    const recounting = await recountingOf(context, call.provider)
    // Later pages cover the period of the first one, even if newer events have arrived.
    const selection = await readLineSelection(context, call.provider, {
      query: { ...filters, ...start.position?.period },
      lists: call.lists,
      kind: eventKindNames.find((name) => name === filters.kind),
    })
    if (selection === undefined) return { outcome: 'listed', body: { ...emptyPage, recounting } }
    if ('outcome' in selection) return selection
    const { eventStartDate, eventEndDate } = selection
    const { page, nextCursor } = await pageBehind(start.position, call.query, {
      scope,
      find: (after, limit) =>
        listEventsWithGaps(context.store, {
          ...selection,
          rule: cites === undefined ? rule : undefined,
          gap: rule !== undefined && cites !== undefined ? gapKeyOf(rule, cites) : undefined,
          ...after,
          limit,
          provider: call.provider,
        }),
      positionOf: ({ instant, id }) => [instant, id, eventStartDate, eventEndDate].join(' '),
    })
    const nameOf = await vendorNames(
      context.store,
      call.provider,
      page.map(({ dataProviderVendorId }) => dataProviderVendorId),
    )
    const body: GapPage = {
      eventStartDate,
      eventEndDate,
      content: page.map((event) => toView(event, nameOf(event.dataProviderVendorId))),
      nextCursor,
      recounting,
    }
    return { outcome: 'listed', body }
  }

const emptyPage: Omit<GapPage, 'recounting'> = {
  eventStartDate: null,
  eventEndDate: null,
  content: [],
  nextCursor: null,
}

/** Where a page begins, and the period it is a page of. */
type Position = GapsPosition & { readonly period: { readonly eventStartDate: string; readonly eventEndDate: string } }

const positionForm = /^(-?\d{1,12}) ([0-9a-f-]{36}) (\d{4}-\d\d-\d\d) (\d{4}-\d\d-\d\d)$/

function positionIn(text: string): Position | undefined {
  const [, instant, id = '', eventStartDate = '', eventEndDate = ''] = positionForm.exec(text) ?? []
  if (instant === undefined || !isRecordId(id) || ![eventStartDate, eventEndDate].every(isCalendarDate))
    return undefined
  return { instant, id, period: { eventStartDate, eventEndDate } }
}

function toView(
  { instant: _, kind, gaps, ...event }: EventWithGaps,
  dataProviderVendorName: string | null,
): GapPage['content'][number] {
  return {
    ...event,
    record: kind,
    dataProviderVendorName,
    gaps: Object.entries(gaps)
      .sort(([one, lines], [other, others]) => others - lines || (one < other ? -1 : 1))
      .map(([key, lines]) => ({ ...keyDataElementOf(key), lines })),
    findings: `${eventKinds[kind].path}/${event.id}/findings?judged=now`,
  }
}
