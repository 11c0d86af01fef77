// Hands over what FDA asks for: the spreadsheet, or the package with it.
import { createHash } from 'node:crypto'
import { earlierLotsMax } from '../contract/earlier-lot.ts'
import { gtin14Of } from '../contract/gs1-text.ts'
import { fdaPackage, type Hash } from '../exports/fda-package/package.ts'
import type { AlikeLots, ExportRequest } from '../exports/fda-spreadsheet/explained.ts'
import { filtersLines } from '../exports/fda-spreadsheet/line-filters.ts'
import { alikeLotCodes, type ExportFilters, receivedLines } from '../exports/fda-spreadsheet/received-lines.ts'
import { exportName, fdaCsv, fdaWorkbook } from '../exports/fda-spreadsheet/spreadsheet.ts'
import { Tally } from '../exports/fda-spreadsheet/tally.ts'
import { findEarlierLots } from '../store/earlier-lots.ts'
import type { SelectedEvent } from '../store/event-selection.ts'
import { readProviderName } from '../store/providers.ts'
import { corrections } from './corrections.ts'
import { exportEventsMax, exportLinesMax, readSelection, selectForExport } from './event-selection.ts'
import { begun, exportedEvents, MasterDataInForce } from './exported-events.ts'
import type { Answer, Ask, Workplace } from './handler.ts'

type ExportOutcome = 'badQuery' | 'tooMany' | 'exported'

export const exportFdaSpreadsheet =
  (workplace: Workplace) =>
  async (ask: Ask): Promise<Answer<ExportOutcome>> => {
    const asCsv = ask.query.format === 'csv'
    if (asCsv && ask.query.gaps === 'true')
      return {
        outcome: 'badQuery',
        detail: 'gaps marks cells, and CSV has no marks; leave gaps out, or ask for format=xlsx.',
      }
    const chosen = await chosenFor(workplace, ask)
    if ('outcome' in chosen) return chosen
    const { request, records, lines, read } = chosen
    const { filters } = request
    return {
      outcome: 'exported',
      file: asCsv
        ? {
            mediaType: 'text/csv; charset=utf-8',
            name: exportName(filters, 'fda-receiving', 'csv'),
            records,
            parts: fdaCsv(filters, read()),
          }
        : {
            mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
            name: exportName(filters, 'fda-receiving', 'xlsx'),
            records,
            parts: fdaWorkbook(request, read(), new Tally(request.gaps), { lines, judging: false }),
          },
    }
  }

export const exportFdaPackage =
  (workplace: Workplace) =>
  async (ask: Ask): Promise<Answer<ExportOutcome>> => {
    const chosen = await chosenFor(workplace, ask)
    if ('outcome' in chosen) return chosen
    const { request, records, lines, read } = chosen
    return {
      outcome: 'exported',
      file: {
        mediaType: 'application/zip',
        name: exportName(request.filters, 'fda-package', 'zip'),
        records,
        parts: fdaPackage(request, lines, read, sha256),
      },
    }
  }

function sha256(): Hash {
  const hash = createHash('sha256')
  return { update: (part) => void hash.update(part), digest: () => hash.digest('hex') }
}

interface Chosen {
  readonly request: ExportRequest
  /** Events that are chosen. */
  readonly records: number
  /** Lines of the chosen events, whether or not all of them fit the filters. */
  readonly lines: number
  /** Reads the chosen events from the first, and finds the same each time. */
  readonly read: () => ReturnType<typeof exportedEvents>
}

async function chosenFor(
  workplace: Workplace,
  { provider, query, lists }: Ask,
): Promise<Chosen | Answer<'badQuery' | 'tooMany'>> {
  const selection = readSelection({ query, lists })
  if ('outcome' in selection) return selection
  const { gtin, ftlCategory, productText, tlcSource } = lists
  const strange = gtin?.find((one) => gtin14Of(one) === undefined)
  if (strange !== undefined)
    return {
      outcome: 'badQuery',
      detail: `gtin ${JSON.stringify(strange)} has to be a GTIN of 8, 12, 13 or 14 digits, such as 10614141000415.`,
    }
  const readAlike = query.readAlike === 'true' || undefined
  const filters: ExportFilters = { ...selection, gtin, ftlCategory, productText, tlcSource, readAlike }
  // Lines that only read alike are counted in any case: whoever answers FDA has to know of them.
  const found = await selectForExport(workplace, provider, { ...selection, readAlike: true })
  if (found === undefined) return tooMany(filters)
  const master = new MasterDataInForce(workplace, provider)
  const { selected, alike } = filtersLines(filters)
    ? await withChosenLines(workplace, provider, found, filters, master)
    : { selected: found, alike: undefined }
  const events = () => exportedEvents(workplace, provider, selected, master)
  const first = [await begun(events())]
  return {
    request: {
      provider: await readProviderName(workplace.store.db, provider),
      filters,
      alike,
      madeAt: new Date(),
      gaps: query.gaps === 'true',
      contact: query.contact,
      earlierLots: await findEarlierLots(workplace.store.db, provider, filters.lotCode ?? [], earlierLotsMax),
      corrections: selected.some(({ version }) => version > 1)
        ? () => corrections(workplace, provider, selected, filters, master)
        : undefined,
    },
    records: selected.length,
    lines: selected.reduce((sum: number, { lineCount }: SelectedEvent) => sum + lineCount, 0),
    read: () => first.pop() ?? events(),
  }
}

/**
 * Those of the events that have a line which fits: what a line says of its product and source is in no index. And the lot codes
 * that only read like one that was asked for.
 */
async function withChosenLines(
  workplace: Workplace,
  provider: string,
  found: readonly SelectedEvent[],
  filters: ExportFilters,
  master: MasterDataInForce,
): Promise<{ readonly selected: readonly SelectedEvent[]; readonly alike: AlikeLots | undefined }> {
  const chosen = new Set<string>()
  const lotCodes = new Set<string>()
  let lines = 0
  for await (const events of exportedEvents(workplace, provider, found, master))
    for (const event of events) {
      if (receivedLines(event, filters).length > 0) chosen.add(event.id)
      for (const lotCode of alikeLotCodes(event, filters)) {
        lines++
        lotCodes.add(lotCode)
      }
    }
  return {
    selected: found.filter(({ id }) => chosen.has(id)),
    alike: filters.lotCode === undefined ? undefined : { lines, lotCodes: [...lotCodes] },
  }
}

function tooMany({ eventStartDate, eventEndDate }: ExportFilters): Answer<'tooMany'> {
  const most = `${exportEventsMax.toLocaleString('en-US')} events and ${exportLinesMax.toLocaleString('en-US')} product lines`
  const narrower =
    eventStartDate === undefined || eventEndDate === undefined
      ? 'Give eventStartDate and eventEndDate, or a lot or item code'
      : 'Ask for a shorter time, month by month, or for one lot code, item code, vendor or ship-to location'
  return { outcome: 'tooMany', detail: `More fits than one export holds, which is at most ${most}. ${narrower}.` }
}
