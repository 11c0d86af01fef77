// A messy sheet: its columns are matched beside its first rows as they will be read, and its
// rejected rows are corrected in the page and sent again.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWorkbook } from 'lotkeeper-sheets/read-workbook'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { csvOf, eventHeadings, goodRow, memoryFile, workbookOf } from '../../../support/files/import-files.ts'
import { seriousFindings } from '../../../support/pages/axe.ts'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { type Payload, paths } from '../../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let browser: Browser
const folder = mkdtempSync(join(tmpdir(), 'lotkeeper-mending-'))
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await Promise.all([browser?.close(), service?.close()])
})

const fileOf = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const eventAt = (n: number, changes: Readonly<Record<string, string>> = {}) =>
  goodRow({
    purchaseOrderNumber: `PO-${n}`,
    eventDateTime: `2026-03-04T${String(9 + Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}:00-06:00`,
    ...changes,
  })

const sheetOf = (rows: readonly (readonly string[])[]) => csvOf([eventHeadings, ...rows])

const choose = (page: Page, path: string) => page.getByLabel('Choose a file').setInputFiles(path)

async function openImport(provider: TestProvider, width?: number) {
  const opened = await visit(browser, '/import', {
    url: service.url,
    key: await provider.key('writer'),
    ...(width !== undefined && { width }),
    expected: /4(?:09|22)/,
  })
  return opened
}

test('corrections are read as the file writes numbers and dates: comma, day first', async () => {
  const provider = await service.provider()
  const rows = [
    eventAt(1, { shipQuantity: '1.234,5', harvestDate: '13.02.2026' }),
    eventAt(2, { shipQuantity: 'zwölf', harvestDate: '12.13.2026' }),
  ]
  const { page, end } = await openImport(provider)
  const content = [eventHeadings, ...rows].map((cells) => `${cells.join(';')}\r\n`).join('')
  await choose(page, fileOf('semicolons.csv', content))
  await page
    .getByText(/^Column .+ has numbers such as 1\.234,5/)
    .first()
    .waitFor()
  await page.getByRole('textbox', { name: 'shipQuantity, row 3' }).fill('12,75')
  await page.getByRole('textbox', { name: 'harvestDate, row 3' }).fill('03.02.2026')
  await page.getByRole('button', { name: 'Check corrected rows' }).click()
  await page.getByRole('button', { name: 'Send 2 records' }).click()
  await page.getByText('2 records stored, 0 rejected').waitFor()
  const { content: stored } = (await provider.call('GET', paths.receivingEvent)).body
  expect(
    stored.map(({ eventList: { productList } }: Payload) => [productList[0].shipQuantity, productList[0].harvestDate]),
  ).toEqual(
    expect.arrayContaining([
      [1234.5, '2026-02-13'],
      [12.75, '2026-02-03'],
    ]),
  )
  await end()
})

test('rejected rows are corrected at their cells without a pointer, and only they are sent again', async () => {
  const provider = await service.provider()
  const rows = [
    eventAt(1),
    eventAt(2, { shipQuantity: 'forty' }),
    eventAt(3, { caseLotNumber: '3-Apr', shipQuantityUom: '' }),
  ]
  const { page, end } = await openImport(provider)
  await choose(page, fileOf('cells.csv', sheetOf(rows)))
  await page.getByRole('button', { name: 'Send 1 record' }).click()
  await page.getByText('1 record stored, 2 rejected').waitFor()
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))

  const quantity = page.getByRole('textbox', { name: 'shipQuantity, row 3' })
  expect(await quantity.getAttribute('aria-invalid')).toBe('true')
  const reasons = await quantity.getAttribute('aria-describedby')
  expect(await page.locator(`[id='${reasons}']`).textContent()).toContain('"forty" is not a number')
  await quantity.focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('40')
  await page.getByText('In the file: “forty”, not checked yet').waitFor()
  // Enter leads to the field below, as in a spreadsheet.
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('shipQuantity, row 4')
  await page.getByRole('textbox', { name: 'caseLotNumber, row 4' }).fill('L-0403')
  await page.getByRole('textbox', { name: 'shipQuantityUom, row 4' }).fill('box')
  await page.getByText('3 corrections, 3 not sent yet').waitFor()
  await page.getByRole('button', { name: 'Send corrected rows' }).press('Enter')
  await page.getByText('3 records stored, 0 rejected').waitFor()
  expect(sent).toHaveLength(2)
  // Nothing is left to correct.
  await page.getByRole('heading', { name: 'Correct rejected rows' }).waitFor({ state: 'detached' })
  const { content } = (await provider.call('GET', paths.receivingEvent)).body
  expect(
    content.map(({ eventList: { purchaseOrderNumber, productList } }: Payload) => [
      purchaseOrderNumber,
      productList[0].shipQuantity,
      productList[0].caseLotNumber,
      productList[0].shipQuantityUom,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['PO-1', 40, 'HG-2026-061', 'case'],
      ['PO-2', 40, 'HG-2026-061', 'case'],
      ['PO-3', 40, 'L-0403', 'box'],
    ]),
  )

  // The record says what was in the file, who corrected it, and what was taken before and after.
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the record' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('cells.import-record.xlsx')
  const book = new Map<string, readonly string[][]>()
  for (const sheet of await openWorkbook(memoryFile(readFileSync(await download.path()), 'record.xlsx'))) {
    const found: string[][] = []
    for await (const batch of sheet.rows())
      for (const { cells } of batch) found.push(cells.map((cell) => cell?.text ?? ''))
    book.set(sheet.name, found)
  }
  expect(book.get('Import')).toEqual(
    expect.arrayContaining([
      ['File', 'cells.csv'],
      ['SHA-256', createHash('sha256').update(sheetOf(rows)).digest('hex')],
      [expect.any(String), 'Checked', '0', '1', '2'],
      [expect.any(String), 'Sent', '0', '1', '2'],
      [expect.any(String), 'Sent', '3', '3', '0'],
    ]),
  )
  expect(book.get('Corrections')).toEqual([
    ['Sheet', 'Row', 'Column', 'In the file', 'Corrected to', 'Outcome'],
    ['', '3', 'shipQuantity', 'forty', '40', 'stored'],
    ['', '4', 'caseLotNumber', '3-Apr', 'L-0403', 'stored'],
    ['', '4', 'shipQuantityUom', '', 'box', 'stored'],
  ])
  await end()
})

