// Lot codes that read alike: what the index finds is what a comparison of all lot codes finds.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codesAlike, furtherLotsIn, readingsOf, readsAlike } from '../../src/contract/lots/alike-lots.ts'
import { foldLotCode, readLotCode } from '../../src/contract/lots/lot-code.ts'
import { severalLots } from '../../src/contract/lots/several-lots.ts'
import { lotsWritten, namedTogether } from '../support/records/written-lots.ts'
import { runs } from '../support/runs.ts'

const alike = (a: string, b: string) => readsAlike(readLotCode(a), readLotCode(b))

describe('lot codes read alike, whichever is asked for', () => {
  test.each([
    ['zeros in front', '00123X', '123X'],
    ['zeros in front, of another number', '00123X', '000123X'],
    ['zeros behind a label', 'LOT# 00123X', '123X'],
    ['a date behind', 'LX13 (best by 3/4)', 'LX13'],
    ['a date behind, in other words', 'LX13 exp 12/26', 'LX13, use by Mar 4'],
    ['a label in front', 'Lote: LX13', 'LX13'],
    ['a label without a sign', 'Batch LX13', 'lx-13'],
    ['a label at the digits', 'LOT77', '77'],
    ['a word behind', 'LX13 organic', 'LX13'],
    ['words behind', 'LX13 Romaine Hearts, washed', 'LX13'],
    ['a word in front', 'Romaine LX13', 'LX13'],
    ['a word behind digits', '26063 ORGANIC', '26063'],
    ['a word and a date behind', 'LX13 organic best by 3/4', 'LX13'],
    ['a label in front and a word behind', 'Lot# LX13 rework', 'LX13'],
    ['AI 10 without brackets', '10MIX77', 'MIX77'],
    ['AI 10 in other brackets', '[10]MIX77', 'MIX77'],
    ['AI 10 behind a symbology identifier', ']C110MIX77', 'MIX77'],
    ['AI 10 behind FNC1', '<GS>10MIX77', 'MIX77'],
    ['FNC1 behind the code', 'MIX77\u001d', 'MIX77'],
    ['FNC1 behind AI 10', '10MIX77<GS>21ABC', 'MIX77'],
    ['an element string with a mistyped check digit', '011061414100041610MIX77', 'MIX77'],
    ['an element string without GTIN', '1726032010MIX77', 'MIX77'],
    ['an element string with words', 'GTIN (01)10614141000415 (10)MIX77', 'MIX77'],
    ['several lots', 'L1, L2', 'L2'],
    ['several lots, asked for with others', 'L1, L2', 'L2; L9'],
    ['several lots in an element string', '(01)10614141000415(10)L1, L2', 'L2'],
    ['a lot in a range', 'L1-L5', 'L3'],
    ['the same lot twice', 'L1/L1', 'L1'],
    ['one of several lots without digits', 'ALPHA, BETA', 'BETA'],
    ['a lot in a range of digits', '1001-1005', '1003'],
    ['a lot in a range with blanks', 'L001 - 005', 'L004'],
    ['lots with a point between', 'L1.L2', 'L2'],
    ['lots with a low line between', 'L1_L2', 'L2'],
    ['zeros in front of one of several', '00123X, 00124X', '124X'],
  ])('%s: %s and %s', (_what, a, b) => {
    expect(alike(a, b)).toBe(true)
    expect(alike(b, a)).toBe(true)
  })

  test.each([
    ['other zeros', '120', '12'],
    ['zeros inside', 'A-0012', 'A-12'],
    ['nothing but zeros', '000', '0'],
    ['one code that begins like another', 'LX13', 'LX1'],
    ['a part of a real code', '24/131', '131'],
    ['a name in front', 'P&G 123', '123'],
    ['a word in front of few digits', 'ROW 12', '12'],
    ['a code of letters in front', 'AB 123', '123'],
    ['words without a code', 'organic romaine', 'romaine'],
    ['two characters behind 10', '1077', '77'],
    ['lots beside a range', 'L1-L5', 'L6'],
    ['letters that look like digits', 'MIXO1', 'MIX01'],
  ])('not with %s: %s and %s', (_what, a, b) => {
    expect(alike(a, b)).toBe(false)
    expect(alike(b, a)).toBe(false)
  })
})

/** Pieces of which texts around lot codes are made. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '0',
        '00',
        '10',
        '(10)',
        'LOT',
        'Lot no. ',
        ', ',
        '/',
        '-',
        ' ',
        '+',
        ' & ',
        ' best by 3/4',
        '<GS>',
        ']C1',
        '01',
      ),
      fc.constantFrom('L1', 'L2', 'L5', '77', 'MIX77', '123X', '10614141000415', '24131', 'A', 'é', '\u2013', '２'),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((pieces) => pieces.join('').slice(0, 100))
  .filter((text) => text.trim() !== '')

test.each([
  ['l-11', 'L11', true],
  ['Lot no. L11', 'L11', true],
  ['000L11', '0L11', true],
  ['L11, L12', 'L11', false],
  ['L11-L15', 'L13', false],
  ['L11; L12', 'L11, L12', false],
])('%s reads like %s by itself, and not as one of several lots: %s', (one, other, isItself) => {
  const [a, b] = [readingsOf(one), readingsOf(other)]
  expect(a.all.some((reading) => b.all.includes(reading))).toBe(true)
  expect(a.own.some((reading) => b.own.includes(reading))).toBe(isItself)
})

test('the codes that a search looks for are those of the lots that read alike or are the same, and no others', () => {
  fc.assert(
    fc.property(texts, texts, (asked, stored) => {
      const [a, s] = [readLotCode(asked).lotCode, readLotCode(stored).lotCode]
      const looked = new Set(codesAlike(a))
      const found = [foldLotCode(s), ...furtherLotsIn(s)].some((code) => looked.has(code))
      expect(found).toBe(a === s || alike(asked, stored))
      expect(alike(stored, asked)).toBe(alike(asked, stored))
    }),
    { numRuns: runs(5_000) },
  )
})

test('a lot code always reads like itself in any further lot that it names', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const { lotCode } = readLotCode(text)
      for (const lot of severalLots(text)) if (lot !== lotCode) expect(alike(text, lot), lot).toBe(true)
      expect(furtherLotsIn(lotCode)).not.toContain(foldLotCode(lotCode))
      expect(new Set(furtherLotsIn(lotCode)).size).toBe(furtherLotsIn(lotCode).length)
    }),
    {
      numRuns: runs(5_000),
      examples: [['10614141000415 & , (10)<GS>'], ['10614141000415 & , (10)A1>'], ['(10)２ & , ]C1']],
    },
  )
})

test('of any written lots, those read alike that name a lot together', () => {
  fc.assert(
    fc.property(lotsWritten, lotsWritten, (a, b) => {
      fc.pre(readLotCode(a.written).lotCode !== readLotCode(b.written).lotCode)
      expect(alike(a.written, b.written), `${a.written} | ${b.written}`).toBe(namedTogether(a, b))
    }),
    { numRuns: runs(5_000) },
  )
})
