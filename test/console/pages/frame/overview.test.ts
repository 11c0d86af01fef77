// The overview, completeness and the events behind its numbers, refusals: from a number to the
// place in a record.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { eventPayload, paths } from '../../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
let options: { url: string; key: string }
const hostile = '"><img src=x onerror=alert(1)> Öko'
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
  options = { url: service.url, key: await provider.key('writer') }
  const create = (edit: Parameters<typeof eventPayload>[0]) =>
    provider.call('POST', paths.receivingEvent, { body: eventPayload(edit) })
  // Two vendors: one complete, in another month; one of hostile name whose 60 events lack a
  // packaging size.
  await create((payload) => {
    payload.eventList.eventDateTime = '2025-08-15T09:30:00-05:00'
  })
  for (let n = 0; n < 60; n++) {
    const answer = await create((payload) => {
      payload.eventList.dataProviderVendorId = 'V-BAD'
      payload.eventList.dataProviderVendorName = hostile
      payload.eventList.purchaseOrderNumber = `PO-${n}`
      for (const product of payload.productMasterDataList) delete product.packSize
    })
    expect(answer.status, answer.text).toBe(201)
  }
  for (let n = 0; n < 25; n++) {
    const answer = await create((payload) => {
      payload.eventList.purchaseOrderNumber = hostile
      payload.eventList.eventDateTime = hostile
    })
    expect(answer.status).toBe(422)
  }
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

test('the overview of an empty account suggests first steps, each allowed to the role', async () => {
  const empty = await service.provider()
  const writer = await visit(browser, '/', { url: service.url, key: await empty.key('writer') })
  await writer.page.getByText('There are no receiving events yet').waitFor()
  await writer.page.getByText('examples/receiving-event.json').waitFor()
  await writer.page.getByRole('link', { name: 'enter one by hand' }).click()
  await writer.page.getByRole('heading', { name: 'New receiving event' }).waitFor()
  await writer.end()
  const reader = await visit(browser, '/', { url: service.url, key: await empty.key('reader') })
  await reader.page.getByText('yours is a reader key').waitFor()
  expect(await reader.page.getByRole('link', { name: 'New receiving event' }).count()).toBe(0)
  await reader.end()
})

test('the overview leads from the worst gap to the events, and from an event to the place', async () => {
  const { page, end } = await visit(browser, '/', options)
  const attention = page.getByRole('region', { name: 'What needs attention first' })
  await attention.getByRole('link', { name: /lines without: Product description: packaging size/ }).click()
  await page.getByRole('heading', { name: 'Events with gaps' }).waitFor()
  expect(new URL(page.url()).searchParams.get('rule')).toBe('product/packaging-size')
  await page.getByText('50 events loaded').waitFor()
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByText('60 events', { exact: true }).waitFor()
  await page.getByRole('link', { name: /PO-7$/ }).click()
  await page.getByRole('heading', { name: 'Receiving event PO-7' }).waitFor()
  await page.getByRole('region', { name: 'Findings' }).getByText('product/packaging-size').first().waitFor()
  await end()
})

test('without recent events, the plot ends with the newest one and shows that', async () => {
  const idle = await service.provider()
  const body = eventPayload((payload) => {
    payload.eventList.eventDateTime = '2025-06-30T09:30:00-05:00'
  })
  expect((await idle.call('POST', paths.receivingEvent, { body })).status).toBe(201)
  const { page, end } = await visit(browser, '/', { url: service.url, key: await idle.key('reader') })
  await page.getByText('1 event with 3 lines in 90 days, up to the newest event').waitFor()
  await page.locator('.plot-ends').getByText('2025-06-30').waitFor()
  await page.getByText('Every line has every key data element').waitFor()
  await end()
})

test('the numbers of the overview are those of the API', async () => {
  const { page, end } = await visit(browser, '/', options)
  const { total } = (await provider.call('GET', '/traceability/completeness')).body
  const numbers = page.locator('.numbers')
  await numbers.getByText(`of ${total.lines}`).waitFor()
  await numbers.getByRole('link', { name: `${total.lines - total.completeLines} incomplete lines` }).waitFor()
  const table = page.getByRole('table', { name: 'Completeness by vendor' })
  expect(await table.getByRole('rowheader').allTextContents()).toEqual([`${hostile}V-BAD`, 'Green Valley FarmsV-1001'])
  await end()
})

test('the plot shows the last ninety days with events, reads out each day by keyboard, and has a table', async () => {
  const { page, end } = await visit(browser, '/?until=2026-03-01', options)
  const { content } = (
    await provider.call('GET', '/traceability/event-days?eventStartDate=2025-12-02&eventEndDate=2026-03-01')
  ).body
  const slider = page.getByRole('slider', { name: 'Day' })
  await slider.focus()
  await page.keyboard.press('End')
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('2026-03-01: 0 events, 0 lines')
  for (let n = 0; n < 28; n++) await page.keyboard.press('ArrowLeft')
  const [{ eventDate, events, lines }] = content
  expect(eventDate).toBe('2026-02-01')
  await page.getByText(`${eventDate} ${events} events, ${lines} lines`).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Receiving events', exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('eventStartDate')).toBe('2026-02-01')
  await page.goBack()
  await page.getByText('As a table').click()
  const rows = page.getByRole('table', { name: 'Events and lines by day' }).getByRole('row')
  await expect.poll(() => rows.count()).toBe(content.length + 1)
  await page.getByRole('link', { name: 'Earlier' }).click()
  await page.getByText('0 events with 0 lines in 90 days').waitFor()
  expect(new URL(page.url()).search).toBe('?until=2025-12-01')
  await page.goBack()
  await page.getByText(`${events} events with`).waitFor()
  await end()
})