const headings = [
  'Vendor #',
  'Supplier',
  'PO #',
  'Rec Date',
  'From GLN',
  'To Site',
  'To GLN',
  'Item #',
  'Desc',
  'Qty',
  'UOM',
  'Lot',
  'TLC Source GLN',
  'Clerk',
] as const

/** A row of a receiving log as a warehouse keeps it. */
const logRow = (n: number, changes: Partial<Record<(typeof headings)[number], string>> = {}): readonly string[] => {
  const cells: Readonly<Record<(typeof headings)[number], string>> = {
    'Vendor #': 'V-1',
    Supplier: 'Harbor Farms',
    'PO #': `PO-${4000 + n}`,
    'Rec Date': `03/0${1 + (n % 9)}/2026 ${String(8 + (n % 10)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`,
    'From GLN': '0614141000012',
    'To Site': n % 3 === 0 ? 'DC-09' : 'DC-07',
    'To GLN': '0614141999996',
    'Item #': `TOM-${n % 4}`,
    Desc: 'Vine tomatoes',
    Qty: String(10 + n),
    UOM: 'case',
    Lot: `HG-26${n}`,
    'TLC Source GLN': '0614141000012',
    Clerk: 'jo',
    ...changes,
  }
  return headings.map((heading) => cells[heading])
}

/** A log with a total below it, and no names of places. */
const messyLog = (): Promise<Uint8Array> =>
  workbookOf([
    {
      name: 'Receipts',
      rows: [
        headings,
        logRow(0),
        logRow(1, { Qty: 'forty' }),
        ...Array.from({ length: 28 }, (_, n) => logRow(n + 2, n === 5 ? { 'To GLN': '123' } : {})),
        headings.map((heading) => (heading === 'Qty' ? '735' : heading === 'Desc' ? 'TOTAL' : '')),
      ],
    },
  ])

async function checkMessyLog(page: Page, path: string): Promise<void> {
  await page.getByLabel('Time zone of times without an offset').selectOption('America/Chicago')
  await choose(page, path)
  await page.getByLabel('Column for To Site').selectOption('shipToLocationCode')
  await page.getByLabel('Column for To GLN').selectOption('shipTo.gln')
}

const rowOf = (page: Page, heading: string) =>
  page
    .getByRole('table', { name: 'Match columns' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: heading, exact: true }) })

test('columns are matched beside the first rows as they will be read, and values that do not fit are marked', async () => {
  const { page, end } = await openImport(await service.provider())
  await checkMessyLog(page, fileOf('matched.xlsx', await messyLog()))
  await rowOf(page, 'Rec Date').getByText('2026-03-01T08:00:00-06:00').waitFor()
  await rowOf(page, 'Rec Date').getByText('In the file: 03/01/2026 08:00').waitFor()
  await rowOf(page, 'Qty').getByRole('cell').nth(2).getByText('"forty" is not a number').waitFor()
  await rowOf(page, 'To GLN').getByText('1 of the first 31, row 9:').waitFor()
  await rowOf(page, 'To GLN').getByText('GLN is "123", 3 digits').waitFor()
  // The rows are read again with each choice.
  await page.getByLabel('A date such as 03/04/2026 means').selectOption('dmy')
  await rowOf(page, 'Rec Date').getByText('2026-01-03T08:00:00-06:00').waitFor()
  await page.getByLabel('Column for Desc').selectOption('caseGtin')
  await rowOf(page, 'Desc')
    .getByText(/"Vine tomatoes"/)
    .first()
    .waitFor()
  await page.getByLabel('Column for Desc').selectOption('')
  await rowOf(page, 'Desc')
    .getByText(/"Vine tomatoes"/)
    .waitFor({ state: 'detached' })
  await end()
})

