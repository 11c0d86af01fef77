// Making files for FDA and for partners in the page: chosen, counted, downloaded, and whole.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { unzipSync } from 'fflate'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendExampleChain } from '../../../samples/example-chain.ts'
import { openBrowser, settled, visit } from '../../../support/pages/browser.ts'
import { eventPayload, paths, shippingPayload } from '../../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
let options: { url: string; key: string }
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
  options = { url: service.url, key: await provider.key('writer') }
  await sendExampleChain(provider.call)
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

test('the package is selected, counted and downloaded, and its hashes are right', async () => {
  const { page, end } = await visit(browser, '/fda?eventStartDate=2026-03-01&eventEndDate=2026-03-31', options)
  await page.getByText('18 lines of 9 receiving events').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download package' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('fda-package-2026-03-01-to-2026-03-31.zip')
  const bytes = readFileSync(await download.path())
  await page.getByText(createHash('sha256').update(bytes).digest('hex')).waitFor()
  const files = unzipSync(new Uint8Array(bytes))
  const manifest = JSON.parse(new TextDecoder().decode(files['manifest.json'] ?? new Uint8Array()))
  // The workbook, its explanation, and a sheet of each kind of event.
  expect(manifest.files).toHaveLength(8)
  for (const { name, sha256 } of manifest.files)
    expect(
      createHash('sha256')
        .update(files[name] ?? '')
        .digest('hex'),
    ).toBe(sha256)
  await end()
})

test('a download that fails while the service is away is reported, and can be started again', async () => {
  const { page, end } = await visit(browser, '/fda', { ...options, expected: /Failed to load resource|ERR_FAILED/ })
  await page.getByRole('radio', { name: /^CSV/ }).check()
  await settled(page)
  await page.route('**/traceability/fda-spreadsheet**', (route) => route.abort())
  await page.getByRole('button', { name: 'Download CSV' }).click()
  await page.getByRole('heading', { name: 'The service cannot be reached' }).waitFor()
  await page.unroute('**/traceability/fda-spreadsheet**')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Try again' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^fda-receiving.*\.csv$/)
  await end()
})

test('the count of a lot within dates is that of the file, and unfinished input is in no file', async () => {
  const { page, end } = await visit(browser, '/fda', options)
  await page.getByLabel('Lot code', { exact: true }).fill('GV26063-A')
  await page.getByLabel('From', { exact: true }).fill('2026-03-06')
  await page.getByText('Press Find first').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Download package' }).isDisabled()).toBe(true)
  await page.getByLabel('Until', { exact: true }).fill('2026-03-06')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText('3 lines of 3 receiving events').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download package' }).click(),
  ])
  const files = unzipSync(new Uint8Array(readFileSync(await download.path())))
  const csv = Object.entries(files).find(([name]) => name.endsWith('.csv'))?.[1] ?? new Uint8Array()
  expect(new TextDecoder().decode(csv).trim().split('\r\n').slice(1)).toHaveLength(3)
  await page.getByLabel('From', { exact: true }).fill('2027-01-01')
  await page.getByLabel('Until', { exact: true }).fill('2027-01-02')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText('No lines match').waitFor()
  await end()
})

test('several lots, a category and a contact make one request, and stay in the address', async () => {
  const { page, end } = await visit(browser, '/fda', options)
  await page.getByLabel('Lot code', { exact: true }).fill('GV26063-A\nNOBODY-HAD-IT')
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByLabel('FTL category').selectOption(['leafy greens', 'herbs'])
  await page.getByLabel('Contact for FDA').fill('Ana Lopez, +1.614.555.0170')
  const [asked] = await Promise.all([
    page.waitForRequest(/fda-lines/),
    page.getByRole('button', { name: 'Find', exact: true }).click(),
  ])
  const query = new URL(asked.url()).searchParams
  expect(query.getAll('lotCode')).toEqual(['GV26063-A', 'NOBODY-HAD-IT'])
  expect(query.getAll('ftlCategory').sort()).toEqual(['herbs', 'leafy greens'])
  await page.getByText(/^\d+ lines of \d+ receiving events$/).waitFor()
  expect(new URL(page.url()).searchParams.getAll('lotCode')).toEqual(['GV26063-A', 'NOBODY-HAD-IT'])
  expect(await page.getByRole('radio', { name: /^EPCIS/ }).isDisabled()).toBe(true)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByLabel('Contact for FDA').press('Enter'),
  ])
  const files = unzipSync(new Uint8Array(readFileSync(await download.path())))
  const manifest = JSON.parse(new TextDecoder().decode(files['manifest.json']))
  expect(manifest).toMatchObject({
    contact: 'Ana Lopez, +1.614.555.0170',
    filters: { lotCode: ['GV26063-A', 'NOBODY-HAD-IT'] },
  })
  await page.reload()
  await expect.poll(() => page.getByLabel('Lot code', { exact: true }).inputValue()).toBe('GV26063-A\nNOBODY-HAD-IT')
  await end()
})

