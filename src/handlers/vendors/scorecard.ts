// The scorecard of a vendor, and the workbook of its incomplete lines.
import { dayAfter, firstOfMonthBefore } from '../../contract/shape/date-and-time.ts'
import { scorecardWorkbook } from '../../exports/scorecard-lines.ts'
import { countedEventsMax } from '../../operations/traceability/completeness.ts'
import { examplesMax, refusalsShownMax, type Scorecard } from '../../operations/vendors/scorecard.ts'
import { ruleOf } from '../../rules/catalogue.ts'
import { keyDataElementOf } from '../../rules/key-data-elements.ts'
import { refusalsOfVendor } from '../../store/records/refusals.ts'
import {
  areMoreThan,
  countLines,
  type LineSelection,
  lastDeliveries,
  listEventsWithGaps,
} from '../../store/traceability/completeness.ts'
import { displayNameOf } from '../base/display-name.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { selectForExport } from '../records/event-selection.ts'
import { exportedEvents, MasterDataCache, withFirstBatchRead } from '../records/exported-events.ts'
import { findingsIn } from '../records/refusals.ts'
import { readLabel, tooManyEvents } from '../traceability/completeness.ts'
import { countsOf, recordsOf, trendOf } from '../traceability/completeness-counts.ts'
import { tooManyForExport } from '../traceability/fda-selection.ts'
import { readLineSelection } from '../traceability/line-selection.ts'
import { recountingOf } from '../traceability/recounts.ts'
import { isSilent } from './vendor-alerts.ts'
import { readTargets } from './vendor-targets.ts'

/** Key data elements of which examples are looked for: the most frequent ones. */
const exampledGapsMax = 10

interface Asked {
  readonly vendor: string
  readonly selection: LineSelection
}

/** The vendor and the period of a call. */
async function readAsked(
  context: HandlerContext,
  { provider, query }: OperationCall,
): Promise<Asked | Answer<'badQuery' | 'unknownVendor'>> {
  const { dataProviderVendorId: vendor, ...dates } = query
  if (vendor === undefined)
    return { outcome: 'badQuery', detail: 'dataProviderVendorId is missing. Name the vendor, e.g. V-1001.' }
  const selection = await readLineSelection(context, provider, {
    query: dates,
    lists: { dataProviderVendorId: [vendor] },
    kind: 'receivingEvent',
  })
  if (selection === undefined) return unknownVendor(vendor)
  return 'outcome' in selection ? selection : { vendor, selection }
}

const unknownVendor = (vendor: string): Answer<'unknownVendor'> => ({
  outcome: 'unknownVendor',
  detail: `There is no event and no refusal of vendor ${JSON.stringify(vendor)} in the period. Check the vendor, or choose other dates.`,
})

const readScorecard =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'badQuery' | 'unknownVendor' | 'found'>> => {
    const { store } = context
    const { provider } = call
    const recounting = await recountingOf(context, provider)
    const asked = await readAsked(context, call)
    if ('outcome' in asked) return asked
    const { vendor, selection } = asked
    const { eventStartDate, eventEndDate } = selection
    if (await areMoreThan(store, provider, selection, countedEventsMax)) return tooManyEvents(selection)
    const today = new Date().toISOString().slice(0, 10)
    const lastYear = { eventStartDate: firstOfMonthBefore(today, 12), eventEndDate: '9999-12-31' }
    const [counted, targets, refusals, deliveries] = await Promise.all([
      countLines(store, provider, { selection, by: 'dataProviderVendorId', limit: 1 }),
      readTargets(store, provider),
      refusalsOfVendor(store, {
        provider,
        vendor,
        start: new Date(eventStartDate),
        end: new Date(dayAfter(eventEndDate > today ? eventEndDate : today, 1)),
        limit: refusalsShownMax,
      }),
      lastDeliveries(store, { ...selection, ...lastYear, provider }),
    ])
    const months = counted.months.filter(({ key }) => key !== null)
    if (months.length === 0 && refusals.count === 0 && deliveries.length === 0) return unknownVendor(vendor)
    const gaps = [...counted.gaps].sort((one, other) => other.lines - one.lines || (one.rule < other.rule ? -1 : 1))
    const latest = months.reduce((last, one) => (one.latest > last ? one.latest : last), '')
    const target = targets.of(vendor)
    const lastEventDate = deliveries[0]?.date ?? null
    const body: Scorecard = {
      dataProviderVendorId: vendor,
      label:
        latest === ''
          ? null
          : await readLabel(context, provider, { by: 'dataProviderVendorId', key: vendor, event: latest }),
      eventStartDate,
      eventEndDate,
      target,
      total: { ...countsOf(months), records: recordsOf(selection) },
      trend: trendOf(months),
      missing: await Promise.all(
        gaps.map(async ({ rule, lines }, rank) => ({
          ...keyDataElementOf(rule),
          lines,
          remedy: ruleOf(rule)?.remedy ?? '',
          records: recordsOf(selection, rule),
          examples: rank < exampledGapsMax ? await examplesOf(context, provider, selection, rule) : [],
        })),
      ),
      lastEventDate,
      isSilent: isSilent(lastEventDate, target.silentDays, today),
      refusalCount: refusals.count,
      refusals: refusals.newest.map(({ refusedAt, detail, findings }) => ({
        refusedDateTime: refusedAt.toISOString(),
        detail,
        findings: findingsIn(findings),
      })),
      recounting,
    }
    return { outcome: 'found', body }
  }

const examplesOf = async (
  { store }: HandlerContext,
  provider: string,
  selection: LineSelection,
  rule: string,
): Promise<Scorecard['missing'][number]['examples']> =>
  (await listEventsWithGaps(store, { ...selection, provider, rule: undefined, gap: rule, limit: examplesMax })).map(
    ({ id, eventDate, purchaseOrderNumber, gaps }) => ({
      id,
      eventDate,
      purchaseOrderNumber: purchaseOrderNumber ?? '',
      lines: gaps[rule] ?? 0,
    }),
  )

const exportScorecardLines =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'badQuery' | 'unknownVendor' | 'tooMany' | 'exported'>> => {
    const { provider } = call
    const asked = await readAsked(context, call)
    if ('outcome' in asked) return asked
    const { vendor, selection } = asked
    const selected = await selectForExport(context, provider, selection)
    if (selected === undefined) return tooManyForExport(selection)
    if (selected.length === 0) return unknownVendor(vendor)
    const events = exportedEvents(context, provider, { selected, master: new MasterDataCache(context, provider) })
    const { eventStartDate, eventEndDate } = selection
    return {
      outcome: 'exported',
      file: {
        mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        name: `incomplete-lines-${vendor.replaceAll(/[^A-Za-z0-9._-]+/g, '_').slice(0, 40)}-${eventStartDate}-to-${eventEndDate}.xlsx`,
        records: selected.length,
        parts: scorecardWorkbook(
          {
            provider: await displayNameOf(context.store, provider),
            vendor,
            eventStartDate,
            eventEndDate,
            madeAt: new Date(),
            lines: selected.reduce((sum, { lineCount }) => sum + lineCount, 0),
            nameOf: (rule) => keyDataElementOf(rule),
          },
          await withFirstBatchRead(events),
        ),
      },
    }
  }

export const scorecardHandlers = { readScorecard, exportScorecardLines }
