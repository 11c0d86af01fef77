// Rules about events of the kinds that declare their key data elements, proved on transformations;
// and each element of each kind: its field, and what is found where it is missing.
import { describe, expect, it } from 'vitest'
import { type EventKindName, eventKindList } from '../../src/contract/record-kinds.ts'
import * as event from '../../src/rules/event.ts'
import * as line from '../../src/rules/event-line.ts'
import { identifierKey } from '../../src/rules/rule.ts'
import type { Json } from '../samples/declared-shapes.ts'
import { sampleSeeds } from '../samples/payloads.ts'
import { type Accepted, byVendor, judged, proveGroup, proveRule } from '../support/records/prove-rule.ts'

const kind = 'transformationEvent' as const
const set = (changes: object) => (payload: Json) => Object.assign(payload.eventList, changes)
const take = (field: string) => (payload: Json) => delete payload.eventList[field]

/** A create of two events; the second differs from the first by `changes`. */
const two = (changes: object) => (payload: Json) => {
  payload.eventList = [payload.eventList, { ...payload.eventList, ...changes }]
}

const right: Accepted = { kind, title: 'the sample' }
const reports = (title: string, edit: (payload: Json) => void, at: string, says = '') => ({
  kind,
  title,
  edit,
  at,
  says,
})

proveRule(event.locationListed, {
  accepts: [right],
  refuses: [
    reports(
      'a strange code',
      set({ transformationLocationCode: 'ELSEWHERE' }),
      '/eventList/transformationLocationCode',
      'transformationLocationCode "ELSEWHERE" is not in locationMasterList.',
    ),
  ],
})

proveRule(event.oneEventPerIdentity, {
  accepts: [
    right,
    { kind, title: 'another work order at the same moment', edit: two({ referenceDocumentNumber: 'WO-2' }) },
    { kind, title: 'another vendor', edit: two({ dataProviderVendorId: 'V-2' }) },
  ],
  refuses: [
    reports(
      'the same moment in another offset',
      two({ eventDateTime: '2026-03-04T10:30:00-05:00' }),
      '/eventList/1/eventDateTime',
      'The event at /eventList/0 has the same vendor, location, event date time and reference documents.',
    ),
  ],
})

proveRule(event.eventInPast, {
  accepts: [{ ...right, facts: { now: Date.parse('2026-03-05T00:00:00Z') } }],
  refuses: [
    {
      ...reports('tomorrow', set({ eventDateTime: '2026-03-06T00:00:00-06:00' }), '/eventList/eventDateTime'),
      facts: { now: Date.parse('2026-03-05T00:00:00Z') },
    },
  ],
})
proveRule(event.yearsPlausible, {
  accepts: [right],
  refuses: [
    reports('a year of two digits', set({ eventDateTime: '0026-03-03T16:10:00-06:00' }), '/eventList/eventDateTime'),
  ],
})
proveRule(event.eventIdUnique, {
  accepts: [{ kind, title: 'an id of its own', edit: set({ eventId: 'T-1' }) }],
  refuses: [
    {
      ...reports('the id of another record', set({ eventId: 'T-1' }), '/eventList/eventId', 'that of record R'),
      facts: { heldBy: new Map([[identifierKey('eventId', 'T-1', ''), 'R']]) },
    },
  ],
})
proveRule(event.lotsDiffer, {
  accepts: [right, { kind, title: 'an event without ingredients', edit: take('ingredientList') }],
  refuses: [
    reports(
      'a lot that is its own ingredient, however it is written',
      (payload) => {
        payload.eventList.productList[0].caseLotNumber = `(10)${payload.eventList.ingredientList[0].caseLotNumber}`
      },
      '/eventList/productList/0/caseLotNumber',
      'is also the lot used at /eventList/ingredientList/0.',
    ),
  ],
})
proveRule(event.textVisible, {
  accepts: [right],
  refuses: [reports('a direction that turns', set({ eventId: 'A\u202eB' }), '/eventList/eventId')],
})
proveRule(event.dateGiven, {
  accepts: [right],
  refuses: [reports('a placeholder', set({ eventDateTime: '1970-01-01T00:00:00Z' }), '/eventList/eventDateTime')].map(
    (one) => ({ ...one, facts: {} }),
  ),
})
proveRule(event.dateLocal, {
  accepts: [right, { kind, title: 'a time in UTC at a place with a time zone', edit: inUtc }],
  refuses: [{ ...reports('a time in UTC', inUtc, '/eventList/eventDateTime'), facts: { timeZones: new Map() } }],
})
function inUtc(payload: Json) {
  payload.eventList.eventDateTime = '2026-03-04T15:30:00Z'
}

