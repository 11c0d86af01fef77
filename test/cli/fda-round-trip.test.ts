// FDA's sheets out of one account and into an empty one, as a user does it: those made there are the
// same, cell for cell.

import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { DeliveryKindName } from '../../src/contract/record-kinds.ts'
import { deliveryIdentity, deliveryTime } from '../../src/intake/delivery.ts'
import { download } from '../support/files/download.ts'
import { fdaHeadings, fdaRow, ptiShippingRow, ptiShippingSheets } from '../support/files/foreign-sheets.ts'
import { csvOf, workbookOf } from '../support/files/import-files.ts'
import { readWorkbook } from '../support/files/read-workbook.ts'
import { allowMs } from '../support/patience.ts'
import { eventPayload, type Payload, paths, shippingPayload } from '../support/records/payloads.ts'
import { isShortRun } from '../support/runs.ts'
import { runCommand } from '../support/servers/server-process.ts'
import { type Service, startService, type TestProvider } from '../support/servers/service.ts'

vi.setConfig({ testTimeout: allowMs(180_000) })

const sheetPath = '/traceability/fda-spreadsheet'

let service: Service
let folder: string
beforeAll(async () => {
  service = await startService({ rateLimitPerMinute: 1_000_000 })
})
afterAll(() => service?.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lotkeeper-fda-'))
  return () => rm(folder, { recursive: true, force: true })
})

async function create(provider: TestProvider, kind: DeliveryKindName, payloads: readonly Payload[]): Promise<void> {
  for (const payload of payloads) {
    const { status, text } = await provider.call('POST', paths[kind], { body: payload })
    expect(status, text).toBe(201)
  }
}

async function importInto(provider: TestProvider, name: string, content: Uint8Array | string, ...args: string[]) {
  const file = join(folder, name)
  await writeFile(file, content)
  const env = { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: await provider.key('writer') }
  return runCommand(['import', file, '--time-zone', 'America/New_York', ...args], env)
}

const sheetOf = async (provider: TestProvider, query = '') =>
  (await download(service, provider, `${sheetPath}${query}`)).bytes

const sheetNames = { receivingEvent: 'Receiving', shippingEvent: 'Shipping' } as const
/**
 * Rows of a sheet in an order of their own: events of one date have no other times of day in it.
 */
const linesIn = async (workbook: Uint8Array, kind: DeliveryKindName) =>
  ((await readWorkbook(workbook)).get(sheetNames[kind]) ?? [])
    .slice(1)
    .map((row) => JSON.stringify(row))
    .sort()

async function events(provider: TestProvider): Promise<Payload[]> {
  const { body } = await provider.call('GET', `${paths.receivingEvent}?limit=200`)
  return body.content
}

const forVendor = (vendor: string) => ['--set', `dataProviderVendorId=${vendor}`]

/**
 * Exports the account vendor by vendor, imports the workbooks and the sheets as CSV into empty ones,
 * and returns what each of them has.
 */
async function roundTrip(kind: DeliveryKindName, payloads: readonly Payload[], places?: string) {
  const [from, byWorkbook, byCsv] = [await service.provider(), await service.provider(), await service.provider()]
  await create(from, kind, payloads)
  if (places !== undefined)
    for (const account of [byWorkbook, byCsv]) expect((await importInto(account, 'places.csv', places)).code).toBe(0)
  for (const vendor of new Set(payloads.map(({ eventList }) => eventList.dataProviderVendorId))) {
    const query = `?dataProviderVendorId=${vendor}`
    const csv = `${query}&format=csv&sheet=${sheetNames[kind].toLowerCase()}`
    const runs = [
      await importInto(byWorkbook, 'fda.xlsx', await sheetOf(from, query), ...forVendor(vendor)),
      await importInto(byCsv, 'fda.csv', await sheetOf(from, csv), ...forVendor(vendor)),
    ]
    for (const { code, stdout, stderr } of runs) expect(code, stdout + stderr).toBe(0)
  }
  const sheetIn = async (account: TestProvider) => linesIn(await sheetOf(account), kind)
  return { before: await sheetIn(from), after: [await sheetIn(byWorkbook), await sheetIn(byCsv)] }
}

