// A transformation event: food on the Food Traceability List is used up, or repacked, and new
// traceability lots are made of it. Source: 21 CFR 1.1350(a); decision 0090.
import { eventShapes } from '../payloads.ts'
import { ProductLine } from '../product-line.ts'
import { number, object, optional, text } from '../shape/field.ts'
import { documentPairs, eventFields, lineList, locationCode, madeLines } from './event-fields.ts'

const used = { vendorItemCode: 'ROM-24', shipQuantity: 120, shipQuantityUom: 'case', caseLotNumber: 'GV26061-A' }
const made = { vendorItemCode: 'ROM-24', shipQuantity: 112, shipQuantityUom: 'case', caseLotNumber: 'RP26063-07' }

/** A line as in a delivery; its lot is one that was there before. */
const IngredientLine = object('IngredientLine', {
  ...ProductLine.properties,
  shipQuantity: number({
    meaning: 'Quantity of this lot that was used.',
    example: 120,
    section: '2.5',
    synonyms: ['quantity', 'qty', 'quantityUsed', 'usedQuantity', 'count'],
    unit: 'shipQuantityUom',
  }),
  caseLotNumber: optional(
    text({
      meaning: 'Traceability lot code of the food that was used.',
      example: 'GV26061-A',
      section: '2.5',
      synonyms: ['lot', 'lotNumber', 'lotCode', 'tlc', 'traceabilityLotCode', 'batch', 'batchNumber'],
    }),
  ),
})

const says = {
  meaning: 'The transformation event.',
  example: {
    dataProviderVendorId: 'V-1001',
    eventDateTime: '2026-03-04T15:40:00-08:00',
    transformationLocationCode: 'DC-07',
    referenceDocumentType: 'Work Order',
    referenceDocumentNumber: 'WO-719-2043',
    ingredientList: [used],
    productList: [made],
  },
  section: '2.4',
  synonyms: ['event', 'events', 'transformation', 'transformationEvent', 'transformationEvents'],
}

const fields = {
  ...eventFields({
    meaning: 'When the transformation was completed.',
    example: '2026-03-04T15:40:00-08:00',
    synonyms: ['completedAt', 'completionDate', 'transformationDate', 'productionDateTime', 'dateTransformed'],
  }),
  transformationLocationCode: locationCode(
    'Location where the food was transformed, which is the source of the new lot codes',
    'DC-07',
    ['transformationLocation', 'plant', 'plantCode', 'facility', 'site', 'location'],
  ),
  ...documentPairs('Work Order', 'WO-719-2043'),
  ingredientList: optional(
    lineList(IngredientLine, {
      meaning: 'Lots that were used, with the quantity used of each. Left out where nothing of the list went in.',
      example: [used],
      synonyms: ['ingredients', 'inputs', 'inputList', 'components', 'consumed'],
    }),
  ),
  productList: madeLines('Lots that were made.', made),
}

export const transformationEvent = {
  name: 'transformationEvent',
  noun: 'transformation event',
  nouns: 'transformation events',
  path: '/data-provider/events/transformation',
  subject: 'eventList',
  ...eventShapes('TransformationEvent', fields, says),
  section: '2.4',
  cites: { create: '21 CFR 1.1350(a); decision 0090', replace: '21 CFR 1.1350(a); decision 0090' },
  key: 'the vendor, location, event date time and reference documents of the event',
  sample: 'transformation-event.json',
  place: 'transformationLocationCode',
  lists: {
    ingredientList: { lots: 'used' },
    productList: { lots: 'made' },
  },
  identity: ['dataProviderVendorId', 'referenceDocumentNumber', 'referenceDocumentNumber2'],
  alike: 'vendor, location, event date time and reference documents',
  happened: 'transformed',
  sheetNames: ['transformation', 'transformed', 'production'],
  namedBy: ['referenceDocumentNumber'],
  epcis: { type: 'TransformationEvent', bizStep: 'creating_class_instance', disposition: 'in_progress' },
  elements: [
    { is: 'lotCode', list: 'ingredientList', cites: '21 CFR 1.1350(a)(1)(i)' },
    { is: 'product', list: 'ingredientList', cites: '21 CFR 1.1350(a)(1)(ii)' },
    { is: 'quantity', list: 'ingredientList', cites: '21 CFR 1.1350(a)(1)(iii)' },
    { is: 'lotCode', list: 'productList', cites: '21 CFR 1.1350(a)(2)(i)' },
    {
      is: 'location',
      field: 'transformationLocationCode',
      cites: '21 CFR 1.1350(a)(2)(ii)',
    },
    { is: 'date', cites: '21 CFR 1.1350(a)(2)(iii)' },
    { is: 'product', list: 'productList', cites: '21 CFR 1.1350(a)(2)(iv)' },
    { is: 'quantity', list: 'productList', cites: '21 CFR 1.1350(a)(2)(v)' },
    { is: 'document', cites: '21 CFR 1.1350(a)(2)(vi)' },
  ],
} as const
