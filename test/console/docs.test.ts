// The pages in which the API is tried, for everybody: swagger-ui in our colours.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seriousFindings } from '../support/axe.ts'
import { openBrowser } from '../support/browser.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
let browser: Browser
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

/** In the markup of swagger-ui, which no setting changes. */
const ofTheLibrary = ['label', 'nested-interactive', 'scrollable-region-focusable', 'select-name']

test('axe finds nothing serious in /docs but what swagger-ui writes itself', async () => {
  const page = await browser.newPage()
  await page.goto(`${service.url}/docs`)
  for (const method of ['get', 'post', 'put', 'delete'])
    await page.locator(`.opblock-${method} .opblock-summary-control`).first().click()
  await expect.poll(() => page.locator('.execute').count()).toBe(4)
  // A hundred more like these would be looked at for a minute.
  await page.evaluate('for (const one of document.querySelectorAll(".opblock:not(.is-open), .models")) one.remove()')
  const found = await seriousFindings(page)
  expect(found.filter((finding) => !ofTheLibrary.some((rule) => finding.startsWith(`light: ${rule} `)))).toEqual([])
  await page.close()
})
