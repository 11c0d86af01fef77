// Pages of large records: a list ends its page by bytes as well as by entries, and sends it while
// it is read. Source: decisions 0016, 0053.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limitsOf } from '../../../src/limits.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import {
  type Call,
  calling,
  type Service,
  startService,
  type TestProvider,
  testLimits,
} from '../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let call: Call
/** Ids of the large records, newest first. */
let ids: string[]

const mebibyte = 2 ** 20
const pageBytesMax = 8 * mebibyte

/** A payload of so many events that share a product list; each is stored with all of it. */
const largePayload = (events: number, products: number): Payload =>
  eventPayload((payload) => {
    const [product] = payload.productMasterDataList
    payload.productMasterDataList = [
      product,
      ...Array.from({ length: products }, (_, i) => ({
        ...product,
        itemCode: `LARGE-${i}`,
        itemDescription: `${i} `.padEnd(100, 'description '),
        brandName: `${i} `.padEnd(100, 'brand '),
        packSize: `${i} `.padEnd(100, 'pack '),
        productCommodity: `${i} `.padEnd(100, 'commodity '),
        productVariety: `${i} `.padEnd(100, 'variety '),
      })),
    ]
    payload.eventList = Array.from({ length: events }, () => eventPayload().eventList)
  })

beforeAll(async () => {
  service = await startService()
  provider = await service.provider()
  call = provider.call
  const small = await call('POST', paths.receivingEvent, { body: eventPayload() })
  // Of 3 MB each, then one that is larger than a page.
  const large = await call('POST', paths.receivingEvent, { body: largePayload(4, 3_800) })
  expect(large.status, large.text.slice(0, 300)).toBe(201)
  const huge = largePayload(1, 4_900)
  for (const product of huge.productMasterDataList)
    for (const name of Object.keys(product))
      if (typeof product[name] === 'string' && product[name].length === 100) product[name] = '水'.repeat(100)
  const largest = await call('POST', paths.receivingEvent, { body: huge })
  expect(largest.status, largest.text.slice(0, 300)).toBe(201)
  ids = [...small.body.request_ids, ...large.body.request_ids, ...largest.body.request_ids].reverse()
})
afterAll(() => service?.close())

/** The pages of a list, one after the other. */
async function pagesOf(ask: Call, query: string) {
  const pages: { bytes: number; ids: string[]; text: string }[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, text, body } = await ask('GET', `${paths.receivingEvent}?${query}${cursor && `&cursor=${cursor}`}`)
    expect(status, text.slice(0, 300)).toBe(200)
    pages.push({ bytes: Buffer.byteLength(text), ids: body.content.map(({ id }: Payload) => id), text })
    cursor = body.nextCursor
  }
  return pages
}

describe('a page of large records', () => {
  test.each(['', 'limit=200', 'limit=3', 'limit=1', 'dataProviderVendorId=V-1001&limit=200'])(
    'with "%s" ends at 8 MiB or after one record, and the pages have every record once',
    async (query) => {
      const pages = await pagesOf(call, query)
      expect(pages.flatMap((page) => page.ids)).toEqual(ids)
      for (const page of pages)
        expect(page.ids.length === 1 || page.bytes <= pageBytesMax + 1_000, `${page.bytes} bytes`).toBe(true)
      // The largest, two and two of the others, and the small one with the last of them.
      if (query.includes('200')) expect(pages.map((page) => page.ids.length)).toEqual([1, 2, 3])
    },
  )

  test('has each record as it is read alone, byte by byte', async () => {
    const pages = await pagesOf(call, 'limit=200')
    for (const { ids: shown, text } of pages) {
      const alone = await Promise.all(
        shown.map(async (id) => (await call('GET', `${paths.receivingEvent}/${id}`)).text),
      )
      expect(text.startsWith(`{"content":[${alone.join(',')}],"nextCursor":`)).toBe(true)
    }
  })

  test('is answered to many readers at once: none fails', async () => {
    const key = await provider.key('reader')
    const reader = calling(service.url, key)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => reader('GET', `${paths.receivingEvent}?limit=200`)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    for (const { body } of answers) expect(body.content.map(({ id }: Payload) => id)).toEqual(ids.slice(0, 1))
  })

  test('may be left by its reader in the midst; the next readers are answered', async () => {
    const key = await provider.key('reader')
    for (let i = 0; i < 12; i++) {
      const leave = new AbortController()
      const response = await fetch(`${service.url}${paths.receivingEvent}?limit=200`, {
        headers: { authorization: `Bearer ${key}` },
        signal: leave.signal,
      })
      expect(response.status).toBe(200)
      leave.abort()
    }
    expect((await pagesOf(call, 'limit=200')).length).toBe(3)
  })

  test('ends where the limits say', () => {
    expect(limitsOf(testLimits)).toContainEqual(
      expect.objectContaining({ name: 'pageBytes', value: pageBytesMax, unit: 'bytes' }),
    )
  })
})
