// A code is what the sheet shows: a cell of a spreadsheet holds one thing and shows another, and a
// code that a spreadsheet changed is told or refused.
import { describe, expect, test } from 'vitest'
import { useOf } from '../../src/intake/cell-text.ts'
import { rejectedEntry, rejectedFile } from '../../src/intake/rejected-rows.ts'
import { tables } from '../../src/intake/template.ts'
import { fdaHeadings, fdaRow } from '../support/files/foreign-sheets.ts'
import { csvOf, eventHeadings, goodRow, intakeOf, recordsIn, toldIn } from '../support/files/import-files.ts'
import { type RawCell, type RawSheet, rawWorkbook } from '../support/files/raw-workbook.ts'
import type { Payload } from '../support/records/payloads.ts'

const columnsOfUse = (use: string) => [
  ...new Set(
    tables.flatMap(({ columns }) => columns.filter((column) => useOf(column) === use).map(({ name }) => name)),
  ),
]

async function readIn(content: string | Uint8Array, name: string) {
  const all = await intakeOf(content, name)
  const [record] = recordsIn(all)
  const event = record?.payload.eventList as Payload
  return { record, event, line: event?.productList[0] as Payload, findings: record?.findings ?? [], told: toldIn(all) }
}

/** The first line of a workbook whose good row has these cells. */
const readCells = (cells: Readonly<Record<string, RawCell>>, sheet: Partial<RawSheet> = {}) =>
  readIn(
    rawWorkbook({
      rows: [eventHeadings, eventHeadings.map((name, at) => cells[name] ?? goodRow()[at] ?? '')],
      ...sheet,
    }),
    'e.xlsx',
  )
const readTexts = (texts: Readonly<Record<string, string>>) => readIn(csvOf([eventHeadings, goodRow(texts)]), 'e.csv')

