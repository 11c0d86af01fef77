// Files as other programs write them: what is read, what is left out and said, and what is refused
// with a remedy.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeRecord } from '../../src/intake/judge-record.ts'
import { localOffset } from '../../src/intake/local-time.ts'
import { templateWorkbook } from '../../src/intake/template-file.ts'
import {
  csvOf,
  eventHeadings,
  goodRow,
  intakeOf,
  recordsIn,
  toldIn,
  workbookOf,
} from '../support/files/import-files.ts'
import { zipOf } from '../support/files/zip-files.ts'
import type { Payload } from '../support/records/payloads.ts'
import { now } from '../support/records/prove-rule.ts'
import { runs } from '../support/runs.ts'

const good = csvOf([eventHeadings, goodRow()])

test('a file whose columns can be matched is not said to be one that cannot be imported', async () => {
  const columns = toldIn(
    await intakeOf(
      csvOf([
        ['Vendor', 'Received', 'Lot code'],
        ['V-1', '2026-10-01', 'L-1'],
      ]),
      'e.csv',
    ),
  )
  expect(columns).toContain('unreadable: To import the file, match its columns with fields.')
  expect(columns).not.toContain('Nothing in the file can be imported')
})

describe('CSV', () => {
  test.each([
    ['pipes', good.replaceAll(',', '|')],
    ['a first line that names the delimiter', `sep=;\r\n${good.replaceAll(',', ';')}`],
    ['a title with commas above a table with semicolons', `Received, March, all\r\n\r\n${good.replaceAll(',', ';')}`],
    ['trailing commas in each row', good.replaceAll('\r\n', ',,\r\n')],
    ['each cell in quotation marks', good.replaceAll(/[^,\r\n]+/g, (cell) => `"${cell}"`)],
  ])('with %s is read', async (_, content) => {
    const all = await intakeOf(content, 'events.csv')
    expect(toldIn(all)).not.toMatch(/unreadable|fault/)
    expect(recordsIn(all)).toHaveLength(1)
  })

  test('is read alike whatever pieces it arrives in', async () => {
    const rows = Array.from({ length: 40 }, (_, i) =>
      goodRow({ caseLotNumber: `L;${i}|a`, purchaseOrderNumber: 'P"O\n1' }),
    )
    const content = csvOf([eventHeadings, ...rows])
    const whole = recordsIn(await intakeOf(content, 'e.csv')).map(({ payload }) => payload)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 300 }), async (pieceLength) => {
        const read = recordsIn(await intakeOf(content, 'e.csv', {}, pieceLength)).map(({ payload }) => payload)
        expect(read).toEqual(whole)
      }),
      { numRuns: 20 },
    )
  })

  test('rows are counted as a spreadsheet counts them, however many lines their cells have', async () => {
    const rows = Array.from({ length: 8 }, (_, i) =>
      goodRow({ purchaseOrderNumber: 'PO\nwith\r\nlines', ...(i === 7 && { shipQuantity: 'many' }) }),
    )
    const [record] = recordsIn(await intakeOf(csvOf([eventHeadings, ...rows]), 'e.csv'))
    expect(record?.findings).toMatchObject([{ row: 9, column: 'shipQuantity' }])
  })
})

describe('files that are refused', () => {
  const zip = (part: string) => zipOf({ [part]: '<x/>' })
  test.each<[string, string | Uint8Array, string]>([
    [
      'received.ods',
      zip('content.xml'),
      'OpenDocument file (.ods). Open it in a spreadsheet program and save it as XLSX',
    ],
    ['received.xlsb', zip('xl/workbook.bin'), 'save it as "Excel Workbook (.xlsx)"'],
    ['received.docx', zip('word/document.xml'), 'a Word document'],
    ['received.xls', '<html><table><tr><td>Lot</td></tr></table></html>', 'a web page that a program saved as .xls'],
    ['received.xls', '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>', 'Excel 2003'],
    ['received.json', '[{"eventList":{}}]', 'one payload per line'],
    ['856.edi', 'ISA*00*          *00*', 'an EDI message'],
  ])('%s ends with one line that says what to do', async (name, content, says) => {
    const all = await intakeOf(content, name)
    expect(all.map(({ is }) => is)).toEqual(['unreadable'])
    expect(toldIn(all)).toContain(says)
  })
})

