import { afterEach, expect, test, vi } from 'vitest'
import { networkOf, requestCounts } from '../../../src/http/request-counts.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('counts each key separately for a minute from its first request, then starts again', () => {
  vi.useFakeTimers({ toFake: ['performance'], now: 0 })
  const count = requestCounts()
  expect(count('a')).toEqual({ current: 1, ttl: 60_000 })
  vi.advanceTimersByTime(20_000)
  expect(count('b')).toEqual({ current: 1, ttl: 60_000 })
  expect(count('a')).toEqual({ current: 2, ttl: 40_000 })
  vi.advanceTimersByTime(40_000)
  expect(count('a')).toEqual({ current: 1, ttl: 60_000 })
  expect(count('b')).toEqual({ current: 2, ttl: 20_000 })
})

test('remembers at most its maximum of keys: the oldest are dropped', () => {
  const count = requestCounts()
  for (let i = 0; i < 100_001; i++) count(`address ${i}`)
  expect(count('address 100000').current).toBe(2)
  expect(count('address 0').current).toBe(1)
})

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1'],
  ['2001:db8:0:1::5', '2001:db8:0:1'],
  ['2001:db8::5', '2001:db8:0:0'],
  ['2001::1:2:3:4:5:6', '2001:0:1:2'],
  ['::1', '0:0:0:0'],
  ['fe80::', 'fe80:0:0:0'],
])('the place of %s is %s', (address, place) => {
  expect(networkOf(address)).toBe(place)
})