const examples = (folder: string): Payload[] =>
  readdirSync(new URL(`../../examples/${folder}`, import.meta.url))
    .filter((name) => /^(?:\d\d\.receiving\.|receiving-event).*\.json$/.test(name))
    .map((name) => JSON.parse(readFileSync(new URL(`../../examples/${folder}${name}`, import.meta.url), 'utf8')))
    .filter(({ eventList }) => eventList !== undefined)

/**
 * Places that are identified by a GLN: the sheet has no column for it, so they are set up under the
 * codes that the sheet gives.
 */
const placesWithGln = csvOf([
  ['dataProviderVendorId', 'locationCode', 'locationName', 'gln'],
  ['V-2040', 'Pacific Fresh Oakland, 700 Wharf Street, Oakland, CA, 94607', 'Pacific Fresh Oakland', '0850012000013'],
  ['V-3000', 'Valley Grocers Store 231', 'Valley Grocers Store 231', '0960034023119'],
])

test('the examples come back, each cell of each line', async () => {
  const [corrected] = examples('')
  const payloads = [...examples('chain/'), corrected]
  const { before, after } = await roundTrip('receivingEvent', payloads, placesWithGln)
  expect(before.length).toBeGreaterThan(8)
  for (const lines of after) expect(lines).toEqual(before)
})

// Several deliveries a day from several places, with up to three documents of any kind, companies
// with many places, products of one name, and sources of lot codes said in every way.

const text = (name: string) => fc.integer({ min: 1, max: 4 }).map((n) => `${name} ${n}`)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })
const awkward = fc.constantFrom('NA-2291', '007', '1E5', 'L "7", 2', 'Lot; 9', "O'Brien", 'Häfen №4', '=1+1', '-7')

const place = fc
  .tuple(fc.constantFrom('Harbor Greenhouse', 'Dune Farm', 'Kelp Cove, Inc.'), fc.nat(4), fc.boolean())
  .map(([name, n, isLong]) => ({
    locationCode: `${name}-${n}`.slice(-20),
    locationName: name,
    phoneNumber: `+1.831.555.01${name.length}${n}`,
    address: {
      streetAddress1: isLong && n > 2 ? `${n} ${'Very Long Quay Street '.repeat(4).trim()}` : `${n} Quay Street`,
      ...(n > 2 && { streetAddress2: 'Suite 4, behind the cold store' }),
      city: ['Watsonville', 'Salinas'][n % 2],
      ...(n !== 1 && { state: 'CA', postalCode: `9507${n}` }),
      ...(n % 2 === 0 && { country: 'USA' }),
    },
  }))

const source = fc.oneof(
  fc.record(
    {
      tlcSourceReferenceFfrn: fc.constantFrom('14532865782', '11111111112'),
      tlcSourceReferenceGln: fc.constantFrom('0614141000012', '0850012000013'),
      tlcSourceReferenceUrl: fc.constantFrom('https://lots.example/7', 'lots.example/8'),
      tlcSourceReferenceOther: fc.constantFrom('GGN:4049928415684', 'Grower 7; field 9'),
    },
    { requiredKeys: ['tlcSourceReferenceFfrn'] },
  ),
  fc.integer({ min: 1, max: 3 }).map((n) => ({
    tlcSourceName: `Packhouse ${n}`,
    tlcSourceAddress1: `${n} Shed Lane`,
    tlcSourceCity: 'Gilroy',
    tlcSourceState: 'CA',
    tlcSourcePostalCode: '95020',
    tlcSourceCountry: 'USA',
    tlcSourcePhoneNumber: `+1.408.555.010${n}`,
    ...(n === 3 && { tlcSourceAddress2: 'Dock 2' }),
  })),
)

const product = fc.record(
  {
    itemCode: text('ITEM'),
    itemDescription: fc.constantFrom('Vine tomatoes', 'Romaine hearts', 'NA Organics lettuce'),
    brandName: text('Brand'),
    productCommodity: fc.constantFrom('Tomato', 'Lettuce'),
    productVariety: text('Variety'),
    packSize: fc.constantFrom('12 lb', '24 ct'),
    packStyle: fc.constantFrom('carton', 'NA crate'),
  },
  { requiredKeys: ['itemCode', 'itemDescription'] },
)

