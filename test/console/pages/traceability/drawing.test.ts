// The drawing of a trace: every place and way in it leads on, by pointer and by keyboard, and it is
// the drawing of the service.
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendExampleChain } from '../../../samples/example-chain.ts'
import { openBrowser, settled, visit } from '../../../support/pages/browser.ts'
import { eventPayload, paths } from '../../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
let options: { url: string; key: string }
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
  options = { url: service.url, key: await provider.key('reader') }
  await sendExampleChain(provider.call)
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

const lot = '/trace?lotCode=GV26063-A'
const isWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth')
const focused = (page: Page) => page.evaluate('document.activeElement.id')

test('a place leads to its row, and the row to its events', async () => {
  const { page, end } = await visit(browser, lot, options)
  await page.getByRole('link', { name: /^Valley Grocers Reno Hub HUB-RENO/ }).click()
  const row = page.getByRole('row').filter({ hasText: 'HUB-RENO' })
  await expect.poll(() => row.getAttribute('class')).toBe('chosen-row')
  await expect.poll(() => focused(page)).toBe(await row.getAttribute('id'))
  await row.getByRole('link', { name: '3 events of Valley Grocers Reno Hub' }).click()
  await page.getByRole('heading', { name: 'Receiving events to and from Valley Grocers Reno Hub' }).waitFor()
  await page.getByText('3 events, 4 lines').waitFor()
  await end()
})

test('a route leads to its events only, and an event to its line in the record', async () => {
  const { page, end } = await visit(browser, lot, options)
  // Where the label stands, it is what the pointer meets.
  const drawing = page.getByRole('region', { name: /^The drawing/ })
  await drawing.getByText('96 case', { exact: true }).click()
  await page
    .getByRole('heading', {
      name: 'Receiving events from Pacific Fresh Oakland to Valley Grocers Distribution Center 7',
    })
    .waitFor()
  const shown = page.url()
  await page.getByText('1 event, 1 line').waitFor()
  await page.getByRole('link', { name: /^2026-03-06 04:15/ }).click()
  await page.getByRole('heading', { name: 'Receiving event 450017733' }).waitFor()
  await page.locator('tr.spot').waitFor()
  // The address shows the same to whoever opens it.
  await page.goto(shown)
  await page.getByText('1 event, 1 line').waitFor()
  await expect.poll(() => focused(page)).toBe('events')
  await page.getByRole('link', { name: 'Show all 8 events' }).click()
  await page.getByText('8 events, 9 lines').waitFor()
  await end()
})

test('the keyboard reaches every place and route, and can skip them', async () => {
  const { page, end } = await visit(browser, lot, options)
  await page.getByRole('button', { name: 'Save CSV', exact: true }).focus()
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip the drawing')
  for (const text of [/^−$/, /^\d+%$/, /^\+$/]) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toMatch(text)
  }
  const drawing = page.getByRole('region', { name: /^The drawing/ })
  const widthOf = () => drawing.locator('svg').evaluate((svg) => svg.clientWidth)
  const whole = await widthOf()
  await page.keyboard.press('Enter')
  await expect.poll(widthOf).toBeGreaterThan(whole)
  await page.getByRole('button', { name: 'Fit', exact: true }).first().click()
  const box = await drawing.evaluate(({ clientWidth }) => clientWidth)
  await expect.poll(widthOf).toBeLessThanOrEqual(box)
  await drawing.focus()
  await page.keyboard.press('0')
  await page.getByText('100%', { exact: true }).first().waitFor()
  const full = await widthOf()
  await page.keyboard.press('-')
  await expect.poll(widthOf).toBeLessThan(full)
  const reached: string[] = []
  for (;;) {
    await page.keyboard.press('Tab')
    const name = await page.evaluate<string | null>(
      `document.activeElement.closest('.drawing') && document.activeElement.querySelector('title')?.textContent`,
    )
    if (name === null) break
    reached.push(name)
  }
  expect(reached.filter((name) => name.includes('→'))).toHaveLength(9)
  expect(new Set(reached).size).toBe(9 + 9)
  await page
    .getByRole('link', { name: /^Golden Vista Packing → / })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Receiving events from Golden Vista Packing to / }).waitFor()
  await page.getByRole('link', { name: 'Skip the drawing' }).first().focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('after-drawing')
  await end()
})

test('the page requests the trace once, and saves the drawing of the service', async () => {
  const { page, end } = await visit(browser, '/trace', options)
  const asked: string[] = []
  page.on('request', (request) => /\/traceability\/lots\/[^/]+$/.test(request.url()) && asked.push(request.url()))
  await page.goto(`${service.url}/console${lot}`)
  await page.getByRole('group', { name: 'Places of the lot, with 9 ways between them' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save drawing', exact: true }).click(),
  ])
  expect(asked).toHaveLength(1)
  const { text } = await provider.call('GET', '/traceability/lots/GV26063-A?format=svg')
  expect(readFileSync(await download.path(), 'utf8')).toBe(text)
  await end()
})

