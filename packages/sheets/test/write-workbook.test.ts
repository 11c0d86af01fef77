// What is written is what others read: every text, to the last character.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readWorkbook, textIn, unzipped, whole } from '../../../test/support/files/read-workbook.ts'
import { runs } from '../../../test/support/runs.ts'
import { nodePacking } from '../src/node-packing.ts'
import { columnLetters } from '../src/sheet.ts'
import { type WrittenSheet, workbook } from '../src/write-workbook.ts'

const madeAt = new Date('2026-03-04T05:06:08Z')
const bytesOf = (...sheets: readonly WrittenSheet[]) =>
  whole(workbook(sheets, { title: 'T', creator: 'C', madeAt, openAt: 0 }, nodePacking))
const sheetOf = (rows: WrittenSheet['rows']): WrittenSheet => ({ name: 'S', widths: [10], rows })
const readBack = async (rows: WrittenSheet['rows']) => (await readWorkbook(await bytesOf(sheetOf(rows)))).get('S')

const texts = [
  '=1+1',
  '+1.831.555.0100',
  '-5',
  '00012345678901234567',
  '🥬🍅',
  'שלום עולם',
  '_x0041_',
  '_x005F_x0041_',
  '_x0041',
  '_x0041\u0001',
  '\u0001_\uFFFE\uFFFF\u007F',
  'two\nlines',
  'old\rlines\r\nhere',
  '\ttab',
  '  spaces  ',
  '<b>&amp;"\'</b>]]>',
  'TRUE',
  '#N/A',
  '2026-03-04',
  '😀'.repeat(100),
]

describe('a workbook', () => {
  test.each(texts)('keeps %j as text', async (text) => {
    expect(await readBack([['before', text, 'after']])).toEqual([['before', text, 'after']])
    const xml = textIn(unzipped(await bytesOf(sheetOf([[text]])))['xl/worksheets/sheet1.xml'])
    expect(xml).toMatch(/<c r="A1" s="3" t="inlineStr">/)
    expect(xml).not.toMatch(/<f[ >]/)
  })

  test('keeps whatever text there is', async () => {
    const character = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom('_', 'x', '0', '0041', '_x0041_', '\r', '\n', ' ', '\u0001', '\uFFFE', '&', '<'),
    )
    // The reader takes a row or cell without text for one that is not there.
    const text = fc.array(character, { maxLength: 30 }).map((parts) => `${parts.join('').replaceAll('\u0000', '')}.`)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 20 }), async (rows) => {
        expect(await readBack(rows)).toEqual(rows)
      }),
      { numRuns: runs(200) },
    )
  })

  test('has numbers and dates as such, and text where a spreadsheet counts days wrongly', async () => {
    expect(
      await readBack([[1, -2.5, 1e-7, { date: '2026-03-04' }, { date: '1900-03-01' }, { date: '1900-02-28' }]]),
    ).toEqual([['1', '-2.5', '1e-7', '03/04/2026', '03/01/1900', '02/28/1900']])
    const xml = textIn(unzipped(await bytesOf(sheetOf([[{ date: '2026-03-04' }]])))['xl/worksheets/sheet1.xml'])
    expect(xml).toContain('<c r="A1" s="2"><v>46085</v></c>')
  })

  test('takes rows as they come, and writes the filter over all of them', async () => {
    const batches = async function* () {
      for (let start = 0; start < 1000; start += 100)
        yield Array.from({ length: 100 }, (_, i) => [`row ${start + i}`, start + i])
    }
    const bytes = await bytesOf({ ...sheetOf(batches()), name: "It's", frozenRows: 1, filteredColumns: 2 })
    const rows = (await readWorkbook(bytes)).get("It's")
    expect(rows).toHaveLength(1000)
    expect(rows?.[999]).toEqual(['row 999', '999'])
    const files = unzipped(bytes)
    expect(textIn(files['xl/worksheets/sheet1.xml'])).toContain('<autoFilter ref="A1:B1000"/>')
    expect(textIn(files['xl/workbook.xml'])).toContain("'It''s'!$A$1:$B$1000</definedName>")
  })

  test('says how high a row of wrapped text is, and leaves the others alone', async () => {
    const rows = [
      [{ style: 'heading', text: 'one line' } as const],
      [{ style: 'wrapped', text: 'x'.repeat(26) } as const],
      ['x'.repeat(90)],
    ]
    const xml = textIn(unzipped(await bytesOf(sheetOf(rows)))['xl/worksheets/sheet1.xml'])
    expect(xml.match(/<row [^>]*>/g)).toEqual(['<row r="1">', '<row r="2" ht="45" customHeight="1">', '<row r="3">'])
  })

  test('is the same for the same sheets and time', async () => {
    expect(await bytesOf(sheetOf([['x']]))).toEqual(await bytesOf(sheetOf([['x']])))
  })
})

test('columns are lettered as spreadsheets letter them', () => {
  expect([1, 26, 27, 36, 52, 53, 702, 703].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'AJ', 'AZ', 'BA', 'ZZ', 'AAA'])
})
