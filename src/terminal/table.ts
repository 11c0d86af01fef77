// Rows of text in columns, for people. Programs use --json.
import { plain, results, type Terminal } from './terminal.ts'
import { cutTo, padTo, widthOf } from './text-width.ts'

export interface Column<Row> {
  readonly heading: string
  readonly cell: (row: Row) => string
  readonly right?: boolean
}

interface Table<Row> {
  readonly head: string
  readonly row: (row: Row) => string
}

interface Placed<Row> {
  readonly column: Column<Row>
  readonly width: number
}

const gap = '  '
/** Indent of the second and further lines of a row. */
const indent = '    '

/** A whole table for stdout. */
export function tableText<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const table = tableOf(columns, rows, results)
  return table.head + rows.map(table.row).join('')
}

/**
 * A table whose widths follow from its first rows; wider cells in later rows stick out. Where a
 * terminal is too narrow for all columns, a row continues on the next line.
 */
export function tableOf<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width = Number.POSITIVE_INFINITY, styled }: Terminal,
): Table<Row> {
  const lines: Placed<Row>[][] = [[]]
  let left = width
  for (const column of columns) {
    const wanted = Math.max(widthOf(column.heading), ...rows.map((row) => widthOf(plain(column.cell(row)))))
    if (wanted > left && lines.at(-1)?.length !== 0) {
      lines.push([])
      left = width - indent.length
    }
    const given = Math.min(wanted, left)
    lines.at(-1)?.push({ column, width: given })
    left -= given + gap.length
  }
  const text = (cellOf: (column: Column<Row>) => string): readonly string[] =>
    lines.map((placed, line) => {
      const cells = placed.map(({ column, width: room }) => {
        const cell = plain(cellOf(column))
        return padTo(width === Number.POSITIVE_INFINITY ? cell : cutTo(cell, room), room, {
          right: column.right === true,
        })
      })
      return `${line === 0 ? '' : indent}${cells.join(gap)}`.trimEnd()
    })
  return {
    head: text(({ heading }) => heading)
      .map((line) => `${styled('bold', line)}\n`)
      .join(''),
    row: (row) =>
      text(({ cell }) => cell(row))
        .filter((line, i) => i === 0 || line !== '')
        .map((line, i) => `${i === 0 ? line : styled('dim', line)}\n`)
        .join(''),
  }
}
