// Unit conversions on their page, and the trace of a lot that they make comparable.
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

test('conversions of an item are added one by one and removed, and what somebody else set stays', async () => {
  const key = await (await service.provider()).key('administrator')
  const call = calling(service.url, key)
  const each = { unit: 'case', quantity: 24, inUnit: 'each' }
  const conversions = async () =>
    (await call('GET', '/unit-conversions')).body.content.map(({ conversion }: { conversion: object }) => conversion)
  const { page, end } = await visit(browser, '/unit-conversions', { url: service.url, key, expected: /412/ })
  await page.getByText('No conversion is set').waitFor()
  const set = async (item: string, unit: string, quantity: number, inUnit: string) => {
    await page.getByLabel('Item code (optional)').fill(item)
    await page.getByLabel('One', { exact: true }).fill(unit)
    await page.getByLabel('is', { exact: true }).fill(String(quantity))
    await page.getByLabel('of', { exact: true }).fill(inUnit)
    await page.getByRole('button', { name: 'Set conversion', exact: true }).click()
    await page
      .getByRole('cell', { name: `1 ${unit} = ${quantity} ${inUnit}`, exact: true })
      .first()
      .waitFor()
  }
  await set('ROM-24', 'case', 24, 'each')
  await call('PUT', '/unit-conversions', { body: { conversions: [{ itemCode: 'CIL-30', units: [each] }] } })
  await set('ROM-24', 'case', 18.5, 'lb')
  await page.getByRole('button', { name: 'Remove 1 case = 24 each' }).last().click()
  await expect.poll(conversions).toEqual([
    { itemCode: 'CIL-30', units: [each] },
    { itemCode: 'ROM-24', units: [{ unit: 'case', quantity: 18.5, inUnit: 'lb' }] },
  ])
  await end()
})

test('a reader sees them and changes none', async () => {
  const key = await (await service.provider()).key('reader')
  const { page, end } = await visit(browser, '/unit-conversions', { url: service.url, key })
  await page.getByText('Only an administrator key can set conversions').waitFor()
  expect(await page.getByRole('button', { name: 'Set conversion', exact: true }).count()).toBe(0)
  await end()
})
