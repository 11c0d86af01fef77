// The four kinds of record, and their differences. Operations, store and docs are derived from this
// list.
import type { TObject } from 'typebox'
import {
  MasterLocationPayload,
  MasterLocationsPayload,
  MasterProductPayload,
  MasterProductsPayload,
  ReceivingEventPayload,
  ReceivingEventsPayload,
  recordOf,
  replacementOf,
  ShippingEventPayload,
  ShippingEventsPayload,
} from './payloads.ts'

export type RecordKindName = 'receivingEvent' | 'shippingEvent' | 'masterProduct' | 'location'

export interface RecordKind {
  readonly name: RecordKindName
  /** Singular and plural, for sentences. */
  readonly noun: string
  readonly nouns: string
  /** Collection path; a record is at `${path}/{id}`. */
  readonly path: string
  /** The payload field that holds the record itself: one object, or a list of them on create. */
  readonly subject: 'eventList' | 'productMasterDataList' | 'locationMasterList'
  readonly payload: TObject
  readonly createPayload: TObject
  readonly replacement: TObject
  /** Shape of a record as reads return it. */
  readonly record: TObject
  /** Section of the contract that describes the endpoint, and the sources of its writes. */
  readonly section: string
  readonly cites: { readonly create: string; readonly replace: string }
  /** The key that only one record can have, in words; undefined of a kind without one. */
  readonly key?: string
  /** File in `examples/` that holds a payload of this kind. */
  readonly sample: string
}

/** A kind of event: what happens to goods at a place. */
export interface EventKind extends RecordKind {
  readonly name: EventKindName
  readonly subject: 'eventList'
  /** Field of the location where it happens, whose time zone has its date, and of the other end. */
  readonly place: 'shipFromLocationCode' | 'shipToLocationCode'
  readonly counterpart: 'shipFromLocationCode' | 'shipToLocationCode'
  /** Fields that tell apart events of one place and moment. */
  readonly identity: readonly string[]
  /** What two payloads of one event have alike, in words. */
  readonly alike: string
  /** One event among the others, in words. */
  readonly identityText: (event: {
    readonly eventDateTime: string
    readonly dataProviderVendorId: string
    readonly place: string
    readonly counterpart: string
  }) => string
  /** Paragraph of the rule that names its key data elements. */
  readonly paragraph: string
  /** What happened to the goods, as in `date received`. */
  readonly happened: string
  /** Names that people give a sheet of them, beside its nouns. */
  readonly sheetNames: readonly string[]
  /** How names of files with its rows begin, and of those with voided ones. */
  readonly files: { readonly rows: string; readonly voided: string }
  /** Fields by which people name it, the first that it has. */
  readonly namedBy: readonly string[]
  /** Fields that each has, by which lists are sorted beside those of every event. */
  readonly orders: readonly string[]
  /** What an EPCIS event of it says. */
  readonly epcis: { readonly bizStep: string; readonly disposition: string }
  /** True if the completeness of its lines is counted, and again when master data changes. */
  readonly isCounted: boolean
  /** True if partners may see it. */
  readonly isShared: boolean
}

export const receivingEvent = {
  name: 'receivingEvent',
  noun: 'receiving event',
  nouns: 'receiving events',
  path: '/data-provider/events/receiving',
  subject: 'eventList',
  payload: ReceivingEventPayload,
  createPayload: ReceivingEventsPayload,
  replacement: replacementOf('ReceivingEventReplacement', ReceivingEventPayload),
  record: recordOf('ReceivingEventRecord', ReceivingEventPayload),
  section: '4.1',
  cites: { create: '§1 {id}, §4.1; decision 0015', replace: '§1, §4.1' },
  key: 'the event date time, for the same vendor and ship-to location',
  sample: 'receiving-event.json',
  place: 'shipToLocationCode',
  counterpart: 'shipFromLocationCode',
  // Section 2.4, rule 2.
  identity: ['dataProviderVendorId'],
  alike: 'vendor, ship-to location and event date time',
  identityText: ({ eventDateTime, dataProviderVendorId, place }) =>
    `event date time ${eventDateTime} of vendor ${dataProviderVendorId} at ship-to location ${place}`,
  paragraph: '21 CFR 1.1345(a)',
  happened: 'received',
  sheetNames: ['receiving', 'received', 'receipts'],
  files: { rows: 'fda-receiving', voided: 'fda-voided' },
  namedBy: ['purchaseOrderNumber'],
  orders: ['purchaseOrderNumber'],
  epcis: { bizStep: 'receiving', disposition: 'in_progress' },
  isCounted: true,
  isShared: true,
} as const satisfies EventKind

