import { describe, expect, test } from 'vitest'
import { deliveryKindNames } from '../../../src/contract/record-kinds.ts'
import { shownText } from '../../../src/exports/fda-spreadsheet/event-columns.ts'
import { eventLines } from '../../../src/exports/fda-spreadsheet/event-lines.ts'
import { receiving, shipping } from '../../../src/exports/fda-spreadsheet/kind-sheets.ts'
import { rulesOf } from '../../../src/rules/catalogue.ts'
import type { Json } from '../../samples/declared-shapes.ts'
import { sampleExport } from '../../samples/exported-events.ts'

const { columns: receivingColumns } = receiving
const { columns: shippingColumns } = shipping

/** What the first line of the canonical event shows after `edit`, by column. */
function cells(edit?: (payload: Json) => void): Readonly<Record<string, string>> {
  const [line] = eventLines(sampleExport(edit), {})
  if (line === undefined) throw new Error('There is no line.')
  return Object.fromEntries(
    receivingColumns.map(({ letter, cell }) => [letter, shownText(cell(line))]).filter(([, text]) => text !== ''),
  )
}

/** Sets a field by its path, and takes away others. */
const setting =
  (path: string, value: unknown, without: readonly string[] = []) =>
  (payload: Json) => {
    const steps = path.split('/')
    // biome-ignore lint/suspicious/noExplicitAny: walks wherever the test says
    const walk = (to: readonly string[]): any => to.reduce((at: any, step) => at[step], payload)
    for (const one of without) delete walk(one.split('/').slice(0, -1))[one.split('/').at(-1) ?? '']
    walk(steps.slice(0, -1))[steps.at(-1) ?? ''] = value
  }

const line = 'eventList/productList/0'
const product = 'productMasterDataList/0'
const shipFrom = 'locationMasterList/0'
const shipTo = 'locationMasterList/1'

