// Every page can be used by everybody: no serious finding of axe, in both themes, and nothing wider than the window.
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeOf } from '../house/tree.ts'
import { openBrowser, settled, visit } from '../support/browser.ts'
import { changed, eventPayload, locationPayload, paths, productPayload } from '../support/payloads.ts'
import { type Service, startService, type TestProvider } from '../support/service.ts'

const axe = readFileSync(placeOf('node_modules/axe-core/axe.min.js'), 'utf8')

let service: Service
let provider: TestProvider
let browser: Browser
let key: string
let id: string
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  provider = await service.provider()
  key = await provider.key('administrator')
  const event = eventPayload((payload) => {
    const [line] = payload.eventList.productList
    line.caseGtin = '10614141000419'
    delete payload.eventList.productList[1].packagingDate
  })
  id = (await provider.call('POST', paths.receivingEvent, { body: event })).body.request_ids[0]
  changed.receivingEvent(event)
  delete event.eventList.asnNumber
  await provider.call('PUT', `${paths.receivingEvent}/${id}`, { body: event })
  const incomplete = eventPayload((payload) => {
    for (const product of payload.productMasterDataList) delete product.packSize
  })
  await provider.call('POST', paths.receivingEvent, { body: incomplete })
  await provider.call('POST', paths.receivingEvent, { body: {} })
  await provider.call('POST', paths.masterProduct, { body: productPayload() })
  await provider.call('POST', paths.location, { body: locationPayload() })
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

interface Found {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

test.each([1280, 360])('every page at %i pixels', async (width) => {
  const { page, end } = await visit(browser, '/events', { url: service.url, key, width })
  const pages: Record<string, () => Promise<unknown>> = {
    '/events': () => page.getByRole('button', { name: 'More filters' }).click(),
    '/events?lotCode=none': () => page.getByText('No receiving event has all').waitFor(),
    '/products': () => page.getByText('1 master product').waitFor(),
    '/trace': () => page.getByText('Type or paste a lot code').waitFor(),
    '/trace?lotCode=GV26062-A': () => page.locator('.drawing img').waitFor(),
    '/import': () => page.getByText('Choose a file').waitFor(),
    '/fda': () => page.getByText('incomplete').first().waitFor(),
    '/locations': () => page.getByText('receiving').first().waitFor(),
    [`/events/${id}`]: () => page.getByRole('button', { name: 'line 1: all fields' }).click(),
    [`/events/${id}/versions?compare=1..2`]: () => page.getByText('1 field removed').waitFor(),
    [`/events/${id}/versions?bringBack=1`]: () => page.getByText('what it would change').waitFor(),
    [`/events/${id}/edit`]: () => page.getByText('nothing would change').waitFor(),
    [`/events/${id}/json`]: () => page.getByText('Copy JSON').waitFor(),
    '/events/new': async () => {
      await page.getByRole('button', { name: 'Form' }).click()
      await page.getByRole('button', { name: 'Product line 1' }).click()
    },
    '/': () => page.getByRole('slider', { name: 'Day' }).focus(),
    '/completeness': () => page.getByRole('table').waitFor(),
    '/completeness?by=kde': () => page.getByRole('table').waitFor(),
    '/completeness/gaps': () => page.getByRole('button', { name: 'More filters' }).click(),
    '/refusals': () => page.getByRole('listitem').first().waitFor(),
    '/keys': async () => {
      await page.getByLabel('Label').fill('for a day')
      await page.getByRole('button', { name: 'Make the key' }).click()
      await page.getByText('shown this once').waitFor()
      await page.getByRole('row').filter({ hasText: 'for a day' }).first().waitFor()
    },
    '/access-log': () => page.getByRole('row').nth(1).waitFor(),
    '/nowhere': () => page.getByText('There is no such page').waitFor(),
  }
  const all: string[] = []
  for (const [path, ready] of Object.entries(pages)) {
    await page.goto(`${service.url}/console${path}`)
    await ready()
    await settled(page)
    await page.evaluate(axe)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      // The themes differ in nothing but colours.
      const run = colorScheme === 'light' ? {} : { runOnly: ['color-contrast'] }
      const found = (await page.evaluate(
        `axe.run({ resultTypes: ['violations'], ...${JSON.stringify(run)} }).then(({ violations }) => violations)`,
      )) as readonly Found[]
      for (const { id, impact, nodes } of found)
        if (impact === 'serious' || impact === 'critical')
          all.push(
            `${path}, ${colorScheme}: ${id} ${nodes[0]?.html.slice(0, 160)} ${nodes[0]?.failureSummary.slice(0, 240)}`,
          )
    }
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) all.push(`${path}: too wide`)
  }
  expect(all).toEqual([])
  await end()
})
