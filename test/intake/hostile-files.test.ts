// Files that are not what they seem: each ends with a line that says what is wrong, and nothing is
// read half without saying so.
import { deflateRawSync } from 'node:zlib'
import type { ImportFile } from 'lotkeeper-sheets/import-file'
import { describe, expect, test } from 'vitest'
import { readIntake } from '../../src/intake/intake.ts'
import {
  csvOf,
  eventHeadings,
  goodRow,
  intakeOf,
  proposedIn,
  recordsIn,
  toldIn,
  workbookOf,
} from '../support/files/import-files.ts'
import { zipOf } from '../support/files/zip-files.ts'

const good = csvOf([eventHeadings, goodRow()])
const bytes = (...values: number[]) => Uint8Array.from(values)
const utf16 = (text: string, mark: string, swap: boolean) => {
  const buffer = Buffer.from(mark + text, 'utf16le')
  return swap ? buffer.swap16() : buffer
}

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const workbookXml = `<workbook ${main} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`
const relations = '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>'
const sheetFile = (sheet: string | Uint8Array, more: Readonly<Record<string, string | Uint8Array>> = {}) =>
  zipOf({
    'xl/workbook.xml': workbookXml,
    'xl/_rels/workbook.xml.rels': relations,
    'xl/worksheets/sheet1.xml': sheet,
    ...more,
  })
const cells = (texts: readonly string[]) =>
  texts.map((text) => (text === '' ? '<c/>' : `<c t="inlineStr"><is><t>${text}</t></is></c>`)).join('')
const sheetOf = (rows: readonly string[], after = '') =>
  `<worksheet ${main}><sheetData>${rows.map((row) => `<row>${row}</row>`).join('')}</sheetData>${after}</worksheet>`

describe('files that cannot be read', () => {
  test.each<[string, string | Uint8Array, string]>([
    ['an empty file', '', 'is empty'],
    ['binary data', bytes(1, 0, 2, 0, 3, 0), 'neither a spreadsheet nor UTF-8 text'],
    ['an old or locked workbook', bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1), 'without a password'],
    ['a PDF', '%PDF-1.7 …', 'a PDF'],
    ['gzip', bytes(0x1f, 0x8b, 8, 0), 'Unpack it first'],
    ['a ZIP that is no workbook', zipOf({ 'a.csv': good }), 'not an XLSX workbook'],
    ['a workbook cut off', zipOf({ 'xl/workbook.xml': workbookXml }).subarray(0, 60), 'damaged'],
    ['Latin-1', Buffer.from(good.replace('Harbor', 'Häfen'), 'latin1'), 'UTF-8'],
    ['binary behind text', Buffer.concat([Buffer.from(good.repeat(200)), Buffer.alloc(9)]), 'binary data'],
    ['a quotation mark never closed', `${good}"abc`, 'never closed'],
    ['text behind a quotation mark', `${good}"abc"x,1\r\n`, 'follows a closing quotation mark'],
    ['a table of something else', 'name,age\r\nAda,36\r\n', 'do not match a known table'],
    ['a document type', sheetFile(`<!DOCTYPE x [<!ENTITY a "b">]>${sheetOf([])}`), 'document type'],
    [
      'a row a spreadsheet cannot have',
      sheetFile(`<worksheet><sheetData><row r="9999999">`),
      'a spreadsheet cannot have',
    ],
    [
      'a cell a spreadsheet cannot have',
      sheetFile('<worksheet><sheetData><row><c r="ZZZZZ1"/>'),
      'a spreadsheet cannot have',
    ],
  ])('%s', async (_, content, says) => {
    const all = await intakeOf(content, 'file.csv')
    expect(all.at(-1)?.is).toBe('unreadable')
    expect(toldIn(all)).toContain(says)
  })

  test('a zip bomb is given up early, without holding what it grows to', async () => {
    const bomb = sheetFile(deflateRawSync(Buffer.alloc(400 * 1024 * 1024, 'x'), { level: 1 }))
    const before = process.memoryUsage().rss
    expect(toldIn(await intakeOf(bomb, 'bomb.xlsx'))).toContain('a text or a tag of more than 4000000 characters')
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
  })

  test.each([
    ['xl/styles.xml', '<x/>', 10_000_000, 'larger than'],
    ['xl/sharedStrings.xml', '<si/>', 6_000_000, 'more than 5000000 texts'],
    ['xl/worksheets/sheet1.xml', '<sheetData><row/></sheetData>', 1_100_000, 'a spreadsheet cannot have'],
  ])('%s that repeats %s without end is given up', async (part, xml, times, says) => {
    const bomb = deflateRawSync(xml.repeat(times), { level: 1 })
    expect(toldIn(await intakeOf(sheetFile(sheetOf([]), { [part]: bomb }), 'bomb.xlsx'))).toContain(says)
  })

  test.each([
    ['events.csv', 'a,', 'more than 1000000 characters'],
    ['events.ndjson', '{"a":"', 'does not accept a body of this length'],
  ])('a line without end in %s is given up once it is too long', async (name, start, says) => {
    let read = 0
    const endless: ImportFile = {
      name,
      size: 1_000_000_000,
      bytes: async function* (from, to) {
        if (from === 0) yield Buffer.from(start)
        for (; from < to; from += 65_536) {
          read += 65_536
          yield Buffer.alloc(65_536, 'x')
        }
      },
    }
    const told: string[] = []
    const options = { dates: 'mdy', utcOffset: 'Z', timeOfDay: '12:00:00', restoreZeros: false } as const
    for await (const one of readIntake(endless, { ...options, mapping: undefined, defaults: {} }))
      told.push('text' in one ? one.text : '')
    expect(told.join()).toContain(says)
    expect(read).toBeLessThan(20_000_000)
  })
})

