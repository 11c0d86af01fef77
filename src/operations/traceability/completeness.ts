// Completeness: how many lines have every key data element, which vendors the others belong to, and
// the events behind each number. Decided in 0031.
import type { Static } from 'typebox'
import { eventKindNames, type RecordKind, receivingEvent } from '../../contract/record-kinds.ts'
import { Type } from '../../contract/shape/type.ts'
import { declareLimit } from '../../limits.ts'
import { nextCursor, vendorName } from '../base/bodies.ts'
import { eventSelection } from '../base/event-selection.ts'
import type { Operation } from '../base/operation.ts'
import { limitDefault, limitMax, paging, type QueryParameter } from '../base/query.ts'

/** Months that a period may touch, and how many it has when no dates are given. */
export const periodMonthsMax = declareLimit(
  'completenessMonths',
  24,
  'months',
  'Calendar months that completeness covers at once.',
)
export const periodMonthsDefault = 12

/** Most events one answer is counted from: a few seconds of work for a database on two cores. */
export const countedEventsMax = declareLimit(
  'completenessEvents',
  250_000,
  'events',
  'Events that completeness counts at once.',
)

export const share = Type.Union([Type.Number(), Type.Null()], {
  description:
    'Complete lines divided by lines, rounded down to four decimals, so 1 means that all are complete; null without lines.',
})
export const counts = {
  events: Type.Integer({ description: 'Events with a line that needs key data elements.' }),
  eventsWithGaps: Type.Integer({ description: 'Those of them with an incomplete line.' }),
  lines: Type.Integer({
    description: 'Lines that need key data elements: those of items not marked as off the Food Traceability List.',
  }),
  completeLines: Type.Integer({ description: 'Complete lines among them.' }),
  share,
}
export const records = Type.String({
  description: 'Path and query of the list of events behind `eventsWithGaps`. Send it unchanged.',
})
export const dates = {
  eventStartDate: Type.Union([Type.String(), Type.Null()], {
    description: 'First date that is covered; null when there are no events.',
  }),
  eventEndDate: Type.Union([Type.String(), Type.Null()], { description: 'Last date that is covered.' }),
}

/** Part of every answer that is made of counts. */
export const recounting = Type.Union([Type.String(), Type.Null()], {
  description:
    'Since when master data has changes that these counts do not include yet, as a datetime in UTC. The service updates the counts in the background. Null when the counts are up to date.',
})

const MonthCompleteness = Type.Object(
  {
    month: Type.String({ description: '`yyyy-MM`; a month without such lines is left out.' }),
    lines: Type.Integer(),
    completeLines: Type.Integer(),
    share,
  },
  { title: 'MonthCompleteness', additionalProperties: false },
)

export const gapFields = {
  rule: Type.String({ description: 'Id of the rule that finds it missing.' }),
  kde: Type.String({ description: 'Name of the key data element.' }),
  cites: Type.String({ description: 'Its paragraph of 21 CFR.' }),
  lines: Type.Integer({ description: 'Lines that lack it.' }),
}
const MissingElement = Type.Object(
  { ...gapFields, events: Type.Integer({ description: 'Events these lines are in.' }), records },
  { title: 'MissingElement', additionalProperties: false },
)

export const groupings = [
  'dataProviderVendorId',
  'shipToLocationCode',
  'vendorItemCode',
  'month',
  'kde',
  'kind',
] as const

const CompletenessGroup = Type.Object(
  {
    key: Type.String({
      description:
        'The vendor, location code, item code, month (`yyyy-MM`), kind of event, or rule of the key data element; of other kinds than receiving events with its paragraph behind it.',
    }),
    label: Type.Union([Type.String(), Type.Null()], {
      description: 'Its name in the newest event of the group; null when that event has none.',
    }),
    ...counts,
    missing: Type.Array(MissingElement, { description: 'What its lines lack, most frequent first.' }),
    trend: Type.Array(MonthCompleteness, { description: 'Month by month, oldest first.' }),
    records,
  },
  { title: 'CompletenessGroup', additionalProperties: false },
)

export const Completeness = Type.Object(
  {
    ...dates,
    by: Type.Enum([...groupings]),
    total: Type.Object({ ...counts, records }, { title: 'CompletenessTotal', additionalProperties: false }),
    trend: Type.Array(MonthCompleteness, { description: 'Of all lines, month by month, oldest first.' }),
    groups: Type.Array(CompletenessGroup, {
      description:
        'Those with the most incomplete lines first. Grouped by `kde`, a line counts once for each element of its kind, as complete when it has that element.',
    }),
    groupCount: Type.Integer({ description: 'Number of all groups; at most `limit` are listed.' }),
    recounting,
  },
  { title: 'Completeness', additionalProperties: false },
)
export type Completeness = Static<typeof Completeness>

