// Whoever works without a mouse is never thrown back to the top of the page: WCAG 2.4.3.
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { labelOf } from '../../../../src/console/words/labels.ts'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { eventPayload, paths } from '../../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
let id: string
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
  const { body } = await provider.call('POST', paths.receivingEvent, { body: eventPayload() })
  ;[id] = body.request_ids
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

/** From the first focus on, looks at each frame whether the body has it. */
async function visitWatched(path: string, key: string) {
  const { page, end } = await visit(browser, path, { url: service.url, key })
  await page.evaluate(`{
    let last
    globalThis.lost = []
    const look = () => {
      if (document.activeElement === document.body) last && lost.push(last)
      else last = document.activeElement.outerHTML.slice(0, 200)
      requestAnimationFrame(look)
    }
    look()
  }`)
  return {
    page,
    end: async () => {
      expect(await page.evaluate('lost')).toEqual([])
      await end()
    },
  }
}

const press = async (button: Locator) => {
  await button.focus()
  await button.press('Enter')
}
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const focused = (page: Page) =>
  page.evaluate(`(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()`)

test('creating and revoking a key leaves the focus on the key, and on its row', async () => {
  const { page, end } = await visitWatched('/keys', await provider.key('administrator'))
  await press(button(page, 'New key'))
  await page.getByRole('dialog').getByLabel('Label').fill('ERP')
  await page.keyboard.press('Enter')
  await page.getByText('It is shown only once').waitFor()
  await expect.poll(() => focused(page)).toContain('The key “ERP” was created')
  await press(button(page, 'Done'))
  await expect.poll(() => page.getByText('It is shown only once').count()).toBe(0)
  const link = page.getByRole('link', { name: 'ERP', exact: true })
  await press(link)
  await press(button(page, 'Revoke'))
  await press(button(page, 'Revoke key'))
  await page.getByRole('row').filter({ hasText: 'ERP' }).getByText('revoked').waitFor()
  await expect.poll(() => focused(page)).toBe('ERP')
  await end()
})

test('a hold that is set, one that is lifted, and targets that are set leave it where they were', async () => {
  const key = await provider.key('administrator')
  const { page, end } = await visitWatched('/legal-holds', key)
  for (const reason of ['Recall 1', 'Recall 2']) {
    await page.getByLabel('Reason').fill(reason)
    await page.getByLabel('Lot code (optional)').fill('GV26062-A')
    await press(button(page, 'Set legal hold'))
    await page.getByRole('row').filter({ hasText: reason }).waitFor()
    await expect.poll(() => focused(page)).toBe('Set legal hold')
  }
  await press(button(page, 'Lift hold Recall 2'))
  await press(button(page, 'Lift hold'))
  await page.getByRole('row').filter({ hasText: 'Recall 2' }).waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe('Lift hold Recall 1')
  await press(button(page, 'Lift hold Recall 1'))
  await press(button(page, 'Lift hold'))
  await page.getByText('No legal hold is active').waitFor()
  await expect.poll(() => focused(page)).toBe('Legal holds')
  await end()

  const targets = await visitWatched('/targets', key)
  await targets.page.getByLabel('Targets of').selectOption('All vendors')
  await targets.page.getByLabel('Complete lines (%)').fill('90')
  await targets.page.keyboard.press('Enter')
  await targets.page.getByRole('table', { name: 'Targets' }).getByText('90%').first().waitFor()
  await press(button(targets.page, 'Change the targets of all vendors'))
  await expect.poll(() => targets.page.evaluate('document.activeElement.id')).toBe('target-percent')
  await targets.end()
})

test('a package, a link to it and its withdrawal, and a trace by Enter keep it on the page', async () => {
  const key = await provider.key('administrator')
  const { page, end } = await visitWatched('/fda?lotCode=GV26062-A', key)
  const download = page.waitForEvent('download')
  await press(button(page, 'Download package'))
  await download
  await expect.poll(() => focused(page)).toBe('Download package')
  await press(button(page, 'Create link…'))
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Green Valley Foods')
  await page.keyboard.press('Enter')
  await page.getByLabel('For whom').fill('FDA')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toContain('is open')
  await press(button(page, 'Done'))
  await end()

  const links = await visitWatched('/package-links', key)
  await press(button(links.page, 'Withdraw link for FDA'))
  await press(button(links.page, 'Withdraw link'))
  await links.page.getByText('withdrawn', { exact: true }).waitFor()
  await links.end()

  const trace = await visitWatched('/trace', key)
  await trace.page.getByLabel('Lot code').fill('GV26062-A')
  await trace.page.keyboard.press('Enter')
  await trace.page.getByText('Where it went').waitFor()
  await expect.poll(() => trace.page.evaluate('document.activeElement.id')).toBe('filter-lotCode')
  await trace.end()
})

test('a correction of many events and discarding it keep it on the page', async () => {
  const { page, end } = await visitWatched('/corrections/new', await provider.key('writer'))
  await page.getByLabel('Vendor', { exact: true }).fill(eventPayload().eventList.dataProviderVendorId)
  await page.getByLabel('Field').selectOption({ label: labelOf('asnNumber') })
  await page.getByLabel('Where').selectOption('in every case')
  await page.getByLabel('New value (blank removes it)').fill('ASN-1')
  await page.getByLabel('Reason').fill('Read from the paper')
  await press(button(page, 'Preview'))
  await page.getByText('being checked').waitFor()
  await expect.poll(() => focused(page)).toBe('Correction')
  await press(button(page, 'Discard'))
  await page.getByText('being checked').waitFor({ state: 'detached' })
  await end()
})

test('a correction and a void lead to what they made', async () => {
  const { page, end } = await visitWatched(`/events/${id}/edit`, await provider.key('writer'))
  await page.getByRole('textbox', { name: 'Purchase order required' }).fill('PO-NEW')
  await button(page, /^Replace version/).waitFor()
  await expect.poll(() => button(page, /^Replace version/).isEnabled()).toBe(true)
  await press(button(page, /^Replace version/))
  await button(page, 'Void…').waitFor()
  await press(button(page, 'Void…'))
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('Entered twice')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Voided' }).waitFor()
  await expect.poll(() => focused(page)).toBe('Voided')
  await end()
})

test('after signing in the heading of the page has it', async () => {
  const key = await provider.key('reader')
  const { page, end } = await visit(browser, '/products', { url: service.url })
  await page.getByLabel('Key').fill(key)
  await page.keyboard.press('Enter')
  await page.getByText('There are no master products yet').waitFor()
  await expect.poll(() => focused(page)).toBe('Master products')
  await end()
})
