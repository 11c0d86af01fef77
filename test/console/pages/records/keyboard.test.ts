// Records by keys alone: saved, gone through, and judged before they are stored.
import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { eventPayload, type Payload, paths } from '../../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
let options: { url: string; key: string; expected: RegExp }
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
  options = { url: service.url, key: await provider.key('writer'), expected: /status of 422/ }
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

/** An event of twelve lines, at a minute of its own. */
async function created(minute: number, edit: (payload: Payload) => void = () => undefined): Promise<string> {
  const body = eventPayload((payload) => {
    const { eventList } = payload
    eventList.eventDateTime = `2026-03-04T10:${String(minute).padStart(2, '0')}:00-05:00`
    eventList.purchaseOrderNumber = `PO-${minute}`
    eventList.productList = Array.from({ length: 12 }, (_, i) => ({
      ...eventList.productList[0],
      caseLotNumber: `LOT-${i}`,
    }))
    edit(payload)
  })
  return (await provider.call('POST', paths.receivingEvent, { body })).body.request_ids[0]
}

const read = async (id: string): Promise<Payload> => (await provider.call('GET', `${paths.receivingEvent}/${id}`)).body
const isCheck = (request: Request) => request.url().endsWith('?dryRun=true')
const quantity = (page: Page) => page.getByRole('textbox', { name: 'Quantity, line 1', exact: true })

test.each(['Control+s', 'Control+Enter'])('%s saves twelve lines from the first quantity', async (keys) => {
  const id = await created(keys.length)
  const { page, end } = await visit(browser, `/events/${id}/edit`, options)
  await quantity(page).fill('41')
  await page.keyboard.press(keys)
  await page.getByText('Stored as version 2').waitFor()
  expect((await read(id)).eventList.productList[0].shipQuantity).toBe(41)
  await end()
})

test.each([
  ['that waits for the service', true],
  ['that waits for the next key', false],
])('a check %s is given up when its record is saved', async (_, isAsked) => {
  const { page, end } = await visit(browser, `/events/${await created(isAsked ? 31 : 32)}/edit`, options)
  await page.getByText('Nothing would change').waitFor()
  await page.clock.install()
  const checks: Request[] = []
  let letSave = () => {}
  const saveMayPass = new Promise<void>((pass) => {
    letSave = pass
  })
  await page.route(`**${paths.receivingEvent}/*`, async (route) => {
    if (isCheck(route.request())) return void checks.push(route.request())
    await saveMayPass
    await route.continue()
  })
  await quantity(page).fill('42')
  if (isAsked) {
    const asked = page.waitForRequest(isCheck)
    await page.clock.runFor(1000)
    await asked
  }
  const givenUp = isAsked ? page.waitForEvent('requestfailed', isCheck) : undefined
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: 'Sending…' }).waitFor()
  await givenUp
  await page.clock.runFor(1000)
  // Requests are told of in their order: a check of that second would be among them.
  await page.evaluate('fetch(location.href)')
  expect(checks).toHaveLength(isAsked ? 1 : 0)
  letSave()
  await page.getByText('Stored as version 2').waitFor()
  await end()
})

test('a save that cannot be done says so', async () => {
  const { page, end } = await visit(browser, `/events/${await created(30)}/edit`, options)
  await quantity(page).focus()
  await page.keyboard.press('Control+s')
  await page.getByText('Not saved: nothing is changed yet').waitFor()
  await end()
})

test('keys lead through the rows of a table, and from a record to its neighbours in the list', async () => {
  const own = await service.provider()
  for (const n of [1, 2, 3])
    await own.call('POST', paths.receivingEvent, {
      body: eventPayload(({ eventList }) => {
        eventList.eventDateTime = `2026-03-0${n}T10:00:00-05:00`
        eventList.purchaseOrderNumber = `PO-${n}`
      }),
    })
  const { page, end } = await visit(browser, '/events', { ...options, key: await own.key('writer') })
  await page.getByText('PO-3', { exact: true }).waitFor()
  for (const _ of [1, 2]) await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /PO-2/ }).waitFor()
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByRole('heading', { name: /PO-1/ }).waitFor()
  expect(await page.getByRole('link', { name: 'Next receiving event of the list' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.keyboard.press('Alt+ArrowUp')
  await page.getByRole('heading', { name: /PO-2/ }).waitFor()
  expect(page.url()).toMatch(/\/edit$/)
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Help' })
  for (const words of ['Save what you are editing', 'Next and previous record', 'table of product lines'])
    await help.getByText(words).waitFor()
  await end()
})

test('a quantity of 0 or less and an impossible date are findings before anything is stored', async () => {
  const id = await created(40)
  const { page, end } = await visit(browser, `/events/${id}/edit`, options)
  const verdict = page.getByRole('complementary', { name: 'Check by the service' })
  await verdict.getByText('Nothing would change').waitFor()
  for (const typed of ['0', '-5']) {
    await quantity(page).fill(typed)
    await verdict.getByText(`is ${typed}. It must be more than 0`).waitFor()
    expect(await verdict.locator('.callout.fine').count()).toBe(0)
  }
  await quantity(page).fill('40')
  await verdict.locator('.callout.fine').waitFor()
  await page.getByRole('textbox', { name: 'Harvest date, line 1', exact: true }).fill('2026-09-30')
  await verdict.locator('.callout:not(.fine)').getByText('warning').waitFor()
  expect((await read(id)).eventList.productList[0].shipQuantity).toBe(
    eventPayload().eventList.productList[0].shipQuantity,
  )
  await end()

  const fresh = await visit(browser, '/events/new', options)
  await quantity(fresh.page).fill('-5')
  await fresh.page.getByText('is -5. It must be more than 0').waitFor()
  await fresh.end()
})

test('a line shows what the event says of its item, and the gaps of it', async () => {
  const id = await created(50, ({ eventList, productMasterDataList }) => {
    for (const line of eventList.productList) delete line.vendorItemDescription
    delete productMasterDataList[0].packSize
  })
  const [item] = (await read(id)).productMasterDataList
  const { page, end } = await visit(browser, `/events/${id}/edit`, options)
  const description = page.getByRole('textbox', { name: 'Item description, line 1', exact: true })
  await expect.poll(() => description.getAttribute('placeholder')).toBe(item.itemDescription)
  expect(await description.inputValue()).toBe('')
  const opener = page.getByRole('button', { name: /^Line 1: all fields,.* about its item$/ })
  await opener.click()
  const said = page.getByRole('region', { name: 'Item of line 1 in this event' })
  await said.getByText(item.itemDescription).waitFor()
  await said.getByText('gap', { exact: true }).waitFor()
  await end()
})
