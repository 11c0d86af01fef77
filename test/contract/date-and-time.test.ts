import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dateAt,
  dayAfter,
  firstOfMonthBefore,
  instantOf,
  isCalendarDate,
  isDateTime,
  isInUtc,
  isTimeZone,
  lastDayOf,
  monthsTouched,
  ownDateOf,
} from '../../src/contract/shape/date-and-time.ts'
import { runs } from '../support/runs.ts'

const two = (part: number) => String(part).padStart(2, '0')

describe('a calendar date', () => {
  it('is every day from 0001-01-01 to 9999-12-31 as the platform prints it', () => {
    const day = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(day, (date) => {
        expect(isCalendarDate(date.toISOString().slice(0, 10))).toBe(true)
      }),
      { numRuns: runs(2_000) },
    )
  })

  it('is no other combination of year, month and day', () => {
    fc.assert(
      fc.property(fc.nat(9999), fc.nat(15), fc.nat(35), (year, month, day) => {
        const date = new Date(0)
        date.setUTCFullYear(year, month - 1, day)
        const real =
          year > 0 && date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
        expect(isCalendarDate(`${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`)).toBe(real)
      }),
      { numRuns: runs(5_000) },
    )
  })

  it.each(['1900-02-29', '2100-02-29', '2023-02-29'])('is not %s: no leap year', (text) => {
    expect(isCalendarDate(text)).toBe(false)
  })
  it.each(['2000-02-29', '2024-02-29'])('is %s: a leap year', (text) => {
    expect(isCalendarDate(text)).toBe(true)
  })
})

describe('a date so many days away', () => {
  it('is counted by the calendar and stays within the dates there are', () => {
    expect(dayAfter('2026-01-01', -1)).toBe('2025-12-31')
    expect(dayAfter('2028-02-28', 2)).toBe('2028-03-01')
    expect(dayAfter('9999-12-31', 1)).toBe('9999-12-31')
    expect(dayAfter('0001-01-01', -1)).toBe('0001-01-01')
  })
})

describe('a datetime', () => {
  it('is real in every whole hour of offset up to 14, and in none beyond', () => {
    for (const sign of ['+', '-'])
      for (let hours = 0; hours <= 99; hours++)
        expect(isDateTime(`2026-03-04T09:30:00${sign}${two(hours)}:00`), `${sign}${hours}`).toBe(hours <= 14)
  })

  it('is real at every hour, minute and second of a day, and at none beyond', () => {
    for (let part = 0; part <= 99; part++) {
      expect(isDateTime(`2026-03-04T${two(part)}:00:00Z`), `hour ${part}`).toBe(part <= 23)
      expect(isDateTime(`2026-03-04T00:${two(part)}:00Z`), `minute ${part}`).toBe(part <= 59)
      expect(isDateTime(`2026-03-04T00:00:${two(part)}Z`), `second ${part}`).toBe(part <= 59)
    }
  })

  it('names the same instant in every spelling', () => {
    const spellings = [
      '2026-03-04T17:30:00Z',
      '2026-03-04T09:30:00-08:00',
      '2026-03-05T01:30:00+08:00',
      '2026-03-04T17:30:00-00:00',
    ]
    expect(new Set(spellings.map(instantOf))).toEqual(new Set([1_772_645_400_000]))
  })

  it('names one instant a second apart from the next, across the turn of the year and of the offset', () => {
    expect(instantOf('2026-01-01T00:00:00Z') - instantOf('2025-12-31T23:59:59Z')).toBe(1_000)
    expect(instantOf('2026-01-01T00:00:00+14:00') - instantOf('2026-01-01T00:00:00-12:00')).toBe(-26 * 3_600_000)
  })

  it.each(['0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00'])(
    'names an instant even at the edge: %s',
    (text) => {
      expect(isDateTime(text)).toBe(true)
      expect(Number.isFinite(instantOf(text))).toBe(true)
    },
  )

  it('has the calendar date of its offset, not that of UTC', () => {
    expect(ownDateOf('2026-01-01T00:30:00+02:00')).toBe('2026-01-01')
    expect(ownDateOf('2025-12-31T23:30:00-05:00')).toBe('2025-12-31')
  })
})

