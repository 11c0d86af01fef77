// Texts that a spreadsheet made of a code before it was saved: a date of `3/4`, an exponent of a
// long number, the sign of an error. The code that was there is lost.

/** The damage of a text: certain, or possible. Undefined for nearly every text. */
export type Spoiled = { readonly problem: string } | { readonly doubt: string } | undefined

/** The remedy where a code was changed before the file was saved. */
const asText =
  'Format the column as text in the program that exports it, write the code as it is printed, and export again.'

/** How a code is written that only looks like one that was changed. */
const ifPrinted = (text: string): string =>
  `If the code is printed so, write ="${text}" in CSV, or format the cell as text.`

/** `#N/A`, `#REF!`, `#NAME?`, and their names in other languages; `Err:502`. */
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
const wholeMonths = [
  'january february march april june july august september october november december',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'janvier février avril juillet octobre novembre décembre januar februar märz juni juli oktober dezember',
  'gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre',
  'janeiro fevereiro março maio junho julho setembro outubro dezembro januari februari maart augustus',
]
const wordsIn = (texts: readonly string[]): ReadonlySet<string> => new Set(texts.join(' ').split(' '))
const months = wordsIn([capitalMonths, ...smallMonths])
const monthsInAnyCase = wordsIn([capitalMonths.toLowerCase(), ...smallMonths, ...wholeMonths])
/** The parts of a long date beside day, month and year. */
const besideMonths = wordsIn([
  'monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun of the',
  'lunes martes miércoles jueves viernes sábado domingo lundi mardi mercredi jeudi vendredi samedi dimanche de del le',
  'montag dienstag mittwoch donnerstag freitag samstag sonntag der den segunda terça quarta quinta sexta feira',
])

/** `3-Apr`, `3-Apr-26`, `03. Mrz`; `Mar-04`, `avr.-26`. */
const dayAndMonth = /^\d{1,2}(?:[-./ ]|\. )(\p{L}{3,4})\.?(?:[-./ ]\d{2}(?:\d{2})?)?$/u
const monthAndYear = /^(\p{L}{3,4})\.?[-./ ]\d{2}(?:\d{2})?$/u
/** `4月3日` */
const monthSign = /^\d{1,2}[月월] ?\d{1,2}[日일]$/

/** A date as spreadsheets make it by themselves. */
const isSpelledDate = (text: string): boolean =>
  months.has((dayAndMonth.exec(text) ?? monthAndYear.exec(text))?.[1] ?? '') || monthSign.test(text)

/** `3 April`, `3-APR`, `April 3, 2026`, `Freitag, 3. April 2026`, `2026年4月3日`. */
function isDateInWords(text: string): boolean {
  if (/^\d{4}[年년]/.test(text)) return true
  const parts = text
    .toLowerCase()
    .split(/[\s,./-]/)
    .filter((part) => part !== '' && !besideMonths.has(part))
  const names = parts.filter((part) => !/^(?:\d{1,2}(?:st|nd|rd|th)?|\d{4})$/.test(part))
  return names.length === 1 && parts.length <= 3 && parts.length > 1 && monthsInAnyCase.has(names[0] ?? '')
}

const timeBehind = /[T ]\d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?$/i
const timeOfDay = /^\d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?$/i
/** Two or three numbers with one sign between them, at the end perhaps the point of `04.03.`. */
const numbersWithSigns = /^(\d{1,4})([-/.])(\d{1,4})(?:\2(\d{1,4})|\.)?$/

const isDay = (number: string): boolean => number.length <= 2 && Number(number) >= 1 && Number(number) <= 31
const isMonth = (number: string): boolean => isDay(number) && Number(number) <= 12
const isYear = (number: string): boolean => /^(?:19|20)\d\d$/.test(number)
const areDayAndMonth = (one: string, other: string): boolean =>
  (isMonth(one) && isDay(other)) || (isDay(one) && isMonth(other))

/** `4/3`, `4-3`, `04.03.`, `04/2026`, `2026-03-04`, `04.03.26`, each perhaps with a time. */
function isNumericDate(text: string): boolean {
  const date = text.replace(timeBehind, '')
  const [, first = '', sign, second = '', third] = numbersWithSigns.exec(date) ?? []
  if (sign === undefined) return false
  if (third !== undefined)
    return isYear(first)
      ? areDayAndMonth(second, third)
      : areDayAndMonth(first, second) && (isYear(third) || third.length === 2)
  if ((isMonth(first) && isYear(second)) || (isYear(first) && isMonth(second))) return true
  // `4.3` is a number or a code, `4.3.` a day.
  return (sign !== '.' || date.endsWith('.')) && areDayAndMonth(first, second)
}

const exponent = /^-?\d([.,]\d+)?E[+-]?\d+$/i
const certainExponent = /^-?\d(?:[.,]\d+E[+-]?|E\+)\d+$/i

/** Words of truth of spreadsheets and programs. */
const truth =
  /^(?:TRUE|FALSE|True|False|true|false|WAHR|FALSCH|VRAI|FAUX|VERDADERO|FALSO|VERDADEIRO|VERO|WAAR|ONWAAR|SANT|FALSKT|PRAWDA|FAŁSZ|ИСТИНА|ЛОЖЬ)$/
