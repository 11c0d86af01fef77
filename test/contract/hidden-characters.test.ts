import { describe, expect, test } from 'vitest'
import { characterWords, hiddenCharacters } from '../../src/contract/text/hidden-characters.ts'
import { processorMs } from '../support/patience.ts'

const hiddenIn = (text: string) =>
  hiddenCharacters(text).map(({ at, codePoint }) => `${at} ${characterWords(codePoint)}`)

const characters = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint)
  .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
  .map((codePoint) => String.fromCodePoint(codePoint))

test('every character that Unicode calls ignorable or a control of direction is hidden in a code', () => {
  const ignorable = characters.filter((one) => /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u.test(one))
  expect(ignorable.length).toBeGreaterThan(4_000)
  expect(ignorable.filter((one) => hiddenIn(`GV26063${one}A`).length !== 1)).toEqual([])
})

test('no letter, mark, digit, sign or blank of any script is hidden', () => {
  const seen = characters.filter(
    (one) => /[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}]/u.test(one) && !/\p{Default_Ignorable_Code_Point}/u.test(one),
  )
  expect(seen.filter((one) => hiddenIn(`a${one}b`).length > 0)).toEqual([])
})

describe('writing that needs characters without a shape', () => {
  test.each([
    ['Arabic with marks', 'شركة \u200fA-7\u200f للتمور \u061c12%'],
    ['Arabic with an embedded name', 'مورد \u202aGreen Valley Farms\u202c الرياض'],
    ['Hebrew with isolates, one in another', 'משלוח \u2067\u2066LOT-7\u2069 מהיום\u2069'],
    ['Hebrew with a grapheme joiner', 'יְר\u05bc\u034fוּ'],
    ['Persian', 'می\u200cخواهم'],
    ['Hindi', 'क्\u200dष क्\u200cष'],
    ['Sinhala', 'ශ්\u200dරී'],
    ['Khmer', 'ភ្នំ\u200bពេញ'],
    ['Mongolian', 'ᠮᠣᠩ\u180bᠭᠣᠯ'],
    ['a form of an ideograph', '葛\u{e0100}城'],
    ['a family, a heart, a key and a flag of emoji', '👨‍👩‍👧 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👩🏽‍🌾'],
    ['scanned data', '\u001d0110614141000415\u001d10GV26063-A\u001e\u0004'],
    ['lines and columns', 'Dock 4\r\n\tgate 2'],
  ])('%s hides nothing', (_, text) => {
    expect(hiddenIn(text)).toEqual([])
  })
})

describe('attacks and accidents', () => {
  test.each([
    ['an override', 'BOL\u202e4321', ['3 U+202E RIGHT-TO-LEFT OVERRIDE']],
    [
      'an override that ends',
      '\u202dabc\u202c',
      ['0 U+202D LEFT-TO-RIGHT OVERRIDE', '4 U+202C POP DIRECTIONAL FORMATTING'],
    ],
    [
      'an override between Hebrew letters',
      'מש\u202eלוח\u202c',
      ['2 U+202E RIGHT-TO-LEFT OVERRIDE', '6 U+202C POP DIRECTIONAL FORMATTING'],
    ],
    [
      'isolates and an override that stretch over the end of a comment',
      'user\u202e \u2066// admin\u2069 \u2066',
      [
        '4 U+202E RIGHT-TO-LEFT OVERRIDE',
        '6 U+2066 LEFT-TO-RIGHT ISOLATE',
        '15 U+2069 POP DIRECTIONAL ISOLATE',
        '17 U+2066 LEFT-TO-RIGHT ISOLATE',
      ],
    ],
    ['an isolate without its end in Arabic', 'مورد \u2067x', ['5 U+2067 RIGHT-TO-LEFT ISOLATE']],
    ['an end without its beginning in Arabic', 'مورد\u202c x', ['4 U+202C POP DIRECTIONAL FORMATTING']],
    [
      'embedding and isolate that end crosswise',
      'مو\u202bا\u2067ب\u202cج\u2069',
      ['2 U+202B RIGHT-TO-LEFT EMBEDDING', '6 U+202C POP DIRECTIONAL FORMATTING'],
    ],
    [
      'a number that was copied from a telephone book',
      '\u202a+1 831 555 0142\u202c',
      ['0 U+202A LEFT-TO-RIGHT EMBEDDING', '16 U+202C POP DIRECTIONAL FORMATTING'],
    ],
    [
      'words in Latin letters with joiners',
      'Tom\u200dato \u200ctwo',
      ['3 U+200D ZERO WIDTH JOINER', '8 U+200C ZERO WIDTH NON-JOINER'],
    ],
    [
      'a message in selectors behind an emoji',
      '🥬\ufe0f\u{e0148}\u{e0149}',
      ['3 U+E0148 (a variation selector)', '5 U+E0149 (a variation selector)'],
    ],
    [
      'a message in tags',
      'A\u{e0041}\u{e007f}',
      ['1 U+E0041 (an invisible character)', '3 U+E007F (an invisible character)'],
    ],
    ['a backspace', 'LOT-1\u00082', ['5 U+0008 (a control character)']],
    [
      'a next line and an escape',
      '\u0085\u001b[31m',
      ['0 U+0085 (a control character)', '1 U+001B (a control character)'],
    ],
    ['a name of fillers', '\u3164\u115f', ['0 U+3164 HANGUL FILLER', '1 U+115F HANGUL CHOSEONG FILLER']],
  ])('%s is found', (_, text, found) => {
    expect(hiddenIn(text)).toEqual(found)
  })

  test('100,000 characters are searched in a moment', () => {
    const text = '\u202e\u2066é\u200d'.repeat(25_000)
    const startedAt = processorMs()
    expect(hiddenCharacters(text).length).toBeGreaterThan(50_000)
    expect(processorMs() - startedAt).toBeLessThan(2_000)
  })
})
