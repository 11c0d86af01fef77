// Completeness over time by vendor, against the target. Decided in 0068.
import type { Static } from 'typebox'
import { type RecordKind, receivingEvent } from '../../contract/record-kinds.ts'
import { Type } from '../../contract/shape/type.ts'
import type { Operation } from '../base/operation.ts'
import {
  countedEventsMax,
  counts,
  dates,
  period,
  records,
  recounting,
  selection,
  share,
} from '../traceability/completeness.ts'

export const buckets = ['month', 'week', 'day'] as const

/** Days that buckets of a day may cover at once. */
export const bucketDaysMax = 93

/** How many vendors the history has one by one. */
export const vendorsShown = { default: 8, max: 50 } as const

const { eventsWithGaps: _, ...bucketCounts } = counts
const target = Type.Number({ description: 'Share of lines that should be complete.' })

const CompletenessBucket = Type.Object(
  {
    startDate: Type.String({ description: 'First date of the bucket. A week begins on Monday.' }),
    endDate: Type.String({ description: 'Last date of the bucket.' }),
    lines: Type.Integer(),
    completeLines: Type.Integer(),
    share,
    records,
  },
  { title: 'CompletenessBucket', additionalProperties: false },
)
const bucketList = Type.Array(CompletenessBucket, {
  description: 'Oldest first; a bucket without such lines is left out.',
})

const VendorHistory = Type.Object(
  {
    dataProviderVendorId: Type.String(),
    label: Type.Union([Type.String(), Type.Null()], {
      description: 'Name of the vendor in its newest event; null when that event has none.',
    }),
    target,
    ...bucketCounts,
    buckets: bucketList,
    records,
  },
  { title: 'VendorHistory', additionalProperties: false },
)

export const CompletenessHistory = Type.Object(
  {
    ...dates,
    bucket: Type.Enum([...buckets]),
    target: Type.Number({ description: 'Share of lines that should be complete, of vendors without a target.' }),
    total: Type.Object(
      { ...bucketCounts, records },
      { title: 'CompletenessHistoryTotal', additionalProperties: false },
    ),
    buckets: bucketList,
    vendors: Type.Array(VendorHistory, { description: 'Those with the most incomplete lines first.' }),
    vendorCount: Type.Integer({ description: 'Number of all vendors with such lines; at most `limit` are listed.' }),
    recounting,
  },
  { title: 'CompletenessHistory', additionalProperties: false },
)
export type CompletenessHistory = Static<typeof CompletenessHistory>

export const readCompletenessHistory = {
  name: 'readCompletenessHistory',
  method: 'GET',
  path: '/traceability/completeness-history',
  cites: '21 CFR 1.1345(a); decision 0068',
  summary: 'Counts complete lines over time, in all and by vendor, with the target.',
  description: `By month, week or day of the date received, in one answer of one moment. ${period} Without dates, weeks cover 6 months and days 2. Days cover at most ${bucketDaysMax} days at once. At most ${countedEventsMax.toLocaleString('en')} events are counted at once.`,
  role: 'reader',
  topic: 'vendors',
  record: receivingEvent as RecordKind,
  query: {
    bucket: { form: 'choice', values: buckets, meaning: 'Length of a bucket of time.', example: 'week' },
    ...selection,
    limit: {
      form: 'limit',
      meaning: `Vendors to list, 1 to ${vendorsShown.max}: those with the most incomplete lines.`,
      example: String(vendorsShown.default),
      limits: vendorsShown,
    },
  },
  headers: [],
  outcomes: {
    counted: { status: 200, when: 'The counts; they may be 0.', body: CompletenessHistory, retry: 'never' },
  },
} as const satisfies Operation