proveRule(event.locationDescription, {
  accepts: [
    right,
    {
      kind,
      title: 'a place that master data complete',
      edit: (payload) => delete payload.locationMasterList[0].phoneNumber,
      facts: { masterLocations: byVendor(['V-1', 'SHIP-TO', { phoneNumber: '+1.901.555.0186' }]) },
    },
  ],
  refuses: [
    reports(
      'a place without a phone number',
      (payload) => delete payload.locationMasterList[0].phoneNumber,
      '/locationMasterList/0',
      'Location "SHIP-TO" (transformationLocationCode) has no phone',
    ),
  ],
})
proveRule(event.referenceDocument, {
  accepts: [
    right,
    {
      kind,
      title: 'the second pair alone',
      edit: (payload) => {
        const { referenceDocumentType: type, referenceDocumentNumber: number, ...rest } = payload.eventList
        payload.eventList = { ...rest, referenceDocumentType2: type, referenceDocumentNumber2: number }
      },
    },
  ],
  refuses: [
    reports('no number', take('referenceDocumentNumber'), '/eventList/referenceDocumentNumber'),
    reports(
      'a number without type',
      take('referenceDocumentType'),
      '/eventList/referenceDocumentType',
      '"WO-1" has no type',
    ),
    reports('a placeholder', set({ referenceDocumentNumber: 'n/a' }), '/eventList/referenceDocumentNumber'),
  ],
})

const landed = 'firstLandBasedReceivingEvent' as const
proveRule(event.elementStated, {
  accepts: [{ kind: landed, title: 'the sample' }],
  refuses: [
    {
      kind: landed,
      title: 'a trip without harvest locations',
      edit: set({ harvestAreaList: [' ', 'n/a'] }),
      at: '/eventList/harvestAreaList',
      says: 'The event lacks the harvest locations of the trip.',
    },
  ],
})
const harvested = 'harvestingEvent' as const
const seafood = (payload: Json) =>
  Object.assign(payload.productMasterDataList[0], { ftlCategory: 'crustaceans', acceptableSpeciesName: 'Shrimp' })
const ofPond = (payload: Json) => {
  delete payload.productMasterDataList[0].ftlCategory
  delete payload.productMasterDataList[0].isFtlItem
  inLine('productList', { growingAreaName: undefined, containerName: 'Pond 3' })(payload)
}
proveRule(line.lineElementStated, {
  accepts: [
    { kind: harvested, title: 'the sample' },
    {
      kind: harvested,
      title: 'shrimp of a pond',
      edit: (payload) => {
        seafood(payload)
        inLine('productList', { growingAreaName: undefined, containerName: 'Pond 3' })(payload)
      },
    },
    {
      kind: harvested,
      title: 'food of a pond whose category nobody states, as in FDA’s sheet',
      edit: ofPond,
    },
  ],
  refuses: [
    {
      kind: harvested,
      title: 'produce of an unknown field',
      edit: inLine('productList', { growingAreaName: undefined }),
      at: '/eventList/productList/0/growingAreaName',
    },
    {
      kind: harvested,
      title: 'produce of a pond, by the category of its master product',
      edit: ofPond,
      facts: { masterProducts: byVendor(['V-1', 'TOM-1', { id: 'R', ftlCategory: 'tomatoes' }]) },
      at: '/eventList/productList/0/growingAreaName',
    },
    {
      kind: harvested,
      title: 'shrimp that grew in a field',
      edit: seafood,
      at: '/eventList/productList/0/containerName',
    },
  ],
})
proveRule(line.commodityStated, {
  accepts: [
    { kind: harvested, title: 'the sample' },
    {
      kind: harvested,
      title: 'a commodity that the master product has',
      edit: (payload) => delete payload.productMasterDataList[0].productCommodity,
      facts: { masterProducts: byVendor(['V-1', 'TOM-1', { id: 'R', productCommodity: 'Tomato' }]) },
    },
  ],
  refuses: [
    {
      kind: harvested,
      title: 'a product without one',
      edit: (payload) => delete payload.productMasterDataList[0].productCommodity,
      at: '/eventList/productList/0/vendorItemCode',
    },
  ],
})

