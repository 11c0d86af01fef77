// A payload is text, whatever it says: nothing of it runs, and none of it breaks the page.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, settled, visit } from '../support/browser.ts'
import { eventPayload, type Payload, paths } from '../support/payloads.ts'
import { isShortRun } from '../support/runs.ts'
import { type Service, startService, type TestProvider } from '../support/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
let key: string
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
  key = await provider.key('writer')
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

const script = `"><img src=x onerror=alert(1)><script>alert(2)</script>`
const contents = {
  'a script': script,
  'right-to-left text with overrides': '\u202eמשלוח\u202e\u2066‏ ABC',
  '100 emoji': '🥬'.repeat(100),
  '100 characters without a blank': 'W'.repeat(100),
}

/** The text in every field whose form is free, and in the codes that refer to each other. */
const filled = (text: string) =>
  eventPayload((payload: Payload) => {
    payload.payloadId = text
    const { eventList: event, locationMasterList: places, productMasterDataList: products } = payload
    Object.assign(event, {
      dataProviderVendorId: text,
      dataProviderVendorName: text,
      purchaseOrderNumber: text,
      shipFromLocationCode: text,
      carrierShipmentMethod: text,
      equipmentDescription: text,
      businessUnit: text,
    })
    Object.assign(places[0], { locationCode: text, locationName: text, region: text })
    Object.assign(places[0].address, { streetAddress1: text, city: text })
    Object.assign(products[0], { itemDescription: text, brandName: text })
    for (const line of event.productList)
      Object.assign(line, { caseLotNumber: text, tlcSourceReferenceOther: text, vendorItemDescription: text })
  })

// A short run shows the one that would run.
test.each(Object.entries(contents).slice(0, isShortRun ? 1 : undefined))(
  '%s in every field stays text, on every page and at 360 pixels',
  async (_, text) => {
    const answer = await provider.call('POST', paths.receivingEvent, { body: filled(text) })
    expect(answer.status, answer.text).toBe(201)
    const [id] = answer.body.request_ids
    const { body } = await provider.call('GET', `${paths.receivingEvent}/${id}`)
    delete body.eventList.equipmentDescription
    await provider.call('PUT', `${paths.receivingEvent}/${id}`, { body })
    const correction = {
      reason: text,
      where: { dataProviderVendorId: [text] },
      changes: [{ field: 'event.equipmentNumber', set: text, overwrite: true }],
    }
    const corrected = await provider.call('POST', '/corrections', { body: correction })
    expect(corrected.status, corrected.text).toBe(201)
    const { page, end } = await visit(browser, '/events', { url: service.url, key, width: 360 })
    const pages = [
      '/',
      '/completeness',
      `/events?lotCode=${encodeURIComponent(text)}`,
      `/events/${id}`,
      `/events/${id}/versions?compare=1..2`,
      `/events/${id}/edit`,
      `/events/${id}/json`,
      '/corrections',
      `/corrections/${corrected.body.id}`,
      `/corrections/new?${new URLSearchParams({ dataProviderVendorId: text })}`,
      `/completeness/complete?${new URLSearchParams({ product: text, dataProviderVendorId: text })}`,
    ]
    for (const path of pages) {
      await page.goto(`${service.url}/console${path}`)
      await settled(page)
      const shown = await page.evaluate(
        '[document.body.innerText, ...[...document.querySelectorAll("textarea, input")].map(({ value }) => value)].join("\\n")',
      )
      expect(shown, path).toContain(path.endsWith('json') ? JSON.stringify(text) : text)
      expect(await page.evaluate('document.querySelectorAll("img, main script, iframe, object").length'), path).toBe(0)
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), path).toBe(true)
    }
    await end()
  },
)
