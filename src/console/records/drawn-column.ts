// A column of a table: what its cells say, and how they are drawn.
import type { ComponentChildren } from 'preact'
import type { TextColumn } from './local-table.ts'

export interface DrawnColumn<Row> extends TextColumn<Row> {
  /** True if it is a time, which is never cut off; the others share the rest of the width. */
  readonly isTime?: boolean
  readonly share: number
  /** True if it has a line to itself where the window is narrow. */
  readonly isLong?: boolean
  readonly cell: (row: Row) => ComponentChildren
  /** Why it cannot be sorted, where one would expect it. */
  readonly tip?: string
  /** Left out where the window is narrow, unless it was chosen. */
  readonly wide?: boolean
  /** Left out on paper: what is asked row by row is not there for all of them. */
  readonly onScreen?: boolean
}
