// The kinds of record, and their differences. Operations, store and docs are derived from this
// list.
import type { TObject } from 'typebox'
import { coolingEvent } from './events/cooling-event.ts'
import { firstLandBasedReceivingEvent } from './events/first-land-based-receiving-event.ts'
import { harvestingEvent } from './events/harvesting-event.ts'
import { initialPackingEvent } from './events/initial-packing-event.ts'
import { transformationEvent } from './events/transformation-event.ts'
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
import type { Shape } from './shape/field.ts'

/** Events of goods on their way between two locations: the contract's, and its other end. */
export type DeliveryKindName = 'receivingEvent' | 'shippingEvent'
export type EventKindName =
  | DeliveryKindName
  | 'harvestingEvent'
  | 'coolingEvent'
  | 'initialPackingEvent'
  | 'firstLandBasedReceivingEvent'
  | 'transformationEvent'
export type RecordKindName = EventKindName | 'masterProduct' | 'location'

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

/** What an event does with the goods of a list of lines, and whether they have lot codes yet. */
export interface LineList {
  readonly lots: 'moved' | 'made' | 'used' | 'none'
  /** False of lines that are no goods of the event and name no item, such as seeds. */
  readonly hasItems?: boolean
  /** Dates of a line, in each order in which they come; all of them come before the event. */
  readonly dates?: readonly (readonly string[])[]
  /** Events without lot codes that a line names by their place and date (decision 0091). */
  readonly references?: readonly EventReference[]
}

/** Fields of a line with the place and date of an event, and with what tells its lines apart. */
export interface EventReference {
  readonly kind: EventKindName
  readonly place: string
  readonly date: string
  /** Of the lines of both events, the first that is given. */
  readonly areas: readonly string[]
}

/** On what it depends whether a line must state an element. */
interface ElementCondition {
  /** Only where one of these fields is stated. */
  readonly where?: readonly string[]
  /** Not where this field is stated, with which another paragraph applies. */
  readonly unless?: string
}

/**
 * A key data element of a kind of event: the rules that report it missing are made of it. `list` is
 * the list whose lines have it.
 */
export type KeyDataElement = { readonly cites: string } & (
  | ({
      readonly is: 'location'
      /** Of the event, or of the lines of a list. */
      readonly list?: string
      readonly field: string
      /** In words, of a field that a line must state. Others are described where it states them. */
      readonly name?: string
    } & ElementCondition)
  | { readonly is: 'date' }
  | { readonly is: 'document' }
  | { readonly is: 'lotCode'; readonly list: string }
  | { readonly is: 'quantity'; readonly list: string }
  | { readonly is: 'product'; readonly list: string }
  /** Commodity and variety, of food that is not packed yet. */
  | { readonly is: 'commodity'; readonly list: string }
  /** Lines about the seeds of sprouts that the event makes. */
  | { readonly is: 'seeds'; readonly list: string; readonly unless: string }
  | ({
      readonly is: 'value'
      readonly list?: string
      /** One of them is enough; findings name the first. */
      readonly fields: readonly [string, ...string[]]
      /** In words: "the name of the growing area". */
      readonly name: string
      /** The food that has it; all food when absent. */
      readonly food?: 'produce' | 'seafood'
    } & ElementCondition)
)

/** A kind of event: what happens to goods at a place. */
export interface EventKind extends RecordKind {
  readonly name: EventKindName
  readonly subject: 'eventList'
  /** Field of the location where it happens, whose time zone has its date, and of the other end. */
  readonly place: string
  readonly counterpart?: string
  /** Fields of other locations. */
  readonly furtherPlaces?: readonly string[]
  /** Its own dates before the event, each series in the order in which they come. */
  readonly dates?: readonly (readonly string[])[]
  /** Its lists of lines, by field. */
  readonly lists: Readonly<Record<string, LineList>>
  /** Fields that tell apart events of one place and moment. */
  readonly identity: readonly string[]
  /** What two payloads of one event have alike, in words. */
  readonly alike: string
  /** One event among the others, in words. */
  readonly identityText?: (event: {
    readonly eventDateTime: string
    readonly dataProviderVendorId: string
    readonly place: string
    readonly counterpart: string
  }) => string
  /** What happened to the goods, as in `date received`. */
  readonly happened: string
  /** Names that people give a sheet of them, beside its nouns. */
  readonly sheetNames: readonly string[]
  /** Fields by which people name it, the first that it has. */
  readonly namedBy: readonly string[]
  /** Fields that each has, by which lists are sorted beside those of every event. */
  readonly orders?: readonly string[]
  /** The key data elements of a kind whose rules are made of them. */
  readonly elements?: readonly KeyDataElement[]
  /** True if partners may see it. */
  readonly isShared?: boolean
  /** What an EPCIS event of it says. */
  readonly epcis: EpcisForm
}

