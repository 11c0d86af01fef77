// Sheets of others: FDA's sheet Receiving, and those of the Produce Traceability Initiative. Each heading once, as it is spelled
// there. Source: 21 CFR 1.1345(a), 1.1455(c)(3).
import type { Layout, Meaning } from './layout.ts'
import type { Said } from './sheet.ts'
import { eventTable, locationTable, productTable } from './template.ts'

const column = (name: string, ...also: readonly string[]): Meaning => ({ column: name, also })

/** The seven columns of a location description under one group of headings. */
const place = (group: string, columns: readonly string[], state: string, zip: string) => {
  const parts = [
    'Business Name',
    'Phone Number',
    'Street Address or Geographic Coordinates',
    'City',
    state,
    zip,
    'Country',
  ]
  return Object.fromEntries(parts.map((part, i) => [`${group} - ${part}`, column(columns[i] ?? '')]))
}

const locationColumns = (part: string) =>
  [
    'locationName',
    'phoneNumber',
    'address.streetAddress1',
    'address.city',
    'address.state',
    'address.postalCode',
    'address.country',
  ].map((field) => `${part}.${field}`)

const sourceColumns = [
  'tlcSourceName',
  'tlcSourcePhoneNumber',
  'tlcSourceAddress1',
  'tlcSourceCity',
  'tlcSourceState',
  'tlcSourcePostalCode',
  'tlcSourceCountry',
]

const referenceKinds: readonly (readonly [form: RegExp, column: string])[] = [
  [/^FFRN\s*:\s*/i, 'tlcSourceReferenceFfrn'],
  [/^FEI\s*:\s*/i, 'tlcSourceReferenceFei'],
  [/^GLN\s*:\s*/i, 'tlcSourceReferenceGln'],
  [/^DUNS\s*:\s*/i, 'tlcSourceReferenceDuns'],
]

