// Which lot codes read alike: they may name one lot or several, and only the sender knows. The
// search for such codes and the words about it derive from the differences declared here. Source:
// decision 0049.
import { stringLengthMax } from '../shape/field.ts'
import { lotsOfElements } from '../text/gs1-text.ts'
import { foldLotCode, isSameLot, type LotCodeReading, readLotCode } from './lot-code.ts'
import { codesInside, withoutPlainWords, withoutWords } from './lot-words.ts'
import { namedLots } from './several-lots.ts'

const none: readonly string[] = []

/** Differences that folding removes. */
const folded = ['upper and lower case', 'blanks, dashes, slashes and the like']

/** A difference that few lot codes have. A code is stored as each lot that it may name with it. */
interface FurtherLots {
  readonly words: string
  readonly in: (lotCode: string) => readonly string[]
}

/** Differences of one lot code. */
const spellings: readonly FurtherLots[] = [
  { words: 'words around the code, such as "Lot no.", "best by 3/4", "40 cases" or "organic"', in: lotsInWords },
  { words: 'the other elements of a barcode', in: lotsOfElements },
]
const furtherLots: readonly FurtherLots[] = [
  ...spellings,
  { words: 'several lots in one code, such as "L1, L2" or "L1-L5"', in: namedLots },
]

/** The lot in words, which may be around the elements of a barcode. */
function lotsInWords(lotCode: string): readonly string[] {
  const bare = withoutWords(lotCode)
  const plain = withoutPlainWords(bare)
  const others = plain === bare ? none : [plain]
  return bare === lotCode ? others : [bare, readLotCode(bare).lotCode, ...lotsOfElements(bare), ...others]
}

/** Most zeros in front that are ignored. */
const zerosMax = 20
const zeros = new RegExp(`^0{1,${zerosMax}}(?=[^0])`)
export const withoutZeros = (code: string): string => code.replace(zeros, '')
const withZeros = (code: string): readonly string[] =>
  code.startsWith('0') ? [code] : Array.from({ length: zerosMax + 1 }, (_, count) => '0'.repeat(count) + code)

/** AI 10 without its brackets, with a lot code of three or more characters behind it. */
const identifier = /^10(?=.{3})/s

/**
 * Differences at the beginning of a folded code. Many codes have them, so they are not stored with
 * a code: a search looks for each beginning.
 */
const beginnings: readonly {
  readonly words: string
  /** The code without it, and nothing else at its beginning; undefined where it has none. */
  readonly without: (code: string) => string | undefined
  /** Every code that is this one without it. */
  readonly withIt: (code: string) => readonly string[]
}[] = [
  { words: 'zeros in front', without: withoutZeros, withIt: withZeros },
  {
    words: 'the identifier 10 in front',
    without: (code) => (identifier.test(code) ? withoutZeros(code.slice(2)) : undefined),
    withIt: (code) =>
      withZeros(code)
        .map((one) => `10${one}`)
        .filter((one) => identifier.test(one)),
  },
]

/** The differences between lot codes that read alike, in words. */
export const ignoredDifferences: readonly string[] = [
  ...folded,
  ...[...beginnings, ...furtherLots].map(({ words }) => words),
]

/** The same as one text. */
export const ignoredText: string = ignoredDifferences.join('; ')

/** A code of letters and digits alone, too short for elements of a barcode, and without a label. */
const isPlain = /^(?!lot|batch|tlc|charge|partida|los|ai10)(?:[a-z][a-z\d]*|\d[a-z\d]{0,9})$/i

/**
 * The other lots that a code may name, folded, each once: without words around it, of its GS1
 * elements, or several. None for nearly every code.
 */
export function furtherLotsIn(lotCode: string, differences = furtherLots): readonly string[] {
  if (lotCode.length > 2 * stringLengthMax || (isPlain.test(lotCode) && !lotCode.includes('x'))) return none
  const lots = differences.flatMap((difference) => difference.in(lotCode))
  const bare = [lotCode, ...lots].flatMap(codesInside)
  if (lots.length === 0 && bare.length === 0) return none
  const found = new Set([...lots, ...bare].map(foldLotCode))
  found.delete(foldLotCode(lotCode))
  found.delete('')
  return [...found]
}

/** The folded codes under which a lot code is stored. */
const storedAs = (lotCode: string, differences?: readonly FurtherLots[]): readonly string[] => [
  foldLotCode(lotCode),
  ...furtherLotsIn(lotCode, differences),
]

/** The same without their beginnings: lot codes read alike when one of them is equal. */
const bareCodes = (lotCode: string, differences?: readonly FurtherLots[]): readonly string[] =>
  storedAs(lotCode, differences).flatMap((code) => beginnings.flatMap(({ without }) => without(code) ?? []))

/** All folded codes of lot codes that read like this one, or are the same. */
export const codesAlike = (lotCode: string): readonly string[] => [
  ...new Set([
    foldLotCode(lotCode),
    ...bareCodes(lotCode).flatMap((code) => beginnings.flatMap(({ withIt }) => withIt(code))),
  ]),
]

/** Lot codes read alike when one of `all` is equal. */
export interface LotCodeReadings {
  readonly all: readonly string[]
  /** Those of the code itself, and not of one of several lots that it names. */
  readonly own: readonly string[]
}

export function readingsOf(lotCode: string): LotCodeReadings {
  const all = bareCodes(lotCode)
  return { all, own: namedLots(lotCode).length === 0 ? all : bareCodes(lotCode, spellings) }
}

/** Whether lot codes read like the given one: they are not the same, and may name the same lot. */
export function readsLike(asked: LotCodeReading): (read: LotCodeReading) => boolean {
  const wanted = new Set(bareCodes(asked.lotCode))
  return (read) => !isSameLot(read, asked) && bareCodes(read.lotCode).some((code) => wanted.has(code))
}

/** Not the same lot code, and may name the same lot. */
export const readsAlike = (a: LotCodeReading, b: LotCodeReading): boolean => readsLike(a)(b)
