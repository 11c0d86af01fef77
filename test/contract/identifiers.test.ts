import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkDigitOf, gs1LotPattern, isDigits } from '../../src/contract/text/identifiers.ts'

describe('a check digit', () => {
  // Numbers in print elsewhere: the GS1 General Specifications and product packages.
  it.each([
    ['GTIN-8', '96385074'],
    ['GTIN-12', '036000291452'],
    ['GTIN-13', '4006381333931'],
    ['GTIN-14', '10614141000415'],
    ['GLN', '0614141999996'],
    ['SSCC-18', '106141411234567897'],
    ['all zeros', '00000000'],
  ])('of a known %s is its last digit', (_scheme, digits) => {
    expect(checkDigitOf(digits)).toBe(digits.at(-1))
  })

  const digits = fc.constantFrom(8, 12, 13, 14, 18).chain((length) => fc.stringMatching(new RegExp(`^\\d{${length}}$`)))

  it('shows every single mistyped digit', () => {
    fc.assert(
      fc.property(digits, fc.nat(17), fc.integer({ min: 1, max: 9 }), (number, place, shift) => {
        const right = number.slice(0, -1) + checkDigitOf(number)
        const at = place % (right.length - 1)
        const wrong = right.slice(0, at) + ((Number(right[at]) + shift) % 10) + right.slice(at + 1)
        expect(checkDigitOf(wrong)).not.toBe(right.at(-1))
      }),
    )
  })

  it('does not depend on the digit in its place or on leading zeros', () => {
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 9 }), (number, last) => {
        expect(checkDigitOf(number.slice(0, -1) + last)).toBe(checkDigitOf(number))
        expect(checkDigitOf(`0000${number}`)).toBe(checkDigitOf(number))
      }),
    )
  })
})

describe('digits', () => {
  it.each([
    ['123456789', [9], true],
    ['12345678', [8, 12], true],
    ['123456789012', [8, 12], true],
    ['1234567890', [8, 12], false],
    ['12345678 ', [9], false],
    ['1234-5678', [9], false],
    ['+12345678', [9], false],
    ['12345678X', [9], false],
    ['１２３４５６７８９', [9], false],
    ['12345678\n', [9], false],
    ['', [0], false],
  ])('%j as a number of %j digits: %j', (text, lengths, expected) => {
    expect(isDigits(text, lengths)).toBe(expected)
  })
})

describe('a lot code a GS1 barcode can carry', () => {
  // GS1 character set 82, General Specifications figure 7.11-1.
  const set82 = '!"%&\'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'

  it('has only characters of set 82, each of them', () => {
    expect(set82).toHaveLength(82)
    for (let code = 0; code < 0x250; code++) {
      const character = String.fromCharCode(code)
      expect(gs1LotPattern.test(character), JSON.stringify(character)).toBe(set82.includes(character))
    }
  })

  it('has 1 to 20 characters', () => {
    expect([0, 1, 20, 21].map((length) => gs1LotPattern.test('A'.repeat(length)))).toEqual([false, true, true, false])
    expect(gs1LotPattern.test('A\n')).toBe(false)
  })
})
