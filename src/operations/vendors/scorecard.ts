// The scorecard of a vendor: how complete its lines are against the target, their gaps, and their
// places. Decided in 0068.
import type { Static } from 'typebox'
import { type RecordKind, receivingEvent } from '../../contract/record-kinds.ts'
import { Finding } from '../../contract/shape/finding.ts'
import { Type } from '../../contract/shape/type.ts'
import { eventSelection } from '../base/event-selection.ts'
import type { Operation, Outcome } from '../base/operation.ts'
import type { QueryParameter } from '../base/query.ts'
import { Completeness, counts, dates, gapFields, period, records, recounting } from '../traceability/completeness.ts'
import { TargetInForce } from './vendor-targets.ts'

/** Most example records per missing key data element. */
export const examplesMax = 3

/** Most refusals that are shown; the count includes all that are kept. */
export const refusalsShownMax = 5

const { eventStartDate, eventEndDate } = eventSelection
const query = {
  dataProviderVendorId: { form: 'text', meaning: 'The vendor. Required.', example: 'V-1001' },
  eventStartDate,
  eventEndDate,
} as const satisfies Record<string, QueryParameter>

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const ScorecardGap = Type.Object(
  {
    ...gapFields,
    remedy: Type.String({ description: 'What the vendor can do.' }),
    records,
    examples: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'Id of the receiving event.' }),
          eventDate: Type.String({ description: 'Date received.' }),
          purchaseOrderNumber: Type.String(),
          lines: Type.Integer({ description: 'Lines of the event that lack it.' }),
        },
        { title: 'ScorecardExample', additionalProperties: false },
      ),
      { maxItems: examplesMax, description: 'Latest received first.' },
    ),
  },
  { title: 'ScorecardGap', additionalProperties: false },
)

const ScorecardRefusal = Type.Object(
  {
    refusedDateTime: Type.String({ description: 'When, in UTC.' }),
    detail: Type.String({ description: 'The `detail` of the answer.' }),
    findings: Type.Array(Finding, { description: 'The first findings, errors first.' }),
  },
  { title: 'ScorecardRefusal', additionalProperties: false },
)

export const Scorecard = Type.Object(
  {
    dataProviderVendorId: Type.String(),
    label: orNull('Name of the vendor in its newest event; null when that event has none.'),
    ...dates,
    target: TargetInForce,
    total: Type.Object({ ...counts, records }, { title: 'ScorecardTotal', additionalProperties: false }),
    trend: Completeness.properties.trend,
    missing: Type.Array(ScorecardGap, { description: 'What its lines lack, most frequent first.' }),
    lastEventDate: orNull('Date of its last event; null when it has none in the last 12 months.'),
    isSilent: Type.Boolean({ description: 'True when it is expected and has been silent too long.' }),
    refusalCount: Type.Integer({
      description: 'Refused payloads of the vendor in the period, among the last 1,000 refusals that are kept.',
    }),
    refusals: Type.Array(ScorecardRefusal, { maxItems: refusalsShownMax, description: 'The newest of them.' }),
    recounting,
  },
  { title: 'Scorecard', additionalProperties: false },
)
export type Scorecard = Static<typeof Scorecard>

const unknownVendor: Outcome = {
  status: 404,
  when: 'The provider has no event and no refusal of this vendor in the period.',
  retry: 'never',
}

const shared = {
  method: 'GET',
  cites: '21 CFR 1.1345(a); decision 0068',
  role: 'reader',
  topic: 'vendors',
  record: receivingEvent as RecordKind,
  query,
  headers: [],
} as const

export const readScorecard = {
  ...shared,
  name: 'readScorecard',
  path: '/traceability/scorecard',
  summary: 'Reads the scorecard of a vendor.',
  description: `How complete its lines are against the target, month by month; what they lack, with examples; its refused payloads; and since when it is silent. ${period}`,
  outcomes: {
    unknownVendor,
    found: { status: 200, when: 'The vendor has events or refusals in the period.', body: Scorecard, retry: 'never' },
  },
} as const satisfies Operation

const exportScorecardLines = {
  ...shared,
  name: 'exportScorecardLines',
  path: '/traceability/scorecard-lines',
  summary: 'Makes a workbook of the incomplete lines of a vendor, to send to the vendor.',
  description: `One row for each key data element that a line lacks: purchase order, date, item, lot, what is missing and what to do. ${period}`,
  recorded: 'everyFile',
  outcomes: {
    unknownVendor,
    tooMany: { status: 422, when: 'The vendor has more events or lines than one export may hold.', retry: 'changed' },
    exported: {
      status: 200,
      when: 'The file follows.',
      media: { 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'The workbook.' },
      retry: 'never',
    },
  },
} as const satisfies Operation

export const scorecardOperations = { readScorecard, exportScorecardLines }
