// Bringing in a file in the page: it is checked first, sent when told to, and what is not taken comes back with the reason beside it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, visit } from '../support/browser.ts'
import { csvOf, eventHeadings, goodRow } from '../support/import-files.ts'
import { eventPayload, type Payload, paths } from '../support/payloads.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
let browser: Browser
const folder = mkdtempSync(join(tmpdir(), 'lotkeeper-import-page-'))
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await Promise.all([browser?.close(), service?.close()])
})

function fileOf(name: string, payloads: readonly Payload[]): string {
  const path = join(folder, name)
  writeFileSync(path, payloads.map((payload) => JSON.stringify(payload)).join('\n'))
  return path
}

test('a file is checked and sent, and what is rejected is saved, corrected and sent again', async () => {
  const provider = await service.provider()
  const wrong = eventPayload(({ eventList }) => {
    eventList.productList[0].shipQuantity = 'many'
  })
  const path = fileOf('events.ndjson', [eventPayload(), wrong, eventPayload()])
  const { page, end } = await visit(browser, '/import', { url: service.url, key: await provider.key('writer') })
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByText('2 records can be sent, 1 rejected').waitFor()
  await page.getByRole('cell', { name: /shipQuantity is a string/ }).waitFor()
  expect((await provider.call('GET', paths.receivingEvent)).body.content).toHaveLength(0)

  await page.getByRole('button', { name: 'Send 2 records' }).click()
  await page.getByText('2 records stored, 1 rejected').waitFor()
  expect((await provider.call('GET', paths.receivingEvent)).body.content).toHaveLength(2)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the rejected rows' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('events.rejected.ndjson')
  const rejected = readFileSync(await download.path(), 'utf8')
  expect(rejected).toContain('shipQuantity is a string')
  const corrected = join(folder, 'corrected.ndjson')
  writeFileSync(corrected, rejected.replace('"many"', '7'))
  await page.getByLabel('Choose a file').setInputFiles(corrected)
  await page.getByRole('button', { name: 'Send 1 record' }).click()
  await page.getByText('1 record stored, 0 rejected').waitFor()
  expect((await provider.call('GET', paths.receivingEvent)).body.content).toHaveLength(3)
  await end()
})

test('what is there already is rejected, and replaced when that is asked for; the same file makes nothing twice', async () => {
  const provider = await service.provider()
  const there = eventPayload()
  await provider.call('POST', paths.receivingEvent, { body: there })
  there.eventList.purchaseOrderNumber = 'PO-CHANGED'
  const path = fileOf('again.ndjson', [there, eventPayload()])
  const { page, end } = await visit(browser, '/import', {
    url: service.url,
    key: await provider.key('writer'),
    expected: /409/,
  })
  const bringIn = async (said: string) => {
    await page.getByLabel('Choose a file').setInputFiles(path)
    await page.getByRole('button', { name: 'Send 2 records' }).click()
    await page.getByText(said).waitFor()
  }
  await bringIn('1 record stored, 1 rejected')
  await page.getByRole('cell', { name: /is held by record/ }).waitFor()
  await page.getByLabel('Replace records that are there already').check()
  await bringIn('2 records stored, 0 rejected')
  const { content } = (await provider.call('GET', paths.receivingEvent)).body
  expect(content.map(({ eventList }: Payload) => eventList.purchaseOrderNumber).sort()).toEqual([
    'PO-88120',
    'PO-CHANGED',
  ])
  await end()
})

test('the template is saved, and read again as an empty file with known columns', async () => {
  const provider = await service.provider()
  const { page, end } = await visit(browser, '/import', { url: service.url, key: await provider.key('writer') })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the template' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('lotkeeper-template.xlsx')
  const path = join(folder, 'template.xlsx')
  writeFileSync(path, readFileSync(await download.path()))
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByText('0 lines: 0 records can be sent, 0 rejected').waitFor()
  await end()
})