const packed = 'initialPackingEvent' as const
proveRule(line.lineLocationListed, {
  accepts: [{ kind: packed, title: 'the sample' }],
  refuses: [
    {
      kind: packed,
      title: 'a farm that is in no list',
      edit: inLine('receivedList', { harvestLocationCode: 'ELSEWHERE' }),
      at: '/eventList/receivedList/0/harvestLocationCode',
      says: 'harvestLocationCode "ELSEWHERE" is not in locationMasterList.',
    },
    {
      kind: packed,
      title: 'a seed supplier that is in no list',
      edit: seeded({ seedSupplierLocationCode: 'ship-to' }),
      at: '/eventList/seedList/0/seedSupplierLocationCode',
      says: '"SHIP-TO" differs only in upper and lower case.',
    },
  ],
})
proveRule(line.lineDates, {
  accepts: [
    { kind: packed, title: 'the sample' },
    {
      kind: packed,
      title: 'food that was cooled after it was received',
      edit: inLine('receivedList', { receivedDate: '2026-03-02', coolingDate: '2026-03-04' }),
    },
    {
      kind: packed,
      title: 'dates of calendars of programs, which are gaps',
      edit: inLine('receivedList', { harvestDate: '1970-01-01' }),
      alsoReports: ['event/line-element-stated'],
    },
  ],
  refuses: [
    {
      kind: packed,
      title: 'a harvest after the packing',
      edit: inLine('receivedList', { harvestDate: '2026-03-05' }),
      at: '/eventList/receivedList/0/harvestDate',
      says: 'harvestDate is 2026-03-05, after the event on 2026-03-04.',
    },
    {
      kind: packed,
      title: 'a harvest after the cooling and the receipt, once',
      edit: inLine('receivedList', { harvestDate: '2026-03-04' }),
      at: '/eventList/receivedList/0/harvestDate',
      says: 'harvestDate is 2026-03-04, after coolingDate, 2026-03-03.',
    },
    {
      kind: packed,
      title: 'a year of two digits',
      edit: inLine('receivedList', { receivedDate: '0026-03-03' }),
      at: '/eventList/receivedList/0/receivedDate',
      says: 'probably meant as 2026',
    },
    {
      kind: packed,
      title: 'a date in the future of an event without a date',
      edit: (payload) => {
        payload.eventList.eventDateTime = '1970-01-01T00:00:00Z'
        inLine('receivedList', { receivedDate: '2026-12-03' })(payload)
      },
      facts: { now: Date.parse('2026-12-01T00:00:00Z') },
      at: '/eventList/receivedList/0/receivedDate',
      alsoReports: ['event/date-given'],
      says: 'lies in the future',
    },
    {
      kind: packed,
      title: 'seeds that were received before they were packed, with a date between them left out',
      edit: seeded({ seedReceivedDate: '2025-11-01', seedRepackingDate: undefined }),
      at: '/eventList/seedList/0/seedPackingDate',
      says: 'seedPackingDate is 2025-11-06, after seedReceivedDate, 2025-11-01.',
    },
  ],
})
const ofTrip = (fields: object) => (payload: Json) => Object.assign(payload.eventList, fields)
proveRule(line.eventDates, {
  accepts: [
    { kind: landed, title: 'the sample' },
    {
      kind: landed,
      title: 'a trip of one day, on the day of the landing',
      edit: ofTrip({ harvestStartDate: '2026-03-04', harvestEndDate: '2026-03-04' }),
    },
    {
      kind: landed,
      title: 'a trip whose end is not given, which is a gap',
      edit: (payload) => delete payload.eventList.harvestEndDate,
      alsoReports: ['event/element-stated'],
    },
    { kind: 'transformationEvent', title: 'an event without further dates' },
  ],
  refuses: [
    {
      kind: landed,
      title: 'a trip that ends before it starts',
      edit: ofTrip({ harvestStartDate: '2026-03-03', harvestEndDate: '2026-03-01' }),
      at: '/eventList/harvestStartDate',
      says: 'harvestStartDate is 2026-03-03, after harvestEndDate, 2026-03-01.',
    },
    {
      kind: landed,
      title: 'a harvest after the landing, and compares it with no other date',
      edit: ofTrip({ harvestStartDate: '2026-03-09' }),
      at: '/eventList/harvestStartDate',
      says: 'harvestStartDate is 2026-03-09, after the event on 2026-03-04.',
    },
    {
      kind: landed,
      title: 'a year of two digits',
      edit: ofTrip({ harvestStartDate: '0026-02-27' }),
      at: '/eventList/harvestStartDate',
      says: 'probably meant as 2026',
    },
  ],
})
proveRule(line.oneOrigin, {
  accepts: [
    { kind: packed, title: 'food of a farm' },
    { kind: packed, title: 'food from an exempt person', edit: exempt() },
  ],
  refuses: [
    {
      kind: packed,
      title: 'an exempt person and data of the harvest',
      edit: exempt({ harvestDate: '2026-03-02', growingAreaName: 'House 3' }),
      at: '/eventList/receivedList/0/exemptSourceLocationCode',
      says: 'and also growingAreaName, harvestDate.',
    },
  ],
})
proveRule(event.seedsStated, {
  accepts: [
    { kind: packed, title: 'food that is no sprouts' },
    { kind: packed, title: 'sprouts with their seeds', edit: seeded() },
    {
      kind: packed,
      title: 'sprouts that were harvested without their roots',
      edit: (payload) => {
        sprouts(payload)
        payload.eventList.isHarvestedWithoutRoots = true
      },
    },
    {
      kind: packed,
      title: 'sprouts that are not on the list',
      edit: (payload) => {
        sprouts(payload)
        payload.productMasterDataList[1].isFtlItem = false
        delete payload.productMasterDataList[1].ftlCategory
      },
    },
  ],
  refuses: [
    {
      kind: packed,
      title: 'sprouts without seeds',
      edit: sprouts,
      at: '/eventList/seedList',
      says: 'The event makes sprouts (1 line) and names no seeds.',
    },
    {
      kind: packed,
      title: 'sprouts whose category the master product has',
      edit: (payload) => {
        delete payload.productMasterDataList[1].ftlCategory
        delete payload.productMasterDataList[1].isFtlItem
      },
      facts: { masterProducts: byVendor(['V-1', 'TOM-1', { id: 'R', isFtlItem: true, ftlCategory: 'Sprouts ' }]) },
      at: '/eventList/seedList',
    },
  ],
})

