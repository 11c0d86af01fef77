// The template is FDA's to the letter: what guards it is the hash of what was compared with it cell
// by cell.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { eventSheets, headingCell, headingLine } from '../../../src/exports/fda-spreadsheet/template.ts'

test('sheets and heading cells are those of the template of June 2024', () => {
  const cells = eventSheets.map(({ name, headings }) => [name, ...headings.map(headingCell)])
  expect(createHash('sha256').update(JSON.stringify(cells)).digest('hex')).toBe(
    '2fa4f20728c51b14206f367d70a3c1f3444e793085319bfb278f83debfb930d8',
  )
  expect(eventSheets.map(({ name, headings }) => `${name}: ${headings.length}`)).toEqual([
    'Harvesting: 25',
    'Cooling: 30',
    'Initial Packing: 47',
    'Initial Packing Sprouts: 54',
    'Initial Packing from Exempt: 34',
    'First Land-Based Receiving: 26',
    'Shipping: 36',
    'Receiving: 36',
    'Receiving From Exempt: 29',
    'Transformation: 31',
    'Farm Purchase by RFE or Rest.  : 7',
    'Ad-hoc RFE or Rest. Purchase: 8',
    'Farm to School or Institution: 7',
  ])
})

test('a sheet name is one that a workbook can have', () => {
  for (const { name } of eventSheets) expect(name).toMatch(/^[^[\]:*?/\\]{1,31}$/)
})

test('a heading has one line where it has to', () => {
  for (const { headings } of eventSheets) for (const one of headings) expect(headingLine(one)).toMatch(/^\S.*$/)
})
