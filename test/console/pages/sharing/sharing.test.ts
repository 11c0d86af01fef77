// Sharing with a partner in the page: the guide walked through, the pages of the partner, an opened
// lot, and everything taken back.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OwnDatabase, ownDatabase } from '../../../support/databases/database.ts'
import { openBrowser, settled, visit } from '../../../support/pages/browser.ts'
import { sendExamples } from '../../../support/pages/guide-journey.ts'
import { followSharing } from '../../../support/pages/sharing-journey.ts'
import { allowMs } from '../../../support/patience.ts'
import { type ServerProcess, startServerProcess } from '../../../support/servers/server-process.ts'
import { type Call, calling } from '../../../support/servers/service.ts'

let database: OwnDatabase
let server: ServerProcess
let browser: Browser
let url: string
let key: string
let call: Call
let partnerKey: string
let read: Call
beforeAll(async () => {
  database = await ownDatabase()
  ;[server, browser] = await Promise.all([startServerProcess(database.env), openBrowser()])
  url = server.address
  key = server.firstKey ?? ''
  call = calling(url, key)
  await sendExamples(url, key)
  const pictures: string[] = []
  ;({ partnerKey } = await followSharing(browser, {
    url,
    key,
    take: async (_, name) => void pictures.push(name),
  }))
  read = calling(url, partnerKey)
})
afterAll(async () => {
  await Promise.all([browser?.close(), server?.end('SIGTERM')])
  await database?.drop()
})

const partner = async () => (await call('GET', '/partners')).body.content[0]

test('the page of a partner calls nothing that its key may not call, and names whose records they are', async () => {
  const refused: string[] = []
  const { page, end } = await visit(browser, '/', { url, key: partnerKey, width: 768 })
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
  })
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  const menu = page.getByRole('navigation', { name: 'Console' }).getByRole('link')
  await menu.filter({ hasText: 'FDA package' }).waitFor()
  const titles = await menu.allTextContents()
  expect(titles).toEqual(expect.arrayContaining(['Overview', 'Receiving events', 'Trace a lot', 'FDA package']))
  expect(titles).not.toContain('Partners')
  const offered = await menu.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  const [event] = (await read('GET', '/data-provider/events/receiving')).body.content
  const others = [`/events/${event.id}`, `/events/${event.id}/versions`, '/trace?lotCode=GV26063-A']
  for (const path of [...offered, ...others.map((one) => `/console${one}`)]) {
    await page.goto(url + path)
    await page.getByRole('complementary', { name: 'Sharing' }).getByText('Shared with you by').waitFor()
    await settled(page)
  }
  expect(refused).toEqual([])
  await page.goto(`${url}/console/alerts`)
  await page.getByRole('heading', { name: 'Not shared with you' }).waitFor()
  await end()
})

test('an invitation says who invites, works once, and is then not to be accepted', async () => {
  const { id } = await partner()
  const { token, path } = (await call('POST', `/partners/${id}/invitations`, { body: { label: 'twice' } })).body
  const open = await visit(browser, path.replace('/console', ''), { url })
  await open.page.getByRole('heading', { name: 'Green Valley Foods invites Valley Grocers', exact: true }).waitFor()
  await open.page.getByRole('button', { name: 'Accept invitation', exact: true }).waitFor()
  await open.end()
  await calling(url, token)('POST', '/invitations/accept', { body: {} })
  const { page, end } = await visit(browser, path.replace('/console', ''), {
    url,
    expected: /the server responded with a status of 4\d\d/,
  })
  await page.getByText('This invitation is not valid').waitFor()
  expect(await page.getByRole('button', { name: 'Accept invitation' }).count()).toBe(0)
  await end()
})