describe('columns', () => {
  test('the canonical event fills them', () => {
    expect(cells()).toEqual({
      A: 'HG-2026-061',
      B: '40',
      C: 'case',
      D: 'Vine tomatoes 12 lb',
      F: 'Tomato',
      H: '12 lb',
      I: 'carton',
      J: 'Harbor Greenhouse',
      K: '+1.831.555.0142',
      L: '5 Quay Street, Gate B',
      M: 'Watsonville',
      N: 'CA',
      O: '95076',
      P: 'USA',
      Q: 'River Warehouse',
      R: '+1.901.555.0186',
      S: '17 Levee Road',
      T: 'Memphis',
      U: 'TN',
      V: '38103',
      W: 'USA',
      X: '03/04/2026',
      Y: 'Harbor Greenhouse',
      Z: '+1.831.555.0142',
      AA: '5 Quay Street, Gate B',
      AB: 'Watsonville',
      AC: 'CA',
      AD: '95076',
      AE: 'USA',
      AF: 'GLN:0614141000012',
      AG: 'Purchase Order (PO)',
      AH: 'PO-1',
    })
  })

  test.each([
    ['A', `${line}/caseLotNumber`],
    ['C', `${line}/shipQuantityUom`],
    ['D', `${line}/vendorItemDescription`],
    ['D', `${product}/itemDescription`],
    ['E', `${product}/brandName`],
    ['F', `${product}/productCommodity`],
    ['F', `${product}/acceptableSpeciesName`],
    ['G', `${product}/productVariety`],
    ['G', `${product}/scientificName`],
    ['H', `${product}/packSize`],
    ['I', `${product}/packStyle`],
    ['J', `${shipFrom}/locationName`],
    ['K', `${shipFrom}/phoneNumber`],
    ['M', `${shipFrom}/address/city`],
    ['N', `${shipFrom}/address/state`],
    ['O', `${shipFrom}/address/postalCode`],
    ['P', `${shipFrom}/address/country`],
    ['Q', `${shipTo}/locationName`],
    ['R', `${shipTo}/phoneNumber`],
    ['S', `${shipTo}/address/streetAddress1`],
    ['T', `${shipTo}/address/city`],
    ['U', `${shipTo}/address/state`],
    ['V', `${shipTo}/address/postalCode`],
    ['W', `${shipTo}/address/country`],
    ['Y', `${line}/tlcSourceName`],
    ['Z', `${line}/tlcSourcePhoneNumber`],
    ['AA', `${line}/tlcSourceAddress1`],
    ['AA', `${line}/tlcSourceAddress2`],
    ['AB', `${line}/tlcSourceCity`],
    ['AC', `${line}/tlcSourceState`],
    ['AD', `${line}/tlcSourcePostalCode`],
    ['AE', `${line}/tlcSourceCountry`],
  ])('%s shows %s exactly, and nothing when it is blank', (letter, path) => {
    const exact = '  =1+1 00 é _x0041_\n '
    // A commodity goes before the name of a species.
    const without = path.endsWith('acceptableSpeciesName') ? [`${product}/productCommodity`] : []
    expect(cells(setting(path, exact, without))[letter]).toBe(exact)
    expect(cells(setting(path, ' ', without))[letter] ?? '').not.toBe(' ')
  })

  test.each([
    [40, '40'],
    [0.25, '0.25'],
    [999999999999999, '999999999999999'],
    [1234567890123456, '1234567890123456'],
    [1e21, '1e+21'],
    [-5, '-5'],
  ])('B shows the quantity %d in full', (quantity, shown) => {
    const [first] = eventLines(sampleExport(setting(`${line}/shipQuantity`, quantity)), {})
    if (first === undefined) throw new Error('There is no line.')
    const value = receivingColumns[1]?.cell(first)
    expect(shownText(value)).toBe(shown)
    expect(typeof value).toBe(shown.replaceAll(/\D/g, '').length > 15 || shown.includes('e') ? 'string' : 'number')
  })

  test.each([
    ['2026-05-30T02:00:00Z', '05/30/2026'],
    ['2026-05-29T22:00:00-04:00', '05/29/2026'],
    ['2026-05-30T11:00:00+14:00', '05/30/2026'],
  ])('X shows the date of %s as written', (dateTime, date) => {
    expect(cells(setting('eventList/eventDateTime', dateTime)).X).toBe(date)
  })

  test('a place without a street shows its coordinates, and of a fence as many corners as a cell should hold', () => {
    const street = [`${shipFrom}/address/streetAddress1`, `${shipFrom}/address/streetAddress2`]
    expect(cells(setting(`${shipFrom}/phoneNumber`, '1', street)).L).toBe('36 54.60 N, 121 45.41 W')
    const corners = Array.from({ length: 1000 }, (_, i) => [`${i} N`, 'x'.repeat(100)])
    const shown = cells(setting(`${shipFrom}/geoLocation`, { geoFence: corners }, street)).L ?? ''
    expect(shown).toMatch(/^0 N, x{100}; 1 N, .*; and 980 more corners in the record$/)
    expect(shown.length).toBeLessThan(32_767)
  })

  test('AF has every reference with its kind, and a web link or another one as it is', () => {
    const all = (payload: Json) =>
      Object.assign(payload.eventList.productList[0], {
        tlcSourceReferenceDuns: '012345678',
        tlcSourceReferenceFfrn: '14532865782',
        tlcSourceReferenceFei: '3004567890',
        tlcSourceReferenceUrl: 'https://trace.example.com/1',
        tlcSourceReferenceOther: 'GGN:4049928415684',
      })
    expect(cells(all).AF).toBe(
      'FFRN:14532865782; FEI:3004567890; GLN:0614141000012; DUNS:012345678; https://trace.example.com/1; GGN:4049928415684',
    )
  })

  test('the source is the location with the DUNS number, or nothing if no location has it', () => {
    const duns = (payload: Json) => {
      delete payload.eventList.productList[0].tlcSourceReferenceGln
      payload.eventList.productList[0].tlcSourceReferenceDuns = '123456789'
    }
    expect(cells(duns).Y).toBe('Harbor Greenhouse')
    expect(cells(setting(`${line}/tlcSourceReferenceGln`, '9999999999994')).Y).toBeUndefined()
  })

  test('what the line says of the source is not mixed with what a location says', () => {
    const shown = cells(setting(`${line}/tlcSourceName`, 'Somebody Else'))
    expect([shown.Y, shown.Z, shown.AB, shown.AF]).toEqual(['Somebody Else', undefined, undefined, 'GLN:0614141000012'])
  })

  test.each(receivingColumns)('$letter is declared: heading, source and paragraph', (column) => {
    expect(column.heading).not.toBe('')
    expect(column.from).not.toBe('')
    expect(column.paragraph).toMatch(/^1\.1345\(a\)\([1-8]\)$/)
  })

  test('every rule that reports gaps of deliveries leaves columns empty, under its own paragraph', () => {
    const rules = new Map(
      deliveryKindNames
        .flatMap(rulesOf)
        .filter(({ severity }) => severity === 'gap')
        .map(({ id, cites }) => [id, cites]),
    )
    expect(rules.size).toBeGreaterThan(0)
    const marked = [...receivingColumns, ...shippingColumns].flatMap(({ gaps = [], paragraph }) =>
      gaps.map((gap) => [gap, paragraph] as const),
    )
    expect([...new Set(marked.map(([gap]) => gap))].sort()).toEqual([...rules.keys()].sort())
    // Rules of lines and products are shared: the paragraphs of both sections have the same numbers.
    const inSection = (paragraph: string, gap: string) =>
      /^(receiving|shipping)-event/.test(gap) ? paragraph : paragraph.replace('1.1340', '1.1345')
    for (const [gap, paragraph] of marked) expect(rules.get(gap)).toBe(`21 CFR ${inSection(paragraph, gap)}`)
  })
})

