// npm run bench:console: how large the console is, how soon it shows a list, how a list of 10,000
// rows scrolls, how soon an event of 5,000 lines is shown, edited and printed, and how soon and
// steadily each page is shown on a slow machine.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { openBrowser, settled, visit } from '../test/support/pages/browser.ts'
import { pageVisits, pathOf, storeShown } from '../test/support/pages/page-visits.ts'
import { startServerProcess } from '../test/support/servers/server-process.ts'
import { calling } from '../test/support/servers/service.ts'
import { eventsPath } from './service-under-load.ts'
import { median } from './statistics.ts'
import { markdownTable } from './table.ts'

const events = 10_000
const eventsPerCall = 500
const rounds = 5
const frames = 240
/** As fast as a hand turns a wheel: ten rows with each. */
const pixelsPerFrame = 400
/** How many times slower the processor of a slow machine is. */
const slowdown = 4

async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lotkeeper-bench-console-'))
  const { address: url, firstKey: key = '', end } = await startServerProcess({ DATA_DIR: join(folder, 'data') })
  try {
    await seed(url, key)
    const load = loadavg()[0]?.toFixed(1)
    const browser = await openBrowser()
    const starts: Started[] = []
    for (let round = 0; round < rounds; round++) starts.push(await coldStart(browser, url, key))
    const scrolled = await scroll(browser, url, key)
    const large = await openLargeEvent(browser, url, key)
    const slow = await slowPages(browser, url, key)
    await browser.close()
    const [first] = starts
    const of = (field: 'shownMs' | 'cpuMs') => starts.map((one) => one[field])
    console.log(
      [
        `Load average before the run ${load}; headless Chromium without a graphics card, ${rounds} cold starts.`,
        `Script ${kilobytes(first?.scriptBytes)} compressed, styles ${kilobytes(first?.styleBytes)}.`,
        `First list shown after ${median(of('shownMs')).toFixed(0)} ms (worst ${Math.max(...of('shownMs')).toFixed(0)} ms); the page computes ${median(of('cpuMs')).toFixed(0)} ms of it.`,
        `${scrolled.rows} rows, ${frames} frames of ${pixelsPerFrame} pixels: median ${scrolled.medianMs.toFixed(1)} ms, worst ${scrolled.worstMs.toFixed(1)} ms; the page computes ${scrolled.cpuMs.toFixed(1)} ms a frame.`,
        `An event of ${largeLines.toLocaleString('en')} lines with ${large.findings.toLocaleString('en')} findings: lines after ${wallAndCpu(large.lines)}, findings after ${wallAndCpu(large.found)}, the form after ${wallAndCpu(large.form)}, its JSON after ${wallAndCpu(large.json)}, a key in that after ${wallAndCpu(large.key)}, printed after ${wallAndCpu(large.printed)}.`,
        '',
        `Processor ${slowdown} times slower, files in the cache:`,
        markdownTable(['page', 'first content', 'layout shift'], slow),
      ].join('\n'),
    )
  } finally {
    await end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Lines without the source of their lot code. */
const largeLines = 5_000

interface Took {
  readonly ms: number
  readonly cpuMs: number
}

const wallAndCpu = ({ ms, cpuMs }: Took): string => `${ms.toFixed(0)} ms (the page computes ${cpuMs.toFixed(0)} ms)`

/** The page of a large event, the form that edits it, and the page drawn for paper. */
async function openLargeEvent(browser: Browser, url: string, apiKey: string) {
  const example = JSON.parse(readFileSync(new URL('../examples/receiving-event.json', import.meta.url), 'utf8'))
  const [line] = example.eventList.productList
  const known = Object.fromEntries(Object.entries(line).filter(([name]) => !name.startsWith('tlcSource')))
  const productList = Array.from({ length: largeLines }, (_, n) => ({
    ...known,
    caseLotNumber: `LOT-${n}`,
    tlcSourceReferenceDuns: '123456789',
  }))
  // Before all the others: one event of a vendor has a minute at a place.
  const eventList = { ...example.eventList, eventDateTime: '2026-02-01T09:30:00-05:00', productList }
  const { request_ids: ids, findingCount } = await create(url, apiKey, { ...example, eventList })
  const { page, end } = await visit(browser, `/events/${ids[0]}`, { url, key: apiKey })
  await page.locator('.finding-list').waitFor()
  await page.goto('about:blank')
  const began = await clocks(page)
  await page.goto(`${url}/console/events/${ids[0]}`)
  await page.locator('.entry-table .opener').first().waitFor()
  const lines = await began()
  await page.locator('.finding-list').waitFor()
  const found = await began()
  const editing = await clocks(page)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.locator('.form').waitFor()
  const form = await editing()
  await page.getByText('Nothing would change').waitFor()
  const opening = await clocks(page)
  await page.getByRole('button', { name: 'JSON', exact: true }).click()
  await page.waitForFunction(`document.querySelector('.editor textarea')?.value.includes('LOT-${largeLines - 1}')`)
  await page.evaluate(nextFrame)
  const json = await opening()
  await page.evaluate(`{
    const field = document.querySelector('.editor textarea')
    const middle = field.value.indexOf('LOT-${largeLines / 2}')
    field.setSelectionRange(middle, middle)
    field.focus()
  }`)
  await page.evaluate(nextFrame)
  const typing = await clocks(page)
  await page.keyboard.press('x')
  await page.evaluate(nextFrame)
  const key = await typing()
  await page.goBack()
  await page.locator('.finding-list').waitFor()
  const printing = await clocks(page)
  await page.emulateMedia({ media: 'print' })
  await page.waitForFunction(`document.querySelectorAll('.printed-fields').length >= ${largeLines}`)
  const printed = await printing()
  await end()
  return { findings: findingCount, lines, found, form, json, key, printed }
}

const nextFrame = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))'

