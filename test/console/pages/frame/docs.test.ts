// The pages in which the API is tried, for everybody: swagger-ui in our colours.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seriousFindings } from '../../../support/pages/axe.ts'
import { openBrowser, pageWaitMs } from '../../../support/pages/browser.ts'
import { type Service, startService } from '../../../support/servers/service.ts'

let service: Service
let browser: Browser
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

/** In the markup of swagger-ui, which no setting changes. */
const ofTheLibrary = ['label', 'nested-interactive', 'scrollable-region-focusable', 'select-name', 'target-size']

const shown = ['/data-provider/events/receiving', '/webhooks/{id}']

test('axe finds nothing serious in /docs but what swagger-ui writes itself', async () => {
  const page = await browser.newPage()
  page.setDefaultTimeout(pageWaitMs())
  // Each method once or twice: more like these would be drawn and looked at for a minute.
  await page.route('**/json', async (route) => {
    const answer = await route.fetch()
    const { paths, ...document } = await answer.json()
    const few = Object.entries<object>(paths).filter(([path]) => shown.includes(path))
    await route.fulfill({ response: answer, json: { ...document, paths: Object.fromEntries(few) } })
  })
  await page.goto(`${service.url}/docs`)
  const blockOf = (method: string) => page.locator(`.opblock-${method}`).first()
  // Opened, it has all there is: fields, a body, answers and their schemas.
  await blockOf('post').locator('.opblock-summary-control').click()
  await page.locator('.execute').waitFor()
  await page.evaluate('document.querySelector(".models").remove()')
  expect(await page.locator('.opblock').count()).toBe(5)
  const found = await seriousFindings(page)
  expect(found.filter((finding) => !ofTheLibrary.some((rule) => finding.startsWith(`both themes: ${rule} `)))).toEqual(
    [],
  )
  await page.close()
})
