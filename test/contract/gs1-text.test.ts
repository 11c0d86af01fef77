// What a pasted lot code is read as: the forms of GS1, round trips, and whatever is thrown at it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gtin14Of, readGs1Lot } from '../../src/contract/text/gs1-text.ts'
import { withCheckDigit } from '../../src/contract/text/identifiers.ts'
import { processorMs } from '../support/patience.ts'
import { runs } from '../support/runs.ts'

const gtin = '10614141000415'
const lot = { gtin, lotCode: 'GV26063-A' }
const separator = '\u001d'

describe('a lot is read from', () => {
  test.each([
    ['an element string', '(01)10614141000415(10)GV26063-A', 'elementString'],
    [
      'an element string with blanks and other elements',
      ' (01) 10614141000415 (17)260320 (10) GV26063-A (21)7',
      'elementString',
    ],
    ['an element string with the lot first', '(10)GV26063-A(01)10614141000415', 'elementString'],
    [
      'an element string of a pallet: the GTIN of what is on it',
      '(02)10614141000415(37)40(10)GV26063-A',
      'elementString',
    ],
    ['scanned data', '011061414100041510GV26063-A', 'scanData'],
    ['scanned data with a symbology identifier', ']C1011061414100041510GV26063-A', 'scanData'],
    ['scanned data with FNC1', `]d201106141410004151726032010GV26063-A${separator}21ABC`, 'scanData'],
    ['scanned data with the lot before the item', `10GV26063-A${separator}0110614141000415`, 'scanData'],
    ['scanned data with a weight', `0110614141000415310200150010GV26063-A`, 'scanData'],
    ['a Digital Link', 'https://id.gs1.org/01/10614141000415/10/GV26063-A', 'digitalLink'],
    [
      'a Digital Link of any host and path, with qualifiers and query',
      'HTTP://shop.example/a/b/01/10614141000415/10/GV26063-A/21/5?17=260320#x',
      'digitalLink',
    ],
    ['a Digital Link in words', 'https://example.com/gtin/10614141000415/lot/GV26063-A', 'digitalLink'],
    ['a Digital Link with the lot in its query', 'https://x.example/01/10614141000415?10=GV26063-A#top', 'digitalLink'],
    [
      'a Digital Link with item and lot in its query',
      'https://x.example/?lot=GV26063-A&gtin=10614141000415',
      'digitalLink',
    ],
    [
      'a Digital Link in capitals, as a small barcode holds it',
      'HTTPS://ID.GS1.ORG/01/10614141000415/10/GV26063-A',
      'digitalLink',
    ],
    ['a Digital Link scanned from a QR code', ']Q1https://id.gs1.org/01/10614141000415/10/GV26063-A', 'digitalLink'],
    ['a Digital Link without its scheme', 'id.gs1.org/01/10614141000415/10/GV26063-A', 'digitalLink'],
    ['an LGTIN URN', 'urn:epc:class:lgtin:0614141.100041.GV26063-A', 'lgtinUrn'],
    ['an LGTIN URN of a longer company prefix', 'URN:EPC:class:lgtin:061414100041.1.GV26063-A', 'lgtinUrn'],
    ['scanned data with FNC1 in words', ']C101106141410004151726032010GV26063-A<GS>21ABC', 'scanData'],
    ['scanned data with FNC1 in braces', '{FNC1}011061414100041510GV26063-A{FNC1}21ABC', 'scanData'],
    ['scanned data with FNC1 as it is escaped in JSON', '011061414100041510GV26063-A\\u001d21ABC', 'scanData'],
    ['scanned data with FNC1 as a caret', '^011061414100041510GV26063-A^21ABC', 'scanData'],
    ['scanned data with blanks between the elements', '01 10614141000415 10 GV26063-A', 'scanData'],
    ['an element string with FNC1 after its lot', '(01)10614141000415(10)GV26063-A<GS>(21)7', 'elementString'],
    ['an element string with blanks in the GTIN', '(01)1 06 14141 00041 5(10)GV26063-A', 'elementString'],
  ])('%s', (_what, text, form) => {
    expect(readGs1Lot(text)).toEqual({ form, ...lot })
  })

  test('an element string without an item', () => {
    expect(readGs1Lot('(10)GV26063-A')).toEqual({ form: 'elementString', lotCode: 'GV26063-A' })
  })

  test.each([
    ['an element string whose item is no GTIN', '(01)123(10)A', 'elementString', 'A'],
    ['an LGTIN URN whose lot is percent-encoded', 'urn:epc:class:lgtin:0614141.100041.A%2FB', 'lgtinUrn', 'A/B'],
    ['an LGTIN URN whose lot has dots', 'urn:epc:class:lgtin:0614141.100041.A.B', 'lgtinUrn', 'A.B'],
  ])('%s', (_what, text, form, lotCode) => {
    expect(readGs1Lot(text)).toMatchObject({ form, lotCode })
  })

  test('the path of a Digital Link before its query', () => {
    expect(readGs1Lot('https://id.gs1.org/01/10614141000415/10/A?10=B&01=00614141000418')).toEqual({
      form: 'digitalLink',
      gtin,
      lotCode: 'A',
    })
  })

  test('shorter GTINs, which are the same with zeros in front', () => {
    expect(readGs1Lot('(01)614141000418(10)A')?.gtin).toBe('00614141000418')
    expect(readGs1Lot('https://id.gs1.org/01/96385074/10/A')?.gtin).toBe('00000096385074')
  })

  test('a Digital Link whose lot is percent-encoded, and one whose encoding is broken', () => {
    expect(readGs1Lot('https://id.gs1.org/01/10614141000415/10/A%2FB%20C')?.lotCode).toBe('A/B C')
    expect(readGs1Lot('https://id.gs1.org/01/10614141000415/10/50%')?.lotCode).toBe('50%')
  })
})

