// Tracing a lot in the page: from a pasted code to the records and to files.
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendExampleChain } from '../../../samples/example-chain.ts'
import { samplePayload } from '../../../samples/payloads.ts'
import { seriousFindings } from '../../../support/pages/axe.ts'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { eventPayload, type Payload, paths, shippingPayload } from '../../../support/records/payloads.ts'
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

const lot = '/trace?lotCode=GV26063-A'

test('a lot code of several sources is traced for the selected one, and leads to its records', async () => {
  const { page, end } = await visit(browser, '/trace', options)
  await page.getByLabel('Lot code').fill('GV26063-A')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '3 sources use this lot code' }).waitFor()
  await page.getByRole('link', { name: 'Golden Vista Packing' }).first().click()
  await page.getByText('1 event, 1 line').waitFor()
  expect(new URL(page.url()).searchParams.get('lotCode')).toBe('GV26063-A')
  await page.goBack()
  await page.getByText('8 events, 9 lines').waitFor()
  await page.locator('.trace-notes').getByText('Valley Grocers Reno Hub sent on 54 case but received 40.').waitFor()
  await page
    .getByRole('table', { name: 'Receiving events' })
    .getByRole('link', { name: /2026-03-05 06:40/ })
    .click()
  await page.getByRole('heading', { name: 'Receiving event PO-61007' }).waitFor()
  await end()
})

test('a pasted GS1 Digital Link is read, and the page shows how', async () => {
  const { page, end } = await visit(browser, '/trace', options)
  await page.getByLabel('Lot code').fill('https://id.gs1.org/01/10614141000415/10/GV26063-A')
  await page.getByRole('button', { name: 'Trace' }).click()
  await page.getByText('Read as lot GV26063-A of GTIN 10614141000415').waitFor()
  await end()
})

test('a lot code in another spelling leads to the one in the records', async () => {
  const { page, end } = await visit(browser, '/trace?lotCode=gv26063%20a', { ...options, expected: /404/ })
  await page.getByRole('heading', { name: 'No event has this lot code' }).waitFor()
  await page.getByRole('heading', { name: 'Lot codes that read alike' }).waitFor()
  await page.getByRole('link', { name: 'GV26063-A' }).first().click()
  await page.getByRole('heading', { name: 'Lot GV26063-A' }).waitFor()
  await end()
})

test('an unknown lot is reported, with what to check', async () => {
  const { page, end } = await visit(browser, '/trace?lotCode=NOBODY', { ...options, expected: /404/ })
  await page.getByRole('heading', { name: 'No delivery has this lot code' }).waitFor()
  await end()
})

test('what was made of a lot is listed below its trace, each lot with a way to its own', async () => {
  const transformation = samplePayload('transformationEvent')
  const [sample] = transformation.eventList.productList
  const lineOf = (caseLotNumber: string) => ({ ...sample, caseLotNumber })
  Object.assign(transformation.eventList, { ingredientList: [lineOf('GV26063-A')], productList: [lineOf('KIT-7')] })
  const { status, text } = await provider.call('POST', paths.transformationEvent, { body: transformation })
  expect(status, text).toBe(201)
  const { page, end } = await visit(browser, lot, { ...options, expected: /404/ })
  await page.getByRole('heading', { name: 'Lots that were made of it' }).waitFor()
  await page.getByText('may be a lot of another source').first().waitFor()
  await page.getByText('For what is certain, follow “only what is certain”').waitFor()
  await page.getByLabel('Steps to follow').selectOption('only what is certain')
  await page.getByText('Follow “steps by lot code” to follow').first().waitFor()
  await page.getByLabel('Steps to follow').selectOption('steps by lot code, place and date')
  const picture = page.getByRole('group', { name: /^Lots that were made of it: \d+ lots and \d+ events?\./ })
  await picture.getByRole('link', { name: /^KIT-7/ }).waitFor()
  const event = await picture
    .getByRole('link', { name: /^Transformation/ })
    .first()
    .getAttribute('href')
  expect(event).toMatch(/transformation\/[0-9a-f-]{36}$/)
  const ofLots = page.getByRole('link', { name: 'FDA package: Lots that were made of it' })
  expect(await ofLots.getAttribute('href')).toMatch(/\/fda\?lotCode=GV26063-A&chain=forward&least=reference$/)
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save CSV: Lots that were made of it' }).click()
  expect((await waiting).suggestedFilename()).toBe('chain-forward-GV26063-A.csv')
  await page.getByRole('table', { name: 'Lots that were made of it' }).getByRole('link', { name: 'KIT-7' }).click()
  // No delivery has it yet.
  await page
    .getByRole('table', { name: 'Lots that are in it' })
    .getByRole('link', { name: 'GV26063-A' })
    .first()
    .waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await end()
})

test('where and when the food of a packed lot was harvested and cooled is listed with it', async () => {
  const { status, text } = await provider.call('POST', paths.initialPackingEvent, {
    body: samplePayload('initialPackingEvent'),
  })
  expect(status, text).toBe(201)
  const { page, end } = await visit(browser, '/trace?lotCode=PK-2026-063', { ...options, expected: /404/ })
  const food = page.getByRole('table', { name: 'Food before it was packed' })
  await food.getByText('Harvested on 2026-03-02').waitFor()
  await food.getByText('House 3').waitFor()
  await food.getByText('Cooled on 2026-03-03').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  // And from there forward again.
  await food.getByRole('link', { name: 'Harvested on 2026-03-02' }).click()
  await page.getByRole('heading', { name: /harvested on 2026-03-02$/ }).waitFor()
  await page
    .getByRole('table', { name: 'Lots that were made of it' })
    .getByRole('link', { name: 'PK-2026-063' })
    .waitFor()
  expect(await seriousFindings(page)).toEqual([])
  // Its records for FDA are those of the food and of all that was made of it.
  await page.getByRole('link', { name: 'FDA package: Lots that were made of it' }).click()
  await page.getByText('food harvested on 2026-03-02 at').waitFor()
  await page.getByText('food of 1 harvest or cooling').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await end()
})