proveGroup('event')

describe('an initial packing event', () => {
  it('from an exempt person needs that place described, and nothing of the harvest', () => {
    expect(judged({ kind: packed, edit: exempt() }).findings).toEqual([])
    const { findings } = judged({
      kind: packed,
      edit: (payload) => {
        exempt()(payload)
        bare(1)(payload)
      },
    })
    expect(findings.map(({ rule, cites, pointer }) => [rule, cites, pointer])).toEqual([
      ['event/location-description', '21 CFR 1.1330(c)(4)', '/locationMasterList/1'],
    ])
  })

  it('names a farm that thousands of lines have once, where its description is incomplete', () => {
    const { findingCount } = judged({
      kind: packed,
      edit: (payload) => {
        const [one] = payload.eventList.receivedList
        payload.eventList.receivedList = Array.from({ length: 5_000 }, () => one)
        bare(1)(payload)
      },
    })
    expect(findingCount).toBe(1)
  })

  it('needs no packaging of food that is packed under another item, and that of the same item once', () => {
    const { findings } = judged({
      kind: packed,
      edit: (payload) => {
        const [loose, whole] = payload.productMasterDataList
        payload.productMasterDataList = [loose, { ...whole, packStyle: undefined }]
        delete payload.productMasterDataList[1].packStyle
      },
    })
    expect(findings.map(({ rule, pointer, cites }) => [rule, pointer, cites])).toEqual([
      ['product/packaging-style', '/productMasterDataList/1/packStyle', '21 CFR 1.1330(a)(12), 1.1330(c)(6)'],
    ])
  })

  it('of food that is not on the Food Traceability List has no gaps of its lines and their places', () => {
    const { findings } = judged({
      kind: packed,
      edit: (payload) => {
        for (const product of payload.productMasterDataList) {
          product.isFtlItem = false
          delete product.ftlCategory
        }
        inLine('receivedList', { harvesterName: undefined, harvestDate: undefined })(payload)
        bare(1)(payload)
      },
    })
    expect(findings).toEqual([])
  })

  it('warns of a quantity of zero', () => {
    const { findings } = judged({ kind: packed, edit: inLine('receivedList', { shipQuantity: 0 }) })
    expect(findings.map(({ rule }) => rule)).toEqual(['product-line/quantity-positive'])
  })
})

