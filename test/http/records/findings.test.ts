// Findings of a record can be read when they are wanted, as they were when it was submitted and as
// they are today.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventPayload, type Payload, paths, productPayload } from '../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../support/servers/service.ts'

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

const none = { findings: [], findingCount: 0, severities: { error: 0, warning: 0, gap: 0 }, nextCursor: null }

const rulesIn = ({ body }: { body: Payload }): string[] => body.findings.map(({ rule }: Payload) => rule)

test('a record says which findings were kept with its version, each with place, message, remedy and source', async () => {
  const provider = await service.provider()
  const headers = { prefer: 'return=representation' }
  const written = await provider.call('POST', paths.receivingEvent, { body: undescribed(), headers })
  const at = `${paths.receivingEvent}/${written.body.request_ids[0]}`
  const reply = await provider.call('GET', `${at}/findings`)
  expect(reply.status).toBe(200)
  expect(reply.headers.get('etag')).toBe('"1"')
  const { findings, findingCount, severities } = written.body
  expect(reply.body).toEqual({ version: 1, findings, findingCount, severities, nextCursor: null })
  expect([findingCount, severities]).toEqual([4, { error: 0, warning: 2, gap: 2 }])
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
  expect((await provider.call('GET', `${at}/findings`)).body).toEqual({ version: 2, ...none })
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
  expect(reply.body).toEqual({ version: 1, ...none })
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

/** 501 lines of an item that is described nowhere; every hundredth was made after its receipt. */
const longEvent = () =>
  eventPayload((payload) => {
    const [line] = payload.eventList.productList
    payload.eventList.productList = Array.from({ length: 501 }, (_, n) => ({
      ...line,
      vendorItemCode: 'NEW',
      ...(n % 100 === 0 && { productionDate: '2026-12-01' }),
    }))
  })

test('findings are counted by severity, rule and line, whatever their number', async () => {
  const provider = await service.provider()
  const body = longEvent()
  const judged = await provider.call('POST', `${paths.receivingEvent}?dryRun=true`, { body })
  const at = await stored(provider, 'receivingEvent', body)
  for (const when of ['then', 'now']) {
    const { body: found } = await provider.call('GET', `${at}/findings?judged=${when}&counts=true`)
    expect(found.findings).toHaveLength(500)
    expect(found.severities).toEqual(judged.body.severities)
    const counted: Payload[] = found.rules
    expect(counted.reduce((sum, { findingCount }) => sum + findingCount, 0)).toBe(found.findingCount)
    const list = '/eventList/productList'
    const undescribed = counted.find(({ rule }) => rule === 'product-line/product-description')
    expect(undescribed).toMatchObject({
      severity: 'gap',
      findingCount: 501,
      message: expect.stringContaining('NEW'),
      remedy: expect.stringContaining('master product'),
      entries: [{ list, first: 0, last: 500 }],
    })
    const late = counted.find(({ rule }) => rule === 'product-line/made-before-receipt')
    expect(late?.entries).toEqual([0, 100, 200, 300, 400, 500].map((n) => ({ list, first: n, last: n })))
    // Line by line, as they would be found one by one.
    const lines = new Map<number, unknown>()
    for (const { list: of, first, last, each } of found.entries)
      if (of === list) for (let n = first; n <= last; n++) lines.set(n, each)
    for (const n of [0, 1, 499, 500]) {
      const { body: one } = await provider.call('GET', `${at}/findings?judged=${when}&at=${list}/${n}`)
      expect(lines.get(n), `line ${n}`).toEqual(one.severities)
    }
  }
})

test('pages of findings follow each other to the last, and filters choose among all of them', async () => {
  const provider = await service.provider()
  const at = await stored(provider, 'receivingEvent', longEvent())
  for (const path of [`${at}/findings?judged=now`, `${at}/versions/1/findings?severity=any`]) {
    const pages: Payload[] = []
    for (let cursor = ''; ; ) {
      const { body } = await provider.call('GET', `${path}&limit=300${cursor}`)
      pages.push(...body.findings)
      if (body.nextCursor === null) break
      cursor = `&cursor=${body.nextCursor}`
    }
    const { body: whole } = await provider.call('GET', path)
    expect(pages.slice(0, 500)).toEqual(whole.findings)
    expect(pages).toHaveLength(whole.findingCount)
    expect(new Set(pages.map(({ rule, pointer }) => `${rule} ${pointer}`)).size).toBe(whole.findingCount)
    const rule = 'product-line/made-before-receipt'
    const { body: chosen } = await provider.call('GET', `${path}&rule=${rule}&at=/eventList/productList`)
    expect(chosen.findings).toEqual(pages.filter((one) => one.rule === rule))
    expect(chosen.findingCount).toBe(6)
  }
  const { body: first } = await provider.call('GET', `${at}/findings?limit=1`)
  const other = await provider.call('GET', `${at}/findings?severity=gap&cursor=${first.nextCursor}`)
  expect(other.status).toBe(400)
  expect((await provider.call('GET', `${at}/findings?limit=501`)).status).toBe(400)
})
