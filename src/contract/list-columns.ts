// The columns of a table of records, and the text of a record in each: the same on a screen and in
// a file. Payloads are stored as submitted, yet every part may be missing.

import {
  type EventKindName,
  eventKinds,
  isDeliveryKind,
  ofEventKinds,
  placeFieldsOf,
  placePartOf,
  type RecordKindName,
} from './record-kinds.ts'
import { capitalize } from './text/capitalize.ts'
import { pluralize } from './text/pluralize.ts'

type Fields = Readonly<Record<string, unknown>>

export interface ListColumn {
  readonly name: string
  readonly heading: string
  /** The parameter of the list by which it can be sorted. */
  readonly sort?: string
  /** In a file, in characters. */
  readonly width?: number
  /** Shown unless others are chosen. */
  readonly shown?: true
  readonly text: (record: Fields, findings?: FindingCounts) => string | number
}

/** Findings of a record at one moment. */
export interface FindingCounts {
  readonly warnings: number
  readonly gaps: number
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : String(value)

/** The non-empty texts, each once. */
const joined = (values: readonly unknown[]): string =>
  [...new Set(values.map(textOf).filter((text) => text.trim() !== ''))].join(', ')

const event = (record: Fields) => fieldsOf(record.eventList)
const lines = (record: Fields) => listOf(event(record).productList)
const products = (record: Fields) => listOf(record.productMasterDataList)
const product = (record: Fields) => fieldsOf(record.productMasterDataList)
const location = (record: Fields) => fieldsOf(record.locationMasterList)

function placeName(record: Fields, code: unknown): string {
  const place = listOf(record.locationMasterList).find(({ locationCode }) => locationCode === code)
  return textOf(place?.locationName) || textOf(code)
}

const field = (of: (record: Fields) => Fields, name: string) => (record: Fields) => textOf(of(record)[name])

/** Amounts of all lines, by unit. */
function quantities(record: Fields): string {
  const sums = new Map<string, number>()
  for (const { shipQuantity, shipQuantityUom } of lines(record))
    if (typeof shipQuantity === 'number')
      sums.set(textOf(shipQuantityUom), (sums.get(textOf(shipQuantityUom)) ?? 0) + shipQuantity)
  return [...sums].map(([unit, sum]) => `${Math.round(sum * 1e6) / 1e6} ${unit}`.trim()).join(', ')
}

const vendorName = (of: (record: Fields) => Fields) => (record: Fields) =>
  textOf(of(record).dataProviderVendorName) || textOf(of(record).dataProviderVendorId)

/** Where goods come from and go to. */
const deliveryColumns: readonly ListColumn[] = [
  {
    name: 'from',
    width: 28,
    heading: 'From',
    sort: 'shipFromLocationCode',
    shown: true,
    text: (record) => placeName(record, event(record).shipFromLocationCode),
  },
  {
    name: 'to',
    width: 28,
    heading: 'To',
    sort: 'shipToLocationCode',
    shown: true,
    text: (record) => placeName(record, event(record).shipToLocationCode),
  },
]

/** Columns of every kind of event, behind its date, document and locations. */
const eventColumns: readonly ListColumn[] = [
  {
    name: 'vendor',
    width: 28,
    heading: 'Vendor',
    sort: 'dataProviderVendorId',
    shown: true,
    text: vendorName(event),
  },
  {
    name: 'lotCodes',
    width: 30,
    heading: 'Lot codes',
    shown: true,
    text: (record) => joined(lines(record).map(({ caseLotNumber }) => caseLotNumber)),
  },
  { name: 'lines', width: 8, heading: 'Lines', shown: true, text: (record) => lines(record).length },
  {
    name: 'findings',
    width: 22,
    heading: 'Findings',
    shown: true,
    text: (_, { warnings, gaps } = { warnings: 0, gaps: 0 }) =>
      joined([warnings > 0 && pluralize(warnings, 'warning'), gaps > 0 && pluralize(gaps, 'gap')].filter(Boolean)),
  },
]

const deliveryDocuments: readonly ListColumn[] = [
  { name: 'asn', heading: 'ASN', text: field(event, 'asnNumber') },
  { name: 'billOfLading', heading: 'Bill of lading', text: field(event, 'billOfLadingNumber') },
]

/** Those that are hidden at first. */
const moreColumns: readonly ListColumn[] = [
  { name: 'quantity', heading: 'Quantity', text: quantities },
  {
    name: 'items',
    heading: 'Items',
    text: (record) => joined(lines(record).map(({ vendorItemCode }) => vendorItemCode)),
  },
  {
    name: 'products',
    width: 36,
    heading: 'Products',
    text: (record) => joined(products(record).map(({ itemDescription }) => itemDescription)),
  },
  {
    name: 'ftlCategory',
    heading: 'FTL category',
    text: (record) => joined(products(record).map(({ ftlCategory }) => ftlCategory)),
  },
  { name: 'vendorId', heading: 'Vendor number', text: field(event, 'dataProviderVendorId') },
]

const deliveryCodes: readonly ListColumn[] = [
  { name: 'fromCode', heading: 'From (code)', text: field(event, 'shipFromLocationCode') },
  { name: 'toCode', heading: 'To (code)', text: field(event, 'shipToLocationCode') },
]

const idColumn: ListColumn = { name: 'id', width: 38, heading: 'Record id', text: (record) => textOf(record.id) }

/** `transformationLocationCode` as "Transformation location". */
const placeHeading = (field: string): string =>
  `${capitalize(
    placePartOf(field)
      .replaceAll(/(?=[A-Z])/g, ' ')
      .toLowerCase(),
  )} location`

const placesOf = (kind: EventKindName): readonly ListColumn[] =>
  placeFieldsOf(eventKinds[kind]).map((name) => ({
    name: placePartOf(name),
    width: 28,
    heading: placeHeading(name),
    sort: name,
    shown: true,
    text: (record) => placeName(record, event(record)[name]),
  }))

function columnsOfEvents(kind: EventKindName): readonly ListColumn[] {
  const { happened, orders = [] } = eventKinds[kind]
  return [
    {
      name: happened,
      width: 26,
      heading: capitalize(happened),
      sort: 'eventDateTime',
      shown: true,
      text: field(event, 'eventDateTime'),
    },
    ...(isDeliveryKind(kind)
      ? [
          {
            name: 'purchaseOrder',
            heading: 'Purchase order',
            ...(orders.includes('purchaseOrderNumber') && { sort: 'purchaseOrderNumber' }),
            shown: true,
            text: field(event, 'purchaseOrderNumber'),
          } as const,
          ...deliveryColumns,
          ...eventColumns,
          ...deliveryDocuments,
          ...moreColumns,
          ...deliveryCodes,
        ]
      : [
          {
            name: 'document',
            heading: 'Reference document',
            shown: true,
            text: (record: Fields) => {
              const { referenceDocumentType, referenceDocumentNumber } = event(record)
              return [referenceDocumentType, referenceDocumentNumber].map(textOf).filter(Boolean).join(' ')
            },
          } as const,
          ...placesOf(kind),
          ...eventColumns,
          ...moreColumns,
        ]),
    idColumn,
  ]
}

/** In the order of a table. Columns that are hidden at first follow the others. */
export const listColumns: Readonly<Record<RecordKindName, readonly ListColumn[]>> = {
  ...ofEventKinds(columnsOfEvents),
  masterProduct: [
    { name: 'itemCode', heading: 'Item code', sort: 'itemCode', shown: true, text: field(product, 'itemCode') },
    { name: 'description', width: 40, heading: 'Description', shown: true, text: field(product, 'itemDescription') },
    {
      name: 'vendor',
      width: 28,
      heading: 'Vendor',
      sort: 'dataProviderVendorId',
      shown: true,
      text: vendorName(product),
    },
    { name: 'ftlCategory', heading: 'FTL category', shown: true, text: field(product, 'ftlCategory') },
    { name: 'gtin', heading: 'GTIN', shown: true, text: field(product, 'gtin') },
    { name: 'brand', heading: 'Brand', shown: true, text: field(product, 'brandName') },
    { name: 'commodity', heading: 'Commodity', text: field(product, 'productCommodity') },
    { name: 'variety', heading: 'Variety', text: field(product, 'productVariety') },
    {
      name: 'pack',
      heading: 'Pack',
      text: (record) => {
        const { packSize, packStyle } = product(record)
        return [packSize, packStyle].map(textOf).filter(Boolean).join(' ')
      },
    },
    { name: 'vendorId', heading: 'Vendor number', text: field(product, 'dataProviderVendorId') },
    { name: 'id', width: 38, heading: 'Record id', text: (record) => textOf(record.id) },
  ],
  location: [
    {
      name: 'locationCode',
      heading: 'Location code',
      sort: 'locationCode',
      shown: true,
      text: field(location, 'locationCode'),
    },
    { name: 'name', width: 34, heading: 'Name', shown: true, text: field(location, 'locationName') },
    {
      name: 'vendor',
      heading: 'Vendor',
      sort: 'dataProviderVendorId',
      shown: true,
      text: field(location, 'dataProviderVendorId'),
    },
    {
      name: 'place',
      heading: 'Place',
      shown: true,
      text: (record) => {
        const { city, state, country } = fieldsOf(location(record).address)
        return joined([city, state, country])
      },
    },
    { name: 'gln', heading: 'GLN', shown: true, text: field(location, 'gln') },
    { name: 'type', heading: 'Type', shown: true, text: field(location, 'locationType') },
    { name: 'phone', heading: 'Phone', text: field(location, 'phoneNumber') },
    {
      name: 'address',
      heading: 'Address',
      text: (record) => {
        const { streetAddress1, streetAddress2, postalCode } = fieldsOf(location(record).address)
        return joined([streetAddress1, streetAddress2, postalCode])
      },
    },
    { name: 'id', width: 38, heading: 'Record id', text: (record) => textOf(record.id) },
  ],
}
