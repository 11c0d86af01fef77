// The identity of the event of a row or payload. Events of both kinds have a vendor, a ship-to
// location and an instant. From one place several orders leave for another at the same minute, so a
// shipping event also has its ship-from location and reference documents. Source: §2.4 rule 1;
// decisions 0036, 0080.

import {
  type EventKindName,
  eventKinds,
  isDeliveryKind,
  ofEventKinds,
  placeFieldsOf,
  placePartOf,
} from '../contract/record-kinds.ts'
import { instantOf, isDateTime } from '../contract/shape/date-and-time.ts'
import { stringLengthMax } from '../contract/shape/field.ts'
import { deliveryFields, deliveryIdentity, documentFields } from './delivery.ts'
import type { Delivery, Fields } from './read-row.ts'
import { textHash } from './text-hash.ts'

/** The statements of a row or payload about its event. */
export interface OfEvent {
  readonly parts: { readonly event: Fields; readonly [part: string]: Fields }
  readonly delivery?: Delivery
}

/** The common values of the rows of one event, in words. */
export const sharedWords = ofEventKinds((kind) => eventKinds[kind].alike)

/** A text that can name something: not blank, and not longer than the contract allows. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.trim() !== '' &&
  (value.length <= stringLengthMax || [...value].length <= stringLengthMax)

/** Removes the differences that do not count: blanks at the ends, and how many are within. */
export const normalizeSpaces = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

/**
 * Whether the place is stated. In sheets with names and without codes the name identifies a
 * location; the rest of its description alone does not.
 */
export const saysPlace = ({ parts, delivery }: OfEvent, part: string): boolean =>
  isName(parts.event[`${part}LocationCode`]) &&
  (!delivery?.codesByName.has(`${part}LocationCode`) || isName(parts[part]?.locationName))

/** True when every text that identifies the delivery can be read. */
const saysDelivery = (kind: EventKindName, one: OfEvent): boolean =>
  isDeliveryKind(kind)
    ? saysDocuments(kind, one) && saysPlace(one, 'shipFrom')
    : placeFieldsOf(eventKinds[kind]).every((field) => saysPlace(one, placePartOf(field)))

const saysDocuments = (kind: EventKindName, one: OfEvent): boolean =>
  (kind === 'shippingEvent' || isName(one.parts.event.purchaseOrderNumber)) &&
  deliveryFields.every((field) => one.parts.event[field] === undefined || isName(one.parts.event[field]))

/** The instant as a text; undefined when it cannot be read. */
export function instantText({ parts }: OfEvent): string | undefined {
  const { eventDateTime } = parts.event
  return typeof eventDateTime === 'string' && isDateTime(eventDateTime) ? String(instantOf(eventDateTime)) : undefined
}

/**
 * The values that distinguish the events of a vendor at a ship-to location. Without a time of day,
 * the delivery replaces the instant: two deliveries may get the same time by chance.
 */
function occasionOf(kind: EventKindName, one: OfEvent): string | undefined {
  const { delivery, parts } = one
  if (delivery !== undefined) return saysDelivery(kind, one) ? delivery.key : undefined
  const instant = instantText(one)
  if (kind === 'receivingEvent' || instant === undefined) return instant
  if (!isDeliveryKind(kind)) return JSON.stringify([instant, ...tellingTexts(kind, parts.event)])
  return saysDelivery(kind, one) ? `${instant}\u0000${deliveryIdentity(parts.event)}` : undefined
}

/** What tells events of a kind apart beside vendor, place and moment, as far as it is stated. */
const tellingTexts = (kind: EventKindName, event: Fields): readonly string[] =>
  [...placeFieldsOf(eventKinds[kind]), ...eventKinds[kind].identity].map((field) =>
    isName(event[field]) ? normalizeSpaces(event[field]) : '',
  )

/** The field of the location that tells events of a kind apart: of a delivery where it goes. */
export const keyPlaceOf = (kind: EventKindName): string =>
  isDeliveryKind(kind) ? 'shipToLocationCode' : eventKinds[kind].place

/** Vendor, location, occasion, and purchase order, as far as each can be read. */
type Identity = readonly [
  vendor: string | undefined,
  place: string | undefined,
  occasion: string | undefined,
  order: string | undefined,
]

export function identityOf(kind: EventKindName, one: OfEvent): Identity {
  const field = keyPlaceOf(kind)
  const { dataProviderVendorId: vendor, [field]: place, purchaseOrderNumber: order } = one.parts.event
  return [
    isName(vendor) ? normalizeSpaces(vendor) : undefined,
    isName(place) && saysPlace(one, placePartOf(field)) ? normalizeSpaces(place) : undefined,
    occasionOf(kind, one),
    isName(order) ? normalizeSpaces(order) : undefined,
  ]
}

/** True when the row or payload identifies its event. */
export const isWhole = ([vendor, place, occasion]: Identity): boolean =>
  vendor !== undefined && place !== undefined && occasion !== undefined

/** The key of the event; undefined when a part of it is missing or invalid. */
export function eventKey(kind: EventKindName, one: OfEvent): string | undefined {
  const identity = identityOf(kind, one)
  if (!isWhole(identity)) return undefined
  const { event } = one.parts
  // To the service, two spellings of one code are two codes; only the survey treats them as one.
  return `${event.dataProviderVendorId}\u0000${event[keyPlaceOf(kind)]}\u0000${identity[2]}`
}

export const keyHash = ([vendor, place, occasion]: Identity): number =>
  textHash(`${vendor}\u0000${place}\u0000${occasion}`)

/**
 * Keys of the shipping events that agree with this one in everything, but lack some or all of its
 * documents. A row with such a key is more likely a row of this event that leaves them blank.
 */
export function keysWithFewerDocuments(one: OfEvent): readonly number[] {
  const { event } = one.parts
  const given = documentFields.filter((field) => event[field] !== undefined)
  // Each choice of documents is a number with one bit for each; the last has all of them.
  return Array.from({ length: 2 ** given.length - 1 }, (_, choice) => {
    const left = given.filter((_, i) => (choice & (1 << i)) === 0)
    const fewer = { ...event, ...Object.fromEntries(left.map((field) => [field, undefined])) }
    return keyHash(identityOf('shippingEvent', { ...one, parts: { ...one.parts, event: fewer } }))
  })
}
