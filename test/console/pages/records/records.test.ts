// Finding records and reading them: filters in the address, going back, the pages of one record.
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seriousFindings } from '../../../support/pages/axe.ts'
import { goByMenu, openBrowser, visit } from '../../../support/pages/browser.ts'
import { changed, eventPayload, type Payload, paths, productPayload } from '../../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
let options: { url: string; key: string }
/**
 * Ids of 60 events, each with a purchase order and a lot code of its own; the first has a finding.
 */
const ids: string[] = []
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
  options = { url: service.url, key: await provider.key('writer') }
  for (let n = 0; n < 60; n++) {
    const body = eventPayload((payload) => {
      payload.eventList.purchaseOrderNumber = `PO-${n}`
      payload.eventList.productList[0].caseLotNumber = `LOT-${n}`
      if (n === 0) payload.eventList.productList[0].caseGtin = '10614141000419'
    })
    ids.push((await provider.call('POST', paths.receivingEvent, { body })).body.request_ids[0])
  }
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

test('a filter is in the address, survives a reload, and the back button removes it', async () => {
  const { page, end } = await visit(browser, '/events', options)
  await page.getByText('50 receiving events loaded').waitFor()
  await page.getByLabel('Lot code').fill('LOT-7')
  await page.keyboard.press('Enter')
  await page.getByText('1 receiving event', { exact: true }).waitFor()
  expect(new URL(page.url()).search).toBe('?lotCode=LOT-7')
  await page.reload()
  await page.getByText('1 receiving event', { exact: true }).waitFor()
  await expect.poll(() => page.getByLabel('Lot code').inputValue()).toBe('LOT-7')
  await page.goBack()
  await page.getByText('50 receiving events loaded').waitFor()
  await expect.poll(() => page.getByLabel('Lot code').inputValue()).toBe('')
  await end()
})

test('the page has every filter of the API, and sends it', async () => {
  const { page, end } = await visit(browser, '/events', options)
  await page.getByRole('button', { name: 'More filters' }).click()
  const values = {
    Vendor: 'V-1001',
    'Purchase order': 'PO-3',
    'Advance ship notice': 'ASN-771203',
    'Ship-from location': 'GV-COOLER-1',
    'Receiving location': 'DC-07',
    'Item code': 'ROM-24',
    'FTL category': 'leafy greens',
    'Lot code': 'LOT-3',
    'Received from (UTC)': '2026-01-01T00:00:00',
    'Received until (UTC)': '2027-01-01T00:00:00',
    'Submitted from (UTC)': '2026-01-01T00:00:00',
    'Submitted until (UTC)': '2099-01-01T00:00:00',
  }
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByLabel('Has gaps', { exact: true }).selectOption('No')
  await page.getByLabel('Has warnings', { exact: true }).selectOption('No')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText('1 receiving event', { exact: true }).waitFor()
  const { searchParams } = new URL(page.url())
  expect(searchParams.size).toBe(14)
  expect(searchParams.get('eventStartDateTime')).toBe('2026-01-01T00:00:00Z')
  await page.getByRole('button', { name: 'Remove filter LOT-3', exact: true }).click()
  await expect.poll(() => new URL(page.url()).searchParams.size).toBe(13)
  await end()
})

