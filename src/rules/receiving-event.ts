// Rules about a receiving event. Source: §2.4; 21 CFR 1.1345(a).
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

export const shipFromListed = listedRule('receiving-event', 'shipFromLocationCode', 'ship-from')
export const shipToListed = listedRule('receiving-event', 'shipToLocationCode', 'ship-to')

export const textVisible = visibleTextRule<EventSubject>('receiving-event', '2.4', (event) => event, ['productList'])

/** Event date times are compared as instants (decision 0007). */
export const onePayloadPerEventDateTime = oneEventRule({
  id: 'receiving-event/one-payload-per-event-date-time',
  cites: '§2.4 rules 1 and 2',
  summary: 'One payload holds everything a vendor delivered to a ship-to location at one event date time.',
  remedy: 'Put all product lines of that delivery into one event, and replace that event to change it.',
  onScreen: 'Put all product lines of that delivery into one event. To change it, edit that event.',
  same: 'vendor, ship-to location and event date time',
  fields: ['dataProviderVendorId', 'shipToLocationCode'],
})

export const carrierCodeLetters = carrierCodeRule('receiving-event')
export const eventIdUnique = eventIdRule('receiving-event')
export const endsDiffer = endsRule('receiving-event')
export const ladingQuantityPositive = ladingQuantityRule('receiving-event')

export const receivedInPast = inPastRule({
  id: 'receiving-event/received-in-past',
  summary: 'The order was received in the past.',
  remedy: 'Send when the order was received. A local time has its own offset, and only a time in UTC ends in Z.',
  onScreen: 'Choose when the order was received, with the time zone of the place.',
})

export const yearsPlausible = yearsRule('receiving-event')
export const orderedBeforeReceipt = orderedBeforeRule('receiving-event', 'receipt')

export const shipFromDescription = descriptionGap('receiving-event', 'shipFromLocationCode', {
  slug: 'ship-from',
  cites: '21 CFR 1.1345(a)(4)',
  role: 'the immediate previous source',
})
export const shipToDescription = descriptionGap('receiving-event', 'shipToLocationCode', {
  slug: 'ship-to',
  cites: '21 CFR 1.1345(a)(5)',
  role: 'the place where the food was received',
})

export const dateReceived = dateGap({
  id: 'receiving-event/date-received',
  cites: '21 CFR 1.1345(a)(6)',
  summary: 'The event says the date on which the food was received.',
  remedy: 'Send the date and time of the receipt in eventDateTime. Programs write this date when they have none.',
  onScreen: 'Choose the date and time of the receipt. Programs write this date when they have none.',
})

export const dateReceivedLocal = localDateRule('shipToLocationCode', 'date received', {
  id: 'receiving-event/date-received-local',
  cites: '§2.4',
  summary: 'The date received is known: eventDateTime has the offset of the receiver, or the location has a time zone.',
  remedy:
    'Send eventDateTime with the offset at the ship-to location, e.g. 2026-03-04T21:30:00-05:00, or set the time zone of the location once with PUT /location-time-zones.',
  onScreen:
    'Choose the time zone of the receiving location. Or let an administrator set it once for the location, under Time zones.',
})

export const referenceDocument = referenceDocumentGap('receiving-event', '21 CFR 1.1345(a)(8)')