describe('a lot code that is only text stays text', () => {
  test.each([
    'GV26063-A',
    '10ABC',
    '0110614141000415',
    '(01)10614141000415',
    '(10)',
    '(10)A(10)B',
    'x(10)A',
    // A check digit that is wrong: digits by chance, not a scan.
    '011061414100041610GV26063-A',
    // Longer than a barcode holds.
    '011061414100041510GV26063-A-AND-MUCH-MORE',
    '01106141410004151726',
    'https://id.gs1.org/01/10614141000415',
    'https://id.gs1.org/10/A',
    'ftp://id.gs1.org/01/10614141000415/10/A',
    'https://',
    // No scheme, and a check digit that is wrong: a path by chance.
    'plant.7/01/10614141000416/10/A',
    'https://x.example/01/10614141000415/10/%00',
    'https://x.example/01/10614141000415/10/%20',
    // Company prefix and item reference are 13 digits together.
    'urn:epc:class:lgtin:0614141.10004.A',
    'urn:epc:class:lgtin:0614141.100041',
    'urn:epc:id:sgtin:0614141.100041.A',
    '',
  ])('%s', (text) => {
    expect(readGs1Lot(text)).toBeUndefined()
  })
})

const gtins = fc
  .integer({ min: 0, max: 9_999_999_999_999 })
  .map((n) => String(n).padStart(13, '0'))
  .map(withCheckDigit)
const gs1Characters = [...'!"%&\'*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz']
const scannableLots = fc.string({ unit: fc.constantFrom(...gs1Characters), minLength: 1, maxLength: 20 })

describe('for every item and every lot a barcode holds', () => {
  test('the element string is read back', () => {
    fc.assert(
      fc.property(gtins, scannableLots, (item, lotCode) => {
        expect(readGs1Lot(`(01)${item}(10)${lotCode}`)).toEqual({ form: 'elementString', gtin: item, lotCode })
      }),
    )
  })

  test('scanned data is read back, whatever precedes and follows it', () => {
    const fixed = fc.constantFrom('', '17260320', '3102001500', '00006141410000000019')
    fc.assert(
      fc.property(gtins, scannableLots, fixed, fc.boolean(), (item, lotCode, before, more) => {
        const text = `]C1${before}01${item}10${lotCode}${more ? `${separator}21SERIAL` : ''}`
        expect(readGs1Lot(text)).toEqual({ form: 'scanData', gtin: item, lotCode })
      }),
    )
  })

  test('the Digital Link is read back', () => {
    fc.assert(
      fc.property(gtins, scannableLots, (item, lotCode) => {
        const link = `https://id.gs1.org/01/${item}/10/${encodeURIComponent(lotCode)}`
        expect(readGs1Lot(link)).toEqual({ form: 'digitalLink', gtin: item, lotCode })
      }),
    )
  })
})

describe('whatever the text', () => {
  const pieces = fc.constantFrom(
    '(01)',
    '(10)',
    '(',
    ')',
    '01',
    '10',
    '10614141000415',
    separator,
    'https://',
    '/',
    '/01/',
    '/10/',
    '%',
    '%zz',
    ']C1',
    'A',
    '\u0000',
    '😀',
    '\ud800',
  )
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 60 }).map((all) => all.join('')),
  )

  test('what is read is a lot code that is not empty, and a GTIN of 14 digits', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const read = readGs1Lot(text)
        if (read === undefined) return
        expect(read.lotCode).not.toBe('')
        if (read.gtin !== undefined) expect(gtin14Of(read.gtin)).toBe(read.gtin)
      }),
      { numRuns: runs(1_000) },
    )
  })

  test.each(['(10)', '(01', '10', `10${separator}`, '/01/', '%', '('])(
    'a megabyte of %j is read in time that grows with its length',
    (piece) => {
      const text = piece.repeat(1_000_000 / piece.length)
      const startedAt = processorMs()
      for (const start of ['', 'https://x/', ']C1', '(']) readGs1Lot(start + text)
      expect(processorMs() - startedAt).toBeLessThan(10_000)
    },
  )
})
