// What is asked for when a lot is: the text as it is, and what it says as a GS1 text.
import { elementStringOf, type Gs1Lot, gtin14Of, readGs1Lot } from '../../contract/gs1-text.ts'

/** What a lot code is read as by people and by scanners: without case, blanks and dashes, O as 0, I and L as 1. */
const readAs = (lotCode: string): string =>
  lotCode
    .toUpperCase()
    .replaceAll(/[\s\-_./]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')

/** Those of the lot codes that are not looked for, and are read like one that is. */
export function nearCodesOf(lotCodes: readonly string[], spellings: ReadonlySet<string>): readonly string[] {
  const wanted = new Set([...spellings].map(readAs))
  return [...new Set(lotCodes.filter((lotCode) => !spellings.has(lotCode)))].filter((lotCode) =>
    wanted.has(readAs(lotCode)),
  )
}

/** What is asked for: the text of the lot code, what it says as a GS1 text, and the texts to look for. */
export interface LotAsk {
  readonly text: string
  readonly gs1: Gs1Lot | undefined
  readonly gtin: string | undefined
  readonly spellings: readonly string[]
}

/**
 * Reads a lot code. A lot code is any text, so the text itself is always looked for; beside it what it says as a GS1 text,
 * and the element string that some store in place of the lot code. Undefined when `gtin` names another item.
 */
export function readLotAsk(text: string, gtin: string | undefined): LotAsk | undefined {
  const gs1 = readGs1Lot(text)
  const asked = gtin === undefined ? undefined : gtin14Of(gtin)
  if (asked !== undefined && gs1?.gtin !== undefined && asked !== gs1.gtin) return undefined
  const item = asked ?? gs1?.gtin
  const lotCode = gs1?.lotCode ?? text
  const spellings = [text, lotCode, ...(item === undefined ? [] : [elementStringOf(item, lotCode)])]
  return { text, gs1, gtin: item, spellings: [...new Set(spellings)] }
}
