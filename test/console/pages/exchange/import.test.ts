// Bringing in a file in the page: it is checked first, sent when told to, and what is not taken
// comes back with the reason beside it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fdaHeadings, fdaRow, fdaShippingHeadings, fdaShippingRow } from '../../../support/files/foreign-sheets.ts'
import { csvOf, eventHeadings, goodRow, workbookOf } from '../../../support/files/import-files.ts'
import { goByMenu, openBrowser, visit } from '../../../support/pages/browser.ts'
import { eventPayload, type Payload, paths } from '../../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

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

test('a file is checked and imported, and its rejected rows can be saved, corrected and imported', async () => {
  const provider = await service.provider()
  const wrong = eventPayload(({ eventList }) => {
    eventList.productList[0].shipQuantity = 'many'
  })
  const path = fileOf('events.ndjson', [eventPayload(), wrong, eventPayload()])
  const { page, end } = await visit(browser, '/import', { url: service.url, key: await provider.key('writer') })
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByText('2 records can be sent, 1 rejected').waitFor()
  await page.getByRole('cell', { name: /Quantity is "many" \(text\)/ }).waitFor()
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
  expect(rejected).toContain('shipQuantity is \\"many\\" (text)')
  const corrected = join(folder, 'corrected.ndjson')
  writeFileSync(corrected, rejected.replace('"many"', '7'))
  await page.getByLabel('Choose a file').setInputFiles(corrected)
  await page.getByRole('button', { name: 'Send 1 record' }).click()
  await page.getByText('1 record stored, 0 rejected').waitFor()
  expect((await provider.call('GET', paths.receivingEvent)).body.content).toHaveLength(3)
  await end()
})

test('existing records are rejected, or replaced on request; importing a file twice creates nothing twice', async () => {
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
  const check = () => page.getByLabel('Choose a file').setInputFiles(path)
  await check()
  await page.getByText('1 record can be sent, 1 rejected. 1 new.').waitFor()
  await page.getByRole('cell', { name: /is already stored as version 1\. This one changes Purchase order\./ }).waitFor()
  await page.getByRole('link', { name: 'Open the stored record' }).waitFor()
  await page.getByLabel(/^Replace stored records/).check()
  await check()
  await page.getByText('2 records can be sent, 0 rejected. 1 new, 1 replacing a stored version.').waitFor()
  await page.getByRole('row', { name: /PO-CHANGED, lots? .*, 2026-.* Will be replaced/ }).waitFor()
  expect(await storedOf(provider)).toBe(1)
  await page.getByRole('button', { name: 'Send 2 records' }).click()
  await page.getByText('2 records stored, 0 rejected').waitFor()
  await check()
  await page.getByText('0 records can be sent, 0 rejected. 2 stored already with the same content.').waitFor()
  expect(await page.getByRole('button', { name: /^Send/ }).count()).toBe(0)
  const { content } = (await provider.call('GET', paths.receivingEvent)).body
  expect(content.map(({ eventList }: Payload) => eventList.purchaseOrderNumber).sort()).toEqual([
    'PO-88120',
    'PO-CHANGED',
  ])
  await end()
})

test('the saved template reads as an empty file with known columns', async () => {
  const provider = await service.provider()
  const { page, end } = await visit(browser, '/import', { url: service.url, key: await provider.key('writer') })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save template' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('lotkeeper-template.xlsx')
  const path = join(folder, 'template.xlsx')
  writeFileSync(path, readFileSync(await download.path()))
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByText('No record was read: 0 records can be sent, 0 rejected').waitFor()
  await end()
})

