// Every page of the console and what to wait for or do before it is looked at: for tests of all
// pages, and their pictures. `{id}` is a receiving event of two versions, `{shipped}` a shipping
// event, `{correction}` a bulk correction, `{voided}` an event that was voided, `{webhook}` a
// webhook, `{partner}` a partner, `{invitation}` the token of an invitation.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { exampleNotice } from '../../samples/ship-notices.ts'
import { changed, eventPayload, locationPayload, paths, productPayload, shippingPayload } from '../records/payloads.ts'
import type { Call } from '../servers/service.ts'

const exampleDocument = readFileSync(new URL('../../../examples/epcis-receiving.jsonld', import.meta.url), 'utf8')

/** What stands for the names in the paths. */
export type Shown = Readonly<
  Record<'id' | 'shipped' | 'correction' | 'voided' | 'webhook' | 'partner' | 'invitation', string>
>

export const pathOf = (path: string, shown: Partial<Shown>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: keyof Shown) => shown[name] ?? '')

/**
 * Stores what the pages show. A webhook and a partner are created by an administrator; nobody is at
 * the address of the webhook.
 */
export async function storeShown(call: Call, administrator = call): Promise<Shown> {
  const event = eventPayload((payload) => {
    const [line] = payload.eventList.productList
    line.caseGtin = '10614141000419'
    delete payload.eventList.productList[1].packagingDate
  })
  const [id] = (await call('POST', paths.receivingEvent, { body: event })).body.request_ids
  changed.receivingEvent(event)
  delete event.eventList.asnNumber
  await call('PUT', `${paths.receivingEvent}/${id}`, { body: event })
  const incomplete = eventPayload((payload) => {
    for (const product of payload.productMasterDataList) delete product.packSize
  })
  await call('POST', paths.receivingEvent, { body: incomplete })
  await call('POST', paths.receivingEvent, { body: {} })
  const [voided] = (await call('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids
  await call('POST', `${paths.receivingEvent}/${voided}/void`, { body: { reason: 'Entered twice' } })
  await call('POST', paths.masterProduct, { body: productPayload() })
  await call('POST', paths.location, { body: locationPayload() })
  const [shipped] = (await call('POST', paths.shippingEvent, { body: shippingPayload() })).body.request_ids
  const change = { field: 'product.packSize', set: '24 ct' }
  const created = await call('POST', '/corrections', {
    body: { reason: 'for a test', where: {}, changes: [change] },
  })
  const webhook = await administrator('POST', '/webhooks', {
    body: { url: 'http://127.0.0.1:9/', description: 'chat of the warehouse', types: ['alert.*'] },
  })
  await administrator('POST', `/webhooks/${webhook.body.id}/test`, { body: {} })
  await administrator('PUT', '/traceability-plan', {
    body: { recordProcedures: 'Clerks scan each case.', contact: { name: 'Ana Lopez' }, growsFoods: false },
  })
  await administrator('PUT', '/ship-notice-senders', {
    body: { senders: [{ senderId: 'GREENVALLEY', dataProviderVendorId: 'V-1001', tlcSourceIsShipFrom: true }] },
  })
  await administrator('PUT', '/capture/senders', {
    body: { senders: [{ dataProviderVendorId: 'V-1001', tlcSourceIsShipFrom: true }] },
  })
  await administrator('POST', '/package-links?lotCode=GV26062-A', { body: { label: 'FDA, request 2026-0114' } })
  await administrator('PUT', '/display-name', { body: { name: 'Green Valley Foods' } })
  const partner = await administrator('POST', '/partners', {
    body: { name: 'Fresh Foods Market', places: [{ locationCode: 'DC-07' }], grants: [{ direction: 'shipTo' }] },
  })
  const invited = await administrator('POST', `/partners/${partner.body.id}/invitations`, {
    body: { personName: 'Sam Reed' },
  })
  return {
    ...{ id, shipped, voided, correction: created.body.id, webhook: webhook.body.id },
    ...{ partner: partner.body.id, invitation: invited.body.token },
  }
}

/** By path below `/console`. A view that none of them shows fails a test. */
export const pageVisits: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  '/events': (page) => page.getByRole('button', { name: 'More filters' }).click(),
  '/events?lotCode=none': (page) => page.getByText('No receiving events match').waitFor(),
  '/shipping': (page) => page.getByText('1 shipping event').waitFor(),
  '/shipping/{shipped}': (page) => page.getByRole('button', { name: 'line 1: all fields' }).click(),
  '/shipping/{shipped}/edit': async (page) => {
    await page.getByText('Nothing would change').waitFor()
    await page.getByText('Date shipped').waitFor()
  },
  '/shipping/{shipped}/labels': (page) => page.getByRole('button', { name: 'Print', exact: true }).waitFor(),
  '/dock': (page) => page.getByText('No shipments are under way').waitFor(),
  '/dock/{shipped}': async (page) => {
    await page.getByRole('button', { name: 'Tick all', exact: true }).click()
    await page.getByRole('button', { name: 'Correct lot of line 1', exact: true }).click()
    await page.getByText('Perhaps received already').waitFor()
  },
  '/dock?': (page) => page.getByText('begun', { exact: true }).waitFor(),
  '/products': (page) => page.getByText('1 master product').waitFor(),
  '/trace': (page) => page.getByText('Type or paste a lot code').waitFor(),
  '/trace?lotCode=GV26062-A': (page) => page.getByRole('group', { name: /^Places of the lot/ }).waitFor(),
  '/food': (page) => page.getByText('Choose a harvest or a cooling').waitFor(),
  '/balances': (page) => page.getByText('Type or paste a lot code').waitFor(),
  '/balances?lotCode=GV26062-A': (page) => page.getByRole('table', { name: 'Balances' }).waitFor(),
  '/import': (page) => page.getByText('Choose a file').waitFor(),
  '/fda': (page) => page.getByText('incomplete').first().waitFor(),
  '/traceability-plan': (page) => page.getByRole('table', { name: 'Versions' }).waitFor(),
  '/traceability-plan/edit': (page) => page.getByLabel('Procedures for keeping records').waitFor(),
  '/package-links': (page) => page.getByText('FDA, request 2026-0114').first().waitFor(),
  '/locations': (page) => page.getByText('DC-07').first().waitFor(),
  '/events/{id}': (page) => page.getByRole('button', { name: 'line 1: all fields' }).click(),
  '/events/{id}/versions?compare=1..2': (page) => page.getByText('1 field removed').waitFor(),
  '/events/{id}/versions?restore=1': (page) => page.getByText('changes to be made').waitFor(),
  '/voided': (page) => page.getByText('Entered twice').waitFor(),
  '/events/{voided}': (page) => page.getByText('Entered twice').waitFor(),
  '/events/{voided}/versions': (page) => page.getByText('Entered twice').waitFor(),
  '/events/{id}/edit': (page) => page.getByText('Nothing would change').waitFor(),
  '/events/{id}/json': (page) => page.getByText('Copy JSON').waitFor(),
  '/events/new': async (page) => {
    await page.getByRole('button', { name: 'Fill in an example' }).click()
    await page.getByRole('button', { name: 'Line 1: all fields' }).click()
    await page.getByRole('combobox', { name: 'Vendor' }).click()
  },
  '/': (page) => page.getByRole('slider', { name: 'Day' }).focus(),
  '/differences': (page) => page.getByRole('table', { name: 'Differences', exact: true }).waitFor(),
  '/completeness': (page) => page.getByRole('table').waitFor(),
  '/completeness?by=kde': (page) => page.getByRole('table').waitFor(),
  '/completeness/gaps': (page) => page.getByRole('button', { name: 'More filters' }).click(),
  '/completeness/complete?product=ROM-24&dataProviderVendorId=V-1001': (page) =>
    page.getByText('would close').or(page.getByText('No gap would close')).waitFor(),
  '/corrections': (page) => page.getByRole('link', { name: 'for a test' }).waitFor(),
  '/corrections/new?gap=product-line/tlc-source-place': (page) => page.getByLabel('Reason').fill('for a test'),
  '/corrections/{correction}': (page) => page.getByText('Checking what the rules say').waitFor(),
  '/partners': (page) => page.getByRole('link', { name: 'Fresh Foods Market' }).waitFor(),
  '/partners/new': async (page) => {
    await page.getByText('Withheld fields and history').click()
    await page.getByText('Enter the name and choose places').waitFor()
  },
  '/partners/{partner}': (page) => page.getByText('invited', { exact: true }).waitFor(),
  '/partners/{partner}/edit': (page) =>
    page
      .getByText(/^Opens/)
      .filter({ visible: true })
      .first()
      .waitFor(),
  '/invitation#{invitation}': (page) => page.getByRole('button', { name: 'Accept invitation' }).waitFor(),
  '/refusals': async (page) => {
    await page.getByRole('table', { name: 'Refusals' }).getByRole('link').first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).waitFor()
  },
  '/keys?state=valid': (page) => page.getByRole('table', { name: 'People and keys' }).waitFor(),
  '/keys': async (page) => {
    await page.getByRole('button', { name: 'New key', exact: true }).click()
    await page.getByLabel('Label').fill('for a day')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('shown only once').waitFor()
    await page.getByRole('row').filter({ hasText: 'for a day' }).first().waitFor()
  },
  '/time-zones': async (page) => {
    await page.getByLabel('Location code').fill('DC-07')
    await page.getByLabel('Time zone', { exact: true }).fill('America/New_York')
    await page.getByRole('button', { name: 'Set time zone' }).click()
    await page.getByRole('row').filter({ hasText: 'America/New_York' }).waitFor()
  },
  '/exempt-places': async (page) => {
    await page.getByLabel('Vendor', { exact: true }).fill('V-1001')
    await page.getByLabel('Ship-from location (optional)').fill('GV-COOLER-1')
    await page.getByLabel('Note (optional)').fill('Letter of 2026-01-05')
    await page.getByRole('button', { name: 'Add exemption' }).click()
    await page.getByRole('row').filter({ hasText: 'Letter of 2026-01-05' }).waitFor()
  },
  '/source-addresses': async (page) => {
    await page.getByLabel('Vendor', { exact: true }).fill('V-1001')
    await page.getByLabel('Location code', { exact: true }).fill('GV-COOLER-1')
    // Random letters may look like a field of the contract: the name is drawn by the number of addresses.
    await page.evaluate(`crypto.getRandomValues = (bytes) => bytes.fill(document.querySelectorAll('tbody tr').length)`)
    const addresses = page.getByRole('row').filter({ hasText: '/tlc-sources/' })
    const before = await addresses.count()
    await page.getByRole('button', { name: 'Open address' }).click()
    await addresses.nth(before).waitFor()
  },
  '/unit-conversions': async (page) => {
    await page.getByLabel('Item code (optional)').fill('ROM-24')
    await page.getByLabel('One', { exact: true }).fill('case')
    await page.getByLabel('is', { exact: true }).fill('24')
    await page.getByLabel('of', { exact: true }).fill('each')
    await page.getByRole('button', { name: 'Set conversion' }).click()
    await page.getByRole('row').filter({ hasText: '1 case = 24 each' }).waitFor()
  },
  '/access-log': (page) => page.getByRole('row').nth(1).waitFor(),
  '/senders': (page) => page.getByRole('row').filter({ hasText: 'GREENVALLEY' }).waitFor(),
  '/senders/ship-notices?sender=GREENVALLEY': async (page) => {
    await page.getByRole('button', { name: 'Add place', exact: true }).click()
    await page.getByRole('button', { name: 'Add date', exact: true }).click()
    await page.getByText('Values of lines that the notices leave out').click()
    await page.getByLabel('Paste a ship notice').fill(exampleNotice.replace('SN1**56*CA', 'SN1**many*CA'))
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    await page.getByRole('list', { name: 'Ship notices' }).waitFor()
  },
  '/senders/epcis?sender=': async (page) => {
    await page.getByLabel('Paste an EPCIS document').fill(exampleDocument)
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    await page.getByRole('list', { name: 'Events' }).waitFor()
  },
  '/legal-holds': async (page) => {
    await page.getByLabel('Reason').fill('Recall 2026-014')
    await page.getByLabel('Lot code (optional)').fill('GV26062-A')
    await page.getByRole('button', { name: 'Set legal hold' }).click()
    await page.getByRole('row').filter({ hasText: 'Recall 2026-014' }).first().waitFor()
  },
  '/checkpoints': (page) => page.getByRole('heading', { name: 'Checkpoints', exact: true }).waitFor(),
  '/archive': (page) => page.getByRole('button', { name: 'Download archive' }).waitFor(),
  '/limits': (page) => page.getByRole('table', { name: 'Records and lines' }).waitFor(),
  '/completeness/history?bucket=week&vendor=V-1001': (page) => page.getByRole('slider', { name: 'Date' }).focus(),
  '/scorecard?vendor=V-1001': (page) => page.getByRole('heading', { name: 'What the lines lack' }).waitFor(),
  '/targets': async (page) => {
    await page.getByLabel('Vendor', { exact: true }).fill('V-1001')
    await page.getByLabel('Silent after (days)').fill('14')
    await page.getByRole('button', { name: 'Set targets' }).click()
    await page.getByRole('row').filter({ hasText: 'V-1001' }).waitFor()
  },
  '/mock-recalls': async (page) => {
    await page.getByRole('radio', { name: 'A lot that I name' }).check()
    await page.getByLabel('Lot code').fill('GV26062-A')
    await page.getByRole('button', { name: 'Start mock recall' }).click()
    await page.getByRole('heading', { name: 'Proof' }).waitFor()
  },
  '/mock-recalls?': (page) => page.getByRole('table', { name: 'Mock recalls' }).waitFor(),
  '/changes': async (page) => {
    await page.getByRole('table', { name: 'Changes' }).waitFor()
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
  },
  '/changes?lotCode=none': (page) => page.getByText('No recent change matches').waitFor(),
  '/alerts': (page) => page.getByRole('button', { name: 'Save alerts', exact: true }).waitFor(),
  '/webhooks': (page) => page.getByText('chat of the warehouse').waitFor(),
  '/webhooks/new': (page) => page.getByRole('button', { name: 'Create webhook', exact: true }).waitFor(),
  '/webhooks/{webhook}': async (page) => {
    await page.getByRole('table', { name: 'Attempts' }).waitFor()
    await page.getByRole('button', { name: 'Replay…', exact: true }).click()
  },
  '/webhooks/{webhook}/edit': (page) => page.getByRole('button', { name: 'Save', exact: true }).waitFor(),
  '/nowhere': (page) => page.getByText('Page not found').waitFor(),
}
