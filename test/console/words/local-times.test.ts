import { expect, test } from 'vitest'
import { localTimeGroups, localTimeOptions } from '../../../src/console/words/local-times.ts'
import { isDateTime } from '../../../src/contract/shape/date-and-time.ts'
import { findTimeZone } from '../../../src/intake/local-time.ts'

test('the import page offers time zones with daylight saving and fixed offsets, each once, all of which the import takes', () => {
  const values = localTimeGroups().flatMap(({ choices }) => choices.map(([value]) => value))
  expect(new Set(values).size).toBe(values.length)
  expect(values).toEqual(expect.arrayContaining(['America/New_York', 'Europe/Berlin', '-05:00', 'Z']))
  for (const value of values) {
    const { timeZone, utcOffset } = localTimeOptions(value)
    if (timeZone === undefined) expect(isDateTime(`2026-03-04T12:00:00${utcOffset}`)).toBe(true)
    else expect(findTimeZone(timeZone)).toBeDefined()
  }
  expect(localTimeOptions('')).toEqual({ utcOffset: undefined, timeZone: undefined })
})
