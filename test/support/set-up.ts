// Runs before each test file: what waits is given the time that the machine needs now, and date times
// begin anew.
import { vi } from 'vitest'
import { allowMs } from './patience.ts'
import { restartDateTimes } from './records/payloads.ts'

restartDateTimes()

vi.setConfig({
  testTimeout: allowMs(120_000),
  hookTimeout: allowMs(120_000),
  expect: { poll: { timeout: allowMs(20_000) } },
})
