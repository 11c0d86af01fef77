// Writes docs/screenshots/: the pictures of the guides for the compliance manager and for sharing,
// on a new database, and then every page of the menus, with their list. Run: npm run screenshots.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, settled, visit } from '../test/support/browser.ts'
import { followGuide } from '../test/support/guide-journey.ts'
import { followSharing } from '../test/support/sharing-journey.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const target = join(root, 'docs/screenshots')
const dataDir = mkdtempSync(join(tmpdir(), 'lotkeeper-screenshots-'))

const server = spawn(process.execPath, [join(root, 'dist/cli/main.js'), 'serve'], {
  env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: join(dataDir, 'data') },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const service = await started()
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const browser = await openBrowser()
  await followGuide(browser, { ...service, take })
  await followSharing(browser, { ...service, take })
  await takePages(browser, service)
  await browser.close()
} finally {
  server.kill('SIGTERM')
  await new Promise((resolve) => server.once('exit', resolve))
  rmSync(dataDir, { recursive: true, force: true })
}

/** The page from its top, that many pixels of it. */
async function take(page: Page, name: string, height: number): Promise<void> {
  await page.setViewportSize({ width: 1280, height })
  await page.evaluate('document.activeElement?.blur(); scrollTo(0, 0)')
  await page.screenshot({ path: join(target, `${name}.png`) })
}

interface Group {
  readonly heading: string
  readonly pages: readonly { readonly title: string; readonly href: string }[]
}

/** Every page that the menus offer, as they offer it, with what the guide left. */
async function takePages(browser: Browser, { url, key }: { readonly url: string; readonly key: string }) {
  const { page, end } = await visit(browser, '/', { url, key, width: 768 })
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  const groups = (await page.evaluate(`[...document.querySelectorAll('#menu section')].map((section) => ({
    heading: section.querySelector('h2').textContent,
    pages: [...section.querySelectorAll('a')].map((link) => ({ title: link.textContent, href: link.getAttribute('href') })),
  }))`)) as readonly Group[]
  mkdirSync(join(target, 'pages'))
  const lines = ['# Pages of the console', '', 'Made by `npm run screenshots`.']
  for (const { heading, pages } of groups) {
    lines.push('', `## ${heading}`)
    for (const { title, href } of pages) {
      const name = `pages/${title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`
      await page.goto(url + href)
      await settled(page)
      await take(page, name, 720)
      lines.push('', `### ${title}`, '', `![${title}](${name}.png)`)
    }
  }
  writeFileSync(join(target, 'README.md'), `${lines.join('\n')}\n`)
  await end()
}

/** Its address, and the key that the first start prints. */
function started(): Promise<{ url: string; key: string }> {
  return new Promise((resolve, reject) => {
    let output = ''
    server.once('exit', () => reject(new Error(`The server did not start: ${output}`)))
    server.stdout.on('data', (chunk) => {
      output += chunk
      const url = /ready at (http:\S+)/.exec(output)?.[1]
      const key = /lk_\w+_[\w-]{43}/.exec(output)?.[0]
      if (url && key) resolve({ url, key })
    })
  })
}
