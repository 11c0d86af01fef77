// What is left of a lot, by lot and place, in the page.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { samplePayload } from '../../../samples/payloads.ts'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { eventPayload, paths } from '../../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
  const made = samplePayload('transformationEvent')
  const { eventList: event } = made
  const [plant] = made.locationMasterList
  const line = (caseLotNumber: string, shipQuantity: number, shipQuantityUom = 'case') => ({
    ...{ vendorItemCode: event.productList[0].vendorItemCode, caseLotNumber, shipQuantity, shipQuantityUom },
  })
  const farm = { tlcSourceReferenceGln: '0614141000043' }
  Object.assign(event, {
    eventDateTime: '2026-03-05T10:00:00Z',
    ingredientList: [{ ...line('<b>LEAF</b>', 104), ...farm }],
    productList: [line('SALAD', 200), line('BOWL', 10, 'tray')],
  })
  expect((await provider.call('POST', paths.transformationEvent, { body: made })).status).toBe(201)
  const received = eventPayload(({ eventList, locationMasterList }) => {
    locationMasterList.push(plant)
    Object.assign(eventList, {
      eventDateTime: '2026-02-27T10:00:00Z',
      shipToLocationCode: plant.locationCode,
      productList: [{ ...line('<b>LEAF</b>', 100), ...farm }],
    })
  })
  expect((await provider.call('POST', paths.receivingEvent, { body: received })).status).toBe(201)
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

test('each lot has its balance at each place, of a period and within a tolerance, with what cannot be', async () => {
  const options = { url: service.url, key: await provider.key('reader'), expected: /40[04]/ }
  const { page, end } = await visit(browser, `/trace?lotCode=${encodeURIComponent('<b>LEAF</b>')}`, options)
  await page.getByRole('link', { name: 'What is left, by lot and place' }).click()
  await page.getByText('104 case of the lot').waitFor()
  const cellsOf = async (lot: string) => {
    const row = page.getByRole('table', { name: 'Balances' }).getByRole('row').filter({ hasText: lot })
    await row.first().waitFor()
    const cells = await row.first().getByRole('cell').allInnerTexts()
    return cells.map((text) => text.trim()).filter((text) => text !== '')
  }
  const leaf = await cellsOf('<b>LEAF</b>')
  expect(leaf).toEqual(expect.arrayContaining(['100', '104', '-4', 'case', 'More out than in']))
  expect(await cellsOf('BOWL')).toEqual(expect.arrayContaining(['10', 'tray']))

  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByLabel('Tolerance').fill('5')
  await page.getByLabel('From', { exact: true }).fill('2026-03-01')
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await page.getByText('104 case of the lot').waitFor({ state: 'hidden' })
  // 100 cases were there before March.
  expect(await cellsOf('<b>LEAF</b>')).not.toContain('More out than in')
  expect((await cellsOf('<b>LEAF</b>')).filter((text) => text === '100')).toHaveLength(1)
  expect(new URL(page.url()).searchParams.get('tolerance')).toBe('5')

  await page.getByLabel('Tolerance').fill('many')
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await page.getByText('That cannot be counted').waitFor()
  await page.getByLabel('Tolerance').fill('')
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await page.getByText('104 case of the lot').waitFor()
  await page.getByRole('table', { name: 'Balances' }).getByRole('link', { name: '<b>LEAF</b>' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('-4 case').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('navigation', { name: 'Lots' }).getByRole('link', { name: 'In it' }).click()
  await page.getByText('SALAD').waitFor({ state: 'hidden' })
  await end()
})
