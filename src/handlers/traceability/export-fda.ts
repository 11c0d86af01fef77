// Exports the files for FDA: the spreadsheet, or the package with it.
import { createHash } from 'node:crypto'
import { type DeliveryKindName, deliveryKindNames, deliveryKinds } from '../../contract/record-kinds.ts'
import { contactWords } from '../../contract/traceability-plan.ts'
import { fdaPackage, type Hash, type PackageRequest } from '../../exports/fda-package/package.ts'
import type { PlanInForce } from '../../exports/fda-package/plan-page.ts'
import type { ExportRequest } from '../../exports/fda-spreadsheet/explained.ts'
import { exportName, fdaCsv, fdaWorkbook } from '../../exports/fda-spreadsheet/spreadsheet.ts'
import { Tally } from '../../exports/fda-spreadsheet/tally.ts'
import { readProviderName } from '../../store/database/providers.ts'
import { accessEntries } from '../../store/evidence/access-log.ts'
import { DamagedRecord } from '../../store/evidence/damaged-record.ts'
import type { SelectedEvent } from '../../store/records/event-selection.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { exportedEvents, type MasterDataCache, withFirstBatchRead } from '../records/exported-events.ts'
import { selectVoided, voidedRecords } from '../records/voided-records.ts'
import { corrections } from './corrections.ts'
import { type FdaCall, selectForFda, tooManyForExport } from './fda-selection.ts'
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
        detail: 'sheet chooses the sheet of a CSV, and a workbook has both. Omit sheet, or use format=csv.',
      }
    const chosen = await chosenFor(context, call)
    if ('outcome' in chosen) return chosen
    // A sheet has no place to name missing records; the package has.
    const { missing = [] } = chosen.request
    if (missing.length > 0) throw new DamagedRecord(...missing)
    if (asCsv) return csvOf(chosen, sheet === 'shipping' ? 'shippingEvent' : 'receivingEvent')
    const { request, records, lines, read } = chosen
    const events = await withFirstBatchRead(read())
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

/** One sheet as CSV: that of receiving or of shipping events. */
async function csvOf(
  { request: { filters }, records, shippedRecords, read, readShipped }: Chosen,
  kind: DeliveryKindName,
): Promise<Answer<ExportOutcome>> {
  const isShipping = kind === 'shippingEvent'
  const events = await withFirstBatchRead(isShipping ? readShipped() : read())
  return {
    outcome: 'exported',
    file: {
      mediaType: 'text/csv; charset=utf-8',
      name: exportName(filters, deliveryKinds[kind].files.rows, 'csv'),
      records: isShipping ? shippedRecords : records - shippedRecords,
      parts: fdaCsv(filters, events, kind),
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
    for (const kind of deliveryKindNames) {
      const found = await selectVoided(context, call.provider, { filters: request.filters, master, kind })
      if (found === undefined) return tooManyForExport(request.filters)
      if (found.length > 0)
        voided[kind] = () => voidedRecords(context, call.provider, { selected: found, master, kind })
    }
    const whole = { ...request, plan, voided }
    const begun = [await withFirstBatchRead(read())]
    return {
      outcome: 'exported',
      file: {
        mediaType: 'application/zip',
        name: exportName(request.filters, 'fda-package', 'zip'),
        records,
        missing: request.missing?.length ?? 0,
        parts: fdaPackage(whole, lines, () => begun.pop() ?? read(), sha256),
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
  /** The selected events of both kinds, and the shipping events among them. */
  readonly records: number
  readonly shippedRecords: number
  /** Lines of the selected receiving events, whether or not they match the filters. */
  readonly lines: number
  /** Reads the selected receiving events. */
  readonly read: () => ReturnType<typeof exportedEvents>
  /** Reads the selected shipping events. */
  readonly readShipped: () => ReturnType<typeof exportedEvents>
  readonly master: MasterDataCache
}

async function chosenFor(context: HandlerContext, call: FdaCall): Promise<Chosen | Answer<'badQuery' | 'tooMany'>> {
  const { provider, query } = call
  const chosen = await selectForFda(context, call)
  if ('outcome' in chosen) return chosen
  const { filters, selected, shipping, alike, earlierLots, missing, master } = chosen
  const readShipped = () =>
    exportedEvents(context, provider, { selected: shipping.selected, master, kind: 'shippingEvent' })
  const plan = await planInForce(context, provider)
  return {
    request: {
      provider: await readProviderName(context.store, provider),
      filters,
      alike,
      madeAt: new Date(),
      gaps: query.gaps === 'true',
      contact: query.contact ?? (plan && contactWords(plan.content)),
      earlierLots,
      missing,
      corrections: [...selected, ...shipping.selected].some(({ version }) => version > 1)
        ? async function* () {
            yield* corrections(context, provider, { selected, filters, master })
            yield* corrections(context, provider, {
              selected: shipping.selected,
              filters,
              master,
              kind: 'shippingEvent',
            })
          }
        : undefined,
      shipping: shipping.selected.length === 0 ? undefined : { read: readShipped, lines: linesOf(shipping.selected) },
    },
    plan,
    records: selected.length + shipping.selected.length,
    shippedRecords: shipping.selected.length,
    lines: linesOf(selected),
    read: () => exportedEvents(context, provider, { selected, master }),
    readShipped,
    master,
  }
}

const linesOf = (events: readonly SelectedEvent[]): number => events.reduce((sum, { lineCount }) => sum + lineCount, 0)

/**
 * Callers who may make a package see when the last one was made; readers of the log see the rest.
 */
const readLastFdaPackage =
  ({ store }: HandlerContext) =>
  async ({ provider }: OperationCall): Promise<Answer<'found'>> => {
    const [last] = await accessEntries(store, { provider, operation: 'exportFdaPackage', limit: 1 })
    const made = last && { beganDateTime: last.beganAt.toISOString(), ending: last.ending, records: last.records }
    return { outcome: 'found', body: { made: made ?? null } }
  }

export const fdaHandlers = { exportFdaSpreadsheet, exportFdaPackage, readLastFdaPackage }
