// Dates and times as spreadsheets, mails and people write them: `2026-03-04`, `3/4/2026 9:30 AM`,
// `4 Mar 2026`, `Wednesday, March 4, 2026 at 9:30 AM`. The one reader of them, for files and for
// fields of the console. Pure.

import { dateOfSerial } from 'lotkeeper-sheets/serial-date'
import { dateFault, isCalendarDate } from '../contract/shape/date-and-time.ts'

/** How `03/04/2026` is read: month first, or day first. */
export type DateOrder = 'mdy' | 'dmy'

export interface WrittenDate {
  /** `yyyy-MM-dd` */
  readonly date: string
  /** `HH:mm:ss` */
  readonly time: string | undefined
  /** `Z`, or e.g. `-05:00`. */
  readonly offset: string | undefined
}

export type DateForm = 'serial' | 'named month' | 'month first' | 'day first'

interface ReadDate extends WrittenDate {
  /** Undefined of a date in numbers that begins with its year. */
  readonly form?: DateForm
  /** The part of the text that is the date. */
  readonly dateText: string
}

/** Days since 1900 for the years 1990 to 2079: a date that lost its format. */
const isSerial = (text: string): boolean =>
  /^\d{5}(\.\d+)?$/.test(text) && Number(text) >= 32_874 && Number(text) < 65_746

const months = 'january february march april may june july august september october november december'.split(' ')
const weekdays = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ')

/** `4 Mar 2026`, `4-Mar-26`, `04MAR2026`, `2026 March 4`; not the hour of `4 Mar 09:30`. */
const monthBetween = /^(\d{1,4})(?:st|nd|rd|th)?[\s,./-]{0,3}([a-z]{3,9})\.?[\s,./-]{0,3}(\d{1,4})(?![\d:])/i
/** `March 4, 2026`, `Mar 4th 26` */
const monthFirst = /^([a-z]{3,9})\.?[\s,./-]{0,3}(\d{1,2})(?:st|nd|rd|th)?[\s,./-]{1,3}(\d{1,4})(?![\d:])/i
const firstWord = /^([a-z]{3,9})\.?,?\s+/i
const numericDate = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})$/
/** Separators of a date and its time: `T`, blanks, a comma, the word "at". */
const dateAndRest = /^([^\sT,]+)(?:,?[T\s]+(?:at\s+)?([^\sT].*)?)?$/is
const timeOfDay = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.0+)?)?(?:\s*([ap])\.?m\.?)?$/i
/** Widest offset any place on Earth keeps. */
const offsetHoursMax = 14
const offsetAtEnd = /(?:Z|(?:UTC|GMT)?([+-]\d{2}):?(\d{2})|UTC|GMT)$/

/** Reads a date with the text after it, or says why not. */
export function readWrittenDate(given: string, order: DateOrder): ReadDate | { readonly problem: string } {
  const text = given.trim()
  if (isSerial(text)) {
    const [date = '', time] = dateOfSerial(Number(text)).split('T')
    return { date, time, offset: undefined, form: 'serial', dateText: text }
  }
  const written = withoutWeekday(text)
  const named = readNamedMonth(written)
  const [, dateText = '', rest = ''] =
    dateAndRest.exec(named === undefined ? written : named.date + written.slice(named.length)) ?? []
  const [offsetText = '', hours, minutes] = offsetAtEnd.exec(rest) ?? []
  const read =
    named?.date === dateText ? { date: dateText, form: 'named month' as const } : readNumericDate(dateText, order)
  if (read === undefined)
    return { problem: `${JSON.stringify(text.slice(0, 40))} is not a date that can be read. Write it like 2026-03-04.` }
  const timeText = rest.slice(0, rest.length - offsetText.length).trimEnd()
  const time = readTime(timeText)
  if (time === null)
    return { problem: `${JSON.stringify(timeText.slice(0, 40))} is not a time of day. Write it like 14:05:00.` }
  const asWritten = named === undefined ? dateText : written.slice(0, named.length)
  if (!isCalendarDate(read.date))
    return {
      problem:
        read.form === 'month first' || read.form === 'day first'
          ? `${asWritten} is read as ${read.form}, but there is no such date. If the file has ${read.form === 'month first' ? 'the day' : 'the month'} first, choose that option. Otherwise correct the date.`
          : `${asWritten}: there is no such date. ${dateFault(read.date)}`,
    }
  const offset = hours === undefined ? 'Z' : `${hours}:${minutes}`
  if (Math.abs(Number(hours ?? 0)) > offsetHoursMax || Number(minutes ?? 0) > 59)
    return { problem: `${offset} is not an offset from UTC. Offsets reach from -14:00 to +14:00.` }
  return {
    ...read,
    time,
    offset: offsetText === '' ? undefined : offset === '+00:00' ? 'Z' : offset,
    dateText: asWritten,
  }
}

/** The possible dates of a text: month first, and day first where that is another one. */
export function writtenDates(text: string): readonly WrittenDate[] {
  const [first, ...others] = (['mdy', 'dmy'] as const).flatMap((order) => {
    const read = readWrittenDate(text, order)
    return 'problem' in read ? [] : [read]
  })
  return first === undefined ? [] : [first, ...others.filter(({ date }) => date !== first.date)]
}

/** The date whose month is a word, at the beginning of the text. */
function readNamedMonth(text: string): { readonly date: string; readonly length: number } | undefined {
  const between = monthBetween.exec(text)
  const found = between ?? monthFirst.exec(text)
  if (found === null) return undefined
  const [whole, one = '', two = '', last = ''] = found
  const [word, first] = between === null ? [one, two] : [two, one]
  const month = indexOfName(months, word) + 1
  const [year, day] = first.length === 4 ? [first, last] : [last, first]
  if (month === 0 || day.length > 2 || ![2, 4].includes(year.length)) return undefined
  return { date: isoDate(year, String(month), day), length: whole.length }
}

/** The name that begins so: of months and weekdays, three letters say which; -1 where none does. */
const indexOfName = (names: readonly string[], beginning: string): number =>
  names.findIndex((name) => name.startsWith(beginning.toLowerCase()))

/** Without the name of the day in front of the date. */
function withoutWeekday(text: string): string {
  const [whole = '', word] = firstWord.exec(text) ?? []
  return word !== undefined && indexOfName(weekdays, word) >= 0 ? text.slice(whole.length) : text
}

const isoDate = (year: string, month: string, day: string): string =>
  `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`

function readNumericDate(text: string, order: DateOrder): Pick<ReadDate, 'date' | 'form'> | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return { date: text }
  const [, first = '', mark = '', second = '', last = ''] = numericDate.exec(text) ?? []
  if (mark === '') return undefined
  if (first.length === 4) return { date: isoDate(first, second, last) }
  if (first.length > 2 || (last.length !== 4 && last.length !== 2)) return undefined
  // A date with dots begins with the day, in every country that writes it so.
  return mark === '.' || order === 'dmy'
    ? { date: isoDate(last, second, first), form: 'day first' }
    : { date: isoDate(last, first, second), form: 'month first' }
}

/** `HH:mm:ss`; undefined when there is none, null when it is no time. */
function readTime(text: string): string | undefined | null {
  if (text === '') return undefined
  const [, hour, minute = '', second = '00', half] = timeOfDay.exec(text) ?? []
  if (hour === undefined) return null
  const hours = Number(hour)
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return null
  if (half !== undefined && (hours < 1 || hours > 12)) return null
  const inDay = half === undefined ? hours : (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return `${String(inDay).padStart(2, '0')}:${minute}:${second}`
}