test('the drawing and its table save as files', async () => {
  const { page, end } = await visit(browser, lot, options)
  for (const [button, name, text] of [
    ['Save drawing', 'lot-GV26063-A.svg', '<svg'],
    ['Save CSV', 'lot-GV26063-A.csv', 'lotCode,'],
  ] as const) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button, exact: true }).click(),
    ])
    expect(download.suggestedFilename()).toBe(name)
    expect(readFileSync(await download.path(), 'utf8')).toContain(text)
  }
  await end()
})

test('a lot of a record leads to its trace', async () => {
  const { page, end } = await visit(browser, '/events?lotCode=GV26063-C', options)
  await page.locator('.row-link').first().click()
  await page.getByRole('link', { name: 'GV26063-C' }).click()
  await page.getByRole('heading', { name: 'Lot GV26063-C' }).waitFor()
  await end()
})

test('what was shipped is shown with what arrived, what is missing and what may be under way, and leads to both kinds of events', async () => {
  const shipper = await service.provider()
  const store = async (kind: 'shippingEvent' | 'receivingEvent', to: string, quantity: number, at: string) => {
    const payload = kind === 'shippingEvent' ? shippingPayload() : eventPayload()
    const { eventList: event, locationMasterList: places } = payload
    event.eventDateTime = at
    event.productList = [{ ...event.productList[0], caseLotNumber: 'SENT-1', shipQuantity: quantity }]
    const place = places.find((one: Payload) => one.locationCode === event.shipToLocationCode)
    Object.assign(place, { locationCode: to, locationName: `Store ${to}`, gln: undefined })
    event.shipToLocationCode = to
    const reply = await shipper.call('POST', paths[kind], { body: payload })
    expect(reply.status, reply.text).toBe(201)
  }
  await store('shippingEvent', 'PART', 56, '2026-03-04T12:00:00Z')
  const only = { url: service.url, key: await shipper.key('reader') }
  const lot = '/trace?lotCode=SENT-1'
  const alone = await visit(browser, lot, only)
  await alone.page.getByRole('table', { name: 'Shipped and received' }).getByText('not received').waitFor()
  await alone.page.getByRole('table', { name: 'Shipping events' }).getByText('56 case').waitFor()
  await alone.end()

  await store('receivingEvent', 'PART', 50, '2026-03-05T12:00:00Z')
  await store('shippingEvent', 'SOON', 7, `${new Date().toISOString().slice(0, 19)}Z`)
  await store('shippingEvent', 'LOST', 9, '2026-03-04T13:00:00Z')
  const { page, end } = await visit(browser, lot, only)
  const row = (place: string) =>
    page.getByRole('table', { name: 'Shipped and received' }).getByRole('row', { name: place })
  for (const [place, cells] of [
    ['Store PART', ['56 case', '50 case', '6 case', 'partly received']],
    ['Store SOON', ['7 case', '–', '7 case', 'under way']],
    ['Store LOST', ['9 case', '–', '9 case', 'not received']],
  ] as const)
    await expect.poll(async () => (await row(place).getByRole('cell').allTextContents()).slice(-4)).toEqual(cells)
  await row('Store PART').getByRole('link').click()
  for (const kind of ['Receiving events', 'Shipping events'])
    await page.getByRole('heading', { name: new RegExp(`^${kind} from .* to Store PART$`) }).waitFor()
  await page
    .getByRole('region', { name: /^The drawing/ })
    .getByText('9 case', { exact: true })
    .click()
  await page.getByRole('heading', { name: /^Shipping events from .* to Store LOST$/ }).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('events')
  await page
    .getByRole('table', { name: 'Shipping events' })
    .getByRole('link', { name: /2026-03-04/ })
    .click()
  await page.getByRole('heading', { name: /^Shipping event / }).waitFor()
  await end()
})

test('what a note advises is done by the button beside it', async () => {
  const { page, end } = await visit(browser, lot, options)
  const notes = page.locator('.trace-notes')
  const note = (text: string) => notes.getByRole('listitem').filter({ hasText: text }).first()
  await note('sources use the lot code').getByRole('link', { name: 'Only Golden Vista Packing' }).click()
  await page.getByText('1 event, 1 line').waitFor()
  await page.goBack()
  await note('without its full description').getByRole('link', { name: 'Enter the source of all lines' }).click()
  await page.getByRole('heading', { name: 'New correction' }).waitFor()
  expect(await page.getByLabel('Lot code').inputValue()).toBe('GV26063-A')
  await page.goBack()
  await page.getByLabel('Steps to follow').selectOption('only what is certain')
  await note('not followed').getByRole('button', { name: 'Follow steps by lot code', exact: true }).click()
  await expect.poll(() => page.getByLabel('Steps to follow').inputValue()).toBe('sourceUnknown')
  expect((await notes.allInnerTexts()).join('\n')).not.toMatch(/tlcSource|least=|\bPUT\b|eventStartDate/)
  expect(await seriousFindings(page)).toEqual([])
  await end()
})

test('a trace of a period has the events of its dates, and a button for those of all', async () => {
  const { page, end } = await visit(browser, lot, options)
  await page.getByLabel('Received from').fill('2026-03-05')
  await page.getByRole('button', { name: 'Trace', exact: true }).click()
  await page.getByText('This trace covers only events received').waitFor()
  await page.getByRole('link', { name: 'Trace all dates' }).click()
  await page.getByText('8 events, 9 lines').waitFor()
  await end()
})
