// Workbooks of other programs: what each cell is read as, and what the reader leaves out.
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import writeExcelFile, { type SheetData } from 'write-excel-file/node'
import { memoryFile } from '../../../test/support/files/import-files.ts'
import { openWorkbook } from '../src/read-workbook.ts'
import type { Cell, Sheet } from '../src/sheet.ts'

const open = (bytes: Uint8Array, pieceLength?: number) => openWorkbook(memoryFile(bytes, 'book.xlsx', pieceLength))

async function rowsOf(sheet: Sheet | undefined) {
  const rows = []
  for await (const batch of sheet?.rows() ?? []) rows.push(...batch)
  return rows
}

const text = (value: string): Cell => ({ text: value, is: 'text' })
const number = (value: string): Cell => ({ text: value, is: 'number' })
const date = (value: string): Cell => ({ text: value, is: 'date' })

describe('a workbook that write-excel-file wrote', () => {
  const written = async (data: SheetData) => new Uint8Array(await writeExcelFile(data).toBuffer())

  test.each<[string, SheetData[number][number], Cell]>([
    ['text', { value: 'Vine tomatoes', type: String }, text('Vine tomatoes')],
    ['text of digits, which stays text', { value: '00614141000012', type: String }, text('00614141000012')],
    ['text with markup', { value: '<b>A & B</b> "C"', type: String }, text('<b>A & B</b> "C"')],
    ['text in two lines', { value: 'Gate A\nGate B', type: String }, text('Gate A\nGate B')],
    ['spaces at both ends', { value: '  PO-1 ', type: String }, text('  PO-1 ')],
    ['other scripts', { value: 'Ärøskøbing 青果 🍅', type: String }, text('Ärøskøbing 青果 🍅')],
    ['a whole number', { value: 40, type: Number }, number('40')],
    ['a fraction that no double holds exactly', { value: 0.1 + 0.2, type: Number }, number('0.3')],
    ['a number below zero', { value: -12.5, type: Number }, number('-12.5')],
    ['a GTIN as a number', { value: 10614141000415, type: Number }, number('10614141000415')],
    ['true', { value: true, type: Boolean }, { text: 'true', is: 'boolean' }],
    ['false', { value: false, type: Boolean }, { text: 'false', is: 'boolean' }],
    ['a date', { value: new Date('2026-03-04T00:00:00Z'), type: Date, format: 'mm/dd/yyyy' }, date('2026-03-04')],
    [
      'a date with a time',
      { value: new Date('2026-03-04T13:05:00Z'), type: Date, format: 'yyyy-mm-dd hh:mm' },
      date('2026-03-04T13:05:00'),
    ],
    ['a leap day', { value: new Date('2024-02-29T00:00:00Z'), type: Date, format: 'd. mmm yyyy' }, date('2024-02-29')],
    [
      'a quantity with a unit in its format',
      { value: 40, type: Number, format: '0 "cases"' },
      { ...number('40'), shown: '40 cases' },
    ],
    [
      'an amount in red below zero',
      { value: 1234.5, type: Number, format: '#,##0.00;[Red]-#,##0.00' },
      { ...number('1234.5'), unsure: 'is shown as an amount with thousands separators and decimals' },
    ],
  ])('has %s as it was entered', async (_, cell, read) => {
    const [sheet] = await open(await written([[cell]]))
    expect(await rowsOf(sheet)).toEqual([{ number: 1, cells: [read] }])
  })

  test('keeps cells in their columns where cells before them are empty', async () => {
    const [sheet] = await open(
      await written([
        [null, null, { value: 'C' }],
        [{ value: 'A' }, null, null, { value: 'D' }],
      ]),
    )
    const cells = (await rowsOf(sheet)).map((row) => row.cells.map((cell) => cell?.text))
    expect(cells).toEqual([
      [undefined, undefined, 'C'],
      ['A', undefined, undefined, 'D'],
    ])
  })

  test('has its sheets in order, each with its own rows', async () => {
    const bytes = await writeExcelFile([
      { sheet: 'Received & kept', data: [[{ value: 'one' }]] },
      { sheet: 'Notes', data: [[{ value: 'two' }]] },
    ]).toBuffer()
    const sheets = await open(new Uint8Array(bytes))
    expect(sheets.map(({ name }) => name)).toEqual(['Received & kept', 'Notes'])
    for (const [i, word] of ['one', 'two'].entries())
      expect(await rowsOf(sheets[i])).toEqual([{ number: 1, cells: [text(word)] }])
  })

  test('names the areas of its merged cells', async () => {
    const [sheet] = await open(
      await written([
        [{ value: 'Lot', columnSpan: 2, rowSpan: 3 }, null, { value: 'x' }],
        [null, null, { value: 'y' }],
        [null, null, { value: 'z' }],
      ]),
    )
    expect(await sheet?.merged()).toEqual([{ name: 'A1:B3', firstRow: 1, lastRow: 3 }])
  })

  test('is read alike whatever pieces it arrives in', async () => {
    const rows = Array.from({ length: 300 }, (_, i) => [
      { value: `Lot ${i} – "ä" & more` },
      { value: i / 7 },
      { value: new Date(Date.UTC(2026, 0, 1 + i)), type: Date, format: 'yyyy-mm-dd' },
    ])
    const bytes = await written(rows as SheetData)
    const [whole] = await open(bytes, bytes.length)
    const expected = await rowsOf(whole)
    expect(expected).toHaveLength(rows.length)
    for (const pieceLength of [1, 7, 1_000]) {
      const [sheet] = await open(bytes, pieceLength)
      expect(await rowsOf(sheet)).toEqual(expected)
    }
  })
})