/** References to a lot code source, apart by "; ": a number with its kind before it, a web link, or something else. */
function readReferences(text: string): Record<string, string> {
  const read: Record<string, string> = {}
  for (const one of text.split(/;\s+/)) {
    const known = referenceKinds.find(([form]) => form.test(one))
    const kind = known?.[1] ?? (/^https?:\/\//i.test(one) ? 'tlcSourceReferenceUrl' : 'tlcSourceReferenceOther')
    const value = known === undefined ? one : one.replace(known[0], '')
    // Two of one kind: the second is kept with the others, so that none is lost.
    if (read[kind] === undefined) read[kind] = value
    else read.tlcSourceReferenceOther = [read.tlcSourceReferenceOther, one].filter(Boolean).join('; ')
  }
  return read
}

const documentKinds: readonly (readonly [form: RegExp, column: string])[] = [
  [/\bBOL\b|bill of lading/i, 'billOfLadingNumber'],
  [/\bASN\b|advanced? ship(ping|ment)? notice/i, 'asnNumber'],
  [/\bPO\b|purchase order/i, 'purchaseOrderNumber'],
]

/** The column of a reference document by what its kind is called. */
const documentColumn = (kind: string): string | undefined => documentKinds.find(([form]) => form.test(kind))?.[1]

/** "PO 88120": a document and its number in one cell. */
function readDocument(text: string): Record<string, string> {
  const kind = documentColumn(text)
  if (kind === undefined) return { [unknownDocument]: text }
  const number = text
    .replace(/\b(bill of lading|advanced? ship(ping|ment)? notice|purchase order)\b|\((BOL|ASN|PO)\)/gi, '')
    .replace(/^\W*(BOL|ASN|PO)\b/i, '')
    .replace(/^[\s:#.-]+/, '')
    .trim()
  return { [kind]: number === '' ? text : number }
}

/** Names under which a row carries what is no column of the template. */
const unknownDocument = '(a reference document of another kind)'
const documentPairs = [
  ['(document type 1)', '(document number 1)'],
  ['(document type 2)', '(document number 2)'],
] as const

const said = (name: string): Meaning => ({ read: (text) => ({ [name]: text }) })

const fdaReceiving: Layout = {
  name: "FDA's sheet Receiving",
  table: eventTable,
  foreign: true,
  marks: ['Traceability Lot Code', 'Date you Received the Food (mm/dd/yyyy)'],
  headings: {
    'Traceability Lot Code': column('caseLotNumber'),
    Quantity: column('shipQuantity'),
    'Unit of Measure': column('shipQuantityUom'),
    'Product Description - Product Name': column('vendorItemDescription', 'product.itemDescription'),
    'Product Description - Brand Name (if applicable)': column('product.brandName'),
    'Product Description - Commodity (if applicable)': column('product.productCommodity'),
    'Product Description - Variety (if applicable)': column('product.productVariety'),
    'Product Description - Packaging Size': column('product.packSize'),
    'Product Description - Packaging Style': column('product.packStyle'),
    ...place(
      'Location Description for the Immediate Previous Source (other than a transporter)',
      locationColumns('shipFrom'),
      'State or Region',
      'ZIP or Postal Code',
    ),
    ...place(
      'Location Description for where the Food was Received',
      locationColumns('shipTo'),
      'State or Region',
      'ZIP or Postal Code',
    ),
    'Date you Received the Food (mm/dd/yyyy)': column('eventDateTime'),
    ...place(
      'Location Description for the Traceability Lot Code Source',
      sourceColumns,
      'State/Region',
      'ZIP/Postal Code',
    ),
    'Traceability Lot Code Source Reference (may be provided instead of the location description for the TLC Source)': {
      read: readReferences,
    },
    'Reference Document Type': said(documentPairs[0][0]),
    'Reference Document Number': said(documentPairs[0][1]),
    'Reference Document Type2': said(documentPairs[1][0]),
    'Reference Document Number2': said(documentPairs[1][1]),
  },
}

/** "40 cases": a number, and what follows it. */
function readQuantity(text: string): Record<string, string> {
  const [, quantity, unit] = /^([\d.,]+)\s*(\S.*)?$/s.exec(text.trim()) ?? []
  return quantity === undefined ? { shipQuantity: text } : { shipQuantity: quantity, shipQuantityUom: unit ?? '' }
}

/** The kind of a date, and the column that means; the date itself stands in another column. */
const ptiDate = '(date)'
const ptiDateKind = '(date type)'
const dateKinds: readonly (readonly [form: RegExp, column: string])[] = [
  [/pack/i, 'packagingDate'],
  [/harvest/i, 'harvestDate'],
  [/best|quality/i, 'bestBeforeDate'],
  [/use by|expir|sell/i, 'expirationDate'],
  [/prod/i, 'productionDate'],
]

const ptiReceiving: Layout = {
  name: 'a PTI receiving sheet',
  table: eventTable,
  foreign: true,
  marks: ['(a)(1) TLC - GTIN', '(a)(1) TLC - Batch', '(a)(6) Receive Date'],
  headings: {
    '(a)(1) TLC - GTIN': column('caseGtin', 'product.gtin'),
    '(a)(1) TLC - Batch': column('caseLotNumber'),
    '(a)(1) TLC - Date**': said(ptiDate),
    '(a)(1) TLC - Date Type**': said(ptiDateKind),
    '(a)(1) TLC - SSCC**': column('palletId'),
    '(b)(1) TLC - Assigned By': 'ignored',
    '(a)(2) Qty & UOM': { read: readQuantity },
    '(a)(3) Product Description': column('vendorItemDescription', 'product.itemDescription'),
    '(a)(4) Immediate Previous Source (IPS) Location - (Shipped from Location)': column('shipFrom.locationName'),
    '(a)(4) IPS Location': column('shipFrom.locationName'),
    '(a)(5) Receive Location': column('shipTo.locationName'),
    '(a)(6) Receive Date': column('eventDateTime'),
    '(a)(7) TLC Source Reference GLN': column('tlcSourceReferenceGln'),
    '(a)(7) TLC Source Reference FFRN': column('tlcSourceReferenceFfrn'),
    '(a)(7) TLC Source Reference URL': column('tlcSourceReferenceUrl'),
    '(a)(7) TLC Source Reference GGN': {
      read: (text) => ({ tlcSourceReferenceOther: /^GGN/i.test(text) ? text : `GGN:${text}` }),
    },
    '(b)(5) TLC Source Reference - Assigned By': 'ignored',
    '(a)(8) Ref Doc': { read: readDocument },
    '(a)(7) TLC Source Name': column('tlcSourceName'),
    '(a)(7) TLC Source Street': column('tlcSourceAddress1'),
    '(a)(7) TLC Source City': column('tlcSourceCity'),
    '(a)(7) TLC Source State': column('tlcSourceState'),
    '(a)(7) TLC Source Country': column('tlcSourceCountry'),
    '(a)(7) TLC Source Zip Code': column('tlcSourcePostalCode'),
    '(a)(7) TLC Source Phone Number': column('tlcSourcePhoneNumber'),
  },
}

/** "36.67 N, 121.65 W": latitude and longitude, apart as our template has them. */
const readCoordinates = (text: string) => ({ 'geoLocation.gpsCoordinates': text.replaceAll(/[,;]/g, '; ') })

const ptiLocations: Layout = {
  name: 'a PTI sheet of locations',
  table: locationTable,
  foreign: true,
  marks: ['Business or Farm Name', 'City'],
  headings: {
    'Business or Farm Name': column('locationName'),
    Phone: column('phoneNumber'),
    Address: column('address.streetAddress1'),
    City: column('address.city'),
    State: column('address.state'),
    Zip: column('address.postalCode'),
    Country: column('address.country'),
    // A field of a farm is no party to receiving, and a location has no registration number.
    'Field Name*': 'ignored',
    'Geo-Coordinates*': { read: readCoordinates },
    'GLN**': column('gln'),
    'FFRN**': 'ignored',
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

export const foreignLayouts = [fdaReceiving, ptiReceiving, ptiLocations, ptiProducts] as const

/** Replaces what a row says in two columns by the one column it means. Returns what could not be placed. */
export function joinPairs(said: Map<string, Said>): readonly string[] {
  const lost: string[] = []
  const take = (name: string) => {
    const one = said.get(name)
    said.delete(name)
    return one
  }
  const put = (column: string | undefined, one: Said | undefined, kind: string) => {
    if (one === undefined) return
    if (column !== undefined && !said.has(column)) said.set(column, one)
    else if (column === undefined || said.get(column)?.cell.text !== one.cell.text)
      lost.push(`${kind} ${one.cell.text}`.trim())
  }
  for (const [typeName, numberName] of documentPairs) {
    const type = take(typeName)?.cell.text ?? ''
    put(documentColumn(type), take(numberName), type)
  }
  const dateKind = take(ptiDateKind)?.cell.text ?? ''
  put(dateKinds.find(([form]) => form.test(dateKind))?.[1], take(ptiDate), dateKind)
  put(undefined, take(unknownDocument), '')
  return lost
}
