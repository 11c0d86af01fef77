// Exports the files for FDA: the spreadsheet, or the package with it.
import { createHash } from 'node:crypto'
import { type ExemptPlaces, exemptVendorsIn } from '../../contract/exempt-place.ts'
import type { EventKindName } from '../../contract/record-kinds.ts'
import { contactWords } from '../../contract/traceability-plan.ts'
import { fdaPackage, type Hash, type PackageRequest } from '../../exports/fda-package/package.ts'
import type { PlanInForce } from '../../exports/fda-package/plan-page.ts'
import type { ExportFilters } from '../../exports/fda-spreadsheet/event-lines.ts'
import type { ExportRequest } from '../../exports/fda-spreadsheet/explained.ts'
import {
  type KindSheet,
  kindSheets,
  receiving,
  sheetKinds,
  sheetsWith,
} from '../../exports/fda-spreadsheet/kind-sheets.ts'
import { csvName, exportName, fdaCsv, fdaWorkbook } from '../../exports/fda-spreadsheet/spreadsheet.ts'
import { Tally } from '../../exports/fda-spreadsheet/tally.ts'
import { accessEntries } from '../../store/evidence/access-log.ts'
import { DamagedRecord } from '../../store/evidence/damaged-record.ts'
import type { SelectedEvent } from '../../store/records/event-selection.ts'
import { displayNameOf } from '../base/display-name.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { selectForExport } from '../records/event-selection.ts'
import { eventsOfKind, type MasterDataCache, withFirstBatchRead } from '../records/exported-events.ts'
import { selectVoided, voidedRecords } from '../records/voided-records.ts'
import { chainTooLarge } from './chain-selection.ts'
import { corrections } from './corrections.ts'
import { type ChosenEvents, type FdaCall, rowsOf, selectForFda, tooManyForExport } from './fda-selection.ts'
import { planInForce } from './traceability-plan.ts'

type ExportOutcome = 'badQuery' | 'tooMany' | 'exported'

const exportFdaSpreadsheet =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<ExportOutcome>> => {
    const { format, gaps, sheet } = call.query
    const asCsv = format === 'csv'
    if (asCsv && gaps === 'true')
      return {
        outcome: 'badQuery',
        detail: 'gaps marks cells, and CSV cannot have marks. Omit gaps, or use format=xlsx.',
      }
    if (!asCsv && sheet !== undefined)
      return {
        outcome: 'badQuery',
        detail: 'sheet chooses the sheet of a CSV, and a workbook has all. Omit sheet, or use format=csv.',
      }
    const chosen = await chosenFor(context, call)
    if ('outcome' in chosen) return chosen
    // A sheet has no place to name missing records; the package has.
    const { missing = [] } = chosen.request
    if (missing.length > 0) throw new DamagedRecord(...missing)
    // Nor has a CSV a place to say that it is not whole.
    if (asCsv && chosen.request.chain?.isCut) return chainTooLarge
    if (asCsv) return csvOf(chosen, kindSheets.find(({ slug }) => slug === sheet) ?? receiving)
    const { request, records, lines, read } = chosen
    const events = await withFirstBatchRead(read(receiving))
    return {
      outcome: 'exported',
      file: {
        mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        name: exportName(request.filters, 'fda-spreadsheet', 'xlsx'),
        records,
        parts: fdaWorkbook(request, events, new Tally(request.gaps), { lines, judging: false }),
      },
    }
  }

/** One sheet as CSV. */
async function csvOf({ request: { filters }, read, kinds }: Chosen, sheet: KindSheet): Promise<Answer<ExportOutcome>> {
  const events = await withFirstBatchRead(read(sheet))
  return {
    outcome: 'exported',
    file: {
      mediaType: 'text/csv; charset=utf-8',
      name: csvName(filters, sheet),
      records: kinds.find(({ kind }) => kind === sheet.kind.name)?.selected.length ?? 0,
      parts: fdaCsv(filters, events, sheet),
    },
  }
}

export const exportFdaPackage =
  (context: HandlerContext) =>
  async (call: FdaCall): Promise<Answer<ExportOutcome>> => {
    const chosen = await chosenFor(context, call)
    if ('outcome' in chosen) return chosen
    const { request, plan, records, lines, master, read } = chosen
    const voided: NonNullable<PackageRequest['voided']> = {}
    for (const kind of sheetKinds) {
      const found = await selectVoided(context, call.provider, { filters: request.filters, master, kind })
      if (found === undefined) return tooManyForExport(request.filters)
      if (found.length > 0)
        voided[kind] = () => voidedRecords(context, call.provider, { selected: found, master, kind })
    }
    const whole = { ...request, plan, voided }
    const begun = [await withFirstBatchRead(read(receiving))]
    return {
      outcome: 'exported',
      file: {
        mediaType: 'application/zip',
        name: exportName(request.filters, 'fda-package', 'zip'),
        records,
        missing: request.missing?.length ?? 0,
        parts: fdaPackage(whole, lines, () => begun.pop() ?? read(receiving), sha256),
      },
    }
  }

