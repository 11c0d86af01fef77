// The steps of docs/guides/compliance-manager.md in a browser: npm run screenshots takes its
// pictures on the way, and a test walks it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { unzipSync } from 'fflate'
import type { Browser, Page } from 'playwright-core'
import { lotkeeper } from '../../../src/client/client.ts'
import { placeOf } from '../../house/tree.ts'
import { exampleChain } from '../../samples/example-chain.ts'
import { csvOf, eventHeadings, rowsOf } from '../files/import-files.ts'
import { goByMenu, settled, visit } from './browser.ts'

const example = (name: string) => JSON.parse(readFileSync(placeOf(`examples/${name}`), 'utf8'))

interface Journey {
  readonly url: string
  /** Of a writer whose account is empty. */
  readonly key: string
  /** Called where the guide has a picture: its name, and how many pixels of the page it shows. */
  readonly take: (page: Page, name: string, height: number) => Promise<void>
}

export async function followGuide(browser: Browser, { url, key, take }: Journey): Promise<void> {
  const id = await sendExamples(url, key)
  const { page, end } = await visit(browser, '/', { url, key })
  const open = async (path: string) => {
    await page.goto(`${url}/console${path}`)
    await settled(page)
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const link = (name: string | RegExp) => page.getByRole('link', { name })
  const folder = mkdtempSync(join(tmpdir(), 'lotkeeper-guide-'))
  try {
    await settled(page)

    await goByMenu(page, 'Answers', 'FDA package')
    await page.getByLabel('Lot code', { exact: true }).fill('GV26063-A')
    await button('Find').click()
    await page.getByText('9 lines of 8 receiving events').waitFor()
    await page.getByLabel(/^Contact for FDA/).fill('Ana Lopez, +1.614.555.0170')
    await take(page, 'fda-lot', 690)
    const [download] = await Promise.all([page.waitForEvent('download'), button('Download package').click()])
    const files = unzipSync(readFileSync(await download.path()))
    await page.getByText('was passed to the browser for saving').waitFor()
    await take(page, 'fda-downloaded', 775)

    await link('Trace this lot').click()
    await page.getByText('3 sources use this lot code').waitFor()
    await page.getByText('Open questions').waitFor()
    await take(page, 'trace', 900)

    await open('/fda?eventStartDate=2026-03-01&eventEndDate=2026-03-31')
    await link(/incomplete lines/).click()
    await link(/TR-231-0307/).waitFor()
    await take(page, 'gaps', 410)
    await link(/TR-231-0307/).click()
    await page.getByText('5 gaps').first().waitFor()
    await take(page, 'findings', 820)

    await open('/locations?locationCode=00231')
    await link(/00231/).click()
    await link('Edit').click()
    await page.getByLabel('Phone number').fill('+1.775.555.0231')
    const address = { Street: '231 Lake Street', City: 'Reno', State: 'NV', 'Postal code': '89501' }
    for (const [label, value] of Object.entries(address)) await page.getByLabel(label, { exact: true }).fill(value)
    await page.getByText('The record would be replaced').waitFor()
    await take(page, 'correction', 1010)
    await button('Replace version 1').click()
    await page.getByText('Stored as version 2').waitFor()

    await open('/completeness?by=dataProviderVendorId&kind=receivingEvent')
    await page.getByText('These counts are being updated').waitFor({ state: 'detached' })
    await page.getByText('77.7%').waitFor()
    await take(page, 'completeness', 550)

    const file = join(folder, 'received.csv')
    writeFileSync(file, fileWithFault())
    await goByMenu(page, 'Data in', 'Import')
    await page.getByLabel('Choose a file').setInputFiles(file)
    await button('Send 1 record').waitFor()
    await button('Save the rejected rows').waitFor()
    await take(page, 'import', 750)

    await open(`/events/${id}/versions?compare=1..2`)
    await page.getByText('3 fields removed').waitFor()
    await link('Restore').first().waitFor()
    await take(page, 'versions', 800)
    await end()

    writeFileSync(join(folder, 'explanation.html'), files['explanation.html'] ?? '')
    const reader = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await reader.goto(pathToFileURL(join(folder, 'explanation.html')).href)
    await reader.getByText('Filters of this export').waitFor()
    await take(reader, 'explanation', 1000)
    await reader.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Sends the chain, and an event that is then corrected, whose id it returns. */
export async function sendExamples(url: string, key: string): Promise<string> {
  const api = lotkeeper({ url, key })
  for (const { kind, body } of exampleChain.values()) await api.of(kind).create({ body })
  const { body } = await api.createReceivingEvents({ body: example('receiving-event.json') })
  const [id = ''] = body.request_ids
  await api.replaceReceivingEvent({ id, body: example('receiving-event-corrected.json') })
  return id
}

/** Two events as CSV, one with a quantity that is no number. */
function fileWithFault(): string {
  const { eventList, ...received } = example('receiving-event.json')
  const rows = ['2026-03-09T09:30:00-05:00', '2026-03-10T09:30:00-05:00'].flatMap((eventDateTime) =>
    rowsOf({ ...received, eventList: { ...eventList, eventDateTime } }),
  )
  for (const row of rows.slice(-1)) row[eventHeadings.indexOf('shipQuantity')] = 'forty'
  return csvOf([eventHeadings, ...rows])
}
