// What a search takes for the same text, and that an index finds whatever has a part in it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addGramsOf, foldCode, foldWords, gramNumber, wantedBy } from '../../src/contract/text/searched-text.ts'
import { runs } from '../support/runs.ts'

test.each([
  ['GV-26330-D', 'GV26330D'],
  ['gv 26330_d', 'GV26330D'],
  ['ＬＸ－４０１', 'LX401'],
  ['Straße', 'STRASSE'],
  ['Łódź', 'LODZ'],
  ['---', ''],
])('the code %s is compared as %s', (text, folded) => {
  expect(foldCode(text)).toBe(folded)
})

test.each([
  ['Kühlhaus Nr. 7', 'KUHLHAUS NR 7'],
  ['  Crème & Früchte  ', 'CREME FRUCHTE'],
  ['서울 시장', '서울 시장'],
  ['が', 'か'],
])('the name %s is compared as %s', (text, folded) => {
  expect(foldWords(text)).toBe(folded)
})

describe('what may be meant', () => {
  test.each([
    ['PO 400656', ['PO400656', '400656', 'PO 400656']],
    ['00400656', ['00400656', '400656']],
    ['cold store', ['COLDSTORE', 'COLD STORE']],
    ['bill of lading 55310', ['BILLOFLADING55310', '55310', 'BILL OF LADING 55310']],
    ['-', []],
    ['ab', []],
    ['青', ['青']],
    ['Mueller', ['MUELLER', 'MULLER']],
    ['english cucumbers', ['ENGLISHCUCUMBERS', 'ENGLISH CUCUMBERS', 'ENGLISH CUCUMBER']],
    ['pier45', ['PIER45', 'PIER 45']],
    ['baskets', ['BASKETS', 'BASKET']],
    ['Blue grass', ['BLUEGRASS', 'BLUE GRASS']],
  ])('by %s', (text, parts) => {
    expect([...new Set(wantedBy(text).map((wanted) => wanted.parts.join(' ')))]).toEqual(parts)
  })
})

test('an index finds each text by any part of it with four characters, and by three at an edge', () => {
  const code = fc
    .array(fc.constantFrom(...'ABC019', '-', ' ', 'é'), { minLength: 4, maxLength: 16 })
    .map((characters) => characters.join(''))
  const isFound = (text: string, part: string) => {
    const grams = new Set<string>()
    addGramsOf(foldCode(text), foldWords(text), grams)
    return wantedBy(part).some((wanted) => wanted.grams.every((gram) => grams.has(gram)))
  }
  fc.assert(
    fc.property(code, fc.nat(), fc.nat(), (text, a, b) => {
      const folded = foldCode(text)
      fc.pre(folded.length >= 4)
      const start = a % (folded.length - 3)
      const part = folded.slice(start, start + 4 + (b % (folded.length - start - 3)))
      expect(isFound(text, part), `${text} by ${part}`).toBe(true)
      expect(isFound(text, folded.slice(0, 3)), `${text} by its beginning`).toBe(true)
      expect(isFound(text, folded.slice(-3)), `${text} by its end`).toBe(true)
    }),
    { numRuns: runs(1_000) },
  )
})

test('a name is found by any of its words, and a text without letters of ours by any two characters', () => {
  const isFound = (text: string, part: string) => {
    const grams = new Set<string>()
    addGramsOf(foldWords(text), foldWords(text), grams)
    return wantedBy(part).some((wanted) => wanted.grams.every((gram) => grams.has(gram)))
  }
  for (const part of ['harbour', 'cold', 'sto', 'store harb', 'Cold Store', 'ARBOU'])
    expect(isFound('Harbour Cold Store', part), part).toBe(true)
  for (const part of ['青', '青果', '果市', '市場', '東']) expect(isFound('青果市場 東京', part), part).toBe(true)
  expect(isFound('Harbour Cold Store', 'pier')).toBe(false)
})

test('grams of two providers are other numbers', () => {
  expect(gramNumber('a', 'GV26')).not.toBe(gramNumber('b', 'GV26'))
  expect(Math.abs(gramNumber('a', 'GV26'))).toBeLessThanOrEqual(2 ** 31)
})
