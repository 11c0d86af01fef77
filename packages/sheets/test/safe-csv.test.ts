import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCsv } from '../../../test/support/files/read-workbook.ts'
import { csvRow } from '../src/safe-csv.ts'

test('cells are separated by commas, quoted where they have to be, and the row ends as RFC 4180 says', () => {
  expect(csvRow(['a', '', 'b,c', 'say "x"', 'two\nlines'])).toBe('a,,"b,c","say ""x""","two\nlines"\r\n')
})

test.each(['=1+1', '@SUM(A1)', '\t=1', '\r=1', '+A1', '-A1+2', '+1.831.555.0100 ext. 5', '-5 kg'])(
  'text that a spreadsheet would run gets an apostrophe in front: %j',
  (text) => {
    expect(readCsv(csvRow([text]))).toEqual([[`'${text}`]])
  },
)

test.each(['+1.831.555.0100', '-5', '+1 (831) 555-0100', '-', '007', 'a=1', "'x", ' =1', '1e5', '🥬'])(
  'all other text stands as it is: %j',
  (text) => {
    expect(readCsv(csvRow([text]))).toEqual([[text]])
  },
)

test('whatever text is written is read back, but for that apostrophe', () => {
  const cell = fc.string({ unit: 'grapheme' }).map((text) => `x${text}`)
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 1 }), { minLength: 1 }), (rows) => {
      expect(readCsv(rows.map(csvRow).join(''))).toEqual(rows)
    }),
  )
})
