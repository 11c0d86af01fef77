// Two people who edit one setting: the second one sees what the first one changed, and takes nothing
// back without knowing it.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { eventPayload, paths } from '../../../support/records/payloads.ts'
import { type Call, calling, type Service, startService } from '../../../support/servers/service.ts'

let service: Service
let browser: Browser
let key: string
let call: Call
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService({ webhookAllowPrivate: true }), openBrowser()])
  key = await (await service.provider()).key('administrator')
  call = calling(service.url, key)
})
afterAll(async () => {
  await Promise.all([browser?.close(), service?.close()])
})

const open = (path: string) => visit(browser, path, { url: service.url, key, expected: /status of 4(12|04)/ })
const merge = 'Merge my changes into theirs'

test('of a partner: a place that was taken back meanwhile stays taken back, and what was read outlives the partner', async () => {
  const settings = { name: 'Fresh Foods', places: ['A', 'B'].map((locationCode) => ({ locationCode })), grants: [] }
  const { id } = (await call('POST', '/partners', { body: settings })).body
  const path = `/partners/${id}`
  const { page, end } = await open(`${path}/edit`)
  const form = page.getByRole('form', { name: 'Partner' })
  await form.getByLabel('Name', { exact: true }).fill('Fresher Foods')
  await call('PUT', path, { body: { ...settings, places: settings.places.slice(0, 1) } })
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The partner was replaced while you were editing').waitFor()
  expect((await call('GET', path)).body).toMatchObject({ name: 'Fresh Foods', places: [{ locationCode: 'A' }] })
  await page.getByRole('button', { name: merge, exact: true }).click()
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(new RegExp(`${path}$`))
  expect((await call('GET', path)).body).toMatchObject({ name: 'Fresher Foods', places: [{ locationCode: 'A' }] })

  await call('DELETE', path)
  await page.goto(`${service.url}/console/access-log`)
  await page.getByRole('link', { name: 'What it read', exact: true }).click()
  await page.getByRole('heading', { name: 'Deleted partner', exact: true }).waitFor()
  await end()
})