test('completeness is grouped and filtered by its address, and each number leads to its events', async () => {
  const { page, end } = await visit(browser, '/completeness', options)
  const groupings = ['Ship to', 'Item', 'Month', 'Key data element', 'Vendor']
  for (const words of groupings) {
    await page.getByRole('navigation', { name: 'Grouped by' }).getByRole('link', { name: words, exact: true }).click()
    await page.getByRole('table', { name: `Completeness by ${words.toLowerCase()}` }).waitFor()
  }
  expect(new URL(page.url()).search).toBe('?by=dataProviderVendorId')
  const line = page.locator('.totals .sparkline')
  await line.hover({ position: { x: 2, y: 12 } })
  const month = (await page.locator('.spark-tip strong').textContent()) ?? ''
  await line.click({ position: { x: 2, y: 12 } })
  await page.getByRole('heading', { name: 'Events with gaps' }).waitFor()
  expect(new URL(page.url()).searchParams.get('eventEndDate')).toMatch(new RegExp(`^${month}-`))
  await page.goBack()
  await page.getByLabel('Vendor', { exact: true }).fill('V-1001')
  await page.keyboard.press('Enter')
  await page.getByText('100%').first().waitFor()
  await page.reload()
  await page.getByText('100%').first().waitFor()
  await page.goBack()
  await page.getByRole('link', { name: /lines of .* without Product description: packaging size/ }).click()
  await page.getByText('50 events loaded').waitFor()
  expect(new URL(page.url()).searchParams.get('dataProviderVendorId')).toBe('V-BAD')
  await page.goto(`${service.url}/console/completeness?dataProviderVendorId=none`)
  await page.getByText('No lines match').waitFor()
  await end()
})

test('a period that is too long shows the answer of the service', async () => {
  const { page, end } = await visit(browser, '/completeness?eventStartDate=2020-01-01&eventEndDate=2026-03-01', {
    ...options,
    expected: /status of 400/,
  })
  await page.getByRole('alert').filter({ hasText: 'At most 24 are covered' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('table', { name: 'Completeness by vendor' }).waitFor()
  await end()
})

test('a refusal shows the response to the sender as text, and its request id can be copied', async () => {
  const { page, end } = await visit(browser, '/refusals', options)
  await page.getByText('25 results', { exact: true }).waitFor()
  await page.getByRole('table', { name: 'Refusals' }).getByRole('link').first().click()
  const first = page.getByRole('dialog')
  await first.getByText('/eventList/eventDateTime', { exact: true }).waitFor()
  const { content } = (await provider.call('GET', '/refusals?limit=1')).body
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await first.getByRole('button', { name: `Copy request id ${content[0].requestId}` }).click()
  await page.getByText('Request id copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(content[0].requestId)
  await end()
})

test('refusals are counted by rule, each count leads to its refusals, and those of one key can be shown alone', async () => {
  const own = await service.provider()
  const wrong = eventPayload(({ eventList }) => {
    eventList.eventDateTime = 'yesterday'
  })
  const good = eventPayload()
  for (const body of [good, good, wrong, {}, wrong, wrong]) await own.call('POST', paths.receivingEvent, { body })
  // They are stored after their answers.
  await expect.poll(async () => (await own.call('GET', '/refusals')).body.content.length).toBe(5)
  const { page, end } = await visit(browser, '/refusals', { url: service.url, key: await own.key('writer') })
  const row = page.getByRole('table', { name: 'What was wrong' }).getByRole('row')
  const rows = page.getByRole('table', { name: 'Refusals' }).locator('tbody tr')
  await row.filter({ hasText: 'already stored' }).waitFor()
  await row.filter({ hasText: 'shape/date-time' }).filter({ hasText: '3' }).getByRole('link').click()
  await page.getByText('3 results', { exact: true }).waitFor()
  await expect.poll(() => rows.count()).toBe(3)
  // Of another reason beside it, those of both.
  await page.getByRole('combobox', { name: 'What was wrong' }).click()
  await page.getByRole('option').filter({ hasText: 'already stored' }).click()
  await page.getByText('4 results', { exact: true }).waitFor()
  await page.getByRole('columnheader', { name: 'Findings' }).getByRole('button').click()
  await expect.poll(() => rows.first().innerText()).toContain('event date time')
  await page.getByRole('link', { name: 'This key' }).click()
  await page.getByText('No refusals match these filters').waitFor()
  await end()
})