/** What Excel itself writes and libraries do not, packed by another ZIP writer. */
describe('a workbook with what Excel writes', () => {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  const formats = ['General', 'mm-dd-yy', '[h]:mm', '"day" 0', 'yyyy\\-mm']
  function excel(rows: string, parts: { readonly shared?: string; readonly workbookPr?: string } = {}) {
    const files: Record<string, string> = {
      'xl/workbook.xml': `<?xml version="1.0"?><workbook ${main}>${parts.workbookPr ?? ''}<sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId1" Target="/xl/worksheets/sheet1.xml"/></Relationships>',
      'xl/styles.xml': `<styleSheet ${main}><numFmts>${formats.map((code, i) => `<numFmt numFmtId="${200 + i}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/>${formats.map((_, i) => `<xf numFmtId="${200 + i}"/>`).join('')}</cellXfs></styleSheet>`,
      'xl/sharedStrings.xml': `<sst ${main}>${parts.shared ?? ''}</sst>`,
      'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`,
    }
    return zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, strToU8(content)])))
  }
  const cellsOf = async (...args: Parameters<typeof excel>) => {
    const [sheet] = await open(excel(...args))
    return (await rowsOf(sheet)).flatMap(({ cells }) => cells)
  }
  const march4th = 46_085

  test.each<[string, string, Cell]>([
    ['a built-in date format', `<c s="1"><v>${march4th}</v></c>`, date('2026-03-04')],
    ['a date format of its own', `<c s="6"><v>${march4th}</v></c>`, date('2026-03-04')],
    ['a time of day', '<c s="1"><v>0.5</v></c>', date('12:00:00')],
    ['a format whose only letter of a date is quoted', '<c s="5"><v>40</v></c>', { ...number('40'), shown: 'day 40' }],
    ['the style of a cell style, which is no cell format', `<c s="0"><v>${march4th}</v></c>`, number(String(march4th))],
    ['an ISO date', '<c t="d"><v>2026-03-04</v></c>', date('2026-03-04')],
    ['an error', '<c t="e"><v>#N/A</v></c>', { text: '#N/A', is: 'error' }],
    ['the value of a formula', '<c><f>20*2</f><v>40</v></c>', { ...number('40'), formula: true }],
    ['a formula that gives text', '<c t="str"><f>A1</f><v>PO-1</v></c>', { ...text('PO-1'), formula: true }],
    ['a double in full', '<c><v>0.10000000000000001</v></c>', number('0.1')],
    ['a carriage return as an escape', '<c t="inlineStr"><is><t>A_x000D_B</t></is></c>', text('A\rB')],
  ])('has %s read', async (_, cell, read) => {
    expect(await cellsOf(`<row r="1">${cell}</row>`)).toEqual([read])
  })

  test('puts the runs of a formatted text together, without the readings above Japanese ones', async () => {
    const shared =
      '<si><r><rPr><b/></rPr><t>Vine </t></r><r><t xml:space="preserve">tomatoes</t></r></si><si><t>青果</t><rPh sb="0" eb="2"><t>せいか</t></rPh></si>'
    expect(await cellsOf('<row r="1"><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>', { shared })).toEqual([
      text('Vine tomatoes'),
      text('青果'),
    ])
  })

  test('counts days from 1904 where the workbook does', async () => {
    const row = `<row r="1"><c s="1"><v>${march4th - 1_462}</v></c></row>`
    expect(await cellsOf(row, { workbookPr: '<workbookPr date1904="1"/>' })).toEqual([date('2026-03-04')])
  })

  test('keeps row numbers and columns where rows and cells are left out', async () => {
    const [sheet] = await open(excel('<row r="3"><c r="AA3"><v>1</v></c></row><row r="9"><c r="B9"><v>2</v></c></row>'))
    const rows = await rowsOf(sheet)
    expect(rows.map((row) => [row.number, row.cells.length])).toEqual([
      [3, 27],
      [9, 2],
    ])
  })

  test('is refused where a row or a cell is none that a spreadsheet can have', async () => {
    await expect(cellsOf('<row r="1048577"><c><v>1</v></c></row>')).rejects.toThrow('a row 1048577')
    await expect(cellsOf('<row r="1"><c r="XFE1"><v>1</v></c></row>')).rejects.toThrow('a cell XFE1')
  })
})
