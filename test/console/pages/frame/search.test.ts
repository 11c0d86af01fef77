// Finding things from any page: the search over all with keys alone, the menus, and what a role is
// offered in them.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { indexAll } from '../../../../src/handlers/records/search-index.ts'
import { goByMenu, openBrowser, visit } from '../../../support/pages/browser.ts'
import { eventPayload, locationPayload, paths, shippingPayload } from '../../../support/records/payloads.ts'
import { calling, type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
let options: { url: string; key: string }
let event: string
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
  options = { url: service.url, key: await provider.key('administrator') }
  const body = eventPayload((payload) => {
    payload.eventList.purchaseOrderNumber = 'ORDER-<b>1</b>'
    payload.eventList.productList[0].caseLotNumber = '(01)10614141000415(10)MIX-77'
  })
  event = (await provider.call('POST', paths.receivingEvent, { body })).body.request_ids[0]
  const location = locationPayload((payload) => {
    payload.locationMasterList.locationName = 'Harbour Cold Store'
  })
  await provider.call('POST', paths.location, { body: location })
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

const choices = (page: Page) => page.getByRole('option')
const pathOf = (page: Page) => new URL(page.url()).pathname.replace('/console', '') + new URL(page.url()).search

test('from any page, keys alone find a lot, an order and a location, and go to a page', async () => {
  const { page, end } = await visit(browser, '/keys', options)
  await page.getByRole('heading', { name: 'People and keys', exact: true }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('mix77')
  await choices(page).filter({ hasText: 'MIX-77' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Lot MIX-77' }).waitFor()
  expect(pathOf(page)).toBe('/trace?lotCode=MIX-77')

  // A scanner presses Enter before the answer is there.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('ORDER-')
  await page.keyboard.press('Enter')
  await expect.poll(() => pathOf(page)).toBe(`/events/${event}`)

  await page.keyboard.press('/')
  await page.keyboard.type('cold st')
  await choices(page).filter({ hasText: 'Harbour Cold Store' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => pathOf(page)).toMatch(/^\/locations\//)

  await page.keyboard.press('/')
  await choices(page).filter({ hasText: 'MIX-77' }).waitFor()
  await page.keyboard.type('recall')
  const trace = choices(page).filter({ hasText: 'Trace a lot' })
  await trace.waitFor()
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Search or go to' }).getAttribute('aria-activedescendant'))
    .toBe(await trace.getAttribute('id'))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Trace a lot' }).waitFor()
  await end()
})

test('Escape closes the search and restores the focus; an empty result suggests what to do', async () => {
  const { page, end } = await visit(browser, '/events', options)
  const more = page.getByRole('button', { name: 'More filters' })
  await more.focus()
  await page.keyboard.press('/')
  await page.keyboard.type('no such thing')
  await page.getByText('No record found for “no such thing”').waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect.poll(() => choices(page).count()).toBe(0)
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('More filters')
  expect(pathOf(page)).toBe('/events')
  await end()
})

test('the menus work by arrows, Enter and Escape, and show where the page is', async () => {
  const { page, end } = await visit(browser, '/completeness', options)
  const menus = page.getByRole('navigation', { name: 'Console' })
  const answers = menus.getByRole('button', { name: 'Answers' })
  await page.getByRole('heading', { name: 'Completeness', exact: true }).waitFor()
  expect(await answers.getAttribute('data-here')).toBe('')
  await menus.getByRole('button', { name: 'Records' }).focus()
  for (const [key, focused] of [
    ['ArrowRight', 'Answers'],
    ['ArrowDown', 'Trace a lot'],
    ['ArrowDown', 'What is left of a lot'],
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(focused)
  }
  expect(await menus.getByRole('link', { name: 'Completeness', exact: true }).getAttribute('aria-current')).toBe('page')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Answers')
  expect(await answers.getAttribute('aria-expanded')).toBe('false')
  await answers.click()
  await page.getByRole('heading', { name: 'Completeness', exact: true }).click()
  await expect.poll(() => answers.getAttribute('aria-expanded')).toBe('false')
  await goByMenu(page, 'Answers', 'FDA package')
  await page.getByRole('heading', { name: 'FDA package' }).waitFor()
  expect(await answers.getAttribute('aria-expanded')).toBe('false')
  await end()
})

test.each([
  ['reader', []],
  ['writer', ['Import', 'New receiving event']],
  ['administrator', ['Import', 'New receiving event', 'Access log']],
] as const)('a %s is offered the pages that the role may use, in menus and search', async (role, offered) => {
  const { page, end } = await visit(browser, '/', { url: service.url, key: await provider.key(role), width: 768 })
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('link', { name: 'Receiving events', exact: true }).waitFor()
  for (const title of ['Import', 'Access log'])
    expect(await page.getByRole('link', { name: title, exact: true }).count()).toBe(
      Number((offered as readonly string[]).includes(title)),
    )
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await choices(page).filter({ hasText: 'Overview' }).waitFor()
  for (const title of ['Import', 'New receiving event', 'Access log'])
    expect(await page.getByRole('option', { name: new RegExp(`^${title}`) }).count()).toBe(
      Number((offered as readonly string[]).includes(title)),
    )
  await end()
})

test('the fields of a form find a location and a vendor that are not among the thousand newest', async () => {
  const own = await service.provider()
  const old = locationPayload(({ locationMasterList }) => {
    Object.assign(locationMasterList, {
      dataProviderVendorId: 'V-1',
      locationCode: 'OLD-77',
      locationName: 'Old mill',
    })
  })
  await own.call('POST', paths.location, { body: old })
  const many = eventPayload(({ eventList, locationMasterList }) => {
    eventList.dataProviderVendorId = 'V-2'
    const phoneNumber = '+1.831.555.0100'
    const [{ address }] = locationMasterList
    while (locationMasterList.length < 1_000)
      locationMasterList.push({
        locationCode: `N-${locationMasterList.length}`,
        locationName: 'New',
        address,
        phoneNumber,
      })
  })
  const stored = await own.call('POST', paths.receivingEvent, { body: many })
  expect(stored.status, stored.text).toBe(201)
  // As the service does in the background: until then a search reads the newest alone.
  await indexAll(service.database.pool as never, own.id)
  const { page, end } = await visit(browser, '/events/new', {
    ...options,
    key: await own.key('writer'),
    expected: /status of 422/,
  })
  const receiving = page.getByRole('combobox', { name: 'Receiving location' })
  await receiving.fill('old m')
  await page.getByRole('option', { name: 'OLD-77' }).click()
  await page.getByText('Old mill').waitFor()
  // A code that is typed before it was found is that location, too.
  await page.getByRole('combobox', { name: 'Ship-from location' }).fill('OLD-77')
  await expect.poll(() => page.getByText('New location.').count()).toBe(0)
  await page.getByRole('combobox', { name: 'Vendor' }).fill('v-')
  await page.getByRole('option', { name: 'V-1' }).click()
  await expect.poll(() => page.getByRole('combobox', { name: 'Vendor' }).inputValue()).toBe('V-1')
  await end()
})

test('a lot that was received and shipped is one choice, and a number of both kinds leads to each of them', async () => {
  const [shipped] = (
    await provider.call('POST', paths.shippingEvent, {
      body: shippingPayload((payload) => {
        payload.eventList.purchaseOrderNumber = 'ORDER-<b>1</b>'
        payload.eventList.productList[0].caseLotNumber = 'MIX-77'
      }),
    })
  ).body.request_ids
  const { page, end } = await visit(browser, '/keys', options)
  await page.getByLabel('Search or go to').fill('MIX-77')
  const lots = page.getByRole('group', { name: 'Lots', exact: true }).getByRole('option')
  await lots.filter({ hasText: 'received' }).filter({ hasText: 'shipped' }).waitFor()
  expect(await lots.count()).toBe(1)
  await page.getByLabel('Search or go to').fill('ORDER-<b>1')
  await choices(page).filter({ hasText: 'ORDER-<b>1</b>' }).filter({ hasText: 'shipped' }).click()
  await expect.poll(() => pathOf(page)).toBe(`/shipping/${shipped}`)
  await end()
})

test('an address that names what to find opens the console with it found, and Enter goes there', async () => {
  const { page, end } = await visit(browser, '/?find=(01)10614141000415(10)MIX-77', options)
  await choices(page).filter({ hasText: 'MIX-77' }).waitFor()
  expect(await page.getByRole('combobox', { name: 'Search or go to' }).inputValue()).toBe(
    '(01)10614141000415(10)MIX-77',
  )
  await page.keyboard.press('/')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Lot MIX-77' }).waitFor()
  await end()
})

test('administrators find people and keys by any word of a name, without accents and signs; readers do not', async () => {
  const manage = calling(service.url, options.key)
  const person = { role: 'reader', label: 'quality office', personName: 'Inés Fuentes' }
  expect((await manage('POST', '/keys', { body: person })).status).toBe(201)
  for (const role of ['administrator', 'reader'] as const) {
    const key = await provider.key(role)
    const { page, end } = await visit(browser, '/', { ...options, key })
    await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('fuentes-ines')
    if (role === 'reader') {
      await page.getByText('No record found for').waitFor()
      expect(await choices(page).filter({ hasText: 'Inés' }).count()).toBe(0)
    } else {
      await choices(page).filter({ hasText: 'Inés Fuentes' }).click()
      await page.getByRole('dialog').getByText('Inés Fuentes').first().waitFor()
    }
    await end()
  }
})
