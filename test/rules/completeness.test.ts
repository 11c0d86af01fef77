// Tallies: every line that wants key data elements is counted once, and is complete exactly when no
// gap concerns it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expandFindings, type KeptFinding, type StoredFinding } from '../../src/contract/shape/finding.ts'
import { tallyLines } from '../../src/rules/completeness.ts'
import type { Json } from '../samples/declared-shapes.ts'
import { sampleLine } from '../samples/payloads.ts'
import { byVendor, judged } from '../support/records/prove-rule.ts'

const lotGap = 'product-line/lot-code'
const sizeGap = 'product/packaging-size'
const placeGap = 'receiving-event/ship-from-description'
const items = ['A', 'B', 'C', 'D']

describe('tallies', () => {
  const entries = (max: number) => fc.uniqueArray(fc.nat(max), { minLength: 1, maxLength: 3 })
  const gap = fc.oneof(
    fc.nat(11).map((n): KeptFinding => [lotGap, 'missing', `/eventList/productList/${n}/caseLotNumber`]),
    entries(11).map((some): KeptFinding => [lotGap, 'missing', '/eventList/productList/*/caseLotNumber', [[some]]]),
    fc.nat(4).map((n): KeptFinding => [sizeGap, 'missing', `/productMasterDataList/${n}/packSize`, 'x']),
    entries(4).map((some): KeptFinding => [sizeGap, 'missing', '/productMasterDataList/*/packSize', [[some, 'x']]]),
    fc
      .constantFrom('/locationMasterList/1', '/eventList/billOfLadingNumber')
      .map((pointer): KeptFinding => [placeGap, 'missing', pointer]),
  )

  it('count each line that is wanted once, and as complete exactly when no gap is at it, its product or the event', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...items), { maxLength: 12 }),
        fc.array(fc.constantFrom(...items), { maxLength: 5 }),
        fc.array(gap, { maxLength: 6 }),
        fc.constantFrom(...items),
        (codes, list, gaps, offList) => {
          const lines = codes.map((vendorItemCode) => ({ vendorItemCode }))
          const products = list.map((itemCode) => ({ itemCode }))
          const tallies = tallyLines(
            new Map([['productList', lines]]),
            products,
            gaps,
            ({ vendorItemCode }) => vendorItemCode !== offList,
          )
          // The same, told line by line and gap by gap.
          const found = expandFindings(gaps)
          const concerns =
            (n: number) =>
            ([, , pointer]: StoredFinding) => {
              const at = Number(/\d+/.exec(pointer)?.[0])
              if (pointer.startsWith('/eventList/productList/')) return at === n
              if (pointer.startsWith('/productMasterDataList/')) return list[at] === codes[n]
              return true
            }
          const wanted = [...codes.keys()].filter((n) => codes[n] !== offList)
          for (const item of new Set(codes)) {
            const own = wanted.filter((n) => codes[n] === item)
            const tally = tallies.find((one) => one.item === item)
            if (own.length === 0) {
              expect(tally).toBeUndefined()
              continue
            }
            const lacking = (rule: string) =>
              own.filter((n) => found.some((one) => one[0] === rule && concerns(n)(one))).length
            expect(tally).toEqual({
              item,
              lines: own.length,
              complete: own.filter((n) => !found.some(concerns(n))).length,
              gaps: Object.fromEntries(
                [lotGap, sizeGap, placeGap].map((rule) => [rule, lacking(rule)]).filter(([, count]) => count !== 0),
              ),
            })
          }
          expect(tallies).toHaveLength(new Set(wanted.map((n) => codes[n])).size)
        },
      ),
    )
  })
})