test('what is withdrawn while a partner has a list open goes from the list', async () => {
  const { id, name, places, grants } = await partner()
  const { page, end } = await visit(browser, '/events', { url, key: partnerKey, expected: /status of (4|5)\d\d/ })
  const rows = page.getByRole('table').getByRole('row')
  await expect.poll(() => rows.count()).toBeGreaterThan(1)
  const before = await rows.count()
  const fewer = grants.map((grant: object) => ({ ...grant, dataProviderVendorIds: ['V-1001'] }))
  await call('PUT', `/partners/${id}`, { body: { name, places, grants: fewer } })
  await page.getByText('not shared with you any more').waitFor()
  await expect.poll(() => rows.count()).toBeLessThan(before)
  await call('PUT', `/partners/${id}`, { body: { name, places, grants } })
  await expect.poll(async () => (await partner()).state, { timeout: allowMs(10_000) }).toBe('open')
  await end()
})

test('a change says what it withdraws before it is saved, and a place that is left out is offered', async () => {
  const { id, places } = await partner()
  const { page, end } = await visit(browser, `/partners/${id}/edit`, { url, key })
  const form = page.getByRole('form', { name: 'Partner' })
  await form.getByRole('button', { name: /^Remove .*Store 114/ }).click()
  await form.getByText('sees today is withdrawn').waitFor()
  await form
    .getByRole('region', { name: 'Not covered' })
    .getByRole('button', { name: /Store 114/ })
    .waitFor()
  // What is typed and not picked narrows too: it cannot look as if it did and not do so.
  await form.getByLabel('Vendors').fill('V-9999')
  await form.getByLabel('Items').focus()
  await form.getByText('vendor V-9999').waitFor()
  await form.getByText(/would see no event today/).waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(new RegExp(`/partners/${id}$`))
  const saved = await partner()
  expect(saved.places).toHaveLength(places.length - 1)
  expect(saved.grants[0].dataProviderVendorIds).toEqual(['V-9999'])
  await end()
})

test('a lot is opened after its preview, and is one sentence more', async () => {
  const { id } = await partner()
  const { page, end } = await visit(browser, `/partners/${id}`, { url, key })
  await page.getByRole('button', { name: 'Open a lot…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Lot code').fill('GV26063-A')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText(/Opens|would see no event/).waitFor()
  await dialog.getByRole('button', { name: 'Open lot', exact: true }).click()
  await page.getByRole('listitem').filter({ hasText: 'the events with lot GV26063-A' }).waitFor()
  expect((await partner()).grants).toMatchObject([{ direction: 'shipTo' }, { lotCode: 'GV26063-A' }])
  await end()
})

test('what a partner read is told in words, by day, with each request below', async () => {
  const { id } = await partner()
  const { page, end } = await visit(browser, `/partners/${id}`, { url, key })
  const read = page.getByRole('table', { name: 'What the partner read', exact: true })
  const row = read.getByRole('row').filter({ hasText: 'Sam Reed' }).first()
  await row.getByText(/^Looked through receiving events/).waitFor()
  expect(await read.textContent()).not.toMatch(/listReceivingEvents|List receiving/)
  await page.getByText('Each request', { exact: true }).click()
  await page.getByRole('table', { name: 'Requests', exact: true }).getByText('Accept invitation').first().waitFor()
  await end()
})

test('a key is revoked, and a partner deleted, from its page', async () => {
  const { id } = await partner()
  const { page, end } = await visit(browser, `/partners/${id}`, {
    url,
    key,
    // The page of a deleted partner asks for the partner first.
    expected: /the server responded with a status of 404/,
  })
  await page.getByRole('button', { name: 'Revoke Sam Reed' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
  await expect.poll(async () => (await read('GET', '/keys/own')).status, { timeout: allowMs(10_000) }).toBe(401)
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete partner' }).click()
  await page.getByText('Nothing is shared yet').waitFor()
  expect((await call('GET', '/partners')).body.content).toEqual([])
  await page.getByRole('table', { name: 'Deleted partners' }).getByRole('link').first().click()
  await page.getByText('Nothing is shared with Valley Grocers any more. The access log').waitFor()
  await page.getByRole('heading', { name: 'What it read' }).waitFor()
  await end()
})
