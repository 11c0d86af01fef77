// Layouts of the Produce Traceability Initiative. Each heading is spelled as there. Source: 21 CFR
// 1.1340, 1.1345; decision 0048.
import type { Layout, Meaning } from '../layout.ts'
import { splitQuantity, unitSplit } from '../quantity-with-unit.ts'
import { locationTable, productTable, receivingTable, shippingTable } from '../template.ts'
import { asField, column, namedDocument, ptiDate, ptiDateKind, street } from './meanings.ts'

/** The quantity and its unit, which may be any text. */
function readQuantity(text: string): Record<string, string> {
  const read = splitQuantity(text)
  return read === undefined ? { shipQuantity: text } : { shipQuantity: read.quantity, shipQuantityUom: read.unit }
}

const sourceReference = (kind: string, meaning: Meaning): Layout['headings'] => ({
  [`(a)(7) TLC Source Reference ${kind}`]: meaning,
})

/** Columns of both sheets of PTI about the food and the source of its lot code. */
const ptiFood: Layout['headings'] = {
  '(a)(1) TLC - GTIN': column('caseGtin', 'product.gtin'),
  '(a)(1) TLC - Batch': column('caseLotNumber'),
  '(b)(1) TLC - Assigned By': 'ignored',
  '(a)(2) Qty & UOM': {
    read: readQuantity,
    tell: unitSplit,
  },
  '(a)(3) Product Description': column('vendorItemDescription', 'product.itemDescription'),
  ...sourceReference('GLN', column('tlcSourceReferenceGln')),
  ...sourceReference('FFRN', column('tlcSourceReferenceFfrn')),
  ...sourceReference('URL', column('tlcSourceReferenceUrl')),
  ...sourceReference('GGN', {
    read: (text) => ({ tlcSourceReferenceOther: /^GGN/i.test(text) ? text : `GGN:${text}` }),
    tell: (text) =>
      /^GGN/i.test(text)
        ? undefined
        : { kind: 'GGN', says: `is imported with its kind in front, ${text} as GGN:${text}` },
  }),
  '(b)(5) TLC Source Reference - Assigned By': 'ignored',
  '(a)(7) TLC Source Name': column('tlcSourceName'),
  '(a)(7) TLC Source Street': column('tlcSourceAddress1'),
  '(a)(7) TLC Source City': column('tlcSourceCity'),
  '(a)(7) TLC Source State': column('tlcSourceState'),
  '(a)(7) TLC Source Country': column('tlcSourceCountry'),
  '(a)(7) TLC Source Zip Code': column('tlcSourcePostalCode'),
  '(a)(7) TLC Source Phone Number': column('tlcSourcePhoneNumber'),
}

const ptiReceiving: Layout = {
  name: 'a PTI receiving sheet',
  table: receivingTable,
  foreign: true,
  marks: ['(a)(1) TLC - GTIN', '(a)(1) TLC - Batch', '(a)(6) Receive Date'],
  headings: {
    ...ptiFood,
    '(a)(1) TLC - Date**': asField(ptiDate),
    '(a)(1) TLC - Date Type**': asField(ptiDateKind),
    '(a)(1) TLC - SSCC**': column('palletId'),
    '(a)(4) Immediate Previous Source (IPS) Location - (Shipped from Location)': column('shipFrom.locationName'),
    '(a)(4) IPS Location': column('shipFrom.locationName'),
    '(a)(5) Receive Location': column('shipTo.locationName'),
    '(a)(6) Receive Date': column('eventDateTime'),
    '(a)(8) Ref Doc': asField(namedDocument),
  },
}

const ptiShipping: Layout = {
  name: 'a PTI shipping sheet',
  table: shippingTable,
  foreign: true,
  marks: ['(1) TLC - GTIN', '(1) TLC - Batch', '(6) Ship Date'],
  headings: {
    ...ptiFood,
    'Date Code**': asField(ptiDate),
    'Date Type**': asField(ptiDateKind),
    // It is computed from GTIN, lot code and date.
    'VoiceCode**': 'ignored',
    'Pallet ID*': column('palletId'),
    '(4) Ship-To Location': column('shipTo.locationName'),
    'Ship-To Location ID**': column('shipTo.gln'),
    '(5) Ship-From Location': column('shipFrom.locationName'),
    'Ship-From Location ID**': column('shipFrom.gln'),
    '(6) Ship Date': column('eventDateTime'),
    '(8) Ref Doc Type and Number': asField(namedDocument),
  },
}

/** "36.67 N, 121.65 W": latitude and longitude, which are two columns of our template. */
const readCoordinates = (text: string) => ({ 'geoLocation.gpsCoordinates': text.replaceAll(/[,;]/g, '; ') })

const ptiLocations: Layout = {
  name: 'a PTI sheet of locations',
  table: locationTable,
  foreign: true,
  marks: ['Business or Farm Name', 'City'],
  headings: {
    'Business or Farm Name': column('locationName'),
    Phone: column('phoneNumber'),
    'Phone Number': column('phoneNumber'),
    Address: column('address.streetAddress1'),
    'Physical Location Address (or geo-coordinates)': street(['address.streetAddress1']),
    City: column('address.city'),
    State: column('address.state'),
    'State or Region': column('address.state'),
    Zip: column('address.postalCode'),
    'Zip or Postal Code': column('address.postalCode'),
    Country: column('address.country'),
    // A field of a farm is not a party to receiving; a location has neither a registration number
    // nor a web address.
    'Field Name*': 'ignored',
    'Geo-Coordinates*': { read: readCoordinates },
    'GLN**': column('gln'),
    'FFRN**': 'ignored',
    'TLC Source Lookup Site': 'ignored',
  },
}

const ptiProducts: Layout = {
  name: 'a PTI sheet of products',
  table: productTable,
  foreign: true,
  marks: ['FTL List Category', 'GTIN'],
  headings: {
    'FTL List Category': { read: (text) => ({ ftlCategory: text, isFtlItem: 'true' }) },
    GTIN: column('gtin'),
    'Product Name': column('itemDescription'),
    'Product Desc': column('itemDescription'),
  },
}

export const ptiLayouts: readonly Layout[] = [ptiReceiving, ptiShipping, ptiLocations, ptiProducts]
