// Source addresses on their page: one that was opened stays as it is when the next one is opened.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { calling, type Service, startService } from '../../../support/servers/service.ts'

let service: Service
let browser: Browser
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

test('each address that is opened has a random name of its own, and leads to its location', async () => {
  const key = await (await service.provider()).key('administrator')
  const call = calling(service.url, key)
  const { page, end } = await visit(browser, '/source-addresses', { url: service.url, key })
  await page.getByText('No address is open').waitFor()
  for (const code of ['FARM-1', 'FARM-2']) {
    await page.getByLabel('Vendor', { exact: true }).fill('V-1001')
    await page.getByLabel('Location code', { exact: true }).fill(code)
    await page.getByRole('button', { name: 'Open address', exact: true }).click()
    await page.getByRole('row').filter({ hasText: code }).waitFor()
  }
  const { content } = (await call('GET', '/source-addresses')).body
  const opened = content.map(({ address }: { address: { locationCode: string } }) => address.locationCode)
  expect(opened.sort()).toEqual(['FARM-1', 'FARM-2'])
  const links = page.getByRole('link', { name: /\/tlc-sources\// })
  const paths = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))
  expect(paths.sort()).toEqual(content.map(({ path }: { path: string }) => path).sort())
  await end()
})