const line = fc
  .record({
    vendorItemCode: text('ITEM'),
    vendorItemDescription: maybe(text('Described')),
    shipQuantity: fc.constantFrom(1, 40, 0.1 + 0.2, 12.5, 1_000_000),
    shipQuantityUom: fc.constantFrom('case', 'lb'),
    caseLotNumber: fc.oneof(awkward, text('LOT')),
    from: source,
  })
  .map(({ from, vendorItemDescription, ...rest }) => ({
    ...rest,
    ...(vendorItemDescription !== undefined && { vendorItemDescription }),
    ...from,
  }))

const documents = {
  purchaseOrderNumber: fc.oneof(text('PO'), fc.constantFrom('88120', 'Packing List 48661', 'Receipt 24-1103-48')),
  billOfLadingNumber: fc.oneof(awkward, fc.constantFrom('BOL-7', 'Invoice 750A')),
  asnNumber: fc.constantFrom('ASN-12005', '12005', 'A; 7'),
}
/** A shipment may have any of them, or none. */
const documentsOf = (kind: DeliveryKindName) =>
  fc.record(documents, { requiredKeys: kind === 'receivingEvent' ? ['purchaseOrderNumber'] : [] })

const payloadOf = (kind: DeliveryKindName) =>
  fc
    .record({
      shipFrom: place,
      shipTo: fc.constantFrom(1, 2),
      day: fc.constantFrom('2026-03-07', '2026-03-08', '2026-03-09'),
      time: fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 59 })),
      documents: documentsOf(kind),
      products: fc.uniqueArray(product, { maxLength: 4, selector: ({ itemCode }) => itemCode }),
      lines: fc.array(line, { minLength: 1, maxLength: 6 }),
    })
    .map(({ shipFrom, shipTo, day, time, documents, products, lines }) => ({
      productMasterDataList: products,
      locationMasterList: [
        shipFrom,
        {
          locationCode: `DC-${shipTo}`,
          locationName: 'River Warehouse',
          ...(shipTo === 1 && { gln: '0850012000013' }),
          phoneNumber: '+1.901.555.0186',
          address: { streetAddress1: `${shipTo} Levee Road`, city: 'Memphis', state: 'TN', postalCode: '38103' },
        },
      ],
      eventList: {
        dataProviderVendorId: 'V-1',
        ...documents,
        eventDateTime: `${day}T${time.map((part) => String(part).padStart(2, '0')).join(':')}-05:00`,
        shipFromLocationCode: shipFrom.locationCode,
        shipToLocationCode: `DC-${shipTo}`,
        productList: lines,
      },
    }))

const eventCount = 70

const keyOf = ({ eventList }: Payload) => `${eventList.shipToLocationCode} ${eventList.eventDateTime}`

test.each(['receivingEvent', 'shippingEvent'] as const)(
  'generated events come back, each cell of each line, by workbook and by CSV: %s',
  async (kind) => {
    const count = isShortRun ? 30 : eventCount
    const many = fc.uniqueArray(payloadOf(kind), { minLength: count, maxLength: count, selector: keyOf })
    await fc.assert(
      fc.asyncProperty(many, async (payloads) => {
        const { before, after } = await roundTrip(kind, payloads)
        expect(before.length).toBe(payloads.reduce((sum, { eventList }) => sum + eventList.productList.length, 0))
        for (const lines of after) expect(lines).toEqual(before)
      }),
      { numRuns: 1, endOnFailure: true },
    )
  },
)

test('both sheets of one workbook, and PTI’s shipping rows, come back: each cell of each line', async () => {
  const [from, back] = [await service.provider(), await service.provider()]
  const [received, shipped] = [eventPayload(), shippingPayload()]
  const vendor = forVendor(shipped.eventList.dataProviderVendorId)
  await create(from, 'receivingEvent', [received])
  await create(from, 'shippingEvent', [shipped])
  const pti = await workbookOf(ptiShippingSheets([ptiShippingRow(), ptiShippingRow({ 1: '188', 19: 'ASN-7' })]))
  expect(await importInto(from, 'pti.xlsx', pti, ...vendor)).toMatchObject({ code: 0 })

  const { code, stdout, stderr } = await importInto(back, 'fda.xlsx', await sheetOf(from), ...vendor)
  expect(code, stdout + stderr).toBe(0)
  expect(stdout).toContain('1 receiving event and 3 shipping events with')
  for (const kind of ['receivingEvent', 'shippingEvent'] as const) {
    const lines = await linesIn(await sheetOf(from), kind)
    expect(lines.length).toBeGreaterThan(0)
    expect(await linesIn(await sheetOf(back), kind)).toEqual(lines)
  }
})

