// The 36 columns of the sheets Receiving and Shipping, each declared once: heading, source,
// paragraph and cell. Cells, marks, explanation and reference page derive from these lists. The
// paragraphs of both regulations have the same numbers. Source: 21 CFR 1.1345(a), 1.1340(a);
// decision 0029.

import { columnLetters } from 'lotkeeper-sheets/sheet'
import { shownDate } from 'lotkeeper-sheets/write-workbook'
import type { DeliveryKindName } from '../../contract/record-kinds.ts'
import { dateAt } from '../../contract/shape/date-and-time.ts'
import type { EventLine } from './event-lines.ts'
import { type PlaceTexts, sourceReferenceOf, textIfGiven } from './places.ts'
import { eventSheets, headingCell, headingLine, receivingSheet, shippingSheet } from './template.ts'

export interface EventColumn {
  /** Name of its sheet. */
  readonly sheet: string
  /** `A` to `AJ`. */
  readonly letter: string
  /** FDA's heading, on one line and as in its cell. */
  readonly heading: string
  readonly headingCell: string
  /** Paragraph of 21 CFR that requires it. */
  readonly paragraph: string
  /** The fields it comes from, in words. */
  readonly from: string
  /** Rules whose gaps leave the cell empty; none where an empty cell is not a gap. */
  readonly gaps?: readonly string[]
  /** In characters. */
  readonly width: number
  /** Text exactly as in the record, a number, a date, or nothing. */
  readonly cell: (line: EventLine) => Value
}

/** Values of a cell of this sheet. */
export type Value = string | number | { readonly date: string } | undefined

type Declared = Omit<EventColumn, 'sheet' | 'letter' | 'heading' | 'headingCell'>

