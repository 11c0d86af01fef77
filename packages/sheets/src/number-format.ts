// The displayed text of a value: its number format, read as far as that is certain. Codes are taken
// as displayed, so a format that rounds, adds a currency or is not known gives a reason instead of
// a text. Source: ECMA-376 part 1, 18.8.30 and 18.8.31.

/** The displayed text of a cell, or why it is no code, as the end of a sentence about the cell. */
export type Shown =
  | {
      readonly text: string /** True when the thousands separators that it shows are left out. */
      readonly isGrouped?: boolean
    }
  | { readonly unsure: string }

export interface NumberFormat {
  readonly isDate: boolean
  readonly ofNumber: (value: number) => Shown
  readonly ofText: (text: string) => Shown
  /** Of a date as `yyyy-MM-dd`; certain are only digits that no spreadsheet shows by itself. */
  readonly ofDate: (date: string) => string | undefined
}

/** Formats that have a number instead of a code, by that number. */
const builtInCodes: Readonly<Record<number, string>> = {
  0: 'General',
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '$#,##0',
  6: '$#,##0',
  7: '$#,##0.00',
  8: '$#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  37: '#,##0_);(#,##0)',
  38: '#,##0_);(#,##0)',
  39: '#,##0.00_);(#,##0.00)',
  40: '#,##0.00_);(#,##0.00)',
  41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)',
  42: '$#,##0',
  43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
  44: '$#,##0.00',
  48: '##0.0E+0',
  49: '@',
}

/** Dates and times in every language, then those of East Asia and of Thailand. */
const builtInDates: readonly (readonly [first: number, last: number])[] = [
  [14, 22],
  [45, 47],
  [27, 36],
  [50, 58],
  [71, 81],
]

/** Formats of Thailand with Thai digits. */
const isThaiNumber = (id: number): boolean => id >= 59 && id <= 70

/** The format with this number; `code` is that of the workbook, if it declares one. */
export function numberFormat(id: number, code: string | undefined): NumberFormat {
  if (code === undefined && builtInDates.some(([first, last]) => first <= id && id <= last)) return builtInDate
  // A number that nothing declares is shown as General.
  return formatOf(code ?? (isThaiNumber(id) ? 't0' : (builtInCodes[id] ?? 'General')))
}

const builtInDate: NumberFormat = {
  isDate: true,
  ofNumber: (value) => general(value),
  ofText: (text) => ({ text }),
  ofDate: () => undefined,
}

