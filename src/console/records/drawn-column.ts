// A column of a table: the content of its cells, and how they are drawn.
import type { ComponentChildren } from 'preact'
import type { TextColumn } from './local-table.ts'

/** A column of a table of which all is drawn. */
export interface Column<Row> {
  /** At the head of the column; beside each cell where the rows are cards. */
  readonly heading: string
  readonly cell: (row: Row) => ComponentChildren
  /** True for the one that names its row, unless that is the first. */
  readonly isName?: boolean
  readonly isNumber?: boolean
  /** True for buttons and links, which need no heading in sight. */
  readonly isAction?: boolean
  /** Left out on paper, where cells that are requested row by row are not loaded. */
  readonly onScreen?: boolean
  /** Of its cells. */
  readonly class?: string
}

/** A column of a table whose view can be chosen. */
export interface DrawnColumn<Row> extends TextColumn<Row>, Pick<Column<Row>, 'cell' | 'onScreen'> {
  /** True if it is a time, which is never cut off; the others share the rest of the width. */
  readonly isTime?: boolean
  readonly share: number
  /** True if it has a line to itself where the window is narrow. */
  readonly isLong?: boolean
  /** Why it cannot be sorted, where one would expect it. */
  readonly tip?: string
  /** Left out where the window is narrow, unless it was chosen. */
  readonly wide?: boolean
}