test.each([360, 768, 800, 850, 1024])(
  'at %d px every field can be read and nothing is beside the page',
  async (width) => {
    const { page, end } = await visit(browser, '/fda', { ...options, width })
    await page.getByLabel('Lot code', { exact: true }).waitFor()
    const lot = await page.getByLabel('Lot code', { exact: true }).boundingBox()
    expect(lot?.width).toBeGreaterThan(150)
    const more = await page.getByRole('button', { name: 'More filters' }).boundingBox()
    expect((more?.x ?? width) + (more?.width ?? 0)).toBeLessThanOrEqual(width)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    await end()
  },
)

test('a lot code that a correction removed leads to its record, on this page and from the trace', async () => {
  const corrected = await service.provider()
  const own = { url: service.url, key: await corrected.key('reader') }
  const { body } = await corrected.call('POST', paths.receivingEvent, {
    body: eventPayload(({ eventList }) => {
      eventList.productList[0].caseLotNumber = 'WRONG-1'
    }),
  })
  const [id] = body.request_ids
  const record = (await corrected.call('GET', `${paths.receivingEvent}/${id}`)).body
  record.eventList.productList[0].caseLotNumber = 'RIGHT-1'
  await corrected.call('PUT', `${paths.receivingEvent}/${id}`, { body: record })
  for (const path of ['/fda?lotCode=WRONG-1', '/trace?lotCode=WRONG-1']) {
    const { page, end } = await visit(browser, path, { ...own, expected: /404/ })
    const link = page.getByRole('link', { name: /^WRONG-1 until version 1, now .*RIGHT-1/ })
    await link.waitFor()
    expect(await link.getAttribute('href')).toBe(`/console/events/${id}/versions`)
    await end()
  }
})

test('EPCIS downloads as one document, however many pages the service sends', async () => {
  const { page, end } = await visit(browser, '/fda', options)
  await page.route('**/traceability/epcis?*', (route) =>
    route.continue({ url: route.request().url().replace('perPage=100', 'perPage=2') }),
  )
  await page.getByRole('radio', { name: /^EPCIS/ }).check()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download EPCIS' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('events.epcis.jsonld')
  const text = readFileSync(await download.path(), 'utf8')
  const { eventList } = JSON.parse(text).epcisBody.queryResults.resultsBody
  expect(new Set(eventList.map(({ eventID }: { eventID: string }) => eventID)).size).toBe(eventList.length)
  expect(eventList.filter(({ type }: { type: string }) => type === 'ObjectEvent')).toHaveLength(9)
  await page.getByText(createHash('sha256').update(text).digest('hex')).waitFor()
  await end()
})

test('what was shipped is counted beside what was received, and downloads as its own CSV', async () => {
  const lot = 'SHIPPED-77'
  const body = shippingPayload(({ eventList }) => {
    eventList.productList = [{ ...eventList.productList[0], caseLotNumber: lot }]
  })
  expect((await provider.call('POST', paths.shippingEvent, { body })).status).toBe(201)
  const { page, end } = await visit(browser, `/fda?lotCode=${lot}`, options)
  await page.getByText('1 line of 1 shipping event', { exact: true }).waitFor()
  const sheet = page.getByLabel('Sheet of a CSV or EPCIS file')
  expect(await sheet.isDisabled()).toBe(true)
  await page.getByRole('radio', { name: /^CSV/ }).check()
  await sheet.selectOption('Shipping')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`fda-shipping-lot-${lot}.csv`)
  expect(readFileSync(await download.path(), 'utf8')).toContain(lot)
  await end()
})