test('a file with other headings imports once its columns are mapped, and the saved mapping works for the next file', async () => {
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
  await page.getByRole('heading', { name: 'Match columns' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Our remark' }).getByText('wet').waitFor()
  for (const [heading, column] of Object.entries(ours))
    await page.getByLabel(`Column for ${heading}`).selectOption(column)
  await page.getByRole('textbox', { name: 'Vendor', exact: true }).fill('V-1')
  await page.getByRole('textbox', { name: 'Unit', exact: true }).fill('case')
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save columns' }).click(),
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
  await page.getByLabel('Saved columns').setInputFiles(columns)
  await page.getByText('names lot, which is not a column').waitFor()
  writeFileSync(columns, saved)
  await page.getByLabel('Saved columns').setInputFiles(columns)
  await page.getByText('14 custom column mappings loaded').waitFor()
  writeFileSync(path, text('PO-78').replace('09:30', '10:30'))
  await bringIn()
  await page.getByText('0 records can be sent, 1 rejected').waitFor()
  // In the words of the page, whatever the contract calls the field.
  await page
    .getByRole('cell', { name: /\bVendor$/ })
    .first()
    .waitFor()
  await end()
})

test('of a workbook with both of FDA’s sheets, each kind is imported with its own vendor', async () => {
  const provider = await service.provider()
  const path = join(folder, 'fda.xlsx')
  const sheets = [
    { name: 'Receiving', rows: [fdaHeadings, fdaRow({ 23: '03/04/2026 09:30' })] },
    { name: 'Shipping', rows: [fdaShippingHeadings, fdaShippingRow({ 23: '03/04/2026 09:30' })] },
  ]
  writeFileSync(path, await workbookOf(sheets))
  const { page, end } = await visit(browser, '/import', {
    url: service.url,
    key: await provider.key('writer'),
    // The check asks whether an event is stored already.
    expected: /409/,
  })
  await page.getByLabel('Time zone of times without an offset').selectOption('America/Chicago')
  await page.getByLabel('Vendor, where the file has none').fill('V-1')
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByText('1 receiving event and 1 shipping event with 2 product lines: 2 records can be sent').waitFor()
  await page.getByText('Receiving and shipping events both get the vendor V-1.').waitFor()
  for (const [kind, vendor] of [
    ['receivingEvent', 'V-1'],
    ['shippingEvent', 'V-OWN'],
  ] as const) {
    await page.getByLabel('Events to import').selectOption(kind)
    await page.getByLabel('Vendor, where the file has none').fill(vendor)
    await page.getByRole('button', { name: 'Check again' }).click()
    await page
      .getByText(`was not read: it holds ${kind === 'shippingEvent' ? 'receiving' : 'shipping'} events`)
      .waitFor()
    await page.getByRole('button', { name: 'Send 1 record' }).click()
    await page.getByText('1 record stored, 0 rejected').waitFor()
    const { content } = (await provider.call('GET', paths[kind])).body
    expect(content.map(({ eventList }: Payload) => eventList.dataProviderVendorId)).toEqual([vendor])
    await page.getByLabel('Choose a file').setInputFiles(path)
  }
  await end()
})

/** The columns that a complete row fills: to draw the choice of each of the others takes seconds. */
const filledCells = (row: readonly string[]): readonly string[] => {
  const complete = goodRow()
  return row.filter((_, n) => complete[n] !== '')
}

test('headings of a shipment are suggested as shipping events, and the suggestion is imported as it is shown', async () => {
  const provider = await service.provider()
  const renamed: Readonly<Record<string, string>> = {
    eventDateTime: 'Ship Date',
    caseLotNumber: 'Lot',
    shipQuantity: 'Qty',
    vendorItemCode: 'Item',
  }
  const path = join(folder, 'shipments.csv')
  const later = { eventDateTime: '2026-03-09T09:30:00-06:00', purchaseOrderNumber: 'PO-2' }
  const rows = [goodRow(), goodRow({ ...later, shipQuantity: 'many' }), goodRow({ ...later, shipToLocationCode: '' })]
  writeFileSync(path, csvOf([eventHeadings.map((name) => renamed[name] ?? name), ...rows].map(filledCells)))
  const { page, end } = await visit(browser, '/import', { url: service.url, key: await provider.key('writer') })
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByRole('heading', { name: 'Match columns' }).waitFor()
  expect(await page.getByLabel('The rows are').inputValue()).toBe('shippingEvent')
  expect(await page.getByLabel('Column for Ship Date').locator('option:checked').textContent()).toBe('Shipped at')
  await page.getByRole('button', { name: 'Check with these columns' }).click()
  await page.getByRole('button', { name: 'Send 1 record' }).click()
  await page
    .getByText('2 shipping events with 2 product lines, 1 row whose event cannot be read: 1 record stored, 2 rejected')
    .waitFor()
  await page.getByRole('cell', { name: 'Ship-to location is required' }).first().waitFor()
  await page.getByRole('region', { name: 'Stored records' }).getByRole('link').click()
  await page.getByText('Shipped at').first().waitFor()
  await end()
})

test('a file that is no table is reported, and hostile text in it does not run', async () => {
  const provider = await service.provider()
  const path = join(folder, 'odd.csv')
  writeFileSync(path, '<img src=x onerror=alert(1)>,b\n1,2\n')
  const { page, end } = await visit(browser, '/import', { url: service.url, key: await provider.key('writer') })
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByRole('rowheader', { name: '<img src=x onerror=alert(1)>' }).waitFor()
  writeFileSync(path, new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3, 4]))
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByText('an old Excel file').waitFor()
  await end()
})

