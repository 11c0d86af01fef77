// Signing in with the account of the organisation, and out of both, in a real browser and with a
// real identity provider.
import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seriousFindings } from '../../../support/pages/axe.ts'
import { openBrowser, visit } from '../../../support/pages/browser.ts'
import { isShortRun } from '../../../support/runs.ts'
import { freePort } from '../../../support/servers/free-port.ts'
import { startIdentityProvider, type TestIdentityProvider } from '../../../support/servers/identity-provider.ts'
import { calling, type Service, startService, type TestProvider } from '../../../support/servers/service.ts'

let idp: TestIdentityProvider
let service: Service
let provider: TestProvider
let browser: Browser
beforeAll(async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  idp = await startIdentityProvider([url])
  const name = `people ${randomUUID()}`
  ;[service, browser] = await Promise.all([
    startService({ port, identityProvider: idp.settings(url, name) }),
    openBrowser(),
  ])
  provider = await service.provider(name)
})
afterAll(async () => {
  await Promise.all([browser?.close(), service?.close()])
  await idp?.close()
})

test('an invited person signs in to the page they opened, is shown by name, signs out of both, and can be revoked', async () => {
  const name = 'Ana <b>Lopez'
  const email = 'ana.lopez@example.com'
  idp.people.set('ana', { name, email, email_verified: true })
  const administrator = await visit(browser, '/keys', { url: service.url, key: await provider.key('administrator') })
  const { page: desk } = administrator
  await desk.getByRole('button', { name: 'Invite person' }).click()
  await desk.getByLabel('E-mail address').fill(email)
  await desk.getByLabel('Role of the person').selectOption('writer')
  await desk.getByRole('button', { name: 'Invite', exact: true }).click()
  const row = desk.getByRole('table', { name: 'People and keys' }).getByRole('row').filter({ hasText: /ana/i })
  await row.getByText('invited', { exact: true }).waitFor()

  const { page, end } = await visit(browser, '/products?itemCode=7731', {
    url: service.url,
    elsewhere: idp.issuer,
    expected: /status of (401|403)/,
  })
  const signIn = async () => {
    await page.getByRole('link', { name: 'Continue with Green Valley', exact: true }).click()
    await page.locator('input[name=name]').fill('ana')
    await page.getByRole('button', { name: 'Log in' }).click()
  }
  await signIn()
  await page.getByRole('heading', { name: 'Master products', exact: true }).waitFor()
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/console/products?itemCode=7731')
  await page.locator('.who').getByText(name, { exact: true }).waitFor()
  const [cookie] = (await page.context().cookies(service.url)).filter((one) => one.name === 'lotkeeper-session')
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', expires: -1 })

  await page.locator('.who').click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${idp.issuer}/**`)
  await page.getByRole('button', { name: /Yes/ }).click()
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  expect(page.url()).toBe(`${service.url}/console/`)

  // The identity provider asks for the name again: the sign-in there has ended too.
  await signIn()
  await page.locator('.who').getByText(name, { exact: true }).waitFor()
  await desk.reload()
  await row.getByRole('link').click()
  await desk.getByRole('dialog').getByText(email).waitFor()
  await desk.getByRole('button', { name: 'Revoke', exact: true }).click()
  await desk.getByRole('button', { name: 'Revoke access' }).click()
  await row.getByText('revoked', { exact: true }).waitFor()
  await expect
    .poll(async () => {
      await page.reload()
      await page.getByRole('heading', { level: 1 }).waitFor()
      return page.getByRole('heading', { level: 1 }).textContent()
    })
    .toBe('Sign in')
  await page.getByRole('link', { name: 'Continue with Green Valley', exact: true }).click()
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
  await page.getByText(`An administrator has ended the access of ${email}.`).waitFor()
  await page.getByRole('link', { name: 'Back to the sign-in page' }).click()
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  await administrator.end()
  await end()
})

test.each(isShortRun ? [360] : [1280, 360])(
  'everybody can use the pages of signing in and of people, at %i pixels',
  async (width) => {
    const administrator = calling(service.url, await provider.key('administrator'))
    await administrator('POST', '/people', { body: { email: `at-${width}@example.com`, role: 'reader' } })
    const expectUsable = async (page: Page) => {
      expect(await seriousFindings(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    }
    const signedOut = await visit(browser, '/events', { url: service.url, width })
    await signedOut.page.getByRole('link', { name: 'Continue with Green Valley', exact: true }).waitFor()
    await expectUsable(signedOut.page)
    await signedOut.page.goto(`${service.url}/sign-in/callback`)
    await signedOut.page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
    await expectUsable(signedOut.page)
    await signedOut.page.context().close()

    const { page, end } = await visit(browser, '/keys', {
      url: service.url,
      key: await provider.key('administrator'),
      width,
    })
    await page
      .getByRole('row')
      .filter({ hasText: `at-${width}@example.com` })
      .waitFor()
    await expectUsable(page)
    await page.getByRole('link', { name: `at-${width}@example.com`, exact: true }).click()
    await page.getByRole('dialog', { name: `at-${width}@example.com` }).waitFor()
    await expectUsable(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Invite person' }).click()
    await page.getByRole('dialog', { name: 'Invite a person' }).waitFor()
    await expectUsable(page)
    await end()
  },
)
