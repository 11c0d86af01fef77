// From the query of a question about completeness to the lines it is about.
import type { EventKindName } from '../../contract/record-kinds.ts'
import { firstOfMonthBefore, monthsTouched } from '../../contract/shape/date-and-time.ts'
import { periodMonthsDefault, periodMonthsMax } from '../../operations/traceability/completeness.ts'
import { type LineSelection, newestEventDate } from '../../store/traceability/completeness.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { readSelection } from '../records/event-selection.ts'

/**
 * An event that is later than this is one of the future. A clock and an offset may be wrong by
 * hours.
 */
export const latestInstant = (): Date => new Date(Date.now() + 24 * 3_600_000)

/**
 * Returns the lines that the query selects, or the answer when it can select none. A missing end of
 * the period is that of the newest event of the kind that is not in the future, and a missing
 * beginning is `months` earlier. Undefined when there is no event, and no date was given.
 */
export async function readLineSelection(
  { store }: HandlerContext,
  provider: string,
  { query, lists, kind }: Pick<OperationCall, 'query' | 'lists'> & { readonly kind: EventKindName | undefined },
  months = periodMonthsDefault,
): Promise<LineSelection | Answer<'badQuery'> | undefined> {
  const selection = readSelection({ query, lists })
  if ('outcome' in selection) return selection
  const { eventStartDate, dataProviderVendorId, shipToLocationCode } = selection
  const newest =
    selection.eventEndDate ??
    (await newestEventDate(store, { provider, until: latestInstant(), kind })) ??
    eventStartDate
  if (newest === undefined) return undefined
  const end = eventStartDate !== undefined && newest < eventStartDate ? eventStartDate : newest
  const start = eventStartDate ?? firstOfMonthBefore(end, months - 1)
  const touched = monthsTouched(start, end)
  if (touched > periodMonthsMax)
    return {
      outcome: 'badQuery',
      detail: `The period from ${start} to ${end} has ${touched} calendar months. At most ${periodMonthsMax} are covered. Choose eventStartDate and eventEndDate closer together.`,
    }
  return {
    kind,
    eventStartDate: start,
    eventEndDate: end,
    dataProviderVendorId,
    shipToLocationCode,
    vendorItemCode: query.vendorItemCode,
  }
}
