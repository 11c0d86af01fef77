// Every page can be used by everybody, at four widths: no serious finding of axe in either theme,
// nothing wider than the window, nothing that moves while it loads, no name of the contract where
// there is a label, and whole on paper.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seriousFindings } from '../../../support/pages/axe.ts'
import { openBrowser, settled, type Visit, visit } from '../../../support/pages/browser.ts'
import { pageVisits, pathOf, type Shown, storeShown } from '../../../support/pages/page-visits.ts'
import { isShortRun } from '../../../support/runs.ts'
import { calling, type Service, startService } from '../../../support/servers/service.ts'

/** What is no more than this, people do not notice. */
const shiftMax = 0.1

let service: Service
let browser: Browser
let key: string
let shown: Shown
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService({ webhookAllowPrivate: true }), openBrowser()])
  const provider = await service.provider()
  key = await provider.key('administrator')
  shown = await storeShown(provider.call, calling(service.url, key))
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

/** Runs in each page before its own script: notes what moves, but for what people did. */
const noteShifts = `
  globalThis.shifts = []
  new PerformanceObserver((list) => {
    for (const { value, sources, hadRecentInput } of list.getEntries())
      if (!hadRecentInput)
        shifts.push({ value, moved: sources.map(({ node }) => node?.outerHTML?.slice(0, 80) ?? 'text') })
  }).observe({ type: 'layout-shift', buffered: true })`

/** Waits for two frames: then the page is laid out for its width, and what moved is noted. */
const twoFrames = (page: Page) =>
  page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))',
  )

/** How far what was drawn has moved since the page began to load. */
const layoutShift = async (page: Page): Promise<{ readonly sum: number; readonly moved: readonly string[] }> => {
  await twoFrames(page)
  const shifts = (await page.evaluate('shifts')) as readonly {
    readonly value: number
    readonly moved: readonly string[]
  }[]
  return { sum: shifts.reduce((sum, { value }) => sum + value, 0), moved: shifts.flatMap(({ moved }) => moved) }
}

/**
 * Which elements are seen, and which can be scrolled: where that is the same at two widths, axe finds
 * the same at both.
 */
const shapesOf = `(() => {
  const shapes = { frame: '', main: '' }
  const isScrolled = (overflow, inside, shown) => inside > shown && ['auto', 'scroll'].includes(overflow)
  for (const one of document.querySelectorAll('body *')) {
    const { overflowX, overflowY } = getComputedStyle(one)
    const seen = one.checkVisibility()
    const x = seen && isScrolled(overflowX, one.scrollWidth, one.clientWidth)
    const y = seen && isScrolled(overflowY, one.scrollHeight, one.clientHeight)
    shapes[one.closest('main') === null ? 'frame' : 'main'] += [one.tagName, +seen, +x, +y].join(' ') + ','
  }
  return shapes
})()`

/** Paths that axe has looked at, and the shapes: of all frames, and of each path. */
const lookedAt = new Set<string>()

/** What axe finds on a page, or in the parts of it that have another shape than those it has looked at. */
async function newFindings(page: Page, path: string): Promise<readonly string[]> {
  const { frame, main } = (await page.evaluate(shapesOf)) as { readonly frame: string; readonly main: string }
  const parts = { frame, main: `${path} ${main}` }
  const fresh = (['frame', 'main'] as const).filter((part) => !lookedAt.has(parts[part]))
  const isFirst = !lookedAt.has(path)
  for (const shape of [path, parts.frame, parts.main]) lookedAt.add(shape)
  if (isFirst || fresh.length === 2) return seriousFindings(page)
  const [part] = fresh
  return part === undefined
    ? []
    : seriousFindings(page, part === 'main' ? { include: ['main'] } : { exclude: ['main'] })
}

/** On letter paper: nothing to work with, and nothing that would have to be scrolled. */
async function prints(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'light' })
  await page.setViewportSize({ width: 816, height: 1056 })
  const left = `[...document.querySelectorAll('.top, .search, .actions, nav, button, select, input[type=file]')]
    .filter((one) => one.checkVisibility() && !one.closest('.form') && !one.matches('.opener, .place, .sort, [aria-pressed=true]'))
    .map((one) => one.outerHTML.slice(0, 120))`
  expect(await page.evaluate(left)).toEqual([])
  const { pathname } = new URL(page.url())
  await expect
    .poll(() => page.locator('.printed').textContent())
    .toMatch(
      new RegExp(`^test .* · printed \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC by test · ${service.url}${pathname}`),
    )
  const cut = `[...document.querySelectorAll('main, main .scroller, main pre')]
    .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
    .map((one) => one.className)`
  expect(await page.evaluate(cut)).toEqual([])
  await page.emulateMedia({ media: 'screen' })
}

