// Differences between shipping and receiving events. Not shown in the contract; decided in 0081.
import type { Static } from 'typebox'
import { underWayDaysDefault } from '../../contract/arrivals.ts'
import { differenceKinds } from '../../contract/difference-kinds.ts'
import { type RecordKind, receivingEvent } from '../../contract/record-kinds.ts'
import { Type } from '../../contract/shape/type.ts'
import { DeliveryDifference } from '../../tracing/delivery-difference.ts'
import { nextCursor } from '../base/bodies.ts'
import { eventSelection } from '../base/event-selection.ts'
import type { Operation } from '../base/operation.ts'
import { limitDefault, limitMax, paging } from '../base/query.ts'

/** Most events, and most product lines of these, that are compared at once. */
export const comparedEventsMax = 100_000
export const comparedLinesMax = 250_000

/** Days of a period without dates, and of the longest one. */
export const periodDaysDefault = 31
export const periodDaysMax = 366

const underWayDaysMax = 90

/** Most groups of one answer. */
export const groupsMax = 200

export const differenceGroupings = ['dataProviderVendorId', 'shipToLocationCode', 'date'] as const

const countsByKind = Type.Object(
  Object.fromEntries(differenceKinds.map((kind) => [kind, Type.Integer()])) as Record<
    (typeof differenceKinds)[number],
    ReturnType<typeof Type.Integer>
  >,
  {
    title: 'DifferenceCounts',
    additionalProperties: false,
    description: 'Differences by kind, whichever `kind` is asked for.',
  },
)
export type DifferenceCounts = Static<typeof countsByKind>

const Compared = Type.Object(
  {
    events: Type.Integer({ description: 'Events of the period that were compared.' }),
    lines: Type.Integer({ description: 'Their product lines.' }),
  },
  { title: 'ComparedEvents', additionalProperties: false },
)

const DifferenceGroup = Type.Object(
  {
    key: Type.String({ description: 'Vendor, location code or date.' }),
    label: Type.Union([Type.String(), Type.Null()], {
      description: 'Name of the vendor in one of its events; null where it has none, and of other groups.',
    }),
    differences: Type.Integer(),
    kinds: countsByKind,
  },
  { title: 'DifferenceGroup', additionalProperties: false },
)

export const DifferencePage = Type.Object(
  {
    eventStartDate: Type.String({ description: 'First date shipped or received.' }),
    eventEndDate: Type.String({ description: 'Last date.' }),
    underWayDays: Type.Integer({ description: 'Days that goods may be under way.' }),
    shipped: Compared,
    received: Compared,
    underWayLines: Type.Integer({
      description: 'Shipped lines that are not received yet and may still be under way.',
    }),
    notCompared: Type.Object(
      {
        shippedEvents: Type.Integer({
          description: 'Shipping events of vendors and to places from and at which nothing was ever received.',
        }),
        receivedEvents: Type.Integer({ description: 'Receiving events of vendors without any shipping event.' }),
      },
      { title: 'NotCompared', additionalProperties: false, description: 'Events that have nothing to compare with.' },
    ),
    differences: Type.Integer({ description: 'Number of differences, of all kinds.' }),
    kinds: countsByKind,
    by: Type.Enum([...differenceGroupings]),
    groups: Type.Array(DifferenceGroup, {
      maxItems: groupsMax,
      description: 'Of the kind asked for. Those with the most differences first; of dates, the latest first.',
    }),
    groupCount: Type.Integer({ description: `Number of all groups; at most ${groupsMax} are listed.` }),
    content: Type.Array(DeliveryDifference, { description: 'The latest first.' }),
    nextCursor,
  },
  { title: 'DifferencePage', additionalProperties: false },
)
export type DifferencePage = Static<typeof DifferencePage>

export const listDifferences = {
  name: 'listDifferences',
  method: 'GET',
  path: '/traceability/differences',
  cites: '21 CFR 1.1340, 1.1345; decision 0081',
  summary: 'Compares what was shipped with what was received.',
  description:
    'Pairs shipping and receiving events by bill of lading, ship notice, pallet, purchase order and goods, adds up quantities of each item and lot, and lists everything in which the two do not agree, each with the records and lines it is in. ' +
    'Voided events do not count. A shipment is `notReceived` only when the days that it may be under way are over. Events shortly before and after the period are read too, so that a delivery across its ends is whole; a difference belongs to the date shipped, or received where nothing was shipped. ' +
    `Without dates the period is the ${periodDaysDefault} days up to the newest event that is not in the future; it has at most ${periodDaysMax} days. At most ${comparedEventsMax.toLocaleString('en')} events with ${comparedLinesMax.toLocaleString('en')} product lines are compared at once.`,
  role: 'reader',
  topic: 'traceability',
  record: receivingEvent as RecordKind,
  query: {
    eventStartDate: {
      form: 'date',
      meaning: 'Only differences of this date or later: the date shipped, or received where nothing was shipped.',
      example: '2026-03-01',
    },
    eventEndDate: { form: 'date', meaning: 'Only differences of this date or earlier.', example: '2026-03-31' },
    dataProviderVendorId: eventSelection.dataProviderVendorId,
    shipToLocationCode: {
      ...eventSelection.shipToLocationCode,
      meaning: 'Only differences of what was shipped to this location or received at it.',
    },
    kind: {
      form: 'choice',
      meaning: 'Only differences of this kind.',
      example: 'notReceived',
      values: ['any', ...differenceKinds],
    },
    underWayDays: {
      form: 'limit',
      limits: { default: underWayDaysDefault, min: 0, max: underWayDaysMax },
      meaning: `Days that goods may be under way, 0 to ${underWayDaysMax}.`,
      example: String(underWayDaysDefault),
    },
    by: {
      form: 'choice',
      meaning: 'What the differences are counted by.',
      example: 'shipToLocationCode',
      values: [...differenceGroupings],
    },
    format: {
      form: 'choice',
      meaning: '`json`, page by page; or `csv`, a row for each difference, all of them.',
      example: 'csv',
      values: ['json', 'csv'],
    },
    limit: {
      form: 'limit',
      meaning: `Differences per page, 1 to ${limitMax}.`,
      example: String(limitDefault),
    },
    cursor: paging.cursor,
  },
  headers: [],
  recorded: 'savedFiles',
  outcomes: {
    tooMany: { status: 422, when: 'More events or lines match than can be compared at once.', retry: 'changed' },
    compared: {
      status: 200,
      when: 'The differences; there may be none.',
      body: DifferencePage,
      media: { 'text/csv': 'A header row, and a row for each difference. RFC 4180, UTF-8.' },
      retry: 'never',
    },
  },
} as const satisfies Operation
