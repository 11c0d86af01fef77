// Changes as they happen, and webhooks, as people see them.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { changed, eventPayload, locationPayload, paths } from '../../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
/** A receiver of webhooks: what it answers, and what it got. */
let receiver: Server
let receiverUrl: string
let answer: { readonly status: number; readonly body: string } = { status: 204, body: '' }
const received: { readonly type: string; readonly data: Record<string, unknown> }[] = []
const hostile = '"><img src=x onerror=alert(1)> Öko'

beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService({ webhookAllowPrivate: true }), openBrowser()])
  provider = await service.provider()
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push(JSON.parse(Buffer.concat(chunks).toString()))
    response.writeHead(answer.status).end(answer.body)
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterAll(async () => {
  await Promise.all([browser?.close(), service?.close()])
  receiver?.close()
})

const create = async (order: string): Promise<string> => {
  const body = eventPayload(({ eventList }) => {
    eventList.purchaseOrderNumber = order
  })
  return (await provider.call('POST', paths.receivingEvent, { body })).body.request_ids[0]
}

test('a change appears by itself, waits while the page is paused, and is not missed after a lost connection', async () => {
  const id = await create(hostile)
  const { page, end } = await visit(browser, '/changes', {
    url: service.url,
    key: await provider.key('reader'),
    expected: /ERR_INTERNET_DISCONNECTED/,
  })
  const rows = page.getByRole('table', { name: 'Changes' }).getByRole('row')
  await rows.getByRole('link', { name: `Receiving event ${hostile}`, exact: true }).waitFor()
  const body = eventPayload()
  changed.receivingEvent(body)
  await provider.call('PUT', `${paths.receivingEvent}/${id}`, { body })
  await rows.nth(1).getByText('replaced', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await provider.call('POST', paths.location, { body: locationPayload() })
  await page.getByText('Paused. 1 new change.').waitFor()
  expect(await rows.count()).toBe(5)
  await page.getByRole('button', { name: 'Show it', exact: true }).click()
  await rows
    .nth(1)
    .getByRole('link', { name: /^Location / })
    .waitFor()

  await page.context().setOffline(true)
  await page.getByText('The connection is lost.').waitFor()
  await create('PO of the night')
  await page.context().setOffline(false)
  await rows.nth(1).getByRole('link', { name: 'Receiving event PO of the night', exact: true }).waitFor()

  await page.getByRole('link', { name: 'Locations', exact: true }).last().click()
  await expect.poll(() => rows.count()).toBe(4)
  await page.getByRole('link', { name: 'All records', exact: true }).click()
  await page.getByRole('link', { name: `2 of ${id}`, exact: true }).click()
  await page.getByRole('heading', { name: 'Version 1 and version 2' }).waitFor()
  await end()
})

test('a webhook is created, tried until it works, replayed, given another key, changed and deleted', async () => {
  const key = await provider.key('administrator')
  const { page, end } = await visit(browser, '/webhooks', { url: service.url, key, expected: /status of 422/ })
  await page.getByText('There is no webhook yet').waitFor()
  await page.getByRole('link', { name: 'New webhook', exact: true }).click()
  await page.getByLabel('Address', { exact: true }).fill('http://169.254.169.254/latest')
  await page.getByRole('button', { name: 'Create webhook', exact: true }).click()
  await page
    .getByRole('alert')
    .getByText(/169\.254\.169\.254/)
    .waitFor()
  await page.getByLabel('Address', { exact: true }).fill(receiverUrl)
  await page.getByLabel('Description (optional)').fill(hostile)
  await page.getByRole('checkbox', { name: 'Master products', exact: true }).uncheck()
  await page.getByRole('group', { name: 'Locations' }).getByRole('checkbox', { name: 'Purged' }).uncheck()
  await page.getByRole('checkbox', { name: 'Alerts', exact: true }).check()
  await page.getByRole('button', { name: 'Create webhook', exact: true }).click()
  await page.getByText(/^whpk_/).waitFor()
  await page.getByRole('button', { name: 'Open webhook', exact: true }).click()
  await page.getByRole('heading', { name: hostile, exact: true }).waitFor()
  await page.getByText(/Receiving events\. Shipping events\..* Locations: created, replaced/).waitFor()

  answer = { status: 500, body: hostile }
  await page.getByRole('button', { name: 'Send test', exact: true }).click()
  await page.getByText('The test message failed. The receiver answered with 500.').waitFor()
  const attempts = page.getByRole('table', { name: 'Attempts' }).getByRole('row')
  const attemptWith = (status: string) => attempts.filter({ has: page.getByText(status, { exact: true }) }).first()
  await attemptWith('500').getByText('What the receiver answered').click()
  await attempts.getByText(hostile, { exact: true }).waitFor()
  answer = { status: 204, body: '' }
  await page.getByRole('button', { name: 'Send test', exact: true }).click()
  await page.getByText(/^The receiver took the test message: 204 in /).waitFor()
  expect(received.map(({ type }) => type)).toEqual(['webhook.test', 'webhook.test'])
  await attemptWith('204').waitFor()
  await page.getByRole('link', { name: 'Failed', exact: true }).click()
  await attemptWith('204').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await page.getByRole('button', { name: 'Replay…', exact: true }).click()
  await page.getByRole('radio', { name: 'Everything from the beginning' }).check()
  await page.getByRole('button', { name: 'Send again', exact: true }).click()
  await page.getByText('0-0', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Rotate key…', exact: true }).click()
  await page.getByRole('button', { name: 'Rotate key', exact: true }).click()
  await page.getByRole('heading', { name: 'The new key signs now' }).waitFor()
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  await page.getByText('signs too until').waitFor()

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByRole('combobox', { name: 'Vendor', exact: true }).fill('valley')
  await page.getByRole('option', { name: /^Green Valley Farms V-1001/ }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('V-1001', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Delete…', exact: true }).click()
  await page.getByRole('button', { name: 'Delete webhook', exact: true }).click()
  await page.getByText('There is no webhook yet').waitFor()
  await end()
})
