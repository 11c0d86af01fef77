// The access log, and legal holds beside the record they keep. Sources: decisions 0039, 0041.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { yearsBefore } from '../../../../src/contract/shape/date-and-time.ts'
import { purgeAllDue } from '../../../../src/store/keeping/purge.ts'
import { storeAged } from '../../../support/databases/aged-records.ts'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { eventPayload, type Payload, paths } from '../../../support/records/payloads.ts'
import { calling, type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

test('an administrator sees who received what; a reader sees who may see it', async () => {
  const key = await provider.key('administrator')
  await calling(service.url, key)('GET', '/traceability/fda-spreadsheet?format=csv&lotCode=%3Cb%3Elot')
  const { page, end } = await visit(browser, '/access-log', { url: service.url, key })
  const row = page.getByRole('row').filter({ hasText: '<b>lot' })
  await row.getByText(key.split('_')[1] ?? '').waitFor()
  await row.getByText('0 records').waitFor()
  await page.getByRole('combobox', { name: 'What' }).click()
  await page.getByRole('option').filter({ hasText: 'Export FDA spreadsheet' }).click()
  await page.getByRole('list', { name: 'Filters in use' }).getByText('What: Export FDA spreadsheet').waitFor()
  expect(new URL(page.url()).search).toBe('?operation=exportFdaSpreadsheet')
  await row.waitFor()
  await page.getByRole('combobox', { name: 'Who' }).fill('nobody')
  await page.keyboard.press('Enter')
  await row.waitFor({ state: 'detached' })
  await end()
  const reader = await visit(browser, '/access-log', { url: service.url, key: await provider.key('reader') })
  await reader.page.getByText('yours is a reader key').waitFor()
  await reader.end()
})

test('a record under legal hold shows the hold', async () => {
  const id = (await provider.call('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0]
  const administrator = calling(service.url, await provider.key('administrator'))
  const key = await provider.key('reader')
  const before = await visit(browser, `/events/${id}`, { url: service.url, key })
  await before.page.getByRole('heading', { name: 'Findings' }).waitFor()
  expect(await before.page.getByText('Under legal hold').count()).toBe(0)
  await before.end()
  await administrator('POST', '/legal-holds', { body: { reason: 'Recall 2026-014', recordId: id } })
  const { page, end } = await visit(browser, `/events/${id}`, { url: service.url, key })
  await page.getByText('“Recall 2026-014”').waitFor()
  await end()
})

test('a purged version shows when it was purged, and cannot be compared or restored', async () => {
  const { id: own, key } = await service.provider()
  const now = new Date()
  const at = (years: number) => yearsBefore(now, years)
  const edit = ({ eventList }: Payload): void => {
    eventList.eventDateTime = '2019-05-01T12:00:00Z'
  }
  const versions = [5, 4, 1].map((years) => ({ submittedAt: at(years), edit }))
  const [id] = await storeAged(service.database.pool, own, [{ kind: 'receivingEvent', versions }])
  for await (const _ of purgeAllDue(service.database.pool, own, { before: at(2), now, retentionYears: 2 }));
  const { page, end } = await visit(browser, `/events/${id}/versions`, { url: service.url, key: await key('writer') })
  const entry = (version: number) => page.getByRole('listitem').filter({ hasText: `Version ${version}` })
  await entry(1).getByText('after the retention time').waitFor()
  expect(await entry(1).getByRole('link').count()).toBe(0)
  expect(await entry(2).getByRole('link').allTextContents()).toEqual(['Restore'])
  expect(await entry(3).getByRole('link').allTextContents()).toEqual(['What changed'])
  await end()
})
