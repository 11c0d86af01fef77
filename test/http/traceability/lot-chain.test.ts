// Following a lot through transformations over HTTP: what it became and where that went, what it
// was made of, and what the records leave open. Source: 21 CFR 1.1350(a); decision 0091.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { samplePayload } from '../../samples/payloads.ts'
import { download } from '../../support/files/download.ts'
import { readCsv, readWorkbook, textIn, unzipped } from '../../support/files/read-workbook.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { startLimitedServer } from '../../support/servers/own-server.ts'
import { type Call, calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
let call: Call
let provider: TestProvider

beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  provider = await service.provider()
  call = provider.call
})
afterAll(() => service?.close())

const farm = { tlcSourceReferenceGln: '0614141000012' }
const plant = '0614141000036'

type Lot = readonly [code: string, quantity: number, more?: object]

let minute = 0
const momentOn = (day: number): string =>
  `2026-03-${String(day).padStart(2, '0')}T10:${String(minute++ % 60).padStart(2, '0')}:00Z`

async function create(path: string, body: Payload): Promise<string> {
  const reply = await call('POST', path, { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}

const lineOf = (sample: Payload, [caseLotNumber, shipQuantity, more]: Lot): Payload => ({
  vendorItemCode: sample.vendorItemCode,
  shipQuantityUom: 'case',
  caseLotNumber,
  shipQuantity,
  ...more,
})

/** Lots that become others at the plant. */
const transformed = (used: readonly Lot[], made: readonly Lot[], day = 4): Promise<string> => {
  const body = samplePayload('transformationEvent')
  const { eventList: event } = body
  const [sample] = event.productList
  Object.assign(body.locationMasterList[0], { gln: plant, locationName: 'Fresh Cut' })
  Object.assign(event, {
    eventDateTime: momentOn(day),
    ingredientList: used.map((lot) => lineOf(sample, lot)),
    productList: made.map((lot) => lineOf(sample, lot)),
  })
  return create(paths.transformationEvent, body)
}

const receivedAt = (locationCode: string, lots: readonly Lot[], day = 5): Promise<string> =>
  create(
    paths.receivingEvent,
    eventPayload(({ eventList: event, locationMasterList }) => {
      const to = locationMasterList.find((one: Payload) => one.locationCode === event.shipToLocationCode)
      Object.assign(to, { locationCode, locationName: `Place ${locationCode}`, gln: undefined })
      const [sample] = event.productList
      Object.assign(event, {
        shipToLocationCode: locationCode,
        eventDateTime: momentOn(day),
        productList: lots.map((lot) => lineOf(sample, lot)),
      })
    }),
  )

async function chain(lotCode: string, query = ''): Promise<Payload> {
  const reply = await call('GET', `/traceability/lots/${encodeURIComponent(lotCode)}/chain${query}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const codesOf = ({ lots }: Payload): string[] => lots.map(({ lotCode }: Payload) => lotCode)
const cases = (quantity: number) => [{ quantity, unit: 'case' }]
const ofPlant = { tlcSourceReferenceGln: plant }

describe('two farms’ lots in one kitchen', () => {
  let [toSalad, toKit]: string[] = []

  beforeEach(async () => {
    await receivedAt(
      'PLANT',
      [
        ['ROM-1', 100, farm],
        ['CIL-1', 20, farm],
      ],
      3,
    )
    toSalad = await transformed(
      [
        ['ROM-1', 90, farm],
        ['CIL-1', 20, farm],
      ],
      [['SALAD-1', 200]],
    )
    toKit = await transformed([['SALAD-1', 50, ofPlant]], [['KIT-1', 40]], 5)
    await receivedAt('STORE-1', [['KIT-1', 25, ofPlant]], 6)
    await receivedAt('STORE-2', [['KIT-1', 15, ofPlant]], 7)
    await receivedAt('STORE-3', [['SALAD-1', 150, ofPlant]], 6)
  })

  test('a lot is followed to all that was made of it, and to where that went', async () => {
    const found = await chain('ROM-1')
    expect(
      found.lots.map(({ id, lotCode, distance, ground, places }: Payload) => [
        id,
        lotCode,
        distance,
        ground,
        places.map((place: Payload) => place.locationCode),
      ]),
    ).toEqual([
      ['L1', 'ROM-1', 0, 'sameSource', ['PLANT']],
      ['L2', 'SALAD-1', 1, 'sameSource', ['STORE-3']],
      ['L3', 'KIT-1', 2, 'sameSource', ['STORE-1', 'STORE-2']],
    ])
    expect(found.events.map(({ id, record, used, made }: Payload) => [id, record, used, made])).toEqual([
      [toSalad, 'transformationEvent', ['L1'], ['L2']],
      [toKit, 'transformationEvent', ['L2'], ['L3']],
    ])
    expect(found.lots[1]).toMatchObject({
      made: cases(200),
      used: cases(50),
      received: cases(150),
      source: 'Fresh Cut',
    })
    expect(found.notes).toEqual([])
  })

  test('and back to every lot that is in it', async () => {
    const found = await chain('KIT-1', '?direction=back')
    expect(codesOf(found)).toEqual(['KIT-1', 'SALAD-1', 'ROM-1', 'CIL-1'])
    expect(found.events[1]).toMatchObject({ id: toSalad, used: ['L3', 'L4'], made: ['L2'] })
  })

  test('as CSV, a row for each lot and the event by which it is in the chain', async () => {
    const { status, headers, bytes } = await download(
      service,
      provider,
      '/traceability/lots/KIT-1/chain?direction=back&format=csv',
    )
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="chain-back-KIT-1.csv"')
    const [headings = [], ...rows] = readCsv(textIn(bytes))
    const cells = rows.map((row) => Object.fromEntries(headings.map((heading, i) => [heading, row[i]])))
    expect(
      cells.map(({ lotCode, distance, used, eventId, eventLots }) => [lotCode, distance, used, eventId, eventLots]),
    ).toEqual([
      ['KIT-1', '0', '', '', ''],
      ['SALAD-1', '1', '50 case', toKit, 'KIT-1'],
      ['ROM-1', '2', '90 case', toSalad, 'SALAD-1'],
      ['CIL-1', '2', '20 case', toSalad, 'SALAD-1'],
    ])
  })

  test('as a drawing, in which every lot and event is named', async () => {
    const { status, headers, bytes } = await download(service, provider, '/traceability/lots/ROM-1/chain?format=svg')
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    const svg = textIn(bytes)
    for (const text of ['Lot ROM-1: lots that were made of it: 3 lots, 2 events', 'SALAD-1', 'KIT-1', 'Fresh Cut'])
      expect(svg).toContain(text)
  })

  test('FDA’s package of the chain has the records of all of its lots, and says why', async () => {
    const { bytes } = await download(service, provider, '/traceability/fda-package?lotCode=ROM-1&chain=forward')
    const files = unzipped(bytes)
    const manifest = JSON.parse(textIn(files['manifest.json']))
    expect(Object.keys(files)).toEqual([
      'fda-spreadsheet-chain-forward-ROM-1.xlsx',
      'fda-receiving-chain-forward-ROM-1.csv',
      'fda-transformation-chain-forward-ROM-1.csv',
      'fda-lots-chain-forward-ROM-1.csv',
      'explanation.html',
      'manifest.json',
    ])
    expect(manifest.filters).toEqual({ lotCode: ['ROM-1'], chain: 'forward', least: 'reference' })
    expect(manifest.chain).toMatchObject({
      forward: { lots: 3, food: 0, events: 2 },
      linesByGround: { sameSource: 8, sourceUnknown: 0, reference: 0 },
      leftOutLinesByGround: { sameSource: 0, sourceUnknown: 0, reference: 0 },
      isWhole: true,
      notes: [],
    })
    const sheets = await readWorkbook(files['fda-spreadsheet-chain-forward-ROM-1.xlsx'] ?? new Uint8Array())
    const lotsIn = (sheet: string, column: number) =>
      sheets
        .get(sheet)
        ?.slice(1)
        .map((row) => row[column])
    expect(lotsIn('Receiving', 0)).toEqual(['ROM-1', 'KIT-1', 'SALAD-1', 'KIT-1'])
    // The pairs of an event have its other lots, too.
    const pairs = sheets
      .get('Transformation')
      ?.slice(1)
      .map((row) => row.filter((cell) => /^(ROM|CIL|SALAD|KIT)-1$/.test(cell)))
    expect(pairs).toEqual([
      ['ROM-1', 'SALAD-1'],
      ['CIL-1', 'SALAD-1'],
      ['SALAD-1', 'KIT-1'],
    ])
    const page = textIn(files['explanation.html'])
    for (const text of ['Chain of the lot', '<td>SALAD-1</td>', 'lot code and source', 'every lot that it used may be'])
      expect(page).toContain(text)
    expect(sheets.get('Introduction')?.flat().join(' ')).toContain('8 lines by lot code and source')
  })

  test('FDA’s files of both directions have each line once, and their count is that of the package', async () => {
    const query = '?lotCode=SALAD-1&chain=both'
    const { body } = await call('GET', `/traceability/fda-lines${query}`)
    expect(body).toMatchObject({
      events: 4,
      others: [{ kind: 'transformationEvent', events: 2, lines: 5 }],
      chain: { lots: 4, food: 0, uncertainLines: 0, leftOutLines: 0, isWhole: true },
    })
    const { bytes } = await download(service, provider, `/traceability/fda-package${query}`)
    const { counts } = JSON.parse(textIn(unzipped(bytes)['manifest.json']))
    expect(counts).toMatchObject({ events: 4, lines: body.lines, transformationEvents: 2, transformationLines: 5 })
  })

  test('FDA’s files of a chain refuse filters that would leave records out', async () => {
    for (const [query, words] of [
      ['chain=forward', 'names none'],
      ['chain=forward&lotCode=A&lotCode=B', 'names 2'],
      ['chain=back&lotCode=A&eventStartDate=2026-01-01', 'eventStartDate'],
      ['chain=back&lotCode=A&readAlike=true', 'readAlike'],
      ['chain=both&lotCode=A&tlcSource=x&tlcSource=y', 'tlcSource'],
      ['least=sameSource&lotCode=A', 'least'],
      ['date=2026-03-02', 'date names food'],
      ['chain=back&recordId=x', 'chain=forward'],
      ['chain=forward&recordId=x&lotCode=A', 'lotCode'],
      ['chain=forward&recordId=x&date=2026-03-02', 'omit date'],
      ['chain=forward&recordId=x&itemCode=A&itemCode=B', 'itemCode'],
      ['chain=forward&recordId=x', 'no harvesting or cooling event'],
      ['chain=forward&date=2026-03-02', 'recordId, the id'],
      ['chain=sideways&lotCode=A', 'chain'],
    ])
      for (const path of ['fda-package', 'fda-spreadsheet', 'fda-lines']) {
        const reply = await call('GET', `/traceability/${path}?${query}`)
        expect(reply.status, reply.text).toBe(400)
        expect(reply.body.detail).toContain(words)
      }
  })

  test('of another provider nothing is followed', async () => {
    const { call: other } = await service.provider()
    expect((await other('GET', '/traceability/lots/ROM-1/chain')).status).toBe(404)
  })
})

test('a line that does not say its source is followed and marked, and left out of what is certain', async () => {
  const id = await transformed([['ROM-1', 5]], [['MIX-1', 5]])
  await receivedAt('PLANT', [['ROM-1', 10, farm]])
  const wide = await chain('ROM-1', `?tlcSource=${farm.tlcSourceReferenceGln}`)
  expect(wide.lots.map(({ lotCode, ground }: Payload) => [lotCode, ground])).toEqual([
    ['ROM-1', 'sameSource'],
    ['MIX-1', 'sourceUnknown'],
  ])
  expect(wide.notes).toMatchObject([{ kind: 'sourceUnknown', lots: ['L2'], events: [id] }])
  const certain = await chain('ROM-1', `?tlcSource=${farm.tlcSourceReferenceGln}&least=sameSource`)
  expect(codesOf(certain)).toEqual(['ROM-1'])
  expect(certain.notes).toMatchObject([{ kind: 'leftOut' }])
})

test('FDA’s package of what is certain says how many lines it left out', async () => {
  await transformed([['ROM-1', 5]], [['MIX-1', 5]])
  await receivedAt('PLANT', [['ROM-1', 10, farm]])
  const countsWith = async (least: string) => {
    const query = `?lotCode=ROM-1&tlcSource=${farm.tlcSourceReferenceGln}&chain=forward&least=${least}`
    const { bytes } = await download(service, provider, `/traceability/fda-package${query}`)
    const files = unzipped(bytes)
    return { ...JSON.parse(textIn(files['manifest.json'])), page: textIn(files['explanation.html']) }
  }
  const wide = await countsWith('sourceUnknown')
  expect(wide.chain.linesByGround).toMatchObject({ sameSource: 1, sourceUnknown: 2, reference: 0 })
  expect(wide.counts).toMatchObject({ events: 1, transformationEvents: 1 })
  expect(wide.page).toContain('1 event is in this chain by the lot code alone')
  const certain = await countsWith('sameSource')
  expect(certain.chain.leftOutLinesByGround.sourceUnknown).toBe(1)
  expect(certain.counts.transformationEvents).toBeUndefined()
  expect(certain.page).toContain('1 line by lot code alone may be of these lots too')
})

describe('lot codes that people wrote in other ways', () => {
  beforeEach(async () => {
    await receivedAt('PLANT', [['ROM-26/1', 100, farm]], 3)
    await receivedAt('STORE-1', [['0rom 26 1', 10, farm]], 3)
    await transformed([['rom261', 40, farm]], [['MIX-1', 40]])
    await transformed([['ROM-261; ROM-262', 50]], [['MIX-2', 50]])
    await transformed([['rom261', 5, ofPlant]], [['MIX-3', 5]])
  })
  const first = `?tlcSource=${farm.tlcSourceReferenceGln}`

  test('are followed only when that is asked for', async () => {
    expect(codesOf(await chain('ROM-26/1', first))).toEqual(['ROM-26/1'])
    const found = await chain('ROM-26/1', `${first}&least=readAlike`)
    expect(
      found.lots.map(({ id, lotCode, ground, readsLike }: Payload) => [id, lotCode, ground, readsLike]).sort(),
    ).toEqual([
      ['L1', 'ROM-26/1', 'sameSource', undefined],
      ['L2', expect.anything(), 'readAlike', 'L1'],
      ['L3', expect.anything(), 'readAlike', 'L1'],
      ['L4', 'MIX-1', 'readAlike', undefined],
    ])
    expect(codesOf(found).sort()).toEqual(['0rom 26 1', 'MIX-1', 'ROM-26/1', 'rom261'])
    expect(found.notes.map(({ kind }: Payload) => kind)).toEqual(['readAlike', 'leftOut', 'originUnknown'])
    expect(found.notes[0].message).toContain('"rom261" like "ROM-26/1"')
    const whole = await chain('ROM-26/1', `${first}&least=severalLots`)
    expect(codesOf(whole).slice(-2)).toEqual(['ROM-261; ROM-262', 'MIX-2'])
  })

  test('are found where no event has the lot code as it was asked for, and back too', async () => {
    expect((await call('GET', '/traceability/lots/rom-26-1/chain')).status).toBe(404)
    const found = await chain('rom-26-1', '?least=readAlike')
    expect(codesOf(found)).toContain('MIX-1')
    expect(codesOf(await chain('MIX-1', '?least=readAlike&direction=back')).sort()).toEqual([
      '0rom 26 1',
      'MIX-1',
      'ROM-26/1',
      'rom261',
    ])
  })

  test('are in FDA’s package with their ground in words, and what was left out is counted', async () => {
    const query = `?lotCode=ROM-26/1&tlcSource=${farm.tlcSourceReferenceGln}&chain=forward&least=readAlike`
    const { body } = await call('GET', `/traceability/fda-lines${query}`)
    expect(body.chain).toEqual({ lots: 4, food: 0, uncertainLines: 3, leftOutLines: 1, isWhole: true })
    const files = unzipped((await download(service, provider, `/traceability/fda-package${query}`)).bytes)
    expect(JSON.parse(textIn(files['manifest.json'])).chain).toMatchObject({
      linesByGround: { sameSource: 1, readAlike: 3, severalLots: 0 },
      leftOutLinesByGround: { severalLots: 1 },
    })
    const page = textIn(files['explanation.html'])
    for (const text of ['3 lines by lot code read alike', 'lot code read alike, like ROM-26/1'])
      expect(page).toContain(text)
    expect(page).not.toContain('Lot codes that only read alike are not followed.')
  })
})

test('a chain that takes too long ends where it is, and says so', async () => {
  const own = await service.provider()
  call = own.call
  await transformed([['A', 1, farm]], [['B', 1]])
  await transformed([['B', 1, ofPlant]], [['C', 1]], 5)
  const { server, url } = await startLimitedServer(service.database.pool, { chainMsMax: 0 })
  try {
    const reply = await calling(url, await own.key('reader'))('GET', '/traceability/lots/A/chain')
    expect(reply.status, reply.text).toBe(200)
    expect(codesOf(reply.body)).toEqual(['A', 'B'])
    expect(reply.body.notes[0]).toMatchObject({ kind: 'truncated', message: expect.stringContaining('takes longer') })
    const asked = '?lotCode=A&chain=forward'
    const files = unzipped((await download({ ...service, url }, own, `/traceability/fda-package${asked}`)).bytes)
    expect(JSON.parse(textIn(files['manifest.json']))).toMatchObject({ complete: false, chain: { isWhole: false } })
    expect(textIn(files['explanation.html'])).toContain('so it is not complete')
    const asCsv = await calling(url, await own.key('reader'))('GET', `/traceability/fda-spreadsheet${asked}&format=csv`)
    expect(asCsv.status).toBe(422)
    expect(asCsv.body.detail).toContain('no place to say so')
  } finally {
    await server.close()
  }
})

test('rework into the same lot ends nothing', async () => {
  await transformed([['A', 1, ofPlant]], [['B', 1]])
  await transformed([['B', 1, ofPlant]], [['A', 1]], 5)
  const found = await chain('A')
  expect(codesOf(found)).toEqual(['A', 'B'])
  expect(found.events).toHaveLength(2)
})

test('what cannot be is noted: made twice, used before it was made, from nowhere, more out than in', async () => {
  const [first, second] = [
    await transformed([['NOWHERE', 1, farm]], [['B', 10]], 6),
    await transformed([['NOWHERE', 1, farm]], [['B', 10]], 7),
  ]
  const early = await transformed([['B', 30, ofPlant]], [['C', 1]], 5)
  const { notes } = await chain('NOWHERE')
  expect(notes.map(({ kind, lots, events }: Payload) => [kind, lots, events])).toEqual([
    ['madeTwice', ['L2'], [first, second]],
    ['usedBeforeMade', ['L2'], [early, first]],
    ['originUnknown', ['L1'], []],
    ['moreOutThanIn', ['L2'], [early, first, second]],
  ])
  for (const { message, remedy } of notes) expect(message && remedy).not.toMatch(/undefined|NaN/)
})

test('lots are found in every form of GS1, and an item that contradicts is not followed', async () => {
  await transformed([['(01)10614141000415(10)ROM-1', 5, farm]], [['MIX-1', 5]])
  expect(codesOf(await chain('ROM-1'))).toEqual(['ROM-1', 'MIX-1'])
  expect((await call('GET', '/traceability/lots/ROM-1/chain?gtin=10614141000538')).status).toBe(404)
})

describe('food before it was packed', () => {
  const harvested = (changes: object = {}, line: object = {}): Promise<string> => {
    const body = samplePayload('harvestingEvent')
    Object.assign(body.eventList, { eventDateTime: '2026-03-02T07:10:00-08:00', ...changes })
    Object.assign(body.eventList.productList[0], line)
    if ('dataProviderVendorId' in changes) withoutGlns(body)
    return create(paths.harvestingEvent, body)
  }
  const withoutGlns = ({ locationMasterList }: Payload): void => {
    for (const location of locationMasterList) delete location.gln
  }
  /** Of another vendor, with a location code and a name of its own. */
  const harvestedAt = (gln: string, changes: object = {}, line: object = {}): Promise<string> => {
    const body = samplePayload('harvestingEvent')
    const farmland = body.locationMasterList.find(({ locationCode }: Payload) => locationCode === 'SHIP-FROM')
    const event = { eventDateTime: '2026-03-02T07:10:00-08:00', harvestLocationCode: 'RANCH-9', ...changes }
    Object.assign(farmland, { locationCode: event.harvestLocationCode, locationName: 'Ranch', gln })
    Object.assign(body.eventList, { ...event, dataProviderVendorId: 'FARM-CO' })
    Object.assign(body.eventList.productList[0], line)
    return create(paths.harvestingEvent, body)
  }
  const cooled = (changes: object = {}): Promise<string> => {
    const body = samplePayload('coolingEvent')
    Object.assign(body.eventList, { eventDateTime: '2026-03-03T09:00:00-06:00', ...changes })
    return create(paths.coolingEvent, body)
  }
  const packed = (lot = 'PK-1', line: object = {}, changes: object = {}): Promise<string> => {
    const body = samplePayload('initialPackingEvent')
    Object.assign(body.eventList, { referenceDocumentNumber: lot, ...changes })
    Object.assign(body.eventList.receivedList[0], line)
    body.eventList.productList[0].caseLotNumber = lot
    if ('dataProviderVendorId' in changes) withoutGlns(body)
    return create(paths.initialPackingEvent, body)
  }
  const eventsOf = ({ events }: Payload) => events.map(({ id, ground }: Payload) => [id, ground])

  test('is found back by the farm, the cooler and the dates that the packing names', async () => {
    const [harvest, cooling, packing] = [await harvested(), await cooled(), await packed()]
    const found = await chain('PK-1', '?direction=back')
    expect(codesOf(found)).toEqual(['PK-1'])
    expect(found.food).toEqual([
      {
        id: 'F1',
        record: 'harvestingEvent',
        place: { locationCode: 'SHIP-FROM', name: 'Harbor Greenhouse' },
        date: '2026-03-02',
        area: 'House 3',
        dataProviderVendorId: 'V-1',
        vendorItemCode: 'TOM-BULK',
        itemDescription: 'Vine tomatoes, field run',
        distance: 1,
        ground: 'sameSource',
        harvested: [{ quantity: 75, unit: 'bin' }],
        packed: [{ quantity: 75, unit: 'bin' }],
      },
      expect.objectContaining({ id: 'F2', record: 'coolingEvent', date: '2026-03-03' }),
    ])
    expect(found.events.map(({ id, record, used, made, ground }: Payload) => [id, record, used, made, ground])).toEqual(
      [
        [packing, 'initialPackingEvent', ['F1', 'F2'], ['L1'], 'sameSource'],
        [harvest, 'harvestingEvent', [], ['F1'], 'reference'],
        [cooling, 'coolingEvent', [], ['F2'], 'reference'],
      ],
    )
    expect(found.notes).toMatchObject([{ kind: 'reference', events: [harvest, cooling] }])
    expect(found.notes[0].message).toContain('2 events are in this chain by place, date, item and growing area')
  })

  test('of which no event was sent is named all the same', async () => {
    await packed()
    const found = await chain('PK-1', '?direction=back')
    expect(found.food.map(({ date, harvested }: Payload) => [date, harvested])).toEqual([
      ['2026-03-02', []],
      ['2026-03-03', []],
    ])
    expect(found.notes).toEqual([])
  })

  test('is left out and counted where only lot codes are asked for', async () => {
    const [, packing] = [await harvested(), await packed()]
    for (const least of ['sourceUnknown', 'sameSource']) {
      const found = await chain('PK-1', `?direction=back&least=${least}`)
      expect(eventsOf(found)).toEqual([[packing, 'sameSource']])
      expect(found.food[0].harvested).toEqual([])
      expect(found.notes).toMatchObject([{ kind: 'leftOut' }])
      expect(found.notes[0].message).toMatch(/^1 line of food without a lot code agrees/)
    }
  })

  test('of another day, field, item, farm or vendor is other food', async () => {
    await harvested({ eventDateTime: '2026-03-03T00:30:00-08:00' })
    await harvested({ referenceDocumentNumber: 'HL-2' }, { growingAreaName: 'House 4' })
    await harvested({ harvestLocationCode: 'SHIP-TO' })
    await harvested({ dataProviderVendorId: 'V-2' })
    const other = samplePayload('harvestingEvent')
    Object.assign(other.eventList, { eventDateTime: '2026-03-02T07:10:00-08:00', referenceDocumentNumber: 'HL-3' })
    Object.assign(other.productMasterDataList[0], { itemCode: 'CUC-1', productCommodity: 'Cucumber', gtin: undefined })
    other.eventList.productList[0].vendorItemCode = 'CUC-1'
    await create(paths.harvestingEvent, other)
    const packing = await packed()
    expect(eventsOf(await chain('PK-1', '?direction=back'))).toEqual([[packing, 'sameSource']])
  })

  test('is joined to the harvest that another vendor recorded, where both give the place one GLN', async () => {
    const harvest = await harvestedAt('0614141000012')
    await harvestedAt('0614141000029', { harvestLocationCode: 'RANCH-8', referenceDocumentNumber: 'HL-2' })
    await harvestedAt('0614141000012', { eventDateTime: '2026-03-01T07:10:00-08:00', referenceDocumentNumber: 'HL-3' })
    await harvestedAt('0614141000012', { referenceDocumentNumber: 'HL-4' }, { growingAreaName: 'House 4' })
    const packing = await packed()
    const back = await chain('PK-1', '?direction=back')
    expect(eventsOf(back)).toEqual([
      [packing, 'sameSource'],
      [harvest, 'reference'],
    ])
    expect(back.food[0]).toMatchObject({ dataProviderVendorId: 'V-1', harvested: [{ quantity: 75, unit: 'bin' }] })
    const { body } = await forward({ recordId: harvest })
    expect(codesOf(body)).toEqual(['PK-1'])
    expect(body.food[0]).toMatchObject({ place: { locationCode: 'RANCH-9' }, packed: [{ quantity: 75, unit: 'bin' }] })
    expect(eventsOf(await chain('PK-1', '?direction=back&least=sourceUnknown'))).toEqual([[packing, 'sameSource']])
  })

  test('counts as harvested where the harvest states no growing area', async () => {
    await harvested({}, { growingAreaName: undefined })
    await packed()
    const { food } = await chain('PK-1', '?direction=back')
    expect(food[0]).toMatchObject({ area: 'House 3', harvested: [{ quantity: 75, unit: 'bin' }] })
  })

  test('was harvested on the date at the farm, where its time zone is set', async () => {
    const administer = calling(service.url, await provider.key('administrator'))
    const timeZones = [{ locationCode: 'SHIP-FROM', timeZone: 'America/Los_Angeles' }]
    expect((await administer('PUT', '/location-time-zones', { body: { timeZones } })).status).toBe(200)
    const harvest = await harvested({ eventDateTime: '2026-03-03T05:00:00Z' })
    const packing = await packed()
    expect(eventsOf(await chain('PK-1', '?direction=back'))).toEqual([
      [packing, 'sameSource'],
      [harvest, 'reference'],
    ])
  })

  test('is found through what was made of the packed lot', async () => {
    const [harvest, packing] = [await harvested(), await packed()]
    const salad = await transformed([['PK-1', 5, { tlcSourceReferenceGln: '0614141999996' }]], [['SALAD-1', 5]])
    expect(eventsOf(await chain('SALAD-1', '?direction=back'))).toEqual([
      [salad, 'sameSource'],
      [packing, 'sameSource'],
      [harvest, 'reference'],
    ])
  })

  const forward = async (query: Record<string, string>) => {
    const reply = await call('GET', `/traceability/food/chain?${new URLSearchParams(query)}`)
    return reply
  }
  const ofFarm = { dataProviderVendorId: 'V-1', locationCode: 'SHIP-FROM', date: '2026-03-02' }

  test('is followed forward from its harvest and from its cooling, to all that was made of it', async () => {
    const [harvest, cooling, packing] = [await harvested(), await cooled(), await packed()]
    const salad = await transformed([['PK-1', 5, { tlcSourceReferenceGln: '0614141999996' }]], [['SALAD-1', 5]], 5)
    for (const recordId of [harvest, cooling]) {
      const { status, body: found } = await forward({ recordId })
      expect(status).toBe(200)
      expect(found).toMatchObject({ direction: 'forward', food: [{ id: 'F1', distance: 0, ground: 'sameSource' }] })
      expect(found.lotCode).toBeUndefined()
      expect(found.lots.map(({ lotCode, distance, ground }: Payload) => [lotCode, distance, ground])).toEqual([
        ['PK-1', 1, 'reference'],
        ['SALAD-1', 2, 'reference'],
      ])
      expect(found.events.map(({ id, used, made }: Payload) => [id, used, made])).toEqual([
        [packing, ['F1'], ['L1']],
        [salad, ['L1'], ['L2']],
      ])
      expect(found.notes).toMatchObject([{ kind: 'reference', lots: ['L1', 'L2'], events: [packing] }])
    }
  })

  test('is followed forward from farm and date, whether an event of them was sent or not', async () => {
    await packed()
    await packed('PK-2', { growingAreaName: 'House 4' })
    await packed('PK-3', { harvestDate: '2026-03-01' })
    await packed('PK-4', {}, { dataProviderVendorId: 'V-2' })
    const lotsWith = async (more: Record<string, string>) => codesOf((await forward({ ...ofFarm, ...more })).body)
    expect(await lotsWith({})).toEqual(['PK-1', 'PK-2'])
    expect(await lotsWith({ growingArea: 'House 4' })).toEqual(['PK-2'])
    expect(await lotsWith({ itemCode: 'TOM-BULK', growingArea: 'House 3' })).toEqual(['PK-1'])
    expect(await lotsWith({ dataProviderVendorId: 'V-2' })).toEqual(['PK-4'])
    expect(await lotsWith({ date: '2026-03-01' })).toEqual(['PK-3'])
    const cooler = { ...ofFarm, record: 'coolingEvent', locationCode: 'SHIP-TO', date: '2026-03-03' }
    expect(codesOf((await forward(cooler)).body)).toEqual(['PK-1', 'PK-2', 'PK-3'])
    expect((await forward({ ...ofFarm, itemCode: 'CUC-1' })).status).toBe(404)
    expect((await forward({ ...ofFarm, date: '2026-02-01' })).body.type).toBe('/docs/problems/unknownFood')
    const { body: certain } = await forward({ ...ofFarm, least: 'sourceUnknown' })
    expect(certain.lots).toEqual([])
    expect(certain.notes).toMatchObject([{ kind: 'leftOut', message: expect.stringMatching(/^2 lines of food/) }])
  })

  test('is in FDA’s files from its harvest on, with the records of all that was made of it', async () => {
    const harvest = await harvested()
    await harvested({ eventDateTime: '2026-02-01T07:10:00-08:00', referenceDocumentNumber: 'HL-9' })
    await cooled()
    await packed()
    await packed('PK-2', { harvestDate: '2026-02-01' })
    await transformed([['PK-1', 5, { tlcSourceReferenceGln: '0614141999996' }]], [['SALAD-1', 5]], 5)
    const query = `?chain=forward&recordId=${harvest}`
    const { body } = await call('GET', `/traceability/fda-lines${query}`)
    expect(body).toMatchObject({
      events: 0,
      others: [
        { kind: 'harvestingEvent', events: 1, lines: 1 },
        { kind: 'initialPackingEvent', events: 1 },
        { kind: 'transformationEvent', events: 1 },
      ],
      chain: { lots: 2, food: 1, leftOutLines: 0, isWhole: true },
    })
    const files = unzipped((await download(service, provider, `/traceability/fda-package${query}`)).bytes)
    expect(Object.keys(files)).toContain(`fda-spreadsheet-chain-forward-${harvest}.xlsx`)
    const manifest = JSON.parse(textIn(files['manifest.json']))
    expect(manifest).toMatchObject({
      filters: { recordId: harvest, chain: 'forward', least: 'reference' },
      chain: { forward: { lots: 2, food: 1, events: 2 } },
      counts: { harvestingEvents: 1, initialPackingEvents: 1, transformationEvents: 1 },
    })
    const page = textIn(files['explanation.html'])
    for (const text of ['Chain of the food', 'the food harvested on 2026-03-02 at Harbor Greenhouse', '<td>PK-1</td>'])
      expect(page).toContain(text)
    expect(page).not.toContain('PK-2')
    // The same food, named by place and date.
    const named = new URLSearchParams({ ...ofFarm, chain: 'forward', itemCode: 'TOM-BULK', growingArea: 'House 3' })
    const other = await call('GET', `/traceability/fda-lines?${named}`)
    expect(other.body).toEqual(body)
    const asCsv = await download(
      service,
      provider,
      `/traceability/fda-spreadsheet${query}&format=csv&sheet=initial-packing`,
    )
    expect(asCsv.status).toBe(200)
    expect(textIn(asCsv.bytes)).toContain('PK-1')
    const none = await call(
      'GET',
      `/traceability/fda-lines?${new URLSearchParams({ ...ofFarm, chain: 'forward', date: '2025-01-01' })}`,
    )
    expect(none.body).toMatchObject({ others: [], chain: { lots: 0, food: 0 } })
  })

  test('follows a packing event that is corrected, and no longer one that is voided', async () => {
    const packing = await packed()
    const stored = (await call('GET', `${paths.initialPackingEvent}/${packing}`)).body
    stored.eventList.receivedList[0].harvestDate = '2026-03-01'
    expect((await call('PUT', `${paths.initialPackingEvent}/${packing}`, { body: stored })).status).toBe(200)
    expect((await forward(ofFarm)).status).toBe(404)
    expect(codesOf((await forward({ ...ofFarm, date: '2026-03-01' })).body)).toEqual(['PK-1'])
    await call('POST', `${paths.initialPackingEvent}/${packing}/void`, { body: { reason: 'A test.' } })
    expect((await forward({ ...ofFarm, date: '2026-03-01' })).status).toBe(404)
  })

  test('is found only by whom it belongs to, and only where a request names it', async () => {
    const harvest = await harvested()
    const { call: other } = await service.provider()
    expect((await other('GET', `/traceability/food/chain?recordId=${harvest}`)).status).toBe(404)
    for (const query of ['', `recordId=${harvest}&date=2026-03-02`, 'date=2026-03-02', 'record=shippingEvent'])
      expect((await call('GET', `/traceability/food/chain?${query}`)).status).toBe(400)
    await call('POST', `${paths.harvestingEvent}/${harvest}/void`, { body: { reason: 'A test.' } })
    const voided = await forward({ recordId: harvest })
    expect(voided.body).toMatchObject({ status: 404, detail: expect.stringContaining('was voided') })
    expect((await forward({ recordId: 'nonsense' })).status).toBe(404)
  })
})