test('a reader sees that the key may not write', async () => {
  const provider = await service.provider()
  const { page, end } = await visit(browser, '/import', { url: service.url, key: await provider.key('reader') })
  await page.getByRole('heading', { name: 'This key cannot import' }).waitFor()
  await end()
})

/**
 * Holds the calls that create records, once so many have passed: an import is then in the middle,
 * for as long as a test looks.
 */
async function heldAfter(page: Page, count: number) {
  let left = count
  let waiting: (() => void)[] = []
  await page.route('**/data-provider/**', async (route) => {
    if (route.request().url().includes('dryRun=true')) return route.continue()
    if (left > 0) left--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    await route.continue()
  })
  return {
    /** Lets so many more pass. */
    pass: (more: number) => {
      left = more
      for (const go of waiting.splice(0, more)) {
        left--
        go()
      }
    },
    passAll: () => {
      left = Number.POSITIVE_INFINITY
      for (const go of waiting) go()
      waiting = []
    },
  }
}

const storedOf = async (provider: TestProvider) =>
  (await provider.call('GET', `${paths.receivingEvent}?limit=200`)).body.content.length

test('the progress of an import follows its records, and shows how many there are', async () => {
  const provider = await service.provider()
  const path = fileOf(
    'sixty.ndjson',
    Array.from({ length: 60 }, () => eventPayload()),
  )
  const { page, end } = await visit(browser, '/import', { url: service.url, key: await provider.key('writer') })
  const gate = await heldAfter(page, 20)
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByRole('button', { name: 'Send 60 records' }).click()
  const value = () => page.evaluate('document.querySelector("progress").value') as Promise<number>
  await page.getByText(/of 60 rows/).waitFor()
  await expect.poll(value).toBeCloseTo(20 / 60, 1)
  gate.pass(20)
  await expect.poll(value).toBeCloseTo(40 / 60, 1)
  gate.passAll()
  await page.getByText('60 records stored, 0 rejected').waitFor()
  const links = page.getByRole('region', { name: 'Stored records' }).getByRole('link')
  expect(await links.count()).toBe(60)
  await links.first().click()
  await page
    .getByRole('heading', { name: /Receiving event/ })
    .first()
    .waitFor()
  await end()
})

test('leaving an import asks first; a cancelled import shows what was stored and what was not, and continues there', async () => {
  const provider = await service.provider()
  const path = fileOf(
    'forty.ndjson',
    Array.from({ length: 40 }, () => eventPayload()),
  )
  const { page, end } = await visit(browser, '/import', {
    url: service.url,
    key: await provider.key('writer'),
    expected: /409/,
  })
  const gate = await heldAfter(page, 10)
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByRole('button', { name: 'Send 40 records' }).click()
  await expect.poll(() => storedOf(provider)).toBe(10)

  await goByMenu(page, 'Answers', 'Trace a lot')
  await page.getByText('Records already sent stay stored').waitFor()
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Cancel' }).waitFor()
  expect(page.url()).toContain('/console/import')

  page.removeAllListeners('dialog')
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()

  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Stopping').waitFor()
  gate.passAll()
  await page.getByRole('heading', { name: 'The import of forty.ndjson was stopped' }).waitFor()
  const stored = await storedOf(provider)
  expect(stored).toBeLessThan(40)
  await page.getByText(`${stored} records stored, 0 rejected`).waitFor()
  await page.getByText(`${40 - stored} rows of 40 not sent.`).waitFor()

  // The page is gone, and with it all that it knew.
  await page.reload()
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && !request.url().includes('dryRun=true')) sent.push(request.url())
  })
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByText(`${stored} records of this file were stored before. Sending continues after them.`).waitFor()
  await page.getByRole('button', { name: `Send ${40 - stored} records` }).click()
  await page.getByText('40 records stored, 0 rejected').waitFor()
  expect(await storedOf(provider)).toBe(40)
  expect(sent).toHaveLength(40 - stored)
  await end()
})

