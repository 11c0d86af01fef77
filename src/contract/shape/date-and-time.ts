// Dates and datetimes in the forms of the contract. Any other form is rejected; no lenient parser
// is used. Source: §2.
import { datePattern, dateTimePattern } from './field.ts'

const dateForm = new RegExp(datePattern)
const dateTimeForm = new RegExp(dateTimePattern)

/** Widest offset any place on Earth keeps, in hours. */
const offsetHoursMax = 14

/** True for `yyyy-MM-dd` that is in the calendar, years 0001 to 9999. */
export function isCalendarDate(text: string): boolean {
  if (!dateForm.test(text)) return false
  const [year, month, day] = [numberAt(text, 0, 4), numberAt(text, 5, 7), numberAt(text, 8, 10)]
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

/**
 * True for one of the three datetime forms with a real date, a real time of day and an offset of at
 * most 14 hours.
 */
export function isDateTime(text: string): boolean {
  if (!dateTimeForm.test(text) || !isCalendarDate(text.slice(0, 10))) return false
  const [hour, minute, second] = [numberAt(text, 11, 13), numberAt(text, 14, 16), numberAt(text, 17, 19)]
  const offsetHours = text.endsWith('Z') ? 0 : numberAt(text, 20, 22)
  return hour <= 23 && minute <= 59 && second <= 59 && offsetHours <= offsetHoursMax
}

const dateExample = '2026-03-04'
const dateTimeExamples = '2026-03-04T17:30:00Z or 2026-03-04T09:30:00-08:00'

/** Why a text is no calendar date, as a sentence. */
export function dateFault(text: string): string {
  if (!dateForm.test(text)) return `A date has the form yyyy-MM-dd, e.g. ${dateExample}.`
  const [year, month, day] = [numberAt(text, 0, 4), numberAt(text, 5, 7), numberAt(text, 8, 10)]
  if (year < 1) return 'There is no year 0.'
  if (month < 1 || month > 12) return `There is no month ${text.slice(5, 7)}.`
  return day < 1 ? 'There is no day 00.' : `${text.slice(0, 7)} has ${daysIn(year, month)} days.`
}

/** Why a text is none of the three datetime forms, or names no instant, as a sentence. */
export function dateTimeFault(text: string): string {
  if (dateTimeForm.test(text)) {
    if (!isCalendarDate(text.slice(0, 10))) return dateFault(text.slice(0, 10))
    const [hour, minute, second] = [text.slice(11, 13), text.slice(14, 16), text.slice(17, 19)]
    if (hour === '24') return 'There is no hour 24. Midnight is 00:00:00 of the next day.'
    if (Number(hour) > 23) return `There is no hour ${hour}.`
    if (Number(minute) > 59) return `There is no minute ${minute}.`
    if (Number(second) > 59) return `There is no second ${second}.`
    return `There is no offset ${text.slice(19)}. Offsets reach from -14:00 to +14:00.`
  }
  const [, fraction, offset] = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}([.,]\d{1,20})?(.{0,10})$/.exec(text) ?? []
  if (fraction !== undefined) return `Fractions of a second are not accepted. Send, e.g., ${dateTimeExamples}.`
  if (offset === '') return `The offset is missing. Send, e.g., ${dateTimeExamples}.`
  if (offset !== undefined && /^[+-]\d{2}:\d{2}$/.test(offset))
    return 'Offsets are whole hours. Convert the time to UTC, with Z at the end.'
  return `A date and time has the form yyyy-MM-ddTHH:mm:ssZ, e.g. ${dateTimeExamples}.`
}

/**
 * The instant a datetime names, in milliseconds since 1970, for comparison: one instant has many
 * spellings. Expects `isDateTime`.
 */
export const instantOf = (dateTime: string): number => Date.parse(dateTime)

/** The calendar date as written, at the place whose offset it carries: `yyyy-MM-dd`. */
export const ownDateOf = (dateTime: string): string => dateTime.slice(0, 10)

/** True for a time in UTC, `Z` or an offset of zero, which does not say the offset at the place. */
export const isInUtc = (dateTime: string): boolean => /(?:Z|[+-]00:00)$/.test(dateTime)

/**
 * A formatter is expensive to make (20 µs) and cheap to use. Bounded by the number of names there
 * are, about 600.
 */
const formatters = new Map<string, Intl.DateTimeFormat>()

/**
 * True for the name of a time zone of the IANA database that this program knows, such as
 * `America/New_York`.
 */
export function isTimeZone(name: string): boolean {
  if (formatters.has(name)) return true
  // Offsets such as +05:00 are no names: they know no daylight saving time.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,60}$/.test(name)) return false
  try {
    formatterOf(name)
    return true
  } catch {
    return false
  }
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    era: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  formatters.set(timeZone, formatter)
  return formatter
}

/**
 * The calendar date at a place, `yyyy-MM-dd`: in its time zone where that is known, else as
 * written, at the offset that the time carries. Expects `isDateTime` and `isTimeZone`.
 */
export function dateAt(dateTime: string, timeZone: string | undefined): string {
  if (timeZone === undefined) return ownDateOf(dateTime)
  const parts = new Map(
    formatterOf(timeZone)
      .formatToParts(instantOf(dateTime))
      .map(({ type, value }) => [type, value]),
  )
  return `${padDigits(Number(parts.get('year')), 4)}-${parts.get('month')}-${parts.get('day')}`
}

const dayMs = 86_400_000

const [firstDayMs, lastDayMs] = [Date.parse('0001-01-01'), Date.parse('9999-12-31')]

/**
 * The date so many days later, `yyyy-MM-dd`; earlier, when the number is negative. None is before
 * 0001-01-01 or after 9999-12-31.
 */
export const dayAfter = (date: string, days: number): string =>
  new Date(Math.max(firstDayMs, Math.min(lastDayMs, Date.parse(date) + days * dayMs))).toISOString().slice(0, 10)

/** Calendar months that the dates from `start` to `end` touch, both `yyyy-MM-dd`. */
export const monthsTouched = (start: string, end: string): number => monthNumber(end) - monthNumber(start) + 1

/**
 * The first day of the calendar month so many months before the one of a date, `yyyy-MM-dd`; none
 * is before 0001-01-01.
 */
export function firstOfMonthBefore(date: string, months: number): string {
  const number = Math.max(monthNumber(date) - months, 12)
  return `${padDigits(Math.floor(number / 12), 4)}-${padDigits((number % 12) + 1, 2)}-01`
}

/**
 * The same instant so many calendar years before, in UTC; of the 29th of February the 28th where
 * there is none.
 */
export function yearsBefore(at: Date, years: number): Date {
  const before = new Date(at)
  before.setUTCFullYear(at.getUTCFullYear() - years)
  // The 29th that is not there has become the 1st of March, which is later.
  if (before.getUTCMonth() !== at.getUTCMonth()) before.setUTCDate(0)
  return before
}

/** The last day of a calendar month, `yyyy-MM`, as `yyyy-MM-dd`. */
export const lastDayOf = (month: string): string => `${month}-${daysIn(numberAt(month, 0, 4), numberAt(month, 5, 7))}`

/** Months since the year 0. */
const monthNumber = (date: string): number => numberAt(date, 0, 4) * 12 + numberAt(date, 5, 7) - 1

const padDigits = (number: number, digits: number): string => String(number).padStart(digits, '0')

const numberAt = (text: string, start: number, end: number): number => Number(text.slice(start, end))

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
}
