import { describe, expect, test } from 'vitest'
import {
  changeWords,
  correctionAddress,
  fieldChoices,
  fieldsForGap,
  fieldWords,
} from '../../../src/console/records/correction-words.ts'
import { changedFieldNames, faultOfChange } from '../../../src/contract/field-change.ts'
import { gapRules } from '../../../src/rules/key-data-elements.ts'

describe('words of corrections', () => {
  test('name every field that can be changed once, with the part that has it', () => {
    const offered = fieldChoices.flatMap(({ choices }) => choices.map(([name]) => name))
    expect([...offered].sort()).toEqual([...changedFieldNames].sort())
    expect(fieldWords('location.address.city')).toBe('Location: Address city')
    expect(fieldWords('line.tlcSourceName')).toBe('Line: TLC source name')
  })

  test('say where a change applies', () => {
    const field = 'product.packStyle'
    expect(changeWords({ field, set: 'Carton' })).toBe('Set Product: Pack style to “Carton” where it is missing')
    expect(changeWords({ field, set: 'Carton', replace: 'Crate' })).toBe(
      'Set Product: Pack style to “Carton” where it is “Crate”',
    )
    expect(changeWords({ field, remove: true, overwrite: true })).toBe('Remove Product: Pack style in every case')
  })

  test('offer fields that can be set for each gap that is corrected in events', () => {
    for (const rule of gapRules)
      for (const field of fieldsForGap(rule).filter((name) => name !== ''))
        expect(faultOfChange({ field, set: 'a text' }), field).toBeUndefined()
  })

  test('lead from a list to the correction of what it shows, and from no list that shows less', () => {
    expect(correctionAddress({ dataProviderVendorId: 'V-1', gapRule: 'product-line/lot-code' })).toBe(
      '/corrections/new?dataProviderVendorId=V-1&gap=product-line%2Flot-code',
    )
    expect(correctionAddress({ dataProviderVendorId: 'V-1', hasWarnings: 'true' })).toBeUndefined()
    expect(correctionAddress({ dataProviderVendorId: 'V-1\nV-2' })).toBeUndefined()
    expect(correctionAddress({})).toBeUndefined()
  })
})
