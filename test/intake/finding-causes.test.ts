// Rejections by cause: one line for what is wrong in many rows, whatever their values are.
import { describe, expect, test } from 'vitest'
import { causeInWords, FindingCauses } from '../../src/intake/finding-causes.ts'
import type { Rejection } from '../../src/intake/import-run.ts'
import { judgeRecord } from '../../src/intake/judge-record.ts'
import { csvOf, eventHeadings, goodRow, intakeOf, recordsIn } from '../support/files/import-files.ts'
import { now } from '../support/records/prove-rule.ts'

const settings = { lotNumberRequiredFrom: '2026-01-01' }

/** The causes in a file with these rows, each an event of its own. */
async function causesOf(rows: readonly Readonly<Record<string, string>>[]) {
  const day = (at: number) =>
    `2026-03-04T${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}:00-06:00`
  const all = rows.map((row, at) => goodRow({ eventDateTime: day(at), ...row }))
  const causes = new FindingCauses()
  for (const record of recordsIn(await intakeOf(csvOf([eventHeadings, ...all]), 'e.csv'))) {
    const { findings, refused } = judgeRecord(record, settings, now)
    const errors = findings.filter(({ severity }) => severity === 'error')
    if (refused) causes.add({ kind: record.kind.name, from: record.from, findings: errors })
  }
  return causes
}

describe('causes of rejections', () => {
  test('a hundred rows that lack one field are one line, which names the number of rows and the first', async () => {
    const { all } = await causesOf(Array.from({ length: 100 }, () => ({ 'shipTo.locationName': '' })))
    expect(all).toMatchObject([{ rows: 100, firstRow: 2, column: 'shipTo.locationName' }])
    expect(all.map(causeInWords)).toEqual([
      expect.stringMatching(
        /^100 rows, the first is row 2, column [A-Z]+ shipTo\.locationName: locationName is required/,
      ),
    ])
  })

  test('a blank cell is named by the heading of its column', async () => {
    const columns = Object.fromEntries(
      eventHeadings.map((name) => [name === 'shipQuantity' ? 'Cases rec.' : name, name]),
    )
    const rows = [Object.keys(columns), goodRow({ shipQuantity: '' })]
    const causes = new FindingCauses()
    for (const record of recordsIn(await intakeOf(csvOf(rows), 'e.csv', { mapping: { columns } })))
      causes.add({ kind: record.kind.name, from: record.from, findings: judgeRecord(record, settings, now).findings })
    expect(causes.all).toMatchObject([{ column: 'Cases rec.', remedy: expect.stringContaining('Send the field') }])
    expect(causes.all.map(causeInWords)).toEqual([expect.stringMatching(/^row 2, column [A-Z]+ Cases rec\.: /)])
  })

  test('a field for which the sheet has no column is told with a value for all rows', async () => {
    const at = eventHeadings.indexOf('shipTo.locationName')
    const rows = [eventHeadings, goodRow()].map((cells) => cells.filter((_, i) => i !== at))
    const causes = new FindingCauses()
    for (const record of recordsIn(await intakeOf(csvOf(rows), 'e.csv')))
      causes.add({ kind: record.kind.name, from: record.from, findings: judgeRecord(record, settings, now).findings })
    expect(causes.all.map(causeInWords)).toEqual([
      expect.stringMatching(
        /locationName is required .* No column has it: add one, map a column to it, or give all rows one value with --set shipTo\.locationName=VALUE\.$/,
      ),
    ])
  })

  test.each([
    ['shipQuantity', ['many', 'few', '40 cases', 'x1']],
    ['harvestDate', ['yesterday', '2026-02-30', 'soon', '2026-02-31']],
    ['caseGtin', ['123', '99', '4711']],
  ])('%s with another wrong value in each row is at most two causes', async (column, values) => {
    const { all } = await causesOf(values.map((value) => ({ [column]: value })))
    expect(all.length).toBeLessThanOrEqual(2)
    expect(all.reduce((sum, { rows }) => sum + rows, 0)).toBe(values.length)
  })

  test('two columns, and two faults of one column, are causes of their own', async () => {
    const { all } = await causesOf([{ shipQuantity: 'many' }, { shipQuantityUom: '' }, { shipQuantity: '' }])
    expect(all.map(({ column, firstRow }) => [column, firstRow])).toEqual([
      ['shipQuantity', 2],
      ['shipQuantityUom', 3],
      ['shipQuantity', 4],
    ])
  })

  test('a file with a new cause in each row is counted beyond a bound', () => {
    const causes = new FindingCauses()
    const from = { sheet: '', headings: ['a'], rows: [] }
    const rejection = (row: number): Rejection => ({
      kind: 'receivingEvent',
      from,
      findings: [{ severity: 'error', row, column: 'a', message: `fault ${'x'.repeat(row)}` }],
    })
    for (let row = 1; row <= 500; row++) causes.add(rejection(row))
    expect(causes.all.length + causes.others).toBe(500)
    expect(causes.all.length).toBeLessThan(500)
  })
})
