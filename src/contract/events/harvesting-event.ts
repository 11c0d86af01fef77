// A harvesting event: food is harvested, or handled on the farm before it is cooled and packed.
// Source: 21 CFR 1.1325(a); decision 0090.
import { eventShapes } from '../payloads.ts'
import { documentPairs, eventFields, locationCode } from './event-fields.ts'
import { exampleOfHarvest, HarvestLine, harvestLines } from './harvest-lines.ts'

const says = {
  meaning: 'The harvesting event.',
  example: {
    dataProviderVendorId: 'V-1001',
    eventDateTime: '2026-03-02T07:10:00-08:00',
    harvestLocationCode: 'GV-COOLER-1',
    shipToLocationCode: 'DC-07',
    referenceDocumentType: 'Harvest Log',
    referenceDocumentNumber: 'HL-0302',
    productList: [{ ...exampleOfHarvest, growingAreaName: 'Field 7' }],
  },
  section: '2.4',
  synonyms: ['event', 'events', 'harvest', 'harvestingEvent', 'harvestingEvents'],
}

const fields = {
  ...eventFields({
    meaning: 'When the food was harvested.',
    example: '2026-03-02T07:10:00-08:00',
    synonyms: ['harvestDate', 'harvestedAt', 'dateHarvested'],
  }),
  harvestLocationCode: locationCode('Farm where the food was harvested', 'GV-COOLER-1', [
    'farm',
    'farmCode',
    'harvestLocation',
  ]),
  shipToLocationCode: locationCode(
    'Location of the immediate subsequent recipient, who is not a transporter',
    'DC-07',
    ['shipTo', 'recipient', 'destination', 'to'],
  ),
  ...documentPairs('Harvest Log', 'HL-0302'),
  productList: harvestLines(HarvestLine, 'Food that was harvested; it has no lot code yet.'),
}

export const harvestingEvent = {
  name: 'harvestingEvent',
  noun: 'harvesting event',
  nouns: 'harvesting events',
  path: '/data-provider/events/harvesting',
  subject: 'eventList',
  ...eventShapes('HarvestingEvent', fields, says),
  section: '2.4',
  cites: { create: '21 CFR 1.1325(a); decision 0090', replace: '21 CFR 1.1325(a); decision 0090' },
  key: 'the vendor, locations, event date time and reference documents of the event',
  sample: 'harvesting-event.json',
  place: 'harvestLocationCode',
  counterpart: 'shipToLocationCode',
  lists: { productList: { lots: 'none' } },
  identity: ['dataProviderVendorId', 'shipToLocationCode', 'referenceDocumentNumber', 'referenceDocumentNumber2'],
  alike: 'vendor, locations, event date time and reference documents',
  happened: 'harvested',
  sheetNames: ['harvesting', 'harvested', 'harvest'],
  namedBy: ['referenceDocumentNumber'],
  epcis: { type: 'ObjectEvent', action: 'ADD', bizStep: 'creating_class_instance', disposition: 'in_progress' },
  elements: [
    {
      is: 'location',
      field: 'shipToLocationCode',
      cites: '21 CFR 1.1325(a)(1)(i)',
    },
    { is: 'commodity', list: 'productList', cites: '21 CFR 1.1325(a)(1)(ii)' },
    { is: 'quantity', list: 'productList', cites: '21 CFR 1.1325(a)(1)(iii)' },
    {
      is: 'location',
      field: 'harvestLocationCode',
      cites: '21 CFR 1.1325(a)(1)(iv)',
    },
    {
      is: 'value',
      list: 'productList',
      fields: ['growingAreaName'],
      name: 'the name of the field or other growing area',
      food: 'produce',
      cites: '21 CFR 1.1325(a)(1)(v)',
    },
    {
      is: 'value',
      list: 'productList',
      fields: ['containerName'],
      name: 'the name of the container',
      food: 'seafood',
      cites: '21 CFR 1.1325(a)(1)(vi)',
    },
    { is: 'date', cites: '21 CFR 1.1325(a)(1)(vii)' },
    { is: 'document', cites: '21 CFR 1.1325(a)(1)(viii)' },
  ],
} as const
