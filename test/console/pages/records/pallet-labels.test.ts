// Labels of pallets on the page of a delivery: opened by a button of the record, drawn as they are
// printed, and read back from the picture of the page.
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { openBrowser, settled, visit } from '../../../support/pages/browser.ts'
import { paths, shippingPayload } from '../../../support/records/payloads.ts'
import { type Service, startService } from '../../../support/servers/service.ts'

let service: Service
let browser: Browser
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  const wasm = new URL('../../../../node_modules/zxing-wasm/dist/reader/zxing_reader.wasm', import.meta.url)
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } })
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

const readFrom = async (picture: Uint8Array) => (await readBarcodes(picture)).map(({ text }) => text).sort()

test('the label of a pallet is opened from its delivery, and a scanner reads what is drawn', async () => {
  const provider = await service.provider()
  const { body } = await provider.call('POST', paths.shippingEvent, { body: shippingPayload() })
  const { page, end } = await visit(browser, `/shipping/${body.request_ids[0]}`, {
    url: service.url,
    key: await provider.key('reader'),
  })
  await page.getByRole('link', { name: 'Pallet labels', exact: true }).click()
  const label = page.getByRole('article', { name: 'Label of pallet 106141410000000019' })
  await label.waitFor()
  await settled(page)
  // A printer has more dots than a screen.
  await page.evaluate('document.documentElement.style.zoom = 3')
  expect(await readFrom(await label.screenshot())).toEqual(['(00)106141410000000019', '(02)10614141000415(37)56'])
  await page.getByLabel('Size of the sticker').selectOption({ label: 'A5 (148 × 210 mm)' })
  expect(await readFrom(await label.screenshot())).toEqual([
    '(00)106141410000000019',
    '(02)10614141000415(37)56',
    '(10)GV26062-A',
  ])
  await page.evaluate('document.documentElement.style.zoom = 1')
  await page.getByLabel(/^Pallet/).selectOption('106141410000000019')
  await expect.poll(() => page.getByRole('article').count()).toBe(1)
  const pages = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  // In points: one page of A5, and nothing else.
  expect([...pages.matchAll(/MediaBox \[([^\]]+)\]/g)].map(([, box]) => box)).toEqual(['0 0 420 594.95996'])
  await end()
})
