// What a scanned or pasted label fills in, and what is left to be the text it is.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readGs1Label, readScan } from '../../src/contract/lots/gs1-label.ts'

const caseGtin = '10614141000415'
const lot = { caseGtin, caseLotNumber: 'GV26063-A' }
const separator = '\u001d'

test.each([
  ['an element string', `(01)${caseGtin}(10)GV26063-A`, lot],
  ['an element string with blanks', ` (01) ${caseGtin} (10) GV26063-A `, lot],
  ['scanned data with FNC1', `]C101${caseGtin}10GV26063-A${separator}21SERIAL`, lot],
  ['scanned data with FNC1 in words', `01${caseGtin}10GV26063-A<GS>21SERIAL`, lot],
  ['a Digital Link', `https://id.gs1.org/01/${caseGtin}/10/GV26063-A`, lot],
  ['a date packed', `01${caseGtin}1326030210GV26063-A`, { ...lot, packagingDate: '2026-03-02' }],
  [
    'each of the dates',
    `(01)${caseGtin}(11)260301(13)260302(15)260318(17)260320(10)GV26063-A(7007)260228`,
    {
      ...lot,
      productionDate: '2026-03-01',
      packagingDate: '2026-03-02',
      bestBeforeDate: '2026-03-18',
      expirationDate: '2026-03-20',
      harvestDate: '2026-02-28',
    },
  ],
  [
    'a harvest of several days',
    `01${caseGtin}7007260227260228${separator}10GV26063-A`,
    { ...lot, harvestDate: '2026-02-27' },
  ],
  ['a date to sell by', `(01)${caseGtin}(16)260318`, { caseGtin, bestBeforeDate: '2026-03-18' }],
  ['the end of a month', `(01)${caseGtin}(17)260200`, { caseGtin, expirationDate: '2026-02-28' }],
  [
    'a Digital Link with a date',
    `https://x.example/01/${caseGtin}/10/GV26063-A?17=260320`,
    { ...lot, expirationDate: '2026-03-20' },
  ],
  [
    'a pallet: what is on it, and how many',
    `(00)106141410000000019(02)${caseGtin}(37)56(10)GV26063-A`,
    { ...lot, palletId: '106141410000000019', count: 56 },
  ],
  ['a lot alone, in brackets', '(10)GV26063-A', { caseLotNumber: 'GV26063-A' }],
  ['a date that is none', `(01)${caseGtin}(17)261340`, { caseGtin }],
])('a label is read from %s', (_what, text, label) => expect(readGs1Label(text)).toEqual(label))

test.each(['GV26063-A', 'ROM-24', '56', caseGtin, `01${caseGtin.slice(0, -1)}610GV26063-A`, '10GV26063-A', '(', ''])(
  '%j in a field is no label',
  (text) => expect(readGs1Label(text)).toBeUndefined(),
)

test('a scanner also reads a barcode that is a number and nothing else', () => {
  expect(readScan(caseGtin)).toEqual({ caseGtin })
  expect(readScan('614141000418')).toEqual({ caseGtin: '00614141000418' })
  expect(readScan('106141410000000019')).toEqual({ palletId: '106141410000000019' })
  expect(readScan('106141410000000018')).toBeUndefined()
  expect(readScan(`(01)${caseGtin}(10)GV26063-A`)).toEqual(lot)
})

test('whatever is scanned, it is a label or nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[\d()A-Z<>/?=^]{0,60}$/)), (text) => {
      const label = readScan(text)
      expect(label === undefined || Object.values(label).every((value) => value !== '')).toBe(true)
    }),
  )
})
