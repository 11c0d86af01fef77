// Findings of a record can be read when they are wanted, as they were when it was submitted and as
// they are today.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventPayload, type Payload, paths, productPayload } from '../support/payloads.ts'
import { type Service, startService, type TestProvider } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

async function stored({ call }: TestProvider, kind: keyof typeof paths, body: Payload): Promise<string> {
  const reply = await call('POST', paths[kind], { body })
  expect(reply.status, reply.text).toBe(201)
  return `${paths[kind]}/${reply.body.request_ids[0]}`
}

/** An event whose ROM-24 lines are described nowhere in the payload. */
const undescribed = () => eventPayload((payload) => payload.productMasterDataList.shift())

const rulesIn = ({ body }: { body: Payload }): string[] => body.findings.map(({ rule }: Payload) => rule)

test('a record says which findings were kept with its version, each with place, message, remedy and source', async () => {
  const provider = await service.provider()
  const headers = { prefer: 'return=representation' }
  const written = await provider.call('POST', paths.receivingEvent, { body: undescribed(), headers })
  const at = `${paths.receivingEvent}/${written.body.request_ids[0]}`
  const reply = await provider.call('GET', `${at}/findings`)
  expect(reply.status).toBe(200)
  expect(reply.headers.get('etag')).toBe('"1"')
  expect(reply.body).toEqual({ version: 1, findings: written.body.findings, findingCount: 4 })
  expect(reply.body.findings[1]).toEqual({
    rule: 'product-line/product-description',
    severity: 'gap',
    pointer: '/eventList/productList/0/vendorItemCode',
    message: expect.stringContaining('ROM-24'),
    remedy: expect.stringContaining('master product'),
    cites: '21 CFR 1.1345(a)(3)',
    docsUrl: '/docs/rules/product-line/product-description',
  })
  expect((await provider.call('GET', `${at}/findings?judged=then`)).body).toEqual(reply.body)
})

test('each version has the findings of its time, and the record those of its latest version', async () => {
  const provider = await service.provider()
  const body = undescribed()
  const at = await stored(provider, 'receivingEvent', body)
  body.productMasterDataList = eventPayload().productMasterDataList
  expect((await provider.call('PUT', at, { body })).status).toBe(200)
  expect((await provider.call('GET', `${at}/findings`)).body).toEqual({ version: 2, findings: [], findingCount: 0 })
  const first = await provider.call('GET', `${at}/versions/1/findings`)
  expect(first.headers.get('etag')).toBe('"1"')
  expect(first.body).toMatchObject({ version: 1, findingCount: 4 })
  expect((await provider.call('GET', `${at}/versions/3/findings`)).status).toBe(404)
})

test('judged now, a gap that master data filled since is gone, and the answer has no ETag to go stale', async () => {
  const provider = await service.provider()
  const at = await stored(provider, 'receivingEvent', undescribed())
  const now = `${at}/findings?judged=now`
  expect((await provider.call('GET', now)).body.findingCount).toBe(4)
  await stored(
    provider,
    'masterProduct',
    productPayload(({ productMasterDataList: product }) => Object.assign(product, { itemCode: 'ROM-24' })),
  )
  const reply = await provider.call('GET', now, { headers: { 'if-none-match': '"1"' } })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('etag')).toBeNull()
  expect(reply.body).toEqual({ version: 1, findings: [], findingCount: 0 })
  // What was kept with the version stays.
  expect((await provider.call('GET', `${at}/findings`)).body.findingCount).toBe(4)
})

test('judged now, records of one create are not doubles of each other by their payload id', async () => {
  const provider = await service.provider()
  const one = eventPayload()
  const body = { ...one, payloadId: 'P-1', eventList: [one.eventList, eventPayload().eventList] }
  const at = await stored(provider, 'receivingEvent', body)
  expect((await provider.call('GET', `${at}/findings?judged=now`)).body.findings).toEqual([])
})

test('a master product says that another holds its code, from the day there is another', async () => {
  const provider = await service.provider()
  const body = productPayload()
  const at = await stored(provider, 'masterProduct', body)
  expect((await provider.call('GET', `${at}/findings?judged=now`)).body.findings).toEqual([])
  await stored(provider, 'masterProduct', body)
  expect(rulesIn(await provider.call('GET', `${at}/findings?judged=now`))).toEqual(['product/one-record-per-item-code'])
  expect(rulesIn(await provider.call('GET', `${at}/findings`))).toEqual([])
})

test('findings of another provider are not visible', async () => {
  const [provider, other] = [await service.provider(), await service.provider()]
  const at = await stored(provider, 'receivingEvent', undescribed())
  for (const path of [`${at}/findings`, `${at}/findings?judged=now`, `${at}/versions/1/findings`])
    expect((await other.call('GET', path)).status, path).toBe(404)
})

test('more findings than are listed are counted', async () => {
  const provider = await service.provider()
  const body = eventPayload((payload) => {
    const [line] = payload.eventList.productList
    payload.eventList.productList = Array.from({ length: 501 }, () => ({ ...line, vendorItemCode: 'NEW' }))
  })
  const at = await stored(provider, 'receivingEvent', body)
  for (const judged of ['then', 'now']) {
    const reply = await provider.call('GET', `${at}/findings?judged=${judged}`)
    expect(reply.body.findings).toHaveLength(500)
    expect(reply.body.findingCount).toBe(1002)
  }
})
