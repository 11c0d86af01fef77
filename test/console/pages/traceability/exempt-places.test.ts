// Exempt places on their page: added one by one, removed, and not lost to somebody else's change.
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

test('exemptions of a place are added one by one and removed, a wrong one is refused in words', async () => {
  const key = await (await service.provider()).key('administrator')
  const call = calling(service.url, key)
  const places = async () =>
    (await call('GET', '/exempt-places')).body.content.map(({ place }: { place: object }) => place)
  const { page, end } = await visit(browser, '/exempt-places', { url: service.url, key, expected: /412|422/ })
  await page.getByText('No place is exempt').waitFor()
  const add = async (values: Readonly<Record<string, string>>, reason: string) => {
    for (const [label, text] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(text)
    await page.getByLabel('Reason', { exact: true }).selectOption(reason)
    await page.getByRole('button', { name: 'Add exemption', exact: true }).click()
  }
  const farm = { Vendor: 'V-1001', 'Ship-from location (optional)': 'FARM-7' }
  await add({ ...farm, 'First day (optional)': '2026-01-01', 'Note (optional)': 'Letter' }, 'smallProduceFarm')
  await page.getByRole('row').filter({ hasText: 'from 2026-01-01' }).waitFor()
  const elsewhere = { dataProviderVendorId: 'V-2', exemptions: [{ reason: 'nonprofit' }] }
  await call('PUT', '/exempt-places', { body: { places: [elsewhere] } })
  await add({ ...farm, 'Ship-to locations (optional)': 'STORE-1, STORE-2' }, 'farmPurchase')
  await page.getByRole('row').filter({ hasText: 'STORE-1, STORE-2' }).waitFor()
  const small = { reason: 'smallProduceFarm', startDate: '2026-01-01', note: 'Letter' }
  const purchase = { reason: 'farmPurchase', shipToLocationCodes: ['STORE-1', 'STORE-2'] }
  const ofFarm = { dataProviderVendorId: 'V-1001', locationCode: 'FARM-7' }
  await expect.poll(places).toEqual(expect.arrayContaining([{ ...ofFarm, exemptions: [small, purchase] }, elsewhere]))

  await add({ ...farm, 'First day (optional)': '2026-02-01' }, 'nonprofit')
  await page.getByText('apply to the same receipts').first().waitFor()
  await page.getByRole('button', { name: /^Remove Small produce farm/ }).click()
  await expect.poll(places).toEqual(expect.arrayContaining([{ ...ofFarm, exemptions: [purchase] }]))
  await end()
})

test('a reader sees them and changes none', async () => {
  const key = await (await service.provider()).key('reader')
  const { page, end } = await visit(browser, '/exempt-places', { url: service.url, key })
  await page.getByText('Only an administrator key can set exempt places').waitFor()
  expect(await page.getByRole('button', { name: 'Add exemption', exact: true }).count()).toBe(0)
  await end()
})
