// The package as it is published.
import { expect, test } from 'vitest'
import { outputOfReadme } from '../../../test/support/packed-package.ts'

test('the program of the README compiles against the packed package, and runs', () => {
  expect(outputOfReadme('sheets', { 'lots.csv': 'lot;cases\r\n0042;12\r\n' })).toBe(
    "Lots 1 [ 'lot', 'cases' ]\nLots 2 [ '0042', '12' ]\n",
  )
})
