// The pages for who answers for the account: legal holds, checkpoints, the archive, the limits.
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { eventPayload, paths } from '../../../support/records/payloads.ts'
import { calling, type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

const hostile = '<img src=x onerror=alert(1)> Recall'

test('an administrator sets a hold, sees what it holds and lifts it; a reader sees it and can do neither', async () => {
  const key = await provider.key('administrator')
  const { page, end } = await visit(browser, '/legal-holds', { url: service.url, key })
  await page.getByText('No legal hold is active').waitFor()
  await page.getByLabel('Reason').fill(hostile)
  await page.getByRole('button', { name: 'Set legal hold' }).click()
  await page.getByText('fill in at least one field').waitFor()
  await page.getByLabel('Lot code (optional)').fill('GV26062-A')
  await page.getByLabel('Received or shipped from (optional)').fill('2026-03-01')
  await page.getByLabel('Received or shipped until (optional)').fill('2026-02-01')
  await page.getByRole('button', { name: 'Set legal hold' }).click()
  await page.getByRole('alert').filter({ hasText: 'Swap the dates' }).waitFor()
  await page.getByLabel('Received or shipped until (optional)').fill('2026-03-31')
  await page.getByRole('button', { name: 'Set legal hold' }).click()
  const row = page.getByRole('table', { name: 'Legal holds' }).getByRole('row').filter({ hasText: hostile })
  await row.getByText('2026-03-01 to 2026-03-31').waitFor()
  const reader = await visit(browser, '/legal-holds', { url: service.url, key: await provider.key('reader') })
  await reader.page.getByText(hostile).waitFor()
  await reader.page.getByText('Yours is a reader key').waitFor()
  expect(await reader.page.getByRole('button', { name: /^Lift/ }).count()).toBe(0)
  await reader.end()
  await row.getByRole('button', { name: `Lift hold ${hostile}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await row.getByText('active', { exact: true }).waitFor()
  await row.getByRole('button', { name: `Lift hold ${hostile}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Lift hold' }).click()
  await page.getByText('No legal hold is active').waitFor()
  await page.getByRole('link', { name: 'Active and lifted' }).click()
  await row.getByText('lifted', { exact: true }).waitFor()
  const { content } = (await calling(service.url, key)('GET', '/legal-holds')).body
  expect(content).toMatchObject([
    { reason: hostile, lotCode: 'GV26062-A', eventStartDate: '2026-03-01', eventEndDate: '2026-03-31' },
  ])
  await end()
})

test('the archive downloads complete, and the page of checkpoints shows its proof', async () => {
  const own = await service.provider()
  const options = { url: service.url, key: await own.key('reader') }
  await own.call('POST', paths.receivingEvent, { body: eventPayload() })
  const { page, end } = await visit(browser, '/archive', options)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download archive' }).click(),
  ])
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\n')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ is: 'archive', provider: { id: own.id } })
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ is: 'end', checkpoints: 1 })
  await page.getByRole('link', { name: 'checkpoints', exact: true }).click()
  const [checkpoint] = (await own.call('GET', '/checkpoints')).body.content
  const [key] = (await own.call('GET', '/signing-keys')).body.content
  await page.getByRole('table', { name: 'Checkpoints' }).getByRole('row').nth(1).waitFor()
  await page.getByText(checkpoint.checkpointHash, { exact: true }).waitFor()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Save public key ${key.signingKeyId}` }).click(),
  ])
  expect(readFileSync(await saved.path(), 'utf8')).toBe(key.publicKey)
  await end()
})

test('the page of limits shows the limits in force, in words', async () => {
  const { page, end } = await visit(browser, '/limits', { url: service.url, key: await provider.key('reader') })
  const { content } = (await provider.call('GET', '/limits')).body
  const lines = content.find(({ name }: { name: string }) => name === 'productLines')
  const row = page.getByRole('row').filter({ hasText: 'Product lines of one event' })
  await row.getByText(`${lines.value.toLocaleString('en')} lines`).waitFor()
  await end()
})
