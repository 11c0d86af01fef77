// What a workbook hides and the import reads is told.
import { expect, test } from 'vitest'
import { eventHeadings, goodRow, intakeOf, recordsIn, toldIn } from '../support/files/import-files.ts'
import { type RawSheet, rawWorkbook } from '../support/files/raw-workbook.ts'

const read = async (sheet: Partial<RawSheet>) => {
  const rows = [eventHeadings, ...['L-1', 'L-2', 'L-3'].map((caseLotNumber) => goodRow({ caseLotNumber }))]
  const all = await intakeOf(rawWorkbook({ rows, ...sheet }), 'e.xlsx')
  return { lines: recordsIn(all).reduce((sum, { lines }) => sum + lines, 0), told: toldIn(all) }
}

test.each(['hidden="1"', 'hidden="true"', 'ht="0" customHeight="1"'])(
  'rows that are hidden are imported, and told with their number and the first: %s',
  async (attributes) => {
    const { lines, told } = await read({
      rowAttributes: { 3: attributes, 4: attributes },
      after: '<autoFilter ref="A1:B4"><filterColumn colId="0"/></autoFilter>',
    })
    expect(lines).toBe(3)
    expect(told).toContain('has rows that are hidden, by hand or by a filter')
    expect(told).toContain('(2 rows, the first is row 3)')
  },
)

test('columns that are hidden or have no width are imported, and told by their headings', async () => {
  const { lines, told } = await read({
    before: '<cols><col min="2" max="2" hidden="1" width="9"/><col min="3" max="3" width="0"/></cols>',
  })
  expect(lines).toBe(3)
  expect(told).toContain(`hidden columns are imported like the others: ${eventHeadings[1]}, ${eventHeadings[2]}.`)
})

test('of a workbook that hides nothing, nothing is told', async () => {
  const { told } = await read({
    rowAttributes: { 3: 'hidden="0" ht="15"' },
    before: '<cols><col min="1" max="9" width="9"/></cols>',
  })
  expect(told).not.toContain('hidden')
})
