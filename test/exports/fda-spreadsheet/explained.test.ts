// What a file says of the request it was made for.
import { describe, expect, test } from 'vitest'
import type { ExportFilters } from '../../../src/exports/fda-spreadsheet/event-lines.ts'
import { alikeWords, filterWords, instantText } from '../../../src/exports/fda-spreadsheet/explained.ts'

describe('the filters in words', () => {
  test('say that all records are there when none was given', () => {
    expect(filterWords({})).toEqual([['Records', 'all events of the data provider']])
    expect(filterWords({ lotCode: undefined })).toEqual(filterWords({}))
  })

  test('have every filter with its values, each under its own name', () => {
    const filters: Required<Omit<ExportFilters, 'isInChain'>> = {
      eventStartDate: '2026-01-01',
      eventEndDate: '2026-03-31',
      dataProviderVendorId: ['V-1'],
      shipToLocationCode: ['RW-1'],
      itemCode: ['A', 'B'],
      gtin: ['10614141000415'],
      ftlCategory: ['Tomatoes'],
      productText: ['vine'],
      lotCode: ['HG-2026-061'],
      readAlike: true,
      tlcSource: ['Harbor'],
      chain: 'both',
      recordId: '019a3c1e-0000-7000-8000-000000000000',
      record: 'coolingEvent',
      locationCode: 'GV-COOLER-1',
      date: '2026-03-02',
      growingArea: 'Field 7',
      least: 'sameSource',
    }
    const words = filterWords(filters)
    expect(words).toHaveLength(Object.keys(filters).length)
    expect(new Set(words.map(([name]) => name)).size).toBe(words.length)
    expect(words.map(([, value]) => value)).toEqual(
      expect.arrayContaining(['2026-01-01', 'A or B', 'HG-2026-061', 'included', 'Harbor']),
    )
  })
})

describe('lot codes that read alike', () => {
  const said = (lines: number, lotCodes: readonly string[], filters: ExportFilters = {}) =>
    alikeWords({ alike: { lines, lotCodes }, filters }).map(([, value]) => value)

  test('are not mentioned where there are none, or no lot was asked for', () => {
    expect(said(0, [])).toEqual([])
    expect(alikeWords({ filters: {} })).toEqual([])
  })

  test('are named with their quotation marks, so that blanks are seen', () => {
    expect(said(1, ['hg 2026 061 '])).toEqual([expect.stringContaining(': "hg 2026 061 ". No row here includes them.')])
  })

  test('are reported as rows when they were requested', () => {
    expect(said(2, ['a'], { readAlike: true })).toEqual([
      expect.stringMatching(/^2 lines have .* These lines are included as rows\./),
    ])
  })

  test('are named up to a bound, and counted beyond it', () => {
    const lotCodes = Array.from({ length: 25 }, (_, i) => `lot ${i}`)
    const [words = ''] = said(1_234, lotCodes)
    expect(words).toContain('1,234 lines have')
    const named = lotCodes.filter((lotCode) => words.includes(JSON.stringify(lotCode))).length
    expect(words).toContain(` and ${25 - named} more.`)
    expect(named).toBeLessThan(25)
  })
})

test('an instant is written in whole seconds of UTC', () => {
  expect(instantText(new Date('2026-03-04T05:06:07.999+02:00'))).toBe('2026-03-04T03:06:07Z')
})
