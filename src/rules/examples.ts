// For the page of each rule: a value that it accepts and one that it reports. Tests check them all.

export interface RuleExample {
  /** Place of the value in the payload of a receiving event. */
  readonly pointer: string
  /** Undefined for a field that is left out. */
  readonly accepted: unknown
  readonly found: unknown
}

const line = '/eventList/productList/0'
const place = '/locationMasterList/0'
const product = '/productMasterDataList/0'
const gtins = { accepted: '10614141000415', found: '1061414100041' }
const gtinCheck = { accepted: '10614141000415', found: '10614141000414' }
const upcs = { accepted: '036000291452', found: '03600029145' }
const upcCheck = { accepted: '036000291452', found: '036000291459' }
const glns = { accepted: '0614141000012', found: '614141000012' }
const glnCheck = { accepted: '0614141000012', found: '0614141000013' }
const dunsNumbers = { accepted: '123456789', found: '12-345-6789' }

/** By id of the rule. Rules that compare several values or look into stored records have none. */
export const ruleExamples: Readonly<Record<string, RuleExample>> = {
  'shape/required': { pointer: '/eventList/purchaseOrderNumber', accepted: 'PO-88120', found: '' },
  'shape/type': { pointer: `${line}/shipQuantity`, accepted: 40, found: '40' },
  'shape/length': { pointer: `${place}/locationName`, accepted: 'Green Valley Cooler', found: 'Cooler '.repeat(15) },
  'shape/text': { pointer: `${place}/locationName`, accepted: 'Green Valley Cooler', found: 'Cooler\u0000' },
  'shape/date': { pointer: '/eventList/purchaseOrderDate', accepted: '2026-03-04', found: '2026-02-30' },
  'shape/date-time': {
    pointer: '/eventList/eventDateTime',
    accepted: '2026-03-04T09:30:00-08:00',
    found: '2026-03-04T09:30:00.000',
  },
  'shape/unknown-field': { pointer: `${line}/lotNumber`, accepted: undefined, found: 'GV26063-A' },
  'shape/list-minimum': { pointer: '/eventList/productList', accepted: [lineExample()], found: [] },
  'product/ftl-category-given': { pointer: `${product}/ftlCategory`, accepted: 'tomatoes', found: undefined },
  'product/ftl-category-listed': { pointer: `${product}/ftlCategory`, accepted: 'leafy greens', found: 'Salad' },
  'product/gtin-digits': { pointer: `${product}/gtin`, ...gtins },
  'product/gtin-check-digit': { pointer: `${product}/gtin`, ...gtinCheck },
  'product/item-upc-digits': { pointer: `${product}/itemUpc`, ...upcs },
  'product/item-upc-check-digit': { pointer: `${product}/itemUpc`, ...upcCheck },
  'product/inner-pack-upc-digits': { pointer: `${product}/innerPackUpc`, ...upcs },
  'product/inner-pack-upc-check-digit': { pointer: `${product}/innerPackUpc`, ...upcCheck },
  'product/off-list-without-category': { pointer: `${product}/isFtlItem`, accepted: true, found: false },
  'product/identifiers-assigned': { pointer: `${product}/gtin`, accepted: gtins.accepted, found: '0'.repeat(14) },
  'product/weight-unit': { pointer: `${product}/netWeight`, accepted: undefined, found: 15 },
  'product/name': { pointer: `${product}/itemDescription`, accepted: 'Vine tomatoes 12 lb', found: 'n/a' },
  'product/commodity': { pointer: `${product}/productCommodity`, accepted: 'Tomato', found: undefined },
  'location/identifiers-assigned': { pointer: `${place}/gln`, accepted: glns.accepted, found: '0'.repeat(13) },
  'receiving-event/date-received': {
    pointer: '/eventList/eventDateTime',
    accepted: '2026-03-04T09:30:00-08:00',
    found: '1970-01-01T00:00:00Z',
  },
  'receiving-event/ends-differ': {
    pointer: '/eventList/shipFromLocationCode',
    accepted: 'SHIP-FROM',
    found: 'SHIP-TO',
  },
  'receiving-event/lading-quantity-positive': {
    pointer: '/eventList/shipmentLadingQuantity',
    accepted: 1120,
    found: 0,
  },
  'product-line/identifiers-assigned': {
    pointer: `${line}/palletId`,
    accepted: '106141411234567897',
    found: '0'.repeat(18),
  },
  'product-line/case-gtin-of-product': {
    pointer: `${line}/caseGtin`,
    accepted: gtins.accepted,
    found: '10614141000521',
  },
  'product-line/quantity-positive': { pointer: `${line}/shipQuantity`, accepted: 40, found: -5 },
  'product-line/quantity-unit': { pointer: `${line}/shipQuantityUom`, accepted: 'case', found: 'n/a' },
  'receiving-event/years-plausible': {
    pointer: '/eventList/purchaseOrderDate',
    accepted: '2026-03-01',
    found: '0026-03-01',
  },
  'receiving-event/ordered-before-receipt': {
    pointer: '/eventList/purchaseOrderDate',
    accepted: '2026-03-01',
    found: '2026-04-01',
  },
  'product-line/years-plausible': { pointer: `${line}/packagingDate`, accepted: '2026-03-02', found: '1926-03-02' },
  'product-line/good-at-receipt': {
    pointer: `${line}/expirationDate`,
    accepted: '2026-03-20',
    found: '2026-03-01',
  },
  'product-line/made-before-receipt': {
    pointer: `${line}/harvestDate`,
    accepted: '2026-03-02',
    found: '2027-03-02',
  },
  'product-line/tlc-source-ffrn-form': {
    pointer: `${line}/tlcSourceReferenceFfrn`,
    accepted: '14532865782',
    found: '123456789',
  },
  'product-line/tlc-source-fei-form': {
    pointer: `${line}/tlcSourceReferenceFei`,
    accepted: '3004567890',
    found: '300456789',
  },
  'product-line/tlc-source-url-form': {
    pointer: `${line}/tlcSourceReferenceUrl`,
    accepted: 'https://trace.example.com/source/gv-1',
    found: 'trace.example.com/source/gv-1',
  },
  'product-line/country-known': { pointer: `${line}/countryOfOrigin`, accepted: 'MEX', found: 'ZZZ' },
  'product/packaging-size': { pointer: `${product}/packSize`, accepted: '24 x 10 oz', found: undefined },
  'product/packaging-style': { pointer: `${product}/packStyle`, accepted: 'carton', found: undefined },
  'location/phone-with-address': {
    pointer: place,
    accepted: { ...bareLocation(), phoneNumber: '+1.831.555.0100' },
    found: bareLocation(),
  },
  'location/gln-digits': { pointer: `${place}/gln`, ...glns },
  'location/gln-check-digit': { pointer: `${place}/gln`, ...glnCheck },
  'location/duns-digits': { pointer: `${place}/duns`, ...dunsNumbers },
  'location/geo-one-form': {
    pointer: `${place}/geoLocation`,
    accepted: { gpsCoordinates: ['36 40.66 N', '121 39.33 W'] },
    found: {},
  },
  'location/coordinates-form': {
    pointer: `${place}/geoLocation`,
    accepted: { gpsCoordinates: ['36 40.66 N', '121 39.33 W'] },
    found: { gpsCoordinates: ['36 40.66 N'] },
  },
  'location/fence-form': {
    pointer: `${place}/geoLocation`,
    accepted: { geoFence: fence() },
    found: { geoFence: fence().slice(1) },
  },
  'location/phone-format': { pointer: `${place}/phoneNumber`, accepted: '+1.831.555.0100', found: '831-555-0100' },
  'location/type-listed': { pointer: `${place}/locationType`, accepted: 'Supplier', found: 'Farm' },
  'location/gln-assigner-listed': { pointer: `${place}/glnAssignedBy`, accepted: 'Internal', found: 'Us' },
  'receiving-event/ship-from-listed': {
    pointer: '/eventList/shipFromLocationCode',
    accepted: 'SHIP-FROM',
    found: 'ship-from',
  },
  'receiving-event/ship-to-listed': {
    pointer: '/eventList/shipToLocationCode',
    accepted: 'SHIP-TO',
    found: 'SHIP-TO ',
  },
  'receiving-event/carrier-code-letters': {
    pointer: '/eventList/standardCarrierAlphaCode',
    accepted: 'GVTL',
    found: 'GV1',
  },
  'product-line/lot-number-given': { pointer: `${line}/caseLotNumber`, accepted: 'GV26063-A', found: undefined },
  'product-line/lot-code-barcode': { pointer: `${line}/caseLotNumber`, accepted: 'GV26063-A', found: 'GV 26063 #A' },
  'product-line/case-gtin-digits': { pointer: `${line}/caseGtin`, ...gtins },
  'product-line/case-gtin-check-digit': { pointer: `${line}/caseGtin`, ...gtinCheck },
  'product-line/pallet-id-digits': {
    pointer: `${line}/palletId`,
    accepted: '106141411234567897',
    found: '(00)106141411234567897',
  },
  'product-line/pallet-id-check-digit': {
    pointer: `${line}/palletId`,
    accepted: '106141411234567897',
    found: '106141411234567890',
  },
  'product-line/item-upc-digits': { pointer: `${line}/itemUpc`, ...upcs },
  'product-line/item-upc-check-digit': { pointer: `${line}/itemUpc`, ...upcCheck },
  'product-line/tlc-source-gln-digits': { pointer: `${line}/tlcSourceReferenceGln`, ...glns },
  'product-line/tlc-source-gln-check-digit': { pointer: `${line}/tlcSourceReferenceGln`, ...glnCheck },
  'product-line/tlc-source-duns-digits': { pointer: `${line}/tlcSourceReferenceDuns`, ...dunsNumbers },
  'product-line/tlc-source-given': {
    pointer: `${line}/tlcSourceReferenceGln`,
    accepted: '0614141000012',
    found: undefined,
  },
  'product-line/country-letters': { pointer: `${line}/countryOfOrigin`, accepted: 'USA', found: 'US' },
  'product-line/item-code-listed': { pointer: `${line}/vendorItemCode`, accepted: 'TOM-1', found: 'TOM-2' },
}

function lineExample() {
  return {
    vendorItemCode: 'TOM-1',
    shipQuantity: 40,
    shipQuantityUom: 'case',
    caseLotNumber: 'GV26063-A',
    tlcSourceReferenceGln: '0614141000012',
  }
}

function bareLocation() {
  return { locationCode: 'SHIP-FROM', locationName: 'Harbor Greenhouse', address: { city: 'Watsonville' } }
}

function fence() {
  return [
    ['36 40.66 N', '121 39.33 W'],
    ['36 40.70 N', '121 39.33 W'],
    ['36 40.70 N', '121 39.40 W'],
  ]
}
