// A list of records as a spreadsheet: the columns of a table, a row per record.

import { nodePacking } from 'lotkeeper-sheets/node-packing'
import { byteOrderMark, csvRow } from 'lotkeeper-sheets/safe-csv'
import { type WrittenCell, workbook } from 'lotkeeper-sheets/write-workbook'
import type { FindingCounts, ListColumn } from '../../contract/list-columns.ts'
import { version } from '../../version.ts'

export interface ListedRecord {
  readonly record: Readonly<Record<string, unknown>>
  readonly findings: FindingCounts
}

/** Records in the order of the rows, in batches. */
type Batches = AsyncIterable<readonly ListedRecord[]>

const headingsOf = (columns: readonly ListColumn[]) => columns.map(({ heading }) => heading)

/** Most characters in a cell of a workbook. */
const cellLengthMax = 32_767

const cellOf = (column: ListColumn, { record, findings }: ListedRecord): string | number => {
  const value = column.text(record, findings)
  return typeof value === 'string' ? value.slice(0, cellLengthMax) : value
}

export async function* listCsv(columns: readonly ListColumn[], batches: Batches): AsyncGenerator<string> {
  yield byteOrderMark + csvRow(headingsOf(columns))
  for await (const records of batches)
    yield records.map((one) => csvRow(columns.map((column) => String(cellOf(column, one))))).join('')
}

export function listWorkbook(
  title: string,
  columns: readonly ListColumn[],
  batches: Batches,
  madeAt: Date,
): AsyncGenerator<Uint8Array> {
  async function* rows(): AsyncGenerator<Iterable<readonly WrittenCell[]>> {
    yield [headingsOf(columns).map((text) => ({ style: 'heading', text }) as const)]
    for await (const records of batches) yield records.map((one) => columns.map((column) => cellOf(column, one)))
  }
  const sheet = {
    name: title,
    widths: columns.map(({ width = 18 }) => width),
    frozenRows: 1,
    filteredColumns: columns.length,
    rows: rows(),
  }
  return workbook([sheet], { title, creator: `Lotkeeper ${version}`, madeAt, openAt: 0 }, nodePacking)
}
