// From the query of an export to its events.
import type { EventKindName } from '../../contract/record-kinds.ts'
import { declareLimit } from '../../limits.ts'
import { type EventSelection, type SelectedEvent, selectEvents } from '../../store/records/event-selection.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'

/** Returns the selected events, or the answer when nothing can match. */
export function readSelection({
  query,
  lists,
}: Pick<OperationCall, 'query' | 'lists'>): EventSelection | Answer<'badQuery'> {
  const { eventStartDate, eventEndDate } = query
  const { dataProviderVendorId, shipToLocationCode, itemCode, lotCode } = lists
  if (eventStartDate !== undefined && eventEndDate !== undefined && eventEndDate < eventStartDate)
    return {
      outcome: 'badQuery',
      detail: `eventEndDate ${eventEndDate} is before eventStartDate ${eventStartDate}. Swap them.`,
    }
  return { eventStartDate, eventEndDate, dataProviderVendorId, shipToLocationCode, itemCode, lotCode }
}

/** Most events, and most lines, one export has; a sheet of a workbook holds 1,048,576 rows. */
export const exportEventsMax = declareLimit('exportEvents', 250_000, 'events', 'Events in one export.')
export const exportLinesMax = declareLimit('exportLines', 1_000_000, 'lines', 'Product lines in one export.')

/** The selected events, or undefined when they are too many for one export. */
export async function selectForExport(
  { store }: HandlerContext,
  provider: string,
  selection: EventSelection,
  kind?: EventKindName,
): Promise<readonly SelectedEvent[] | undefined> {
  const selected = await selectEvents(store, provider, { selection, limit: exportEventsMax + 1, kind })
  const lines = selected.reduce((sum, { lineCount }) => sum + lineCount, 0)
  return selected.length > exportEventsMax || lines > exportLinesMax ? undefined : selected
}