describe('files that are read all the same', () => {
  test.each<[string, string | Uint8Array]>([
    ['UTF-8 with a byte order mark', `\uFEFF${good}`],
    ['UTF-16, low byte first', utf16(good, '\uFEFF', false)],
    ['UTF-16, high byte first', utf16(good, '\uFEFF', true)],
    ['semicolons', good.replaceAll(',', ';')],
    ['tabs', good.replaceAll(',', '\t')],
    ['bare line feeds, and blank lines', `\n\n${good.replaceAll('\r', '')}\n\n`],
    ['a title above the headings', `Receiving in March\r\n\r\n${good}`],
  ])('%s', async (_, content) => {
    const all = await intakeOf(content, 'events.csv')
    expect(toldIn(all)).not.toMatch(/unreadable|fault/)
    expect(recordsIn(all)).toHaveLength(1)
  })

  test('a workbook named .csv is read as a workbook, which is reported', async () => {
    const all = await intakeOf(await workbookOf([{ name: 'S', rows: [eventHeadings, goodRow()] }]), 'events.csv')
    expect(toldIn(all)).toContain('its content is XLSX')
    expect(recordsIn(all)).toHaveLength(1)
  })

  test('shared texts, formulas and dates in cells are read as shown, and reported', async () => {
    const shared = (text: string) => `<c t="s"><v>${['V-1', 'É & co'].indexOf(text)}</v></c>`
    const headings = ['dataProviderVendorId', 'purchaseOrderNumber', 'eventDateTime', 'vendorItemCode', 'shipQuantity']
    const row = `${shared('V-1')}${shared('É & co')}<c s="1"><v>46085.395833333336</v></c><c t="str"><f>A1</f><v>I-1</v></c><c><f>1+1</f><v>2</v></c>`
    const file = sheetFile(sheetOf([cells(headings), row]), {
      'xl/sharedStrings.xml':
        '<sst><si><t>V-1</t></si><si><r><t>É </t></r><r><t>&amp; co</t></r><rPh><t>no</t></rPh></si></sst>',
      'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>',
    })
    const all = await intakeOf(file, 's.xlsx', { utcOffset: '-08:00' })
    expect(recordsIn(all)[0]?.payload.eventList).toMatchObject({
      dataProviderVendorId: 'V-1',
      purchaseOrderNumber: 'É & co',
      eventDateTime: '2026-03-04T09:30:00-08:00',
      productList: [{ vendorItemCode: 'I-1', shipQuantity: 2 }],
    })
    expect(toldIn(all)).toContain('column shipQuantity has formulas')
    expect(toldIn(all)).toContain('-08:00 is assumed')
  })
})

describe('sheets of which something is not understood', () => {
  test('a repeated or unknown heading keeps the sheet out, with a suggestion', async () => {
    const all = await intakeOf(
      csvOf([[...eventHeadings, 'asnNumber', 'Case Lot Nubmer', 'PO Number'], goodRow()]),
      'e.csv',
    )
    expect(recordsIn(all)).toEqual([])
    expect(toldIn(all)).toContain('"asnNumber" occurs twice')
    expect(proposedIn(all)).toEqual({
      asnNumber: 'asnNumber',
      'asnNumber (2)': null,
      'Case Lot Nubmer': null,
      'PO Number': null,
    })
    const alone = eventHeadings.map((name) =>
      name === 'caseLotNumber' ? 'Case Lot Nubmer' : name === 'purchaseOrderNumber' ? 'PO Number' : name,
    )
    expect(proposedIn(await intakeOf(csvOf([alone, goodRow()]), 'e.csv'))).toEqual({
      'Case Lot Nubmer': 'caseLotNumber',
      'PO Number': 'purchaseOrderNumber',
    })
  })

  test('a value below no heading is an error of its row', async () => {
    const all = await intakeOf(csvOf([eventHeadings, [...goodRow(), 'astray']]), 'e.csv')
    expect(recordsIn(all)[0]?.findings).toMatchObject([
      { severity: 'error', row: 2, message: expect.stringContaining('astray') },
    ])
  })

  test('merged cells are an error of each of their rows', async () => {
    const rows = [eventHeadings, goodRow(), goodRow(), goodRow()].map(cells)
    const file = sheetFile(sheetOf(rows, '<mergeCells count="1"><mergeCell ref="B2:B3"/></mergeCells>'))
    const [record] = recordsIn(await intakeOf(file, 'e.xlsx'))
    expect(record?.findings.map(({ row }) => row)).toEqual([2, 3])
    expect(record?.findings[0]?.message).toContain('B2:B3')
  })

  test('an error in a cell is reported at its place', async () => {
    const headings = ['vendorItemCode', 'shipQuantity']
    const file = sheetFile(sheetOf([cells(headings), '<c t="e"><v>#REF!</v></c><c><v>3</v></c>']))
    expect(recordsIn(await intakeOf(file, 'e.xlsx'))[0]?.findings).toMatchObject([
      { severity: 'error', row: 2, column: 'vendorItemCode', message: expect.stringContaining('#REF!') },
    ])
  })

  test('an empty or unrelated sheet is reported, and the others are read', async () => {
    const file = await workbookOf([
      { name: 'Empty', rows: [] },
      { name: 'Notes', rows: [['remember', 'this']] },
      { name: 'Events', rows: [eventHeadings, goodRow()] },
    ])
    const all = await intakeOf(file, 'e.xlsx')
    expect(toldIn(all)).toContain('Sheet Empty is empty')
    expect(toldIn(all)).toContain('Sheet Notes was not read')
    expect(recordsIn(all)).toHaveLength(1)
  })
})
