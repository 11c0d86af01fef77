// Rows that every reader of RFC 4180 reads back, and no spreadsheet runs.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvRow } from '../../src/exports/csv.ts'

describe('a cell', () => {
  test.each([
    ['GV26063-A', 'GV26063-A'],
    ['a,b', '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ['two\nlines', '"two\nlines"'],
    ['', ''],
    ['00614141000012', '00614141000012'],
  ])('%j stands as %s', (text, cell) => {
    expect(csvRow([text])).toBe(`${cell}\r\n`)
  })

  test.each(['=1+1', '@SUM(A1)', '\tx', '+cmd|x', '-cmd', '-1+A1', '+1 (831) 555 x0100'])(
    '%j would be run, and gets an apostrophe',
    (text) => {
      expect(csvRow([text])).toBe(`'${text}\r\n`)
    },
  )

  test.each(['+1.831.555.0100', '+1 (831) 555-0100', '-12.5', '-', '+'])(
    '%j is a number and stays as it is',
    (text) => {
      expect(csvRow([text])).toBe(`${text}\r\n`)
    },
  )

  test('a carriage return in front is quoted and not run', () => {
    expect(csvRow(['\r=1'])).toBe('"\'\r=1"\r\n')
  })
})

test('every row is read back cell by cell, but for the apostrophe', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (cells) => {
      expect(readRow(csvRow(cells)).map((cell, i) => (cell === `'${cells[i]}` ? cells[i] : cell))).toEqual(cells)
    }),
  )
})

/** Reads one row by the grammar of RFC 4180. */
function readRow(row: string): string[] {
  expect(row.endsWith('\r\n')).toBe(true)
  const cells: string[] = []
  const form = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n$)/gy
  for (let match = form.exec(row); match !== null; match = form.exec(row)) {
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] !== ',') break
  }
  return cells
}
