// Receiving at the dock with and without a network: each receipt becomes one receiving event, and
// what is kept on the device belongs to who is signed in. Source: decision 0027.
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Fastify from 'fastify'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mountConsole } from '../../../../src/http/console.ts'
import { seriousFindings } from '../../../support/pages/axe.ts'
import { goByMenu, openBrowser, settled, visit } from '../../../support/pages/browser.ts'
import { type Payload, paths, shippingPayload } from '../../../support/records/payloads.ts'
import { isShortRun } from '../../../support/runs.ts'
import { type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let browser: Browser
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

const hourMs = 3_600_000
/** As a telephone at a dock meets it: there is no network. */
const expected = /net::ERR_|ERR_INTERNET_DISCONNECTED|status of 4/

let hoursAgo = 1

/** A shipment of two pallets that left some hours ago. Returns its id. */
async function ship({ call }: TestProvider, asnNumber: string, edit: (payload: Payload) => void = () => undefined) {
  const body = shippingPayload((payload) => {
    const { eventList } = payload
    const left = new Date(Date.now() - ++hoursAgo * hourMs)
    eventList.eventDateTime = left.toISOString().replace(/\.\d+/, '')
    Object.assign(eventList, { asnNumber, purchaseOrderNumber: `PO-${asnNumber}`, billOfLadingNumber: undefined })
    const [first, second, third] = eventList.productList
    for (const line of [first, second, third]) for (const day of ['packagingDate', 'harvestDate']) delete line[day]
    third.palletId = second.palletId
    edit(payload)
  })
  const reply = await call('POST', paths.shippingEvent, { body })
  expect(reply.status, reply.text).toBe(201)
  return String(reply.body.request_ids[0])
}

/** The receiving events of a shipment, the oldest first. */
const receipts = async ({ call }: TestProvider, asnNumber: string): Promise<readonly Payload[]> =>
  (await call('GET', `${paths.receivingEvent}?asnNumber=${asnNumber}`)).body.content.toReversed()

const linesOf = ({ eventList }: Payload): unknown =>
  eventList.productList.map(({ caseLotNumber, shipQuantity }: Payload) => `${shipQuantity} ${caseLotNumber}`)

const openDock = async (provider: TestProvider, width = 360) => {
  const visited = await visit(browser, '/dock', {
    url: service.url,
    key: await provider.key('writer'),
    width,
    expected,
  })
  await visited.page.getByText('This page opens on this device without a network').waitFor()
  await settled(visited.page)
  return visited
}

/** As a scanner does: it types into whatever has the focus, and ends with Enter. */
async function scan(page: Page, text: string): Promise<void> {
  // The first key brings the focus into the field.
  await page.keyboard.press(text.slice(0, 1))
  await page.keyboard.insertText(text.slice(1))
  await page.keyboard.press('Enter')
}

const reload = async (page: Page) => {
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
}

const record = async (page: Page) => {
  await page.getByRole('button', { name: 'Record receipt', exact: true }).click()
  const dialog = page.getByRole('dialog')
  if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Record receipt', exact: true }).click()
  await page.getByRole('heading', { name: 'Receive at the dock', exact: true }).waitFor()
}

/** The receipt of a shipment in the list of this device, with or without its state. */
const card = (page: Page, asnNumber: string, state = '') =>
  page
    .getByRole('region', { name: 'Receipts on this device' })
    .getByRole('link')
    .filter({ hasText: asnNumber, has: page.locator('.tag', { hasText: state }) })

test('a shipment is found, ticked and recorded with a scanner and no network, and stored once when it is back', async () => {
  const provider = await service.provider()
  const id = await ship(provider, 'ASN-1')
  await ship(provider, 'ASN-2', ({ eventList }) => {
    eventList.productList = [{ ...eventList.productList[0], palletId: '106141410000000040', caseLotNumber: 'Z-1' }]
  })
  const { page, end } = await openDock(provider)
  expect(await seriousFindings(page)).toEqual([])
  await page.context().setOffline(true)
  await reload(page)
  await page.getByText('2 shipments, read at').waitFor()

  await scan(page, ']C100106141410000000026')
  await page.getByRole('heading', { name: /ASN-1/ }).waitFor()
  await page.getByText('2 of 3 lines').waitFor()
  await scan(page, '<img src=x onerror=alert(1)>')
  await page.getByText('“<img src=x onerror=alert(1)>” is no pallet').waitFor()
  await page.keyboard.press('Control+A')
  await scan(page, '(01)10614141000415(10)NEW-1')
  await page.getByRole('button', { name: 'Add lot NEW-1 as a line' }).click()
  await page.getByLabel('Quantity, line 2', { exact: true }).fill('3')
  // A label is no quantity.
  await page.getByLabel('Quantity, line 4', { exact: true }).focus()
  await page.keyboard.insertText('011061414100041510GV26062-A')
  await page.keyboard.press('Enter')
  await page.getByText('Lot GV26062-A, line 1, is ticked').waitFor()
  expect(await page.getByLabel('Quantity, line 4', { exact: true }).inputValue()).toBe('24')
  await page.getByLabel('Quantity, line 4', { exact: true }).fill('20')
  expect(await seriousFindings(page)).toEqual([])

  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click()
  await reload(page)
  await page.getByText('4 of 4 lines · 119 case').waitFor()
  await page.getByLabel('Scan what arrived').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await card(page, 'ASN-1', 'waits').waitFor()
  await reload(page)
  await card(page, 'ASN-1', 'waits').waitFor()
  expect(await receipts(provider, 'ASN-1')).toEqual([])

  await page.context().setOffline(false)
  await card(page, 'ASN-1', 'recorded').waitFor()
  const [stored, ...others] = await receipts(provider, 'ASN-1')
  expect([linesOf(stored), others]).toEqual([['56 GV26062-A', '3 NEW-1', '40 GV26063-B', '20 GV26062-C'], []])
  await card(page, 'ASN-1').click()
  await page.getByRole('link', { name: 'See the receiving event' }).waitFor()
  expect(page.url()).toContain(`/console/dock/${id}`)
  const kept = await page.evaluate(`(async () => {
    const urls = []
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) urls.push(new URL(url).pathname)
    return urls
  })()`)
  expect((kept as string[]).filter((path) => !/^\/console\/(?:assets\/[\w.-]+)?$/.test(path))).toEqual([])
  await end()
})

test('a key of a scanner reaches the field as soon as the field is there', async () => {
  const provider = await service.provider()
  await ship(provider, 'ASN-2B')
  const { page, end } = await openDock(provider)
  // In the moment in which the field of the shipment appears, before the page is painted.
  await page.evaluate(`new MutationObserver((_, observer) => {
    if (document.querySelector('#dock-form #scan') === null) return
    observer.disconnect()
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'L', bubbles: true }))
    window.focusedAtOnce = document.activeElement.id
  }).observe(document.body, { childList: true, subtree: true })`)
  await page.getByRole('link', { name: /ASN-2B/ }).click()
  await page.getByLabel('Scan what arrived').waitFor()
  expect(await page.evaluate('window.focusedAtOnce')).toBe('scan')
  await end()
})

test('a receipt whose answer is lost is sent again until there is one, and stored once', async () => {
  const provider = await service.provider()
  await ship(provider, 'ASN-3')
  const { page, end } = await openDock(provider)
  let sent = 0
  let isLost = true
  // Not `unroute`: it lets requests through that a handler still holds, whose `abort` then fails.
  await page.route('**/data-provider/events/receiving', async (route) => {
    if (!isLost) return route.continue()
    sent++
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('link', { name: /ASN-3/ }).click()
  await page.getByRole('button', { name: 'Tick all', exact: true }).click()
  await record(page)
  await expect.poll(() => sent).toBeGreaterThan(1)
  expect(await receipts(provider, 'ASN-3')).toHaveLength(1)
  await card(page, 'ASN-3').click()
  await page.getByText('It was sent before, and no answer came').waitFor()
  await reload(page)
  await page.getByText('It was sent before, and no answer came').waitFor()
  expect(await page.getByRole('button', { name: 'Change it' }).count()).toBe(0)
  isLost = false
  await page.getByText('Recorded.').waitFor()
  expect(await receipts(provider, 'ASN-3')).toHaveLength(1)
  await end()
})

test.skipIf(isShortRun)('of two who receive one shipment offline, the second is told, and decides', async () => {
  const provider = await service.provider()
  await ship(provider, 'ASN-4')
  const devices = [await openDock(provider), await openDock(provider, 1440)]
  for (const { page } of devices) {
    await page.context().setOffline(true)
    await page.getByRole('link', { name: /ASN-4/ }).click()
    await page.getByRole('checkbox', { name: /line 1/ }).check()
    const isFirst = page === devices[0]?.page
    await page.getByLabel('Quantity, line 1', { exact: true }).fill(isFirst ? '50' : '6')
    // A vendor delivers to a place once in a second.
    if (!isFirst) await page.getByLabel('Received at: Time', { exact: true }).fill('00:00:01')
    await record(page)
  }
  const [first, second] = devices.map(({ page }) => page) as [Page, Page]
  await first.context().setOffline(false)
  await card(first, 'ASN-4', 'recorded').waitFor()
  await second.context().setOffline(false)
  await card(second, 'ASN-4', 'refused').waitFor()
  expect((await receipts(provider, 'ASN-4')).map(linesOf)).toEqual([['50 GV26062-A']])
  await card(second, 'ASN-4').click()
  await second.getByText('Perhaps received already').waitFor()
  expect(await seriousFindings(second)).toEqual([])
  await second.getByRole('button', { name: 'Record another receipt' }).click()
  await record(second)
  await card(second, 'ASN-4', 'recorded').waitFor()
  expect((await receipts(provider, 'ASN-4')).map(linesOf)).toEqual([['50 GV26062-A'], ['6 GV26062-A']])
  for (const { end } of devices) await end()
})

test('a refusal is shown at its line, and the corrected receipt is stored', async () => {
  const provider = await service.provider()
  await ship(provider, 'ASN-5')
  const { page, end } = await openDock(provider)
  await page.getByLabel('Pallet, case, ship notice or order').fill('asn 5')
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: /line 2/ }).check()
  await page.getByRole('button', { name: 'Correct lot of line 2' }).click()
  await page.getByLabel('Lot code, line 2', { exact: true }).fill('L'.repeat(101))
  await record(page)
  await card(page, 'ASN-5', 'refused').click()
  await page.locator('#line-2 .finding.error').waitFor()
  expect(await page.locator('.finding').count()).toBe(1)
  await page.getByLabel('Lot code, line 2', { exact: true }).fill('L-2')
  await record(page)
  await card(page, 'ASN-5', 'recorded').waitFor()
  expect((await receipts(provider, 'ASN-5')).map(linesOf)).toEqual([['40 L-2']])
  await end()
})

test('signing out asks about receipts that are not sent, and deletes all that the device keeps', async () => {
  const provider = await service.provider()
  await ship(provider, 'ASN-6')
  const { page, end } = await openDock(provider)
  await page.getByRole('link', { name: /ASN-6/ }).click()
  await page.getByRole('checkbox', { name: /line 1/ }).check()
  await page.getByText('1 of 3 lines').waitFor()
  const signOut = async () => {
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  }
  await signOut()
  await page.getByText('1 receipt on this device is not sent yet').waitFor()
  await page.getByRole('button', { name: 'Stay', exact: true }).click()
  await reload(page)
  await page.getByText('1 of 3 lines').waitFor()
  await signOut()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  const left = `indexedDB.databases().then((all) => [all.length, localStorage.getItem('lotkeeper.device')])`
  await expect.poll(() => page.evaluate(left)).toEqual([0, null])
  // The page opens, and shows nothing.
  await page.context().setOffline(true)
  await page.reload()
  await page.locator('.away').waitFor()
  expect(await page.getByText('ASN-6').count()).toBe(0)
  await end()
})

test('a receipt outlives the session that it was made in, and is sent when somebody of the provider signs in', async () => {
  const provider = await service.provider()
  await ship(provider, 'ASN-9')
  const { page, end } = await openDock(provider)
  await page.context().setOffline(true)
  await page.getByRole('link', { name: /ASN-9/ }).click()
  await page.getByRole('button', { name: 'Tick all', exact: true }).click()
  await record(page)
  await page.context().clearCookies()
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  await reload(page)
  expect(await page.getByText('ASN-9').count()).toBe(0)
  await page.getByLabel('Key', { exact: true }).fill(await provider.key('writer'))
  await page.keyboard.press('Enter')
  await card(page, 'ASN-9', 'recorded').waitFor()
  expect(await receipts(provider, 'ASN-9')).toHaveLength(1)
  await end()
})

test.skipIf(isShortRun)('a device shows nothing to nobody: not after a shift without the service', async () => {
  const provider = await service.provider()
  await ship(provider, 'ASN-10')
  const { page, end } = await openDock(provider)
  await page.context().setOffline(true)
  await reload(page)
  await page.getByRole('link', { name: /ASN-10/ }).waitFor()
  await page.clock.setFixedTime(Date.now() + 13 * hourMs)
  await page.reload()
  await page.locator('.away').waitFor()
  await page.getByText('Loading who is signed in').waitFor({ state: 'attached' })
  expect(await page.getByText('ASN-10').count()).toBe(0)
  await end()
})

test('nobody sees what the device keeps for another provider, and readers do not receive', async () => {
  const [provider, other] = [await service.provider(), await service.provider()]
  await ship(provider, 'ASN-7')
  const { page, end } = await openDock(provider)
  await page.getByRole('link', { name: /ASN-7/ }).waitFor()
  for (const role of ['writer', 'reader'] as const) {
    await page.context().clearCookies()
    await reload(page)
    await page.getByLabel('Key', { exact: true }).fill(await other.key(role))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Receive at the dock' }).waitFor()
    await settled(page)
    expect(await page.getByText('ASN-7').count()).toBe(0)
  }
  await page.getByText('Your key does not allow that').waitFor()
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('link', { name: 'Trace a lot' }).waitFor()
  expect(await page.getByRole('link', { name: 'Receive at the dock' }).count()).toBe(0)
  await end()
})

test.skipIf(isShortRun)('a receipt that waits is sent from any page of the console', async () => {
  const provider = await service.provider()
  await ship(provider, 'ASN-8')
  const { page, end } = await openDock(provider, 1440)
  await page.context().setOffline(true)
  await page.getByRole('link', { name: /ASN-8/ }).click()
  await page.getByRole('button', { name: 'Tick all', exact: true }).click()
  await record(page)
  await goByMenu(page, 'Administration', 'Limits')
  await page.context().setOffline(false)
  await page.getByText('Received: ASN-8').waitFor()
  expect(await receipts(provider, 'ASN-8')).toHaveLength(1)
  await end()
})

test.skipIf(isShortRun)('after an update the page is the new one at once, and the old files go', async () => {
  const folder = `${await mkdtemp(join(tmpdir(), 'console-'))}/`
  await cp(new URL('../../../../dist/console/', import.meta.url), folder, { recursive: true })
  const change = async (name: string, edit: (text: string) => string) =>
    writeFile(folder + name, edit(await readFile(folder + name, 'utf8')))
  try {
    for (const name of await readdir(folder, { recursive: true }))
      if (/\.(?:br|gz)$/.test(name)) await rm(folder + name)
    const server = Fastify()
    await mountConsole(server, pathToFileURL(folder))
    const url = await server.listen({ host: '127.0.0.1', port: 0 })
    const { page, end } = await visit(browser, '/', { url, expected: /net::ERR_|status of 404/ })
    await page.evaluate(
      `navigator.serviceWorker.register('/console/worker.js').then(() => navigator.serviceWorker.ready)`,
    )
    const name = 'assets/fresh-0123abcd.js'
    await writeFile(folder + name, '// of the new build')
    await change('index.html', (text) => text.replace('<title>', '<meta name="build" content="new" /><title>'))
    await change('worker.js', (text) => text.replace('[', `["${name.slice('assets/'.length)}",`))
    await page.reload()
    const isNew = `document.querySelector('meta[name=build]') !== null`
    expect(await page.evaluate(isNew)).toBe(true)
    await expect
      .poll(() => page.evaluate(`caches.keys().then((names) => [names.length, names[0].includes('fresh-0123abcd')])`))
      .toEqual([1, true])
    await server.close()
    await page.reload()
    expect(await page.evaluate(isNew)).toBe(true)
    await end()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
