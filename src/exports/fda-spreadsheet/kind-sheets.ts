// The filled sheets of FDA's template: which kind of event each holds, and its columns under the
// headings. Cells, marks, explanation and reference page derive from these lists. Source: decision
// 0029.
import { columnLetters } from 'lotkeeper-sheets/sheet'
import type { ExemptPlaces } from '../../contract/exempt-place.ts'
import { type EventKindName, receivingEvent, shippingEvent } from '../../contract/record-kinds.ts'
import { chainSheets, type DeclaredSheet } from './chain-columns.ts'
import {
  type DeclaredColumn,
  deliveredDate,
  deliveryDocuments,
  eventPlace,
  lotCodeColumn,
  productColumns,
  quantityColumns,
  sourceColumns,
} from './event-columns.ts'
import type { EventLine } from './event-lines.ts'
import { exemptSheets } from './exempt-columns.ts'
import { packingSheets } from './packing-columns.ts'
import { eventSheets, headingCell, headingLine, receivingSheet, shippingSheet } from './template.ts'

export interface EventColumn extends DeclaredColumn {
  /** Name of its sheet. */
  readonly sheet: string
  /** `A` to `AJ`. */
  readonly letter: string
  /** FDA's heading, on one line and as in its cell. */
  readonly heading: string
  readonly headingCell: string
}

/** A sheet with events of one kind. */
export interface KindSheet extends DeclaredSheet {
  /** Its name in names of files and parameters: `first-land-based-receiving`. */
  readonly slug: string
  /** Section of 21 CFR. */
  readonly section: string
  readonly columns: readonly EventColumn[]
  /** The lists whose lines are in its rows: a row of two pairs a line of each. */
  readonly lists: readonly string[]
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .match(/[a-z]+/g)
    ?.join('-') ?? ''

function sheetOf(sheet: DeclaredSheet): KindSheet {
  const { name, columns: declared } = sheet
  const headings = eventSheets.find((one) => one.name === name)?.headings ?? []
  if (headings.length !== declared.length) throw new Error(`The sheet ${name} has ${headings.length} columns.`)
  const columns = headings.map(
    (heading, i): EventColumn => ({
      sheet: name,
      letter: columnLetters(i + 1),
      heading: headingLine(heading),
      headingCell: headingCell(heading),
      ...(declared[i] as DeclaredColumn),
    }),
  )
  const [section = ''] = /^[\d.]+/.exec(columns[0]?.paragraph ?? '') ?? []
  const lists = [...new Set(columns.flatMap(({ list }) => list ?? []))]
  return { ...sheet, slug: slugOf(name), section, columns, lists }
}

/** The sheets of both deliveries, whose paragraphs have the same numbers in their sections. */
function delivery(
  section: string,
  { name, place, happened }: typeof receivingEvent | typeof shippingEvent,
  [other, own]: readonly [field: string, field: string],
): readonly DeclaredColumn[] {
  const rules = name === 'receivingEvent' ? 'receiving-event' : 'shipping-event'
  const wordsOf = (field: string) => (field === 'shipToLocationCode' ? 'ship-to' : 'ship-from')
  const placeOf = (paragraph: string, field: string) =>
    eventPlace(paragraph, `${rules}/${wordsOf(field)}-description`, field, `${wordsOf(field)} location`)
  return [
    lotCodeColumn(`${section}(a)(1)`),
    ...quantityColumns(`${section}(a)(2)`),
    ...productColumns(`${section}(a)(3)`),
    ...placeOf(`${section}(a)(4)`, other),
    ...placeOf(`${section}(a)(5)`, own),
    deliveredDate(`${section}(a)(6)`, { rule: `${rules}/date-${happened}`, place: `${wordsOf(place)} location` }),
    ...sourceColumns(`${section}(a)(7)`),
    ...deliveryDocuments(`${section}(a)(8)`, `${rules}/reference-document`),
  ]
}

export const receiving = sheetOf({
  name: receivingSheet,
  kind: receivingEvent,
  columns: delivery('1.1345', receivingEvent, ['shipFromLocationCode', 'shipToLocationCode']),
  takes: ({ event: { exemption } }) => exemption === undefined,
})
export const shipping = sheetOf({
  name: shippingSheet,
  kind: shippingEvent,
  columns: delivery('1.1340', shippingEvent, ['shipToLocationCode', 'shipFromLocationCode']),
})

/** Receiving and shipping first, then the others in the order of the template. */
export const kindSheets: readonly KindSheet[] = [
  receiving,
  shipping,
  ...eventSheets.flatMap(({ name }) => {
    const declared = [...chainSheets, ...packingSheets, ...exemptSheets].find((sheet) => sheet.name === name)
    return declared === undefined ? [] : [sheetOf(declared)]
  }),
]

/** The sheets of a kind of event; of most kinds one. */
export const sheetsFor = (kind: EventKindName): readonly KindSheet[] =>
  kindSheets.filter((sheet) => sheet.kind.name === kind)

/** The kinds of events that have sheets. */
export const sheetKinds: readonly EventKindName[] = [...new Set(kindSheets.map(({ kind }) => kind.name))]

/**
 * The sheets that may have rows: those of exempt places only where the provider has such places.
 */
export const sheetsWith = (places: ExemptPlaces): readonly KindSheet[] => {
  const declared = new Set([...places.values()].flat().map(({ reason }) => reason))
  return kindSheets.filter(({ reasons }) => reasons === undefined || reasons.some((reason) => declared.has(reason)))
}

/** The sheet that a line is in, or the first one of its kind. */
export function sheetOfLine(line: EventLine): KindSheet {
  const sheets = sheetsFor(line.event.kind)
  const sheet = sheets.find(({ takes }) => takes === undefined || takes(line)) ?? sheets[0]
  if (sheet === undefined) throw new Error(`No sheet has a ${line.event.kind}.`)
  return sheet
}

/** How other sheets refer to a column: those of Receiving by letter, others with their sheet. */
export const columnReference = ({ sheet, letter }: EventColumn): string =>
  sheet === receivingSheet ? letter : /^\w+$/.test(sheet) ? `${sheet}!${letter}` : `'${sheet}'!${letter}`

/** True if the line has the value of a column, or its event. */
export const isOfLine = ({ list }: EventColumn, line: EventLine): boolean => list === undefined || list === line.list
