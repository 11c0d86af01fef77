// Every page can be used by everybody: no serious finding of axe, in both themes, and nothing wider than the window.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seriousFindings } from '../support/axe.ts'
import { openBrowser, settled, type Visit, visit } from '../support/browser.ts'
import { changed, eventPayload, locationPayload, paths, productPayload } from '../support/payloads.ts'
import { type Service, startService, type TestProvider } from '../support/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
let key: string
let id: string
let correction: string
let voided: string
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
  key = await provider.key('administrator')
  const event = eventPayload((payload) => {
    const [line] = payload.eventList.productList
    line.caseGtin = '10614141000419'
    delete payload.eventList.productList[1].packagingDate
  })
  id = (await provider.call('POST', paths.receivingEvent, { body: event })).body.request_ids[0]
  changed.receivingEvent(event)
  delete event.eventList.asnNumber
  await provider.call('PUT', `${paths.receivingEvent}/${id}`, { body: event })
  const incomplete = eventPayload((payload) => {
    for (const product of payload.productMasterDataList) delete product.packSize
  })
  await provider.call('POST', paths.receivingEvent, { body: incomplete })
  await provider.call('POST', paths.receivingEvent, { body: {} })
  voided = (await provider.call('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0]
  await provider.call('POST', `${paths.receivingEvent}/${voided}/void`, { body: { reason: 'Entered twice' } })
  await provider.call('POST', paths.masterProduct, { body: productPayload() })
  await provider.call('POST', paths.location, { body: locationPayload() })
  const change = { field: 'product.packSize', set: '24 ct' }
  const created = await provider.call('POST', '/corrections', {
    body: { reason: 'for a test', where: {}, changes: [change] },
  })
  correction = created.body.id
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

const pages: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  '/events': (page) => page.getByRole('button', { name: 'More filters' }).click(),
  '/events?lotCode=none': (page) => page.getByText('No receiving events match').waitFor(),
  '/products': (page) => page.getByText('1 master product').waitFor(),
  '/trace': (page) => page.getByText('Type or paste a lot code').waitFor(),
  '/trace?lotCode=GV26062-A': (page) => page.getByRole('group', { name: /^Places of the lot/ }).waitFor(),
  '/import': (page) => page.getByText('Choose a file').waitFor(),
  '/fda': (page) => page.getByText('incomplete').first().waitFor(),
  '/locations': (page) => page.getByText('receiving').first().waitFor(),
  '/events/{id}': (page) => page.getByRole('button', { name: 'line 1: all fields' }).click(),
  '/events/{id}/versions?compare=1..2': (page) => page.getByText('1 field removed').waitFor(),
  '/events/{id}/versions?restore=1': (page) => page.getByText('changes to be made').waitFor(),
  '/voided': (page) => page.getByText('Entered twice').waitFor(),
  '/events/{voided}': (page) => page.getByText('Entered twice').waitFor(),
  '/events/{voided}/versions': (page) => page.getByText('Entered twice').waitFor(),
  '/events/{id}/edit': (page) => page.getByText('Nothing would change').waitFor(),
  '/events/{id}/json': (page) => page.getByText('Copy JSON').waitFor(),
  '/events/new': async (page) => {
    await page.getByRole('button', { name: 'Fill in an example' }).click()
    await page.getByRole('button', { name: 'Line 1: all fields' }).click()
    await page.getByRole('combobox', { name: 'Vendor' }).click()
  },
  '/': (page) => page.getByRole('slider', { name: 'Day' }).focus(),
  '/completeness': (page) => page.getByRole('table').waitFor(),
  '/completeness?by=kde': (page) => page.getByRole('table').waitFor(),
  '/completeness/gaps': (page) => page.getByRole('button', { name: 'More filters' }).click(),
  '/completeness/complete?product=ROM-24&dataProviderVendorId=V-1001': (page) =>
    page.getByText('would close').or(page.getByText('No gap would close')).waitFor(),
  '/corrections': (page) => page.getByRole('link', { name: 'for a test' }).waitFor(),
  '/corrections/new?gap=product-line/tlc-source-place': (page) => page.getByLabel('Reason').fill('for a test'),
  '/corrections/{correction}': (page) => page.getByText('Checking what the rules say').waitFor(),
  '/refusals': (page) => page.getByRole('listitem').first().waitFor(),
  '/keys': async (page) => {
    await page.getByLabel('Label').fill('for a day')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('shown only once').waitFor()
    await page.getByRole('row').filter({ hasText: 'for a day' }).first().waitFor()
  },
  '/time-zones': async (page) => {
    await page.getByLabel('Location code').fill('DC-07')
    await page.getByLabel('Time zone', { exact: true }).fill('America/New_York')
    await page.getByRole('button', { name: 'Set time zone' }).click()
    await page.getByRole('row').filter({ hasText: 'America/New_York' }).waitFor()
  },
  '/access-log': (page) => page.getByRole('row').nth(1).waitFor(),
  '/legal-holds': async (page) => {
    await page.getByLabel('Reason').fill('Recall 2026-014')
    await page.getByLabel('Lot code (optional)').fill('GV26062-A')
    await page.getByRole('button', { name: 'Set legal hold' }).click()
    await page.getByRole('row').filter({ hasText: 'Recall 2026-014' }).first().waitFor()
  },
  '/checkpoints': (page) => page.getByRole('heading', { name: 'Checkpoints', exact: true }).waitFor(),
  '/archive': (page) => page.getByRole('button', { name: 'Download archive' }).waitFor(),
  '/limits': (page) => page.getByRole('table', { name: 'Records and lines' }).waitFor(),
  '/completeness/history?bucket=week&vendor=V-1001': (page) => page.getByRole('slider', { name: 'Date' }).focus(),
  '/scorecard?vendor=V-1001': (page) => page.getByRole('heading', { name: 'What the lines lack' }).waitFor(),
  '/targets': async (page) => {
    await page.getByLabel('Vendor', { exact: true }).fill('V-1001')
    await page.getByLabel('Silent after (days)').fill('14')
    await page.getByRole('button', { name: 'Set targets' }).click()
    await page.getByRole('row').filter({ hasText: 'V-1001' }).waitFor()
  },
  '/mock-recalls': async (page) => {
    await page.getByRole('radio', { name: 'A lot that I name' }).check()
    await page.getByLabel('Lot code').fill('GV26062-A')
    await page.getByRole('button', { name: 'Start mock recall' }).click()
    await page.getByRole('heading', { name: 'Proof' }).waitFor()
  },
  '/mock-recalls?': (page) => page.getByRole('table', { name: 'Mock recalls' }).waitFor(),
  '/nowhere': (page) => page.getByText('Page not found').waitFor(),
}

/** On letter paper: nothing to work with, and nothing that would have to be scrolled. */
async function prints(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'light' })
  await page.setViewportSize({ width: 816, height: 1056 })
  const left = `[...document.querySelectorAll('.top, .search, .actions, button, select, input[type=file]')]
    .filter((one) => one.checkVisibility() && !one.closest('.form') && !one.matches('.opener, .place, .sort, [aria-pressed=true]'))
    .map((one) => one.outerHTML.slice(0, 120))`
  expect(await page.evaluate(left)).toEqual([])
  const cut = `[...document.querySelectorAll('main, main .scroller, main pre')]
    .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
    .map((one) => one.className)`
  expect(await page.evaluate(cut)).toEqual([])
  await page.emulateMedia({ media: 'screen' })
  await page.setViewportSize({ width: 1280, height: 800 })
}

describe.each([1280, 360])('at %i pixels', (width) => {
  let visited: Visit
  beforeAll(async () => {
    visited = await visit(browser, '/', { url: service.url, key, width })
  })
  afterAll(() => visited?.end())

  test.each(Object.entries(pages))('%s', async (path, ready) => {
    const { page } = visited
    const address = Object.entries({ id, correction, voided }).reduce(
      (at, [name, value]) => at.replace(`{${name}}`, value),
      path,
    )
    await page.goto(`${service.url}/console${address}`)
    await ready(page)
    await settled(page)
    expect(await seriousFindings(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    if (width === 1280) await prints(page)
  })
})