describe('calendar months', () => {
  const date = fc
    .date({ min: new Date('0003-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10))

  it('are counted from the first of the earliest to the month of a date, both touched', () => {
    fc.assert(
      fc.property(date, fc.integer({ min: 0, max: 23 }), (end, before) => {
        const start = firstOfMonthBefore(end, before)
        expect(isCalendarDate(start)).toBe(true)
        expect(start.slice(8)).toBe('01')
        expect(monthsTouched(start, end)).toBe(before + 1)
      }),
    )
  })

  it('do not begin before the calendar does', () => {
    expect(firstOfMonthBefore('0001-03-15', 11)).toBe('0001-01-01')
  })

  it('end with their last day', () => {
    fc.assert(
      fc.property(date, (day) => {
        const last = lastDayOf(day.slice(0, 7))
        expect(isCalendarDate(last)).toBe(true)
        expect(isCalendarDate(`${last.slice(0, 8)}${Number(last.slice(8)) + 1}`)).toBe(false)
      }),
    )
  })
})

describe('the date at a place', () => {
  it.each([
    ['2026-05-30T02:30:00Z', 'America/New_York', '2026-05-29'],
    ['2026-05-30T03:59:59Z', 'America/New_York', '2026-05-29'],
    ['2026-05-30T04:00:00Z', 'America/New_York', '2026-05-30'],
    ['2026-01-30T04:30:00Z', 'America/New_York', '2026-01-29'],
    ['2026-05-29T22:30:00-07:00', 'America/New_York', '2026-05-30'],
    ['2026-05-30T10:00:00Z', 'Pacific/Kiritimati', '2026-05-31'],
    ['0999-06-01T12:00:00Z', 'UTC', '0999-06-01'],
    ['2026-05-30T02:30:00Z', undefined, '2026-05-30'],
    ['2026-05-29T22:30:00-04:00', undefined, '2026-05-29'],
  ])('of %s in %s is %s', (dateTime, timeZone, date) => {
    expect(dateAt(dateTime, timeZone)).toBe(date)
  })

  it('is that of a time with its own offset in the zone that has this offset', () => {
    const hours = fc.integer({ min: -11, max: 11 })
    const instant = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(instant, hours, (at, offset) => {
        const sign = offset < 0 ? '-' : '+'
        const local = new Date(at.getTime() + offset * 3_600_000).toISOString().slice(0, 19)
        const dateTime = `${local}${sign}${two(Math.abs(offset))}:00`
        // Names of this kind count offsets the other way round.
        expect(dateAt(dateTime, `Etc/GMT${offset < 0 ? '+' : '-'}${Math.abs(offset)}`)).toBe(ownDateOf(dateTime))
      }),
    )
  })

  it.each(['America/New_York', 'Asia/Kolkata', 'UTC', 'Etc/GMT+5', 'America/Port-au-Prince'])(
    '%s is a time zone',
    (name) => {
      expect(isTimeZone(name)).toBe(true)
    },
  )

  it.each(['', '+05:00', 'New York', 'America/Nowhere', '../etc/localtime', 'x'.repeat(500)])('%s is none', (name) => {
    expect(isTimeZone(name)).toBe(false)
  })

  it.each([
    ['2026-03-04T02:30:00Z', true],
    ['2026-03-04T02:30:00+00:00', true],
    ['2026-03-04T02:30:00-00:00', true],
    ['2026-03-04T02:30:00-05:00', false],
    ['2026-03-04T02:30:00+10:00', false],
  ])('a time like %s is in UTC: %s', (dateTime, is) => {
    expect(isInUtc(dateTime)).toBe(is)
  })
})
