// How vendors keep to what is expected of them: alerts, targets, completeness over time, and the
// scorecard that is sent to a vendor.
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWorkbook } from '../../../support/files/read-workbook.ts'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { lookAt } from '../../../support/records/alert-looks.ts'
import { eventPayload, paths } from '../../../support/records/payloads.ts'
import { calling, type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
const hostile = '"><img src=x onerror=alert(1)> Öko'
const vendor = 'V&BAD="1"'
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
  for (const [date, incomplete] of [
    ['2026-02-03', false],
    ['2026-03-01', true],
    ['2026-03-02', true],
  ] as const) {
    const body = eventPayload(({ eventList, productMasterDataList }) => {
      eventList.dataProviderVendorId = vendor
      eventList.dataProviderVendorName = hostile
      eventList.purchaseOrderNumber = `PO ${date}`
      eventList.eventDateTime = `${date}T12:00:00Z`
      if (incomplete) for (const product of productMasterDataList) delete product.packSize
    })
    const answer = await provider.call('POST', paths.receivingEvent, { body })
    expect(answer.status, answer.text).toBe(201)
  }
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

test('nothing is called well that was not looked at, and sensible targets are offered where none are set', async () => {
  const fresh = await service.provider()
  await fresh.call('POST', paths.receivingEvent, { body: eventPayload() })
  await lookAt(service.database.pool, fresh.id)
  const { page, end } = await visit(browser, '/', { url: service.url, key: await fresh.key('administrator') })
  const alerts = page.getByRole('region', { name: 'Alerts' })
  await alerts.locator('.fine').getByText('No vendor is below its target').waitFor()
  await fresh.call('POST', paths.receivingEvent, { body: {} })
  // A refusal is stored after its answer.
  await expect.poll(async () => (await fresh.call('GET', '/alerts')).body.isCurrent).toBe(false)
  await page.reload()
  await alerts.getByText('The service looks at what came since').waitFor()
  expect(await alerts.locator('.fine').count()).toBe(0)
  await alerts.getByText('No targets are set').waitFor()
  await alerts.getByRole('link', { name: 'Set targets' }).click()
  await page.getByRole('button', { name: 'Fill these in' }).click()
  await expect.poll(() => page.getByLabel('Silent after (days)').inputValue()).toBe('14')
  await page.getByRole('button', { name: 'Set targets' }).click()
  const row = page.getByRole('table', { name: 'Targets' }).getByRole('row').filter({ hasText: 'All vendors' })
  await row.getByText('14 days').waitFor()
  await page.goto(`${service.url}/console/`)
  await alerts.getByText(/^(No vendor is below|The service has not looked)/).waitFor()
  expect(await alerts.getByText('No targets are set').count()).toBe(0)
  await end()
})

test('after a target was set the next look shows who is below it, and the alert leads to the scorecard', async () => {
  const key = await provider.key('administrator')
  const { page, end } = await visit(browser, '/targets', { url: service.url, key })
  await page.getByLabel('Vendor', { exact: true }).fill(vendor)
  await page.getByLabel('Complete lines (%)').fill('99.5')
  await page.getByLabel('Silent after (days)').fill('30')
  await page.getByRole('button', { name: 'Set targets' }).click()
  const row = page.getByRole('table', { name: 'Targets' }).getByRole('row').filter({ hasText: vendor })
  await row.getByText('99.5%').waitFor()
  await row.getByRole('button', { name: `Change the targets of ${vendor}` }).click()
  await expect.poll(() => page.getByLabel('Silent after (days)').inputValue()).toBe('30')
  await lookAt(service.database.pool, provider.id)
  await page.goto(`${service.url}/console/`)
  const alerts = page.getByRole('region', { name: 'Alerts' })
  await alerts.getByText('the target is 99.5%').waitFor()
  await alerts.getByText('no event since 2026-03-02').waitFor()
  await alerts.getByRole('link', { name: vendor }).first().click()
  await page.getByRole('heading', { name: `Scorecard of ${hostile}` }).waitFor()
  await end()
})

test('Enter takes the entry of an open list, “all” is chosen in words, and a vendor must exist', async () => {
  const key = await provider.key('administrator')
  const { page, end } = await visit(browser, '/targets', { url: service.url, key })
  const field = page.getByLabel('Vendor', { exact: true })
  await page.getByLabel('Complete lines (%)').fill('80')
  await field.fill(vendor.slice(0, -1))
  await page.getByRole('option', { name: vendor }).waitFor()
  await field.press('Enter')
  await expect.poll(() => field.inputValue()).toBe(vendor)
  expect(await page.getByLabel('Complete lines (%)').inputValue()).toBe('80')
  // Without a vendor nothing is set: neither for all vendors nor for one that nobody has.
  await field.fill('')
  await page.getByRole('button', { name: 'Set targets' }).click()
  await field.fill('V-nobody')
  await page.getByRole('button', { name: 'Set targets' }).click()
  await page.getByText('No vendor V-nobody has events.').waitFor()
  // The whole name of a vendor is the vendor.
  await field.fill(hostile)
  await page.getByRole('option', { name: vendor }).waitFor()
  await field.press('Tab')
  await expect.poll(() => field.inputValue()).toBe(vendor)
  await page.getByLabel('Targets of').selectOption('All vendors')
  await page.getByText('Each vendor without a target of its own').waitFor()
  await page.getByRole('button', { name: 'Set targets' }).click()
  const row = page.getByRole('table', { name: 'Targets' }).getByRole('row').filter({ hasText: 'All vendors' })
  await row.getByText('80%').waitFor()
  await end()
})

test('alerts are listed while they are open and after, and those that nobody wants are switched off', async () => {
  const key = await provider.key('administrator')
  const target = { dataProviderVendorId: vendor, completeShare: 0.995, silentDays: 30 }
  await calling(service.url, key)('PUT', '/vendor-targets', { body: { targets: [target] } })
  await lookAt(service.database.pool, provider.id)
  const { page, end } = await visit(browser, '/', { url: service.url, key })
  await page.getByRole('link', { name: 'All alerts', exact: true }).click()
  const alerts = page.getByRole('table', { name: 'Alerts' }).getByRole('row')
  const silent = alerts.filter({ hasText: 'no event since 2026-03-02' })
  await silent.getByText('open', { exact: true }).waitFor()
  await page.getByRole('checkbox', { name: 'A vendor is silent' }).uncheck()
  await page.getByRole('button', { name: 'Save alerts', exact: true }).click()
  await page.getByText('The alerts are set').waitFor()
  await lookAt(service.database.pool, provider.id)
  await page.reload()
  await alerts.filter({ hasText: 'the target is 99.5%' }).waitFor()
  await expect.poll(() => silent.count()).toBe(0)
  await page.getByRole('link', { name: 'Open and ended', exact: true }).click()
  await silent.getByText('ended', { exact: true }).waitFor()
  await end()
})

test('completeness over time is drawn for a vendor, read out by keyboard, and leads to the events', async () => {
  const { page, end } = await visit(browser, '/completeness', { url: service.url, key: await provider.key('reader') })
  await page.getByRole('link', { name: 'Over time', exact: true }).click()
  await page.getByRole('link', { name: `Draw ${hostile} in the chart` }).click()
  const slider = page.getByRole('slider', { name: 'Date' })
  await slider.focus()
  await page.keyboard.press('Home')
  await expect
    .poll(() => slider.getAttribute('aria-valuetext'))
    .toBe(`2026-02-01 to 2026-02-28: All vendors 100%, ${hostile} 100%`)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Events with gaps' }).waitFor()
  expect(new URL(page.url()).searchParams.get('eventStartDate')).toBe('2026-03-01')
  await page.goBack()
  await page.getByRole('link', { name: 'Days', exact: true }).click()
  await page.getByText('As a table').click()
  const table = page.getByRole('table', { name: 'Complete lines over time' })
  await expect
    .poll(() => table.getByRole('rowheader').allTextContents())
    .toEqual(['2026-02-03', '2026-03-01', '2026-03-02'])
  await end()
})

test('a scorecard is copied as a mail, and its incomplete lines are saved as a workbook', async () => {
  const address = `/scorecard?vendor=${encodeURIComponent(vendor)}`
  const { page, end } = await visit(browser, address, { url: service.url, key: await provider.key('reader') })
  await page
    .getByRole('table', { name: 'What the lines lack' })
    .getByRole('link', { name: '2026-03-02 PO 2026-03-02' })
    .waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy mail text' }).click()
  await page.getByText('Mail text copied').waitFor()
  const mail = (await page.evaluate('navigator.clipboard.readText()')) as string
  expect(mail).toContain(`Subject: Traceability data of ${hostile} (${vendor})`)
  expect(mail).toMatch(
    /Product description: packaging size \(21 CFR 1\.1345\(a\)\(3\)\): missing in \d+ lines\. Send Pack size/,
  )
  expect(mail).toContain('purchase order PO 2026-03-02 of 2026-03-02')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download incomplete lines' }).click(),
  ])
  const sheets = await readWorkbook(readFileSync(await download.path()))
  const { missing } = (
    await provider.call('GET', `/traceability/scorecard?dataProviderVendorId=${encodeURIComponent(vendor)}`)
  ).body
  expect(sheets.get('Lines')).toHaveLength(1 + missing[0].lines)
  await end()
})
