// The traceability plan in the console: written, replaced by two people at once, printed, and named
// where FDA is answered.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { calling, type Service, startService } from '../../../support/servers/service.ts'

let service: Service
let browser: Browser
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

const hostile = 'Clerks scan.\n\n<img src=x onerror=alert(1)>'

test('a plan is written paragraph by paragraph, says what it still lacks, and is in the package once it is saved', async () => {
  const provider = await service.provider()
  const key = await provider.key('administrator')
  const { page, end } = await visit(browser, '/fda', { url: service.url, key })
  await page.getByText('none is written yet').waitFor()
  await page.getByRole('link', { name: 'Traceability plan', exact: true }).first().click()
  await page.getByText('No plan is written yet').waitFor()
  await page.getByRole('link', { name: 'Write plan', exact: true }).click()
  const missing = page.getByText('missing', { exact: true })
  await missing.first().waitFor()
  const first = await missing.count()
  await page.getByLabel('Procedures for keeping records').fill(hostile)
  await page.getByRole('group', { name: 'Do you assign traceability lot codes?' }).getByLabel('No').check()
  await page.getByLabel('Job title').fill('Compliance manager')
  await expect.poll(() => missing.count()).toBe(first - 3)
  await page.getByRole('button', { name: 'Save plan', exact: true }).click()
  await page.getByText('Version 1 of the plan is in force').waitFor()
  await page.getByText('3 things are missing').waitFor()
  await page.getByText('<img src=x onerror=alert(1)>').waitFor()
  await page.getByText('No traceability lot codes are assigned.').waitFor()

  await page.getByRole('link', { name: 'Edit plan', exact: true }).click()
  await page.getByLabel('Phone number').fill('+1.614.555.0170')
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  const question = page.getByRole('dialog')
  await question.getByText('The traceability plan is not saved.').waitFor()
  await question.getByRole('button', { name: 'Stay', exact: true }).click()
  await page.getByRole('button', { name: 'Save plan', exact: true }).click()
  const versions = page.getByRole('table', { name: 'Versions' })
  await versions.getByRole('link', { name: '1', exact: true }).click()
  await page.getByText('Version 1, in force from').waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Edit plan', exact: true }).count()).toBe(0)

  // On paper it is a document: nothing that is worked with, no list of gaps.
  await page.getByRole('link', { name: 'Show the plan in force', exact: true }).click()
  await page.getByText('Version 2, in force since').waitFor()
  await page.emulateMedia({ media: 'print' })
  await expect.poll(() => page.getByText('The plan does not say.').filter({ visible: true }).count()).toBe(2)
  for (const text of ['missing', 'Versions', 'Print'])
    expect(await page.getByText(text, { exact: true }).filter({ visible: true }).count(), text).toBe(0)
  await page.emulateMedia({ media: 'screen' })

  await page.goto(`${service.url}/console/fda`)
  await page.getByText('contains version 2 of your traceability plan').waitFor()
  await end()
})

test('whoever replaced the plan in the meantime is not overwritten: both changes are shown and merged', async () => {
  const provider = await service.provider()
  const key = await provider.key('administrator')
  const call = calling(service.url, key)
  await call('PUT', '/traceability-plan', { body: { recordProcedures: 'first' } })
  const { page, end } = await visit(browser, '/traceability-plan/edit', { url: service.url, key, expected: /412/ })
  await page.getByLabel('Procedures for identifying foods').fill('mine')
  await call('PUT', '/traceability-plan', { body: { recordProcedures: 'theirs' } })
  await page.getByRole('button', { name: 'Save plan', exact: true }).click()
  await page.getByRole('button', { name: 'Merge my changes into theirs', exact: true }).click()
  await expect.poll(() => page.getByLabel('Procedures for keeping records').inputValue()).toBe('theirs')
  await page.getByRole('button', { name: 'Save plan', exact: true }).click()
  await page.getByText('Version 3 of the plan is in force').waitFor()
  expect((await call('GET', '/traceability-plan')).body).toMatchObject({
    version: 3,
    plan: { recordProcedures: 'theirs', foodIdentification: 'mine' },
  })
  await end()
})

test('a reader reads the plan and is not offered to write it', async () => {
  const provider = await service.provider()
  const { page, end } = await visit(browser, '/traceability-plan', {
    url: service.url,
    key: await provider.key('reader'),
  })
  await page.getByText('An administrator writes it here.').waitFor()
  expect(await page.getByRole('link', { name: 'Write plan', exact: true }).count()).toBe(0)
  await end()
})
