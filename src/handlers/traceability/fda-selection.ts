// The selection of one FDA request: the records and lines of its files, and what may belong to
// them. Source: decisions 0029, 0030.
import { type EarlierLot, earlierLotsMax } from '../../contract/earlier-lot.ts'
import type { EventKindName } from '../../contract/record-kinds.ts'
import { gtin14Of } from '../../contract/text/gs1-text.ts'
import type { ExportedChain } from '../../exports/fda-spreadsheet/chain-explained.ts'
import { alikeLotCodes, type ExportFilters, lineNameOf } from '../../exports/fda-spreadsheet/event-lines.ts'
import type { AlikeLots, MissingRecord } from '../../exports/fda-spreadsheet/explained.ts'
import { sheetKinds, sheetsFor } from '../../exports/fda-spreadsheet/kind-sheets.ts'
import { filtersLines } from '../../exports/fda-spreadsheet/line-filters.ts'
import { linesOfRows, rowsAtMost, sheetRows } from '../../exports/fda-spreadsheet/sheet-rows.ts'
import { alikeLotCodesMax, type FdaLines } from '../../operations/traceability/export-fda.ts'
import { findEarlierLots } from '../../store/records/earlier-lots.ts'
import { countSelected, eventMarks, missingVersions, type SelectedEvent } from '../../store/records/event-selection.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { exportEventsMax, exportLinesMax, readSelection, selectForExport } from '../records/event-selection.ts'
import { eventsOfKind, MasterDataCache } from '../records/exported-events.ts'
import { countChain, readChainChoice, selectChain } from './chain-selection.ts'

export interface FdaSelection {
  readonly filters: ExportFilters
  /** Of each kind that has a sheet, in the order of the sheets. */
  readonly kinds: readonly ChosenEvents[]
  readonly alike: AlikeLots | undefined
  /** The chains of the lot, where the call asks for them. */
  readonly chain: ExportedChain | undefined
  readonly earlierLots: readonly EarlierLot[]
  /**
   * Versions of the events of these filters that are missing; events without the current one are
   * not selected.
   */
  readonly missing: readonly MissingRecord[]
  /** As the selection saw it. */
  readonly master: MasterDataCache
}

export interface ChosenEvents {
  readonly kind: EventKindName
  /** The events with a matching line. */
  readonly selected: readonly SelectedEvent[]
  /** Number of lines in their rows. */
  readonly lines: number
  readonly alike?: AlikeLots | undefined
}

/** The parameters of a call that choose records and lines. */
export type FdaCall = Pick<OperationCall, 'provider' | 'query' | 'lists'>

/** The filters of a call, or the answer when they can match nothing. */
function readFilters({ query, lists }: Pick<FdaCall, 'query' | 'lists'>): ExportFilters | Answer<'badQuery'> {
  const selection = readSelection({ query, lists })
  if ('outcome' in selection) return selection
  const { gtin, ftlCategory, productText, tlcSource } = lists
  const strange = gtin?.find((one) => gtin14Of(one) === undefined)
  if (strange !== undefined)
    return {
      outcome: 'badQuery',
      detail: `gtin is ${JSON.stringify(strange)}. It must be a GTIN of 8, 12, 13 or 14 digits, e.g. 10614141000415.`,
    }
  const filters = {
    ...selection,
    gtin,
    ftlCategory,
    productText,
    tlcSource,
    readAlike: query.readAlike === 'true' || undefined,
  }
  const chain = readChainChoice(query, filters)
  return 'outcome' in chain ? chain : { ...filters, ...chain }
}

