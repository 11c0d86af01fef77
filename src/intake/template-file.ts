// The template as a file to fill in: XLSX with a sheet per table and one that explains, or CSV with
// the columns of one table.

import { csvLine } from 'lotkeeper-sheets/csv'
import { type TextSheet, widthOfHeading, workbookBytes } from 'lotkeeper-sheets/text-workbook'
import { type EventKindName, receivingEvent } from '../contract/record-kinds.ts'
import {
  type Column,
  eventKindOf,
  eventTables,
  helpHeadings,
  placePartsOf,
  shippedHeading,
  type Table,
  tables,
} from './template.ts'

/** The text above the columns. */
export const introduction: readonly string[] = [
  'One row per product line. Put the rows of one event directly below each other.',
  'The rows of a receiving event have the same vendor, ship-to location and event date time. The rows of a shipping event also have the same ship-from location and reference documents.',
  'Other values of the event, its locations and its items are the same in all its rows, or blank below the first.',
  `The column ${shippedHeading} makes a sheet one of shipping events. It is the eventDateTime of the event. Other kinds of events have such a column too.`,
  'An event that uses lots and makes others may have both in one row, or each in a row of its own. Rows that pair each lot used with each lot made count every lot once.',
  'You can fill in Locations and Products instead of the columns of a location, such as shipFrom, and of product: the import looks up the codes of an event there.',
  'Blank means absent. You can delete columns that you do not need. Required columns are marked.',
  'Codes are text. Keep the columns formatted as text, or leading zeros are lost.',
]

const forms: Readonly<Record<Column['form'], string>> = {
  text: 'text, at most 100 characters',
  number: 'number with a decimal point, no thousands separators',
  boolean: 'true or false',
  date: 'date, 2026-03-04',
  dateTime: 'date and time with offset, 2026-03-04T09:30:00-08:00',
  list: 'latitude; longitude',
  pairs: 'latitude; longitude | latitude; longitude | …',
}

/** One row per column: its description, in the order of the sheets. */
export const helpRows = (some: readonly Table[] = tables): readonly (readonly string[])[] =>
  some.flatMap(({ name, columns }) =>
    columns.map((column) => [
      name,
      column.heading,
      requiredIn(column),
      forms[column.form],
      column.meaning,
      column.example,
      `§${column.section}`,
    ]),
  )

/**
 * Fields of a location that an event must contain are optional when the sheet Locations has them.
 */
const requiredIn = ({ required, part }: Column): string =>
  !required ? '' : placeParts.has(part) ? 'unless in Locations' : 'yes'

const placeParts: ReadonlySet<string> = new Set(Object.values(placePartsOf).flat())

/** The workbook, for all kinds of events or for one. */
export function templateWorkbook(kind?: EventKindName): AsyncGenerator<Uint8Array> {
  const some = tables.filter((table) => kind === undefined || (eventKindOf(table) ?? kind) === kind)
  const sheets: TextSheet[] = some.map(({ name, columns }) => ({
    name,
    rows: [columns.map(({ heading }) => heading)],
    widths: columns.map(({ heading }) => widthOfHeading(heading)),
  }))
  return workbookBytes({ title: 'Import template', creator: 'Lotkeeper' }, [
    ...sheets,
    {
      name: 'Help',
      rows: [helpHeadings, ...helpRows(some), [], ...introduction.map((line) => ['', '', '', '', line])],
      widths: [18, 34, 20, 40, 80, 40, 12],
    },
  ])
}

/**
 * The headings of the table of events: locations and products have columns of their own in it.
 */
export const templateCsv = (kind: EventKindName = receivingEvent.name): string =>
  csvLine(eventTables[kind].columns.map(({ heading }) => heading))