/** Fields as the contract spells them, outside of what shows spellings: JSON, codes, chosen texts. */
const wireNamesShown = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const words = []
    const walk = (node) => {
      if (node.nodeType === 3) words.push(...(node.data.match(/\\b[a-z]+(?:[A-Z][a-z]+)+\\b/g) ?? []))
      else if (node.nodeType === 1 && !node.matches('code, pre, textarea, script, style')) node.childNodes.forEach(walk)
    }
    walk(document.body)
    return [...new Set(words)]
  })()`)

/** The link of the menus that leads here, and the heading: a page has one name. */
const namesOf = (page: Page): Promise<readonly [link: string | undefined, heading: string]> =>
  page.evaluate(`(() => {
    const links = [...document.querySelectorAll('nav[aria-label=Console] a')]
    const here = location.search === '' ? links.find(({ pathname }) => pathname === location.pathname) : undefined
    return [here?.textContent, document.querySelector('h1').textContent]
  })()`)

// Loaded at the widest and the narrowest, since that is when things move; then made as wide as the
// others. A short run loads each page once, and asks axe at the narrowest.
const widthsOfLoads: readonly (readonly [number, number])[] = isShortRun
  ? [[360, 1440]]
  : [
      [1440, 1024],
      [360, 768],
    ]
describe.each(widthsOfLoads)('loaded at %i pixels, and at %i', (...widths) => {
  const [width] = widths
  let visited: Visit
  beforeAll(async () => {
    visited = await visit(browser, '/', { url: service.url, key, width })
    await visited.page.addInitScript(noteShifts)
  })
  afterAll(() => visited?.end())

  test.each(Object.entries(pageVisits))('%s', async (path, ready) => {
    const { page } = visited
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${service.url}/console${pathOf(path, shown)}`)
    await settled(page)
    const { sum, moved } = await layoutShift(page)
    const [link, heading] = await namesOf(page)
    expect(heading).toBe(link ?? heading)
    await ready(page)
    await settled(page)
    const found: string[] = []
    const sideways: Record<number, number> = {}
    for (const one of widths) {
      await page.setViewportSize({ width: one, height: 800 })
      await twoFrames(page)
      if (!isShortRun || one === width) found.push(...(await newFindings(page, path)).map((says) => `${one}: ${says}`))
      sideways[one] = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number
    }
    expect(found).toEqual([])
    expect(Object.values(sideways).filter((pixels) => pixels > 0)).toEqual([])
    expect(sum, moved.join('\n')).toBeLessThan(shiftMax)
    if (widths.includes(1440)) {
      expect(await wireNamesShown(page)).toEqual([])
      await prints(page)
    }
  })
})

test('where the browser replaces colours, what is chosen looks unlike the rest', async () => {
  const { page, end } = await visit(browser, `/events/${shown.id}`, { url: service.url, key })
  await settled(page)
  await page.emulateMedia({ forcedColors: 'active' })
  const groundsOf = (pair: string) =>
    page.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(pair)})].map((one) => getComputedStyle(one).backgroundColor)`,
    )
  for (const pair of ['.choice [aria-pressed]', 'nav.tabs a:nth-of-type(-n + 2)']) {
    const grounds = (await groundsOf(pair)) as readonly string[]
    expect(grounds).toHaveLength(2)
    expect(new Set(grounds).size, pair).toBe(2)
  }
  await end()
})

test('text that cannot be read is found, also on a page that was looked at before', async () => {
  const { page, end } = await visit(browser, '/limits', { url: service.url, key })
  await settled(page)
  expect(await seriousFindings(page)).toEqual([])
  await page.evaluate(`document.querySelector('h1').style.color = '#ccc'`)
  expect(await seriousFindings(page)).toEqual([expect.stringContaining('light: color-contrast <h1')])
  await end()
})
