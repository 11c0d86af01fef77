// The filled sheets of FDA's template: which kind of event each holds, and its columns under the
// headings. Cells, marks, explanation and reference page derive from these lists. Source: decision
// 0029.
import { columnLetters } from 'lotkeeper-sheets/sheet'
import { type EventKind, type EventKindName, receivingEvent, shippingEvent } from '../../contract/record-kinds.ts'
import { chainSheets } from './chain-columns.ts'
import {
  type DeclaredColumn,
  dateColumn,
  documentColumns,
  eventPlace,
  lotCodeColumn,
  productColumns,
  quantityColumns,
  sourceColumns,
  type Value,
} from './event-columns.ts'
import type { EventLine } from './event-lines.ts'
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

/** A sheet with the events of one kind. */
export interface KindSheet {
  /** As in the template. */
  readonly name: string
  /** The same in names of files and parameters: `first-land-based-receiving`. */
  readonly slug: string
  readonly kind: EventKind
  /** Section of 21 CFR. */
  readonly section: string
  readonly columns: readonly EventColumn[]
}

function sheetOf(name: string, kind: EventKind, declared: readonly DeclaredColumn[]): KindSheet {
  const headings = eventSheets.find((sheet) => sheet.name === name)?.headings ?? []
  if (headings.length !== declared.length) throw new Error(`The sheet ${name} has ${headings.length} columns.`)
  const columns = declared.map((column, i): EventColumn => {
    const heading = headings[i] as (typeof headings)[number]
    return {
      sheet: name,
      letter: columnLetters(i + 1),
      heading: headingLine(heading),
      headingCell: headingCell(heading),
      ...column,
    }
  })
  const [section = ''] = /^[\d.]+/.exec(columns[0]?.paragraph ?? '') ?? []
  return { name, slug: name.toLowerCase().replaceAll(' ', '-'), kind, section, columns }
}

const documentsOf = (which: string) => [`kind of ${which}`, `number of ${which}`] as const

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
    dateColumn(`${section}(a)(6)`, {
      from: `the calendar date of eventDateTime: in the time zone set for the ${wordsOf(place)} location, otherwise as written`,
      gaps: [`${rules}/date-${happened}`],
    }),
    ...sourceColumns(`${section}(a)(7)`),
    ...documentColumns(`${section}(a)(8)`, `${rules}/reference-document`, [
      documentsOf('the first reference document: see the rule for documents'),
      documentsOf('the other reference documents: see the rule for documents'),
    ]),
  ]
}

export const receiving = sheetOf(
  receivingSheet,
  receivingEvent,
  delivery('1.1345', receivingEvent, ['shipFromLocationCode', 'shipToLocationCode']),
)
export const shipping = sheetOf(
  shippingSheet,
  shippingEvent,
  delivery('1.1340', shippingEvent, ['shipToLocationCode', 'shipFromLocationCode']),
)

/** Receiving and shipping first, then the others in the order of the template. */
export const kindSheets: readonly KindSheet[] = [
  receiving,
  shipping,
  ...Object.entries(chainSheets).map(([name, { kind, columns }]) => sheetOf(name, kind, columns)),
]

const byKind = new Map(kindSheets.map((sheet) => [sheet.kind.name, sheet]))

/** The sheet of a kind of event. */
export function sheetFor(kind: EventKindName): KindSheet {
  const sheet = byKind.get(kind)
  if (sheet === undefined) throw new Error(`No sheet has a ${kind}.`)
  return sheet
}

/** How other sheets refer to a column: those of Receiving by letter, others with their sheet. */
export const columnReference = ({ sheet, letter }: EventColumn): string =>
  sheet === receivingSheet ? letter : /^\w+$/.test(sheet) ? `${sheet}!${letter}` : `'${sheet}'!${letter}`

/** True if the line has the value of a column, or its event. */
export const isOfLine = ({ list }: EventColumn, line: EventLine): boolean => list === undefined || list === line.list

/** The values of a line in the columns of its own list. */
export const cellsOf = (line: EventLine): readonly Value[] =>
  sheetFor(line.event.kind)
    .columns.filter(({ list }) => list === line.list)
    .map((column) => column.cell(line))
