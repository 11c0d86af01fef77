import { expect, test } from 'vitest'
import { recountWords } from '../../../src/console/shares.ts'

test('counts that lag behind master data are shown with what to do', () => {
  expect(recountWords(null)).toBe('Counted with the master data in force.')
  expect(recountWords('2026-03-04T09:30:00.000Z')).toMatch(/being brought up to date\. Reload/)
})
