// Senders of ship notices and EPCIS documents in the console: their settings are tried on a file
// before they are saved, and files are imported.
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exampleNotice, interchangeOf, noticeIn } from '../../../samples/ship-notices.ts'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { type Payload, paths } from '../../../support/records/payloads.ts'
import { calling, type Service, startService } from '../../../support/servers/service.ts'

const exampleDocument = readFileSync(new URL('../../../../examples/epcis-receiving.jsonld', import.meta.url), 'utf8')

let service: Service
let browser: Browser
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

async function administrator() {
  const provider = await service.provider()
  const key = await provider.key('administrator')
  const call = calling(service.url, key)
  const open = (path: string, expected?: RegExp) =>
    visit(browser, path, { url: service.url, key, ...(expected && { expected }) })
  const stored = async (path: string): Promise<Payload[]> => (await call('GET', path)).body.content
  return { call, open, stored }
}

const chooseFile = (page: Page, name: string, text: string) =>
  page.getByLabel('Choose a file').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

test('settings of a sender of ship notices are tried on a pasted file, saved, changed and removed', async () => {
  const { call, open, stored } = await administrator()
  await call('POST', '/ship-notices', { body: { interchange: exampleNotice } })
  // A time zone is wrong once.
  const { page, end } = await open('/senders', /422/)
  await page.getByText('No sender is set up').waitFor()
  await expect
    .poll(async () => {
      await page.reload()
      await page.getByText('No defaults are set').waitFor()
      return page.getByRole('link', { name: 'Set up GREENVALLEY' }).count()
    })
    .toBe(1)
  await page.getByRole('link', { name: 'Add sender of Ship notices (X12 856)' }).click()
  await page.getByLabel('Vendor', { exact: true }).fill('V-1001')
  await page.getByLabel('Paste a ship notice').fill(exampleNotice)
  await page.getByRole('button', { name: 'Try', exact: true }).click()
  const notices = page.getByRole('list', { name: 'Ship notices' })
  await notices.getByText('refused', { exact: true }).waitFor()
  // The id is that of the file, and each finding is at its segment.
  expect(await page.getByLabel('Sender id').inputValue()).toBe('GREENVALLEY')
  const finding = notices
    .getByRole('listitem')
    .filter({ hasText: 'neither refers to the source of its lot code' })
    .last()
  await finding.getByText('Segment 24, HL').waitFor()
  await finding.getByText('HL*4*3*I', { exact: true }).waitFor()

  await page.getByRole('radio', { name: 'The ship-from location' }).check()
  await page.getByText('The settings have changed since').waitFor()
  await page.getByRole('button', { name: 'Add item', exact: true }).click()
  // Two rows of a spreadsheet, into the field that has the focus.
  await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Item in the notice, item 1')
  await page.evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', '10614141000415\\tROMAINE\\nCIL-30\\tCILANTRO\\n')
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }`)
  await expect.poll(() => page.getByLabel('Item code, item 2').inputValue()).toBe('CILANTRO')
  await page.getByRole('button', { name: 'Try', exact: true }).click()
  await notices.getByText('can be imported', { exact: true }).waitFor()
  const row = page.getByRole('table', { name: 'Lines of Shipping event for order PO-88120' }).getByRole('row')
  await row.filter({ hasText: 'GV26062-A' }).getByText('ROMAINE').waitFor()
  expect(await stored(paths.shippingEvent)).toEqual([])

  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const senders = page.getByRole('table', { name: 'Senders of ship notices' })
  await senders.getByRole('row').filter({ hasText: 'GREENVALLEY' }).getByText('2 items').waitFor()
  expect(await page.getByText('Not set up yet').count()).toBe(0)
  const [{ sender }] = (await call('GET', '/ship-notice-senders')).body.content
  expect(sender).toEqual({
    senderId: 'GREENVALLEY',
    dataProviderVendorId: 'V-1001',
    tlcSourceIsShipFrom: true,
    items: [
      { code: '10614141000415', vendorItemCode: 'ROMAINE' },
      { code: 'CIL-30', vendorItemCode: 'CILANTRO' },
    ],
  })

  await page.getByRole('link', { name: 'Edit GREENVALLEY' }).click()
  await page.getByRole('button', { name: 'Remove item 2', exact: true }).click()
  await page.getByLabel('Time zone (optional)').fill('Mars/Olympus')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'name of the IANA database' }).waitFor()
  await page.getByLabel('Time zone (optional)').fill('America/Chicago')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await senders.getByText('America/Chicago').waitFor()
  await senders.getByText('1 item', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Remove… GREENVALLEY' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('No sender is set up').waitFor()
  await end()
})

test('defaults of EPCIS documents are tried on a document, saved for all senders, changed and removed', async () => {
  const { call, open, stored } = await administrator()
  const { page, end } = await open('/senders/epcis')
  await page.getByLabel('Paste an EPCIS document').fill('{ "type": ')
  await page.getByRole('button', { name: 'Try', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'neither JSON nor XML' }).waitFor()
  await page.getByLabel('Paste an EPCIS document').fill(exampleDocument)
  await page.getByRole('button', { name: 'Try', exact: true }).click()
  const events = page.getByRole('list', { name: 'Events' })
  await events.getByText('refused', { exact: true }).first().waitFor()
  await events.getByText('out of scope', { exact: true }).waitFor()

  await page.getByLabel('Vendor', { exact: true }).fill('V-1001')
  await page.getByLabel('The ship-from location').check()
  await page.getByText('The settings have changed since').waitFor()
  await page.getByRole('button', { name: 'Try', exact: true }).click()
  await expect.poll(() => events.getByText('can be captured', { exact: true }).count()).toBe(2)
  expect(await stored(paths.receivingEvent)).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const row = page.getByRole('table', { name: 'Senders of EPCIS documents' }).getByRole('row')
  await row.filter({ hasText: 'All senders' }).getByText('lot code source').waitFor()
  expect((await call('GET', '/capture/senders')).body.content).toMatchObject([
    { sender: { dataProviderVendorId: 'V-1001', tlcSourceIsShipFrom: true } },
  ])

  await page.getByRole('link', { name: 'Edit all senders' }).click()
  await expect.poll(() => page.getByLabel('The ship-from location').isChecked()).toBe(true)
  await page.getByLabel('Purchase order').fill('Standing order')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await row.getByText('purchase order').waitFor()
  await page.getByRole('button', { name: 'Remove… all senders' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('No defaults are set').waitFor()
  await end()
})

test('a ship notice and an EPCIS document are checked and imported on the import page, and doubled by nothing', async () => {
  const { call, open, stored } = await administrator()
  const { page, end } = await open('/import')
  await chooseFile(page, 'asn.edi', exampleNotice)
  await page.getByText('1 ship notice: 1 refused.').waitFor()
  expect(await page.getByText('Reading options').isVisible()).toBe(false)
  await page.getByRole('link', { name: 'Set up the sender GREENVALLEY' }).click()
  await expect.poll(() => page.getByLabel('Sender id').inputValue()).toBe('GREENVALLEY')
  await page.getByLabel('Vendor', { exact: true }).fill('V-1001')
  await page.getByRole('radio', { name: 'The ship-from location' }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'GREENVALLEY' }).waitFor()

  await page.goto(`${service.url}/console/import`)
  await chooseFile(page, 'asn.edi', exampleNotice)
  await page.getByText('1 ship notice: 1 can be imported.').waitFor()
  expect(await stored(paths.shippingEvent)).toEqual([])
  await page.getByRole('button', { name: 'Import 1 notice', exact: true }).click()
  await page.getByRole('heading', { name: 'asn.edi is imported' }).waitFor()
  const [event] = await stored(paths.shippingEvent)
  const link = page.getByRole('link', { name: 'Shipping event', exact: true })
  expect(await link.getAttribute('href')).toBe(`/console/shipping/${event?.id}`)
  await chooseFile(page, 'asn.edi', exampleNotice)
  await page.getByText('1 ship notice: 1 imported before.').waitFor()
  expect(await page.getByRole('button', { name: /^Import 1/ }).count()).toBe(0)

  // A file of more notices than one call takes is sent in parts.
  await chooseFile(page, 'many.edi', interchangeOf(Array.from({ length: 203 }, () => noticeIn('S-O-I'))))
  await page.getByText('203 ship notices: 203 refused.').waitFor()
  await page.getByText('100 of 203 notices are shown').waitFor()

  await call('PUT', '/capture/senders', {
    body: { senders: [{ dataProviderVendorId: 'V-1001', tlcSourceIsShipFrom: true }] },
  })
  await chooseFile(page, 'received.jsonld', exampleDocument)
  await page.getByText('3 events: 2 can be captured, 1 out of scope.').waitFor()
  await page.getByRole('button', { name: 'Import 2 events', exact: true }).click()
  await page.getByText('3 events: 2 captured, 1 out of scope.').waitFor()
  await page.getByRole('link', { name: 'Receiving event', exact: true }).waitFor({ state: 'attached' })
  expect(await stored(paths.receivingEvent)).toHaveLength(1)
  await end()
})