function formatOf(code: string): NumberFormat {
  // French and Swiss thousands separators are written as text between the places.
  const sections = sectionsOf(code.replaceAll(/#\\?[ '’\u00a0\u202f]##0/g, '#,##0')).map(readSection)
  const last = sections.at(-1)
  // A last section with `@` is for texts, however many there are.
  const textSection = sections.length === 4 || last?.tokens.some(({ is }) => is === 'text') ? last : undefined
  const ofNumbers = textSection === undefined ? sections : sections.slice(0, -1)
  return {
    isDate: isDateFormat(code),
    ofNumber: (value) => showNumber(ofNumbers, value),
    ofText: (text) => (textSection === undefined ? { text } : showText(textSection, text)),
    ofDate: (date) => (sections.length === 1 ? showDate(code, date) : undefined),
  }
}

/**
 * True when a number format shows a date or a time; quoted text, escapes and colours do not count.
 */
function isDateFormat(code: string): boolean {
  const unquoted = code.replaceAll(/"[^"]*"|\\.|_.|\*.|General/gi, '')
  // Brackets contain colours and conditions, and elapsed hours, minutes or seconds.
  return /[ymdhs]/i.test(unquoted.replaceAll(/\[[^[\]]*\]/g, (part) => (/^\[[hms]+\]$/i.test(part) ? part : '')))
}

interface Token {
  readonly is: 'literal' | 'digit' | 'point' | 'comma' | 'general' | 'text'
  readonly text: string
}

interface Section {
  readonly tokens: readonly Token[]
  readonly condition?: (value: number) => boolean
  /** Why the displayed text is uncertain. */
  readonly unsure?: string
}

const sectionParts = /"[^"]*"?|\\.|_.|\*.|\[[^\]]*\]?|;|[^"\\_*[;]/gsu

function sectionsOf(code: string): readonly (readonly string[])[] {
  const sections: string[][] = [[]]
  for (const [part] of code.slice(0, codeLengthMax).matchAll(sectionParts))
    if (part === ';') sections.push([])
    else sections.at(-1)?.push(part)
  return sections
}

/** Spreadsheets take codes of 255 characters. */
const codeLengthMax = 1_000

/** Why `1,234.50` is no code, although the number is shown whole. */
export const groupedWithDecimals = 'is shown as an amount with thousands separators and decimals'

const reasons = {
  currency: 'is shown as an amount of money',
  percent: 'is shown as a percentage',
  exponent: 'is shown with an exponent',
  fraction: 'is shown as a fraction',
  scaled: 'is shown in thousands',
  rounded: 'has digits that are not shown',
  grouped: groupedWithDecimals,
  tooLong: 'has more digits than the 15 that a spreadsheet keeps, so the last ones are lost',
  hidden: 'has a number format that does not show it',
  unknown: 'has a number format of which it is not known what it shows',
} as const

const comparisons: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
  '=': (value, bound) => value === bound,
  '<>': (value, bound) => value !== bound,
}

