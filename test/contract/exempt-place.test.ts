// Which receipts are exempt: by place, period and ship-to location, and never by two exemptions.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Exemption,
  type ExemptPlaces,
  exemptionOf,
  exemptPlaceKey,
  overlapOf,
} from '../../src/contract/exempt-place.ts'

const receipt = {
  dataProviderVendorId: 'V-1',
  shipFromLocationCode: 'FARM',
  shipToLocationCode: 'STORE-1',
  eventDateTime: '2026-03-31T23:30:00-08:00',
}
const farm = { dataProviderVendorId: 'V-1', locationCode: 'FARM' }
const vendor = { dataProviderVendorId: 'V-1' }
const small: Exemption = { reason: 'smallProduceFarm' }
const places = (...entries: readonly (readonly [typeof farm | typeof vendor, ...Exemption[]])[]): ExemptPlaces =>
  new Map(entries.map(([place, ...exemptions]) => [exemptPlaceKey(place), exemptions]))

describe('the exemption of a receipt', () => {
  test.each([
    ['of its location', places([farm, small]), 'smallProduceFarm'],
    ['of its vendor', places([vendor, small]), 'smallProduceFarm'],
    [
      'of its location before that of its vendor',
      places([vendor, small], [farm, { reason: 'nonprofit' }]),
      'nonprofit',
    ],
    ['of neither another location nor another vendor', places([{ ...farm, locationCode: 'F' }, small]), undefined],
    ['none of a vendor with the same codes', places([{ ...farm, dataProviderVendorId: 'V-2' }, small]), undefined],
    [
      'none once that of its location has ended, whatever its vendor has',
      places([vendor, small], [farm, { ...small, endDate: '2026-03-30' }]),
      undefined,
    ],
    [
      'on the last day, by the date as written',
      places([farm, { ...small, endDate: '2026-03-31' }]),
      'smallProduceFarm',
    ],
    ['on the first day', places([farm, { ...small, startDate: '2026-03-31' }]), 'smallProduceFarm'],
    ['none before the first day', places([farm, { ...small, startDate: '2026-04-01' }]), undefined],
    [
      'of the period it is in',
      places([farm, { ...small, endDate: '2025-12-31' }, { reason: 'nonprofit', startDate: '2026-01-01' }]),
      'nonprofit',
    ],
    [
      'of its ship-to location before that of all',
      places([farm, small, { reason: 'farmPurchase', shipToLocationCodes: ['STORE-2', 'STORE-1'] }]),
      'farmPurchase',
    ],
    [
      'none of another ship-to location',
      places([farm, { reason: 'farmPurchase', shipToLocationCodes: ['STORE-2'] }]),
      undefined,
    ],
    ['none without a list', places(), undefined],
  ])('is the one %s', (_, declared, reason) => {
    expect(exemptionOf(receipt, declared)?.reason).toBe(reason)
  })

  test('is none of a receipt without a date, a vendor or a ship-from location', () => {
    for (const field of Object.keys(receipt).filter((name) => name !== 'shipToLocationCode'))
      expect(exemptionOf({ ...receipt, [field]: ' ' }, places([farm, small], [vendor, small]))).toBeUndefined()
  })
})

describe('exemptions of a place', () => {
  const day = fc.option(
    fc.integer({ min: 1, max: 9 }).map((n) => `2026-03-0${n}`),
    { nil: undefined },
  )
  const exemption = fc
    .record({
      startDate: day,
      endDate: day,
      shipToLocationCodes: fc.option(fc.uniqueArray(fc.constantFrom('A', 'B', 'C'), { minLength: 1 }), {
        nil: undefined,
      }),
    })
    .map((one): Exemption => ({ reason: 'nonprofit', ...JSON.parse(JSON.stringify(one)) }))
    .filter(({ startDate, endDate }) => startDate === undefined || endDate === undefined || startDate <= endDate)

  test('overlap if and only if two of one breadth apply to one receipt', () => {
    fc.assert(
      fc.property(fc.array(exemption, { maxLength: 4 }), (exemptions) => {
        const days = Array.from({ length: 11 }, (_, n) => `2026-03-${String(n).padStart(2, '0')}`)
        const isDouble = (some: readonly Exemption[]) =>
          days.some(
            (date) =>
              some.filter(({ startDate = '', endDate = '9' }) => startDate <= date && date <= endDate).length > 1,
          )
        const breadths = [undefined, 'A', 'B', 'C'].map((code) =>
          exemptions.filter(({ shipToLocationCodes: codes }) =>
            code === undefined ? codes === undefined : codes?.includes(code),
          ),
        )
        expect(overlapOf(exemptions) !== undefined).toBe(breadths.some(isDouble))
      }),
    )
  })
})
