// A mock recall in the page: started, watched, its report saved; and when packages were made.
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { samplePayload } from '../../../samples/payloads.ts'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { eventPayload, paths } from '../../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
const lot = '<b>LOT</b>-1'
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
  const body = eventPayload(({ eventList, productMasterDataList }) => {
    for (const line of eventList.productList) line.caseLotNumber = lot
    for (const product of productMasterDataList) delete product.packSize
  })
  expect((await provider.call('POST', paths.receivingEvent, { body })).status).toBe(201)
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

test('a lot is drawn and recalled, and the saved report is the signed one', async () => {
  const key = await provider.key('writer')
  const { page, end } = await visit(browser, '/', { url: service.url, key })
  await page.getByText('There has been no mock recall').waitFor()
  await page.getByRole('link', { name: 'Start one' }).click()
  await page.getByLabel('Seed (optional)').fill('2026')
  await page.getByRole('button', { name: 'Start mock recall' }).click()
  await page.getByRole('heading', { name: `Mock recall of lot ${lot}` }).waitFor()
  await page.getByText('The package was complete within 24 hours.').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save signed report' }).click(),
  ])
  const [recall] = (await provider.call('GET', '/mock-recalls')).body.content
  expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toEqual(recall)
  await page.getByText(recall.report.package.sha256).waitFor()
  await page.getByText(`${recall.report.found.incompleteLines} lines lack a key data element`).waitFor()
  await page.goto(`${service.url}/console/`)
  const row = page.getByRole('region', { name: 'Ready for a recall' }).getByRole('row').filter({ hasText: lot })
  await row.getByText('done', { exact: true }).waitFor()
  await end()
})

test('a reader sees drills and starts none; an unknown lot is reported as a failure', async () => {
  const reader = await visit(browser, '/mock-recalls', { url: service.url, key: await provider.key('reader') })
  await reader.page.getByText('Yours is a reader key').waitFor()
  expect(await reader.page.getByRole('button', { name: 'Start mock recall' }).count()).toBe(0)
  await reader.end()
  const { page, end } = await visit(browser, '/mock-recalls', { url: service.url, key: await provider.key('writer') })
  await page.getByRole('radio', { name: 'A lot that I name' }).check()
  await page.getByRole('button', { name: 'Start mock recall' }).click()
  await page.getByText('Enter the lot code').waitFor()
  await page.getByLabel('Lot code').fill('NOBODY')
  await page.getByRole('button', { name: 'Start mock recall' }).click()
  await page.getByText('Looked for the lot code "NOBODY"').waitFor()
  await end()
})

test('a lot that is in no delivery is recalled, and the page says why its trace is empty', async () => {
  const body = samplePayload('transformationEvent')
  body.eventList.productList[0].caseLotNumber = 'SALAD-1'
  expect((await provider.call('POST', paths.transformationEvent, { body })).status).toBe(201)
  const { page, end } = await visit(browser, '/mock-recalls', { url: service.url, key: await provider.key('writer') })
  await page.getByRole('radio', { name: 'A lot that I name' }).check()
  await page.getByLabel('Lot code').fill('SALAD-1')
  await page.getByRole('button', { name: 'Start mock recall' }).click()
  await page.getByText('So its trace is empty.').waitFor()
  await page.getByRole('table', { name: 'Recovered' }).getByText('100%').waitFor()
  await end()
})

test('an administrator sees which packages were exported, and can repeat a request', async () => {
  const key = await provider.key('administrator')
  const lotCode = encodeURIComponent(lot)
  await provider.call('GET', `/traceability/fda-package?lotCode=${lotCode}&gaps=true`)
  const { page, end } = await visit(browser, '/fda', { url: service.url, key })
  const row = page.getByRole('table', { name: 'Packages made' }).getByRole('row').filter({ hasText: lot })
  await row.getByRole('link', { name: 'Same request' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('lotCode')).toBe(lot)
  await end()
  // When the last one was made is for everybody who may make one; who made it, and of what, is not.
  const reader = await visit(browser, '/', { url: service.url, key: await provider.key('reader') })
  await reader.page.getByText(/Last FDA package: \d{4}-\d\d-\d\d \d\d:\d\d UTC, \d+ events?\./).waitFor()
  await reader.end()
})
