// Rules about a shipping event. Source: 21 CFR 1.1340(a); §2.4 for its fields (decision 0080).
import { documentFields } from '../contract/reference-document.ts'
import {
  carrierCodeRule,
  dateGap,
  descriptionGap,
  type EventSubject,
  endsRule,
  eventIdRule,
  inPastRule,
  ladingQuantityRule,
  listedRule,
  localDateRule,
  oneEventRule,
  orderedBeforeRule,
  referenceDocumentGap,
  yearsRule,
} from './event-rules.ts'
import { visibleTextRule } from './hidden-characters.ts'

export const shipFromListed = listedRule('shipping-event', 'shipFromLocationCode', 'ship-from')
export const shipToListed = listedRule('shipping-event', 'shipToLocationCode', 'ship-to')

export const textVisible = visibleTextRule<EventSubject>('shipping-event', '2.4', (event) => event, ['productList'])

/** Several orders leave one place for another at the same moment, so the documents count too. */
export const oneEventPerDocuments = oneEventRule({
  id: 'shipping-event/one-event-per-documents',
  cites: '§2.4 rules 1 and 2; decision 0080',
  summary:
    'One event holds everything a vendor shipped from one location to another at one event date time under the same reference documents.',
  remedy:
    'Put all product lines into one event. Or send the purchase order, bill of lading or ASN that tells them apart.',
  onScreen: 'Put all product lines into one event. Or enter the purchase order, bill of lading or ASN that differs.',
  same: 'vendor, locations, event date time and reference documents',
  fields: ['dataProviderVendorId', 'shipFromLocationCode', 'shipToLocationCode'],
  optional: documentFields,
})

export const carrierCodeLetters = carrierCodeRule('shipping-event')
export const eventIdUnique = eventIdRule('shipping-event')
export const endsDiffer = endsRule('shipping-event')
export const ladingQuantityPositive = ladingQuantityRule('shipping-event')

export const shippedInPast = inPastRule({
  id: 'shipping-event/shipped-in-past',
  summary: 'The goods were shipped in the past.',
  remedy: 'Send when the goods left. A local time has its own offset, and only a time in UTC ends in Z.',
  onScreen: 'Choose when the goods left, with the time zone of the place.',
})

export const yearsPlausible = yearsRule('shipping-event')
export const orderedBeforeShipping = orderedBeforeRule('shipping-event', 'shipment')

export const shipToDescription = descriptionGap('shipping-event', 'shipToLocationCode', {
  slug: 'ship-to',
  cites: '21 CFR 1.1340(a)(4)',
  role: 'the immediate subsequent recipient',
})
export const shipFromDescription = descriptionGap('shipping-event', 'shipFromLocationCode', {
  slug: 'ship-from',
  cites: '21 CFR 1.1340(a)(5)',
  role: 'the place from which the food was shipped',
})

export const dateShipped = dateGap({
  id: 'shipping-event/date-shipped',
  cites: '21 CFR 1.1340(a)(6)',
  summary: 'The event says the date on which the food was shipped.',
  remedy:
    'Send the date and time at which the goods left in eventDateTime. Programs write this date when they have none.',
  onScreen: 'Choose the date and time at which the goods left. Programs write this date when they have none.',
})

export const dateShippedLocal = localDateRule('shipFromLocationCode', 'date shipped', {
  id: 'shipping-event/date-shipped-local',
  cites: '§2.4',
  summary: 'The date shipped is known: eventDateTime has the offset of the shipper, or the location has a time zone.',
  remedy:
    'Send eventDateTime with the offset at the ship-from location, e.g. 2026-03-03T16:10:00-08:00, or set the time zone of the location once with PUT /location-time-zones.',
  onScreen:
    'Choose the time zone of the shipping location. Or let an administrator set it once for the location, under Time zones.',
})

export const referenceDocument = referenceDocumentGap('shipping-event', '21 CFR 1.1340(a)(8)')
