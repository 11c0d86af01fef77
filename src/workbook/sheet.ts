// A table as files hold it: rows of cells, read a batch at a time.

export interface Cell {
  /**
   * As it is in the file; dates as `yyyy-MM-dd` or `yyyy-MM-ddTHH:mm:ss`, numbers in full
   * digits where they are whole.
   */
  readonly text: string
  readonly is:
    | 'text'
    | 'number'
    | 'date'
    | 'error'
    /**
     * A formula whose value the program that wrote the file did not compute; the text is the
     * formula.
     */
    | 'uncomputed'
  /** True when the value was computed by the program that saved the file. */
  readonly formula?: boolean
}

export interface Row {
  /** As the spreadsheet counts: a row of CSV is one, however many lines its cells have. */
  readonly number: number
  readonly cells: readonly (Cell | undefined)[]
}

/** A cell, and the column it is in, counted from 0. */
export interface ColumnValue {
  readonly cell: Cell
  readonly at: number
}

export interface Sheet {
  /** Empty for CSV. */
  readonly name: string
  /** True when the workbook does not show it. */
  readonly isHidden?: boolean
  readonly rows: () => AsyncGenerator<readonly Row[]>
  /** Areas of merged cells, e.g. `A4:A9`; all but their first cell are empty. */
  readonly merged: () => Promise<readonly Area[]>
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

/** True for a row in which nothing stands. */
export const isBlank = ({ cells }: Row): boolean => cells.every((cell) => cell === undefined || cell.text.trim() === '')
