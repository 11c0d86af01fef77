import { afterEach, expect, test, vi } from 'vitest'
import { requestCounts } from '../../src/http/request-counts.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('counts each key by itself, from its first request for a minute, then anew', () => {
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