describe('the tallies of a verdict', () => {
  const withoutLot = (changes: object = {}) => {
    const { caseLotNumber: _, ...line } = sampleLine(changes)
    return line
  }
  const before2026 = (payload: Json, lines: readonly object[]) =>
    Object.assign(payload.eventList, { eventDateTime: '2025-03-04T09:30:00Z', productList: lines })

  it('follow what was found: at lines, at products and at the event', () => {
    const { records } = judged({
      edit(payload) {
        before2026(payload, [sampleLine(), withoutLot(), sampleLine({ vendorItemCode: 'NEW' })])
        delete payload.locationMasterList[0].phoneNumber
      },
    })
    const place = { 'receiving-event/ship-from-description': expect.any(Number) }
    expect(records()[0]?.tallies).toMatchObject([
      { item: 'TOM-1', lines: 2, complete: 0, gaps: { ...place, [lotGap]: 1 } },
      { item: 'NEW', lines: 1, complete: 0, gaps: { ...place, 'product-line/product-description': 1 } },
    ])
    expect(records()[0]?.tallies.map(({ gaps }) => gaps['receiving-event/ship-from-description'])).toEqual([2, 1])
  })

  it('are those of each event of a payload; what is shared counts for each', () => {
    const { records } = judged({
      edit(payload) {
        const one = payload.eventList
        delete payload.productMasterDataList[0].packSize
        payload.eventList = [
          { ...one, eventDateTime: '2025-03-01T09:30:00Z', productList: [sampleLine()] },
          { ...one, eventDateTime: '2025-03-02T09:30:00Z', productList: [withoutLot(), sampleLine()] },
        ]
      },
    })
    expect([records()[0]?.tallies, records()[1]?.tallies]).toEqual([
      [{ item: 'TOM-1', lines: 1, complete: 0, gaps: { [sizeGap]: 1 } }],
      [{ item: 'TOM-1', lines: 2, complete: 0, gaps: { [sizeGap]: 2, [lotGap]: 1 } }],
    ])
  })

  it('count a shared product as filled for the events of that vendor whose master product fills it', () => {
    const { records, findings } = judged({
      edit(payload) {
        const one = payload.eventList
        delete payload.productMasterDataList[0].packSize
        payload.eventList = [
          { ...one, productList: [sampleLine()] },
          { ...one, dataProviderVendorId: 'V-2', productList: [sampleLine()] },
        ]
      },
      facts: {
        masterProducts: byVendor(['V-2', 'TOM-1', { id: 'r-1', itemDescription: 'Tomatoes', packSize: '25 LB' }]),
      },
    })
    expect(findings.map(({ rule }) => rule)).toEqual([sizeGap])
    expect([records()[0]?.findings().length, records()[1]?.findings().length]).toEqual([1, 0])
    expect([records()[0]?.tallies, records()[1]?.tallies]).toMatchObject([
      [{ complete: 0, gaps: { [sizeGap]: 1 } }],
      [{ complete: 1, gaps: {} }],
    ])
  })

  it('leave out items that the payload or the master product marks as off the Food Traceability List', () => {
    const offList = { id: 'r-1', itemDescription: 'Onions', isFtlItem: false }
    const { records } = judged({
      edit(payload) {
        payload.productMasterDataList.push({ itemCode: 'POT-1', itemDescription: 'Potatoes', isFtlItem: false })
        before2026(payload, [
          sampleLine(),
          withoutLot({ vendorItemCode: 'ONI-1' }),
          withoutLot({ vendorItemCode: 'POT-1' }),
        ])
      },
      facts: { masterProducts: byVendor(['V-1', 'ONI-1', offList]) },
    })
    expect(records()[0]?.tallies).toEqual([{ item: 'TOM-1', lines: 1, complete: 1, gaps: {} }])
  })

  it('say nothing of warnings', () => {
    const { records, findings } = judged({
      edit: (payload) => Object.assign(payload.eventList.productList[0], { caseGtin: '10614141000414' }),
    })
    expect(findings.map(({ severity }) => severity)).toEqual(['warning'])
    expect(records()[0]?.tallies).toEqual([{ item: 'TOM-1', lines: 1, complete: 1, gaps: {} }])
  })
})
