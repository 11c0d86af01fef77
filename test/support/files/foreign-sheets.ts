// Sheets of FDA and of the Produce Traceability Initiative, with the headings that theirs have.
import { eventSheets, headingCell, shippingSheet } from '../../../src/exports/fda-spreadsheet/template.ts'

const place = (group: string, state = 'State or Region', zip = 'ZIP or Postal Code') =>
  [
    'Business Name\n\n(Name of the Company)',
    'Phone Number',
    'Street Address or Geographic Coordinates',
    'City',
    state,
    zip,
    'Country',
  ].map((part) => `${group} - \n${part}`)

/** FDA's 36 headings, with line breaks and some hints as its template has them. */
export const fdaHeadings = [
  'Traceability Lot Code\n\n(The Traceability Lot Code assigned to the food)',
  'Quantity',
  'Unit of Measure',
  ...[
    'Product Name',
    'Brand Name (if applicable)',
    'Commodity (if applicable)',
    'Variety (if applicable)',
    'Packaging Size',
    'Packaging Style',
  ].map((part) => `Product Description - \n${part}`),
  ...place('Location Description for the Immediate Previous Source (other than a transporter)'),
  ...place('Location Description for where the Food was Received'),
  'Date you Received the Food\n(mm/dd/yyyy)',
  ...place('Location Description for the Traceability Lot Code Source', 'State/Region', 'ZIP/Postal Code'),
  'Traceability Lot Code Source Reference (may be provided instead of the location description for the TLC Source)',
  'Reference Document Type',
  'Reference Document Number',
  'Reference Document Type2',
  'Reference Document Number2',
]

const from = ['Harbor Greenhouse', '+1.831.555.0142', '5 Quay Street', 'Watsonville', 'CA', '95076', 'n/a']
const to = ['River Warehouse', '+1.901.555.0186', '17 Levee Road', 'Memphis', 'TN', '38103', 'USA']
const source = (text: string) => [text, ...Array(6).fill('')]
export const fdaRow = (changes: Readonly<Record<number, string>> = {}) =>
  [
    ...['HG-1', '40', 'case', 'Vine tomatoes', 'Harbor', 'Tomato', '', '12 lb', 'carton'],
    ...from,
    ...to,
    '03/04/2026',
    ...source('n/a (See Reference)'),
    'FFRN:14532865782; GLN:0614141000012; https://x.example/1',
    ...['Bill of Lading (BOL)', 'B-1', 'Purchase Order (PO)', 'PO-1'],
  ].map((text, i) => changes[i] ?? text)

/** The headings of FDA's sheet Shipping, exactly as in its template. */
export const fdaShippingHeadings = (eventSheets.find(({ name }) => name === shippingSheet)?.headings ?? []).map(
  headingCell,
)

/** A row of the sheet Shipping: the recipient comes before the place it was shipped from. */
export const fdaShippingRow = (changes: Readonly<Record<number, string>> = {}) => {
  const row = fdaRow()
  return [...row.slice(0, 9), ...row.slice(16, 23), ...row.slice(9, 16), ...row.slice(23)].map(
    (text, i) => changes[i] ?? text,
  )
}

/** Headings of PTI's workbooks, which differ from file to file. */
export const ptiReceivingHeadings = (sourceReference = '(a)(7) TLC Source Reference ') => [
  '(a)(1) TLC - GTIN',
  '(a)(1) TLC - Batch',
  '(a)(1) TLC - Date**',
  '(a)(1) TLC - Date Type**',
  '(a)(1) TLC - SSCC**',
  '(b)(1) TLC - Assigned By',
  '(a)(2) Qty & UOM',
  '(a)(3) Product Description',
  '(a)(4) Immediate Previous Source (IPS) Location - (Shipped from Location)',
  '(a)(5) Receive Location',
  '(a)(6) Receive Date',
  ...['GLN', 'FFRN', 'URL', 'GGN'].map((kind) => `${sourceReference}${kind}`),
  '(b)(5) TLC Source Reference - Assigned By',
  '(a)(8) Ref Doc',
  ...['Name', 'Street', 'City', 'State', 'Country', 'Zip Code', 'Phone Number'].map(
    (part) => `(a)(7) TLC Source ${part}`,
  ),
]