test('a replacement that removes product lines lists them and asks; declined, it leaves the stored event unchanged', async () => {
  const provider = await service.provider()
  const there = eventPayload(({ eventList }) => {
    eventList.productList.push({ ...eventList.productList[0], caseLotNumber: 'LOT-GONE' })
  })
  await provider.call('POST', paths.receivingEvent, { body: there })
  const fewer = structuredClone(there)
  fewer.eventList.productList.pop()
  const path = fileOf('fewer.ndjson', [fewer])
  const lots = async () =>
    (await provider.call('GET', paths.receivingEvent)).body.content[0].eventList.productList.map(
      ({ caseLotNumber }: Payload) => caseLotNumber,
    )
  const { page, end } = await visit(browser, '/import', {
    url: service.url,
    key: await provider.key('writer'),
    expected: /409/,
  })
  await page.getByLabel(/^Replace stored records/).check()
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByText(/One replacement removes product lines.*lot LOT-GONE/).waitFor()
  await page.getByRole('button', { name: 'Send 1 record' }).click()
  await page.getByRole('listitem').filter({ hasText: 'lot LOT-GONE' }).waitFor()
  await page.getByRole('button', { name: 'Keep lines' }).click()
  await page.getByText('0 records stored, 1 rejected').waitFor()
  await page.getByRole('cell', { name: /removes a product line: .*LOT-GONE/ }).waitFor()
  expect(await lots()).toContain('LOT-GONE')

  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByRole('button', { name: 'Send 1 record' }).click()
  await page.getByRole('button', { name: 'Remove lines' }).click()
  await page.getByText('1 record stored, 0 rejected. 1 replaced.').waitFor()
  expect(await lots()).not.toContain('LOT-GONE')
  await end()
})

test('products are counted as products, replaced on request, and never stored twice', async () => {
  const provider = await service.provider()
  const headings = ['dataProviderVendorId', 'itemCode', 'itemDescription']
  const path = join(folder, 'products.csv')
  const { page, end } = await visit(browser, '/import', { url: service.url, key: await provider.key('writer') })
  const bringIn = async (description: string, said: RegExp) => {
    writeFileSync(path, csvOf([headings, ['V-1', 'TOM-1', description]]))
    await page.getByLabel('Choose a file').setInputFiles(path)
    await page.getByRole('button', { name: 'Send 1 record' }).click()
    await page.getByText(said).waitFor()
  }
  await bringIn('Tomatoes', /^1 product: 1 record stored, 0 rejected\. 1 created\./)
  writeFileSync(path, csvOf([headings, ['V-1', 'TOM-1', 'Vine tomatoes']]))
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByText(/^1 product: 0 records can be sent, 1 rejected\./).waitFor()
  await page.getByLabel(/^Replace stored records/).check()
  await bringIn('Vine tomatoes', /^1 product: 1 record stored, 0 rejected\. 1 replaced\./)
  const { content } = (await provider.call('GET', paths.masterProduct)).body
  expect(content.map(({ productMasterDataList }: Payload) => productMasterDataList.itemDescription)).toEqual([
    'Vine tomatoes',
  ])
  await end()
})

test('rows are validated with the settings of the service', async () => {
  const later = await startService({ lotNumberRequiredFrom: '2028-07-20' })
  const provider = await later.provider()
  const path = join(folder, 'no-lot.csv')
  writeFileSync(path, csvOf([eventHeadings, goodRow({ caseLotNumber: '' })]))
  const { page, end } = await visit(browser, '/import', { url: later.url, key: await provider.key('writer') })
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByRole('button', { name: 'Send 1 record' }).click()
  await page.getByText('1 record stored, 0 rejected').waitFor()
  await end()
  await later.close()
})

test('a replacement is retried when somebody else replaces the record meanwhile', async () => {
  const provider = await service.provider()
  const there = eventPayload()
  const [id] = (await provider.call('POST', paths.receivingEvent, { body: there })).body.request_ids
  const mine = structuredClone(there)
  mine.eventList.purchaseOrderNumber = 'PO-MINE'
  const path = fileOf('stale.ndjson', [mine])
  const { page, end } = await visit(browser, '/import', {
    url: service.url,
    key: await provider.key('writer'),
    expected: /409|412/,
  })
  let others = 0
  await page.route(`**/data-provider/**/${id}`, async (route) => {
    if (route.request().headers()['if-match'] !== undefined && others++ === 0) {
      there.eventList.purchaseOrderNumber = 'PO-THEIRS'
      await provider.call('PUT', `${paths.receivingEvent}/${id}`, { body: there })
    }
    await route.continue()
  })
  await page.getByLabel(/^Replace stored records/).check()
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByRole('button', { name: 'Send 1 record' }).click()
  await page.getByText('1 record stored, 0 rejected. 1 replaced.').waitFor()
  expect(others).toBeGreaterThan(0)
  expect((await provider.call('GET', `${paths.receivingEvent}/${id}`)).body.eventList.purchaseOrderNumber).toBe(
    'PO-MINE',
  )
  await end()
})