test('deliveries that have one second by chance are two records, whichever of them comes first, and never a third', async () => {
  const bills = Array.from({ length: 900 }, (_, i) => `B-${i}`)
  const rowOf = (bill: string) => fdaRow({ 33: bill })
  const timeOf = (bill: string) =>
    deliveryTime(
      deliveryIdentity({
        shipFromLocationCode: 'Harbor Greenhouse, 5 Quay Street, Watsonville, CA, 95076',
        purchaseOrderNumber: 'PO-1',
        billOfLadingNumber: bill,
      }),
      '12:00:00',
      0,
    )
  const second = bills.find((bill, i) => bills.slice(0, i).some((before) => timeOf(before) === timeOf(bill))) ?? ''
  const first = bills.find((bill) => timeOf(bill) === timeOf(second)) ?? ''
  const provider = await service.provider()
  const file = (...some: readonly string[]) => csvOf([fdaHeadings, ...some.map(rowOf)])
  const billsIn = async () => (await events(provider)).map(({ eventList }) => eventList.billOfLadingNumber).sort()

  expect((await importInto(provider, 'one.csv', file(second), ...forVendor('V-1'))).code).toBe(0)
  const [stored] = await events(provider)
  expect(stored?.eventList.eventDateTime.slice(11, 19)).toBe(timeOf(first))
  for (const some of [[first, second], [first], [second, first], [second]]) {
    const { code, stdout } = await importInto(
      provider,
      `${some.join('-')}.csv`,
      file(...some),
      ...forVendor('V-1'),
      '--replace',
    )
    expect(code, stdout).toBe(0)
    expect(await billsIn()).toEqual([first, second].sort())
  }
  const changed = csvOf([fdaHeadings, fdaRow({ 33: first, 1: '41' })])
  expect((await importInto(provider, 'changed.csv', changed, ...forVendor('V-1'), '--replace')).stdout).toContain(
    '1 replaced',
  )
  expect(await billsIn()).toEqual([first, second].sort())
})

test('rows that were rejected, corrected and imported give the records of the unbroken file', async () => {
  const rowsOf = (quantity: string, date: string) => [
    fdaRow({ 0: 'L-1' }),
    fdaRow({ 0: 'L-2', 33: 'B-2', 35: 'PO-2', 1: quantity }),
    fdaRow({ 0: 'L-3', 33: 'B-3', 35: 'PO-3' }),
    fdaRow({ 0: 'L-4', 33: 'B-2', 35: 'PO-2' }),
    fdaRow({ 0: 'L-5', 33: 'B-4', 35: 'PO-4', 23: date }),
  ]
  const [whole, repaired] = [await service.provider(), await service.provider()]
  const unbroken = csvOf([fdaHeadings, ...rowsOf('41', '03/05/2026')])
  expect((await importInto(whole, 'whole.csv', unbroken, ...forVendor('V-1'))).code).toBe(0)

  const broken = csvOf([fdaHeadings, ...rowsOf('forty', '03/45/2026')])
  expect((await importInto(repaired, 'in.csv', broken, ...forVendor('V-1'))).code).toBe(1)
  expect((await events(repaired)).map(({ eventList }) => eventList.billOfLadingNumber)).not.toContain('B-2')
  const rejected = await readFile(join(folder, 'in.rejected.csv'), 'utf8')
  const corrected = rejected.replace('forty', '41').replace('03/45/2026', '03/05/2026')
  const { code, stdout } = await importInto(repaired, 'corrected.csv', corrected, ...forVendor('V-1'))
  expect(code, stdout).toBe(0)
  const contents = async (provider: TestProvider) =>
    (await events(provider)).map(({ id: _, ...payload }) => JSON.stringify(payload)).sort()
  expect(await contents(repaired)).toEqual(await contents(whole))
})
