// Lot codes in the form of receiving_event_code, found exactly and by reading alike. Source:
// decision 0049.
import { foldLotCode, readLotCode } from '../contract/lot-code.ts'

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
