// From a gap to its cause, and one change in many events, as a person does both.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { labelOf } from '../../src/console/words/labels.ts'
import { openBrowser, visit } from '../support/browser.ts'
import { type OwnDatabase, ownDatabase } from '../support/database.ts'
import { eventPayload, type Payload, paths } from '../support/payloads.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { type Call, calling } from '../support/service.ts'

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

test('the gaps of many lines are closed by completing the product once and by correcting the lines together', async () => {
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