/** Type, business step and disposition of EPCIS events; a TransformationEvent has no action. */
type EpcisForm = { readonly bizStep: string; readonly disposition: string } & (
  | { readonly type: 'ObjectEvent'; readonly action: 'ADD' | 'OBSERVE' }
  | { readonly type: 'TransformationEvent' }
)

/** A kind of event of goods on their way between two locations. */
export interface DeliveryKind extends EventKind {
  readonly name: DeliveryKindName
  readonly place: DeliveryPlace
  readonly counterpart: DeliveryPlace
  /** Paragraph of the rule that names its key data elements. */
  readonly paragraph: string
}

type DeliveryPlace = 'shipFromLocationCode' | 'shipToLocationCode'

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
  lists: { productList: { lots: 'moved' } },
  // Section 2.4, rule 2.
  identity: ['dataProviderVendorId'],
  alike: 'vendor, ship-to location and event date time',
  identityText: ({ eventDateTime, dataProviderVendorId, place }) =>
    `event date time ${eventDateTime} of vendor ${dataProviderVendorId} at ship-to location ${place}`,
  paragraph: '21 CFR 1.1345(a)',
  happened: 'received',
  sheetNames: ['receiving', 'received', 'receipts'],
  namedBy: ['purchaseOrderNumber'],
  orders: ['purchaseOrderNumber'],
  epcis: { type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'receiving', disposition: 'in_progress' },
  isShared: true,
} as const satisfies DeliveryKind

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
  lists: { productList: { lots: 'moved' } },
  identity: ['dataProviderVendorId', 'shipToLocationCode', 'purchaseOrderNumber', 'asnNumber', 'billOfLadingNumber'],
  alike: 'vendor, ship-from and ship-to location, event date time and reference documents',
  identityText: ({ eventDateTime, dataProviderVendorId, place, counterpart }) =>
    `event date time ${eventDateTime} of vendor ${dataProviderVendorId} from ${place} to ${counterpart} with the same reference documents`,
  paragraph: '21 CFR 1.1340(a)',
  happened: 'shipped',
  sheetNames: ['shipping', 'shipped', 'shipments'],
  namedBy: ['asnNumber', 'billOfLadingNumber', 'purchaseOrderNumber'],
  orders: [],
  epcis: { type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'shipping', disposition: 'in_transit' },
  isShared: false,
} as const satisfies DeliveryKind

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

/** The kinds of events, the contract's first. */
export const eventKinds: Readonly<Record<EventKindName, EventKind>> = {
  receivingEvent,
  shippingEvent,
  harvestingEvent,
  coolingEvent,
  initialPackingEvent,
  firstLandBasedReceivingEvent,
  transformationEvent,
}
export const eventKindList = Object.values(eventKinds)
export const eventKindNames = Object.keys(eventKinds) as readonly EventKindName[]

export const deliveryKinds = { receivingEvent, shippingEvent } as const satisfies Readonly<
  Record<DeliveryKindName, DeliveryKind>
>
export const deliveryKindList = Object.values(deliveryKinds)
export const deliveryKindNames = Object.keys(deliveryKinds) as readonly DeliveryKindName[]

export const recordKinds: readonly [RecordKind, ...RecordKind[]] = [
  receivingEvent,
  ...eventKindList.filter(({ name }) => name !== receivingEvent.name),
  masterProduct,
  location,
]

