// An event with more findings than one answer lists: each of its lines shows what it has.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { eventPayload, paths } from '../../../support/records/payloads.ts'
import { type Service, startService } from '../../../support/servers/service.ts'

let service: Service
let browser: Browser
let options: { url: string; key: string }
let id: string
/** Lines that are complete; all others lack the source of their lot code, which is one gap each. */
const complete = [3, 700]
const late = [0, 550]
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  const provider = await service.provider()
  options = { url: service.url, key: await provider.key('writer') }
  const body = eventPayload((payload) => {
    payload.eventList.purchaseOrderNumber = 'PO-LARGE'
    const [line] = payload.eventList.productList
    const known = Object.entries(line).filter(([name]) => !name.startsWith('tlcSource'))
    payload.eventList.productList = Array.from({ length: 701 }, (_, n) => ({
      ...(complete.includes(n) ? line : { ...Object.fromEntries(known), tlcSourceReferenceDuns: '123456789' }),
      caseLotNumber: `LOT-${n + 1}`,
      ...(late.includes(n) && { productionDate: '2026-12-01' }),
    }))
  })
  const created = await provider.call('POST', paths.receivingEvent, { body })
  expect(created.status, created.text).toBe(201)
  id = created.body.request_ids[0]
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

test('each line shows its findings, which are also grouped by rule with all their lines', async () => {
  const { page, end } = await visit(browser, `/events/${id}`, options)
  const findings = page.getByRole('region', { name: 'Findings' })
  const gaps = findings.getByRole('listitem').filter({ hasText: '699 gaps' })
  await gaps.getByText('Lines 1–3, 5–700').waitFor()
  expect(await findings.locator('.section-head .counts').textContent()).toBe('2 warnings699 gaps')
  // Beyond those that one answer lists.
  await gaps.getByRole('button', { name: 'Show 699 places' }).click()
  await gaps.getByText('50 places loaded').waitFor()
  await gaps.getByRole('button', { name: 'Load more' }).click()
  await gaps.getByText('100 places loaded').waitFor()

  const lines = page.getByRole('region', { name: 'Product lines' })
  const row = (number: number) => lines.locator(`[id="at:/eventList/productList/${number - 1}"]`)
  await findings
    .getByRole('listitem')
    .filter({ hasText: '2 warnings' })
    .getByRole('button', { name: 'Show only these lines' })
    .click()
  await lines.getByText('2 of 701 lines').waitFor()
  expect(await row(551).locator('.counts').textContent()).toBe('1 warning1 gap')
  await lines.getByRole('button', { name: 'Show all lines' }).click()
  await lines.getByLabel('Find a line').fill('lot-70')
  await lines.getByText('3 of 701 lines').waitFor()
  expect(await row(701).locator('.counts').count()).toBe(0)
  await lines.getByLabel('With findings').check()
  await lines.getByText('2 of 701 lines').waitFor()
  await end()
})

test('the address of a line far down opens it with its findings, and the whole page prints', async () => {
  const { page, end } = await visit(browser, `/events/${id}#at:/eventList/productList/550/productionDate`, options)
  const field = page.locator('[id="at:/eventList/productList/550/productionDate"]')
  await field.locator('.finding').getByText('2026-12-01').waitFor()
  await expect
    .poll(() => page.evaluate('document.activeElement.id'))
    .toBe('at:/eventList/productList/550/productionDate')
  const lines = page.getByRole('region', { name: 'Product lines' })
  const drawn = () => lines.locator('tr[id^="at:/eventList/productList/"]').count()
  expect(await drawn()).toBeLessThan(400)
  await page.emulateMedia({ media: 'print' })
  await expect.poll(drawn).toBe(701)
  // On paper a line has its fields without being opened.
  await expect.poll(() => lines.locator('.printed-fields').count()).toBe(700)
  const pdf = await page.pdf({ format: 'Letter' })
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(30)
  await end()
})
