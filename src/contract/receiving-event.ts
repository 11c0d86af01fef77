// A receiving event: goods received at a ship-to location. Source: §2.4.
import type { Static } from 'typebox'
import { declareLimit } from '../limits.ts'
import { dataProviderVendorId, dataProviderVendorName } from './product.ts'
import { ProductLine } from './product-line.ts'
import { date, dateTime, type FieldSays, list, number, object, optional, text } from './shape/field.ts'

const section = '2.4'

export const productLinesMax = declareLimit('productLines', 5_000, 'lines', 'Product lines of an event.')

/** A product line as an example. */
export const exampleLine = {
  vendorItemCode: 'ROM-24',
  shipQuantity: 56,
  shipQuantityUom: 'case',
  caseLotNumber: 'GV26063-A',
  tlcSourceReferenceGln: '0614141000012',
}

/** The declaration of a field that holds an event. */
export const receivingEventSays: FieldSays = {
  meaning: 'The receiving event.',
  example: {
    dataProviderVendorId: 'V-1001',
    purchaseOrderNumber: 'PO-88120',
    eventDateTime: '2026-03-04T09:30:00-08:00',
    shipFromLocationCode: 'GV-COOLER-1',
    shipToLocationCode: 'DC-07',
    productList: [exampleLine],
  },
  section,
  synonyms: ['event', 'events', 'receivingEvent', 'receivingEvents', 'receivingEventList'],
}

/** Its fields. Those of a shipping event are derived from them (decision 0080). */
export const receivingEventFields = {
  dataProviderVendorId: dataProviderVendorId(section),
  purchaseOrderNumber: text({
    meaning: 'Purchase order number received from the customer.',
    example: 'PO-88120',
    section,
    synonyms: ['po', 'poNumber', 'poNo', 'purchaseOrder', 'purchaseOrderNo', 'purchaseOrderId', 'orderNumber'],
  }),
  eventDateTime: dateTime({
    meaning: 'When the order was actually received.',
    example: '2026-03-04T09:30:00-08:00',
    section,
    synonyms: [
      'date',
      'dateTime',
      'eventDate',
      'eventTime',
      'receivedDate',
      'receivedDateTime',
      'receivedAt',
      'receiveDate',
      'receiptDate',
      'dateReceived',
    ],
  }),
  shipFromLocationCode: text({
    meaning: "Vendor's ship-from location; references a locationCode in locationMasterList.",
    example: 'GV-COOLER-1',
    section,
    synonyms: [
      'shipFrom',
      'shipFromCode',
      'shipFromId',
      'shipFromLocation',
      'shipFromLocationId',
      'from',
      'origin',
      'source',
    ],
  }),
  shipToLocationCode: text({
    meaning:
      "Buyer's ship-to location, as given on the purchase order; references a locationCode in locationMasterList.",
    example: 'DC-07',
    section,
    synonyms: ['shipTo', 'shipToCode', 'shipToId', 'shipToLocation', 'shipToLocationId', 'to', 'destination'],
  }),
  productList: list(
    ProductLine,
    {
      meaning: 'Items received in the event.',
      example: [exampleLine],
      section,
      synonyms: ['products', 'lines', 'items', 'lineItems', 'productLines'],
      tooMany:
        'An event is one payload (§2.4), so do not split it. Add up lines that agree in item, lot code, source and pallet.',
    },
    { minItems: 1, maxItems: productLinesMax },
  ),
  eventId: optional(
    text({ meaning: 'Unique id of the event.', example: 'EV-2026-03-04-117', section, synonyms: ['receivingEventId'] }),
  ),
  dataProviderVendorName: optional(dataProviderVendorName(section)),
  purchaseOrderDate: optional(
    date({ meaning: 'Purchase order date.', example: '2026-03-01', section, synonyms: ['poDate', 'orderDate'] }),
  ),
  businessUnit: optional(text({ meaning: 'Business unit of the event.', example: 'Produce West', section })),
  eventTransactionTime: optional(
    dateTime({ meaning: 'When the event occurred.', example: '2026-03-04T09:41:00-08:00', section }),
  ),
  billOfLadingNumber: optional(
    text({
      meaning: 'Bill of lading given to the customer.',
      example: 'BOL-55310',
      section,
      synonyms: ['bol', 'bolNumber', 'bolNo', 'billOfLading'],
    }),
  ),
  asnNumber: optional(
    text({
      meaning: 'Advance ship notice id, if one is provided.',
      example: 'ASN-771203',
      section,
      synonyms: ['asn', 'asnId', 'advanceShipNotice', 'advanceShipNoticeNumber'],
    }),
  ),
  expectedDeliveryDate: optional(
    date({
      meaning: 'Date the shipper expects to deliver.',
      example: '2026-03-04',
      section,
      synonyms: ['deliveryDate', 'eta'],
    }),
  ),
  standardCarrierAlphaCode: optional(
    text({
      meaning: 'Four-letter carrier code.',
      example: 'GVTL',
      section,
      synonyms: ['scac', 'scacCode', 'carrier', 'carrierCode'],
    }),
  ),
  carrierShipmentMethod: optional(
    text({
      meaning: 'Mode of transport.',
      example: 'Truckload',
      section,
      synonyms: ['shipmentMethod', 'transportMode'],
    }),
  ),
  equipmentDescription: optional(
    text({ meaning: 'Type of transport equipment.', example: 'Refrigerated trailer', section }),
  ),
  equipmentNumber: optional(
    text({
      meaning: 'Id of trailer, container or equipment.',
      example: 'TR-4471',
      section,
      synonyms: ['trailer', 'trailerNumber', 'containerNumber'],
    }),
  ),
  appointmentNumber: optional(text({ meaning: 'Scheduled delivery appointment id.', example: 'APT-0930', section })),
  carrierTrackingNumber: optional(
    text({
      meaning: 'Carrier-assigned tracking number.',
      example: 'GV99120033',
      section,
      synonyms: ['tracking', 'trackingNumber'],
    }),
  ),
  loadPlanningNumber: optional(
    text({
      meaning: 'Id linking the shipment to a transport-management load.',
      example: 'LD-20260304-3',
      section,
      synonyms: ['load', 'loadNumber', 'loadId'],
    }),
  ),
  methodOfPayment: optional(text({ meaning: 'Who pays the freight.', example: 'Prepaid', section })),
  shipmentLadingQuantity: optional(
    number({
      meaning: 'Total quantity loaded.',
      example: 1120,
      section,
      synonyms: ['ladingQuantity', 'totalQuantity'],
      unit: 'shipmentLadingUom',
    }),
  ),
  shipmentLadingUom: optional(
    text({ meaning: 'Unit of the lading quantity.', example: 'case', section, synonyms: ['ladingUom', 'totalUom'] }),
  ),
}

export const ReceivingEvent = object('ReceivingEvent', receivingEventFields, receivingEventSays)
export type ReceivingEvent = Static<typeof ReceivingEvent>