/** Time and processor time of the page from now on. */
async function clocks(page: Page): Promise<() => Promise<Took>> {
  const cpu = await cpuClock(page)
  const began = performance.now()
  return async () => ({ ms: performance.now() - began, cpuMs: await cpu() })
}

const kilobytes = (bytes = 0): string => `${(bytes / 1_000).toFixed(0)} KB`

/** Events of the example, a minute apart. */
async function seed(url: string, key: string): Promise<void> {
  const example = JSON.parse(readFileSync(new URL('../examples/receiving-event.json', import.meta.url), 'utf8'))
  const began = Date.UTC(2026, 2, 1)
  for (let from = 0; from < events; from += eventsPerCall) {
    const eventList = Array.from({ length: eventsPerCall }, (_, n) => ({
      ...example.eventList,
      purchaseOrderNumber: `PO-${from + n}`,
      eventDateTime: new Date(began + (from + n) * 60_000).toISOString().replace('.000', ''),
    }))
    await create(url, key, { ...example, eventList })
  }
}

async function create(url: string, key: string, payload: object) {
  const answer = await calling(url, key)('POST', eventsPath, {
    body: payload,
    headers: { prefer: 'return=representation' },
  })
  if (answer.status !== 201) throw new Error(`Events were not created: ${answer.status} ${answer.text}`)
  return answer.body
}

interface Started {
  readonly shownMs: number
  readonly cpuMs: number
  readonly scriptBytes: number
  readonly styleBytes: number
}

/** A browser that has nothing of the console yet. */
async function coldStart(browser: Browser, url: string, key: string): Promise<Started> {
  const { page, end } = await visit(browser, '/nowhere', { url, key })
  await page.close()
  const fresh = await page.context().newPage()
  const network = await page.context().newCDPSession(fresh)
  await network.send('Network.clearBrowserCache')
  const cpu = await cpuClock(fresh)
  await fresh.addInitScript(
    `new MutationObserver((_, observer) => { if (document.querySelector('.row-link')) { window.shownMs = performance.now(); observer.disconnect() } }).observe(document, { childList: true, subtree: true })`,
  )
  await fresh.goto(`${url}/console/events`)
  await fresh.locator('.row-link').first().waitFor()
  const [shownMs, files] = (await fresh.evaluate(
    `[window.shownMs, performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => [name, encodedBodySize])]`,
  )) as [number, [string, number][]]
  const bytesOf = (kind: string) =>
    files.filter(([name]) => name.endsWith(kind)).reduce((sum, [, bytes]) => sum + bytes, 0)
  const started = { shownMs, cpuMs: await cpu(), scriptBytes: bytesOf('.js'), styleBytes: bytesOf('.css') }
  await end()
  return started
}

/** Each page of the console on a slow machine: when its first content is shown, and what moves. */
async function slowPages(browser: Browser, url: string, key: string): Promise<string[][]> {
  const shown = await storeShown(calling(url, key))
  const { page, end } = await visit(browser, '/', { url, key })
  const processor = await page.context().newCDPSession(page)
  await processor.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const rows: string[][] = []
  for (const path of Object.keys(pageVisits)) {
    await page.goto(`${url}/console${pathOf(path, shown)}`)
    await settled(page)
    const [firstMs, shift] = (await page.evaluate(`new Promise((resolve) => {
      const first = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0
      let sum = 0
      new PerformanceObserver((list) => { for (const { value } of list.getEntries()) sum += value }).observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => resolve([first, sum]), 300)
    })`)) as [number, number]
    rows.push([path, `${firstMs.toFixed(0)} ms`, shift.toFixed(3)])
  }
  await end()
  return rows
}

interface Scrolled {
  readonly rows: number
  readonly medianMs: number
  readonly worstMs: number
  readonly cpuMs: number
}

async function scroll(browser: Browser, url: string, key: string): Promise<Scrolled> {
  const { page, end } = await visit(browser, '/events', { url, key })
  await page.locator('.list-end button').waitFor()
  page.setDefaultTimeout(0)
  await page.evaluate(`new Promise((resolve) => {
    const step = () => {
      const more = document.querySelector('.list-end button')
      if (more === null) return resolve()
      if (!more.disabled) more.click()
      setTimeout(step, 10)
    }
    step()
  })`)
  const cpu = await cpuClock(page)
  const tookMs = (await page.evaluate(`new Promise((resolve) => {
    const took = []
    let before = performance.now()
    scrollTo(0, 0)
    const frame = (now) => {
      took.push(now - before)
      before = now
      scrollBy(0, ${pixelsPerFrame})
      if (took.length < ${frames}) requestAnimationFrame(frame)
      else resolve(took.slice(1))
    }
    requestAnimationFrame(frame)
  })`)) as number[]
  const cpuMs = (await cpu()) / frames
  const rows = Number(await page.getByRole('table').getAttribute('aria-rowcount')) - 1
  await end()
  return { rows, medianMs: median(tookMs), worstMs: Math.max(...tookMs), cpuMs }
}

/**
 * Processor time of the page from now on, in milliseconds: other work on the machine does not
 * count.
 */
async function cpuClock(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const before = await taskMs(session)
  return async () => (await taskMs(session)) - before
}

async function taskMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
}

await bench()
