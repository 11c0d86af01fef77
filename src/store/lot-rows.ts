// Lot codes as receiving_event_code has them: found by what was read, and by what reads alike.
// Source: decision 0049.
import { foldLotCode, readLotCode } from '../contract/lot-code.ts'

/** How a row names a lot: its folded code, and the code as it was read where folding changes it. */
export interface LotRow {
  readonly code: string
  readonly unfolded: string
}

/** The row of a lot code, from what is written on a line or asked for. */
export function lotRowOf(written: string): LotRow {
  const { lotCode } = readLotCode(written)
  const code = foldLotCode(lotCode)
  return { code, unfolded: code === lotCode ? '' : lotCode }
}
