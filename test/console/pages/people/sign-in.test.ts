// Signing in: with the right key, a wrong one, one that ends meanwhile, and while the service is
// away.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let browser: Browser
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

const refused = /Failed to load resource: the server responded with a status of 401/

test('a key signs in every tab and /docs, is gone from the page, survives a reload and ends with "Sign out"', async () => {
  const key = await provider.key('writer')
  const { page, end } = await visit(browser, '/products', { ...service, expected: refused })
  await page.getByLabel('Key', { exact: true }).fill(`  ${key}\n`)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Master products', exact: true }).waitFor()
  await page.locator('.who', { hasText: 'writer' }).waitFor()
  expect(await page.content()).not.toContain(key.slice(-43))
  await page.reload()
  await page.getByRole('heading', { name: 'Master products', exact: true }).waitFor()
  const kept = 'JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])'
  expect(await page.evaluate(kept)).toBe('[{},{},""]')

  const tab = await page.context().newPage()
  await tab.goto(`${service.url}/console/locations`)
  await tab.getByRole('heading', { name: 'Locations', exact: true }).waitFor()
  const docs = await page.context().newPage()
  await docs.goto(`${service.url}/docs`)
  const ask = `fetch('/keys/own', { method: 'GET' }).then((answer) => answer.json()).then(({ keyId }) => keyId)`
  expect(await docs.evaluate(ask)).toBe(key.split('_')[1])

  await page.getByRole('button', { name: `${provider.name} writer` }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.context().cookies()).toEqual([])
  expect(await page.evaluate(kept)).toBe('[{},{},""]')
  // Whoever signs in again is signed in in the other tab too, where it was.
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.keyboard.press('Enter')
  await tab.getByRole('heading', { name: 'Locations', exact: true }).waitFor()
  await end()
})

test.each([
  ['forgotten when the browser is closed, unless', false],
  ['kept when', true],
])('who is signed in is %s that is chosen', async (_what, keep) => {
  const { page, end } = await visit(browser, '/products', service)
  await page.getByLabel('Key', { exact: true }).fill(await provider.key('reader'))
  if (keep) await page.getByLabel('Keep me signed in on this computer').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.who', { hasText: 'reader' }).waitFor()
  const [cookie] = await page.context().cookies()
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
  expect((cookie?.expires ?? 0) > 0).toBe(keep)
  await end()
})

test.each([
  ['reader', 0],
  ['writer', 1],
  ['administrator', 1],
] as const)('a %s is named beside the provider, and offered what the role may do', async (role, offered) => {
  const { page, end } = await visit(browser, '/events', service)
  await page.getByLabel('Key', { exact: true }).fill(await provider.key(role))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.who', { hasText: `${provider.name} ${role}` }).waitFor()
  await page.getByText('There are no receiving events yet').waitFor()
  expect(await page.getByRole('link', { name: 'New receiving event' }).count()).toBe(offered)
  await end()
})

test('a wrong key shows what is wrong with it', async () => {
  const { page, end } = await visit(browser, '/events', { ...service, expected: refused })
  const field = page.getByLabel('Key', { exact: true })
  const key = await provider.key('writer')
  for (const [wrong, words] of [
    ['', 'Paste a key'],
    ['hello', 'begins with lk_'],
    [key.slice(0, -1), '42 characters instead of 43'],
    [`${key.slice(0, -3)}AAA`, 'mistyped, has expired, or was revoked'],
    [await provider.key('writer', new Date(0)), 'mistyped, has expired, or was revoked'],
  ] as const) {
    await field.fill(wrong)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: words }).waitFor()
  }
  await expect.poll(() => page.evaluate(`document.activeElement?.id`)).toBe('key')
  await end()
})