type ElementCase = readonly [
  kind: EventKindName,
  paragraph: string,
  field: string,
  edit: (payload: Json) => void,
  rule: string,
]

/** Of initial packing. */
function packingCases(): readonly ElementCase[] {
  const of = (paragraph: string, field: string, edit: (payload: Json) => void, rule: string): ElementCase => [
    packed,
    paragraph,
    field,
    edit,
    rule,
  ]
  const either = (a: number, c: number) => `(a)(${a}), 1.1330(c)(${c})`
  const inReceived = (paragraph: string, field: string) =>
    of(paragraph, `/eventList/receivedList/0/${field}`, lack('receivedList', field), 'event/line-element-stated')
  const inSeeds = (paragraph: string, field: string, more: object = {}) =>
    of(
      paragraph,
      `/eventList/seedList/0/${field}`,
      seeded({ ...more, [field]: undefined }),
      'event/line-element-stated',
    )
  const ofLot = '/eventList/productList/0'
  return [
    of(either(1, 1), '/eventList/receivedList', take('receivedList'), 'event/element-stated'),
    of(
      either(1, 1),
      '/eventList/receivedList/0/vendorItemCode',
      (payload) => delete payload.productMasterDataList[0].productCommodity,
      'event/commodity-stated',
    ),
    inReceived(either(2, 2), 'receivedDate'),
    of(
      either(3, 3),
      '/eventList/receivedList/0/shipQuantityUom',
      inLine('receivedList', { shipQuantityUom: 'n/a' }),
      'product-line/quantity-unit',
    ),
    inReceived('(a)(4)', 'harvestLocationCode'),
    of('(a)(4)', '/locationMasterList/1', bare(1), 'event/location-description'),
    inReceived('(a)(5)', 'growingAreaName'),
    of('(a)(6)', '/eventList/receivedList/0/containerName', seafood, 'event/line-element-stated'),
    inReceived('(a)(7)', 'harvesterName'),
    inReceived('(a)(7)', 'harvesterPhoneNumber'),
    inReceived('(a)(8)', 'harvestDate'),
    inReceived('(a)(9)', 'coolingLocationCode'),
    inReceived('(a)(10)', 'coolingDate'),
    of('(c)(4)', '/locationMasterList/1', both(exempt(), bare(1)), 'event/location-description'),
    of(either(11, 5), `${ofLot}/caseLotNumber`, lack('productList', 'caseLotNumber'), 'product-line/lot-code'),
    of(either(12, 6), `${ofLot}/vendorItemCode`, undescribed('productList'), 'product-line/product-description'),
    of(
      either(13, 7),
      `${ofLot}/shipQuantityUom`,
      inLine('productList', { shipQuantityUom: 'n/a' }),
      'product-line/quantity-unit',
    ),
    of(either(14, 8), '/locationMasterList/0', bare(0), 'event/location-description'),
    of(either(15, 9), '/eventList/eventDateTime', set({ eventDateTime: '1970-01-01T00:00:00Z' }), 'event/date-given'),
    of(
      '(a)(16), 1.1330(b)(7), 1.1330(c)(10)',
      '/eventList/referenceDocumentNumber',
      take('referenceDocumentNumber'),
      'event/reference-document',
    ),
    of('(b)', '/eventList/seedList', sprouts, 'event/seeds-stated'),
    of(
      '(b)(1)',
      '/locationMasterList/1',
      both(seeded({ seedGrowerLocationCode: 'SHIP-FROM' }), bare(1)),
      'event/location-description',
    ),
    inSeeds('(b)(2)', 'seedConditionerLocationCode'),
    inSeeds('(b)(2)', 'seedConditionerLotCode'),
    inSeeds('(b)(2)', 'seedConditioningDate'),
    inSeeds('(b)(3)', 'seedPackerLocationCode'),
    inSeeds('(b)(3)', 'seedPackingDate'),
    inSeeds('(b)(3)', 'seedRepackerLocationCode', { seedRepackerLotCode: 'SR-12' }),
    inSeeds('(b)(3)', 'seedRepackingDate', { seedRepackerLocationCode: 'SHIP-TO' }),
    inSeeds('(b)(4)', 'seedSupplierLocationCode'),
    inSeeds('(b)(5)', 'seedType'),
    inSeeds('(b)(5)', 'seedGrowingSpecifications'),
    inSeeds('(b)(5)', 'seedPackaging'),
    inSeeds('(b)(6)', 'seedReceivedDate'),
  ]
}