test('an import that ended early is listed after a reload, and continues with its options once its file is chosen', async () => {
  const provider = await service.provider()
  const path = fileOf(
    'thirty.ndjson',
    Array.from({ length: 30 }, () => eventPayload()),
  )
  const { page, end } = await visit(browser, '/import', { url: service.url, key: await provider.key('writer') })
  const gate = await heldAfter(page, 10)
  await page.getByLabel(/^Replace stored records/).check()
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByRole('button', { name: 'Send 30 records' }).click()
  await expect.poll(() => storedOf(provider)).toBe(10)
  await page.getByRole('button', { name: 'Cancel' }).click()
  gate.passAll()
  await page.getByRole('heading', { name: 'The import of thirty.ndjson was stopped' }).waitFor()
  const stored = await storedOf(provider)

  await page.reload()
  const list = page.getByRole('region', { name: 'Imports that ended early' })
  await list.getByText('thirty.ndjson', { exact: true }).waitFor()
  await list.getByText(`${stored} records stored`).waitFor()
  const other = fileOf('other.ndjson', [eventPayload()])
  await page.getByLabel('The file thirty.ndjson').setInputFiles(other)
  await list.getByText('other.ndjson is not the file of this import').waitFor()
  await page.getByLabel('The file thirty.ndjson').setInputFiles(path)
  await page.getByText('30 records stored, 0 rejected').waitFor()
  expect(await page.getByLabel(/^Replace stored records/).isChecked()).toBe(true)
  expect(await storedOf(provider)).toBe(30)
  await page.reload()
  await page.getByText('drop it here').waitFor()
  expect(await list.count()).toBe(0)
  await end()
})

test('columns that were matched once are matched for the next file of the same headings', async () => {
  const provider = await service.provider()
  const renamed: Readonly<Record<string, string>> = { shipQuantity: 'Menge', caseLotNumber: 'Los' }
  const path = join(folder, 'columns.csv')
  const fileOn = (date: string, inOrder: (row: readonly string[]) => readonly string[]) => {
    const headings = eventHeadings.map((name) => renamed[name] ?? name)
    writeFileSync(path, csvOf([headings, goodRow({ eventDateTime: date })].map(filledCells).map(inOrder)))
  }
  const { page, end } = await visit(browser, '/import', { url: service.url, key: await provider.key('writer') })
  fileOn('2026-03-04T09:30:00-06:00', (row) => row)
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByLabel('Column for Menge').selectOption('shipQuantity')
  await page.getByLabel('Column for Los').selectOption('caseLotNumber')
  await page.getByRole('button', { name: 'Check with these columns' }).click()
  await page.getByText('1 record can be sent, 0 rejected').waitFor()

  await page.reload()
  fileOn('2026-03-05T09:30:00-06:00', (row) => row.toReversed())
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByText('1 record can be sent, 0 rejected').waitFor()
  expect(await page.getByLabel('Column for Menge').inputValue()).toBe('shipQuantity')
  await end()
})

test('codes are completed from stored locations, unless the switch is off', async () => {
  const provider = await service.provider()
  const place = { dataProviderVendorId: 'V-1', locationCode: 'DC-07', locationName: 'River DC', gln: '0614141999996' }
  await provider.call('POST', paths.location, { body: { locationMasterList: place } })
  const path = join(folder, 'codes.csv')
  const row = goodRow({ shipToLocationCode: 'DC-07', 'shipTo.locationName': '', 'shipTo.gln': '' })
  writeFileSync(path, csvOf([eventHeadings, row]))
  const { page, end } = await visit(browser, '/import', { url: service.url, key: await provider.key('writer') })
  await page.getByLabel('Choose a file').setInputFiles(path)
  await page.getByText('1 record can be sent, 0 rejected').waitFor()
  await page.getByText('has codes of stored locations, such as DC-07').waitFor()
  await page.getByLabel(/^Complete the codes of a sheet/).uncheck()
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('0 records can be sent, 1 rejected').waitFor()
  await page
    .getByRole('cell', { name: /Location name is required/ })
    .first()
    .waitFor()
  await end()
})
