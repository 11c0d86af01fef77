// Handing a package over by link: created where it is chosen, opened by somebody without a key,
// counted, and withdrawn.
import { readFileSync } from 'node:fs'
import { unzipSync } from 'fflate'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seriousFindings } from '../../../support/pages/axe.ts'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { eventPayload, paths } from '../../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
  await provider.call('POST', paths.receivingEvent, { body: eventPayload() })
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

const label = '"><img src=x onerror=alert(1)>'

test('a link is created where its package is chosen, opens it for somebody without a key, and is withdrawn', async () => {
  const key = await provider.key('administrator')
  const { page, end } = await visit(browser, '/fda?lotCode=GV26062-A', { url: service.url, key })
  await page.getByText('1 line of 1 receiving event').waitFor()
  await page.getByRole('button', { name: 'Create link…', exact: true }).click()
  const asked = page.getByRole('dialog', { name: 'Under which name do others see you?', exact: true })
  await asked.getByLabel('Name', { exact: true }).fill('Green Valley Foods')
  await asked.getByRole('button', { name: 'Save name', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Create a link to this package' })
  await form.getByLabel('For whom').fill(label)
  await form.getByLabel('The link is valid for').selectOption('3 days')
  await form.getByRole('button', { name: 'Create link', exact: true }).click()
  const made = page.getByRole('region', { name: 'The link for' })
  await made.getByText('1 line of 1 event').waitFor()
  const [address = '', code = ''] = await made.locator('.whole-key').allTextContents()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await made.getByRole('button', { name: 'Copy address', exact: true }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(address)
  expect(await seriousFindings(page)).toEqual([])
  await made.getByRole('button', { name: 'Done', exact: true }).click()
  await expect.poll(() => page.content()).not.toContain(code)

  const other = await visit(browser, '/', { url: service.url, width: 360, expected: /status of 403/ })
  const outside = other.page
  await outside.goto(address)
  expect(await seriousFindings(outside)).toEqual([])
  await outside.keyboard.type('AAAA-AAAA')
  await outside.keyboard.press('Enter')
  await outside.getByRole('alert').getByText('does not open a package').waitFor()
  expect(await outside.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  await outside.getByLabel('Code', { exact: true }).fill(code)
  const [download] = await Promise.all([
    outside.waitForEvent('download'),
    outside.getByRole('button', { name: 'Download', exact: true }).click(),
  ])
  expect(Object.keys(unzipSync(new Uint8Array(readFileSync(await download.path()))))).toContain('explanation.html')
  await other.end()

  await page.reload()
  const list = page.getByRole('table', { name: 'Packages made', exact: true })
  await list.getByText(`Package link for “${label}”`).waitFor()
  await page.getByRole('link', { name: 'Links to packages' }).click()
  const row = page.getByRole('row').filter({ hasText: label })
  await row.getByText(', 1 wrong code').waitFor()
  await row.getByRole('link', { name: '1 download', exact: true }).click()
  await page.getByRole('table', { name: 'Access log' }).getByText('Fetch package').waitFor()
  await page.goBack()
  await row.getByRole('button', { name: `Withdraw link for ${label}`, exact: true }).click()
  await page.getByRole('button', { name: 'Withdraw link', exact: true }).click()
  await row.getByText('withdrawn', { exact: true }).waitFor()
  expect(await row.getByRole('button').count()).toBe(0)
  await end()
})

test('a reader is offered no link, and the list says who may see it', async () => {
  const { page, end } = await visit(browser, '/fda', { url: service.url, key: await provider.key('reader') })
  await page.getByRole('button', { name: 'Download package' }).waitFor()
  expect(await page.getByRole('button', { name: 'Create link…' }).count()).toBe(0)
  await page.goto(`${service.url}/console/package-links`)
  await page.getByText('Only an administrator key can see and withdraw links').waitFor()
  await end()
})
