// The page beside the spreadsheet: what it says when there is nothing, when something was
// corrected, and of whom to ask.
import { describe, expect, test } from 'vitest'
import { explanation } from '../../../src/exports/fda-package/explanation.ts'
import { VoidedTally } from '../../../src/exports/fda-package/voided.ts'
import type { Correction } from '../../../src/exports/fda-spreadsheet/corrections.ts'
import { eventLines } from '../../../src/exports/fda-spreadsheet/event-lines.ts'
import type { ExportRequest } from '../../../src/exports/fda-spreadsheet/explained.ts'
import { Tally } from '../../../src/exports/fda-spreadsheet/tally.ts'
import { sampleExport } from '../../samples/exported-events.ts'

const request: ExportRequest = {
  provider: 'Harbor & Sons',
  filters: {},
  madeAt: new Date('2026-03-04T05:06:07Z'),
  gaps: true,
}
const files = { workbook: 'all.xlsx', csv: 'all.csv', others: [], voided: [], manifest: 'manifest.json' }

function page(changes: Partial<ExportRequest> = {}, tally = new Tally(true), more: { corrections?: string } = {}) {
  return explanation({ ...request, ...changes }, tally, new VoidedTally(), { ...files, ...more })
}

function tallyOfOne(): Tally {
  const tally = new Tally(true)
  tally.take(eventLines(sampleExport(), {}))
  return tally
}

describe('the explanation', () => {
  test('is whole: one page, without scripts and without anything from elsewhere', () => {
    const html = page({}, tallyOfOne())
    expect(html).toMatch(/^<!doctype html>\n[\s\S]*<\/html>\n$/)
    expect(html).not.toMatch(/<script|<link|<img|src=|url\(|@import/)
    expect(html).toContain('Harbor &amp; Sons')
  })

  test('says that no record matches where there are no rows, and only there', () => {
    const none = 'No record matches the filters.'
    expect(page()).toContain(none)
    expect(page({}, tallyOfOne())).not.toContain(none)
  })

  test('says that nothing is missing where no cell is empty because of a gap', () => {
    expect(page({}, tallyOfOne())).toContain('No cell is empty because of a gap.')
  })

  test('names the file of corrections where there is one, and only there', () => {
    expect(page({}, tallyOfOne(), { corrections: 'corrections.csv' })).toContain('<td>corrections.csv</td>')
    expect(page({}, tallyOfOne())).not.toContain('corrections.csv')
  })

  test('says that no record was replaced, or lists the corrections and counts those it has no room for', () => {
    expect(page({}, tallyOfOne())).toContain('None of these records was replaced')
    const tally = tallyOfOne()
    const correction: Correction = {
      id: '01890000-0000-7000-8000-000000000001',
      version: 2,
      correctedAt: new Date('2026-03-05T00:00:00Z'),
      reason: 'Read from the paper',
      index: 0,
      lotCode: 'HG-2026-061',
      before: '<40>',
      after: '41',
    }
    tally.takeCorrections(Array.from({ length: 600 }, () => correction))
    const html = page({ corrections: async function* () {} }, tally)
    expect(html).not.toContain('None of these records was replaced')
    expect(html).toContain('&lt;40&gt;')
    const listed = html.split('&lt;40&gt;').length - 1
    expect(listed).toBe(tally.corrections.length)
    expect(html).toContain(`${600 - listed} more are in the sheet Corrections.`)
  })

  test('tells FDA to ask the contact, or the provider where no contact is known', () => {
    expect(page({ contact: 'Ada, +1.831.555.0100' })).toContain('Ask Ada, +1.831.555.0100 of Harbor &amp; Sons')
    expect(page()).toContain('Ask Harbor &amp; Sons, who keeps these records,')
  })
})
