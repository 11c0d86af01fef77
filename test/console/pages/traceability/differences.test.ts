// The page Differences: from the counts to the two records, in both themes and at two widths.
import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seriousFindings } from '../../../support/pages/axe.ts'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { eventPayload, type Payload, paths, shippingPayload } from '../../../support/records/payloads.ts'
import { type Service, startService } from '../../../support/servers/service.ts'

let service: Service
let browser: Browser
let key: string
const hostile = '"><img src=x onerror=alert(1)>'
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  const provider = await service.provider()
  key = await provider.key('reader')
  const store = async (kind: 'receivingEvent' | 'shippingEvent', at: string, order: string, lines: Payload[]) => {
    const payload = kind === 'receivingEvent' ? eventPayload() : shippingPayload()
    const { eventList: event } = payload
    Object.assign(event, { eventDateTime: at, dataProviderVendorName: hostile, purchaseOrderNumber: order })
    event.billOfLadingNumber = order.replace('PO', 'BOL')
    delete event.asnNumber
    event.productList = lines.map((changes) => ({ ...event.productList[0], palletId: undefined, ...changes }))
    const reply = await provider.call('POST', paths[kind], { body: payload })
    expect(reply.status, reply.text).toBe(201)
  }
  const lot = (caseLotNumber: string, shipQuantity = 56) => ({ caseLotNumber, shipQuantity, shipQuantityUom: 'case' })
  await store('shippingEvent', '2026-03-04T12:00:00Z', 'PO-1', [lot('L-10'), lot('L-20')])
  await store('receivingEvent', '2026-03-05T12:00:00Z', 'PO-1', [lot('L-10', 50), lot('L-2O')])
  await store('shippingEvent', '2026-03-06T12:00:00Z', 'PO-2', [lot('L-30'), lot('L-31')])
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

test('differences are counted by kind, vendor and day, lead to the lines of both records, and are saved as CSV', async () => {
  const { page, end } = await visit(browser, '/differences', { url: service.url, key })
  const kinds = page.getByRole('navigation', { name: 'Kind of difference' })
  await kinds.getByRole('link', { name: 'All 3', exact: true }).waitFor()
  const rows = page.getByRole('table', { name: 'Differences', exact: true }).getByRole('row')
  await expect.poll(() => rows.count()).toBe(4)
  expect(await seriousFindings(page)).toEqual([])
  const byVendor = page.getByRole('table', { name: 'Differences by vendor' })
  expect(await byVendor.getByRole('row').nth(1).innerText()).toContain('1 not received, 1 quantity, 1 lot code')
  await page.getByRole('link', { name: 'By day', exact: true }).click()
  const byDay = page.getByRole('table', { name: 'Differences by day' })
  await byDay.getByRole('link', { name: '2026-03-04', exact: true }).click()
  await kinds.getByRole('link', { name: 'All 2', exact: true }).waitFor()
  await kinds.getByRole('link', { name: 'Lot code 1', exact: true }).click()
  await rows.getByText('The codes read alike.').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV', exact: true }).click(),
  ])
  const csv = await readFile(await download.path(), 'utf8')
  expect(csv.trim().split('\r\n')).toHaveLength(2)
  await rows.getByRole('link', { name: '2026-03-05, line 2', exact: true }).click()
  await page.getByRole('heading', { name: /PO-1/ }).waitFor()
  await page.goBack()
  await rows.getByRole('link', { name: '2026-03-04, line 2', exact: true }).click()
  await page.getByText('L-20', { exact: true }).first().waitFor()
  expect(page.url()).toContain('/console/shipping/')
  await end()
})

test('a period without shipping events says what is needed, and the scorecard of a vendor and its mail have its numbers', async () => {
  const { page, end } = await visit(browser, '/differences?eventEndDate=2020-01-31', { url: service.url, key })
  await page.getByText('There is nothing to compare in this period').waitFor()
  await page.goto(`${service.url}/console/scorecard?vendor=V-1001`)
  const section = page.getByRole('region', { name: 'Shipped and received' })
  await section.getByText('1 quantity, 1 lot code').waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy mail text' }).click()
  await page.getByText('Mail text copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
    'what you shipped and what we received do not agree in 2 cases: 1 quantity, 1 lot code. The attached list of differences names each of them.',
  )
  await section.getByRole('link', { name: '2 differences', exact: true }).click()
  await page.getByRole('heading', { name: 'Differences', level: 1 }).waitFor()
  await end()
})