describe('each key data element', () => {
  /** Takes it out of the sample: what is then found, where, and under which paragraph. */
  const elements: readonly ElementCase[] = [
    [
      'transformationEvent',
      '(a)(1)(i)',
      '/eventList/ingredientList/0/caseLotNumber',
      lack('ingredientList', 'caseLotNumber'),
      'product-line/lot-code',
    ],
    [
      'transformationEvent',
      '(a)(1)(ii)',
      '/eventList/ingredientList/0/vendorItemCode',
      undescribed('ingredientList'),
      'product-line/product-description',
    ],
    [
      'transformationEvent',
      '(a)(1)(iii)',
      '/eventList/ingredientList/0/shipQuantityUom',
      inLine('ingredientList', { shipQuantityUom: 'n/a' }),
      'product-line/quantity-unit',
    ],
    [
      'transformationEvent',
      '(a)(2)(i)',
      '/eventList/productList/0/caseLotNumber',
      lack('productList', 'caseLotNumber'),
      'product-line/lot-code',
    ],
    [
      'transformationEvent',
      '(a)(2)(ii)',
      '/locationMasterList/0',
      (payload) => delete payload.locationMasterList[0].phoneNumber,
      'event/location-description',
    ],
    [
      'transformationEvent',
      '(a)(2)(iii)',
      '/eventList/eventDateTime',
      set({ eventDateTime: '1970-01-01T00:00:00Z' }),
      'event/date-given',
    ],
    [
      'transformationEvent',
      '(a)(2)(iv)',
      '/eventList/productList/0/vendorItemCode',
      undescribed('productList'),
      'product-line/product-description',
    ],
    [
      'transformationEvent',
      '(a)(2)(v)',
      '/eventList/productList/0/shipQuantityUom',
      inLine('productList', { shipQuantityUom: 'n/a' }),
      'product-line/quantity-unit',
    ],
    [
      'transformationEvent',
      '(a)(2)(vi)',
      '/eventList/referenceDocumentNumber',
      take('referenceDocumentNumber'),
      'event/reference-document',
    ],
    ...['harvestingEvent' as const, 'coolingEvent' as const].flatMap((name) => {
      const para = name === 'harvestingEvent' ? '(a)(1)' : '(b)(1)'
      const numbers = name === 'harvestingEvent' ? ['iv', 'vii', 'viii'] : ['vi', 'v', 'vii']
      return [
        [name, `${para}(i)`, '/locationMasterList/1', bare(1), 'event/location-description'],
        [
          name,
          `${para}(ii)`,
          '/eventList/productList/0/vendorItemCode',
          (payload: Json) => delete payload.productMasterDataList[0].productCommodity,
          'event/commodity-stated',
        ],
        [
          name,
          `${para}(iii)`,
          '/eventList/productList/0/shipQuantityUom',
          inLine('productList', { shipQuantityUom: 'n/a' }),
          'product-line/quantity-unit',
        ],
        [name, `${para}(${numbers[0]})`, '/locationMasterList/0', bare(0), 'event/location-description'],
        [
          name,
          `${para}(${numbers[1]})`,
          '/eventList/eventDateTime',
          set({ eventDateTime: '1970-01-01T00:00:00Z' }),
          'event/date-given',
        ],
        [
          name,
          `${para}(${numbers[2]})`,
          '/eventList/referenceDocumentNumber',
          take('referenceDocumentNumber'),
          'event/reference-document',
        ],
      ] as const
    }),
    [
      'harvestingEvent',
      '(a)(1)(v)',
      '/eventList/productList/0/growingAreaName',
      lack('productList', 'growingAreaName'),
      'event/line-element-stated',
    ],
    ['harvestingEvent', '(a)(1)(vi)', '/eventList/productList/0/containerName', seafood, 'event/line-element-stated'],
    ['coolingEvent', '(b)(1)(iv)', '/locationMasterList/1', coolerElsewhere, 'event/location-description'],
    ...packingCases(),
    [
      landed,
      '(a)',
      '/eventList/productList/0/caseLotNumber',
      lack('productList', 'caseLotNumber'),
      'product-line/lot-code',
    ],
    [
      landed,
      '(b)',
      '/eventList/productList/0/vendorItemCode',
      undescribed('productList'),
      'product-line/product-description',
    ],
    [
      landed,
      '(c)',
      '/eventList/productList/0/shipQuantityUom',
      inLine('productList', { shipQuantityUom: 'n/a' }),
      'product-line/quantity-unit',
    ],
    [landed, '(d)', '/eventList/harvestStartDate', take('harvestStartDate'), 'event/element-stated'],
    [landed, '(d)', '/eventList/harvestEndDate', take('harvestEndDate'), 'event/element-stated'],
    [landed, '(d)', '/eventList/harvestAreaList', take('harvestAreaList'), 'event/element-stated'],
    [landed, '(e)', '/locationMasterList/0', bare(0), 'event/location-description'],
    [landed, '(f)', '/eventList/eventDateTime', set({ eventDateTime: '1970-01-01T00:00:00Z' }), 'event/date-given'],
    [landed, '(g)', '/eventList/referenceDocumentNumber', take('referenceDocumentNumber'), 'event/reference-document'],
  ]
  const sections: Partial<Record<EventKindName, string>> = {
    transformationEvent: '21 CFR 1.1350',
    harvestingEvent: '21 CFR 1.1325',
    coolingEvent: '21 CFR 1.1325',
    initialPackingEvent: '21 CFR 1.1330',
    firstLandBasedReceivingEvent: '21 CFR 1.1335',
  }

  it.each(elements)('of a %s, %s: %s', (name, paragraph, pointer, edit, rule) => {
    const { findings, refused } = judged({ kind: name, edit })
    const cites = `${sections[name]}${paragraph}`
    expect(findings.filter((one) => one.pointer === pointer && one.severity === 'gap' && one.cites === cites)).toEqual([
      expect.objectContaining({ rule }),
    ])
    expect(refused).toBe(false)
  })

  it('that a kind declares is in this table, and no other', () => {
    const declared = eventKindList.flatMap(({ name, elements: of = [] }) => of.map(({ cites }) => `${name} ${cites}`))
    expect([...new Set(declared)].sort()).toEqual(
      [...new Set(elements.map(([name, paragraph]) => `${name} ${sections[name]}${paragraph}`))].sort(),
    )
  })

  it('of an ingredient that is not on the Food Traceability List is no gap', () => {
    const { findings } = judged({
      kind,
      edit: (payload) => {
        payload.productMasterDataList.push({ itemCode: 'OIL', itemDescription: 'Oil', isFtlItem: false })
        payload.eventList.ingredientList.push({ vendorItemCode: 'OIL', shipQuantity: 2, shipQuantityUom: 'l' })
      },
    })
    expect(findings).toEqual([])
  })

  it('of the source of a lot that is made is the place, unless the line names another without describing it', () => {
    const named = (changes: Record<string, unknown>) => judged({ kind, edit: inLine('productList', changes) }).findings
    expect(named({})).toEqual([])
    expect(named({ tlcSourceReferenceGln: '4006381333931' })).toEqual([
      expect.objectContaining({ rule: 'product-line/tlc-source-place', cites: '21 CFR 1.1350(a)(2)(ii)' }),
    ])
  })
})

