// What is left of a lot at each place over HTTP: in one unit where units convert, in a period, with
// a tolerance, and a note where more went out than came in. Source: decision 0092.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { samplePayload } from '../../samples/payloads.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { type Call, calling, type Service, startService } from '../../support/servers/service.ts'

let service: Service
let call: Call
let administrator: Call

beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  const own = await service.provider()
  call = own.call
  administrator = calling(service.url, await own.key('administrator'))
})
afterAll(() => service?.close())

const plant = { locationCode: 'PLANT', locationName: 'Fresh Cut', gln: '0614141000036' }
const place = (locationCode: string) => ({ locationCode, locationName: `Place ${locationCode}`, gln: undefined })
const ofPlant = { tlcSourceReferenceGln: plant.gln }

type Lot = readonly [code: string, quantity: number, unit?: string, more?: object]

let minute = 0
const momentOn = (day: number): string =>
  `2026-03-${String(day).padStart(2, '0')}T10:${String(minute++ % 60).padStart(2, '0')}:00Z`

async function create(path: string, body: Payload): Promise<string> {
  const reply = await call('POST', path, { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}

const lineOf = (sample: Payload, [caseLotNumber, shipQuantity, shipQuantityUom = 'case', more]: Lot): Payload => ({
  vendorItemCode: sample.vendorItemCode,
  ...ofPlant,
  caseLotNumber,
  shipQuantity,
  shipQuantityUom,
  ...more,
})

const transformed = (used: readonly Lot[], made: readonly Lot[], day = 4, at: object = plant): Promise<string> => {
  const body = samplePayload('transformationEvent')
  const { eventList: event } = body
  const [sample] = event.productList
  Object.assign(body.locationMasterList[0], at)
  Object.assign(event, {
    eventDateTime: momentOn(day),
    transformationLocationCode: (at as Payload).locationCode,
    ingredientList: used.map((lot) => lineOf(sample, lot)),
    productList: made.map((lot) => lineOf(sample, lot)),
  })
  return create(paths.transformationEvent, body)
}
const made = (...lots: readonly Lot[]) =>
  transformed([['SEED', 1, 'lb', { tlcSourceReferenceGln: '0614141000012' }]], lots)

/** Goods on their way, as one end or the other says. */
function moved(kind: 'receivingEvent' | 'shippingEvent', from: object, to: object, lots: readonly Lot[], day = 5) {
  const body = kind === 'receivingEvent' ? eventPayload() : samplePayload('shippingEvent')
  const { eventList: event, locationMasterList } = body
  const at = (code: string) => locationMasterList.find((one: Payload) => one.locationCode === code)
  const [atFrom, atTo] = [at(event.shipFromLocationCode), at(event.shipToLocationCode)]
  Object.assign(atFrom, from)
  Object.assign(atTo, to)
  const [sample] = event.productList
  Object.assign(event, {
    shipFromLocationCode: (from as Payload).locationCode,
    shipToLocationCode: (to as Payload).locationCode,
    eventDateTime: momentOn(day),
    productList: lots.map((lot) => lineOf(sample, lot)),
  })
  return create(paths[kind], body)
}
const received = (from: object, to: object, lots: readonly Lot[], day?: number) =>
  moved('receivingEvent', from, to, lots, day)
const shipped = (from: object, to: object, lots: readonly Lot[], day?: number) =>
  moved('shippingEvent', from, to, lots, day)

async function chain(lotCode: string, query = ''): Promise<Payload> {
  const reply = await call('GET', `/traceability/lots/${encodeURIComponent(lotCode)}/chain${query}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
const declare = async (...conversions: object[]) => {
  const reply = await administrator('PUT', '/unit-conversions', { body: { conversions } })
  expect(reply.status, reply.text).toBe(200)
}
const text = (quantities: readonly Payload[]) =>
  quantities.map(({ quantity, unit }) => `${quantity} ${unit}`).join(', ')
const balancesOf = ({ balances }: Payload) =>
  balances.map((one: Payload) =>
    [
      one.place?.name ?? 'all',
      ...['opening', 'made', 'received', 'used', 'shipped', 'left'].map((part) => text(one[part])),
    ].join(' | '),
  )
const kindsOf = ({ notes }: Payload): string[] => notes.map(({ kind }: Payload) => kind)
const noteOf = ({ notes }: Payload, kind: string): Payload => notes.find((note: Payload) => note.kind === kind)

const [item] = samplePayload('transformationEvent').eventList.productList
const caseOf24 = { itemCode: item.vendorItemCode, units: [{ unit: 'case', quantity: 24, inUnit: 'each' }] }

test('each place has what came in, went out and is left, and a shipment counts once, whoever tells of it', async () => {
  await made(['B', 200])
  await shipped(plant, place('DC'), [['B', 120]])
  await received(plant, place('DC'), [['B', 120]])
  await received(plant, place('S-1'), [['B', 30]], 6)
  await shipped(plant, place('S-2'), [['B', 20]], 6)
  await transformed([['B', 10]], [['C', 5]], 6)
  await received(place('DC'), place('S-1'), [['B', 50]], 7)
  const found = await chain('B')
  expect(balancesOf(found).slice(0, 3)).toEqual([
    'Fresh Cut |  | 200 case |  | 10 case | 170 case | 20 case',
    'Place DC |  |  | 120 case |  | 50 case | 70 case',
    'Place S-1 |  |  | 80 case |  |  | 80 case',
  ])
  const [lot] = found.lots
  expect(['made', 'entered', 'received', 'used', 'shipped', 'left'].map((part) => text(lot[part]))).toEqual([
    '200 case',
    '',
    '200 case',
    '10 case',
    '140 case',
    '170 case',
  ])
  expect(kindsOf(found)).toEqual([])
})

describe('units', () => {
  beforeEach(async () => {
    await made(['B', 2, 'cases'], ['B', 4, 'each'])
    await received(plant, place('S-1'), [['B', 36, 'ea']])
  })

  test('that nobody declared how to convert stand side by side, with the item to declare', async () => {
    const found = await chain('B')
    expect(balancesOf(found)).toEqual([
      'Fresh Cut |  | 2 cases, 4 each |  |  | 36 each | 2 cases, -32 each',
      'Place S-1 |  |  | 36 ea |  |  | 36 ea',
    ])
    expect(noteOf(found, 'unitsDiffer')).toMatchObject({
      lots: ['L1'],
      message: expect.stringContaining('cases, each'),
      remedy: expect.stringContaining(item.vendorItemCode),
    })
  })

  test('that were declared are one, as soon as they are, and with the amounts as they were written', async () => {
    await declare(caseOf24)
    const found = await chain('B')
    expect(balancesOf(found)).toEqual([
      'Fresh Cut |  | 2.1666666666666665 cases |  |  | 1.5 cases | 0.6666666666666666 cases',
      'Place S-1 |  |  | 36 ea |  |  | 36 ea',
    ])
    expect(found.lots[0]).toMatchObject({
      received: [{ quantity: 1.5, unit: 'cases', written: [{ quantity: 36, unit: 'ea' }] }],
      left: [{ quantity: expect.closeTo(2 + 4 / 24, 12), unit: 'cases' }],
    })
    expect(kindsOf(found)).toEqual([])
    await declare({ itemCode: caseOf24.itemCode })
    expect(kindsOf(await chain('B'))).toContain('unitsDiffer')
  })

  test.each([
    ['all items', [{ units: caseOf24.units }]],
    [
      'the code at a vendor before the code alone',
      [
        { itemCode: caseOf24.itemCode, units: [{ unit: 'case', quantity: 7, inUnit: 'each' }] },
        { ...caseOf24, dataProviderVendorId: samplePayload('transformationEvent').eventList.dataProviderVendorId },
      ],
    ],
    [
      'over a third unit',
      [
        {
          units: [
            { unit: 'case', quantity: 12, inUnit: 'lb' },
            { unit: 'each', quantity: 0.5, inUnit: 'lb' },
          ],
        },
      ],
    ],
  ])('are declared for %s', async (_, conversions) => {
    await declare(...conversions)
    expect((await chain('B')).balances[0].left).toEqual([{ quantity: expect.closeTo(2 / 3, 12), unit: 'cases' }])
  })
})

test('what was made and used in no amount, and what was voided, counts as nothing', async () => {
  await made(['B', 0, 'lb'])
  const wrong = await transformed([['B', 9]], [['C', 9]], 6)
  expect(noteOf(await chain('B'), 'moreOutThanIn').message).toMatch(
    /^At Fresh Cut, 9 case of .* came in: made 0 lb, used 9 case/,
  )
  const reply = await call('POST', `${paths.transformationEvent}/${wrong}/void`, { body: { reason: 'Not made.' } })
  expect(reply.status, reply.text).toBe(200)
  const found = await chain('B')
  expect([kindsOf(found), balancesOf(found)]).toEqual([[], ['Fresh Cut |  | 0 lb |  |  |  | 0 lb']])
})

test('more out than in is a note with its numbers, unless it is within the tolerance', async () => {
  await made(['B', 100])
  const out = await received(plant, place('S-1'), [['B', 104]])
  const found = await chain('B')
  expect(noteOf(found, 'moreOutThanIn')).toMatchObject({
    message: expect.stringMatching(/104 case .* 100 case came in: made 100 case, shipped 104 case\.$/),
    lots: ['L1'],
    events: expect.arrayContaining([out]),
  })
  expect(found.balances[0]).toMatchObject({ isOver: true, left: [{ quantity: -4 }] })
  expect(kindsOf(await chain('B', '?tolerance=3'))).toEqual(['moreOutThanIn'])
  expect(kindsOf(await chain('B', '?tolerance=4'))).toEqual([])
})

test('used where no event brought it is held against what was made in all places', async () => {
  await made(['B', 10])
  await transformed([['B', 8]], [['C', 1]], 6, place('ELSEWHERE'))
  expect(kindsOf(await chain('B'))).toEqual([])
  await transformed([['B', 3]], [['D', 1]], 6, place('ELSEWHERE'))
  expect(noteOf(await chain('B'), 'moreOutThanIn').message).toMatch(
    /^In all places together, 11 case .* 10 case came in/,
  )
})

test('a lot from outside of the records enters where it left the first place, and nothing is held against that', async () => {
  await received(place('FARM'), place('DC'), [['B', 100]])
  await received(place('DC'), place('S-1'), [['B', 40]], 6)
  const found = await chain('B')
  expect(found.lots[0]).toMatchObject({ entered: [{ quantity: 100 }], left: [{ quantity: 100 }] })
  expect(kindsOf(found)).toEqual([])
  expect(found.balances.find((one: Payload) => one.place.name === 'Place FARM')).toMatchObject({
    shipped: [{ quantity: 100 }],
    left: [],
    isOver: false,
  })
})

test('lines that do not say their source are held against all lots with their code', async () => {
  const silent = { tlcSourceReferenceGln: undefined }
  await made(['B', 100])
  await transformed([['B', 60, 'case', silent]], [['C', 1]], 6)
  const found = await chain('B', '?least=sameSource')
  expect(balancesOf(found)).toEqual(['Fresh Cut |  | 100 case |  | 60 case |  | 40 case'])
  await transformed([['B', 50, 'case', silent]], [['C', 1]], 6)
  expect(kindsOf(await chain('B', '?least=sameSource'))).toEqual(['leftOut', 'moreOutThanIn'])
})

test('two sources of one code do not make up for each other', async () => {
  const other = { tlcSourceReferenceGln: '0614141000012' }
  await made(['B', 10])
  await received(place('FARM'), plant, [['B', 90, 'case', other]])
  await transformed([['B', 20]], [['C', 1]], 6)
  expect(noteOf(await chain('B'), 'moreOutThanIn').message).toMatch(/^At Fresh Cut, 20 case .* 10 case came in/)
})

test('a period has what was left before, and dates at the place', async () => {
  await made(['B', 100])
  await received(plant, place('S-1'), [['B', 30]], 5)
  await shipped(plant, place('S-1'), [['B', 40]], 6)
  const on = (start: number, end: number) =>
    chain('B', `?eventStartDate=2026-03-0${start}&eventEndDate=2026-03-0${end}`)
  expect(balancesOf(await on(1, 4))).toEqual(['Fresh Cut |  | 100 case |  |  |  | 100 case'])
  expect(balancesOf(await on(5, 5))).toEqual([
    'Fresh Cut | 100 case | 0 case |  |  | 30 case | 70 case',
    'Place S-1 |  |  | 30 case |  |  | 30 case',
  ])
  // What was shipped includes what arrived the day before.
  expect(balancesOf(await on(6, 6))[0]).toBe('Fresh Cut | 70 case | 0 case |  |  | 10 case | 60 case')
  expect((await chain('B', '?eventStartDate=2026-03-09&eventEndDate=2026-03-09')).lots).toHaveLength(1)
})

test.each([
  [{ itemCode: 'A', units: [{ unit: 'case', quantity: 0, inUnit: 'each' }] }, 'more than 0'],
  [{ itemCode: 'A', units: [{ unit: ' ', quantity: 1, inUnit: 'each' }] }, 'is blank'],
  [{ itemCode: ' ', units: [] }, 'itemCode is blank'],
  [{ dataProviderVendorId: 'V-1', units: [] }, 'Name both'],
  [{ itemCode: 'A', units: [{ unit: 'case', quantity: 2, inUnit: 'Cases' }] }, 'already'],
  [
    {
      itemCode: 'A',
      units: [
        { unit: 'case', quantity: 24, inUnit: 'each' },
        { unit: 'EA', quantity: 2, inUnit: 'CS' },
      ],
    },
    'already',
  ],
])('conversions that cannot be are refused, and nothing is set: %j', async (conversion, detail) => {
  const reply = await administrator('PUT', '/unit-conversions', { body: { conversions: [conversion] } })
  expect([reply.status, reply.body.detail]).toEqual([422, expect.stringContaining(detail)])
  expect((await call('GET', '/unit-conversions')).body.content).toEqual([])
})