test('a filter offers the existing values, by pointer and by keyboard', async () => {
  const { page, end } = await visit(browser, '/events', options)
  await page.getByRole('button', { name: 'More filters' }).click()
  const vendor = page.getByRole('combobox', { name: 'Vendor', exact: true })
  await vendor.click()
  const option = page.getByRole('option').filter({ hasText: 'V-1001' })
  await option.getByText('60', { exact: true }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await vendor.fill('no such vendor')
  await page.getByText('No receiving events have such a value.').waitFor()
  await vendor.fill('v-10')
  await option.waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const chips = page.getByRole('list', { name: 'Filters in use' })
  await chips.getByText('Vendor').waitFor()
  expect(new URL(page.url()).search).toBe('?dataProviderVendorId=V-1001')
  // The list stays open for more of them; what is typed and found is one more, too.
  await expect.poll(() => option.getAttribute('aria-selected')).toBe('true')
  await vendor.fill('V-9')
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).searchParams.getAll('dataProviderVendorId')).toEqual(['V-1001', 'V-9'])
  await page.getByText('60 results').waitFor()
  await page.locator('[aria-busy=false]').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await chips.getByRole('button', { name: 'Remove filter V-9', exact: true }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('?dataProviderVendorId=V-1001')
  await page.getByRole('combobox', { name: 'Kind of gap', exact: true }).click()
  await page.getByText('No receiving events have such a value.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Has warnings', { exact: true }).selectOption('Yes')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText('1 result', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText('60 results').waitFor()
  await end()
})

test('a table sorts by its headings and shows the selected columns, and the address keeps both', async () => {
  const { page, end } = await visit(browser, '/events', options)
  await page.getByText('60 results').waitFor()
  const heading = (name: string) => page.getByRole('columnheader', { name })
  const firstCell = () => page.locator('.rows tbody tr td:not(.choose)').first().innerText()
  expect(await heading('Received').getAttribute('aria-sort')).toBe('descending')
  const newest = await firstCell()
  await heading('Received').getByRole('button').click()
  await expect.poll(() => heading('Received').getAttribute('aria-sort')).toBe('ascending')
  await expect.poll(firstCell).not.toBe(newest)
  await heading('Purchase order').getByRole('button').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect.poll(() => heading('Purchase order').getAttribute('aria-sort')).toBe('descending')
  await expect.poll(() => page.locator('.rows tbody tr td:not(.choose)').nth(1).innerText()).toBe('PO-9')

  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  const menu = page.getByRole('group', { name: 'Columns' })
  await menu.getByRole('checkbox', { name: 'Vendor', exact: true }).uncheck()
  await heading('Vendor').waitFor({ state: 'detached' })
  await menu.getByRole('checkbox', { name: 'Items' }).check()
  await heading('Items').waitFor()
  await menu.getByRole('button', { name: 'Move Purchase order left' }).click()
  await expect.poll(firstCell).toBe('PO-9')
  const heightOf = async () => (await page.locator('.rows tbody tr').first().boundingBox())?.height ?? 0
  const comfortable = await heightOf()
  await menu.getByRole('button', { name: 'Compact' }).click()
  await expect.poll(heightOf).toBeLessThan(comfortable)
  expect(new URL(page.url()).searchParams.get('rows')).toBe('compact')
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Columns')

  await page.reload()
  await expect.poll(firstCell).toBe('PO-9')
  await heading('Items').waitFor()
  expect(await heading('Vendor').count()).toBe(0)
  await expect.poll(heightOf).toBeLessThan(comfortable)
  // Other columns are no step back to other records; the order is one.
  await page.goBack()
  await page.goBack()
  await page.goBack()
  await heading('Vendor').waitFor()
  await end()
})

test('a view can be saved, opened by its name, shared, and deleted', async () => {
  const address = '/events?hasWarnings=true&columns=purchaseOrder,received&rows=compact'
  const { page, end } = await visit(browser, address, options)
  await page.getByText('1 result', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  const menu = page.getByRole('group', { name: 'Views' })
  await menu.getByText('No views yet').waitFor()
  await menu.getByLabel('Save this view as').fill('With <b>warnings</b>')
  await menu.getByLabel('Share with everyone').check()
  await page.getByLabel('Save this view as').press('Enter')
  const link = menu.getByRole('link', { name: 'With <b>warnings</b>' })
  await link.waitFor()
  expect(await link.getAttribute('aria-current')).toBe('true')
  expect(await seriousFindings(page)).toEqual([])
  await end()

  const reader = await visit(browser, '/events', {
    ...options,
    key: await provider.key('reader'),
    expected: /status of 412/,
  })
  await reader.page.getByText('60 results').waitFor()
  await reader.page.getByRole('button', { name: 'Views', exact: true }).click()
  await reader.page.getByText('shared with you').waitFor()
  await reader.page.getByRole('link', { name: 'With <b>warnings</b>' }).click()
  await reader.page.getByText('1 result', { exact: true }).waitFor()
  await expect.poll(() => reader.page.getByRole('columnheader').count()).toBe(3)
  expect(new URL(reader.page.url()).searchParams.get('rows')).toBe('compact')
  await reader.page.getByRole('button', { name: 'Views', exact: true }).click()
  const remove = reader.page.getByRole('button', { name: 'Delete view With <b>warnings</b>' })
  await remove.waitFor()
  // As another tab does meanwhile.
  const headers = { authorization: `Bearer ${options.key}` }
  const { body } = await provider.call('GET', '/list-views', { headers })
  const [{ list, name }] = body.content
  const other = { list, name, query: 'hasGaps=true', shared: true }
  expect((await provider.call('POST', '/list-views', { headers, body: other })).status).toBe(200)
  // The page has not read the list again yet when the button is pressed once more.
  let asked = 0
  let answer = (): void => undefined
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve
  })
  await reader.page.route('**/list-views', async (route) => {
    if (route.request().method() === 'GET' && ++asked === 2) await mayAnswer
    await route.continue()
  })
  await remove.click()
  await reader.page.getByText('was changed in another tab. Look at it, and delete it again.').waitFor()
  await remove.click()
  await reader.page.getByText('View "With <b>warnings</b>" deleted.').waitFor()
  answer()
  await reader.page.getByText('No views yet').waitFor()
  await reader.end()
})

