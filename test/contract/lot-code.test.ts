// How a lot code is read: every form of one lot is one lot, and every writing of one code reads
// alike.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readsAlike } from '../../src/contract/lots/alike-lots.ts'
import { foldLotCode, isSameLot, readLotCode } from '../../src/contract/lots/lot-code.ts'
import { gtin14Of } from '../../src/contract/text/gs1-text.ts'
import { processorMs } from '../support/patience.ts'
import { gs1Forms, gs1LotCodes, gtins, otherWritings } from '../support/records/lot-forms.ts'
import { runs } from '../support/runs.ts'

const alike = (a: string, b: string) => readsAlike(readLotCode(a), readLotCode(b))

describe('a lot code', () => {
  test('that is in no form of GS1 is the text itself', () => {
    expect(readLotCode(' MIX 77')).toEqual({ written: ' MIX 77', form: 'text', lotCode: ' MIX 77' })
  })

  test('of any form of GS1 is the same lot, with the GTIN that the form names', () => {
    fc.assert(
      fc.property(gtins, gs1LotCodes, (gtin, lotCode) => {
        for (const [form, written] of gs1Forms(gtin, lotCode)) {
          const read = readLotCode(written)
          expect(read, form).toMatchObject({ written, gtin, lotCode })
          expect(isSameLot(read, readLotCode(lotCode)), form).toBe(true)
        }
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('of an LGTIN URN has the GTIN whose indicator was moved and whose check digit was made', () => {
    expect(readLotCode('urn:epc:class:lgtin:0614141.107346.MIX77')).toMatchObject({ gtin: '10614141073464' })
  })

  test.each([
    ['GTIN: 10614141000415 + Lot: MIX77', '10614141000415'],
    ['gtin:614141000418, lot no. : MIX77', '00614141000418'],
    ['Lot# MIX77 + UPC# 614141000418', '00614141000418'],
    ['Item# 4711 + Lot# MIX77', undefined],
    ['SKU=10614141000415;BATCH=MIX77', undefined],
  ])('with labels of item and lot is the lot: %s', (written, gtin) => {
    expect(readLotCode(written)).toEqual({ written, form: 'labelled', lotCode: 'MIX77', ...(gtin && { gtin }) })
  })

  test.each([
    'Lot: MIX77',
    'GTIN: 10614141000415',
    'Lot: A + Lot: B',
    'Lot: A + Item: 1 + Item: 2',
    'Lot: + Item: 1',
    'A+B',
    'a:b+c:d',
  ])('with one label, two of a kind or others is the text itself: %s', (written) => {
    expect(readLotCode(written)).toEqual({ written, form: 'text', lotCode: written })
  })

  test('in another writing reads alike, and is not the same', () => {
    fc.assert(
      fc.property(gs1LotCodes, gtins, fc.nat(), (lotCode, gtin, n) => {
        for (const writing of otherWritings(lotCode)) {
          if (readLotCode(writing).form !== 'text' || foldLotCode(lotCode) === '') continue
          const [, form = ''] = gs1Forms(gtin, lotCode)[n % gs1Forms(gtin, lotCode).length] ?? []
          expect(foldLotCode(writing), writing).toBe(foldLotCode(lotCode))
          expect(alike(form, writing), writing).toBe(writing !== lotCode)
        }
      }),
      { numRuns: runs(2_000) },
    )
  })
})

describe('folded is', () => {
  test.each([
    ['case', 'mix77', 'MIX77'],
    ['blanks, those nobody sees too', ' MIX\u00a07\u200b7 ', 'MIX77'],
    ['dashes of every kind', 'M-I\u2010X\u2013\u20147\u22127', 'MIX77'],
    ['underscores, dots and slashes', 'M_I.X/7\\7', 'MIX77'],
    ['full-width letters and digits', 'ＭＩＸ７７', 'MIX77'],
    ['a label with its sign', 'LOT# MIX77', 'MIX77'],
    ['a label in words', 'Batch No.: mix-77', 'MIX77'],
  ])('%s', (_what, written, folded) => {
    expect(foldLotCode(written)).toBe(folded)
  })

  test.each([
    ['zeros in front', '0077', '77'],
    ['letters that look like digits', 'MIXO1', 'MIX01'],
    ['a word that is part of the code', 'LOT77', '77'],
    ['accents', 'MÉX', 'MEX'],
  ])('not %s', (_what, a, b) => {
    expect(foldLotCode(a)).not.toBe(foldLotCode(b))
  })

  test('a code of dashes alone to its dashes, and a label alone to itself', () => {
    expect(foldLotCode(' - ')).toBe('-')
    expect(foldLotCode('LOT:')).toBe('LOT:')
  })
})

describe('whatever the text', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom('LOT', '#', ':', 'no', '.', ' ', '-', 'ß', 'ﷺ', 'İ', '\u0345', '\ud800', 'Ａ'), {
        maxLength: 300,
      })
      .map((all) => all.join('')),
  )

  test('folding what is folded changes nothing, and 100 characters are the most', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const folded = foldLotCode(text)
        expect(foldLotCode(folded)).toBe(folded)
        expect([...folded].length).toBeLessThanOrEqual(100)
      }),
      { numRuns: runs(5_000) },
    )
  })

  test('what is read can be stored wherever the text can: it is not blank, holds no NUL, and is no longer', () => {
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(text.trim() !== '' && !text.includes('\u0000'))
        const { lotCode, gtin } = readLotCode(text)
        expect(lotCode.trim()).not.toBe('')
        expect(lotCode).not.toContain('\u0000')
        expect(lotCode.length).toBeLessThanOrEqual(text.length)
        if (gtin !== undefined) expect(gtin14Of(gtin)).toBe(gtin)
      }),
      { numRuns: runs(2_000) },
    )
  })

  // Work that grows with the square would take minutes.
  const long = 200_000
  test.each(['LOT#', 'LOTNO', '-', 'ﷺ', ' ', 'A', 'lot ', '+', ':', 'gtin:1+'])(
    'a long run of %j is read and folded in time that grows with its length',
    (piece) => {
      const startedAt = processorMs()
      foldLotCode(piece.repeat(long / piece.length))
      readLotCode(`lot${piece.repeat(long / piece.length)}`)
      expect(processorMs() - startedAt).toBeLessThan(10_000)
    },
  )
})
