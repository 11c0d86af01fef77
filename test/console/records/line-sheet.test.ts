// What edits make of the product lines that are filled in.
import { expect, test } from 'vitest'
import { firstColumns } from '../../../src/console/records/line-columns.ts'
import { payloadShape, shapeAt } from '../../../src/console/records/shapes.ts'
import {
  addLine,
  commitCell,
  type LineSheet,
  pasteRows,
  readDates,
  removeLine,
  scanLabel,
  typeText,
} from '../../../src/console/state/records/line-sheet.ts'
import type { Gs1Label } from '../../../src/contract/lots/gs1-label.ts'
import { productLinesMax } from '../../../src/contract/receiving-event.ts'
import { receivingEvent } from '../../../src/contract/record-kinds.ts'

const sheetOf = (lines: LineSheet['lines']): LineSheet => ({
  shape: shapeAt(payloadShape(receivingEvent), 'eventList', 'productList', '*'),
  items: [{ itemCode: 'TOM', itemDescription: 'Tomatoes', gtin: '10614141000415' }],
  lines,
  columns: [...firstColumns, 'packagingDate'],
  opened: 0,
  words: '',
  ambiguous: [],
})
const label: Gs1Label = { caseGtin: '10614141000415', caseLotNumber: 'L1' }

test('a known item code brings its description, unless the line has one', () => {
  const cell = { index: 0, name: 'vendorItemCode' }
  expect(typeText(sheetOf([{}]), cell, 'TOM').lines).toEqual([
    { vendorItemCode: 'TOM', vendorItemDescription: 'Tomatoes' },
  ])
  expect(typeText(sheetOf([{ vendorItemDescription: 'Red' }]), cell, 'TOM').lines).toEqual([
    { vendorItemCode: 'TOM', vendorItemDescription: 'Red' },
  ])
})

test('a label fills the first empty line, and is not taken twice', () => {
  const read = scanLabel(sheetOf([{ caseLotNumber: 'L0' }, {}]), label)
  expect(read.lines[1]).toMatchObject({ caseLotNumber: 'L1', vendorItemCode: 'TOM' })
  expect(read).toMatchObject({ inSight: 1, words: 'Line 2: item TOM, lot L1.' })
  const again = scanLabel(read, label)
  expect(again.lines).toBe(read.lines)
  expect(again.words).toMatch(/^Line 2 has this item and lot already/)
})

test('a new line has the cell that is written next, and an event no line too many', () => {
  expect(addLine(sheetOf([{ caseLotNumber: 'L0' }]), {}, 0)).toMatchObject({
    lines: [{}, { caseLotNumber: 'L0' }],
    opened: undefined,
    goal: { index: 0, name: firstColumns[0] },
  })
  const full = sheetOf(Array(productLinesMax).fill({}))
  expect(addLine(full).lines).toBe(full.lines)
  expect(pasteRows(full, 'TOM\nTOM', { index: productLinesMax - 1, name: 'vendorItemCode' }, undefined)).toMatchObject({
    lines: full.lines,
    words: expect.stringMatching(/^Nothing was pasted/),
  })
})

test('a removed line leads to the one that takes its place', () => {
  const lines = [{ caseLotNumber: 'A' }, { caseLotNumber: 'B' }]
  expect(removeLine(sheetOf(lines), 1)).toMatchObject({ lines: [{ caseLotNumber: 'A' }], goal: { index: 0 } })
  expect(removeLine(sheetOf([{}]), 0).goal).toBeUndefined()
})

test('a date of which only a person knows the day is asked for, and then read', () => {
  const cell = { index: 0, name: 'packagingDate' }
  const asked = commitCell(sheetOf([{ packagingDate: '03/04/2026' }]), cell, undefined)
  expect(asked.ambiguous).toHaveLength(1)
  const read = readDates(asked, 'day first')
  expect(read).toMatchObject({ lines: [{ packagingDate: '2026-04-03' }], ambiguous: [] })
  expect(commitCell(read, cell, undefined)).toBe(read)
})
