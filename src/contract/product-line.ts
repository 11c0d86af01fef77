// One line of a receiving event: a quantity of one item under one traceability lot code. Source:
// §2.5.
import type { Static } from 'typebox'
import { itemCodeSynonyms } from './product.ts'
import { date, number, object, optional, text } from './shape/field.ts'

const section = '2.5'

/**
 * Default of the first event date from which `caseLotNumber` is required. Source: §2.5; decisions
 * 0008, 0020.
 */
export const lotNumberRequiredFromDefault = '2026-01-01'

/**
 * Fields that refer to the source of the traceability lot code; one is enough. Source: §2.5,
 * alternative 1.
 */
export const tlcSourceReferenceFields = {
  tlcSourceReferenceDuns: optional(
    text({
      meaning: '9-digit business identification number of the source.',
      example: '123456789',
      section,
      synonyms: ['sourceDuns', 'tlcSourceDuns', 'duns'],
    }),
  ),
  tlcSourceReferenceGln: optional(
    text({
      meaning: '13-digit global location number of the source.',
      example: '0614141000012',
      section,
      synonyms: ['sourceGln', 'tlcSourceGln', 'gln'],
    }),
  ),
  tlcSourceReferenceFfrn: optional(
    text({
      meaning: 'Food facility registration number of the source.',
      example: '14532865782',
      section,
      synonyms: ['ffrn', 'facilityRegistrationNumber'],
    }),
  ),
  tlcSourceReferenceFei: optional(
    text({
      meaning: 'Establishment identifier of the source.',
      example: '3004567890',
      section,
      synonyms: ['fei', 'feiNumber'],
    }),
  ),
  tlcSourceReferenceUrl: optional(
    text({
      meaning: 'Web link where the source reference can be accessed.',
      example: 'https://trace.example.com/source/gv-1',
      section,
      synonyms: ['sourceUrl', 'tlcSourceUrl', 'url'],
    }),
  ),
  tlcSourceReferenceOther: optional(
    text({ meaning: 'Other identifier, optionally prefixed with its type.', example: 'GGN:4049928415684', section }),
  ),
}

const withoutReference = 'no TLC source reference is given'

const place = (meaning: string, example: string) =>
  optional(text({ meaning, example, section, requiredWhen: withoutReference }))

/**
 * Fields that describe the source of the lot code; all but the second address line are needed
 * without a reference. Source: §2.5, alternative 2.
 */
export const tlcSourcePlaceFields = {
  tlcSourceName: place('Business name of the source.', 'Green Valley Farms'),
  tlcSourceAddress1: place('Street line 1 of the source.', '1200 Harvest Road'),
  tlcSourceAddress2: optional(
    text({ meaning: 'Street line 2 of the source, if applicable.', example: 'Block C', section }),
  ),
  tlcSourceCity: place('City of the source.', 'Salinas'),
  tlcSourceState: place('State or region of the source.', 'CA'),
  tlcSourcePostalCode: place('Postal code of the source.', '93901'),
  tlcSourceCountry: place('Country of the source.', 'USA'),
  tlcSourcePhoneNumber: place('Phone number of the source.', '+1.831.555.0100'),
}

