// The voided records that an FDA package lists: those of its period with a line that fits.
// Source: decision 0066.
import { type EventKindName, eventKinds, filteredPlaceOf } from '../../contract/record-kinds.ts'
import type { VoidedRecord } from '../../exports/fda-package/voided.ts'
import { type ExportFilters, eventLines } from '../../exports/fda-spreadsheet/event-lines.ts'
import { findVoidedEvents, type VoidedEvent } from '../../store/records/voids.ts'
import type { HandlerContext } from '../base/handler.ts'
import { exportEventsMax, exportLinesMax } from './event-selection.ts'
import { eventsOfKind, type MasterDataCache } from './exported-events.ts'

/**
 * Voided events with a line that fits, the last created first; undefined when they are more than
 * one export has.
 */
export async function selectVoided(
  context: HandlerContext,
  provider: string,
  {
    filters,
    master,
    kind,
  }: { readonly filters: ExportFilters; readonly master: MasterDataCache; readonly kind: EventKindName },
): Promise<readonly VoidedEvent[] | undefined> {
  const { eventStartDate, eventEndDate, dataProviderVendorId, shipToLocationCode } = filters
  const period = {
    eventStartDate,
    eventEndDate,
    dataProviderVendorId,
    [filteredPlaceOf(eventKinds[kind])]: shipToLocationCode,
  }
  const found = await findVoidedEvents(context.store, provider, {
    selection: period,
    before: undefined,
    limit: exportEventsMax + 1,
    kind,
  })
  const lines = found.reduce((sum, { lineCount }) => sum + lineCount, 0)
  if (found.length > exportEventsMax || lines > exportLinesMax) return undefined
  const fitting = new Set<string>()
  for await (const events of eventsOfKind(context, provider, { selected: found, master, kind }))
    for (const event of events) if (eventLines(event, filters).length > 0) fitting.add(event.id)
  return found.filter(({ id }) => fitting.has(id))
}

/** They, as they were when they were voided. */
export async function* voidedRecords(
  context: HandlerContext,
  provider: string,
  {
    selected,
    master,
    kind,
  }: { readonly selected: readonly VoidedEvent[]; readonly master: MasterDataCache; readonly kind: EventKindName },
): AsyncGenerator<readonly VoidedRecord[]> {
  const byId = new Map(selected.map((one) => [one.id, one]))
  for await (const events of eventsOfKind(context, provider, { selected, master, kind }))
    yield events.map((event) => {
      const { voidedAt, reason } = byId.get(event.id) as VoidedEvent
      return { event, voidedAt, reason }
    })
}