/** Beyond the contract (decision 0080). */
export const shippingEvent = {
  name: 'shippingEvent',
  noun: 'shipping event',
  nouns: 'shipping events',
  path: '/data-provider/events/shipping',
  subject: 'eventList',
  payload: ShippingEventPayload,
  createPayload: ShippingEventsPayload,
  replacement: replacementOf('ShippingEventReplacement', ShippingEventPayload),
  record: recordOf('ShippingEventRecord', ShippingEventPayload),
  section: '2.4',
  cites: { create: '21 CFR 1.1340(a); decision 0080', replace: '21 CFR 1.1340(a); decision 0080' },
  key: 'the vendor, places, event date time and reference documents of the event',
  sample: 'shipping-event.json',
  place: 'shipFromLocationCode',
  counterpart: 'shipToLocationCode',
  identity: ['dataProviderVendorId', 'shipToLocationCode', 'purchaseOrderNumber', 'asnNumber', 'billOfLadingNumber'],
  alike: 'vendor, ship-from and ship-to location, event date time and reference documents',
  identityText: ({ eventDateTime, dataProviderVendorId, place, counterpart }) =>
    `event date time ${eventDateTime} of vendor ${dataProviderVendorId} from ${place} to ${counterpart} with the same reference documents`,
  paragraph: '21 CFR 1.1340(a)',
  happened: 'shipped',
  sheetNames: ['shipping', 'shipped', 'shipments'],
  files: { rows: 'fda-shipping', voided: 'fda-voided-shipping' },
  namedBy: ['asnNumber', 'billOfLadingNumber', 'purchaseOrderNumber'],
  orders: [],
  epcis: { bizStep: 'shipping', disposition: 'in_transit' },
  isCounted: false,
  isShared: false,
} as const satisfies EventKind

export const masterProduct = {
  name: 'masterProduct',
  noun: 'master product',
  nouns: 'master products',
  path: '/data-provider/products',
  subject: 'productMasterDataList',
  payload: MasterProductPayload,
  createPayload: MasterProductsPayload,
  replacement: replacementOf('MasterProductReplacement', MasterProductPayload),
  record: recordOf('MasterProductRecord', MasterProductPayload),
  section: '4.2',
  cites: { create: '§1 {id}, §4.2; decision 0015', replace: '§1, §4.2' },
  sample: 'master-product.json',
} as const satisfies RecordKind

export const location = {
  name: 'location',
  noun: 'location',
  nouns: 'locations',
  path: '/data-provider/locations',
  subject: 'locationMasterList',
  payload: MasterLocationPayload,
  createPayload: MasterLocationsPayload,
  replacement: replacementOf('MasterLocationReplacement', MasterLocationPayload),
  record: recordOf('MasterLocationRecord', MasterLocationPayload),
  section: '2.3',
  cites: {
    create: '§2.3 identification rule; decision 0010',
    replace: '§2.3 identification rule; decision 0010',
  },
  key: 'the location code of the vendor',
  sample: 'location.json',
} as const satisfies RecordKind

export const recordKinds = [receivingEvent, shippingEvent, masterProduct, location] as const

/** The name of a kind in addresses and names of files: `receiving-events`. */
export const slugOf = ({ nouns }: Pick<RecordKind, 'nouns'>): string => nouns.replaceAll(' ', '-')

/** The kinds that are events of goods on their way. */
export type EventKindName = 'receivingEvent' | 'shippingEvent'
export const eventKinds = { receivingEvent, shippingEvent } as const satisfies Readonly<
  Record<EventKindName, EventKind>
>
export const eventKindList = Object.values(eventKinds)
export const eventKindNames = Object.keys(eventKinds) as readonly EventKindName[]

/** One value for each kind of event. */
export const ofEventKinds = <T>(read: (kind: EventKindName) => T): Readonly<Record<EventKindName, T>> =>
  Object.fromEntries(eventKindNames.map((kind) => [kind, read(kind)])) as Record<EventKindName, T>

export const isEventKind = (name: RecordKindName): name is EventKindName => Object.hasOwn(eventKinds, name)

/** Kinds whose records partners may see. No grant opens shipping events (decision 0080). */
export type SharedKindName =
  | Exclude<RecordKindName, EventKindName>
  | { [Name in EventKindName]: (typeof eventKinds)[Name]['isShared'] extends true ? Name : never }[EventKindName]
export const isSharedKind = (kind: RecordKindName): kind is SharedKindName =>
  !isEventKind(kind) || eventKinds[kind].isShared

/**
 * The kind whose payload this is, by the field that holds the record. The payload of an event also
 * holds products and locations; those of both kinds of events look alike, so a shipping event is
 * `stated`.
 */
export const recordKindOf = (payload: object, stated?: RecordKind): RecordKind | undefined =>
  stated !== undefined && stated.subject in payload ? stated : recordKinds.find(({ subject }) => subject in payload)
