// Writes docs/screenshots/: the journey of docs/guides/compliance-manager.md, on a new database with the examples. Run: npm run screenshots.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { lotkeeper } from '../src/client/client.ts'
import { openBrowser, settled, visit } from '../test/support/browser.ts'
import { csvOf, eventHeadings, rowsOf } from '../test/support/import-files.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const target = join(root, 'docs/screenshots')
const folder = mkdtempSync(join(tmpdir(), 'lotkeeper-screenshots-'))

const example = (name: string) => JSON.parse(readFileSync(join(root, 'examples', name), 'utf8'))

const server = spawn(process.execPath, [join(root, 'dist/cli/main.js'), 'serve'], {
  env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: join(folder, 'data') },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const { url, key } = await startService()
  const api = lotkeeper({ url, key })
  for (const name of readdirSync(join(root, 'examples/chain')).sort())
    await api.createReceivingEvents({ body: example(join('chain', name)) })
  const { body } = await api.createReceivingEvents({ body: example('receiving-event.json') })
  const [id = ''] = body.request_ids
  await api.replaceReceivingEvent({ id, body: example('receiving-event-corrected.json') })

  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const browser = await openBrowser()
  const { page, end } = await visit(browser, '/', { url, key })
  const open = async (path: string) => {
    await page.goto(`${url}/console${path}`)
    await settled(page)
  }

  await take(page, 'overview', 800)

  await open('/fda?lotCode=GV26063-A')
  await page.getByLabel(/^Contact for FDA/).fill('Ana Lopez, +1.614.555.0170')
  await take(page, 'fda-lot', 690)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download package' }).click(),
  ])
  const files = unzipSync(readFileSync(await download.path()))
  await page.getByText('was passed to the browser for saving').waitFor()
  await take(page, 'fda-downloaded', 760)

  await open('/trace?lotCode=GV26063-A')
  await take(page, 'trace', 900)

  await open('/fda?eventStartDate=2026-03-01&eventEndDate=2026-03-31')
  await page.getByRole('link', { name: /incomplete lines/ }).click()
  await settled(page)
  await take(page, 'gaps', 410)
  await page.getByRole('link', { name: /TR-231-0307/ }).click()
  await settled(page)
  await take(page, 'findings', 820)

  await open('/locations?locationCode=00231')
  await page.getByRole('link', { name: /00231/ }).click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Form' }).click()
  await page.getByRole('button', { name: '10 more fields' }).click()
  await page.getByLabel('Phone number').fill('+1.775.555.0231')
  await page.getByRole('button', { name: /Address$/ }).click()
  await page.getByRole('button', { name: 'more fields' }).nth(1).click()
  const address = { 'Street address 1': '231 Lake Street', City: 'Reno', State: 'NV', 'Postal code': '89501' }
  for (const [label, value] of Object.entries(address)) await page.getByLabel(label).fill(value)
  for (const _ of ['location', 'address'])
    await page.getByRole('button', { name: 'Only fields with a value' }).first().click()
  await page.getByText('The record would be replaced').waitFor()
  await take(page, 'correction', 1010)
  await page.getByRole('button', { name: 'Replace version 1' }).click()
  await page.getByText('Stored as version 2').waitFor()

  await open('/completeness?by=dataProviderVendorId')
  await page.getByText('These counts are being updated').waitFor({ state: 'detached', timeout: 60_000 })
  await take(page, 'completeness', 550)

  const received = example('receiving-event.json')
  const rows = ['2026-03-09T09:30:00-05:00', '2026-03-10T09:30:00-05:00'].flatMap((eventDateTime) =>
    rowsOf({ ...received, eventList: { ...received.eventList, eventDateTime } }),
  )
  const quantity = eventHeadings.indexOf('shipQuantity')
  for (const row of rows.slice(-1)) row[quantity] = 'forty'
  const file = join(folder, 'received.csv')
  writeFileSync(file, csvOf([eventHeadings, ...rows]))
  await open('/import')
  await page.getByLabel('Choose a file').setInputFiles(file)
  await page.getByRole('button', { name: 'Send 1 record' }).waitFor()
  await take(page, 'import', 730)

  await open(`/events/${id}/versions?compare=1..2`)
  await take(page, 'versions', 800)
  await end()

  const explanation = join(folder, 'explanation.html')
  writeFileSync(explanation, files['explanation.html'] ?? '')
  const reader = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await reader.goto(pathToFileURL(explanation).href)
  await take(reader, 'explanation', 1000)
  await browser.close()
} finally {
  server.kill('SIGTERM')
  await new Promise((resolve) => server.once('exit', resolve))
  rmSync(folder, { recursive: true, force: true })
}

/** The page from its top, that many pixels of it. */
async function take(page: Page, name: string, height: number): Promise<void> {
  await settled(page)
  await page.setViewportSize({ width: 1280, height })
  await page.evaluate('document.activeElement?.blur(); scrollTo(0, 0)')
  await page.screenshot({ path: join(target, `${name}.png`) })
}

/** Its address, and the key that the first start prints. */
function startService(): Promise<{ url: string; key: string }> {
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
