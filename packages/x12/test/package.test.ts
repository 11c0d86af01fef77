// The package as it is published.
import { expect, test } from 'vitest'
import { exampleNotice } from '../../../test/samples/ship-notices.ts'
import { outputOfReadme } from '../../../test/support/packed-package.ts'

test('the program of the README compiles against the packed package, and runs', () => {
  const output = outputOfReadme('x12', { 'asn.edi': exampleNotice })
  expect(output).toMatch(/^856 \d+ S-O-[TPI-]+\nISA\*.*~\nST\*997\*0001~\nAK1\*SH\*.*~\nAK5\*A~\nAK9\*A\*1\*1\*1~\n/s)
})
