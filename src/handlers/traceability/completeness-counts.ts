// The counts of an answer about completeness: sums, shares, groups and their trends.

import type { AnyEventPayload } from '../../contract/payloads.ts'
import type { ProductLine } from '../../contract/product-line.ts'
import { type EventKind, eventKindNames, linesOf, receivingEvent } from '../../contract/record-kinds.ts'
import { lastDayOf } from '../../contract/shape/date-and-time.ts'
import { isGiven } from '../../contract/shape/field.ts'
import { type Completeness, listGaps } from '../../operations/traceability/completeness.ts'
import { readGapKey } from '../../rules/gap-keys.ts'
import { gapRules, keyDataElementOf } from '../../rules/key-data-elements.ts'
import type { GapCounts, LineCounts, LineSelection, MonthCounts } from '../../store/traceability/completeness.ts'

export type Grouping = Completeness['by']
export type Group = Completeness['groups'][number]

/** A group, and the event with its name. */
export type Unlabelled = Omit<Group, 'label'> & { readonly latest: string }

export function groupsByKey(
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
        .sort(mostFirst)
        .map(({ rule, lines, events }) => missing(rule, lines, events, narrowed)),
      trend: trendOf(own),
      records: recordsOf(narrowed),
      latest: own.reduce((latest, one) => (one.latest > latest ? one.latest : latest), ''),
    }
  })
}

/**
 * Grouped by key data element, every line of a kind is in each group of the kind: complete in those
 * of the elements it has. Elements that no event of another kind lacks are not listed.
 */
export function groupsByElement(
  { months: byKind, gaps }: { readonly months: readonly MonthCounts[]; readonly gaps: readonly GapCounts[] },
  selection: LineSelection,
): Unlabelled[] {
  return eventKindNames.flatMap((kind) => {
    const all = byKind.filter(({ key }) => key === kind)
    if (all.length === 0) return []
    const ofKind = gaps.filter(({ key }) => key === kind)
    const known = kind === receivingEvent.name ? gapRules : []
    return [...new Set([...known, ...ofKind.map(({ rule }) => rule)])].map((rule) => {
      const own = ofKind.filter((gap) => gap.rule === rule)
      const months = all.map((month) => {
        const { events = 0, lines = 0 } = own.find((gap) => gap.month === month.month) ?? {}
        return { ...month, eventsWithGaps: events, completeLines: month.lines - lines }
      })
      const counts = countsOf(months)
      const { lines, completeLines, eventsWithGaps } = counts
      const lacking = lines - completeLines
      const narrowed = { ...selection, kind }
      return {
        key: rule,
        ...counts,
        missing: lacking > 0 ? [missing(rule, lacking, eventsWithGaps, narrowed)] : [],
        trend: trendOf(months),
        records: recordsOf(narrowed, rule),
        latest: '',
      }
    })
  })
}

const missing = (rule: string, lines: number, events: number, selection: LineSelection) => ({
  ...keyDataElementOf(rule),
  lines,
  events,
  records: recordsOf(selection, rule),
})

const mostFirst = (one: GapCounts, other: GapCounts): number =>
  other.lines - one.lines || (one.rule < other.rule ? -1 : 1)

export const worstFirst = (one: Unlabelled, other: Unlabelled): number =>
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

/** Rounded down, so that 1 means all lines. */
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
  if (by !== 'month') return { ...selection, [by]: by === 'vendorItemCode' || by === 'kind' ? key : [key] }
  const [first, last] = [`${key}-01`, lastDayOf(key)]
  return {
    ...selection,
    eventStartDate: first > selection.eventStartDate ? first : selection.eventStartDate,
    eventEndDate: last < selection.eventEndDate ? last : selection.eventEndDate,
  }
}

/** Address of the events of a selection that have gaps, or this one. */
export function recordsOf(selection: Partial<LineSelection>, gap?: string): string {
  const query = new URLSearchParams(
    Object.entries({ ...selection, ...(gap !== undefined && readGapKey(gap)) }).flatMap(([name, value]) =>
      [value ?? []].flat().flatMap((one) => (isGiven(one) ? [[name, one] as [string, string]] : [])),
    ),
  )
  return query.size === 0 ? listGaps.path : `${listGaps.path}?${query}`
}

export type Named = 'dataProviderVendorId' | 'shipToLocationCode' | 'vendorItemCode'

/** The name that an event gives a vendor, location or item. */
export function nameIn(
  { eventList: event, locationMasterList, productMasterDataList }: AnyEventPayload,
  by: Named,
  { key, kind }: { readonly key: string; readonly kind: EventKind },
): string | undefined {
  switch (by) {
    case 'dataProviderVendorId':
      return event.dataProviderVendorName as string | undefined
    case 'shipToLocationCode':
      return locationMasterList.find(({ locationCode }) => locationCode === key)?.locationName
    case 'vendorItemCode':
      return (
        productMasterDataList.find(({ itemCode }) => itemCode === key)?.itemDescription ??
        linesOf<ProductLine>(event, kind).find(({ vendorItemCode }) => vendorItemCode === key)?.vendorItemDescription
      )
  }
}
