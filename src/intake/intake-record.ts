// The result of reading a file: records, each with its place, and reports beside them.

import type { Row } from 'lotkeeper-sheets/sheet'
import type { EventKindName, RecordKind } from '../contract/record-kinds.ts'
import type { Severity } from '../contract/shape/finding.ts'
import type { ShapeBreach } from '../contract/shape/read-shape.ts'
import type { ColumnMatch } from './column-matches.ts'
import type { Line } from './lines.ts'

/** A finding at its place in the file. */
export interface PlacedFinding {
  readonly severity: Severity
  /** Id of the rule; absent for findings of the reader. */
  readonly rule?: string
  /** Number of the row, or of the line. */
  readonly row: number
  /**
   * Heading of the column, or the name the missing column would have; absent where the whole row is
   * meant.
   */
  readonly column?: string
  readonly message: string
  readonly remedy?: string
  /** The row that has to be corrected, where it is another one. */
  readonly because?: number
}

/** Rows of one sheet. */
export interface RowsOfSheet {
  readonly sheet: string
  readonly headings: readonly string[]
  readonly rows: readonly Row[]
  /** Rows of other sheets that describe the codes of these rows. */
  readonly leansOn?: readonly RowsOfSheet[]
}

export interface IntakeRecord {
  readonly is: 'record'
  /** In the order of the file, counted from 1. */
  readonly number: number
  readonly kind: RecordKind
  readonly payload: Readonly<Record<string, unknown>>
  /**
   * The same with another event date time, one for each attempt from 1 on; given where the file has
   * no time of day. The time of the payload may belong to another delivery of the day: one that
   * differs from it in its ship-from location or documents.
   */
  readonly atOtherTime?: (attempt: number) => Readonly<Record<string, unknown>>
  /** Product lines it holds. */
  readonly lines: number
  /**
   * Set for rows that are no event of their own: they do not say of which event they are, or
   * continue one of further up.
   */
  readonly part?: 'loose' | 'continued'
  readonly from: RowsOfSheet | Line
  /** Findings of the reader; an error among them refuses the record. */
  readonly findings: readonly PlacedFinding[]
  /** Findings in the text of the payload. */
  readonly breaches: readonly ShapeBreach[]
  /** Where in the file a place of the payload comes from. */
  readonly locate: (pointer: string) => Pick<PlacedFinding, 'row' | 'column'>
}

/** A column of another program's sheet, for the person who maps it. */
export interface SheetColumn extends ColumnMatch {
  /** Its heading; the second of one heading is called "Lot (2)". */
  readonly title: string
  /** The first text below it; empty without one. */
  readonly sample: string
}

/** The columns of a sheet that need or have a mapping. */
export interface SheetColumns {
  readonly is: 'columns'
  /** Empty in CSV. */
  readonly sheet: string
  /** The kind of its events, or a suggestion; undefined for locations and products. */
  readonly kind: EventKindName | undefined
  /** False when the sheet is not imported before each column has a meaning. */
  readonly isRead: boolean
  /** Columns of the template that other headings of the sheet give. */
  readonly given: readonly string[]
  readonly columns: readonly SheetColumn[]
}

export type Intake =
  | IntakeRecord
  | SheetColumns
  /** A choice that was made, or something that was left aside. */
  | { readonly is: 'note'; readonly text: string }
  /**
   * The columns of a sheet, or one line, cannot be imported as they are. Nothing of that sheet or
   * line is.
   */
  | {
      readonly is: 'fault'
      readonly text: string
      /** Its columns, for the person who maps them. */
      readonly columns?: SheetColumns
      /** The kind of record of a line, where it is stated. */
      readonly kind?: EventKindName | undefined
      readonly from?: RowsOfSheet | Line
    }
  /** The first pass over the file is under way: rows or lines it has seen so far. */
  | { readonly is: 'surveying'; readonly rows: number }
  /** The first pass is over, with the number of rows or lines of the file. Their records follow. */
  | { readonly is: 'surveyed'; readonly rows: number }
  /** The rest cannot be read; earlier records are valid. */
  | { readonly is: 'unreadable'; readonly text: string }
