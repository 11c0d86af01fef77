// The changes and choices in reading a sheet: one line for each kind of change in each column, with
// the number of rows and the first of them.

/** A change that was made to the text of a cell, or a choice where the file does not say. */
export interface Conversion {
  /** Conversions of one kind in one column are reported together. */
  readonly kind: string
  /** Follows the name of the column in a sentence, with the first value as an example. */
  readonly says: string
}

/** Limit of the kinds that one sheet reports: a hostile one has a new kind in each row. */
const reportedMax = 1_000

interface Counted {
  readonly says: string
  readonly firstRow: number
  rows: number
  lastRow: number
}

export class Conversions {
  readonly #counted = new Map<string, Counted>()

  /** `subject` begins the sentence, e.g. `column Lot #`. */
  add(subject: string, { kind, says }: Conversion, row: number): void {
    const key = `${subject}\u0000${kind}`
    const counted = this.#counted.get(key)
    if (counted === undefined) {
      if (this.#counted.size < reportedMax)
        this.#counted.set(key, { says: `${subject} ${says}`, firstRow: row, lastRow: row, rows: 1 })
    } else if (counted.lastRow !== row) {
      counted.rows++
      counted.lastRow = row
    }
  }

  /** The lines of the report, in the order in which the conversions were first made. */
  lines(): readonly string[] {
    return [...this.#counted.values()].map(
      ({ says, rows, firstRow }) =>
        `${says} (${rows === 1 ? `row ${firstRow}` : `${rows.toLocaleString('en')} rows, the first is row ${firstRow}`}).`,
    )
  }
}
