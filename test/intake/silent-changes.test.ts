// No value changes in silence: of each of these sheets the report tells what differs between what a
// cell shows and what is imported, or the row is refused. One sheet a line.
import { expect, test } from 'vitest'
import type { IntakeOptions } from '../../src/intake/intake.ts'
import { csvOf, eventHeadings, goodRow, intakeOf, recordsIn, toldIn } from '../support/files/import-files.ts'
import { type RawCell, type RawSheet, rawWorkbook } from '../support/files/raw-workbook.ts'
import type { Payload } from '../support/records/payloads.ts'

type File = { readonly name: string; readonly bytes: string | Uint8Array; readonly options?: Partial<IntakeOptions> }

const lot = 'caseLotNumber'
const order = 'purchaseOrderNumber'
const zip = 'shipFrom.address.postalCode'
const placeName = 'shipFrom.locationName'
const quantity = 'shipQuantity'
const harvest = 'harvestDate'
const time = 'eventDateTime'

/** A workbook of one row with this cell. */
const xlsx = (column: string, cell: RawCell, sheet: Partial<RawSheet> = {}): File => ({
  name: 'e.xlsx',
  bytes: rawWorkbook({
    rows: [eventHeadings, eventHeadings.map((name, at) => (name === column ? cell : (goodRow()[at] ?? '')))],
    ...sheet,
  }),
})
const number = (column: string, value: number, format: string, sheet: Partial<RawSheet> = {}): File =>
  xlsx(column, { value, format }, sheet)
const cellOf = (column: string, xml: string, sheet: Partial<RawSheet> = {}): File => xlsx(column, { xml }, sheet)

const rowsWith = (column: string, texts: readonly string[]) =>
  csvOf([eventHeadings, ...texts.map((text) => goodRow({ [column]: text }))])
/** A CSV file of a row for each text. */
const csv = (column: string, ...texts: readonly string[]): File => ({ name: 'e.csv', bytes: rowsWith(column, texts) })
/** The same with semicolons. */
const semicolons = (column: string, ...texts: readonly string[]): File => ({
  name: 'e.csv',
  bytes: [eventHeadings, ...texts.map((text) => goodRow({ [column]: text }))]
    .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';'))
    .join('\n'),
})
const encoded = (column: string, text: string, encoding: 'latin1' | 'utf16le'): File => ({
  name: 'e.csv',
  bytes: Buffer.from((encoding === 'utf16le' ? '\ufeff' : '') + rowsWith(column, [text]), encoding),
})

interface Sheet {
  readonly file: File
  readonly column: string
  /** What a person sees in the cell of the first row. */
  readonly shows: string
  /** What is imported; `refused` where the row or the file is. */
  readonly becomes: string
  /** What the report says of it; empty where nothing is to be said. */
  readonly says: string
}

const sheet = (file: File, column: string, shows: string, becomes: string, says: string): Sheet => ({
  ...{ file, column, shows, becomes, says },
})

const shownAs = 'shows its numbers in a format'
const merged = { after: '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>' }
const from1904 = { workbookPr: '<workbookPr date1904="1"/>' }
const inline = (text: string, more = '') => `<c t="inlineStr"${more}><is>${text}</is></c>`

