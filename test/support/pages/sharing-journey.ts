// The steps of docs/guides/share-with-a-customer.md in a browser: npm run screenshots takes its
// pictures on the way, and a test walks it.
import type { Browser, Page } from 'playwright-core'
import { settled, visit } from './browser.ts'

interface Journey {
  readonly url: string
  /** Of an administrator whose account has the examples. */
  readonly key: string
  /** Called where the guide has a picture: its name, and how many pixels of the page it shows. */
  readonly take: (page: Page, name: string, height: number) => Promise<void>
}

/** What is left of it: the key that the invitation made. */
export async function followSharing(browser: Browser, { url, key, take }: Journey): Promise<{ partnerKey: string }> {
  const { page, end } = await visit(browser, '/partners', { url, key, width: 1440 })
  const button = (name: string | RegExp, on = page) => on.getByRole('button', { name, exact: typeof name === 'string' })

  await page.getByRole('link', { name: 'New partner', exact: true }).click()
  const asked = page.getByRole('dialog', { name: 'Under which name do others see you?', exact: true })
  await asked.getByLabel('Name', { exact: true }).fill('Green Valley Foods')
  await button('Save name').click()
  await asked.waitFor({ state: 'hidden' })
  await page.getByLabel('Name', { exact: true }).fill('Valley Grocers')
  await page.getByLabel('Add places that events are shipped to').fill('Valley Grocers')
  await button(/^Add all \d+ that match$/).click()
  await page.getByLabel('Received from (optional)').fill('2026-03-01')
  await page
    .getByText(/^Opens/)
    .filter({ visible: true })
    .first()
    .waitFor()
  await page.getByRole('region', { name: 'Examples' }).waitFor()
  await button('Create partner').and(page.locator(':enabled')).waitFor()
  await take(page, 'partner-new', 900)
  await button('Create partner').click()
  // Nobody waits longer for it than for the copies.
  await page.getByText('open', { exact: true }).waitFor()

  await button('Invite').click()
  await page.getByLabel('Person (optional)').fill('Sam Reed')
  await button('Create link').click()
  const link = (await page.locator('.whole-key').textContent()) ?? ''
  await button('Done').click()

  const partner = await visit(browser, new URL(link).pathname.replace('/console', '') + new URL(link).hash, { url })
  await button('Accept invitation', partner.page).click()
  const partnerKey = (await partner.page.locator('.whole-key').textContent()) ?? ''
  await button('Open the records', partner.page).click()
  await partner.page.getByText('Shared with you by Green Valley Foods').waitFor()
  await partner.page.getByRole('heading', { name: 'Events by day received' }).waitFor()
  await settled(partner.page)
  await take(partner.page, 'partner-view', 720)
  await partner.end()

  await page.reload()
  await page.getByRole('table', { name: 'What the partner read' }).waitFor()
  await take(page, 'partner', 900)
  await end()
  return { partnerKey }
}
