// Writes docs/screenshots/: the pictures of the guides, on a new database, and every page of the
// menus on an account of three months, with their list, and a moving picture of the main job.
// Run: npm run screenshots.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { exampleNotice } from '../test/samples/ship-notices.ts'
import { launchBrowser, settled, visit } from '../test/support/pages/browser.ts'
import { followGuide } from '../test/support/pages/guide-journey.ts'
import { followSharing } from '../test/support/pages/sharing-journey.ts'
import { type Certificate, certificateFor } from '../test/support/servers/certificate.ts'
import { MovingPicture } from './moving-picture.ts'
import { accountBegins, fillAccount, picturesAt, type ShownAccount } from './screenshot-account.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const target = join(root, 'docs/screenshots')
const pageWidth = 1280
/** Of a page that is longer, this much is shown. */
const pageHeightMax = 1000
const pageHeightMin = 520

rmSync(target, { recursive: true, force: true })
mkdirSync(join(target, 'pages'), { recursive: true })
const browser = await launchBrowser()
stopClock(browser)
try {
  await withService(picturesAt, async (service) => {
    await followGuide(browser, { ...service, take })
    await followSharing(browser, { ...service, take })
  })
  await withService(accountBegins, async (service) => {
    const account = await fillAccount(service)
    await takeMovingPicture(service, account)
    await takePages(service, account)
    await takeTriedNotice(service)
    account.close()
  })
} finally {
  await browser.close()
}

/** Pages show the day of the pictures, whenever they are taken. */
function stopClock(browser: Browser) {
  const open = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await open(options)
    await context.clock.setFixedTime(picturesAt)
    return context
  }
}

/** The page from its top or from an element, that many pixels of it. */
async function take(page: Page, name: string, height: number, from = 'body'): Promise<void> {
  await page.setViewportSize({ width: pageWidth, height })
  await page.evaluate('document.activeElement?.blur(); scrollTo(0, 0)')
  await page.evaluate(`document.querySelector('${from}').scrollIntoView()`)
  const browser = await page.context().newCDPSession(page)
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 65 })
  writeFileSync(join(target, `${name}.webp`), data, 'base64')
}

interface Shown {
  readonly title: string
  readonly href: string
}
interface Group {
  readonly heading: string
  readonly pages: readonly Shown[]
}

/** Pages that the menus do not offer. */
function otherPages({ event, shipment, correction, mockRecall, webhook }: ShownAccount): readonly Shown[] {
  return [
    ['A receiving event', `/events/${event}`],
    ['Its versions', `/events/${event}/versions?compare=1..2`],
    ['Its form', `/events/${event}/edit`],
    ['A shipping event', `/shipping/${shipment}`],
    ['Preview of a correction', `/corrections/${correction}`],
    ['Complete a product', '/completeness/complete?product=ROM-24&dataProviderVendorId=V-1001'],
    ['Scorecard of a vendor', '/scorecard?vendor=V-1006'],
    ['Report of a mock recall', `/mock-recalls/${mockRecall}`],
    ['A webhook', `/webhooks/${webhook}`],
    ['New webhook', '/webhooks/new'],
  ].map(([title = '', path]) => ({ title, href: `/console${path}` }))
}

/** What is asked on pages that show little before. */
function askedOf({ lotCode }: ShownAccount): Readonly<Record<string, string>> {
  return {
    '/console/trace': `?lotCode=${lotCode}`,
    '/console/fda': '?eventStartDate=2026-02-01&eventEndDate=2026-02-28',
    '/console/differences': '?eventStartDate=2026-02-01&eventEndDate=2026-03-12',
    '/console/completeness/history': '?bucket=week&vendor=V-1006',
  }
}

/** Every page that the menus offer, as they offer it, and what is behind them. */
async function takePages(service: { readonly url: string; readonly key: string }, account: ShownAccount) {
  const { page, end } = await visit(browser, '/', { ...service, width: 768 })
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  const groups = (await page.evaluate(`[...document.querySelectorAll('#menu section')].map((section) => ({
    heading: section.querySelector('h2').textContent,
    pages: [...section.querySelectorAll('a')].map((link) => ({ title: link.textContent, href: link.getAttribute('href') })),
  }))`)) as readonly Group[]
  const asked = askedOf(account)
  const lines = ['# Pages of the console', '', 'Made by `npm run screenshots`, with data that it makes up.']
  const all = [
    { heading: 'Start', pages: [{ title: 'Overview', href: '/console/' }] },
    ...groups,
    { heading: 'Behind them', pages: otherPages(account) },
  ]
  for (const { heading, pages } of all) {
    lines.push('', `## ${heading}`)
    for (const { title, href } of pages) {
      const name = `pages/${title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`
      await page.setViewportSize({ width: pageWidth, height: pageHeightMax })
      await page.goto(service.url + href + (asked[href] ?? ''))
      await settled(page)
      // Names and counts that come after the page.
      await page.waitForTimeout(1_200)
      const height = (await page.evaluate('document.querySelector("main").getBoundingClientRect().bottom')) as number
      await take(page, name, Math.min(Math.max(Math.ceil(height) - 40, pageHeightMin), pageHeightMax))
      lines.push('', `### ${title}`, '', `![${title}](${name}.webp)`)
    }
  }
  writeFileSync(join(target, 'README.md'), `${lines.join('\n')}\n`)
  await end()
}