function readSection(parts: readonly string[]): Section {
  const tokens: Token[] = []
  let condition: Section['condition']
  let unsure: string | undefined
  const literal = (text: string) => tokens.push({ is: 'literal', text })
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? ''
    if (part.startsWith('[')) {
      const [, sign = '', bound] = /^\[(<=|>=|<>|<|>|=)(-?[\d.]+)\]$/.exec(part) ?? []
      const compare = comparisons[sign]
      if (compare !== undefined) condition = (value) => compare(value, Number(bound))
      else unsure ??= bracketFault(part)
    } else if (part.startsWith('"')) literal(part.slice(1, part.endsWith('"') && part.length > 1 ? -1 : undefined))
    else if (part.startsWith('\\')) literal(part.slice(1))
    else if (part.startsWith('_')) literal(' ')
    else if (part.startsWith('*')) {
      if (part === '* ') literal(' ')
      else unsure ??= reasons.unknown
    } else if (/^general$/i.test(parts.slice(at, at + 7).join(''))) {
      tokens.push({ is: 'general', text: '' })
      at += 6
    } else if (/^[0#?]$/.test(part)) tokens.push({ is: 'digit', text: part })
    else if (part === '.') tokens.push({ is: 'point', text: part })
    else if (part === ',') tokens.push({ is: 'comma', text: part })
    else if (part === '@') tokens.push({ is: 'text', text: part })
    else if (/^[-+():!^&'~{}<>= \u00a0\u202f\p{So}\p{Pd}]$/u.test(part)) literal(part)
    else if (part === '%') unsure ??= reasons.percent
    else if (part === '/') unsure ??= reasons.fraction
    else if (/^\p{Sc}$/u.test(part)) unsure ??= reasons.currency
    else if (/^e$/i.test(part) && /^[+-]$/.test(parts[at + 1] ?? '')) unsure ??= reasons.exponent
    else unsure ??= reasons.unknown
  }
  return { tokens, ...(condition && { condition }), ...(unsure !== undefined && { unsure }) }
}

/** Why a part in brackets makes the displayed text uncertain; not a colour, nor a mere language. */
function bracketFault(part: string): string | undefined {
  if (/^\[\$-[0-9a-f]{1,4}\]$/i.test(part) || isColour(part)) return undefined
  return /^\[\$[^-\]]/.test(part) ? reasons.currency : reasons.unknown
}

/** Colours have names in the language of the program; the other words of Excel choose digits. */
const isColour = (part: string): boolean => /^\[\p{L}+ ?\d*\]$/u.test(part) && !/^\[(?:DB|Nat)Num/i.test(part)

function showNumber(sections: readonly Section[], value: number): Shown {
  if (Math.abs(value) >= 1e15) return { unsure: reasons.tooLong }
  if (sections.length === 0) return general(value)
  const chosen = sectionFor(sections, value)
  if (chosen === undefined) return { unsure: reasons.unknown }
  const { section, sign } = chosen
  if (section.unsure !== undefined) return { unsure: section.unsure }
  const shown = section.tokens.some(({ is }) => is === 'general')
    ? withGeneral(section.tokens, Math.abs(value))
    : withDigits(section.tokens, Math.abs(value))
  return 'unsure' in shown ? shown : { ...shown, text: `${sign}${shown.text}` }
}

/** The section that shows a number, and the sign in front of it. */
function sectionFor(
  sections: readonly Section[],
  value: number,
): { readonly section: Section; readonly sign: string } | undefined {
  const [first, second, third] = sections
  if (first === undefined || sections.length > 3) return undefined
  const minus = value < 0 ? '-' : ''
  if (sections.some(({ condition }) => condition !== undefined)) {
    // Programs display a negative number by a condition in different ways.
    if (value < 0) return undefined
    const section = sections.find(({ condition }, at) => condition?.(value) ?? (at > 0 && at === sections.length - 1))
    return section && { section, sign: '' }
  }
  if (value < 0) return second === undefined ? { section: first, sign: minus } : { section: second, sign: '' }
  return { section: value === 0 ? (third ?? first) : first, sign: '' }
}

/** General shows at most so many digits of a number with decimals. */
const generalDigits = 10

function general(value: number): Shown {
  const text = decimalText(value)
  if (Math.abs(value) >= 1e15) return { unsure: reasons.tooLong }
  if (text.includes('e')) return { unsure: reasons.exponent }
  return text.includes('.') && text.replaceAll(/\D/g, '').length > generalDigits
    ? { unsure: reasons.rounded }
    : { text }
}

/** The digits of a number, without those that only a double adds: 0.1 is 0.10000000000000001. */
const decimalText = (value: number): string => String(Number(value.toPrecision(15)))

function withGeneral(tokens: readonly Token[], value: number): Shown {
  const shown = general(value)
  if ('unsure' in shown) return shown
  if (tokens.some(({ is }) => is !== 'general' && is !== 'literal')) return { unsure: reasons.unknown }
  return {
    text: tokens
      .map(({ is, text }) => (is === 'general' ? shown.text : text))
      .join('')
      .trim(),
  }
}

function withDigits(tokens: readonly Token[], value: number): Shown {
  const point = tokens.findIndex(({ is }) => is === 'point')
  const end = point === -1 ? tokens.length : point
  const whole = tokens.slice(0, end)
  const decimals = tokens.slice(end + 1)
  const places = (part: readonly Token[]) => part.filter(({ is }) => is === 'digit').length
  if (places(tokens) === 0) return { unsure: reasons.hidden }
  const grouping = groupingOf(whole)
  if (grouping === 'scaled') return { unsure: reasons.scaled }
  if (decimals.some(({ is }) => is !== 'digit' && is !== 'literal') || tokens.some(({ is }) => is === 'text'))
    return { unsure: reasons.unknown }
  const [wholeDigits = '', fraction = ''] = decimalText(value).split('.')
  if (decimalText(value).includes('e')) return { unsure: reasons.exponent }
  if (fraction.length > places(decimals)) return { unsure: reasons.rounded }
  const isGrouped = grouping === 'grouped' && value >= 1_000
  if (isGrouped && places(decimals) > 0) return { unsure: reasons.grouped }
  const behindPoint = fillDecimals(decimals, fraction)
  // Of a whole number, some programs show the point of `0.##` and others do not.
  if (point !== -1 && !/^\d/.test(behindPoint)) return { unsure: reasons.unknown }
  const text = `${fillWhole(whole, wholeDigits)}${point === -1 ? '' : '.'}${behindPoint}`.trim()
  return /\d/.test(text) ? { text, ...(isGrouped && { isGrouped }) } : { unsure: reasons.hidden }
}

/** A comma between places groups digits by three; behind the last it divides by a thousand. */
function groupingOf(whole: readonly Token[]): 'grouped' | 'scaled' | undefined {
  const at = whole.findIndex(({ is }) => is === 'comma')
  if (at === -1) return undefined
  const lastDigit = whole.findLastIndex(({ is }) => is === 'digit')
  return whole.some(({ is }, i) => is === 'comma' && i > lastDigit) || whole[at - 1]?.is !== 'digit'
    ? 'scaled'
    : 'grouped'
}

/** Digits from the right, one in each place; the first place takes all that are left. */
function fillWhole(whole: readonly Token[], digits: string): string {
  const first = whole.findIndex(({ is }) => is === 'digit')
  let left = digits === '0' ? '' : digits
  let shown = ''
  for (let at = whole.length - 1; at >= 0; at--) {
    const { is, text } = whole[at] ?? { is: 'comma', text: '' }
    if (is === 'literal') shown = text + shown
    else if (is === 'digit') {
      const digit = at === first ? left : left.slice(-1)
      shown = (digit === '' ? blankPlace(text) : digit) + shown
      left = at === first ? '' : left.slice(0, -1)
    }
  }
  // Without a place before the point, the digits stand in front of it.
  return first === -1 ? shown + left : shown
}

function fillDecimals(decimals: readonly Token[], fraction: string): string {
  let at = 0
  return decimals.map(({ is, text }) => (is === 'literal' ? text : (fraction[at++] ?? blankPlace(text)))).join('')
}

/** The text of a place without a digit: `0` a zero, `?` a blank, `#` nothing. */
const blankPlace = (place: string): string => (place === '0' ? '0' : place === '?' ? ' ' : '')

function showText({ tokens, unsure }: Section, text: string): Shown {
  if (unsure !== undefined || tokens.some(({ is }) => is !== 'text' && is !== 'literal'))
    return { unsure: reasons.unknown }
  if (!tokens.some(({ is }) => is === 'text')) return { unsure: reasons.hidden }
  if (tokens.every(({ is, text: literal }) => is === 'text' || literal === ' ')) return { text }
  return {
    text: tokens
      .map((token) => (token.is === 'text' ? text : token.text))
      .join('')
      .trim(),
  }
}

/** `yyyymmdd`, `"L"yymmdd`: digits of a date without signs between them, and text around. */
const dateOfDigits = /^((?:"[^"]*"|\\.)*)((?:yyyy|yy|mm|dd){2,3})((?:"[^"]*"|\\.)*)$/i

/** Before it, programs differ by a day: some count a 29 February 1900. */
const certainDatesFrom = '1900-03-01'

function showDate(code: string, date: string): string | undefined {
  const [, before = '', digits = '', after = ''] = dateOfDigits.exec(code) ?? []
  if (digits === '' || !(/^\d{4}-/.test(date) && date >= certainDatesFrom)) return undefined
  const [year = '', month = '', day = ''] = date.slice(0, 10).split('-')
  const parts: Readonly<Record<string, string>> = { yyyy: year, yy: year.slice(2), mm: month, dd: day }
  const unquoted = (text: string) => text.replaceAll(/"([^"]*)"|\\(.)/g, '$1$2')
  return (
    unquoted(before) + digits.toLowerCase().replaceAll(/yyyy|yy|mm|dd/g, (part) => parts[part] ?? '') + unquoted(after)
  )
}
