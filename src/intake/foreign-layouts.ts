// Layouts of other organisations: FDA's sheets Receiving, Receiving From Exempt and Shipping, and
// those of the Produce Traceability Initiative. Each heading is spelled as there. Source: 21 CFR
// 1.1340, 1.1345, 1.1455(c)(3); decisions 0036, 0048, 0080.

import type { ColumnValue } from 'lotkeeper-sheets/sheet'
import type { EventKindName } from '../contract/record-kinds.ts'
import {
  type DocumentField,
  fieldsInOrder,
  fieldsOfDocuments,
  plainKinds,
  type ReferenceDocument,
  readDocumentCells,
  readNamedDocument,
  readReferenceDocument,
} from '../contract/reference-document.ts'
import { isCalendarDate } from '../contract/shape/date-and-time.ts'
import { stringLengthMax } from '../contract/shape/field.ts'
import type { Use } from './cell-text.ts'
import type { Conversion } from './conversions.ts'
import { documentPairs } from './document-columns.ts'
import type { Layout, Meaning } from './layout.ts'
import { moveUnit, splitQuantity, unitSplit } from './quantity-with-unit.ts'
import { locationTable, productTable, receivingTable, shippingTable } from './template.ts'

const column = (name: string, ...also: readonly string[]): Meaning => ({ column: name, also })

const placeFields = [
  'locationName',
  'phoneNumber',
  'address.streetAddress1',
  'address.city',
  'address.state',
  'address.postalCode',
  'address.country',
]
const sourceColumns = [
  'tlcSourceName',
  'tlcSourcePhoneNumber',
  'tlcSourceAddress1',
  'tlcSourceCity',
  'tlcSourceState',
  'tlcSourcePostalCode',
  'tlcSourceCountry',
]
const locationColumns = (part: string) => placeFields.map((field) => [`${part}.${field}`])

/**
 * The seven columns of a location description under one group of headings, each with the columns
 * that its text fills.
 */
const place = (group: string, columns: readonly (readonly string[])[], state: string, zip: string) => {
  const parts = [
    'Business Name',
    'Phone Number',
    'Street Address or Geographic Coordinates',
    'City',
    state,
    zip,
    'Country',
  ]
  return Object.fromEntries(
    parts.map((part, i) => {
      const [first = '', ...also] = columns[i] ?? []
      return [`${group} - ${part}`, part.startsWith('Street') ? street([first, ...also]) : column(first, ...also)]
    }),
  )
}

/**
 * A street in the first line of an address. A text longer than the field continues in the second,
 * split at a comma.
 */
const street = (columns: readonly string[]): Meaning => ({
  read: (text) => {
    const [first, second] = twoLines(text)
    return Object.fromEntries(
      columns.flatMap((name) => [[name, first], ...(second === '' ? [] : [[name.replace(/1$/, '2'), second]])]),
    )
  },
})

function twoLines(text: string): readonly [string, string] {
  const fits = (line: string) => [...line].length <= stringLengthMax
  if (fits(text)) return [text, '']
  for (let at = text.lastIndexOf(', '); at > 0; at = text.lastIndexOf(', ', at - 1))
    if (fits(text.slice(0, at))) return fits(text.slice(at + 2)) ? [text.slice(0, at), text.slice(at + 2)] : [text, '']
  return [text, '']
}

const referenceKinds: readonly (readonly [form: RegExp, column: string])[] = [
  [/^FFRN\s*:\s*/i, 'tlcSourceReferenceFfrn'],
  [/^FEI\s*:\s*/i, 'tlcSourceReferenceFei'],
  [/^GLN\s*:\s*/i, 'tlcSourceReferenceGln'],
  [/^DUNS\s*:\s*/i, 'tlcSourceReferenceDuns'],
]

/**
 * References to a lot code source, separated by "; ": a number after its kind, a web link, or other
 * text.
 */
