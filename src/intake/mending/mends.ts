// Cells that a person corrects after a check. The file stays as it is, and is read with them.
import type { Row } from 'lotkeeper-sheets/sheet'
import type { Defaults } from '../read-row.ts'

export interface Mend {
  /** Empty in CSV. */
  readonly sheet: string
  readonly row: number
  /** Its heading, or the name of a column that the sheet lacks. Null for a row that is left out. */
  readonly column: string | null
  /** The text in the file. */
  readonly was: string
  readonly to: string
}

/** By `mendKey`. */
export type Mends = Readonly<Record<string, Mend>>

export const mendKey = ({ sheet, row, column }: Pick<Mend, 'sheet' | 'row' | 'column'>): string =>
  JSON.stringify([sheet, row, column])

/** With these, of which those that repeat the text of the file are none. */
export function withMends(mends: Mends, more: readonly Mend[]): Mends {
  const all = { ...mends }
  for (const mend of more)
    if (mend.to === mend.was) delete all[mendKey(mend)]
    else all[mendKey(mend)] = mend
  return all
}

export const leftOut = (sheet: string, row: number): Mend => ({ sheet, row, column: null, was: '', to: 'left out' })

/** Undoes a correction. */
export const takenBack = (mend: Mend): Mend => ({ ...mend, to: mend.was })

/** Applies the mends of one sheet to its rows. */
export class SheetMends {
  readonly #headings: readonly string[]
  readonly #rows = new Map<number, Mend[]>()

  constructor(mends: Mends, sheet: string, headings: readonly string[]) {
    this.#headings = headings
    for (const mend of Object.values(mends))
      if (mend.sheet === sheet) this.#rows.set(mend.row, [...(this.#rows.get(mend.row) ?? []), mend])
  }

  /** The row with its corrected cells; undefined when it is left out. */
  mended(row: Row): Row | undefined {
    const mends = this.#rows.get(row.number)
    if (mends === undefined) return row
    if (mends.some(({ column }) => column === null)) return undefined
    const cells = [...row.cells]
    for (const { column, to } of mends) {
      const at = column === null ? -1 : this.#headings.indexOf(column)
      // A person wrote it: no spreadsheet changed it.
      if (at >= 0) cells[at] = { text: to, is: 'text', isMarked: true }
    }
    return { ...row, cells }
  }

  /** What was written for columns that the sheet lacks. */
  given(row: number): Defaults | undefined {
    const lacking = this.#rows
      .get(row)
      ?.flatMap(({ column, to }) =>
        column === null || to === '' || this.#headings.includes(column) ? [] : [[column, to] as const],
      )
    return lacking?.length ? Object.fromEntries(lacking) : undefined
  }
}
