// FDA's files have the events of every kind that the provider keeps: each in its sheet, counted,
// filtered, with its gaps, corrections and voids. Source: 21 CFR 1.1325 to 1.1350; decision 0029.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EventKindName, eventKindList, isDeliveryKind } from '../../../src/contract/record-kinds.ts'
import { type KindSheet, kindSheets, sheetKinds, sheetsFor } from '../../../src/exports/fda-spreadsheet/kind-sheets.ts'
import { download } from '../../support/files/download.ts'
import { readCsv, readWorkbook, textIn, unzipped } from '../../support/files/read-workbook.ts'
import { type Payload, paths, payloadOf } from '../../support/records/payloads.ts'
import { calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
/** Has one event of each kind with a sheet. */
let provider: TestProvider
beforeAll(async () => {
  service = await startService()
  provider = await service.provider()
  for (const kind of sheetKinds) await create(provider, kind)
})
afterAll(() => service?.close())

async function create(to: TestProvider, kind: EventKindName, edit?: (payload: Payload) => void): Promise<string> {
  const reply = await to.call('POST', paths[kind], { body: payloadOf[kind](edit) })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}

const path = '/traceability/fda-spreadsheet'
const sheetsOf = async (of: TestProvider, query = '') =>
  readWorkbook((await download(service, of, `${path}${query}`)).bytes)
const countsOf = async (of: TestProvider, query = ''): Promise<Payload> =>
  (await of.call('GET', `/traceability/fda-lines${query}`)).body
const chain = sheetKinds.filter((kind) => !isDeliveryKind(kind))

/** The rows of a sheet, each as an object by heading. */
const rowsIn = (sheets: Awaited<ReturnType<typeof sheetsOf>>, kind: EventKindName) => {
  const [{ name, columns } = kindSheets[0] as KindSheet] = sheetsFor(kind)
  return (sheets.get(name) ?? [])
    .slice(1)
    .map((row) => Object.fromEntries(columns.map(({ letter }, i) => [letter, row[i] ?? ''])))
}

describe('the workbook', () => {
  test('has the rows of each kind under the headings of its sheet, and headings alone in the others', async () => {
    const sheets = await sheetsOf(provider)
    for (const kind of sheetKinds) expect(rowsIn(sheets, kind), kind).not.toEqual([])
    const [harvested] = rowsIn(sheets, 'harvestingEvent')
    expect(harvested).toMatchObject({
      ...{ A: 'Green Valley Cooler', H: 'Romaine lettuce', I: 'Parris Island', J: '75', K: 'bin' },
      ...{ L: 'Green Valley Farm 2', S: 'Field 7', T: '', V: 'Harvest Log', W: 'HL-0302-14', X: '' },
    })
    const transformed = rowsIn(sheets, 'transformationEvent')
    expect(transformed.map(({ A, H, J, K, Z }) => [A, H, J, K, Z])).toEqual([
      ['GV26062-A', '40', 'FC26063-07', 'Green Valley Fresh Cut', '210'],
      ['GV26062-C', '6', 'FC26063-07', 'Green Valley Fresh Cut', '210'],
    ])
    const [packed] = rowsIn(sheets, 'initialPackingEvent')
    expect(packed).toMatchObject({ A: expect.stringMatching(/romaine/i), Q: expect.stringMatching(/2026$/) })
    for (const name of ['Initial Packing from Exempt', 'Receiving From Exempt', 'Farm to School or Institution'])
      expect(sheets.get(name)).toHaveLength(1)
  })

  test.each([
    ['lotCode=GV26062-C', { transformationEvent: 1 }],
    ['lotCode=FC26063-07', { transformationEvent: 2 }],
    ['productText=cilantro', { transformationEvent: 2 }],
    ['shipToLocationCode=GV-FRESHCUT', { transformationEvent: 2 }],
    ['tlcSource=0614141000036', { transformationEvent: 2 }],
    ['eventEndDate=2001-01-01', {}],
  ])('filtered by %s has the rows that match', async (query, rows) => {
    const sheets = await sheetsOf(provider, `?${query}`)
    const counted = Object.fromEntries(
      chain.map((kind) => [kind, rowsIn(sheets, kind).length]).filter(([, count]) => count !== 0),
    )
    expect(counted).toEqual(rows)
  })

  test('completes products and places of all lists with master data', async () => {
    const own = await service.provider()
    await create(own, 'masterProduct' as EventKindName, (payload) => {
      Object.assign(payload.productMasterDataList, { itemCode: 'USED-1', itemDescription: 'Whole romaine' })
      payload.productMasterDataList.dataProviderVendorId = 'V-1001'
    })
    await create(own, 'transformationEvent', ({ eventList, productMasterDataList }) => {
      eventList.ingredientList = [{ ...eventList.ingredientList[0], vendorItemCode: 'USED-1' }]
      productMasterDataList.splice(0, 2)
    })
    expect(rowsIn(await sheetsOf(own), 'transformationEvent')).toMatchObject([{ B: 'Whole romaine' }])
  })
})

describe('a CSV', () => {
  test.each(kindSheets)('of the sheet $name has its rows and counts its records', async ({ name, slug, columns }) => {
    const { bytes, headers } = await download(service, provider, `${path}?format=csv&sheet=${slug}`)
    expect(headers.get('content-disposition')).toContain(`fda-${slug}.csv`)
    expect(headers.get('record-count')).toBe('1')
    const [headings = [], ...rows] = readCsv(textIn(bytes).replace('\uFEFF', ''))
    expect(headings).toEqual(columns.map(({ heading }) => heading))
    expect(rows).toHaveLength(((await sheetsOf(provider)).get(name) ?? []).length - 1)
  })
})

test('lines are counted of each kind, whether whole events or single lines match', async () => {
  const others = [
    { kind: 'harvestingEvent', events: 1, lines: 1 },
    { kind: 'coolingEvent', events: 1, lines: 1 },
    { kind: 'initialPackingEvent', events: 1, lines: expect.any(Number) },
    { kind: 'firstLandBasedReceivingEvent', events: 1, lines: expect.any(Number) },
    { kind: 'transformationEvent', events: 1, lines: 3 },
  ]
  expect(await countsOf(provider)).toMatchObject({ events: 1, shippingEvents: 1, others })
  expect((await countsOf(provider, '?lotCode=GV26062-C')).others).toEqual([
    { kind: 'transformationEvent', events: 1, lines: 2 },
  ])
  expect((await countsOf(await service.provider())).others).toEqual([])
})

test('a cell without its key data element is marked and listed, the right one of several places', async () => {
  const own = await service.provider()
  await create(own, 'coolingEvent', ({ eventList, locationMasterList }) => {
    const farm = locationMasterList.find((one: Payload) => one.locationCode === eventList.harvestLocationCode)
    Object.assign(farm, { locationCode: 'FARM-9', phoneNumber: undefined })
    eventList.harvestLocationCode = 'FARM-9'
    delete eventList.referenceDocumentNumber
    delete eventList.referenceDocumentNumber2
  })
  await create(own, 'harvestingEvent', ({ eventList }) => delete eventList.productList[0].growingAreaName)
  await create(own, 'transformationEvent', ({ eventList }) => delete eventList.ingredientList[0].caseLotNumber)
  const gaps = (await sheetsOf(own, '?gaps=true')).get('Gaps')?.slice(1) ?? []
  expect(gaps.map(([, , , column, , paragraph]) => [column, paragraph])).toEqual([
    ['Harvesting!S', '1.1325(a)(1)(v)'],
    ['Cooling!U', '1.1325(b)(1)(vi)'],
    ['Cooling!AB', '1.1325(b)(1)(vii)'],
    ['Transformation!A', '1.1350(a)(1)(i)'],
  ])
})

describe('the package', () => {
  test('has a CSV of each kind, counts them, and explains the columns of their sheets', async () => {
    const files = unzipped((await download(service, provider, '/traceability/fda-package')).bytes)
    const { counts, files: listed } = JSON.parse(textIn(files['manifest.json']))
    const page = textIn(files['explanation.html'])
    const sheets = await sheetsOf(provider)
    for (const { slug, name } of kindSheets) {
      const hasRows = (sheets.get(name) ?? []).length > 1
      expect(Object.hasOwn(files, `fda-${slug}.csv`), name).toBe(hasRows)
      expect(page.includes(`<h2>Columns of the sheet ${name}</h2>`), name).toBe(hasRows)
    }
    expect(listed.map(({ name }: Payload) => name)).toContain('fda-transformation.csv')
    expect(counts).toMatchObject({ harvestingEvents: 1, harvestingLines: 1, harvestingGaps: 0 })
    expect(counts).toMatchObject({ transformationEvents: 1, transformationLines: 3, firstLandBasedReceivingEvents: 1 })
  })

  test('has no file of a kind of which nothing matches', async () => {
    const files = unzipped((await download(service, provider, '/traceability/fda-package?lotCode=FC26063-07')).bytes)
    expect(Object.keys(files).filter((name) => name.endsWith('.csv'))).toEqual([
      'fda-receiving-lot-FC26063-07.csv',
      'fda-transformation-lot-FC26063-07.csv',
    ])
  })

  test('lists what replacements changed and why, each cell once however often its lot is paired, and what was voided', async () => {
    const own = await service.provider()
    const id = await create(own, 'transformationEvent')
    const { body } = await own.call('GET', `${paths.transformationEvent}/${id}`)
    body.eventList.productList[0].shipQuantity = 211
    const counted = { body, headers: { 'change-reason': '"Counted again"' } }
    expect((await own.call('PUT', `${paths.transformationEvent}/${id}`, counted)).status).toBe(200)
    const voided = await create(own, 'harvestingEvent')
    const reason = { body: { reason: 'Another farm' } }
    expect((await own.call('POST', `${paths.harvestingEvent}/${voided}/void`, reason)).status).toBe(200)

    const files = unzipped((await download(service, own, '/traceability/fda-package')).bytes)
    const [, ...corrections] = readCsv(textIn(files['fda-corrections.csv']))
    expect(corrections.map((row) => [row[0], ...row.slice(3)])).toEqual([
      [id, '1', 'FC26063-07', 'Transformation!Z', expect.stringContaining('Quantity'), '210', '211', 'Counted again'],
    ])
    const [, ...rows] = readCsv(textIn(files['fda-voided-harvesting.csv']))
    expect(rows.map((row) => [row[0], ...row.slice(2, 4)])).toEqual([[voided, 'Another farm', 'Green Valley Cooler']])
    const here = unzipped((await download(service, own, '/traceability/fda-package?shipToLocationCode=X')).bytes)
    expect(here).not.toHaveProperty(['fda-voided-harvesting-at-X.csv'])
  })

  test('of a link counts the events of all kinds', async () => {
    const administrator = calling(service.url, await provider.key('administrator'))
    const link = await administrator('POST', '/package-links?lotCode=FC26063-07', { body: { label: 'FDA' } })
    expect(link.body, link.text).toMatchObject({ events: 1, lines: 3 })
  })
})

test('food from an exempt person and the seeds of sprouts have sheets of their own', async () => {
  const own = await service.provider()
  await create(own, 'initialPackingEvent', ({ eventList, locationMasterList }) => {
    const [{ locationCode: exemptSourceLocationCode }] = locationMasterList
    const [{ vendorItemCode, shipQuantity, shipQuantityUom }] = eventList.receivedList
    eventList.receivedList = [{ vendorItemCode, shipQuantity, shipQuantityUom, exemptSourceLocationCode }]
    eventList.seedList = [{ seedType: 'Mung bean', seedPackerLotCode: 'SP-77' }]
  })
  const sheets = await sheetsOf(own)
  expect(sheets.get('Initial Packing')).toHaveLength(1)
  expect(sheets.get('Initial Packing from Exempt')).toHaveLength(2)
  expect(sheets.get('Initial Packing Sprouts')?.slice(1)).toEqual([expect.arrayContaining(['Mung bean', 'SP-77'])])
  const lot = sheets.get('Initial Packing from Exempt')?.[1]?.[12] ?? ''
  const ofLot = await sheetsOf(own, `?lotCode=${encodeURIComponent(lot)}`)
  expect(ofLot.get('Initial Packing Sprouts')).toHaveLength(2)
  expect((await sheetsOf(own, '?lotCode=NO-LOT')).get('Initial Packing Sprouts')).toHaveLength(1)
})

test('a line that names no farm, and a farm that a line names without a phone number, are gaps of that line', async () => {
  const own = await service.provider()
  await create(own, 'initialPackingEvent', ({ eventList, locationMasterList }) => {
    const [line] = eventList.receivedList
    const farm = locationMasterList.find((one: Payload) => one.locationCode === line.harvestLocationCode)
    locationMasterList.push({ ...farm, locationCode: 'FARM-9', phoneNumber: undefined })
    const { harvestLocationCode: _, ...nameless } = line
    eventList.receivedList = [{ ...line, harvestLocationCode: 'FARM-9' }, nameless]
  })
  const gaps = (await sheetsOf(own, '?gaps=true')).get('Gaps')?.slice(1) ?? []
  expect(gaps.map(([, line, , column]) => [line, column])).toEqual([
    ['1', "'Initial Packing'!G"],
    ...['F', 'G', 'H', 'I', 'J', 'K'].map((letter) => ['2', `'Initial Packing'!${letter}`]),
  ])
})

test('each kind of event with key data elements has a sheet', () => {
  for (const { name, elements } of eventKindList) if (elements !== undefined) expect(sheetKinds).toContain(name)
})
