// Exports the files for FDA: the spreadsheet, or the package with it.
import { createHash } from 'node:crypto'
import { contactWords } from '../contract/traceability-plan.ts'
import { fdaPackage, type Hash } from '../exports/fda-package/package.ts'
import type { PlanInForce } from '../exports/fda-package/plan-page.ts'
import type { ExportRequest } from '../exports/fda-spreadsheet/explained.ts'
import { exportName, fdaCsv, fdaWorkbook } from '../exports/fda-spreadsheet/spreadsheet.ts'
import { Tally } from '../exports/fda-spreadsheet/tally.ts'
import { accessEntries } from '../store/access-log.ts'
import type { SelectedEvent } from '../store/event-selection.ts'
import { readProviderName } from '../store/providers.ts'
import { corrections } from './corrections.ts'
import { exportedEvents, type MasterDataCache, withFirstBatchRead } from './exported-events.ts'
import { type FdaCall, selectForFda, tooManyForExport } from './fda-selection.ts'
import type { Answer, HandlerContext, OperationCall } from './handler.ts'
import { planInForce } from './traceability-plan.ts'
import { selectVoided, voidedRecords } from './voided-records.ts'

type ExportOutcome = 'badQuery' | 'tooMany' | 'exported'

export const exportFdaSpreadsheet =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<ExportOutcome>> => {
    const asCsv = call.query.format === 'csv'
    if (asCsv && call.query.gaps === 'true')
      return {
        outcome: 'badQuery',
        detail: 'gaps marks cells, and CSV cannot have marks. Omit gaps, or use format=xlsx.',
      }
    const chosen = await chosenFor(context, call)
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
  (context: HandlerContext) =>
  async (call: FdaCall): Promise<Answer<ExportOutcome>> => {
    const chosen = await chosenFor(context, call)
    if ('outcome' in chosen) return chosen
    const { request, plan, records, lines, master, read } = chosen
    const voided = await selectVoided(context, call.provider, request.filters, master)
    if (voided === undefined) return tooManyForExport(request.filters)
    const whole = {
      ...request,
      plan,
      voided: voided.length > 0 ? () => voidedRecords(context, call.provider, voided, master) : undefined,
    }
    return {
      outcome: 'exported',
      file: {
        mediaType: 'application/zip',
        name: exportName(request.filters, 'fda-package', 'zip'),
        records,
        parts: fdaPackage(whole, lines, read, sha256),
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
  /** The selected events. */
  readonly records: number
  /** Lines of the selected events, whether or not they match the filters. */
  readonly lines: number
  /** Reads the selected events from the first, with the same result each time. */
  readonly read: () => ReturnType<typeof exportedEvents>
  readonly master: MasterDataCache
}

async function chosenFor(context: HandlerContext, call: FdaCall): Promise<Chosen | Answer<'badQuery' | 'tooMany'>> {
  const { provider, query } = call
  const chosen = await selectForFda(context, call)
  if ('outcome' in chosen) return chosen
  const { filters, selected, shipping, alike, earlierLots, master } = chosen
  const events = () => exportedEvents(context, provider, selected, master)
  const first = [await withFirstBatchRead(events())]
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
      corrections: [...selected, ...shipping.selected].some(({ version }) => version > 1)
        ? async function* () {
            yield* corrections(context, provider, selected, filters, master)
            yield* corrections(context, provider, shipping.selected, filters, master, 'shippingEvent')
          }
        : undefined,
      shipping:
        shipping.selected.length === 0
          ? undefined
          : {
              read: () => exportedEvents(context, provider, shipping.selected, master, 'shippingEvent'),
              lines: linesOf(shipping.selected),
            },
    },
    plan,
    records: selected.length + shipping.selected.length,
    lines: linesOf(selected),
    read: () => first.pop() ?? events(),
    master,
  }
}

const linesOf = (events: readonly SelectedEvent[]): number => events.reduce((sum, { lineCount }) => sum + lineCount, 0)

/**
 * Who may make a package sees when the last one was made; the rest is for whoever reads the log.
 */
export const readLastFdaPackage =
  ({ store }: HandlerContext) =>
  async ({ provider }: OperationCall): Promise<Answer<'found'>> => {
    const [last] = await accessEntries(store, provider, { operation: 'exportFdaPackage' }, undefined, 1)
    const made = last && { beganDateTime: last.beganAt.toISOString(), ending: last.ending, records: last.records }
    return { outcome: 'found', body: { made: made ?? null } }
  }
