// Numbers as people and programs write them: `1,234.5`, `1.234,5`, `1 234,5`, `1'234.5`, and in the
// digits of other scripts. `1.000` alone can mean one or one thousand, so all rows of its column,
// and then those of the file, decide which sign separates decimals.

/** A sign between digits; every blank is one, every apostrophe another. */
type Sign = '.' | ',' | ' ' | "'"

/** A number without its signs, e.g. `1234.5`, or one that has two meanings. */
export interface WrittenNumber {
  /** Undefined where `ambiguous` decides. */
  readonly decimal?: Sign
  readonly thousands?: Sign
  /** A sign with three digits behind it, which can be either. */
  readonly ambiguous?: Sign
  readonly sign: string
  /** Digits between the signs. */
  readonly groups: readonly string[]
  /** True where digits of another script were written. */
  readonly isForeign: boolean
}

const signOf: Readonly<Record<string, Sign>> = {
  '.': '.',
  '．': '.',
  '٫': '.',
  ',': ',',
  '，': ',',
  ' ': ' ',
  '\u00a0': ' ',
  '\u2007': ' ',
  '\u2009': ' ',
  '\u202f': ' ',
  "'": "'",
  '’': "'",
  '٬': "'",
}

/** Has one meaning, unlike the other points. */
const arabicPoint = '٫'

/** The first digits of the scripts that spreadsheets write. */
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0xff10]

const digitOf = (character: string): string | undefined => {
  if (character >= '0' && character <= '9') return character
  const code = character.codePointAt(0) ?? 0
  const zero = zeros.find((first) => code >= first && code < first + 10)
  return zero === undefined ? undefined : String(code - zero)
}

/** A sign in front, digits, and single signs between them; undefined for any other text. */
function groupsIn(text: string) {
  const groups: string[] = ['']
  const signs: Sign[] = []
  let sign = ''
  let isForeign = false
  for (const [at, character] of [...text].entries()) {
    const digit = digitOf(character)
    const between = signOf[character]
    if (digit !== undefined) {
      groups.push(`${groups.pop()}${digit}`)
      isForeign ||= digit !== character
    } else if (at === 0 && /[+\-\u2212]/.test(character)) sign = character === '+' ? '' : '-'
    else if (between !== undefined) {
      signs.push(between)
      groups.push('')
      isForeign ||= character === arabicPoint || character === '٬'
    } else return undefined
  }
  return { groups, signs, sign, isForeign }
}

/** Longest text that is read as a number. */
const lengthMax = 60

/** The number in a text, without a word before or after it; undefined when there is none. */
export function readWrittenNumber(text: string): WrittenNumber | undefined {
  if (text.length > lengthMax) return undefined
  const found = groupsIn(text.trim())
  if (found === undefined) return undefined
  const { groups, signs, sign, isForeign } = found
  const number = (is: Pick<WrittenNumber, 'decimal' | 'thousands' | 'ambiguous'>) => ({
    ...is,
    sign,
    groups,
    isForeign,
  })
  const last = signs.at(-1)
  const [first = ''] = groups
  if (last === undefined) return first === '' ? undefined : number({})
  const others = new Set(signs.slice(0, -1))
  const isDecimal = last === '.' || last === ','
  if (signs.length === 1) {
    if (groups.every((group) => group === '')) return undefined
    if (areThousands(groups) && !isDecimal) return number({ thousands: last })
    if (areThousands(groups) && !text.includes(arabicPoint)) return number({ ambiguous: last })
    return isDecimal ? number({ decimal: last }) : undefined
  }
  const [thousands] = others
  if (others.size !== 1 || thousands === undefined) return undefined
  if (thousands === last) return areThousands(groups) ? number({ thousands }) : undefined
  return isDecimal && areThousands(groups.slice(0, -1)) ? number({ decimal: last, thousands }) : undefined
}

/** `1 234 567`; in India `12,34,567`. */
function areThousands([first = '', ...others]: readonly string[]): boolean {
  if (!/^[1-9]\d{0,2}$/.test(first) || others.length === 0) return false
  return (
    others.every((group) => group.length === 3) ||
    (first.length <= 2 && others.at(-1)?.length === 3 && others.slice(0, -1).every((group) => group.length === 2))
  )
}

/** The digits with a decimal point, as JavaScript reads them. */
export function plainNumber({ sign, groups, decimal }: WrittenNumber): string {
  if (decimal === undefined) return sign + groups.join('')
  const fraction = groups.at(-1) ?? ''
  return `${sign}${groups.slice(0, -1).join('') || '0'}${fraction === '' ? '' : `.${fraction}`}`
}

/** The meaning of an ambiguous sign; undefined when it is unknown. */
export type Decide = (sign: Sign, text: string) => 'decimal' | 'thousands' | undefined

class Evidence {
  readonly decimal = new Set<Sign>()
  readonly thousands = new Set<Sign>()

  note({ decimal, thousands }: WrittenNumber): void {
    if (decimal !== undefined) this.decimal.add(decimal)
    if (thousands !== undefined) this.thousands.add(thousands)
  }

  says(sign: Sign): 'decimal' | 'thousands' | 'both' | undefined {
    const other = sign === '.' ? ',' : '.'
    const isDecimal = this.decimal.has(sign) || [...this.thousands].some((one) => one !== sign)
    const isThousands = this.thousands.has(sign) || this.decimal.has(other)
    if (isDecimal && isThousands) return 'both'
    return isDecimal ? 'decimal' : isThousands ? 'thousands' : undefined
  }
}

/** The evidence of the numbers of a sheet about its signs, column by column. */
export class NumberSigns {
  readonly #columns = new Map<string, Evidence>()
  readonly #sheet = new Evidence()

  /** Takes the text of a number. All rows are noted before the first is decided. */
  note(column: string, text: string): void {
    const number = readWrittenNumber(text)
    if (number === undefined) return
    const evidence = this.#columns.get(column) ?? new Evidence()
    this.#columns.set(column, evidence)
    evidence.note(number)
    this.#sheet.note(number)
  }

  /** `separator` separates the cells: beside semicolons, commas may separate decimals. */
  of(column: string, separator: string | undefined): Decide {
    return (sign, written) => {
      const said = this.#columns.get(column)?.says(sign) ?? this.#sheet.says(sign)
      if (said !== undefined) return said === 'both' ? undefined : said
      // Programs write 2.125 with a point; 1.500 is a thousand, or has three decimals.
      return sign === '.' && separator !== ';' && !written.endsWith('0') ? 'decimal' : undefined
    }
  }
}
