// A table of a file: rows of cells, read in batches.

export interface Cell {
  /**
   * The text in the file; dates as `yyyy-MM-dd` or `yyyy-MM-ddTHH:mm:ss`, whole numbers with all
   * digits.
   */
  readonly text: string
  readonly is:
    | 'text'
    | 'number'
    | 'boolean'
    | 'date'
    | 'error'
    /** A formula that the writing program did not compute; the text is the formula. */
    | 'uncomputed'
  /** True when the writing program computed the value. */
  readonly formula?: boolean
  /** The displayed text, where it is certain and not the stored one: `0042` of the number 42. */
  readonly shown?: string
  /** True where the cell shows its digits in groups of thousands. */
  readonly isGrouped?: boolean
  /** Why the displayed text of a code is uncertain, e.g. "is shown as a percentage". */
  readonly unsure?: string
  /** True for a number of a workbook that counts its days from 1904. */
  readonly countsFrom1904?: boolean
  /** True for a text that a person marked as text, so that no spreadsheet changed it. */
  readonly isMarked?: boolean
}

export interface Row {
  /** The row number of the spreadsheet: a row of CSV is one, however many lines its cells have. */
  readonly number: number
  readonly cells: readonly (Cell | undefined)[]
  /** True for a row that is hidden, by hand or by a filter. */
  readonly isHidden?: boolean
}

/** A cell and its column, counted from 0. */
export interface ColumnValue {
  readonly cell: Cell
  readonly at: number
}

export interface Sheet {
  /** Empty for CSV. */
  readonly name: string
  /** True when the workbook hides it. */
  readonly isHidden?: boolean
  readonly rows: () => AsyncGenerator<readonly Row[]>
  /** The separator of the cells of CSV, once its rows are read. */
  readonly delimiter?: () => string | undefined
  /** Areas of merged cells, e.g. `A4:A9`; all but their first cell are empty. */
  readonly merged: () => Promise<readonly Area[]>
  /** First and last of columns that are hidden, counted from 1; absent in CSV. */
  readonly hiddenColumns?: () => Promise<readonly (readonly [first: number, last: number])[]>
}

export interface Area {
  readonly name: string
  readonly firstRow: number
  readonly lastRow: number
}

const letters: string[] = []

/** `A` for 1, `AJ` for 36. */
export function columnLetters(number: number): string {
  const known = letters[number]
  if (known !== undefined) return known
  const last = String.fromCharCode(65 + ((number - 1) % 26))
  const text = number > 26 ? columnLetters(Math.floor((number - 1) / 26)) + last : last
  letters[number] = text
  return text
}

/** True for an empty row. */
export const isBlank = ({ cells }: Row): boolean => cells.every((cell) => cell === undefined || cell.text.trim() === '')
