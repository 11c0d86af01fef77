// An event is completed with master data field by field, in one way for findings, completeness,
// FDA's sheet and EPCIS. Source: decision 0023.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { recount } from '../../../src/handlers/traceability/recounts.ts'
import { download } from '../../support/files/download.ts'
import { readWorkbook } from '../../support/files/read-workbook.ts'
import { allowMs } from '../../support/patience.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { runs } from '../../support/runs.ts'
import { handlerContextOn } from '../../support/servers/handler-context.ts'
import { type Service, startService, type TestProvider } from '../../support/servers/service.ts'

vi.setConfig({ testTimeout: allowMs(120_000) })

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const vendor = 'V-1'
const sourceGln = '4006381333931'

async function stored(provider: TestProvider, path: string, body: Payload): Promise<string> {
  const reply = await provider.call('POST', path, { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}

const storedProduct = (provider: TestProvider, product: Payload) =>
  stored(provider, paths.masterProduct, {
    productMasterDataList: { itemDescription: 'Item', dataProviderVendorId: vendor, ...product },
  })
const storedLocation = (provider: TestProvider, location: Payload) =>
  stored(provider, paths.location, {
    locationMasterList: { locationName: 'Place', dataProviderVendorId: vendor, ...location },
  })

/** What the four readers say of the only event of a provider. */
async function readersOf(provider: TestProvider, id: string) {
  const now = (await provider.call('GET', `${paths.receivingEvent}/${id}/findings?judged=now`)).body
  // The service of a test counts nothing in the background.
  for await (const _ of recount(handlerContextOn(service.database.pool), provider.id));
  const { total, recounting: since } = (await provider.call('GET', '/traceability/completeness')).body
  expect(since).toBeNull()
  const { bytes } = await download(service, provider, '/traceability/fda-spreadsheet')
  const [, row] = (await readWorkbook(bytes)).get('Receiving') ?? []
  const epcis = (await provider.call('GET', '/traceability/epcis?documentType=EPCISDocument')).body.epcisBody
    .eventList[0]
  const byCode = (list: string, code: string) =>
    Object.fromEntries(epcis[`lotkeeper:${list}`].map((one: Payload) => [one[`lotkeeper:${code}`], one]))
  const isGap = ({ severity }: Payload) => severity === 'gap'
  return {
    gaps: [...new Set<string>(now.findings.filter(isGap).map(({ rule }: Payload) => rule))].sort(),
    completeLines: total.completeLines,
    row,
    products: byCode('productMasterDataList', 'itemCode'),
    locations: byCode('locationMasterList', 'locationCode'),
  }
}

const oneLine = (edit: (payload: Payload) => void) =>
  eventPayload((payload) => {
    payload.eventList.dataProviderVendorId = vendor
    payload.eventList.productList.length = 1
    edit(payload)
  })

test('an entry without a category has the gaps of the category that its master product has', async () => {
  const withEntry = await service.provider()
  const without = await service.provider()
  for (const provider of [withEntry, without])
    await storedProduct(provider, { itemCode: 'ROM-24', ftlCategory: 'leafy greens', isFtlItem: true })
  const entry = { itemCode: 'ROM-24', itemDescription: 'Romaine', packSize: '24 ct', packStyle: 'carton' }
  const edit = (list: Payload[]) => oneLine((payload) => Object.assign(payload, { productMasterDataList: list }))
  const listed = await readersOf(withEntry, await stored(withEntry, paths.receivingEvent, edit([entry])))
  expect(listed.gaps).toEqual(['product/commodity'])
  expect(listed.completeLines).toBe(0)
  const bare = await readersOf(without, await stored(without, paths.receivingEvent, edit([])))
  expect(bare.gaps).toEqual(['product-line/product-description'])
  expect(bare.completeLines).toBe(0)
})

/** The headings of FDA's sheet about the source of a lot code. */
const sourceCells = (row: readonly string[] | undefined) => row?.slice(24, 31)

const sourcedEvent = (numbers: object) =>
  oneLine((payload) => {
    const [line] = payload.eventList.productList
    for (const field of Object.keys(line)) if (field.startsWith('tlcSource')) delete line[field]
    Object.assign(line, numbers)
  })

const packer = {
  locationCode: 'PACKER',
  locationName: 'Salinas Packing',
  phoneNumber: '+1.831.555.0142',
  address: { streetAddress1: '9 Field Road', city: 'Salinas', state: 'CA', postalCode: '93901', country: 'USA' },
}

test('what a line says of its source and the place of its number complete each other, or the line stands alone, for every reader', async () => {
  const [name, phone, street] = ['SALINAS PACKING', '+1 831 555-0142', '9 field road']
  const own = { tlcSourceName: name, tlcSourcePhoneNumber: phone, tlcSourceAddress1: street }
  const rest = { tlcSourceCity: 'Yuma', tlcSourceState: 'AZ', tlcSourcePostalCode: '85364' }
  const gap = ['product-line/tlc-source-place']
  for (const [line, isStored, cells, gaps] of [
    [own, true, [name, phone, street, 'Salinas', 'CA', '93901', 'USA'], []],
    [own, false, [name, phone, street, '', '', '', ''], gap],
    [{ ...own, tlcSourceName: 'Other' }, true, ['Other', phone, street, '', '', '', ''], gap],
    [{ ...own, ...rest }, true, [name, phone, street, 'Yuma', 'AZ', '85364', ''], []],
    [{ ...own, ...rest }, false, [name, phone, street, 'Yuma', 'AZ', '85364', ''], []],
  ] as const) {
    const provider = await service.provider()
    if (isStored) await storedLocation(provider, { ...packer, gln: sourceGln })
    const event = sourcedEvent({ tlcSourceReferenceGln: sourceGln, ...line })
    const read = await readersOf(provider, await stored(provider, paths.receivingEvent, event))
    const about = JSON.stringify([line, isStored])
    expect(
      sourceCells(read.row)?.map((cell) => cell ?? ''),
      about,
    ).toEqual(cells)
    expect(read.gaps, about).toEqual(gaps)
    expect(read.completeLines, about).toBe(gaps.length === 0 ? 1 : 0)
  }
})

test('a line whose case GTIN is not that of its master product has the warning, also where its entry lists all but the GTIN', async () => {
  const provider = await service.provider()
  await storedProduct(provider, { itemCode: 'ROM-24', gtin: '10614141000521' })
  const entry = {
    ...{ itemCode: 'ROM-24', itemDescription: 'Romaine', packSize: '24 ct', packStyle: 'carton' },
    ...{ isFtlItem: true, ftlCategory: 'leafy greens', productCommodity: 'Romaine' },
  }
  for (const [gtin, expected] of [
    [undefined, ['product-line/case-gtin-of-product']],
    ['', ['product-line/case-gtin-of-product']],
    ['10614141000415', []],
  ] as const) {
    const event = oneLine((payload) => {
      payload.productMasterDataList = [{ ...entry, gtin }]
      Object.assign(payload.eventList.productList[0], { vendorItemCode: 'ROM-24', caseGtin: '10614141000415' })
    })
    const { body } = await provider.call('POST', `${paths.receivingEvent}?dryRun=true`, { body: event })
    const rules = body.findings.map(({ rule }: Payload) => rule)
    expect(rules.filter((rule: string) => rule.startsWith('product-line/case-gtin'))).toEqual(expected)
  }
})

for (const [field, number] of [
  ['gln', sourceGln],
  ['duns', '123456789'],
] as const) {
  const reference = field === 'gln' ? 'tlcSourceReferenceGln' : 'tlcSourceReferenceDuns'

  test(`a stored location that no event lists is the source of a lot code by its ${field}, for every reader`, async () => {
    const provider = await service.provider()
    await storedLocation(provider, { ...packer, [field]: number })
    const id = await stored(provider, paths.receivingEvent, sourcedEvent({ [reference]: number }))
    const read = await readersOf(provider, id)
    expect(read.gaps).toEqual([])
    expect(read.completeLines).toBe(1)
    expect(sourceCells(read.row)).toEqual([
      'Salinas Packing',
      '+1.831.555.0142',
      '9 Field Road',
      'Salinas',
      'CA',
      '93901',
      'USA',
    ])
    expect(read.locations).toHaveProperty('PACKER')
    const kept = (await provider.call('GET', `${paths.receivingEvent}/${id}/findings`)).body
    expect(kept.findings.filter(({ severity }: Payload) => severity === 'gap')).toEqual([])
  })

  test(`a location that gets, changes or loses the ${field} of a source is counted at once`, async () => {
    const provider = await service.provider()
    const id = await stored(provider, paths.receivingEvent, sourcedEvent({ [reference]: number }))
    const before = await readersOf(provider, id)
    expect(before.gaps).toEqual(['product-line/tlc-source-place'])
    expect(before.completeLines).toBe(0)
    const at = `${paths.location}/${await storedLocation(provider, { ...packer, [field]: number })}`
    expect(await readersOf(provider, id)).toMatchObject({ gaps: [], completeLines: 1 })
    const replaced = async (location: Payload) => {
      const body = { locationMasterList: { dataProviderVendorId: vendor, ...packer, ...location } }
      expect((await provider.call('PUT', at, { body })).status).toBe(200)
      return readersOf(provider, id)
    }
    expect(await replaced({ [field]: number, phoneNumber: 'n/a' })).toMatchObject({ completeLines: 0 })
    expect(await replaced({ [field]: number })).toMatchObject({ gaps: [], completeLines: 1 })
    const other = field === 'gln' ? '0614141000029' : '987654321'
    expect(await replaced({ [field]: other })).toMatchObject({
      gaps: ['product-line/tlc-source-place'],
      completeLines: 0,
    })
  })
}

test('a location of another vendor or provider is no source of a lot code', async () => {
  const [provider, other] = [await service.provider(), await service.provider()]
  const gln = sourceGln
  await storedLocation(provider, { ...packer, gln, dataProviderVendorId: 'V-2' })
  await storedLocation(other, { ...packer, gln })
  const id = await stored(provider, paths.receivingEvent, sourcedEvent({ tlcSourceReferenceGln: gln }))
  const read = await readersOf(provider, id)
  expect(read.gaps).toEqual(['product-line/tlc-source-place'])
  expect(sourceCells(read.row)?.filter(Boolean)).toEqual([])
})

test('another event that lists the source describes it, and the first one is counted again', async () => {
  const provider = await service.provider()
  const first = await stored(provider, paths.receivingEvent, sourcedEvent({ tlcSourceReferenceGln: sourceGln }))
  expect((await readersOf(provider, first)).completeLines).toBe(0)
  const lists = sourcedEvent({ tlcSourceReferenceGln: sourceGln })
  lists.locationMasterList.push({ ...packer, gln: sourceGln })
  await stored(provider, paths.receivingEvent, lists)
  expect(await readersOf(provider, first)).toMatchObject({ gaps: [], completeLines: 2 })
})

test('the preview of a location counts the lines whose lot code source it describes', async () => {
  const provider = await service.provider()
  await stored(provider, paths.receivingEvent, sourcedEvent({ tlcSourceReferenceGln: sourceGln }))
  const reply = await provider.call('POST', '/traceability/master-data-preview', {
    body: { location: { ...packer, gln: sourceGln, dataProviderVendorId: vendor } },
  })
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body).toMatchObject({ events: 1, completedLines: 1, closedGaps: 1 })
})

// ---- any fields, anywhere

type Side = 'list' | 'stored' | 'both' | 'stored, and a placeholder in the list'
const side = fc.constantFrom<Side>('list', 'stored', 'both', 'stored, and a placeholder in the list')

/** A field that a record may have, and where it is said. */
const said = <T>(value: T) => fc.option(fc.record({ value: fc.constant(value), side }), { nil: undefined })
type Said = { readonly value: unknown; readonly side: Side } | undefined

interface Split {
  readonly whole: Payload
  readonly list: Payload
  readonly stored: Payload
}

function split(fields: Readonly<Record<string, Said>>): Split {
  const parts: Split = { whole: {}, list: {}, stored: {} }
  for (const [name, one] of Object.entries(fields)) {
    if (one === undefined) continue
    parts.whole[name] = one.value
    if (one.side !== 'list') parts.stored[name] = one.value
    if (one.side === 'list' || one.side === 'both') parts.list[name] = one.value
    else if (one.side !== 'stored' && typeof one.value === 'string') parts.list[name] = 'n/a'
  }
  return parts
}

const product = fc
  .record({
    packSize: said('24 ct'),
    packStyle: said('carton'),
    productCommodity: said('Romaine'),
    brandName: said('Green Valley'),
  })
  .chain((fields) =>
    fc
      .record({
        category: fc.constantFrom(undefined, 'leafy greens', 'nut butter'),
        isFtlItem: fc.constantFrom(undefined, true, false),
        side: fc.constantFrom<Side>('list', 'stored', 'both'),
      })
      .map(({ category, isFtlItem, side: where }) => {
        // Neither list takes an item of the Food Traceability List without its category.
        const ftl = category === undefined && isFtlItem === true ? undefined : isFtlItem
        const own = ftl === false ? undefined : category
        return split({
          ...fields,
          ftlCategory: own === undefined ? undefined : { value: own, side: where },
          isFtlItem: ftl === undefined ? undefined : { value: ftl, side: where },
        })
      }),
  )

const place = (gln: string) =>
  fc
    .record({
      top: fc.record({ phoneNumber: said('+1.831.555.0142') }),
      address: fc.record({
        streetAddress1: said('9 Field Road'),
        city: said('Salinas'),
        state: said('CA'),
        postalCode: said('93901'),
      }),
      gln: fc.constantFrom<Side>('list', 'stored', 'both'),
    })
    .map(({ top, address, gln: where }) => {
      const [one, other] = [split({ ...top, gln: { value: gln, side: where } }), split(address)]
      const join = (fields: Payload, parts: Payload) => ({
        ...fields,
        ...(Object.keys(parts).length > 0 && { address: parts }),
      })
      return {
        whole: join(one.whole, other.whole),
        list: join(one.list, other.list),
        stored: join(one.stored, other.stored),
      }
    })

test('however the fields are split between lists and master data, every reader says what it says of the whole', async () => {
  await fc.assert(
    fc.asyncProperty(
      product,
      place('0614141000012'),
      place('0614141000029'),
      place(sourceGln),
      fc.boolean(),
      async (item, from, to, source, isSourceListed) => {
        // A source that is not listed has all that is known of it in master data.
        const listed = isSourceListed ? source : { whole: source.whole, list: undefined, stored: source.whole }
        const places = [
          { code: 'FROM', duns: '123456789', ...from },
          { code: 'TO', duns: '123456788', ...to },
          { code: 'SOURCE', duns: '123456787', ...listed },
        ]
        const event = (ofItem: Payload, ofPlaces: Payload[]) =>
          oneLine((payload) => {
            const { productList } = sourcedEvent({ tlcSourceReferenceGln: sourceGln }).eventList
            payload.productMasterDataList = [{ itemCode: 'I-1', itemDescription: 'Item', ...ofItem }]
            payload.locationMasterList = ofPlaces
            Object.assign(payload.eventList, {
              shipFromLocationCode: 'FROM',
              shipToLocationCode: 'TO',
              eventDateTime: '2026-03-04T09:30:00-05:00',
              productList: [{ ...productList[0], vendorItemCode: 'I-1', caseGtin: undefined }],
            })
          })
        const whole = await service.provider()
        const wholeEvent = event(
          item.whole,
          places.map(({ code, duns, whole: fields }) => ({
            locationCode: code,
            locationName: 'Place',
            duns,
            ...fields,
          })),
        )
        const wholeId = await stored(whole, paths.receivingEvent, wholeEvent)

        const parts = await service.provider()
        await storedProduct(parts, { itemCode: 'I-1', ...item.stored })
        for (const { code, duns, stored: fields } of places)
          await storedLocation(parts, { locationCode: code, duns, ...fields })
        const partsEvent = event(
          item.list,
          places.flatMap(({ code, list }) =>
            list === undefined ? [] : [{ locationCode: code, locationName: 'Place', ...list }],
          ),
        )
        const partsId = await stored(parts, paths.receivingEvent, partsEvent)

        const [expected, read] = [await readersOf(whole, wholeId), await readersOf(parts, partsId)]
        const identified = ({ locations, ...rest }: typeof read) => ({
          ...rest,
          locations: Object.fromEntries(
            Object.entries(locations).map(([code, { 'lotkeeper:identifiedBy': _, ...fields }]: Payload) => [
              code,
              fields,
            ]),
          ),
        })
        expect(identified(read)).toEqual(identified(expected))
      },
    ),
    { numRuns: runs(30, 5), endOnFailure: true },
  )
})