const sheets: Readonly<Record<string, Sheet>> = {
  // Number formats
  'a fixed number of digits': sheet(number(lot, 77123, '0000000'), lot, '0077123', '0077123', shownAs),
  'literal text in front': sheet(number(lot, 23001, '"GV-"0'), lot, 'GV-23001', 'GV-23001', shownAs),
  'literal signs between digits': sheet(number(order, 123456, '000-000'), order, '123-456', '123-456', shownAs),
  'fixed decimals': sheet(number(lot, 12345.1, '0.00'), lot, '12345.10', '12345.10', shownAs),
  'a telephone number': sheet(
    number('shipFrom.phoneNumber', 5551234567, '[<=9999999]###-####;(###) ###-####'),
    ...(['shipFrom.phoneNumber', '(555) 123-4567', '(555) 123-4567', shownAs] as const),
  ),
  'a ZIP code as a number': sheet(number(zip, 1234, '00000'), zip, '01234', '01234', shownAs),
  'groups of thousands': sheet(number(lot, 23001, '#,##0'), lot, '23,001', '23001', 'thousands separators'),
  'a number of dates': sheet(number(lot, 46085, 'yyyymmdd'), lot, '20260304', '20260304', ''),
  'the format General': sheet(number(lot, 77123, 'General'), lot, '77123', '77123', ''),
  'a text with a format': sheet(
    xlsx(lot, { value: '42', format: '0;-0;0;"LOT-"@' }),
    ...([lot, 'LOT-42', 'LOT-42', 'shows its texts in a format'] as const),
  ),
  'a format of another section': sheet(number(lot, -7, '0;"R"0'), lot, 'R7', 'R7', shownAs),
  'a format that rounds': sheet(number(lot, 42.5, '0'), lot, '43', 'refused', 'digits that are not shown'),
  'a format that hides': sheet(number(lot, 42, ';;;'), lot, '', 'refused', 'does not show it'),
  'a format in thousands': sheet(number(lot, 42000, '0,'), lot, '42', 'refused', 'in thousands'),
  'an exponent format': sheet(number(lot, 123456, '0.00E+00'), lot, '1.23E+05', 'refused', 'exponent'),
  'a percentage': sheet(number(lot, 0.5, '0%'), lot, '50%', 'refused', 'percentage'),
  'an amount of money': sheet(number(order, 42, '$0'), order, '$42', 'refused', 'money'),
  'an amount in an accounting format': sheet(number(order, 42, '#44'), order, '$42.00', 'refused', 'money'),
  'a fraction': sheet(number(lot, 0.75, '# ?/?'), lot, '3/4', 'refused', 'fraction'),
  'digits of another script': sheet(number(lot, 42, '[DBNum1]0'), lot, '四十二', 'refused', 'not known'),
  'more than 15 digits': sheet(number(lot, 1234567890123456, '0'), lot, '1234567890123450', 'refused', '15'),
  'a number saved with an exponent': sheet(cellOf(lot, '<c><v>1.5E20</v></c>'), lot, '1.5E+20', 'refused', '15'),
  // What is no number
  'a date in a code': sheet(number(lot, 46085, 'd-mmm'), lot, '4-Mar', 'refused', 'the date 2026-03-04'),
  'an ISO date in a code': sheet(cellOf(lot, '<c t="d"><v>2026-03-04</v></c>'), lot, '3/4/2026', 'refused', 'the date'),
  'a date of a workbook that counts from 1904': sheet(
    number(harvest, 44623, 'm/d/yyyy', from1904),
    ...([harvest, '2026-03-04', '2026-03-04', ''] as const),
  ),
  'days without a format, counted from 1904': sheet(
    number(harvest, 44623, 'General', from1904),
    ...([harvest, '44623', 'refused', 'counts its days from 1904'] as const),
  ),
  'days without a format': sheet(number(harvest, 46085, 'General'), harvest, '46085', '2026-03-04', 'days since 1900'),
  'a truth value in a code': sheet(cellOf(lot, '<c t="b"><v>1</v></c>'), lot, 'TRUE', 'refused', 'truth value'),
  'an error value': sheet(cellOf(lot, '<c t="e"><v>#N/A</v></c>'), lot, '#N/A', 'refused', '#N/A'),
  'a formula with its value': sheet(cellOf(lot, '<c><f>B1</f><v>42</v></c>'), lot, '42', '42', 'has formulas'),
  'a formula without a value': sheet(cellOf(lot, '<c><f>B1</f></c>'), lot, '', 'refused', 'without a value'),
  'a conditional format': sheet(
    cellOf(lot, '<c><v>42</v></c>', {
      styles: '<cellXfs><xf/></cellXfs><dxfs><dxf><numFmt numFmtId="170" formatCode="0000"/></dxf></dxfs>',
      after: '<conditionalFormatting sqref="A2:XFD2"><cfRule dxfId="0"/></conditionalFormatting>',
    }),
    ...([lot, '0042', 'refused', 'conditional format'] as const),
  ),
  'rich text in a cell': sheet(
    cellOf(lot, inline('<r><t>GV</t></r><r><rPr><b/></rPr><t>-42</t></r>')),
    ...([lot, 'GV-42', 'GV-42', ''] as const),
  ),
  'a reading aid in a cell': sheet(
    cellOf(placeName, inline('<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh>')),
    ...([placeName, '東京', '東京', ''] as const),
  ),
  'an escaped character': sheet(cellOf(placeName, inline('<t>A_x0026_B</t>')), placeName, 'A&B', 'A&B', ''),
  'merged cells': sheet(number(lot, 42, '0', merged), lot, '42', 'refused', 'merged cells'),
  'a hidden row': sheet(number(lot, 42, '0', { rowAttributes: { 2: 'hidden="1"' } }), lot, '', '42', 'hidden'),
  'a hidden column': sheet(
    xlsx(lot, 'L7', { before: '<cols><col min="1" max="99" hidden="1"/></cols>' }),
    ...([lot, '', 'L7', 'hidden columns'] as const),
  ),
  'a heading twice': sheet(
    {
      name: 'e.csv',
      bytes: csvOf([
        [...eventHeadings, lot],
        [...goodRow({ [lot]: 'L7' }), 'L8'],
      ]),
    },
    ...([lot, 'L7', 'refused', lot] as const),
  ),
  'a value without a heading': sheet(
    { name: 'e.csv', bytes: csvOf([eventHeadings, [...goodRow({ [lot]: 'L7' }), 'L8']]) },
    ...([lot, 'L7', 'refused', 'without a heading'] as const),
  ),
  // Quantities in a workbook
  'a quantity that is rounded': sheet(number(quantity, 40.4, '0'), quantity, '40', '40.4', 'digits that are not shown'),
  'a quantity in percent': sheet(number(quantity, 0.5, '0%'), quantity, '50%', '0.5', 'percentage'),
  'a quantity in thousands': sheet(number(quantity, 42000, '0,'), quantity, '42', '42000', 'in thousands'),
  'a quantity in money': sheet(number(quantity, 5, '$0'), quantity, '$5', '5', 'money'),
  'a quantity with its unit': sheet(number(quantity, 40, '0 "lb"'), quantity, '40 lb', '40', '40 lb'),
  'a quantity in groups': sheet(number(quantity, 1234, '#,##0'), quantity, '1,234', '1234', ''),
  'a quantity with decimals': sheet(number(quantity, 40, '0.00'), quantity, '40.00', '40', ''),
  'a quantity that is a date': sheet(number(quantity, 40, 'd-mmm'), quantity, '9-Feb', 'refused', 'not a number'),
  // Codes in CSV
  'an apostrophe in front': sheet(csv(lot, "'0042"), lot, "'0042", '0042', 'the marks'),
  'a backtick in front': sheet(csv(lot, '`0042'), lot, '`0042', '0042', 'the marks'),
  'a formula of a text': sheet(csv(lot, '="0042"'), lot, '="0042"', '0042', 'the marks'),
  'apostrophes at both ends': sheet(csv(lot, "'0042'"), lot, "'0042'", 'refused', 'not clear'),
  'a formula': sheet(csv(lot, '=B2*2'), lot, '=B2*2', 'refused', 'holds the formula'),
  'blanks around a code': sheet(csv(lot, ' 0042 '), lot, ' 0042 ', '0042', 'blanks around'),
  'a non-breaking blank behind': sheet(csv(lot, '0042\u00a0'), lot, '0042\u00a0', '0042', 'non-breaking blanks'),
  'a tab in front': sheet(csv(lot, '\t0042'), lot, '\t0042', '0042', 'tabs'),
  'a date of a code': sheet(csv(lot, '3-Apr'), lot, '3-Apr', 'refused', 'is a date'),
  'a date in another language': sheet(csv(lot, '03. Mrz'), lot, '03. Mrz', 'refused', 'is a date'),
  'a date with a whole month': sheet(csv(lot, '3 April'), lot, '3 April', '3 April', 'may be a date'),
  'a month and a year': sheet(csv(lot, '04/2026'), lot, '04/2026', '04/2026', 'may be a date'),
  'a day and a month': sheet(csv(lot, '4-3'), lot, '4-3', '4-3', 'may be a date'),
  'an exponent': sheet(csv(lot, '1.23E+15'), lot, '1.23E+15', 'refused', 'last digits are lost'),
  'a short exponent': sheet(csv(lot, '7E12'), lot, '7E12', '7E12', 'may be a long number'),
  'zeros after the 15th digit': sheet(csv(lot, '1234567890123450'), lot, '1234567890123450', '1234567890123450', '15'),
  'a point and a zero': sheet(csv(lot, '77123.0'), lot, '77123.0', '77123.0', 'ends with .0'),
  'thousands in a code': sheet(csv(lot, '23,001'), lot, '23,001', '23,001', 'groups of thousands'),
  'money in a code': sheet(csv(lot, '$5'), lot, '$5', '$5', 'money'),
  'a percentage in a code': sheet(csv(lot, '50%'), lot, '50%', '50%', 'percentage'),
  'a truth word': sheet(csv(lot, 'TRUE'), lot, 'TRUE', 'TRUE', 'true or false'),
  'a truth word in another language': sheet(csv(lot, 'WAHR'), lot, 'WAHR', 'WAHR', 'true or false'),
  'a placeholder of programs': sheet(csv(order, 'NULL'), order, 'NULL', 'NULL', 'empty cell'),
  'an error of a spreadsheet': sheet(csv(lot, '#REF!'), lot, '#REF!', 'refused', '#REF!'),
  'a column that is too narrow': sheet(csv(lot, '######'), lot, '######', 'refused', 'too narrow'),
  'a dash of a text program': sheet(csv(lot, 'L–42'), lot, 'L–42', 'L–42', 'text programs'),
  'a quotation mark of a text program': sheet(csv(lot, 'L”42'), lot, 'L”42', 'L”42', 'text programs'),
  'a ZIP code without its zero': sheet(
    { name: 'e.csv', bytes: csvOf([eventHeadings, goodRow({ [zip]: '2134', 'shipFrom.address.state': 'MA' })]) },
    ...([zip, '2134', 'refused', '02134'] as const),
  ),
  'a GTIN without its zeros': sheet(
    csv('caseGtin', '614141000456'),
    ...(['caseGtin', '614141000456', '614141000456', 'GTIN'] as const),
  ),
  'several lots': sheet(csv(lot, 'L1 (10), L2 (30)'), lot, 'L1 (10), L2 (30)', 'L1', 'several lot codes'),
  // Encodings and dialects
  'UTF-16': sheet(encoded(placeName, 'Café', 'utf16le'), placeName, 'Café', 'Café', ''),
  'Windows-1252': sheet(encoded(placeName, 'Café', 'latin1'), placeName, 'Café', 'refused', 'not UTF-8'),
  'UTF-8 read as Windows-1252': sheet(csv(placeName, 'CafÃ©'), placeName, 'CafÃ©', 'CafÃ©', 'another encoding'),
  'a letter that was lost': sheet(csv(lot, 'L\ufffd7'), lot, 'L\ufffd7', 'refused', 'lost'),
  'a line that names its separator': sheet(
    { name: 'e.csv', bytes: `sep=,\n${rowsWith(lot, ['L7'])}` },
    ...([lot, 'L7', 'L7', ''] as const),
  ),
  // Numbers and dates in CSV
  'one thousand or one': sheet(csv(quantity, '1,000'), quantity, '1,000', 'refused', 'two different numbers'),
  'thousands by the rows of the column': sheet(
    semicolons(quantity, '1.000', '12,5'),
    ...([quantity, '1.000', '1000', 'the thousands separator'] as const),
  ),
  'a decimal comma': sheet(semicolons(quantity, '12,5'), quantity, '12,5', '12.5', 'the decimal sign'),
  'thousands and decimals': sheet(csv(quantity, '1.234,5'), quantity, '1.234,5', '1234.5', 'the decimal sign'),
  'digits of Arabic': sheet(csv(quantity, '٤٠'), quantity, '٤٠', '40', 'another script'),
  'a quantity and a unit': sheet(csv(quantity, '40 cases'), quantity, '40 cases', 'refused', 'not a number'),
  'a shortened quantity': sheet(csv(quantity, '1.2E+05'), quantity, '1.2E+05', 'refused', 'shortened'),
  'a date by month and day': sheet(csv(harvest, '3/4/2026'), harvest, '3/4/2026', '2026-03-04', 'month first'),
  'a year of two digits': sheet(csv(harvest, '3/4/26'), harvest, '3/4/26', '2026-03-04', 'month first'),
  'a date in words': sheet(csv(harvest, '4 Mar 2026'), harvest, '4 Mar 2026', '2026-03-04', 'read as dates'),
  'a date with a time in a date': sheet(
    csv(harvest, '2026-03-04 09:30'),
    harvest,
    '2026-03-04 09:30',
    'refused',
    'time',
  ),
  'a time without an offset': sheet(
    { ...csv(time, '2026-03-04 09:30'), options: { utcOffset: '-06:00' } },
    ...([time, '2026-03-04 09:30', '2026-03-04T09:30:00-06:00', 'is assumed'] as const),
  ),
}

