// CSV as another program writes it: every table is read as it was written, whatever the delimiter
// and the ends of lines.
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/support/runs.ts'
import { csvLine, csvRows } from '../src/csv.ts'

async function tableOf(content: string, pieceLength = content.length || 1): Promise<string[][]> {
  const pieces = async function* () {
    for (let at = 0; at < content.length; at += pieceLength) yield content.slice(at, at + pieceLength)
  }
  const rows: string[][] = []
  for await (const batch of csvRows(pieces())) {
    for (const { cells } of batch) rows.push(cells.map((cell) => cell?.text ?? ''))
  }
  return rows
}

/** Text with everything that has a meaning in CSV. */
const cell = fc.string({
  unit: fc.constantFrom('a', 'Z', '0', ' ', '"', ',', ';', '\t', '|', '\n', '\r', "'", 'ä', '青'),
  maxLength: 8,
})
const table = fc
  .integer({ min: 2, max: 5 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 30 }))

describe('a table that csv-stringify wrote', () => {
  test.each([',', ';', '\t', '|'])('with the delimiter %j is read as it was written', async (delimiter) => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        fc.integer({ min: 1, max: 50 }),
        async (rows, record_delimiter, quoted, pieceLength) => {
          // A heading without any other delimiter, so that the reader can tell which it is.
          const all = [Array.from({ length: 12 }, (_, i) => `h${i}`), ...rows]
          const content = stringify(all, { delimiter, record_delimiter, quoted, quoted_match: /[\r\n]/ })
          expect(await tableOf(content, pieceLength)).toEqual(all)
        },
      ),
      { numRuns: runs(300) },
    )
  })
})

test('a row that is written is read as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(cell, { minLength: 2, maxLength: 6 }), async (cells) => {
      expect(await tableOf(`sep=,\r\n${csvLine(cells)}`)).toEqual([cells])
    }),
    { numRuns: runs(300) },
  )
})

describe('what is no table ends with a line that says where', () => {
  test.each([
    ['text after a closing quotation mark', 'a,b\r\n"x"y,z\r\n', 'On line 2, text follows a closing quotation mark'],
    ['a quotation mark that is never closed', 'a,b\r\n"x,z\r\n', 'A quotation mark on line 2 is never closed'],
    ['a row of too many cells', `a,b\r\n${','.repeat(2_000)}\r\n`, 'Row 2 has more than 2000 cells'],
    ['a row without end', `a,b\r\nc,d\r\n"${'x'.repeat(1_000_001)}`, 'has more than 1000000 characters'],
  ])('%s', async (_, content, says) => {
    await expect(tableOf(content)).rejects.toThrow(says)
  })
})
