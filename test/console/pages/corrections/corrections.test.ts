// From a gap to its cause, and one change in many events, as a person does both.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { labelOf } from '../../../../src/console/words/labels.ts'
import { type OwnDatabase, ownDatabase } from '../../../support/databases/database.ts'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { eventPayload, type Payload, paths } from '../../../support/records/payloads.ts'
import { type ServerProcess, startServerProcess } from '../../../support/servers/server-process.ts'
import { type Call, calling } from '../../../support/servers/service.ts'

let own: OwnDatabase
let server: ServerProcess
let browser: Browser
let key: string
let call: Call
beforeAll(async () => {
  own = await ownDatabase()
  ;[server, browser] = await Promise.all([startServerProcess(own.env), openBrowser()])
  key = server.firstKey ?? ''
  call = calling(server.address, key)
})
afterAll(async () => {
  await Promise.all([browser?.close(), server?.end('SIGTERM')])
  await own?.drop()
})

/** Events whose product has no pack style, and whose first line has a source that leads nowhere. */
async function createIncomplete(count: number): Promise<Payload[]> {
  const created: Payload[] = []
  for (let n = 0; n < count; n++) {
    const body = eventPayload(({ productMasterDataList, eventList }) => {
      delete productMasterDataList[0].packStyle
      const [line] = eventList.productList
      eventList.productList = [{ ...line, tlcSourceReferenceFfrn: undefined, tlcSourceReferenceGln: '4006381333931' }]
    })
    const reply = await call('POST', paths.receivingEvent, { body })
    expect(reply.status, reply.text).toBe(201)
    created.push({ ...body, id: reply.body.request_ids[0] })
  }
  return created
}

test('completing a product once, and correcting lines together, closes the gaps of many lines', async () => {
  const events = await createIncomplete(12)
  const item = events[0].productMasterDataList[0].itemCode
  const { page, end } = await visit(browser, '/completeness/gaps', { url: server.address, key })

  await page.getByRole('link', { name: `Complete product ${item}: Product description: packaging style` }).click()
  await page.getByText('No gap would close yet').waitFor()
  await page.getByLabel('Pack style').fill('Carton')
  await page.getByText('12 gaps would close').waitFor()
  await page.getByRole('button', { name: 'Save product' }).click()
  await page.getByText('All events are judged with it').waitFor()
  await page.getByRole('link', { name: 'What else to complete' }).click()

  await page.getByRole('link', { name: `Correct events ${item}: Traceability lot code source` }).click()
  const source: Readonly<Record<string, string>> = {
    tlcSourceName: 'Green Valley Farms',
    tlcSourceAddress1: '1200 Harvest Road',
    tlcSourceCity: 'Salinas',
    tlcSourceState: 'CA',
    tlcSourcePostalCode: '93901',
    tlcSourceCountry: 'USA',
    tlcSourcePhoneNumber: '+1.831.555.0100',
  }
  for (const [index, [field, value]] of Object.entries(source).entries()) {
    const row = page.getByRole('group', { name: `Change ${index + 1}`, exact: true })
    const chosen = await row.getByLabel('Field').evaluate((select) => {
      const { selectedOptions } = select as unknown as { selectedOptions: ArrayLike<{ label: string }> }
      return selectedOptions[0]?.label
    })
    expect(chosen).toBe(labelOf(field))
    await row.getByLabel('New value').fill(value)
  }
  await page.getByLabel('Reason').fill('Told by the vendor')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('12 lines become complete and 12 gaps close').waitFor()
  const table = page.getByRole('table', { name: 'To be corrected' })
  await table.getByText('Green Valley Farms').first().waitFor()
  expect(await table.getByRole('row').count()).toBe(11)
  await page.getByRole('button', { name: 'Correct 12 events' }).click()
  await page.getByText('12 lines became complete and 12 gaps closed').waitFor()
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as XLSX' }).click()
  expect((await file).suggestedFilename()).toMatch(/^correction-.*\.xlsx$/)

  await page.getByRole('table', { name: 'Corrected' }).getByRole('link', { name: '1 → 2' }).first().click()
  await page.getByText('Told by the vendor').first().waitFor()
  await page.goto(`${server.address}/console/completeness/gaps`)
  await page.getByText('No event has such a gap').waitFor()
  expect((await call('GET', '/traceability/completeness')).body.total).toMatchObject({ share: 1 })
  await end()
})

test('a correction leaves out the events that a person names, and one act with a reason undoes it', async () => {
  const events = await createIncomplete(3)
  const [first] = events
  const { page, end } = await visit(browser, '/corrections/new', { url: server.address, key })
  await page.getByLabel('Vendor', { exact: true }).fill(first.eventList.dataProviderVendorId)
  await page.getByLabel('Field').selectOption({ label: labelOf('asnNumber') })
  await page.getByLabel('Where').selectOption('in every case')
  await page.getByLabel('New value (blank removes it)').fill('ASN-WRONG')
  await page.getByLabel('Reason').fill('Read from the paper')
  await page.getByRole('button', { name: 'Preview' }).click()
  const table = page.getByRole('table', { name: 'To be corrected' })
  const boxes = table.getByRole('checkbox')
  await boxes.nth(1).waitFor()
  const count = Number((await page.getByText(/of [\d,]+ events? chosen/).textContent())?.split(' ')[0])
  await boxes.nth(1).uncheck()
  await page.getByText(`${count - 1} of ${count} events chosen`).waitFor()
  // A look at an event keeps the choice.
  await table.getByRole('link').nth(1).click()
  await page.getByRole('heading', { name: 'Product lines' }).waitFor()
  await page.goBack()
  await page.getByText(`${count - 1} of ${count} events chosen`).waitFor()
  await page.getByRole('button', { name: 'Choose none' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Correct 0 events' }).isDisabled()).toBe(true)
  for (const box of [0, 1]) await boxes.nth(box).check()
  await page.getByRole('button', { name: 'Correct 2 events' }).click()
  await page.getByText('2 events of').waitFor()
  await page.getByRole('link', { name: `Left out ${count - 2}` }).waitFor()

  await page.getByRole('button', { name: 'Undo…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('Say why the correction is undone.').waitFor()
  await dialog.getByLabel('Reason').fill('The paper was wrong')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('the correction that it undoes').waitFor()
  await page.getByRole('button', { name: 'Correct 2 events' }).click()
  await page.getByText('2 events of 2 corrected').waitFor()
  await page
    .getByRole('link', { name: /^\d+ → \d+$/ })
    .first()
    .click()
  await page.getByText('The paper was wrong').first().waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'the correction that it undoes' }).click()
  await page.getByRole('link', { name: 'a later correction' }).waitFor()
  await end()
})

test('a correction that the rules reject shows why, in the words of the screen', async () => {
  const [event] = await createIncomplete(1)
  const { page, end } = await visit(browser, '/corrections/new', { url: server.address, key })
  await page.getByLabel('Purchase order', { exact: true }).fill(event.eventList.purchaseOrderNumber)
  await page.getByLabel('Field').selectOption({ label: labelOf('shipToLocationCode') })
  await page.getByLabel('Where').selectOption('in every case')
  await page.getByLabel('New value (blank removes it)').fill('NOWHERE')
  await page.getByLabel('Reason').fill('Moved')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page
    .getByRole('table', { name: 'Refused by the rules' })
    .getByText('Receiving location "NOWHERE"')
    .first()
    .waitFor()
  await end()
})
