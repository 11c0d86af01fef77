// List: the records of a provider, and the versions of one record. Not shown in the contract;
// decided in 0012, 0016, 0063.
import type { TSchema } from 'typebox'
import {
  type EventKind,
  type EventKindName,
  eventKinds,
  isDeliveryKind,
  isEventKind,
  ofEventKinds,
  placeFieldsOf,
  type RecordKind,
  recordKinds,
} from '../../contract/record-kinds.ts'
import { gapKeyExample } from '../../rules/key-data-elements.ts'
import { recordPage, VersionPage } from '../base/bodies.ts'
import type { Operation } from '../base/operation.ts'
import { paging, type QueryParameter } from '../base/query.ts'
import { ofKinds } from './of-kinds.ts'
import { voided } from './void.ts'

const text = (meaning: string, example: string) => ({ form: 'text', meaning, example, many: true }) as const
const boolean = (meaning: string) => ({ form: 'boolean', meaning, example: 'true' }) as const
const date = (meaning: string) => ({ form: 'date', meaning, example: '2026-03-04' }) as const
const dateTime = (meaning: string) => ({ form: 'dateTime', meaning, example: '2026-03-04T00:00:00Z' }) as const

const dataProviderVendorId = text('Only records of this vendor.', 'V-1001')
const submitted = {
  submitStartDateTime: dateTime('Only records whose current version was submitted at this instant or later.'),
  submitEndDateTime: dateTime('Only records whose current version was submitted at this instant or earlier.'),
}

/** The orders of a list of records; the first is the default. */
const sortedBy = (...by: readonly string[]) =>
  ({
    sort: {
      form: 'choice',
      meaning: 'What the list is sorted by; `created` when omitted.',
      values: ['created', ...by],
      example: by[0] ?? 'created',
    },
    direction: {
      form: 'choice',
      meaning: 'Largest or newest first, or the other way round. `descending` when omitted.',
      values: ['descending', 'ascending'],
      example: 'ascending',
    },
  }) as const

const total = {
  form: 'boolean',
  meaning: 'When `true`, the page also says how many records match, up to some 10,000. Ask for it on one page only.',
  example: 'true',
} as const

const judged = {
  form: 'choice',
  values: ['now'],
  meaning: 'With `now`, the page also counts the current findings of each of its records.',
  example: 'now',
} as const satisfies QueryParameter

const list = (record: RecordKind, name: string) =>
  ({
    name,
    method: 'GET',
    path: record.path,
    cites: '§1 {id}; decision 0016',
    summary: `Lists ${record.nouns}, newest first or sorted.`,
    description:
      'Filters match exactly and are combined with "and"; a filter that occurs several times matches any of its values. Pages neither skip nor repeat a record while others are written.',
    role: 'partner',
    topic: record.nouns,
    record,
    query: {
      ...recordLists[record.name].filters,
      ...(isEventKind(record.name) && { voided }),
      ...recordLists[record.name].sorting,
      total,
      judged,
      ...paging,
    },
    headers: [],
    outcomes: {
      listed: { status: 200, when: 'The page; it may be empty.', body: recordPage(record), retry: 'never' },
    },
  }) as const satisfies Operation

/** Filters of every kind of event. */
const eventFilters = {
  itemCode: text('Only events with a line of this vendor or purchaser item code.', 'ROM-24'),
  lotCode: text(
    'Only events with a line of this lot: its lot code, or any GS1 text that contains it, in whichever form `caseLotNumber` has it.',
    'GV26063-A',
  ),
  ftlCategory: text('Only events with a product of this category of the Food Traceability List.', 'leafy greens'),
  hasWarnings: boolean('Only events that were stored with a warning; with `false`, only those without.'),
} as const

const deliveryFilters = {
  purchaseOrderNumber: text('Only events of this purchase order.', 'PO-88120'),
  asnNumber: text('Only events of this advance ship notice.', 'ASN-771203'),
  billOfLadingNumber: text('Only events of this bill of lading.', 'BOL-55310'),
  shipFromLocationCode: text('Only events shipped from this location.', 'GV-COOLER-1'),
  shipToLocationCode: text('Only events shipped to this location.', 'DC-07'),
} as const

