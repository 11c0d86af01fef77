// Completeness of the lines of events: in all, by month, and by group.

import type { AnyEventPayload } from '../../contract/payloads.ts'
import { type EventKindName, eventKindNames, eventKinds } from '../../contract/record-kinds.ts'
import { isGiven } from '../../contract/shape/field.ts'
import { capitalize } from '../../contract/text/capitalize.ts'
import { type Completeness, countedEventsMax, groupings } from '../../operations/traceability/completeness.ts'
import { keyDataElementOf } from '../../rules/key-data-elements.ts'
import { readRecord } from '../../store/store.ts'
import { areMoreThan, countLines, type LineSelection } from '../../store/traceability/completeness.ts'
import { limitOf } from '../base/cursor.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import {
  countsOf,
  type Group,
  type Grouping,
  groupsByElement,
  groupsByKey,
  type Named,
  nameIn,
  recordsOf,
  trendOf,
  type Unlabelled,
  worstFirst,
} from './completeness-counts.ts'
import { readLineSelection } from './line-selection.ts'
import { recountingOf } from './recounts.ts'

export const readCompleteness =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'counted' | 'badQuery'>> => {
    // Read first, so that the later counts include at least all that no recount awaits.
    const recounting = await recountingOf(context, call.provider)
    const by = groupings.find((one) => one === call.query.by) ?? groupings[0]
    const kind = eventKindNames.find((name) => name === call.query.kind)
    const selection = await readLineSelection(context, call.provider, { ...call, kind })
    if (selection === undefined) return { outcome: 'counted', body: { ...nothing(by, call), recounting } }
    if ('outcome' in selection) return selection
    const { store } = context
    if (await areMoreThan(store, call.provider, selection, countedEventsMax)) return tooManyEvents(selection)
    const counted = await countLines(store, call.provider, {
      selection,
      by,
      limit: by === 'kde' ? eventKindNames.length : limitOf(call.query),
    })
    const all = counted.months.filter(({ key }) => key === null)
    const groups = by === 'kde' ? groupsByElement(counted, selection) : groupsByKey(by, counted, selection)
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
    query: { kind, vendorItemCode },
    lists: { dataProviderVendorId, shipToLocationCode },
  }: Pick<OperationCall, 'query' | 'lists'>,
): Omit<Completeness, 'recounting'> => ({
  eventStartDate: null,
  eventEndDate: null,
  by,
  total: {
    ...countsOf([]),
    records: recordsOf({
      kind: eventKindNames.find((name) => name === kind),
      dataProviderVendorId,
      shipToLocationCode,
      vendorItemCode,
    }),
  },
  trend: [],
  groups: [],
  groupCount: 0,
})

/** The groups with their names in their newest events. */
const withLabels = (
  context: HandlerContext,
  provider: string,
  by: Grouping,
  groups: readonly Unlabelled[],
): Promise<Group[]> =>
  Promise.all(
    groups.map(async ({ key, latest, ...group }) => {
      if (by === 'month') return { key, label: null, ...group }
      if (by === 'kind') return { key, label: capitalize(eventKinds[key as EventKindName].nouns), ...group }
      if (by === 'kde') return { key, label: keyDataElementOf(key).kde, ...group }
      return { key, label: await readLabel(context, provider, { by, key, event: latest }), ...group }
    }),
  )

/**
 * The name that an event, by its id and kind, gives a vendor, location or item; null when it gives
 * none.
 */
export async function readLabel(
  { store }: HandlerContext,
  provider: string,
  { by, key, event }: { readonly by: Named; readonly key: string; readonly event: string },
): Promise<string | null> {
  const [id = '', kind] = event.split(' ') as [string, EventKindName]
  const stored = await readRecord(store, provider, { kind, id })
  const payload = stored && 'body' in stored ? (JSON.parse(stored.body) as AnyEventPayload) : undefined
  const label = payload && nameIn(payload, by, { key, kind: eventKinds[kind] })
  return isGiven(label) ? label : null
}
