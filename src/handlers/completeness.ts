// Says how complete the lines of receiving events are: in all, month by month, and by what they
// have in common.
import { lastDayOf } from '../contract/date-and-time.ts'
import { isGiven } from '../contract/field.ts'
import type { ReceivingEventPayload } from '../contract/payloads.ts'
import { type Completeness, countedEventsMax, groupings, listGaps } from '../operations/completeness.ts'
import { gapRules, keyDataElementOf } from '../rules/key-data-elements.ts'
import {
  areMoreThan,
  countLines,
  type GapCounts,
  type LineCounts,
  type LineSelection,
  type MonthCounts,
} from '../store/completeness.ts'
import { readRecord } from '../store/store.ts'
import { limitOf } from './cursor.ts'
import type { Answer, HandlerContext, OperationCall } from './handler.ts'
import { readLineSelection } from './line-selection.ts'
import { recountingOf } from './recounts.ts'

type Grouping = Completeness['by']
type Group = Completeness['groups'][number]

export const readCompleteness =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'counted' | 'badQuery'>> => {
    // Read first: what is counted afterwards shows at least what no recount awaited.
    const recounting = await recountingOf(context, call.provider)
    const by = groupings.find((one) => one === call.query.by) ?? groupings[0]
    const selection = await readLineSelection(context, call.provider, call)
    if (selection === undefined) return { outcome: 'counted', body: { ...nothing(by, call), recounting } }
    if ('outcome' in selection) return selection
    const { store } = context
    if (await areMoreThan(store, call.provider, selection, countedEventsMax)) return tooManyEvents(selection)
    const counted = await countLines(store, call.provider, selection, by, limitOf(call.query))
    const all = counted.months.filter(({ key }) => key === null)
    const groups = by === 'kde' ? groupsByElement(all, counted.gaps, selection) : groupsByKey(by, counted, selection)
    const shown = groups.sort(worstFirst).slice(0, limitOf(call.query))
    const body: Completeness = {
      eventStartDate: selection.eventStartDate,
      eventEndDate: selection.eventEndDate,
      by,
      total: { ...countsOf(all), records: recordsOf(selection) },
      trend: trendOf(all),
      groups: await withLabels(context, call.provider, by, shown),
      groupCount: by === 'kde' ? groups.length : counted.groupCount,
      recounting,
    }
    return { outcome: 'counted', body }
  }

export const tooManyEvents = ({ eventStartDate, eventEndDate }: LineSelection): Answer<'badQuery'> => ({
  outcome: 'badQuery',
  detail: `The period from ${eventStartDate} to ${eventEndDate} has more than ${countedEventsMax} events. Ask for a shorter period, or for one vendor or location.`,
})

const nothing = (
  by: Grouping,
  {
    query: { vendorItemCode },
    lists: { dataProviderVendorId, shipToLocationCode },
  }: Pick<OperationCall, 'query' | 'lists'>,
): Omit<Completeness, 'recounting'> => ({
  eventStartDate: null,
  eventEndDate: null,
  by,
  total: { ...countsOf([]), records: recordsOf({ dataProviderVendorId, shipToLocationCode, vendorItemCode }) },
  trend: [],
  groups: [],
  groupCount: 0,
})

/** A group, and the event that says its name. */
type Unlabelled = Omit<Group, 'label'> & { readonly latest: string }

function groupsByKey(
  by: Exclude<Grouping, 'kde'>,
  { months, gaps }: { readonly months: readonly MonthCounts[]; readonly gaps: readonly GapCounts[] },
  selection: LineSelection,
): Unlabelled[] {
  const keys = [...new Set(months.map(({ key }) => key))].filter((key) => key !== null)
  return keys.map((key) => {
    const own = months.filter((one) => one.key === key).sort(byMonth)
    const narrowed = narrowedTo(selection, by, key)
    return {
      key,
      ...countsOf(own),
      missing: gaps
        .filter((gap) => gap.key === key)
        .map(({ rule, lines, events }) => missing(rule, lines, events, narrowed))
        .sort(mostFirst),
      trend: trendOf(own),
      records: recordsOf(narrowed),
      latest: own.reduce((latest, one) => (one.latest > latest ? one.latest : latest), ''),
    }
  })
}

/** By key data element every line is in each group: complete in that of each element it has. */
function groupsByElement(
  all: readonly MonthCounts[],
  gaps: readonly GapCounts[],
  selection: LineSelection,
): Unlabelled[] {
  if (all.length === 0) return []
  return [...new Set([...gapRules, ...gaps.map(({ rule }) => rule)])].map((rule) => {
    const own = gaps.filter((gap) => gap.rule === rule)
    const months = all.map((month) => {
      const { events = 0, lines = 0 } = own.find((gap) => gap.month === month.month) ?? {}
      return { ...month, eventsWithGaps: events, completeLines: month.lines - lines }
    })
    const counts = countsOf(months)
    const { lines, completeLines, eventsWithGaps } = counts
    const lacking = lines - completeLines
    return {
      key: rule,
      ...counts,
      missing: lacking > 0 ? [missing(rule, lacking, eventsWithGaps, selection)] : [],
      trend: trendOf(months),
      records: recordsOf(selection, rule),
      latest: '',
    }
  })
}

