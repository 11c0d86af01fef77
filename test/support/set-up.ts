// Runs before each test file: what waits is given the time that the machine needs now.
import { vi } from 'vitest'
import { allowMs } from './patience.ts'

vi.setConfig({
  testTimeout: allowMs(120_000),
  hookTimeout: allowMs(120_000),
  expect: { poll: { timeout: allowMs(20_000) } },
})
