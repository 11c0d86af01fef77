// Which lines each filter chooses, and which it lists as reading alike.
import { describe, expect, test } from 'vitest'
import type { ProductLine } from '../../../src/contract/product-line.ts'
import {
  filtersLines,
  isChosen,
  isChosenAlike,
  type LineFilters,
} from '../../../src/exports/fda-spreadsheet/line-filters.ts'

const line = {
  vendorItemCode: 'HG-TOM-12',
  purchaserItemCode: '000417',
  vendorItemDescription: 'Vine tomatoes 12 lb',
  caseLotNumber: 'HG-2026-061',
  caseGtin: '10614141000415',
  tlcSourceReferenceGln: '0614141000012',
} as ProductLine
const context = {
  line,
  product: { ftlCategory: 'Tomatoes', brandName: 'Harbor', productCommodity: 'Tomaté', gtin: '10614141000415' },
  source: { name: 'Harbor Greenhouse' },
}

describe('a line is chosen', () => {
  test.each<[string, LineFilters]>([
    ['without filters', {}],
    ['by the code of the vendor', { itemCode: ['HG-TOM-12'] }],
    ['by the code of the purchaser', { itemCode: ['000417'] }],
    ['by one of several values', { itemCode: ['x', '000417'] }],
    ['by its GTIN', { gtin: ['10614141000415'] }],
    ['by its GTIN with blanks around it', { gtin: [' 10614141000415 '] }],
    ['by its category in another case', { ftlCategory: ['tomatoes'] }],
    ['by a part of its description', { productText: ['VINE'] }],
    ['by its brand', { productText: ['harbor'] }],
    ['by an accented letter in its other form', { productText: ['Tomate\u0301'] }],
    ['by the name of its source', { tlcSource: ['harbor greenhouse'] }],
    ['by the number its source is referred to by', { tlcSource: ['0614141000012'] }],
    ['by its lot code', { lotCode: ['HG-2026-061'] }],
    ['by its lot code with its GTIN in a barcode', { lotCode: ['(01)10614141000415(10)HG-2026-061'] }],
    ['by a lot code that reads alike, where these are wanted', { lotCode: ['hg 2026 061'], readAlike: true }],
    ['by all filters at once', { lotCode: ['HG-2026-061'], itemCode: ['000417'], ftlCategory: ['Tomatoes'] }],
  ])('%s', (_, filters) => {
    expect(isChosen(context, filters)).toBe(true)
  })

  test.each<[string, LineFilters]>([
    ['by a code in another case', { itemCode: ['hg-tom-12'] }],
    ['by a part of a code', { itemCode: ['0004'] }],
    ['by another GTIN', { gtin: ['10614141000422'] }],
    ['by a part of its category', { ftlCategory: ['tomato'] }],
    ['by a part of the name of its source', { tlcSource: ['Harbor'] }],
    ['by a lot code that only reads alike', { lotCode: ['hg 2026 061'] }],
    ['by its lot code under the GTIN of another item', { lotCode: ['(01)10614141000422(10)HG-2026-061'] }],
    ['by one filter, when another does not fit', { lotCode: ['HG-2026-061'], itemCode: ['x'] }],
    ['by a list without values', { itemCode: [] }],
  ])('not %s', (_, filters) => {
    expect(isChosen(context, filters)).toBe(false)
  })

  test('by no value of a field that is blank', () => {
    const blank = { ...context, line: { ...line, purchaserItemCode: ' ', vendorItemDescription: ' ' } }
    expect(isChosen(blank, { itemCode: [' '] })).toBe(false)
  })
})

describe('a line is listed as reading alike', () => {
  test.each<[string, LineFilters, boolean]>([
    ['when only its lot code differs so', { lotCode: ['hg 2026 061'] }, true],
    ['when its lot code is the one', { lotCode: ['HG-2026-061'] }, false],
    ['when its lot code is both', { lotCode: ['hg 2026 061', 'HG-2026-061'] }, false],
    ['when another filter does not fit', { lotCode: ['hg 2026 061'], itemCode: ['x'] }, false],
    ['when no lot was asked for', { itemCode: ['000417'] }, false],
  ])('%s: %j, %j', (_, filters, isAlike) => {
    expect(isChosenAlike(context, filters)).toBe(isAlike)
  })
})

test('only filters that look at lines make an export leave lines of an event out', () => {
  expect(filtersLines({})).toBe(false)
  expect(filtersLines({ readAlike: true })).toBe(false)
  for (const name of ['lotCode', 'itemCode', 'gtin', 'ftlCategory', 'productText', 'tlcSource'])
    expect(filtersLines({ [name]: ['x'] }), name).toBe(true)
})
