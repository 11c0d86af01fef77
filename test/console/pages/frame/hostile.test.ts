// A payload is text, whatever it says: nothing of it runs, and none of it breaks the page.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OwnDatabase, ownDatabase } from '../../../support/databases/database.ts'
import { openBrowser, settled, visit } from '../../../support/pages/browser.ts'
import { allowMs } from '../../../support/patience.ts'
import { eventPayload, type Payload, paths } from '../../../support/records/payloads.ts'
import { isShortRun } from '../../../support/runs.ts'
import { type ServerProcess, startServerProcess } from '../../../support/servers/server-process.ts'
import { type Call, calling, type Reply } from '../../../support/servers/service.ts'

let own: OwnDatabase
let server: ServerProcess
let browser: Browser
let key: string
let call: Call
beforeAll(async () => {
  own = await ownDatabase()
  const env = { ...own.env, WEBHOOK_ALLOW_PRIVATE: 'true' }
  ;[server, browser] = await Promise.all([startServerProcess(env), openBrowser()])
  key = server.firstKey ?? ''
  call = calling(server.address, key)
})
afterAll(async () => {
  await Promise.all([browser?.close(), server?.end('SIGTERM')])
  await own?.drop()
})

const script = `"><img src=x onerror=alert(1)><script>alert(2)</script>`
const contents = {
  'a script, right-to-left text with overrides, and emoji': `${script}\u202eמשלוח\u202e\u2066‏ ABC${'🥬'.repeat(30)}`,
  '100 characters without a blank': 'W'.repeat(100),
}

/** The text in every field whose form is free, and in the codes that refer to each other. */
const filled = (text: string) =>
  eventPayload((payload: Payload) => {
    payload.payloadId = text
    const { eventList: event, locationMasterList: places, productMasterDataList: products } = payload
    Object.assign(event, {
      dataProviderVendorId: text,
      dataProviderVendorName: text,
      purchaseOrderNumber: text,
      shipFromLocationCode: text,
      carrierShipmentMethod: text,
      equipmentDescription: text,
      businessUnit: text,
    })
    Object.assign(places[0], { locationCode: text, locationName: text, region: text })
    Object.assign(places[0].address, { streetAddress1: text, city: text })
    Object.assign(products[0], { itemDescription: text, brandName: text })
    delete products[0].packSize
    for (const line of event.productList)
      Object.assign(line, { caseLotNumber: text, tlcSourceReferenceOther: text, vendorItemDescription: text })
  })

const ok = async (reply: Promise<Reply>): Promise<Payload> => {
  const { status, text, body } = await reply
  expect([200, 201], text).toContain(status)
  return body
}

/** Waits until the correction has come to this state. */
const comeTo = async (id: string, state: string): Promise<Payload> => {
  await expect.poll(async () => (await ok(call('GET', `/corrections/${id}`))).state).toBe(state)
  return ok(call('GET', `/corrections/${id}`))
}

/** Lists and sums, which show what all records have. */
const lists = [
  '/',
  '/completeness',
  '/voided',
  '/corrections',
  '/alerts',
  '/senders',
  '/webhooks',
  '/partners',
  '/package-links',
]

/** A record, a correction and its undoing, a webhook and an alert; and where each is shown. */
async function storeEverywhere(text: string): Promise<readonly string[]> {
  const create = async () => (await ok(call('POST', paths.receivingEvent, { body: filled(text) }))).request_ids[0]
  const id = await create()
  const body = await ok(call('GET', `${paths.receivingEvent}/${id}`))
  delete body.eventList.equipmentDescription
  await ok(call('PUT', `${paths.receivingEvent}/${id}`, { body }))
  await ok(call('POST', `${paths.receivingEvent}/${await create()}/void`, { body: { reason: text } }))
  const change = { field: 'event.equipmentNumber', set: text, overwrite: true }
  const where = { dataProviderVendorId: [text] }
  const corrected = await ok(call('POST', '/corrections', { body: { reason: text, where, changes: [change] } }))
  const { outcomes } = await comeTo(corrected.id, 'previewed')
  await ok(call('POST', `/corrections/${corrected.id}/apply`, { body: { ready: outcomes.ready } }))
  await comeTo(corrected.id, 'done')
  const undoing = await ok(call('POST', `/corrections/${corrected.id}/undo`, { body: { reason: text } }))
  await comeTo(undoing.id, 'previewed')
  const webhook = await ok(
    call('POST', '/webhooks', { body: { url: 'http://127.0.0.1:9/', description: text, types: ['alert.*'] } }),
  )
  const senders = [{ senderId: text, dataProviderVendorId: text, places: [{ code: text, locationCode: text }] }]
  await ok(call('PUT', '/ship-notice-senders', { body: { senders } }))
  await ok(call('PUT', '/capture/senders', { body: { senders: [{ sender: text, dataProviderVendorId: text }] } }))
  const targets = { targets: [{ dataProviderVendorId: text, completeShare: 1 }] }
  await ok(call('PUT', '/vendor-targets', { body: targets }))
  await expect.poll(async () => (await ok(call('GET', '/alerts'))).content.map(vendorOf)).toContain(text)
  return [
    `/events?lotCode=${encodeURIComponent(text)}`,
    `/events/${id}`,
    `/events/${id}/versions?compare=1..2`,
    `/events/${id}/edit`,
    `/events/${id}/json`,
    // Of the newest.
    '/changes',
    `/corrections/${corrected.id}`,
    `/corrections/${undoing.id}`,
    `/corrections/new?${new URLSearchParams({ dataProviderVendorId: text })}`,
    `/completeness/complete?${new URLSearchParams({ product: text, dataProviderVendorId: text })}`,
    `/senders/ship-notices?${new URLSearchParams({ sender: text.trim() })}`,
    `/senders/epcis?${new URLSearchParams({ sender: text })}`,
    `/webhooks/${webhook.id}`,
    `/webhooks/${webhook.id}/edit`,
  ]
}

