// Writes docs/screenshots/: the pictures of docs/guides/compliance-manager.md, on a new database.
// Run: npm run screenshots.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { openBrowser } from '../test/support/browser.ts'
import { followGuide } from '../test/support/guide-journey.ts'

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
