// Labels of pallets: what stands on them, and barcodes that another library reads back.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { drawGs1128 } from '../../../src/console/files/gs1-128.ts'
import { palletLabelsOf } from '../../../src/console/records/pallet-label.ts'
import { type Payload, shippingPayload } from '../../support/records/payloads.ts'

const wasm = new URL('../../../node_modules/zxing-wasm/dist/reader/zxing_reader.wasm', import.meta.url)
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } })

/** What is read from a barcode as it is drawn: two pixels a module, and the quiet zones. */
async function read(elements: string): Promise<readonly string[]> {
  const { modules, bars } = drawGs1128(elements) ?? { modules: 0, bars: [] }
  const [width, height] = [(modules + 20) * 2, 40]
  const row = new Uint8ClampedArray(width * 4).fill(255)
  for (const { at, width: wide } of bars) row.fill(0, (at + 10) * 8, (at + 10 + wide) * 8)
  const data = new Uint8ClampedArray(row.length * height)
  for (let y = 0; y < height; y++) data.set(row, y * row.length)
  const found = await readBarcodes({ data, width, height, colorSpace: 'srgb' }, {})
  return found.map(({ text, symbologyIdentifier }) => symbologyIdentifier + text)
}

const sscc = '106141410000000026'
const event = (edit: (payload: Payload) => void = () => undefined) =>
  shippingPayload((payload) => {
    payload.eventList.productList = [{ ...payload.eventList.productList[0], palletId: sscc, shipQuantity: 56 }]
    edit(payload)
  })

test('the barcodes of a label are read back: content and count, lot, and the SSCC as the lowest', async () => {
  const [label] = palletLabelsOf(event())
  expect(label?.barcodes).toEqual(['(02)10614141000415(37)56', '(10)GV26062-A', `(00)${sscc}`])
  for (const elements of label?.barcodes ?? []) expect(await read(elements)).toEqual([`]C1${elements}`])
  expect(label?.content).toContainEqual(['BATCH/LOT', 'GV26062-A'])
  expect(label?.to.length).toBeGreaterThan(0)
})

test('a barcode of a label holds 156 modules for an SSCC, and is not drawn of what no barcode can carry', () => {
  expect(drawGs1128(`(00)${sscc}`)?.modules).toBe(156)
  for (const elements of ['(00)106141410000000027', '(10)Grün', `(10)${'A'.repeat(21)}`, '(02)10614141000416(37)1'])
    expect(drawGs1128(elements), elements).toBeUndefined()
})

test('a pallet of several lots has its lines and the SSCC alone; weights and parts of cases have no count', () => {
  const [mixed, ...others] = palletLabelsOf(
    event(({ eventList }) => eventList.productList.push({ ...eventList.productList[0], caseLotNumber: 'B' })),
  )
  expect([mixed?.barcodes, mixed?.content, mixed?.lines.length, others]).toEqual([[`(00)${sscc}`], [], 2, []])
  for (const change of [{ shipQuantityUom: 'lb' }, { shipQuantity: 1.5 }]) {
    const [label] = palletLabelsOf(event(({ eventList }) => Object.assign(eventList.productList[0], change)))
    expect(label?.barcodes).toEqual(['(10)GV26062-A', `(00)${sscc}`])
  }
})

test('without an SSCC whose check digit is right there is no label', () => {
  for (const palletId of [undefined, '106141410000000027', 'LPN-1'])
    expect(palletLabelsOf(event(({ eventList }) => Object.assign(eventList.productList[0], { palletId })))).toEqual([])
  expect(palletLabelsOf({})).toEqual([])
})
