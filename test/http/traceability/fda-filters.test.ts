// What FDA may name: every combination of filters gives the lines that a plain predicate chooses,
// in every form of export.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { download } from '../../support/files/download.ts'
import { readCsv, textIn, unzipped } from '../../support/files/read-workbook.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { runs } from '../../support/runs.ts'
import { type Service, startService, type TestProvider } from '../../support/servers/service.ts'

/**
 * A line as it was sent, with what its event says; `row` is its quantity, and no other line has it.
 */
interface Sent {
  readonly id: string
  readonly row: number
  readonly date: string
  readonly vendor: string
  readonly shipTo: string
  readonly lot: string
  readonly item: string
  readonly sku: string
  readonly source: string
}

const items = {
  'ROM-24': { gtin: '10614141000415', category: 'leafy greens', text: 'Romaine hearts' },
  'TOM-12': { gtin: '00614141000036', category: 'tomatoes', text: 'Vine tomatoes' },
  'BAS-1': { gtin: undefined, category: 'herbs', text: 'Basil, Genovese' },
} as const
const words = {
  lotCode: ['L1', 'L2', 'l2', 'L 3', 'L+&=4'],
  itemCode: [...Object.keys(items), 'SKU-1', 'SKU-2'],
  dataProviderVendorId: ['V-1', 'V-2', 'V-3'],
  shipToLocationCode: ['DC-07', 'DC-08'],
  ftlCategory: ['leafy greens', 'Tomatoes', 'cucumbers'],
  gtin: ['10614141000415', '614141000036', '10614141000422'],
  productText: ['ROMAINE', 'vine', 'basil, gen', 'pears'],
  tlcSource: ['0614141000012', 'green valley cooler', '14532865782', 'nobody'],
} as const
type Filter = keyof typeof words
type Asked = Partial<Record<Filter, readonly string[]>> & { eventStartDate?: string; eventEndDate?: string }

/** The predicate: says of one line whether it was asked for. */
function isAsked(line: Sent, asked: Asked): boolean {
  const item = items[line.item as keyof typeof items]
  const among = (filter: Filter, fits: (wanted: string) => boolean) => asked[filter]?.some(fits) ?? true
  const small = (text: string) => text.toLowerCase()
  return (
    (asked.eventStartDate === undefined || line.date >= asked.eventStartDate) &&
    (asked.eventEndDate === undefined || line.date <= asked.eventEndDate) &&
    among('lotCode', (lot) => lot === line.lot) &&
    among('itemCode', (code) => code === line.item || code === line.sku) &&
    among('dataProviderVendorId', (vendor) => vendor === line.vendor) &&
    among('shipToLocationCode', (place) => place === line.shipTo) &&
    among('gtin', (gtin) => item.gtin === gtin.padStart(14, '0')) &&
    among('ftlCategory', (category) => small(category) === item.category) &&
    among('productText', (text) => small(item.text).includes(small(text))) &&
    among('tlcSource', (source) => small(source) === small(line.source))
  )
}

const lineNumber = (i: number, of: readonly string[]): string => of[i % of.length] ?? ''

let service: Service
let provider: TestProvider
const sent: Sent[] = []

beforeAll(async () => {
  service = await startService()
  provider = await service.provider()
  for (let i = 0; i < 24; i++) {
    const date = `2026-03-${String(1 + (i % 6)).padStart(2, '0')}`
    const vendor = lineNumber(i, words.dataProviderVendorId)
    const shipTo = lineNumber(Math.floor(i / 3), words.shipToLocationCode)
    const lines = Array.from({ length: 3 }, (_, n) => ({
      row: 1_000 + 10 * i + n,
      lot: lineNumber(i + 2 * n, words.lotCode),
      item: lineNumber(i + n, Object.keys(items)),
      sku: lineNumber(Math.floor(i / 2) + n, ['SKU-1', 'SKU-2', '']),
      source: lineNumber(i + n, ['0614141000012', 'Green Valley Cooler', '14532865782']),
    }))
    const reply = await provider.call('POST', paths.receivingEvent, {
      body: eventPayload((payload) => fill(payload, { date, vendor, shipTo, minute: i }, lines)),
    })
    expect(reply.status, reply.text).toBe(201)
    for (const line of lines) sent.push({ id: reply.body.request_ids[0], date, vendor, shipTo, ...line })
  }
})
afterAll(() => service?.close())

type Line = Omit<Sent, 'id' | 'date' | 'vendor' | 'shipTo'>