test('names that contain code are drawn as text, and nothing runs', async () => {
  const other = await service.provider()
  const name = `"><img src=x onerror=alert(1)><script>alert(2)</script>`
  await other.call('POST', paths.receivingEvent, {
    body: eventPayload(({ locationMasterList, eventList }) => {
      for (const place of locationMasterList) place.locationName = name
      eventList.productList[0].caseLotNumber = name
    }),
  })
  const { page, end } = await visit(browser, `/trace?lotCode=${encodeURIComponent(name)}`, {
    url: service.url,
    key: await other.key('reader'),
  })
  await page.getByRole('heading', { name: `Lot ${name}` }).waitFor()
  expect(await page.locator('.drawn-place title').first().textContent()).toContain(name)
  await page.locator('.drawn-way').first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: `Receiving events from ${name}` }).waitFor()
  expect(await page.evaluate(`document.querySelectorAll('main img, main script').length`)).toBe(0)
  await end()
})

/** A provider with a lot that went to 199 stores. */
async function storeManyPlaces() {
  const other = await service.provider()
  const body = eventPayload((payload) => {
    const { eventList, locationMasterList } = payload
    const to = locationMasterList.find(
      (place: { locationCode: string }) => place.locationCode === eventList.shipToLocationCode,
    )
    const [{ address }] = locationMasterList
    delete to.gln
    const stores = Array.from({ length: 199 }, (_, n) => ({
      ...to,
      locationCode: `S-${n}`,
      locationName: `Store ${n}`,
      address,
    }))
    payload.locationMasterList = [...locationMasterList, ...stores]
    payload.eventList = stores.map(({ locationCode }) => ({ ...eventList, shipToLocationCode: locationCode }))
  })
  const created = await other.call('POST', paths.receivingEvent, { body })
  expect(created.status, created.text).toBe(201)
  return { url: service.url, key: await other.key('reader') }
}

test('a drawing of 200 places has a link for each, and only its box scrolls sideways', async () => {
  const { page, end } = await visit(browser, '/trace?lotCode=GV26062-A', { ...(await storeManyPlaces()), width: 360 })
  await page.getByText('200 places, in the order').waitFor()
  expect(await page.locator('.drawn-place').count()).toBe(200)
  expect(await page.locator('.drawn-way').count()).toBe(1)
  expect(await isWide(page)).toBe(false)
  const last = page.getByRole('link', { name: /^Store 198 / })
  await last.focus()
  await page.keyboard.press('Enter')
  await page.locator('.chosen-row').filter({ hasText: 'Store 198' }).waitFor()
  await page.locator('.drawn-way').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /to 199 places$/ }).waitFor()
  await settled(page)
  expect(await isWide(page)).toBe(false)
  await end()
})

test('a drawing finds its places by any part of what it says of them, and is printed on pages', async () => {
  const { page, end } = await visit(browser, '/trace?lotCode=GV26062-A', await storeManyPlaces())
  const field = page.getByRole('searchbox', { name: 'Find in the drawing' })
  /** How far the found place is from the middle of the box, and whether it is seen in it. */
  const place = () =>
    page.evaluate(`(() => {
      const [box, here] = ['.drawing', '.found-here'].map((one) => document.querySelector(one).getBoundingClientRect())
      return here.top >= box.top && here.bottom <= box.bottom && here.left >= box.left && here.right <= box.right
    })()`)
  const title = () => page.locator('.found-here title').first().textContent()
  await field.fill('s198')
  await page.getByText('1 of 1', { exact: true }).waitFor()
  expect(await title()).toMatch(/^Store 198\n/)
  await expect.poll(place).toBe(true)
  await field.fill('STORE 19')
  await page.getByText('1 of 10', { exact: true }).waitFor()
  expect(await title()).toMatch(/^Store 19\n/)
  await field.press('Enter')
  await page.getByText('2 of 10', { exact: true }).waitFor()
  expect(await title()).toMatch(/^Store 190\n/)
  await page.getByRole('button', { name: 'Previous', exact: true }).click()
  await page.getByRole('button', { name: 'Previous', exact: true }).click()
  await page.getByText('10 of 10', { exact: true }).waitFor()
  await expect.poll(place).toBe(true)
  await field.fill('nowhere')
  await page.getByText('Nothing found').waitFor()
  expect(await page.locator('.found, .found-here').count()).toBe(0)

  await page.emulateMedia({ media: 'print' })
  const pages = page.locator('.drawing-pages figure')
  await expect.poll(() => pages.count()).toBeGreaterThan(5)
  for (const shown of [pages.first(), pages.last()]) expect((await shown.boundingBox())?.width).toBeGreaterThan(300)
  expect(await page.locator('.drawing').isVisible()).toBe(false)
  await end()
})

test('a drawing is shown whole at once', async () => {
  const { page, end } = await visit(browser, lot, { ...options, width: 1024 })
  const drawing = page.getByRole('region', { name: /^The drawing/ })
  const [inside, box] = (await drawing.evaluate((one) => [one.scrollWidth, one.clientWidth])) as [number, number]
  expect(inside).toBeLessThanOrEqual(box)
  await end()
})