export async function selectForFda(
  context: HandlerContext,
  call: FdaCall,
): Promise<FdaSelection | Answer<'badQuery' | 'tooMany'>> {
  const { provider } = call
  const asked = readFilters(call)
  if ('outcome' in asked) return asked
  const chain = await selectChain(context, provider, asked)
  if (chain !== undefined && 'outcome' in chain) return chain
  const filters = { ...asked, isInChain: chain?.isInChain }
  const master = new MasterDataCache(context, provider)
  const kinds: ChosenEvents[] = []
  const missing: MissingRecord[] = []
  for (const kind of sheetKinds) {
    // Lines that only read alike are always counted: the person who answers FDA must know of them.
    const found =
      chain?.eventsOf(kind) ?? (await selectForExport(context, provider, { ...filters, readAlike: true }, kind))
    if (found === undefined || rowsOf(kind, found) > exportLinesMax) return tooManyForExport(filters)
    const { there, missing: lost } = await withoutMissing(context, provider, found, kind)
    missing.push(...lost)
    kinds.push(
      choosesLines(filters)
        ? await withChosenLines(context, provider, { found: there, filters, master, kind })
        : { kind, selected: there, lines: linesOf(there) },
    )
  }
  const lotCodes = chain?.lotCodes ?? filters.lotCode ?? []
  const earlierLots = await findEarlierLots(context.store, provider, lotCodes, earlierLotsMax)
  return { filters, kinds, alike: joinAlike(kinds), chain: chain?.exported, earlierLots, missing, master }
}

/** True where some lines of an event may not be chosen. */
const choosesLines = (filters: ExportFilters): boolean => filters.chain !== undefined || filtersLines(filters)

/** Most rows of these events in one sheet. */
export const rowsOf = (kind: EventKindName, events: readonly SelectedEvent[]): number =>
  Math.max(
    ...sheetsFor(kind).map((sheet) => events.reduce((sum, { lineCount }) => sum + rowsAtMost(sheet, lineCount), 0)),
  )

/** Most missing versions that an export names. */
const missingNamedMax = 1_000

/** The events that can be read, and the versions of all of them that are missing. */
async function withoutMissing(
  { store }: HandlerContext,
  provider: string,
  selected: readonly SelectedEvent[],
  kind: EventKindName,
): Promise<{ readonly there: readonly SelectedEvent[]; readonly missing: readonly MissingRecord[] }> {
  const lost = await missingVersions(store, provider, selected, missingNamedMax)
  if (lost.length === 0) return { there: selected, missing: [] }
  const current = new Map(selected.map(({ id, version }) => [id, version]))
  const marks = await eventMarks(store, provider, kind, [...new Set(lost.map(({ id }) => id))])
  const missing = lost.map(({ id, version }) => ({
    kind,
    id,
    version,
    // Without the row of its record, an event has no version.
    isCurrent: (current.get(id) ?? version) === version,
    eventDate: marks.get(id)?.eventDate,
    dataProviderVendorId: marks.get(id)?.dataProviderVendorId,
    purchaseOrderNumber: marks.get(id)?.purchaseOrderNumber ?? undefined,
  }))
  const gone = new Set(missing.flatMap(({ id, isCurrent }) => (isCurrent ? [id] : [])))
  return { there: selected.filter(({ id }) => !gone.has(id)), missing }
}

export const countFdaLines =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'badQuery' | 'tooMany' | 'counted'>> => {
    const filters = readFilters(call)
    if ('outcome' in filters) return filters
    if (!choosesLines(filters)) return countWhole(context, call.provider, filters)
    const chosen = await selectForFda(context, call)
    if ('outcome' in chosen) return chosen
    const { kinds, alike, chain, earlierLots } = chosen
    const body: FdaLines = {
      ...countsOf(
        kinds.map(({ kind, selected, lines }) => ({
          kind,
          events: selected.length,
          lines,
          corrected: selected.filter(({ version }) => version > 1).length,
        })),
      ),
      readAlikeLines: alike?.lines ?? 0,
      readAlikeLotCodes: alike?.lotCodes.slice(0, alikeLotCodesMax) ?? [],
      ...(chain && { chain: countChain(chain) }),
      earlierLots: [...earlierLots],
    }
    return { outcome: 'counted', body }
  }