/** The value of a column in what is imported from the first row, as text. */
function importedIn({ eventList: event, locationMasterList, productMasterDataList }: Payload, column: string): string {
  const [first, ...path] = column.split('.')
  const [line] = event.productList
  const holder =
    first === 'shipFrom'
      ? locationMasterList[0]
      : first === 'product'
        ? productMasterDataList[0]
        : { ...event, ...line }
  const names = path.length === 0 ? [column] : path
  return String(names.reduce((value, name) => value?.[name], holder))
}

async function imported({ file, column }: Sheet) {
  const all = await intakeOf(file.bytes, file.name, file.options)
  const [record] = recordsIn(all)
  const findings = record?.findings ?? []
  const isRefused = record === undefined || findings.some(({ severity }) => severity === 'error')
  return {
    becomes: isRefused ? 'refused' : importedIn(record.payload as Payload, column),
    report: [toldIn(all), ...findings.map(({ message }) => message)].join('\n'),
  }
}

test.each(Object.entries(sheets))('%s changes nothing in silence', async (_, one) => {
  const { becomes, report } = await imported(one)
  expect(becomes, report).toBe(one.becomes)
  expect(report).toContain(one.says)
})

test('each of at least 75 sheets whose value differs from what is shown is told, or is refused', async () => {
  expect(Object.keys(sheets).length).toBeGreaterThanOrEqual(75)
  // Of these nothing is to be said: the same number, or the same text.
  const same = ['a date of a workbook that counts from 1904', 'a quantity in groups', 'a quantity with decimals']
  const silent = Object.entries(sheets).filter(
    ([what, { shows, becomes, says }]) => says === '' && shows !== becomes && !same.includes(what),
  )
  expect(silent.map(([what]) => what)).toEqual([])
})
