// Texts of several parts that read in two directions are drawn part by part.
import { expect, test } from 'vitest'
import { partsByDirection } from '../../src/contract/text/direction.ts'

test('a text is parted at its separators where one of its letters reads from right to left', () => {
  expect(partsByDirection('מחסן 7 · 12 Dock Rd, Fresno')).toEqual(['מחסן 7', ' · ', '12 Dock Rd, Fresno'])
  expect(partsByDirection('A · مزرعة · GLN 1')).toEqual(['A', ' · ', 'مزرعة', ' · ', 'GLN 1'])
})

test('lists with commas are parted too where their parts read in two directions', () => {
  expect(partsByDirection('לוט-77, GV26063-B')).toEqual(['לוט-77', ', ', 'GV26063-B'])
  expect(partsByDirection('7, مزرعة · A, B')).toEqual(['7', ', ', 'مزرعة', ' · ', 'A, B'])
})

test('other texts stay whole', () => {
  for (const text of ['', 'Depot · 12 Dock Rd', 'מחסן 7, חיפה', '東京 · Öko'])
    expect(partsByDirection(text)).toEqual([text])
})