const missing = (rule: string, lines: number, events: number, selection: LineSelection) => ({
  rule,
  ...keyDataElementOf(rule),
  lines,
  events,
  records: recordsOf(selection, rule),
})

const mostFirst = (one: Group['missing'][number], other: Group['missing'][number]): number =>
  other.lines - one.lines || (one.rule < other.rule ? -1 : 1)

const worstFirst = (one: Unlabelled, other: Unlabelled): number =>
  other.lines - other.completeLines - (one.lines - one.completeLines) || (one.key < other.key ? -1 : 1)

const byMonth = (one: MonthCounts, other: MonthCounts): number => (one.month < other.month ? -1 : 1)

export function countsOf(months: readonly LineCounts[]): LineCounts & { readonly share: number | null } {
  const sum = (count: keyof LineCounts) => months.reduce((total, month) => total + month[count], 0)
  const [lines, completeLines] = [sum('lines'), sum('completeLines')]
  return {
    events: sum('events'),
    eventsWithGaps: sum('eventsWithGaps'),
    lines,
    completeLines,
    share: shareOf(completeLines, lines),
  }
}

const shareParts = 10_000

/** Rounded down, so that 1 is said of all lines and of nothing less. */
export const shareOf = (complete: number, lines: number): number | null =>
  lines === 0 ? null : Math.floor((complete * shareParts) / lines) / shareParts

export const trendOf = (months: readonly MonthCounts[]): Completeness['trend'] =>
  [...months].sort(byMonth).map(({ month, lines, completeLines }) => ({
    month,
    lines,
    completeLines,
    share: shareOf(completeLines, lines),
  }))

/** The lines of one group. */
function narrowedTo(selection: LineSelection, by: Exclude<Grouping, 'kde'>, key: string): LineSelection {
  if (by !== 'month') return { ...selection, [by]: by === 'vendorItemCode' ? key : [key] }
  const [first, last] = [`${key}-01`, lastDayOf(key)]
  return {
    ...selection,
    eventStartDate: first > selection.eventStartDate ? first : selection.eventStartDate,
    eventEndDate: last < selection.eventEndDate ? last : selection.eventEndDate,
  }
}

/** Address of the events of a selection that have gaps. */
export function recordsOf(selection: Partial<LineSelection>, rule?: string): string {
  const query = new URLSearchParams(
    Object.entries({ ...selection, rule }).flatMap(([name, value]) =>
      [value ?? []].flat().flatMap((one) => (isGiven(one) ? [[name, one] as [string, string]] : [])),
    ),
  )
  return query.size === 0 ? listGaps.path : `${listGaps.path}?${query}`
}

/** The groups with the names that their newest events give them. */
const withLabels = (
  context: HandlerContext,
  provider: string,
  by: Grouping,
  groups: readonly Unlabelled[],
): Promise<Group[]> =>
  Promise.all(
    groups.map(async ({ key, latest, ...group }) => {
      if (by === 'month') return { key, label: null, ...group }
      if (by === 'kde') return { key, label: keyDataElementOf(key).kde, ...group }
      return { key, label: await readLabel(context, provider, by, key, latest), ...group }
    }),
  )

/** The name that an event gives a vendor, location or item; null when it gives none. */
export async function readLabel(
  { store }: HandlerContext,
  provider: string,
  by: Named,
  key: string,
  event: string,
): Promise<string | null> {
  const stored = await readRecord(store, provider, { kind: 'receivingEvent', id: event })
  const payload = stored && 'body' in stored ? (JSON.parse(stored.body) as ReceivingEventPayload) : undefined
  const label = payload && nameIn(payload, by, key)
  return isGiven(label) ? label : null
}

type Named = 'dataProviderVendorId' | 'shipToLocationCode' | 'vendorItemCode'

function nameIn(
  { eventList: event, locationMasterList, productMasterDataList }: ReceivingEventPayload,
  by: Named,
  key: string,
): string | undefined {
  switch (by) {
    case 'dataProviderVendorId':
      return event.dataProviderVendorName
    case 'shipToLocationCode':
      return locationMasterList.find(({ locationCode }) => locationCode === key)?.locationName
    case 'vendorItemCode':
      return (
        productMasterDataList.find(({ itemCode }) => itemCode === key)?.itemDescription ??
        event.productList.find(({ vendorItemCode }) => vendorItemCode === key)?.vendorItemDescription
      )
  }
}