export const ProductLine = object('ProductLine', {
  vendorItemCode: text({
    meaning:
      "Vendor's internal product id or item code from its master data. A case GTIN-14 is stored in the product master record for this item code.",
    example: 'ROM-24',
    section,
    synonyms: [...itemCodeSynonyms, 'itemCode', 'vendorItem', 'vendorSku', 'supplierItemCode'],
  }),
  shipQuantity: number({
    meaning: 'Units of this traceability lot code on the pallet.',
    example: 56,
    section,
    synonyms: [
      'quantity',
      'qty',
      'shipQty',
      'shippedQuantity',
      'quantityShipped',
      'receivedQuantity',
      'quantityReceived',
      'cases',
      'count',
    ],
    unit: 'shipQuantityUom',
  }),
  shipQuantityUom: text({
    meaning: 'Unit of measure.',
    example: 'case',
    section,
    synonyms: ['uom', 'unit', 'units', 'unitOfMeasure', 'quantityUom', 'quantityUnit', 'qtyUom'],
  }),
  productId: optional(
    text({
      meaning: 'Unique product id to help identify post/put issues.',
      example: 'LINE-1',
      section,
      synonyms: ['lineId'],
    }),
  ),
  businessUnit: optional(text({ meaning: 'Business unit of the product.', example: 'Produce West', section })),
  vendorItemDescription: optional(
    text({
      meaning: 'Vendor item description.',
      example: 'Romaine hearts 24 ct',
      section,
      synonyms: ['description', 'itemDescription', 'productDescription', 'name', 'itemName', 'productName'],
    }),
  ),
  palletId: optional(
    text({
      meaning: 'Serial shipping container code (SSCC-18), if provided.',
      example: '106141410000000019',
      section,
      synonyms: ['sscc', 'sscc18', 'pallet', 'palletSscc'],
    }),
  ),
  palletLpn: optional(
    text({ meaning: 'Internally generated license plate number.', example: 'LPN-77120', section, synonyms: ['lpn'] }),
  ),
  palletPackagingDescriptionCode: optional(
    text({ meaning: 'Pallet packaging description.', example: 'PLT71', section }),
  ),
  palletHigh: optional(
    number({ meaning: 'Layers stacked vertically on the pallet.', example: 7, section, unit: 'layers' }),
  ),
  palletTie: optional(number({ meaning: 'Cases per layer.', example: 8, section, unit: 'cases per layer' })),
  iotDevice: optional(
    text({
      meaning: 'Id of an IoT device attached to the pallet.',
      example: 'TMP-00912',
      section,
      synonyms: ['iot', 'sensor', 'sensorId'],
    }),
  ),
  poLineNumber: optional(
    text({
      meaning: 'Purchase order line number for the item.',
      example: '1',
      section,
      synonyms: ['line', 'lineNumber', 'lineNo', 'poLine'],
    }),
  ),
  purchaserItemCode: optional(
    text({
      meaning: "Purchaser's item code (may be a GTIN, a SKU or another id).",
      example: '5500123',
      section,
      synonyms: ['buyerItemCode', 'customerItem', 'customerItemCode'],
    }),
  ),
  caseGtin: optional(
    text({
      meaning: 'GTIN-14 of cases on the pallet.',
      example: '10614141000415',
      section,
      synonyms: ['gtin', 'gtin14', 'caseGtin14'],
    }),
  ),
  caseLotNumber: optional(
    text({
      meaning: 'Lot number on the case label given to the customer: the traceability lot code (TLC).',
      example: 'GV26063-A',
      section,
      synonyms: [
        'lot',
        'lotNumber',
        'lotNo',
        'lotCode',
        'lotId',
        'caseLot',
        'caseLotCode',
        'tlc',
        'traceabilityLotCode',
        'batch',
        'batchNumber',
        'batchCode',
      ],
      requiredWhen: `the event date is ${lotNumberRequiredFromDefault}, or another date that the service sets, or later`,
    }),
  ),
  expirationDate: optional(
    date({
      meaning: 'Expiration date.',
      example: '2026-03-20',
      section,
      synonyms: ['expiry', 'expiryDate', 'expires', 'useBy', 'useByDate'],
    }),
  ),
  productionDate: optional(
    date({
      meaning: 'Production date.',
      example: '2026-03-03',
      section,
      synonyms: ['produced', 'manufactureDate', 'manufacturedDate', 'manufacturingDate'],
    }),
  ),
  packagingDate: optional(
    date({
      meaning: 'Packaging date.',
      example: '2026-03-03',
      section,
      synonyms: ['packed', 'packDate', 'packedDate'],
    }),
  ),
  bestBeforeDate: optional(
    date({
      meaning: 'Best-before date.',
      example: '2026-03-18',
      section,
      synonyms: ['bestBefore', 'bestBy', 'bestByDate', 'sellBy', 'sellByDate'],
    }),
  ),
  harvestDate: optional(
    date({
      meaning: 'Harvest date.',
      example: '2026-03-02',
      section,
      synonyms: ['harvest', 'harvested', 'harvestedDate'],
    }),
  ),
  countryOfOrigin: optional(
    text({
      meaning: 'Three-letter country code.',
      example: 'USA',
      section,
      synonyms: ['country', 'origin', 'originCountry', 'coo'],
    }),
  ),
  itemUpc: optional(
    text({
      meaning: 'Item-level UPC; GTIN-8, GTIN-12 or GTIN-13.',
      example: '614141000418',
      section,
      synonyms: ['upc', 'ean', 'gtin12', 'gtin13'],
    }),
  ),
  itemPlu: optional(
    text({
      meaning: 'PLU, when items in the case carry PLU numbers; may be used instead of UPC.',
      example: '4640',
      section,
      synonyms: ['plu', 'pluCode'],
    }),
  ),
  itemDateCode: optional(date({ meaning: 'Date code marked on items.', example: '2026-03-18', section })),
  itemDateCodeType: optional(text({ meaning: 'Type of the date code.', example: 'Best by', section })),
  ...tlcSourceReferenceFields,
  ...tlcSourcePlaceFields,
})
export type ProductLine = Static<typeof ProductLine>
