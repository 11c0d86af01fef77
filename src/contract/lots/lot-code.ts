// Reads lot codes. A line may hold the lot code of the case inside a GS1 text, and people write one
// code in several ways. Everything that compares lots uses these functions. Not shown in the
// contract; decided in 0049.
import { stringLengthMax } from '../shape/field.ts'
import { type Gs1Lot, gtin14Of, readGs1Lot } from '../text/gs1-text.ts'

/** A text, and the lot it names. */
export interface LotCodeReading {
  /** The text itself, as in `caseLotNumber`. */
  readonly written: string
  readonly form: 'text' | 'labelled' | Gs1Lot['form']
  /**
   * The lot code as printed on the case: AI 10 of a GS1 text, the text labelled as the lot beside
   * an item, else the text itself.
   */
  readonly lotCode: string
  /** GTIN-14 that is named beside the lot. */
  readonly gtin?: string
}

/**
 * Matches nearly every lot code, and no GS1 text: scanned data begin with two digits, and all other
 * forms have other signs.
 */
const plainCode = /^\d?[A-Za-z_-][\w-]*$/

/** Reads the lot out of a text; a text in none of the forms is the lot code itself. */
export function readLotCode(written: string): LotCodeReading {
  if (plainCode.test(written)) return { written, form: 'text', lotCode: written }
  const read = readGs1Lot(written) ?? readLabelled(written)
  return read === undefined ? { written, form: 'text', lotCode: written } : { written, ...read }
}

const labelledPart = /^(gtin|upc|item|sku|product|lot|batch) ?(?:code|number|no\.?|nr\.?)? ?[:#=] ?(.+)$/i

/**
 * `GTIN: 10614141000415 + Lot: GV26063-A`, `Item# 4711 + Lot# GV26063-A`: as rows of FDA's sample
 * sheet have it. Both labels are needed: `LOT#` alone may be part of the code.
 */
function readLabelled(written: string): Pick<LotCodeReading, 'form' | 'lotCode' | 'gtin'> | undefined {
  if (!/[:#=]/.test(written)) return undefined
  const parts = written
    .split(/[+;,|]/)
    .map((part) => labelledPart.exec(part.split(/\s/).filter(Boolean).join(' ')) ?? [])
  const lots = parts.filter(([, label = '']) => /^(lot|batch)$/i.test(label))
  const items = parts.filter(([, label = '']) => label !== '' && !/^(lot|batch)$/i.test(label))
  const [[, , lotCode] = []] = lots
  if (parts.length !== 2 || items.length !== 1 || lotCode === undefined) return undefined
  const gtin = gtin14Of(items[0]?.[2] ?? '')
  const namesGtin = gtin !== undefined && /^(gtin|upc)$/i.test(items[0]?.[1] ?? '')
  return { form: 'labelled', lotCode, ...(namesGtin && { gtin }) }
}

/**
 * Characters that people and programs insert into a code or omit: blanks, dashes, and invisible
 * characters.
 */
const between = /[\s\p{Cc}\p{Cf}\p{Pd}\u02d7\u2043\u2212_./\\]/gu

/** Nearly every code has only these characters, which Unicode normalization leaves alone. */
const isPlain = /^[\x20-\x7e]*$/
const betweenPlain = /[ \-_./\\]/g

/** Words before a lot code, when a sign separates them from it: `LOT#`, `Batch no.:`. */
const label = /^(?:(?:LOT|BATCH|TLC)(?:CODE|NUMBER|NO|NR)?[:#=]+)+/

/** Signs that end a label stand between characters, too: `LX:1342`. */
const withoutLabel = (joined: string): string => joined.replace(label, '').replaceAll(/[:#*]+/g, '')

/**
 * A lot code as it is read aloud: without case, without what is between its characters (blanks,
 * dashes, `_`, `.`, `/`, `\`, `:`, `#`, `*`), without a label such as `LOT#`, and in the
 * compatibility form of Unicode (full-width letters are letters). Leading zeros stay, because they
 * tell lots apart. A code of nothing but dashes keeps them. Lot codes that are equal only when
 * folded may or may not be one lot. Folding a folded code changes nothing. Cut at 100 characters,
 * since the compatibility form can be longer than the code.
 */
export function foldLotCode(lotCode: string): string {
  if (isPlain.test(lotCode)) {
    const joined = lotCode.toUpperCase().replaceAll(betweenPlain, '')
    return (withoutLabel(joined) || joined || lotCode.replaceAll(' ', '')).slice(0, stringLengthMax)
  }
  const plain = lotCode.normalize('NFKC').toUpperCase().normalize('NFKC')
  const joined = plain.replaceAll(between, '')
  const folded = withoutLabel(joined) || joined || plain.replaceAll(/[\s\p{Cc}\p{Cf}]/gu, '')
  return [...folded].slice(0, stringLengthMax).join('')
}

/** The same lot code: read from both texts, equal to the last character. */
export const isSameLot = (a: LotCodeReading, b: LotCodeReading): boolean => a.lotCode === b.lotCode