/** Filters by the locations of an event. */
const placeFilters = (kind: EventKind): RecordList['filters'] =>
  isDeliveryKind(kind.name)
    ? deliveryFilters
    : Object.fromEntries(
        placeFieldsOf(kind).map((field) => [field, text(`Only events with this location as ${field}.`, 'DC-07')]),
      )

interface RecordList {
  readonly filters: Readonly<Record<string, QueryParameter>>
  readonly sorting: ReturnType<typeof sortedBy>
  /** Filters whose values can be listed; the first is the default. */
  readonly valued: readonly string[]
}

/** Filters of one kind of event alone. */
const ownFilters: Partial<Record<EventKindName, RecordList['filters']>> = {
  receivingEvent: { shipToLocationCode: text('Only events received at this location.', 'DC-07') },
  shippingEvent: {
    isReceived: boolean(
      'Only shipments of which a receipt is stored: a receiving event of the same vendor, ship-to location and purchase order, or ship notice where there is no order, that names no other ship notice and is not older; with `false`, only those without.',
    ),
  },
}

function eventList(name: EventKindName): RecordList {
  const kind = eventKinds[name]
  const { happened, orders = [] } = kind
  return {
    filters: {
      dataProviderVendorId,
      ...placeFilters(kind),
      ...eventFilters,
      ...ownFilters[name],
      hasGaps: boolean('Only events in which a line is incomplete; with `false`, only complete ones.'),
      gapRule: text(
        name === 'receivingEvent'
          ? 'Only events in which this rule found a gap.'
          : 'Only events in which this rule found a gap: its id, and its paragraph of 21 CFR.',
        gapKeyExample(kind),
      ),
      eventStartDateTime: dateTime(`Only events ${happened} at this instant or later.`),
      eventEndDateTime: dateTime(`Only events ${happened} at this instant or earlier.`),
      eventStartDate: date(`Only events ${happened} on this date at their place, or later.`),
      eventEndDate: date(`Only events ${happened} on this date at their place, or earlier.`),
      ...submitted,
    },
    sorting: sortedBy('eventDateTime', 'dataProviderVendorId', ...placeFieldsOf(kind), ...orders),
    valued: ['dataProviderVendorId', ...placeFieldsOf(kind), 'itemCode', 'ftlCategory', 'gapRule'],
  }
}

/** What each list can be asked for. */
export const recordLists: Readonly<Record<RecordKind['name'], RecordList>> = {
  ...ofEventKinds(eventList),
  masterProduct: {
    filters: { dataProviderVendorId, itemCode: text('Only products with this item code.', 'ROM-24'), ...submitted },
    sorting: sortedBy('dataProviderVendorId', 'itemCode'),
    valued: ['dataProviderVendorId'],
  },
  location: {
    filters: {
      dataProviderVendorId,
      locationCode: text('Only locations with this code.', 'DC-07'),
      ...submitted,
    },
    sorting: sortedBy('dataProviderVendorId', 'locationCode'),
    valued: ['dataProviderVendorId'],
  },
}

const listVersions = (record: RecordKind, name: string) =>
  ({
    name,
    method: 'GET',
    path: `${record.path}/{id}/versions`,
    cites: 'decision 0012',
    summary: `Lists the versions of a ${record.noun}, newest first.`,
    description: 'When, by which key and by which payload each version was submitted.',
    role: 'partner',
    topic: record.nouns,
    record,
    query: paging,
    headers: [],
    outcomes: {
      unknownRecord: { status: 404, when: 'The provider has no such record with this id.', retry: 'never' },
      listed: { status: 200, when: 'The record is found.', body: VersionPage as TSchema, retry: 'never' },
    },
  }) as const satisfies Operation

export const listOperations = ofKinds(recordKinds, ['list', 's'], list)
export const listVersionsOperations = ofKinds(recordKinds, ['list', 'Versions'], listVersions)