describe('reference documents', () => {
  const [order, lading, notice] = ['Purchase Order (PO)', 'Bill of Lading (BOL)', 'Advance Shipping Notice (ASN)']
  test.each([
    [
      { purchaseOrderNumber: 'P', billOfLadingNumber: 'B', asnNumber: 'A' },
      [lading, 'B', `${notice}; ${order}`, 'A; P'],
    ],
    [{ purchaseOrderNumber: 'P', billOfLadingNumber: 'B' }, [lading, 'B', order, 'P']],
    [{ purchaseOrderNumber: 'P', asnNumber: 'A' }, [notice, 'A', order, 'P']],
    [{ purchaseOrderNumber: 'P', billOfLadingNumber: ' ', asnNumber: 'A' }, [notice, 'A', order, 'P']],
    [{ purchaseOrderNumber: 'P' }, [order, 'P', '', '']],
    [{ purchaseOrderNumber: 'Packing List 48661' }, ['Packing List', '48661', '', '']],
    [{ purchaseOrderNumber: 'Invoice No. 12', billOfLadingNumber: 'B' }, [lading, 'B', 'Invoice', 'No. 12']],
  ])('of %j all stand in the row with their kinds: %j', (given, shown) => {
    const row = cells((changed) => Object.assign(changed.eventList, given))
    expect(['AG', 'AH', 'AI', 'AJ'].map((letter) => row[letter] ?? '')).toEqual(shown)
  })
})

describe('filters', () => {
  const three = (payload: Json) => {
    const [first] = payload.eventList.productList
    payload.eventList.productList = [
      { ...first, caseLotNumber: 'L1', vendorItemCode: 'A', purchaserItemCode: 'B' },
      { ...first, caseLotNumber: 'L1', vendorItemCode: 'B' },
      { ...first, caseLotNumber: 'L2', vendorItemCode: 'A' },
    ]
  }
  test.each([
    [{}, [0, 1, 2]],
    [{ lotCode: ['L1'] }, [0, 1]],
    [{ itemCode: ['B'] }, [0, 1]],
    [{ itemCode: ['A'], lotCode: ['L1'] }, [0]],
    [{ itemCode: ['B'], lotCode: ['L2'] }, []],
    [{ lotCode: ['l1'] }, []],
  ])('%j take lines %j', (filters, indexes) => {
    expect(eventLines(sampleExport(three), filters).map(({ index }) => index)).toEqual(indexes)
  })
})
