// Gaps of receipts from exempt places: what 21 CFR 1.1345(b) and 1.1305(j), (k), (l) want, and
// nothing else. Source: decision 0093.
import { describe, expect, test } from 'vitest'
import { type Exemption, type ExemptPlaces, exemptPlaceKey } from '../../src/contract/exempt-place.ts'
import { type EventKindName, eventKinds } from '../../src/contract/record-kinds.ts'
import { judge, judgeStored, readPayload, type Verdict } from '../../src/rules/judge.ts'
import { noFacts } from '../../src/rules/rule.ts'
import type { Json } from '../samples/declared-shapes.ts'
import { samplePayload } from '../samples/payloads.ts'
import { settings } from '../support/records/prove-rule.ts'

const placesOf = (...exemptions: Exemption[]): ExemptPlaces =>
  new Map([[exemptPlaceKey({ dataProviderVendorId: 'V-1', locationCode: 'SHIP-FROM' }), exemptions]])

/** A delivery that lacks every key data element. */
function bare(kind: EventKindName = 'receivingEvent'): Json {
  const payload = samplePayload(kind)
  const { eventList: event } = payload
  event.dataProviderVendorId = 'V-1'
  event.eventDateTime = '1970-01-01T00:00:00-05:00'
  event.purchaseOrderNumber = 'n/a'
  delete event.asnNumber
  delete event.billOfLadingNumber
  for (const location of payload.locationMasterList) {
    delete location.phoneNumber
    delete location.address
  }
  const [product] = payload.productMasterDataList
  Object.assign(product, { itemDescription: 'n/a' })
  for (const field of ['packSize', 'packStyle', 'productCommodity']) delete product[field]
  const [line] = event.productList
  Object.assign(line, { caseLotNumber: 'n/a', shipQuantityUom: 'n/a', tlcSourceReferenceGln: '0614141999989' })
  event.productList.push({ ...line, vendorItemCode: 'UNKNOWN-1' })
  return payload
}

function judged(payload: Json, exemptPlaces: ExemptPlaces, kind: EventKindName = 'receivingEvent'): Verdict {
  const reading = readPayload(eventKinds[kind], eventKinds[kind].payload, payload)
  return judgeStored(eventKinds[kind], reading, { ...noFacts, exemptPlaces }, settings)
}
const gapsOf = (verdict: Verdict): readonly string[] => [
  ...new Set(verdict.findings.filter(({ severity }) => severity === 'gap').map(({ rule }) => rule)),
]
const citesOf = ({ findings }: Verdict): readonly string[] =>
  [...new Set(findings.flatMap(({ severity, cites }) => (severity === 'gap' ? [cites] : [])))].sort()
const exempt: Exemption = { reason: 'smallProduceFarm' }
const retail = ['farmPurchase', 'adHocPurchase', 'farmToSchool'] as const

test('gaps cite the paragraphs of food from an exempt person, and of a retailer the one of its exemption', () => {
  expect(citesOf(judged(bare(), placesOf(exempt)))).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((element) => `21 CFR 1.1345(b)(${element})`),
  )
  const exemptions = { farmPurchase: 'j', adHocPurchase: 'k', farmToSchool: 'l' } as const
  for (const reason of retail)
    expect(citesOf(judged(bare(), placesOf({ reason })))).toEqual([`21 CFR 1.1305(${exemptions[reason]})(2)`])
  expect(citesOf(judged(bare(), new Map()))).not.toContainEqual(expect.stringContaining('(b)'))
})

describe('a receipt', () => {
  const all = gapsOf(judged(bare(), new Map()))

  test('from a place that is not exempt has every gap', () => {
    expect(all).toEqual(
      expect.arrayContaining([
        ...['receiving-event/ship-from-description', 'receiving-event/ship-to-description'],
        ...['receiving-event/date-received', 'receiving-event/reference-document'],
        ...['product-line/lot-code', 'product-line/quantity-unit', 'product-line/tlc-source-place'],
        ...['product-line/product-description', 'product/name', 'product/packaging-size', 'product/packaging-style'],
      ]),
    )
    expect(gapsOf(judged(bare(), placesOf({ ...exempt, startDate: '2026-01-01' })))).toEqual(all)
  })

  test('from an exempt person does not need the source of its lot code, and all else', () => {
    expect(gapsOf(judged(bare(), placesOf(exempt)))).toEqual(
      all.filter((rule) => rule !== 'product-line/tlc-source-place'),
    )
  })

  test.each(retail)('under %s needs name and address of its source, and no phone number', (reason) => {
    const verdict = judged(bare(), placesOf({ reason }))
    expect(gapsOf(verdict)).toEqual([
      ...(reason === 'adHocPurchase' ? ['product/name', 'receiving-event/date-received'] : []),
      'receiving-event/ship-from-description',
    ])
    expect(verdict.findings.map(({ message }) => message).join()).not.toContain('phone')
    const described = samplePayload('receivingEvent')
    described.eventList.dataProviderVendorId = 'V-1'
    delete described.locationMasterList[0].phoneNumber
    expect(gapsOf(judged(described, placesOf({ reason })))).toEqual([])
    expect(gapsOf(judged(described, placesOf(exempt)))).toEqual(['receiving-event/ship-from-description'])
  })

  test('counts as complete without what it does not need, and still as a line on the list', () => {
    const payload = samplePayload('receivingEvent')
    Object.assign(payload.eventList, { dataProviderVendorId: 'V-1' })
    payload.eventList.productList = [{ ...payload.eventList.productList[0], tlcSourceReferenceGln: '0614141999989' }]
    const talliesOf = (places: ExemptPlaces) => judged(payload, places).records()[0]?.tallies
    expect(talliesOf(new Map())).toMatchObject([{ lines: 1, complete: 0 }])
    expect(talliesOf(placesOf(exempt))).toMatchObject([{ lines: 1, complete: 1, gaps: {} }])
  })
})

test('a shipment to an exempt place, or from one, has all its gaps', () => {
  const shipped = bare('shippingEvent')
  expect(gapsOf(judged(shipped, placesOf({ reason: 'farmPurchase' }), 'shippingEvent'))).toEqual(
    gapsOf(judged(shipped, new Map(), 'shippingEvent')),
  )
})

describe('several receipts of one payload', () => {
  const places = placesOf({ reason: 'farmPurchase', shipToLocationCodes: ['STORE'] })

  /** Two events with one product, without its packaging size. */
  function both(): Json {
    const payload = samplePayload('receivingEvent')
    delete payload.productMasterDataList[0].packSize
    const [, warehouse] = payload.locationMasterList
    payload.locationMasterList.push({ ...warehouse, locationCode: 'STORE', gln: '0614141000036' })
    const event = { ...payload.eventList, dataProviderVendorId: 'V-1' }
    payload.eventList = [event, { ...event, shipToLocationCode: 'STORE' }]
    return payload
  }
  const kind = eventKinds.receivingEvent
  const judgedTogether = (payload: Json) =>
    judge(kind, readPayload(kind, kind.createPayload, payload), {
      facts: { ...noFacts, exemptPlaces: places },
      settings,
    })

  test('have the gap of a shared product where one of them needs it, each for itself', () => {
    const verdict = judgedTogether(both())
    expect(verdict.severities.gap).toBe(1)
    expect(verdict.records().map(({ kept }) => kept.map(([rule]) => rule))).toEqual([['product/packaging-size'], []])
  })

  test('have none where none of them needs it', () => {
    const payload = both()
    payload.eventList.splice(0, 1)
    expect(judgedTogether(payload).severities.gap).toBe(0)
  })
})
