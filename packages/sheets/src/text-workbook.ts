// An XLSX workbook of text cells, for templates and rejected rows. Every cell is text, so that no
// program removes zeros from a code or runs text that begins with "=".
import { webPacking } from './web-packing.ts'
import { type WorkbookProperties, type WrittenCell, type WrittenSheet, workbook } from './write-workbook.ts'

export interface TextSheet {
  /** At most 31 characters. */
  readonly name: string
  /** Widths of the columns, in characters. */
  readonly widths: readonly number[]
  /** First the headings. */
  readonly rows: Iterable<readonly string[]> | AsyncIterable<readonly string[]>
}

/** The width for a heading. */
export const widthOfHeading = (heading: string): number => Math.max(12, Math.min(40, heading.length + 2))

/** The earliest date of an archive: the same rows give the same bytes. */
const undated = new Date('1980-01-01T00:00:00Z')

/** The bytes of the workbook; the rows of a sheet are read when its turn comes. */
export function workbookBytes(
  properties: Pick<WorkbookProperties, 'title' | 'creator'>,
  sheets: readonly TextSheet[],
): AsyncGenerator<Uint8Array> {
  const textSheets = sheets.map(
    ({ name, widths, rows }): WrittenSheet => ({ name, widths, frozenRows: 1, isText: true, rows: cellRows(rows) }),
  )
  return workbook(textSheets, { ...properties, madeAt: undated, openAt: 0 }, webPacking)
}

async function* cellRows(rows: TextSheet['rows']): AsyncGenerator<readonly (readonly WrittenCell[])[]> {
  let isHeading = true
  for await (const row of rows) {
    yield [row.map((text) => (text === '' ? undefined : isHeading ? { style: 'heading', text } : text))]
    isHeading = false
  }
}
