// List: the records of a provider, and the versions of one record. Not shown in the contract;
// decided in 0012, 0016, 0063.
import type { TSchema } from 'typebox'
import { location, masterProduct, type RecordKind, receivingEvent, shippingEvent } from '../../contract/record-kinds.ts'
import { recordPage, VersionPage } from '../base/bodies.ts'
import type { Operation } from '../base/operation.ts'
import { paging, type QueryParameter } from '../base/query.ts'
import { voided } from './void.ts'

const text = (meaning: string, example: string) => ({ form: 'text', meaning, example, many: true }) as const
const boolean = (meaning: string) => ({ form: 'boolean', meaning, example: 'true' }) as const
const dateTime = (meaning: string) => ({ form: 'dateTime', meaning, example: '2026-03-04T00:00:00Z' }) as const

const dataProviderVendorId = text('Only records of this vendor.', 'V-1001')
const submitted = {
  submitStartDateTime: dateTime('Only records whose current version was submitted at this instant or later.'),
  submitEndDateTime: dateTime('Only records whose current version was submitted at this instant or earlier.'),
}

/** The orders of a list of records; the first is the default. */
const sortedBy = <const By extends string>(...by: readonly By[]) =>
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

const list = <
  K extends RecordKind,
  Q extends Record<string, QueryParameter>,
  S extends Record<'sort' | 'direction', QueryParameter>,
>(
  record: K,
  name: string,
  filters: Q,
  sorting: S,
) =>
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
    record: record as RecordKind,
    query: { ...filters, ...sorting, total, ...paging },
    headers: [],
    outcomes: {
      listed: { status: 200, when: 'The page; it may be empty.', body: recordPage(record), retry: 'never' },
    },
  }) as const satisfies Operation

/** Filters that lists of receiving and of shipping events share. */
const eventFilters = {
  dataProviderVendorId,
  purchaseOrderNumber: text('Only events of this purchase order.', 'PO-88120'),
  asnNumber: text('Only events of this advance ship notice.', 'ASN-771203'),
  shipFromLocationCode: text('Only events shipped from this location.', 'GV-COOLER-1'),
  shipToLocationCode: text('Only events shipped to this location.', 'DC-07'),
  itemCode: text('Only events with a line of this vendor or purchaser item code.', 'ROM-24'),
  lotCode: text(
    'Only events with a line of this lot: its lot code, or any GS1 text that contains it, in whichever form `caseLotNumber` has it.',
    'GV26063-A',
  ),
  ftlCategory: text('Only events with a product of this category of the Food Traceability List.', 'leafy greens'),
  hasWarnings: boolean('Only events that were stored with a warning; with `false`, only those without.'),
} as const

/** Filters of each list, and its orders. */
export const recordLists = {
  receivingEvent: {
    filters: {
      ...eventFilters,
      shipToLocationCode: text('Only events received at this location.', 'DC-07'),
      hasGaps: boolean('Only events in which a line is incomplete; with `false`, only complete ones.'),
      gapRule: text('Only events in which this rule found a gap.', 'product-line/lot-code'),
      eventStartDateTime: dateTime('Only events received at this instant or later.'),
      eventEndDateTime: dateTime('Only events received at this instant or earlier.'),
      ...submitted,
    },
    sorting: sortedBy(
      'eventDateTime',
      'dataProviderVendorId',
      'shipFromLocationCode',
      'shipToLocationCode',
      'purchaseOrderNumber',
    ),
  },
  shippingEvent: {
    filters: {
      ...eventFilters,
      isReceived: boolean(
        'Only shipments of which a receipt is stored: a receiving event of the same vendor, ship-to location and purchase order, or ship notice where there is no order, that names no other ship notice and is not older; with `false`, only those without.',
      ),
      eventStartDateTime: dateTime('Only events shipped at this instant or later.'),
      eventEndDateTime: dateTime('Only events shipped at this instant or earlier.'),
      ...submitted,
    },
    sorting: sortedBy('eventDateTime', 'dataProviderVendorId', 'shipFromLocationCode', 'shipToLocationCode'),
  },
  masterProduct: {
    filters: { dataProviderVendorId, itemCode: text('Only products with this item code.', 'ROM-24'), ...submitted },
    sorting: sortedBy('dataProviderVendorId', 'itemCode'),
  },
  location: {
    filters: {
      dataProviderVendorId,
      locationCode: text('Only locations with this code.', 'DC-07'),
      ...submitted,
    },
    sorting: sortedBy('dataProviderVendorId', 'locationCode'),
  },
} as const

const {
  receivingEvent: ofEvents,
  shippingEvent: ofShipped,
  masterProduct: ofProducts,
  location: ofLocations,
} = recordLists
export const listReceivingEvents = list(
  receivingEvent,
  'listReceivingEvents',
  { ...ofEvents.filters, voided },
  ofEvents.sorting,
)
const listShippingEvents = list(
  shippingEvent,
  'listShippingEvents',
  { ...ofShipped.filters, voided },
  ofShipped.sorting,
)
const listMasterProducts = list(masterProduct, 'listMasterProducts', ofProducts.filters, ofProducts.sorting)
const listLocations = list(location, 'listLocations', ofLocations.filters, ofLocations.sorting)

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

const listReceivingEventVersions = listVersions(receivingEvent, 'listReceivingEventVersions')
const listShippingEventVersions = listVersions(shippingEvent, 'listShippingEventVersions')
const listMasterProductVersions = listVersions(masterProduct, 'listMasterProductVersions')
const listLocationVersions = listVersions(location, 'listLocationVersions')

export const listOperations = { listReceivingEvents, listShippingEvents, listMasterProducts, listLocations }
export const listVersionsOperations = {
  listReceivingEventVersions,
  listShippingEventVersions,
  listMasterProductVersions,
  listLocationVersions,
}
