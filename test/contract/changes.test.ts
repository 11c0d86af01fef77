import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  beginning,
  type ChangedRecord,
  type ChangeFilter,
  type ChangeType,
  changeTypes,
  isWanted,
  positionText,
  readPosition,
} from '../../src/contract/changes.ts'
import { runs } from '../support/runs.ts'

describe('a position', () => {
  const positions = fc.record({
    number: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    index: fc.nat(20_000),
    history: fc.stringMatching(/^[0-9a-f]{8}$/),
  })

  test('is read as it was written, and stands in an address as it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constant(beginning), positions), (position) => {
        const text = positionText(position)
        expect(readPosition(text)).toEqual(position)
        expect(encodeURIComponent(text)).toBe(text)
      }),
      { numRuns: runs(1_000) },
    )
  })

  test.each(['', '1', '1-1', '0-1', '00-0', '1-0-9F86D081', '01-0-9f86d081', '1-0-9f86d081 ', '2147483648-0-9f86d081'])(
    'is not read from %j',
    (text) => expect(readPosition(text)).toBeUndefined(),
  )
})

describe('a filter', () => {
  const event: ChangedRecord = {
    vendorIds: ['V-1', 'V-2'],
    shipToLocationCodes: ['DC-07'],
    lotCodes: ['(01)10614141000415(10)LOT-9', 'other'],
  }
  const product: ChangedRecord = { vendorIds: ['V-1'], shipToLocationCodes: [], lotCodes: [] }

  test.each<[string, ChangeFilter, ChangeType, ChangedRecord | undefined, boolean]>([
    ['nothing named', {}, 'location.created', undefined, true],
    ['its kind', { kinds: ['location', 'masterProduct'] }, 'masterProduct.replaced', undefined, true],
    ['another kind', { kinds: ['location'] }, 'masterProduct.replaced', undefined, false],
    ['its vendor', { dataProviderVendorId: 'V-1' }, 'masterProduct.created', product, true],
    ['the vendor it had before', { dataProviderVendorId: 'V-2' }, 'receivingEvent.replaced', event, true],
    ['another vendor', { dataProviderVendorId: 'V-3' }, 'receivingEvent.replaced', event, false],
    ['its ship-to location', { shipToLocationCode: 'DC-07' }, 'receivingEvent.voided', event, true],
    ['a lot in another form', { lotCode: 'LOT-9' }, 'receivingEvent.created', event, true],
    ['a lot that only reads alike', { lotCode: 'lot 9' }, 'receivingEvent.created', event, false],
    [
      'its lot and another vendor',
      { lotCode: 'LOT-9', dataProviderVendorId: 'V-3' },
      'receivingEvent.created',
      event,
      false,
    ],
    ['a lot, of a product', { lotCode: 'LOT-9' }, 'masterProduct.created', product, false],
    ['a vendor, of what was purged since', { dataProviderVendorId: 'V-1' }, 'receivingEvent.created', undefined, false],
    ['a vendor, of a purge', { dataProviderVendorId: 'V-1' }, 'masterProduct.purged', undefined, true],
    ['a lot, of a purge of a product', { lotCode: 'LOT-9' }, 'masterProduct.purged', undefined, false],
  ])('by %s', (_title, filter, type, record, wanted) => {
    expect(isWanted(filter, { type }, record)).toBe(wanted)
  })

  test('without content passes every type there is', () => {
    expect(changeTypes.filter((type) => isWanted({}, { type }))).toEqual(changeTypes)
  })
})
