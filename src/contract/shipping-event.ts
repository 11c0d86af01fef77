// A shipping event: goods that left a ship-from location. It has the fields of a receiving event,
// seen from the shipper's side (decision 0080). Source: 21 CFR 1.1340(a); §2.4 for the fields.
import type { Static } from 'typebox'
import { ProductLine } from './product-line.ts'
import { exampleLine, productLinesMax, receivingEventFields } from './receiving-event.ts'
import { dateTime, type FieldSays, list, object, optional, text } from './shape/field.ts'

const section = '2.4'

/** The declaration of a field that holds one. */
export const shippingEventSays: FieldSays = {
  meaning: 'The shipping event.',
  example: {
    dataProviderVendorId: 'V-1001',
    eventDateTime: '2026-03-03T16:10:00-08:00',
    shipFromLocationCode: 'GV-COOLER-1',
    shipToLocationCode: 'DC-07',
    asnNumber: 'ASN-771203',
    productList: [exampleLine],
  },
  section,
  synonyms: ['event', 'events', 'shippingEvent', 'shippingEvents', 'shippingEventList'],
}

const fields = {
  ...receivingEventFields,
  purchaseOrderNumber: optional(receivingEventFields.purchaseOrderNumber),
  eventDateTime: dateTime({
    meaning: 'When the goods left the ship-from location.',
    example: '2026-03-03T16:10:00-08:00',
    section,
    synonyms: [
      'date',
      'dateTime',
      'eventDate',
      'eventTime',
      'shippedDate',
      'shippedDateTime',
      'shippedAt',
      'shipDate',
      'shipDateTime',
      'dateShipped',
    ],
  }),
  shipFromLocationCode: text({
    meaning: 'Location from which the goods were shipped; references a locationCode in locationMasterList.',
    example: 'GV-COOLER-1',
    section,
    synonyms: ['shipFrom', 'shipFromCode', 'shipFromId', 'shipFromLocation', 'from', 'origin', 'source'],
  }),
  shipToLocationCode: text({
    meaning:
      'Location of the immediate subsequent recipient, who is not a transporter; references a locationCode in locationMasterList.',
    example: 'DC-07',
    section,
    synonyms: ['shipTo', 'shipToCode', 'shipToId', 'shipToLocation', 'to', 'destination', 'recipient'],
  }),
  productList: list(
    ProductLine,
    {
      meaning: 'Items shipped in the event.',
      example: [exampleLine],
      section,
      synonyms: ['products', 'lines', 'items', 'lineItems', 'productLines'],
      tooMany:
        'An event is one payload, so do not split it. Add up lines that agree in item, lot code, source and pallet.',
    },
    { minItems: 1, maxItems: productLinesMax },
  ),
  eventId: optional(
    text({ meaning: 'Unique id of the event.', example: 'SH-2026-03-03-042', section, synonyms: ['shippingEventId'] }),
  ),
}

export const ShippingEvent = object('ShippingEvent', fields, shippingEventSays)
export type ShippingEvent = Static<typeof ShippingEvent>
