// Completeness: how many lines have every key data element, whose the others are, and the events behind each number. Decided in 0031.
import { type Static, Type } from 'typebox'
import { receivingEvent } from '../contract/record-kinds.ts'
import { nextCursor } from './bodies.ts'
import { eventSelection } from './event-selection.ts'
import type { Operation } from './operation.ts'
import { limitDefault, limitMax, paging, type QueryParameter } from './query.ts'

/** Months a period may touch, and those it has when no dates are given. */
export const periodMonthsMax = 24
export const periodMonthsDefault = 12

/** Most events one answer is counted from: a few seconds of work for a database on two cores. */
export const countedEventsMax = 250_000

const share = Type.Union([Type.Number(), Type.Null()], {
  description:
    'Complete lines divided by lines, rounded down to four decimals, so that 1 says that all are; null when there are none.',
})
const counts = {
  events: Type.Integer({ description: 'Events with a line that wants key data elements.' }),
  eventsWithGaps: Type.Integer({ description: 'Those of them in which a line is not complete.' }),
  lines: Type.Integer({
    description: 'Lines that want key data elements: of items that are not said to be off the list.',
  }),
  completeLines: Type.Integer({ description: 'Those of them that have every one.' }),
  share,
}
const records = Type.String({
  description: 'Path and query that lists the events behind `eventsWithGaps`: send it as it is.',
})
const dates = {
  eventStartDate: Type.Union([Type.String(), Type.Null()], {
    description: 'First date that is covered; null when there are no events.',
  }),
  eventEndDate: Type.Union([Type.String(), Type.Null()], { description: 'Last date that is covered.' }),
}

/** The same in every answer that is made of counts. */
const recounting = Type.Union([Type.String(), Type.Null()], {
  description:
    'Since when master data has changed that these counts do not show yet, as a datetime in UTC: they are being brought up to date in the background. Null when they show everything.',
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

const gapFields = {
  rule: Type.String({ description: 'Id of the rule that finds it missing.' }),
  kde: Type.String({ description: 'Name of the key data element.' }),
  cites: Type.String({ description: 'Paragraph of 21 CFR.' }),
  lines: Type.Integer({ description: 'Lines that lack it.' }),
}
const MissingElement = Type.Object(
  { ...gapFields, events: Type.Integer({ description: 'Events these lines are in.' }), records },
  { title: 'MissingElement', additionalProperties: false },
)

export const groupings = ['dataProviderVendorId', 'shipToLocationCode', 'vendorItemCode', 'month', 'kde'] as const

const CompletenessGroup = Type.Object(
  {
    key: Type.String({
      description: 'The vendor, location code, item code, month (`yyyy-MM`), or rule of the key data element.',
    }),
    label: Type.Union([Type.String(), Type.Null()], {
      description: 'Its name, as the newest event of the group says it; null when it says none.',
    }),
    ...counts,
    missing: Type.Array(MissingElement, { description: 'What its lines lack, most first.' }),
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
        'Those with the most incomplete lines first. By `kde` a line counts for each element: as complete when it has that one.',
    }),
    groupCount: Type.Integer({ description: 'All groups there are; at most `limit` are shown.' }),
    recounting,
  },
  { title: 'Completeness', additionalProperties: false },
)
export type Completeness = Static<typeof Completeness>

const EventGaps = Type.Object(
  {
    id: Type.String({ description: 'Id of the receiving event.' }),
    version: Type.Integer(),
    eventDate: Type.String({ description: 'Date received, at the ship-to location.' }),
    dataProviderVendorId: Type.String(),
    shipToLocationCode: Type.String(),
    purchaseOrderNumber: Type.String(),
    lines: Type.Integer({ description: 'Lines that want key data elements; of the item, when one is asked for.' }),
    completeLines: Type.Integer({ description: 'Those of them that have every one.' }),
    gaps: Type.Array(Type.Object(gapFields, { title: 'EventGap', additionalProperties: false }), {
      description: 'What these lines lack, most first.',
    }),
    findings: Type.String({
      description: 'Path and query that says where each gap is and what to do, judged with the master data in force.',
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
const selection = {
  eventStartDate,
  eventEndDate,
  dataProviderVendorId,
  shipToLocationCode,
  vendorItemCode: { form: 'text', meaning: 'Only lines of this vendor item code.', example: 'ROM-24' },
} as const satisfies Record<string, QueryParameter>

const period = `Covered are at most ${periodMonthsMax} calendar months; without dates, the ${periodMonthsDefault} months that end with the newest event that is not in the future. The answer says which.`

const topic = 'traceability'

export const readCompleteness = {
  name: 'readCompleteness',
  method: 'GET',
  path: '/traceability/completeness',
  cites: '21 CFR 1.1345(a); decision 0031',
  summary: 'Counts complete and incomplete lines of receiving events.',
  description: `A line is complete when no gap concerns it, judged with the master data in force: after a change of it, the counts of the events it touches are brought up to date in the background, and \`recounting\` says so meanwhile. Counted in all, month by month, and by vendor, location, item, month or key data element, the worst first, each with the records behind it. ${period} At most ${countedEventsMax.toLocaleString('en')} events are counted at once.`,
  role: 'reader',
  topic,
  record: receivingEvent,
  query: {
    by: {
      form: 'choice',
      values: groupings,
      meaning: 'What lines are grouped by; `kde` is the key data element they lack.',
      example: 'shipToLocationCode',
    },
    ...selection,
    limit: {
      form: 'limit',
      meaning: `Groups to show, 1 to ${limitMax}: those with the most incomplete lines.`,
      example: String(limitDefault),
    },
  },
  headers: [],
  outcomes: {
    counted: { status: 200, when: 'The lines are counted, be there none.', body: Completeness, retry: 'never' },
  },
} as const satisfies Operation

export const listGaps = {
  name: 'listGaps',
  method: 'GET',
  path: '/traceability/gaps',
  cites: '21 CFR 1.1345(a); decision 0031',
  summary: 'Lists receiving events with incomplete lines, latest received first.',
  description: `What each event lacks, judged with the master data in force, and where to read its findings. After a change of master data the events it touches are judged again in the background, and \`recounting\` says so meanwhile. ${period}`,
  role: 'reader',
  topic,
  record: receivingEvent,
  query: {
    ...selection,
    rule: {
      form: 'text',
      meaning: 'Only events in which this rule found a gap.',
      example: 'product-line/lot-code',
    },
    ...paging,
  },
  headers: [],
  outcomes: {
    listed: { status: 200, when: 'The page is found, be it empty.', body: GapPage, retry: 'never' },
  },
} as const satisfies Operation