test('a cause that repeats is corrected at once, after a preview, and the corrections survive a reload', async () => {
  const provider = await service.provider()
  const path = fileOf('log.xlsx', await messyLog())
  const { page, end } = await openImport(provider)
  await checkMessyLog(page, path)
  await page.getByRole('button', { name: 'Check with these columns' }).click()
  await page.getByText('0 records can be sent, 31 rejected').waitFor()
  const causes = page.getByRole('table', { name: 'Rejected rows', exact: true })
  const correct = async (cause: RegExp) => {
    await causes
      .getByRole('row', { name: cause })
      .first()
      .getByRole('button', { name: /^Correct/ })
      .click()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Correct rejected rows')
  }
  // The total below the table may belong to any event: it stands first, and is left out.
  expect(
    await page.getByRole('table', { name: 'Rejected rows to correct' }).getByRole('rowheader').first().textContent(),
  ).toMatch(/^32/)
  await page.getByRole('button', { name: 'Leave out row 32' }).click()

  await correct(/ship-to location.*Location name is required/)
  await page.getByText('No row will change.').waitFor()
  await page.getByLabel('A value for each text of').selectOption('To Site')
  await page.getByLabel('“DC-07” in 20 rows becomes').fill('River Warehouse')
  await page.getByText('20 rows will change:').waitFor()
  await page.getByText('Row 3: blank becomes “River Warehouse”').waitFor()
  await page.getByLabel('“DC-09” in 10 rows becomes').fill('Hill Warehouse')
  await page.getByRole('button', { name: 'Change 30 rows' }).click()
  await page.getByText('30 rows changed.').waitFor()
  await page.getByRole('button', { name: 'Undo last change' }).click()
  await page.getByText('1 correction, 1 not checked yet').waitFor()
  await page.getByLabel('“DC-07” in 20 rows becomes').fill('River Warehouse')
  await page.getByLabel('“DC-09” in 10 rows becomes').fill('Hill Warehouse')
  await page.getByRole('button', { name: 'Change 30 rows' }).click()

  await correct(/ship-from location.*Location name is required/)
  await page.getByLabel('Blank in 30 rows becomes').fill('Harbor Farms')
  await page.getByRole('button', { name: 'Change 30 rows' }).click()
  await page.getByText('61 corrections, 61 not checked yet').waitFor()

  await page.reload()
  await page.getByText('61 corrections of log.xlsx are kept on this device').waitFor()
  await choose(page, path)
  await page.getByText('28 records can be sent, 2 rejected').waitFor()
  await page.getByRole('textbox', { name: 'Qty, row 3' }).fill('40')
  await page.getByRole('textbox', { name: 'To GLN, row 9' }).fill('0614141999996')
  await page.getByRole('button', { name: 'Check corrected rows' }).click()
  await page.getByText('30 records can be sent, 0 rejected').waitFor()
  await page.getByRole('button', { name: 'Send 30 records' }).click()
  await page.getByText('30 records stored, 0 rejected').waitFor()
  const { content } = (await provider.call('GET', paths.receivingEvent)).body
  const names = content.map(({ locationMasterList }: Payload) => locationMasterList[1].locationName)
  expect(names.filter((name: string) => name === 'Hill Warehouse')).toHaveLength(10)
  // Every record is stored: nothing is kept any more.
  await page.reload()
  await page.getByRole('heading', { name: 'Import' }).waitFor()
  expect(await page.getByText('kept on this device').count()).toBe(0)
  await end()
})

test('the table of rejected rows fits a narrow window, and axe finds nothing in it', async () => {
  const { page, end } = await openImport(await service.provider(), 320)
  await checkMessyLog(page, fileOf('narrow.xlsx', await messyLog()))
  await page.getByText('2026-03-01T08:00:00-06:00').waitFor()
  const expectFit = async () => {
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(await seriousFindings(page)).toEqual([])
  }
  await expectFit()
  await page.getByRole('button', { name: 'Check with these columns' }).click()
  await page
    .getByRole('button', { name: /^Correct/ })
    .first()
    .click()
  await page.getByLabel('Blank in 31 rows becomes').fill('Harbor Farms')
  await page.getByText('31 rows will change:').waitFor()
  await expectFit()
  await page.getByRole('button', { name: 'Change 31 rows' }).click()
  await page.getByText('31 rows changed.').waitFor()
  await expectFit()
  await end()
})
