// Counts that lag behind locations and products say so, and show when they are up to date.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recount } from '../../../../src/handlers/traceability/recounts.ts'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { eventPayload, locationPayload, paths } from '../../../support/records/payloads.ts'
import { handlerContextOn } from '../../../support/servers/handler-context.ts'
import { type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let browser: Browser
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

/**
 * A provider whose only event was incomplete until a location changed; this service counts nothing
 * again by itself.
 */
async function lagging(): Promise<{ provider: TestProvider; options: { url: string; key: string } }> {
  const provider = await service.provider()
  const event = eventPayload((payload) => {
    const [{ locationCode, locationName, gln }] = payload.locationMasterList
    payload.locationMasterList[0] = { locationCode, locationName, gln }
  })
  const created = await provider.call('POST', paths.receivingEvent, { body: event })
  expect(created.status, created.text).toBe(201)
  const { content } = (await provider.call('GET', `${paths.location}?locationCode=GV-COOLER-1`)).body
  const body = locationPayload((payload) => {
    const { dataProviderVendorId, locationCode } = content[0].locationMasterList
    Object.assign(payload.locationMasterList, { dataProviderVendorId, locationCode })
  })
  const put = await provider.call('PUT', `${paths.location}/${content[0].id}`, { body })
  expect(put.status, put.text).toBe(200)
  return { provider, options: { url: service.url, key: await provider.key('reader') } }
}

async function countAgain({ id }: TestProvider): Promise<void> {
  for await (const _ of recount(handlerContextOn(service.database.pool), id));
}

test('completeness shows that its counts are being updated, and then shows the new ones by itself', async () => {
  const { provider, options } = await lagging()
  const { page, end } = await visit(browser, '/completeness', options)
  await page.getByRole('status').getByText('These counts are being updated').waitFor()
  await page.getByText('0% of 3 lines complete', { exact: true }).waitFor()
  await countAgain(provider)
  await page.getByText('100% of 3 lines complete').waitFor()
  expect(await page.getByText('being updated').count()).toBe(0)
  await end()
})

test('the list of events with gaps shows that it is being updated, and has a button to refresh', async () => {
  const { provider, options } = await lagging()
  const { page, end } = await visit(browser, '/completeness/gaps', options)
  const note = page.getByRole('status').filter({ hasText: 'This list is being updated' })
  await note.waitFor()
  await page.getByRole('table', { name: 'Events with gaps' }).waitFor()
  await countAgain(provider)
  await note.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('No event has such a gap').waitFor()
  expect(await note.count()).toBe(0)
  await end()
})
