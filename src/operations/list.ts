// List: the records of a provider, and the versions of one record. Not shown in the contract;
// decided in 0012, 0016.
import { location, masterProduct, type RecordKind, receivingEvent } from '../contract/record-kinds.ts'
import { recordPage, VersionPage } from './bodies.ts'
import type { Operation } from './operation.ts'
import { paging, type QueryParameter } from './query.ts'

const text = (meaning: string, example: string) => ({ form: 'text', meaning, example }) as const
const dateTime = (meaning: string) => ({ form: 'dateTime', meaning, example: '2026-03-04T00:00:00Z' }) as const

const dataProviderVendorId = text('Only records of this vendor.', 'V-1001')
const submitted = {
  submitStartDateTime: dateTime('Only records whose current version was submitted at this instant or later.'),
  submitEndDateTime: dateTime('Only records whose current version was submitted at this instant or earlier.'),
}

const list = <K extends RecordKind, Q extends Record<string, QueryParameter>>(record: K, name: string, filters: Q) =>
  ({
    name,
    method: 'GET',
    path: record.path,
    cites: '§1 {id}; decision 0016',
    summary: `Lists ${record.nouns}, newest first.`,
    description:
      'Filters match exactly and are combined with "and". Pages neither skip nor repeat a record while others are written.',
    role: 'reader',
    topic: record.nouns,
    record,
    query: { ...filters, ...submitted, ...paging },
    headers: [],
    outcomes: {
      listed: { status: 200, when: 'The page; it may be empty.', body: recordPage(record), retry: 'never' },
    },
  }) as const satisfies Operation

export const listReceivingEvents = list(receivingEvent, 'listReceivingEvents', {
  dataProviderVendorId,
  purchaseOrderNumber: text('Only events of this purchase order.', 'PO-88120'),
  asnNumber: text('Only events of this advance ship notice.', 'ASN-771203'),
  shipFromLocationCode: text('Only events shipped from this location.', 'GV-COOLER-1'),
  shipToLocationCode: text('Only events received at this location.', 'DC-07'),
  itemCode: text('Only events with a line of this vendor or purchaser item code.', 'ROM-24'),
  lotCode: text(
    'Only events with a line of this lot: its lot code, or any GS1 text that contains it, in whichever form `caseLotNumber` has it.',
    'GV26063-A',
  ),
  eventStartDateTime: dateTime('Only events received at this instant or later.'),
  eventEndDateTime: dateTime('Only events received at this instant or earlier.'),
})
export const listMasterProducts = list(masterProduct, 'listMasterProducts', {
  dataProviderVendorId,
  itemCode: text('Only products with this item code.', 'ROM-24'),
})
export const listLocations = list(location, 'listLocations', {
  dataProviderVendorId,
  locationCode: text('Only locations with this code.', 'DC-07'),
})

const listVersions = <K extends RecordKind>(record: K, name: string) =>
  ({
    name,
    method: 'GET',
    path: `${record.path}/{id}/versions`,
    cites: 'decision 0012',
    summary: `Lists the versions of a ${record.noun}, newest first.`,
    description: 'When, by which key and by which payload each version was submitted.',
    role: 'reader',
    topic: record.nouns,
    record,
    query: paging,
    headers: [],
    outcomes: {
      unknownRecord: { status: 404, when: 'The provider has no such record with this id.', retry: 'never' },
      listed: { status: 200, when: 'The record is found.', body: VersionPage, retry: 'never' },
    },
  }) as const satisfies Operation

export const listReceivingEventVersions = listVersions(receivingEvent, 'listReceivingEventVersions')
export const listMasterProductVersions = listVersions(masterProduct, 'listMasterProductVersions')
export const listLocationVersions = listVersions(location, 'listLocationVersions')
