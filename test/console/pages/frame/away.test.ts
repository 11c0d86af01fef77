// The service goes away and comes back under a page, and a key ends under it.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { revokeApiKey } from '../../../../src/store/base/api-keys.ts'
import { goByMenu, openBrowser, settled, visit } from '../../../support/pages/browser.ts'
import { eventPayload, paths } from '../../../support/records/payloads.ts'
import { type Service, startService } from '../../../support/servers/service.ts'

let service: Service
let browser: Browser
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

test('a page reports that the service is away, and continues by itself when it is back', async () => {
  const provider = await service.provider()
  await provider.call('POST', paths.receivingEvent, { body: eventPayload() })
  const { page, end } = await visit(browser, '/events', {
    url: service.url,
    key: await provider.key('writer'),
    expected: /net::ERR_/,
  })
  await page.getByText('1 receiving event', { exact: true }).waitFor()
  await page.context().setOffline(true)
  await goByMenu(page, 'Records', 'Master products')
  await page.locator('.away').waitFor()
  await page.getByRole('heading', { name: 'The service cannot be reached' }).waitFor()
  await page.context().setOffline(false)
  await page.getByText('There are no master products yet').waitFor()
  await page.locator('.away').waitFor({ state: 'hidden' })
  await end()
})

test('stopping the server while somebody writes loses no draft', async () => {
  const other = await startService()
  const provider = await other.provider()
  const [id] = (await provider.call('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids
  const { page, end } = await visit(browser, `/events/${id}/edit`, {
    url: other.url,
    key: await provider.key('writer'),
    expected: /net::ERR_/,
  })
  const field = page.getByLabel('Purchase order', { exact: false }).first()
  await page.getByText('Nothing would change').waitFor()
  await other.close()
  await field.fill('PO-88121')
  await page.locator('.away').waitFor()
  await expect.poll(() => field.inputValue()).toBe('PO-88121')
  await end()
})

test('a page asks for another key when its key is revoked, and stays where it was', async () => {
  const provider = await service.provider()
  const key = await provider.key('writer')
  const { page, end } = await visit(browser, '/events?lotCode=A', { url: service.url, key, expected: /status of 401/ })
  await page.getByText('No receiving events match these filters').waitFor()
  await revokeApiKey(service.database.pool, key.split('_')[1] ?? '')
  // A server believes a key for a moment longer.
  await expect
    .poll(async () => {
      await page.reload()
      await settled(page)
      return page.getByRole('heading', { level: 1 }).textContent()
    })
    .toBe('Sign in')
  await page.getByRole('alert').filter({ hasText: 'no longer valid' }).waitFor()
  await page.getByLabel('Key', { exact: true }).fill(await provider.key('writer'))
  await page.keyboard.press('Enter')
  await page.getByText('No receiving events match these filters').waitFor()
  await end()
})
