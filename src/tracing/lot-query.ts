// A query for a lot: the lot that a text names, and optionally its item.
// Source: decisions 0028, 0049.
import { readsLike } from '../contract/lots/alike-lots.ts'
import { foldLotCode, isSameLot, type LotCodeReading, readLotCode } from '../contract/lots/lot-code.ts'
import { gtin14Of } from '../contract/text/gs1-text.ts'

/** The lot that the text names, and the GTIN that its lines must have. */
export interface LotQuery {
  readonly reading: LotCodeReading
  readonly gtin: string | undefined
}

/** Reads a lot code. Undefined when `gtin` names another item than the text. */
export function readLotQuery(text: string, gtin: string | undefined): LotQuery | undefined {
  const reading = readLotCode(text)
  const asked = gtin === undefined ? undefined : gtin14Of(gtin)
  if (asked !== undefined && reading.gtin !== undefined && asked !== reading.gtin) return undefined
  return { reading, gtin: asked ?? reading.gtin }
}

/** A folded lot code with letters that look like digits read as digits: O as 0, I and L as 1. */
export const lettersAsDigits = (folded: string): string => folded.replaceAll('O', '0').replaceAll(/[IL]/g, '1')

/**
 * The lot codes that equal the given one only if letters are read as digits. Codes that read alike
 * without that are not among them.
 */
export function nearCodesOf(lotCodes: readonly string[], asked: LotCodeReading): readonly string[] {
  const wanted = lettersAsDigits(foldLotCode(asked.lotCode))
  const isAlike = readsLike(asked)
  return [...new Set(lotCodes)].filter((written) => {
    const read = readLotCode(written)
    return lettersAsDigits(foldLotCode(read.lotCode)) === wanted && !isSameLot(read, asked) && !isAlike(read)
  })
}