test('of a webhook: a kind of message that was ticked meanwhile is not taken out again', async () => {
  const settings = { url: 'https://127.0.0.1:9/', types: ['location.*'] }
  const { id } = (await call('POST', '/webhooks', { body: settings })).body
  const { page, end } = await open(`/webhooks/${id}/edit`)
  await page.getByLabel('Description (optional)').fill('ERP')
  await call('PUT', `/webhooks/${id}`, { body: { ...settings, types: ['location.*', 'alert.*'] } })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The webhook was replaced while you were editing').waitFor()
  await page.getByRole('button', { name: merge, exact: true }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(new RegExp(`/webhooks/${id}$`))
  expect((await call('GET', `/webhooks/${id}`)).body).toMatchObject({
    description: 'ERP',
    types: ['location.*', 'alert.*'],
  })
  await end()
})

test('of targets and senders: a change of the same entry is shown, one of another entry is in nobody’s way', async () => {
  const target = (dataProviderVendorId: string, silentDays: number) =>
    call('PUT', '/vendor-targets', { body: { targets: [{ dataProviderVendorId, silentDays }] } })
  await target('V-1', 5)
  const { page, end } = await open('/targets')
  await page.getByRole('button', { name: 'Change the targets of V-1' }).click()
  await page.getByLabel('Silent after (days)').fill('6')
  await target('V-2', 9)
  await page.getByRole('button', { name: 'Set targets', exact: true }).click()
  await page.getByText('The targets of vendor V-1 are set').waitFor()

  await page.getByRole('button', { name: 'Change the targets of V-1' }).click()
  await page.getByLabel('Complete lines (%)').fill('90')
  await target('V-1', 7)
  await page.getByRole('button', { name: 'Set targets', exact: true }).click()
  await page.getByText('The target was replaced while you were editing').waitFor()
  await page.getByRole('button', { name: merge, exact: true }).click()
  await page.getByRole('button', { name: 'Set targets', exact: true }).click()
  const listed = async () =>
    (await call('GET', '/vendor-targets')).body.content.find(
      (one: { dataProviderVendorId: string }) => one.dataProviderVendorId === 'V-1',
    )
  await expect.poll(listed).toMatchObject({ silentDays: 7, completeShare: 0.9 })

  const sender = (more: object) =>
    call('PUT', '/ship-notice-senders', {
      body: { senders: [{ senderId: 'GREENVALLEY', dataProviderVendorId: 'V-1', ...more }] },
    })
  await sender({})
  await page.goto(`${service.url}/console/senders/ship-notices?sender=GREENVALLEY`)
  await page.getByLabel('Vendor name (optional)').fill('Green Valley')
  await sender({ timeZone: 'America/Los_Angeles' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: merge, exact: true }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The ship notices of GREENVALLEY are read from now on').waitFor()
  expect((await call('GET', '/ship-notice-senders')).body.content[0].sender).toMatchObject({
    dataProviderVendorName: 'Green Valley',
    timeZone: 'America/Los_Angeles',
  })
  await end()
})

test('of a target: an edit is compared with what it began with, whatever the list shows meanwhile', async () => {
  const target = (dataProviderVendorId: string, silentDays: number) =>
    call('PUT', '/vendor-targets', { body: { targets: [{ dataProviderVendorId, silentDays }] } })
  await target('V-3', 5)
  await target('V-4', 5)
  const { page, end } = await open('/targets')
  await page.getByRole('button', { name: 'Change the targets of V-3' }).click()
  await page.getByLabel('Complete lines (%)').fill('90')
  await target('V-3', 7)
  // It is refused, and the list is read again.
  await page.getByRole('button', { name: 'Remove the targets of V-4' }).click()
  await page.getByRole('row', { name: 'V-3' }).getByText('7 days').waitFor()
  await page.getByRole('button', { name: 'Set targets', exact: true }).click()
  await page.getByText('The target was replaced while you were editing').waitFor()
  await end()
})

test('of a partner and a webhook: what was changed meanwhile is not deleted before it was looked at', async () => {
  const settings = { name: 'Corner Store', places: [], grants: [] }
  const { id } = (await call('POST', '/partners', { body: settings })).body
  const { page, end } = await open(`/partners/${id}`)
  await page.getByRole('button', { name: 'Delete…' }).click()
  await call('PUT', `/partners/${id}`, { body: { ...settings, name: 'Corner Shop' } })
  await page.getByRole('dialog').getByRole('button', { name: 'Delete partner' }).click()
  await page.getByText('Somebody else changed it after this page read it').waitFor()
  await page.getByRole('heading', { name: 'Corner Shop' }).waitFor()
  expect((await call('GET', `/partners/${id}`)).status).toBe(200)
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete partner' }).click()
  await expect.poll(async () => (await call('GET', `/partners/${id}`)).status).toBe(404)

  const hook = { url: 'https://127.0.0.1:9/', types: ['location.*'] }
  const webhook = (await call('POST', '/webhooks', { body: hook })).body.id
  await page.goto(`${service.url}/console/webhooks/${webhook}`)
  await page.getByRole('button', { name: 'Delete…' }).click()
  await call('PUT', `/webhooks/${webhook}`, { body: { ...hook, types: ['alert.*'] } })
  await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByText('Somebody else changed it after this page read it').first().waitFor()
  expect((await call('GET', `/webhooks/${webhook}`)).status).toBe(200)
  await end()
})

test('of unit conversions: what somebody else declared of an item meanwhile stays when both are merged', async () => {
  const units = async () => (await call('GET', '/unit-conversions')).body.content[0]?.conversion.units
  const declare = (...equal: object[]) =>
    call('PUT', '/unit-conversions', { body: { conversions: [{ itemCode: 'ROM-24', units: equal }] } })
  const [bin, pallet] = [
    { unit: 'bin', quantity: 40, inUnit: 'case' },
    { unit: 'pallet', quantity: 48, inUnit: 'case' },
  ]
  await declare(bin)
  const { page, end } = await open('/unit-conversions')
  await page.getByRole('row').filter({ hasText: '1 bin = 40 case' }).waitFor()
  await declare(bin, pallet)
  for (const [label, text] of [
    ['Item code (optional)', 'ROM-24'],
    ['One', 'case'],
    ['is', '24'],
    ['of', 'each'],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Set conversion', exact: true }).click()
  await page.getByText('The conversion was replaced while you were editing').waitFor()
  await page.getByRole('button', { name: merge, exact: true }).click()
  await page.getByRole('button', { name: 'Set conversion', exact: true }).click()
  const mine = { unit: 'case', quantity: 24, inUnit: 'each' }
  await expect.poll(async () => (await units())?.length).toBe(3)
  expect(await units()).toEqual(expect.arrayContaining([bin, pallet, mine]))
  await end()
})

test('of exempt places: what somebody else declared of a place meanwhile stays when both are merged', async () => {
  const exemptions = async () => (await call('GET', '/exempt-places')).body.content[0]?.place.exemptions
  const declare = (...some: object[]) =>
    call('PUT', '/exempt-places', { body: { places: [{ dataProviderVendorId: 'V-7', exemptions: some }] } })
  const [early, late] = [
    { reason: 'nonprofit', endDate: '2025-12-31' },
    { reason: 'nonprofit', startDate: '2027-01-01' },
  ]
  await declare(early)
  const { page, end } = await open('/exempt-places')
  await page.getByRole('row').filter({ hasText: 'to 2025-12-31' }).waitFor()
  await declare(early, late)
  const mine = { reason: 'smallProduceFarm', startDate: '2026-01-01', endDate: '2026-12-31' }
  await page.getByLabel('Vendor', { exact: true }).fill('V-7')
  await page.getByLabel('First day (optional)').fill(mine.startDate)
  await page.getByLabel('Last day (optional)').fill(mine.endDate)
  await page.getByRole('button', { name: 'Add exemption', exact: true }).click()
  await page.getByText('The exempt place was replaced while you were editing').waitFor()
  await page.getByRole('button', { name: merge, exact: true }).click()
  await page.getByRole('button', { name: 'Add exemption', exact: true }).click()
  await expect.poll(async () => (await exemptions())?.length).toBe(3)
  expect(await exemptions()).toEqual(expect.arrayContaining([early, late, mine]))
  await end()
})

test('of a time zone and a key: a change of the same one is shown, one of another zone is in nobody’s way', async () => {
  const zone = (locationCode: string, timeZone: string) =>
    call('PUT', '/location-time-zones', { body: { timeZones: [{ locationCode, timeZone }] } })
  await zone('DC-1', 'America/New_York')
  const { page, end } = await open('/time-zones')
  const set = async (timeZone: string) => {
    await page.getByLabel('Location code').fill('DC-1')
    await page.getByLabel('Time zone', { exact: true }).fill(timeZone)
    await page.getByRole('button', { name: 'Set time zone', exact: true }).click()
  }
  await page.getByRole('rowheader', { name: 'DC-1' }).waitFor()
  await zone('DC-2', 'America/Denver')
  await set('America/Chicago')
  await page.getByText('Location DC-1 is in America/Chicago.').waitFor()
  await page.getByRole('rowheader', { name: 'DC-2' }).waitFor()
  await zone('DC-1', 'America/Phoenix')
  await set('America/Boise')
  await page.getByText('The time zone was replaced while you were editing').waitFor()
  const zones = async () => (await call('GET', '/location-time-zones')).body.content
  expect(await zones()).toContainEqual(expect.objectContaining({ locationCode: 'DC-1', timeZone: 'America/Phoenix' }))

  // The list takes its time: what was chosen follows what was shown.
  let listAgain = (): void => undefined
  const slow = new Promise<void>((resolve) => (listAgain = resolve))
  await page.route('**/location-time-zones*', async (route) => {
    if (route.request().method() === 'GET') await slow
    await route.continue()
  })
  await page.getByRole('button', { name: 'Keep mine, discard theirs', exact: true }).click()
  await page.getByRole('button', { name: 'Set time zone', exact: true }).click()
  await page.getByText('Location DC-1 is in America/Boise.').waitFor()
  listAgain()

  const { keyId } = (await call('POST', '/keys', { body: { role: 'reader', label: 'desk 1' } })).body
  await page.goto(`${service.url}/console/keys`)
  const table = page.getByRole('table', { name: 'People and keys' })
  await table.getByRole('link', { name: 'desk 1', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^Label/ }).fill('desk 2')
  await call('PUT', `/keys/${keyId}`, { body: { role: 'writer', label: 'desk 1' } })
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByText('The key was replaced while you were editing').waitFor()
  await dialog.getByRole('button', { name: merge, exact: true }).click()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  const key = async () => (await call('GET', `/keys/${keyId}`)).body
  await expect.poll(key).toMatchObject({ role: 'writer', label: 'desk 2' })
  await end()
})

test('a file that lacks a record which the database lost says so', async () => {
  const own = await service.provider()
  const administrator = await own.key('administrator')
  const created = await calling(service.url, administrator)('POST', paths.receivingEvent, { body: eventPayload() })
  const [id] = created.body.request_ids
  await service.database.pool.query('DELETE FROM record_version WHERE provider_id = $1 AND record_id = $2', [
    own.id,
    id,
  ])
  const { page, end } = await visit(browser, '/archive', { url: service.url, key: administrator })
  await page.getByRole('button', { name: 'Download archive' }).click()
  await page.getByText('The file is not complete. 1 version of records is left out').waitFor()
  await end()
})