/** A partner with this text for its name, places, grants and people; where it is shown, to its key too. */
async function shareEverywhere(text: string) {
  const endDateTime = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+/, '')
  const body = {
    name: text,
    places: [{ locationCode: text, dataProviderVendorId: text }, { locationCode: text }],
    grants: [
      { direction: 'shipFrom', dataProviderVendorIds: [text] },
      { direction: 'shipTo', itemCodes: [text] },
      { lotCode: text, endDateTime },
    ],
  }
  const { id } = await ok(call('POST', '/partners', { body }))
  const { token } = await ok(call('POST', `/partners/${id}/invitations`, { body: { label: text, personName: text } }))
  await ok(call('POST', `/partners/${id}/invitations`, { body: { label: text } }))
  const { key: partnerKey } = await ok(calling(server.address, token)('POST', '/invitations/accept', { body: {} }))
  const read = calling(server.address, partnerKey)
  const shown = async () => (await read('GET', paths.receivingEvent)).body.content?.[0]?.id
  await expect.poll(shown, { timeout: allowMs(20_000) }).toBeDefined()
  await ok(call('POST', `/package-links?${new URLSearchParams({ lotCode: text })}`, { body: { label: text } }))
  return {
    pages: [`/partners/${id}`, `/partners/${id}/edit`, '/access-log'],
    partnerKey,
    partnerPages: ['/', '/events', `/events/${await shown()}`, `/trace?${new URLSearchParams({ lotCode: text })}`],
  }
}

const vendorOf = ({ dataProviderVendorId }: Payload): string => dataProviderVendorId

async function expectTexts(texts: readonly string[], of: string, pages: readonly string[]): Promise<void> {
  const { page, end } = await visit(browser, '/events', { url: server.address, key: of, width: 360 })
  const shown = () =>
    page.evaluate(
      '[document.body.innerText, ...[...document.querySelectorAll("textarea, input")].map(({ value }) => value)].join("\\n")',
    )
  for (const path of pages) {
    await page.goto(`${server.address}/console${path}`)
    await settled(page)
    // Names of changed records come one by one.
    for (const text of texts)
      await expect.poll(shown, { message: path }).toContain(path.endsWith('json') ? JSON.stringify(text) : text)
    expect(await page.evaluate('document.querySelectorAll("img, main script, iframe, object").length'), path).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), path).toBe(true)
  }
  await end()
}

// A short run shows the one that would run.
const taken = Object.entries(contents).slice(0, isShortRun ? 1 : undefined)

describe(`${taken.map(([name]) => name).join(', and ')}, in every field`, () => {
  test.each(taken)('%s: stays text, on every page of its own and at 360 pixels', async (_, text) => {
    const stored = await storeEverywhere(text)
    const { pages, partnerKey, partnerPages } = await shareEverywhere(text)
    await expectTexts([text], key, [...stored, ...pages])
    await expectTexts([text], partnerKey, partnerPages)
  })

  test('stay text in all lists', () =>
    expectTexts(
      taken.map(([, text]) => text),
      key,
      lists,
    ))
})

test('a character that cannot be seen is marked, turns no letter around, and is copied as it is stored', async () => {
  const body = eventPayload((payload: Payload) => {
    Object.assign(payload.eventList, { billOfLadingNumber: 'BOL\u202e4321', equipmentDescription: 'קירור \u200f7' })
  })
  const [id] = (await ok(call('POST', paths.receivingEvent, { body }))).request_ids
  const { page, end } = await visit(browser, `/events/${id}`, { url: server.address, key })
  await settled(page)
  const value = page.locator('.value', { hasText: 'BOL\u202e4321' })
  expect(await value.innerText()).toBe('BOL\u202e4321')
  expect(await value.getByTitle('U+202E RIGHT-TO-LEFT OVERRIDE', { exact: true }).count()).toBe(1)
  const drawn = await page.evaluate(`(() => {
    const mark = document.querySelector('.value .unseen')
    const range = document.createRange()
    const leftOf = (at) => {
      range.setStart(mark.nextSibling, at)
      range.setEnd(mark.nextSibling, at + 1)
      return range.getBoundingClientRect().left
    }
    return { mark: getComputedStyle(mark, '::before').content, digits: mark.nextSibling.data, inOrder: leftOf(0) < leftOf(3) }
  })()`)
  expect(drawn).toEqual({ mark: '"U+202E"', digits: '4321', inOrder: true })
  await expect.poll(() => page.getByText('Character 4 of Bill of lading is U+202E').count()).toBeGreaterThan(0)
  expect(await page.locator('.value', { hasText: 'קירור' }).locator('.unseen').count()).toBe(0)
  await end()
})