/** Where whole events match, the database counts them, and none is read. */
async function countWhole(
  { store }: HandlerContext,
  provider: string,
  filters: ExportFilters,
): Promise<Answer<'tooMany' | 'counted'>> {
  const counts = await Promise.all(
    sheetKinds.map(async (kind) => ({
      kind,
      ...(await countSelected(store, provider, { selection: filters, most: exportEventsMax + 1, kind })),
    })),
  )
  if (counts.some(({ events, lines }) => events > exportEventsMax || lines > exportLinesMax))
    return tooManyForExport(filters)
  const body: FdaLines = { ...countsOf(counts), readAlikeLines: 0, readAlikeLotCodes: [], earlierLots: [] }
  return { outcome: 'counted', body }
}

interface KindCounts {
  readonly kind: EventKindName
  readonly events: number
  readonly lines: number
  readonly corrected: number
}

function countsOf(counts: readonly KindCounts[]) {
  const of = (kind: EventKindName) => counts.find((one) => one.kind === kind)
  const [received, shipped] = [of('receivingEvent'), of('shippingEvent')]
  return {
    events: received?.events ?? 0,
    lines: received?.lines ?? 0,
    shippingEvents: shipped?.events ?? 0,
    shippingLines: shipped?.lines ?? 0,
    others: counts
      .filter((one) => one !== received && one !== shipped && one.events > 0)
      .map(({ kind, events, lines }) => ({ kind, events, lines })),
    correctedEvents: counts.reduce((sum, { corrected }) => sum + corrected, 0),
  }
}

function joinAlike(kinds: readonly ChosenEvents[]): AlikeLots | undefined {
  const some = kinds.flatMap(({ alike }) => alike ?? [])
  if (some.length === 0) return undefined
  return {
    lines: some.reduce((sum, { lines }) => sum + lines, 0),
    lotCodes: [...new Set(some.flatMap(({ lotCodes }) => lotCodes))],
  }
}

const linesOf = (events: readonly SelectedEvent[]): number => events.reduce((sum, { lineCount }) => sum + lineCount, 0)

/**
 * The events with a matching line, since no index has the product and source of a line. Also the
 * lot codes that only read like a requested one.
 */
async function withChosenLines(
  context: HandlerContext,
  provider: string,
  {
    found,
    filters,
    master,
    kind,
  }: {
    readonly found: readonly SelectedEvent[]
    readonly filters: ExportFilters
    readonly master: MasterDataCache
    readonly kind: EventKindName
  },
): Promise<ChosenEvents> {
  const chosen = new Set<string>()
  const lotCodes = new Set<string>()
  let [lines, alike] = [0, 0]
  for await (const events of eventsOfKind(context, provider, { selected: found, master, kind }))
    for (const event of events) {
      const rows = sheetsFor(kind).flatMap((sheet) => sheetRows(event, filters, sheet))
      const fitting = new Set(linesOfRows(rows).map(lineNameOf)).size
      lines += fitting
      if (fitting > 0) chosen.add(event.id)
      for (const lotCode of filters.chain === undefined ? alikeLotCodes(event, filters) : []) {
        alike++
        lotCodes.add(lotCode)
      }
    }
  return {
    kind,
    selected: found.filter(({ id }) => chosen.has(id)),
    lines,
    alike:
      filters.lotCode === undefined || filters.chain !== undefined
        ? undefined
        : { lines: alike, lotCodes: [...lotCodes] },
  }
}

export function tooManyForExport({
  eventStartDate,
  eventEndDate,
}: Pick<ExportFilters, 'eventStartDate' | 'eventEndDate'>): Answer<'tooMany'> {
  const most = `${exportEventsMax.toLocaleString('en-US')} events and ${exportLinesMax.toLocaleString('en-US')} product lines`
  const narrower =
    eventStartDate === undefined || eventEndDate === undefined
      ? 'Give eventStartDate and eventEndDate, or a lot or item code'
      : 'Ask for a shorter period, such as a month, or for one lot code, item code, vendor or ship-to location'
  return { outcome: 'tooMany', detail: `The result is larger than one export may be, which is ${most}. ${narrower}.` }
}