function sha256(): Hash {
  const hash = createHash('sha256')
  return { update: (part) => void hash.update(part), digest: () => hash.digest('hex') }
}

interface Chosen {
  readonly request: ExportRequest
  readonly plan: PlanInForce | undefined
  /** The selected events of all kinds. */
  readonly records: number
  readonly kinds: readonly ChosenEvents[]
  /** Lines of the selected receiving events, whether or not they match the filters. */
  readonly lines: number
  /** Reads the selected events of a sheet. */
  readonly read: (sheet: KindSheet) => ReturnType<typeof eventsOfKind>
  readonly master: MasterDataCache
}

async function chosenFor(context: HandlerContext, call: FdaCall): Promise<Chosen | Answer<'badQuery' | 'tooMany'>> {
  const { provider, query } = call
  const chosen = await selectForFda(context, call)
  if ('outcome' in chosen) return chosen
  const { filters, kinds, alike, chain, earlierLots, missing, master } = chosen
  const places = await master.exemptPlaces()
  const eventsOf = (name: EventKindName) => kinds.find(({ kind }) => kind === name)?.selected ?? []
  const exempt = await ofExemptVendors(context, provider, { events: eventsOf('receivingEvent'), places, filters })
  const selectedOf = ({ kind: { name }, reasons }: KindSheet) => (reasons === undefined ? eventsOf(name) : exempt)
  const read = (sheet: KindSheet) =>
    eventsOfKind(context, provider, { selected: selectedOf(sheet), master, kind: sheet.kind.name })
  const sheets = sheetsWith(places)
  const others = sheets.filter((sheet) => sheet !== receiving && selectedOf(sheet).length > 0)
  const plan = await planInForce(context, provider)
  return {
    request: {
      provider: await displayNameOf(context.store, provider),
      filters,
      alike,
      chain,
      madeAt: new Date(),
      gaps: query.gaps === 'true',
      contact: query.contact ?? (plan && contactWords(plan.content)),
      earlierLots,
      missing,
      corrections: kinds.some(({ selected }) => selected.some(({ version }) => version > 1))
        ? async function* () {
            for (const { kind, selected } of kinds)
              yield* corrections(context, provider, { selected, filters, master, kind })
          }
        : undefined,
      sheets,
      others: others.map((sheet) => ({
        sheet,
        read: () => read(sheet),
        rows: rowsOf(sheet.kind.name, selectedOf(sheet)),
      })),
    },
    plan,
    records: kinds.reduce((sum, { selected }) => sum + selected.length, 0),
    kinds,
    lines: rowsOf(receiving.kind.name, selectedOf(receiving)),
    read,
    master,
  }
}

/** Those that may be from an exempt place: the sheets of exempt places read no others. */
async function ofExemptVendors(
  context: HandlerContext,
  provider: string,
  {
    events,
    places,
    filters: { eventStartDate, eventEndDate },
  }: {
    readonly events: readonly SelectedEvent[]
    readonly places: ExemptPlaces
    readonly filters: ExportFilters
  },
): Promise<readonly SelectedEvent[]> {
  if (places.size === 0 || events.length === 0) return []
  const dataProviderVendorId = exemptVendorsIn(places)
  const found = await selectForExport(context, provider, { eventStartDate, eventEndDate, dataProviderVendorId })
  if (found === undefined) return events
  const ids = new Set(found.map(({ id }) => id))
  return events.filter(({ id }) => ids.has(id))
}

/**
 * Callers who may make a package see when the last one was made; readers of the log see the rest.
 */
const readLastFdaPackage =
  ({ store }: HandlerContext) =>
  async ({ provider }: OperationCall): Promise<Answer<'found'>> => {
    const lasts = ['exportFdaPackage', 'fetchPackage'].map((operation) =>
      accessEntries(store, { provider, operation, limit: 1 }),
    )
    const [last] = (await Promise.all(lasts)).flat().sort((a, b) => b.beganAt.getTime() - a.beganAt.getTime())
    const made = last && { beganDateTime: last.beganAt.toISOString(), ending: last.ending, records: last.records }
    return { outcome: 'found', body: { made: made ?? null } }
  }

export const fdaHandlers = { exportFdaSpreadsheet, exportFdaPackage, readLastFdaPackage }
