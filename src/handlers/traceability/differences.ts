// Differences between shipping and receiving events: counted, listed page by page, or as a file.
import { underWayDaysDefault } from '../../contract/arrivals.ts'
import { differenceKinds } from '../../contract/difference-kinds.ts'
import { dayAfter } from '../../contract/shape/date-and-time.ts'
import { differenceRows } from '../../exports/differences-csv.ts'
import { groupsOf } from '../../groups.ts'
import {
  comparedEventsMax,
  comparedLinesMax,
  type DifferenceCounts,
  type DifferencePage,
  differenceGroupings,
  groupsMax,
  periodDaysDefault,
  periodDaysMax,
} from '../../operations/traceability/differences.ts'
import { newestDeliveryDate } from '../../store/traceability/delivery-events.ts'
import type { DeliveryDifference } from '../../tracing/delivery-difference.ts'
import { pageOf, scopeOf } from '../base/cursor.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { inParts } from '../base/row-parts.ts'
import { readSelection } from '../records/event-selection.ts'
import { comparePeriod, type DifferencePlace, isBehind, placeOf } from './compared-deliveries.ts'
import { latestInstant } from './line-selection.ts'

type DifferencesOutcome = 'badQuery' | 'tooMany' | 'compared'

export const listDifferences =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<DifferencesOutcome>> => {
    const { provider, query, lists } = call
    const period = await readPeriod(context, call)
    if ('outcome' in period) return period
    const underWayDays = Number(query.underWayDays ?? underWayDaysDefault)
    const compared = await comparePeriod(context, provider, {
      ...period,
      underWayDays,
      dataProviderVendorId: lists.dataProviderVendorId,
    })
    if (compared === undefined) return tooMany(period)
    const { differences: all, ...counts } = compared
    const there = all.filter((one) => isAt(one, lists.shipToLocationCode))
    const kind = query.kind ?? 'any'
    const found = kind === 'any' ? there : there.filter((one) => one.kind === kind)
    if (query.format === 'csv')
      return {
        outcome: 'compared',
        file: {
          mediaType: 'text/csv; charset=utf-8',
          name: `differences-${period.eventStartDate}-to-${period.eventEndDate}.csv`,
          records: counts.shipped.events + counts.received.events,
          parts: inParts(differenceRows(found)),
        },
      }
    const { limit: _, cursor: __, ...filters } = query
    const paged = await pageOf(query, {
      scope: scopeOf('differences', { ...filters, ...lists }),
      positionIn,
      find: async (behind, count) =>
        found.filter((one) => behind === undefined || isBehind(placeOf(one), behind)).slice(0, count),
      positionOf: (one) => `${placeOf(one).date} ${placeOf(one).text}`,
    })
    if ('outcome' in paged) return paged
    const by = differenceGroupings.find((one) => one === query.by) ?? differenceGroupings[0]
    const groups = groupsBy(by, found)
    const body: DifferencePage = {
      ...period,
      underWayDays,
      ...counts,
      differences: there.length,
      kinds: countByKind(there),
      by,
      groups: groups.slice(0, groupsMax),
      groupCount: groups.length,
      content: [...paged.page],
      nextCursor: paged.nextCursor,
    }
    return { outcome: 'compared', body }
  }

/** The period of a call: the days up to the newest event where it gives no dates. */
async function readPeriod(
  { store }: HandlerContext,
  { provider, query, lists }: OperationCall,
): Promise<{ readonly eventStartDate: string; readonly eventEndDate: string } | Answer<'badQuery'>> {
  const selection = readSelection({ query, lists })
  if ('outcome' in selection) return selection
  const { eventStartDate, eventEndDate } = selection
  const lastOf = (start: string) => dayAfter(start, periodDaysDefault - 1)
  const end =
    eventEndDate ??
    (eventStartDate === undefined ? undefined : lastOf(eventStartDate)) ??
    (await newestDeliveryDate(store, provider, latestInstant())) ??
    new Date().toISOString().slice(0, 10)
  const start = eventStartDate ?? dayAfter(end, 1 - periodDaysDefault)
  if (dayAfter(start, periodDaysMax - 1) < end)
    return {
      outcome: 'badQuery',
      detail: `The period from ${start} to ${end} has more than ${periodDaysMax} days. Choose eventStartDate and eventEndDate closer together.`,
    }
  return { eventStartDate: start, eventEndDate: end }
}

const tooMany = ({ eventStartDate, eventEndDate }: Pick<DifferencePage, 'eventStartDate' | 'eventEndDate'>) => ({
  outcome: 'tooMany' as const,
  detail: `From ${eventStartDate} to ${eventEndDate}, and shortly before and after, there are more than ${comparedEventsMax.toLocaleString('en-US')} events or ${comparedLinesMax.toLocaleString('en-US')} product lines. Ask for a shorter period, or for one vendor.`,
})

const isAt = ({ shipped, received }: DeliveryDifference, places: readonly string[] | undefined): boolean =>
  places === undefined || [shipped, received].some((side) => side !== null && places.includes(side.shipToLocationCode))

/** Reads a position back; a text of another form is of no list. */
function positionIn(text: string): DifferencePlace | undefined {
  const [, date, rest] = /^(\d{4}-\d{2}-\d{2}) (.+)$/.exec(text) ?? []
  return date === undefined || rest === undefined ? undefined : { date, text: rest }
}

function countByKind(differences: readonly DeliveryDifference[]): DifferenceCounts {
  const counts = Object.fromEntries(differenceKinds.map((kind) => [kind, 0])) as DifferenceCounts
  for (const { kind } of differences) counts[kind]++
  return counts
}

function groupsBy(
  by: (typeof differenceGroupings)[number],
  differences: readonly DeliveryDifference[],
): DifferencePage['groups'] {
  const groups = groupsOf(differences, (one) => keyOf(by, one))
  return [...groups]
    .map(([key, own]) => ({
      key,
      label:
        by === 'dataProviderVendorId'
          ? (own.find(({ dataProviderVendorName: name }) => name !== undefined)?.dataProviderVendorName ?? null)
          : null,
      differences: own.length,
      kinds: countByKind(own),
    }))
    .sort((some, other) =>
      by === 'date'
        ? other.key.localeCompare(some.key)
        : other.differences - some.differences || (some.key < other.key ? -1 : 1),
    )
}

function keyOf(by: (typeof differenceGroupings)[number], one: DeliveryDifference): string {
  if (by === 'shipToLocationCode') return (one.shipped ?? one.received)?.shipToLocationCode ?? ''
  return one[by]
}