/** How programs write an empty cell. */
const emptyCell = /^(?:\(?null\)?|\[null\]|nan|none|nil|undefined|\\n|<na>)$/i
const money = /^\(?-?(?:[A-Z]{0,3}\p{Sc} ?-?\d[\d.,']*|\d[\d.,']* ?\p{Sc})\)?$/u
const percentage = /^-?\d+(?:[.,]\d+)? ?[%‰]$/
const thousands = /^-?\d{1,3}(?:(?:,\d{3})+|(?:['’\u00a0\u2009\u202f]\d{3})+)(?:\.\d+)?$/
/** A dash, quotation mark or ellipsis that a text program substitutes for typed characters. */
const textProgramSign = /[\u2010-\u2015\u2018-\u201f\u2026\u2212]/
/** UTF-8 that was read as Windows-1252: `Ã©` of `é`. */
const wrongEncoding = /[ÂÃ][\u0080-\u00bf\u0152-\u0178\u2013-\u2122]|â€/
/** The substitute of a program for a letter that it lacks: `Jos? Farms`. */
const lostLetter = /\p{L}\?\p{L}/u

interface Doubt {
  readonly in: (text: string) => boolean
  /** The probable origin of the text, as a sentence with the remedy. */
  readonly says: (text: string) => string
}

/** Of every text but numbers and dates. */
const doubtsOfTexts: readonly Doubt[] = [
  {
    in: (text) => truth.test(text),
    says: (text) => `${text} may be a word that a spreadsheet took for true or false. ${ifPrinted(text)}`,
  },
  {
    in: (text) => emptyCell.test(text),
    says: (text) => `${text} is how programs write an empty cell. If there is no value, empty the cell.`,
  },
  {
    in: (text) => wrongEncoding.test(text) || (lostLetter.test(text) && !text.includes('/')),
    says: (text) =>
      `${text.slice(0, 40)} seems to have lost letters in another encoding. Save the file again as "CSV UTF-8".`,
  },
]

const doubtsOfCodes: readonly Doubt[] = [
  {
    in: (text) => exponent.test(text),
    says: (text) =>
      `${text} may be a long number that a spreadsheet shortened: its last digits are then lost. ${ifPrinted(text)}`,
  },
  {
    in: (text) => isDateInWords(text) || isNumericDate(text) || timeOfDay.test(text),
    says: (text) => `${text} may be a date or a time that a spreadsheet made of the code. ${ifPrinted(text)}`,
  },
  {
    in: (text) => /^\d+[.,]0+$/.test(text),
    says: (text) =>
      `${text} ends with ${text.slice(text.search(/[.,]/))}, as programs write a number and not a code. If ${text.replace(/[.,]0+$/, '')} is printed, write that.`,
  },
  {
    in: (text) => /^\d{15}0+$/.test(text),
    says: (text) => `${text} has only zeros after its 15th digit: a spreadsheet keeps 15 digits of a number. ${asText}`,
  },
  {
    in: (text) => money.test(text) || percentage.test(text),
    says: (text) =>
      `${text} may be a number that a spreadsheet shows as an amount of money or a percentage. ${ifPrinted(text)}`,
  },
  {
    in: (text) => thousands.test(text),
    says: (text) => `${text} may be a number that a spreadsheet shows in groups of thousands. ${ifPrinted(text)}`,
  },
  {
    in: (text) => textProgramSign.test(text),
    says: (text) =>
      `${text} has ${textProgramSign.exec(text)?.[0]}, which text programs write in place of a typed sign. Write the code as it is printed.`,
  },
]

const doubtIn = (text: string, doubts: readonly Doubt[]): Spoiled => {
  const found = doubts.find((doubt) => doubt.in(text))
  return found && { doubt: found.says(text) }
}

/** The changes of a spreadsheet to the text of a code. */
export function spoiledCode(text: string): Spoiled {
  if (text.includes('\ufffd'))
    return {
      problem: `${text.slice(0, 40)} has the sign for a letter that was lost in another encoding. Write the code as it is printed, and save the file as "CSV UTF-8".`,
    }
  if (isSpelledDate(text))
    return {
      problem: `${text} is a date, as a spreadsheet makes it of a code such as 3/4 or MAR4. ${asText} ${ifPrinted(text)}`,
    }
  if (certainExponent.test(text))
    return { problem: `${text} is a long number that a spreadsheet shortened: its last digits are lost. ${asText}` }
  return plainCode.test(text) ? undefined : doubtIn(text, allDoubts)
}

/** Nearly every code: letters and digits, and none of the signs of a doubt. */
const plainCode = /^[A-Z]+\d[A-Z\d]*$/
const allDoubts = [...doubtsOfTexts, ...doubtsOfCodes]

/** The same of words, which hold no code: only text that no person writes. */
export const spoiledWords = (text: string): Spoiled =>
  isSpelledDate(text) || certainExponent.test(text)
    ? { doubt: `${text} may be a date or a number that a spreadsheet made of the text. ${ifPrinted(text)}` }
    : text.includes('\ufffd')
      ? { doubt: `${text.slice(0, 40)} has the sign for a letter that was lost. Save the file as "CSV UTF-8".` }
      : doubtIn(text, doubtsOfTexts)