test('a table saves as a file with all rows in their order, and the columns as shown', async () => {
  const query = '/events?sort=purchaseOrderNumber&direction=ascending&columns=purchaseOrder,lotCodes'
  const { page, end } = await visit(browser, query, options)
  await page.getByText('60 results').waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as', exact: true }).click()
  await page.getByRole('button', { name: 'CSV (.csv)' }).click()
  const file = await saved
  expect(file.suggestedFilename()).toMatch(/^receiving-events-[\d-]+\.csv$/)
  const rows = readFileSync(await file.path(), 'utf8').split('\r\n')
  expect(rows).toHaveLength(62)
  expect(rows.slice(0, 3)).toEqual([
    '\uFEFFPurchase order,Lot codes',
    expect.stringMatching(/^PO-0,/),
    expect.stringMatching(/^PO-1,/),
  ])
  await page.getByText('was passed to the browser').waitFor()
  await end()
})

test('a list prints completely, not only what is loaded and in sight', async () => {
  const { page, end } = await visit(browser, '/events', options)
  await page.getByText('50 receiving events loaded').waitFor()
  await page.evaluate(`addEventListener('beforeprint', () => {
    window.printed = document.querySelectorAll('.rows tbody tr:not(.space)').length
  })`)
  await page.getByRole('button', { name: 'Save as', exact: true }).click()
  await page.getByRole('button', { name: 'Print, or save as PDF' }).click()
  await page.getByText('60 receiving events', { exact: true }).waitFor()
  await expect.poll(() => page.evaluate('window.printed')).toBe(60)
  await end()
})