/** The name of a kind in addresses and names of files: `receiving-events`. */
export const slugOf = ({ nouns }: Pick<RecordKind, 'nouns'>): string => nouns.replaceAll(' ', '-')

/** The declared shape of the event in its payload. */
export const eventShapeOf = ({ payload, subject }: Pick<EventKind, 'payload' | 'subject'>): Shape =>
  (payload as object as Shape).properties?.[subject] ?? {}

/** One value for each kind of event. */
export const ofEventKinds = <T>(read: (kind: EventKindName) => T): Readonly<Record<EventKindName, T>> =>
  Object.fromEntries(eventKindNames.map((kind) => [kind, read(kind)])) as Record<EventKindName, T>

export const isEventKind = (name: RecordKindName): name is EventKindName => Object.hasOwn(eventKinds, name)
export const isDeliveryKind = (name: RecordKindName): name is DeliveryKindName => Object.hasOwn(deliveryKinds, name)

/** The lines of all lists of an event that name items. */
export function linesOf<Line>(
  event: Readonly<Record<string, unknown>>,
  { lists }: Pick<EventKind, 'lists'>,
): readonly Line[] {
  const [name = '', ...more] = Object.keys(lists)
  const linesIn = (list: string) => (event[list] ?? []) as readonly Line[]
  return more.length === 0
    ? linesIn(name)
    : [name, ...more].filter((list) => lists[list]?.hasItems !== false).flatMap(linesIn)
}

/** Fields of the locations of an event, in the way of the goods. */
export function placeFieldsOf({ place, counterpart }: Pick<EventKind, 'place' | 'counterpart'>): readonly string[] {
  if (counterpart === undefined) return [place]
  return counterpart === 'shipFromLocationCode' ? [counterpart, place] : [place, counterpart]
}

/** The same, and its other locations. */
export const allPlaceFieldsOf = (kind: EventKind): readonly string[] => [
  ...(kind.furtherPlaces ?? []),
  ...placeFieldsOf(kind),
]

/** Locations that the lines of a list name. */
export const linePlacesOf = (
  kind: EventKind | undefined,
): readonly { readonly list: string; readonly field: string }[] =>
  elementsOf(kind, 'location').flatMap(({ list, field }) => (list === undefined ? [] : [{ list, field }]))

/** The location by which exports choose events: where goods go, else where the event happens. */
export const filteredPlaceOf = (kind: EventKind): string =>
  placeFieldsOf(kind).find((field) => field === 'shipToLocationCode') ?? kind.place

/** `shipToLocationCode` as `shipTo`: how sheets name what they say of a location. */
export const placePartOf = (field: string): string => field.replace(/LocationCode$/, '')

/** The key data elements of a kind that are of one type; none of a kind with rules of its own. */
export const elementsOf = <Is extends KeyDataElement['is']>(kind: EventKind | undefined, is: Is) =>
  (kind?.elements ?? []).filter((one): one is Extract<KeyDataElement, { readonly is: Is }> => one.is === is)

/** Kinds whose records partners may see. No grant opens other events (decision 0080). */
export type SharedKindName =
  | Exclude<RecordKindName, EventKindName>
  | {
      [Name in DeliveryKindName]: (typeof deliveryKinds)[Name]['isShared'] extends true ? Name : never
    }[DeliveryKindName]
export const isSharedKind = (kind: RecordKindName): kind is SharedKindName =>
  !isEventKind(kind) || eventKinds[kind].isShared === true

/**
 * The kind whose payload this is, by the field that holds the record. The payload of an event also
 * holds products and locations. Deliveries of both kinds look alike, so a shipping event is
 * `stated`; another event has a location that only its kind has.
 */
export function recordKindOf(payload: object, stated?: RecordKind): RecordKind | undefined {
  if (stated !== undefined && stated.subject in payload) return stated
  const found = recordKinds.find(({ subject }) => subject in payload)
  if (found?.subject !== receivingEvent.subject) return found
  const { eventList: held } = payload as { readonly eventList?: unknown }
  const event: unknown = Array.isArray(held) ? held[0] : held
  if (typeof event !== 'object' || event === null) return found
  return eventKindList.findLast(({ elements, place }) => elements !== undefined && place in event) ?? found
}
