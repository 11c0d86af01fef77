// Scanning with the camera of a telephone: GS1-128, GS1 DataMatrix and Digital Links in QR codes,
// turned and blurred, with and without a network. Source: decision 0027.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, openBrowser, pageWaitMs, settled, visit } from '../../../support/pages/browser.ts'
import { cameraOf, filmOf, type PicturedBarcode, picturesOf } from '../../../support/pages/pictured-barcodes.ts'
import { paths, shippingPayload } from '../../../support/records/payloads.ts'
import { type Service, startService } from '../../../support/servers/service.ts'

let service: Service
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'camera-'))
})
afterAll(() => Promise.all([service?.close(), folder && rm(folder, { recursive: true })]))

/** A browser whose camera shows these barcodes one after another. */
async function browserBefore(...barcodes: readonly PicturedBarcode[]) {
  const film = join(folder, `${barcodes.length}-${barcodes[0]?.bcid}.y4m`)
  await writeFile(film, filmOf(await picturesOf(await openBrowser(), barcodes)))
  return launchBrowser(cameraOf(film))
}

test('labels before the camera are ticked without a network: of two elements, upside down, blurred, a Digital Link', async () => {
  const provider = await service.provider()
  const { body } = await provider.call('POST', paths.shippingEvent, {
    body: shippingPayload(({ eventList }) => {
      eventList.eventDateTime = new Date(Date.now() - 3_600_000).toISOString().replace(/\.\d+/, '')
      const [first] = eventList.productList
      eventList.productList = ['GV26062-A', 'GV26063-B', 'GV26064-C', 'GV26065-D'].map((caseLotNumber, i) => ({
        ...first,
        caseLotNumber,
        palletId: i === 0 ? '106141410000000026' : undefined,
      }))
    }),
  })
  const browser = await browserBefore(
    { bcid: 'gs1-128', text: '(00)106141410000000026' },
    { bcid: 'gs1-128', text: '(01)10614141000415(10)GV26063-B(21)77', turned: 180 },
    { bcid: 'gs1datamatrix', text: '(01)10614141000415(10)GV26064-C(13)260301', turned: 20, blurred: 1.5 },
    { bcid: 'qrcode', text: 'https://id.example.com/01/10614141000415/10/GV26065-D', turned: 200 },
  )
  const { page, end } = await visit(browser, `/dock/${body.request_ids[0]}`, {
    url: service.url,
    key: await provider.key('writer'),
    width: 360,
    expected: /net::ERR_|wasm|falling back to ArrayBuffer/,
  })
  await settled(page)
  const camera = page.getByRole('button', { name: 'Camera', exact: true })
  await page.route('**/*.wasm', (route) => route.abort())
  await camera.click()
  await page.getByText('The reader of barcodes could not be loaded').waitFor()
  await page.unroute('**/*.wasm')
  await camera.click()

  await page.evaluate(
    `navigator.serviceWorker.register('/console/worker.js').then(() => navigator.serviceWorker.ready)`,
  )
  await page.context().setOffline(true)
  await camera.click()
  await page.getByText('4 of 4 lines').waitFor({ timeout: 3 * pageWaitMs() })
  await camera.click()
  await expect.poll(() => page.locator('video').count()).toBe(0)
  await end()
  await browser.close()
})