test('no width cuts off a time, and a narrow window also shows its offset', async () => {
  const { page, end } = await visit(browser, '/events', options)
  for (const width of [1440, 1024, 768, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await page.getByText('60 results').waitFor()
    const cut = () =>
      page.evaluate(
        `[...document.querySelectorAll('.rows .time')].filter((cell) => cell.scrollWidth > cell.clientWidth).length`,
      )
    await expect.poll(cut, { message: String(width) }).toBe(0)
    expect(await page.locator('.rows .time').first().innerText()).toMatch(/ \d\d:\d\d(:\d\d)? (UTC|−05:00)$/)
    const overflow = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('main'))`
    await expect.poll(() => page.evaluate(overflow)).toBeLessThanOrEqual(0)
    for (const words of ['Views', 'Save as', 'Columns']) {
      await page.getByRole('button', { name: words, exact: true }).click()
      const box = await page.getByRole('group', { name: words }).boundingBox()
      expect(box?.x, `${words} at ${width}`).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? width), `${words} at ${width}`).toBeLessThanOrEqual(width)
      await page.keyboard.press('Escape')
    }
  }
  await end()
})

test('a narrow window shows the findings of a record whole, beside its lots', async () => {
  const own = await service.provider()
  const body = eventPayload((payload) => {
    const { productList } = payload.eventList
    for (const line of productList) {
      line.caseGtin = '10614141000419'
      delete line.harvestDate
      line.caseLotNumber = 'MIXED'
    }
    while (productList.length < 12) productList.push({ ...productList[0], poLineNumber: `${productList.length}` })
  })
  expect((await own.call('POST', paths.receivingEvent, { body })).status).toBe(201)
  const { page, end } = await visit(browser, '/events', { ...options, key: await own.key('writer'), width: 320 })
  const tags = page.locator('.rows .counts > .tag')
  await tags.nth(1).waitFor()
  expect(await tags.allInnerTexts()).toEqual([expect.stringContaining('warning'), expect.stringContaining('gap')])
  for (const tag of await tags.all())
    expect(
      await tag.evaluate(
        (one) => one.scrollWidth <= one.clientWidth && one.closest('td').scrollWidth <= one.closest('td').clientWidth,
      ),
      (await tag.textContent()) ?? '',
    ).toBe(true)
  await end()
})

test('an invalid filter is reported, since the list without it shows too much', async () => {
  const { page, end } = await visit(browser, '/events?lotcode=LOT-7', options)
  await page.getByRole('alert').filter({ hasText: 'lotcode' }).waitFor()
  await end()
})

test('"Load more" shows the rest once, and going back from a record finds the list where it was', async () => {
  const { page, end } = await visit(browser, '/events', options)
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByText('60 receiving events', { exact: true }).waitFor()
  await page.getByRole('link', { name: '2026', exact: false }).first().waitFor()
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  const last = page.getByRole('row').filter({ hasText: 'PO-2' }).first()
  await last.getByRole('link').click()
  await page.getByRole('heading', { name: 'Receiving event PO-2' }).waitFor()
  await page.goBack()
  await page.getByText('60 receiving events', { exact: true }).waitFor()
  await page.getByRole('row').filter({ hasText: 'PO-2' }).first().waitFor()
  await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(1000)
  await end()
})

test('a link moves the focus to the heading of the page it leads to, and names the document', async () => {
  const { page, end } = await visit(browser, '/events', options)
  await goByMenu(page, 'Records', 'Master products')
  await page.getByText('There are no master products yet').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Master products')
  expect(await page.title()).toBe('Master products · Lotkeeper')
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await end()
})

test('a record page shows each finding beside its field, and a finding leads to it', async () => {
  const { page, end } = await visit(browser, `/events/${ids[0]}`, options)
  const findings = page.getByRole('region', { name: 'Findings' })
  const link = findings.getByRole('link', { name: 'Product line 1 › Case GTIN' })
  await link.waitFor()
  await findings.getByText('GTIN').first().waitFor()
  await link.click()
  const field = page.locator('[id="at:/eventList/productList/0/caseGtin"]')
  await field.getByText('10614141000419').first().waitFor()
  await field.locator('.finding').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('at:/eventList/productList/0/caseGtin')
  await page.reload()
  await field.locator('.finding').waitFor()
  await page.getByLabel('Show fields without a value').check()
  await page.getByText('Who pays the freight').waitFor()
  await end()
})

test('a switch in the address shows the current findings or those of the submission', async () => {
  const body = eventPayload((payload) => {
    payload.eventList.productList.length = 1
    payload.eventList.productList[0].vendorItemCode = 'LATER-1'
    payload.productMasterDataList = []
    payload.eventList.purchaseOrderNumber = 'PO-LATER'
  })
  const created = await provider.call('POST', paths.receivingEvent, { body })
  expect(created.status, created.text).toBe(201)
  const product = productPayload((payload) => {
    payload.productMasterDataList.itemCode = 'LATER-1'
  })
  // Master data that comes later fills the gap.
  expect((await provider.call('POST', paths.masterProduct, { body: product })).status).toBe(201)
  const { page, end } = await visit(browser, `/events/${created.body.request_ids[0]}`, options)
  const findings = page.getByRole('region', { name: 'Findings' })
  await findings.getByRole('button', { name: 'When submitted' }).click()
  await findings.getByText('product-line/product-description').waitFor()
  expect(new URL(page.url()).search).toBe('?judged=then')
  await page.reload()
  await findings.getByText('product-line/product-description').waitFor()
  await findings.getByRole('button', { name: 'Today' }).click()
  await findings.getByText('product-line/product-description').waitFor({ state: 'detached' })
  expect(new URL(page.url()).search).toBe('')
  // The list says the same as the record.
  const counts = await findings.locator('.counts, .quiet').first().textContent()
  await page.goto(`${service.url}/console/events?purchaseOrderNumber=PO-LATER`)
  const cell = page.getByRole('row').filter({ hasText: 'PO-LATER' }).locator('[data-words=Findings]')
  await expect.poll(() => cell.textContent()).toBe(counts)
  await end()
})

test('a reader sees what a writer sees, except the controls that write', async () => {
  const { page, end } = await visit(browser, `/events/${ids[0]}`, {
    url: service.url,
    key: await provider.key('reader'),
  })
  await page.getByRole('link', { name: 'Product line 1 › Case GTIN' }).waitFor()
  expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0)
  await end()
})

test('an unknown record is reported as such', async () => {
  const { page, end } = await visit(browser, '/events/019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f', {
    ...options,
    expected: /status of 404/,
  })
  await page.getByText('Record not found').waitFor()
  await page.goto(`${service.url}/console/nowhere`)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await end()
})

test('two versions are side by side by their address, and removed fields are marked', async () => {
  const at = `${paths.receivingEvent}/${ids[1]}`
  const { body } = await provider.call('GET', at)
  changed.receivingEvent(body)
  const { carrierShipmentMethod: _, ...less } = body.eventList
  await provider.call('PUT', at, { body: { ...body, eventList: less } })
  const { page, end } = await visit(browser, `/events/${ids[1]}/versions`, options)
  await page.getByRole('link', { name: 'What changed' }).click()
  await page.getByText('1 field removed: not in version 2').waitFor()
  expect(new URL(page.url()).search).toBe('?compare=1..2')
  const row = page.getByRole('row').filter({ hasText: 'Mode of transport' })
  expect(await row.getByRole('cell').allTextContents()).toEqual(['Truckload', 'removed'])
  await page.reload()
  await page.getByText('1 field removed: not in version 2').waitFor()
  await page.goto(page.url().replace('1..2', '1..9'))
  await page.getByRole('heading', { name: 'There is no version 9' }).waitFor()
  await end()
})

test('an old version is restored as a new one, after the page shows the changes', async () => {
  const { page, end } = await visit(browser, `/events/${ids[1]}/versions?restore=1`, options)
  const box = page.getByRole('region', { name: 'Restore version' })
  await box.getByText('Truckload').waitFor()
  await box.getByLabel('Reason (optional)').fill('The carrier was right before')
  await box.getByRole('button', { name: 'Restore as version 3' }).click()
  await page.getByText('Version 1 was restored as version 3').waitFor()
  await page.getByText('“The carrier was right before”').waitFor()
  await page.getByText('1 added').waitFor()
  await page.getByRole('heading', { name: 'Version 3 current' }).waitFor()
  const { body } = await provider.call('GET', `${paths.receivingEvent}/${ids[1]}`)
  const first: Payload = (await provider.call('GET', `${paths.receivingEvent}/${ids[1]}/versions/1`)).body
  expect(body).toEqual(first)
  await end()
})

// Behind the others, which count sixty events.
test('lot codes of one row that read in two directions are drawn apart', async () => {
  const body = eventPayload((payload) => {
    payload.eventList.purchaseOrderNumber = 'PO-directions'
    payload.eventList.productList[0].caseLotNumber = 'לוט-77'
    payload.eventList.productList[1].caseLotNumber = 'GV26063-B'
  })
  await provider.call('POST', paths.receivingEvent, { body })
  const { page, end } = await visit(browser, '/events?purchaseOrderNumber=PO-directions', options)
  const [first, second] = [page.getByText('לוט-77', { exact: true }), page.getByText('GV26063-B', { exact: true })]
  await first.waitFor()
  const [left, right] = await Promise.all([first.boundingBox(), second.boundingBox()])
  expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThan(right?.x ?? 0)
  await end()
})

test('several events of a list are voided with one reason, and one that changed meanwhile is told and kept', async () => {
  const own = await service.provider()
  const call = own.call
  const made: string[] = []
  for (let n = 0; n < 4; n++) {
    const body = eventPayload((payload) => {
      payload.eventList.purchaseOrderNumber = `MANY-${n}`
    })
    made.push((await call('POST', paths.receivingEvent, { body })).body.request_ids[0])
  }
  const { page, end } = await visit(browser, '/events', { url: service.url, key: await own.key('writer') })
  for (const n of [0, 1, 2]) {
    const row = page.getByRole('row').filter({ hasText: `MANY-${n}` })
    await row.getByRole('checkbox').check()
  }
  const bar = page.getByRole('region', { name: 'Chosen records' })
  await bar.getByText('3 chosen').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  // Somebody else corrects one of them while the list is open.
  const { body: theirs } = await call('GET', `${paths.receivingEvent}/${made[1]}`)
  theirs.eventList.asnNumber = 'THEIRS'
  expect((await call('PUT', `${paths.receivingEvent}/${made[1]}`, { body: theirs })).status).toBe(200)
  await bar.getByRole('button', { name: 'Void…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Void these 3 receiving events?').waitFor()
  await dialog.getByLabel('Reason').fill('Entered twice')
  await dialog.getByRole('button', { name: 'Void 3 events' }).click()
  await dialog.getByRole('heading', { name: '2 of 3 receiving events voided' }).waitFor()
  await dialog.getByRole('row').filter({ hasText: 'MANY-1' }).getByText('Somebody changed it').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByText('2 receiving events', { exact: true }).first().waitFor()
  await bar.getByText('1 chosen').waitFor()
  expect((await call('GET', '/voids')).body.content.map(({ id }: Payload) => id).sort()).toEqual(
    [made[0], made[2]].sort(),
  )
  await end()
})

test('all that match are chosen by their number, and corrected, saved or packed as one', async () => {
  const { page, end } = await visit(browser, '/events', options)
  await page.getByRole('checkbox', { name: 'Choose all 50 loaded receiving events' }).check()
  const bar = page.getByRole('region', { name: 'Chosen records' })
  await bar.getByText('50 chosen').waitFor()
  await bar.getByRole('button', { name: /^Choose all \d+ that match$/ }).click()
  await bar.getByText(/^6\d$/).waitFor()
  const packed = await bar.getByRole('link', { name: /^Package or link of their \d+ lots$/ }).getAttribute('href')
  expect(packed).toContain('/fda?lotCode=')
  await bar.getByRole('button', { name: 'Choose none' }).click()
  await bar.waitFor({ state: 'detached' })
  for (const n of [57, 58]) {
    await page
      .getByRole('row')
      .filter({ has: page.getByText(`PO-${n}`, { exact: true }) })
      .getByRole('checkbox')
      .check()
  }
  await bar.getByRole('button', { name: 'Save chosen as' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    bar.getByRole('button', { name: 'CSV' }).click(),
  ])
  const saved = readFileSync(await download.path(), 'utf8')
  expect(saved.trim().split('\n')).toHaveLength(3)
  await bar.getByRole('link', { name: 'Correct…' }).click()
  await page.getByText('2 events that you chose in the list.').waitFor()
  // Back in the list, they are still chosen; each is named as its row is read.
  await page.goBack()
  await bar.getByText('2 chosen').waitFor()
  expect(
    await page.getByRole('checkbox', { name: /^Choose 20\d\d-\d\d-\d\d \d\d:\d\d −\d\d:00, /, checked: true }).count(),
  ).toBe(2)
  await bar.getByRole('link', { name: 'Correct…' }).click()
  await page.getByText('2 events that you chose in the list.').waitFor()
  await page.getByLabel('Field').selectOption({ label: 'Advance ship notice' })
  await page.getByLabel('Where').selectOption('in every case')
  await page.getByLabel(/^New value/).fill('ASN-MANY')
  await page.getByLabel('Reason').fill('for a test')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('2 chosen events').waitFor()
  await page.getByText('2 events', { exact: false }).first().waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await end()
})
