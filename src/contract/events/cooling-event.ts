// A cooling event: food is cooled before it is initially packed. Source: 21 CFR 1.1325(b);
// decision 0090.
import { eventShapes } from '../payloads.ts'
import { optional } from '../shape/field.ts'
import { documentPairs, eventFields, locationCode } from './event-fields.ts'
import { CooledLine, exampleOfHarvest, harvestLines } from './harvest-lines.ts'

const says = {
  meaning: 'The cooling event.',
  example: {
    dataProviderVendorId: 'V-1001',
    eventDateTime: '2026-03-02T11:30:00-08:00',
    coolingLocationCode: 'GV-COOLER-1',
    shipToLocationCode: 'DC-07',
    harvestLocationCode: 'GV-COOLER-1',
    referenceDocumentType: 'Cooling Log',
    referenceDocumentNumber: 'CL-0302',
    productList: [exampleOfHarvest],
  },
  section: '2.4',
  synonyms: ['event', 'events', 'cooling', 'coolingEvent', 'coolingEvents'],
}

const fields = {
  ...eventFields({
    meaning: 'When the food was cooled.',
    example: '2026-03-02T11:30:00-08:00',
    synonyms: ['coolingDate', 'cooledAt', 'dateCooled'],
  }),
  coolingLocationCode: locationCode('Location where the food was cooled', 'GV-COOLER-1', [
    'cooler',
    'coolerCode',
    'coolingLocation',
  ]),
  shipToLocationCode: locationCode(
    'Location of the immediate subsequent recipient, who is not a transporter',
    'DC-07',
    ['shipTo', 'recipient', 'destination', 'to'],
  ),
  harvestLocationCode: optional(
    locationCode('Farm where the food was harvested', 'GV-COOLER-1', ['farm', 'farmCode', 'harvestLocation']),
  ),
  ...documentPairs('Cooling Log', 'CL-0302'),
  productList: harvestLines(CooledLine, 'Food that was cooled; it has no lot code yet.'),
}

export const coolingEvent = {
  name: 'coolingEvent',
  noun: 'cooling event',
  nouns: 'cooling events',
  path: '/data-provider/events/cooling',
  subject: 'eventList',
  ...eventShapes('CoolingEvent', fields, says),
  section: '2.4',
  cites: { create: '21 CFR 1.1325(b); decision 0090', replace: '21 CFR 1.1325(b); decision 0090' },
  key: 'the vendor, locations, event date time and reference documents of the event',
  sample: 'cooling-event.json',
  place: 'coolingLocationCode',
  counterpart: 'shipToLocationCode',
  furtherPlaces: ['harvestLocationCode'],
  lists: { productList: { lots: 'none' } },
  identity: ['dataProviderVendorId', 'shipToLocationCode', 'referenceDocumentNumber', 'referenceDocumentNumber2'],
  alike: 'vendor, locations, event date time and reference documents',
  happened: 'cooled',
  sheetNames: ['cooling', 'cooled'],
  namedBy: ['referenceDocumentNumber'],
  epcis: { type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'storing', disposition: 'in_progress' },
  elements: [
    {
      is: 'location',
      field: 'shipToLocationCode',
      cites: '21 CFR 1.1325(b)(1)(i)',
    },
    { is: 'commodity', list: 'productList', cites: '21 CFR 1.1325(b)(1)(ii)' },
    { is: 'quantity', list: 'productList', cites: '21 CFR 1.1325(b)(1)(iii)' },
    {
      is: 'location',
      field: 'coolingLocationCode',
      cites: '21 CFR 1.1325(b)(1)(iv)',
    },
    { is: 'date', cites: '21 CFR 1.1325(b)(1)(v)' },
    {
      is: 'location',
      field: 'harvestLocationCode',
      cites: '21 CFR 1.1325(b)(1)(vi)',
    },
    { is: 'document', cites: '21 CFR 1.1325(b)(1)(vii)' },
  ],
} as const