test('a file with other headings is understood once its columns are said, and the saved columns serve the next one', async () => {
  const provider = await service.provider()
  const good = goodRow()
  const ours = {
    'Rcv When': 'eventDateTime',
    'Order No': 'purchaseOrderNumber',
    'From Site': 'shipFromLocationCode',
    'From Name': 'shipFrom.locationName',
    'From GLN': 'shipFrom.gln',
    'To Site': 'shipToLocationCode',
    'To Name': 'shipTo.locationName',
    'To GLN': 'shipTo.gln',
    Artikel: 'vendorItemCode',
    What: 'product.itemDescription',
    Qty: 'shipQuantity',
    'Lot Nr': 'caseLotNumber',
    'Lot GLN': 'tlcSourceReferenceGln',
    'Our remark': '',
  }
  const text = (order: string) =>
    csvOf([
      Object.keys(ours),
      Object.values(ours).map((name) =>
        name === 'purchaseOrderNumber' ? order : name === '' ? 'wet' : (good[eventHeadings.indexOf(name)] ?? ''),
      ),
    ])
  const path = join(folder, 'other.csv')
  writeFileSync(path, text('PO-77'))
  const { page, end } = await visit(browser, '/import', {
    url: service.url,
    key: await provider.key('writer'),
    width: 360,
  })
  const bringIn = () => page.getByLabel('Choose a file').setInputFiles(path)
  await bringIn()
  await page.getByRole('heading', { name: 'What the columns are' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Our remark' }).getByText('wet').waitFor()
  for (const [heading, column] of Object.entries(ours))
    await page.getByLabel(`The column ${heading} is`).selectOption(column)
  await page.getByLabel('dataProviderVendorId').fill('V-1')
  await page.getByLabel('shipQuantityUom').fill('case')
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save these columns' }).click(),
  ])
  const saved = readFileSync(await download.path(), 'utf8')
  expect(JSON.parse(saved).columns).toEqual({ ...ours, 'Our remark': null })
  await page.getByRole('button', { name: 'Check with these columns' }).click()
  await page.getByRole('button', { name: 'Send 1 record' }).click()
  await page.getByText('1 record stored, 0 rejected').waitFor()
  const [stored] = (await provider.call('GET', paths.receivingEvent)).body.content
  expect(stored.eventList).toMatchObject({ purchaseOrderNumber: 'PO-77', dataProviderVendorId: 'V-1' })

  // The next file, on another day.
  await page.reload()
  const columns = join(folder, 'mapping.json')
  writeFileSync(columns, '{"columns": {"Lot Nr": "lot"}}')
  await page.getByLabel('Columns that were saved').setInputFiles(columns)
  await page.getByText('names lot, which is no column').waitFor()
  writeFileSync(columns, saved)
  await page.getByLabel('Columns that were saved').setInputFiles(columns)
  await page.getByText('14 headings that are not ours are said').waitFor()
  writeFileSync(path, text('PO-78').replace('09:30', '10:30'))
  await bringIn()
  await page.getByText('0 records can be sent, 1 rejected').waitFor()
  await page
    .getByRole('cell', { name: /dataProviderVendorId/ })
    .first()
    .waitFor()
  await end()
})

test('a file that is no table is said to be none, and hostile text in it does not run', async () => {
  const provider = await service.provider()
  const path = join(folder, 'odd.csv')
  writeFileSync(path, '<img src=x onerror=alert(1)>,b\n1,2\n')
  const { page, end } = await visit(browser, '/import', { url: service.url, key: await provider.key('writer') })
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByRole('cell', { name: '<img src=x onerror=alert(1)>' }).waitFor()
  writeFileSync(path, new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3, 4]))
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByText('an old Excel file').waitFor()
  await end()
})

test('a reader is told that its key may not write', async () => {
  const provider = await service.provider()
  const { page, end } = await visit(browser, '/import', { url: service.url, key: await provider.key('reader') })
  await page.getByRole('heading', { name: 'This key may not write' }).waitFor()
  await end()
})
