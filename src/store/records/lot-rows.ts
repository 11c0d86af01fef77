// Lot codes in the form of event_code, found exactly and by reading alike. Source:
// decision 0049.
import { codesAlike, furtherLotsIn } from '../../contract/lots/alike-lots.ts'
import { foldLotCode, readLotCode } from '../../contract/lots/lot-code.ts'

/** A lot in a row: its folded code, and the code as read where folding changes it. */
export interface LotRow {
  readonly code: string
  readonly unfolded: string
}

/** The row of a lot code from a line or a query. */
export function lotRowOf(written: string): LotRow {
  const { lotCode } = readLotCode(written)
  const code = foldLotCode(lotCode)
  return { code, unfolded: code === lotCode ? '' : lotCode }
}

/** The row of a lot code from a line, and one for each other lot that it may name. */
export function lotRowsOf(written: string): readonly LotRow[] {
  const { lotCode } = readLotCode(written)
  const further = furtherLotsIn(lotCode)
  const row = lotRowOf(written)
  return further.length === 0 ? [row] : [row, ...further.map((code) => ({ code, unfolded: lotCode }))]
}

/** The codes of all rows of lots that read like the one of a text, or are the same. */
export const codesLike = (written: string): readonly string[] => codesAlike(readLotCode(written).lotCode)