function inLine(list: string, changes: Record<string, unknown>) {
  return (payload: Json) => {
    for (const [field, value] of Object.entries(changes))
      if (value === undefined) delete payload.eventList[list][0][field]
      else payload.eventList[list][0][field] = value
  }
}
function lack(list: string, field: string) {
  return inLine(list, { [field]: undefined })
}
function undescribed(list: string) {
  return inLine(list, { vendorItemCode: 'NEW-1', caseGtin: undefined })
}
function bare(index: number) {
  return (payload: Json) => delete payload.locationMasterList[index].phoneNumber
}
/** A cooler of its own, so that only its description is incomplete. */
function coolerElsewhere(payload: Json) {
  payload.locationMasterList[1] = { ...payload.locationMasterList[1], locationCode: 'COOLER', phoneNumber: undefined }
  delete payload.locationMasterList[1].phoneNumber
  payload.eventList.coolingLocationCode = 'COOLER'
  payload.eventList.shipToLocationCode = 'SHIP-FROM'
}

/** Both changes, one after the other. */
function both(...edits: readonly ((payload: Json) => void)[]) {
  return (payload: Json) => {
    for (const edit of edits) edit(payload)
  }
}
/** The packed tomatoes of the sample become sprouts. */
function sprouts(payload: Json) {
  payload.productMasterDataList[1].ftlCategory = 'sprouts'
}
/** Sprouts with all that is needed of their seeds, after `changes`. */
function seeded(changes: Readonly<Record<string, unknown>> = {}) {
  return (payload: Json) => {
    sprouts(payload)
    payload.eventList.seedList = [sampleSeeds()]
    inLine('seedList', changes)(payload)
  }
}
/** The food comes from an exempt person. */
function exempt(changes: object = {}) {
  return (payload: Json) => {
    const [{ vendorItemCode, shipQuantity, shipQuantityUom, receivedDate }] = payload.eventList.receivedList
    const line = { vendorItemCode, shipQuantity, shipQuantityUom, receivedDate }
    payload.eventList.receivedList = [{ ...line, exemptSourceLocationCode: 'SHIP-FROM', ...changes }]
  }
}