function fill(
  payload: Payload,
  { date, vendor, shipTo, minute }: { date: string; vendor: string; shipTo: string; minute: number },
  lines: readonly Line[],
): void {
  const { eventList, productMasterDataList, locationMasterList } = payload
  const [product] = productMasterDataList
  eventList.dataProviderVendorId = vendor
  eventList.eventDateTime = `${date}T10:${String(minute).padStart(2, '0')}:00-05:00`
  const to = locationMasterList.find((one: Payload) => one.locationCode === eventList.shipToLocationCode)
  eventList.shipToLocationCode = shipTo
  to.locationCode = shipTo
  payload.productMasterDataList = Object.entries(items).map(([itemCode, { gtin, category, text }]) => ({
    itemCode,
    itemDescription: text,
    ...(gtin && { gtin }),
    isFtlItem: true,
    ftlCategory: category,
    packSize: product.packSize,
    packStyle: product.packStyle,
  }))
  eventList.productList = lines.map(({ row, lot, item, sku, source }) => ({
    vendorItemCode: item,
    shipQuantity: row,
    shipQuantityUom: 'case',
    caseLotNumber: lot,
    ...(sku !== '' && { purchaserItemCode: sku }),
    ...sourceFields(source),
  }))
}

/** A source by GLN, by registration number, or as a description. */
const sourceFields = (source: string) =>
  /^\d{13}$/.test(source)
    ? { tlcSourceReferenceGln: '9506000140445', tlcSourceReferenceOther: source }
    : /^\d+$/.test(source)
      ? { tlcSourceReferenceFfrn: source }
      : {
          tlcSourceName: source,
          tlcSourceAddress1: '1 Road',
          tlcSourceCity: 'Salinas',
          tlcSourceState: 'CA',
          tlcSourcePostalCode: '93901',
          tlcSourceCountry: 'USA',
          tlcSourcePhoneNumber: '+1.831.555.0100',
        }

function queryOf({ eventStartDate, eventEndDate, ...lists }: Asked): string {
  const query = new URLSearchParams()
  if (eventStartDate) query.set('eventStartDate', eventStartDate)
  if (eventEndDate) query.set('eventEndDate', eventEndDate)
  for (const [name, values] of Object.entries(lists)) for (const value of values) query.append(name, value)
  return query.size > 0 ? `?${query}` : ''
}

/** Under the name of the extension, whatever its prefix is. */
const recordIdOf = (event: Payload): string =>
  String(Object.entries(event).find(([name]) => name.endsWith(':recordId'))?.[1])

const rowsIn = (csv: string): number[] =>
  readCsv(csv.slice(1))
    .slice(1)
    .map(([, quantity]) => Number(quantity))
    .sort()

const someOf = (filter: Filter) => fc.uniqueArray(fc.constantFrom(...words[filter]), { minLength: 1, maxLength: 3 })
const dates = fc.constantFrom('2026-03-01', '2026-03-03', '2026-03-05')
const indexed = {
  eventStartDate: dates,
  lotCode: someOf('lotCode'),
  itemCode: someOf('itemCode'),
  dataProviderVendorId: someOf('dataProviderVendorId'),
  shipToLocationCode: someOf('shipToLocationCode'),
}
const unindexed = {
  gtin: someOf('gtin'),
  ftlCategory: someOf('ftlCategory'),
  productText: someOf('productText'),
  tlcSource: someOf('tlcSource'),
}
const indexedAsk = fc.record(indexed, { requiredKeys: [] })
const anyAsk = fc.oneof(
  fc.record({ ...indexed, ...unindexed }, { requiredKeys: [] }),
  // Two or three filters at once choose something more often than all of them do.
  fc
    .tuple(fc.record({ ...indexed, ...unindexed }), fc.subarray([...Object.keys(indexed), ...Object.keys(unindexed)]))
    .map(([all, names]) => Object.fromEntries(names.slice(0, 3).map((name) => [name, all[name as keyof typeof all]]))),
)

