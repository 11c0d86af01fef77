// From gaps to what causes them, and what completing that would close.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventPayload, locationPayload, type Payload, paths, productPayload } from '../../support/records/payloads.ts'
import { type Call, type Service, startService } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const causesPath = '/traceability/gap-causes'
const previewPath = '/traceability/master-data-preview'

async function createEvent(call: Call, edit: (payload: Payload) => void): Promise<Payload> {
  const body = eventPayload(edit)
  const reply = await call('POST', paths.receivingEvent, { body })
  expect(reply.status, reply.text).toBe(201)
  return { ...body, id: reply.body.request_ids[0] }
}

/** Gaps of today, by rule. */
async function gapsOf(call: Call, id: string): Promise<string[]> {
  const { body } = await call('GET', `${paths.receivingEvent}/${id}/findings?judged=now`)
  return body.findings.map(({ rule }: Payload) => rule)
}

const linesOf = ({ eventList }: Payload, code: string): number =>
  eventList.productList.filter(({ vendorItemCode }: Payload) => vendorItemCode === code).length

describe('causes of gaps', () => {
  test('are the product, location or lines that lack something, and what completes a product is counted before it is stored', async () => {
    const { call } = await service.provider()
    const event = await createEvent(call, ({ productMasterDataList: [product], locationMasterList, eventList }) => {
      delete product.packStyle
      locationMasterList[0] = { locationCode: 'GV-COOLER-1', locationName: 'Cooler', gln: '0614141000012' }
      eventList.productList[0].shipQuantityUom = 'n/a'
    })
    const { dataProviderVendorId, shipFromLocationCode, productList } = event.eventList
    const itemCode = event.productMasterDataList[0].itemCode
    const lines = linesOf(event, itemCode)
    const cause = { dataProviderVendorId, events: 1 }
    const all = await call('GET', causesPath)
    expect(all.status, all.text).toBe(200)
    expect(all.body).toMatchObject({ causeCount: 3, recounting: null })
    expect(all.body.causes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...cause,
          rule: 'product/packaging-style',
          completedBy: 'masterProduct',
          code: itemCode,
          lines,
        }),
        expect.objectContaining({
          ...cause,
          rule: 'receiving-event/ship-from-description',
          completedBy: 'location',
          code: shipFromLocationCode,
          lines: productList.length,
        }),
        expect.objectContaining({
          ...cause,
          rule: 'product-line/quantity-unit',
          completedBy: 'correction',
          code: productList[0].vendorItemCode,
          lines: 1,
        }),
      ]),
    )
    expect((await call('GET', `${causesPath}?rule=product/packaging-style`)).body.causes).toHaveLength(1)

    const masterProduct = productPayload(({ productMasterDataList }) =>
      Object.assign(productMasterDataList, { itemCode, dataProviderVendorId, packStyle: 'Carton' }),
    ).productMasterDataList
    const previewed = await call('POST', previewPath, { body: { masterProduct } })
    expect(previewed.body).toMatchObject({ events: 1, judgedEvents: 1, closedGaps: lines, isWhole: true })
    expect(await gapsOf(call, event.id)).toContain('product/packaging-style')
    await call('POST', paths.masterProduct, { body: { productMasterDataList: masterProduct } })
    expect(await gapsOf(call, event.id)).not.toContain('product/packaging-style')
    expect((await call('POST', previewPath, { body: { masterProduct } })).body).toMatchObject({ closedGaps: 0 })
  })

  test('of a location are counted as closed for all lines from there, and not for those of another vendor', async () => {
    const { call } = await service.provider()
    const edit = ({ locationMasterList }: Payload): void => {
      locationMasterList[0] = { locationCode: 'GV-COOLER-1', locationName: 'Cooler', gln: '0614141000012' }
    }
    const event = await createEvent(call, edit)
    await createEvent(call, (payload) => {
      edit(payload)
      payload.eventList.dataProviderVendorId = 'V-OTHER'
    })
    const { dataProviderVendorId, productList } = event.eventList
    const location = locationPayload(({ locationMasterList }) =>
      Object.assign(locationMasterList, { locationCode: 'GV-COOLER-1', dataProviderVendorId }),
    ).locationMasterList
    const previewed = await call('POST', previewPath, { body: { location } })
    expect(previewed.body).toEqual({
      events: 1,
      judgedEvents: 1,
      judgedLines: productList.length,
      completedEvents: 1,
      completedLines: productList.length,
      closedGaps: productList.length,
      isWhole: true,
    })
    const both = await call('POST', previewPath, { body: { location, masterProduct: {} } })
    expect(both.status).toBe(422)
  })
})
