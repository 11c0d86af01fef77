// Dates as spreadsheets, mails and programs write them: each form names the date that was meant.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCalendarDate } from '../../src/contract/shape/date-and-time.ts'
import { type DateOrder, readWrittenDate, writtenDates } from '../../src/intake/written-date.ts'
import { runs } from '../support/runs.ts'

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

const days = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date): Day => ({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }))

const two = (number: number): string => String(number).padStart(2, '0')
const isoOf = ({ year, month, day }: Day): string => `${year}-${two(month)}-${two(day)}`
const nameOf = ({ year, month, day }: Day, options: Intl.DateTimeFormatOptions): string =>
  new Date(Date.UTC(year, month - 1, day)).toLocaleDateString('en-US', { ...options, timeZone: 'UTC' })

const ordinal = (day: number): string =>
  `${day}${day % 10 > 3 || day % 10 === 0 || [11, 12, 13].includes(day) ? 'th' : ['st', 'nd', 'rd'][(day % 10) - 1]}`

/** Ways of writing a day that name one day, whatever the order. */
const plainForms: readonly ((day: Day) => string)[] = [
  isoOf,
  ({ year, month, day }) => `${year}/${month}/${day}`,
  ({ year, month, day }) => `${day}.${month}.${year}`,
  (day) => nameOf(day, { dateStyle: 'long' }),
  (day) => nameOf(day, { dateStyle: 'medium' }),
  (day) => nameOf(day, { dateStyle: 'full' }),
  (day) => nameOf(day, { weekday: 'short', month: 'short', day: '2-digit', year: 'numeric' }),
  (day) => `${day.day} ${nameOf(day, { month: 'short' })} ${day.year}`,
  (day) => `${two(day.day)}-${nameOf(day, { month: 'short' })}-${two(day.year % 100)}`,
  (day) => `${two(day.day)}${nameOf(day, { month: 'short' })}${day.year}`,
  (day) => `${day.year} ${nameOf(day, { month: 'long' })} ${day.day}`,
  (day) => `${nameOf(day, { month: 'long' })} ${ordinal(day.day)}, ${day.year}`,
  (day) => `${nameOf(day, { weekday: 'short' })}, ${ordinal(day.day)} ${nameOf(day, { month: 'long' })} ${day.year}`,
]
const slashes: Readonly<Record<DateOrder, (day: Day) => string>> = {
  mdy: ({ year, month, day }) => `${month}/${day}/${year}`,
  dmy: ({ year, month, day }) => `${day}-${month}-${two(year % 100)}`,
}

const times: readonly (readonly [string, string | undefined, string | undefined])[] = [
  ['', undefined, undefined],
  ['T09:30:44-05:00', '09:30:44', '-05:00'],
  ['T09:30:44Z', '09:30:44', 'Z'],
  [' 09:30:44 -0500', '09:30:44', '-05:00'],
  [' 09:30:44 GMT', '09:30:44', 'Z'],
  [' 9:30 AM', '09:30:00', undefined],
  [', 9:30:44\u202fPM', '21:30:44', undefined],
  [' at 12:05 a.m.', '00:05:00', undefined],
]
const casings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll(/\b[A-Z][a-z]+/g, (word) => word.toUpperCase()),
  (text) => ` ${text}\n`,
]

test('each way of writing a day, with or without a time, is read as that day', () => {
  fc.assert(
    fc.property(
      days,
      fc.constantFrom(...plainForms),
      fc.constantFrom(...times),
      fc.constantFrom(...casings),
      (day, form, [suffix, time, offset], cased) => {
        expect(writtenDates(cased(form(day) + suffix))).toMatchObject([{ date: isoOf(day), time, offset }])
      },
    ),
    { numRuns: runs(3_000, 300) },
  )
})

test('a date in slashes or dashes has the meaning of the order, and both where there are two', () => {
  fc.assert(
    fc.property(days, fc.constantFrom(...times), (day, [suffix]) => {
      for (const order of ['mdy', 'dmy'] as const) {
        const text = slashes[order](day) + suffix
        expect(readWrittenDate(text, order)).toMatchObject({ date: isoOf(day) })
        const isAmbiguous = day.day <= 12 && day.day !== day.month
        expect(writtenDates(text)).toHaveLength(isAmbiguous ? 2 : 1)
        if (day.day > 12) expect(writtenDates(text)).toMatchObject([{ date: isoOf(day) }])
      }
    }),
    { numRuns: runs(1_000, 100) },
  )
})

test('whatever the text, what is read is in the calendar, or a problem that says what is expected', () => {
  const pieces = fc.constantFrom(
    ...['4', '31', '26', '2026', '99', '0', 'Mar', 'sept', 'Feb.', 'Tues', 'at', 'T', 'Z', '9:30', '25:99', '+15:00'],
    ...['-05:00', 'pm', '/', '-', '.', ',', ' ', '\u00a0', '<img src=x>', '46085', '水', 'th'],
  )
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 8 }).map((all) => all.join('')),
    fc.string(),
  )
  fc.assert(
    fc.property(texts, fc.constantFrom<DateOrder>('mdy', 'dmy'), (text, order) => {
      const read = readWrittenDate(text, order)
      if ('problem' in read) {
        expect(read.problem).toMatch(/\.$/)
        return
      }
      expect(isCalendarDate(read.date)).toBe(true)
      const { time = '00:00:00', offset = 'Z' } = read
      expect(Date.parse(`${read.date}T${time}${offset}`)).not.toBeNaN()
    }),
    { numRuns: runs(10_000, 1_000) },
  )
})

test.each([
  ['4 Foo 2026', 'not a date that can be read'],
  ['March 2026', 'not a date that can be read'],
  ['4 Mar', 'not a date that can be read'],
  ['4 Mar 09:30', 'not a'],
  ['4 Mar 2026x', 'not a date that can be read'],
  ['31 Feb 2026', '2026-02 has 28 days'],
  ['2026-02-30', '2026-02 has 28 days'],
  ['31/12/2026', 'month first'],
  ['4 Mar 2026 25:00', 'not a time of day'],
  ['2026-03-04T09:30:00+99:00', 'not an offset'],
])('%s is refused: %s', (text, says) => {
  expect(readWrittenDate(text, 'mdy')).toEqual({ problem: expect.stringContaining(says) })
})
