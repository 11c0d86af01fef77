// The template as a file to fill in: XLSX with a sheet per table and one that explains, or CSV with
// the columns of one table.
import { csvLine } from '../workbook/csv.ts'
import { type TextSheet, widthOfHeading, workbookBytes } from '../workbook/text-workbook.ts'
import { type Column, eventTable, helpHeadings, tables } from './template.ts'

/** The text above the columns. */
export const introduction: readonly string[] = [
  'One row per product line. Put the rows of one receiving event directly below each other: same vendor, ship-to location and event date time.',
  'Values of the event, its locations and its items are the same in all its rows, or blank below the first.',
  'You can fill in Locations and Products instead of the columns shipFrom, shipTo and product: the import looks up the codes of an event there.',
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

/** One row per column: what it is, in the order of the sheets. */
export const helpRows = (): readonly (readonly string[])[] =>
  tables.flatMap(({ name, columns }) =>
    columns.map((column) => [
      name,
      column.name,
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
  !required ? '' : part === 'shipFrom' || part === 'shipTo' ? 'unless in Locations' : 'yes'

export function templateWorkbook(): AsyncGenerator<Uint8Array> {
  const sheets: TextSheet[] = tables.map(({ name, columns }) => ({
    name,
    rows: [columns.map((column) => column.name)],
    widths: columns.map((column) => widthOfHeading(column.name)),
  }))
  return workbookBytes('Import template', [
    ...sheets,
    {
      name: 'Help',
      rows: [helpHeadings, ...helpRows(), [], ...introduction.map((line) => ['', '', '', '', line])],
      widths: [18, 34, 20, 40, 80, 40, 12],
    },
  ])
}

/**
 * The headings of the table of receiving events: locations and products have columns of their own
 * in it.
 */
export const templateCsv = (): string => csvLine(eventTable.columns.map(({ name }) => name))