export const ptiShippingHeadings = [
  '(1) TLC - GTIN',
  '(1) TLC - Batch',
  'Date Code**',
  'Date Type**',
  'VoiceCode**',
  'Pallet ID*',
  'TLC - Assigned By**',
  '(2) Qty & UOM',
  '(3) Product Description',
  '(4) Ship-To Location',
  'Ship-To Location ID**',
  '(5) Ship-From Location',
  'Ship-From Location ID**',
  '(6) Ship Date',
  ...['GLN', 'FFRN', 'URL', 'GGN'].map((kind) => `(7) TLC Source Reference ${kind}`),
  'TLC Source Reference - Assigned By**',
  '(8) Ref Doc Type and Number',
]

const ptiLocationHeadings = [
  'Business or Farm Name',
  'Phone Number',
  'Physical Location Address (or geo-coordinates)',
  'City',
  'State or Region',
  'Zip or Postal Code',
  'Country',
  'Field Name*',
  'Geo-Coordinates*',
  'GLN**',
  'FFRN**',
  'TLC Source Lookup Site',
]

/** The quotations of the rule that stand above each table. */
const preamble = (...texts: readonly string[]) => [...texts.map((text) => [text]), []]
const footnotes = [[], [], ['* if applicable'], ['** optional'], [], ['(1) The traceability lot code for the food;']]

/** A table as PTI writes it: rule above it, footnotes below it. */
const ptiTable = (name: string, section: string, rows: readonly (readonly string[])[]) => ({
  name,
  rows: [
    ...preamble(`§ ${section} What records must I keep?`, '(a) Except as specified in (b) and (c)'),
    ...preamble('See spreadsheet below', '(b) For each traceability lot', '(c) This section does not apply'),
    ...rows,
    ...footnotes,
  ],
})

/** A workbook as PTI ships it, with other names and numbers. */
export const ptiSheets = (rows: readonly (readonly string[])[], headings = ptiReceivingHeadings()) => [
  ptiTable('Receiving', '1.1345', [headings, ...rows]),
  ...ptiMasterSheets,
]

export const ptiShippingSheets = (rows: readonly (readonly string[])[]) => [
  ptiTable('Shipping', '1.1340', [ptiShippingHeadings, ...rows]),
  ...ptiMasterSheets,
]

const ptiMasterSheets = [
  {
    name: 'Locations',
    rows: [
      ...preamble('Location description means key contact information for the location where a food is handled.'),
      ptiLocationHeadings,
      [
        ...['Harbor Greenhouse', '(831)555-0142', '5 Quay Street', 'Watsonville', 'CA', '95076', 'USA', 'HG-4'],
        ...['36.916446, -121.833193', '0614141000012', '145328657', 'https://lots.example/'],
      ],
      ['River Warehouse', '(901) 555-0186', '17 Levee Road', 'Memphis', 'TN', '38103', 'USA'],
      ...footnotes,
    ],
  },
  {
    name: 'Products',
    rows: [
      ...preamble('Product description means a description of a food product.'),
      ['FTL List Category', 'GTIN', 'Product Name'],
      ['Tomatoes', '10614141000415', 'Vine tomatoes - 12 lb'],
    ],
  },
]

/** A row of the sheet Receiving with these cells in place of what stands there. */
export const ptiRow = (changes: Readonly<Record<number, string>> = {}) =>
  [
    ...['10614141000415', '187', '260302', 'Pack Date', '106141411234567897', 'Grower / Shipper', '20 CS'],
    ...['Vine tomatoes - 12 lb', 'Harbor Greenhouse', 'River Warehouse', '2026-03-04'],
    ...['', '145328657', '', '', 'Grower / Shipper', 'ASN-12005', 'Harbor Greenhouse', '5 Quay Street'],
    ...['Watsonville', 'CA', 'USA', '95076', '(831)555-0142'],
  ].map((text, i) => changes[i] ?? text)

/** The same for the sheet Shipping. */
export const ptiShippingRow = (changes: Readonly<Record<number, string>> = {}) =>
  [
    ...['10614141000415', '187', '260302', 'PACK DATE', '7557', '106141411234567897', 'Grower / Shipper', '20 CS'],
    ...['Vine tomatoes - 12 lb', 'River Warehouse', '0614141999996', 'Harbor Greenhouse', '0614141000012', '3/4/26'],
    ...['', '145328657', '', '', 'Grower / Shipper', 'INV-12005 Line 1'],
  ].map((text, i) => changes[i] ?? text)