describe('a code in a workbook', () => {
  test.each<[number, string, string]>([
    [77123, '0000000', '0077123'],
    [42, '0000', '0042'],
    [23001, '"GV-"0', 'GV-23001'],
    [23001, '\\L0', 'L23001'],
    [77, '0"-A"', '77-A'],
    [12345.1, '0.00', '12345.10'],
    [12345.1, '#2', '12345.10'],
    [123456, '000-000', '123-456'],
    [12345678, '00-00-00', '1234-56-78'],
    [5551234, '[<=9999999]###-####;(###) ###-####', '555-1234'],
    [5551234567, '[<=9999999]###-####;(###) ###-####', '(555) 123-4567'],
    [939011234, '[<=99999]00000;00000-0000', '93901-1234'],
    [7, '0000;-0000;"none"', '0007'],
    [-7, '0;"R"0', 'R7'],
    [42, '[Red]0000', '0042'],
    [42, '[$-409]0000', '0042'],
    [42, '_(0000_)', '0042'],
    [42, '"LOT "General', 'LOT 42'],
    [20260304, '0000"-"00"-"00', '2026-03-04'],
    [46085, 'yyyymmdd', '20260304'],
    [46085, '"L"yymmdd', 'L260304'],
  ])('%s with the format %s is imported as it is shown, %s, and told once', async (value, format, shown) => {
    for (const column of ['caseLotNumber', 'purchaseOrderNumber']) {
      const rows = [1, 2].map(() =>
        eventHeadings.map((name, at) => (name === column ? { value, format } : (goodRow()[at] ?? ''))),
      )
      const { event, line, findings, told } = await readIn(rawWorkbook({ rows: [eventHeadings, ...rows] }), 'e.xlsx')
      expect(findings).toEqual([])
      expect({ ...event, ...line }[column]).toBe(shown)
      expect(
        told.match(new RegExp(`column ${column} shows its numbers in a format, .* as .*2 rows`, 'g')),
      ).toHaveLength(1)
    }
  })

  test.each<[number, string]>([
    [77123, 'General'],
    [77123, '0'],
    [77123, '@'],
    [77123, '#49'],
    [123456789012345, 'General'],
    [10614141000415, '0'],
    [12345.1, 'General'],
    [42, '#,##0'],
  ])('%s with the format %s shows what it holds, and nothing is told', async (value, format) => {
    const { line, findings, told } = await readCells({ caseLotNumber: { value, format } })
    expect(findings).toEqual([])
    expect(line.caseLotNumber).toBe(String(value))
    expect(told).not.toContain('caseLotNumber')
  })

  test.each(['#,##0', '#\\ ##0', "#'##0", '_-* #,##0_-;-* #,##0_-;_-* "-"_-;_-@_-'])(
    'shown in groups of thousands is imported without their separators, and that is told: %s',
    async (format) => {
      const { line, told } = await readCells({ caseLotNumber: { value: 23001, format } })
      expect(line.caseLotNumber).toBe('23001')
      expect(told).toContain('column caseLotNumber shows its numbers with thousands separators; they are left out')
    },
  )

  test.each<[string, RawCell, string]>([
    ['a date', { value: 46085, format: 'd-mmm' }, 'the date 2026-03-04, which a spreadsheet may have made of a code'],
    ['a date by number', { value: 46085, format: '#16' }, 'the date 2026-03-04'],
    ['a date of East Asia', { value: 46085, format: '#57' }, 'the date 2026-03-04'],
    ['a time', { value: 0.5, format: 'h:mm' }, 'the date 12:00:00'],
    ['digits of a time without a date', { value: 0.5, format: 'ddmmyy' }, 'the date 12:00:00'],
    ['digits of a date that programs count in two ways', { value: 42, format: 'ddmmyy' }, 'the date 1900-02-10'],
    ['digits of a date that no calendar has', { value: 20260304123, format: 'yyyymmdd' }, 'the date 20260304123'],
    ['an ISO date', { xml: '<c t="d"><v>2026-03-04</v></c>' }, 'the date 2026-03-04'],
    ['a rounded number', { value: 1234567890123456, format: '0' }, 'more digits than the 15'],
    ['a number that is saved with an exponent', { xml: '<c><v>1.5E20</v></c>' }, 'more digits than the 15'],
    ['an exponent', { value: 123456, format: '0.00E+00' }, 'is shown with an exponent'],
    ['a percentage', { value: 0.5, format: '0%' }, 'is shown as a percentage'],
    ['an amount of money', { value: 42, format: '$0' }, 'is shown as an amount of money'],
    ['an amount in euros', { value: 42, format: '0 [$€-407]' }, 'is shown as an amount of money'],
    ['an accounting amount', { value: 23001, format: '#43' }, 'thousands separators and decimals'],
    ['a fraction', { value: 0.75, format: '# ?/?' }, 'is shown as a fraction'],
    ['a number in thousands', { value: 42000, format: '0,' }, 'is shown in thousands'],
    ['a number of which decimals are not shown', { value: 42.5, format: '0' }, 'has digits that are not shown'],
    ['a number that is not shown', { value: 42, format: ';;;' }, 'does not show it'],
    ['a text instead of the number', { value: 42, format: '"see label"' }, 'does not show it'],
    ['Chinese digits', { value: 42, format: '[DBNum1]0' }, 'is not known'],
    ['Thai digits', { value: 42, format: '#59' }, 'is not known'],
    ['a truth value', { xml: '<c t="b"><v>1</v></c>' }, 'TRUE as a truth value'],
    ['an error', { xml: '<c t="e"><v>#N/A</v></c>' }, 'the error #N/A'],
  ])('that is %s is refused at its row, with the remedy', async (_, cell, says) => {
    for (const column of ['caseLotNumber', 'purchaseOrderNumber', 'shipFrom.address.postalCode']) {
      const { findings } = await readCells({ [column]: cell })
      expect(findings).toMatchObject([{ severity: 'error', row: 2, column, message: expect.stringContaining(says) }])
      expect(findings[0]?.message).toMatch(/Format the column as text|Correct the formula/)
    }
  })

  test('is imported as shown in every column of texts, and told', async () => {
    for (const column of [...columnsOfUse('code'), ...columnsOfUse('words')]) {
      if (!eventHeadings.includes(column)) continue
      const { record, told } = await readCells({ [column]: { value: 42, format: '000000' } })
      expect(JSON.stringify(record?.payload)).toContain('"000042"')
      expect(told).toContain(`column ${column} shows its numbers in a format, 42 as 000042`)
    }
  })

  test('has the format of its cell style where it has none of its own', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="170" formatCode="00000"/></numFmts><cellStyleXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellStyleXfs><cellXfs><xf numFmtId="0" xfId="0"/><xf xfId="1"/></cellXfs>'
    const { line } = await readCells({ caseLotNumber: { xml: '<c s="1"><v>42</v></c>' } }, { styles })
    expect(line.caseLotNumber).toBe('00042')
  })

  test('is refused where a conditional format may show another text', async () => {
    const styles =
      '<cellXfs><xf/></cellXfs><dxfs><dxf><font/></dxf><dxf><numFmt numFmtId="170" formatCode="0000"/></dxf></dxfs>'
    const after = '<conditionalFormatting sqref="A1 A2:XFD2"><cfRule dxfId="1"/></conditionalFormatting>'
    const number = { xml: '<c><v>42</v></c>' }
    const { findings } = await readCells({ caseLotNumber: number, shipQuantity: number }, { styles, after })
    expect(findings).toMatchObject([
      { severity: 'error', column: 'caseLotNumber', message: expect.stringContaining('a conditional format') },
    ])
    const colours = { styles, after: after.replace('dxfId="1"', 'dxfId="0"') }
    expect((await readCells({ caseLotNumber: number }, colours)).line.caseLotNumber).toBe('42')
  })

  test('that a formula gives is imported as shown, and both are told', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="170" formatCode="00000"/></numFmts><cellXfs><xf/><xf numFmtId="170"/></cellXfs>'
    const shared = { xml: '<c s="1"><f t="shared" si="0"/><v>42</v></c>' }
    const { line, told } = await readCells({ caseLotNumber: shared }, { styles })
    expect(line.caseLotNumber).toBe('00042')
    expect(told).toContain('42 as 00042')
    expect(told).toContain('has formulas')
  })

  test('that is a text with more in its format is imported as shown', async () => {
    const { line, told } = await readCells({ caseLotNumber: { value: '0042', format: '0;-0;0;"LOT-"@' } })
    expect(line.caseLotNumber).toBe('LOT-0042')
    expect(told).toContain('shows its texts in a format, 0042 as LOT-0042')
  })

  test('comes back from the rejected rows as it was shown', async () => {
    const { record } = await readCells({
      caseLotNumber: { value: 42, format: '0000' },
      purchaseOrderNumber: { value: 46085, format: 'd-mmm' },
    })
    expect(record).toBeDefined()
    if (record === undefined) return
    const file = await rejectedFile(async function* () {
      yield rejectedEntry({ from: record.from, findings: record.findings })
    })
    const parts: Uint8Array[] = []
    for await (const part of file?.parts ?? []) parts.push(part as Uint8Array)
    const again = await readIn(Buffer.concat(parts), 'e.rejected.xlsx')
    expect(again.line.caseLotNumber).toBe('0042')
    expect(again.findings).toMatchObject([
      {
        severity: 'warning',
        column: 'purchaseOrderNumber',
        message: expect.stringContaining('2026-03-04 may be a date'),
      },
    ])
  })

  test('quantities and dates keep what they hold, whatever their format shows', async () => {
    const { event, line, findings } = await readCells({
      shipQuantity: { value: 1234.56, format: '#,##0 "cases"' },
      harvestDate: { value: 46085, format: 'dd/mm' },
      expectedDeliveryDate: { value: 46085, format: '#14' },
    })
    expect(findings).toEqual([])
    expect(line).toMatchObject({ shipQuantity: 1234.56, harvestDate: '2026-03-04' })
    expect(event.expectedDeliveryDate).toBe('2026-03-04')
  })
})

