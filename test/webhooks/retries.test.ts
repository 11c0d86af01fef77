// When a message that failed is sent again: over three days, as the specification has it.
import { expect, test } from 'vitest'
import { pauseAfterFailure, readRetryAfter } from '../../src/webhooks/retries.ts'

const [second, hour, day] = [1_000, 3_600_000, 86_400_000]

/** Times of all attempts after the first, for a receiver that fails each in no time. */
function attemptsOf(random: () => number, retryAfterMs?: number, pauseSecondsMax = 86_400): number[] {
  const times: number[] = []
  for (let at = 0; ; ) {
    const pause = pauseAfterFailure(at, retryAfterMs, pauseSecondsMax, random)
    if (pause === undefined) return times
    at += pause
    times.push(at)
  }
}

test('attempts are those of the specification, up to a tenth earlier or later', () => {
  const inSeconds = attemptsOf(() => 0.5).map((ms) => ms / second)
  expect(inSeconds).toEqual([5, 305, 2_105, 9_305, 27_305, 63_305, 113_705, 185_705, 272_105])
  for (const random of [0, 0.3, 0.9999]) {
    const shifted = attemptsOf(() => random).map((ms) => ms / second)
    expect(shifted).toHaveLength(inSeconds.length)
    for (const [i, at] of shifted.entries()) {
      const planned = inSeconds[i] ?? 0
      expect(Math.abs(at - planned)).toBeLessThanOrEqual(0.1001 * planned)
    }
  }
})

test('Retry-After takes the place of a pause, within a second and a day, and ends after three days too', () => {
  expect(pauseAfterFailure(0, 30_000, 86_400)).toBe(30_000)
  expect(pauseAfterFailure(0, 0, 86_400)).toBe(second)
  expect(pauseAfterFailure(0, 90 * day, 86_400)).toBe(day)
  const hourly = attemptsOf(Math.random, hour)
  expect(hourly.at(-1)).toBeGreaterThan(2.6 * day)
  expect(hourly.at(-1)).toBeLessThan(3.2 * day)
  expect(attemptsOf(Math.random, 90 * day).length).toBeLessThan(5)
})

test('the longest pause can be set shorter: attempts go on as long', () => {
  const often = attemptsOf(() => 0.5, undefined, 3_600)
  expect(often.at(-1)).toBeGreaterThan(2.6 * day)
  expect(Math.max(...often.map((at, i) => at - (often[i - 1] ?? 0)))).toBe(hour)
})

test('Retry-After is read as seconds or as a date, and as nothing else', () => {
  const now = new Date('2026-03-04T14:00:00Z')
  expect(readRetryAfter('120', now)).toBe(120_000)
  expect(readRetryAfter('Wed, 04 Mar 2026 14:02:00 GMT', now)).toBe(120_000)
  expect(readRetryAfter('Wed, 04 Mar 2026 13:00:00 GMT', now)).toBe(0)
  for (const strange of ['', '-1', '1.5', 'soon', '1e9', 'Infinity', undefined, 'Wed, soon'])
    expect(readRetryAfter(strange, now)).toBeUndefined()
})
