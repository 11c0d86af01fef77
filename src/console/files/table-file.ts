// A table whose rows are all here, as a file: the columns and rows as they are shown.
import { byteOrderMark, csvRow } from 'lotkeeper-sheets/safe-csv'
import { widthOfHeading, workbookBytes } from 'lotkeeper-sheets/text-workbook'
import { fileOfParts } from './saving.ts'

export type TableFormat = 'xlsx' | 'csv'

interface FileColumn<Row> {
  readonly heading: string
  readonly text: (row: Row) => string | number
}

export function fileOfTable<Row>(
  title: string,
  columns: readonly FileColumn<Row>[],
  rows: readonly Row[],
  format: TableFormat,
) {
  const cells = function* (): Generator<readonly string[]> {
    yield columns.map(({ heading }) => heading)
    for (const row of rows) yield columns.map(({ text }) => String(text(row)))
  }
  const name = `${title.toLowerCase().replaceAll(' ', '-')}-${new Date().toISOString().slice(0, 10)}.${format}`
  if (format === 'csv') return fileOfParts(name, 'text/csv; charset=utf-8', csvOf(cells()))
  const widths = columns.map(({ heading }) => widthOfHeading(heading))
  const media = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  const sheet = { name: title.slice(0, 31), widths, rows: cells() }
  return fileOfParts(name, media, workbookBytes({ title, creator: 'Lotkeeper' }, [sheet]))
}

async function* csvOf(rows: Iterable<readonly string[]>): AsyncGenerator<string> {
  yield byteOrderMark
  for (const row of rows) yield csvRow(row)
}