describe("a code in FDA's sheet", () => {
  const read = (cells: Readonly<Record<number, RawCell>>) =>
    readIn(rawWorkbook({ rows: [fdaHeadings, fdaRow().map((text, at) => cells[at] ?? text)] }), 'fda.xlsx')

  test('is imported as shown: lot, ZIP code and number of the document', async () => {
    const { record, told } = await read({
      0: { value: 77123, format: '0000000' },
      21: { value: 1234, format: '00000' },
      33: { value: 42, format: '000000' },
    })
    const payload = JSON.stringify(record?.payload)
    expect(payload).toContain('"0077123"')
    expect(payload).toContain('"postalCode":"01234"')
    expect(payload).toMatch(/"billOfLadingNumber":"000042"/)
    expect(told.match(/shows its numbers in a format/g)).toHaveLength(3)
  })

  test('that is a date is refused at its row', async () => {
    const { findings } = await read({ 33: { value: 46085, format: 'd-mmm' } })
    expect(findings).toContainEqual(
      expect.objectContaining({ severity: 'error', row: 2, message: expect.stringContaining('the date 2026-03-04') }),
    )
  })
})

describe('a code in CSV', () => {
  test.each([
    ["'0042", '0042'],
    ['="0042"', '0042'],
    ['=“0042”', '0042'],
    ['= "GV-7"', 'GV-7'],
    ["'GV-7", 'GV-7'],
    ['"0042"', '0042'],
    ['’0042', '0042'],
    ['`0042', '0042'],
    ['´0042', '0042'],
    ['＇0042', '0042'],
    ["'3-Apr", '3-Apr'],
    ['="1.2E+05"', '1.2E+05'],
    ['="say ""L"" 1"', 'say "L" 1'],
  ])('with the text mark of a spreadsheet, %s, is imported as %s, and told', async (text, code) => {
    const { line, findings, told } = await readTexts({ caseLotNumber: text })
    expect(findings).toEqual([])
    expect(line.caseLotNumber).toBe(code)
    expect(told).toContain('column caseLotNumber has the marks with which a spreadsheet keeps a text')
  })

  test.each(['\t0042', '\u00a00042', '0042\u00a0', '0042\u202f ', '\ufeff0042'])(
    'with a tab or a non-breaking blank around it is imported without, and told: %j',
    async (text) => {
      const { line, told } = await readTexts({ caseLotNumber: text })
      expect(line.caseLotNumber).toBe('0042')
      expect(told).toContain('column caseLotNumber has tabs or non-breaking blanks')
    },
  )

  test.each([' 0042', '0042  ', ' 0042 '])('with blanks around it is imported without, and told: %j', async (text) => {
    const { line, findings, told } = await readTexts({ caseLotNumber: text, shipQuantity: ' 40 ' })
    expect(findings).toEqual([])
    expect(line).toMatchObject({ caseLotNumber: '0042', shipQuantity: 40 })
    expect(told.match(/has blanks around its texts/g)).toHaveLength(1)
  })

  test('with a text mark is read in GTIN, GLN, quantity and date too', async () => {
    const { line, findings } = await readTexts({
      caseGtin: "'10614141000415",
      tlcSourceReferenceGln: '="0614141000012"',
      shipQuantity: "'40",
      harvestDate: "'2026-03-04",
    })
    expect(findings).toEqual([])
    expect(line).toMatchObject({
      caseGtin: '10614141000415',
      tlcSourceReferenceGln: '0614141000012',
      shipQuantity: 40,
      harvestDate: '2026-03-04',
    })
  })

  test.each([
    ["'0042'", 'not clear which belong to the code'],
    ["'L'42", 'not clear which belong to the code'],
    ['=B2*2', 'holds the formula'],
    ['=0042', 'holds the formula'],
    ['=TEXT(A2,"0000")', 'holds the formula'],
    ['3-Apr', 'is a date, as a spreadsheet makes it'],
    ['Mar-04', 'is a date'],
    ['Apr-26', 'is a date'],
    ['4-Apr-26', 'is a date'],
    ['03. Mrz', 'is a date'],
    ['Mrz 04', 'is a date'],
    ['03-avr', 'is a date'],
    ['avr.-26', 'is a date'],
    ['déc-26', 'is a date'],
    ['03/abr', 'is a date'],
    ['3-mei', 'is a date'],
    ['4月3日', 'is a date'],
    ['1.23E+15', 'last digits are lost'],
    ['1,23E+15', 'last digits are lost'],
    ['1.2E+05', 'last digits are lost'],
    ['1E+12', 'last digits are lost'],
    ['########', 'too narrow'],
    ['#NAME?', 'the error #NAME?'],
    ['#N/A', 'the error #N/A'],
    ['#NOMBRE?', 'the error #NOMBRE?'],
    ['#¡REF!', 'the error #¡REF!'],
    ['#N/D', 'the error #N/D'],
    ['Err:502', 'the error Err:502'],
    ['L\ufffd42', 'a letter that was lost'],
  ])(
    'that a spreadsheet changed, %s, is refused at its row, with the remedy, also as a text in a workbook',
    async (text, says) => {
      for (const column of ['caseLotNumber', 'asnNumber'])
        for (const { findings } of [await readTexts({ [column]: text }), await readCells({ [column]: text })])
          expect(findings).toMatchObject([
            { severity: 'error', row: 2, column, message: expect.stringContaining(says) },
          ])
    },
  )

  test.each([
    '4/3',
    '4/3/2026',
    '2026/03/04',
    '03.04.2026',
    '2026-03-04',
    '12:30',
    '3-APR',
    '7E12',
    'TRUE',
    'True',
    'WAHR',
    'FALSO',
    'NULL',
    '(null)',
    'NaN',
    '3 April',
    '3. April 2026',
    'April 3, 2026',
    'Friday, April 3, 2026',
    '3 de abril de 2026',
    'vendredi 3 avril 2026',
    '2026年4月3日',
    '04/2026',
    '2026-04',
    '4-3',
    '04-03-26',
    '04.03.',
    '04.03.26',
    '$5',
    '5 €',
    'US$5.00',
    '50%',
    '12,5 %',
    '23,001',
    "23'001",
    'L–42',
    'L“42”',
    'CafÃ©7',
    '77123.0',
    '77123,00',
    '1234567890123450',
    '123456789012345000',
  ])('that a spreadsheet may have changed, %s, is imported as it is, with a warning', async (text) => {
    const { line, findings } = await readTexts({ caseLotNumber: text })
    expect(line.caseLotNumber).toBe(text)
    expect(findings).toMatchObject([{ severity: 'warning', row: 2, column: 'caseLotNumber' }])
  })

  test.each([
    'GV26063-A',
    '0042',
    '23-001',
    'MAR04',
    'APR 26-B',
    '40/5',
    '26-063-01',
    'L7E12',
    'May',
    '1.5',
    '#42',
    '3-Ape',
    'Set',
    '4.3',
    '12.345',
    '40-3',
    '13-2026',
    'MAR 26 B',
    'A-4-3',
    '(42)',
    '5 per',
    'NULL7',
  ])('that no spreadsheet makes, %s, is imported without a word', async (text) => {
    const { line, findings, told } = await readTexts({ caseLotNumber: text })
    expect(line.caseLotNumber).toBe(text)
    expect(findings).toEqual([])
    expect(told).not.toContain('caseLotNumber')
  })

  test('words keep an apostrophe in front, and sizes such as 6/5 give no warning', async () => {
    const { record, findings } = await readTexts({
      'shipFrom.locationName': "'t Zand Growers",
      'product.packSize': '6/5',
      'product.packStyle': '3/4',
    })
    expect(findings).toEqual([])
    expect(JSON.stringify(record?.payload)).toContain("'t Zand Growers")
  })

  test('a text that is formatted as text is doubted and not refused', async () => {
    const { line, findings } = await readCells({ caseLotNumber: { value: '3-Apr', format: '@' } })
    expect(line.caseLotNumber).toBe('3-Apr')
    expect(findings).toMatchObject([{ severity: 'warning', column: 'caseLotNumber' }])
  })
})
