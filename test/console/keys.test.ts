// Keys: made, shown once and revoked by an administrator; explained to everybody else.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, visit } from '../support/browser.ts'
import { eventPayload, paths } from '../support/payloads.ts'
import { calling, type Service, startService, type TestProvider } from '../support/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

const label = '"><img src=x onerror=alert(1)>'

test('a new key is shown once, works, and stops working when it is revoked', async () => {
  const key = await provider.key('administrator')
  const { page, end } = await visit(browser, '/keys', { url: service.url, key })
  await page.getByRole('row', { name: /this key/ }).waitFor()
  expect(
    await page
      .getByRole('row', { name: /this key/ })
      .getByRole('button', { name: 'Revoke' })
      .count(),
  ).toBe(0)
  await page.getByLabel('Label').fill(label)
  await page.getByLabel('Role').selectOption('writer')
  await page.getByLabel('Last day').fill('2099-12-31')
  await page.keyboard.press('Enter')
  await page.getByText('It is shown only once').waitFor()
  const made = (await page.locator('.whole-key').textContent()) ?? ''
  const call = calling(service.url, made)
  expect((await call('GET', '/keys/own')).body).toMatchObject({ role: 'writer', label })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy key' }).click()
  await page.getByText('Key copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(made)
  await page.getByRole('button', { name: 'Done' }).click()
  expect(await page.content()).not.toContain(made)

  const row = page.getByRole('row').filter({ hasText: label })
  await row.getByText('2099-12-31').waitFor()
  await row.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog', { name: 'Revoke' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Revoke' }).waitFor({ state: 'detached' })
  expect((await call('GET', '/keys/own')).status).toBe(200)
  await row.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await row.getByText('revoked').waitFor()
  expect(await row.getByRole('button').count()).toBe(0)
  await expect.poll(async () => (await call('GET', '/keys/own')).status).toBe(401)
  await end()
})

test('the name of a key's person is shown at the top of the page and in histories', async () => {
  const person = '"><b>Ana Lopez'
  const own = await service.provider()
  const key = await own.key('administrator')
  const call = calling(service.url, key)
  const id = (await call('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0]
  await call('POST', paths.receivingEvent, { body: {} })
  await call('GET', '/traceability/fda-spreadsheet?format=csv')
  const { page, end } = await visit(browser, '/keys', { url: service.url, key })
  await page
    .getByRole('row', { name: /this key/ })
    .getByRole('button', { name: 'Edit' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Edit' })
  await expect.poll(() => dialog.getByLabel('Role').isDisabled()).toBe(true)
  expect(await dialog.getByLabel('Label').inputValue()).toBe('test')
  await dialog.getByLabel('Person').fill(person)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.locator('.who').getByText(person, { exact: true }).waitFor()
  await page.getByRole('rowheader').getByText(person, { exact: true }).waitFor()
  for (const path of [`/events/${id}/versions`, '/refusals', '/access-log']) {
    await page.goto(`${service.url}/console${path}`)
    await page.locator('main').getByText(person).first().waitFor()
  }
  await end()
})

test('a key that would have expired is not created, and the field shows why', async () => {
  const key = await provider.key('administrator')
  const { page, end } = await visit(browser, '/keys', { url: service.url, key, expected: /status of 422/ })
  await page.getByLabel('Label').fill('late')
  await page.getByLabel('Last day').fill('2020-01-01')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('alert').filter({ hasText: '2020-01-01 is in the past' }).waitFor()
  await expect.poll(() => page.getByLabel('Label').inputValue()).toBe('late')
  await end()
})

test.each(['reader', 'writer'] as const)('a %s sees whose key it is and who may create others', async (role) => {
  const { page, end } = await visit(browser, '/keys', { url: service.url, key: await provider.key(role) })
  await page.getByText(`Yours is a ${role} key`).waitFor()
  await page.getByText(provider.name).last().waitFor()
  expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0)
  await end()
})
