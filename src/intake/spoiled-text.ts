// Texts that a spreadsheet made of a code before it was saved: a date of `3/4`, an exponent of a
// long number, the sign of an error. The code that was there is lost.

/** What is wrong with a text: certainly, or perhaps. Undefined for nearly every text. */
export type Spoiled = { readonly problem: string } | { readonly doubt: string } | undefined

/** What to do where a code was changed before the file was saved. */
const asText =
  'Format the column as text in the program that exports it, write the code as it is printed, and export again.'

/** How a code is written that only looks like one that was changed. */
const ifPrinted = (text: string): string =>
  `If the code is printed so, write ="${text}" in CSV, or format the cell as text.`

/** `#N/A`, `#REF!`, `#NAME?`, and what they are called in other languages; `Err:502`. */
const errorSigns = /^(?:#N\/[A-Z]|#NV|#GETTING_DATA|#[¡¿]?\p{Lu}[\p{Lu}/0_]*[!?]|Err:\d{3}|#{3,})$/u

/** A cell that holds the sign of an error, in any column. */
export function errorIn(text: string): string | undefined {
  if (!errorSigns.test(text)) return undefined
  return /^#+$/.test(text)
    ? `${text} is what a spreadsheet shows in a column that is too narrow for its value. Widen the column, and export again.`
    : `The cell holds the error ${text}. Correct the formula, or write the value.`
}

/** Short months as spreadsheets write them: in English, German and Turkish with a capital. */
const capitalMonths =
  'Jan Feb Mar Apr May Jun Jul Aug Sep Sept Oct Nov Dec Mrz Mär Mai Okt Dez Oca Şub Nis Haz Tem Ağu Eyl Eki Kas Ara'
const smallMonths = [
  'jan janv févr fév mars avr mai juin juil août sept déc ene feb mar abr may jun jul ago sep oct nov dic',
  'apr aug gen mag giu lug set ott fev out dez mrt mei okt dec maj sty lut kwi maj cze lip sie wrz paź lis gru',
  'янв фев мар апр май мая июн июл авг сен окт ноя дек',
]
const months: ReadonlySet<string> = new Set([capitalMonths, ...smallMonths].join(' ').split(' '))
const monthsInAnyCase: ReadonlySet<string> = new Set([...months].map((month) => month.toLowerCase()))

/** `3-Apr`, `3-Apr-26`, `03. Mrz`; `Mar-04`, `avr.-26`. */
const dayAndMonth = /^\d{1,2}(?:[-./ ]|\. )(\p{L}{3,4})\.?(?:[-./ ]\d{2}(?:\d{2})?)?$/u
const monthAndYear = /^(\p{L}{3,4})\.?[-./ ]\d{2}(?:\d{2})?$/u
/** `4月3日` */
const monthSign = /^\d{1,2}[月월] ?\d{1,2}[日일]$/

/** The month of a date without numbers, as it is written. */
const monthIn = (text: string): string | undefined => (dayAndMonth.exec(text) ?? monthAndYear.exec(text))?.[1]

const isSpelledDate = (text: string): boolean => months.has(monthIn(text) ?? '') || monthSign.test(text)

/** `4/3`, `4/3/2026`, `2026/3/4`, `03.04.2026`, `2026-03-04`, each perhaps with a time. */
const numericDate =
  /^(?:(\d{1,2})\/(\d{1,2})(?:\/(?:\d{2}|\d{4}))?|\d{4}\/(\d{1,2})\/(\d{1,2})|(\d{1,2})\.(\d{1,2})\.\d{4}|\d{4}-(\d{2})-(\d{2}))(?:[T ]\d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?)?$/i
const timeOfDay = /^\d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?$/i

const exponent = /^-?\d([.,]\d+)?E[+-]?\d+$/i
const certainExponent = /^-?\d(?:[.,]\d+E[+-]?|E\+)\d+$/i

/** What a spreadsheet did to the text of a code. */
export function spoiledCode(text: string): Spoiled {
  // Every text below has a digit or is a word of truth.
  if (/^(?:TRUE|FALSE)$/.test(text))
    return { doubt: `${text} may be a word that a spreadsheet took for true or false. ${ifPrinted(text)}` }
  if (!/\d/.test(text)) return undefined
  if (isSpelledDate(text))
    return {
      problem: `${text} is a date, as a spreadsheet makes it of a code such as 3/4 or MAR4. ${asText} ${ifPrinted(text)}`,
    }
  if (certainExponent.test(text))
    return { problem: `${text} is a long number that a spreadsheet shortened: its last digits are lost. ${asText}` }
  if (exponent.test(text))
    return {
      doubt: `${text} may be a long number that a spreadsheet shortened: its last digits are then lost. ${ifPrinted(text)}`,
    }
  if (monthsInAnyCase.has((monthIn(text) ?? '').toLowerCase()) || isNumericDate(text) || timeOfDay.test(text))
    return { doubt: `${text} may be a date or a time that a spreadsheet made of the code. ${ifPrinted(text)}` }
  if (/^\d+\.0$/.test(text))
    return {
      doubt: `${text} ends with .0, as programs write a number and not a code. If ${text.slice(0, -2)} is printed, write that.`,
    }
  if (/^\d{15}0{2,}$/.test(text))
    return {
      doubt: `${text} has only zeros after its 15th digit: a spreadsheet keeps 15 digits of a number. ${asText}`,
    }
  return undefined
}

/** The same of words, which hold no code: only what no person writes. */
export const spoiledWords = (text: string): Spoiled =>
  isSpelledDate(text) || certainExponent.test(text)
    ? { doubt: `${text} may be a date or a number that a spreadsheet made of the text. ${ifPrinted(text)}` }
    : undefined

function isNumericDate(text: string): boolean {
  const [whole, ...parts] = numericDate.exec(text) ?? []
  const [one = 0, two = 0] = parts.filter(Boolean).map(Number)
  return whole !== undefined && one >= 1 && two >= 1 && Math.min(one, two) <= 12 && Math.max(one, two) <= 31
}
