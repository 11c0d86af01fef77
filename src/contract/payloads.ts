// The payloads that create or replace a record. Source: §4.1, §4.2; create forms by decision 0015.
import type { Static, TObject, TOptional, TProperties, TString } from 'typebox'
import { declareLimit } from '../limits.ts'
import { Location, MasterLocation, masterLocationSays } from './location.ts'
import { masterDataEnvelope, payloadEnvelope } from './payload-envelope.ts'
import { MasterProduct, masterProductSays, Product } from './product.ts'
import { ReceivingEvent, receivingEventSays } from './receiving-event.ts'
import { type FieldSays, list, object, oneOrMany, optional } from './shape/field.ts'
import { Type } from './shape/type.ts'
import { ShippingEvent, shippingEventSays } from './shipping-event.ts'

/** Most entries of one list in one payload (decision 0019). */
const productsMax = declareLimit('products', 5_000, 'products', 'Products in a list.')
const locationsMax = declareLimit('locations', 1_000, 'locations', 'Locations in a list.')
const recordsPerCreateMax = declareLimit('recordsOfCreate', 1_000, 'records', 'Records in one create.')

const eventLists = {
  productMasterDataList: list(
    Product,
    {
      meaning:
        'Product data the event refers to by item code. May be empty when the items are set up as master products.',
      example: [{ itemCode: 'ROM-24', itemDescription: 'Romaine hearts 24 ct' }],
      section: '4.1',
      synonyms: ['products', 'productList', 'productMasterData', 'items'],
      tooMany: 'Create master products, and leave those out of the list: items are looked up there as well.',
    },
    { maxItems: productsMax },
  ),
  locationMasterList: locationList(
    'Locations the event refers to by location code: at least the ship-from and the ship-to location.',
    2,
  ),
}

function locationList(meaning: string, minItems: number) {
  return list(
    Location,
    {
      meaning,
      example: [
        { locationCode: 'GV-COOLER-1', locationName: 'Green Valley Cooler', gln: '0614141000012' },
        { locationCode: 'DC-07', locationName: 'Distribution Center 7', gln: '0614141000029' },
      ],
      section: '2.3',
      synonyms: ['locations', 'locationList', 'locationMasterData'],
      tooMany: 'Leave out locations that no event of the payload refers to.',
    },
    { minItems, maxItems: locationsMax },
  )
}

export const ReceivingEventPayload = object('ReceivingEventPayload', {
  ...payloadEnvelope,
  ...eventLists,
  eventList: ReceivingEvent,
})
export type ReceivingEventPayload = Static<typeof ReceivingEventPayload>

export const ReceivingEventsPayload = object('ReceivingEventsPayload', {
  ...payloadEnvelope,
  ...eventLists,
  eventList: oneOrMany(ReceivingEvent, recordsPerCreateMax, receivingEventSays),
})

export const ShippingEventPayload = object('ShippingEventPayload', {
  ...payloadEnvelope,
  ...eventLists,
  eventList: ShippingEvent,
})
export type ShippingEventPayload = Static<typeof ShippingEventPayload>

/** Of an event of goods on their way between two locations. */
export type EventPayload = ReceivingEventPayload | ShippingEventPayload

/** Of an event of any kind. */
export interface AnyEventPayload {
  readonly productMasterDataList: readonly Product[]
  readonly locationMasterList: readonly Location[]
  readonly eventList: Readonly<Record<string, unknown>> & {
    readonly dataProviderVendorId: string
    readonly eventDateTime: string
  }
}

export const ShippingEventsPayload = object('ShippingEventsPayload', {
  ...payloadEnvelope,
  ...eventLists,
  eventList: oneOrMany(ShippingEvent, recordsPerCreateMax, shippingEventSays),
})

export const MasterProductPayload = object('MasterProductPayload', {
  ...masterDataEnvelope,
  productMasterDataList: MasterProduct,
})
export type MasterProductPayload = Static<typeof MasterProductPayload>

export const MasterProductsPayload = object('MasterProductsPayload', {
  ...masterDataEnvelope,
  productMasterDataList: oneOrMany(MasterProduct, recordsPerCreateMax, masterProductSays),
})

export const MasterLocationPayload = object('MasterLocationPayload', {
  ...masterDataEnvelope,
  locationMasterList: MasterLocation,
})
export type MasterLocationPayload = Static<typeof MasterLocationPayload>

export const MasterLocationsPayload = object('MasterLocationsPayload', {
  ...masterDataEnvelope,
  locationMasterList: oneOrMany(MasterLocation, recordsPerCreateMax, masterLocationSays),
})

/** Id of a stored record: a UUID. Source: §2, §4 `request_ids`. */
export const RecordId = Type.String({
  format: 'uuid',
  description: 'Id of the stored record.',
  examples: ['019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f'],
})

/**
 * A record as reads return it: its id, and the payload it was last replaced with, field for field.
 */
export const recordOf = <P extends TProperties>(name: string, payload: TObject<P>): TObject<{ id: TString } & P> =>
  Type.Object({ id: RecordId, ...payload.properties } as { id: TString } & P, { title: name })

/**
 * A replacement may carry the record's own id, so that the body of a read can be edited and sent
 * back (decision 0004).
 */
export const replacementOf = <P extends TProperties>(
  name: string,
  payload: TObject<P>,
): TObject<{ id: TOptional<TString> } & P> =>
  object(name, { id: optional(RecordId), ...payload.properties } as { id: TOptional<TString> } & P)

/**
 * The shapes of a kind of event beyond the contract. `name` is in upper camel case, such as
 * `TransformationEvent`.
 */
export function eventShapes<Fields extends TProperties>(name: string, fields: Fields, says: FieldSays) {
  const event = object(name, fields, says)
  const parts = {
    ...payloadEnvelope,
    ...eventLists,
    locationMasterList: locationList('Locations the event refers to by location code.', 1),
  }
  const payload = object(`${name}Payload`, { ...parts, eventList: event })
  return {
    payload,
    createPayload: object(`${name}sPayload`, { ...parts, eventList: oneOrMany(event, recordsPerCreateMax, says) }),
    replacement: replacementOf(`${name}Replacement`, payload),
    record: recordOf(`${name}Record`, payload),
  }
}
