// A first land-based receiving event: food from a fishing vessel comes to land, and gets its
// traceability lot codes. Source: 21 CFR 1.1335; decision 0090.

import { declareLimit } from '../../limits.ts'
import { eventShapes } from '../payloads.ts'
import { date, list, optional, text } from '../shape/field.ts'
import { documentPairs, eventFields, locationCode, madeLines } from './event-fields.ts'

const harvestAreasMax = declareLimit('harvestAreas', 100, 'areas', 'Harvest areas of a trip.')

const landed = { vendorItemCode: 'ROM-24', shipQuantity: 40, shipQuantityUom: 'lb', caseLotNumber: 'PT26063-2' }

const says = {
  meaning: 'The first land-based receiving event.',
  example: {
    dataProviderVendorId: 'V-1001',
    eventDateTime: '2026-03-04T05:40:00-08:00',
    receivingLocationCode: 'DC-07',
    harvestStartDate: '2026-02-27',
    harvestEndDate: '2026-03-02',
    harvestAreaList: ['NMFS 5A'],
    referenceDocumentType: 'Weight Ticket',
    referenceDocumentNumber: 'WT-4471',
    productList: [landed],
  },
  section: '2.4',
  synonyms: ['event', 'events', 'landing', 'firstLandBasedReceiving', 'firstLandBasedReceivingEvent'],
}

const fields = {
  ...eventFields({
    meaning: 'When the food was landed.',
    example: '2026-03-04T05:40:00-08:00',
    synonyms: ['landedAt', 'landingDate', 'dateLanded', 'receivedDate'],
  }),
  receivingLocationCode: locationCode(
    'Location of the first land-based receiver, which is the source of the lot codes',
    'DC-07',
    ['receivingLocation', 'receiver', 'dock', 'port'],
  ),
  harvestStartDate: optional(
    date({ meaning: 'First day of the harvest of the trip.', example: '2026-02-27', section: '2.4' }),
  ),
  harvestEndDate: optional(
    date({ meaning: 'Last day of the harvest of the trip.', example: '2026-03-02', section: '2.4' }),
  ),
  harvestAreaList: optional(
    list(
      text({ meaning: 'Ocean Geographic Code of NMFS, or coordinates.', example: 'NMFS 5A', section: '2.4' }),
      {
        meaning: 'Where the food of the trip was caught: Ocean Geographic Codes of NMFS, or coordinates.',
        example: ['NMFS 5A'],
        section: '2.4',
        synonyms: ['harvestLocations', 'harvestAreas', 'fishingAreas'],
      },
      { maxItems: harvestAreasMax },
    ),
  ),
  ...documentPairs('Weight Ticket', 'WT-4471'),
  productList: madeLines('Lots that were landed.', landed),
}

export const firstLandBasedReceivingEvent = {
  name: 'firstLandBasedReceivingEvent',
  noun: 'first land-based receiving event',
  nouns: 'first land-based receiving events',
  path: '/data-provider/events/first-land-based-receiving',
  subject: 'eventList',
  ...eventShapes('FirstLandBasedReceivingEvent', fields, says),
  section: '2.4',
  cites: { create: '21 CFR 1.1335; decision 0090', replace: '21 CFR 1.1335; decision 0090' },
  key: 'the vendor, location, event date time and reference documents of the event',
  sample: 'first-land-based-receiving-event.json',
  place: 'receivingLocationCode',
  dates: [['harvestStartDate', 'harvestEndDate']],
  lists: { productList: { lots: 'made' } },
  identity: ['dataProviderVendorId', 'referenceDocumentNumber', 'referenceDocumentNumber2'],
  alike: 'vendor, location, event date time and reference documents',
  happened: 'landed',
  sheetNames: ['first land-based receiving', 'landed', 'landings'],
  namedBy: ['referenceDocumentNumber'],
  epcis: { type: 'ObjectEvent', action: 'ADD', bizStep: 'creating_class_instance', disposition: 'in_progress' },
  elements: [
    { is: 'lotCode', list: 'productList', cites: '21 CFR 1.1335(a)' },
    { is: 'product', list: 'productList', cites: '21 CFR 1.1335(b)' },
    { is: 'quantity', list: 'productList', cites: '21 CFR 1.1335(c)' },
    {
      is: 'value',
      fields: ['harvestStartDate'],
      name: 'the first day of the harvest date range of the trip',
      cites: '21 CFR 1.1335(d)',
    },
    {
      is: 'value',
      fields: ['harvestEndDate'],
      name: 'the last day of the harvest date range of the trip',
      cites: '21 CFR 1.1335(d)',
    },
    {
      is: 'value',
      fields: ['harvestAreaList'],
      name: 'the harvest locations of the trip',
      cites: '21 CFR 1.1335(d)',
    },
    {
      is: 'location',
      field: 'receivingLocationCode',
      cites: '21 CFR 1.1335(e)',
    },
    { is: 'date', cites: '21 CFR 1.1335(f)' },
    { is: 'document', cites: '21 CFR 1.1335(g)' },
  ],
} as const