describe('whatever combination of filters is asked for', () => {
  test('the spreadsheet has the lines a predicate chooses, and no others', async () => {
    const tries = runs(150)
    let found = 0
    await fc.assert(
      fc.asyncProperty(anyAsk, async (asked) => {
        const query = queryOf(asked as Asked)
        const { status, bytes } = await download(
          service,
          provider,
          `/traceability/fda-spreadsheet${query}${query ? '&' : '?'}format=csv`,
        )
        expect(status, textIn(bytes)).toBe(200)
        const expected = sent.filter((line) => isAsked(line, asked as Asked)).map(({ row }) => row)
        expect(rowsIn(textIn(bytes))).toEqual(expected.sort())
        if (expected.length > 0) found++
      }),
      { numRuns: tries },
    )
    // Of the twenty of a short run this would say nothing: one in a few hundred has fewer.
    if (tries >= 100) expect(found).toBeGreaterThan(tries / 5)
  })

  test('the EPCIS export has the events of which each filter fits a line, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(indexedAsk, fc.integer({ min: 1, max: 7 }), async (asked, perPage) => {
        const ids = new Set(sent.map(({ id }) => id))
        const expected = [...ids].filter((id) => {
          const lines = sent.filter((line) => line.id === id)
          const { lotCode, itemCode, ...event } = asked as Asked
          return [{ lotCode }, { itemCode }, event].every((one) =>
            lines.some((line) => isAsked(line, JSON.parse(JSON.stringify(one)))),
          )
        })
        const found: string[] = []
        let next: string | undefined = `/traceability/epcis${queryOf(asked as Asked)}`
        next += `${next.includes('?') ? '&' : '?'}perPage=${perPage}`
        while (next !== undefined) {
          const { headers, bytes, status } = await download(service, provider, next)
          expect(status, textIn(bytes)).toBe(200)
          const { eventList } = JSON.parse(textIn(bytes)).epcisBody.queryResults.resultsBody
          found.push(...eventList.map(recordIdOf))
          next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
        }
        expect(found).toEqual([...found].sort().reverse())
        expect(found.sort()).toEqual(expected.sort())
      }),
      { numRuns: 40 },
    )
  })
})

test('a repeated parameter is listed with all values in the package, and in the name of its file', async () => {
  const { headers, bytes } = await download(
    service,
    provider,
    '/traceability/fda-package?lotCode=L1&lotCode=L2&lotCode=L1&ftlCategory=herbs',
  )
  expect(headers.get('content-disposition')).toContain('fda-package-lot-L1-and-1-more-ftl-herbs.zip')
  const files = unzipped(bytes)
  expect(JSON.parse(textIn(files['manifest.json'])).filters).toEqual({ lotCode: ['L1', 'L2'], ftlCategory: ['herbs'] })
  expect(textIn(files['explanation.html'])).toContain('<td>L1 or L2</td>')
})

test.each([
  ['?gtin=123', 'gtin is "123". It must be a GTIN'],
  [`?${Array.from({ length: 101 }, (_, i) => `lotCode=${i}`).join('&')}`, 'lotCode occurs 101 times. At most 100'],
  ['?lotCode=L1&lotCode=', 'lotCode is empty'],
  ['?eventStartDate=2026-03-01&eventStartDate=2026-03-02', 'eventStartDate occurs more than once'],
])('%s is refused with what would do', async (query, detail) => {
  const { status, bytes } = await download(service, provider, `/traceability/fda-spreadsheet${query}`)
  expect(status).toBe(400)
  expect(JSON.parse(textIn(bytes)).detail).toContain(detail)
})

test('completeness and its gaps, and events by day, take several vendors and places', async () => {
  const { call } = provider
  const query = '?dataProviderVendorId=V-1&dataProviderVendorId=V-2&shipToLocationCode=DC-07'
  const lines = sent.filter(({ vendor, shipTo }) => vendor !== 'V-3' && shipTo === 'DC-07')
  const { body } = await call('GET', `/traceability/completeness${query}`)
  expect(body.total.lines).toBe(lines.length)
  expect(new URLSearchParams(body.total.records.split('?')[1]).getAll('dataProviderVendorId')).toEqual(['V-1', 'V-2'])
  expect((await call('GET', body.total.records)).status).toBe(200)
  const days = await call('GET', `/traceability/event-days${query}&eventEndDate=2026-03-31`)
  expect(days.body.content.reduce((sum: number, day: { lines: number }) => sum + day.lines, 0)).toBe(lines.length)
})

test('the count is that of the file, and names what may belong to it', async () => {
  const { call } = provider
  for (const query of [
    '',
    '?lotCode=L1&lotCode=L2',
    '?ftlCategory=herbs&tlcSource=nobody',
    '?itemCode=SKU-1&gtin=10614141000415',
  ]) {
    const { bytes, headers } = await download(
      service,
      provider,
      `/traceability/fda-spreadsheet${query}${query ? '&' : '?'}format=csv`,
    )
    const { body } = await call('GET', `/traceability/fda-lines${query}`)
    expect(body.lines).toBe(rowsIn(textIn(bytes)).length)
    expect(String(body.events)).toBe(headers.get('record-count'))
  }
  const { body } = await call('GET', '/traceability/fda-lines?lotCode=L1&lotCode=l3')
  expect(body).toMatchObject({ correctedEvents: 0, readAlikeLotCodes: ['L 3'], earlierLots: [] })
  expect(body.readAlikeLines).toBe(sent.filter(({ lot }) => lot === 'L 3').length)
})