describe('workbooks', () => {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  const cell = (text: string) => (text.startsWith('<c') ? text : `<c t="inlineStr"><is><t>${text}</t></is></c>`)
  const sheet = (rows: readonly (readonly string[])[]) =>
    `<worksheet ${main}><sheetData>${rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('')}</sheetData></worksheet>`
  const workbook = (sheets: readonly { name: string; state?: string; rows: readonly (readonly string[])[] }[]) =>
    zipOf({
      'xl/workbook.xml': `<workbook ${main}><sheets>${sheets.map(({ name, state }, i) => `<sheet name="${name}"${state === undefined ? '' : ` state="${state}"`} r:id="r${i}"/>`).join('')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships>${sheets.map((_, i) => `<Relationship Id="r${i}" Target="worksheets/s${i}.xml"/>`).join('')}</Relationships>`,
      ...Object.fromEntries(sheets.map(({ rows }, i) => [`xl/worksheets/s${i}.xml`, sheet(rows)])),
    })
  const lots = (all: Awaited<ReturnType<typeof intakeOf>>) =>
    recordsIn(all).flatMap(({ payload }) =>
      (payload.eventList as Payload).productList.map(({ caseLotNumber }: Payload) => caseLotNumber),
    )

  test.each(['hidden', 'veryHidden'])(
    'a sheet that is %s is not read unless it is named, and that is said',
    async (state) => {
      const file = workbook([
        { name: 'Received', rows: [eventHeadings, goodRow({ caseLotNumber: 'SHOWN' })] },
        {
          name: 'Old',
          state,
          rows: [eventHeadings, goodRow({ caseLotNumber: 'HIDDEN', purchaseOrderNumber: 'PO-2' })],
        },
      ])
      const all = await intakeOf(file, 'e.xlsx')
      expect(lots(all)).toEqual(['SHOWN'])
      expect(toldIn(all)).toContain('Sheet Old is hidden in the workbook and was not read')
      const named = await intakeOf(file, 'e.xlsx', { sheets: ['Old'] })
      expect(lots(named)).toEqual(['HIDDEN'])
      expect(toldIn(await intakeOf(file, 'e.xlsx', { sheets: ['New'] }))).toContain(
        'unreadable: There is no sheet New. The workbook has: Received, Old.',
      )
    },
  )

  test('a formula that was never computed is an error that says so; one that gives the empty text is a blank', async () => {
    const row = (quantity: string, asn: string) =>
      eventHeadings.map((name, at) => {
        if (name === 'shipQuantity') return quantity
        return name === 'asnNumber' ? asn : (goodRow()[at] ?? '')
      })
    const read = async (quantity: string, asn = '') =>
      recordsIn(await intakeOf(workbook([{ name: 'S', rows: [eventHeadings, row(quantity, asn)] }]), 'e.xlsx'))[0]
    for (const uncomputed of ['<c><f>B2*2</f></c>', '<c><f>B2*2</f><v></v></c>', '<c><f>B2*2</f><v/></c>']) {
      const record = await read(uncomputed)
      const findings =
        record === undefined ? [] : judgeRecord(record, { lotNumberRequiredFrom: '2026-01-01' }, now).findings
      expect(findings.filter(({ column }) => column === 'shipQuantity')).toMatchObject([
        { severity: 'error', message: expect.stringContaining('the formula =B2*2 without a value') },
      ])
    }
    const empty = await read('40', '<c t="str"><f>IF(1,"","x")</f><v></v></c>')
    expect(empty?.findings).toEqual([])
    expect(empty?.payload.eventList).not.toHaveProperty('asnNumber')
  })

  test("the template's own sheet of explanations is not complained of, and other sheets in one line", async () => {
    const parts: Uint8Array[] = []
    for await (const part of templateWorkbook()) parts.push(part)
    expect(toldIn(await intakeOf(Buffer.concat(parts), 'template.xlsx'))).not.toContain('Help')
    const all = await intakeOf(
      await workbookOf([
        { name: 'Received', rows: [eventHeadings, goodRow()] },
        { name: 'Notes', rows: [['Ask', 'Ada']] },
        { name: 'Rates', rows: [['Day', 'Rate']] },
      ]),
      'e.xlsx',
    )
    expect(toldIn(all)).toContain('Sheets Notes, Rates were not read')
    expect(recordsIn(all)).toHaveLength(1)
  })
})