/** FDA names a lot: the package is downloaded, and the lot traced. */
async function takeMovingPicture(service: Service, { lotCode }: ShownAccount): Promise<void> {
  const size = { width: 1120, height: 700 }
  const { page, end } = await visit(browser, '/', { ...service, width: size.width })
  await page.setViewportSize(size)
  await settled(page)
  // Names and counts that come after the page.
  await page.waitForTimeout(1_200)
  const picture = new MovingPicture(page, size)
  const menus = page.getByRole('navigation', { name: 'Console' })
  await picture.show(1_800)
  await picture.click(menus.getByRole('button', { name: 'Answers', exact: true }))
  await picture.show(500)
  await picture.click(menus.getByRole('link', { name: 'FDA package', exact: true }))
  await settled(page)
  await picture.show(700)
  await picture.type(page.getByLabel('Lot code', { exact: true }), lotCode)
  await picture.click(page.getByRole('button', { name: 'Find', exact: true }))
  await page.getByText(/\d+ lines of \d+ receiving events/).waitFor()
  await settled(page)
  await picture.show(1_800)
  const download = page.waitForEvent('download')
  await picture.click(page.getByRole('button', { name: 'Download package', exact: true }))
  await download
  await page.getByText('was passed to the browser for saving').waitFor()
  await picture.show(1_800)
  await picture.click(page.getByRole('link', { name: 'Trace this lot', exact: true }))
  await page.getByText('Open questions').waitFor()
  await settled(page)
  await picture.show(3_500)
  await end()
  writeFileSync(join(target, 'answer-fda.webp'), picture.file)
}

/** Settings of a sender, tried on a ship notice before they are saved. */
async function takeTriedNotice(service: Service) {
  const { page, end } = await visit(browser, '/senders/ship-notices?sender=GREENVALLEY', {
    ...service,
    width: pageWidth,
  })
  await page.getByLabel('Vendor', { exact: true }).fill('V-1001')
  await page.getByLabel('Paste a ship notice').fill(exampleNotice)
  await page.getByRole('radio', { name: 'The ship-from location' }).check()
  await page.getByRole('button', { name: 'Try', exact: true }).click()
  const tried = page.getByRole('list', { name: 'Ship notices' })
  await tried.getByText('can be imported', { exact: true }).waitFor()
  await take(page, 'sender-tried', 780, '#try-document')
  await end()
}

interface Service {
  readonly url: string
  /** The first key, which is printed at the first start. */
  readonly key: string
  readonly setClock: (ms: number) => Promise<void>
  /** Of erp.example.com, which it finds here. */
  readonly certificate: Certificate
}

/** A service with an empty database, whose clock is set and whose webhooks reach here. */
async function withService(startsAt: number, use: (service: Service) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lotkeeper-screenshots-'))
  const place = (name: string) => join(folder, name)
  const shims = ['clock', 'dns'].flatMap((name) => ['--import', join(root, `test/support/servers/${name}-shim.mjs`)])
  const certificate = certificateFor('erp.example.com')
  const setClock = async (ms: number) => {
    // Never half a file: the clock would be that of the machine.
    writeFileSync(place('next-clock'), String(ms - Date.now()))
    renameSync(place('next-clock'), place('clock'))
    // The service looks at it so often.
    await new Promise((resolve) => setTimeout(resolve, 40))
  }
  await setClock(startsAt)
  writeFileSync(place('names'), JSON.stringify({ 'erp.example.com': [['127.0.0.1']] }))
  writeFileSync(place('certificate'), certificate.cert)
  const server = spawn(process.execPath, [...shims, join(root, 'dist/cli/main.js'), 'serve'], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATA_DIR: place('data'),
      CLOCK_SHIM: place('clock'),
      DNS_SHIM: place('names'),
      NODE_EXTRA_CA_CERTS: place('certificate'),
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const started = await new Promise<{ url: string; key: string }>((resolve, reject) => {
      let output = ''
      server.once('exit', () => reject(new Error(`The server did not start: ${output}`)))
      server.stdout.on('data', (chunk) => {
        output += chunk
        const url = /ready at (http:\S+)/.exec(output)?.[1]
        const key = /lk_\w+_[\w-]{43}/.exec(output)?.[0]
        if (url && key) resolve({ url, key })
      })
    })
    await use({ ...started, setClock, certificate })
  } finally {
    server.kill('SIGTERM')
    await new Promise((resolve) => server.once('exit', resolve))
    rmSync(folder, { recursive: true, force: true })
  }
}
