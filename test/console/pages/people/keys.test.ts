// Keys: made, shown once and revoked by an administrator; explained to everybody else.
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seriousFindings } from '../../../support/pages/axe.ts'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { eventPayload, paths } from '../../../support/records/payloads.ts'
import { isShortRun } from '../../../support/runs.ts'
import { calling, type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

const label = '"><img src=x onerror=alert(1)>'

/** Opens the dialog of a key by its name in the table; of several, of the newest. */
const openKey = async (page: Page, name: string) => {
  await page.getByRole('table', { name: 'People and keys' }).getByRole('link', { name, exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name })
  await dialog.waitFor()
  return dialog
}

test('a new key is shown once, works, and stops working when it is revoked', async () => {
  const key = await provider.key('administrator')
  const { page, end } = await visit(browser, '/keys', { url: service.url, key })
  await page.getByRole('button', { name: 'New key', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'New key' })
  await form.getByLabel('Label').fill(label)
  await form.getByLabel('Role').selectOption('writer')
  await form.getByLabel('Last day').fill('2099-12-31')
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
  await expect.poll(() => page.content()).not.toContain(made)

  const row = page.getByRole('row').filter({ hasText: label })
  await row.getByText('2099-12-31').waitFor()
  const revoke = page.getByRole('button', { name: 'Revoke', exact: true })
  await openKey(page, label)
  await revoke.click()
  await page.getByRole('dialog', { name: 'Revoke' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Revoke' }).waitFor({ state: 'detached' })
  expect((await call('GET', '/keys/own')).status).toBe(200)
  await openKey(page, label)
  await revoke.click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await row.getByText('revoked').waitFor()
  await openKey(page, label)
  await expect.poll(() => revoke.count()).toBe(0)
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await call('GET', '/keys/own')).status).toBe(401)
  await openKey(page, 'test')
  await page.getByText('· you are signed in with it').waitFor()
  expect(await revoke.count()).toBe(0)
  await end()
})

test('the table of keys is searched, filtered, sorted and saved, and its views come back', async () => {
  const own = await service.provider()
  const key = await own.key('administrator')
  const call = calling(service.url, key)
  for (const [n, role] of ['reader', 'writer', 'reader'].entries())
    await call('POST', '/keys', { body: { role, label: `program ${n + 1}` } })
  const { page, end } = await visit(browser, '/keys', { url: service.url, key })
  const names = () => page.locator('.rows tbody tr td:first-child').allInnerTexts()
  await expect.poll(names).toEqual(['program 3', 'program 2', 'program 1', 'test', 'test'])
  await page.getByRole('columnheader', { name: 'Person or label' }).getByRole('button').click()
  await expect.poll(names).toEqual(['program 1', 'program 2', 'program 3', 'test', 'test'])
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByRole('combobox', { name: 'Role', exact: true }).click()
  await page.getByRole('option').filter({ hasText: 'reader' }).click()
  await expect.poll(names).toEqual(['program 1', 'program 3'])
  // The fields begin anew with each filter: what was typed before would be gone.
  await page.getByRole('list', { name: 'Filters in use' }).getByText('reader').waitFor()
  await page.getByLabel('Search', { exact: true }).fill('PROGRAM 3')
  await page.keyboard.press('Enter')
  await expect.poll(names).toEqual(['program 3'])
  expect(new URL(page.url()).search).toBe('?text=PROGRAM+3&role=reader&sort=name&direction=ascending')
  expect(await seriousFindings(page)).toEqual([])
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as', exact: true }).click()
  await page.getByRole('button', { name: 'CSV (.csv)' }).click()
  const rows = readFileSync(await (await saved).path(), 'utf8').split('\r\n')
  expect(rows).toEqual([
    expect.stringMatching(/^\uFEFFPerson or label,Role,State,/),
    expect.stringMatching(/^program 3,reader,valid,/),
    '',
  ])
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByLabel('Save this view as').fill('Third')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Third' }).waitFor()
  await page.goto(`${service.url}/console/keys`)
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByRole('link', { name: 'Third' }).click()
  await expect.poll(names).toEqual(['program 3'])
  await end()
})

test('a key is replaced: the successor works, and the old one says when it ends', async () => {
  const own = await service.provider()
  const key = await own.key('administrator')
  const { key: old } = (await calling(service.url, key)('POST', '/keys', { body: { role: 'writer', label: 'ERP' } }))
    .body
  const { page, end } = await visit(browser, '/keys', { url: service.url, key })
  await (await openKey(page, 'ERP')).getByRole('button', { name: 'Replace key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replace' })
  await dialog.getByLabel('The old key ends').selectOption('in one week')
  expect(await seriousFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create new key' }).click()
  await page.getByText('It replaces key').waitFor()
  const made = (await page.locator('.whole-key').textContent()) ?? ''
  for (const one of [old, made])
    expect((await calling(service.url, one)('GET', '/keys/own')).body).toMatchObject({ role: 'writer', label: 'ERP' })
  const ends = (await calling(service.url, old)('GET', '/keys/own')).body.expiresDateTime
  expect(Math.round((Date.parse(ends) - Date.now()) / 3_600_000)).toBe(168)
  await expect.poll(() => page.getByRole('link', { name: 'ERP', exact: true }).count()).toBe(2)
  await end()
})

test.skipIf(isShortRun)('signing out everywhere ends the sessions of every browser, and leaves the key', async () => {
  const own = await service.provider()
  const [key, administrator] = await Promise.all([own.key('reader'), own.key('administrator')])
  const [here, there] = await Promise.all(
    [1, 2].map(() => visit(browser, '/keys', { url: service.url, key, expected: /status of 401/ })),
  )
  if (here === undefined || there === undefined) throw new Error('Two browsers are signed in.')
  await here.page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await here.page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await here.page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  const heading = there.page.getByRole('heading', { level: 1 })
  const asks = async () => {
    await there.page.reload()
    await heading.waitFor()
    return heading.textContent()
  }
  await expect.poll(asks).toBe('Sign in')
  await here.end()
  await there.end()

  const signedIn = await visit(browser, '/events', { url: service.url, key })
  const desk = await visit(browser, '/keys', { url: service.url, key: administrator })
  await desk.page.getByRole('link', { name: 'test', exact: true }).nth(1).click()
  await desk.page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await desk.page.getByRole('dialog', { name: 'Sign out' }).getByRole('button', { name: 'Sign out everywhere' }).click()
  await desk.page.getByText('ended').waitFor()
  await desk.end()
  await signedIn.page.context().close()
})

test('the name of the person of a key is shown at the top of the page and in histories', async () => {
  const person = '"><b>Ana Lopez'
  const own = await service.provider()
  const key = await own.key('administrator')
  const call = calling(service.url, key)
  const id = (await call('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0]
  await call('POST', paths.receivingEvent, { body: {} })
  await call('GET', '/traceability/fda-spreadsheet?format=csv')
  const { page, end } = await visit(browser, '/keys', { url: service.url, key })
  const dialog = await openKey(page, 'test')
  await expect.poll(() => dialog.getByLabel('Role').isDisabled()).toBe(true)
  expect(await dialog.getByLabel('Label').inputValue()).toBe('test')
  await dialog.getByLabel('Person').fill(person)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.locator('.who').getByText(person, { exact: true }).waitFor()
  await page.getByRole('link', { name: person, exact: true }).waitFor()
  for (const path of [`/events/${id}/versions`, '/refusals', '/access-log']) {
    await page.goto(`${service.url}/console${path}`)
    await page.locator('main').getByText(person).first().waitFor()
  }
  await end()
})

test('a key that would have expired is not created, and the field shows why', async () => {
  const key = await provider.key('administrator')
  const { page, end } = await visit(browser, '/keys', { url: service.url, key, expected: /status of 422/ })
  await page.getByRole('button', { name: 'New key', exact: true }).click()
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
  expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0)
  await end()
})