describe('local times in a time zone', () => {
  const read = async (text: string, timeZone = 'America/New_York') => {
    const all = await intakeOf(csvOf([eventHeadings, goodRow({ eventDateTime: text })]), 'e.csv', { timeZone })
    const [event] = recordsIn(all).map(({ payload }) => payload.eventList as Payload)
    return { dateTime: event?.eventDateTime, told: toldIn(all) }
  }

  test.each([
    ['2026-03-07 09:30', '2026-03-07T09:30:00-05:00'],
    ['2026-03-09 09:30', '2026-03-09T09:30:00-04:00'],
    ['2026-10-31', '2026-10-31T12:00:00-04:00'],
    ['2026-11-02', '2026-11-02T12:00:00-05:00'],
    ['2026-03-07T09:30:00-08:00', '2026-03-07T09:30:00-08:00'],
  ])('%s has the offset of its own date', async (text, value) => {
    expect((await read(text)).dateTime).toBe(value)
  })

  test('one that occurs twice is the first, one that does not occur keeps its digits, and both are reported', async () => {
    const twice = await read('2026-11-01 01:30')
    expect(twice.dateTime).toBe('2026-11-01T01:30:00-04:00')
    expect(twice.told).toContain(
      'occur twice because clocks are put back, e.g. 2026-11-01 01:30:00; the first is assumed',
    )
    const never = await read('2026-03-08 02:30')
    expect(never.dateTime).toBe('2026-03-08T02:30:00-05:00')
    expect(never.told).toContain('do not occur because clocks are put forward, e.g. 2026-03-08 02:30:00')
  })

  test('a zone whose offset is not of whole hours is refused, as the contract has it', async () => {
    const all = await intakeOf(csvOf([eventHeadings, goodRow({ eventDateTime: '2026-03-07 09:30' })]), 'e.csv', {
      timeZone: 'Asia/Kolkata',
    })
    expect(recordsIn(all)[0]?.findings).toMatchObject([{ message: expect.stringContaining('whole hours') }])
  })

  test('read back in its zone, a time that occurs shows the digits that were written', () => {
    const zones = fc.constantFrom(
      'America/New_York',
      'America/St_Johns',
      'Europe/Berlin',
      'Pacific/Auckland',
      'Africa/Casablanca',
    )
    const instants = fc.integer({ min: Date.UTC(2020, 0, 2) / 1_000, max: Date.UTC(2035, 0, 1) / 1_000 })
    fc.assert(
      fc.property(zones, instants, (timeZone, seconds) => {
        const shown = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
        const [date = '', time = ''] = shown.format(seconds * 1_000).split(' ')
        const { offset, occurs } = localOffset(timeZone, date, time)
        const instant = Date.parse(`${date}T${time}${offset}`)
        expect(shown.format(instant)).toBe(`${date} ${time}`)
        expect(occurs).not.toBe('never')
        if (occurs === 'once') expect(instant).toBe(seconds * 1_000)
      }),
      { numRuns: runs(500) },
    )
  })
})