const shipTo = 'Where the goods go; of an event that sends none, where it happens.'

const EventGaps = Type.Object(
  {
    id: Type.String({ description: 'Id of the event.' }),
    record: Type.Enum([...eventKindNames], { description: 'Kind of the event.' }),
    version: Type.Integer(),
    eventDate: Type.String({ description: 'Date of the event at its place: of a receipt the date received.' }),
    dataProviderVendorId: Type.String(),
    dataProviderVendorName: vendorName,
    shipToLocationCode: Type.String({ description: shipTo }),
    purchaseOrderNumber: Type.Union([Type.String(), Type.Null()], {
      description: 'Null of an event that names none.',
    }),
    lines: Type.Integer({
      description: 'Lines that need key data elements; only those of the item when the request names one.',
    }),
    completeLines: Type.Integer({ description: 'Complete lines among them.' }),
    gaps: Type.Array(Type.Object(gapFields, { title: 'EventGap', additionalProperties: false }), {
      description: 'What these lines lack, most frequent first.',
    }),
    findings: Type.String({
      description:
        'Path and query of the findings of the event, judged with the current master data: where each gap is and what to do.',
    }),
  },
  { title: 'EventGaps', additionalProperties: false },
)

export const GapPage = Type.Object(
  {
    ...dates,
    content: Type.Array(EventGaps),
    nextCursor,
    recounting,
  },
  { title: 'GapPage', additionalProperties: false },
)
export type GapPage = Static<typeof GapPage>

const { eventStartDate, eventEndDate, dataProviderVendorId, shipToLocationCode } = eventSelection
export const selection = {
  eventStartDate,
  eventEndDate,
  dataProviderVendorId,
  shipToLocationCode,
  vendorItemCode: { form: 'text', meaning: 'Only lines of this vendor item code.', example: 'ROM-24' },
} as const satisfies Record<string, QueryParameter>

const kind = {
  form: 'choice',
  values: eventKindNames,
  meaning: 'Only events of this kind; of all kinds when it is omitted.',
  example: 'transformationEvent',
} as const satisfies QueryParameter

export const period = `A period covers at most ${periodMonthsMax} calendar months. Without dates it is the ${periodMonthsDefault} months up to the newest event that is not in the future. The answer gives the period.`

const topic = 'traceability'

export const readCompleteness = {
  name: 'readCompleteness',
  method: 'GET',
  path: '/traceability/completeness',
  cites: '21 CFR 1.1325 to 1.1350; decision 0031',
  summary: 'Counts complete and incomplete lines of events.',
  description: `A line is complete when it has no gap, judged with the current master data. After a change of master data the service updates the counts of the affected events in the background; until then \`recounting\` is set. The answer counts in total, month by month, and by vendor, location, item, month, key data element or kind of event, the most incomplete first, each with the records behind it. ${period} At most ${countedEventsMax.toLocaleString('en')} events are counted at once.`,
  role: 'partner',
  topic,
  record: receivingEvent as RecordKind,
  query: {
    by: {
      form: 'choice',
      values: groupings,
      meaning: 'How lines are grouped; `kde` is the key data element they lack.',
      example: 'shipToLocationCode',
    },
    kind,
    ...selection,
    limit: {
      form: 'limit',
      meaning: `Groups to list, 1 to ${limitMax}: those with the most incomplete lines.`,
      example: String(limitDefault),
    },
  },
  headers: [],
  outcomes: {
    counted: { status: 200, when: 'The counts; they may be 0.', body: Completeness, retry: 'never' },
  },
} as const satisfies Operation

export const listGaps = {
  name: 'listGaps',
  method: 'GET',
  path: '/traceability/gaps',
  cites: '21 CFR 1.1325 to 1.1350; decision 0031',
  summary: 'Lists events with incomplete lines, latest first.',
  description: `What each event lacks, judged with the current master data, and where to read its findings. After a change of master data the service judges the affected events again in the background; until then \`recounting\` is set. ${period}`,
  role: 'reader',
  topic,
  record: receivingEvent as RecordKind,
  query: {
    kind,
    ...selection,
    rule: {
      form: 'text',
      meaning: 'Only events in which this rule found a gap.',
      example: 'product-line/lot-code',
    },
    cites: {
      form: 'text',
      meaning: 'Only gaps of that rule under this paragraph.',
      example: '21 CFR 1.1350(a)(1)(i)',
    },
    ...paging,
  },
  headers: [],
  outcomes: {
    listed: { status: 200, when: 'The page; it may be empty.', body: GapPage, retry: 'never' },
  },
} as const satisfies Operation

export const completenessOperations = { readCompleteness, listGaps }
