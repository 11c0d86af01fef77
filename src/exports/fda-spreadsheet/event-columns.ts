// Columns of FDA's sheets, each declared once: source, paragraph and cell. Sheets put them under
// their headings in `kind-sheets.ts`. Source: 21 CFR 1.1325 to 1.1350; decision 0029.
import { shownDate } from 'lotkeeper-sheets/write-workbook'
import { dateAt } from '../../contract/shape/date-and-time.ts'
import type { EventLine } from './event-lines.ts'
import { type PlaceTexts, sourceReferenceOf, textIfGiven } from './places.ts'

/** A column without its place in a sheet. */
export interface DeclaredColumn {
  /** Paragraph of 21 CFR that requires it. */
  readonly paragraph: string
  /** The fields it comes from, in words. */
  readonly from: string
  /** The list whose lines have it; absent where the event has it. */
  readonly list?: string
  /**
   * Rules whose gaps leave the cell empty, with the field where a rule is about several; none where
   * an empty cell is not a gap.
   */
  readonly gaps?: readonly string[]
  /** In characters. */
  readonly width: number
  /** Text exactly as in the record, a number, a date, or nothing. */
  readonly cell: (line: EventLine) => Value
}

/** Values of a cell of this sheet. */
export type Value = string | number | { readonly date: string } | undefined

/** The columns of one location description. */
function place(
  paragraph: string,
  gap: string | readonly string[],
  of: (line: EventLine) => PlaceTexts,
  from: readonly [name: string, phone: string, street: string, address: readonly [string, string, string, string]],
): readonly DeclaredColumn[] {
  const [name, phone, street, [city, state, postalCode, country]] = from
  const part = (field: keyof PlaceTexts, from: string, width: number): DeclaredColumn => ({
    paragraph,
    from,
    gaps: [gap].flat(),
    width,
    cell: (line) => of(line)[field],
  })
  const { gaps: _, ...countryPart } = part(
    'country',
    `${country}. Not a gap when empty, because a domestic place needs none`,
    12,
  )
  return [
    part('name', name, 28),
    part('phone', phone, 18),
    part('street', street, 32),
    part('city', city, 18),
    part('state', state, 16),
    part('postalCode', postalCode, 16),
    countryPart,
  ]
}

/** The columns of a location of the event, which words such as `ship-from location` name. */
export const eventPlace = (
  paragraph: string,
  gap: string | readonly string[],
  field: string,
  which: string,
): readonly DeclaredColumn[] =>
  place(paragraph, gap, ({ placeAt }) => placeAt(field), [
    `locationName of the ${which}`,
    `phoneNumber of the ${which}`,
    `address.streetAddress1 and streetAddress2 of the ${which}, otherwise geoLocation`,
    [
      `address.city of the ${which}`,
      `address.state of the ${which}`,
      `address.postalCode of the ${which}`,
      `address.country of the ${which}`,
    ],
  ])

export const lotCodeColumn = (paragraph: string, list = 'productList'): DeclaredColumn => ({
  paragraph,
  list,
  from: 'caseLotNumber',
  gaps: ['product-line/lot-code'],
  width: 24,
  cell: ({ line }) => textIfGiven(line.caseLotNumber),
})

export const quantityColumns = (paragraph: string, list = 'productList'): readonly DeclaredColumn[] => [
  {
    paragraph,
    list,
    from: 'shipQuantity',
    width: 14,
    cell: ({ line }) => exactNumber(line.shipQuantity),
  },
  {
    paragraph,
    list,
    from: 'shipQuantityUom',
    gaps: ['product-line/quantity-unit'],
    width: 18,
    cell: ({ line }) => textIfGiven(line.shipQuantityUom),
  },
]

/** The gap of an item that no list of the event has. */
const unlisted = 'product-line/product-description'

/** Commodity and variety of a product. */
const commodityColumns: readonly Omit<DeclaredColumn, 'paragraph'>[] = [
  {
    from: 'productCommodity of the product, otherwise for seafood acceptableSpeciesName. A gap when empty only for fresh produce of one commodity',
    gaps: ['product/commodity'],
    width: 18,
    cell: ({ product }) => textIfGiven(product.productCommodity) ?? textIfGiven(product.acceptableSpeciesName),
  },
  {
    from: 'productVariety of the product, otherwise for seafood scientificName. Not a gap when empty, because it is required only where applicable',
    width: 18,
    cell: ({ product }) => textIfGiven(product.productVariety) ?? textIfGiven(product.scientificName),
  },
]

/** The same in a sheet that has a column for the species. */
const besideSpecies = commodityColumns.map((column, i): Omit<DeclaredColumn, 'paragraph'> => {
  const field = i === 0 ? 'productCommodity' : 'productVariety'
  return { ...column, from: `${field} of the product`, cell: ({ product }) => textIfGiven(product[field]) }
})