/** The columns of one location description. */
function place(
  paragraph: string,
  gap: string,
  of: (line: EventLine) => PlaceTexts,
  from: readonly [name: string, phone: string, street: string, address: readonly [string, string, string, string]],
): readonly Declared[] {
  const [name, phone, street, [city, state, postalCode, country]] = from
  const part = (field: keyof PlaceTexts, from: string, width: number): Declared => ({
    paragraph,
    from,
    gaps: [gap],
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

const locationFields = (which: string) =>
  [
    `locationName of the ${which} location`,
    `phoneNumber of the ${which} location`,
    `address.streetAddress1 and streetAddress2 of the ${which} location, otherwise geoLocation`,
    ['city', 'state', 'postalCode', 'country'].map((part) => `address.${part} of the ${which} location`) as [
      string,
      string,
      string,
      string,
    ],
  ] as const

const orNumbered =
  'of the line, otherwise of the location of the event or the stored one of the vendor with the same GLN or DUNS number'

/** The gap of an item that no list of the event has. */
const unlisted = 'product-line/product-description'

/** The differences between the sheets. */
interface SheetColumns {
  readonly name: string
  /** Section of 21 CFR. */
  readonly section: string
  /** The places of paragraphs (4) and (5). */
  readonly places: readonly [readonly Declared[], readonly Declared[]]
  readonly date: Pick<Declared, 'from' | 'gaps'>
  readonly documentGap: string
}

/** In the order of the template. */
const declare = ({ section, places, date, documentGap }: SheetColumns): readonly Declared[] => [
  ...quantityColumns(section),
  ...productColumns(`${section}(a)(3)`),
  ...places[0],
  ...places[1],
  {
    paragraph: `${section}(a)(6)`,
    ...date,
    width: 16,
    cell: ({ event }) => ({ date: dateAt(event.payload.eventList.eventDateTime, event.timeZone) }),
  },
  ...sourceColumns(`${section}(a)(7)`),
  ...[0, 1].flatMap((pair) => documentColumns(`${section}(a)(8)`, pair, documentGap)),
]

const quantityColumns = (section: string): readonly Declared[] => [
  {
    paragraph: `${section}(a)(1)`,
    from: 'caseLotNumber',
    gaps: ['product-line/lot-code'],
    width: 24,
    cell: ({ line }) => textIfGiven(line.caseLotNumber),
  },
  {
    paragraph: `${section}(a)(2)`,
    from: 'shipQuantity',
    width: 14,
    cell: ({ line }) => exactNumber(line.shipQuantity),
  },
  {
    paragraph: `${section}(a)(2)`,
    from: 'shipQuantityUom',
    gaps: ['product-line/quantity-unit'],
    width: 18,
    cell: ({ line }) => textIfGiven(line.shipQuantityUom),
  },
]

const productColumns = (paragraph: string): readonly Declared[] => [
  {
    paragraph,
    from: 'vendorItemDescription of the line, otherwise itemDescription of the product',
    gaps: ['product/name', unlisted],
    width: 32,
    cell: ({ line, product }) => textIfGiven(line.vendorItemDescription) ?? textIfGiven(product.itemDescription),
  },
  {
    paragraph,
    from: 'brandName of the product. Not a gap when empty, because it is required only where applicable',
    width: 18,
    cell: ({ product }) => textIfGiven(product.brandName),
  },
  {
    paragraph,
    from: 'productCommodity of the product, otherwise for seafood acceptableSpeciesName. A gap when empty only for fresh produce of one commodity',
    gaps: ['product/commodity'],
    width: 18,
    cell: ({ product }) => textIfGiven(product.productCommodity) ?? textIfGiven(product.acceptableSpeciesName),
  },
  {
    paragraph,
    from: 'productVariety of the product, otherwise for seafood scientificName. Not a gap when empty, because it is required only where applicable',
    width: 18,
    cell: ({ product }) => textIfGiven(product.productVariety) ?? textIfGiven(product.scientificName),
  },
  {
    paragraph,
    from: 'packSize of the product',
    gaps: ['product/packaging-size', unlisted],
    width: 20,
    cell: ({ product }) => textIfGiven(product.packSize),
  },
  {
    paragraph,
    from: 'packStyle of the product',
    gaps: ['product/packaging-style', unlisted],
    width: 20,
    cell: ({ product }) => textIfGiven(product.packStyle),
  },
]

const sourceColumns = (paragraph: string): readonly Declared[] => [
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
  ]),
  {
    paragraph,
    from: 'every tlcSourceReference field that the line has, separated by "; ": FFRN:, FEI:, GLN: or DUNS: and the number; a web link or another reference as written',
    width: 36,
    cell: ({ line }) => sourceReferenceOf(line),
  },
]

function documentColumns(paragraph: string, pair: number, gap: string): readonly Declared[] {
  const from = `of the ${pair === 0 ? 'first reference document' : 'other reference documents'}: see the rule for documents`
  const shared = { paragraph, width: 22, ...(pair === 0 && { gaps: [gap] }) }
  return [
    { ...shared, from: `kind ${from}`, cell: ({ documents }) => documents[pair]?.type },
    { ...shared, from: `number ${from}`, cell: ({ documents }) => documents[pair]?.number },
  ]
}

const shipFrom = (paragraph: string, gap: string): readonly Declared[] =>
  place(paragraph, gap, (line) => line.shipFrom, locationFields('ship-from'))
const shipTo = (paragraph: string, gap: string): readonly Declared[] =>
  place(paragraph, gap, (line) => line.shipTo, locationFields('ship-to'))

/** The columns under the headings of their sheet. */
function columnsOf(sheet: SheetColumns): readonly EventColumn[] {
  const declared = declare(sheet)
  const headings = eventSheets.find(({ name }) => name === sheet.name)?.headings ?? []
  return headings.map((heading, i) => {
    const column = declared[i]
    if (column === undefined) throw new Error(`Column ${columnLetters(i + 1)} is not declared.`)
    return {
      sheet: sheet.name,
      letter: columnLetters(i + 1),
      heading: headingLine(heading),
      headingCell: headingCell(heading),
      ...column,
    }
  })
}

export const receivingColumns = columnsOf({
  name: receivingSheet,
  section: '1.1345',
  places: [
    shipFrom('1.1345(a)(4)', 'receiving-event/ship-from-description'),
    shipTo('1.1345(a)(5)', 'receiving-event/ship-to-description'),
  ],
  date: {
    from: 'the calendar date of eventDateTime: in the time zone set for the ship-to location, otherwise as written',
    gaps: ['receiving-event/date-received'],
  },
  documentGap: 'receiving-event/reference-document',
})

export const shippingColumns = columnsOf({
  name: shippingSheet,
  section: '1.1340',
  places: [
    shipTo('1.1340(a)(4)', 'shipping-event/ship-to-description'),
    shipFrom('1.1340(a)(5)', 'shipping-event/ship-from-description'),
  ],
  date: {
    from: 'the calendar date of eventDateTime: in the time zone set for the ship-from location, otherwise as written',
    gaps: ['shipping-event/date-shipped'],
  },
  documentGap: 'shipping-event/reference-document',
})

/** The columns for an event of this kind. */
export const columnsFor: Readonly<Record<DeliveryKindName, readonly EventColumn[]>> = {
  receivingEvent: receivingColumns,
  shippingEvent: shippingColumns,
}

/** How other sheets refer to a column: those of Receiving by letter, others with their sheet. */
export const columnReference = ({ sheet, letter }: EventColumn): string =>
  sheet === receivingSheet ? letter : `${sheet}!${letter}`

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