function readReferences(text: string): Record<string, string> {
  const read: Record<string, string> = {}
  const others: string[] = []
  for (const one of text.split('; ')) {
    const known = referenceKinds.find(([form]) => form.test(one))
    const kind = known?.[1] ?? (/^https?:\/\//i.test(one) ? 'tlcSourceReferenceUrl' : undefined)
    // The second of a kind joins the others, so that none is lost.
    if (kind === undefined || read[kind] !== undefined) others.push(one)
    else read[kind] = known === undefined ? one : one.replace(known[0], '')
  }
  // Text that is neither a link nor a number of a known kind fills the two fields that take any
  // text.
  const [first = '', ...rest] = others
  if (read.tlcSourceReferenceUrl === undefined && rest.length > 0 && [...others.join('; ')].length > stringLengthMax) {
    read.tlcSourceReferenceUrl = first
    others.shift()
  }
  if (others.length > 0) read.tlcSourceReferenceOther = others.join('; ')
  return read
}

const references: Meaning = {
  read: readReferences,
  tell: (text) =>
    /^(FFRN|FEI|GLN|DUNS)\s*:|; /i.test(text)
      ? {
          kind: 'references',
          says: 'has references with their kind, such as FFRN:14532865782; each is imported into the field of its kind',
        }
      : undefined,
}

const namedDocument = '(document with its kind)'

const asField = (name: string): Meaning => ({ read: (text) => ({ [name]: text }) })

const documentHeadings: Layout['headings'] = {
  'Reference Document Type': asField(documentPairs[0][0]),
  'Reference Document Number': asField(documentPairs[0][1]),
  'Reference Document Type2': asField(documentPairs[1][0]),
  'Reference Document Number2': asField(documentPairs[1][1]),
}

/** The first columns after the lot code, the same in all sheets of FDA. */
const food: Layout['headings'] = {
  Quantity: column('shipQuantity'),
  'Unit of Measure': column('shipQuantityUom'),
  'Product Description - Product Name': column('vendorItemDescription', 'product.itemDescription'),
  'Product Description - Brand Name (if applicable)': column('product.brandName'),
  'Product Description - Commodity (if applicable)': column('product.productCommodity'),
  'Product Description - Variety (if applicable)': column('product.productVariety'),
  'Product Description - Packaging Size': column('product.packSize'),
  'Product Description - Packaging Style': column('product.packStyle'),
}

const eventPlace = (group: string, part: 'shipFrom' | 'shipTo'): Layout['headings'] =>
  place(group, locationColumns(part), 'State or Region', 'ZIP or Postal Code')

/** The last columns of both sheets: the source of the lot code, and the documents. */
const sourceAndDocuments: Layout['headings'] = {
  ...place(
    'Location Description for the Traceability Lot Code Source',
    sourceColumns.map((name) => [name]),
    'State/Region',
    'ZIP/Postal Code',
  ),
  'Traceability Lot Code Source Reference (may be provided instead of the location description for the TLC Source)':
    references,
  ...documentHeadings,
}

const previousSource = eventPlace(
  'Location Description for the Immediate Previous Source (other than a transporter)',
  'shipFrom',
)

const fdaReceiving: Layout = {
  name: "FDA's sheet Receiving",
  table: receivingTable,
  foreign: true,
  marks: ['Traceability Lot Code', 'Date you Received the Food (mm/dd/yyyy)'],
  headings: {
    'Traceability Lot Code': column('caseLotNumber'),
    ...food,
    ...previousSource,
    ...eventPlace('Location Description for where the Food was Received', 'shipTo'),
    'Date you Received the Food (mm/dd/yyyy)': column('eventDateTime'),
    ...sourceAndDocuments,
  },
}

const fdaShipping: Layout = {
  name: "FDA's sheet Shipping",
  table: shippingTable,
  foreign: true,
  marks: ['Traceability Lot Code', 'Shipping Date (mm/dd/yyyy)'],
  headings: {
    'Traceability Lot Code': column('caseLotNumber'),
    ...food,
    ...eventPlace('Location Description for the Immediate Subsequent Recipient (other than a transporter)', 'shipTo'),
    ...eventPlace('Location Description for the Location from which you Shipped the Food', 'shipFrom'),
    'Shipping Date (mm/dd/yyyy)': column('eventDateTime'),
    ...sourceAndDocuments,
  },
}

/**
 * Food from a source that the rule exempts: the receiver assigns the lot code and is its source.
 * Source: 21 CFR 1.1345(b).
 */
const fdaReceivingFromExempt: Layout = {
  name: "FDA's sheet Receiving From Exempt",
  table: receivingTable,
  foreign: true,
  note: 'the place of receipt becomes the source of the lot code, 21 CFR 1.1345(b); there is no field for the exemption of the shipper, and it is left out',
  marks: [
    'Traceability Lot Code (which you must assign if one has not already been assigned) (does not apply if you are a Retail Food Establishment or Restaurant)',
    'Receive Date (mm/dd/yyyy)',
  ],
  headings: {
    'Traceability Lot Code (which you must assign if one has not already been assigned) (does not apply if you are a Retail Food Establishment or Restaurant)':
      column('caseLotNumber'),
    ...food,
    ...previousSource,
    ...place(
      'Location Description for where the Food was Received (i.e., the Traceability Lot Code Source)',
      placeFields.map((field, i) => [`shipTo.${field}`, sourceColumns[i] ?? '']),
      'State/Region',
      'ZIP/Postal Code',
    ),
    'Traceability Lot Code Source Reference (if applicable)': references,
    'Receive Date (mm/dd/yyyy)': column('eventDateTime'),
    ...documentHeadings,
  },
}

/** The quantity and its unit, which may be any text. */
function readQuantity(text: string): Record<string, string> {
  const read = splitQuantity(text)
  return read === undefined ? { shipQuantity: text } : { shipQuantity: read.quantity, shipQuantityUom: read.unit }
}

/** The column with the kind of a date; the date itself is in another column. */
const ptiDate = '(date)'
const ptiDateKind = '(date type)'
const dateKinds: readonly (readonly [form: RegExp, column: string])[] = [
  [/pack/i, 'packagingDate'],
  [/harvest/i, 'harvestDate'],
  [/best|quality/i, 'bestBeforeDate'],
  [/use by|expir|sell/i, 'expirationDate'],
  [/prod/i, 'productionDate'],
]

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

export const foreignLayouts: readonly Layout[] = [
  fdaReceiving,
  fdaReceivingFromExempt,
  fdaShipping,
  ptiReceiving,
  ptiShipping,
  ptiLocations,
  ptiProducts,
]

/** Only this whole text, in any case, means blank: `NA-2291` is a lot code. */
const notApplicable = /^n\/?a(?:\s*\(see\b[^()]*\))?$/i
export const isNotApplicable = (text: string): boolean => notApplicable.test(text.trim())

/**
 * True for a row that explains a table instead of being part of it: a footnote or instruction alone
 * in its row, or a row whose first cell marks it as an example.
 */
export function isExplanation(texts: readonly string[]): boolean {
  const [first = '', ...others] = texts
  return others.length === 0
    ? /^(?:\*|(?:note|example|instruction|hint)s?\b[^\d]*$)/i.test(first)
    : /^\(?(?:example|sample)(?: row| data| only)*\)?:?$/i.test(first)
}

/** Cells that have a meaning only together. */
export const useOfJoined = (name: string): Use =>
  name === ptiDate ? 'value' : name.includes('type') ? 'words' : 'code'

const documentFields = Object.keys(plainKinds) as DocumentField[]

type Tell = (at: number, conversion: Conversion) => void

/** Text that has no field, and where it is. */
interface Lost {
  readonly text: string
  readonly at: number
}

/**
 * Replaces cells that have a meaning only together, or two meanings, by the columns of that
 * meaning. `isSet` is true of columns that have a value for all rows. Returns texts that have no
 * field.
 */
export function joinCells(
  said: Map<string, ColumnValue>,
  kind: EventKindName | undefined,
  isSet: (column: string) => boolean,
  tell: Tell,
): readonly Lost[] {
  const date = take(said, ptiDate)
  const dateKind = take(said, ptiDateKind)
  const kindText = dateKind?.cell.text ?? ''
  const lost: Lost[] = []
  if (date !== undefined) {
    const name = dateKinds.find(([form]) => form.test(kindText))?.[1]
    if (name === undefined) lost.push({ text: `${kindText} ${date.cell.text}`.trim(), at: (dateKind ?? date).at })
    else said.set(name, labelDate(date, tell))
  } else if (dateKind !== undefined)
    tell(dateKind.at, { kind: 'type alone', says: 'has kinds of dates without a date; they are left out' })
  joinDocuments(said, kind === 'shippingEvent', isSet, tell)
  moveUnit(said, tell)
  return lost
}

/** `230712`, as case labels print a date: year, month, day. */
function labelDate(date: ColumnValue, tell: Tell): ColumnValue {
  const [, year, month, day] = /^(\d{2})(\d{2})(\d{2})$/.exec(date.cell.text.trim()) ?? []
  const iso = `20${year}-${month}-${day}`
  if (year === undefined || !isCalendarDate(iso)) return date
  tell(date.at, {
    kind: 'label date',
    says: `has dates as printed on labels, in the order year, month, day; ${date.cell.text.trim()} is read as ${iso}`,
  })
  return { ...date, cell: { text: iso, is: 'date' } }
}

/**
 * Moves reference documents into their fields; those of other kinds with their kind in front.
 * Source: decision 0050.
 */
function joinDocuments(
  said: Map<string, ColumnValue>,
  isShipping: boolean,
  isSet: (column: string) => boolean,
  tell: Tell,
): void {
  const found: (readonly [document: ReferenceDocument, said: ColumnValue])[] = []
  for (const [typeName, numberName] of documentPairs) {
    const type = take(said, typeName)
    const number = take(said, numberName)
    if (number !== undefined)
      for (const document of readDocumentCells({ type: type?.cell.text ?? '', number: number.cell.text }))
        found.push([document, number])
    else if (type !== undefined)
      tell(type.at, { kind: 'type alone', says: 'has kinds of documents without a number; they are left out' })
  }
  const named = take(said, namedDocument)
  if (named !== undefined) found.push([documentWithKind(named, tell), named])
  if (found.length === 0) return
  // Columns of our template that were added to the sheet state the same about the event.
  for (const field of documentFields) {
    const own = take(said, field)
    if (own !== undefined) found.unshift([readReferenceDocument(own.cell.text, plainKinds[field]), own])
  }
  const documents = found.map(([document]) => document)
  const { fields, left } = isShipping ? fieldsInOrder(documents) : fieldsOfDocuments(lastInFront(documents))
  const saidOf = (document: ReferenceDocument) => found.find(([one]) => one === document)?.[1]
  for (const field of documentFields) {
    const text = fields[field]
    if (text === undefined) continue
    const read = readReferenceDocument(text, plainKinds[field])
    const from = found.find(([{ kind, number }]) => kind === read.kind && number === read.number)?.[1] ?? found[0]?.[1]
    if (from === undefined) continue
    const isOwn = read.kind === plainKinds[field]
    const repeats = !isShipping && field === 'purchaseOrderNumber' && !isOwn && hasOwnField(read, fields)
    if (repeats && isSet(field)) continue
    const isBroken = from.cell.is === 'error' || from.cell.is === 'uncomputed'
    said.set(field, { at: from.at, cell: isBroken ? from.cell : { text, is: 'text' } })
    if (repeats)
      tell(from.at, {
        kind: 'no purchase order',
        says: `has rows without the required purchase order: purchaseOrderNumber repeats the first document with its kind in front, e.g. ${text}`,
      })
    else if (!isOwn)
      tell(from.at, {
        kind: `document in ${field}`,
        says: `has documents of kinds without a field; they are imported as ${field} with the kind in front, e.g. ${text}`,
      })
  }
  for (const document of left)
    tell(saidOf(document)?.at ?? 0, {
      kind: 'document left out',
      says: `has more documents than an event has fields; ${document.kind} ${document.number} and the like are left out`,
    })
}

/**
 * Without a purchase order, the first document of another kind becomes its number, which is listed
 * last. Moving the last document to the front keeps the documents in the order of the sheet.
 */
function lastInFront(documents: readonly ReferenceDocument[]): readonly ReferenceDocument[] {
  const ownKinds = Object.values(plainKinds)
  if (documents.some(({ kind }) => kind === plainKinds.purchaseOrderNumber)) return documents
  const last = documents.filter(({ kind }) => !ownKinds.includes(kind)).at(-1)
  return last === undefined ? documents : [last, ...documents.filter((one) => one !== last)]
}

/** True when the document is in the field of its own kind as well. */
const hasOwnField = ({ kind, number }: ReferenceDocument, fields: Partial<Record<DocumentField, string>>): boolean =>
  documentFields.some(
    (field) =>
      plainKinds[field] === kind &&
      fields[field] !== undefined &&
      readReferenceDocument(fields[field], kind).number === number,
  )

/**
 * "ASN-12005" is a ship notice of that number; only FDA's own names of kinds are cut off in front
 * of a number.
 */
function documentWithKind({ cell: { text }, at }: ColumnValue, tell: Tell): ReferenceDocument {
  const document = readNamedDocument(text)
  if (document === undefined) {
    tell(at, { kind: 'no kind', says: `has documents without a known kind, e.g. ${text}` })
    return { kind: 'Other Document', number: text }
  }
  const front = `${document.kind} `
  const number = text.startsWith(front) ? text.slice(front.length) : ''
  if (number.trim() === '') return document
  tell(at, {
    kind: 'kind in front',
    says: `has kinds of documents in front of their numbers; ${text} is imported as ${document.kind} with the number ${number}`,
  })
  return { kind: document.kind, number }
}

function take(said: Map<string, ColumnValue>, name: string): ColumnValue | undefined {
  const one = said.get(name)
  said.delete(name)
  return one
}