export const productColumns = (
  paragraph: string,
  list = 'productList',
  { hasSpecies = false } = {},
): readonly DeclaredColumn[] =>
  [
    {
      from: 'vendorItemDescription of the line, otherwise itemDescription of the product',
      gaps: ['product/name', unlisted],
      width: 32,
      cell: ({ line, product }: EventLine) =>
        textIfGiven(line.vendorItemDescription) ?? textIfGiven(product.itemDescription),
    },
    {
      from: 'brandName of the product. Not a gap when empty, because it is required only where applicable',
      width: 18,
      cell: ({ product }: EventLine) => textIfGiven(product.brandName),
    },
    ...(hasSpecies ? besideSpecies : commodityColumns),
    {
      from: 'packSize of the product',
      gaps: ['product/packaging-size', unlisted],
      width: 20,
      cell: ({ product }: EventLine) => textIfGiven(product.packSize),
    },
    {
      from: 'packStyle of the product',
      gaps: ['product/packaging-style', unlisted],
      width: 20,
      cell: ({ product }: EventLine) => textIfGiven(product.packStyle),
    },
  ].map((column) => ({ paragraph, list, ...column }))

/** Of food that is not packed yet. */
export const unpackedColumns = (paragraph: string, list = 'productList'): readonly DeclaredColumn[] => {
  const [commodity, variety] = commodityColumns.map((column) => ({ paragraph, list, ...column }))
  return [
    {
      ...(commodity as DeclaredColumn),
      from: 'productCommodity of the product, otherwise for seafood acceptableSpeciesName',
      gaps: ['event/commodity-stated'],
    },
    variety as DeclaredColumn,
  ]
}

export const dateColumn = (
  paragraph: string,
  { from, gaps }: Pick<DeclaredColumn, 'from' | 'gaps'>,
): DeclaredColumn => ({
  paragraph,
  from,
  ...(gaps && { gaps }),
  width: 16,
  cell: ({ event }) => ({ date: dateAt(event.payload.eventList.eventDateTime, event.timeZone) }),
})

export const referenceColumn = (paragraph: string): DeclaredColumn => ({
  paragraph,
  list: 'productList',
  from: 'every tlcSourceReference field that the line has, separated by "; ": FFRN:, FEI:, GLN: or DUNS: and the number; a web link or another reference as written',
  width: 36,
  cell: ({ line }) => sourceReferenceOf(line),
})

const orNumbered =
  'of the line, otherwise of the location of the event or the stored one of the vendor with the same GLN or DUNS number'

/** The source of a lot code, and its reference. */
export const sourceColumns = (paragraph: string): readonly DeclaredColumn[] => [
  ...place(paragraph, 'product-line/tlc-source-place', ({ source }) => source, [
    `tlcSourceName ${orNumbered}`,
    `tlcSourcePhoneNumber ${orNumbered}`,
    `tlcSourceAddress1 and tlcSourceAddress2 ${orNumbered}`,
    [
      `tlcSourceCity ${orNumbered}`,
      `tlcSourceState ${orNumbered}`,
      `tlcSourcePostalCode ${orNumbered}`,
      `tlcSourceCountry ${orNumbered}`,
    ],
  ]).map((column) => ({ ...column, list: 'productList' })),
  referenceColumn(paragraph),
]

/** The two pairs of columns for reference documents; `from` says which those of a pair are. */
export const documentColumns = (
  paragraph: string,
  gap: string,
  from: readonly [first: readonly [string, string], second: readonly [string, string]],
): readonly DeclaredColumn[] =>
  from.flatMap(([type, number], pair) => {
    const shared = { paragraph, width: 22, ...(pair === 0 && { gaps: [gap] }) }
    return [
      { ...shared, from: type, cell: ({ documents }: EventLine) => textIfGiven(documents[pair]?.type) },
      { ...shared, from: number, cell: ({ documents }: EventLine) => textIfGiven(documents[pair]?.number) },
    ]
  })

const documentsOf = (which: string) => [`kind of ${which}`, `number of ${which}`] as const

/** Those of a delivery, which has a field for each kind of document. */
export const deliveryDocuments = (paragraph: string, gap: string): readonly DeclaredColumn[] =>
  documentColumns(paragraph, gap, [
    documentsOf('the first reference document: see the rule for documents'),
    documentsOf('the other reference documents: see the rule for documents'),
  ])

/** The date of a delivery, at one of its places. */
export const deliveredDate = (
  paragraph: string,
  { rule, place }: { readonly rule: string; readonly place: string },
): DeclaredColumn =>
  dateColumn(paragraph, {
    from: `the calendar date of eventDateTime: in the time zone set for the ${place}, otherwise as written`,
    gaps: [rule],
  })

/** Most digits of a number in a spreadsheet. */
const significantDigits = 15

/** A number if a spreadsheet keeps all of its digits, else the digits as text. */
function exactNumber(value: number): number | string {
  const text = String(value)
  const digits = text.replace(/^-?0*\.?0*/, '').replaceAll(/[.]/g, '')
  return text.includes('e') || digits.length > significantDigits ? text : value
}

/** The text of a cell; dates in the form of the template. */
export const shownText = (value: Value): string =>
  value === undefined ? '' : typeof value === 'object' ? shownDate(value.date) : String(value)
